/** The further tests that a difference must pass before a verdict generalizes to new raters, runs, clusters or prompts: the rule of
 *  docs/methods/scope.md. A facet is one of these, and its levels are the raters, runs … of the data. Every facet in scope with few levels has
 *  a t test over its level means. Where the main test treats a facet as fixed, one more test adds the variances of both facets:
 *      se² = se_1² + se_2² - se_12²        (never below se_1² or se_2²; se_12: the noise of single answers, which both contain)
 *      df  = se⁴ / (se_1⁴/df_1 + se_2⁴/df_2 + se_12⁴/df_12)
 *  The reported p is the largest of all tests and the interval is the union of theirs. Where ratings are missing, the difference of the level
 *  means is not that of the model, so each test has its own estimate.
 *  Reference: Clark (1973), J. Verbal Learn. Verbal Behav. 12; Cameron, Gelbach & Miller (2011), J. Bus. Econ. Stat. 29(2): two-way errors;
 *             Satterthwaite (1946), Biometrics Bull. 2 (df of a sum).
 *  Oracle:    t tests of level means (../../facets.ts); the balanced analysis of variance (lme4); simulation (test/calibration/compare). */

import { tQuantileUpper, tSf } from "../../../numeric/dist/t.ts";
import type { FACETS } from "../../../question/choices.ts";
import type { Spread } from "../../../resample/mean-spread.ts";
import type { RunScores } from "../../../resample/multi-bootstrap.ts";
import { leastOf, mostOf } from "../../../result/extremes.ts";
import { type FacetSpread, FEW_LEVELS, spreadOverFacet } from "../../facets.ts";
import type { PairedItems } from "./items.ts";
import type { PairComparison } from "./pair.ts";
import { detectableDifference, middleSe } from "./sensitivity.ts";

/** A kind of repetition in the data, to which a verdict may generalize. */
export type Facet = (typeof FACETS)[number];

/** A facet of the data: how many levels there are to generalise from. */
export interface RepeatedFacet {
  readonly facet: Facet;
  readonly levels: number;
}

/** The spread of a difference over the levels of one facet. */
export interface FacetPart extends RepeatedFacet {
  /** Levels of each system, where a level belongs to one and both have equally many. */
  readonly each?: number;
  readonly se: number;
  readonly df: number;
}

export interface FacetCheck {
  /** One facet by itself, or two together. */
  readonly parts: readonly FacetPart[];
  /** Second minus first system, as this test estimates it. */
  readonly difference: number;
  readonly se: number;
  readonly df: number;
  readonly p: number;
  /** As a sentence names it: "t test over 3 raters". */
  readonly label: string;
  /** Of two parts: the noise of single answers, which both of them count. */
  readonly shared?: { readonly se: number; readonly df: number };
  /** What `se` is expected to be in other data like these: few levels agree by chance, so it is that estimate of it which is as often too large
   *  as too small; and their means have at least the noise of single answers. */
  readonly expectedSe?: number;
  /** The true difference that this test finds with 80 % power; Infinity where it finds none. */
  readonly mde80?: number;
}

export const isFew = (levels: number): boolean => levels < FEW_LEVELS;

export function checkPart(difference: number, part: FacetPart, label = countOf(part)): FacetCheck {
  return makeCheck(difference, part, { parts: [part], label });
}

function makeCheck(
  difference: number,
  { se, df }: Spread,
  { parts, label }: { readonly parts: readonly FacetPart[]; readonly label: string },
): FacetCheck {
  const spread = se > AGREED * Math.abs(difference);
  const p = spread ? 2 * tSf(Math.abs(difference) / se, df) : floorOf(difference, parts);
  return { parts, difference, se, df, p, label: `${spread ? "t" : EXACT} test over ${label}` };
}

/** Swapping the systems level by level. */
const EXACT = "exact";
export const isExact = ({ label }: FacetCheck): boolean => label.startsWith(EXACT);

/** A spread below this share of the difference is rounding: all levels agree. */
const AGREED = 1e-9;

/** Levels that agree to the last digit leave t no spread; swapping the systems level by level has no smaller p than 2^(1 - L). */
const floorOf = (difference: number, parts: readonly FacetPart[]): number =>
  difference === 0 ? 1 : 2 ** (1 - leastOf(parts.map(({ levels }) => levels)));

const countOf = ({ levels, facet }: RepeatedFacet): string => `${levels} ${facet}`;

/** Runs of two systems, each on all items: over the runs by themselves where they are few, and over items and runs together. */
function checkRuns(
  a: RunScores,
  b: RunScores,
  {
    difference,
    se,
    df,
    units = "items",
  }: Spread & { readonly difference: number; readonly units?: string | undefined },
): FacetCheck[] {
  const parts = [splitRuns(a), splitRuns(b)] as const;
  const over = spreadOfRuns(parts);
  if (Number.isNaN(over.se) || !(se > 0)) return [];
  const label = a.runs === b.runs ? `${a.runs} runs of each system` : `${b.runs} and ${a.runs} runs`;
  const runs = partOf("runs", over);
  const items: FacetPart = { facet: "items", levels: a.scores.length / a.runs, se, df };
  const shared = noiseOf(parts);
  const told = { parts: [items, runs], label: `${units} and ${label}` };
  const joint = { ...makeCheck(difference, joinSpreads([items, runs], shared), told), shared };
  return [...(isFew(Math.max(a.runs, b.runs)) ? [checkPart(difference, runs, label)] : []), joint];
}

export const partOf = (facet: Facet, { levels, each, se, df }: FacetSpread): FacetPart => ({
  ...{ facet, levels, se, df },
  ...(each === undefined ? {} : { each }),
});

/** Each run belongs to one system; a system with one run is taken to vary as the other does. */
function spreadOfRuns([a, b]: readonly [RunParts, RunParts]): FacetSpread {
  return spreadOverFacet({
    score: Float64Array.from([...a.means, ...b.means]),
    system: [...a.means.map(() => 0), ...b.means.map(() => 1)],
    facet: [...a.means, ...b.means].map((_, k) => k),
  });
}

/** Of single answers in the difference of means. */
function noiseOf(parts: readonly [RunParts, RunParts]): Spread {
  const known = parts.filter(({ df }) => df > 0);
  const df = known.reduce((sum, part) => sum + part.df, 0);
  const pooled = known.reduce((sum, { ss }) => sum + ss, 0) / df;
  const variance = parts.reduce((sum, own) => sum + (own.df > 0 ? own.ss / own.df : pooled) * own.weight, 0);
  return { se: Math.sqrt(variance), df };
}

interface RunParts {
  /** Of each run, as if it had every item. */
  readonly means: readonly number[];
  /** Squared deviations of the runs, each times its items; and those of items x runs, without the means of both. */
  readonly between: number;
  readonly ss: number;
  readonly df: number;
  /** Variance of the system's score that one unit of noise variance makes: Σ_i (1 / k_i) / n² with k_i runs of item i. */
  readonly weight: number;
}

/** y_ri = item_i + run_r + e_ri; a run that lacks items is set against the items' means over the runs that have them. */
export function splitRuns({ runs, scores }: RunScores): RunParts {
  const n = scores.length / runs;
  const items = new Float64Array(n);
  const counts = new Int32Array(n);
  scores.forEach((v, k) => {
    if (Number.isNaN(v)) return;
    items[k % n]! += v;
    counts[k % n]! += 1;
  });
  items.forEach((sum, i) => {
    items[i] = sum / counts[i]!;
  });
  const seen = (r: number): number[] => Array.from(items.keys()).filter((i) => !Number.isNaN(scores[r * n + i]!));
  const rows = Array.from({ length: runs }, (_, r) => ({ r, own: seen(r) })).filter(({ own }) => own.length > 0);
  const shifts = rows.map(({ r, own }) => own.reduce((sum, i) => sum + scores[r * n + i]! - items[i]!, 0) / own.length);
  let ss = 0;
  rows.forEach(({ r, own }, k) => {
    for (const i of own) ss += (scores[r * n + i]! - items[i]! - shifts[k]!) ** 2;
  });
  const grand = items.reduce((sum, v) => sum + v, 0) / n;
  const total = counts.reduce((sum, k) => sum + k, 0);
  const weight = counts.reduce((sum, k) => sum + 1 / k, 0) / (n * n);
  const between = rows.reduce((sum, { own }, k) => sum + own.length * shifts[k]! ** 2, 0);
  return { means: shifts.map((shift) => grand + shift), between, ss, df: total - n - rows.length + 1, weight };
}

/** Of two parts that both count the noise. */
export function joinSpreads([one, two]: readonly [Spread, Spread], noise: Spread): Spread {
  const sum = one.se ** 2 + two.se ** 2 - noise.se ** 2;
  const largest = one.se > two.se ? one : two;
  if (!(sum > largest.se ** 2)) return { se: largest.se, df: largest.df };
  const share = ({ se, df }: Spread): number => (df > 0 ? se ** 4 / df : 0);
  return { se: Math.sqrt(sum), df: sum ** 2 / (share(one) + share(two) + share(noise)) };
}

/** Differences (of single votes, say) in groups by one or two facets that cross: each by itself, and both together. */
export function checkGroups(
  differences: Float64Array,
  groups: readonly { readonly facet: Facet; readonly codes: Int32Array }[],
): FacetCheck[] {
  const parts = groups.map(({ facet, codes }) => partOf(facet, spreadOverFacet({ score: differences, facet: codes })));
  const difference = differences.reduce((sum, d) => sum + d, 0) / differences.length;
  const [one, two] = parts;
  const alone = (part: FacetPart): FacetCheck => atLeast(floorOfVotes(part), checkPart(difference, part));
  if (one === undefined || parts.some(({ se }) => Number.isNaN(se))) return [];
  if (two === undefined) return [alone(one)];
  const cells = spreadOverFacet({ score: differences, facet: cross(groups[0]!.codes, groups[1]!.codes) });
  const label = `${countOf(one)} and ${countOf(two)}`;
  const shared = { se: cells.se, df: cells.df };
  const joint = { ...makeCheck(difference, joinSpreads([one, two], shared), { parts, label }), shared };
  return [...parts.filter(({ levels }) => isFew(levels)).map(alone), joint];
}

/** A prompt or document may send all of its votes one way: then t over three or four of them is significant whenever they happen to agree,
 *  1 in 4 or 1 in 8 times where neither system is better. Swapping them has no smaller p than that. Raters lean less: t over them holds. */
const floorOfVotes = ({ facet, levels }: FacetPart): number =>
  (facet === "prompts" || facet === "clusters") && levels < FEWEST_VOTED ? 2 ** (1 - levels) : 0;
export const FEWEST_VOTED = 5;

const atLeast = (floor: number, check: FacetCheck): FacetCheck =>
  check.p >= floor ? check : { ...check, p: floor, label: check.label.replace(/^t /, `${EXACT} `) };

/** Codes of the pairs that occur. */
function cross(one: Int32Array, two: Int32Array): Int32Array {
  const width = two.reduce((most, code) => Math.max(most, code), 0) + 1;
  const seen = new Map<number, number>();
  return one.map((code, i) => {
    const key = code * width + two[i]!;
    const own = seen.get(key) ?? seen.size;
    seen.set(key, own);
    return own;
  });
}

export interface Claim {
  readonly scope: readonly Facet[];
  readonly alpha: number;
  readonly confidence: number;
  /** What the items are called; default "items". */
  readonly units?: string | undefined;
}

/** A paired comparison held against its runs as well, where the claim is about new runs. */
export function holdAgainstRuns(result: PairComparison, items: PairedItems, claim: Claim): PairComparison {
  if (items.runs === undefined || !claim.scope.includes("runs")) return result;
  // it has drawn the runs itself
  if (result.test.name === "multi-bootstrap") return result;
  return holdAgainst(result, checkRuns(items.runs[0], items.runs[1], { ...result, units: claim.units }), claim);
}

/** The widest interval, and what could have been seen with it. */
export function holdAgainst(
  result: PairComparison,
  found: readonly FacetCheck[],
  {
    alpha,
    confidence,
    critical = (df) => tQuantileUpper((1 - confidence) / 2, df),
    expected = leastNoise(found),
  }: Omit<Claim, "scope"> & { critical?(df: number): number; expected?(check: FacetCheck): number },
): PairComparison {
  const { ci } = result;
  if (found.length === 0) return result;
  const checks = withLimits(found, { whole: middleSe(result), alpha, confidence, expected });
  const mde80 = mostOf([result.mde80, ...checks.map((check) => check.mde80!)]);
  const halves = checks.map((check) =>
    boundsNothing(check, confidence) ? Number.POSITIVE_INFINITY : critical(check.df) * check.se,
  );
  const half = mostOf(halves);
  const lower = Math.min(ci.lower, leastOf(checks.map((check, k) => check.difference - halves[k]!)));
  const upper = Math.max(ci.upper, mostOf(checks.map((check, k) => check.difference + halves[k]!)));
  if (lower === ci.lower && upper === ci.upper) return { ...result, mde80, facets: checks };
  const { se, df, label } = checks[halves.indexOf(half)]!;
  const own = intervalName(label);
  const both = lower === ci.lower || upper === ci.upper;
  const wide = { ...ci, lower, upper, method: both ? `${ci.method}, and ${own}` : own };
  return { ...result, ci: wide, se, df, mde80, facets: checks };
}

/** Where levels that agree are not significant, no interval ends; that none of them differs says nothing of the kind. */
const boundsNothing = (check: FacetCheck, confidence: number): boolean =>
  isExact(check) && check.difference !== 0 && check.p >= 1 - confidence;

/** Each test with the difference that it finds with 80 % power: the claim needs them all. The estimate varies with every facet in scope, also
 *  where the test's own error is that of one of them. */
function withLimits(
  checks: readonly FacetCheck[],
  {
    whole,
    alpha,
    confidence,
    expected,
  }: {
    readonly whole: number;
    readonly alpha: number;
    readonly confidence: number;
    expected(check: FacetCheck): number;
  },
): FacetCheck[] {
  const own = checks.map((check) => Math.max(middleSe(check), expected(check)));
  const total = mostOf([whole, ...own]);
  return checks.map((check, k) => {
    const none = isBare(check) || boundsNothing(check, confidence);
    const found = none ? Number.POSITIVE_INFINITY : detectableDifference(own[k]!, check.df, { alpha, whole: total });
    // levels that do not differ at all hide nothing
    return { ...check, expectedSe: own[k]!, mde80: Number.isNaN(found) ? 0 : found };
  });
}

/** Of two facets that cross, the means of either have the noise that both count. */
const leastNoise =
  (checks: readonly FacetCheck[]) =>
  (_: FacetCheck): number =>
    checks.find(({ shared }) => shared !== undefined)?.shared?.se ?? 0;

const intervalName = (label: string): string => label.replace(/^t test/, "t").replace(/^exact test/, EXACT);

export interface Inference {
  readonly test: { readonly p: number; readonly label: string };
  readonly facets?: readonly FacetCheck[] | undefined;
  readonly ci: { readonly method: string };
}

/** The test whose p is the largest, which a claim rests on; with the method of the interval where another one has the widest. */
export function decidingTest({ test, facets = [], ci }: Inference): {
  readonly label: string;
  readonly interval?: string;
} {
  const says = [test, ...facets].reduce((most, own) => (own.p > most.p ? own : most));
  // "t over 3 raters and 5 prompts" holds the name "t over 3 raters" as well
  const widest = [...facets]
    .sort((x, y) => y.label.length - x.label.length)
    .find(({ label }) => ci.method.includes(intervalName(label)));
  return { label: says.label, ...((widest ?? test) === says ? {} : { interval: ci.method }) };
}

/** The test that a claim rests on, by its short name where it has one. */
export function decidingName(pair: Inference & { readonly test: { readonly name: string } }): string {
  const { label } = decidingTest(pair);
  return label === pair.test.label ? pair.test.name : label;
}

/** What the test alone does not say. */
export function tellChecks({ facets = [] }: PairComparison): string {
  if (facets.length === 0) return "";
  return ` The difference must also be significant in the ${facets.map(({ label }) => label).join(" and in the ")}: the p reported is the largest.`;
}

/** p that a claim over the whole scope may use. */
export const claimedP = ({ test, facets = [] }: PairComparison): number =>
  facets.reduce((p, check) => Math.max(p, check.p), test.p);

/** The check that bounds what can be found; none where the test itself finds less. */
export const decidingCheck = ({ mde80, facets = [] }: PairComparison): FacetCheck | undefined =>
  facets.find((check) => check.mde80 === mde80);

/** One degree of freedom says nothing of other levels. */
export const isBare = ({ df }: { readonly df: number }): boolean => df <= ONE_DF;
const ONE_DF = 1 + 1e-9;
