/** All pairs of systems on the same items at once (`adjust: max-t`): p and intervals from the largest |t| over joint flips of signs, item by
 *  item or cluster by cluster, which knows how the pairs are correlated. The t of a pair is that of its test: cluster-robust (CR2), adjusted for
 *  skewness where scores are no 0 and 1, plain otherwise; an interval leaves out 0 exactly if the adjusted p is small enough.
 *  Reference: Westfall & Young (1993), ch. 2.
 *  Oracle:    that of resample/permutation-max-t.ts; false findings by simulation: docs/methods/multiplicity.md. */
import type { Rng } from "../../../numeric/rng.ts";
import { sumByCluster } from "../../../resample/permutation.ts";
import { maxTCritical, maxTP, permuteMaxT } from "../../../resample/permutation-max-t.ts";
import { StatError } from "../../../result/error.ts";
import { skewedMeanRange, skewedMeanStatistic } from "../../tests/skewed-mean.ts";
import { isBinary, type PairedItems } from "./items.ts";
import type { Interval, PairComparison } from "./pair.ts";
import { skewedMeanOf } from "./skewed.ts";
import type { TestName } from "./tests.ts";

/** With fewer, flips have too few outcomes for a small p. */
const FEWEST_UNITS = 12;

/** The test of each pair by itself. */
export function chooseTogether(items: PairedItems, clusters?: Int32Array, asked?: TestName): TestName {
  if (items.kind === "statistics") {
    throw refuse(`${items.a.metric.name} is not a score of single items`, "Use option `adjust: holm`.");
  }
  if (asked !== undefined && asked !== "t" && asked !== "skewness-adjusted-t") {
    throw refuse(`it does not apply to the ${asked} test`, "Leave option `test` out, or use option `adjust: holm`.");
  }
  const units = clusters === undefined ? items.a.length : new Set(clusters).size;
  if (units < FEWEST_UNITS) {
    const what = clusters === undefined ? "items" : "clusters";
    throw refuse(`${units} ${what} are too few to flip`, "Use option `adjust: holm`.");
  }
  if (clusters !== undefined) return "t";
  return asked ?? (isBinary(items.a) && isBinary(items.b) ? "t" : "skewness-adjusted-t");
}

const refuse = (why: string, fix: string): StatError =>
  new StatError(
    "BadOption",
    `option \`adjust: max-t\` flips the items' differences of all pairs together: ${why}.`,
    fix,
  );

export interface Together {
  /** Adjusted for all pairs. */
  readonly p: readonly number[];
  readonly intervals: readonly Interval[];
}

interface TogetherInput {
  /** Item i of system s at means[i + s · items]. */
  readonly means: Float64Array;
  readonly items: number;
  readonly pairs: readonly (readonly [number, number])[];
  readonly clusters?: Int32Array | undefined;
}

export function judgeTogether(
  input: TogetherInput,
  results: readonly PairComparison[],
  options: { readonly confidence: number; readonly rng: Rng; readonly replicates?: number },
): Together {
  const { confidence, ...draws } = options;
  const { sums, sizes } = unitsOf(input);
  const found = permuteMaxT(sums, sizes.length, { pairs: input.pairs, sizes, ...draws });
  const critical = maxTCritical(found, confidence);
  return {
    p: results.map((own) => (own.test.p === 1 ? 1 : maxTP(found, statisticOf(own)))),
    intervals: results.map((own) => ({
      ...rangeOf(own, critical),
      level: confidence,
      method: `${own.ci.method}, all pairs together`,
    })),
  };
}

const statisticOf = ({ difference, se, df, skewness }: PairComparison): number =>
  skewness === undefined
    ? se > 0
      ? difference / se
      : Number.NaN
    : skewedMeanStatistic(skewedMeanOf({ difference, se, df, skewness }));

function rangeOf(
  { difference, se, df, skewness }: PairComparison,
  critical: number,
): Pick<Interval, "lower" | "upper"> {
  if (skewness !== undefined) return skewedMeanRange(skewedMeanOf({ difference, se, df, skewness }), critical);
  const half = se > 0 ? critical * se : Number.NaN;
  return { lower: difference - half, upper: difference + half };
}

function unitsOf({ means, items, clusters }: TogetherInput): { sums: Float64Array; sizes: Float64Array } {
  if (clusters === undefined) return { sums: means, sizes: new Float64Array(items).fill(1) };
  const systems = means.length / items;
  const sums = Array.from({ length: systems }, (_, s) =>
    sumByCluster(means.subarray(s * items, (s + 1) * items), clusters),
  );
  return {
    sums: Float64Array.from(sums.flatMap((own) => [...own])),
    sizes: sumByCluster(new Float64Array(items).fill(1), clusters),
  };
}
