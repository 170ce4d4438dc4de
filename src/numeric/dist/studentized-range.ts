/** Studentized range:  Q = W / S,  W the range of k standard normals, S² = χ²(df)/df independent of W.
 *     P(Q <= q) = ∫ P(W <= q s) f(s) ds,   P(Q > q) = ∫ P(W > q s) f(s) ds,   f the density of S
 *  Double trapezoid quadrature: the inner integral is normal-range.ts, the outer one is over u = log s about its own mode.
 *  The upper tail is an integral of its own, so p values far below 1e-16 are right, and no df is treated as infinite.
 *  Reference: Lund & Lund (1983), Applied Statistics 32, 204-210 (the integral); Trefethen & Weideman (2014), SIAM Review 56 (the rule).
 *  Oracle:    mpmath, oracle/reference/distributions-noncentral.json and oracle/python/noncentral.json — 1e-12 relative in both
 *             tails. R's ptukey is off by up to 4e-3 at df = 2 (k = 200, q = 40), takes df > 25000 as infinite, and has no upper tail below 1e-12.
 *  Limits:    k an integer from 2 to 1e9; checked to k = 200 and df from 1 to 1e8, beyond k = 200 at df = Infinity. NaN where the
 *             sums do not settle. 0.05 to 0.2 ms a value after the first of a k (3 ms at k = 1e6), 3 µs at df = Infinity. */

import { log1mexp } from "../special/log.ts";
import { invertLower, invertUpper, LOG_RANGE, type LogTails } from "./invert-tail.ts";
import { normalRangeLogCdf, normalRangeLogSf, normalRangeTails } from "./normal-range.ts";
import { areModerate, extendInwards, extendOutwards, isFarIn, isFarOut } from "./power-tail.ts";
import { refineLog, refineTail } from "./refine-log.ts";
import { logAverageOverScale } from "./scale-average.ts";
import { tQuantileUpper } from "./t.ts";

function isValid(q: number, k: number, df: number): boolean {
  return k >= 2 && k <= 0x3fffffff && Number.isInteger(k) && df > 0 && !Number.isNaN(q);
}

/** log P(Q <= q). */
function logLower(q: number, k: number, df: number): number {
  if (!isValid(q, k, df)) return Number.NaN;
  if (q <= 0) return Number.NEGATIVE_INFINITY;
  if (q === Number.POSITIVE_INFINITY) return 0;
  if (df === Number.POSITIVE_INFINITY) return normalRangeLogCdf(q, k);
  if (isFarIn(q) && areModerate(k, df)) return extendInwards((x) => logLower(x, k, df), q, k - 1);
  if (isFarOut(q) && areModerate(k, df)) return log1mexp(logUpper(q, k, df));
  // P(W <= w) grows as w^{k-1} up to about its median and is flat beyond: there lies the mode of the integrand
  const median = 1.7 * Math.sqrt(2 * Math.log(k));
  const centre = Math.max(0, Math.min(0.5 * Math.log1p((k - 1) / df), Math.log(median / q)));
  const { logCdf } = normalRangeTails(k);
  return Math.min(
    0,
    logAverageOverScale((u) => logCdf(q * Math.exp(u)), df, centre),
  );
}

/** log P(Q > q). */
function logUpper(q: number, k: number, df: number, rough = false): number {
  if (!isValid(q, k, df)) return Number.NaN;
  if (q <= 0) return 0;
  if (q === Number.POSITIVE_INFINITY) return Number.NEGATIVE_INFINITY;
  if (df === Number.POSITIVE_INFINITY) return normalRangeLogSf(q, k);
  if (isFarOut(q) && areModerate(k, df)) return extendOutwards((x) => logUpper(x, k, df), q, df);
  // P(W > w) falls as e^{-w²/4}: the mode of s^df e^{-(df/2 + q²/4) s²}
  const centre = -Math.log(Math.hypot(1, q / Math.sqrt(2 * df)));
  const { logSf } = normalRangeTails(k);
  return Math.min(
    0,
    logAverageOverScale((u) => logSf(q * Math.exp(u)), df, centre, rough),
  );
}

/** P(Q <= q). */
export function studentizedRangeCdf(q: number, k: number, df: number): number {
  return refineTail(logLower(q, k, df), () => logUpper(q, k, df));
}

/** P(Q > q). */
export function studentizedRangeSf(q: number, k: number, df: number): number {
  return refineTail(logUpper(q, k, df), () => logLower(q, k, df));
}

export function studentizedRangeLogCdf(q: number, k: number, df: number): number {
  return refineLog(logLower(q, k, df), () => logUpper(q, k, df));
}

export function studentizedRangeLogSf(q: number, k: number, df: number): number {
  return refineLog(logUpper(q, k, df), () => logLower(q, k, df));
}

/** Tails over u = log q. */
function tailsOf(k: number, df: number): LogTails {
  return {
    logCdf: (u) => logLower(Math.exp(u), k, df),
    logSf: (u) => logUpper(Math.exp(u), k, df),
    roughSf: (u) => logUpper(Math.exp(u), k, df, true),
    range: LOG_RANGE,
  };
}

/** The q with P(Q <= q) = p. */
export function studentizedRangeQuantile(p: number, k: number, df: number): number {
  if (!isValid(p, k, df) || p < 0 || p > 1) return Number.NaN;
  if (p === 0 || p === 1) return p === 0 ? 0 : Number.POSITIVE_INFINITY;
  return Math.exp(invertLower(p, tailsOf(k, df), 1, 0.25));
}

/** The q with P(Q > q) = p. */
export function studentizedRangeQuantileUpper(p: number, k: number, df: number): number {
  if (!isValid(p, k, df) || p < 0 || p > 1) return Number.NaN;
  if (p === 0 || p === 1) return p === 1 ? 0 : Number.POSITIVE_INFINITY;
  // Bonferroni's q over all pairs is above the wanted one by a few percent
  const above = Math.log(Math.SQRT2 * tQuantileUpper(p / (k * (k - 1)), df));
  const isNear = p <= 0.5 && Number.isFinite(above);
  return Math.exp(invertUpper(p, tailsOf(k, df), isNear ? above : 1, isNear ? NEAR_STEP : 0.25));
}

/** First step down from Bonferroni's value, in log q. */
const NEAR_STEP = 0.03;
