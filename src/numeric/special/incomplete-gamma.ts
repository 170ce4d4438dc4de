/** Regularised incomplete gamma functions  P(a, x) = 1/Γ(a) ∫₀ˣ t^{a-1} e^{-t} dt  and  Q = 1 - P, with logarithms.
 *
 *  Regions: a <= 1, x <= 2: alternating series for log P, from which Q = -expm1(log P); a >= 20 near x = a: Temme's uniform
 *  expansion; x < a + 1: power series for P; otherwise Legendre's continued fraction for Q.
 *  The prefactor x^a e^{-x} is formed from a log1pmx(x/a - 1) for large a, never from large cancelling terms.
 *  Reference: Gautschi (1979), ACM TOMS 5, 466-481 (regions, small a); DLMF 8.7.1, 8.7.3, 8.9.2 (even part); Temme (1979),
 *             SIAM J. Math. Anal. 10, 757-766.
 *  Oracle:    mpmath, oracle/reference/distributions-core.json and oracle/python/distributions.json — 1e-12 relative in both
 *             tails for a from 1e-6 to 1e10 (typically 1e-14; e^{-700} leaves 1e-13). */

import { logGamma, logGamma1p, logGammaCorrection } from "./gamma.ts";
import { log1mexp, log1pmx } from "./log.ts";
import { normalQuantileOfLog } from "./normal-quantile.ts";
import { tailComplement, tailLog, tailLogComplement, tailValue } from "./tail.ts";
import { UNIFORM_MAX_ZETA, UNIFORM_MIN_SCALE, uniformGammaInto } from "./uniform-tail.ts";

const HALF_LOG_TWO_PI = 0.9189385332046728;
/** From here Stirling's remainder is exact to double precision. */
const STIRLING_FROM = 10;
/** The small-a series cancels by at most e² here. */
const SMALL_X = 2;
/** A term below this no longer moves the sum. */
const NEGLIGIBLE = 1e-17;
const CONVERGED = 2e-16;
/** Both expansions need fewer than 200 terms in their regions. */
const MAX_TERMS = 2000;

/** log of x^a e^{-x} / Γ(a), the density in log x. */
export function logGammaKernel(a: number, x: number): number {
  if (a < STIRLING_FROM) return a * Math.log(x) - x - logGamma(a);
  return gammaExponent(a, x) + 0.5 * Math.log(a) - HALF_LOG_TWO_PI - logGammaCorrection(a);
}

/** a (1 - λ + log λ), λ = x / a. */
function gammaExponent(a: number, x: number): number {
  const mu = (x - a) / a;
  return mu > -0.6 && mu < 1 ? a * log1pmx(mu) : a * Math.log(x / a) - (x - a);
}

/** Writes one tail as [log scale, factor]; returns true when it is the lower one. Needs a > 0, 0 < x < ∞. */
export function gammaTailInto(tail: Float64Array, a: number, x: number): boolean {
  if (a <= 1 && x <= SMALL_X) return smallShapeInto(tail, a, x);
  if (a >= UNIFORM_MIN_SCALE) {
    const exponent = gammaExponent(a, x);
    if (-2 * exponent <= UNIFORM_MAX_ZETA * UNIFORM_MAX_ZETA * a) return uniformGammaInto(tail, a, exponent, x > a);
  }
  tail[0] = logGammaKernel(a, x);
  if (x <= a + 1) {
    tail[1] = lowerSeries(a, x);
    return true;
  }
  tail[1] = upperFraction(a, x);
  return false;
}

/** log P = a log x - log Γ(a + 1) + log(1 + a Σ_{n>=1} (-x)ⁿ / (n! (a + n))). */
function smallShapeInto(tail: Float64Array, a: number, x: number): boolean {
  let term = 1;
  let sum = 0;
  for (let n = 1; n < MAX_TERMS; n++) {
    term *= -x / n;
    const add = term / (a + n);
    sum += add;
    if (Math.abs(add) < NEGLIGIBLE * Math.abs(sum)) break;
  }
  tail[0] = a * Math.log(x) - logGamma1p(a) + Math.log1p(a * sum);
  tail[1] = 1;
  return true;
}

/** P Γ(a) / (x^a e^{-x}) = Σ xⁿ / (a (a + 1) … (a + n)). */
function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let n = 1; n < MAX_TERMS; n++) {
    term *= x / (a + n);
    sum += term;
    if (term < NEGLIGIBLE * sum) break;
  }
  return sum;
}

/** Q Γ(a) / (x^a e^{-x}) = 1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - …))), by Lentz's recurrence. */
function upperFraction(a: number, x: number): number {
  let denominator = x + 1 - a;
  let d = 1 / denominator;
  let c = Number.POSITIVE_INFINITY;
  let value = d;
  for (let n = 1; n < MAX_TERMS; n++) {
    const alpha = n * (a - n);
    denominator += 2;
    d = 1 / (denominator + alpha * d);
    c = denominator + alpha / c;
    const ratio = c * d;
    value *= ratio;
    if (Math.abs(ratio - 1) < CONVERGED) break;
  }
  return value;
}

const TAIL = new Float64Array(2);

/** Arguments outside the interior: the lower tail there (0, 1 or NaN); undefined inside. */
function boundaryP(a: number, x: number): number | undefined {
  if (!(a >= 0) || Number.isNaN(x) || a === Number.POSITIVE_INFINITY) return Number.NaN;
  if (x <= 0) return 0;
  if (a === 0 || x === Number.POSITIVE_INFINITY) return 1;
  return undefined;
}

/** P(a, x), the lower tail. */
export function gammaP(a: number, x: number): number {
  const edge = boundaryP(a, x);
  if (edge !== undefined) return edge;
  return gammaTailInto(TAIL, a, x) ? tailValue(TAIL) : tailComplement(TAIL);
}

/** Q(a, x), the upper tail. */
export function gammaQ(a: number, x: number): number {
  const edge = boundaryP(a, x);
  if (edge !== undefined) return 1 - edge;
  return gammaTailInto(TAIL, a, x) ? tailComplement(TAIL) : tailValue(TAIL);
}

export function logGammaP(a: number, x: number): number {
  const edge = boundaryP(a, x);
  if (edge !== undefined) return Math.log(edge);
  return gammaTailInto(TAIL, a, x) ? tailLog(TAIL) : tailLogComplement(TAIL);
}

export function logGammaQ(a: number, x: number): number {
  const edge = boundaryP(a, x);
  if (edge !== undefined) return Math.log(1 - edge);
  return gammaTailInto(TAIL, a, x) ? tailLogComplement(TAIL) : tailLog(TAIL);
}

/** Which tail a probability belongs to, and whether its logarithm was given. */
export interface TailOptions {
  readonly lower?: boolean | undefined;
  readonly log?: boolean | undefined;
}

/** Once the logarithm of the tail is this close, one more Halley step (cubic) reaches full accuracy. */
const NEARLY_THERE = 1e-6;
/** Newton on a log-concave tail converges from anywhere; good starts need 2 to 4 steps. */
const MAX_STEPS = 100;
/** In log x, so that a start far below the root cannot be thrown into overflow. */
const LARGEST_STEP = 2;

/** The x with P(a, x) = p, or Q(a, x) = p with lower: false; with log: true, p is the logarithm. */
export function inverseGammaP(a: number, p: number, options: TailOptions = {}): number {
  const { lower = true, log = false } = options;
  if (!(a >= 0) || Number.isNaN(p) || (log ? p > 0 : p < 0 || p > 1)) return Number.NaN;
  // from here on: the logarithm of the tail that is at most one half
  const flip = log ? p > -Math.LN2 : p > 0.5;
  const isLower = flip ? !lower : lower;
  const target = log ? (flip ? log1mexp(p) : p) : Math.log(flip ? 1 - p : p);
  if (target === Number.NEGATIVE_INFINITY) return isLower ? 0 : Number.POSITIVE_INFINITY;
  if (a === 0) return 0;
  return solveGamma(a, target, isLower);
}

function solveGamma(a: number, target: number, isLower: boolean): number {
  let x = startGamma(a, target, isLower);
  for (let i = 0; i < MAX_STEPS && x > 0; i++) {
    const value = gammaTailInto(TAIL, a, x) === isLower ? tailLog(TAIL) : tailLogComplement(TAIL);
    const error = value - target;
    // g = |d log tail / d log x|; its logarithmic derivative is (a - x) ∓ g
    const g = Math.exp(logGammaKernel(a, x) - value);
    const newton = isLower ? -error / g : error / g;
    const curvature = 0.5 * newton * (a - x + (isLower ? -g : g));
    let step = newton / (1 + Math.max(-0.5, Math.min(1, curvature)));
    if (!(Math.abs(step) <= LARGEST_STEP)) step = isLower === error > 0 ? -LARGEST_STEP : LARGEST_STEP;
    x *= Math.exp(step);
    if (Math.abs(error) < NEARLY_THERE) break;
  }
  return x;
}

/** Wilson & Hilferty (1931), replaced by the leading term of P near zero and by the leading terms of Q far out. */
function startGamma(a: number, target: number, isLower: boolean): number {
  const z = isLower ? normalQuantileOfLog(target) : -normalQuantileOfLog(target);
  const cube = 1 - 1 / (9 * a) + z / (3 * Math.sqrt(a));
  const hilferty = a * cube * cube * cube;
  if (isLower || a < 1) {
    // P <= x^a / Γ(a + 1): never above the root
    const logP = isLower ? target : log1mexp(target);
    const leading = Math.exp((logP + logGamma1p(a)) / a);
    if (!(hilferty > leading) || (a < 1 && leading < 0.5)) return leading;
  }
  if (hilferty < 3 * a + 3) return Math.max(hilferty, 0.01 * a);
  // Q ≈ x^{a-1} e^{-x} / Γ(a), iterated
  const rest = -target - logGamma(a);
  let x = hilferty;
  for (let i = 0; i < 4; i++) x = Math.max(rest + (a - 1) * Math.log(x), 1);
  return x;
}
