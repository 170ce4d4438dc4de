/** Noncentral chi-square distribution: Σ (Z_i + μ_i)² over df normals, ncp = Σ μ_i²; a Poisson(ncp/2) mixture of χ²(df + 2j).
 *  Tails as in poisson-mixture.ts with t_i = y^{a+i} e^{-y} / Γ(a+i+1),  a = df/2,  y = x/2.
 *  Oracle:    mpmath (mixture at 450 or more digits), oracle/python/noncentral.json; oracle/reference/distributions-noncentral.json
 *             — 1e-12 relative in both tails, down to 1e-290 and in logarithms beyond.
 *  df = 0 leaves the term j = 0 of the mixture as a mass e^{-ncp/2} at 0 (as in R; Siegel 1979, Biometrika 66, 381-386).
 *  Limits:    the cost grows as √ncp (1e4 terms at ncp = 1e6), and ncp > 1e12 gives NaN. */

import { logGammaKernel, logGammaP, logGammaQ } from "../special/incomplete-gamma.ts";
import { log1mexp } from "../special/log.ts";
import { invertLower, invertUpper, LOG_RANGE, type LogTails } from "./invert-tail.ts";
import {
  LARGEST_NONCENTRALITY,
  logMixtureDensity,
  logMixtureLower,
  logMixtureUpper,
  type MixtureKernel,
} from "./poisson-mixture.ts";
import { areModerate, extendInwards, isFarIn } from "./power-tail.ts";
import { refineLog, refineTail } from "./refine-log.ts";

function isValid(x: number, df: number, ncp: number): boolean {
  return df >= 0 && df < Number.POSITIVE_INFINITY && ncp >= 0 && ncp <= LARGEST_NONCENTRALITY && !Number.isNaN(x);
}

function kernelAt(x: number, df: number): MixtureKernel {
  const a = 0.5 * df;
  const y = 0.5 * x;
  return {
    logTerm: (i) => (a + i > 0 ? logGammaKernel(a + i, y) - Math.log(a + i) : -y),
    ratio: (i) => y / (a + i + 1),
    mode: y - a,
    logLower: (i) => logGammaP(a + i, y),
    logUpper: () => logGammaQ(a, y),
  };
}

/** P(X <= x). */
export function noncentralChiSquareCdf(x: number, df: number, ncp: number): number {
  return refineTail(logLower(x, df, ncp), () => logUpper(x, df, ncp));
}

/** P(X > x). */
export function noncentralChiSquareSf(x: number, df: number, ncp: number): number {
  return refineTail(logUpper(x, df, ncp), () => logLower(x, df, ncp));
}

function logLower(x: number, df: number, ncp: number): number {
  if (!isValid(x, df, ncp)) return Number.NaN;
  if (x < 0 || (x === 0 && df > 0)) return Number.NEGATIVE_INFINITY;
  if (x === 0) return -0.5 * ncp;
  if (x === Number.POSITIVE_INFINITY) return 0;
  if (isFarIn(x) && areModerate(df, 1 + ncp)) return extendInwards((z) => logLower(z, df, ncp), x, 0.5 * df);
  return Math.min(0, logMixtureLower(0.5 * ncp, kernelAt(x, df)));
}

function logUpper(x: number, df: number, ncp: number): number {
  if (!isValid(x, df, ncp)) return Number.NaN;
  if (x < 0 || (x === 0 && df > 0)) return 0;
  if (x === 0) return log1mexp(-0.5 * ncp);
  if (x === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  if (isFarIn(x) && areModerate(df, 1 + ncp)) return log1mexp(logLower(x, df, ncp));
  return Math.min(0, logMixtureUpper(0.5 * ncp, kernelAt(x, df)));
}

export function noncentralChiSquareLogCdf(x: number, df: number, ncp: number): number {
  return refineLog(logLower(x, df, ncp), () => logUpper(x, df, ncp));
}

export function noncentralChiSquareLogSf(x: number, df: number, ncp: number): number {
  return refineLog(logUpper(x, df, ncp), () => logLower(x, df, ncp));
}

export function noncentralChiSquarePdf(x: number, df: number, ncp: number): number {
  return Math.exp(noncentralChiSquareLogPdf(x, df, ncp));
}

export function noncentralChiSquareLogPdf(x: number, df: number, ncp: number): number {
  if (!isValid(x, df, ncp)) return Number.NaN;
  if (x < 0 || x === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  if (x === 0) return df === 2 ? -0.5 * ncp - Math.LN2 : df < 2 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const a = 0.5 * df;
  const y = 0.5 * x;
  const lambda = 0.5 * ncp;
  if (df === 0 && ncp === 0) return Number.NEGATIVE_INFINITY;
  // the largest term: (j + 1)(a + j) = λ y
  const c = 0.5 * (a + 1);
  const peak = Math.max(0, Math.floor(Math.sqrt(c * c - a + lambda * y) - c) + 1);
  const sum = logMixtureDensity(
    lambda,
    (j) => logGammaKernel(a + j, y),
    (j) => y / (a + j),
    peak,
  );
  return sum - Math.log(x);
}

/** Tails over u = log x. */
function tailsOf(df: number, ncp: number): LogTails {
  return {
    logCdf: (u) => logLower(Math.exp(u), df, ncp),
    logSf: (u) => logUpper(Math.exp(u), df, ncp),
    range: LOG_RANGE,
  };
}

/** The x with P(X <= x) = p. */
export function noncentralChiSquareQuantile(p: number, df: number, ncp: number): number {
  if (!isValid(p, df, ncp) || p < 0 || p > 1) return Number.NaN;
  if (p === 0 || p === 1) return p === 0 ? 0 : Number.POSITIVE_INFINITY;
  if (df === 0 && p <= Math.exp(-0.5 * ncp)) return 0;
  return Math.exp(invertLower(p, tailsOf(df, ncp), Math.log(df + ncp), 0.25));
}

/** The x with P(X > x) = q. */
export function noncentralChiSquareQuantileUpper(q: number, df: number, ncp: number): number {
  if (!isValid(q, df, ncp) || q < 0 || q > 1) return Number.NaN;
  if (q === 0 || q === 1) return q === 1 ? 0 : Number.POSITIVE_INFINITY;
  if (df === 0 && q >= -Math.expm1(-0.5 * ncp)) return 0;
  return Math.exp(invertUpper(q, tailsOf(df, ncp), Math.log(df + ncp), 0.25));
}
