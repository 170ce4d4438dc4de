/** The interval of one system's score over its items, whatever the metric.
 *    means of 0/1          Wilson: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)
 *    repeats of 0/1, and   Wilson with n replaced by p(1-p)/se², the number of independent answers that would give the same standard error, and z by
 *    clusters of 0/1       t's quantile on the df of that error; of clusters at most as many as there are items
 *    other means           t; clusters: CR2
 *    BLEU, F1, MCC, …      t with the jackknife's standard error over items, or over clusters
 *  Reference: Wilson (1927), JASA 22; Korn & Graubard (1998), Surv. Methodol. 24; Efron & Stein (1981), Ann. Stat. 9; Brown, Cai & DasGupta (2001).
 *  Limits:    a score at the end of its range may get a limit beyond it, which is cut off. Two such intervals say little about a difference. */
import { normalQuantileUpper } from "../numeric/dist/normal.ts";
import { tQuantileUpper } from "../numeric/dist/t.ts";
import { jackknife } from "../resample/jackknife.ts";
import { type Spread, spreadOfMean } from "../resample/mean-spread.ts";
import { sumByCluster } from "../resample/permutation.ts";
import { type ItemStatistics, leaveOneOutScores, scoreOf } from "./metric.ts";
import { rangeByName, type ScoreRange } from "./range.ts";

export interface ScoreInterval {
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  readonly method: "Wilson" | "Wilson, effective n" | "t" | "CR2 t" | "jackknife t" | "posterior, normal";
}

export interface IntervalOptions {
  readonly level: number;
  /** The values are shares of repeated noughts and ones. */
  readonly shares?: boolean | undefined;
  /** Of each item, from 0. */
  readonly clusters?: Int32Array | undefined;
  /** Limits beyond the range of the metric are cut off; default true. */
  readonly cut?: boolean | undefined;
}

/** Undefined where there is no spread to go by. */
export function intervalOf(statistics: ItemStatistics, options: IntervalOptions): ScoreInterval | undefined {
  const { metric, n } = statistics;
  const { level, clusters, cut = true } = options;
  if (metric.isMean) {
    const kept = Array.from({ length: n }, (_, i) => i).filter((i) => statistics.data[2 * i + 1] === 1);
    const values = Float64Array.from(kept, (i) => statistics.data[2 * i]!);
    const own = clusters && Int32Array.from(kept, (i) => clusters[i]!);
    return intervalOfMean(values, {
      ...options,
      clusters: own,
      range: cut ? rangeByName(metric.name, values) : undefined,
    });
  }
  const units = clusters === undefined ? statistics : byCluster(statistics, clusters);
  const { se } = units.n < 2 ? { se: Number.NaN } : jackknife(scoreOf(units), leaveOneOutScores(units));
  const spread = { se, df: units.n - 1 };
  return byT(scoreOf(statistics), spread, { level, method: "jackknife t", range: cut ? metric.range : undefined });
}

/** Of the mean of the items' values. */
export function intervalOfMean(
  values: Float64Array,
  { level, shares, clusters, range }: IntervalOptions & { readonly range?: ScoreRange | undefined },
): ScoreInterval | undefined {
  const n = values.length;
  if (n === 0) return undefined;
  const p = values.reduce((sum, value) => sum + value, 0) / n;
  const binary = values.every((value) => value === 0 || value === 1);
  if (binary && clusters === undefined)
    return { ...wilson(p, n, normalQuantileUpper((1 - level) / 2)), level, method: "Wilson" };
  const { se, df } = spreadOfMean(values, clusters);
  if (!binary && !shares) return byT(p, { se, df }, { level, method: clusters ? "CR2 t" : "t", range });
  const units = clusters === undefined ? n : new Set(clusters).size;
  if (units < 2) return undefined;
  // no spread at all is no certainty: then each item or cluster counts once
  const known = se > 0 ? (p * (1 - p)) / (se * se) : units;
  const effective = clusters === undefined ? known : Math.min(n, known);
  const quantile = tQuantileUpper((1 - level) / 2, se > 0 ? df : units - 1);
  return { ...wilson(p, effective, quantile), level, method: "Wilson, effective n" };
}

/** One row a cluster. */
function byCluster({ metric, width, data }: ItemStatistics, clusters: Int32Array): ItemStatistics {
  const sums = sumByCluster(data, clusters, width);
  return { metric, width, data: sums, n: sums.length / width };
}

function byT(
  score: number,
  { se, df }: Spread,
  { level, method, range }: Pick<ScoreInterval, "level" | "method"> & { readonly range: ScoreRange | undefined },
): ScoreInterval | undefined {
  // no spread at all is no certainty
  if (!(se > 0)) return undefined;
  const [low, high] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const half = tQuantileUpper((1 - level) / 2, df) * se;
  return { lower: Math.max(low, score - half), upper: Math.min(high, score + half), level, method };
}

/** For a sample size that need not be whole. */
function wilson(p: number, n: number, z: number): { lower: number; upper: number } {
  const middle = p + (z * z) / (2 * n);
  const half = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  // exactly 0 or 1 at the ends, where rounding would leave a trace
  return {
    lower: p === 0 ? 0 : Math.max(0, (middle - half) / scale),
    upper: p === 1 ? 1 : Math.min(1, (middle + half) / scale),
  };
}
