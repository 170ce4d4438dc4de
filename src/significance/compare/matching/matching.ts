/** Which scores of several systems belong together: rows of a long table → one mean score per item and system, for the items
 *  that every compared system has. A missing item is never a failed or passed one: it is left out of every system and counted.
 *
 *  An item is named by its id within its task. Rows of one item and system that differ in the repeat (epoch, seed) or the rater
 *  are averaged here: they are measurements of one item, not more items; how much they scatter is kept. */

import { asFactor, type Column, column, type FactorColumn, type Table } from "../../../data/table.ts";
import { StatError } from "../../../result/error.ts";
import { shorten } from "../../../study/facts.ts";
import { classify } from "./bins.ts";
import { type Cells, readCells } from "./cells.ts";

/** Names of columns, by what they mean. */
export interface ComparisonColumns {
  readonly system: string;
  readonly item: string;
  readonly score: string;
  readonly rater?: string | undefined;
  readonly repeat?: string | undefined;
  readonly cluster?: string | undefined;
  readonly task?: string | undefined;
  /** Properties of items by which the comparison is also made. */
  readonly slices?: readonly string[] | undefined;
}

export interface UnmatchedItems {
  readonly system: string;
  /** Items of the others that this system lacks. */
  readonly missing: number;
  /** Rows of this system that have no score. */
  readonly unscored: number;
  readonly examples: readonly string[];
}

export interface Matched {
  readonly systems: readonly string[];
  /** Items that all systems have, in the order of the table. */
  readonly items: readonly string[];
  /** Mean score of item i and system s at means[i + s * items.length]. */
  readonly means: Float64Array;
  /** How many rows that mean is made of. */
  readonly counts: Int32Array;
  /** Sum of squared deviations of those rows from their mean. */
  readonly within: Float64Array;
  /** Cluster of each item; absent without clusters, or where each item is its own. */
  readonly clusters?: Groups;
  /** Each item is a cluster of its own, or all are one. */
  readonly clustersAreTrivial: boolean;
  readonly tasks?: Groups;
  /** Groups of items by property; a column that differs within an item is none. */
  readonly slices: ReadonlyMap<string, Groups>;
  /** Different raters, 0 if there is no such column. */
  readonly raters: number;
  /** Most repeats of one item by one system and rater. */
  readonly repeats: number;
  /** Items that some compared system lacks. */
  readonly itemsLost: number;
  readonly unmatched: readonly UnmatchedItems[];
  /** Rows of the table that the means are made of. */
  readonly rows: Int32Array;
  /** Of each of these rows: where its mean stands. */
  readonly cellOfRow: Int32Array;
  /** The score of every row of the table. */
  readonly score: Float64Array;
}

export interface Groups {
  readonly names: readonly string[];
  /** Group of each item. */
  readonly codes: Int32Array;
}

/** `systems` in the order in which they are compared; the first is the baseline. */
export function matchItems(table: Table, columns: ComparisonColumns, systems: readonly string[]): Matched {
  const cells = readCells(table, columns, systems);
  const { itemOf, itemCount, systemOf } = cells;
  const S = systems.length;
  const sums = new Float64Array(itemCount * S);
  const counts = new Int32Array(itemCount * S);
  const unscored = new Int32Array(S);
  for (let row = 0; row < table.rows; row++) {
    const s = systemOf[row]!;
    if (s < 0 || itemOf[row]! < 0) continue;
    const score = cells.score[row]!;
    if (Number.isNaN(score)) unscored[s]! += 1;
    else {
      sums[itemOf[row]! + s * itemCount]! += score;
      counts[itemOf[row]! + s * itemCount]! += 1;
    }
  }
  const place = keepComplete(counts, itemCount, S);
  const matched = place.reduce((most, at) => Math.max(most, at + 1), 0);
  const unmatched = describeUnmatched(cells, counts, { systems, unscored });
  if (matched === 0) throw nothingInCommon(systems, cells, counts);
  return { ...collect(table, columns, cells, { place, matched, sums, counts }), systems, unmatched };
}

/** The new number of each item that all systems have, -1 for the others. */
function keepComplete(counts: Int32Array, items: number, systems: number): Int32Array {
  const place = new Int32Array(items).fill(-1);
  let next = 0;
  for (let i = 0; i < items; i++) {
    let complete = true;
    for (let s = 0; s < systems; s++) complete &&= counts[i + s * items]! > 0;
    if (complete) place[i] = next++;
  }
  return place;
}

interface Totals {
  readonly place: Int32Array;
  readonly matched: number;
  readonly sums: Float64Array;
  readonly counts: Int32Array;
}

function collect(
  table: Table,
  columns: ComparisonColumns,
  cells: Cells,
  { place, matched, sums, counts }: Totals,
): Omit<Matched, "systems" | "unmatched"> {
  const S = sums.length / cells.itemCount;
  const means = new Float64Array(matched * S);
  const sizes = new Int32Array(matched * S);
  const kept = new Int32Array(matched);
  place.forEach((at, item) => {
    if (at < 0) return;
    kept[at] = item;
    for (let s = 0; s < S; s++) {
      const from = item + s * cells.itemCount;
      means[at + s * matched] = sums[from]! / counts[from]!;
      sizes[at + s * matched] = counts[from]!;
    }
  });
  const rows = scoredRows(cells, place);
  const within = new Float64Array(matched * S);
  const cellOfRow = rows.map((row) => place[cells.itemOf[row]!]! + cells.systemOf[row]! * matched);
  for (let k = 0; k < rows.length; k++) within[cellOfRow[k]!]! += (cells.score[rows[k]!]! - means[cellOfRow[k]!]!) ** 2;
  const groups = (name: string | undefined, cut = false): Groups | undefined => {
    if (name === undefined) return undefined;
    const own = column(table, name);
    return groupItems(cut ? classify(own, name) : asFactor(own), cells, { kept, rows, place });
  };
  const clusters = groups(columns.cluster);
  const tasks = groups(columns.task);
  const rater = columns.rater === undefined ? undefined : column(table, columns.rater);
  return {
    items: Array.from(kept, cells.itemName),
    means,
    counts: sizes,
    within,
    // one cluster of all items says no more than no clusters
    ...(clusters === undefined || clusters.names.length >= matched || clusters.names.length < 2 ? {} : { clusters }),
    clustersAreTrivial: clusters !== undefined && (clusters.names.length >= matched || clusters.names.length < 2),
    ...(tasks === undefined || tasks.names.length < 2 ? {} : { tasks }),
    slices: new Map(
      (columns.slices ?? []).flatMap((name) => {
        const own = groups(name, true);
        return own === undefined ? [] : [[name, own]];
      }),
    ),
    raters: rater === undefined ? 0 : countDistinct(rater, rows),
    repeats:
      rater === undefined ? sizes.reduce((most, size) => Math.max(most, size), 0) : mostRepeats(cellOfRow, rows, rater),
    itemsLost: itemsWithScores(cells, counts) - matched,
    rows,
    cellOfRow,
    score: cells.score,
  };
}

function scoredRows({ itemOf, systemOf, score }: Cells, place: Int32Array): Int32Array {
  const rows = new Int32Array(score.length);
  let count = 0;
  for (let row = 0; row < score.length; row++) {
    const item = itemOf[row]!;
    if (item >= 0 && systemOf[row]! >= 0 && place[item]! >= 0 && !Number.isNaN(score[row]!)) rows[count++] = row;
  }
  return rows.slice(0, count);
}

/** The group of each matched item; an item with rows in two groups makes the column useless for grouping items. */
function groupItems(
  factor: FactorColumn,
  { itemOf, first }: Cells,
  { kept, rows, place }: { kept: Int32Array; rows: Int32Array; place: Int32Array },
): Groups | undefined {
  const own = Int32Array.from(kept, (item) => factor.codes[first[item]!]!);
  if (own.some((code) => code < 0)) return undefined;
  for (const row of rows) if (factor.codes[row] !== own[place[itemOf[row]!]!]) return undefined;
  const used = [...new Set(own)].sort((a, b) => a - b);
  const numbers = new Map(used.map((code, at) => [code, at]));
  const codes = Int32Array.from(own, (code) => numbers.get(code)!);
  return { names: used.map((code) => factor.levels[code]!), codes };
}

function countDistinct(cells: Column, rows: Int32Array): number {
  const values = cells.kind === "factor" ? cells.codes : cells.values;
  return new Set(
    values instanceof Int32Array ? rows.map((row) => values[row]!) : Float64Array.from(rows, (row) => values[row]!),
  ).size;
}

function mostRepeats(cellOfRow: Int32Array, rows: Int32Array, rater: Column): number {
  const { codes, levels } = asFactor(rater);
  const sizes = new Map<number, number>();
  let most = 0;
  for (let k = 0; k < rows.length; k++) {
    const key = cellOfRow[k]! * (levels.length + 1) + codes[rows[k]!]! + 1;
    const size = (sizes.get(key) ?? 0) + 1;
    sizes.set(key, size);
    most = Math.max(most, size);
  }
  return most;
}

function itemsWithScores({ itemCount }: Cells, counts: Int32Array): number {
  const S = counts.length / itemCount;
  let n = 0;
  for (let i = 0; i < itemCount; i++) {
    let any = false;
    for (let s = 0; s < S; s++) any ||= counts[i + s * itemCount]! > 0;
    if (any) n += 1;
  }
  return n;
}

/** Names shown of items that a system lacks. */
const EXAMPLES = 3;

function describeUnmatched(
  { itemCount, itemName }: Cells,
  counts: Int32Array,
  { systems, unscored }: { systems: readonly string[]; unscored: Int32Array },
): UnmatchedItems[] {
  const hasAny = new Uint8Array(itemCount);
  for (let at = 0; at < counts.length; at++) if (counts[at]! > 0) hasAny[at % itemCount] = 1;
  return systems.flatMap((system, s) => {
    const lacking: number[] = [];
    for (let i = 0; i < itemCount; i++) if (hasAny[i] === 1 && counts[i + s * itemCount] === 0) lacking.push(i);
    if (lacking.length === 0 && unscored[s] === 0) return [];
    const examples = lacking.slice(0, EXAMPLES).map(itemName);
    return [{ system, missing: lacking.length, unscored: unscored[s]!, examples }];
  });
}

/** Ids shown of each system, so that other spellings of the same are seen. */
const SHOWN_IDS = 2;
/** Where a text is the id, its beginning. */
const ID_LENGTH = 40;
const SHOWN_SYSTEMS = 4;

function nothingInCommon(systems: readonly string[], { itemCount, itemName }: Cells, counts: Int32Array): StatError {
  const has = (s: number, item: number): boolean => counts[item + s * itemCount]! > 0;
  const own = systems.map((_, s) => countItems(itemCount, (item) => has(s, item)));
  const empty = systems.filter((_, s) => own[s] === 0);
  if (empty.length > 0 && systems.length === 2) {
    return new StatError(
      "NothingMatches",
      `no item of ${empty.join(" and ")} has a score.`,
      "Score the outputs first, or name another score with option `metric`.",
    );
  }
  const ids = (s: number): string => {
    const met = Array.from({ length: itemCount }, (_, item) => item).filter((item) => has(s, item));
    return met.length === 0
      ? ""
      : `, such as ${met
          .slice(0, SHOWN_IDS)
          .map((id) => shorten(itemName(id), ID_LENGTH))
          .join(" and ")}`;
  };
  const told = systems.slice(0, SHOWN_SYSTEMS).map((name, s) => `${name} has ${own[s]} scored${ids(s)}`);
  const more = systems.length > SHOWN_SYSTEMS ? `; ${systems.length - SHOWN_SYSTEMS} more systems` : "";
  const message = `no item has a score from every system (${told.join("; ")}${more}).`;
  let best = { shared: 0, a: 0, b: 0 };
  for (let b = 1; b < systems.length; b++) {
    for (let a = 0; a < b; a++) {
      const shared = countItems(itemCount, (item) => has(a, item) && has(b, item));
      if (shared > best.shared) best = { shared, a, b };
    }
  }
  const some = `Name systems that share items, for example option \`systems: ${systems[best.a]},${systems[best.b]}\` (${best.shared} in common)${systems.length > 2 ? "; or fit a mixed model (lmm) with items, and raters if there are any, as random effects, which needs no item to be complete" : ""}.`;
  const none =
    "Check that they were run on the same data, and name the column that identifies an item with option `item`; option `unpaired` compares them as independent samples.";
  return new StatError("NothingMatches", message, best.shared > 0 ? some : none);
}

function countItems(items: number, holds: (item: number) => boolean): number {
  let n = 0;
  for (let item = 0; item < items; item++) if (holds(item)) n += 1;
  return n;
}
