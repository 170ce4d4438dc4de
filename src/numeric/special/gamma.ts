/** Gamma function, its logarithm and logarithmic derivatives.
 *
 *  log Γ: a rational fit of log Γ(2 + d) / d on |d| <= 1/2, reached by the recurrence for x < 10, and Stirling's series above.
 *  Near the zeros x = 1 and x = 2 the result keeps its relative accuracy.
 *  digamma: a rational fit of ψ(x) / (x - x₀) on [1, 2] around its zero x₀, the recurrence below 10, the asymptotic series above.
 *  Reference: DLMF 5.5 (recurrence, reflection), 5.11 (Stirling); fits: oracle/python/rational-fits.py.
 *  Oracle:    mpmath, oracle/reference/distributions-core.json, oracle/python/distributions.json — 1e-14 relative for x > 0.
 *  Limits:    for negative x the accuracy is absolute near the zeros of log|Γ|. */

import { log1pmx } from "./log.ts";

const HALF_LOG_TWO_PI = 0.9189385332046728;
const SQRT_TWO_PI = 2.5066282746310002;
/** Stirling's series reaches 1e-17 from here on with the terms below. */
const STIRLING_FROM = 10;
/** Γ(x) overflows above this. */
const GAMMA_OVERFLOW = 171.6243769563027;

/** Remainder of Stirling's formula: log Γ(x) - ((x - 1/2) log x - x + (1/2) log 2π), for x >= 10.
 *  Coefficients B_{2k} / (2k (2k - 1)). */
export function logGammaCorrection(x: number): number {
  const z = 1 / (x * x);
  return (
    (1 / 12 +
      z *
        (-1 / 360 +
          z *
            (1 / 1260 +
              z * (-1 / 1680 + z * (1 / 1188 + z * (-691 / 360360 + z * (1 / 156 + z * (-3617 / 122400)))))))) /
    x
  );
}

/** log Γ(2 + d) for |d| <= 1/2. */
function logGammaAtTwo(d: number): number {
  const p =
    0.42278433509846713 +
    d *
      (0.9962029622274864 +
        d *
          (0.8604922809127598 +
            d *
              (0.35178725002779826 +
                d *
                  (0.07105115126649453 +
                    d * (0.0065443515552094725 + d * (0.00020732341880777067 + d * 5.268820181023855e-7))))));
  const q =
    1 +
    d *
      (1.593568807714834 +
        d *
          (0.9791544804717981 +
            d *
              (0.2904363215726553 +
                d * (0.04241390890960676 + d * (0.0027340212896628737 + d * 5.457615146296745e-5)))));
  return (d * p) / q;
}

/** log Γ(1 + x) for x >= -1/2, with relative accuracy as x → 0. */
export function logGamma1p(x: number): number {
  return x <= 0.5 ? logGammaAtTwo(x) - Math.log1p(x) : logGamma(1 + x);
}

/** sin(πx), exactly zero at integers. */
function sinPi(x: number): number {
  const r = x - 2 * Math.round(x / 2);
  return Math.abs(r) <= 0.5 ? Math.sin(Math.PI * r) : Math.sin(Math.PI * (Math.sign(r) - r));
}

/** log |Γ(x)|; Infinity at the poles 0, -1, -2, … */
export function logGamma(x: number): number {
  if (x < 0.5) {
    if (x > 0) return logGammaAtTwo(x) - Math.log1p(x) - Math.log(x);
    if (x === Math.floor(x)) return Number.POSITIVE_INFINITY;
    return Math.log(Math.PI / Math.abs(sinPi(x))) - logGamma(1 - x);
  }
  if (x < 1.5) return logGammaAtTwo(x - 1) - Math.log1p(x - 1);
  if (x < STIRLING_FROM) {
    let product = 1;
    while (x >= 2.5) {
      x -= 1;
      product *= x;
    }
    return Math.log(product) + logGammaAtTwo(x - 2);
  }
  if (x === Number.POSITIVE_INFINITY) return x;
  // x (log x - 1) before the small terms: no overflow unless the result overflows
  return x * (Math.log(x) - 1) - 0.5 * Math.log(x) + HALF_LOG_TWO_PI + logGammaCorrection(x);
}

/** log n! */
export function logFactorial(n: number): number {
  return n < 0 ? Number.NaN : logGamma(n + 1);
}

/** Γ(x); NaN at the poles. Factorials up to 18! are exact. */
export function gamma(x: number): number {
  if (x < 0.5) {
    if (x > 0) return Math.exp(logGamma1p(x)) / x;
    if (x === Math.floor(x)) return Number.NaN;
    return Math.PI / (sinPi(x) * gamma(1 - x));
  }
  if (x > GAMMA_OVERFLOW) return Number.POSITIVE_INFINITY;
  if (x < 20) {
    let product = 1;
    while (x >= 2.5) {
      x -= 1;
      product *= x;
    }
    if (x < 1.5) return Math.exp(logGammaAtTwo(x - 1)) / x;
    return product * Math.exp(logGammaAtTwo(x - 2));
  }
  // half the power twice: x^{x - 1/2} overflows before Γ(x) does
  const half = x ** (0.5 * x - 0.25);
  return SQRT_TWO_PI * half * Math.exp(-x) * half * Math.exp(logGammaCorrection(x));
}

/** log Γ(x + d) - log Γ(x) for x > 0, d >= 0, without the cancellation of the two terms: relative accuracy as d → 0. */
export function logGammaDelta(x: number, d: number): number {
  // (1 + d/x)(1 + d/(x+1))… - 1, accumulated so that a tiny d keeps its digits
  let shifted = 0;
  while (x < STIRLING_FROM) {
    const r = d / x;
    shifted += r + shifted * r;
    x += 1;
  }
  const ratio = d / x;
  const l = Math.log1p(ratio);
  const main = x * log1pmx(ratio) + (d - 0.5) * l;
  const value = d * Math.log(x) + main + correctionDelta(x, d);
  return shifted > 0 ? value - Math.log1p(shifted) : value;
}

/** Δ(x + d) - Δ(x) of the Stirling remainder, from 1 - uᵐ = (1 - u)(1 + u + … + u^{m-1}) with u = x / (x + d). */
function correctionDelta(x: number, d: number): number {
  const u = x / (x + d);
  const v = 1 + u;
  const u2 = u * u;
  const s3 = v + u2;
  const s5 = v + u2 * s3;
  const s7 = v + u2 * s5;
  const s9 = v + u2 * s7;
  const s11 = v + u2 * s9;
  const s13 = v + u2 * s11;
  const s15 = v + u2 * s13;
  const z = 1 / (x * x);
  const tail = (691 / 360360) * s11 - z * (s13 / 156 - (z * (3617 * s15)) / 122400);
  const sum = 1 / 12 - z * (s3 / 360 - z * (s5 / 1260 - z * (s7 / 1680 - z * (s9 / 1188 - z * tail))));
  return (-(d / (x + d)) * sum) / x;
}

/** The zero of ψ in two parts. */
const DIGAMMA_ROOT = 1.4616321449683622;
const DIGAMMA_ROOT_LOW = 9.549995429965697e-17;

/** ψ(x) on [1, 2]. */
function digammaNearRoot(x: number): number {
  const d = x - DIGAMMA_ROOT - DIGAMMA_ROOT_LOW;
  const p =
    0.9676722454476212 +
    d *
      (1.248356371649007 +
        d *
          (0.5883572175610566 +
            d *
              (0.12574122691323605 +
                d *
                  (0.012061108326154776 +
                    d * (0.0004183301159568616 + d * (1.4148189465656542e-6 + d * -1.0681555620663481e-8))))));
  const q =
    1 +
    d *
      (1.747616043126595 +
        d *
          (1.1405075212384412 +
            d *
              (0.3543558564704866 +
                d * (0.05458538303503238 + d * (0.003852783995993348 + d * 9.271487769444736e-5)))));
  return (d * p) / q;
}

/** ψ(x) = d log Γ(x) / dx; NaN at the poles. */
export function digamma(x: number): number {
  if (x <= 0) {
    if (x === Math.floor(x)) return Number.NaN;
    const r = x - Math.round(x);
    return digamma(1 - x) - Math.PI / Math.tan(Math.PI * r);
  }
  if (x >= STIRLING_FROM) {
    const z = 1 / (x * x);
    const series =
      1 / 12 -
      z *
        (1 / 120 -
          z * (1 / 252 - z * (1 / 240 - z * (1 / 132 - z * (691 / 32760 - z * (1 / 12 - (z * 3617) / 8160))))));
    return Math.log(x) - 0.5 / x - z * series;
  }
  if (x < 1) return digammaNearRoot(1 + x) - 1 / x;
  let sum = 0;
  while (x > 2) {
    x -= 1;
    sum += 1 / x;
  }
  return sum + digammaNearRoot(x);
}

/** ψ′(x), the second derivative of log Γ; Infinity at the poles. */
export function trigamma(x: number): number {
  if (x <= 0) {
    if (x === Math.floor(x)) return Number.POSITIVE_INFINITY;
    const s = Math.PI / sinPi(x);
    return s * s - trigamma(1 - x);
  }
  let sum = 0;
  while (x < STIRLING_FROM) {
    sum += 1 / (x * x);
    x += 1;
  }
  const z = 1 / (x * x);
  const series =
    1 / 6 -
    z * (1 / 30 - z * (1 / 42 - z * (1 / 30 - z * (5 / 66 - z * (691 / 2730 - z * (7 / 6 - (z * 3617) / 510))))));
  return sum + 1 / x + 0.5 * z + (z / x) * series;
}
