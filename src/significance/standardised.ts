/** Standardised differences: the correction of their bias and the exact interval of a noncentrality. */

import { noncentralTCdf, noncentralTSf } from "../numeric/dist/noncentral-t.ts";
import { expandBracket, findRoot } from "../numeric/optim/brent.ts";
import { logGammaDelta } from "../numeric/special/gamma.ts";
/** J(ν): what takes the bias out of d; 1 for a known SD, undefined for ν <= 1. */
export function hedgesCorrection(df: number): number {
  if (df === Number.POSITIVE_INFINITY) return 1;
  if (!(df > 1)) return Number.NaN;
  return Math.exp(logGammaDelta((df - 1) / 2, 0.5)) / Math.sqrt(df / 2);
}

/** The ncp for which the observed t is the upper, and the lower, tail point. */
export function noncentralityInterval(t: number, df: number, confidence: number): readonly [number, number] {
  if (!Number.isFinite(t) || !(df > 0)) return [Number.NaN, Number.NaN];
  const tail = (1 - confidence) / 2;
  return [solve((ncp) => noncentralTSf(t, df, ncp) - tail, t), solve((ncp) => noncentralTCdf(t, df, ncp) - tail, t)];
}

function solve(f: (ncp: number) => number, near: number): number {
  const { lo, hi, found } = expandBracket(f, near - 1, near + 1);
  return found ? findRoot(f, lo, hi).root : Number.NaN;
}
