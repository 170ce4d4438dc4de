/** Answers of R on public and simulated data: oracle/reference/x.json, with its tables in oracle/reference/data. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { factorColumn, makeTable, numericColumn, type Table } from "../../src/data/table.ts";
import type { OracleCase } from "./oracle.ts";

export interface Reference<Case = OracleCase> {
  readonly datasets: Readonly<
    Record<
      string,
      {
        readonly file: string;
        readonly columns: Readonly<Record<string, { readonly type: string; readonly levels?: readonly string[] }>>;
      }
    >
  >;
  readonly cases: readonly Case[];
}

export const referencePath = (name: string): string =>
  fileURLToPath(new URL(`../../oracle/reference/${name}`, import.meta.url));

export function readReference<Case = OracleCase>(name: string): Reference<Case> {
  return JSON.parse(readFileSync(referencePath(name), "utf8"));
}

const tables = new Map<string, Table>();

/** A data set of a reference; factors have the levels, in the order, that R was given. */
export function referenceTable({ datasets }: Pick<Reference, "datasets">, name: string): Table {
  const { file, columns } = datasets[name]!;
  const known = tables.get(file);
  if (known !== undefined) return known;
  const bytes = readFileSync(referencePath(file));
  const [head, ...rows] = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes)
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(",").map((cell) => cell.replaceAll('"', "")));
  const table = makeTable(
    Object.entries(columns).map(([column, { type, levels }]) => {
      const at = head!.indexOf(column);
      const cells = rows.map((row) => (row[at] === "NA" ? null : row[at]!));
      if (type === "numeric")
        return [column, numericColumn(cells.map((cell) => (cell === null ? null : Number(cell))))];
      return [column, factorColumn(cells, { levels: levels!, ordered: type === "ordered" })];
    }),
  );
  tables.set(file, table);
  return table;
}
