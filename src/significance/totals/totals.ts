/** Totals compared: one score a system (a leaderboard), or one a system and task, with what tells how sure it is (spread.ts).
 *      z = (s₁ - s₂) / √(SE₁² + SE₂²);  counts: Boschloo's test and the interval that inverts it
 *      a standard deviation, or an error, of n items or runs: Welch's t test, n - 1 degrees of freedom each
 *      several tasks: the mean over the tasks that every system has, SE = √Σ SE_t² / T, which is about these tasks, and df = (Σ SE_t²)² / Σ SE_t⁴/df_t
 *  Several pairs: single-step max-T by the joint law of their differences, whose covariance the errors of independent systems give (../joint-tests.ts).
 *  The systems are taken as independent samples. Where they answered the same items, that wastes what the items have in common: p is too large
 *  rather than too small, as long as items that are hard for one are hard for the other.
 *  Oracle: scipy through tests/boschloo.ts; the z test is a closed form; ptukey for equal errors of several systems.
 *  Limits: no items, so no pairing, no clusters, no tests but these; n is taken as that of independent items. */

import { fingerprint } from "../../data/fingerprint.ts";
import type { Imported } from "../../data/imported.ts";
import { asFactor, column, type Table } from "../../data/table.ts";
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { adjustmentName } from "../../result/adjustment.ts";
import { note, warning } from "../../result/diagnostic.ts";
import type { Display } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type JsonOf, makeResult, type Result, type Signature } from "../../result/result.ts";
import { suggest } from "../../result/suggest.ts";
import {
  differenceVerdict,
  groupSentence,
  INCONCLUSIVE,
  isClaim,
  reversed,
  type Verdict,
} from "../../result/verdict.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { matchMetric, metricsInRows, takeMetric } from "../../study/metric-column.ts";
import { binomialInterval } from "../intervals/binomial.ts";
import { independentSystems, jointTests } from "../joint-tests.ts";
import { adjustP, DEFAULT_ADJUSTMENT, type PAdjustment } from "../multiplicity.ts";
import { boschlooTest, type ShareInterval } from "../tests/boschloo.ts";
import { differenceInterval } from "../tests/proportions.ts";
import { findParts, findSpread, type TotalSpread } from "./spread.ts";

export interface TotalsOptions {
  readonly metric?: string | undefined;
  readonly systems?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  readonly higherIsBetter?: boolean | undefined;
  readonly adjust?: PAdjustment | "max-t" | undefined;
  readonly alpha?: number | undefined;
  readonly confidence?: number | undefined;
  /** Of counts. */
  readonly interval?: ShareInterval | undefined;
}

export interface SystemTotal {
  readonly name: string;
  readonly score: number;
  readonly se: number;
  readonly lower: number;
  readonly upper: number;
  /** Items behind the score; NaN where the file does not say. */
  readonly n: number;
}

export interface TotalsPair {
  readonly a: string;
  readonly b: string;
  /** b minus a. */
  readonly difference: number;
  readonly se: number;
  readonly lower: number;
  readonly upper: number;
  readonly p: number;
  readonly adjusted: number;
  /** "higher" and "lower" are about b, by the adjusted p; "open" where it is not below alpha. */
  readonly verdict: "higher" | "lower" | "open";
  /** The gap that these errors would show with 80 % power, unadjusted. */
  readonly detectable: number;
}

export interface TotalsResult extends Result<"totals"> {
  readonly metric: string;
  readonly higherIsBetter: boolean | null;
  /** Best first where the direction is known, else highest first. */
  readonly systems: readonly SystemTotal[];
  readonly pairs: readonly TotalsPair[];
  readonly adjust: PAdjustment | "max-t";
  /** Whether the intervals of the pairs cover all differences at once. */
  readonly simultaneous: boolean;
  readonly alpha: number;
  readonly confidence: number;
  readonly tasks: number;
  readonly spread: { readonly kind: TotalSpread["kind"]; readonly columns: readonly string[] };
}

export type TotalsJson = JsonOf<TotalsResult>;

/** Up to this many systems every pair is compared; beyond, the first with each other one. */
const ALL_PAIRS = 6;
const POWER = 0.8;

/** Totals as their table states them, each with its error. */
export interface ReadTotals extends Collected {
  readonly table: Table;
  readonly metric: string;
  readonly higherIsBetter: boolean | null;
  readonly spread: TotalSpread;
  /** The systems that were asked for, best first. */
  readonly ranked: readonly SystemTotal[];
}

export function readTotals(given: Imported, options: TotalsOptions = {}): ReadTotals {
  const imported = oneMetric(given, options.metric);
  const { confidence = 0.95 } = options;
  const { table, roles, metrics } = imported;
  const score = chooseScore(imported, imported === given ? options.metric : undefined);
  if (roles.system === undefined)
    throw new StatError(
      "NoSystemColumn",
      "no column could be recognised as the system.",
      "Name it with option `system`.",
    );
  const spread = findSpread(table, score, roles.metrics);
  if (spread === undefined) throw nothingToGoBy(score, imported);
  if (spread.kind === "ask")
    throw new StatError("AmbiguousSpread", `${spread.columns.join(", ")} ${spread.why}.`, spread.fix);
  const higherIsBetter = options.higherIsBetter ?? metrics.find(({ name }) => name === score)?.higherIsBetter ?? null;
  const all = collectTotals(imported, score, { spread, confidence });
  const chosen = chooseSystems(all.systems, options);
  const ranked = [...chosen].sort((a, b) => (higherIsBetter === false ? a.score - b.score : b.score - a.score));
  return { ...all, table, metric: score, higherIsBetter, spread, ranked };
}

const TEST_TOTALS_OPTIONS = {
  metric: true,
  systems: true,
  baseline: true,
  higherIsBetter: true,
  adjust: true,
  alpha: true,
  confidence: true,
  interval: true,
} as const satisfies Record<keyof TotalsOptions, true>;

export function testTotals(given: Imported, options: TotalsOptions = {}): TotalsResult {
  refuseUnknownNames("testTotals", options, TEST_TOTALS_OPTIONS);
  const { alpha = 0.05, confidence = 0.95, adjust = DEFAULT_ADJUSTMENT, interval = "boschloo", baseline } = options;
  const { table, metric: score, higherIsBetter, spread, ranked, ...all } = readTotals(given, options);
  const first = baseline === undefined ? undefined : ranked.find(({ name }) => name === baseline)!;
  const couples = listPairs(ranked, first);
  const joint =
    adjust !== "max-t" || couples.length === 1
      ? undefined
      : jointTests(
          independentSystems(
            ranked.length,
            ranked.map((own) => varianceOf(own, { counted: all.counted, confidence })),
          ),
          couples.map(([a, b]) => [ranked.indexOf(a), ranked.indexOf(b)] as const),
        );
  const level = joint === undefined ? confidence : 1 - joint.levelFor(1 - confidence);
  const plain = couples.map(([a, b]) =>
    comparePair(a, b, { spread, confidence: level, alpha, interval, counted: all.counted, df: all.df }),
  );
  const claims = plain.map(({ p }) => p);
  const adjusted =
    joint === undefined ? adjustP(claims, adjust === "max-t" ? "none" : adjust) : claims.map(joint.adjust);
  const pairs = plain.map(
    (pair, i): TotalsPair => ({
      ...pair,
      adjusted: adjusted[i]!,
      verdict: adjusted[i]! < alpha ? (pair.difference > 0 ? "higher" : "lower") : "open",
    }),
  );
  const signature: Signature = {
    method: "totals",
    version: GOSSET_VERSION,
    options: {
      metric: score,
      higherIsBetter,
      adjust,
      alpha,
      confidence,
      ...(options.interval === undefined ? {} : { interval }),
      systems: ranked.map(({ name }) => name),
      baseline,
    },
    data: fingerprint(table),
  };
  const fields = {
    signature,
    diagnostics: noteLimits(spread, all.tasks),
    metric: score,
    higherIsBetter,
    systems: ranked,
    pairs,
    adjust,
    simultaneous: joint !== undefined,
    alpha,
    confidence,
    tasks: all.tasks,
    spread: { kind: spread.kind, columns: spread.columns },
  };
  return makeResult("totals", fields, displayTotals);
}

/** Metrics one below the other: the one that is named, else the first that most rows have. */
function oneMetric(imported: Imported, wanted: string | undefined): Imported {
  const names = metricsInRows(imported);
  if (names.length < 2) return imported;
  const [named] = wanted === undefined ? [] : matchMetric(wanted, names);
  if (wanted !== undefined && named === undefined) return imported;
  const { codes, levels } = asFactor(column(imported.table, imported.roles.metric!));
  const rows = (name: string): number => codes.reduce((sum, code) => sum + Number(levels[code] === name), 0);
  const [most] = [...names].sort((a, b) => rows(b.name) - rows(a.name));
  return takeMetric(imported, named ?? most!.name);
}

function chooseScore(imported: Imported, metric: string | undefined): string {
  const { table, roles } = imported;
  const wanted = metric ?? roles.score;
  if (wanted === undefined)
    throw new StatError(
      "NoScoreFound",
      "one row for each system: totals, which say nothing about how far chance goes, and none of them could be recognised as a score.",
      `Name it with option \`metric\`; the columns are ${[...table.columns.keys()].join(", ")}.`,
    );
  if (table.columns.get(wanted)?.kind === "numeric") return wanted;
  throw new StatError(
    "UnknownColumn",
    `option \`metric\` ${wanted}: no such column of numbers.`,
    suggest(wanted, [...table.columns.keys()], "Name a column of numbers."),
  );
}

function nothingToGoBy(score: string, { table, roles }: Imported): StatError {
  const columns = [...table.columns.keys()];
  const told = `(columns: ${columns.slice(0, 8).join(", ")}${columns.length > 8 ? ", …" : ""})`;
  const { deviation, size } = findParts(table, score);
  const why =
    deviation !== undefined
      ? `${deviation} is a standard deviation, but nothing says over how many folds, runs or items ${told}`
      : size !== undefined
        ? `${size} says how many items there were, but ${score} is not a proportion of right answers, so its standard error is unknown ${told}`
        : `no measure of uncertainty: no standard error, no interval, no number of items ${told}`;
  const spreadOf = (name: string): TotalSpread | undefined => {
    const found = findSpread(table, name, roles.metrics);
    return found === undefined || found.kind === "ask" ? undefined : found;
  };
  const other = roles.metrics.find((name) => name !== score && spreadOf(name) !== undefined);
  const has = other === undefined ? undefined : spreadOf(other)!.columns.join(" and ");
  return new StatError(
    "TotalsOnly",
    `one ${score} for each system and ${why}.`,
    `${other === undefined ? "" : `Option \`metric: ${JSON.stringify(other)}\` compares by another, which has ${has}. `}Add a column ${score}_stderr, the limits of an interval, or n; or give the scores of single items, which also allow a paired test.`,
  );
}

interface Collected {
  readonly systems: readonly SystemTotal[];
  readonly tasks: number;
  /** Successes and trials of a system, where one row of counts stands for it. */
  readonly counted: ReadonlyMap<string, readonly [number, number]>;
  /** Degrees of freedom of each system's error; infinite where the file does not tell what it was estimated from. */
  readonly df: ReadonlyMap<string, number>;
}

/** Whether errors are those of a mean of `n` values. */
const isOfMeans = ({ kind }: TotalSpread): boolean => kind === "sd" || kind === "runs" || kind === "se";

/** Satterthwaite's degrees of freedom of a sum of independent errors. */
function degreesOf(errors: readonly number[], degrees: readonly number[]): number {
  const sum = errors.reduce((total, se) => total + se ** 2, 0);
  const rest = errors.reduce((total, se, k) => total + (Number.isFinite(degrees[k]!) ? se ** 4 / degrees[k]! : 0), 0);
  return rest === 0 ? Number.POSITIVE_INFINITY : sum ** 2 / rest;
}

function collectTotals(
  { table, roles }: Imported,
  score: string,
  { spread, confidence }: { spread: TotalSpread; confidence: number },
): Collected {
  const names = asFactor(column(table, roles.system!));
  const values = (column(table, score) as { values: Float64Array }).values;
  const task = roles.task === undefined ? undefined : asFactor(column(table, roles.task));
  const rows = new Map<string, number[]>();
  for (let row = 0; row < table.rows; row += 1) {
    const code = names.codes[row]!;
    if (code >= 0 && !Number.isNaN(values[row]!) && !Number.isNaN(spread.se[row]!))
      rows.set(names.levels[code]!, [...(rows.get(names.levels[code]!) ?? []), row]);
  }
  const shared = task === undefined ? undefined : sharedTasks([...rows.values()], task.codes);
  const z = normalQuantileUpper((1 - confidence) / 2);
  const counted = new Map<string, readonly [number, number]>();
  const df = new Map<string, number>();
  const degrees = (row: number): number =>
    isOfMeans(spread) && spread.n[row]! >= (spread.kind === "se" ? 2 : 1)
      ? spread.n[row]! - 1
      : Number.POSITIVE_INFINITY;
  const systems = [...rows].map(([name, all]): SystemTotal => {
    const own = shared === undefined ? all : all.filter((row) => shared.has(task!.codes[row]!));
    const mean = own.reduce((sum, row) => sum + values[row]!, 0) / own.length;
    const se = Math.sqrt(own.reduce((sum, row) => sum + spread.se[row]! ** 2, 0)) / own.length;
    const [only] = own;
    const alone = own.find((row) => degrees(row) < 1);
    if (alone !== undefined)
      throw new StatError(
        "TooFew",
        `${name} has ${spread.columns.at(-1)} = ${spread.n[alone]}: the spread of one value is unknown.`,
        "Give the results of two runs or more of each system, or the scores of single items.",
      );
    df.set(
      name,
      degreesOf(
        own.map((row) => spread.se[row]!),
        own.map(degrees),
      ),
    );
    if (own.length === 1 && spread.successes !== undefined) {
      const pair = [spread.successes[only!]!, spread.n[only!]!] as const;
      counted.set(name, pair);
      const { lower, upper } = binomialInterval(pair[0], pair[1], { method: "wilson", confidence });
      return { name, score: mean, se, lower: lower * spread.scale, upper: upper * spread.scale, n: pair[1] };
    }
    const half = (Number.isFinite(df.get(name)!) ? tQuantileUpper((1 - confidence) / 2, df.get(name)!) : z) * se;
    const given = own.length === 1 && confidence === 0.95 ? spread.limits : undefined;
    return {
      name,
      score: mean,
      se,
      lower: given?.[0][only!] ?? mean - half,
      upper: given?.[1][only!] ?? mean + half,
      n: own.length === 1 ? spread.n[only!]! : Number.NaN,
    };
  });
  if (systems.some(({ score: own }) => Number.isNaN(own)))
    throw new StatError(
      "NothingMatches",
      "no task has a score and an error of every system.",
      "Give results of the same tasks.",
    );
  return { systems, tasks: shared?.size ?? 1, counted, df };
}

function sharedTasks(lists: readonly (readonly number[])[], codes: Int32Array): Set<number> {
  const sets = lists.map((rows) => new Set(rows.map((row) => codes[row]!)));
  return new Set([...(sets[0] ?? [])].filter((task) => sets.every((set) => set.has(task))));
}

function chooseSystems(all: readonly SystemTotal[], { systems, baseline }: TotalsOptions): readonly SystemTotal[] {
  const names = all.map(({ name }) => name);
  const wanted = [...(systems ?? []), ...(baseline === undefined ? [] : [baseline])];
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new StatError(
      "UnknownSystem",
      `no system "${unknown}" with a score and an error.`,
      suggest(unknown, names, `The systems are ${names.slice(0, 8).join(", ")}.`),
    );
  }
  const chosen = systems === undefined ? all : all.filter(({ name }) => wanted.includes(name));
  if (chosen.length < 2)
    throw new StatError(
      "OneSystem",
      "one system with a score and an error: nothing to compare it with.",
      "Name two or more.",
    );
  return chosen;
}

/** Of a system's score. That of counts is of Wilson's interval: none and all right have some, too. */
function varianceOf(
  { name, se, lower, upper }: SystemTotal,
  { counted, confidence }: Pick<PairContext, "counted" | "confidence">,
): number {
  const half = (upper - lower) / 2;
  return counted.has(name) ? (half / normalQuantileUpper((1 - confidence) / 2)) ** 2 : se ** 2;
}

/** The baseline, or the first of many, against every other one; all pairs of few. */
function listPairs(ranked: readonly SystemTotal[], baseline: SystemTotal | undefined): [SystemTotal, SystemTotal][] {
  const first = baseline ?? (ranked.length > ALL_PAIRS ? ranked[0]! : undefined);
  if (first !== undefined) return ranked.filter((other) => other !== first).map((other) => [first, other]);
  return ranked.flatMap((b, i) => ranked.slice(i + 1).map((a): [SystemTotal, SystemTotal] => [a, b]));
}

interface PairContext {
  readonly spread: TotalSpread;
  readonly confidence: number;
  readonly alpha: number;
  readonly interval: ShareInterval;
  readonly counted: Collected["counted"];
  readonly df: Collected["df"];
}

function comparePair(
  a: SystemTotal,
  b: SystemTotal,
  { spread, confidence, alpha, interval, counted, df: ofSystems }: PairContext,
): Omit<TotalsPair, "adjusted" | "verdict"> {
  const se = Math.hypot(a.se, b.se);
  const difference = b.score - a.score;
  const detectable = (normalQuantileUpper(alpha / 2) + normalQuantileUpper(1 - POWER)) * se;
  const [x, y] = [counted.get(b.name), counted.get(a.name)];
  const about = { a: a.name, b: b.name, difference, se, detectable };
  if (x !== undefined && y !== undefined) {
    const own = boschlooTest({ successes: [y[0], x[0]], trials: [y[1], x[1]] }, confidence);
    const ends = interval === "newcombe" ? differenceInterval([x[0], y[0]], [x[1], y[1]], { confidence }) : own;
    return { ...about, lower: ends.lower * spread.scale, upper: ends.upper * spread.scale, p: own.p };
  }
  // runs are few: their own spread is uncertain
  const df = degreesOf([a.se, b.se], [ofSystems.get(a.name)!, ofSystems.get(b.name)!]);
  if (Number.isFinite(df) && se > 0) {
    const half = tQuantileUpper((1 - confidence) / 2, df) * se;
    const shown = (tQuantileUpper(alpha / 2, df) + tQuantileUpper(1 - POWER, df)) * se;
    const p = Math.min(1, 2 * tSf(Math.abs(difference) / se, df));
    return { ...about, detectable: shown, lower: difference - half, upper: difference + half, p };
  }
  const z = normalQuantileUpper((1 - confidence) / 2);
  const p = difference === 0 ? 1 : se === 0 ? Number.NaN : Math.min(1, 2 * normalSf(Math.abs(difference) / se));
  return { ...about, lower: difference - z * se, upper: difference + z * se, p };
}

const WORDS: Readonly<Record<TotalSpread["kind"], string>> = {
  se: "the file's standard errors",
  interval: "the limits of the file's intervals, taken as 95 %",
  counts: "counts",
  sd: "standard deviations and numbers of items or runs",
  runs: "standard deviations over runs, which say nothing about other items",
  share: "the number of items, with the score taken as a proportion of them",
};

function noteLimits(spread: TotalSpread, tasks: number) {
  return [
    note(
      "TotalsCompared",
      `these are totals: their uncertainty comes from ${WORDS[spread.kind]} (${spread.columns.join(", ")}), and the systems are analyzed as independent samples.`,
      "If they answered the same items, give the items' scores: a paired test is sharper.",
    ),
    ...(tasks > 1
      ? [
          warning(
            "MeanOverTasks",
            `the score is the mean over the ${tasks} tasks that every system has; its error is about these tasks, not about others.`,
            "Look at single tasks with option `where`.",
          ),
        ]
      : []),
  ];
}

const MOST_SHOWN = 20;

function tellLimits({
  confidence,
  pairs,
  adjust,
  simultaneous,
}: Pick<TotalsResult, "confidence" | "pairs" | "adjust" | "simultaneous">): string {
  const cis = `${formatNumber(100 * confidence)} % confidence intervals`;
  if (simultaneous)
    return `Limits of the differences are simultaneous ${cis}; those of a system are for this system alone.`;
  const alone = pairs.length > 1 && adjust !== "none" ? ", which the adjusted p can contradict" : "";
  return pairs.length > 1 ? `Limits are ${cis}, each for itself alone${alone}.` : `Limits are ${cis}.`;
}

function displayTotals(fields: Omit<TotalsResult, "kind" | "display" | "toString" | "toJSON">): Display {
  const { systems, pairs, metric, higherIsBetter, alpha, adjust } = fields;
  const own = pairs.filter(({ a, b }) => [a, b].includes(systems[0]!.name));
  const title =
    pairs.length === 1
      ? describePair(pairs[0]!, fields)
      : `${tellBest(systems[0]!.name, own, higherIsBetter)} on ${metric} (aggregate scores, ${adjustmentName(adjust)} over ${pairs.length} pairs, α = ${alpha}).`;
  const several = pairs.length > 1;
  const many = (list: readonly unknown[]): string =>
    list.length > MOST_SHOWN ? ` (the first ${MOST_SHOWN} of ${list.length})` : "";
  return {
    title,
    summary: [],
    notes: [`${tellLimits(fields)} MDE is the minimum detectable effect of a pair alone (80 % power).`],
    tables: [
      {
        caption: `Systems${many(systems)}`,
        head: ["system", metric, "SE", "lower", "upper", ...(systems.some(({ n }) => n > 0) ? ["n"] : [])],
        formats: ["text", "number", "number", "number", "number", "integer"],
        rows: systems
          .slice(0, MOST_SHOWN)
          .map(({ name, score, se, lower, upper, n }) => [
            name,
            score,
            se,
            lower,
            upper,
            ...(systems.some((own) => own.n > 0) ? [n] : []),
          ]),
      },
      {
        caption: `Differences${many(pairs)}`,
        head: ["pair", "difference", "lower", "upper", several ? "adjusted p" : "p", "MDE", ""],
        formats: ["text", "number", "number", "number", "p", "number", "text"],
        rows: pairs
          .slice(0, MOST_SHOWN)
          .map((pair) => [
            `${pair.b} - ${pair.a}`,
            pair.difference,
            pair.lower,
            pair.upper,
            several ? pair.adjusted : pair.p,
            pair.detectable,
            wordOf(pair, higherIsBetter),
          ]),
      },
    ],
  };
}

const wordOf = ({ verdict }: TotalsPair, higherIsBetter: boolean | null): Verdict =>
  verdict === "open" ? INCONCLUSIVE : differenceVerdict(verdict === "higher", higherIsBetter);

/** "large is BETTER than base and small; large against tuned is INCONCLUSIVE". */
function tellBest(best: string, pairs: readonly TotalsPair[], higherIsBetter: boolean | null): string {
  const others = new Map<Verdict, string[]>();
  for (const pair of pairs) {
    const word = wordOf(pair, higherIsBetter);
    const seen = pair.b === best ? word : reversed(word);
    const other = pair.b === best ? pair.a : pair.b;
    others.set(seen, [...(others.get(seen) ?? []), other]);
  }
  return [...others]
    .sort(([x], [y]) => Number(isClaim(y)) - Number(isClaim(x)))
    .map(([word, names]) => groupSentence(word, best, names))
    .join("; ");
}

function describePair(
  pair: TotalsPair,
  { metric, higherIsBetter, alpha }: Pick<TotalsResult, "metric" | "higherIsBetter" | "alpha">,
): string {
  if (pair.verdict === "open")
    return `${INCONCLUSIVE}: ${pair.b} and ${pair.a} do not differ significantly on ${metric} at α = ${alpha}.`;
  return `${groupSentence(wordOf(pair, higherIsBetter), pair.b, [pair.a])} on ${metric} (aggregate scores).`;
}
