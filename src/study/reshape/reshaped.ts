/** What a shape makes of a table: long rows, what was done in plain words, and which roles follow from it. */
import type { Decision } from "../../data/imported.ts";
import {
  asFactor,
  type Column,
  concatColumns,
  type FactorColumn,
  makeTable,
  type Table,
  takeCells,
} from "../../data/table.ts";
import { namedAsScore } from "../lexicon/metrics.ts";

export interface Reshaped {
  readonly table: Table;
  /** One or two plain sentences. */
  readonly reading: readonly string[];
  readonly hints: readonly Decision[];
  /** Names of columns whose values were counted or numbered, by direction where the shape tells it. */
  readonly higherIsBetter?: ReadonlyMap<string, boolean>;
  /** Raters are numbers within the item. */
  readonly unnamedRaters?: boolean;
}

export type Shape = (table: Table) => Reshaped | undefined;

/** A name that the table does not have yet. */
export function freshName(table: Table, wanted: string): string {
  let name = wanted;
  for (let k = 2; table.columns.has(name); k += 1) name = `${wanted}_${k}`;
  return name;
}

/** The cell as text, null where it is missing. */
export function cellText(cells: Column, row: number): string | null {
  if (cells.kind === "numeric") {
    const value = cells.values[row]!;
    return Number.isNaN(value) ? null : String(value);
  }
  const code = cells.codes[row]!;
  return code < 0 ? null : cells.levels[code]!;
}

export interface Family {
  /** Of the long column. */
  readonly name: string;
  /** Its column under each key; undefined where there is none. */
  readonly columns: readonly (string | undefined)[];
}

/** Every row becomes one row a key: the families' columns are stacked, the others repeated. */
export function stackFamilies(
  table: Table,
  keys: readonly string[],
  { families, keyName, drop = [] }: { families: readonly Family[]; keyName: string; drop?: readonly string[] },
): Table {
  const used = new Set([...families.flatMap(({ columns }) => columns), ...drop]);
  const k = keys.length;
  const source = Int32Array.from({ length: table.rows * k }, (_, i) => Math.floor(i / k));
  const interleave = Int32Array.from(source, (row, i) => (i % k) * table.rows + row);
  const kept = [...table.columns].filter(([name]) => !used.has(name));
  const key: FactorColumn = {
    kind: "factor",
    codes: Int32Array.from(source, (_, i) => i % k),
    levels: [...keys],
    ordered: false,
  };
  const stacked = families.map(({ name, columns }): [string, Column] => {
    const parts = columns.map((own) => (own === undefined ? emptyLike(table.rows) : table.columns.get(own)!));
    return [name, takeCells(concatColumns(parts, name), interleave)];
  });
  return makeTable(
    [...kept.map(([name, cells]) => [name, takeCells(cells, source)] as const), [keyName, key], ...stacked],
    table.rows * k,
  );
}

const emptyLike = (rows: number): Column => ({ kind: "numeric", values: new Float64Array(rows).fill(Number.NaN) });

/** The table with a column that numbers its rows, for items that have no name. */
export function withRowNumbers(table: Table): { readonly table: Table; readonly name: string } {
  const name = freshName(table, "row");
  const numbers = Float64Array.from({ length: table.rows }, (_, i) => i + 1);
  return { name, table: makeTable([[name, { kind: "numeric", values: numbers }], ...table.columns], table.rows) };
}

/** Levels that occur. */
export function usedLevels(cells: Column): string[] {
  const factor = asFactor(cells);
  const used = new Uint8Array(factor.levels.length);
  for (const code of factor.codes) if (code >= 0) used[code] = 1;
  return factor.levels.filter((_, code) => used[code] === 1);
}

/** The texts of one column as numbers. */
export interface Steps {
  /** Of each level. */
  readonly numbers: readonly number[];
  readonly told: string;
  /** Where the words say it. */
  readonly higherIsBetter?: boolean | undefined;
}

/** Columns whose texts a reader knows as the steps of a scale become numbers, and scores. */
export function numberSteps(
  table: Table,
  read: (name: string, cells: FactorColumn, levels: readonly string[]) => Steps | undefined,
): Reshaped | undefined {
  const reading: string[] = [];
  const hints: Decision[] = [];
  const higher = new Map<string, boolean>();
  const entries = [...table.columns].map(([name, cells]): [string, Column] => {
    if (cells.kind === "numeric") return [name, cells];
    const levels = usedLevels(cells);
    const steps = read(name, cells, levels);
    if (steps === undefined) return [name, cells];
    reading.push(steps.told);
    hints.push({ role: "score", column: name, by: "file" });
    if (steps.higherIsBetter !== undefined) higher.set(name, steps.higherIsBetter);
    const number = new Map(levels.map((level, i) => [level, steps.numbers[i]!]));
    const values = Float64Array.from(cells.codes, (code) => (code < 0 ? Number.NaN : number.get(cells.levels[code]!)!));
    return [name, { kind: "numeric", values }];
  });
  if (hints.length === 0) return undefined;
  // which of several is the score their names say, or the user
  const named = hints.filter(({ column }) => namedAsScore(column) > 0);
  const scores = hints.length === 1 ? hints : named;
  return { table: makeTable(entries, table.rows), reading, hints: scores, higherIsBetter: higher };
}
