/** Poisson distribution:  P(X = k) = λ^k e^{-λ} / k!.
 *  pmf: saddle-point form, e^{-k h(λ/k - 1) - δ(k)} / √(2πk), with the deviance taken from λ - k; tails: the incomplete
 *  gamma ratios, P(X <= k) = Q(k + 1, λ).
 *  Reference: Loader (2000), "Fast and accurate computation of binomial probabilities"; DLMF 8.4.10.
 *  Oracle:    mpmath with fixed-point summation, oracle/python/noncentral.json — 1e-13 relative (3e-13 below 1e-100).
 *  Limits:    the cdf floors k, the pmf of a fractional k is 0. */

import { gammaP, gammaQ, logGammaKernel, logGammaP, logGammaQ } from "../special/incomplete-gamma.ts";
import { type DiscreteTails, discreteQuantile, discreteQuantileUpper } from "./discrete-quantile.ts";

function isValid(k: number, lambda: number): boolean {
  return lambda >= 0 && lambda < Number.POSITIVE_INFINITY && !Number.isNaN(k);
}

export function poissonPmf(k: number, lambda: number): number {
  return Math.exp(poissonLogPmf(k, lambda));
}

export function poissonLogPmf(k: number, lambda: number): number {
  if (!isValid(k, lambda)) return Number.NaN;
  if (k < 0 || !Number.isInteger(k)) return Number.NEGATIVE_INFINITY;
  if (k === 0) return -lambda;
  if (lambda === 0) return Number.NEGATIVE_INFINITY;
  // λ^k e^{-λ} / Γ(k) = k P(X = k)
  return logGammaKernel(k, lambda) - Math.log(k);
}

/** P(X <= k). */
export function poissonCdf(k: number, lambda: number): number {
  if (!isValid(k, lambda)) return Number.NaN;
  if (k < 0) return 0;
  return k === Number.POSITIVE_INFINITY ? 1 : gammaQ(Math.floor(k) + 1, lambda);
}

/** P(X > k). */
export function poissonSf(k: number, lambda: number): number {
  if (!isValid(k, lambda)) return Number.NaN;
  if (k < 0) return 1;
  return k === Number.POSITIVE_INFINITY ? 0 : gammaP(Math.floor(k) + 1, lambda);
}

export function poissonLogCdf(k: number, lambda: number): number {
  if (!isValid(k, lambda)) return Number.NaN;
  if (k < 0) return Number.NEGATIVE_INFINITY;
  return k === Number.POSITIVE_INFINITY ? 0 : logGammaQ(Math.floor(k) + 1, lambda);
}

export function poissonLogSf(k: number, lambda: number): number {
  if (!isValid(k, lambda)) return Number.NaN;
  if (k < 0) return 0;
  return k === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : logGammaP(Math.floor(k) + 1, lambda);
}

function tailsOf(lambda: number): DiscreteTails {
  return {
    cdf: (k) => poissonCdf(k, lambda),
    sf: (k) => poissonSf(k, lambda),
    mean: lambda,
    sd: Math.sqrt(lambda),
    min: 0,
    max: Number.POSITIVE_INFINITY,
  };
}

/** Smallest k with P(X <= k) >= p. */
export function poissonQuantile(p: number, lambda: number): number {
  if (lambda === 0 && p >= 0 && p <= 1) return 0;
  return isValid(p, lambda) ? discreteQuantile(p, tailsOf(lambda)) : Number.NaN;
}

/** Smallest k with P(X > k) <= q. */
export function poissonQuantileUpper(q: number, lambda: number): number {
  if (lambda === 0 && q >= 0 && q <= 1) return 0;
  return isValid(q, lambda) ? discreteQuantileUpper(q, tailsOf(lambda)) : Number.NaN;
}
