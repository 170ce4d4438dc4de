/** Range W of k independent standard normals:
 *     P(W <= w) = k ∫ φ(z) (Φ(z) - Φ(z - w))^{k-1} dz,
 *     P(W >  w) = k ∫ φ(z) (Φ(z)^{k-1} - (Φ(z) - Φ(z - w))^{k-1}) dz,      since k ∫ φ Φ^{k-1} = 1.
 *  Both integrands are positive and smooth, so trapezoid sums converge geometrically; the difference of powers in the second
 *  is built by repeated squaring from A - C = Φ(z - w) and never subtracted, which gives the upper tail full relative accuracy.
 *  Logarithms are returned, since neither tail is bounded away from underflow: P(W <= w) is of the order of w^{k-1}.
 *  Reference: Hartley (1942), Biometrika 32, 334-348 (first integral); Trefethen & Weideman (2014), SIAM Review 56 (the rule).
 *  Oracle:    see studentized-range.ts. */

import { erfcx } from "../special/erf.ts";
import { normalLogCdf, normalPdf, normalSf } from "./normal.ts";

/** The grid of z holds φ, Φ and log Φ at multiples of 1/32; below -12 and 15 beyond the largest w/2 = 15 nothing reaches
 *  double precision. */
const GRID = 32;
const GRID_LOW = -12 * GRID;
const GRID_HIGH = 30 * GRID;
const PDF = new Float64Array(GRID_HIGH - GRID_LOW + 1);
const CDF = new Float64Array(GRID_HIGH - GRID_LOW + 1);
const LOG_CDF = new Float64Array(GRID_HIGH - GRID_LOW + 1);
for (let i = GRID_LOW; i <= GRID_HIGH; i++) {
  PDF[i - GRID_LOW] = normalPdf(i / GRID);
  CDF[i - GRID_LOW] = normalSf(-i / GRID);
  LOG_CDF[i - GRID_LOW] = normalLogCdf(i / GRID);
}

const NEGLIGIBLE = 1e-18;
/** Up to this k repeated squaring has 13 digits; beyond, the rounding of Φ times k would show, and logarithms are taken. */
const POWERS_TO = 200;
/** From here the largest and the smallest value alone decide: what three or more far values add is below e^{-75} of it. */
const TWO_POINT_FROM = 30;
const TWO_POINT_STEP = 0.5;
const SQRT_HALF_PI = 1.2533141373155003;
const LOG_TWO_PI = 1.8378770664093456;
/** Trapezoid step of the lower tail in units of the width of its integrand; error below 1e-13 by comparison of steps. */
const LOWER_STEP = 0.45;
/** Below this (Φ(w/2) - Φ(-w/2))^{k-1} the lower tail, then at most 0.22, is summed itself and the upper one is its complement;
 *  above it the complement of the upper tail loses one digit at most. */
const LOG_DIRECT_BELOW = Math.log(0.1);
/** From here Φ(x + w/2) - Φ(x - w/2) as a difference has 14 digits; below, its Taylor series in w has 16 with six terms. */
const TAYLOR_BELOW = 0.1;
const TAYLOR_TERMS = 6;

/** Step of the upper tail in grid units: Φ^{k-1} φ narrows with k. Errors below 1e-13 by comparison of steps. */
function upperStride(k: number): number {
  if (k === 2) return GRID / 2;
  if (k <= 16) return GRID / 4;
  if (k <= POWERS_TO) return GRID / 8;
  return k <= 1e4 ? GRID / 16 : 1;
}

/** A^m - C^m for A - C = B, by doubling:  A^{2j} - C^{2j} = (A^j - C^j)(A^j + C^j). */
function differenceOfPowers(A: number, B: number, m: number): number {
  const C = A - B;
  let Aj = A;
  let Cj = C;
  let difference = B;
  for (let bit = 1 << (30 - Math.clz32(m)); bit > 0; bit >>= 1) {
    difference *= Aj + Cj;
    Aj *= Aj;
    Cj *= Cj;
    if (m & bit) {
      difference = difference * A + Cj * B;
      Aj *= A;
      Cj *= C;
    }
  }
  return difference;
}

/** A^m - C^m from log A, with (C/A)^m = e^{m log(1 - B/A)}. */
function differenceOfLargePowers(logA: number, A: number, B: number, m: number): number {
  return -Math.exp(m * logA) * Math.expm1(m * Math.log1p(-Math.min(1, B / A)));
}

/** log P(W > w). */
export function normalRangeLogSf(w: number, k: number): number {
  if (w <= 0) return 0;
  if (k > POWERS_TO) {
    // the terms near w/2, where the sum below starts, would underflow
    const central = logCentralMass(0, w);
    if ((k - 1) * central < LOG_DIRECT_BELOW) return Math.log1p(-Math.exp(logLowerTail(w, k, central)));
  }
  return w < TWO_POINT_FROM ? Math.log(upperTail(w, k)) : logTwoPointTail(w, k);
}

/** Both tails over w for one k, cheap to call many times. */
export interface RangeTails {
  /** log P(W > w). */
  logSf(w: number): number;
  /** log P(W <= w). */
  logCdf(w: number): number;
}

/** Chebyshev interpolants of log P(W > w) + w²/4 and of log P(W <= w) - (k - 1) log w, which are smooth, in pieces of width 1 that are
 *  made when they are first met. Within 1e-13 of the sums. */
export function normalRangeTails(k: number): RangeTails {
  const exact = { logSf: (w: number) => normalRangeLogSf(w, k), logCdf: (w: number) => normalRangeLogCdf(w, k) };
  if (k > POWERS_TO) return exact;
  const known = TAILS.get(k);
  if (known !== undefined) return known;
  const upper = interpolate((w) => exact.logSf(w) + 0.25 * w * w);
  const lower = interpolate((w) => exact.logCdf(w) - (k - 1) * Math.log(w));
  const isInside = (w: number): boolean => w > 0 && w < TWO_POINT_FROM;
  const tails = {
    logSf: (w: number) => (isInside(w) ? upper(w) - 0.25 * w * w : exact.logSf(w)),
    logCdf: (w: number) => (isInside(w) ? Math.min(0, lower(w) + (k - 1) * Math.log(w)) : exact.logCdf(w)),
  };
  TAILS.set(k, tails);
  return tails;
}

/** By k, at most 200 of them and 10 kB each. */
const TAILS = new Map<number, RangeTails>();
/** Nodes of a piece: enough for k = 200, where the functions bend most, to 1e-13 by comparison. */
const NODES = 20;

function interpolate(f: (w: number) => number): (w: number) => number {
  const pieces = new Array<Float64Array | undefined>(TWO_POINT_FROM);
  return (w) => {
    const from = Math.floor(w);
    pieces[from] ??= chebyshevCoefficients((x) => f(from + 0.5 * (1 + x)));
    return sumChebyshev(pieces[from], 2 * (w - from) - 1);
  };
}

/** Of f on [-1, 1]. */
function chebyshevCoefficients(f: (x: number) => number): Float64Array {
  const values = Array.from({ length: NODES }, (_, j) => f(Math.cos((Math.PI * (j + 0.5)) / NODES)));
  return Float64Array.from({ length: NODES }, (_, m) => {
    const sum = values.reduce((total, v, j) => total + v * Math.cos((Math.PI * m * (j + 0.5)) / NODES), 0);
    return ((m === 0 ? 1 : 2) * sum) / NODES;
  });
}

/** Σ c_m T_m(x) by Clenshaw's recurrence. */
function sumChebyshev(c: Float64Array, x: number): number {
  let one = 0;
  let two = 0;
  for (let m = NODES - 1; m >= 1; m--) {
    const next = 2 * x * one - two + c[m]!;
    two = one;
    one = next;
  }
  return x * one - two + c[0]!;
}

function upperTail(w: number, k: number): number {
  const m = k - 1;
  const stride = upperStride(k);
  const start = stride * Math.round((0.5 * w * GRID) / stride);
  const termAt = (i: number) => {
    const A = CDF[i - GRID_LOW]!;
    const B = normalSf(w - i / GRID);
    const difference =
      k <= POWERS_TO ? differenceOfPowers(A, B, m) : differenceOfLargePowers(LOG_CDF[i - GRID_LOW]!, A, B, m);
    return PDF[i - GRID_LOW]! * difference;
  };
  let sum = 0;
  let term = 1;
  for (let i = start; i <= GRID_HIGH && term > NEGLIGIBLE * sum; i += stride) sum += term = termAt(i);
  term = 1;
  for (let i = start - stride; i >= GRID_LOW && term > NEGLIGIBLE * sum; i -= stride) sum += term = termAt(i);
  return Math.min(1, (k * stride * sum) / GRID);
}

/** k (k-1) ∫ φ(z) Φ(z - w) dz, the largest and the smallest value only, in z = w/2 + x with e^{-w²/4} taken out:
 *  φ(z) Φ(z - w) = e^{-w²/4 - x²} M(w/2 - x) / 2π,  M = (1 - Φ)/φ. */
function logTwoPointTail(w: number, k: number): number {
  let sum = 0;
  for (let x = -7; x <= 7; x += TWO_POINT_STEP) sum += Math.exp(-x * x) * millsRatio(0.5 * w - x);
  return Math.log(k * (k - 1) * TWO_POINT_STEP * sum) - LOG_TWO_PI - 0.25 * w * w;
}

function millsRatio(x: number): number {
  return SQRT_HALF_PI * erfcx(x * Math.SQRT1_2);
}

/** log P(W <= w). */
export function normalRangeLogCdf(w: number, k: number): number {
  if (w <= 0) return Number.NEGATIVE_INFINITY;
  const central = logCentralMass(0, w);
  if ((k - 1) * central < LOG_DIRECT_BELOW) return logLowerTail(w, k, central);
  return Math.log1p(-Math.exp(normalRangeLogSf(w, k)));
}

/** The first integral over x = z - w/2, where it is even:  k ∫_0^∞ (φ(x - w/2) + φ(x + w/2)) (Φ(x + w/2) - Φ(x - w/2))^{k-1} dx. */
function logLowerTail(w: number, k: number, logCentral: number): number {
  const m = k - 1;
  // minus the second derivative of the logarithm of the integrand at 0
  const precision = (m * w * normalPdf(0.5 * w)) / Math.exp(logCentral) + 1 - 0.25 * w * w;
  const step = LOWER_STEP / Math.sqrt(Math.max(1, precision));
  let sum = normalPdf(0.5 * w);
  let term = 1;
  for (let x = step; term > NEGLIGIBLE * sum; x += step) {
    const power = Math.exp(m * (logCentralMass(x, w) - logCentral));
    term = (normalPdf(x - 0.5 * w) + normalPdf(x + 0.5 * w)) * power;
    sum += term;
  }
  return Math.min(0, Math.log(k * step * sum) + m * logCentral);
}

/** log(Φ(x + w/2) - Φ(x - w/2)), x >= 0, from its complement where that is small: it is multiplied by k. */
function logCentralMass(x: number, w: number): number {
  if (w <= TAYLOR_BELOW) return Math.log(smallCentralMass(x, w));
  const outside = normalSf(0.5 * w - x) + normalSf(0.5 * w + x);
  return outside < 0.5 ? Math.log1p(-outside) : Math.log(normalSf(x - 0.5 * w) - normalSf(x + 0.5 * w));
}

function smallCentralMass(x: number, w: number): number {
  // w φ(x) Σ He_{2j}(x) (w/2)^{2j} / (2j + 1)!
  let even = 1;
  let odd = x;
  let power = 1;
  let sum = 1;
  for (let j = 1; j < TAYLOR_TERMS; j++) {
    even = x * odd - (2 * j - 1) * even;
    odd = x * even - 2 * j * odd;
    power *= (0.25 * w * w) / (2 * j * (2 * j + 1));
    sum += even * power;
  }
  return w * normalPdf(x) * sum;
}
