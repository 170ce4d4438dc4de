/** How many more raters, runs or items a claim over several facets needs: the smallest number with which every test that the claim must hold
 *  against (facets.ts) finds the difference with 80 % power, each with its own se and df. With c times as many levels of one facet
 *      se_1² / c,   se_2² = (se_2² - se_12²) + se_12² / c,   se_12² / c        (se_12: the noise of single answers, which both count)
 *  so that what the other facet's levels differ by stays.
 *  Oracle:    noncentral t power of those tests (sensitivity.ts), one number fewer being too few.
 *  Limits:    spreads are taken as known, and as those that new levels would have. */

import { findFirst } from "../../../numeric/optim/brent.ts";
import type { Spread } from "../../../resample/mean-spread.ts";
import { decidingCheck, type FacetPart, FEWEST_VOTED, isFew, joinSpreads } from "./facets.ts";
import type { PairComparison } from "./pair.ts";
import { canDetect } from "./sensitivity.ts";

/** A facet that grows, and what does not grow with it. */
export interface Growth {
  readonly part: FacetPart;
  /** The other facet's part now. */
  readonly other?: FacetPart;
  /** What both count now. */
  readonly noise: Spread;
  /** Of the items' differences, if their test is adjusted for it. */
  readonly skewness?: number | undefined;
}

/** More of the facet whose levels differ most; undefined where no facet decides. */
export function growthOf(result: PairComparison, items: number): Growth | undefined {
  const deciding = decidingCheck(result);
  if (deciding === undefined) return undefined;
  const { facets = [], skewness } = result;
  const largest = deciding.parts.reduce((most, own) => (own.se > most.se ? own : most));
  // a test of one facet has the spread that is expected of its levels
  const part = deciding.parts.length > 1 ? largest : { ...largest, se: deciding.expectedSe ?? largest.se };
  const joint = facets.find(({ parts }) => parts.length > 1);
  const other = joint?.parts.find(({ facet }) => facet !== part.facet) ?? restOfModel(result, part, items);
  return { part, noise: joint?.shared ?? { se: 0, df: 0 }, skewness, ...(other ? { other } : {}) };
}

/** What a mixed model's error has beside that of the facet: the items' part. */
function restOfModel({ test, difference }: PairComparison, { se }: FacetPart, items: number): FacetPart | undefined {
  if (test.name !== "model") return undefined;
  const rest = Math.sqrt(Math.max(0, (difference / test.statistic) ** 2 - se ** 2));
  return { facet: "items", levels: items, se: rest, df: items - 1 };
}

type Tested = Spread & { readonly skewness?: number | undefined };

/** The tests with `count` levels instead of those at hand: of each system where a level belongs to one. */
export function testsAt({ part, other, noise, skewness }: Growth, count: number): Tested[] {
  const c = count / (part.each ?? part.levels);
  const grown = { se: part.se / Math.sqrt(c), df: degreesAt(part, count) };
  const tested = ({ facet }: FacetPart, levels: number, spread: Spread): Tested[] =>
    facet === "items" ? [{ ...spread, skewness }] : isFew(levels) ? [spread] : [];
  if (other === undefined) return [grown];
  const rest = Math.max(0, other.se ** 2 - noise.se ** 2);
  const left = { se: Math.sqrt(rest + noise.se ** 2 / c), df: other.df };
  const joint = joinSpreads([left, grown], { se: noise.se / Math.sqrt(c), df: noise.df * c });
  const both = [...tested(part, count, grown), ...tested(other, other.each ?? other.levels, left)];
  // an error of 0 hides no difference
  return [...both, joint].filter(({ se }) => se > 0);
}

/** Of levels as unequal as those at hand. */
const degreesAt = ({ df, levels, each }: FacetPart, count: number): number =>
  each === undefined ? (df / (levels - 1)) * (count - 1) : 2 * (count - 1);

/** A spread below this share of the difference is rounding: levels that agree say nothing about how many are needed. */
const AGREED = 1e-9;
/** Beyond, there is no advice. */
const MOST_LEVELS = 1e5;
const POWER = 0.8;

/** The fewest from those at hand on: levels in all, or of each system where a level belongs to one; Infinity where no number is enough, NaN where none is known. */
export function levelsNeeded(
  growth: Growth,
  target: number,
  { alpha, power = POWER }: { readonly alpha: number; readonly power?: number },
): number {
  const { part, other } = growth;
  const size = Math.abs(target);
  const uneven = part.facet === "runs" && part.each === undefined;
  if (uneven || !(part.se > AGREED * size) || Number.isNaN(other?.se)) return Number.NaN;
  const enough = (count: number): boolean =>
    testsAt(growth, count).every(({ skewness, ...spread }) => canDetect(size, spread, { alpha, power, skewness }));
  if (!enough(ENDLESS)) return Number.POSITIVE_INFINITY;
  const now = part.each ?? part.levels;
  const fewest = part.facet === "prompts" || part.facet === "clusters" ? Math.max(now, FEWEST_VOTED) : now;
  return findFirst(fewest, MOST_LEVELS, enough);
}

/** As many as make their own part vanish. */
const ENDLESS = 1e12;
