/** z tests of means: with known standard deviations, or with estimated ones in large samples.
 *    z = (x̄ - ȳ - μ₀)/√(σ²ₓ/n + σ²ᵧ/m)
 *  Reference: Riezler & Hagmann (2021), 4.1 (central limit theorem).
 *  Oracle:    closed forms.
 *  Limits:    below about 30 values an estimated standard deviation makes z too sure; a warning points to t. */
import { normalCdf, normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { warning } from "../../result/diagnostic.ts";
import { completeSample, meanOf, pairedSample, varianceOf } from "../samples.ts";
import { makeTest, pFromTails, type TestOptions, type TestResult, waldInterval } from "../test-result.ts";

export interface ZTestOptions extends TestOptions {
  readonly mu?: number;
  /** Known standard deviation of single values (of differences, if paired); estimated if absent. */
  readonly sd?: number;
  readonly paired?: boolean;
}

/** One sample (y absent), pairs, or two samples with the same known, or own estimated, standard deviation. */
export function zTest(x: ArrayLike<number>, y?: ArrayLike<number>, options: ZTestOptions = {}): TestResult {
  const { alternative = "two-sided", confidence = 0.95, mu = 0, sd, paired = false } = options;
  const first = y && paired ? pairedSample(x, y) : completeSample(x);
  const second = y && !paired ? completeSample(y, "y") : undefined;
  const errorOf = (values: Float64Array): number => (sd === undefined ? varianceOf(values) : sd ** 2) / values.length;
  const estimate = meanOf(first.values) - (second ? meanOf(second.values) : 0);
  const variance = errorOf(first.values) + (second ? errorOf(second.values) : 0);
  const se = variance > 0 ? Math.sqrt(variance) : Number.NaN;
  const z = (estimate - mu) / se;
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
    alternative,
    confidence,
    statistic: z,
    statisticName: "z",
    p: pFromTails({ lower: normalCdf(z), upper: normalSf(z) }, alternative),
    effect: {
      name: y === undefined ? "mean" : "difference of means",
      value: estimate,
      se,
      ...waldInterval(estimate, se, { alternative, confidence, critical: normalQuantileUpper }),
      interval: "normal distribution",
    },
    n: paired ? first.values.length : n,
    diagnostics,
    options: { mu, sd, paired },
    data: [first.values, ...(second ? [second.values] : [])],
  });
}

/** Where t and normal quantiles agree to about 4 %. */
const LARGE = 30;
