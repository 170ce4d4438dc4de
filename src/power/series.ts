/** What pictures of a power analysis draw beside its figures: power on both sides of the answer, and simulated effects in bins. */
import { type MarkedBin, markedHistogram } from "../numeric/histogram.ts";

/** Power at one size or effect. */
export interface PowerPoint {
  readonly at: number;
  readonly power: number;
}

export interface PowerSeries {
  /** What the curve runs along, and where the answer lies on it. */
  readonly size?: { readonly parameter: string; readonly value: number };
  /** By the size of the experiment, or by the effect in answers to `mde`, the other parameters given; without drawing anything. */
  readonly curve?: readonly PowerPoint[];
  /** Where a solver drew experiments, and the share with the effect found. */
  readonly tried?: readonly (PowerPoint & { readonly replicates: number })[];
  /** Effects found in the first simulated experiments, on the scale of the true one; marked: significant. */
  readonly effects?: readonly MarkedBin[];
}

/** Effects of single experiments, significant ones apart. */
export interface DrawnEffects {
  readonly significant: readonly number[];
  readonly others: readonly number[];
}

/** More experiments than this add nothing to a picture. */
export const MOST_DRAWN = 5000;

export function binEffects(drawn: readonly DrawnEffects[]): MarkedBin[] {
  const significant = drawn.flatMap((own) => own.significant);
  const values = Float64Array.from([...significant, ...drawn.flatMap((own) => own.others)]);
  return markedHistogram(values, (i) => i < significant.length);
}

/** Shares of the answer at which power is worked out around it. */
const AROUND = [0.25, 0.4, 0.55, 0.7, 0.85, 1, 1.15, 1.3, 1.5, 1.75, 2, 2.5];

/** Power at multiples of an answer, those left out at which there is none. */
export function powerAround(
  answer: number,
  place: (wanted: number) => number,
  powerAt: (x: number) => number,
): PowerPoint[] {
  const wanted = [...new Set(AROUND.map((share) => (share === 1 ? answer : place(share * answer))))];
  return wanted
    .flatMap((at): PowerPoint[] => {
      try {
        const power = powerAt(at);
        return Number.isFinite(power) ? [{ at, power }] : [];
      } catch {
        // a size or an effect that the other parameters do not allow
        return [];
      }
    })
    .sort((a, b) => a.at - b.at);
}
