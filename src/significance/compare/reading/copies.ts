/** The same item under several ids: each copy counts as an item of its own, and intervals become too narrow. Told by texts, which must be the same
 *  in all that is known of the item, or by measurements that no two items share by chance. */

import { groupKeys } from "../../../data/keys.ts";
import type { NamedImport } from "../../../data/merge.ts";
import { asFactor, type Column, column, selectRows, type Table } from "../../../data/table.ts";
import { warning } from "../../../result/diagnostic.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { isMade } from "./prompts.ts";

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
    if (system !== undefined && roles.wide.length > 0) continue;
    const first = system === undefined ? table : rowsOfFirst(table, system);
    const ids = groupKeys(
      [item, task].flatMap((name) => (name === undefined ? [] : [column(first, name)])),
      first.rows,
    );
    // repeats of an item are not copies of it
    if (ids.count !== first.rows) continue;
    const names = [...first.columns.keys()].filter((name) => name !== item && name !== system);
    const told =
      copiesOf(first, { names: names.filter((own) => isGiven(own, roles.metrics)), of: isText }) ??
      copiesOf(first, { names, of: isMeasured });
    if (told === undefined) continue;
    const { copies, by } = told;
    const message = `${copies} of ${first.rows} items are copies of another item under another ${item}: ${by} and all else that is known of them are the same, and each counts as an item of its own.`;
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

/** How many rows repeat another in all these columns, where one column tells items apart: `of` says which do. */
function copiesOf(
  table: Table,
  { names, of }: { readonly names: readonly string[]; readonly of: (cells: Column) => boolean },
): { readonly copies: number; readonly by: string } | undefined {
  // a number of its own in every row is a name of the row
  const counted = names.filter((name) => {
    const cells = column(table, name);
    return cells.kind !== "numeric" || !isNumbering(cells.values);
  });
  const cells = counted.map((name) => column(table, name));
  const { count } = groupKeys(cells, table.rows);
  const copies = table.rows - count;
  if (counted.length === 0 || copies < Math.max(FEWEST, LEAST_SHARE * table.rows)) return undefined;
  const by = counted.find((name) => {
    const own = column(table, name);
    return of(own) && groupKeys([own], table.rows).count >= MOST * count;
  });
  return by === undefined ? undefined : { copies, by };
}

/** Whole numbers, another in every row. */
const isNumbering = (values: Float64Array): boolean =>
  new Set(values).size === values.length && values.every(Number.isInteger);

const isText = (cells: Column): boolean =>
  cells.kind === "factor" &&
  cells.levels.length > 1 &&
  cells.levels.filter((level) => /\S\s+\S+\s+\S/.test(level)).length >= MOST * cells.levels.length;

/** Numbers with three decimals and more, or large ones: 0.5 comes about twice by chance. */
const isMeasured = (cells: Column): boolean =>
  cells.kind === "numeric" &&
  cells.values.filter((v) => Number.isFinite(v) && !Number.isInteger(100 * v)).length >= MOST * cells.values.length;
