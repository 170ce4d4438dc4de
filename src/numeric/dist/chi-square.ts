/** Chi-square distribution with df degrees of freedom (any positive number): gamma with shape df/2 and scale 2.
 *  Reference: DLMF 8.2 with a = df/2, x/2.
 *  Oracle:    mpmath, oracle/reference/distributions-core.json and oracle/python/distributions.json — 1e-12 relative. */

import {
  gammaCdf,
  gammaLogCdf,
  gammaLogPdf,
  gammaLogSf,
  gammaPdf,
  gammaQuantile,
  gammaQuantileLog,
  gammaQuantileLogUpper,
  gammaQuantileUpper,
  gammaSf,
} from "./gamma.ts";

export function chiSquarePdf(x: number, df: number): number {
  return gammaPdf(x, 0.5 * df, 2);
}

export function chiSquareLogPdf(x: number, df: number): number {
  return gammaLogPdf(x, 0.5 * df, 2);
}

export function chiSquareCdf(x: number, df: number): number {
  return gammaCdf(x, 0.5 * df, 2);
}

export function chiSquareSf(x: number, df: number): number {
  return gammaSf(x, 0.5 * df, 2);
}

export function chiSquareLogCdf(x: number, df: number): number {
  return gammaLogCdf(x, 0.5 * df, 2);
}

export function chiSquareLogSf(x: number, df: number): number {
  return gammaLogSf(x, 0.5 * df, 2);
}

export function chiSquareQuantile(p: number, df: number): number {
  return gammaQuantile(p, 0.5 * df, 2);
}

export function chiSquareQuantileUpper(q: number, df: number): number {
  return gammaQuantileUpper(q, 0.5 * df, 2);
}

export function chiSquareQuantileLog(logP: number, df: number): number {
  return gammaQuantileLog(logP, 0.5 * df, 2);
}

export function chiSquareQuantileLogUpper(logQ: number, df: number): number {
  return gammaQuantileLogUpper(logQ, 0.5 * df, 2);
}
