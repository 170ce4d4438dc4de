/** Quantiles of continuous distributions by inversion of a log tail probability.
 *  The tail that holds p exactly (the smaller one) is inverted on the log scale, where it is nearly linear or quadratic:
 *  doubling steps in the known direction bracket the root, Brent's method finishes. */

import { findRoot } from "../optim/brent.ts";

/** The search variables are logarithmic, so this is a few units in the last place of the quantile. */
const ROOT_TOLERANCE = 4e-16;
/** Doubling steps beyond this have left the range of doubles. */
const MAX_STEPS = 200;

export interface LogTails {
  /** log P(X <= x(u)) and log P(X > x(u)) for the search variable u, increasing in x. */
  readonly logCdf: (u: number) => number;
  readonly logSf: (u: number) => number;
}

/** The u with P(X <= x(u)) = p, for 0 < p < 1. */
export function invertLower(p: number, tails: LogTails, guess: number, step: number): number {
  return p <= 0.5 ? invertLog(Math.log(p), tails.logCdf, 1, guess, step) : invertUpper(1 - p, tails, guess, step);
}

/** The u with P(X > x(u)) = q, for 0 < q < 1. */
export function invertUpper(q: number, tails: LogTails, guess: number, step: number): number {
  return q <= 0.5 ? invertLog(Math.log(q), tails.logSf, -1, guess, step) : invertLower(1 - q, tails, guess, step);
}

function invertLog(target: number, log: (u: number) => number, sign: number, guess: number, step: number): number {
  const g = (u: number) => sign * (log(u) - target);
  let a = guess;
  let ga = g(a);
  let b = a;
  let gb = ga;
  let width = ga < 0 ? step : -step;
  for (let i = 0; i < MAX_STEPS && ga * gb > 0; i++) {
    a = b;
    ga = gb;
    b = a + width;
    gb = g(b);
    width *= 2;
  }
  if (!(ga * gb <= 0)) return Number.NaN;
  return findRoot(g, a, b, { tolerance: ROOT_TOLERANCE }).root;
}
