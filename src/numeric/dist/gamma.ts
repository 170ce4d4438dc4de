/** Gamma distribution with shape a and scale s:  density x^{a-1} e^{-x/s} / (Γ(a) s^a), x > 0.
 *  Reference: DLMF 8.2; see special/incomplete-gamma.ts for the methods.
 *  Oracle:    mpmath, oracle/reference/distributions-core.json and oracle/python/distributions.json — 1e-12 relative. */

import { gammaP, gammaQ, inverseGammaP, logGammaKernel, logGammaP, logGammaQ } from "../special/incomplete-gamma.ts";

function isInvalid(shape: number, scale: number): boolean {
  return !(shape > 0 && scale > 0 && shape < Number.POSITIVE_INFINITY);
}

export function gammaPdf(x: number, shape: number, scale: number): number {
  return Math.exp(gammaLogPdf(x, shape, scale));
}

export function gammaLogPdf(x: number, shape: number, scale: number): number {
  if (isInvalid(shape, scale) || Number.isNaN(x)) return Number.NaN;
  if (x < 0 || x === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  if (x === 0) {
    if (shape === 1) return -Math.log(scale);
    return shape < 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }
  return logGammaKernel(shape, x / scale) - Math.log(x);
}

export function gammaCdf(x: number, shape: number, scale: number): number {
  return isInvalid(shape, scale) ? Number.NaN : gammaP(shape, x / scale);
}

export function gammaSf(x: number, shape: number, scale: number): number {
  return isInvalid(shape, scale) ? Number.NaN : gammaQ(shape, x / scale);
}

export function gammaLogCdf(x: number, shape: number, scale: number): number {
  return isInvalid(shape, scale) ? Number.NaN : logGammaP(shape, x / scale);
}

export function gammaLogSf(x: number, shape: number, scale: number): number {
  return isInvalid(shape, scale) ? Number.NaN : logGammaQ(shape, x / scale);
}

export function gammaQuantile(p: number, shape: number, scale: number): number {
  return isInvalid(shape, scale) ? Number.NaN : scale * inverseGammaP(shape, p);
}

export function gammaQuantileUpper(q: number, shape: number, scale: number): number {
  return isInvalid(shape, scale) ? Number.NaN : scale * inverseGammaP(shape, q, { lower: false });
}

export function gammaQuantileLog(logP: number, shape: number, scale: number): number {
  return isInvalid(shape, scale) ? Number.NaN : scale * inverseGammaP(shape, logP, { log: true });
}

export function gammaQuantileLogUpper(logQ: number, shape: number, scale: number): number {
  return isInvalid(shape, scale) ? Number.NaN : scale * inverseGammaP(shape, logQ, { lower: false, log: true });
}
