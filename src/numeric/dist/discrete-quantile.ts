/** Quantiles of integer distributions: the smallest k whose cdf has reached p, found on the tail that holds p exactly.
 *  Doubling steps away from a normal guess, then bisection; the distribution functions are monotone, so this cannot fail. */

import { normalQuantile } from "./normal.ts";

/** A p that was itself computed as a cdf must lead back to its k: 64 units of rounding, far below any probability gap that
 *  matters. */
const FUZZ = 64 * Number.EPSILON;
/** What p > 1/2 has lost of 1 - p by being stored, and as much again by the computation of p. */
const COMPLEMENT_ROUNDING = 2 * Number.EPSILON;
/** … but 1 - p is at least one unit of rounding, of which storing it took at most half: the target stays positive. */
const LARGEST_FACTOR = 2;

export interface DiscreteTails {
  /** P(X <= k) and P(X > k). */
  readonly cdf: (k: number) => number;
  readonly sf: (k: number) => number;
  readonly mean: number;
  readonly sd: number;
  readonly min: number;
  readonly max: number;
}

/** Smallest k with P(X <= k) >= p. */
export function discreteQuantile(p: number, tails: DiscreteTails): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return tails.min;
  if (p === 1) return tails.max;
  return p <= 0.5 ? quantileFromBelow(p, tails, 0) : quantileFromAbove(1 - p, tails, COMPLEMENT_ROUNDING);
}

/** Smallest k with P(X > k) <= q. */
export function discreteQuantileUpper(q: number, tails: DiscreteTails): number {
  if (!(q >= 0 && q <= 1)) return Number.NaN;
  if (q === 0) return tails.max;
  if (q === 1) return tails.min;
  return q <= 0.5 ? quantileFromAbove(q, tails, 0) : quantileFromBelow(1 - q, tails, COMPLEMENT_ROUNDING);
}

function quantileFromBelow(p: number, tails: DiscreteTails, slack: number): number {
  const target = Math.max(p * (1 - FUZZ) - slack, p / LARGEST_FACTOR);
  return smallest((k) => tails.cdf(k) >= target, tails.mean + tails.sd * normalQuantile(p), tails);
}

function quantileFromAbove(q: number, tails: DiscreteTails, slack: number): number {
  const target = Math.min(q * (1 + FUZZ) + slack, q * LARGEST_FACTOR);
  return smallest((k) => tails.sf(k) <= target, tails.mean - tails.sd * normalQuantile(q), tails);
}

/** Smallest k in [min, max] where `reached`, which turns from false to true once, is true. */
function smallest(reached: (k: number) => boolean, guess: number, { min, max }: DiscreteTails): number {
  const start = Math.max(min, Math.min(max, Math.round(guess)));
  let low = start;
  let high = start;
  if (reached(start)) {
    for (let step = 1; low >= min && reached(low); step *= 2) {
      high = low;
      low -= step;
    }
    low = Math.max(low, min - 1);
  } else {
    for (let step = 1; high < max && !reached(high); step *= 2) {
      low = high;
      high = Math.min(high + step, max);
    }
  }
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2);
    // beyond 2^53 neighbouring doubles are more than 1 apart
    if (middle === low || middle === high) break;
    if (reached(middle)) high = middle;
    else low = middle;
  }
  return high;
}
