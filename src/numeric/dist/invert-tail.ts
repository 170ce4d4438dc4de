/** Quantiles of continuous distributions by inversion of a log tail probability.
 *  The tail that holds p exactly (the smaller one) is inverted on the log scale, where it is nearly linear or quadratic:
 *  doubling steps in the known direction bracket the root, Brent's method finishes. */

import { findRoot } from "../optim/brent.ts";

/** The search variables are logarithmic, so this is a few units in the last place of the quantile. */
const ROOT_TOLERANCE = 4e-16;
/** Doubling steps from anywhere to the ends of the range: some 15. */
const MAX_STEPS = 200;

export interface LogTails {
  /** log P(X <= x(u)) and log P(X > x(u)) for the search variable u, increasing in x. */
  readonly logCdf: (u: number) => number;
  readonly logSf: (u: number) => number;
  /** Where x(u) is a positive or finite double; a quantile outside is reported as u = ±Infinity. */
  readonly range: readonly [low: number, high: number];
}

/** Range of u = log x: from the subnormal numbers, of which a half must still be one, to the largest double. */
export const LOG_RANGE = [-743, 709.78] as const;
/** Range of u = asinh x. */
export const ASINH_RANGE = [-710.47, 710.47] as const;

/** The u with P(X <= x(u)) = p, for 0 < p < 1. */
export function invertLower(p: number, tails: LogTails, guess: number, step: number): number {
  return p <= 0.5
    ? invertLog({ target: Math.log(p), log: tails.logCdf, sign: 1, range: tails.range }, guess, step)
    : invertUpper(1 - p, tails, guess, step);
}

/** The u with P(X > x(u)) = q, for 0 < q < 1. */
export function invertUpper(q: number, tails: LogTails, guess: number, step: number): number {
  return q <= 0.5
    ? invertLog({ target: Math.log(q), log: tails.logSf, sign: -1, range: tails.range }, guess, step)
    : invertLower(1 - q, tails, guess, step);
}

interface LogTail {
  readonly target: number;
  readonly log: (u: number) => number;
  /** 1 when the tail grows with u, -1 when it falls. */
  readonly sign: 1 | -1;
  readonly range: readonly [low: number, high: number];
}

function invertLog({ target, log, sign, range: [low, high] }: LogTail, guess: number, step: number): number {
  const g = (u: number) => sign * (log(u) - target);
  let a = Math.min(high, Math.max(low, guess));
  let ga = g(a);
  let b = a;
  let gb = ga;
  let width = ga < 0 ? step : -step;
  for (let i = 0; i < MAX_STEPS && gb !== 0 && ga > 0 === gb > 0; i++) {
    if (Number.isNaN(gb)) return Number.NaN;
    if (b === (width > 0 ? high : low)) return width > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    a = b;
    ga = gb;
    b = Math.min(high, Math.max(low, a + width));
    gb = g(b);
    width *= 2;
  }
  return findRoot(g, a, b, { tolerance: ROOT_TOLERANCE }).root;
}
