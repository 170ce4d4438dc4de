/** Student's t distribution, any df > 0 (fractional too); df = Infinity is the standard normal.
 *  With w = df / t² (odds of x = df / (df + t²)):  P(T > t) = I_x(df/2, 1/2) / 2 for t > 0.
 *  Reference: DLMF 8.17; special/beta-tail.ts. λ = a y - b x = df (t² - 1) / (2 (df + t²)) is formed without cancellation.
 *  Oracle:    mpmath, oracle/reference/distributions-core.json and oracle/python/distributions.json — 1e-12 relative in both
 *             tails for df from 1e-3 to 1e10. */

import { betaTailInto, logBetaLeading } from "../special/beta-tail.ts";
import { logGammaDelta } from "../special/gamma.ts";
import { inverseBetaOdds } from "../special/inverse-beta.ts";
import { twiceExpMinusOne } from "../special/log.ts";
import { tailComplement, tailLog, tailLogComplement, tailValue } from "../special/tail.ts";
import { normalCdf, normalLogCdf, normalLogPdf, normalPdf, normalQuantile, normalQuantileLog } from "./normal.ts";

const LOG_PI = 1.1447298858494002;
/** Above this |t| and |t|/√df the leading power of the tail is exact, and t² need not be formed. */
const LEADING_ONLY = 1e75;

const TAIL = new Float64Array(2);

/** Writes a part of P(|T| > |t|) as [log scale, factor]; true when it is the outer part, false when P(|T| <= |t|). */
function outerInto(tail: Float64Array, t: number, df: number): boolean {
  const s = Math.abs(t);
  if (s > LEADING_ONLY * Math.max(1, Math.sqrt(df))) {
    tail[0] = 0.5 * df * (Math.log(df) - 2 * Math.log(s)) + logBetaLeading(0.5 * df, 0.5);
    tail[1] = 1;
    return true;
  }
  const t2 = s * s;
  const sum = df + t2;
  return betaTailInto(tail, 0.5 * df, 0.5, df / sum, t2 / sum, 0.5 * (s - 1) * (s + 1) * (df / sum));
}

export function tPdf(t: number, df: number): number {
  return df === Number.POSITIVE_INFINITY ? normalPdf(t) : Math.exp(tLogPdf(t, df));
}

export function tLogPdf(t: number, df: number): number {
  if (!(df > 0)) return Number.NaN;
  if (df === Number.POSITIVE_INFINITY) return normalLogPdf(t);
  const r = Math.abs(t) / Math.sqrt(df);
  const log1 = r < LEADING_ONLY ? Math.log1p(r * r) : 2 * Math.log(r);
  return logGammaDelta(0.5 * df, 0.5) - 0.5 * (LOG_PI + Math.log(df)) - 0.5 * (df + 1) * log1;
}

/** P(T <= t). */
export function tCdf(t: number, df: number): number {
  if (!(df > 0) || Number.isNaN(t)) return Number.NaN;
  if (df === Number.POSITIVE_INFINITY) return normalCdf(t);
  if (t === 0) return 0.5;
  if (!Number.isFinite(t)) return t > 0 ? 1 : 0;
  const outer = outerInto(TAIL, t, df);
  // below zero the outer part counts, halved; above zero 1/2 plus half the inner part
  if (t < 0) return 0.5 * (outer ? tailValue(TAIL) : tailComplement(TAIL));
  return outer ? 1 - 0.5 * tailValue(TAIL) : 0.5 + 0.5 * tailValue(TAIL);
}

/** P(T > t). */
export function tSf(t: number, df: number): number {
  return tCdf(-t, df);
}

export function tLogCdf(t: number, df: number): number {
  if (!(df > 0) || Number.isNaN(t)) return Number.NaN;
  if (df === Number.POSITIVE_INFINITY) return normalLogCdf(t);
  if (t >= 0) return Math.log1p(-tCdf(-t, df));
  if (t === Number.NEGATIVE_INFINITY) return t;
  return (outerInto(TAIL, t, df) ? tailLog(TAIL) : tailLogComplement(TAIL)) - Math.LN2;
}

export function tLogSf(t: number, df: number): number {
  return tLogCdf(-t, df);
}

/** The t with P(T <= t) = p. */
export function tQuantile(p: number, df: number): number {
  if (!(df > 0) || !(p >= 0 && p <= 1)) return Number.NaN;
  if (df === Number.POSITIVE_INFINITY) return normalQuantile(p);
  const tail = p < 0.5 ? p : 1 - p;
  const size =
    tail > 0.25
      ? // P(|T| <= t) = |2p - 1|, exact here, so t keeps its relative accuracy near the median
        oddsToT(inverseBetaOdds(2 * Math.abs(p - 0.5), 0.5 * df, 0.5, { lower: false }), df, Math.log(2 * tail))
      : oddsToT(inverseBetaOdds(2 * tail, 0.5 * df, 0.5), df, Math.log(2 * tail));
  return p < 0.5 ? -size : size;
}

/** The t with P(T > t) = q. */
export function tQuantileUpper(q: number, df: number): number {
  return 0 - tQuantile(q, df);
}

/** The t with log P(T <= t) = logP. */
export function tQuantileLog(logP: number, df: number): number {
  if (!(df > 0) || !(logP <= 0)) return Number.NaN;
  if (df === Number.POSITIVE_INFINITY) return normalQuantileLog(logP);
  if (logP > -0.5 * Math.LN2) return tQuantileUpper(-Math.expm1(logP), df);
  if (logP > -2 * Math.LN2) {
    // e^{logP} - 1/2 without cancellation near the median
    const inner = twiceExpMinusOne(logP);
    const size = oddsToT(
      inverseBetaOdds(Math.abs(inner), 0.5 * df, 0.5, { lower: false }),
      df,
      Math.log1p(-Math.abs(inner)),
    );
    return inner < 0 ? -size : size;
  }
  const logTwo = logP + Math.LN2;
  return -oddsToT(inverseBetaOdds(logTwo, 0.5 * df, 0.5, { log: true }), df, logTwo);
}

/** The t with log P(T > t) = logQ. */
export function tQuantileLogUpper(logQ: number, df: number): number {
  return 0 - tQuantileLog(logQ, df);
}

/** |t| from the odds df / t²; where those underflow, from the leading power of the two-sided tail. */
function oddsToT(odds: number, df: number, logTwoSided: number): number {
  if (odds > 1e-290) return Math.sqrt(df / odds);
  const logX = (logTwoSided - logBetaLeading(0.5 * df, 0.5)) / (0.5 * df);
  return Math.exp(0.5 * (Math.log(df) - logX));
}
