/** What every metric shares: each item is reduced once to a few numbers that add up, and a system's score is a function of
 *  their sums.   score = f(Σ_i s_i),  s_i ∈ R^width
 *  Swapping or redrawing an item therefore costs `width` additions, whether the metric is accuracy, F1 or BLEU.
 *  Reference: Riezler & Maxwell (2005), ACL Workshop; Graham, Mathur & Baldwin (2014), WMT: resampling of sufficient statistics.
 *  Limits:    metrics that do not add up over items (AUC, corpus perplexity by tokens of other items) have no place here. */
import { StatError } from "../result/error.ts";
import type { ScoreRange } from "./range.ts";

export interface Metric {
  /** As people write it: "BLEU", "chrF2++", "macro F1". */
  readonly name: string;
  /** null: not known. */
  readonly higherIsBetter: boolean | null;
  /** Numbers per item. */
  readonly width: number;
  /** The score that belongs to sums of item rows: `width` numbers from `at` on. NaN where it is undefined. */
  scoreOf(sums: Float64Array, at?: number): number;
  /** How it was computed, in the manner of sacreBLEU: key:value parts joined by "|". */
  readonly signature: string;
  /** Whether the score is Σ value / Σ count, so that a difference of scores is a mean of differences of items. */
  readonly isMean: boolean;
  /** The lowest and the highest score there can be, where there are such. */
  readonly range?: ScoreRange;
}

/** One system's items. Row i is data[i * width] … data[(i + 1) * width - 1]. */
export interface ItemStatistics {
  readonly metric: Metric;
  readonly n: number;
  readonly width: number;
  readonly data: Float64Array;
}

/** Most numbers that one system may need: 1 GB. */
const MOST_NUMBERS = 2 ** 27;

export function makeStatistics(metric: Metric, n: number): ItemStatistics {
  if (n * metric.width > MOST_NUMBERS) {
    throw new StatError(
      "TooLarge",
      `${metric.name} of ${n} items needs ${metric.width} numbers an item, too many for the memory.`,
      "Merge rare classes, or split the items.",
    );
  }
  return { metric, n, width: metric.width, data: new Float64Array(n * metric.width) };
}

/** sums ← Σ of all rows. */
export function sumRowsInto(sums: Float64Array, { n, width, data }: ItemStatistics): void {
  sums.fill(0, 0, width);
  for (let i = 0, at = 0; i < n; i++) {
    for (let k = 0; k < width; k++) sums[k]! += data[at++]!;
  }
}

export function sumRows(statistics: ItemStatistics): Float64Array {
  const sums = new Float64Array(statistics.width);
  sumRowsInto(sums, statistics);
  return sums;
}

/** The score of the whole system. */
export function scoreOf(statistics: ItemStatistics): number {
  return statistics.metric.scoreOf(sumRows(statistics));
}

/** The metric of every item by itself. Its mean is the system's score only where the metric is a mean. */
export function itemScores({ metric, n, width, data }: ItemStatistics): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => metric.scoreOf(data, i * width));
}

/** The score without item i, for every i: what jackknife, BCa and influence need. */
export function leaveOneOutScores(statistics: ItemStatistics): Float64Array {
  const { metric, n, width, data } = statistics;
  const sums = sumRows(statistics);
  const rest = new Float64Array(width);
  const scores = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < width; k++) rest[k] = sums[k]! - data[i * width + k]!;
    scores[i] = metric.scoreOf(rest);
  }
  return scores;
}

/** Standard error of a score by the jackknife.   se² = (n-1)/n Σ (θ_(i) - θ_(·))²;  for a mean it is s/√n exactly.
 *  Reference: Efron & Tibshirani (1993), An Introduction to the Bootstrap, eq. 11.5. */
export function jackknifeSe(statistics: ItemStatistics): number {
  const { n } = statistics;
  if (n < 2) return Number.NaN;
  const scores = leaveOneOutScores(statistics);
  const mean = scores.reduce((sum, score) => sum + score, 0) / n;
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  return Math.sqrt(((n - 1) / n) * squares);
}
