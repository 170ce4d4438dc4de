/** The covariance of the systems' scores, by which their differences hang together: that of item scores, or of what clusters sum up to. */
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { independentSystems, jointTests } from "../joint-tests.ts";
import type { Family, PairAdjustment } from "../multiplicity.ts";
import type { ComparisonData } from "./comparison.ts";

/** Up to a factor; without what an item or cluster gives to all systems. `runs`: each run is one system's, and all have equally many. */
export function covarianceOfSystems({ systems, data, clusters }: ComparisonData, runs: boolean): Matrix {
  const K = systems.length;
  if (runs || data.kind !== "scores") return independentSystems(K);
  const n = data.items.length;
  const units = clusters === undefined ? n : clusters.names.length;
  const sums = new Float64Array(K * units);
  for (let s = 0; s < K; s++) {
    const own = data.means.subarray(s * n, (s + 1) * n);
    const mean = own.reduce((sum, v) => sum + v, 0) / n;
    for (let i = 0; i < n; i++) sums[s + K * (clusters === undefined ? i : clusters.codes[i]!)]! += own[i]! - mean;
  }
  return covariance(sums, K, units);
}

/** The tests of a model's pairs. Of several pairs at once its systems count as independent, as those of a balanced design are. */
export function familyOf(
  adjust: PairAdjustment,
  systems: number,
  couples: readonly (readonly [number, number])[],
): Family {
  const shared = { tests: couples.length, means: systems };
  if (adjust !== "max-t") return { ...shared, method: adjust };
  const joint = couples.length > 1 ? jointTests(independentSystems(systems), couples) : undefined;
  return { ...shared, method: "sidak", joint };
}

/** Of draws of each system's score, made of the same items. */
export function covarianceOfDraws(draws: readonly Float64Array[]): Matrix {
  const K = draws.length;
  const units = draws[0]!.length;
  const sums = new Float64Array(K * units);
  draws.forEach((own, s) => {
    const mean = own.reduce((sum, v) => sum + v, 0) / units;
    for (let i = 0; i < units; i++) sums[s + K * i] = own[i]! - mean;
  });
  return covariance(sums, K, units);
}

/** Of few units more than they can tell is shrunk towards systems that are alike: as if K more units had said that. */
function covariance(sums: Float64Array, K: number, units: number): Matrix {
  const out = zeros(K, K);
  for (let i = 0; i < units; i++) {
    const own = sums.subarray(K * i, K * (i + 1));
    const level = own.reduce((sum, v) => sum + v, 0) / K;
    for (let s = 0; s < K; s++)
      for (let t = 0; t <= s; t++) out.data[s + t * K]! += (own[s]! - level) * (own[t]! - level);
  }
  let trace = 0;
  for (let s = 0; s < K; s++) trace += out.data[s + s * K]!;
  for (let s = 0; s < K; s++) {
    for (let t = 0; t < s; t++) out.data[t + s * K] = out.data[s + t * K]!;
    out.data[s + s * K]! += (trace / (K - 1)) * (K / units);
  }
  return out;
}
