/** The funnel: effects against their standard errors, with the limits within which they should lie if there is one effect; and trim and fill.
 *    limits   centre ± z se, for se from 0 to 1.05 times the largest
 *    trim     the k0 studies furthest to one side are left out, the mean is taken again, k0 estimated from signed ranks about it, until it
 *             stays; then their mirror images are filled in.   L0 = (4 S_r - k(k+1))/(2k - 1),  R0 = k - (largest negative rank) - 1
 *  Reference: Light & Pillemer (1984), Summing Up; Sterne & Egger (2001), J. Clin. Epidemiol. 54; Duval & Tweedie (2000), Biometrics 56.
 *  Oracle:    metafor (R): funnel, trimfill, oracle/next/meta-analysis.json — 1e-8.
 *  Limits:    trim and fill supposes that asymmetry comes of suppressed studies on one side; as a correction it is a what-if, not an estimate. */
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { checkEffects } from "./pool.ts";
import { type Heterogeneity, metaRegression } from "./regression.ts";

export interface Funnel {
  readonly centre: number;
  readonly points: readonly { readonly effect: number; readonly se: number }[];
  /** One row for each standard error. */
  readonly limits: readonly {
    readonly se: number;
    readonly bands: readonly { readonly level: number; readonly lower: number; readonly upper: number }[];
  }[];
}

const LEVELS = [0.9, 0.95, 0.99] as const;
/** The triangle reaches a little beyond the smallest study. */
const REACH = 1.05;
const STEPS = 4;

export function funnelOf(effects: ArrayLike<number>, variances: ArrayLike<number>): Funnel {
  checkEffects(effects, variances);
  const data = { effects: Float64Array.from(effects), variances: Float64Array.from(variances) };
  const centre = metaRegression(data, "fixed")!.beta[0]!;
  const points = Array.from(data.effects, (effect, i) => ({ effect, se: Math.sqrt(data.variances[i]!) }));
  const top = REACH * points.reduce((largest, { se }) => Math.max(largest, se), 0);
  const limits = Array.from({ length: STEPS + 1 }, (_, i) => {
    const se = (top * i) / STEPS;
    const bands = LEVELS.map((level) => {
      const half = normalQuantileUpper((1 - level) / 2) * se;
      return { level, lower: centre - half, upper: centre + half };
    });
    return { se, bands };
  });
  return { centre, points, limits };
}

export interface TrimAndFill {
  readonly side: "left" | "right";
  /** Studies that seem to be missing on that side. */
  readonly missing: number;
  readonly estimate: number;
  readonly se: number;
  readonly filled: readonly { readonly effect: number; readonly variance: number }[];
}

export interface TrimAndFillOptions {
  readonly method?: Heterogeneity | undefined;
  readonly estimator?: "L0" | "R0" | undefined;
  /** Where studies are missing; default: opposite to where the regression on standard errors leans. */
  readonly side?: "left" | "right" | undefined;
}

/** The count may go back and forth between two values. */
const MOST_ROUNDS = 100;

export function trimAndFill(
  effects: ArrayLike<number>,
  variances: ArrayLike<number>,
  { method = "fixed", estimator = "L0", side: wanted }: TrimAndFillOptions = {},
): TrimAndFill {
  checkEffects(effects, variances, 3);
  const se = Float64Array.from(variances, Math.sqrt);
  const given = { effects: Float64Array.from(effects), variances: Float64Array.from(variances) };
  const leaning = metaRegression({ ...given, moderators: [se] }, method)?.beta[1] ?? 0;
  const side = wanted ?? (leaning < 0 ? "right" : "left");
  const sign = side === "right" ? -1 : 1;
  const order = Array.from(given.effects.keys()).sort((a, b) => sign * (given.effects[a]! - given.effects[b]!));
  const y = Float64Array.from(order, (i) => sign * given.effects[i]!);
  const v = Float64Array.from(order, (i) => given.variances[i]!);
  const k = y.length;
  let [missing, before, centre] = [0, -1, 0];
  for (let round = 0; missing !== before && round < MOST_ROUNDS; round++) {
    before = missing;
    const rest = { effects: y.slice(0, k - missing), variances: v.slice(0, k - missing) };
    centre = metaRegression(rest, method)!.beta[0]!;
    missing = Math.max(0, Math.min(k - 2, roundHalfEven(estimateMissing(y, centre, estimator))));
  }
  const filled = Array.from({ length: missing }, (_, i) => {
    const from = k - missing + i;
    return { effect: sign * (2 * centre - y[from]!), variance: v[from]! };
  });
  const whole = metaRegression(
    {
      effects: Float64Array.of(...given.effects, ...filled.map(({ effect }) => effect)),
      variances: Float64Array.of(...given.variances, ...filled.map(({ variance }) => variance)),
    },
    method,
  )!;
  return { side, missing, estimate: whole.beta[0]!, se: Math.sqrt(whole.vcov.data[0]!), filled };
}

function estimateMissing(y: Float64Array, centre: number, estimator: "L0" | "R0"): number {
  const k = y.length;
  const distance = y.map((own) => Math.abs(own - centre));
  // ties in the order of the rows
  const order = Array.from(y.keys()).sort((a, b) => distance[a]! - distance[b]! || a - b);
  const rank = new Float64Array(k);
  order.forEach((row, i) => {
    rank[row] = i + 1;
  });
  if (estimator === "R0") {
    const below = rank.filter((_, i) => y[i]! < centre);
    return k - below.reduce((a, b) => Math.max(a, b), 0) - 1;
  }
  const above = rank.reduce((sum, own, i) => (y[i]! > centre ? sum + own : sum), 0);
  return (4 * above - k * (k + 1)) / (2 * k - 1);
}

/** As R rounds. */
function roundHalfEven(x: number): number {
  const whole = Math.round(x);
  return Math.abs(x % 1) === 0.5 && whole % 2 !== 0 ? whole - 1 : whole;
}
