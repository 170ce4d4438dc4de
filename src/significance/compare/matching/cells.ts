/** The rows of a long table as items, systems and scores, before anything is matched. */
import { groupKeys } from "../../../data/keys.ts";
import { checkSize } from "../../../data/size.ts";
import { asFactor, type Column, column, type FactorColumn, isMissing, type Table } from "../../../data/table.ts";
import { StatError } from "../../../result/error.ts";
import { suggest } from "../../../result/suggest.ts";
import type { ComparisonColumns } from "./matching.ts";

export interface Cells {
  readonly itemOf: Int32Array;
  readonly itemCount: number;
  readonly itemName: (item: number) => string;
  readonly systemOf: Int32Array;
  readonly score: Float64Array;
  /** First row of each item. */
  readonly first: Int32Array;
}

export function readCells(table: Table, columns: ComparisonColumns, systems: readonly string[]): Cells {
  const system = asFactor(column(table, columns.system));
  const item = column(table, columns.item);
  const task = columns.task === undefined ? undefined : asFactor(column(table, columns.task));
  const score = column(table, columns.score);
  if (score.kind !== "numeric") {
    throw new StatError(
      "NotNumeric",
      `the score ${columns.score} is not numeric (its values are ${score.levels.slice(0, 4).join(", ")}${score.levels.length > 4 ? ", …" : ""}).`,
      "Name a column of numbers with option `metric`, or make one with option `mutate`.",
    );
  }
  const endless = score.values.findIndex((v) => v === Number.POSITIVE_INFINITY || v === Number.NEGATIVE_INFINITY);
  if (endless >= 0) {
    throw new StatError(
      "NotFinite",
      `column ${columns.score} is ${score.values[endless]} in row ${endless + 1}.`,
      "Correct the row or leave it out with option `where`.",
    );
  }
  checkSize(
    score.values,
    columns.score,
    (unit) => `Use other units: option \`mutate\` "scaled = ${columns.score} / ${unit}" option \`metric: scaled\`.`,
  );
  const order = systems.map((name) => levelOf(system, name));
  const place = new Int32Array(system.levels.length).fill(-1);
  for (const [s, code] of order.entries()) if (place[code] === -1) place[code] = s;
  const systemOf = system.codes.map((code) => (code < 0 ? -1 : place[code]!));
  const keys = groupKeys(task === undefined ? [item] : [task, item], table.rows);
  const label = labeller(item);
  const manyTasks = task !== undefined && task.levels.length > 1;
  return {
    itemOf: keys.group.map((group, row) => (isMissing(item, row) ? -1 : group)),
    itemCount: keys.count,
    itemName: (i) => {
      const row = keys.first[i]!;
      const name = label(row);
      const of = manyTasks ? (task.levels[task.codes[row]!] ?? "") : "";
      return of === "" || name.startsWith(`${of}/`) ? name : `${of}/${name}`;
    },
    systemOf,
    score: score.values,
    first: keys.first,
  };
}

function levelOf({ levels }: FactorColumn, name: string): number {
  const at = levels.indexOf(name);
  if (at >= 0) return at;
  const listed = levels.slice(0, 8).join(", ") + (levels.length > 8 ? ", …" : "");
  throw new StatError(
    "UnknownSystem",
    `no system "${name}" in the data.`,
    suggest(name, levels, `The systems are ${listed}.`),
  );
}

const labeller =
  (cells: Column) =>
  (row: number): string =>
    cells.kind === "factor" ? (cells.levels[cells.codes[row]!] ?? "") : String(cells.values[row]);
