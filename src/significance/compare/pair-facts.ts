/** The facts about a pair of systems that its paragraph states: estimates, minimum detectable effect, next step. Data only; the sentences
 *  are made in pair-sentences.ts. */

import { isClaim, isEquivalent, isInconclusive, isRefused, type Verdict } from "../../result/verdict.ts";
import { isAtFloor } from "../test-result.ts";
import { decidingTest, isBare, isExact } from "./pair/facets.ts";
import type { PairComparison } from "./pair/pair.ts";
import type { ObservedErrors } from "./pair/sensitivity.ts";
import { meanDifference } from "./pair/typical.ts";
import type { Direction, Equivalence, NextStep } from "./pair/verdict.ts";
import { isEndless, type Sample, type ScoreStyle } from "./written-numbers.ts";

/** What the next step starts from. */
export interface PresentDesign {
  readonly items: number;
  readonly repeats: number;
  /** What several scores of a system on an item are; default: scores. */
  readonly each?: string;
  readonly clusters?: number;
  readonly units: string;
}

export interface FewLevels {
  readonly facet: string;
  readonly levels: number;
  /** The interval has no ends. */
  readonly endless: boolean;
}

export interface DetectionAim {
  readonly target: number;
  /** Whether it is the margin that the user gave, or the difference seen. */
  readonly given: boolean;
  /** Pairs that p is adjusted for. */
  readonly family: number;
}

export type PairFact =
  | {
      readonly id: "figures";
      readonly a: string;
      readonly b: string;
      readonly metric: string;
      /** "on the same 300 items". */
      readonly where: string;
      readonly scoreA: number;
      readonly scoreB: number;
      readonly difference: number;
      /** "difference", or that of ranks or signs. */
      readonly name: string;
      readonly ci: PairComparison["ci"];
      readonly p: number;
      readonly test: string;
      /** The method of the interval, where the test has none of its own. */
      readonly interval?: string | undefined;
      readonly adjusted?: string | undefined;
      /** Draws of a simulation in which no difference was as large. */
      readonly floor?: { readonly draws: number; readonly kind: string } | undefined;
    }
  | { readonly id: "reason"; readonly text: string; readonly a: string; readonly b: string; readonly refused: boolean }
  | ({ readonly id: "one degree" } & FewLevels)
  | ({ readonly id: "few levels" } & FewLevels)
  | { readonly id: "blind"; readonly largest: number; readonly alone: boolean }
  | {
      readonly id: "detectable";
      readonly mde80: number;
      /** The test is of ranks or signs, and this is the limit of a t test of the mean. */
      readonly ofMeans: boolean;
      /** Of one pair among several, without the adjustment for their number. */
      readonly alone: boolean;
    }
  | { readonly id: "no evidence of equality"; readonly missed: "difference" | "improvement" | "loss" }
  | {
      readonly id: "equivalent";
      readonly margin: number;
      readonly p: number;
      readonly differs: boolean;
      readonly ofMeans: boolean;
    }
  | { readonly id: "not equivalent"; readonly margin: number; readonly p: number; readonly ofMeans: boolean }
  | { readonly id: "not inferior"; readonly b: string; readonly margin: number; readonly p: number }
  | { readonly id: "exaggeration"; readonly difference: number; readonly typeM: number }
  | { readonly id: "ask of these"; readonly facet: string; readonly levels: number }
  | { readonly id: "too few to plan"; readonly now: PresentDesign }
  | ({ readonly id: "more levels" } & DetectionAim & {
        readonly now: PresentDesign;
        readonly levels: NonNullable<NextStep["levels"]>;
      })
  | ({ readonly id: "bottleneck" } & DetectionAim & { readonly now: PresentDesign; readonly of: string })
  | ({ readonly id: "enough items" } & DetectionAim & { readonly now: PresentDesign })
  | ({ readonly id: "more items" } & DetectionAim & {
        readonly now: PresentDesign;
        readonly items: number;
        readonly repeats: number;
      });

/** Those that say what to do, not what was found. */
const ADVICE: ReadonlySet<PairFact["id"]> = new Set([
  "ask of these",
  "too few to plan",
  "more levels",
  "bottleneck",
  "enough items",
  "more items",
]);
export const isAdvice = ({ id }: PairFact): boolean => ADVICE.has(id);

export interface Story {
  readonly a: string;
  readonly b: string;
  readonly metric: string;
  readonly sample: Sample;
  readonly pair: PairComparison;
  readonly verdict: Verdict;
  /** Why there is no verdict, or why it is open. */
  readonly reason?: string | undefined;
  readonly alpha: number;
  /** p as adjusted for the number of pairs. */
  readonly p: number;
  readonly higherIsBetter: Direction;
  readonly equivalence?: Equivalence | undefined;
  /** If the true difference were as seen: only where that lies below the minimum detectable effect. */
  readonly exaggeration?: ObservedErrors | undefined;
  readonly style: ScoreStyle;
  /** How p was adjusted for the number of pairs: "Holm over 3 pairs". */
  readonly adjusted?: string | undefined;
  readonly next?: NextStep | undefined;
  readonly now: PresentDesign;
  /** Pairs that p is adjusted for. */
  readonly family: number;
}

export function pairFacts(story: Story): PairFact[] {
  const { a, b, reason, verdict, next } = story;
  const why = reason === undefined ? [] : [{ id: "reason" as const, text: reason, a, b, refused: isRefused(verdict) }];
  if (isRefused(verdict)) return why;
  if (reason !== undefined) return [figures(story), ...why];
  const few = fewLevels(story);
  return [
    figures(story),
    ...few,
    ...sensitivity(story),
    ...equivalence(story),
    ...exaggeration(story),
    ...few.map(({ facet, levels }) => ({ id: "ask of these" as const, facet, levels })),
    ...(next === undefined ? [] : nextStep(next, story)),
  ];
}

function figures({ a, b, metric, sample, pair, p, adjusted }: Story): PairFact {
  const { scoreA, scoreB, difference, ci, test } = pair;
  const { label, interval } = decidingTest(pair);
  return {
    ...{ id: "figures", a, b, metric, where: sample.where, scoreA, scoreB, difference, ci, p, interval, adjusted },
    name: pair.typical?.name ?? "difference",
    test: label,
    floor: label === test.label ? floorOf(test) : undefined,
  };
}

/** A simulation cannot show less than one in its draws. */
export const floorOf = ({ name, p, replicates }: PairComparison["test"]) =>
  isAtFloor(p, replicates) ? { draws: replicates, kind: name === "permutation" ? "permutations" : "draws" } : undefined;

/** Why there is no verdict in spite of all the rows. */
function fewLevels({ pair: { facets = [], ci }, alpha }: Story): Extract<PairFact, FewLevels>[] {
  const bare = facets.find(isBare);
  const few = bare ?? facets.find((check) => isExact(check) && check.p >= alpha && check.p < 1);
  const part = few?.parts[0];
  if (few === undefined || part === undefined) return [];
  const { levels, facet } = part;
  return [{ id: few === bare ? "one degree" : "few levels", facet, levels, endless: isEndless(ci) }];
}

function sensitivity({ pair, style, verdict, higherIsBetter, adjusted }: Story): PairFact[] {
  const { mde80, difference } = pair;
  // few levels of a facet that can carry no verdict have said so themselves
  const bound = mde80 === Number.POSITIVE_INFINITY && (pair.facets ?? []).length > 0;
  if (Number.isNaN(mde80) || bound) return [];
  const alone = adjusted !== undefined;
  const largest = style.scale === undefined ? Number.POSITIVE_INFINITY : style.scale[1] - style.scale[0];
  if (mde80 > largest) return [{ id: "blind", largest, alone }];
  const could = { id: "detectable" as const, mde80, alone, ofMeans: pair.typical !== undefined };
  if (!isInconclusive(verdict) || Math.abs(difference) >= mde80) return [could];
  const open = difference === 0 || higherIsBetter === null;
  const missed = open ? "difference" : difference > 0 === higherIsBetter ? "improvement" : "loss";
  return [could, { id: "no evidence of equality", missed }];
}

function equivalence({ equivalence: found, verdict, alpha, p, b, pair }: Story): PairFact[] {
  if (found === undefined) return [];
  const own = { margin: found.margin, p: found.p, ofMeans: pair.typical !== undefined };
  if (isEquivalent(verdict)) return [{ id: "equivalent", ...own, differs: p < alpha }];
  const { nonInferiorityP } = found;
  return [
    { id: "not equivalent", ...own },
    ...(isInconclusive(verdict) && nonInferiorityP < alpha
      ? [{ id: "not inferior" as const, b, margin: found.margin, p: nonInferiorityP }]
      : []),
  ];
}

/** Below this factor an overstatement is not worth a sentence. */
const WORTH_TELLING = 1.05;

function exaggeration({ exaggeration: found, pair, verdict }: Story): PairFact[] {
  if (found === undefined || !(found.typeM > WORTH_TELLING) || !isClaim(verdict)) return [];
  return [{ id: "exaggeration", difference: Math.abs(meanDifference(pair)), typeM: found.typeM }];
}

/** Fewer items give no standard deviation worth planning with. */
const FEWEST_TO_PLAN_FROM = 10;

function nextStep(
  { target, given, items, repeats, levels, bottleneck }: NextStep,
  { now, family }: Pick<Story, "now" | "family">,
): PairFact[] {
  if (Number.isNaN(items)) return [];
  if (now.items < FEWEST_TO_PLAN_FROM) return [{ id: "too few to plan", now }];
  const aim = { target, given, family, now };
  if (levels !== undefined) return Number.isNaN(levels.needed) ? [] : [{ id: "more levels", ...aim, levels }];
  if (bottleneck !== undefined) return [{ id: "bottleneck", ...aim, of: bottleneck }];
  return items <= now.items ? [{ id: "enough items", ...aim }] : [{ id: "more items", ...aim, items, repeats }];
}
