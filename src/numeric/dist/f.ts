/** F distribution with df1, df2 degrees of freedom (any positive numbers).
 *  x = df1 f / (df2 + df1 f) is beta(df1/2, df2/2);  λ = a y - b x = df1 df2 (1 - f) / (2 (df2 + df1 f)) without cancellation.
 *  df2 = Infinity: df1 F is chi-square(df1);  df1 = Infinity: df2 / F is chi-square(df2).
 *  Reference: DLMF 8.17; special/beta-tail.ts.
 *  Oracle:    mpmath, oracle/reference/distributions-core.json and oracle/python/distributions.json — 1e-12 relative. */

import { betaTailInto, logBetaKernel, logBetaLeading } from "../special/beta-tail.ts";
import type { TailOptions } from "../special/incomplete-gamma.ts";
import { gammaP, gammaQ, inverseGammaP, logGammaKernel, logGammaP, logGammaQ } from "../special/incomplete-gamma.ts";
import { inverseBetaOdds } from "../special/inverse-beta.ts";
import { log1mexp } from "../special/log.ts";
import { tailComplement, tailLog, tailLogComplement, tailValue } from "../special/tail.ts";

/** Odds outside [1/this, this]: the leading power of the tail is exact. */
const LEADING_ONLY = 1e200;
/** … provided that the other shape does not make up for it: shape · odds below this is lost beside 1. */
const NEGLIGIBLE = 1e-17;
/** A df above the first is infinite for all purposes when the other, and its multiple by f or 1/f, are below the second:
 *  the corrections are of the order of their squares over df. */
const AS_INFINITE = 1e100;
const MODERATE = 1e40;

const TAIL = new Float64Array(2);

/** Writes one tail as [log scale, factor]; returns true when it is the lower one. Finite df, 0 < f < ∞. */
function fTailInto(tail: Float64Array, f: number, df1: number, df2: number): boolean {
  const a = 0.5 * df1;
  const b = 0.5 * df2;
  const odds = (f * df1) / df2;
  if (isLeading(odds, f, a, b)) {
    const logOdds = Math.log(f) + Math.log(df1) - Math.log(df2);
    tail[0] = logOdds < 0 ? a * logOdds + logBetaLeading(a, b) : -b * logOdds + logBetaLeading(b, a);
    tail[1] = 1;
    return logOdds < 0;
  }
  const x = odds / (1 + odds);
  const y = 1 / (1 + odds);
  return betaTailInto(tail, a, b, x, y, a * y * (1 - f));
}

function isLeading(odds: number, f: number, a: number, b: number): boolean {
  return (odds < 1 / LEADING_ONLY && f * a < NEGLIGIBLE) || (odds > LEADING_ONLY && b / f < NEGLIGIBLE);
}

/** df, or Infinity where that makes no difference; `scaled` is the other df times f or 1/f. */
function roundUp(df: number, other: number, scaled: number): number {
  return df > AS_INFINITE && other < MODERATE && scaled < MODERATE ? Number.POSITIVE_INFINITY : df;
}

type Part = "cdf" | "sf" | "logCdf" | "logSf";

/** All four functions at and beyond the edges of the parameter space, then the tail. */
function evaluate(f: number, df1: number, df2: number, part: Part): number {
  if (!(df1 > 0 && df2 > 0) || Number.isNaN(f)) return Number.NaN;
  const lowerAsked = part === "cdf" || part === "logCdf";
  const logAsked = part === "logCdf" || part === "logSf";
  if (f <= 0 || f === Number.POSITIVE_INFINITY) {
    const value = f > 0 === lowerAsked ? 1 : 0;
    return logAsked ? Math.log(value) : value;
  }
  [df1, df2] = [roundUp(df1, df2, df2 / f), roundUp(df2, df1, df1 * f)];
  if (df2 === Number.POSITIVE_INFINITY || df1 === Number.POSITIVE_INFINITY)
    return limit(f, df1, df2, lowerAsked, logAsked);
  const same = fTailInto(TAIL, f, df1, df2) === lowerAsked;
  if (logAsked) return same ? tailLog(TAIL) : tailLogComplement(TAIL);
  return same ? tailValue(TAIL) : tailComplement(TAIL);
}

/** At least one df infinite. */
function limit(f: number, df1: number, df2: number, lower: boolean, log: boolean): number {
  if (df1 === df2) {
    // the limit is the constant 1; at 1 itself half of the weight lies on either side for any large df1 = df2
    const value = f === 1 ? 0.5 : f > 1 === lower ? 1 : 0;
    return log ? Math.log(value) : value;
  }
  const first = df2 === Number.POSITIVE_INFINITY;
  const a = 0.5 * (first ? df1 : df2);
  const x = first ? a * f : a / f;
  if (first === lower) return log ? logGammaP(a, x) : gammaP(a, x);
  return log ? logGammaQ(a, x) : gammaQ(a, x);
}

export function fPdf(f: number, df1: number, df2: number): number {
  return Math.exp(fLogPdf(f, df1, df2));
}

export function fLogPdf(f: number, df1: number, df2: number): number {
  if (!(df1 > 0 && df2 > 0) || Number.isNaN(f)) return Number.NaN;
  if (f < 0 || f === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  if (f === 0) {
    if (df1 === 2) return 0;
    return df1 < 2 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }
  [df1, df2] = [roundUp(df1, df2, df2 / f), roundUp(df2, df1, df1 * f)];
  const a = 0.5 * df1;
  const b = 0.5 * df2;
  if (df1 === df2 && df1 === Number.POSITIVE_INFINITY) return f === 1 ? df1 : -df1;
  if (df2 === Number.POSITIVE_INFINITY) return logGammaKernel(a, a * f) - Math.log(f);
  if (df1 === Number.POSITIVE_INFINITY) return logGammaKernel(b, b / f) - Math.log(f);
  const odds = (f * df1) / df2;
  if (isLeading(odds, f, a, b)) {
    const logOdds = Math.log(f) + Math.log(df1) - Math.log(df2);
    const leading =
      logOdds < 0
        ? a * logOdds + logBetaLeading(a, b) + Math.log(a)
        : -b * logOdds + logBetaLeading(b, a) + Math.log(b);
    return leading - Math.log(f);
  }
  const y = 1 / (1 + odds);
  return logBetaKernel(a, b, odds * y, y, a * y * (1 - f)) - Math.log(f);
}

export function fCdf(f: number, df1: number, df2: number): number {
  return evaluate(f, df1, df2, "cdf");
}

export function fSf(f: number, df1: number, df2: number): number {
  return evaluate(f, df1, df2, "sf");
}

export function fLogCdf(f: number, df1: number, df2: number): number {
  return evaluate(f, df1, df2, "logCdf");
}

export function fLogSf(f: number, df1: number, df2: number): number {
  return evaluate(f, df1, df2, "logSf");
}

export function fQuantile(p: number, df1: number, df2: number): number {
  return quantile(p, df1, df2, { lower: true, log: false });
}

export function fQuantileUpper(q: number, df1: number, df2: number): number {
  return quantile(q, df1, df2, { lower: false, log: false });
}

export function fQuantileLog(logP: number, df1: number, df2: number): number {
  return quantile(logP, df1, df2, { lower: true, log: true });
}

export function fQuantileLogUpper(logQ: number, df1: number, df2: number): number {
  return quantile(logQ, df1, df2, { lower: false, log: true });
}

function quantile(p: number, df1: number, df2: number, options: Required<TailOptions>): number {
  if (!(df1 > 0 && df2 > 0)) return Number.NaN;
  const a = 0.5 * df1;
  const b = 0.5 * df2;
  if (df1 === df2 && df1 === Number.POSITIVE_INFINITY) return quantileOfOne(p, options);
  if (df2 > AS_INFINITE && df1 < MODERATE) {
    const f = inverseGammaP(a, p, options) / a;
    if (!(roundUp(df2, df1, df1 * f) < Number.POSITIVE_INFINITY)) return f;
  }
  if (df1 > AS_INFINITE && df2 < MODERATE) {
    const f = b / inverseGammaP(b, p, { lower: !options.lower, log: options.log });
    if (!(roundUp(df1, df2, df2 / f) < Number.POSITIVE_INFINITY)) return f;
  }
  const odds = inverseBetaOdds(p, a, b, options);
  if (odds > 1 / LEADING_ONLY && odds < LEADING_ONLY) return (odds / df1) * df2;
  return Number.isNaN(odds) ? odds : farQuantile(p, a, b, { ...options, nearZero: odds < 1 });
}

/** Both df infinite: all weight at 1. */
function quantileOfOne(p: number, { lower, log }: Required<TailOptions>): number {
  const q = log ? Math.exp(p) : p;
  if (!(q >= 0 && q <= 1)) return Number.NaN;
  if (q > 0 && q < 1) return 1;
  return (q === 1) === lower ? Number.POSITIVE_INFINITY : 0;
}

/** Where the odds under- or overflow: the leading power of the tail at that end, solved for f. */
function farQuantile(p: number, a: number, b: number, options: Required<TailOptions> & { nearZero: boolean }): number {
  const { lower, log, nearZero } = options;
  // the tail at the end in question is the one given, or its complement
  const given = log ? p : Math.log(p);
  const other = log ? log1mexp(p) : Math.log1p(-p);
  const logTail = nearZero === lower ? given : other;
  const logOdds = nearZero ? (logTail - logBetaLeading(a, b)) / a : (logBetaLeading(b, a) - logTail) / b;
  return Math.exp(logOdds - Math.log(a) + Math.log(b));
}
