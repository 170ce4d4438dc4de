/** Binomial distribution:  P(X = k) = C(n, k) p^k (1 - p)^{n - k}.
 *  pmf: saddle-point form, the deviances k log(k/np) + … taken from k - np, which is formed without rounding; no large
 *  logarithms cancel, so n = 1e9 keeps all digits. Tails: the incomplete beta ratio, P(X > k) = I_p(k + 1, n - k),
 *  whichever tail is asked for being the one computed.
 *  Reference: Loader (2000), "Fast and accurate computation of binomial probabilities"; DLMF 8.17.5.
 *  Oracle:    mpmath with fixed-point summation, oracle/python/noncentral.json; oracle/reference/distributions-noncentral.json
 *             — 1e-13 relative (3e-13 below 1e-100, where the exponent itself carries that much).
 *  Limits:    n an integer up to 2^53; the cdf floors k, the pmf of a fractional k is 0. */

import { betaDeviation, betaI, betaIc, logBetaI, logBetaIc } from "../special/beta.ts";
import { logBetaKernel } from "../special/beta-tail.ts";
import { type DiscreteTails, discreteQuantile, discreteQuantileUpper } from "./discrete-quantile.ts";

function isValid(k: number, n: number, p: number): boolean {
  return n >= 0 && Number.isInteger(n) && p >= 0 && p <= 1 && !Number.isNaN(k);
}

export function binomialPmf(k: number, n: number, p: number): number {
  return Math.exp(binomialLogPmf(k, n, p));
}

export function binomialLogPmf(k: number, n: number, p: number): number {
  if (!isValid(k, n, p)) return Number.NaN;
  if (k < 0 || k > n || !Number.isInteger(k)) return Number.NEGATIVE_INFINITY;
  const m = n - k;
  if (k === 0) return n === 0 ? 0 : n * Math.log1p(-p);
  if (m === 0) return n * Math.log(p);
  if (p === 0 || p === 1) return Number.NEGATIVE_INFINITY;
  const q = 1 - p;
  // p^k q^m / B(k, m) = P(X = k) k m / n
  return logBetaKernel(k, m, p, q, betaDeviation(k, m, p, q)) + Math.log(n / k / m);
}

/** P(X <= k). */
export function binomialCdf(k: number, n: number, p: number): number {
  if (!isValid(k, n, p)) return Number.NaN;
  k = Math.floor(k);
  if (k < 0) return 0;
  return k >= n ? 1 : betaIc(p, k + 1, n - k);
}

/** P(X > k). */
export function binomialSf(k: number, n: number, p: number): number {
  if (!isValid(k, n, p)) return Number.NaN;
  k = Math.floor(k);
  if (k < 0) return 1;
  return k >= n ? 0 : betaI(p, k + 1, n - k);
}

export function binomialLogCdf(k: number, n: number, p: number): number {
  if (!isValid(k, n, p)) return Number.NaN;
  k = Math.floor(k);
  if (k < 0) return Number.NEGATIVE_INFINITY;
  return k >= n ? 0 : logBetaIc(p, k + 1, n - k);
}

export function binomialLogSf(k: number, n: number, p: number): number {
  if (!isValid(k, n, p)) return Number.NaN;
  k = Math.floor(k);
  if (k < 0) return 0;
  return k >= n ? Number.NEGATIVE_INFINITY : logBetaI(p, k + 1, n - k);
}

function tailsOf(n: number, p: number): DiscreteTails {
  return {
    cdf: (k) => binomialCdf(k, n, p),
    sf: (k) => binomialSf(k, n, p),
    mean: n * p,
    sd: Math.sqrt(n * p * (1 - p)),
    min: 0,
    max: n,
  };
}

/** Smallest k with P(X <= k) >= p, for n trials of success probability `prob`. */
export function binomialQuantile(p: number, n: number, prob: number): number {
  return isValid(p, n, prob) ? discreteQuantile(p, tailsOf(n, prob)) : Number.NaN;
}

/** Smallest k with P(X > k) <= q. */
export function binomialQuantileUpper(q: number, n: number, prob: number): number {
  return isValid(q, n, prob) ? discreteQuantileUpper(q, tailsOf(n, prob)) : Number.NaN;
}
