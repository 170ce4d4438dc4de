/** A test that stopped at look k with z: p and estimate that know about the looks before, by the stagewise ordering: an exit above at an
 *  earlier look is more extreme, an exit below less.
 *      p = P_0{(T, Z_T) ≥ (k, z)},  the median-unbiased drift solves P_drift{…} = ½, the ends of the interval α/s and 1 - α/s
 *  Reference: Tsiatis, Rosner & Mehta (1984), Biometrics 40; Jennison & Turnbull (2000), sections 8.4-8.5.
 *  Oracle:    oracle/next/group-sequential.json; mvtnorm and rpact beside it. */
import { expandBracket, findRoot } from "../../numeric/optim/brent.ts";
import { StatError } from "../../result/error.ts";
import { findBoundaries, type Sides, type Spending } from "./boundaries.ts";
import { type LookBounds, Walk } from "./walk.ts";

export interface StoppedOptions {
  readonly information: readonly number[];
  readonly alpha: number;
  readonly sides: Sides;
  readonly spending: Spending;
  /** From 1. */
  readonly look: number;
  readonly z: number;
}

export interface StoppedTest {
  readonly rejected: boolean;
  /** That the drift is positive; and of both sides. */
  readonly pUpper: number;
  readonly p: number;
  /** In units of the expected z at the last look. */
  readonly drift: { readonly estimate: number; readonly lower: number; readonly upper: number; readonly naive: number };
  readonly level: number;
}

export function judgeStopped(options: StoppedOptions): StoppedTest {
  const { information, alpha, sides, look, z } = options;
  if (!(Number.isInteger(look) && look >= 1 && look <= information.length))
    throw new StatError("BadLook", `look ${look} of ${information.length}: no such look.`, "count looks from 1.");
  if (!Number.isFinite(z)) throw new StatError("BadLook", `z ${z} is not a number.`, "give the statistic of the look.");
  const bounds = findBoundaries(options);
  const bound = bounds.upper[look - 1]!;
  const above = (drift: number): number => atLeast(bounds, { look, z, drift });
  const solve = (share: number): number => {
    const naive = z / Math.sqrt(information[look - 1]!);
    const off = (drift: number): number => above(drift) - share;
    const { lo, hi } = expandBracket(off, naive - 1, naive + 1);
    return findRoot(off, lo, hi).root;
  };
  const pUpper = above(0);
  return {
    rejected: sides === 2 ? Math.abs(z) >= bound : z >= bound,
    pUpper,
    p: sides === 2 ? 2 * Math.min(pUpper, 1 - pUpper) : pUpper,
    drift: {
      estimate: solve(0.5),
      lower: solve(alpha / sides),
      upper: solve(1 - alpha / sides),
      naive: z / Math.sqrt(information[look - 1]!),
    },
    level: 1 - (2 * alpha) / sides,
  };
}

/** P{(T, Z_T) ≥ (look, z)}. */
function atLeast(
  { information, lower, upper }: LookBounds,
  { look, z, drift }: { readonly look: number; readonly z: number; readonly drift: number },
): number {
  const walk = new Walk(information, drift);
  let sum = 0;
  for (let k = 0; k < look - 1; k++) {
    sum += walk.above(upper[k]!);
    walk.advance(lower[k]!, upper[k]!);
  }
  return sum + walk.above(z);
}
