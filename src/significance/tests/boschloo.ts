/** Boschloo's unconditional test of two independent proportions, and the interval of their difference that inverts it.
 *    order     tables by Fisher's one-sided p: T(x₁, x₂) = P(X₂ ≥ x₂ | x₁ + x₂)
 *    p(Δ)      sup over p₁ of P(T ≤ T observed | p₁, p₂ = p₁ + Δ);  two-sided: twice the smaller of both directions at Δ = 0
 *    interval  all Δ that neither direction rejects at (1 - confidence)/2. The tables at least as far out are the same for every Δ and form a
 *              staircase, so that p(Δ) rises with Δ: the interval excludes 0 exactly where p ≤ 1 - confidence
 *    power     the largest level c of Fisher's p whose sup over p₁ is at most α/2 makes the same decision for every table
 *  Reference: Boschloo (1970), Statistica Neerlandica 24, 1; Fay & Hunsberger (2021), Stat. Surveys 15, 72 (ordering, inversion, central p).
 *  Oracle:    scipy.stats.boschloo_exact (one-sided p), oracle/python/boschloo.json — 1e-5, which is its search over p₁; enumeration of all tables.
 *  Limits:    above LARGEST items the score test, whose interval inverts it too: tables are then too many, and its error too small to matter. */
import { hypergeometricSf } from "../../numeric/dist/hypergeometric.ts";
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { checkProportion, type ProportionInterval } from "../intervals/binomial.ts";

export interface TwoCounts {
  readonly successes: readonly [first: number, second: number];
  readonly trials: readonly [first: number, second: number];
}

export interface Boschloo extends ProportionInterval {
  /** Of the second minus the first. */
  readonly difference: number;
  readonly p: number;
  readonly method: "boschloo" | "score";
}

/** Items of both samples. */
const LARGEST = 20_000;
/** Tables whose p should be equal differ by rounding. */
const EQUAL = 1e-9;
const GRID = 120;
const GOLDEN_STEPS = 25;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const BISECTIONS = 40;
/** Beyond this share of the largest term a binomial weighs nothing. */
const NEGLIGIBLE = 1e-17;

export function boschlooTest({ successes, trials }: TwoCounts, confidence = 0.95): Boschloo {
  for (const [i, x] of successes.entries()) checkProportion(x, trials[i]!);
  const [[x1, x2], [n1, n2]] = [successes, trials];
  const difference = x2 / n2 - x1 / n1;
  const tail = (1 - confidence) / 2;
  if (n1 + n2 > LARGEST) return { difference, ...scoreTest({ successes, trials }, tail), method: "score" };
  const more = staircase([x1, x2], [n1, n2]);
  // the second is less: what is not right is more
  const less = staircase([n1 - x1, n2 - x2], [n1, n2]);
  const p = Math.min(1, 2 * Math.min(largestChance(more, 0), largestChance(less, 0)));
  return { difference, p, lower: lowerEnd(more, tail), upper: -lowerEnd(less, tail), method: "boschloo" };
}

/** The tables in which the second has at least so much more: from x₂ = first[x₁] on. */
interface Staircase {
  readonly first: Int32Array;
  readonly n1: number;
  readonly n2: number;
}

/** T(x₁, x₂); no table of few or of many successes alone says anything. */
function fisherTail(x1: number, x2: number, n1: number, n2: number): number {
  return x2 === 0 ? 1 : hypergeometricSf(x2 - 1, n2, n1, x1 + x2);
}

function staircase([x1, x2]: readonly [number, number], [n1, n2]: readonly [number, number]): Staircase {
  return stepsAt(fisherTail(x1, x2, n1, n2), n1, n2);
}

/** All tables with T ≤ level; T falls with x₂ and rises with x₁. */
function stepsAt(level: number, n1: number, n2: number): Staircase {
  const first = new Int32Array(n1 + 1);
  let at = 0;
  for (let x1 = 0; x1 <= n1; x1++) {
    while (at <= n2 && fisherTail(x1, at, n1, n2) > level * (1 + EQUAL)) at++;
    first[x1] = at;
  }
  return { first, n1, n2 };
}

/** Whether the second has significantly more than the first in a table, two-sided at alpha: by the level of Fisher's p that keeps α/2. */
export function boschlooSteps(n1: number, n2: number, alpha: number): Staircase {
  const limit = alpha / 2;
  let [low, high] = [limit, 1];
  // Fisher's own level is always safe
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (largestChance(stepsAt(middle, n1, n2), 0) <= limit) low = middle;
    else high = middle;
  }
  return stepsAt(low, n1, n2);
}

/** sup over p₁ of P(table at least as far out | p₁, p₁ + Δ). */
function largestChance(steps: Staircase, delta: number): number {
  const [from, to] = [Math.max(0, -delta), Math.min(1, 1 - delta)];
  if (!(to > from)) return chance(steps, from, from + delta);
  const at = (k: number): number => from + (to - from) * Math.sin((Math.PI / 2) * (k / GRID)) ** 2;
  const heights = Float64Array.from({ length: GRID + 1 }, (_, k) => chance(steps, at(k), at(k) + delta));
  let best = Math.max(...heights);
  const peaks = [...heights.keys()]
    .filter((k) => heights[k]! >= (heights[k - 1] ?? 0) && heights[k]! >= (heights[k + 1] ?? 0))
    .sort((j, k) => heights[k]! - heights[j]!)
    .slice(0, 3);
  for (const k of peaks) best = Math.max(best, climb(steps, delta, [at(Math.max(0, k - 1)), at(Math.min(GRID, k + 1))]));
  return best;
}

/** Golden section between the neighbors of a peak of the grid. */
function climb(steps: Staircase, delta: number, [from, to]: readonly [number, number]): number {
  const height = (p: number): number => chance(steps, p, p + delta);
  let [low, high] = [from, to];
  let [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
  let [atLeft, atRight] = [height(left), height(right)];
  for (let step = 0; step < GOLDEN_STEPS; step++) {
    if (atLeft > atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - GOLDEN * (high - low);
      atLeft = height(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + GOLDEN * (high - low);
      atRight = height(right);
    }
  }
  return Math.max(atLeft, atRight);
}

/** P(X₂ ≥ first[X₁]) of two independent binomials. */
function chance({ first, n1, n2 }: Staircase, p1: number, p2: number): number {
  const one = weights(n1, p1);
  const two = weights(n2, Math.min(1, Math.max(0, p2)));
  // tails of the second, from its largest count down
  const tails = new Float64Array(two.values.length + 1);
  for (let k = two.values.length - 1; k >= 0; k--) tails[k] = tails[k + 1]! + two.values[k]!;
  let sum = 0;
  for (let k = 0; k < one.values.length; k++) {
    const from = Math.max(0, first[one.from + k]! - two.from);
    if (from < tails.length) sum += one.values[k]! * tails[from]!;
  }
  return sum / (one.total * two.total);
}

interface Weights {
  readonly from: number;
  readonly values: Float64Array;
  readonly total: number;
}

/** Binomial probabilities up to a factor, outwards from the mode. */
function weights(n: number, p: number): Weights {
  if (p <= 0 || p >= 1) return { from: p <= 0 ? 0 : n, values: Float64Array.of(1), total: 1 };
  const mode = Math.min(n, Math.floor((n + 1) * p));
  const odds = p / (1 - p);
  const up: number[] = [];
  for (let k = mode, w = 1; k < n && w > NEGLIGIBLE; k++) up.push((w *= ((n - k) / (k + 1)) * odds));
  const down: number[] = [];
  for (let k = mode, w = 1; k > 0 && w > NEGLIGIBLE; k--) down.push((w *= k / ((n - k + 1) * odds)));
  const values = Float64Array.from([...down.reverse(), 1, ...up]);
  return { from: mode - down.length, values, total: values.reduce((sum, w) => sum + w, 0) };
}

/** The Δ below which the second having at least so much more is rejected. */
function lowerEnd(steps: Staircase, tail: number): number {
  let [low, high] = [-1, 1];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (largestChance(steps, middle) <= tail) low = middle;
    else high = middle;
  }
  return low;
}

/** z(Δ) with the variance under p₂ = p₁ + Δ, whose p₁ maximizes the likelihood (Miettinen & Nurminen 1985, without their N/(N - 1)). */
function scoreTest(counts: TwoCounts, tail: number): ProportionInterval & { readonly p: number } {
  const z = (delta: number): number => scoreOf(counts, delta);
  const limit = normalQuantileUpper(tail);
  const end = (level: number): number => {
    let [low, high] = [-1, 1];
    for (let step = 0; step < BISECTIONS; step++) {
      const middle = (low + high) / 2;
      if (z(middle) > level) low = middle;
      else high = middle;
    }
    return low;
  };
  return { p: Math.min(1, 2 * normalSf(Math.abs(z(0)))), lower: end(limit), upper: end(-limit) };
}

function scoreOf({ successes: [x1, x2], trials: [n1, n2] }: TwoCounts, delta: number): number {
  const [from, to] = [Math.max(0, -delta), Math.min(1, 1 - delta)];
  const slope = (p: number): number =>
    share(x1, p) - share(n1 - x1, 1 - p) + share(x2, p + delta) - share(n2 - x2, 1 - p - delta);
  let [low, high] = [from, to];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (slope(middle) > 0) low = middle;
    else high = middle;
  }
  const p = (low + high) / 2;
  const [q, r] = [p, p + delta];
  const error = Math.sqrt(Math.max(0, (q * (1 - q)) / n1 + (r * (1 - r)) / n2));
  const apart = x2 / n2 - x1 / n1 - delta;
  return apart === 0 ? 0 : apart / error;
}

const share = (count: number, p: number): number => (count === 0 ? 0 : count / p);
