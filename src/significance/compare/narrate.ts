/** The paragraph: what was seen, how sure that is, what the data could have shown, in sentences that stay true when quoted. */

import type { ScoreRange } from "../../metrics/range.ts";
import { leastOf } from "../../result/extremes.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import { isAtFloor } from "../test-result.ts";
import { decidingTest, isBare, isExact } from "./pair/facets.ts";
import type { PairComparison } from "./pair/pair.ts";
import type { Exaggeration } from "./pair/sensitivity.ts";
import { meanDifference } from "./pair/typical.ts";
import { type Direction, type Equivalence, isClaim, type NextStep, type Verdict } from "./pair/verdict.ts";

/** How scores of a metric are written. */
export interface ScoreStyle {
  /** A share of items, written in percent. */
  readonly percent: boolean;
  readonly decimals: number;
  /** The ends of the scale, where they are known. */
  readonly scale?: ScoreRange;
}

/** Shares as percent with one decimal, other scores with the digits that their spread warrants. */
export function styleFor(percent: boolean, spreads: readonly number[], scale?: ScoreRange): ScoreStyle {
  const known = scale === undefined ? {} : { scale };
  if (percent) return { percent, decimals: 1, ...known };
  const se = leastOf(spreads);
  const digits = Number.isFinite(se) ? 1 - Math.floor(Math.log10(se)) : 3;
  return { percent, decimals: Math.max(0, Math.min(mostDecimals(scale), digits)), ...known };
}

/** BLEU, chrF and TER, as all scores from 0 to 100, are never read further than to a hundredth. */
const mostDecimals = (scale: ScoreRange | undefined): number =>
  scale !== undefined && scale[0] === 0 && scale[1] === 100 ? 2 : MOST_DECIMALS;

/** Two systems' scores and their difference. */
interface Written {
  readonly scoreA: number;
  readonly scoreB: number;
  readonly difference: number;
}

/** With other decimals, where only those make each printed difference that of the printed scores: of all pairs, or at least of the first. */
export function refineStyle(style: ScoreStyle, pairs: readonly Written[]): ScoreStyle {
  const agrees = (decimals: number) => (pair: Written) => addsUp({ ...style, decimals }, pair);
  // one digit fewer still shows the first of the standard error; one decimal is the least
  const coarser = style.decimals > 1 ? [-1] : [];
  const choices = [0, ...coarser, 1, 2].map((more) => Math.min(mostDecimals(style.scale), style.decimals + more));
  const decimals =
    choices.find((own) => pairs.every(agrees(own))) ?? choices.find((own) => pairs.slice(0, 1).every(agrees(own)));
  return { ...style, decimals: decimals ?? style.decimals };
}

/** The printed difference is that of the printed scores. */
function addsUp(style: ScoreStyle, { scoreA, scoreB, difference }: Written): boolean {
  const { decimals } = style;
  const written = (value: number): number => Number(shown(value, style).toFixed(decimals));
  return Math.abs(written(scoreB) - written(scoreA) - written(difference)) < 10 ** -(decimals + 1);
}

/** Where no number of decimals does it (24 and 15 of 33: 72.7, 45.5 and 27.3), though the difference is that of the scores. */
export const isRounded = (style: ScoreStyle, pair: Written): boolean => {
  const { scoreA, scoreB, difference } = pair;
  const own = Math.abs(scoreB - scoreA - difference) <= SAME * Math.max(Math.abs(scoreA), Math.abs(scoreB));
  return own && !addsUp(style, pair);
};
/** Rounding of a difference of two scores. */
const SAME = 1e-9;

/** Smaller and larger numbers are written with an exponent. */
const MOST_DECIMALS = 8;
const LARGEST_PLAIN = 1e9;

function fixed(value: number, decimals: number): string {
  const size = Math.abs(value);
  return (decimals === MOST_DECIMALS && size < SMALLEST_PLAIN) || size >= LARGEST_PLAIN
    ? formatNumber(value)
    : value.toFixed(decimals);
}

const SMALLEST_PLAIN = 1e-4;

export const writeScore = (value: number, { percent, decimals }: ScoreStyle): string =>
  !Number.isFinite(value) ? "undefined" : percent ? `${(100 * value).toFixed(decimals)} %` : fixed(value, decimals);

/** As a table has it: shares times 100, under a head that says so. */
export const shown = (value: number, { percent }: ScoreStyle): number => (percent ? 100 * value : value);
export const unit = ({ percent }: ScoreStyle): string => (percent ? " (%)" : "");

const plain = (value: number, { percent, decimals }: ScoreStyle): string =>
  Number.isFinite(value) ? withoutNegativeZero(fixed(percent ? 100 * value : value, decimals)) : "undefined";

const withoutNegativeZero = (text: string): string => (/^-0\.?0*$/.test(text) ? text.slice(1) : text);

/** "+4.0", "-0.03", in the units of a table. */
export const signed = (value: number, style: ScoreStyle): string => {
  const text = plain(value, style);
  return /^[-u]|^0\.?0*$/.test(text) ? text : `+${text}`;
};

/** A difference with its unit: "4.3 points", "1 point", "0.25". */
const amount = (text: string, { percent }: ScoreStyle): string =>
  percent ? `${text} ${/^[+-]?1(\.0+)?$/.test(text) ? "point" : "points"}` : text;

/** "1 point", "0.05". */
export const writeMargin = (margin: number, style: ScoreStyle): string => amount(plain(margin, style), style);

export function writeInterval({ lower, upper, level }: Range & { readonly level: number }, style: ScoreStyle): string {
  return `${formatNumber(100 * level)} % interval ${writeRange({ lower, upper }, style)}`;
}

interface Range {
  readonly lower: number;
  readonly upper: number;
}

/** Any value is compatible with the data: too few raters or runs to say. */
export const isEndless = ({ lower, upper }: Range): boolean =>
  lower === Number.NEGATIVE_INFINITY && upper === Number.POSITIVE_INFINITY;

/** "-1.1 to +9.1", "unbounded", "+0.2 or more". */
export function writeRange(range: Range, style: ScoreStyle): string {
  const { lower, upper } = range;
  if (Number.isNaN(lower)) return "undefined";
  if (isEndless(range)) return "unbounded";
  if (upper === Number.POSITIVE_INFINITY) return `${signed(lower, style)} or more`;
  if (lower === Number.NEGATIVE_INFINITY) return `${signed(upper, style)} or less`;
  return `${signed(lower, style)} to ${signed(upper, style)}`;
}

/** What the systems were run on, in words. */
export interface Sample {
  /** "on the same 300 items in 60 clusters". */
  readonly where: string;
  /** "these 300 items". */
  readonly these: string;
}

export const countOf = (n: number, plural: string): string => `${n} ${n === 1 ? plural.replace(/s$/, "") : plural}`;

export function sharedSample(n: number, units: string, clusters?: number): Sample {
  const grouped = clusters === undefined ? "" : ` in ${countOf(clusters, "clusters")}`;
  return { where: `on the same ${n} ${units}${grouped}`, these: `these ${n} ${units}` };
}

export interface Story {
  readonly a: string;
  readonly b: string;
  readonly metric: string;
  readonly sample: Sample;
  readonly pair: PairComparison;
  readonly verdict: Verdict;
  /** Of NONE. */
  readonly reason?: string;
  readonly alpha: number;
  /** p as adjusted for the number of pairs. */
  readonly p: number;
  readonly higherIsBetter: Direction;
  readonly equivalence?: Equivalence;
  /** If the true difference were as seen: only where that lies below the mde. */
  readonly exaggeration?: Exaggeration;
  readonly style: ScoreStyle;
  /** Share of the items on which only one system is right, where the test counts those. */
  readonly differing?: number | undefined;
  /** How p was adjusted for the number of pairs: "Holm over 3 pairs". */
  readonly adjusted?: string;
}

export function tellStory(story: Story): string {
  if (story.reason !== undefined && story.verdict === "INCONCLUSIVE") return `${outcome(story)} But ${story.reason}`;
  if (story.reason !== undefined) {
    return `No verdict on ${story.b} against ${story.a}: ${story.reason} The figures below are those of its last step and may be far off.`;
  }
  return [outcome(story), bareness(story), sight(story), margin(story), overstatement(story)]
    .filter((s) => s !== "")
    .join(" ");
}

function outcome({ a, b, metric, sample, pair, style, p, adjusted }: Story): string {
  const { scoreA, scoreB, difference, ci, test } = pair;
  const named = metric === "score" ? "" : ` (${metric})`;
  const { label, interval } = decidingTest(pair);
  const apart = interval === undefined ? "" : `, ${interval}`;
  const how = adjusted === undefined ? label : `${label}; ${adjusted}`;
  return (
    `${b} scores ${writeScore(scoreB, style)}${named} and ${a} ${writeScore(scoreA, style)} ${sample.where}: ` +
    `a ${pair.typical?.name ?? "difference"} of ${amount(signed(difference, style), style)} (${writeInterval(ci, style)}${apart}), ${writeP(p)} (${how}${label === test.label ? floorOf(test, ", ") : ""}).`
  );
}

/** Why ranks or signs that lean one way are no verdict where the means lean the other. */
export function tellOpposed(
  b: string,
  { difference, typical, opposed }: PairComparison,
  { p, style }: { readonly p: number; readonly style: ScoreStyle },
): string {
  if (opposed !== undefined) return opposed;
  const { name, by, direction, mean } = typical!;
  const [test, means] = direction > 0 ? ["higher", "lower"] : ["lower", "higher"];
  return (
    `${b} is ${test} ${by} (${name} ${signed(difference, style)}, ${writeP(p)}) and ${means} by the means (${signed(mean, style)}): ` +
    "they disagree, and no test says which counts."
  );
}

/** Why there is no verdict in spite of all the rows. */
export function bareness({ pair: { facets = [], ci }, alpha }: Pick<Story, "pair" | "alpha">): string {
  const bare = facets.find(isBare);
  const few = bare ?? facets.find((check) => isExact(check) && check.p >= alpha && check.p < 1);
  const part = few?.parts[0];
  if (few === undefined || part === undefined) return "";
  const { levels, facet } = part;
  const these = facet === "runs" ? "these runs" : `these ${levels}`;
  const why =
    few === bare
      ? `${levels === 2 ? "Two" : levels} ${facet} leave one degree of freedom, which carries`
      : `${levels} ${facet} all lean one way by chance 1 in ${2 ** (levels - 1)} times, so they carry`;
  const open = isEndless(ci) ? " and bound no difference" : "";
  return `${why} no verdict about other ${facet}${few === bare ? open.replace("bound", "bounds") : open}; option \`scope\` without ${facet} asks about ${these} alone.`;
}

/** A simulation cannot show less than one in its draws: "the floor of 10,000 permutations". */
export function floorOf({ name, p, replicates }: PairComparison["test"], before = ""): string {
  if (!isAtFloor(p, replicates)) return "";
  return `${before}the floor of ${replicates.toLocaleString("en")} ${name === "permutation" ? "permutations" : "draws"}`;
}

const writeP = (p: number): string => (Number.isNaN(p) ? "p undefined" : formatP(p));

function sight({ pair, style, sample, verdict, higherIsBetter, adjusted, differing }: Story): string {
  const { mde80, difference } = pair;
  // few levels of a facet that can carry no verdict have said so themselves
  const bound = mde80 === Number.POSITIVE_INFINITY && (pair.facets ?? []).length > 0;
  if (Number.isNaN(mde80) || bound) return "";
  const alone = adjusted === undefined ? "" : ", for one pair alone,";
  const largest = style.scale === undefined ? Number.POSITIVE_INFINITY : style.scale[1] - style.scale[0];
  if (mde80 > largest) {
    const most = style.percent ? "100 points" : formatNumber(largest);
    return `With 80 % power${alone} ${sample.these} can show no difference at all, not even one of ${most}.`;
  }
  const could = `With 80 % power${alone} ${sample.these} can show a true difference of ${amount(plain(mde80, style), style)} or more${gainedOn(differing)}`;
  if (verdict !== "INCONCLUSIVE" || Math.abs(difference) >= mde80) return `${could}.`;
  const open = difference === 0 || higherIsBetter === null;
  const word = open ? "difference" : difference > 0 === higherIsBetter ? "improvement" : "loss";
  return `${could}; a smaller ${word} would often go unnoticed, so this is no evidence that the systems are equally good.`;
}

/** A plan that holds the agreement as it is (`size`, `mde`) finds less of it needed. */
const gainedOn = (differing: number | undefined): string =>
  differing === undefined || differing === 0
    ? ""
    : ` beside the ${Math.round(100 * differing)} % on which they differ now`;

function margin({ equivalence, style, verdict, alpha, p, b, pair }: Story): string {
  if (equivalence === undefined) return "";
  const size = amount(plain(equivalence.margin, style), style);
  const tests = `two one-sided tests${pair.typical === undefined ? "" : " of the means"}, ${writeP(equivalence.p)}`;
  if (verdict === "EQUIVALENT") {
    const real = p < alpha ? "There is a difference, but it" : "The true difference";
    return `${real} lies within ±${size} (${tests}).`;
  }
  const open = `That the true difference lies within ±${size} is not shown (${tests})`;
  const { nonInferiorityP } = equivalence;
  return verdict === "INCONCLUSIVE" && nonInferiorityP < alpha
    ? `${open}, but ${b} is not worse by as much as that (non-inferiority, ${writeP(nonInferiorityP)}).`
    : `${open}.`;
}

/** Below this factor an overstatement is not worth a sentence. */
const WORTH_TELLING = 1.05;

function overstatement({ exaggeration, pair, style, verdict }: Story): string {
  if (exaggeration === undefined || !(exaggeration.typeM > WORTH_TELLING)) return "";
  if (!isClaim(verdict)) return "";
  const size = amount(plain(Math.abs(meanDifference(pair)), style), style);
  return `The difference seen lies below that limit: if ${size} were the truth, results that reach significance would overstate it ${exaggeration.typeM.toFixed(1)} times on average.`;
}

export interface Now {
  readonly items: number;
  readonly repeats: number;
  /** What several scores of a system on an item are; default: repeats. */
  readonly each?: string;
  readonly clusters?: number;
  readonly units: string;
}

/** What more runs would be run on: a claim about clusters as well needs more of them. */
const theseOf = ({ items, units, clusters }: Now): string =>
  `these ${countOf(items, units)}${clusters === undefined ? "" : ` in ${countOf(clusters, "clusters")}`}`;

/** More items of the clusters there are say nothing of other clusters: their number has to grow alike. */
const inClusters = (needed: number, { items, clusters }: Now): string =>
  clusters === undefined || !Number.isFinite(needed)
    ? ""
    : `, in about ${Math.ceil((needed * clusters) / items)} clusters`;

const moreOf = (facet: string, { units, clusters }: Now): string =>
  clusters !== undefined && (facet === "items" || facet === units) ? `clusters of ${units}` : facet;

/** Fewer items give no standard deviation worth planning with. */
const FEWEST_TO_PLAN_FROM = 10;

export function tellNextStep(step: NextStep, style: ScoreStyle, now: Now): string {
  if (Number.isNaN(step.items)) return "";
  if (now.items < FEWEST_TO_PLAN_FROM) {
    return `${now.items} ${now.units} are too few to plan from: run a few dozen, then ask again.`;
  }
  const target = amount(plain(step.target, style), style);
  const aim = step.given
    ? `To find a true difference of ${target} with 80 % power you need`
    : `If the true difference is as seen (${target}), 80 % power needs`;
  const such = step.given ? `A true difference of ${target}` : `A true difference as seen (${target})`;
  if (step.levels !== undefined) {
    const { facet, now: have, needed, each, other } = step.levels;
    if (Number.isNaN(needed)) return "";
    if (!Number.isFinite(needed))
      return `${such} is out of reach with more ${facet} alone: more ${moreOf(other ?? now.units, now)} are needed too.`;
    return each
      ? `${aim} about ${needed} such ${facet} of each system on ${theseOf(now)}.`
      : `${aim} about ${needed} ${facet} in all, if they differ as these ${have} do.`;
  }
  if (step.bottleneck !== undefined) {
    return `${such} is out of reach with more ${now.units} alone: a claim about other ${step.bottleneck} rests on these, so more of them are needed.`;
  }
  if (step.items <= now.items) {
    return `${such} is found with 80 % power by as many ${now.units} as these: the interval says what is still possible.`;
  }
  const repeated =
    now.repeats > 1 ? ` with ${formatNumber(Math.round(10 * now.repeats) / 10)} ${now.each ?? "repeats"} each` : "";
  const items = `about ${step.items} ${now.units} in all${inClusters(step.items, now)}${repeated}`;
  if (Number.isNaN(step.repeats)) return `${aim} ${items}.`;
  if (step.repeats === Number.POSITIVE_INFINITY) {
    return `${aim} ${items}; more repeats of the same ${now.units} cannot do it, since the ${now.units} themselves differ too much.`;
  }
  const cheaper = step.repeats * now.items < step.items * now.repeats ? "the repeats" : `new ${now.units}`;
  return `${aim} ${items}, or about ${step.repeats} repeats of each of the ${now.items}: ${cheaper} cost fewer runs.`;
}
