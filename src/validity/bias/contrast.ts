/** Difference of two associations, r₁ - r₂, with its interval and test.
 *    fisher     z = (atanh r₁ - atanh r₂) / √(1/(n₁-3) + 1/(n₂-3))
 *    robust     the same with standard errors from the influence of every row, or cluster of rows, on atanh r: Σ_u (Σ_i∈u c_i)²,
 *               c_i = ± influence/√(n(n-3)). Rows that both share (gold and predicted labels of one feature) count jointly, so that
 *               their dependence is taken into account. Clusters: the delete-one-cluster jackknife of atanh r and Student's t, with
 *               G - 1 degrees of freedom for one domain and Satterthwaite's for two
 *    bootstrap  units are drawn with replacement within their domain; the standard errors are those of the draws. Of η, V and NMI
 *               it is η², V² and NMI without their bounds that are drawn and tested: the bounded ones pile up at 0, where
 *               their bootstrap is wrong. Near 0 the draws vary more than the estimate, and the test is on the safe side
 *  Interval of r₁ - r₂:  d - √((r₁-l₁)² + (u₂-r₂)² - 2ρ(r₁-l₁)(u₂-r₂)), and likewise above, from the intervals
 *  l, u of each (of r by Fisher's z) and their correlation ρ (0 if independent).
 *  Reference: Fisher (1921), Metron 1; Zou (2007), Psychol. Methods 12 (interval); Devlin et al. (1975), Biometrika 62;
 *             Davison & Hinkley (1997), ch. 5; Efron & Stein (1981), Ann. Statist. 9(3) (jackknife); Satterthwaite (1946).
 *  Oracle:    cor.test and formulae in R, oracle/r/bias.json.
 *  Limits:    fisher is right for normal variables only: with skewed two-valued features it can be far off. |r| = 1 has no standard
 *             error: it counts as known exactly. */
import { tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import type { Rng } from "../../numeric/rng.ts";
import { replicateMoments } from "../../resample/intervals.ts";
import { countDrawsInto, eachReplicate, OWN_STREAM } from "../../resample/replicates.ts";
import {
  influenceOnZ,
  type Moments,
  type Pair,
  rawAssociation,
  reportedValue,
  weightedMoments,
} from "./association.ts";

export type BiasInterval = "fisher" | "robust" | "bootstrap";

/** Sums over the rows of each unit, by ascending unit. */
interface Contributions {
  readonly unit: Int32Array;
  readonly sum: Float64Array;
}

const NO_CONTRIBUTIONS: Contributions = { unit: new Int32Array(0), sum: new Float64Array(0) };

/** One association with what its uncertainty needs. */
export interface Measured {
  readonly n: number;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  /** Influence of the units on atanh(value); empty where intervals are drawn. */
  readonly contributions: Contributions;
  /** On the scale that is tested (rawAssociation), with its standard error. */
  readonly raw: number;
  readonly se: number;
  /** Of se: clusters less one; ∞ where rows are the units. */
  readonly df: number;
  readonly replicates?: Float64Array;
}

export interface Units {
  readonly unit: Int32Array;
  readonly clustered: boolean;
}

export interface Difference {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly statistic: number;
  /** ∞ where rows are the units. */
  readonly df: number;
  readonly p: number;
}

const UNDEFINED: Omit<Measured, "n" | "value"> = {
  raw: Number.NaN,
  lower: Number.NaN,
  upper: Number.NaN,
  contributions: NO_CONTRIBUTIONS,
  se: Number.NaN,
  df: Number.POSITIVE_INFINITY,
};

/** Fisher's variance needs more rows than this. */
const FISHER_ROWS = 3;

/** Correlations this close to 1 are 1 but for rounding; they have no standard error. */
const PERFECT = 1 - 1e-12;

/** By Fisher's z, with the variance of normal variables or from the rows' influence. */
export function measurePearson(
  pair: Pair,
  units: Units,
  { interval, confidence }: { readonly interval: BiasInterval; readonly confidence: number },
): Measured {
  const n = pair.rows.length;
  if (pair.x.kind !== "numbers" || pair.y.kind !== "numbers" || n <= FISHER_ROWS)
    return { ...UNDEFINED, n, value: Number.NaN };
  const moments = weightedMoments(pair.x.values, pair.y.values, new Float64Array(n).fill(1));
  const { r } = moments;
  if (Number.isNaN(r)) return { ...UNDEFINED, n, value: r };
  if (Math.abs(r) > PERFECT) return { ...UNDEFINED, n, value: Math.sign(r), lower: Math.sign(r), upper: Math.sign(r) };
  const robust = interval === "robust";
  const [xs, ys] = [pair.x.values, pair.y.values];
  const contributions = !robust
    ? NO_CONTRIBUTIONS
    : units.clustered
      ? jackknifeContributions(pair.rows, xs, { ys, moments, unit: units.unit })
      : rowContributions(pair.rows, influenceOnZ(xs, ys, moments));
  const se = robust ? Math.sqrt(unitVariance(contributions.sum, units)) : 1 / Math.sqrt(n - FISHER_ROWS);
  const df = robust && units.clustered ? contributions.sum.length - 1 : Number.POSITIVE_INFINITY;
  const half = criticalValue(confidence, df) * se;
  const raw = Math.atanh(r);
  return { n, value: r, lower: Math.tanh(raw - half), upper: Math.tanh(raw + half), contributions, raw, se, df };
}

export const criticalValue = (confidence: number, df: number): number =>
  df > 0 ? tQuantileUpper((1 - confidence) / 2, df) : Number.NaN;

/** Rows come in ascending order, and each is a unit. */
function rowContributions(rows: Int32Array, influence: Float64Array): Contributions {
  const n = rows.length;
  return { unit: rows, sum: influence.map((own) => own / Math.sqrt(n * (n - FISHER_ROWS))) };
}

interface JackknifeInput {
  readonly ys: Float64Array;
  readonly moments: Moments;
  readonly unit: Int32Array;
}

/** What atanh r loses with each cluster, around its mean and times (G-1)/G, so that Σ sum² G/(G-1) is the jackknife's variance. With
 *  few clusters influences are too small: the means and spreads that they are measured from follow the very clusters. NaN where r
 *  hangs on one cluster. */
function jackknifeContributions(
  rows: Int32Array,
  xs: Float64Array,
  { ys, moments, unit }: JackknifeInput,
): Contributions {
  const { meanX, meanY } = moments;
  const sums = new Map<number, Float64Array>();
  const all = new Float64Array(6);
  rows.forEach((row, i) => {
    let own = sums.get(unit[row]!);
    if (own === undefined) {
      own = new Float64Array(6);
      sums.set(unit[row]!, own);
    }
    const [dx, dy] = [xs[i]! - meanX, ys[i]! - meanY];
    [1, dx, dy, dx * dx, dy * dy, dx * dy].forEach((part, k) => {
      own[k]! += part;
      all[k]! += part;
    });
  });
  const units = Int32Array.from(sums.keys()).sort();
  const without = Float64Array.from(units, (own) => zOfSums(all, sums.get(own)!));
  return { unit: units, sum: jackknifeDeviations(without) };
}

/** Spread that is left of a variable, as a share of its spread with all clusters, below which it is rounding. */
const FLAT_WITHOUT = 1e-10;

/** atanh r of all rows but those of one cluster, from the sums of 1, x, y, x², y², xy; NaN where it is not defined. */
function zOfSums(all: Float64Array, own: Float64Array): number {
  const [n, sx, sy, sxx, syy, sxy] = all.map((sum, k) => sum - own[k]!) as unknown as number[];
  const [xx, yy] = [sxx! - sx! ** 2 / n!, syy! - sy! ** 2 / n!];
  if (!(xx > FLAT_WITHOUT * all[3]!) || !(yy > FLAT_WITHOUT * all[4]!)) return Number.NaN;
  const r = (sxy! - (sx! * sy!) / n!) / Math.sqrt(xx * yy);
  return Math.abs(r) > PERFECT ? Number.NaN : Math.atanh(r);
}

export function jackknifeDeviations(without: Float64Array): Float64Array {
  const count = without.length;
  const mean = without.reduce((sum, value) => sum + value / count, 0);
  return without.map((value) => ((count - 1) / count) * (mean - value));
}

/** Undefined for fewer than two units. */
function unitVariance(sums: Float64Array, { clustered }: Units): number {
  const count = sums.length;
  if (count < 2) return Number.NaN;
  const total = sums.reduce((squares, sum) => squares + sum * sum, 0);
  return clustered ? (total * count) / (count - 1) : total;
}

/** A variable without variation has covariance 0 with anything: an association of 0, known exactly. */
export const constantAsZero = ({ n, replicates }: Measured): Measured => ({
  ...UNDEFINED,
  n,
  value: 0,
  lower: 0,
  upper: 0,
  raw: 0,
  se: 0,
  ...(replicates === undefined ? {} : { replicates: new Float64Array(replicates.length) }),
});

export interface CompareMeasuredOptions {
  readonly units: Units;
  /** Both on the same rows, and hence draws. */
  readonly sameRows?: boolean | undefined;
}

export function compareMeasured(
  a: Measured,
  b: Measured,
  { units, sameRows = false }: CompareMeasuredOptions,
): Difference {
  const value = a.value - b.value;
  const drawn = a.replicates !== undefined && b.replicates !== undefined;
  const shared = (): number => sharedCovariance(a.contributions, b.contributions, units);
  const covariance = !drawn ? shared() : sameRows ? drawnCovariance(a.replicates, b.replicates) : 0;
  const statistic = statisticOf(a, b, covariance);
  const df = degreesOfFreedom(a, b, sameRows);
  const rho = a.se > 0 && b.se > 0 ? covariance / (a.se * b.se) : 0;
  const reach = (own: number, other: number): number =>
    Math.sqrt(Math.max(0, own ** 2 + other ** 2 - 2 * rho * own * other));
  return {
    value,
    lower: value - reach(a.value - a.lower, b.upper - b.value),
    upper: value + reach(a.upper - a.value, b.value - b.lower),
    statistic,
    df,
    p: twoSidedT(statistic, df),
  };
}

/** Satterthwaite's for a sum of independent variances; on the same clusters the fewer of the two. */
function degreesOfFreedom(a: Measured, b: Measured, sameRows: boolean): number {
  const exact = [a, b].filter(({ se }) => !(se > 0));
  if (sameRows || exact.length > 0) return Math.min(a.df, b.df);
  return satterthwaiteDf(a, b);
}

/** Of a sum of two independent estimated variances. */
export function satterthwaiteDf(
  a: { readonly se: number; readonly df: number },
  b: { readonly se: number; readonly df: number },
): number {
  const [u, v] = [a.se ** 2, b.se ** 2];
  return (u + v) ** 2 / (u ** 2 / a.df + v ** 2 / b.df);
}

/** On Fisher's scale; one that is ±1, where that scale ends, is compared with the other on the plain one, and two need no test. */
function statisticOf(a: Measured, b: Measured, covariance: number): number {
  const [exactA, exactB] = [isPerfect(a), isPerfect(b)];
  if (exactA && exactB) return a.value === b.value ? Number.NaN : (a.value - b.value) * Number.POSITIVE_INFINITY;
  if (exactA || exactB) {
    const other = exactA ? b : a;
    const se = other.se * (1 - other.value ** 2);
    return se > 0 ? (a.value - b.value) / se : Number.NaN;
  }
  const variance = a.se ** 2 + b.se ** 2 - 2 * covariance;
  return variance > 0 ? (a.raw - b.raw) / Math.sqrt(variance) : Number.NaN;
}

const isPerfect = ({ value, se }: Measured): boolean => Math.abs(value) > PERFECT && Number.isNaN(se);

export const twoSidedT = (t: number, df: number): number =>
  Number.isNaN(t) || !(df > 0) ? Number.NaN : Math.min(1, 2 * tSf(Math.abs(t), df));

function sharedCovariance(a: Contributions, b: Contributions, { clustered }: Units): number {
  let [total, count] = [0, 0];
  for (let i = 0, k = 0; i < a.unit.length && k < b.unit.length; ) {
    const order = a.unit[i]! - b.unit[k]!;
    if (order === 0) {
      total += a.sum[i]! * b.sum[k]!;
      count++;
    }
    if (order <= 0) i++;
    if (order >= 0) k++;
  }
  return clustered && count > 1 ? (total * count) / (count - 1) : total;
}

function drawnCovariance(a: Float64Array, b: Float64Array): number {
  const both = Array.from(a, (own, i) => [own, b[i]!] as const).filter((pair) => pair.every(Number.isFinite));
  const [meanA, meanB] = [0, 1].map((k) => both.reduce((sum, pair) => sum + pair[k as 0 | 1], 0) / both.length);
  return both.reduce((sum, [own, other]) => sum + (own - meanA!) * (other - meanB!), 0) / (both.length - 1);
}

export interface DrawOptions {
  readonly units: Units;
  readonly replicates: number;
  readonly confidence: number;
  readonly rng: Rng;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** Bootstrap of many pairs at once: pairs of one domain share its draws. `domains[k]` holds the rows of domain k. */
export function measureByDrawing(
  pairs: readonly { readonly pair: Pair; readonly domain: number }[],
  domains: readonly Int32Array[],
  { units, replicates, confidence, rng, onProgress }: DrawOptions,
): Measured[] {
  const local = domains.map((rows) => localUnits(rows, units.unit));
  const places = pairs.map(({ pair, domain }) => pair.rows.map((row) => local[domain]!.unitOf.get(units.unit[row]!)!));
  const buffers = pairs.map(({ pair }) => new Float64Array(pair.rows.length));
  const drawn = pairs.map(() => new Float64Array(replicates));
  const times = local.map(({ count }) => new Float64Array(count));
  eachReplicate({ replicates, rng, onProgress }, OWN_STREAM, (stream, r) => {
    for (const own of times) countDrawsInto(own, stream);
    pairs.forEach(({ pair, domain }, j) => {
      const [weights, place, own] = [buffers[j]!, places[j]!, times[domain]!];
      for (let i = 0; i < weights.length; i++) weights[i] = own[place[i]!]!;
      drawn[j]![r] = rawAssociation(pair, weights);
    });
  });
  return pairs.map(({ pair }, j) => {
    const raw = rawAssociation(pair, buffers[j]!.fill(1));
    const count = new Set(places[j]!).size;
    // draws of G clusters vary by (G - 1)/G of what G clusters do
    const few = units.clustered ? Math.sqrt(count / (count - 1)) : 1;
    const df = units.clustered ? count - 1 : Number.POSITIVE_INFINITY;
    // a replicate without variation in a variable has no association and says nothing
    const se = few * replicateMoments(drawn[j]!.filter(Number.isFinite)).sd;
    const half = criticalValue(confidence, df) * se;
    const end = (at: number): number => reportedValue(pair.measure, at);
    const shown = { value: end(raw), lower: end(raw - half), upper: end(raw + half) };
    return { n: pair.rows.length, ...shown, contributions: NO_CONTRIBUTIONS, raw, se, df, replicates: drawn[j]! };
  });
}

function localUnits(
  rows: Int32Array,
  unit: Int32Array,
): { readonly unitOf: Map<number, number>; readonly count: number } {
  const unitOf = new Map<number, number>();
  for (const row of rows) if (!unitOf.has(unit[row]!)) unitOf.set(unit[row]!, unitOf.size);
  return { unitOf, count: unitOf.size };
}

/** Larger first, undefined last. */
export function bySize(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return Math.abs(b) - Math.abs(a);
}
