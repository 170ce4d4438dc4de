/** Standard Laplace distribution:  density e^{-|x|} / 2.
 *  Reference: closed form. */

import { LN2_LOW, twiceExpMinusOne } from "../special/log.ts";

export function laplacePdf(x: number): number {
  return 0.5 * Math.exp(-Math.abs(x));
}

export function laplaceLogPdf(x: number): number {
  return -Math.abs(x) - Math.LN2;
}

export function laplaceCdf(x: number): number {
  return x < 0 ? 0.5 * Math.exp(x) : 1 - 0.5 * Math.exp(-x);
}

export function laplaceSf(x: number): number {
  return laplaceCdf(-x);
}

export function laplaceLogCdf(x: number): number {
  return x < 0 ? x - Math.LN2 : Math.log1p(-0.5 * Math.exp(-x));
}

export function laplaceLogSf(x: number): number {
  return laplaceLogCdf(-x);
}

/** Relative accuracy at the median comes from 1 - 2p, which is exact there. */
export function laplaceQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p > 0.25 && p < 0.75) return p < 0.5 ? Math.log1p(2 * (p - 0.5)) : -Math.log1p(-2 * (p - 0.5));
  return p < 0.5 ? Math.log(2 * p) : -Math.log(2 * (1 - p));
}

export function laplaceQuantileUpper(q: number): number {
  return 0 - laplaceQuantile(q);
}

export function laplaceQuantileLog(logP: number): number {
  if (!(logP <= 0)) return Number.NaN;
  if (logP <= -Math.LN2) return logP + Math.LN2 + LN2_LOW;
  // -log(2 (1 - p)) = -log(1 - (2p - 1)) near the median
  return logP < -0.3 ? -Math.log1p(-twiceExpMinusOne(logP)) : -Math.log(-2 * Math.expm1(logP));
}
