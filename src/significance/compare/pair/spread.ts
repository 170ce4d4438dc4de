/** The standard error of a difference between two systems on the same items, and where the variance comes from.
 *    mean scores          s_d / √n;  clustered items: CR2 of a constant, with its Satterthwaite df
 *    other metrics        jackknife over items, or over clusters
 *  With k_A and k_B repeats an item's difference varies by  σ²_items + σ²_A/k_A + σ²_B/k_B:  more repeats shrink the second part
 *  only.
 *  Reference: Miller (2024), Adding Error Bars to Evals; Bell & McCaffrey (2002). */
import { jackknife, leaveOneOutScores } from "../../../resample/jackknife.ts";
import type { Spread } from "../../../resample/mean-spread.ts";
import { varianceOf } from "../../samples.ts";

/** Of score(B) - score(A); `rows` hold A's statistics and B's side by side, one row an item or a cluster. */
export function spreadOfScores(
  rows: Float64Array,
  width: number,
  differenceOf: (sums: Float64Array) => number,
): Spread {
  const n = rows.length / width;
  if (n < 2) return { se: Number.NaN, df: Number.NaN };
  const { statistic, leftOut } = leaveOneOutScores(rows, width, differenceOf);
  return { se: jackknife(statistic, leftOut).se, df: n - 1 };
}

export interface VarianceParts {
  /** Of the items' true differences. */
  readonly items: number;
  /** Of one repeat of one system on one item, pooled; NaN if nothing was repeated. */
  readonly repeatA: number;
  readonly repeatB: number;
}

export interface RepeatedScores {
  readonly differences: Float64Array;
  readonly countsA: Int32Array;
  readonly countsB: Int32Array;
  readonly withinA: Float64Array;
  readonly withinB: Float64Array;
}

export function splitVariance({ differences, countsA, countsB, withinA, withinB }: RepeatedScores): VarianceParts {
  const repeatA = pooled(withinA, countsA);
  const repeatB = pooled(withinB, countsB);
  const noise = (own: number, counts: Int32Array): number =>
    Number.isNaN(own) ? 0 : own * (counts.reduce((sum, k) => sum + 1 / k, 0) / counts.length);
  const total = differences.length < 2 ? Number.NaN : varianceOf(differences);
  return { items: Math.max(0, total - noise(repeatA, countsA) - noise(repeatB, countsB)), repeatA, repeatB };
}

function pooled(within: Float64Array, counts: Int32Array): number {
  let squares = 0;
  let df = 0;
  for (let i = 0; i < within.length; i++) {
    squares += within[i]!;
    df += counts[i]! - 1;
  }
  return df > 0 ? squares / df : Number.NaN;
}
