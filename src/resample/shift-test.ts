/** Shift test from bootstrap replicates t*_1 … t*_R of a statistic t whose value is 0 under the null hypothesis: the replicates are moved to
 *  where that hypothesis puts them, mean 0, and
 *      p = (c + 1)/(R + 1),   c the number with |t*_r - mean(t*)| >= |t|
 *  (the book's c/R is 0 where no replicate reaches t, which no test can mean). Centred at the mean of the replicates, not at t: a score that
 *  is no mean, such as F1, has replicates whose mean is not t.
 *  Reference: Riezler & Hagmann (2021), Alg. 4.1; Noreen (1989), Computer-intensive Methods for Testing Hypotheses.
 *  Oracle:    the law of all 3,125 draws of five items; R, on draws of boot, oracle/r/shift-test.json.
 *  Limits:    takes the law under the null hypothesis to be the replicates' law moved: too sure for few or skewed items. */
import { replicateMoments } from "./intervals.ts";
import { type Alternative, extremeness, TIE } from "./permutation.ts";

export interface ShiftTest {
  /** NaN where all replicates are equal and the estimate is not 0: there is nothing to compare it with. */
  readonly p: number;
  /** Standard error of p that the draws leave. */
  readonly monteCarloSe: number;
  /** Of the replicates. */
  readonly mean: number;
  readonly sd: number;
}

/** Alg. 4.1 with one added to count and replicates. */
export function shiftTest(
  { estimate, values }: { readonly estimate: number; readonly values: Float64Array },
  alternative: Alternative = "two-sided",
): ShiftTest {
  const { mean, sd } = replicateMoments(values);
  if (!(sd > 0)) {
    const p = estimate === 0 ? 1 : Number.NaN;
    return { p, monteCarloSe: p === 1 ? 0 : Number.NaN, mean, sd };
  }
  const extreme = extremeness(alternative, estimate, TIE * Math.max(Math.abs(estimate), Math.abs(mean)));
  let count = 0;
  for (const value of values) if (extreme(value - mean)) count++;
  const R = values.length;
  const p = (count + 1) / (R + 1);
  return { p, monteCarloSe: Math.sqrt((p * (1 - p)) / R), mean, sd };
}
