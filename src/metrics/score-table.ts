/** Scores of the systems in a long table: means of a score column, metrics of labels, or metrics of text, whichever the metric
 *  needs. Several rows of one system on one item (epochs, seeds, raters) are averaged first: they are not more items. */

import { fingerprint } from "../data/fingerprint.ts";
import { asFactor, type Column, column, numericColumn, type Table, withColumn } from "../data/table.ts";
import { refuseUnknownNames } from "../question/refuse.ts";
import { note } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import { leastOf } from "../result/extremes.ts";
import type { Diagnostic } from "../result/result.ts";
import type { LabelMetric, MetricChoice } from "./catalogue.ts";
import { type Average, f1Statistics } from "./f1.ts";
import { type Label, listClasses } from "./labels.ts";
import { balancedAccuracyStatistics, mccStatistics } from "./mcc.ts";
import { accuracyStatistics, exactMatchStatistics, meanStatistics, type Normalisation } from "./mean.ts";
import type { ItemStatistics } from "./metric.ts";
import { reportScores, type ScoredSystem, type ScoreResult } from "./score.ts";
import { measureFlakiness } from "./tries/flaky.ts";
import { passOf } from "./tries/pass.ts";

export interface TableColumns {
  readonly system?: string | undefined;
  readonly item?: string | undefined;
  /** Documents, passages: items of one are alike. */
  readonly cluster?: string | undefined;
}

export interface LabelOptions {
  readonly average?: Average | undefined;
  readonly positive?: Label | undefined;
  /** Exact match: differences that do not count. */
  readonly ignore?: readonly Normalisation[] | undefined;
  readonly perItem?: boolean | undefined;
  readonly confidence?: number | undefined;
}

export interface MeanColumnOptions {
  readonly higherIsBetter?: boolean | null | undefined;
  readonly perItem?: boolean | undefined;
  /** Also every item that flips between the tries of one system. */
  readonly details?: boolean | undefined;
  readonly confidence?: number | undefined;
  /** What a row is where no column names items; default: items. */
  readonly units?: string | undefined;
}

/** Texts of a column; null is missing. */
export function cellTexts(source: Column): (string | null)[] {
  if (source.kind === "numeric") return Array.from(source.values, (v) => (Number.isNaN(v) ? null : String(v)));
  return Array.from(source.codes, (code) => (code < 0 ? null : source.levels[code]!));
}

/** Rows of each system, in the order of first appearance. */
export function rowsBySystem(table: Table, system: string | undefined): Map<string, number[]> {
  const names = system === undefined ? undefined : cellTexts(column(table, system));
  const groups = new Map<string, number[]>();
  for (let i = 0; i < table.rows; i++) {
    const name = names === undefined ? "system" : (names[i] ?? "(missing)");
    const rows = groups.get(name);
    if (rows === undefined) groups.set(name, [i]);
    else rows.push(i);
  }
  return groups;
}

const SCORE_COLUMN_OPTIONS = {
  higherIsBetter: true,
  perItem: true,
  details: true,
  confidence: true,
  units: true,
  system: true,
  item: true,
  cluster: true,
} as const satisfies Record<keyof (MeanColumnOptions & TableColumns), true>;

/** Mean of a score column for every system. */
export function scoreColumn(table: Table, score: string, options: MeanColumnOptions & TableColumns = {}): ScoreResult {
  refuseUnknownNames("scoreColumn", options, SCORE_COLUMN_OPTIONS);
  const values = numbersOf(table, score);
  const shares = values.every((value) => value === 0 || value === 1 || Number.isNaN(value));
  const items = options.item === undefined ? undefined : cellTexts(column(table, options.item));
  let repeats = 1;
  const { higherIsBetter } = options;
  const scored = [...rowsBySystem(table, options.system)].map(([name, rows]): ScoredSystem => {
    const averaged = averageItems(values, items, rows);
    repeats = Math.max(repeats, averaged.repeats);
    const own = { name: score, higherIsBetter };
    const all = shares && averaged.repeats > 1 ? { details: { passAll: passCurve(averaged) } } : {};
    const clusters = clustersOf(table, options.cluster, averaged.rows);
    return {
      name,
      statistics: meanStatistics(averaged.means, own),
      items: averaged.names,
      shares,
      clusters,
      ...all,
    };
  });
  const diagnostics = repeats === 1 ? [] : [noteRepeats(repeats)];
  const { item } = options;
  const flakiness =
    shares && repeats > 1 && item !== undefined
      ? { flakiness: measureFlakiness(withColumn(table, score, numericColumn(values)), { ...options, item, score }) }
      : {};
  const { details: _, ...stated } = options;
  return reportScores(scored, {
    ...{ ...options, ...flakiness, diagnostics },
    clusters: countClusters(table, options.cluster),
    data: fingerprint(table),
    options: { ...stated, score },
  });
}

/** The cluster of each item, by one of its rows. */
function clustersOf(table: Table, cluster: string | undefined, rows: readonly number[]): Int32Array | undefined {
  if (cluster === undefined) return undefined;
  const { codes } = asFactor(column(table, cluster));
  return Int32Array.from(rows, (row) => codes[row]!);
}

function countClusters(table: Table, cluster: string | undefined): ScoreResult["clusters"] {
  if (cluster === undefined) return undefined;
  return { column: cluster, levels: new Set(asFactor(column(table, cluster)).codes).size };
}

interface Averaged {
  /** One of each item. */
  readonly rows: readonly number[];
  readonly means: readonly number[];
  readonly counts: readonly number[];
  readonly names: readonly string[];
  readonly repeats: number;
}

/** pass^1, pass^2, … as far as every item has so many tries. */
function passCurve(averaged: Averaged): number[] {
  const tried = averaged.counts.filter((count) => count > 0);
  const least = Math.min(MOST_TRIES, leastOf(tried));
  return Array.from({ length: least }, (_, i) => {
    const passes = averaged.means
      .map((mean, j) => passOf(averaged.counts[j]!, Math.round(mean * averaged.counts[j]!), { kind: "^", k: i + 1 }))
      .filter((value) => !Number.isNaN(value));
    return passes.reduce((sum, value) => sum + value, 0) / passes.length;
  });
}

/** More columns than this are no table. */
const MOST_TRIES = 8;

function noteRepeats(repeats: number): Diagnostic {
  return note(
    "RepeatsAveraged",
    `items have up to ${repeats} rows of one system, which were averaged first.`,
    "n counts items.",
  );
}

/** Verdicts that count as 1 and 0. */
const VERDICTS: ReadonlyMap<string, number> = new Map([
  ...["true", "yes", "y", "pass", "passed", "correct", "right", "accept"].map((word) => [word, 1] as const),
  ...["false", "no", "n", "fail", "failed", "incorrect", "wrong", "reject"].map((word) => [word, 0] as const),
]);

export function numbersOf(table: Table, name: string): Float64Array {
  const source = column(table, name);
  if (source.kind === "numeric") {
    const endless = source.values.findIndex((v) => !Number.isFinite(v) && !Number.isNaN(v));
    if (endless < 0) return source.values;
    const message = `${name} is ${source.values[endless]} in row ${endless + 1}: it has no mean.`;
    throw new StatError("NotFinite", message, "Correct the row or leave it out with `filterRows`.");
  }
  const levels = source.levels.map((level) => VERDICTS.get(level.toLowerCase()));
  if (levels.every((level) => level !== undefined)) {
    return Float64Array.from(source.codes, (code) => (code < 0 ? Number.NaN : levels[code]!));
  }
  throw new StatError("NotNumeric", `the column "${name}" holds texts, not scores.`, "Name a column of numbers.");
}

function averageItems(
  values: Float64Array,
  items: readonly (string | null)[] | undefined,
  rows: readonly number[],
): Averaged {
  const groups = new Map<string, { sum: number; count: number; rows: number; first: number }>();
  rows.forEach((row, k) => {
    const key = items === undefined ? String(k + 1) : (items[row] ?? `(row ${row + 1})`);
    const group = groups.get(key) ?? { sum: 0, count: 0, rows: 0, first: row };
    group.rows++;
    if (!Number.isNaN(values[row]!)) {
      group.sum += values[row]!;
      group.count++;
    }
    groups.set(key, group);
  });
  const all = [...groups.values()];
  return {
    means: all.map(({ sum, count }) => (count === 0 ? Number.NaN : sum / count)),
    counts: all.map(({ count }) => count),
    names: [...groups.keys()],
    rows: all.map(({ first }) => first),
    repeats: all.reduce((most, group) => Math.max(most, group.rows), 1),
  };
}

/** A metric of labels for every system; rows are items. */
export function scoreLabels(
  table: Table,
  { gold, predicted, ...columns }: { gold: string; predicted: string } & TableColumns,
  { metric, ...options }: LabelOptions & { metric: Extract<MetricChoice, { kind: "labels" }> },
): ScoreResult {
  const right = cellTexts(column(table, gold));
  const given = cellTexts(column(table, predicted));
  const items = columns.item === undefined ? undefined : cellTexts(column(table, columns.item));
  const labels = metric.name === "exact-match" ? [] : listClasses([right, given]);
  const average = metric.average ?? options.average;
  const own = { ...options, ...(average === undefined ? {} : { average }), labels };
  const scored = [...rowsBySystem(table, columns.system)].map(([name, rows]): ScoredSystem => {
    const pick = <T>(list: readonly T[]): T[] => rows.map((row) => list[row]!);
    return {
      name,
      statistics: labelStatistics(metric.name, { gold: pick(right), predicted: pick(given) }, own),
      clusters: clustersOf(table, columns.cluster, rows),
      ...(items === undefined ? {} : { items: pick(items).map((item, k) => item ?? String(k + 1)) }),
    };
  });
  const stated = { metric: metric.name, gold, predicted, ...columns, ...options };
  const clusters = countClusters(table, columns.cluster);
  return reportScores(scored, { ...options, clusters, data: fingerprint(table), options: stated });
}

/** One system's statistics under a metric of labels. */
export function labelStatistics(
  metric: LabelMetric,
  { gold, predicted }: { gold: readonly (string | null)[]; predicted: readonly (string | null)[] },
  { labels = [], ignore = [], ...options }: LabelOptions & { labels?: readonly string[] } = {},
): ItemStatistics {
  const classes = labels.length === 0 ? {} : { labels };
  switch (metric) {
    case "accuracy":
      return accuracyStatistics(gold, predicted);
    case "exact-match":
      // no answer is a wrong answer: nothing equals it
      return exactMatchStatistics(
        predicted.map((text) => text ?? ""),
        gold.map((text) => (text === null ? [] : [text])),
        { ignore },
      );
    case "mcc":
      return mccStatistics(gold, predicted, classes);
    case "balanced-accuracy":
      return balancedAccuracyStatistics(gold, predicted, classes);
    default: {
      const { average, positive } = options;
      return f1Statistics(gold, predicted, {
        measure: metric,
        ...classes,
        average,
        positive,
      });
    }
  }
}

/* Texts and references in columns: one text a system and item, in one order, as the metrics of texts take them. */

export interface TextColumns {
  readonly text: string;
  readonly reference: string;
  readonly system?: string | undefined;
  /** Without it the rows of each system are in the same order, with the same references. */
  readonly item?: string | undefined;
}

export interface ColumnTexts {
  readonly hypotheses: Readonly<Record<string, readonly string[]>>;
  readonly references: readonly string[];
  /** The rows of the first system, in the order of the texts. */
  readonly rows: readonly number[];
}

export function textsOfColumns(table: Table, { text, reference, system, item }: TextColumns): ColumnTexts {
  const groups = rowsBySystem(table, system);
  const [texts, references] = [text, reference].map((name) => cellTexts(column(table, name)));
  const names = item === undefined ? undefined : cellTexts(column(table, item));
  const [first = []] = groups.values();
  const order = names === undefined ? undefined : first.map((row) => names[row] ?? "");
  const hypotheses: Record<string, readonly string[]> = {};
  for (const [name, unordered] of groups) {
    const rows = order === undefined ? unordered : inOrder(name, unordered, { names: names!, order, item: item! });
    const odd = rows.findIndex((row, i) => references![row] !== references![first[i]!]);
    if (odd >= 0 || rows.length !== first.length)
      throw new StatError(
        "UnequalReferences",
        `${name} does not have the references (${reference}) of the other systems${odd < 0 ? "" : `, ${item === undefined ? `line ${odd + 1}` : `${item} ${order![odd]}`}`}.`,
        item === undefined ? "Name the items with option `item`, or score the systems apart." : "Score it apart.",
      );
    hypotheses[name] = rows.map((row) => texts![row] ?? "");
  }
  return { hypotheses, references: first.map((row) => references![row] ?? ""), rows: first };
}

function inOrder(
  system: string,
  rows: readonly number[],
  { names, order, item }: { names: readonly (string | null)[]; order: readonly string[]; item: string },
): number[] {
  const at = new Map<string, number>();
  for (const row of rows) {
    const name = names[row] ?? "";
    if (at.has(name))
      throw new StatError(
        "RepeatedItem",
        `${system} has several texts for ${item} ${name}.`,
        "Keep one text for each system and item, or name the items with option `item`.",
      );
    at.set(name, row);
  }
  const lacking = order.find((name) => !at.has(name));
  if (lacking !== undefined || at.size !== order.length) {
    const name = lacking ?? [...at.keys()].find((own) => !order.includes(own));
    throw new StatError(
      "UnequalLength",
      `${item} ${name} is not there for every system (${system} has ${at.size} items, the first system ${order.length}).`,
      "Give every system a text for the same items; an empty one where it said nothing.",
    );
  }
  return order.map((name) => at.get(name)!);
}
