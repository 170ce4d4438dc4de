/** Student's t distribution, any df > 0 (fractional too); df = Infinity is the standard normal.
 *  With w = df / t² (odds of x = df / (df + t²)):  P(T > t) = I_x(df/2, 1/2) / 2 for t > 0.
 *  Quantiles: Hill's expansion (1970, Commun. ACM 13, algorithm 396) and steps of the Taylor series, elsewhere special/inverse-beta.ts.
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
  return logHeight(df) - 0.5 * (df + 1) * log1;
}

/** df and the value of the last call: quantiles and tables ask for one df many times. */
const LAST_HEIGHT = new Float64Array(2);

/** log f(0). */
function logHeight(df: number): number {
  if (LAST_HEIGHT[0] !== df) {
    LAST_HEIGHT[0] = df;
    LAST_HEIGHT[1] = logGammaDelta(0.5 * df, 0.5) - 0.5 * (LOG_PI + Math.log(df));
  }
  return LAST_HEIGHT[1]!;
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
  const fast = df >= EXPANSION_DF && tail >= EXPANSION_TAIL ? polishedQuantile(p, tail, df) : Number.NaN;
  const size = Number.isNaN(fast) ? quantileByOdds(p, tail, df) : fast;
  return p < 0.5 ? -size : size;
}

/** Where Hill's expansion is a good start: elsewhere the steps from it would be many, or none would be enough. */
const EXPANSION_DF = 2;
const EXPANSION_TAIL = 1e-30;
/** A step e with e ψ (and e/t) below this leaves an error of (e ψ)⁴/4 relative to t. */
const LAST_STEP = 2e-4;
const MOST_STEPS = 4;

/** |t| from Hill's expansion and steps of the quantile function's Taylor series; NaN where they do not settle. With
 *  ψ = -f'/f = (df + 1) t / (df + t²) and e = (P(T > t) - tail) / f(t) a step is  e + ψ e²/2 + (ψ' + 2ψ²) e³/6. */
function polishedQuantile(p: number, tail: number, df: number): number {
  const inner = 2 * Math.abs(p - 0.5);
  let t = expandedQuantile(tail, df);
  for (let i = 0; i < MOST_STEPS && t > 0 && t < Number.POSITIVE_INFINITY; i++) {
    // of P(|T| > t) and P(|T| <= t) the one that is computed, so that neither loses digits
    const missing = outerInto(TAIL, t, df) ? tailValue(TAIL) - 2 * tail : inner - tailValue(TAIL);
    const e = (0.5 * missing) / tPdf(t, df);
    const w = df + t * t;
    const psi = ((df + 1) * t) / w;
    const third = ((df + 1) * (df + (2 * df + 1) * t * t)) / (w * w);
    const size = Math.abs(e) * (psi + 1 / t);
    t += e * (1 + e * (psi / 2 + (e * third) / 6));
    if (size < LAST_STEP) return t;
  }
  return Number.NaN;
}

/** The t with P(T > t) = tail < 1/2, approximately.   Hill (1970), Commun. ACM 13, 619-620, algorithm 396. */
function expandedQuantile(tail: number, df: number): number {
  const a = 1 / (df - 0.5);
  const b = 48 / (a * a);
  const c = (((20700 * a) / b - 98) * a - 16) * a + 96.36;
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt(0.5 * a * Math.PI) * df;
  const y = (2 * d * tail) ** (2 / df);
  if (y <= 0.05 + a) {
    const inverse = ((df + 6) / (df * y) - 0.089 * d - 0.822) * (df + 2) * 3;
    return Math.sqrt(df * ((((1 / inverse + 0.5 / (df + 4)) * y - 1) * (df + 1)) / (df + 2) + 1 / y));
  }
  const x = normalQuantile(tail);
  const z = x * x;
  const small = df < 5 ? 0.3 * (df - 4.5) * (x + 0.6) : 0;
  const e = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c + small;
  const s = (((((0.4 * z + 6.3) * z + 36) * z + 94.5) / e - z - 3) / b + 1) * x;
  return Math.sqrt(df * Math.expm1(a * s * s));
}

function quantileByOdds(p: number, tail: number, df: number): number {
  return tail > 0.25
    ? // P(|T| <= t) = |2p - 1|, exact here, so t keeps its relative accuracy near the median
      oddsToT(inverseBetaOdds(2 * Math.abs(p - 0.5), 0.5 * df, 0.5, { lower: false }), df, Math.log(2 * tail))
    : oddsToT(inverseBetaOdds(2 * tail, 0.5 * df, 0.5), df, Math.log(2 * tail));
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
