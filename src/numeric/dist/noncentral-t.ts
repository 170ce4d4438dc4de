/** Noncentral t distribution:  T = (Z + δ) / S,  Z standard normal, S² = χ²(df)/df.
 *     P(T <= t) = ∫ Φ(t s - δ) f(s) ds,   P(T > t) = ∫ Φ(δ - t s) f(s) ds,   f the density of S
 *  Each tail is its own integral of a positive function, log-concave in s, done in u = log s about its mode and in log space.
 *  So neither the cancelling Poisson series nor 1 - p occurs, and tails of 1e-1000 have as many digits as the centre.
 *  Reference: Johnson, Kotz & Balakrishnan (1995), Continuous Univariate Distributions 2, ch. 31 (the integral).
 *  Oracle:    mpmath (series at 450 digits), oracle/python/noncentral.json; oracle/reference/distributions-noncentral.json
 *             — 1e-12 relative in both tails, df 0.5 to 1e9, |ncp| to 45. R loses tails below 1e-12.
 *  Limits:    the cost grows with |ncp| when df is small (a cliff of width 1/ncp in log s): 0.01 ms typical, 0.5 ms at ncp = 100. */

import { findRoot } from "../optim/brent.ts";
import { log1mexp } from "../special/log.ts";
import { ASINH_RANGE, invertLower, invertUpper, type LogTails, polishRoot } from "./invert-tail.ts";
import { normalLogCdf, normalLogPdf, normalLogSf, normalQuantile } from "./normal.ts";
import { areModerate, extendOutwards, isFarOut } from "./power-tail.ts";
import { refineLog, refineTail } from "./refine-log.ts";
import { logAverageOverScale, NEAR_ONE } from "./scale-average.ts";

function isValid(t: number, df: number, ncp: number): boolean {
  return df > 0 && Number.isFinite(ncp) && !Number.isNaN(t);
}

/** t s - δ with s = 1 + v = e^u. */
function deviate(t: number, ncp: number, u: number, v: number): number {
  return Math.abs(u) < NEAR_ONE ? t - ncp + t * v : t * Math.exp(u) - ncp;
}

/** Rough mode in u of Φ(δ - t s) f(s) for t > 0: where the normal part has not yet cut off the density of s. */
function modeGuess(t: number, df: number, ncp: number): number {
  if (t === 0) return 0;
  const shrunk = -Math.log(Math.hypot(1, t / Math.sqrt(df)));
  return ncp / t > 0 ? Math.min(0, Math.max(shrunk, Math.log(ncp / t))) : shrunk;
}

/** log P(T <= t) for sign = 1, log P(T > t) for sign = -1. */
function logTail(t: number, df: number, ncp: number, sign: 1 | -1, rough = false): number {
  if (!isValid(t, df, ncp)) return Number.NaN;
  if (!Number.isFinite(t)) return t > 0 === sign > 0 ? 0 : Number.NEGATIVE_INFINITY;
  if (df === Number.POSITIVE_INFINITY || t === 0) return normalLogCdf(sign * (t - ncp));
  // the tail towards infinity is a power of t; its complement follows from it
  if (isFarOut(Math.abs(t)) && areModerate(df, 1 + Math.abs(ncp))) {
    const logFar = extendOutwards((s) => logTail(Math.sign(t) * s, df, ncp, t > 0 ? -1 : 1), Math.abs(t), df);
    return t > 0 === sign > 0 ? log1mexp(logFar) : logFar;
  }
  const logInner = (u: number, v: number) => normalLogCdf(sign * deviate(t, ncp, u, v));
  return Math.min(0, logAverageOverScale(logInner, df, sign * t > 0 ? 0 : modeGuess(t, df, ncp), rough));
}

/** P(T <= t). */
export function noncentralTCdf(t: number, df: number, ncp: number): number {
  return refineTail(logTail(t, df, ncp, 1), () => logTail(t, df, ncp, -1));
}

/** P(T > t). */
export function noncentralTSf(t: number, df: number, ncp: number): number {
  return refineTail(logTail(t, df, ncp, -1), () => logTail(t, df, ncp, 1));
}

export function noncentralTLogCdf(t: number, df: number, ncp: number): number {
  return refineLog(logTail(t, df, ncp, 1), () => logTail(t, df, ncp, -1));
}

export function noncentralTLogSf(t: number, df: number, ncp: number): number {
  return refineLog(logTail(t, df, ncp, -1), () => logTail(t, df, ncp, 1));
}

export function noncentralTPdf(t: number, df: number, ncp: number): number {
  return Math.exp(noncentralTLogPdf(t, df, ncp));
}

/** log ∫ s φ(t s - δ) f(s) ds. */
export function noncentralTLogPdf(t: number, df: number, ncp: number): number {
  if (!isValid(t, df, ncp)) return Number.NaN;
  if (!Number.isFinite(t)) return Number.NEGATIVE_INFINITY;
  if (df === Number.POSITIVE_INFINITY) return normalLogPdf(t - ncp);
  return logAverageOverScale((u, v) => u + normalLogPdf(deviate(t, ncp, u, v)), df, modeGuess(t, df, ncp));
}

/** Tails over u with t = sinh u: linear in the centre, logarithmic in the heavy tails. */
function tailsOf(df: number, ncp: number): LogTails {
  return {
    logCdf: (u) => logTail(Math.sinh(u), df, ncp, 1),
    logSf: (u) => logTail(Math.sinh(u), df, ncp, -1),
    range: ASINH_RANGE,
  };
}

/** The t with P(T <= t) = p. */
export function noncentralTQuantile(p: number, df: number, ncp: number): number {
  if (!isValid(p, df, ncp) || p < 0 || p > 1) return Number.NaN;
  if (p === 0 || p === 1) return p === 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  // P(T <= 0) = Φ(-δ) whatever df is
  if (normalLogCdf(-ncp) === Math.log(p)) return 0;
  return Math.sinh(invertLower(p, tailsOf(df, ncp), Math.asinh(ncp + normalQuantile(p)), 0.5));
}

/** The t with P(T > t) = q. */
export function noncentralTQuantileUpper(q: number, df: number, ncp: number): number {
  if (!isValid(q, df, ncp) || q < 0 || q > 1) return Number.NaN;
  if (q === 0 || q === 1) return q === 1 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (normalLogSf(-ncp) === Math.log(q)) return 0;
  return Math.sinh(invertUpper(q, tailsOf(df, ncp), Math.asinh(ncp - normalQuantile(q)), 0.5));
}

/** The δ with P(T > t) = power, from 0 to MOST_SHIFT, NaN beyond: what a test with the critical value t finds so often. */
export function noncentralTShift(power: number, t: number, df: number): number {
  if (!isValid(t, df, 0) || !(power > 0 && power < 1)) return Number.NaN;
  const sign = power > 0.5 ? 1 : -1;
  const target = power > 0.5 ? Math.log1p(-power) : Math.log(power);
  const rough = (ncp: number): number => logTail(t, df, ncp, sign, true) - target;
  // the normal approximation is rarely far off, and each power is an integral
  const guess = t + normalQuantile(power) * Math.sqrt(1 + (t * t) / (2 * df));
  const near = findRoot(rough, 0.75 * guess, 1.05 * guess, { tolerance: SHIFT_TOLERANCE });
  if (near.converged) {
    const polished = polishRoot(near.root, { exact: (ncp) => logTail(t, df, ncp, sign) - target, rough });
    if (!Number.isNaN(polished)) return polished;
  }
  const gap = (ncp: number): number => noncentralTSf(t, df, ncp) - power;
  let high = Math.max(1, guess);
  while (gap(high) < 0 && high < MOST_SHIFT) high *= 2;
  return findRoot(gap, 0, high).root;
}

/** Any power of use lies within: 80 % at α = 0.05 on one df needs about 60. */
const MOST_SHIFT = 1e4;
const SHIFT_TOLERANCE = 1e-10;
