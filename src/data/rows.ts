/** A table from rows as objects or columns as arrays. Columns whose cells are all numbers (or missing) are numeric, others factors; true and false
 *  count as 1 and 0. */
import { StatError } from "../result/error.ts";
import { factorColumn, makeTable, numericColumn, type Table } from "./table.ts";

export type Cell = string | number | boolean | null | undefined;
export type Rows = readonly Readonly<Record<string, Cell>>[];
export type CellColumns = Readonly<Record<string, ArrayLike<Cell>>>;

export function tableOf(source: Rows | CellColumns): Table {
  const columns = Array.isArray(source) ? columnsOf(source) : Object.entries(source as CellColumns);
  if (columns.length === 0)
    throw new StatError("EmptyTable", "there is no column.", "give at least one row or column.");
  return makeTable(columns.map(([name, cells]) => [name, columnOf(Array.from(cells))]));
}

function columnsOf(rows: Rows): [string, Cell[]][] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].map((name) => [name, rows.map((row) => (Object.hasOwn(row, name) ? row[name] : undefined))]);
}

function columnOf(cells: readonly Cell[]) {
  const known = cells.map((cell) => (typeof cell === "boolean" ? Number(cell) : (cell ?? undefined)));
  if (known.every((cell) => cell === undefined || typeof cell === "number"))
    return numericColumn(known.map((cell) => (cell === undefined ? Number.NaN : (cell as number))));
  return factorColumn(known.map((cell) => (cell === undefined ? null : String(cell))));
}
