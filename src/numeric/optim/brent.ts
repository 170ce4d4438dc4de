/** One variable: roots and minima of a continuous function on an interval, and the first integer with a property.
 *  Reference: Brent (1973), Algorithms for Minimization without Derivatives, ch. 4 (root) and ch. 5 (minimum).
 *  Oracle:    closed forms.
 *  Limits:    `findRoot` needs a change of sign; `minimizeBrent` finds a local minimum, the global one if f is unimodal. */

export interface Root {
  /** NaN when the ends do not bracket a root or f returned NaN. */
  readonly root: number;
  readonly value: number;
  readonly evaluations: number;
  readonly converged: boolean;
}

export interface RootOptions {
  /** Absolute accuracy wanted in x; 0 asks for all a double can hold. */
  readonly tolerance?: number | undefined;
  readonly maxEvaluations?: number | undefined;
}

export interface Bracket {
  readonly lo: number;
  readonly hi: number;
  /** Whether f changes sign on [lo, hi]. */
  readonly found: boolean;
  readonly evaluations: number;
}

export interface ScalarMinimum {
  readonly x: number;
  readonly value: number;
  readonly evaluations: number;
  readonly converged: boolean;
}

/** In practice about ten; a root at 0 with an ill-natured f can need one halving per binary exponent, 2100 in all. */
const MAX_ROOT_EVALUATIONS = 3000;
const MAX_MINIMUM_EVALUATIONS = 500;
const MAX_EXPANSIONS = 200;
/** (3 - √5)/2, the golden section. */
const GOLDEN = 0.3819660112501051;
/** f is flat to rounding within about √ε of its minimum: no smaller interval can be distinguished. */
const MINIMUM_TOLERANCE = 1.5e-8;

export function findRoot(f: (x: number) => number, lo: number, hi: number, options: RootOptions = {}): Root {
  const tolerance = options.tolerance ?? 0;
  let b = hi;
  let fb = f(b);
  let a = lo; // the previous iterate
  let fa = f(a);
  let evaluations = 2;
  if (fa === 0) return { root: a, value: 0, evaluations, converged: true };
  if (fb === 0) return { root: b, value: 0, evaluations, converged: true };
  if (!isOpposite(fa, fb)) return { root: Number.NaN, value: Number.NaN, evaluations, converged: false };
  let c = a; // [b, c] holds the root, b being the better end
  let fc = fa;
  let last = b - a;
  let lastButOne = last;
  while (true) {
    if (Math.abs(fc) < Math.abs(fb)) {
      [a, b, c] = [b, c, b];
      [fa, fb, fc] = [fb, fc, fb];
    }
    const slack = 2 * Number.EPSILON * Math.abs(b) + 0.5 * tolerance;
    const half = 0.5 * (c - b);
    if (Math.abs(half) <= slack || fb === 0) return { root: b, value: fb, evaluations, converged: true };
    const spent = evaluations >= (options.maxEvaluations ?? MAX_ROOT_EVALUATIONS);
    if (spent || Number.isNaN(fb)) return { root: spent ? b : Number.NaN, value: fb, evaluations, converged: false };
    const jump =
      Math.abs(lastButOne) >= slack && Math.abs(fa) > Math.abs(fb) ? interpolateRoot(a, fa, b, fb, c, fc) : Number.NaN;
    // Interpolation must stay well inside and shrink faster than bisection would over two steps.
    const usable =
      jump * half > 0 &&
      Math.abs(jump) < 1.5 * Math.abs(half) - 0.5 * slack &&
      Math.abs(jump) < 0.5 * Math.abs(lastButOne);
    lastButOne = usable ? last : half;
    last = usable ? jump : half;
    a = b;
    fa = fb;
    b += Math.abs(last) > slack ? last : Math.sign(half) * slack;
    fb = f(b);
    evaluations++;
    if (Math.sign(fb) === Math.sign(fc)) {
      c = a;
      fc = fa;
      last = lastButOne = b - a;
    }
  }
}

/** One value negative, the other positive; their product might underflow. */
function isOpposite(fa: number, fb: number): boolean {
  return (fa < 0 && fb > 0) || (fa > 0 && fb < 0);
}

/** Step from b to the root of the line through two distinct points or the inverse parabola through three. */
function interpolateRoot(a: number, fa: number, b: number, fb: number, c: number, fc: number): number {
  if (a === c || fa === fc) return (b - a) * (-fb / (fb - fa));
  // as ratios: products of small values would underflow
  const toA = (a - b) * (fb / (fa - fb)) * (fc / (fa - fc));
  const toC = (c - b) * (fa / (fc - fa)) * (fb / (fc - fb));
  return toA + toC;
}

/** Grows [lo, hi] geometrically, within [lowest, highest], until f changes sign on it. */
export function expandBracket(
  f: (x: number) => number,
  lo: number,
  hi: number,
  options: { lowest?: number; highest?: number } = {},
): Bracket {
  const lowest = options.lowest ?? Number.NEGATIVE_INFINITY;
  const highest = options.highest ?? Number.POSITIVE_INFINITY;
  let fLo = f(lo);
  let fHi = f(hi);
  let evaluations = 2;
  for (let k = 0; k < MAX_EXPANSIONS; k++) {
    if (fLo === 0 || fHi === 0 || isOpposite(fLo, fHi)) return { lo, hi, found: true, evaluations };
    const canLow = lo > lowest;
    const canHigh = hi < highest;
    if ((!canLow && !canHigh) || Number.isNaN(fLo) || Number.isNaN(fHi)) break;
    const width = hi - lo;
    evaluations++;
    // The end nearer to zero is likelier to be on the way to the root; keep the interval one-sided and short.
    if (canLow && (!canHigh || Math.abs(fLo) < Math.abs(fHi))) {
      hi = lo;
      fHi = fLo;
      lo = Math.max(lowest, lo - 2 * width);
      fLo = f(lo);
    } else {
      lo = hi;
      fLo = fHi;
      hi = Math.min(highest, hi + 2 * width);
      fHi = f(hi);
    }
    if (!Number.isFinite(lo) || !Number.isFinite(hi)) break;
  }
  return { lo, hi, found: false, evaluations };
}

/** Minimum of f on [lo, hi], the ends included. `tolerance` is relative to max(1, |x|). */
export function minimizeBrent(
  f: (x: number) => number,
  lo: number,
  hi: number,
  options: { tolerance?: number; maxEvaluations?: number } = {},
): ScalarMinimum {
  const budget = options.maxEvaluations ?? MAX_MINIMUM_EVALUATIONS;
  const finite = (v: number) => (Number.isNaN(v) ? Number.POSITIVE_INFINITY : v);
  let left = lo;
  let right = hi;
  let x = lo + GOLDEN * (hi - lo); // best
  let second = x;
  let third = x;
  let fx = finite(f(x));
  let fSecond = fx;
  let fThird = fx;
  let evaluations = 1;
  let last = 0;
  let lastButOne = 0;
  let converged = false;
  while (evaluations < budget) {
    const middle = 0.5 * (left + right);
    const slack = (options.tolerance ?? MINIMUM_TOLERANCE) * Math.max(1, Math.abs(x));
    if (Math.abs(x - middle) + 0.5 * (right - left) <= 2 * slack) {
      converged = true;
      break;
    }
    let jump = Math.abs(lastButOne) > slack ? vertexOf(x, fx, second, fSecond, third, fThird) : Number.NaN;
    const usable = Math.abs(jump) < 0.5 * Math.abs(lastButOne) && x + jump > left && x + jump < right;
    if (usable) {
      lastButOne = last;
      const nearEnd = x + jump - left < 2 * slack || right - x - jump < 2 * slack;
      if (nearEnd) jump = x < middle ? slack : -slack;
    } else {
      lastButOne = (x < middle ? right : left) - x;
      jump = GOLDEN * lastButOne;
    }
    last = jump;
    const u = x + (Math.abs(jump) >= slack ? jump : Math.sign(jump) * slack);
    const fu = finite(f(u));
    evaluations++;
    if (fu <= fx) {
      if (u < x) right = x;
      else left = x;
      [third, second, x] = [second, x, u];
      [fThird, fSecond, fx] = [fSecond, fx, fu];
    } else {
      if (u < x) left = u;
      else right = u;
      if (fu <= fSecond || second === x) {
        [third, second] = [second, u];
        [fThird, fSecond] = [fSecond, fu];
      } else if (fu <= fThird || third === x || third === second) {
        third = u;
        fThird = fu;
      }
    }
  }
  const inner = { x, value: fx, evaluations, converged };
  return compareEnds(inner, [lo, hi], finite(f(lo)), finite(f(hi)));
}

/** The search never touches the ends; a minimum there deserves its exact place. */
function compareEnds(inner: ScalarMinimum, ends: readonly [number, number], atLo: number, atHi: number): ScalarMinimum {
  const lowest = Math.min(atLo, atHi);
  const atEnd = lowest <= inner.value;
  const value = atEnd ? lowest : inner.value;
  return {
    x: atEnd ? (atLo <= atHi ? ends[0] : ends[1]) : inner.x,
    value,
    evaluations: inner.evaluations + 2,
    converged: inner.converged && Number.isFinite(value),
  };
}

/** Step from x to the vertex of the parabola through three points; NaN or infinite when there is none. */
function vertexOf(x: number, fx: number, w: number, fw: number, v: number, fv: number): number {
  const r = (x - w) * (fx - fv);
  const q = (x - v) * (fx - fw);
  return -0.5 * (((x - v) * q - (x - w) * r) / (q - r));
}

/** Smallest integer n in [lo, hi] with predicate(n), for a predicate that stays true once it is; NaN when none.
 *  With hi = Infinity the range is found by doubling. */
export function findFirst(lo: number, hi: number, predicate: (n: number) => boolean): number {
  if (lo > hi) return Number.NaN;
  let failed = Math.ceil(lo) - 1;
  let passed = Math.min(Math.floor(hi), Math.ceil(lo));
  if (hi === Number.POSITIVE_INFINITY) {
    for (let reach = 1; !predicate(passed); reach *= 2) {
      failed = passed;
      if (passed >= Number.MAX_SAFE_INTEGER) return Number.NaN;
      passed = Math.min(Number.MAX_SAFE_INTEGER, passed + reach);
    }
  } else {
    passed = Math.floor(hi);
    if (passed <= failed || !predicate(passed)) return Number.NaN;
  }
  while (passed - failed > 1) {
    const middle = failed + Math.floor((passed - failed) / 2);
    if (predicate(middle)) passed = middle;
    else failed = middle;
  }
  return passed;
}
