/** The score of each system alone, with the interval that `score` gives it (metrics/score-interval.ts): what a leaderboard shows.
 *  Limits:    two such intervals say little about the difference: items are shared, so the difference is surer than either. */

import { scoreOf } from "../../metrics/metric.ts";
import { intervalOf, intervalOfMean } from "../../metrics/score-interval.ts";
import type { ComparisonData } from "./comparison.ts";
import { scoresOf } from "./pair/items.ts";

export interface SystemScore {
  readonly name: string;
  readonly score: number;
  readonly lower?: number;
  readonly upper?: number;
  /** How the interval was made. */
  readonly interval?: string;
  /** Mean over rows, where `score` is a model's. */
  readonly rawMean?: number;
}

export function scoreSystems(
  { systems, data, clusters }: ComparisonData,
  { confidence, share }: { readonly confidence: number; readonly share: boolean },
): SystemScore[] {
  const codes = clusters?.codes;
  const n = data.items.length;
  return systems.map((name, s) => {
    if (data.kind === "scores") {
      const values = scoresOf(data.means, n, s);
      return { name, ...scoreMean(values, { confidence, share, ...(codes ? { clusters: codes } : {}) }) };
    }
    const own = data.statistics[s]!;
    const found = intervalOf(own, { level: confidence, clusters: codes, cut: false });
    return {
      name,
      score: scoreOf(own),
      lower: found?.lower ?? Number.NaN,
      upper: found?.upper ?? Number.NaN,
      interval: "jackknife t",
    };
  });
}

export function scoreMean(
  values: Float64Array,
  {
    confidence,
    share,
    clusters,
  }: { readonly confidence: number; readonly share: boolean; readonly clusters?: Int32Array },
): Omit<SystemScore, "name"> {
  const score = values.reduce((sum, v) => sum + v, 0) / values.length;
  const found = intervalOfMean(values, { level: confidence, shares: share, clusters });
  return {
    score,
    lower: found?.lower ?? Number.NaN,
    upper: found?.upper ?? Number.NaN,
    interval: found?.method ?? (clusters === undefined ? "t" : "CR2 t"),
  };
}
