/** The kernel behind the incomplete beta ratio, and so behind beta, F, t and binomial tails.
 *
 *  betaTailInto(tail, a, b, x, y, lambda) takes x, y = 1 - x and lambda = a - (a + b) x = a y - b x as separate numbers,
 *  each accurate on its own: F and t know them without the cancellation that x alone would bring.
 *  Regions: min(a, b) <= 1: power series for log I while b x <= 2, else the continued fraction of the other tail;
 *  a, b > 1: Temme's uniform expansion near the mean of large shapes, else the continued fraction of the smaller tail.
 *  Reference: DiDonato & Morris (1992), ACM TOMS 18, 360-373: continued fraction eq. 9 and the power series; DLMF 8.17.
 *  Oracle:    mpmath, see special/beta.ts. */

import { logGamma, logGamma1p, logGammaCorrection, logGammaDelta } from "./gamma.ts";
import { log1pmx } from "./log.ts";
import { UNIFORM_MAX_ZETA, UNIFORM_MIN_SCALE, uniformBetaInto } from "./uniform-tail.ts";

const HALF_LOG_TWO_PI = 0.9189385332046728;
/** From here Stirling's remainder is exact to double precision. */
const STIRLING_FROM = 10;
/** The power series cancels by less than e² here; beyond, the continued fraction needs fewer than 50 terms. */
const SERIES_BX = 2;
const NEGLIGIBLE = 1e-17;
const CONVERGED = 2e-16;
/** The slowest corner (shapes just below the uniform expansion) takes about 100 terms. */
const MAX_TERMS = 5000;

/** Writes one tail of the beta(a, b) at x as [log scale, factor]; returns true when it is the lower one.
 *  Needs a, b > 0 and 0 < x, y < 1. */
export function betaTailInto(tail: Float64Array, a: number, b: number, x: number, y: number, lambda: number): boolean {
  if (a <= 1 || b <= 1) {
    if (x <= y) return smallShapeInto(tail, a, b, x, y, lambda);
    return !smallShapeInto(tail, b, a, y, x, -lambda);
  }
  if (lambda >= 0) return largeShapesInto(tail, a, b, x, y, lambda);
  return !largeShapesInto(tail, b, a, y, x, -lambda);
}

/** a or b is at most 1 and x <= 1/2. */
function smallShapeInto(tail: Float64Array, a: number, b: number, x: number, y: number, lambda: number): boolean {
  if (b * x <= SERIES_BX) {
    tail[0] = a * Math.log(x) + logBetaLeading(a, b) + Math.log1p(a * powerSeries(a, b, x));
    tail[1] = 1;
    return true;
  }
  tail[0] = logBetaKernel(b, a, y, x, -lambda);
  tail[1] = continuedFraction(b, a, y, x, -lambda);
  return false;
}

/** a, b > 1 and x at or below the mean. */
function largeShapesInto(tail: Float64Array, a: number, b: number, x: number, y: number, lambda: number): boolean {
  if (a >= UNIFORM_MIN_SCALE && b >= UNIFORM_MIN_SCALE) {
    const h = (a / (a + b)) * b;
    const exponent = betaExponent(a, b, x, y, lambda);
    if (h >= UNIFORM_MIN_SCALE && -2 * exponent <= UNIFORM_MAX_ZETA * UNIFORM_MAX_ZETA * h) {
      return uniformBetaInto(tail, a, b, exponent);
    }
  }
  tail[0] = logBetaKernel(a, b, x, y, lambda);
  tail[1] = continuedFraction(a, b, x, y, lambda);
  return true;
}

/** -log(a B(a, b)): log I_x(a, b) = a log x + this + O(x) as x → 0. Relative accuracy as a → 0. */
export function logBetaLeading(a: number, b: number): number {
  const last = a <= b ? LAST_ASCENDING : LAST_DESCENDING;
  if (last[0] !== a || last[1] !== b) {
    last[0] = a;
    last[1] = b;
    last[2] =
      a <= b || a < STIRLING_FROM
        ? logGammaDelta(b, a) - logGamma1p(a)
        : logGammaDelta(a, b) - logGamma(b) - Math.log(a);
  }
  return last[2]!;
}

/** a, b and the value of the last call with a <= b, and with a > b: an inversion asks for the same shapes at every step, and
 *  for both orders where its steps cross the mean. */
const LAST_ASCENDING = new Float64Array(3);
const LAST_DESCENDING = new Float64Array(3);

/** Σ_{n>=1} (1 - b)(2 - b) … (n - b) xⁿ / (n! (a + n)). */
function powerSeries(a: number, b: number, x: number): number {
  let term = 1;
  let sum = 0;
  for (let n = 1; n < MAX_TERMS; n++) {
    term *= ((n - b) / n) * x;
    const add = term / (a + n);
    sum += add;
    if (Math.abs(add) <= NEGLIGIBLE * Math.abs(sum)) break;
  }
  return sum;
}

/** a log(x/x₀) + b log(y/y₀) with x₀ = a/(a+b): both parts are negative once λ is split off, x/x₀ = 1 - λ/a. */
function betaExponent(a: number, b: number, x: number, y: number, lambda: number): number {
  const u = -lambda / a;
  const v = lambda / b;
  const left = u > -0.5 ? a * log1pmx(u) : a * Math.log((x / a) * (a + b)) + lambda;
  const right = v > -0.5 ? b * log1pmx(v) : b * Math.log((y / b) * (a + b)) - lambda;
  return left + right;
}

/** log of x^a y^b / B(a, b), the density in logit x. */
export function logBetaKernel(a: number, b: number, x: number, y: number, lambda: number): number {
  if (a >= STIRLING_FROM && b >= STIRLING_FROM) {
    const correction = logGammaCorrection(a) + logGammaCorrection(b) - logGammaCorrection(a + b);
    return betaExponent(a, b, x, y, lambda) + 0.5 * Math.log((a / (a + b)) * b) - HALF_LOG_TWO_PI - correction;
  }
  const logX = x <= 0.5 ? Math.log(x) : Math.log1p(-y);
  const logY = y <= 0.5 ? Math.log(y) : Math.log1p(-x);
  const inverseB = a <= b ? logGammaDelta(b, a) - logGamma(a) : logGammaDelta(a, b) - logGamma(b);
  return a * logX + b * logY + inverseB;
}

/** I_x(a, b) B(a, b) / (x^a y^b) for x at or below the mean: the even part of the continued fraction,
 *  1/(β₁ + α₂/(β₂ + …)), by Lentz's recurrence. All βₙ are positive because λ >= 0. */
function continuedFraction(a: number, b: number, x: number, y: number, lambda: number): number {
  let beta = (a / (a + 1)) * (lambda + 1);
  let c = Number.POSITIVE_INFINITY;
  let d = 1 / beta;
  let value = d;
  for (let n = 1; n < MAX_TERMS; n++) {
    const m = a + 2 * n;
    const w = n * (b - n);
    // either shape may be enormous: each factor stays within range
    const alpha = ((a + n - 1) / (m - 1)) * (((a + b + n - 1) / (m - 1)) * x) * (w * x);
    beta = n + (w * x) / (m - 1) + ((a + n) / (m + 1)) * (lambda + 1 + n * (1 + y));
    d = 1 / (beta + alpha * d);
    c = beta + alpha / c;
    const ratio = c * d;
    value *= ratio;
    if (Math.abs(ratio - 1) < CONVERGED) break;
  }
  return value;
}
