/** The score of each system alone, with an interval: what a leaderboard shows.
 *    0/1 scores       Wilson's interval
 *    shares           (repeats averaged, or clustered items) Wilson's with n replaced by p(1-p)/se², the number of independent answers that
 *                     would give the same standard error
 *    other means      t; clustered items: CR2
 *    other metrics    t with the jackknife's standard error over items, or over clusters
 *  Reference: Wilson (1927); Korn & Graubard (1998), Surv. Methodol. 24 (effective sample size); Brown, Cai & DasGupta (2001).
 *  Limits:    two such intervals say little about the difference: items are shared, so the difference is surer than either. */

import { scoreOf } from "../../metrics/metric.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { sumByCluster } from "../../resample/permutation.ts";
import { binomialInterval } from "../intervals/binomial.ts";
import type { ComparisonData } from "./comparison.ts";
import { isBinary } from "./pair/items.ts";

import { spreadOfMean, spreadOfScores } from "./pair/spread.ts";

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
      const values = data.means.subarray(s * n, (s + 1) * n);
      return { name, ...scoreMean(values, { confidence, share, ...(codes ? { clusters: codes } : {}) }) };
    }
    const own = data.statistics[s]!;
    const rows = codes ? sumByCluster(own.data, codes, own.width) : own.data;
    const { se, df } = spreadOfScores(rows, own.width, (sums) => own.metric.scoreOf(sums));
    return { name, ...byT(scoreOf(own), { se, df }, confidence), interval: "jackknife t" };
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
  const n = values.length;
  const score = values.reduce((sum, v) => sum + v, 0) / n;
  if (clusters === undefined && isBinary(values)) {
    return { score, ...binomialInterval(Math.round(score * n), n, { confidence }), interval: "Wilson" };
  }
  const { se, df } = spreadOfMean(values, clusters);
  if (!share) return { ...byT(score, { se, df }, confidence), interval: clusters ? "CR2 t" : "t" };
  const units = clusters === undefined ? n : new Set(clusters).size;
  const effective = se > 0 ? (score * (1 - score)) / (se * se) : units;
  return { score, ...wilson(score, effective, confidence), interval: "Wilson, effective n" };
}

function byT(score: number, { se, df }: { se: number; df: number }, confidence: number) {
  // no spread at all is no certainty
  const half = se > 0 ? tQuantileUpper((1 - confidence) / 2, df) * se : Number.NaN;
  return { score, lower: score - half, upper: score + half };
}

/** For a sample size that need not be whole. */
function wilson(p: number, n: number, confidence: number): { lower: number; upper: number } {
  const z2 = normalQuantileUpper((1 - confidence) / 2) ** 2;
  const center = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = Math.sqrt(z2 * ((p * (1 - p)) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  return { lower: Math.max(0, center - half), upper: Math.min(1, center + half) };
}
