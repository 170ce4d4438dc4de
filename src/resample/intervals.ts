/** Intervals from bootstrap replicates t*_1 … t*_R of an estimate t.   α = (1 - confidence)/2
 *    normal       t - bias ± z s*                  basic        2t - t*_(1-α), 2t - t*_(α)
 *    percentile   t*_(α), t*_(1-α)                 studentized  t - q_(1-α) se, t - q_(α) se,  q of (t* - t)/se*
 *    bca          percentile at Φ(z₀ + (z₀ ± z)/(1 - a(z₀ ± z))),  z₀ = Φ⁻¹(#{t* < t}/R),  a the jackknife acceleration
 *  Quantiles are those of rank (R+1)α, between two ranks on the scale of normal quantiles ("normal", as boot does), or by the linear
 *  rule at 1 + (R-1)α ("linear", as numpy does).
 *  Reference: Efron (1987), J. Am. Stat. Assoc. 82; Davison & Hinkley (1997), ch. 5.
 *  Oracle:    boot.ci (R), oracle/reference/bootstrap.json — 1e-10.
 *  Limits:    with z₀ infinite (all replicates on one side of t) BCa is undefined: NaN. A rank beyond the replicates takes the
 *             outermost one and is flagged. */
import { quantile as linearQuantile } from "../data/moments.ts";
import { normalCdf, normalQuantile } from "../numeric/dist/normal.ts";

export const BOOTSTRAP_INTERVALS = ["percentile", "bca", "basic", "normal", "studentized"] as const;
export type BootstrapIntervalType = (typeof BOOTSTRAP_INTERVALS)[number];

export interface IntervalInput {
  readonly estimate: number;
  readonly values: Float64Array;
  readonly confidence?: number;
  readonly type?: BootstrapIntervalType | undefined;
  readonly quantile?: "normal" | "linear" | undefined;
  /** For BCa. */
  readonly acceleration?: number | undefined;
  /** For studentised intervals: of the estimate, and of every replicate. */
  readonly se?: number;
  readonly standardErrors?: Float64Array | undefined;
}

export interface ReplicateInterval {
  readonly lower: number;
  readonly upper: number;
  /** Levels at which the replicates were read off. */
  readonly levels: readonly [number, number];
  /** A level lies beyond the outermost replicate: more replicates are needed. */
  readonly beyond: boolean;
}

export function intervalFromReplicates(input: IntervalInput): ReplicateInterval {
  const { estimate, values, confidence = 0.95, type = "percentile", quantile = "normal" } = input;
  const alpha = (1 - confidence) / 2;
  const plain: readonly [number, number] = [alpha, 1 - alpha];
  if (type === "normal") return normalInterval(estimate, values, alpha);
  if (type === "studentized") return studentizedInterval(input, plain);
  const levels = type === "bca" ? bcaLevels(input, plain) : plain;
  const sorted = values.slice().sort();
  const read = levels.map((level) => quantileOf(sorted, level, quantile));
  const [low, high] = [read[0]!, read[1]!];
  const beyond = levels.some((level) => isBeyond(level, values.length));
  if (type === "basic") return { lower: 2 * estimate - high, upper: 2 * estimate - low, levels, beyond };
  return { lower: low, upper: high, levels, beyond };
}

const isBeyond = (level: number, R: number): boolean => (R + 1) * level < 1 || (R + 1) * level > R;

function normalInterval(estimate: number, values: Float64Array, alpha: number): ReplicateInterval {
  const { mean, sd } = replicateMoments(values);
  const half = -normalQuantile(alpha) * sd;
  const center = 2 * estimate - mean;
  return { lower: center - half, upper: center + half, levels: [alpha, 1 - alpha], beyond: false };
}

export function replicateMoments(values: Float64Array): { readonly mean: number; readonly sd: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  let squares = 0;
  for (const v of values) squares += (v - mean) ** 2;
  return { mean, sd: Math.sqrt(squares / (values.length - 1)) };
}

export interface ReplicateSummary {
  readonly mean: number;
  readonly sd: number;
  /** Percentile interval. */
  readonly lower: number;
  readonly upper: number;
  /** Replicates in which the statistic is defined; the others are left out. */
  readonly used: number;
}

export function summariseReplicates(values: Float64Array, confidence: number): ReplicateSummary {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  return {
    ...replicateMoments(sorted),
    lower: quantileOf(sorted, (1 - confidence) / 2),
    upper: quantileOf(sorted, (1 + confidence) / 2),
    used: sorted.length,
  };
}

function studentizedInterval(
  { estimate, values, se = Number.NaN, standardErrors, quantile = "normal" }: IntervalInput,
  levels: readonly [number, number],
): ReplicateInterval {
  const pivots = values.map((v, i) => (v - estimate) / (standardErrors?.[i] ?? Number.NaN));
  // a replicate without spread (all draws equal) says nothing about the scale
  const sorted = pivots.filter((q) => Number.isFinite(q)).sort();
  const read = (level: number): number => quantileOf(sorted, level, quantile);
  return {
    lower: estimate - read(levels[1]) * se,
    upper: estimate - read(levels[0]) * se,
    levels,
    beyond: levels.some((level) => isBeyond(level, sorted.length)),
  };
}

/** z₀: how far the median of the replicates lies from the estimate. */
export function medianBias({ estimate, values }: Pick<IntervalInput, "estimate" | "values">): number {
  let below = 0;
  for (const v of values) if (v < estimate) below++;
  return normalQuantile(below / values.length);
}

function bcaLevels(input: IntervalInput, plain: readonly [number, number]): readonly [number, number] {
  const { acceleration = Number.NaN } = input;
  const z0 = medianBias(input);
  const adjust = (level: number): number => {
    const z = z0 + normalQuantile(level);
    return normalCdf(z0 + z / (1 - acceleration * z));
  };
  return [adjust(plain[0]), adjust(plain[1])];
}

/** Of sorted values; Davison & Hinkley, eq. 5.8, or the linear rule. The outermost value where the rank lies beyond it. */
export function quantileOf(sorted: Float64Array, level: number, rule: "normal" | "linear" = "normal"): number {
  const R = sorted.length;
  if (R === 0 || Number.isNaN(level)) return Number.NaN;
  if (rule === "linear") return linearQuantile(sorted, level);
  const rank = (R + 1) * level;
  // a rank that is whole up to rounding needs no neighbour
  const whole = Math.round(rank);
  const k = Math.abs(rank - whole) < RANK_ROUNDING ? whole : Math.floor(rank);
  if (k < 1) return sorted[0]!;
  if (k >= R) return sorted[R - 1]!;
  const value = sorted[k - 1]!;
  if (k === whole && Math.abs(rank - whole) < RANK_ROUNDING) return value;
  const from = normalQuantile(k / (R + 1));
  const share = (normalQuantile(level) - from) / (normalQuantile((k + 1) / (R + 1)) - from);
  return value + share * (sorted[k]! - value);
}

/** (R+1)α is whole for common R and α, but α as a double is not exact. */
const RANK_ROUNDING = 1e-8;
