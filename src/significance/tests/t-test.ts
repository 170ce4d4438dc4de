/** t tests of means: one sample, paired, two samples with unequal (Welch) or equal (Student) variances, and paired with clusters.
 *    t = (x̄ - ȳ - μ₀)/se,   Welch: se² = s²ₓ/n + s²ᵧ/m on (Σ vᵢ)²/Σ vᵢ²/(nᵢ-1) df,  vᵢ = s²ᵢ/nᵢ
 *    clusters: the mean difference as an intercept with cluster-robust (CR2) variance and Satterthwaite df
 *  Reference: Student (1908), Welch (1947), Biometrika; Pustejovsky & Tipton (2018), J. Bus. Econ. Stat. 36(4); Hedges (1981).
 *  Oracle:    t.test (R), scipy.stats, oracle/reference/classical.json — 1e-10; lm(d ~ 1) with CR2 of models/sandwich.ts.
 *  Limits:    values without spread have no t: NaN with the reason. */

import { tCdf, tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { sumByCluster } from "../../resample/permutation.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Diagnostic } from "../../result/result.ts";
import {
  clustersOf,
  completeSample,
  differenceOfMeans,
  isConstant,
  meanOf,
  pairedSample,
  varianceOf,
} from "../samples.ts";
import { hedgesCorrection } from "../standardised.ts";
import { makeTest, pFromTails, type TestOptions, type TestResult, waldInterval } from "../test-result.ts";

export interface TTestOptions extends TestOptions {
  /** The mean, or difference of means, under the null hypothesis. */
  readonly mu?: number | undefined;
}

export function oneSampleTTest(x: ArrayLike<number>, options: TTestOptions = {}): TestResult {
  const { values, diagnostics } = completeSample(x);
  const own: Described = {
    test: "t",
    method: "One-sample t test",
    hypothesis: `the mean is ${options.mu ?? 0}`,
    effect: "mean",
    data: [values],
  };
  return meanTest(values, options, { ...own, diagnostics });
}

export interface PairedTTestOptions extends TTestOptions {
  /** Code of each pair's cluster. */
  readonly clusters?: Int32Array | undefined;
}

/** x - y on the same items. */
export function pairedTTest(x: ArrayLike<number>, y: ArrayLike<number>, options: PairedTTestOptions = {}): TestResult {
  const { values, kept, diagnostics, rounding, x: own, y: other } = pairedSample(x, y);
  const clusters = clustersOf(options.clusters, x.length, kept);
  const described = {
    test: "t",
    method: clusters ? "Paired t test with clusters (CR2)" : "Paired t test",
    hypothesis: `the mean difference is ${options.mu ?? 0}`,
    effect: "mean difference",
    data: [own, other],
    diagnostics,
    rounding,
    figures: { "mean of x": meanOf(own), "mean of y": meanOf(other) },
  };
  return meanTest(values, options, described, clusters);
}

interface Described {
  readonly test: string;
  readonly method: string;
  readonly hypothesis: string;
  readonly effect: string;
  readonly data: readonly Float64Array[];
  readonly diagnostics?: readonly Diagnostic[];
  /** Of differences: the rounding error of their scores. */
  readonly rounding?: number;
  readonly figures?: Readonly<Record<string, number>>;
}

function meanTest(
  values: Float64Array,
  options: TTestOptions,
  described: Described,
  clusters?: Int32Array,
): TestResult {
  const { mu = 0 } = options;
  const estimate = meanOf(values);
  const flat = isConstant(values, described.rounding);
  const { se, df, units } = clusters ? clusteredError(values, clusters) : plainError(values);
  const usable = !flat && se > 0;
  const dz = flat ? Number.NaN : (estimate - mu) / Math.sqrt(varianceOf(values));
  return studentTest({
    ...described,
    options,
    estimate,
    se: usable ? se : Number.NaN,
    df: usable || !clusters ? df : Number.NaN,
    n: units,
    figures: { ...described.figures, "Cohen's dz": dz },
    diagnostics: [...(described.diagnostics ?? []), ...(usable ? [] : [noSpread(values.length)])],
  });
}

function plainError(values: Float64Array): { se: number; df: number; units: number } {
  return { se: Math.sqrt(varianceOf(values) / values.length), df: values.length - 1, units: values.length };
}

/** An intercept with CR2 variance in closed form: with E_g the sum of residuals of cluster g, m_g its size and w_g = 1/(1 - m_g/n),
 *    V = Σ w_g E_g² / n²,   df = n² / (Σ m_g² + ((Σ r_g)² - Σ r_g²)/n²),   r_g = w_g m_g²  */
function clusteredError(values: Float64Array, clusters: Int32Array): { se: number; df: number; units: number } {
  const n = values.length;
  const mean = meanOf(values);
  const sums = sumByCluster(
    values.map((v) => v - mean),
    clusters,
  );
  const sizes = sumByCluster(new Float64Array(n).fill(1), clusters);
  let variance = 0;
  let squaredSizes = 0;
  let r = 0;
  let r2 = 0;
  sizes.forEach((m, g) => {
    const w = 1 / (1 - m / n);
    variance += (w * sums[g]! ** 2) / (n * n);
    squaredSizes += m * m;
    r += w * m * m;
    r2 += (w * m * m) ** 2;
  });
  const df = (n * n) / (squaredSizes + (r * r - r2) / (n * n));
  return { se: sizes.length < 2 ? Number.NaN : Math.sqrt(variance), df, units: sizes.length };
}

function noSpread(n: number): Diagnostic {
  return warning(
    "NoSpread",
    n < 2
      ? `one value (${n}) has no spread, so that t is undefined.`
      : "the values do not vary, so that t is undefined.",
    n < 2 ? "collect more items." : "nothing can be said about the noise; check that the scores are what you think.",
  );
}

interface Student extends Described {
  readonly options: TTestOptions;
  readonly estimate: number;
  readonly se: number;
  readonly df: number;
  readonly n: number;
}

function studentTest({ options, estimate, se, df, effect, ...rest }: Student): TestResult {
  const { alternative = "two-sided", confidence = 0.95, mu = 0 } = options;
  const t = (estimate - mu) / se;
  const interval = waldInterval(estimate, se, { alternative, confidence, critical: (a) => tQuantileUpper(a, df) });
  return makeTest({
    ...rest,
    alternative,
    confidence,
    statistic: t,
    statisticName: "t",
    df,
    p: pFromTails({ lower: tCdf(t, df), upper: tSf(t, df) }, alternative),
    effect: { name: effect, value: estimate, se, ...interval, interval: "t distribution" },
    options: { mu },
  });
}

export interface TwoSampleTTestOptions extends TTestOptions {
  readonly variances?: "unequal" | "equal" | undefined;
}

/** x and y from different items. */
export function twoSampleTTest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  options: TwoSampleTTestOptions = {},
): TestResult {
  const { variances = "unequal", mu = 0 } = options;
  const a = completeSample(x);
  const b = completeSample(y, "y");
  const [n, m] = [a.values.length, b.values.length];
  const [va, vb] = [varianceOf(a.values), varianceOf(b.values)];
  const pooled = ((n - 1) * va + (m - 1) * vb) / (n + m - 2);
  const [ea, eb] = [va / n, vb / m];
  const se = Math.sqrt(variances === "equal" ? pooled * (1 / n + 1 / m) : ea + eb);
  const df = variances === "equal" ? n + m - 2 : (ea + eb) ** 2 / (ea ** 2 / (n - 1) + eb ** 2 / (m - 1));
  const estimate = differenceOfMeans(a.values, b.values);
  const d = estimate / Math.sqrt(pooled);
  const flat = !(se > 0) || (isConstant(a.values) && isConstant(b.values));
  return studentTest({
    test: "t",
    method: variances === "equal" ? "Two-sample t test (Student)" : "Two-sample t test (Welch)",
    hypothesis: `the means differ by ${mu}`,
    effect: "difference of means",
    data: [a.values, b.values],
    options,
    estimate,
    se: flat ? Number.NaN : se,
    df,
    n: n + m,
    figures: {
      "mean of x": meanOf(a.values),
      "mean of y": meanOf(b.values),
      "Cohen's d": flat ? Number.NaN : d,
      "Hedges' g": flat ? Number.NaN : hedgesCorrection(n + m - 2) * d,
    },
    diagnostics: [...a.diagnostics, ...b.diagnostics, ...(flat ? [noSpread(Math.min(n, m))] : [])],
  });
}
