/** Is it worth going on? The chance that the last look still rejects, given z at this one, and the z below which it is too small.
 *      CP(z) = Φ((z√t + drift (1 - t) - c)/√(1 - t)),   z_f(γ) = (c - drift (1 - t) + √(1 - t) Φ⁻¹(γ))/√t
 *  c is the bound of the last look, drift the expectation of Z there if the effect is as planned. Looks between are left out, so that the chance is a
 *  little too small. Stopping by it is not binding: the bounds for rejection do not count on it, and going on does not harm the error.
 *  Reference: Lan & Wittes (1988), Biometrics 44; Jennison & Turnbull (2000), section 10.2.
 *  Oracle:    simulation (looks.test.ts); rpact's conditional power formula for one stage left. */
import { normalCdf, normalQuantile } from "../../numeric/dist/normal.ts";
import { findBoundaries, type Sides, type Spending } from "./boundaries.ts";
import { exitsOf } from "./walk.ts";

export interface ConditionalPowerOptions {
  /** In the direction of the effect. */
  readonly z: number;
  /** Information so far, below 1. */
  readonly t: number;
  /** Of the last look. */
  readonly bound: number;
  readonly drift: number;
}

export function conditionalPower({ z, t, bound, drift }: ConditionalPowerOptions): number {
  return normalCdf((z * Math.sqrt(t) + drift * (1 - t) - bound) / Math.sqrt(1 - t));
}

export interface FutilityOptions {
  readonly information: readonly number[];
  readonly alpha: number;
  readonly sides: Sides;
  readonly spending: Spending;
  readonly drift: number;
  /** The smallest chance that is worth going on for. */
  readonly least: number;
}

export interface FutilityBounds {
  /** Of Z in the direction of the effect at each look but the last: stop below. */
  readonly z: readonly number[];
  /** Power until each look if one always stops there, and without. */
  readonly power: readonly number[];
  readonly unbounded: readonly number[];
  /** Chance to stop for futility until each look: if the effect is as planned, and if there is none. */
  readonly stoppedEffect: readonly number[];
  readonly stoppedNone: readonly number[];
}

export function futilityBounds({ least, drift, ...design }: FutilityOptions): FutilityBounds {
  const bounds = findBoundaries(design);
  const { information, upper } = bounds;
  const bound = upper.at(-1)!;
  const z = information.slice(0, -1).map((t) => {
    const left = Math.sqrt(1 - t);
    const own = (bound - drift * (1 - t) + left * normalQuantile(least)) / Math.sqrt(t);
    // a two-sided test is futile near 0 only
    return design.sides === 2 && own < 0 ? Number.NEGATIVE_INFINITY : own;
  });
  const lower = [...z.map((own, k) => Math.min(own, upper[k]!)), Number.NEGATIVE_INFINITY];
  const obeyed = exitsOf({ information, upper, lower }, drift);
  const none = exitsOf({ information, upper, lower }, 0);
  const free = exitsOf({ information, upper, lower: upper.map(() => Number.NEGATIVE_INFINITY) }, drift);
  return {
    z,
    power: cumulated(obeyed.upper),
    unbounded: cumulated(free.upper),
    stoppedEffect: cumulated(obeyed.lower),
    stoppedNone: cumulated(none.lower),
  };
}

const cumulated = (values: readonly number[]): number[] => {
  let sum = 0;
  return values.map((own) => (sum += own));
};
