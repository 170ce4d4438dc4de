/** Beta distribution with shapes a, b:  density x^{a-1} (1-x)^{b-1} / B(a, b), 0 < x < 1.
 *  Reference: DLMF 8.17; see special/beta.ts for the methods.
 *  Oracle:    mpmath, oracle/reference/distributions-core.json and oracle/python/distributions.json — 1e-12 relative. */

import { betaDeviation, betaI, betaIc, logBetaI, logBetaIc } from "../special/beta.ts";
import { logBetaKernel } from "../special/beta-tail.ts";
import { inverseBetaI } from "../special/inverse-beta.ts";

export function betaPdf(x: number, a: number, b: number): number {
  return Math.exp(betaLogPdf(x, a, b));
}

export function betaLogPdf(x: number, a: number, b: number): number {
  if (!(a > 0 && b > 0) || Number.isNaN(x)) return Number.NaN;
  if (x < 0 || x > 1) return Number.NEGATIVE_INFINITY;
  if (x === 0) return edgeLogDensity(a, b);
  if (x === 1) return edgeLogDensity(b, a);
  const y = 1 - x;
  return logBetaKernel(a, b, x, y, betaDeviation(a, b, x, y)) - Math.log(x) - Math.log1p(-x);
}

/** At the end whose shape is `near`: B(1, far) = 1 / far. */
function edgeLogDensity(near: number, far: number): number {
  if (near === 1) return Math.log(far);
  return near < 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

export function betaCdf(x: number, a: number, b: number): number {
  return betaI(x, a, b);
}

export function betaSf(x: number, a: number, b: number): number {
  return betaIc(x, a, b);
}

export function betaLogCdf(x: number, a: number, b: number): number {
  return logBetaI(x, a, b);
}

export function betaLogSf(x: number, a: number, b: number): number {
  return logBetaIc(x, a, b);
}

export function betaQuantile(p: number, a: number, b: number): number {
  return inverseBetaI(p, a, b);
}

export function betaQuantileUpper(q: number, a: number, b: number): number {
  return inverseBetaI(q, a, b, { lower: false });
}

export function betaQuantileLog(logP: number, a: number, b: number): number {
  return inverseBetaI(logP, a, b, { log: true });
}

export function betaQuantileLogUpper(logQ: number, a: number, b: number): number {
  return inverseBetaI(logQ, a, b, { lower: false, log: true });
}
