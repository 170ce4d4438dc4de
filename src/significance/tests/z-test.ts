/** z tests of means: with known standard deviations, or with estimated ones in large samples.
 *    z = (x̄ - ȳ - μ₀)/√(σ²ₓ/n + σ²ᵧ/m)
 *  Reference: Riezler & Hagmann (2021), 4.1 (central limit theorem).
 *  Oracle:    closed forms.
 *  Limits:    below about 30 values an estimated standard deviation makes z too sure; a warning points to t. */
import { checkSize } from "../../data/size.ts";
import { normalCdf, normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import type { Alternative } from "../../resample/permutation.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { completeSample, differenceOfMeans, meanOf, pairedSample, varianceOf } from "../samples.ts";
import { makeTest, pFromTails, type TestOptions, type TestResult, waldInterval } from "../test-result.ts";

export interface ZTestOptions extends TestOptions {
  readonly mu?: number | undefined;
  /** Known standard deviation of single values (of differences, if paired); estimated if absent. */
  readonly sd?: number | undefined;
  readonly paired?: boolean | undefined;
}

/** One sample (y absent), pairs, or two samples with the same known, or own estimated, standard deviation. */
export function zTest(x: ArrayLike<number>, y?: ArrayLike<number>, options: ZTestOptions = {}): TestResult {
  const { alternative = "two-sided", confidence = 0.95, mu = 0, sd, paired = false } = options;
  const first = y && paired ? pairedSample(x, y) : completeSample(x);
  const second = y && !paired ? completeSample(y, "y") : undefined;
  const errorOf = (values: Float64Array): number => (sd === undefined ? varianceOf(values) : sd ** 2) / values.length;
  const estimate = second ? differenceOfMeans(first.values, second.values) : meanOf(first.values);
  const variance = errorOf(first.values) + (second ? errorOf(second.values) : 0);
  const se = variance > 0 ? Math.sqrt(variance) : Number.NaN;
  const n = first.values.length + (second?.values.length ?? 0);
  const smallest = Math.min(first.values.length, second?.values.length ?? n);
  const small = sd === undefined && smallest < LARGE;
  const diagnostics = [
    ...first.diagnostics,
    ...(second?.diagnostics ?? []),
    ...(Number.isNaN(se)
      ? [warning("NoSpread", "the values do not vary, so that z is undefined.", "check the scores.")]
      : []),
    ...(small && !Number.isNaN(se)
      ? [warning("SmallSample", `${smallest} values are few for a z test with an estimated spread.`, "use the t test.")]
      : []),
  ];
  return makeTest({
    test: "z",
    method: y === undefined ? "One-sample z test" : paired ? "Paired z test" : "Two-sample z test",
    hypothesis: y === undefined ? `the mean is ${mu}` : `the means differ by ${mu}`,
    ...normalInference(
      { estimate, se, mu },
      { alternative, confidence, of: y === undefined ? "mean" : "difference of means" },
    ),
    n: paired ? first.values.length : n,
    diagnostics,
    options: { mu, sd, paired },
    data: [first.values, ...(second ? [second.values] : [])],
  });
}

/** z of an estimate with its tail and interval: what all tests by the normal distribution share. */
export function normalInference(
  { estimate, se, mu }: { readonly estimate: number; readonly se: number; readonly mu: number },
  {
    alternative,
    confidence,
    of,
  }: { readonly alternative: Alternative; readonly confidence: number; readonly of: string },
) {
  const z = (estimate - mu) / se;
  return {
    alternative,
    confidence,
    statistic: z,
    statisticName: "z",
    p: pFromTails({ lower: normalCdf(z), upper: normalSf(z) }, alternative),
    effect: {
      name: of,
      value: estimate,
      se,
      ...waldInterval(estimate, se, { alternative, confidence, critical: normalQuantileUpper }),
      interval: "normal distribution",
    },
  };
}

/** One or two systems as a report gives them: mean, number of items, standard deviation of single items. */
export interface MeanSummary {
  readonly mean: number;
  readonly n: number;
  readonly sd: number;
}

/** One mean against `mu`, or two independent ones, from summary numbers alone. */
export function zTestOfSummaries(
  summaries: readonly [MeanSummary] | readonly [MeanSummary, MeanSummary],
  options: TestOptions & { readonly mu?: number } = {},
): TestResult {
  const { alternative = "two-sided", confidence = 0.95, mu = 0 } = options;
  summaries.forEach(checkSummary);
  checkSize(
    summaries.map(({ mean }) => mean),
    "means",
  );
  checkSize(
    summaries.map(({ sd }) => sd),
    "standard deviations",
  );
  const [first, second] = summaries;
  const estimate = first.mean - (second?.mean ?? 0);
  const se = Math.sqrt(summaries.reduce((sum, { sd, n }) => sum + sd ** 2 / n, 0));
  return makeTest({
    test: "z",
    method: `${second === undefined ? "One" : "Two"}-sample z test from summary numbers`,
    hypothesis: second === undefined ? `the mean is ${mu}` : `the means differ by ${mu}`,
    ...normalInference(
      { estimate, se, mu },
      { alternative, confidence, of: second === undefined ? "mean" : "difference of means" },
    ),
    n: summaries.reduce((sum, { n }) => sum + n, 0),
    options: { mu, summaries },
    data: [Float64Array.from(summaries.flatMap(({ mean, n, sd }) => [mean, n, sd]))],
  });
}

function checkSummary({ mean, n, sd }: MeanSummary): void {
  if (!Number.isFinite(mean)) throw new StatError("NotFinite", `a mean of ${mean}.`, "give a finite number.");
  if (!(Number.isInteger(n) && n > 0))
    throw new StatError("BadCount", `n = ${n} is not a number of items.`, "give a whole number above 0.");
  if (!(sd > 0 && Number.isFinite(sd)))
    throw new StatError("BadOption", `a standard deviation of ${sd}.`, "give a number above 0.");
}

/** Where t and normal quantiles agree to about 4 %. */
const LARGE = 30;
