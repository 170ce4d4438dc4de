/** Standard deviations of a plan from one or several pilots: pooled, and how small and how large they may be.
 *    pooled   Σ df s² / Σ df over the pilots, df = raters - 1, items - 1; of residuals ratings - raters - items + 1
 *    low, high   that with df s²/χ²(.9, df), df s²/χ²(.1, df) for all df together (80 % of such pilots), widened to the smallest and the largest pilot
 *  A variance that is estimated beside others has somewhat fewer df than its levels less one, so that the range is a little too narrow.
 *  Reference: Card et al. (2020), EMNLP, Table 16 (low, high); Searle, Casella & McCulloch (1992), Variance Components, 3.6.
 *  Oracle:    closed form (pilots.test.ts). */
import { chiSquareQuantile } from "../numeric/dist/chi-square.ts";
import type { PilotParameters } from "../power/from/pilot.ts";
import { StatError } from "../result/error.ts";
import { leastOf, mostOf } from "../result/extremes.ts";
import type { EvaluationPlan, ExpectedSpread } from "./plan.ts";

/** In 10 of 100 pilots it is smaller, in 10 larger. */
const TAIL = 0.1;

export type PooledPilots = Pick<EvaluationPlan["expected"], keyof ExpectedSpread | "thresholds" | "low" | "high">;

const ROUNDED = 4;
const round = (x: number): number => Number(x.toPrecision(ROUNDED));

export function poolPilots(pilots: readonly PilotParameters[]): PooledPilots {
  const [first] = pilots;
  if (first === undefined) throw new StatError("NoPilot", "no pilot is given.", "Name a file of ratings.");
  const dfOf = {
    raterIntercept: ({ raters }: PilotParameters) => raters - 1,
    raterSlope: ({ raters }: PilotParameters) => raters - 1,
    itemIntercept: ({ items }: PilotParameters) => items - 1,
    itemSlope: ({ items }: PilotParameters) => items - 1,
    residual: ({ ratings, raters, items }: PilotParameters) => Math.max(1, ratings - raters - items + 1),
  };
  const names = (Object.keys(dfOf) as (keyof typeof dfOf)[]).filter((name) => first.parameters[name] !== undefined);
  const each = names.map((name) => {
    const own = pilots.map((pilot) => ({ sd: pilot.parameters[name] as number, df: dfOf[name](pilot) }));
    const df = own.reduce((sum, one) => sum + one.df, 0);
    const variance = own.reduce((sum, one) => sum + one.df * one.sd ** 2, 0) / df;
    const end = (p: number): number => Math.sqrt((df * variance) / chiSquareQuantile(p, df));
    const sds = own.map(({ sd }) => sd);
    return [
      name,
      Math.sqrt(variance),
      Math.min(end(1 - TAIL), leastOf(sds)),
      Math.max(end(TAIL), mostOf(sds)),
    ] as const;
  });
  const pick = (k: 1 | 2 | 3): ExpectedSpread => Object.fromEntries(each.map((own) => [own[0], round(own[k])]));
  return { ...pick(1), ...thresholdsOf(pilots), low: pick(2), high: pick(3) };
}

/** Means over the pilots, which must have the same points. */
function thresholdsOf(pilots: readonly PilotParameters[]): Pick<PooledPilots, "thresholds"> {
  const all = pilots.flatMap(({ parameters: { thresholds } }) =>
    typeof thresholds === "string" ? [thresholds.split(",").map(Number)] : [],
  );
  const [first] = all;
  if (first === undefined) return {};
  const other = all.find((own) => own.length !== first.length);
  if (other !== undefined)
    throw new StatError(
      "ScalesDiffer",
      `the pilots' ratings have ${first.length + 1} and ${other.length + 1} points.`,
      "Pool pilots on the same scale.",
    );
  return { thresholds: first.map((_, j) => round(all.reduce((sum, own) => sum + own[j]!, 0) / all.length)) };
}
