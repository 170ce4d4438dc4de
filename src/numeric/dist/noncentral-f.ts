/** Noncentral F distribution: (χ²(df1, ncp)/df1) / (χ²(df2)/df2), numerator noncentral, denominator central and independent.
 *  With z = df1 x / (df1 x + df2) it is the noncentral beta, a Poisson(ncp/2) mixture of beta(df1/2 + j, df2/2) in z.
 *  Tails as in poisson-mixture.ts with t_i = z^{a+i} (1-z)^b Γ(a+b+i) / (Γ(a+i+1) Γ(b)),  a = df1/2,  b = df2/2.
 *  Oracle:    mpmath (mixture at 450 digits), oracle/python/noncentral.json; oracle/reference/distributions-noncentral.json
 *             — 1e-12 relative in both tails, df2 0.6 to 1e6, ncp to 500 (2e-12 at 1e5). R is off by a factor of 28 in upper tails near 1e-11.
 *  Limits:    df1, df2 > 0, df2 = Infinity gives the scaled noncentral chi-square; the cost grows as √ncp, and ncp > 1e12 gives NaN. */

import { betaTailInto, logBetaKernel } from "../special/beta-tail.ts";
import { log1mexp } from "../special/log.ts";
import { tailLog, tailLogComplement } from "../special/tail.ts";
import { invertLower, invertUpper, LOG_RANGE, type LogTails } from "./invert-tail.ts";
import {
  noncentralChiSquareLogCdf,
  noncentralChiSquareLogPdf,
  noncentralChiSquareLogSf,
} from "./noncentral-chi-square.ts";
import {
  LARGEST_NONCENTRALITY,
  logMixtureDensity,
  logMixtureLower,
  logMixtureUpper,
  type MixtureKernel,
} from "./poisson-mixture.ts";
import { areModerate, extendInwards, extendOutwards, isFarIn, isFarOut } from "./power-tail.ts";
import { refineLog, refineTail } from "./refine-log.ts";

function isValid(x: number, df1: number, df2: number, ncp: number): boolean {
  const finite = df1 < Number.POSITIVE_INFINITY && ncp <= LARGEST_NONCENTRALITY;
  return finite && df1 > 0 && df2 > 0 && ncp >= 0 && !Number.isNaN(x);
}

/** z, 1 - z and the shapes; `deviation` is (a + i) - (a + i + b) z, formed without the rounding of z. */
interface BetaPoint {
  readonly a: number;
  readonly b: number;
  readonly z: number;
  readonly y: number;
  readonly deviation: (i: number) => number;
}

function betaPoint(x: number, df1: number, df2: number): BetaPoint {
  const a = 0.5 * df1;
  const b = 0.5 * df2;
  const ax = a * x;
  // ax may overflow for enormous x
  const y = ax < Number.POSITIVE_INFINITY ? b / (ax + b) : b / a / x;
  const z = ax < Number.POSITIVE_INFINITY ? ax / (ax + b) : 1;
  return { a, b, z, y, deviation: (i) => (ax < Number.POSITIVE_INFINITY ? y * (a + i - ax) : -b * z) };
}

const TAIL = new Float64Array(2);

function kernelAt(x: number, df1: number, df2: number): MixtureKernel {
  const { a, b, z, y, deviation } = betaPoint(x, df1, df2);
  return {
    logTerm: (i) => logBetaKernel(a + i, b, z, y, deviation(i)) - Math.log(a + i),
    ratio: (i) => (z * (a + b + i)) / (a + i + 1),
    mode: (z * b - y * a - 1) / y + 1,
    logLower: (i) => (betaTailInto(TAIL, a + i, b, z, y, deviation(i)) ? tailLog(TAIL) : tailLogComplement(TAIL)),
    logUpper: () => (betaTailInto(TAIL, a, b, z, y, deviation(0)) ? tailLogComplement(TAIL) : tailLog(TAIL)),
  };
}

/** P(X <= x). */
export function noncentralFCdf(x: number, df1: number, df2: number, ncp: number): number {
  return refineTail(logLower(x, df1, df2, ncp), () => logUpper(x, df1, df2, ncp));
}

/** P(X > x). */
export function noncentralFSf(x: number, df1: number, df2: number, ncp: number): number {
  return refineTail(logUpper(x, df1, df2, ncp), () => logLower(x, df1, df2, ncp));
}

function logLower(x: number, df1: number, df2: number, ncp: number): number {
  if (!isValid(x, df1, df2, ncp)) return Number.NaN;
  if (x <= 0) return Number.NEGATIVE_INFINITY;
  if (x === Number.POSITIVE_INFINITY) return 0;
  if (df2 === Number.POSITIVE_INFINITY) return noncentralChiSquareLogCdf(df1 * x, df1, ncp);
  if (isFarIn(x) && areModerate(df1, df2, 1 + ncp))
    return extendInwards((z) => logLower(z, df1, df2, ncp), x, 0.5 * df1);
  if (isFarOut(x) && areModerate(df1, df2, 1 + ncp)) return log1mexp(logUpper(x, df1, df2, ncp));
  return Math.min(0, logMixtureLower(0.5 * ncp, kernelAt(x, df1, df2)));
}

function logUpper(x: number, df1: number, df2: number, ncp: number): number {
  if (!isValid(x, df1, df2, ncp)) return Number.NaN;
  if (x <= 0) return 0;
  if (x === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  if (df2 === Number.POSITIVE_INFINITY) return noncentralChiSquareLogSf(df1 * x, df1, ncp);
  if (isFarOut(x) && areModerate(df1, df2, 1 + ncp))
    return extendOutwards((z) => logUpper(z, df1, df2, ncp), x, 0.5 * df2);
  if (isFarIn(x) && areModerate(df1, df2, 1 + ncp)) return log1mexp(logLower(x, df1, df2, ncp));
  return Math.min(0, logMixtureUpper(0.5 * ncp, kernelAt(x, df1, df2)));
}

export function noncentralFLogCdf(x: number, df1: number, df2: number, ncp: number): number {
  return refineLog(logLower(x, df1, df2, ncp), () => logUpper(x, df1, df2, ncp));
}

export function noncentralFLogSf(x: number, df1: number, df2: number, ncp: number): number {
  return refineLog(logUpper(x, df1, df2, ncp), () => logLower(x, df1, df2, ncp));
}

export function noncentralFPdf(x: number, df1: number, df2: number, ncp: number): number {
  return Math.exp(noncentralFLogPdf(x, df1, df2, ncp));
}

export function noncentralFLogPdf(x: number, df1: number, df2: number, ncp: number): number {
  if (!isValid(x, df1, df2, ncp)) return Number.NaN;
  if (x < 0 || x === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  if (x === 0) return df1 === 2 ? -0.5 * ncp : df1 < 2 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  if (df2 === Number.POSITIVE_INFINITY) return noncentralChiSquareLogPdf(df1 * x, df1, ncp) + Math.log(df1);
  const { a, b, z, y, deviation } = betaPoint(x, df1, df2);
  const lambda = 0.5 * ncp;
  // the largest term: (j + 1)(a + j) = λ z (a + b + j)
  const c = 0.5 * (a + 1 - lambda * z);
  const peak = Math.max(0, Math.floor(Math.sqrt(Math.max(0, c * c - a + lambda * z * (a + b))) - c) + 1);
  const sum = logMixtureDensity(
    lambda,
    (j) => logBetaKernel(a + j, b, z, y, deviation(j)),
    (j) => (z * (a + b + j)) / (a + j),
    peak,
  );
  return sum - Math.log(x);
}

/** Tails over u = log x. */
function tailsOf(df1: number, df2: number, ncp: number): LogTails {
  return {
    logCdf: (u) => logLower(Math.exp(u), df1, df2, ncp),
    logSf: (u) => logUpper(Math.exp(u), df1, df2, ncp),
    range: LOG_RANGE,
  };
}

/** The x with P(X <= x) = p. */
export function noncentralFQuantile(p: number, df1: number, df2: number, ncp: number): number {
  if (!isValid(p, df1, df2, ncp) || p < 0 || p > 1) return Number.NaN;
  if (p === 0 || p === 1) return p === 0 ? 0 : Number.POSITIVE_INFINITY;
  return Math.exp(invertLower(p, tailsOf(df1, df2, ncp), Math.log1p(ncp / df1), 0.25));
}

/** The x with P(X > x) = q. */
export function noncentralFQuantileUpper(q: number, df1: number, df2: number, ncp: number): number {
  if (!isValid(q, df1, df2, ncp) || q < 0 || q > 1) return Number.NaN;
  if (q === 0 || q === 1) return q === 1 ? 0 : Number.POSITIVE_INFINITY;
  return Math.exp(invertUpper(q, tailsOf(df1, df2, ncp), Math.log1p(ncp / df1), 0.25));
}
