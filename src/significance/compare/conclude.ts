/** From the figures of pairs to verdicts and sentences. */

import type { ScoreRange } from "../../metrics/range.ts";
import { adjustmentName } from "../../result/adjustment.ts";
import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import { isInconclusive, NO_VERDICT } from "../../result/verdict.ts";
import { adjustP, apart, type PairAdjustment } from "../multiplicity.ts";
import { pairedTable } from "../paired-table.ts";
import type { ComparedItems, ComparedPair, ComparisonData } from "./comparison.ts";
import { isBare } from "./pair/facets.ts";
import { gainsOf, isBinary, type PairedItems, scoresOf } from "./pair/items.ts";
import { type Growth, growthOf, levelsNeeded } from "./pair/levels.ts";
import type { PairComparison } from "./pair/pair.ts";
import { discordantItems } from "./pair/pair.ts";
import { type DiscordantItems, exaggerationAt, type ObservedErrors } from "./pair/sensitivity.ts";
import { splitVariance, type VarianceParts } from "./pair/spread.ts";
import { directionOf, isOpposed, meanDifference } from "./pair/typical.ts";
import {
  aimOf,
  type Direction,
  decide,
  type Equivalence,
  type NextStep,
  planNextStep,
  testEquivalence,
  testEquivalenceOfShares,
} from "./pair/verdict.ts";
import { type PresentDesign, pairFacts } from "./pair-facts.ts";
import { adviceOf, statementOf, tellOpposed } from "./pair-sentences.ts";
import { isShareMean } from "./scale.ts";
import { isEndless, refineStyle, type Sample, type ScoreStyle, sharedSample, styleFor } from "./written-numbers.ts";

export function refuseOneSystem(systems: readonly string[]): void {
  if (systems.length > 1) return;
  const found = systems.length === 1 ? `one system only (${systems[0]})` : "no system";
  throw new StatError(
    "OneSystem",
    `${found}: there is nothing to compare it with.`,
    "Give a second file, or name the column of systems with option `system`.",
  );
}

export function checkInput({ systems, data, signature }: ComparisonData): void {
  refuseOneSystem(systems);
  if (data.items.length < 2) {
    const repeated = signature.options.columns?.repeat;
    throw new StatError(
      "TooFewItems",
      `${systems.slice(0, -1).join(", ")} and ${systems.at(-1)} have one item in common, too few for a comparison.`,
      repeated === undefined
        ? "Run the systems on the same items, at least a few dozen."
        : `Run the systems on the same items, at least a few dozen; or take each run for an item, option \`item: ${repeated}\`.`,
    );
  }
}

/** About ten seconds of right and wrong answers; 30,000 systems, a file of one megabyte, would take days and all memory. */
const MOST_PAIRS = 12_500;

export function refusePairs(systems: number, which: "all" | "baseline"): void {
  const pairs = which === "baseline" ? systems - 1 : (systems * (systems - 1)) / 2;
  if (pairs <= MOST_PAIRS) return;
  throw new StatError(
    "TooManyPairs",
    `${systems} systems make ${pairs} pairs${which === "baseline" ? " with the baseline" : ""}; at most ${MOST_PAIRS} are compared at once.`,
    `Name the systems, option \`systems\`${which === "baseline" ? "" : ", or the one that the others are compared with, option `baseline`"}; or is the column of the systems another one?`,
  );
}

/** The strengths of more take minutes and gigabytes: their covariance has as many rows and columns. */
const MOST_RANKED = 1000;

/** Votes: only systems that met are compared, but all are ranked together. */
export function refuseMeetings(systems: number, meetings: number): void {
  const fault =
    systems > MOST_RANKED
      ? `votes between ${systems} systems; at most ${MOST_RANKED} are ranked together.`
      : meetings > MOST_PAIRS
        ? `votes between ${systems} systems, of which ${meetings} pairs met; at most ${MOST_PAIRS} are compared at once.`
        : undefined;
  if (fault === undefined) return;
  throw new StatError(
    "TooManyPairs",
    fault,
    "Name the systems, option `systems`; or are the columns of the two systems other ones?",
  );
}

/** In the order of emmeans' reversed pairs: 2 - 1, 3 - 1, 3 - 2, 4 - 1, … */
export function listPairs(systems: number, which: "all" | "baseline"): [number, number][] {
  refusePairs(systems, which);
  const pairs: [number, number][] = [];
  for (let b = 1; b < systems; b++) for (let a = 0; a < (which === "baseline" ? 1 : b); a++) pairs.push([a, b]);
  return pairs;
}

export function pairOf(data: ComparedItems, a: number, b: number): PairedItems {
  const runs = data.runs && { runs: [data.runs[a]!, data.runs[b]!] as const };
  if (data.kind === "statistics")
    return { kind: "statistics", a: data.statistics[a]!, b: data.statistics[b]!, ...runs };
  const n = data.items.length;
  const own = (s: number): Float64Array => scoresOf(data.means, n, s);
  return { kind: "scores", a: own(a), b: own(b), ...runs };
}

/** Right and wrong answers, or means of them: a share of items, which people read in percent. */
export function isShare({ data }: ComparisonData): boolean {
  if (data.kind === "statistics") return false;
  return data.means.every((v, i) => isShareMean(v, data.counts[i]!));
}

/** What holds for all pairs of a comparison. */
export interface Conclusion {
  readonly input: Pick<ComparisonData, "systems" | "metric" | "higherIsBetter" | "units">;
  readonly options: { readonly alpha: number; readonly margin?: number | undefined };
  readonly style: ScoreStyle;
  readonly adjust: PairAdjustment;
  /** Number of pairs. */
  readonly count: number;
  /** The unadjusted p below which a pair is significant, where all have one. */
  readonly pairAlpha?: number | undefined;
  /** Why nothing can be concluded, if so: the verdict is NONE. */
  readonly reason?: string | undefined;
  /** Variance of a difference that more items do not shrink. */
  readonly fixed?: { readonly variance: number; readonly source: string } | undefined;
}

/** Two systems by their numbers, and what was found. */
export interface PlainPair {
  readonly a: number;
  readonly b: number;
  readonly result: PairComparison;
  /** What the next step starts from, where another analysis of the same claim knows more of it. */
  readonly planned?: PairComparison;
  readonly sample: Sample;
  /** Items and repeats that the next step starts from. */
  readonly now: Omit<PresentDesign, "units">;
  readonly parts?: VarianceParts;
  readonly shares?: DiscordantItems;
  readonly flips?: Flips;
  readonly equivalence?: Equivalence;
}

/** Standard errors above 0 say how many digits matter. */
export function styleOf(share: boolean, plain: readonly PlainPair[], scale?: ScoreRange): ScoreStyle {
  const found = plain.map(({ result }) => result);
  // where the interval has no end, the error that it would rest on says nothing about digits
  const spreads = found
    .filter(({ ci }) => !isEndless(ci))
    .map(({ se }) => se)
    .filter((se) => se > 0);
  return refineStyle(styleFor(share, spreads, scale), found);
}

/** A pair of systems that share their items. */
export function plainPair(
  [a, b]: readonly [number, number],
  result: PairComparison,
  { input, margin }: { readonly input: ComparisonData; readonly margin: number | undefined },
): PlainPair {
  const { data, clusters, higherIsBetter, units = "items" } = input;
  const items = pairOf(data, a, b);
  const n = data.items.length;
  const once =
    data.kind === "scores" && [a, b].every((s) => data.counts.subarray(s * n, (s + 1) * n).every((k) => k === 1));
  const flips = items.kind === "scores" ? findFlips(data.items, items, { higherIsBetter, once }) : undefined;
  const shares = discordantItems(items, result.test.name, clusters?.codes);
  return {
    a,
    b,
    result,
    ...(shares ? { shares } : {}),
    sample: sharedSample(n, units, clusters?.names.length),
    now: { items: n, repeats: repeatsOf(data), ...(clusters ? { clusters: clusters.names.length } : {}) },
    ...(data.kind === "scores" ? { parts: varianceOfPair(data, a, b) } : {}),
    ...(flips ? { flips } : {}),
    ...(margin === undefined ? {} : { equivalence: equivalenceOf(result, items, { input, margin }) }),
  };
}

function equivalenceOf(
  result: PairComparison,
  items: PairedItems,
  { input, margin }: { readonly input: ComparisonData; readonly margin: number },
): Equivalence {
  const { higherIsBetter } = input;
  const { facets = [] } = result;
  const checks = facets.map((check) => testEquivalence(check, margin, higherIsBetter));
  const own = equivalenceOfItems(result, items, { input, margin });
  return {
    margin,
    p: Math.max(own.p, mostOf(checks.map(({ p }) => p))),
    nonInferiorityP: Math.max(own.nonInferiorityP, mostOf(checks.map(({ nonInferiorityP }) => nonInferiorityP))),
  };
}

function equivalenceOfItems(
  result: PairComparison,
  items: PairedItems,
  { input, margin }: { readonly input: ComparisonData; readonly margin: number },
): Equivalence {
  const { clusters, higherIsBetter } = input;
  const binary = items.kind === "scores" && isBinary(items.a) && isBinary(items.b);
  if (!binary || clusters !== undefined || result.test.name === "model") {
    return testEquivalence({ ...result, difference: meanDifference(result) }, margin, higherIsBetter);
  }
  const [, gained, lost] = pairedTable(items.b, items.a);
  return testEquivalenceOfShares({ gained, lost, n: items.a.length }, margin, higherIsBetter);
}

/** `p` of the differences as adjusted for their number; p of equivalence is adjusted here. */
export function concludePairs(plain: readonly PlainPair[], p: ArrayLike<number>, about: Conclusion): ComparedPair[] {
  const adjust = apart(about.adjust);
  const adjusted = (pick: (of: Equivalence) => number): ArrayLike<number> =>
    adjustP(
      plain.map(({ equivalence }) => (equivalence === undefined ? Number.NaN : pick(equivalence))),
      adjust,
    );
  const both = adjusted((of) => of.p);
  const worse = adjusted((of) => of.nonInferiorityP);
  return plain.map(({ equivalence, ...pair }, k) => {
    const own = equivalence && { equivalence: { ...equivalence, p: both[k]!, nonInferiorityP: worse[k]! } };
    return concludePair({ ...pair, ...own }, p[k]!, about);
  });
}

function concludePair(pair: PlainPair, p: number, about: Conclusion): ComparedPair {
  const { a, b, result, now, parts, flips, equivalence } = pair;
  const { input, options, style, adjust, count } = about;
  const { alpha } = options;
  const { higherIsBetter, units = "items" } = input;
  const difference = meanDifference(result);
  const bare = result.facets?.some(isBare) === true;
  const names = { a: input.systems[a]!, b: input.systems[b]! };
  const opposed = isOpposed(result);
  const own = { p, alpha, higherIsBetter, bare, ...(equivalence ? { equivalence } : {}) };
  const decided = decide({ difference: directionOf(result), opposed, ...own });
  const verdict = about.reason === undefined ? decided : NO_VERDICT;
  const torn = opposed && p < alpha && isInconclusive(verdict);
  const reason = about.reason ?? (torn ? tellOpposed(names.b, result, { p, style }) : undefined);
  const underpowered = Math.abs(difference) < result.mde80;
  const exaggeration = underpowered ? errorsAt(difference, result.se, alpha) : undefined;
  const next = isInconclusive(verdict) && reason === undefined ? nextStepOf(pair, about) : undefined;
  const told = pairFacts({
    ...{ ...names, metric: input.metric, sample: pair.sample, pair: result, verdict, reason, alpha, p, higherIsBetter },
    ...{ equivalence, exaggeration, style, next, now: { ...now, units }, family: adjust === "none" ? 1 : count },
    adjusted: count > 1 && adjust !== "none" ? `${adjustmentName(adjust)} over ${count} pairs` : undefined,
  });
  return {
    ...result,
    ...names,
    p,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    ...(equivalence ? { equivalence } : {}),
    ...(exaggeration ? { exaggeration } : {}),
    ...(parts ? { variance: parts } : {}),
    ...(next ? { nextStep: next } : {}),
    ...(flips ? { flips } : {}),
    told,
    statement: statementOf(told, style),
    advice: adviceOf(told, style),
  };
}

function varianceOfPair(data: Extract<ComparedItems, { kind: "scores" }>, a: number, b: number): VarianceParts {
  const n = data.items.length;
  const own = (values: Float64Array, s: number): Float64Array => scoresOf(values, n, s);
  return splitVariance({
    differences: gainsOf(own(data.means, a), own(data.means, b)),
    countsA: data.counts.subarray(a * n, (a + 1) * n),
    countsB: data.counts.subarray(b * n, (b + 1) * n),
    withinA: own(data.within, a),
    withinB: own(data.within, b),
  });
}

function repeatsOf(data: ComparedItems): number {
  if (data.kind !== "scores") return 1;
  const repeats = REPEATS.get(data) ?? data.counts.reduce((sum, k) => sum + k, 0) / data.counts.length;
  REPEATS.set(data, repeats);
  return repeats;
}
/** All pairs of a comparison ask for the same. */
const REPEATS = new WeakMap<ComparedItems, number>();

/** A pair among several is planned at the level that max-T has for it, else at Bonferroni's, which no adjustment for their number goes below. */
function nextStepOf(
  pair: PlainPair,
  { options, fixed, adjust, count, pairAlpha = options.alpha / count }: Conclusion,
): NextStep | undefined {
  const { parts, shares, now, planned: result = pair.result } = pair;
  const { margin } = options;
  const alpha = adjust === "none" ? options.alpha : pairAlpha;
  const target = margin ?? meanDifference(result);
  // a model's two means of equal scores differ in their last digits: no number of items shows that
  if (
    Math.abs(target) <=
    Math.max(ROUNDING * Math.max(Math.abs(result.scoreA), Math.abs(result.scoreB)), NOTHING * result.se)
  )
    return undefined;
  const growth = growthOf(result, now.items);
  if (growth !== undefined) {
    const seen = margin === undefined && alpha === options.alpha && Math.abs(target) >= result.mde80;
    // two levels measure no variance to plan from
    if (seen || result.facets?.some(isBare) === true) return undefined;
    const never = { items: Number.POSITIVE_INFINITY, repeats: Number.NaN };
    const levels = levelsFor(growth, target, aimOf(margin !== undefined, alpha));
    if (levels.needed <= levels.now) return undefined;
    return { target: Math.abs(target), given: margin !== undefined, ...never, levels };
  }
  return planNextStep({
    ...now,
    measured: { ...result, difference: meanDifference(result) },
    ...(parts ? { parts } : {}),
    ...(shares ? { shares } : {}),
    ...(fixed ? { fixed } : {}),
    target,
    given: margin !== undefined,
    alpha,
  });
}

/** Shares of a score and of a standard error below which a difference is one of floating point. */
const ROUNDING = 1e-15;
const NOTHING = 1e-9;

function levelsFor(growth: Growth, target: number, aim: ReturnType<typeof aimOf>): NonNullable<NextStep["levels"]> {
  const { facet, levels, each } = growth.part;
  const needed = levelsNeeded(growth, target, aim);
  return {
    ...{ facet, now: each ?? levels, needed },
    ...(each === undefined ? {} : { each: true }),
    ...(growth.other === undefined ? {} : { other: growth.other.facet }),
  };
}

/** The best first, or the highest where nobody knows which are best; ties stay as they are. */
export const bestFirst = <S extends { readonly score: number }>(
  scores: readonly S[],
  higherIsBetter: Direction,
): readonly S[] => [...scores].sort((x, y) => (higherIsBetter === false ? -1 : 1) * (y.score - x.score));

/** Of several systems the two with the best scores, or with the highest where nobody knows which are best; ties go to the earlier. */
export function mainPair(
  pairs: readonly ComparedPair[],
  scores: readonly { readonly name: string; readonly score: number }[],
  higherIsBetter: Direction,
): ComparedPair {
  if (pairs.length === 1) return pairs[0]!;
  const ranked = bestFirst(scores, higherIsBetter).map(({ name }) => name);
  const place = ({ a, b }: ComparedPair): number => {
    const [x, y] = [ranked.indexOf(a), ranked.indexOf(b)];
    return Math.min(x, y) * ranked.length + Math.max(x, y);
  };
  return [...pairs].sort((x, y) => place(x) - place(y))[0]!;
}

export interface Flip {
  readonly item: string;
  readonly scoreA: number;
  readonly scoreB: number;
}

export interface Flips {
  /** Items that B does better, in the direction of the metric; that it scores higher where the direction is not known. */
  readonly gained: number;
  readonly lost: number;
  readonly tied: number;
  /** Every item has one score of each system, and where these differ one is 1 and the other 0: right with one system only. */
  readonly single: boolean;
  /** Those furthest apart, gains first; of 0/1 scores in the order of the items. */
  readonly largestGains: readonly Flip[];
  readonly largestLosses: readonly Flip[];
}

const SHOWN = 5;

/** The items that make the difference: where one system is right and the other wrong, or where their scores lie furthest apart. */
export function findFlips(
  items: readonly string[],
  { a, b }: { readonly a: Float64Array; readonly b: Float64Array },
  { higherIsBetter, once = true }: { readonly higherIsBetter: Direction; readonly once?: boolean },
): Flips {
  const sign = higherIsBetter === false ? -1 : 1;
  const gains = gainsOf(a, b);
  const binary = isBinary(a) && isBinary(b);
  const pick = (towards: number): Int32Array => {
    const found = new Int32Array(gains.length);
    let count = 0;
    for (let i = 0; i < gains.length; i++) if (towards * gains[i]! > 0) found[count++] = i;
    return found.slice(0, count);
  };
  const isSingle = (i: number): boolean => Math.max(a[i]!, b[i]!) === 1 && Math.min(a[i]!, b[i]!) === 0;
  const [gained, lost] = [pick(sign), pick(-sign)];
  const largest = (found: Int32Array): Flip[] =>
    (binary ? Array.from(found.subarray(0, SHOWN)) : furthest(found, gains)).map((i) => ({
      item: items[i]!,
      scoreA: a[i]!,
      scoreB: b[i]!,
    }));
  return {
    gained: gained.length,
    lost: lost.length,
    tied: gains.length - gained.length - lost.length,
    single: once && gained.every(isSingle) && lost.every(isSingle),
    largestGains: largest(gained),
    largestLosses: largest(lost),
  };
}

/** The first few by size, without sorting the rest, since this runs for every pair; equal ones keep the order of the items. */
function furthest(found: Int32Array, gains: Float64Array): number[] {
  const first: number[] = [];
  for (const i of found) {
    let at = first.length;
    while (at > 0 && Math.abs(gains[i]!) > Math.abs(gains[first[at - 1]!]!)) at -= 1;
    if (at === SHOWN) continue;
    first.splice(at, 0, i);
    first.length = Math.min(first.length, SHOWN);
  }
  return first;
}

/** The power at the observed difference would say what p says. */
function errorsAt(difference: number, se: number, alpha: number): ObservedErrors {
  const { typeM, typeS } = exaggerationAt(difference, se, { alpha });
  return { typeM, typeS };
}
