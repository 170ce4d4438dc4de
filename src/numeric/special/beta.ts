/** Regularised incomplete beta ratio  I_x(a, b) = 1/B(a, b) ∫₀ˣ t^{a-1} (1-t)^{b-1} dt.
 *
 *  Every function takes y = 1 - x as an optional last argument: give it when x is so close to 1 that 1 - x has lost digits.
 *  Reference: DiDonato & Morris (1992), ACM TOMS 18, 360-373; Temme (1992), J. Comput. Appl. Math. 41, 145-157.
 *  Oracle:    mpmath, oracle/reference/distributions-core.json and oracle/python/distributions.json — 1e-12 relative in both
 *             tails and in logarithms for a, b from 1e-6 to 1e10. */

import { betaTailInto } from "./beta-tail.ts";
import { tailComplement, tailLog, tailLogComplement, tailValue } from "./tail.ts";

/** 2²⁷ + 1: splits a double into two halves of 26 bits. */
const SPLITTER = 134217729;

/** c - s t to full accuracy even when it nearly vanishes; s = p + q is taken unrounded. */
function deviation(c: number, p: number, q: number, t: number): number {
  const s = p + q;
  // what the rounding of p + q lost (Knuth's two-sum)
  const back = s - p;
  const lost = p - (s - back) + (q - back);
  const product = s * t;
  if (!(s < 1e290 && t < 1e290)) return c - product;
  const cs = SPLITTER * s;
  const sh = cs - (cs - s);
  const sl = s - sh;
  const ct = SPLITTER * t;
  const th = ct - (ct - t);
  const tl = t - th;
  const low = sl * tl - (product - sh * th - sl * th - sh * tl);
  return c - product - low - lost * t;
}

/** a - (a + b) x from the smaller of x and y, which carries more digits. */
export function betaDeviation(a: number, b: number, x: number, y: number): number {
  return x <= y ? deviation(a, a, b, x) : -deviation(b, a, b, y);
}

/** The same from the odds w = x / y:  (a - b w) / (1 + w). */
export function betaDeviationFromOdds(a: number, b: number, w: number): number {
  return deviation(a, b, 0, w) / (1 + w);
}

const TAIL = new Float64Array(2);

/** Arguments outside the interior: the lower tail there (0, 1 or NaN); undefined inside. */
function boundaryI(x: number, a: number, b: number, y: number): number | undefined {
  if (!(a >= 0 && b >= 0) || Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (a === 0 && b === 0) return Number.NaN;
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  if (a === 0 || b === Number.POSITIVE_INFINITY) return a === b ? Number.NaN : 1;
  if (b === 0 || a === Number.POSITIVE_INFINITY) return 0;
  return undefined;
}

/** I_x(a, b), the lower tail. */
export function betaI(x: number, a: number, b: number, y = 1 - x): number {
  const edge = boundaryI(x, a, b, y);
  if (edge !== undefined) return edge;
  return betaTailInto(TAIL, a, b, x, y, betaDeviation(a, b, x, y)) ? tailValue(TAIL) : tailComplement(TAIL);
}

/** 1 - I_x(a, b), the upper tail. */
export function betaIc(x: number, a: number, b: number, y = 1 - x): number {
  const edge = boundaryI(x, a, b, y);
  if (edge !== undefined) return 1 - edge;
  return betaTailInto(TAIL, a, b, x, y, betaDeviation(a, b, x, y)) ? tailComplement(TAIL) : tailValue(TAIL);
}

export function logBetaI(x: number, a: number, b: number, y = 1 - x): number {
  const edge = boundaryI(x, a, b, y);
  if (edge !== undefined) return Math.log(edge);
  return betaTailInto(TAIL, a, b, x, y, betaDeviation(a, b, x, y)) ? tailLog(TAIL) : tailLogComplement(TAIL);
}

export function logBetaIc(x: number, a: number, b: number, y = 1 - x): number {
  const edge = boundaryI(x, a, b, y);
  if (edge !== undefined) return Math.log(1 - edge);
  return betaTailInto(TAIL, a, b, x, y, betaDeviation(a, b, x, y)) ? tailLogComplement(TAIL) : tailLog(TAIL);
}
