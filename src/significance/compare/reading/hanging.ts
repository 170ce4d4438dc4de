/** Items that hang together by a column which nobody called a group: the paired differences within its levels are more alike than between them.
 *  A name such as `blk`, `src` or `g` says nothing; the differences do.
 *      F test of the one-way layout of the differences, at 0.005 divided by the number of columns that are looked at
 *  Limits: levels that are quantities (lengths, grades) are not looked at, unless the file stands in blocks of them; fewer than five levels are
 *          kinds of items, not a sample of sources. */

import type { Imported, ImportedMetric } from "../../../data/imported.ts";
import { standsInBlocks } from "../../../data/same-items.ts";
import { asFactor, column, dropUnusedLevels, type Table, withColumn } from "../../../data/table.ts";
import { warning } from "../../../result/diagnostic.ts";
import { formatP } from "../../../result/number-format.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { oneWayIntraclass } from "../../tests/intraclass.ts";
import { type ComparisonColumns, matchItems } from "../matching/matching.ts";

interface Hanging {
  readonly column: string;
  readonly levels: number;
  /** Intraclass correlation of the differences. */
  readonly icc: number;
}

/** A strict level: what hangs together by chance must not change an answer. */
const LEVEL = 0.005;
const FEWEST_LEVELS = 5;
/** Columns beyond these are a wide table's, and testing all of them would take long. */
const MOST_COLUMNS = 40;
/** Most items share their level with another, or the levels are names of items. */
const SHARED = 0.5;

interface Compared {
  readonly result: {
    readonly paired: boolean;
    readonly main: { readonly a: string; readonly b: string; readonly p: number; readonly verdict: string };
  };
  readonly notes: readonly Diagnostic[];
}

interface Named extends Pick<Imported, "roles" | "metrics"> {
  readonly otherMetrics?: readonly ImportedMetric[] | undefined;
}

interface Rows {
  readonly table: Table;
  readonly columns: ComparisonColumns;
  /** What names the columns that have a part of their own: scores, labels, texts. */
  readonly named: Named;
}

/** What holds for items and not for the levels of a column that their differences hang together by is not claimed. */
export function heedHanging<T extends Compared>(
  compareBy: (columns: ComparisonColumns) => T,
  { table, columns, named }: Rows,
): T {
  const plain = compareBy(columns);
  const { main, paired } = plain.result;
  if (!paired || main.verdict === "NONE") return plain;
  const hanging = findHanging(table, columns, { systems: [main.a, main.b], others: ownColumns(named) });
  if (hanging === undefined) return plain;
  const { column: name, icc, levels } = hanging;
  const grouped = compareBy({ ...columns, cluster: name });
  const same = grouped.result.main.verdict === main.verdict;
  const told = same
    ? `and are counted one by one: by its ${levels} levels ${formatP(grouped.result.main.p)}`
    : `so that p is that of its ${levels} levels: one by one it would be ${main.verdict}, ${formatP(main.p)}`;
  const message = `the differences hang together by ${name} (intraclass correlation ${icc.toFixed(2)}), ${told}.`;
  const fix = `Option \`cluster: ${name}\` counts its levels, option \`cluster: none\` items.`;
  const kept = same ? plain : grouped;
  return { ...kept, notes: [...kept.notes, warning("Hanging", message, fix)] };
}

function ownColumns({ roles, metrics, otherMetrics = [] }: Named): Set<string> {
  const { label, prediction, text, reference, rater, repeat } = roles;
  const scores = [...metrics, ...otherMetrics].map(({ name }) => name);
  return new Set([label, prediction, text, reference, rater, repeat, ...scores, ...roles.metrics].map(String));
}

/** `others`: columns that have a part of their own, such as scores, labels and texts. */
function findHanging(
  table: Table,
  columns: ComparisonColumns,
  { systems, others }: { readonly systems: readonly string[]; readonly others: ReadonlySet<string> },
): Hanging | undefined {
  const { system, item, score, rater, repeat, task } = columns;
  const taken = new Set([system, item, score, rater, repeat, task, ...others]);
  const names = [...table.columns.keys()].filter((name) => !taken.has(name) && couldGroup(table, name));
  if (names.length === 0 || names.length > MOST_COLUMNS) return undefined;
  const factors = names.reduce(
    (rows, name) => withColumn(rows, name, dropUnusedLevels(asFactor(column(rows, name)))),
    table,
  );
  const { means, items, slices } = matchItems(factors, { ...columns, slices: names }, systems);
  const n = items.length;
  const differences = Array.from({ length: n }, (_, i) => means[i + n]! - means[i]!);
  const looked = names.flatMap((name) => {
    const groups = slices.get(name);
    return groups !== undefined && isGrouping(groups.codes) ? [{ name, codes: groups.codes }] : [];
  });
  const found = looked.flatMap(({ name, codes }) => {
    const { p, icc1, objects } = oneWayIntraclass(differences, codes);
    return p < LEVEL / looked.length ? [{ column: name, levels: objects, icc: icc1, p }] : [];
  });
  // of columns within each other the coarser one leaves the fewest units
  const [most] = found.sort((a, b) => a.levels - b.levels);
  return most && { column: most.column, levels: most.levels, icc: most.icc };
}

function isGrouping(codes: Int32Array): boolean {
  const sizes = new Map<number, number>();
  for (const code of codes) sizes.set(code, (sizes.get(code) ?? 0) + 1);
  const shared = [...sizes.values()].filter((size) => size > 1).length;
  return sizes.size >= FEWEST_LEVELS && shared > SHARED * sizes.size;
}

/** Words, or whole numbers in whose blocks the file stands: others are quantities. */
function couldGroup(table: Table, name: string): boolean {
  const cells = column(table, name);
  if (cells.kind === "factor") return !cells.ordered && cells.levels.length >= FEWEST_LEVELS;
  if (!cells.values.every(Number.isInteger)) return false;
  return new Set(cells.values).size >= FEWEST_LEVELS && standsInBlocks(table, name);
}
