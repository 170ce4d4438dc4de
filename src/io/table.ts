/** A table from whatever a script has at hand: rows as objects, columns as arrays, or the bytes or text of a CSV file. */
import { type CellColumns, type Rows, tableOf } from "../data/rows.ts";
import type { Table } from "../data/table.ts";
import { readCsv } from "./csv/csv.ts";

export type TableSource = Uint8Array | string | Rows | CellColumns;

export function table(source: TableSource): Table {
  if (typeof source === "string") return readCsv(new TextEncoder().encode(source)).table;
  return source instanceof Uint8Array ? readCsv(source).table : tableOf(source);
}
