/** Difference of two associations, r₁ - r₂, with its interval and test.
 *    fisher     z = (atanh r₁ - atanh r₂) / √(1/(n₁-3) + 1/(n₂-3))
 *    robust     the same with standard errors from the influence of every row, or cluster of rows, on atanh r: Σ_u (Σ_i∈u c_i)²,
 *               c_i = ± influence/√(n(n-3)); clusters times G/(G-1). Rows that both share (gold and predicted labels of one feature)
 *               count jointly, so that their dependence is taken into account
 *    bootstrap  units are drawn with replacement within their domain; the standard errors are those of the draws. Of η, V and NMI
 *               it is η², V² and NMI without their bounds that are drawn and tested: the bounded ones pile up at 0, where
 *               their bootstrap is wrong. Near 0 the draws vary more than the estimate, and the test is on the safe side
 *  Interval of r₁ - r₂:  d - √((r₁-l₁)² + (u₂-r₂)² - 2ρ(r₁-l₁)(u₂-r₂)), and likewise above, from the intervals
 *  l, u of each (of r by Fisher's z) and their correlation ρ (0 if independent).
 *  Reference: Fisher (1921), Metron 1; Zou (2007), Psychol. Methods 12 (interval); Devlin et al. (1975), Biometrika 62;
 *             Davison & Hinkley (1997), ch. 5.
 *  Oracle:    cor.test and formulae in R, oracle/r/bias.json.
 *  Limits:    fisher is right for normal variables only: with skewed two-valued features it can be far off. |r| = 1 has no standard
 *             error: it counts as known exactly. */
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import type { Rng } from "../../numeric/rng.ts";
import { replicateMoments } from "../../resample/intervals.ts";
import { countDrawsInto, eachReplicate, OWN_STREAM } from "../../resample/replicates.ts";
import { influenceOnZ, type Pair, rawAssociation, reportedValue, weightedMoments } from "./association.ts";

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
  readonly p: number;
}

const UNDEFINED: Omit<Measured, "n" | "value"> = {
  raw: Number.NaN,
  lower: Number.NaN,
  upper: Number.NaN,
  contributions: NO_CONTRIBUTIONS,
  se: Number.NaN,
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
  const contributions = robust
    ? contributionsOf(pair.rows, influenceOnZ(pair.x.values, pair.y.values, moments), units)
    : NO_CONTRIBUTIONS;
  const se = robust ? Math.sqrt(unitVariance(contributions.sum, units)) : 1 / Math.sqrt(n - FISHER_ROWS);
  const half = normalQuantileUpper((1 - confidence) / 2) * se;
  const raw = Math.atanh(r);
  return { n, value: r, lower: Math.tanh(raw - half), upper: Math.tanh(raw + half), contributions, raw, se };
}

function contributionsOf(rows: Int32Array, influence: Float64Array, { unit, clustered }: Units): Contributions {
  const n = rows.length;
  // rows come in ascending order, and each is a unit
  if (!clustered) return { unit: rows, sum: influence.map((own) => own / Math.sqrt(n * (n - FISHER_ROWS))) };
  const sums = new Map<number, number>();
  rows.forEach((row, i) => {
    sums.set(unit[row]!, (sums.get(unit[row]!) ?? 0) + influence[i]! / n);
  });
  const units = Int32Array.from(sums.keys()).sort();
  return { unit: units, sum: Float64Array.from(units, (own) => sums.get(own)!) };
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
  readonly sameRows?: boolean;
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
  const rho = a.se > 0 && b.se > 0 ? covariance / (a.se * b.se) : 0;
  const reach = (own: number, other: number): number =>
    Math.sqrt(Math.max(0, own ** 2 + other ** 2 - 2 * rho * own * other));
  return {
    value,
    lower: value - reach(a.value - a.lower, b.upper - b.value),
    upper: value + reach(a.upper - a.value, b.value - b.lower),
    statistic,
    p: twoSided(statistic),
  };
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

const twoSided = (z: number): number => (Number.isNaN(z) ? Number.NaN : Math.min(1, 2 * normalSf(Math.abs(z))));

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
  readonly onProgress?: (done: number, of: number) => void;
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
    // a replicate without variation in a variable has no association and says nothing
    const { sd: se } = replicateMoments(drawn[j]!.filter(Number.isFinite));
    const half = normalQuantileUpper((1 - confidence) / 2) * se;
    const end = (at: number): number => reportedValue(pair.measure, at);
    const shown = { value: end(raw), lower: end(raw - half), upper: end(raw + half) };
    return { n: pair.rows.length, ...shown, contributions: NO_CONTRIBUTIONS, raw, se, replicates: drawn[j]! };
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
