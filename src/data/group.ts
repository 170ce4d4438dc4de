/** Split a table by key columns and summarise the parts. */
import { StatError } from "../result/error.ts";
import { groupKeys } from "./keys.ts";
import { mean, quantile, standardDeviation } from "./moments.ts";
import {
  type Column,
  column,
  isMissing,
  makeTable,
  selectColumns,
  selectRows,
  sortBy,
  type Table,
  withColumn,
} from "./table.ts";

export interface Grouping {
  /** One row per group: its values in the key columns, sorted (factors by level, missing last). */
  readonly keys: Table;
  /** Group of each row of the table. */
  readonly group: Int32Array;
  /** Rows of each group, in order. */
  readonly rows: readonly Int32Array[];
}

/** A missing key forms a group of its own. Without keys all rows form one group. */
export function groupBy(table: Table, names: readonly string[]): Grouping {
  const columns = names.map((name) => column(table, name));
  const found = groupKeys(columns, table.rows);
  const order = sortGroups(selectRows(selectColumns(table, names), found.first));
  const group = Int32Array.from(found.group, (id) => order.place[id]!);
  const sizes = new Int32Array(found.count);
  for (const id of group) sizes[id]! += 1;
  const rows = Array.from(sizes, (size) => new Int32Array(size));
  const filled = new Int32Array(found.count);
  for (let i = 0; i < group.length; i += 1) rows[group[i]!]![filled[group[i]!]!++] = i;
  return { keys: order.keys, group, rows };
}

/** The sorted keys, and the place of each group among them. */
function sortGroups(keys: Table): { keys: Table; place: Int32Array } {
  const names = [...keys.columns.keys()];
  let marker = "group";
  while (keys.columns.has(marker)) marker += "_";
  const ids = Float64Array.from({ length: keys.rows }, (_, i) => i);
  const sorted = sortBy(withColumn(keys, marker, { kind: "numeric", values: ids }), names);
  const before = sorted.columns.get(marker)!;
  const place = new Int32Array(keys.rows);
  if (before.kind === "numeric") {
    before.values.forEach((id, at) => {
      place[id] = at;
    });
  }
  return { keys: selectColumns(sorted, names), place };
}

export type Summary = "mean" | "sum" | "count" | "min" | "max" | "sd" | "median";

export interface Aggregate {
  readonly column: string;
  readonly summary: Summary;
  /** Name of the new column; default: score_mean and so on. */
  readonly as?: string;
}

/** One row per group with the keys and the summaries. Missing cells are left out; a summary of no values is NaN, a count 0. */
export function aggregate(table: Table, by: readonly string[], aggregates: readonly Aggregate[]): Table {
  const grouping = groupBy(table, by);
  const added = aggregates.map((wanted) => {
    const cells = column(table, wanted.column);
    const values = Float64Array.from(grouping.rows, (rows) => summarise(cells, rows, wanted));
    return [wanted.as ?? `${wanted.column}_${wanted.summary}`, { kind: "numeric", values }] as const;
  });
  return makeTable([...grouping.keys.columns, ...added], grouping.rows.length);
}

function summarise(cells: Column, rows: Int32Array, wanted: Aggregate): number {
  const present = rows.filter((row) => !isMissing(cells, row));
  if (wanted.summary === "count") return present.length;
  if (cells.kind !== "numeric") {
    throw new StatError(
      "NotNumeric",
      `column "${wanted.column}" is a factor; its ${wanted.summary} is not defined.`,
      "count it, or turn it into numbers first.",
    );
  }
  const values = Float64Array.from(present, (row) => cells.values[row]!);
  if (values.length === 0) return Number.NaN;
  switch (wanted.summary) {
    case "mean":
      return mean(values);
    case "sum":
      return values.reduce((sum, value) => sum + value, 0);
    case "min":
      return values.reduce((low, value) => Math.min(low, value));
    case "max":
      return values.reduce((high, value) => Math.max(high, value));
    case "sd":
      return standardDeviation(values);
    case "median":
      return quantile(values.sort(), 0.5);
  }
}
