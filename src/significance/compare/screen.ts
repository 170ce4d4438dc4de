/** A comparison on one screen: the verdict in a sentence, the estimates, their meaning, and under labels the assumptions. */

import type { DisplayTable, Screen } from "../../result/display.ts";
import { mostOf } from "../../result/extremes.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import { capitalised } from "../../result/result.ts";
import { shortNames } from "../../result/short-names.ts";
import {
  groupSentence,
  isClaim,
  isEquivalent,
  isInconclusive,
  isRefused,
  NO_VERDICT,
  reversed,
  type Verdict,
  verdictSentence,
} from "../../result/verdict.ts";
import type { ComparedPair, Comparison } from "./comparison.ts";
import { comparisonFacts, type Fields, isArena, isLeftOpen } from "./comparison-facts.ts";
import { labelledOf, tellTest } from "./comparison-sentences.ts";
import { bestFirst } from "./conclude.ts";
import { whereEqual } from "./diagnose.ts";
import { decidingTest } from "./pair/facets.ts";
import { differenceName, isOpposed } from "./pair/typical.ts";
import { floorOf } from "./pair-facts.ts";
import { adviceOf, meaningOf, sentenceOf, writeFloor } from "./pair-sentences.ts";
import { tellConditions } from "./reading/conditions.ts";
import {
  countOf,
  plain,
  type ScoreStyle,
  signed,
  unit,
  writeMargin,
  writeRange,
  writeScoreRange,
} from "./written-numbers.ts";

export interface ScreenParts {
  /** All, or of many those of the best system. */
  readonly pairs: readonly ComparedPair[];
  /** The best first. */
  readonly systems: Comparison["systems"];
  readonly slices: readonly DisplayTable[];
}

/** Tables of slices with more rows are details. */
const MOST_ROWS = 7;
/** Rows of pairs that leave room for the rest. */
const MOST_PAIRS = 6;

export function screenOf(comparison: Fields, parts: ScreenParts): Screen {
  const { main, pairs, style } = comparison;
  const many = pairs.length > 1;
  const slices = parts.slices.filter(({ rows }) => rows.length <= MOST_ROWS);
  const named = many || fitsBeside(comparison);
  const onScreen = many ? bestPairsFirst(parts).slice(0, MOST_PAIRS) : pairs;
  const short = many ? shortNames(comparison.systems.map(({ name }) => name)) : new Map<string, string>();
  const facts = comparisonFacts(comparison, { pairs: parts.pairs, onScreen, parts: slices.length > 0, named });
  return {
    title: withinTitle(`${titleWord(comparison)}${headlineOf(comparison)}`, short),
    tables: [
      ...(many
        ? [systemTable(comparison, parts.systems, short), pairTable(comparison, onScreen, short)]
        : [pairOnly(comparison, named)]),
      ...slices.map((table) => withoutWhole(table, comparison)),
    ],
    summary: (many
      ? [fewOf(comparison), adviceOnMain(comparison, short)]
      : [[meaningOf(main.told, style), main.advice].join(" ").trim()]
    ).filter((text) => text !== ""),
    facts: labelledOf(facts, style),
  };
}

/** Lines of a title that leave room for the tables. */
const LONGEST_TITLE = 160;

/** A sentence with many long names has the short ones, which the first table spells out. */
const withinTitle = (title: string, short: ReadonlyMap<string, string>): string =>
  title.length <= LONGEST_TITLE
    ? title
    : [...short].reduce((text, [name, label]) => text.replaceAll(name, label), title);

/** The verdict before its sentence; of several pairs each sentence has its own. */
function titleWord({ main, pairs }: Fields): string {
  if (pairs.length === 1) return `${main.verdict}${isLeftOpen(main) && !isOpposed(main) ? COVERAGE : ""}  `;
  return pairs.some(({ verdict }) => isRefused(verdict)) ? `${NO_VERDICT}  ` : "";
}

/** Missing outcomes leave it open. */
export const COVERAGE = " (coverage)";

/** The headline is about the best system: where not all pairs are shown, its own are. */
function bestPairsFirst({ pairs, systems }: ScreenParts): readonly ComparedPair[] {
  if (pairs.length <= MOST_PAIRS) return pairs;
  const best = systems[0]!.name;
  const own = pairs.filter(({ a, b }) => a === best || b === best);
  return [...own, ...pairs.filter((pair) => !own.includes(pair))];
}

/** What the differences of pairs are called. */
export const pairsName = (comparison: Fields): string =>
  isArena(comparison) ? "head to head" : differenceName(comparison.main);

/** Of several pairs advice is about one. */
function adviceOnMain({ main: { a, b, advice, told }, style }: Fields, short: ReadonlyMap<string, string>): string {
  const own = told.length === 0 ? advice : adviceOf(told, style);
  return own === "" ? "" : `${short.get(b) ?? b} - ${short.get(a) ?? a}: ${own}`;
}

/** Two raters or runs are as few for every pair: why none of them has a verdict, whatever its p. */
function fewOf({ pairs, style }: Fields): string {
  const open = pairs.filter(({ verdict }) => isInconclusive(verdict));
  const few = open.flatMap(({ told }) => told.filter(({ id }) => id === "one degree" || id === "few levels"))[0];
  return few === undefined ? "" : sentenceOf(few, style);
}

/** The row of all items says what the first table says. */
const withoutWhole = (table: DisplayTable, { units }: Fields): DisplayTable => ({
  ...table,
  rows: table.rows.filter(([name]) => name !== `all ${units}`),
});

/** Items, prompts and raters that the data have. */
function tellSample({ n, units, repeated }: Fields): string {
  const of = (name: string): string[] =>
    repeated.filter(({ facet }) => facet === name).map(({ levels }) => countOf(levels, name));
  const [prompts] = of("prompts");
  const [raters] = of("raters");
  const about = prompts === undefined ? "" : ` on ${prompts}`;
  return `${countOf(n, units)}${about}${raters === undefined ? "" : `${units === "battles" ? " by" : " and"} ${raters}`}`;
}

/** Runs that leave open what the items alone would decide, or that more items would not make up for. */
function scarceRuns({ main: { test, facets = [], told }, alpha, n, units }: Fields): string | undefined {
  const scarce = told.find((fact) => fact.id === "more levels" && fact.levels.facet === "runs");
  if (scarce?.id === "more levels" && scarce.levels.each)
    return `${countOf(scarce.levels.now, "runs")} of each system on ${countOf(n, units)}`;
  const short = facets.find(({ parts, p }) => parts.length === 1 && parts[0]!.facet === "runs" && !(p < alpha));
  if (short === undefined || !(test.p < alpha)) return undefined;
  const { levels, each } = short.parts[0]!;
  return each === undefined ? countOf(levels, "runs") : `${countOf(each, "runs")} of each system`;
}

/** The answer in one sentence, as every screen, report and picture has it. */
export const headlineOf = (comparison: Fields): string => {
  const { pairs, systems, higherIsBetter, conditions = [] } = comparison;
  const told =
    pairs.length === 1 ? tellVerdict(comparison) : tellRanking(bestFirst(systems, higherIsBetter), comparison);
  const claimed = pairs.some(({ verdict }) => isClaim(verdict) || isEquivalent(verdict));
  if (!claimed || conditions.length === 0) return told;
  return `${told} The verdict is about ${tellConditions(conditions)}.`;
};

function tellVerdict(comparison: Fields): string {
  const { main, metric, higherIsBetter, style } = comparison;
  const { a, b, verdict, equivalence, reason } = main;
  const where = whereEqual(comparison.clusters !== undefined);
  if (isLeftOpen(main)) return isOpposed(main) ? reason! : capitalised(reason!);
  if (isRefused(verdict) && reason !== undefined) return `no verdict on ${b} against ${a}: ${reason}`;
  if (isInconclusive(verdict) && main.se === 0)
    return main.difference === 0
      ? main.flips === undefined
        ? `${b} and ${a} have the same score, which no single item changes: the interval is undefined.`
        : `${b} and ${a} have the same score ${where}.`
      : `${b} and ${a} differ by the same amount ${where}, which leaves no standard error for a test.`;
  const margin = writeMargin(equivalence?.margin ?? Number.NaN, style);
  const sample = scarceRuns(comparison) ?? tellSample(comparison);
  return verdictSentence({ verdict, a, b, metric: metric === "score" ? "" : metric, higherIsBetter, sample, margin });
}

/** "retrieval is better than rank-loss and baseline; rank-loss against baseline is open." Of many systems the best one's pairs. */
function tellRanking(systems: Comparison["systems"], { pairs, higherIsBetter, metric }: Fields): string {
  const refused = pairs.find(({ verdict }) => isRefused(verdict));
  if (refused !== undefined) return `no verdict: ${refused.reason}`;
  const names = systems.map(({ name }) => name);
  const first = names[0]!;
  const others = new Map<Verdict, string[]>();
  for (const name of names.slice(1)) {
    const word = verdictFor(first, name, pairs);
    if (word !== undefined) others.set(word, [...(others.get(word) ?? []), name]);
  }
  const last = names.length === 3 ? verdictFor(names[1]!, names[2]!, pairs) : undefined;
  // what the data show comes first
  const ordered = [...others].sort(([x], [y]) => Number(isClaim(y)) - Number(isClaim(x)));
  const told = ordered.map(([word, own], k) => groupSentence(word, k === 0 || !isClaim(word) ? first : "it", own));
  const rest = last === undefined ? [] : [groupSentence(last, names[1]!, [names[2]!])];
  if (told.length === 0) return `Highest by ${metric}: ${first}; the pairs are below.`;
  const unknown = higherIsBetter === null ? " Nothing says whether higher is good." : "";
  return `${[...told, ...rest].join("; ")}.${unknown}`;
}

/** The verdict on x against y, whichever way round they were compared. */
function verdictFor(x: string, y: string, pairs: readonly ComparedPair[]): Verdict | undefined {
  const pair = pairs.find(({ a, b }) => (a === x && b === y) || (a === y && b === x));
  if (pair === undefined) return undefined;
  return pair.b === x ? pair.verdict : reversed(pair.verdict);
}

const level = ({ main }: Fields): string => `${formatNumber(100 * main.ci.level)} % CI`;

function scoreRow({ name, score, lower, upper }: Comparison["systems"][number], style: ScoreStyle): string[] {
  const range = lower === undefined ? "" : writeScoreRange({ lower, upper: upper! }, style);
  return [name, plain(score, style), Number.isNaN(lower) ? "" : range];
}

/** Numbers on the right, so that their points meet. */
const NUMBERS = ["text", "number", "number", "text"] as const;

function pairOnly(comparison: Fields, named: boolean): DisplayTable {
  const { main, metric, style, systems } = comparison;
  const row = (name: string): string[] => [...scoreRow(systems.find((own) => own.name === name)!, style), ""];
  return {
    head: [`${metric}${unit(style)}`, "score", level(comparison), ""],
    formats: NUMBERS,
    rows: [
      row(main.b),
      row(main.a),
      [differenceName(main), signed(main.difference, style), writeRange(main.ci, style), writeP(main, named)],
      ...marginRows(main, style),
    ],
  };
}

/** Both one-sided tests, and what they test against. */
const marginRows = ({ equivalence }: ComparedPair, style: ScoreStyle): string[][] =>
  equivalence === undefined || Number.isNaN(equivalence.p)
    ? []
    : [["margin", `±${plain(equivalence.margin, style)}`, "", `${formatP(equivalence.p)}, two one-sided tests`]];

/** Long names stand here once, next to the short ones of the pairs. */
function systemTable(
  comparison: Fields,
  systems: Comparison["systems"],
  short: ReadonlyMap<string, string>,
): DisplayTable {
  const { metric, style } = comparison;
  const bounded = systems.some(({ lower }) => lower !== undefined && !Number.isNaN(lower));
  return {
    head: [`${metric}${unit(style)}`, "score", ...(bounded ? [level(comparison)] : [])],
    formats: NUMBERS.slice(0, bounded ? 3 : 2),
    rows: systems.map((own) => {
      const [name, ...rest] = scoreRow(own, style).slice(0, bounded ? 3 : 2);
      return [short.has(own.name) ? `${short.get(own.name)}: ${name}` : name!, ...rest];
    }),
  };
}

function pairTable(
  comparison: Fields,
  pairs: readonly ComparedPair[],
  short: ReadonlyMap<string, string>,
): DisplayTable {
  const { style } = comparison;
  const margin = pairs.find(({ equivalence }) => equivalence !== undefined)?.equivalence?.margin;
  const tost = margin === undefined ? [] : [`p within ±${plain(margin, style)}`];
  return {
    head: ["pair", pairsName(comparison), level(comparison), "p", ...tost, ""],
    formats: ["text", "number", "number", "p", ...tost.map(() => "p" as const), "text"],
    rows: pairs.map(({ a, b, difference, ci, p, verdict, equivalence }) => [
      `${short.get(b) ?? b} - ${short.get(a) ?? a}`,
      signed(difference, style),
      writeRange(ci, style),
      p,
      ...tost.map(() => equivalence?.p ?? Number.NaN),
      verdict,
    ]),
  };
}

/** Columns of a screen. */
const WIDTH = 80;

/** Whether p and its test stand in one line with the difference. */
function fitsBeside({ main, metric, style, systems }: Fields): boolean {
  const own = systems.filter(({ name }) => name === main.a || name === main.b).map((system) => scoreRow(system, style));
  const rows = [
    [`${metric}${unit(style)}`, "score", ""],
    [differenceName(main), signed(main.difference, style), writeRange(main.ci, style)],
    ...own,
  ];
  const columns = [0, 1, 2].map((j) => mostOf(rows.map((row) => row[j]!.length)));
  return columns.reduce((sum, width) => sum + width + 2, 0) + writeP(main, true).length <= WIDTH;
}

/** p, with the test that decides; at the floor of a simulation that is said instead. */
function writeP(pair: ComparedPair, named: boolean): string {
  const { p, test } = pair;
  if (Number.isNaN(p)) return "";
  // of runs, raters or prompts p is another test's
  const floor = p === test.p ? floorOf(test) : undefined;
  if (floor !== undefined) return `${formatP(p)} (${writeFloor(floor)})`;
  return named ? `${formatP(p)}, ${tellTest(decidingTest(pair))}` : formatP(p);
}
