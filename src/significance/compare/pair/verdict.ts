/** From numbers to one word (result/verdict.ts), and to the cheapest way out of "inconclusive".
 *    none           these data cannot answer it: the model that the design needs did not settle
 *    equivalent     a margin was given, and both one-sided tests at α put the difference inside it (TOST: the 1 - 2α interval lies within)
 *    a difference   p < α, by the sign of the difference that the test is about (see typical.ts) and the direction of the metric
 *    inconclusive   neither: the data are compatible with no difference and with one that matters; or ranks say one thing and means another
 *  Several pairs: p of both kinds is adjusted for their number before anything is decided.
 *  Reference: Schuirmann (1987), J. Pharmacokinet. Biopharm. 15; Lakens (2017), Soc. Psychol. Personal. Sci. 8(4). */

import { normalCdf, normalSf } from "../../../numeric/dist/normal.ts";
import { differenceVerdict, EQUIVALENT, INCONCLUSIVE, type Verdict } from "../../../result/verdict.ts";
import { tangoScore } from "../../intervals/paired-proportions.ts";
import { skewedMeanTails } from "../../tests/skewed-mean.ts";
import type { PairComparison } from "./pair.ts";
import { type DiscordantItems, detectableDifference, itemsForShare } from "./sensitivity.ts";
import { skewedMeanOf } from "./skewed.ts";
import type { VarianceParts } from "./spread.ts";

/** Whether more of a score is better; null where it is not known. */
export type Direction = boolean | null;

export interface Equivalence {
  readonly margin: number;
  /** The larger of the two one-sided p-values. */
  readonly p: number;
  /** Of B being worse than A by the margin or more; NaN where it is not known which way is worse. */
  readonly nonInferiorityP: number;
}

type Measured = Pick<PairComparison, "difference" | "se" | "df" | "skewness" | "further">;

/** Two one-sided t tests of the difference against ± margin, adjusted for skewness where the test of the difference is; undefined where the
 *  differences have no spread, which t takes for certainty. */
export function testEquivalence(
  { difference, se, df, skewness, further }: Measured,
  margin: number,
  higherIsBetter: Direction,
): Equivalence {
  if (!(se > 0)) return { margin, p: Number.NaN, nonInferiorityP: Number.NaN };
  const of = skewedMeanOf({ difference, se, df, skewness: skewness ?? 0, further });
  const above = skewedMeanTails(of, -margin).upper; // H0: difference <= -margin
  const below = skewedMeanTails(of, margin).lower; // H0: difference >= +margin
  return { margin, p: Math.max(above, below), nonInferiorityP: ofWorse(above, below, higherIsBetter) };
}

/** The same of 0/1 scores on the same items, by Tango's score: it knows that few items without a difference prove little. */
export function testEquivalenceOfShares(
  { gained, lost, n }: { readonly gained: number; readonly lost: number; readonly n: number },
  margin: number,
  higherIsBetter: Direction,
): Equivalence {
  if (margin >= 1) return { margin, p: 0, nonInferiorityP: 0 };
  const above = normalSf(tangoScore(gained, lost, n, -margin));
  const below = normalCdf(tangoScore(gained, lost, n, margin));
  return { margin, p: Math.max(above, below), nonInferiorityP: ofWorse(above, below, higherIsBetter) };
}

const ofWorse = (above: number, below: number, higherIsBetter: Direction): number =>
  higherIsBetter === null ? Number.NaN : higherIsBetter ? above : below;

export interface VerdictInput {
  /** Its sign is the direction. */
  readonly difference: number;
  /** The means point the other way than the test. */
  readonly opposed?: boolean | undefined;
  readonly p: number;
  readonly alpha: number;
  readonly higherIsBetter: Direction;
  readonly equivalence?: Equivalence | undefined;
  /** A facet in scope leaves one degree of freedom, which carries no verdict. */
  readonly bare?: boolean | undefined;
}

export function decide({ difference, p, alpha, higherIsBetter, equivalence, bare, opposed }: VerdictInput): Verdict {
  if (bare) return INCONCLUSIVE;
  if (equivalence !== undefined && equivalence.p < alpha) return EQUIVALENT;
  return !(p < alpha) || opposed ? INCONCLUSIVE : differenceVerdict(difference > 0, higherIsBetter);
}

export interface NextStep {
  /** The difference to be found with the wanted power; where it was given, the margin of equivalence to be shown of equal systems. */
  readonly target: number;
  /** Whether the target was given, or is the difference seen. */
  readonly given: boolean;
  /** Items in all that this would take with as many repeats as now; NaN if unknown. */
  readonly items: number;
  /** Repeats in all that this would take with the items there are: NaN if unknown, Infinity if no number is enough. */
  readonly repeats: number;
  /** What has to grow where no number of items is enough: raters, clusters. */
  readonly bottleneck?: string;
  /** Where a facet of few levels decides: how many there are, and how many this would take in all. */
  readonly levels?: {
    readonly facet: string;
    readonly now: number;
    /** NaN if unknown, Infinity if no number is enough. */
    readonly needed: number;
    /** Both numbers are of each system: a level (a run) belongs to one. */
    readonly each?: true;
    /** The facet beside it whose spread counts too. */
    readonly other?: string;
  };
}

export interface NextStepInput {
  readonly items: number;
  /** Repeats of an item by each system now, averaged. */
  readonly repeats: number;
  readonly measured: Measured;
  readonly parts?: VarianceParts | undefined;
  /** Of right and wrong answers, compared by one of McNemar's tests. */
  readonly shares?: DiscordantItems | undefined;
  /** Variance of the difference that more items do not shrink, and whose it is. */
  readonly fixed?: { readonly variance: number; readonly source: string } | undefined;
  readonly target: number;
  readonly given: boolean;
  readonly alpha: number;
}

/** Variance falls with 1/items; its repeat part falls with 1/(items · repeats) as well. */
export function planNextStep(input: NextStepInput): NextStep {
  const { items, repeats, measured, parts, fixed, target, given } = input;
  const { alpha, power } = aimOf(given, input.alpha);
  const { se, df, skewness } = measured;
  const size = Math.abs(target);
  // raters or clusters that bound the df now will bound them with more items too
  const wanted = wantedSe(size, fixed === undefined ? items - 1 : df, { alpha, power, skewness });
  const known = size > 0 && se > 0 && df > 0;
  if (fixed !== undefined && known && wanted * wanted <= fixed.variance) {
    const never = { items: Number.POSITIVE_INFINITY, repeats: Number.POSITIVE_INFINITY };
    return { target: size, given, ...never, bottleneck: fixed.source };
  }
  const moreItems =
    input.shares && !given && size > 0 && size <= 1
      ? itemsForShare(input.shares, size, { alpha, power })
      : known
        ? itemsNeeded(size, items, { measured, alpha, power, ...(fixed ? { fixed: fixed.variance } : {}) })
        : Number.NaN;
  const enough = known && parts !== undefined ? repeatsNeeded(wanted, items, parts) : Number.NaN;
  const moreRepeats = enough <= repeats ? Number.NaN : enough; // the parts do not add up to the standard error: no advice
  return { target: size, given, items: moreItems, repeats: moreRepeats };
}

/** A difference is to be found by a test at α. Two one-sided tests, each at α, both reject for equal systems with 80 % power where each does
 *  with 90 %. */
export const aimOf = (given: boolean, alpha: number): { readonly alpha: number; readonly power: number } =>
  given ? { alpha: 2 * alpha, power: 0.9 } : { alpha, power: 0.8 };

/** The standard error with which a test has the power. */
function wantedSe(
  size: number,
  df: number,
  aim: { readonly alpha: number; readonly power: number; readonly skewness: number | undefined },
): number {
  return size / detectableDifference(1, df, aim);
}

/** Smallest number of items whose mde is at most `size`, if each brings as much noise as now. */
function itemsNeeded(
  size: number,
  items: number,
  { measured, alpha, power, fixed }: { measured: Measured; alpha: number; power: number; fixed?: number },
): number {
  const { se, df, skewness } = measured;
  const perItem = Math.max(0, se * se - (fixed ?? 0)) * items;
  let n = items;
  // two or three rounds settle it: the quantiles hardly depend on n
  for (let round = 0; round < 20; round++) {
    const wanted = wantedSe(size, fixed === undefined ? Math.max(1, n - 1) : df, { alpha, power, skewness });
    const next = Math.max(2, Math.ceil(perItem / (wanted * wanted - (fixed ?? 0))));
    if (next === n) break;
    n = next;
  }
  return n;
}

function repeatsNeeded(wanted: number, items: number, { items: own, repeatA, repeatB }: VarianceParts): number {
  if (Number.isNaN(repeatA) || Number.isNaN(repeatB)) return Number.NaN;
  const left = wanted * wanted * items - own;
  return left > 0 ? Math.max(1, Math.ceil((repeatA + repeatB) / left)) : Number.POSITIVE_INFINITY;
}
