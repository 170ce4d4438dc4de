/** The interval of one system's score over its items, whatever the metric.
 *    means of 0/1          Wilson: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)
 *    repeats of 0/1        Wilson with n replaced by p(1-p)/se²: as many independent answers would give the same standard error
 *    other means           t
 *    BLEU, F1, MCC, …      t with the jackknife's standard error
 *  The same intervals as `compare` prints beside the systems.
 *  Reference: Wilson (1927), JASA 22; Korn & Graubard (1998), Surv. Methodol. 24; Efron & Stein (1981), Ann. Stat. 9.
 *  Limits:    items are taken as independent. A score at the end of its range may get a limit beyond it, which is cut off. */
import { normalQuantile } from "../numeric/dist/normal.ts";
import { tQuantileUpper } from "../numeric/dist/t.ts";
import { jackknife } from "../resample/jackknife.ts";
import { type ItemStatistics, leaveOneOutScores, scoreOf } from "./metric.ts";
import { rangeByName, type ScoreRange } from "./range.ts";

export interface ScoreInterval {
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  readonly method: "Wilson" | "Wilson, effective n" | "t" | "jackknife t" | "posterior, normal";
}

/** `shares`: the values are shares of repeated noughts and ones. Undefined where there is no spread to go by. */
export function intervalOf(
  statistics: ItemStatistics,
  { level, shares = false }: { readonly level: number; readonly shares?: boolean | undefined },
): ScoreInterval | undefined {
  const { metric, n } = statistics;
  if (!metric.isMean) {
    const { se } = n < 2 ? { se: Number.NaN } : jackknife(scoreOf(statistics), leaveOneOutScores(statistics));
    return byT(scoreOf(statistics), { se, n, level }, { method: "jackknife t", range: metric.range });
  }
  const values = valuesOf(statistics);
  const p = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length === 0) return undefined;
  if (values.every((value) => value === 0 || value === 1))
    return { ...wilson(p, values.length, level), level, method: "Wilson" };
  const variance = values.reduce((sum, value) => sum + (value - p) ** 2, 0) / (values.length - 1);
  const se = Math.sqrt(variance / values.length);
  if (shares && se > 0) return { ...wilson(p, (p * (1 - p)) / (se * se), level), level, method: "Wilson, effective n" };
  return byT(p, { se, n: values.length, level }, { method: "t", range: rangeByName(metric.name, values) });
}

function valuesOf({ n, data }: ItemStatistics): number[] {
  return Array.from({ length: n }, (_, i) => i).flatMap((i) => (data[2 * i + 1] === 1 ? [data[2 * i]!] : []));
}

function byT(
  score: number,
  { se, n, level }: { readonly se: number; readonly n: number; readonly level: number },
  { method, range }: { readonly method: ScoreInterval["method"]; readonly range: ScoreRange | undefined },
): ScoreInterval | undefined {
  // no spread at all is no certainty
  if (!(se > 0)) return undefined;
  const [low, high] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const half = tQuantileUpper((1 - level) / 2, n - 1) * se;
  return { lower: Math.max(low, score - half), upper: Math.min(high, score + half), level, method };
}

/** For a sample size that need not be whole. */
function wilson(p: number, n: number, level: number): { lower: number; upper: number } {
  const z = normalQuantile((1 + level) / 2);
  const middle = p + (z * z) / (2 * n);
  const half = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  // exactly 0 or 1 at the ends, where rounding would leave a trace
  return { lower: p === 0 ? 0 : (middle - half) / scale, upper: p === 1 ? 1 : (middle + half) / scale };
}
