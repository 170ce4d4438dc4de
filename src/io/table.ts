/** A table from whatever a script has at hand: rows as objects, columns as arrays, or the bytes or text of a CSV file. */
import { factorColumn, makeTable, numericColumn, type Table } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { readCsv } from "./csv/csv.ts";

export type Cell = string | number | boolean | null | undefined;
export type TableSource =
  | Uint8Array
  | string
  | readonly Readonly<Record<string, Cell>>[]
  | Readonly<Record<string, ArrayLike<Cell>>>;

/** Columns whose cells are all numbers (or missing) are numeric, others factors; true and false count as 1 and 0. */
export function table(source: TableSource): Table {
  if (typeof source === "string") return readCsv(new TextEncoder().encode(source)).table;
  if (source instanceof Uint8Array) return readCsv(source).table;
  const columns = Array.isArray(source) ? columnsOf(source) : Object.entries(source as Record<string, ArrayLike<Cell>>);
  if (columns.length === 0)
    throw new StatError("EmptyTable", "there is no column.", "give at least one row or column.");
  return makeTable(columns.map(([name, cells]) => [name, columnOf(Array.from(cells))]));
}

function columnsOf(rows: readonly Readonly<Record<string, Cell>>[]): [string, Cell[]][] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].map((name) => [name, rows.map((row) => (Object.hasOwn(row, name) ? row[name] : undefined))]);
}

function columnOf(cells: readonly Cell[]) {
  const known = cells.map((cell) => (typeof cell === "boolean" ? Number(cell) : (cell ?? undefined)));
  if (known.every((cell) => cell === undefined || typeof cell === "number")) {
    return numericColumn(known.map((cell) => (cell === undefined ? Number.NaN : (cell as number))));
  }
  return factorColumn(known.map((cell) => (cell === undefined ? null : String(cell))));
}
