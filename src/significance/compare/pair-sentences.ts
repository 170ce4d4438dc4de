/** The facts of a pair in sentences that stay true when quoted, one claim each. */

import { formatNumber, formatP } from "../../result/number-format.ts";
import { capitalised } from "../../result/result.ts";
import type { PairComparison } from "./pair/pair.ts";
import { type DetectionAim, isAdvice, type PairFact, type PresentDesign } from "./pair-facts.ts";
import { amount, countOf, plain, type ScoreStyle, signed, writeInterval, writeScore } from "./written-numbers.ts";

type Of<I extends PairFact["id"]> = Extract<PairFact, { id: I }>;
type Tellers = { readonly [I in PairFact["id"]]: (fact: Of<I>, style: ScoreStyle) => string };

/** The paragraph of a pair: all but what to do next. */
export const statementOf = (facts: readonly PairFact[], style: ScoreStyle): string =>
  joined(
    facts.filter((fact) => !isAdvice(fact)),
    style,
  );

/** The same without its figures and its reason, which a screen has in its table and its title. */
export const meaningOf = (facts: readonly PairFact[], style: ScoreStyle): string =>
  joined(
    facts.filter((fact) => !isAdvice(fact) && fact.id !== "figures" && fact.id !== "reason"),
    style,
  );

export const adviceOf = (facts: readonly PairFact[], style: ScoreStyle): string =>
  joined(facts.filter(isAdvice), style);

const joined = (facts: readonly PairFact[], style: ScoreStyle): string =>
  facts.map((fact) => sentenceOf(fact, style)).join(" ");

export function sentenceOf(fact: PairFact, style: ScoreStyle): string {
  const tell = TELLERS[fact.id] as (own: PairFact, how: ScoreStyle) => string;
  return tell(fact, style);
}

const TELLERS: Tellers = {
  figures: tellFigures,
  reason: ({ text, a, b, refused }) => (refused ? `No verdict on ${b} against ${a}: ${text}` : `But ${text}`),
  "one degree": ({ levels, facet, endless }) =>
    `${capitalised(levels === 2 ? "two" : String(levels))} ${facet} leave 1 degree of freedom, too little for a verdict about other ${facet}${endless ? " or a bounded interval" : ""}.`,
  "few levels": ({ levels, facet, endless }) =>
    `By chance alone all ${levels} ${facet} agree 1 in ${2 ** (levels - 1)} times, too often for a verdict about other ${facet}${endless ? " or a bounded interval" : ""}.`,
  blind: ({ largest, alone }, { percent }) =>
    `The sample cannot detect any difference with 80 % power${alone ? " for a single pair" : ""}, not even one of ${percent ? "100 points" : formatNumber(largest)}.`,
  detectable: ({ mde80, alone, ofMeans }, style) =>
    `The minimum detectable effect (80 % power${alone ? ", a single pair" : ""}${ofMeans ? ", t test of the mean" : ""}) is ${size(mde80, style)}.`,
  "no evidence of equality": ({ missed }) =>
    `A smaller ${missed} would often be missed, so this is not evidence that the systems are equally good.`,
  equivalent: ({ margin, p, differs, ofMeans }, style) =>
    `Two one-sided tests${ofMeans ? " of the means" : ""} show a difference within ±${size(margin, style)} (${writeP(p)})${differs ? "; it is significant, though" : ""}.`,
  "not equivalent": ({ margin, p, ofMeans }, style) =>
    `Equivalence within ±${size(margin, style)} is not shown (two one-sided tests${ofMeans ? " of the means" : ""}, ${writeP(p)}).`,
  "not inferior": ({ b, margin, p }, style) =>
    `Non-inferiority of ${b} within ${size(margin, style)} is shown (one-sided test, ${writeP(p)}).`,
  exaggeration: ({ difference, typeM }, style) =>
    `The observed difference is below it: if the true difference is ${size(difference, style)}, the exaggeration ratio of significant results (Type M) is ${typeM.toFixed(1)}.`,
  "ask of these": ({ facet, levels }) =>
    `Add ${facet}, or for a verdict on these ${facet === "runs" ? facet : `${levels} ${facet}`} alone leave ${facet} out of option \`scope\`.`,
  "too few to plan": ({ now: { items, units } }) =>
    `${items} ${units} are too few to plan from: run a few dozen, then ask again.`,
  "more levels": tellLevels,
  bottleneck: ({ now, of, ...aim }, style) =>
    `More ${now.units} alone cannot ${goal(aim, style)}: the verdict is about other ${of} too, so you need more ${of}.`,
  "enough items": ({ now, ...aim }, style) =>
    `As many ${now.units} ${goal(aim, style)} with 80 % power${provided(aim)}; the interval shows what is still possible.`,
  "more items": tellItems,
};

function tellFigures(fact: Of<"figures">, style: ScoreStyle): string {
  const { a, b, metric, where, scoreA, scoreB, difference, name, ci, p, test, interval, adjusted, floor } = fact;
  const named = metric === "score" ? "" : ` (${metric})`;
  const apart = interval === undefined ? "" : `, ${interval}`;
  const how = [
    adjusted === undefined ? test : `${test}; ${adjusted}`,
    ...(floor === undefined ? [] : [writeFloor(floor)]),
  ].join(", ");
  return (
    `${b} scores ${writeScore(scoreB, style)}${named} and ${a} ${writeScore(scoreA, style)} ${where}: ` +
    `a ${name} of ${amount(signed(difference, style), style)} (${writeInterval(ci, style)}${apart}), ${writeP(p)} (${how}).`
  );
}

/** "the floor of 10,000 permutations". */
export const writeFloor = ({ draws, kind }: NonNullable<Of<"figures">["floor"]>): string =>
  `the floor of ${draws.toLocaleString("en")} ${kind}`;

const writeP = (p: number): string => (Number.isNaN(p) ? "p undefined" : formatP(p));

const size = (value: number, style: ScoreStyle): string => amount(plain(value, style), style);

const goal = ({ target, given }: DetectionAim, style: ScoreStyle): string =>
  given ? `show equivalence within ±${size(target, style)}` : `detect the observed difference (${size(target, style)})`;

/** What the power is for. */
const provided = ({ given, family }: DetectionAim): string =>
  `${given ? " if the systems are equal" : ""}${family > 1 ? ` after adjustment for ${family} pairs` : ""}`;

const planned = (aim: DetectionAim, style: ScoreStyle): string =>
  `To ${goal(aim, style)} with 80 % power${provided(aim)}, you need about`;

function tellLevels({ now, levels, ...rest }: Of<"more levels">, style: ScoreStyle): string {
  const { facet, now: have, needed, each, other } = levels;
  if (!Number.isFinite(needed))
    return `More ${facet} alone cannot ${goal(rest, style)}: you need more ${moreOf(other ?? now.units, now)} too.`;
  const aim = planned(rest, style);
  return each
    ? `${aim} ${needed} such ${facet} of each system on ${theseOf(now)}.`
    : `${aim} ${needed} ${facet} in all, if they vary as these ${have} do.`;
}

/** Nobody runs so many: a number would pretend to be a plan. */
const OUT_OF_REACH = 100_000;
/** Unless there are almost as many now. */
const MANY_TIMES = 20;

function tellItems({ now, items, repeats, ...rest }: Of<"more items">, style: ScoreStyle): string {
  const { units } = now;
  if (items > OUT_OF_REACH && items > MANY_TIMES * now.items) {
    const what = rest.given
      ? `equivalence within ±${size(rest.target, style)}`
      : `the observed difference (${size(rest.target, style)})`;
    const most = `${capitalised(what)} is out of reach: it needs more than ${OUT_OF_REACH.toLocaleString("en")} ${units}`;
    return `${most} for 80 % power${provided(rest)}.`;
  }
  const each = now.each ?? "scores";
  const repeated = now.repeats > 1 ? ` with ${formatNumber(Math.round(10 * now.repeats) / 10)} ${each} each` : "";
  const aim = `${planned(rest, style)} ${items} ${units} in all${inClusters(items, now)}${repeated}`;
  if (Number.isNaN(repeats)) return `${aim}.`;
  if (repeats === Number.POSITIVE_INFINITY)
    return `${aim}. More ${each} of the same ${units} are not enough, because the ${units} themselves vary too much.`;
  const cheaper = repeats * now.items < items * now.repeats;
  const instead = `${aim}, or about ${repeats} ${each} on each of the ${now.items}`;
  return `${instead}. ${cheaper ? `More ${each} on each` : `New ${units}`} cost fewer runs.`;
}

/** What more runs would be run on: a claim about clusters as well needs more of them. */
const theseOf = ({ items, units, clusters }: PresentDesign): string =>
  `these ${countOf(items, units)}${clusters === undefined ? "" : ` in ${countOf(clusters, "clusters")}`}`;

/** More items of the clusters there are say nothing of other clusters: their number has to grow alike. */
const inClusters = (needed: number, { items, clusters }: PresentDesign): string =>
  clusters === undefined || !Number.isFinite(needed)
    ? ""
    : `, in about ${Math.ceil((needed * clusters) / items)} clusters`;

const moreOf = (facet: string, { units, clusters }: PresentDesign): string =>
  clusters !== undefined && (facet === "items" || facet === units) ? `clusters of ${units}` : facet;

/** Why ranks or signs that lean one way are not a verdict where the means lean the other. */
export function tellOpposed(
  b: string,
  { difference, typical, opposed }: PairComparison,
  { p, style }: { readonly p: number; readonly style: ScoreStyle },
): string {
  if (opposed !== undefined) return opposed;
  const { name, by, direction, mean } = typical!;
  const [test, means] = direction > 0 ? ["higher", "lower"] : ["lower", "higher"];
  return (
    `${b} is ${test} ${by} (${name} ${signed(difference, style)}, ${writeP(p)}) but ${means} by the means (${signed(mean, style)}). ` +
    "They disagree, and no test says which counts."
  );
}
