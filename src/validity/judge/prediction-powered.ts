/** Prediction-powered inference as published: large-sample normal intervals of a mean and of a difference, for fixed and tuned λ.
 *      θ = λ f̄_u + mean(y - λf),  var = λ² var(f_u)/N + var(y - λf)/n      (n labeled, N unlabeled units)
 *      λ = cov(y, f)/((1 + n/N) var(f, all)), cut to [0, 1]
 *      strata: Σ (N_k/N) θ_k;   clusters: the same of cluster means
 *  Reference: Angelopoulos et al. (2023), Science 382 and arXiv:2311.01453; Fisch et al. (2024), NeurIPS (strata).
 *  Oracle:    oracle/next/judges.json (checked against ppi_py); the documented examples of GLIDE (divisor 1).
 *  Limits:    with 20 to 100 labels its intervals cover 64 to 94 % of pass rates: judge.ts and rectified.ts answer instead. */
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { StatError } from "../../result/error.ts";
import { labeledRows } from "./rectified.ts";

export interface PredictionPoweredOptions {
  /** Default: tuned to the smallest variance, PPI++; 1 is PPI, 0 the labels alone. */
  readonly lambda?: number | undefined;
  /** Variances divide by n - divisor. Default 0. */
  readonly divisor?: 0 | 1 | undefined;
  /** Tuned λ below 0 and above 1 is cut. Default true. */
  readonly cut?: boolean | undefined;
  readonly confidence?: number | undefined;
  /** Codes of strata, each estimated by itself, or of clusters, each one unit. */
  readonly stratum?: Int32Array | undefined;
  readonly cluster?: Int32Array | undefined;
}

export interface PredictionPowered {
  readonly value: number;
  readonly se: number;
  readonly lower: number;
  readonly upper: number;
  readonly lambda: number;
}

/** `human` is NaN where nobody labeled. */
export function predictionPowered(
  human: Float64Array,
  judge: Float64Array,
  options: PredictionPoweredOptions = {},
): PredictionPowered {
  const { stratum, cluster, confidence = 0.95 } = options;
  const parts = stratum === undefined ? [{ human, judge }] : splitBy(stratum, human, judge);
  let [value, variance, lambda] = [0, 0, 0];
  for (const part of parts) {
    const own = estimate(cluster === undefined ? part : clusterMeans(cluster, human, judge), options);
    const share = part.human.length / human.length;
    value += share * own.value;
    variance += share * share * own.variance;
    lambda += share * own.lambda;
  }
  const se = Math.sqrt(variance);
  const half = normalQuantileUpper((1 - confidence) / 2) * se;
  return { value, se, lower: value - half, upper: value + half, lambda };
}

/** z and the two-sided p of a mean of `null`. */
export function predictionPoweredTest(
  { value, se }: PredictionPowered,
  null_ = 0,
): { readonly z: number; readonly p: number } {
  const z = (value - null_) / se;
  return { z, p: 2 * normalSf(Math.abs(z)) };
}

interface Units {
  readonly human: Float64Array;
  readonly judge: Float64Array;
}

function estimate({ human, judge }: Units, { lambda, divisor = 0, cut = true }: PredictionPoweredOptions) {
  const rows = labeledRows(human);
  const n = rows.length;
  const rest = human.length - n;
  if (n < 2 || rest < 1)
    throw new StatError(
      "TooFewRows",
      `${n} labeled and ${rest} unlabeled units: two labeled and one unlabeled are needed.`,
      "Give units of both kinds.",
    );
  const y = Float64Array.from(rows, (u) => human[u]!);
  const f = Float64Array.from(rows, (u) => judge[u]!);
  const unlabeled = judge.filter((_, u) => Number.isNaN(human[u]!));
  const tuned = covariance(y, f, divisor) / ((1 + n / rest) * covariance(judge, judge, 1));
  const own = lambda ?? (Number.isNaN(tuned) ? 0 : cut ? Math.min(1, Math.max(0, tuned)) : tuned);
  const residual = y.map((value, k) => value - own * f[k]!);
  return {
    value: own * meanOf(unlabeled) + meanOf(residual),
    variance:
      own ** 2 * (own === 0 ? 0 : covariance(unlabeled, unlabeled, divisor) / rest) +
      covariance(residual, residual, divisor) / n,
    lambda: own,
  };
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

function covariance(a: Float64Array, b: Float64Array, divisor: number): number {
  const [ma, mb] = [meanOf(a), meanOf(b)];
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - ma) * (b[i]! - mb);
  return sum / (a.length - divisor);
}

function splitBy(codes: Int32Array, human: Float64Array, judge: Float64Array): Units[] {
  return [...new Set(codes)].map((code) => ({
    human: human.filter((_, u) => codes[u] === code),
    judge: judge.filter((_, u) => codes[u] === code),
  }));
}

function clusterMeans(codes: Int32Array, human: Float64Array, judge: Float64Array): Units {
  const parts = splitBy(codes, human, judge);
  return {
    human: Float64Array.from(parts, (part) => meanOf(part.human)),
    judge: Float64Array.from(parts, (part) => meanOf(part.judge)),
  };
}
