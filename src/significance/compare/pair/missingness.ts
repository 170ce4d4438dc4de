/** Missing scores under the complete cases: what it would take among them to change a verdict, and whether the data make that plausible.
 *      d   mean difference of the complete cases      g   how far d could move before the verdict changes (the end of its interval)
 *      f   fraction of the items' scores that is missing            x = d - g/f   the difference among the missing at which it changes
 *  Scores count as missing at random as far as the data let them. Two things speak against it, each by its 95 % confidence limit:
 *      rates      b items lack a score of one system alone, c of the other: of m = b + c at least e = m(2π_L - 1) are in excess (π_L Clopper and
 *                 Pearson's lower limit of the larger one's proportion); those may lie at the end of the scale that speaks against the verdict
 *      observed   where one system lacks a score the other one's differ from its scores elsewhere by δ: the difference among the missing may
 *                 that are not in excess may be off by as much, if nothing of it was to be seen in the system that lacks them
 *  x is plausible where both together reach it.
 *  Reference: Cro, Morris, Kenward & Carpenter (2020), Stat. Med. 39(21) (controlled departures); Yan, Lee & Li (2009), J. Biopharm. Stat. 19(6) (tipping point).
 *  Oracle:    the sums by hand, in the tests of missing scores; rates of false verdicts: docs/methods/missing-outcomes.md.
 *  Limits:    what is seen of few missing scores is little: the limits are then 0, and so is what they can do unless items are few. */

import { normalQuantileUpper } from "../../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../../numeric/dist/t.ts";
import { binomialInterval } from "../../intervals/binomial.ts";
import { meanOf, varianceOf } from "../../samples.ts";
import { type Gaps, isIn } from "./gaps.ts";
import type { PairComparison } from "./pair.ts";
import type { Verdict } from "./verdict.ts";

/** A pair with its verdict. */
type Judged = Pick<PairComparison, "scoreA" | "scoreB" | "difference" | "ci"> & { readonly verdict: Verdict };

export interface Missingness {
  /** Items with a missing score of either system, and all items of the two. */
  readonly items: number;
  readonly of: number;
  /** Mean difference among what is missing at which the verdict changes; infinite where none within the scale does. */
  readonly tipping: number;
  /** Missing scores of one system in excess of the other's, at the least. */
  readonly excess: number;
  /** By how much the mean difference may be off, as far as the data show it. */
  readonly shift: number;
  /** Whether that reaches the tipping point. */
  readonly plausible: boolean;
}

/** One system of the pair, with the items that lack a score of it alone. */
interface Side {
  readonly items: readonly number[];
  readonly lacking: readonly number[];
  /** Mean missing part of these items, as a part of all items. */
  readonly each: number;
  /** What the other system scored on them, and where neither lacks any. */
  readonly beside: Float64Array;
  readonly elsewhere: Float64Array;
  /** What the other system's score stands for, where it has none of its own on an item. */
  readonly against: number;
}

interface About {
  readonly pair: Judged;
  readonly margin: number | undefined;
  readonly paired: boolean;
}

export function measureMissing(
  gaps: Gaps,
  [a, b]: readonly [number, number],
  { pair, margin, paired }: About,
): Missingness {
  const n = gaps.cells.itemCount;
  const lack = (s: number, i: number): number => {
    const [k, m] = [gaps.counts[i + s * n]!, gaps.unscored[i + s * n]!];
    return k + m === 0 ? 0 : m / (k + m);
  };
  const score =
    (s: number) =>
    (i: number): number =>
      gaps.sums[i + s * n]! / gaps.counts[i + s * n]!;
  const among = (systems: readonly number[]): number[] =>
    Array.from({ length: n }, (_, i) => i).filter((i) => isIn(gaps, i, systems, false));
  const sideOf = (own: number, other: number, against: number): Side => {
    const items = among(paired ? [own, other] : [own]);
    const lacking = items.filter((i) => lack(own, i) > 0 && !(paired && lack(other, i) > 0));
    const whole = paired ? items.filter((i) => lack(own, i) === 0 && lack(other, i) === 0) : [];
    return {
      items,
      lacking,
      each: sum(lacking.map((i) => lack(own, i))) / Math.max(1, lacking.length) / items.length,
      beside: Float64Array.from(paired ? lacking : [], score(other)),
      elsewhere: Float64Array.from(whole, score(other)),
      against,
    };
  };
  const [ofA, ofB] = [sideOf(a, b, paired ? Number.NaN : pair.scoreA), sideOf(b, a, paired ? Number.NaN : pair.scoreB)];
  const either = among(paired ? [a, b] : [a]);
  const share = paired
    ? sum(either.map((i) => Math.min(1, lack(a, i) + lack(b, i)))) / either.length
    : ofA.each * ofA.lacking.length + ofB.each * ofB.lacking.length;
  const { gap, sign } = roomOf(pair, margin);
  const off = [
    departure(ofA, ofB, { gaps, pair, sign, end: -sign }),
    departure(ofB, ofA, { gaps, pair, sign, end: sign }),
  ];
  const tipping = pair.difference + (sign * gap) / share;
  const shift = off[0]!.shift + off[1]!.shift;
  return {
    items: paired ? either.filter((i) => lack(a, i) + lack(b, i) > 0).length : ofA.lacking.length + ofB.lacking.length,
    of: paired ? either.length : ofA.items.length + ofB.items.length,
    tipping: Math.abs(tipping) > gaps.range[1] - gaps.range[0] ? sign * Number.POSITIVE_INFINITY : tipping,
    excess: Math.max(off[0]!.excess, off[1]!.excess),
    shift,
    plausible: shift >= gap,
  };
}

/** How far the difference can move, and in which direction, before the verdict is another one. */
function roomOf({ difference, ci, verdict }: Judged, margin: number | undefined): { gap: number; sign: 1 | -1 } {
  if (verdict !== "EQUIVALENT" || margin === undefined)
    return difference > 0 ? { gap: Math.max(0, ci.lower), sign: -1 } : { gap: Math.max(0, -ci.upper), sign: 1 };
  // the interval of two one-sided tests is narrower: its limits are those of a normal distribution
  const narrow = normalQuantileUpper(1 - ci.level) / normalQuantileUpper((1 - ci.level) / 2);
  const half = narrow * Math.max(ci.upper - difference, difference - ci.lower);
  return { gap: Math.max(0, margin - Math.abs(difference) - half), sign: difference < 0 ? -1 : 1 };
}

interface Direction {
  readonly gaps: Gaps;
  readonly pair: Judged;
  /** Of the shift that speaks against the verdict, and which end of the scale the missing scores would lie at. */
  readonly sign: 1 | -1;
  readonly end: number;
}

/** What one system's missing scores can move, by their excess and by what the other one scored on those items. */
function departure(own: Side, other: Side, { gaps, pair, sign, end }: Direction): { excess: number; shift: number } {
  const excess = excessOf(own, other);
  const worst = gaps.range[end > 0 ? 1 : 0];
  const seen = own.beside.length > 0 ? meanOf(own.beside) : own.against;
  // of B: worst - what A scored there; of A: what B scored there - worst. Of other items: worst - the system's own mean
  const difference = end === sign ? worst - seen : seen - worst;
  const extreme = own.beside.length > 0 ? difference - (pair.scoreB - pair.scoreA) : difference;
  const byExcess = excess > 0 ? excess * own.each * Math.max(0, sign * extreme) : 0;
  const delta = leastDifference(own.beside, own.elsewhere);
  const bySeen =
    (own.lacking.length - Math.max(0, excess)) * own.each * Math.max(0, sign * (end === sign ? -delta : delta));
  return { excess, shift: byExcess + bySeen };
}

/** Scores that one system lacks beyond the rate of the other: at least so many, with 97.5 % confidence. */
function excessOf(own: Side, other: Side): number {
  const [m, k] = [own.lacking.length, other.lacking.length];
  if (m + k === 0) return 0;
  const { lower } = binomialInterval(m, m + k, { method: "clopper-pearson", confidence: LEVEL });
  return Math.max(0, (m + k) * (lower - (1 - lower) * (own.items.length / other.items.length)));
}

/** The end nearest 0 of the t interval of the difference of two means, 0 where it holds 0. */
function leastDifference(some: Float64Array, rest: Float64Array): number {
  const df = some.length + rest.length - 2;
  if (some.length < 2 || rest.length < 2) return 0;
  const pooled = ((some.length - 1) * varianceOf(some) + (rest.length - 1) * varianceOf(rest)) / df;
  const half = tQuantileUpper((1 - LEVEL) / 2, df) * Math.sqrt(pooled * (1 / some.length + 1 / rest.length));
  const difference = meanOf(some) - meanOf(rest);
  return Math.sign(difference) * Math.max(0, Math.abs(difference) - half);
}

const LEVEL = 0.95;
const sum = (values: readonly number[]): number => values.reduce((total, v) => total + v, 0);
