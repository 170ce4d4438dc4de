/** Quantiles of continuous distributions by inversion of a log tail probability.
 *  The tail that holds p exactly (the smaller one) is inverted on the log scale, where it is nearly linear or quadratic:
 *  doubling steps in the known direction bracket the root, Brent's method finishes. Where a cheap approximation of the tail is at hand, its
 *  root is found first, and Newton's steps with its slope end on the tail itself. */

import { findRoot } from "../optim/brent.ts";

/** The search variables are logarithmic, so this is a few units in the last place of the quantile. */
const ROOT_TOLERANCE = 4e-16;
/** Doubling steps from anywhere to the ends of the range: some 15. */
const MAX_STEPS = 200;

export interface LogTails {
  /** log P(X <= x(u)) and log P(X > x(u)) for the search variable u, increasing in x. */
  readonly logCdf: (u: number) => number;
  readonly logSf: (u: number) => number;
  /** log P(X > x(u)) but for its last digits, for less. */
  readonly roughSf?: (u: number) => number;
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
    ? invertLog(
        { target: Math.log(q), log: tails.logSf, rough: tails.roughSf, sign: -1, range: tails.range },
        guess,
        step,
      )
    : invertLower(1 - q, tails, guess, step);
}

interface LogTail {
  readonly target: number;
  readonly log: (u: number) => number;
  readonly rough?: ((u: number) => number) | undefined;
  /** 1 when the tail grows with u, -1 when it falls. */
  readonly sign: 1 | -1;
  readonly range: readonly [low: number, high: number];
}

function invertLog({ target, log, rough, sign, range: [low, high] }: LogTail, guess: number, step: number): number {
  const exact = (u: number) => sign * (log(u) - target);
  const g = rough === undefined ? exact : (u: number) => sign * (rough(u) - target);
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
  if (rough !== undefined) {
    const polished = polishRoot(findRoot(g, a, b, { tolerance: ROUGH_TOLERANCE }).root, { exact, rough: g });
    return Number.isNaN(polished) ? invertLog({ target, log, sign, range: [low, high] }, guess, step) : polished;
  }
  return findRoot(g, a, b, { tolerance: ROOT_TOLERANCE }).root;
}

/** Of the approximate root: one step is then enough. */
const ROUGH_TOLERANCE = 1e-10;
/** A step this short leaves its own share of the slope's error, a part in 10^5. */
const LAST_STEP = 2e-9;
const SLOPE_STEP = 1e-5;
const MOST_POLISHES = 4;

/** The root of `exact` from that of `rough` near it, whose slope is the same but for its last digits; NaN where it is not. */
export function polishRoot(
  root: number,
  { exact, rough }: { readonly exact: (u: number) => number; readonly rough: (u: number) => number },
): number {
  const slope = (rough(root + SLOPE_STEP) - rough(root)) / SLOPE_STEP;
  let u = root;
  for (let i = 0; i < MOST_POLISHES; i++) {
    const step = exact(u) / slope;
    u -= step;
    if (!(Math.abs(step) < FAR_OFF)) return Number.NaN;
    if (Math.abs(step) <= LAST_STEP) return u;
  }
  return Number.NaN;
}

/** An approximation whose root is further off than this has no slope to trust. */
const FAR_OFF = 1e-3;
