/** The same item under several ids: each copy counts as an item of its own, and intervals become too narrow. Told by texts, which must be the same
 *  in all that is known of the item, or by measurements that no two items share by chance. */

import { countValues, countWhere, finiteCounts, quantileOf, type ValueCounts } from "../../../data/counts.ts";
import { groupKeys } from "../../../data/keys.ts";
import { asFactor, type Column, column, selectRows, type Table } from "../../../data/table.ts";
import { warning } from "../../../result/diagnostic.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { isMade } from "../../../study/lexicon/given.ts";
import type { NamedImport } from "../../../study/merge.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

/** Fewer copies are a slip that moves nothing. */
const FEWEST = 3;
const LEAST_SHARE = 0.02;
/** Of texts that name an item so many have several words, and so many measurements are other numbers. */
const MOST = 0.9;

export function tellCopies(parts: readonly NamedImport[]): Diagnostic[] {
  for (const { imported } of parts) {
    const { table, roles } = imported;
    const { item, system, rater, repeat, task, opponent } = roles;
    if (item === undefined || rater !== undefined || repeat !== undefined || opponent !== undefined) continue;
    const first = system === undefined ? table : rowsOfFirst(table, system);
    const keys = task === undefined ? [item] : [item, task];
    // repeats of an item are not copies of it
    if (groupsBy(first, keys).count !== first.rows) continue;
    const names = [...first.columns.keys()].filter((name) => name !== item && name !== system);
    const told =
      copiesOf(first, { keys, names: names.filter((own) => isGiven(own, roles.metrics)), of: isText }) ??
      copiesOf(table, { keys, names, of: isMeasured, ...(system === undefined ? {} : { system }) });
    if (told === undefined) continue;
    const { copies, by } = told;
    const known = isText(column(first, by)) ? "is given of" : "is known of";
    const message = `${copies} of ${first.rows} items are copies of another item under another ${item}: ${by} and all else that ${known} them are the same, and each counts as an item of its own.`;
    return [warning("CopiedItems", message, copiesFix(by, item, first))];
  }
  return [];
}

const isGiven = (name: string, metrics: readonly string[]): boolean => !metrics.includes(name) && !isMade(name);

const copiesFix = (by: string, item: string, table: Table): string =>
  table.columns.get(by)?.kind === "factor"
    ? `Leave the copies out, or keep them together: option \`cluster: ${by}\`.`
    : `Leave the copies out; if they are other items, look for what ${item} stands for.`;

function rowsOfFirst(table: Table, system: string): Table {
  const { codes } = asFactor(column(table, system));
  const own = codes.find((code) => code >= 0);
  return selectRows(table, (row) => codes[row] === own);
}

const groupsBy = (table: Table, names: readonly string[]) =>
  groupKeys(
    names.map((name) => column(table, name)),
    table.rows,
  );

interface Sought {
  /** What tells the items apart. */
  readonly keys: readonly string[];
  readonly names: readonly string[];
  readonly of: (cells: Column) => boolean;
  readonly system?: string;
}

/** How many items repeat another in all these columns, with every system, where one column tells items apart: `of` says which do. */
function copiesOf(
  table: Table,
  { keys, names, of, system }: Sought,
): { readonly copies: number; readonly by: string } | undefined {
  // a number of its own in every row is a name of the row
  const counted = names.filter((name) => {
    const cells = column(table, name);
    return cells.kind !== "numeric" || !isNumbering(cells.values);
  });
  const telling = counted.filter((name) => of(column(table, name)));
  if (telling.length === 0) return undefined;
  const items = groupsBy(table, keys);
  const rows = groupsBy(table, system === undefined ? counted : [system, ...counted]);
  const records: number[][] = Array.from({ length: items.count }, () => []);
  for (let row = 0; row < table.rows; row += 1) records[items.group[row]!]!.push(rows.group[row]!);
  const count = new Set(records.map((record) => record.sort((x, y) => x - y).join())).size;
  const copies = items.count - count;
  if (copies < Math.max(FEWEST, LEAST_SHARE * items.count)) return undefined;
  const by = telling.find((name) => groupsBy(table, [name]).count >= MOST * count);
  return by === undefined ? undefined : { copies, by };
}

/** Whole numbers, another in every row. */
const isNumbering = (values: Float64Array): boolean =>
  countValues(values).of.size === values.length && values.every(Number.isInteger);

const isText = (cells: Column): boolean =>
  cells.kind === "factor" &&
  cells.levels.length > 1 &&
  cells.levels.filter((level) => /\S\s+\S+\s+\S/.test(level)).length >= MOST * cells.levels.length;

/** Numbers so finely written that by chance not even one pair would be the same: a thousand values on three decimals hold many. */
function isMeasured(cells: Column): boolean {
  if (cells.kind !== "numeric") return false;
  const counts = finiteCounts(cells.values);
  const sorted = Float64Array.from(counts.of.keys()).sort();
  const quarter = (k: 1 | 3): number => quantileOf(counts, sorted, k / 4);
  // exact for even spread; half of all lies in the middle, and pairs meet most where values are dense
  const steps = 2 * ((quarter(3) - quarter(1)) / stepOf(counts));
  return counts.n >= MOST * cells.values.length && (counts.n * (counts.n - 1)) / 2 < steps;
}

/** The last decimal place that most of the numbers are written to. */
function stepOf(values: ValueCounts): number {
  for (let decimals = 0; decimals < MOST_DECIMALS; decimals += 1) {
    const written = countWhere(values, (value) => Number(value.toFixed(decimals)) === value);
    if (written >= MOST * values.n) return 10 ** -decimals;
  }
  return 10 ** -MOST_DECIMALS;
}
const MOST_DECIMALS = 12;

/** Numbers with three decimals and more: a whole run of them is not the same by chance. */
const isFine = (cells: Column): boolean =>
  cells.kind === "numeric" &&
  cells.values.filter((v) => Number.isFinite(v) && !Number.isInteger(100 * v)).length >= MOST * cells.values.length;

/** Runs without those that say the same as an earlier one of their system, and what is told of these. `same` of two runs by their places. */
function withoutCopies(
  runs: ReadonlyMap<string, readonly string[]>,
  same: (a: string, b: string) => boolean,
): { readonly kept: ReadonlyMap<string, readonly string[]>; readonly notes: readonly Diagnostic[] } {
  const copies: (readonly [copy: string, first: string])[] = [];
  const kept = new Map(
    [...runs].map(([system, own]) => {
      const first: string[] = [];
      for (const run of own) {
        const before = first.find((other) => same(other, run));
        if (before === undefined) first.push(run);
        else copies.push([run, before]);
      }
      return [system, first] as const;
    }),
  );
  if (copies.length === 0) return { kept: runs, notes: [] };
  const told = copies.slice(0, MOST_TOLD).map(([copy, first]) => `${copy} repeats ${first}`);
  const more = copies.length > MOST_TOLD ? ` and ${copies.length - MOST_TOLD} more` : "";
  const message = `${told.join(", ")}${more} on every item: a copy is not a second run and is not counted.`;
  const fix = "Look whether a file was copied, or the seed had no effect.";
  return { kept, notes: [warning("CopiedRuns", message, fix)] };
}
const MOST_TOLD = 3;

/** Texts of several runs, of which those that are the same line by line count once. */
export function leaveCopiedTextsOut(
  runs: ReadonlyMap<string, readonly string[]> | undefined,
  texts: Readonly<Record<string, readonly string[]>>,
): { readonly runs: ReadonlyMap<string, readonly string[]> | undefined; readonly notes: readonly Diagnostic[] } {
  if (runs === undefined) return { runs, notes: [] };
  const same = (a: string, b: string): boolean =>
    texts[a]!.length === texts[b]!.length && texts[a]!.every((line, k) => line === texts[b]![k]);
  const { kept, notes } = withoutCopies(runs, same);
  return { runs: kept, notes };
}

/** Rows of several runs, of which one that has the scores of another on every item is a copy, where the scores are measurements or what was
 *  answered is there and the same: right and wrong come again by chance. */
export function leaveCopiedRunsOut(
  table: Table,
  columns: ComparisonColumns,
): { readonly table: Table; readonly columns: ComparisonColumns; readonly notes: readonly Diagnostic[] } {
  const { repeat, ...others } = columns;
  if (repeat === undefined) return { table, columns, notes: [] };
  const [systems, levels] = [column(table, columns.system), column(table, repeat)].map((cells) => asFactor(cells));
  const score = column(table, columns.score);
  const made = [...table.columns].filter(([name, cells]) => isMade(name) && cells.kind === "factor" && name !== repeat);
  const told = made.map(([, cells]) => cells).filter(isText);
  if (told.length === 0 && !isFine(score)) return { table, columns, notes: [] };
  const unit = [columns.item, columns.task, columns.rater].flatMap((name) => (name === undefined ? [] : [name]));
  const items = groupKeys(
    unit.map((name) => column(table, name)),
    table.rows,
  ).group;
  const values = groupKeys([score, ...told], table.rows).group;
  const cells = new Map<string, Map<number, number>>();
  const runs = new Map<string, string[]>();
  const name = (row: number): string =>
    `${systems!.levels[systems!.codes[row]!]} ${levels!.levels[levels!.codes[row]!]}`;
  for (let row = 0; row < table.rows; row += 1) {
    if (systems!.codes[row]! < 0 || levels!.codes[row]! < 0) continue;
    const own = cells.get(name(row)) ?? new Map<number, number>();
    if (own.size === 0) {
      const system = systems!.levels[systems!.codes[row]!]!;
      runs.set(system, [...(runs.get(system) ?? []), name(row)]);
    }
    cells.set(name(row), own.set(items[row]!, values[row]!));
  }
  const same = (a: string, b: string): boolean => {
    const [x, y] = [cells.get(a)!, cells.get(b)!];
    return x.size >= FEWEST_ALIKE && x.size === y.size && [...x].every(([item, value]) => y.get(item) === value);
  };
  const { kept, notes } = withoutCopies(runs, same);
  if (notes.length === 0) return { table, columns, notes };
  const left = new Set([...kept.values()].flat());
  const rows = selectRows(table, (row) => levels!.codes[row]! < 0 || left.has(name(row)));
  const single = [...kept.values()].every((own) => own.length === 1);
  return { table: rows, columns: single ? others : columns, notes };
}
/** Fewer values may be the same by chance. */
const FEWEST_ALIKE = 5;
