/** Permutation tests as results: paired (sign flips), paired on any score of summed statistics, and two samples. The mathematics is in
 *  resample/permutation*.ts; here the observed difference gets an interval that the test itself leaves out.
 *  Reference: Riezler & Hagmann (2021), Alg. 4.2; Noreen (1989).
 *  Oracle:    oracle/reference/classical.json; enumeration.
 *  Limits:    the interval is the t interval of the mean (paired, Welch), or the jackknife normal interval of a score; it need not agree
 *             with p at the border. */

import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { settleTies } from "../../numeric/ties.ts";
import { jackknife, leaveOneOutScores } from "../../resample/jackknife.ts";
import { drawDeals, drawFlips } from "../../resample/null-draws.ts";
import {
  type Alternative,
  type PairedPermutationOptions,
  type Permutation,
  permutePaired,
  sumByCluster,
} from "../../resample/permutation.ts";
import { type PairedStatistics, permutePairedScores } from "../../resample/permutation-scores.ts";
import { permuteStudentised } from "../../resample/permutation-studentised.ts";
import { permuteTwoSample, type TwoSampleOptions } from "../../resample/permutation-two-sample.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { clustersOf, completeSample, pairedSample } from "../samples.ts";
import { type Effect, makeTest, nullSeries, type TestOptions, type TestResult, waldInterval } from "../test-result.ts";
import { pairedTTest, twoSampleTTest } from "./t-test.ts";

export interface PermutationTestOptions extends PairedPermutationOptions, TestOptions {}

/** Scores of two systems on the same items. */
export function permutationTest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  options: PermutationTestOptions = {},
): TestResult {
  const { alternative = "two-sided", confidence = 0.95 } = options;
  const pairs = pairedSample(x, y);
  const clusters = clustersOf(options.clusters, x.length, pairs.kept);
  const found = permutePaired(pairs.values, { ...options, ...(clusters ? { clusters } : {}) });
  const { effect, ci, n } = pairedTTest(pairs.x, pairs.y, {
    alternative,
    confidence,
    ...(clusters ? { clusters } : {}),
  });
  return finish(found, {
    method: clusters ? "Paired permutation test, whole clusters swapped" : "Paired permutation test",
    hypothesis: "the two scores of an item may be swapped",
    effect: { ...effect, value: found.statistic, interval: ci.method },
    n,
    options,
    diagnostics: [
      ...pairs.diagnostics,
      ...(pairs.values.length > 0 && pairs.values.every((d) => d === 0) ? [tied] : []),
    ],
    data: [pairs.x, pairs.y],
    drawn: () => drawFlips(pairs.values, clusters),
  });
}

const tied = note("AllTied", "all differences are 0: every swap gives the same, p = 1.", "collect more items.");

/** Any score of summed item statistics: F1, BLEU … */
export function permutationScoreTest(data: PairedStatistics, options: PermutationTestOptions = {}): TestResult {
  const { alternative = "two-sided", confidence = 0.95, clusters } = options;
  const { a, b, width, scoreOf } = data;
  if (a.length !== b.length || a.length % width !== 0) {
    throw new StatError(
      "UnpairedLengths",
      `statistics of ${a.length} and ${b.length} numbers in rows of ${width}.`,
      "give one row per item for both systems.",
    );
  }
  const found = permutePairedScores(data, options);
  const rows = sideBySide(data);
  const units = clusters ? sumByCluster(rows, clusters, 2 * width) : rows;
  const { statistic, leftOut } = leaveOneOutScores(units, 2 * width, differenceOf(width, scoreOf));
  const { se } = jackknife(statistic, leftOut);
  return finish(found, {
    method: clusters
      ? "Paired permutation test of a corpus score, whole clusters swapped"
      : "Paired permutation test of a corpus score",
    hypothesis: "the two outputs of an item may be swapped",
    effect: {
      name: "difference of scores",
      value: statistic,
      se,
      ...waldInterval(statistic, se, { alternative, confidence, critical: normalQuantileUpper }),
      interval: "jackknife, normal distribution",
    },
    n: units.length / (2 * width),
    options,
    diagnostics: Number.isNaN(statistic)
      ? [
          warning(
            "UndefinedScore",
            "the score of a system is undefined on these items.",
            "check the items and the metric.",
          ),
        ]
      : [],
    data: [a, b],
  });
}

/** Rows of both systems joined, so that items stay together. */
export function sideBySide({ a, b, width }: PairedStatistics): Float64Array {
  const rows = new Float64Array(2 * a.length);
  for (let i = 0; i < a.length / width; i++) {
    rows.set(a.subarray(i * width, (i + 1) * width), 2 * i * width);
    rows.set(b.subarray(i * width, (i + 1) * width), (2 * i + 1) * width);
  }
  return rows;
}

export const differenceOf =
  (width: number, scoreOf: (sums: Float64Array) => number) =>
  (sums: Float64Array): number =>
    scoreOf(sums.subarray(0, width)) - scoreOf(sums.subarray(width));

export interface TwoSamplePermutationOptions extends TwoSampleOptions, TestOptions {
  /** Deal out Welch's t instead of the difference: a test of means also where spreads and sizes differ. The interval agrees with p. */
  readonly studentised?: boolean | undefined;
}

/** Scores on different items. */
export function twoSamplePermutationTest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  options: TwoSamplePermutationOptions = {},
): TestResult {
  const { alternative = "two-sided", confidence = 0.95 } = options;
  const a = completeSample(x);
  const b = completeSample(y, "y");
  const strata =
    options.strata &&
    ([clustersOf(options.strata[0], x.length, a.kept)!, clustersOf(options.strata[1], y.length, b.kept)!] as const);
  const [own, other] = settleTies(a.values, b.values);
  if (options.studentised) {
    if (strata) throw noStrata();
    return studentisedTest(own!, other!, options, [...a.diagnostics, ...b.diagnostics]);
  }
  const found = permuteTwoSample(own!, other!, { ...options, ...(strata ? { strata } : {}) });
  const { effect, ci } = twoSampleTTest(a.values, b.values, { alternative, confidence });
  return finish(found, {
    method: strata ? "Two-sample permutation test within strata" : "Two-sample permutation test",
    hypothesis: "all values come from the same distribution",
    effect: { ...effect, interval: ci.method },
    n: a.values.length + b.values.length,
    options,
    diagnostics: [...a.diagnostics, ...b.diagnostics],
    data: [a.values, b.values],
    ...(strata ? {} : { drawn: () => drawDeals(a.values, b.values) }),
  });
}

const noStrata = (): StatError =>
  new StatError(
    "BadOption",
    "the studentised test deals out all values at once, and strata are given.",
    "leave out one of the options studentised and strata.",
  );

function studentisedTest(
  x: Float64Array,
  y: Float64Array,
  options: TwoSamplePermutationOptions,
  diagnostics: readonly Diagnostic[],
): TestResult {
  const found = permuteStudentised(x, y, options);
  const { difference, se, lower, upper } = found;
  return finish(found, {
    method: "Two-sample permutation test of Welch's t",
    hypothesis: "both means are equal",
    statisticName: "t",
    effect: { name: "difference of means", value: difference, se, lower, upper, interval: "permuted t" },
    n: x.length + y.length,
    options,
    diagnostics,
    data: [x, y],
  });
}

interface Described {
  readonly method: string;
  readonly statisticName?: string;
  readonly hypothesis: string;
  readonly effect: Effect;
  readonly n: number;
  readonly options: PermutationTestOptions | TwoSamplePermutationOptions;
  readonly diagnostics: readonly Diagnostic[];
  readonly data: readonly Float64Array[];
  /** The statistic under the null hypothesis, for a picture. */
  readonly drawn?: () => Float64Array;
}

function finish(
  found: Permutation,
  { method, options, effect, statisticName = "difference", drawn: draw, ...rest }: Described,
): TestResult & PermutationFields {
  const alternative: Alternative = options.alternative ?? "two-sided";
  const drawn = found.method === "monte-carlo";
  const undefinedP = warning(
    "TooFew",
    "no items, or values that are not finite: p is undefined.",
    "give complete scores.",
  );
  return makeTest(
    {
      ...rest,
      test: "permutation",
      method: `${method}, ${drawn ? `${found.replicates} random swaps` : "exact"}`,
      alternative,
      confidence: options.confidence ?? 0.95,
      statistic: found.statistic,
      statisticName,
      p: found.p,
      effect,
      ...(draw === undefined || Number.isNaN(found.p)
        ? {}
        : { series: nullSeries(draw(), found.statistic, { alternative, confidence: options.confidence ?? 0.95 }) }),
      figures: drawn ? { "Monte-Carlo SE of p": found.monteCarloSe } : {},
      diagnostics: [...rest.diagnostics, ...(Number.isNaN(found.p) ? [undefinedP] : [])],
      options: { method: options.method ?? "auto", replicates: found.replicates },
      ...(drawn && options.rng ? { seed: options.rng.seed } : {}),
    },
    { exact: !drawn, replicates: found.replicates, monteCarloSe: found.monteCarloSe },
  );
}

interface PermutationFields {
  readonly exact: boolean;
  readonly replicates: number;
  readonly monteCarloSe: number;
}
