/** A comparison on one screen: the verdict as a sentence, one table that holds scores, differences, intervals and p, what the data could have
 *  shown, what to do next. */

import type { FieldsOf } from "../../models/fit.ts";
import { adjustmentName } from "../../result/adjustment.ts";
import type { DisplayTable, Screen } from "../../result/display.ts";
import { mostOf } from "../../result/extremes.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import { listNames } from "../../result/quote.ts";
import type { ComparedPair, Comparison } from "./comparison.ts";
import { apart, bestFirst } from "./conclude.ts";
import {
  bareness,
  countOf,
  floorOf,
  isRounded,
  type ScoreStyle,
  signed,
  unit,
  writeMargin,
  writeRange,
} from "./narrate.ts";
import { decidingTest } from "./pair/facets.ts";
import { differenceName, isOpposed } from "./pair/typical.ts";
import { tellScope } from "./scope.ts";

type Fields = FieldsOf<Comparison>;

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
  const { main, pairs, scope, repeated, units } = comparison;
  const many = pairs.length > 1;
  const hidden = pairs.length - Math.min(parts.pairs.length, MOST_PAIRS);
  const slices = parts.slices.filter(({ rows }) => rows.length <= MOST_ROWS);
  const short = many || fitsBeside(comparison);
  const told = main.reason === undefined || isOpposed(main);
  const test = short || !told ? [] : [tellTest(main)];
  const claim = told ? tellScope(scope, repeated, units === "scores" ? "items" : units) : [];
  const facts = [
    // a test alone is no claim
    ...(claim.length === 0
      ? test.map((text) => ({ label: "Test", text }))
      : [{ label: "Claim", text: [...claim, ...test].join("; ") }]),
    ...(isArena(comparison) ? [{ label: "Scores", text: STRENGTH }] : []),
    ...(many ? [{ label: "Pairs", text: tellPairs(comparison, hidden) }] : []),
    ...(slices.length === 0 ? [] : [{ label: "Parts", text: tellParts(comparison) }]),
    ...(many ? tellTorn(pairs) : []),
    ...(parts.pairs.slice(0, MOST_PAIRS).some((pair) => isRounded(comparison.style, pair))
      ? [{ label: "Rounded", text: "differences are taken before scores are rounded" }]
      : []),
    ...tellClasses(comparison),
  ];
  return {
    title: many
      ? tellRanking(parts.systems, comparison)
      : `${main.verdict}${isOpen(main) && !isOpposed(main) ? " (coverage)" : ""}  ${tellVerdict(comparison)}`,
    tables: [
      ...(many
        ? [systemTable(comparison, parts.systems), pairTable(comparison, bestPairsFirst(parts))]
        : [pairOnly(comparison, short)]),
      ...slices.map((table) => withoutWhole(table, comparison)),
    ],
    summary: (many ? [bareOf(comparison), adviceOf(main)] : [[restOf(main), main.advice].join(" ").trim()]).filter(
      (text) => text !== "",
    ),
    facts,
  };
}

/** The headline is about the best system: where not all pairs are shown, its own are. */
function bestPairsFirst({ pairs, systems }: ScreenParts): readonly ComparedPair[] {
  if (pairs.length <= MOST_PAIRS) return pairs;
  const best = systems[0]!.name;
  const own = pairs.filter(({ a, b }) => a === best || b === best);
  return [...own, ...pairs.filter((pair) => !own.includes(pair))];
}

/** What the figures of parts are adjusted for: an interval beside an adjusted p can leave 0 out where the verdict is open, and the mean of the
 *  parts answers for itself alone. */
function tellParts({ adjust, pairs, slices }: Fields): string {
  const how = adjust === "none" ? "p is not adjusted" : `p adjusted by ${adjustmentName(apart(adjust))} over the parts`;
  const mean = slices.some(({ macro }) => macro !== undefined) && adjust !== "none" ? ", that of their mean not" : "";
  const all = pairs.length > 1 && adjust !== "none" ? `; neither for the ${pairs.length} pairs` : "";
  return `${how}${mean}${all}; each interval holds for itself`;
}

/** Votes between more than two systems: scores are of all battles, differences of those that two fought. */
const isArena = ({ units, pairs }: Fields): boolean => units === "battles" && pairs.length > 1;
const STRENGTH =
  "the chance against an average opponent, from Bradley and Terry's model of all battles; head to head is wins minus losses in the battles that two fought, so it is no difference of scores";

/** What the differences of pairs are called. */
export const pairsName = (comparison: Fields): string =>
  isArena(comparison) ? "head to head" : differenceName(comparison.main);

/** Of several pairs advice is about one. */
const adviceOf = ({ a, b, advice }: ComparedPair): string =>
  advice === ""
    ? ""
    : `${b} - ${a}: ${/^(If|To|A) /.test(advice) ? `${advice[0]!.toLowerCase()}${advice.slice(1)}` : advice}`;

/** Two raters or runs are as few for every pair: why none of them has a verdict, whatever its p. */
function bareOf({ pairs, alpha }: Fields): string {
  const open = pairs.filter(({ verdict }) => verdict === "INCONCLUSIVE");
  return open.map((pair) => bareness({ pair, alpha })).find((text) => text !== "") ?? "";
}

/** Of several pairs those that ranks and means do not agree on; of one it is the title. */
const tellTorn = (pairs: readonly ComparedPair[]): Screen["facts"] =>
  pairs
    .filter((pair) => isOpen(pair) && isOpposed(pair))
    .slice(0, MOST_PAIRS)
    .map(({ a, b, reason }) => ({ label: `${b} - ${a}`, text: reason! }));

/** What was asked with `by`; the means and pairs of each class are details. */
function tellClasses({ model, alpha }: Fields): Screen["facts"] {
  if (model?.interaction === undefined || model.by === undefined) return [];
  const { method, p } = model.dependence ?? { method: "likelihood ratio", p: model.interaction.p };
  const found = p < alpha ? `depends on ${model.by}` : `is not shown to depend on ${model.by}`;
  const text = `the difference ${found} (${method}, ${formatP(p)}); the figures within each class are in the details`;
  return [{ label: "By", text }];
}

/** What the statement says beside the figures, which stand in the table, and the reason, which is the title. */
function restOf({ statement, reason }: ComparedPair): string {
  const said = reason === undefined ? statement.indexOf(").") + 2 : statement.indexOf(reason) + reason.length;
  return statement.slice(said).trim().replace("figures below", "figures above");
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

/** Runs that leave open what the items alone would decide. */
function scarceRuns({ main: { test, facets = [] }, alpha }: Fields): string | undefined {
  const short = facets.find(({ parts, p }) => parts.length === 1 && parts[0]!.facet === "runs" && !(p < alpha));
  if (short === undefined || !(test.p < alpha)) return undefined;
  const { levels, each } = short.parts[0]!;
  return each === undefined ? countOf(levels, "runs") : `${countOf(each, "runs")} of each system`;
}

/** What is missing leaves it open. */
const isOpen = ({ verdict, reason }: ComparedPair): boolean => verdict === "INCONCLUSIVE" && reason !== undefined;

/** The answer in one sentence, as every screen, report and picture has it. */
export const headlineOf = (comparison: Fields): string => {
  const { pairs, systems, higherIsBetter } = comparison;
  if (pairs.length === 1) return tellVerdict(comparison);
  return tellRanking(bestFirst(systems, higherIsBetter), comparison).replace(/^NONE {2}/, "");
};

function tellVerdict(comparison: Fields): string {
  const { main, metric, higherIsBetter, style } = comparison;
  const { a, b, verdict, equivalence, reason } = main;
  const by = metric === "score" ? "" : ` by ${metric}`;
  const higher = metric === "score" ? "scores" : `has a`;
  const than = metric === "score" ? "" : ` ${metric}`;
  const sentences: Readonly<Record<string, string>> = {
    BETTER: `${b} is better than ${a}${by}.`,
    WORSE: `${b} is worse than ${a}${by}.`,
    EQUIVALENT: `${b} and ${a} are within ${writeMargin(equivalence?.margin ?? Number.NaN, style)} of each other${by}.`,
    INCONCLUSIVE: `${scarceRuns(comparison) ?? tellSample(comparison)} cannot tell whether ${b} ${higherIsBetter === null ? "differs from" : "is better than"} ${a}${by}.`,
    HIGHER: `${b} ${higher} higher${than} than ${a}; nothing says whether that is good.`,
    LOWER: `${b} ${higher} lower${than} than ${a}; nothing says whether that is good.`,
  };
  if (isOpen(main)) return reason!;
  return sentences[verdict] ?? `no verdict on ${b} against ${a}: ${reason ?? "these data cannot answer it."}`;
}

/** "retrieval is BETTER than rank-loss and baseline; rank-loss against baseline is INCONCLUSIVE." Of many systems the best one's pairs. */
function tellRanking(systems: Comparison["systems"], { pairs, higherIsBetter, metric }: Fields): string {
  const refused = pairs.find(({ verdict }) => verdict === "NONE");
  if (refused !== undefined) return `NONE  no verdict: ${refused.reason}`;
  const names = systems.map(({ name }) => name);
  const first = names[0]!;
  const others = new Map<string, string[]>();
  for (const name of names.slice(1)) {
    const word = verdictFor(first, name, pairs);
    if (word !== undefined) others.set(word, [...(others.get(word) ?? []), name]);
  }
  const last = names.length === 3 ? verdictFor(names[1]!, names[2]!, pairs) : undefined;
  const told = [...others].map(([word, own], k) => tellGroup(word, k === 0 ? first : undefined, { own, first }));
  const rest = last === undefined ? [] : [tellGroup(last, names[1]!, { own: [names[2]!], first: names[1]! })];
  if (told.length === 0) return `Highest by ${metric}: ${first}; the pairs are below.`;
  const unknown = higherIsBetter === null ? " Nothing says whether higher is good." : "";
  return `${[...told, ...rest].join("; ")}.${unknown}`;
}

function tellGroup(
  word: string,
  subject: string | undefined,
  { own, first }: { readonly own: readonly string[]; readonly first: string },
): string {
  const names =
    own.length > 3 ? listNames(own) : [own.slice(0, -1).join(", "), own.at(-1)].filter(Boolean).join(" and ");
  if (word === "INCONCLUSIVE") return `${subject ?? first} against ${names} is INCONCLUSIVE`;
  if (word === "EQUIVALENT") return `${subject ?? first} and ${names} are EQUIVALENT`;
  return `${subject === undefined ? "it" : subject} is ${word} than ${names}`;
}

const REVERSED: Readonly<Record<string, string>> = {
  BETTER: "WORSE",
  WORSE: "BETTER",
  HIGHER: "LOWER",
  LOWER: "HIGHER",
};

/** The verdict on x against y, whichever way round they were compared. */
function verdictFor(x: string, y: string, pairs: readonly ComparedPair[]): string | undefined {
  const pair = pairs.find(({ a, b }) => (a === x && b === y) || (a === y && b === x));
  if (pair === undefined) return undefined;
  return pair.b === x ? pair.verdict : (REVERSED[pair.verdict] ?? pair.verdict);
}

function tellPairs({ pairs, adjust, simultaneous }: Fields, hidden: number): string {
  const how =
    adjust === "none"
      ? "p and intervals are not adjusted"
      : `p adjusted by ${adjustmentName(adjust)} over ${pairs.length}; ${simultaneous ? "all intervals hold together" : "each interval holds for itself"}`;
  return hidden > 0 ? `${how}; ${hidden} more pairs are not shown here` : how;
}

const level = ({ main }: Fields): string => `${formatNumber(100 * main.ci.level)} % interval`;

const plainScore = (value: number, style: ScoreStyle): string => signed(value, style).replace(/^\+/, "");

function scoreRow({ name, score, lower, upper }: Comparison["systems"][number], style: ScoreStyle): string[] {
  const range = lower === undefined ? "" : writeRange({ lower, upper: upper! }, style).replaceAll("+", "");
  return [name, plainScore(score, style), Number.isNaN(lower) ? "" : range];
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
      [differenceName(main), signed(main.difference, style), writeRange(main.ci, style), writeFloor(main, named)],
    ],
  };
}

function systemTable(comparison: Fields, systems: Comparison["systems"]): DisplayTable {
  const { metric, style } = comparison;
  const bounded = systems.some(({ lower }) => lower !== undefined && !Number.isNaN(lower));
  return {
    head: [`${metric}${unit(style)}`, "score", ...(bounded ? [level(comparison)] : [])],
    formats: NUMBERS.slice(0, bounded ? 3 : 2),
    rows: systems.map((own) => scoreRow(own, style).slice(0, bounded ? 3 : 2)),
  };
}

function pairTable(comparison: Fields, pairs: readonly ComparedPair[]): DisplayTable {
  const { style } = comparison;
  return {
    head: ["pair", pairsName(comparison), level(comparison), "p", ""],
    formats: ["text", "number", "number", "p", "text"],
    rows: pairs
      .slice(0, MOST_PAIRS)
      .map(({ a, b, difference, ci, p, verdict }) => [
        `${b} - ${a}`,
        signed(difference, style),
        writeRange(ci, style),
        p,
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
  return columns.reduce((sum, width) => sum + width + 2, 0) + writeFloor(main, true).length <= WIDTH;
}

/** Of several tests the one that says least; the interval's own beside it where that is another. */
function tellTest(pair: ComparedPair): string {
  const { label, interval } = decidingTest(pair);
  return interval === undefined ? label : `p by ${label}, interval by ${interval}`;
}

/** p, with the test that decides; at the floor of a simulation that is said instead. */
function writeFloor(pair: ComparedPair, named: boolean): string {
  const { p, test } = pair;
  if (Number.isNaN(p)) return "";
  // of runs, raters or prompts p is another test's
  const floor = p === test.p ? floorOf(test) : "";
  if (floor !== "") return `${formatP(p)} (${floor})`;
  return named ? `${formatP(p)}, ${tellTest(pair)}` : formatP(p);
}
