/** Bootstrap replicates of a metric of the whole set (BLEU, F1, …) for every system from the same draws of items, or of clusters: one
 *  pass serves all pairs of systems, and the interval of a pair does not depend on which others are compared.
 *  Reference: Koehn (2004), EMNLP; Efron & Tibshirani (1993), chapter 14 (BCa).
 *  Oracle:    boot and boot.ci (R), oracle/r/shift-test.json; the law of all draws of five items. */

import type { ItemStatistics } from "../../../metrics/metric.ts";
import type { Rng } from "../../../numeric/rng.ts";
import { bootstrapTogether, type SharedReplicates } from "../../../resample/bootstrap.ts";

import { intervalFromReplicates } from "../../../resample/intervals.ts";
import { jackknife } from "../../../resample/jackknife.ts";
import { sumByCluster } from "../../../resample/permutation.ts";
import type { Interval } from "./pair.ts";

/** Enough for a BCa limit that moves by less than a tenth of its distance to the estimate. */
const REPLICATES = 2000;

export function drawScores(
  systems: readonly ItemStatistics[],
  { rng, clusters }: { readonly rng: Rng; readonly clusters?: Int32Array },
): SharedReplicates[] {
  const scores = systems.map(({ data, width, metric }) => ({
    rows: clusters ? sumByCluster(data, clusters, width) : data,
    width,
    scoreOf: (sums: Float64Array): number => metric.scoreOf(sums),
  }));
  return bootstrapTogether(scores, { replicates: REPLICATES, rng });
}

/** BCa interval of B - A; percentile where BCa is undefined. */
export function differenceOfDraws(a: SharedReplicates, b: SharedReplicates, confidence: number): Interval {
  const minus = (x: Float64Array, y: Float64Array): Float64Array => x.map((v, i) => v - y[i]!);
  const estimate = b.estimate - a.estimate;
  const shared = { estimate, values: minus(b.values, a.values), confidence };
  const { acceleration } = jackknife(estimate, minus(b.leftOut, a.leftOut));
  const bca = intervalFromReplicates({ ...shared, type: "bca", acceleration });
  if (Number.isFinite(bca.lower) && Number.isFinite(bca.upper)) {
    return { lower: bca.lower, upper: bca.upper, level: confidence, method: "BCa bootstrap" };
  }
  const { lower, upper } = intervalFromReplicates({ ...shared, type: "percentile" });
  return { lower, upper, level: confidence, method: "percentile bootstrap" };
}
