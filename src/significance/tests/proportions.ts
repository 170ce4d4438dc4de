/** Two independent proportions x₁/n₁ and x₂/n₂.   p̄ = (x₁+x₂)/(n₁+n₂)
 *    pooled     z = (p₁-p₂)/√(p̄(1-p̄)(1/n₁+1/n₂));  with `correct` Yates' c = min(½, |p₁-p₂|/(1/n₁+1/n₂)) is taken off
 *    unpooled   z = (p₁-p₂)/√(p₁(1-p₁)/n₁ + p₂(1-p₂)/n₂)
 *  Intervals: newcombe (Wilson intervals of both, joined; default), wald, wald-cc.
 *  Clustered answers: Rao & Scott's effective counts x_i/d_i of n_i/d_i, d_i the variance inflation by clusters.
 *  Reference: Newcombe (1998), Stat. Med. 17, 873; Rao & Scott (1992), Biometrics 48, 577; Cohen (1988) for h.
 *  Oracle:    prop.test (R), statsmodels proportions_ztest, oracle/reference/classical.json — 1e-10.
 *  Limits:    asymptotic; for small counts fisherTest. Equal shares of 0 or 1: z is 0/0, p = 1. */
import { normalCdf, normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { sumByCluster } from "../../resample/permutation.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { binomialInterval, checkProportion, type ProportionInterval } from "../intervals/binomial.ts";
import { clustersOf, completeSample } from "../samples.ts";
import {
  makeTest,
  pFromTails,
  sidedInterval,
  type TestInput,
  type TestOptions,
  type TestResult,
} from "../test-result.ts";

export const DIFFERENCE_INTERVALS = ["newcombe", "wald", "wald-cc"] as const;
export type DifferenceIntervalMethod = (typeof DIFFERENCE_INTERVALS)[number];

export interface ProportionsOptions extends TestOptions {
  readonly variance?: "pooled" | "unpooled" | undefined;
  /** Yates' continuity correction, with the pooled variance. */
  readonly correct?: boolean | undefined;
  readonly interval?: DifferenceIntervalMethod | undefined;
}

export function proportionsTest(
  successes: readonly [number, number],
  trials: readonly [number, number],
  options: ProportionsOptions = {},
): TestResult {
  for (const [i, x] of successes.entries()) checkProportion(x, trials[i]!);
  if (trials.some((n) => n === 0))
    throw new StatError("NoTrials", "a sample has no trials.", "give both samples trials.");
  return makeTest(describeProportions(successes, trials, options));
}

function describeProportions(
  [x1, x2]: readonly [number, number],
  [n1, n2]: readonly [number, number],
  options: ProportionsOptions,
): TestInput {
  const {
    alternative = "two-sided",
    confidence = 0.95,
    variance = "pooled",
    correct = false,
    interval = "newcombe",
  } = options;
  const [p1, p2] = [x1 / n1, x2 / n2];
  const difference = p1 - p2;
  const pooled = (x1 + x2) / (n1 + n2);
  const unpooledSe = Math.sqrt((p1 * (1 - p1)) / n1 + (p2 * (1 - p2)) / n2);
  const se = variance === "pooled" ? Math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2)) : unpooledSe;
  const yates = correct ? Math.min(0.5, Math.abs(difference) / (1 / n1 + 1 / n2)) * (1 / n1 + 1 / n2) : 0;
  const z = difference === 0 ? 0 : (Math.sign(difference) * (Math.abs(difference) - yates)) / se;
  const same = note("NoDifference", "both shares are the same: z = 0.", "");
  return {
    test: "proportions",
    method: `Two-proportion z test, ${variance} variance${correct ? ", continuity corrected" : ""}`,
    hypothesis: "both proportions are equal",
    alternative,
    confidence,
    statistic: z,
    statisticName: "z",
    p: pFromTails({ lower: normalCdf(z), upper: normalSf(z) }, alternative),
    effect: {
      name: "difference of proportions",
      value: difference,
      se: unpooledSe,
      ...sidedInterval((level) => differenceInterval([x1, x2], [n1, n2], { method: interval, confidence: level }), {
        alternative,
        confidence,
        range: [-1, 1],
      }),
      interval,
    },
    n: n1 + n2,
    figures: {
      "first proportion": p1,
      "second proportion": p2,
      "chi-square": z * z,
      "Cohen's h": 2 * Math.asin(Math.sqrt(p1)) - 2 * Math.asin(Math.sqrt(p2)),
    },
    diagnostics: difference === 0 && se === 0 ? [same] : [],
    options: { variance, correct, interval },
    data: [Float64Array.of(x1, x2, n1, n2)],
  };
}

/** Of the difference of two independent proportions. */
export function differenceInterval(
  [x1, x2]: readonly [number, number],
  [n1, n2]: readonly [number, number],
  {
    method = "newcombe",
    confidence = 0.95,
  }: { readonly method?: DifferenceIntervalMethod; readonly confidence?: number } = {},
): ProportionInterval {
  const [p1, p2] = [x1 / n1, x2 / n2];
  const difference = p1 - p2;
  if (method === "newcombe") {
    const first = wilsonOf(x1, n1, confidence);
    const second = wilsonOf(x2, n2, confidence);
    return {
      lower: difference - Math.hypot(p1 - first.lower, second.upper - p2),
      upper: difference + Math.hypot(first.upper - p1, p2 - second.lower),
    };
  }
  const z = normalQuantileUpper((1 - confidence) / 2);
  const extra = method === "wald-cc" ? Math.min(0.5 * (1 / n1 + 1 / n2), Math.abs(difference)) : 0;
  const half = z * Math.sqrt((p1 * (1 - p1)) / n1 + (p2 * (1 - p2)) / n2) + extra;
  return { lower: Math.max(-1, difference - half), upper: Math.min(1, difference + half) };
}

/** Wilson's interval also for effective counts that are not whole. */
function wilsonOf(x: number, n: number, confidence: number): ProportionInterval {
  if (Number.isInteger(x) && Number.isInteger(n)) return binomialInterval(x, n, { confidence });
  const z = normalQuantileUpper((1 - confidence) / 2);
  const center = (x + (z * z) / 2) / (n + z * z);
  const half = (z * Math.sqrt((x * (n - x)) / n + (z * z) / 4)) / (n + z * z);
  return { lower: Math.max(0, center - half), upper: Math.min(1, center + half) };
}

/** 0/1 answers of two systems on different items that come in clusters: Rao-Scott. */
export function clusteredProportionsTest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  { clusters, ...options }: ProportionsOptions & { readonly clusters: readonly [Int32Array, Int32Array] },
): TestResult {
  const samples = [completeSample(x), completeSample(y, "y")] as const;
  const effective = samples.map(({ values, kept }, i) =>
    effectiveCounts(values, clustersOf(clusters[i], [x, y][i]!.length, kept)!),
  );
  const [a, b] = [effective[0]!, effective[1]!];
  const input = describeProportions([a.x, b.x], [a.n, b.n], options);
  return makeTest({
    ...input,
    method: `${input.method}, Rao-Scott for clusters`,
    n: a.clusters + b.clusters,
    figures: { ...input.figures, "design effect, first": a.deff, "design effect, second": b.deff },
    diagnostics: [...samples.flatMap(({ diagnostics }) => diagnostics), ...(input.diagnostics ?? [])],
    data: samples.map(({ values }) => values),
  });
}

function effectiveCounts(values: Float64Array, codes: Int32Array) {
  const wrong = values.find((v) => v !== 0 && v !== 1);
  if (wrong !== undefined) throw new StatError("NotBinary", `${wrong} is neither 0 nor 1.`, "give answers as 0 and 1.");
  const hits = sumByCluster(values, codes);
  const sizes = sumByCluster(new Float64Array(values.length).fill(1), codes);
  const n = values.length;
  const p = hits.reduce((a, b) => a + b, 0) / n;
  const K = sizes.length;
  const spread = hits.reduce((sum, h, k) => sum + (h - p * sizes[k]!) ** 2, 0);
  const variance = ((K / (K - 1)) * spread) / (n * n);
  const deff = p > 0 && p < 1 ? variance / ((p * (1 - p)) / n) : 1;
  return { x: (p * n) / deff, n: n / deff, deff, clusters: K };
}
