/** Integrals of a function over a finite or infinite interval.
 *  `integrate`: globally adaptive Gauss-Kronrod, 10 and 21 points, for integrands that are smooth piece by piece.
 *  `integrateDoubleExponential`: one substitution and the trapezoidal rule, for integrands that are analytic inside
 *  but singular, or decaying slowly, at the ends.
 *  Reference: Piessens, de Doncker, Überhuber & Kahaner (1983), QUADPACK (error estimate, strategy);
 *             Takahasi & Mori (1974), Publ. RIMS 9, 721-741 (double exponential).
 *  Oracle:    closed forms; Kronrod nodes and weights from mpmath, oracle/mpmath/gauss.json.
 *  Limits:    the error is an estimate. Features narrower than the spacing of the first points can be missed. */

export interface Integral {
  readonly value: number;
  /** Estimated absolute error. */
  readonly error: number;
  readonly evaluations: number;
  readonly converged: boolean;
}

export interface IntegrateOptions {
  readonly relativeTolerance?: number | undefined;
  readonly absoluteTolerance?: number | undefined;
  /** Subintervals at most (Gauss-Kronrod) or halvings of the step at most (double exponential). */
  readonly limit?: number | undefined;
}

const RELATIVE_TOLERANCE = 1e-10;
/** Below this multiple of ∫|f| an error is rounding, and no bisection will lower it. */
const ROUNDING = 50 * Number.EPSILON;
/** Rounding of the 21-term sums themselves, relative to ∫|f|: no error estimate may promise less. */
const SUMMATION = 4 * Number.EPSILON;
const MAX_INTERVALS = 500;
const MAX_HALVINGS = 10;

/** Nonnegative nodes of the 21-point Kronrod rule; every second one, from the second, is a 10-point Gauss node. */
const KRONROD_NODES = [
  0, 0.14887433898163122, 0.2943928627014602, 0.4333953941292472, 0.5627571346686047, 0.6794095682990244,
  0.7808177265864169, 0.8650633666889845, 0.9301574913557082, 0.9739065285171717, 0.9956571630258081,
];
const KRONROD_WEIGHTS = [
  0.1494455540029169, 0.14773910490133849, 0.14277593857706009, 0.13470921731147334, 0.12349197626206584,
  0.10938715880229764, 0.0931254545836976, 0.07503967481091996, 0.054755896574351995, 0.032558162307964725,
  0.011694638867371874,
];
const GAUSS_WEIGHTS = [
  0.29552422471475287, 0.26926671930999635, 0.21908636251598204, 0.1494513491505806, 0.06667134430868814,
];

interface Piece {
  readonly lo: number;
  readonly hi: number;
  readonly value: number;
  readonly error: number;
  /** ∫|f| */
  readonly magnitude: number;
}

/** ∫ f from lo to hi by adaptive Gauss-Kronrod; either end may be infinite. */
export function integrate(f: (x: number) => number, lo: number, hi: number, options: IntegrateOptions = {}): Integral {
  if (Number.isNaN(lo) || Number.isNaN(hi))
    return { value: Number.NaN, error: Number.NaN, evaluations: 0, converged: false };
  if (lo === hi) return { value: 0, error: 0, evaluations: 0, converged: true };
  if (lo > hi) {
    const swapped = integrate(f, hi, lo, options);
    return { ...swapped, value: -swapped.value };
  }
  const { g, from, to } = toFinite(f, lo, hi);
  // Two halves at the start: the middle of the line is where integrands over it tend to have their mass.
  const middle = 0.5 * (from + to);
  const pieces: Piece[] = [applyKronrod(g, from, middle), applyKronrod(g, middle, to)];
  const limit = options.limit ?? MAX_INTERVALS;
  while (true) {
    const total = summarize(pieces);
    const wanted = Math.max(
      options.absoluteTolerance ?? 0,
      (options.relativeTolerance ?? RELATIVE_TOLERANCE) * Math.abs(total.value),
      ROUNDING * total.magnitude,
    );
    const evaluations = 21 * (2 * pieces.length - 2);
    if (total.error <= wanted && Number.isFinite(total.value))
      return { value: total.value, error: total.error, evaluations, converged: true };
    const worst = pieces[total.worst]!;
    const half = 0.5 * (worst.lo + worst.hi);
    const divisible = half > worst.lo && half < worst.hi && Number.isFinite(total.value);
    if (pieces.length >= limit || !divisible)
      return { value: total.value, error: total.error, evaluations, converged: false };
    pieces[total.worst] = applyKronrod(g, worst.lo, half);
    pieces.push(applyKronrod(g, half, worst.hi));
  }
}

/** The same integral over a finite interval: x = lo + t/(1 - t), or x = t/(1 - t²) on the whole line. */
function toFinite(f: (x: number) => number, lo: number, hi: number) {
  const lowFinite = Number.isFinite(lo);
  const highFinite = Number.isFinite(hi);
  if (lowFinite && highFinite) return { g: f, from: lo, to: hi };
  if (!lowFinite && !highFinite) {
    const g = (t: number) => {
      const gap = (1 - t) * (1 + t);
      return (f(t / gap) * (1 + t * t)) / (gap * gap);
    };
    return { g, from: -1, to: 1 };
  }
  const g = (t: number) => {
    const gap = 1 - t;
    const x = t / gap;
    return f(lowFinite ? lo + x : hi - x) / (gap * gap);
  };
  return { g, from: 0, to: 1 };
}

function summarize(pieces: readonly Piece[]) {
  let value = 0;
  let error = 0;
  let magnitude = 0;
  let worst = 0;
  for (let k = 0; k < pieces.length; k++) {
    const piece = pieces[k]!;
    value += piece.value;
    error += piece.error;
    magnitude += piece.magnitude;
    if (piece.error > pieces[worst]!.error) worst = k;
  }
  return { value, error, magnitude, worst };
}

function applyKronrod(f: (x: number) => number, lo: number, hi: number): Piece {
  const center = 0.5 * (lo + hi);
  const radius = 0.5 * (hi - lo);
  const samples = new Float64Array(21); // not shared: f may itself integrate
  const f0 = f(center);
  let kronrod = KRONROD_WEIGHTS[0]! * f0;
  let gauss = 0;
  let magnitude = KRONROD_WEIGHTS[0]! * Math.abs(f0);
  samples[0] = f0;
  for (let k = 1; k <= 10; k++) {
    const x = radius * KRONROD_NODES[k]!;
    const below = f(center - x);
    const above = f(center + x);
    samples[2 * k - 1] = below;
    samples[2 * k] = above;
    kronrod += KRONROD_WEIGHTS[k]! * (below + above);
    magnitude += KRONROD_WEIGHTS[k]! * (Math.abs(below) + Math.abs(above));
    if (k % 2 === 1) gauss += GAUSS_WEIGHTS[(k - 1) / 2]! * (below + above);
  }
  // ∫|f - mean| tells how far the difference of the two rules is from its worst case (QUADPACK's heuristic).
  const mean = 0.5 * kronrod;
  let variation = KRONROD_WEIGHTS[0]! * Math.abs(f0 - mean);
  for (let k = 1; k <= 10; k++)
    variation += KRONROD_WEIGHTS[k]! * (Math.abs(samples[2 * k - 1]! - mean) + Math.abs(samples[2 * k]! - mean));
  const difference = Math.abs(kronrod - gauss);
  const truncation = variation > 0 ? variation * Math.min(1, ((200 * difference) / variation) ** 1.5) : difference;
  const error = Math.max(truncation, SUMMATION * magnitude);
  return { lo, hi, value: radius * kronrod, error: radius * error, magnitude: radius * magnitude };
}

/** An integrand that may need its distance from the ends more exactly than x - lo and hi - x can give. */
export type EndpointIntegrand = (x: number, fromLo: number, fromHi: number) => number;

/** Beyond |t| = 6.1 all distances from the ends underflow. */
const FARTHEST = 6.1;

/** ∫ f from lo to hi by double-exponential substitution, then the trapezoidal rule with step 1, 1/2, 1/4, ...
 *  Values of f that are not finite count as zero near the ends, where the weights vanish; what they may hide, judged by the
 *  last finite term before them, is part of the error. */
export function integrateDoubleExponential(
  f: EndpointIntegrand,
  lo: number,
  hi: number,
  options: IntegrateOptions = {},
): Integral {
  if (lo === hi) return { value: 0, error: 0, evaluations: 0, converged: true };
  if (lo > hi) {
    const swapped = integrateDoubleExponential((x, fromLo, fromHi) => f(x, fromHi, fromLo), hi, lo, options);
    return { ...swapped, value: -swapped.value };
  }
  if (!(lo < hi)) return { value: Number.NaN, error: Number.NaN, evaluations: 0, converged: false };
  const raw = substitute(f, lo, hi);
  // the innermost t on either side where f is not finite
  let badBelow = Number.NEGATIVE_INFINITY;
  let badAbove = Number.POSITIVE_INFINITY;
  const term = (t: number): number => {
    const value = raw(t);
    if (Number.isFinite(value)) return value;
    if (t <= 0) badBelow = Math.max(badBelow, t);
    if (t >= 0) badAbove = Math.min(badAbove, t);
    return 0;
  };
  const hidden = (): number => {
    const below = Number.isFinite(badBelow) ? Math.abs(term(badBelow + step)) : 0;
    return below + (Number.isFinite(badAbove) ? Math.abs(term(badAbove - step)) : 0);
  };
  let step = 0.5;
  let evaluations = 0;
  let sum = 0;
  let magnitude = 0;
  const visit = (from: number, stride: number): void => {
    for (let t = from; t <= FARTHEST; t += stride) {
      const pair = t === 0 ? term(0) : term(t) + term(-t);
      evaluations += t === 0 ? 1 : 2;
      sum += pair;
      magnitude += Math.abs(pair);
    }
  };
  visit(0, step);
  if (badAbove === 0) return { value: Number.NaN, error: Number.NaN, evaluations, converged: false };
  let value = sum * step;
  let error = Number.POSITIVE_INFINITY;
  for (let halving = 0; halving < (options.limit ?? MAX_HALVINGS); halving++) {
    visit(0.5 * step, step);
    step *= 0.5;
    error = Math.abs(sum * step - value) + hidden() * step;
    value = sum * step;
    const wanted = Math.max(
      options.absoluteTolerance ?? 0,
      (options.relativeTolerance ?? RELATIVE_TOLERANCE) * Math.abs(value),
      ROUNDING * magnitude * step,
    );
    if (error <= wanted) return { value, error, evaluations, converged: true };
  }
  return { value, error, evaluations, converged: false };
}

/** t -> f(x(t)) x'(t) with, u = (π/2) sinh t:
 *  x = tanh u between finite ends, lo + exp u or hi - exp u on a half line, sinh u on the line. */
function substitute(f: EndpointIntegrand, lo: number, hi: number): (t: number) => number {
  const infinity = Number.POSITIVE_INFINITY;
  const halfPi = Math.PI / 2;
  if (Number.isFinite(lo) && Number.isFinite(hi)) {
    const width = hi - lo;
    return (t) => {
      // 1/(1 + exp 2|u|) is the distance from the nearer end, without cancellation.
      const e = Math.exp(-2 * halfPi * Math.sinh(Math.abs(t)));
      const near = (width * e) / (1 + e);
      const slope = (width * 2 * halfPi * Math.cosh(t) * e) / (1 + e) ** 2;
      if (slope === 0) return 0;
      return slope * (t < 0 ? f(lo + near, near, width - near) : f(hi - near, width - near, near));
    };
  }
  if (!Number.isFinite(lo) && !Number.isFinite(hi))
    return (t) => {
      const u = halfPi * Math.sinh(t);
      return f(Math.sinh(u), infinity, infinity) * halfPi * Math.cosh(t) * Math.cosh(u);
    };
  return (t) => {
    const distance = Math.exp(halfPi * Math.sinh(t));
    const slope = halfPi * Math.cosh(t) * distance;
    return slope * (Number.isFinite(lo) ? f(lo + distance, distance, infinity) : f(hi - distance, infinity, distance));
  };
}
