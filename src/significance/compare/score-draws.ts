/** Bootstrap replicates of a metric of the whole set (BLEU, F1, …) for every system from the same draws of items, or of clusters: one
 *  pass serves all pairs of systems, and the interval of a pair does not depend on which others are compared.
 *  Reference: Koehn (2004), EMNLP; Efron & Tibshirani (1993), chapter 14 (BCa).
 *  Oracle:    bootstrapScores of the two systems side by side (resample/bootstrap.ts). */
import type { ItemStatistics } from "../../metrics/metric.ts";
import type { Rng } from "../../numeric/rng.ts";
import { drawIndicesInto } from "../../resample/draw-indices.ts";
import { startBits } from "../../resample/fast-bits.ts";
import { intervalFromReplicates } from "../../resample/intervals.ts";
import { jackknife, leaveOneOutScores } from "../../resample/jackknife.ts";
import { sumByCluster } from "../../resample/permutation.ts";
import type { Interval } from "./pair.ts";

/** Enough for a BCa limit that moves by less than a tenth of its distance to the estimate. */
const REPLICATES = 2000;

/** Of one system. */
export interface ScoreDraws {
  readonly score: number;
  readonly values: Float64Array;
  readonly leftOut: Float64Array;
}

export function drawScores(
  systems: readonly ItemStatistics[],
  { rng, clusters }: { readonly rng: Rng; readonly clusters?: Int32Array },
): ScoreDraws[] {
  const all = systems.map(({ data, width, metric }) => {
    const rows = clusters ? sumByCluster(data, clusters, width) : data;
    const scoreOf = (sums: Float64Array): number => metric.scoreOf(sums);
    const { statistic, leftOut } = leaveOneOutScores(rows, width, scoreOf);
    return { rows, width, scoreOf, score: statistic, leftOut, values: new Float64Array(REPLICATES) };
  });
  const indices = new Int32Array(all[0]!.leftOut.length);
  for (let r = 0; r < REPLICATES; r++) {
    drawIndicesInto(indices, indices.length, startBits(rng.stream(r)));
    for (const { rows, width, scoreOf, values } of all) values[r] = scoreOf(sumRows(rows, width, indices));
  }
  return all;
}

function sumRows(rows: Float64Array, width: number, indices: Int32Array): Float64Array {
  const sums = new Float64Array(width);
  for (let k = 0; k < indices.length; k++) {
    const at = indices[k]! * width;
    for (let c = 0; c < width; c++) sums[c]! += rows[at + c]!;
  }
  return sums;
}

/** BCa interval of B - A; percentile where BCa is undefined. */
export function differenceOfDraws(a: ScoreDraws, b: ScoreDraws, confidence: number): Interval {
  const minus = (x: Float64Array, y: Float64Array): Float64Array => x.map((v, i) => v - y[i]!);
  const estimate = b.score - a.score;
  const shared = { estimate, values: minus(b.values, a.values), confidence };
  const { acceleration } = jackknife(estimate, minus(b.leftOut, a.leftOut));
  const bca = intervalFromReplicates({ ...shared, type: "bca", acceleration });
  if (Number.isFinite(bca.lower) && Number.isFinite(bca.upper)) {
    return { lower: bca.lower, upper: bca.upper, level: confidence, method: "BCa bootstrap" };
  }
  const { lower, upper } = intervalFromReplicates({ ...shared, type: "percentile" });
  return { lower, upper, level: confidence, method: "percentile bootstrap" };
}
