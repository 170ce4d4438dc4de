/** Several metrics of the same systems: the level of each at which any of them is called different with probability α where none is.
 *      Z_k = the difference by metric k over its standard error,   correlated as the items' differences by the metrics are   (../joint-tests.ts)
 *  Metrics that are not scores of the same items, and more than two systems, have Šidák's level, which holds for any correlation.
 *  Reference: Hothorn, Bretz & Westfall (2008), Biom. J. 50. */
import { zeros } from "../../numeric/linalg/matrix.ts";
import { independentTests, type JointTests, jointTests } from "../joint-tests.ts";
import type { Comparison } from "./comparison.ts";

/** Fewer say little of correlations. */
const FEWEST_SHARED = 10;

export function acrossMetrics(comparisons: readonly Comparison[]): JointTests {
  const M = comparisons.length;
  const differences = sharedDifferences(comparisons);
  if (differences === undefined) return independentTests(M);
  const n = differences[0]!.length;
  const covariance = zeros(M + 1, M + 1);
  differences.forEach((one, k) => {
    for (let l = 0; l <= k; l++) {
      // of few items as if as many more as there are metrics had no correlation
      const value = correlate(one, differences[l]!) / (k === l ? 1 : 1 + M / n);
      covariance.data[k + 1 + (l + 1) * (M + 1)] = value;
      covariance.data[l + 1 + (k + 1) * (M + 1)] = value;
    }
  });
  // the first "system" is always 0, so that the difference from it is the metric's own
  return jointTests(
    covariance,
    differences.map((_, k) => [0, k + 1] as const),
  );
}

/** Of two systems on the items that all metrics have; undefined where there are too few, or a metric does not vary. */
function sharedDifferences(comparisons: readonly Comparison[]): Float64Array[] | undefined {
  const found = comparisons.map(({ pairs, items }) => (pairs.length === 1 ? items?.[0] : undefined));
  const places = found.map((own) => new Map(own?.items.map((item, i) => [item, i])));
  const shared = (found[0]?.items ?? []).filter((item) => places.every((own) => own.has(item)));
  if (shared.length < FEWEST_SHARED) return undefined;
  const differences = found.map((own, k) =>
    Float64Array.from(shared, (item) => {
      const i = places[k]!.get(item)!;
      return own!.scoresB[i]! - own!.scoresA[i]!;
    }),
  );
  return differences.every((own) => correlate(own, own) === 1) ? differences : undefined;
}

/** NaN without variance, and where a difference is unknown. */
function correlate(x: Float64Array, y: Float64Array): number {
  if (x === y) return x.some((v) => v !== x[0]) && x.every(Number.isFinite) ? 1 : Number.NaN;
  const mean = (own: Float64Array): number => own.reduce((sum, v) => sum + v, 0) / own.length;
  const [mx, my] = [mean(x), mean(y)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    xx += (x[i]! - mx) ** 2;
    yy += (y[i]! - my) ** 2;
    xy += (x[i]! - mx) * (y[i]! - my);
  }
  return xy / Math.sqrt(xx * yy);
}
