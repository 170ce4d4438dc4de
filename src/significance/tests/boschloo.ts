/** Boschloo's unconditional test of two independent proportions, and an exact interval of their difference that agrees with it.
 *    test      tables ordered by Fisher's one-sided p, T(x₁, x₂) = P(X₂ ≥ x₂ | x₁ + x₂);  p = sup over p₁ = p₂ of P(T ≤ T observed), twice the
 *              smaller of both directions
 *    interval  all Δ that neither direction rejects at (1 - confidence)/2:  sup over p₁ of P(z(Δ) ≥ z(Δ) observed | p₁, p₂ = p₁ + Δ), with z the score
 *              statistic whose variance is that under Δ. At Δ = 0 the test's own decision stands, so that it excludes 0 exactly where p ≤ 1 - confidence
 *    power     the largest level of Fisher's p whose sup over p₁ = p₂ is at most α/2 makes the same decision for every table
 *  Reference: Boschloo (1970), Statistica Neerlandica 24, 1; Chan & Zhang (1999), Biometrics 55, 1202; Farrington & Manning (1990), Stat. Med. 9, 1447
 *             for the variance under Δ.
 *  Oracle:    scipy.stats.boschloo_exact (one-sided p), oracle/python/boschloo.json — 1e-8; coverage by enumeration of all tables.
 *  Limits:    above LARGEST_EXACT items of both samples the score test and its interval: the exact answer differs by less than it costs. */
import { hypergeometricSf } from "../../numeric/dist/hypergeometric.ts";
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { minimizeBrent } from "../../numeric/optim/brent.ts";
import type { SHARE_INTERVALS } from "../../question/choices.ts";
import { checkProportion, type ProportionInterval } from "../intervals/binomial.ts";

export type ShareInterval = (typeof SHARE_INTERVALS)[number];

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
export const LARGEST_EXACT = 4000;
/** Tables whose p should be equal differ by rounding. */
const EQUAL = 1e-9;
const GRID = 80;
const PEAKS = 3;
const PEAK = { tolerance: 1e-5, maxEvaluations: 40 };
const BISECTIONS = 28;
/** Beyond so many standard deviations, and their square in counts, a binomial weighs less than 1e-14. */
const REACH = 8;

export function boschlooTest({ successes, trials }: TwoCounts, confidence = 0.95): Boschloo {
  for (const [i, x] of successes.entries()) checkProportion(x, trials[i]!);
  const [[x1, x2], [n1, n2]] = [successes, trials];
  const difference = x2 / n2 - x1 / n1;
  const tail = (1 - confidence) / 2;
  const counts = { successes, trials };
  if (n1 + n2 > LARGEST_EXACT) return { difference, ...scoreTest(counts, tail), method: "score" };
  const mirrored = mirror(counts);
  const { more, less } = boschlooTails(counts);
  return {
    ...{ difference, p: Math.min(1, 2 * Math.min(more, less)) },
    lower: lowerEnd(counts, { tail, rejected: more <= tail }),
    // the second is less: what is not right is more
    upper: -lowerEnd(mirrored, { tail, rejected: less <= tail }),
    method: "boschloo",
  };
}

/** One-sided p: that the second has so much more, and so much less. */
export function boschlooTails(counts: TwoCounts): { readonly more: number; readonly less: number } {
  const [more, less] = [counts, mirror(counts)].map((own) => largestChance(stepsOfTest(own), 0)) as [number, number];
  return { more, less };
}

const mirror = ({ successes: [x1, x2], trials }: TwoCounts): TwoCounts => ({
  successes: [trials[0] - x1, trials[1] - x2],
  trials,
});

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

function stepsOfTest({ successes: [x1, x2], trials: [n1, n2] }: TwoCounts): Staircase {
  return stepsAt(fisherTail(x1, x2, n1, n2), n1, n2);
}

/** All tables with T ≤ level; T falls with x₂ and rises with x₁. */
function stepsAt(level: number, n1: number, n2: number, tail = fisherTail): Staircase {
  const first = new Int32Array(n1 + 1);
  let at = 0;
  for (let x1 = 0; x1 <= n1; x1++) {
    while (at <= n2 && tail(x1, at, n1, n2) > level * (1 + EQUAL)) at++;
    first[x1] = at;
  }
  return { first, n1, n2 };
}

/** The tables in which the second has significantly more than the first, two-sided at alpha: those up to the largest level of Fisher's p that
 *  keeps α/2. Fisher's own level always does. */
export function boschlooSteps(n1: number, n2: number, alpha: number): Staircase {
  const key = `${n1} ${n2} ${alpha}`;
  const found = recent.get(key) ?? findSteps(n1, n2, alpha);
  // a search for an effect asks for the same sizes again and again
  if (recent.size >= MOST_RECENT) recent.clear();
  recent.set(key, found);
  return found;
}
const recent = new Map<string, Staircase>();
const MOST_RECENT = 8;

function findSteps(n1: number, n2: number, alpha: number): Staircase {
  const limit = alpha / 2;
  const known = new Map<number, number>();
  const tail = (x1: number, x2: number): number => {
    const key = x1 * (n2 + 1) + x2;
    const own = known.get(key) ?? fisherTail(x1, x2, n1, n2);
    known.set(key, own);
    return own;
  };
  const laws: Laws = new Map();
  const keeps = (own: Staircase): boolean => Math.max(...heightsOf(own, 0, laws).heights) <= limit;
  let [low, high] = [limit, Math.min(1, MOST_RAISED * limit)];
  let best = stepsAt(low, n1, n2, tail);
  // the grid's points are the same for every level; between them p is searched at the end
  for (let step = 0; step < LEVELS; step++) {
    const middle = (low + high) / 2;
    const own = stepsAt(middle, n1, n2, tail);
    if (keeps(own)) [low, best] = [middle, own];
    else high = middle;
  }
  while (low - limit > EQUAL * limit && largestChance(best, 0) > limit) {
    low = limit + (low - limit) * BACK;
    best = stepsAt(low, n1, n2, tail);
  }
  return best;
}
const LEVELS = 20;
/** Share of its raise that a level keeps, where the search between the points finds more. */
const BACK = 0.999;
/** Fisher's level is raised by less than this. */
const MOST_RAISED = 20;

interface Heights {
  readonly at: (k: number) => number;
  readonly heights: Float64Array;
}

/** P(table at least as far out | p₁, p₁ + Δ) on a grid that is finer towards the ends. */
function heightsOf(steps: Staircase, delta: number, laws?: Laws): Heights {
  const [from, to] = [Math.max(0, -delta), Math.min(1, 1 - delta)];
  const at = (k: number): number => from + (to - from) * Math.sin((Math.PI / 2) * (k / GRID)) ** 2;
  return { at, heights: Float64Array.from({ length: GRID + 1 }, (_, k) => chance(steps, at(k), { delta, laws })) };
}

/** Its sup over p₁. */
function largestChance(steps: Staircase, delta: number): number {
  const { at, heights } = heightsOf(steps, delta);
  const peaks = [...heights.keys()]
    .filter((k) => heights[k]! >= (heights[k - 1] ?? 0) && heights[k]! >= (heights[k + 1] ?? 0))
    .sort((j, k) => heights[k]! - heights[j]!)
    .slice(0, PEAKS);
  return peaks.reduce(
    (best, k) => {
      const [low, high] = [at(Math.max(0, k - 1)), at(Math.min(GRID, k + 1))];
      return Math.max(best, -minimizeBrent((p) => -chance(steps, p, { delta }), low, high, PEAK).value);
    },
    Math.max(...heights),
  );
}

/** What p₁ alone decides, kept where several staircases meet the same p₁. */
type Laws = Map<number, Law>;
interface Law {
  readonly one: Weights;
  /** P(X₂ ≥ from + k). */
  readonly two: Weights;
}

interface Under {
  readonly delta: number;
  readonly laws?: Laws | undefined;
}

/** P(X₂ ≥ first[X₁]) of two independent binomials. */
function chance({ first, n1, n2 }: Staircase, p1: number, { delta, laws }: Under): number {
  const law = laws?.get(p1) ?? { one: weights(n1, p1), two: tailsOf(weights(n2, p1 + delta)) };
  laws?.set(p1, law);
  const { one, two } = law;
  let sum = 0;
  for (let k = 0; k < one.values.length; k++) {
    const from = Math.max(0, first[one.from + k]! - two.from);
    if (from < two.values.length) sum += one.values[k]! * two.values[from]!;
  }
  return sum / (one.total * two.total);
}

/** From the largest count down. */
function tailsOf({ from, values, total }: Weights): Weights {
  const tails = Float64Array.from(values);
  for (let k = tails.length - 2; k >= 0; k--) tails[k]! += tails[k + 1]!;
  return { from, values: tails, total };
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
  const reach = Math.ceil(REACH * Math.sqrt(n * p * (1 - p)) + REACH ** 2);
  const [from, to] = [Math.max(0, mode - reach), Math.min(n, mode + reach)];
  const values = new Float64Array(to - from + 1);
  values[mode - from] = 1;
  for (let k = mode; k < to; k++) values[k + 1 - from] = (values[k - from]! * (n - k) * odds) / (k + 1);
  for (let k = mode; k > from; k--) values[k - 1 - from] = (values[k - from]! * k) / ((n - k + 1) * odds);
  return { from, values, total: values.reduce((sum, w) => sum + w, 0) };
}

/** The Δ below which the second having so much more is rejected; 0 lies where the test puts it. */
function lowerEnd(
  counts: TwoCounts,
  { tail, rejected }: { readonly tail: number; readonly rejected: boolean },
): number {
  const { successes, trials } = counts;
  const difference = successes[1] / trials[1] - successes[0] / trials[0];
  let [low, high] = rejected ? [Number.MIN_VALUE, difference] : [-1, Math.min(0, difference)];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (largestChance(stepsByScore(counts, middle), middle) <= tail) low = middle;
    else high = middle;
  }
  return low;
}

/** All tables whose z(Δ) is at least the observed one. */
function stepsByScore(counts: TwoCounts, delta: number): Staircase {
  const [n1, n2] = counts.trials;
  const observed = scoreOf(counts, delta);
  const limit = observed - EQUAL * (1 + Math.abs(observed));
  const first = new Int32Array(n1 + 1);
  let at = 0;
  for (let x1 = 0; x1 <= n1; x1++) {
    while (at <= n2 && scoreOf({ successes: [x1, at], trials: counts.trials }, delta) < limit) at++;
    first[x1] = at;
  }
  return { first, n1, n2 };
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

/** The p₂ that maximizes the likelihood is the root of a cubic in closed form. */
function scoreOf({ successes: [x1, x2], trials: [n1, n2] }: TwoCounts, delta: number): number {
  const [p1, p2, ratio] = [x1 / n1, x2 / n2, n1 / n2];
  const apart = p2 - p1 - delta;
  if (apart === 0) return 0;
  const a = 1 + ratio;
  const b = -(1 + ratio + p2 + ratio * p1 + delta * (ratio + 2));
  const c = delta * delta + delta * (2 * p2 + ratio + 1) + p2 + ratio * p1;
  const d = -p2 * delta * (1 + delta);
  const v = (b / (3 * a)) ** 3 - (b * c) / (6 * a * a) + d / (2 * a);
  const u = (v < 0 ? -1 : 1) * Math.sqrt(Math.max(0, (b / (3 * a)) ** 2 - c / (3 * a)));
  const w = (Math.PI + Math.acos(Math.max(-1, Math.min(1, u === 0 ? 0 : v / u ** 3)))) / 3;
  const r = Math.max(0, delta, Math.min(1, 1 + delta, 2 * u * Math.cos(w) - b / (3 * a)));
  const q = r - delta;
  return apart / Math.sqrt(Math.max(LEAST_VARIANCE, (q * (1 - q)) / n1 + (r * (1 - r)) / n2));
}
const LEAST_VARIANCE = 1e-15;
