/** Long to wide and back: one row per observation, or one column per condition. */
import { StatError } from "../result/error.ts";
import { describeKey, groupKeys } from "./keys.ts";
import {
  asFactor,
  type Column,
  column,
  concatColumns,
  dropUnusedLevels,
  type FactorColumn,
  isMissing,
  makeTable,
  selectColumns,
  selectRows,
  type Table,
  takeCells,
  withColumn,
} from "./table.ts";

export interface LongerOptions {
  /** The columns to stack. */
  readonly columns: readonly string[];
  /** New factor that tells which column a value came from; its levels are the names, in the order given. */
  readonly namesTo: string;
  readonly valuesTo: string;
  /** Leave out rows whose value is missing. */
  readonly dropMissing?: boolean | undefined;
}

/** Each row becomes as many rows as there are columns to stack; the other columns are repeated. */
export function pivotLonger(table: Table, options: LongerOptions): Table {
  const { columns, namesTo, valuesTo, dropMissing = false } = options;
  for (const name of columns) column(table, name);
  const long = stackFamilies(table, columns, { families: [{ name: valuesTo, columns }], keyName: namesTo });
  if (!dropMissing) return long;
  const values = column(long, valuesTo);
  return selectRows(long, (row) => !isMissing(values, row));
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
  { families, keyName }: { readonly families: readonly Family[]; readonly keyName: string },
): Table {
  const used = new Set(families.flatMap(({ columns }) => columns));
  const k = keys.length;
  const source = Int32Array.from({ length: table.rows * k }, (_, i) => Math.floor(i / k));
  const interleave = Int32Array.from(source, (row, i) => (i % k) * table.rows + row);
  const kept = [...table.columns].filter(([name]) => !used.has(name));
  const codes = Int32Array.from(source, (_, i) => i % k);
  const key: FactorColumn = { kind: "factor", codes, levels: [...keys], ordered: false };
  const empty: Column = { kind: "numeric", values: new Float64Array(table.rows).fill(Number.NaN) };
  const stacked = families.map(({ name, columns }): [string, Column] => {
    const parts = columns.map((own) => (own === undefined ? empty : table.columns.get(own)!));
    return [name, takeCells(concatColumns(parts, name), interleave)];
  });
  return makeTable(
    [...kept.map(([name, cells]) => [name, takeCells(cells, source)] as const), [keyName, key], ...stacked],
    table.rows * k,
  );
}

export interface WiderOptions {
  /** Its levels become columns. */
  readonly namesFrom: string;
  readonly valuesFrom: string | readonly string[];
  /** What a row of the wide table stands for; default: all other columns. */
  readonly id?: readonly string[] | undefined;
}

/** A wide table beyond this is a mistake in the choice of columns, and would not fit into memory. */
const MAX_CELLS = 1e8;

/** One row per id, one column per level (score_B where several columns of values are spread). A combination that does not
 *  occur is missing; one that occurs twice is an error, since one of the values would be lost. */
export function pivotWider(table: Table, options: WiderOptions): Table {
  const { namesFrom } = options;
  const valuesFrom = typeof options.valuesFrom === "string" ? [options.valuesFrom] : options.valuesFrom;
  const names = dropUnusedLevels(asFactor(column(table, namesFrom)));
  const id = options.id ?? [...table.columns.keys()].filter((name) => name !== namesFrom && !valuesFrom.includes(name));
  const { group, first, count } = groupKeys(
    id.map((name) => column(table, name)),
    table.rows,
  );
  if (count * names.levels.length > MAX_CELLS) throw tooWide(namesFrom, names.levels.length, count);
  const cells = new Int32Array(count * names.levels.length).fill(-1);
  for (let row = 0; row < table.rows; row += 1) {
    const level = names.codes[row]!;
    if (level < 0) throw missingName(namesFrom, row);
    const cell = level * count + group[row]!;
    if (cells[cell]! >= 0) throw twice(table, [...id, namesFrom], cells[cell]!, row);
    cells[cell] = row;
  }
  const spread = valuesFrom.flatMap((value) => {
    const source = column(table, value);
    return names.levels.map((level, code): readonly [string, Column] => [
      valuesFrom.length === 1 ? level : `${value}_${level}`,
      takeCells(source, cells.subarray(code * count, (code + 1) * count)),
    ]);
  });
  return makeTable([...selectRows(selectColumns(table, id), first).columns, ...spread], count);
}

function tooWide(name: string, levels: number, rows: number): StatError {
  return new StatError(
    "TooWide",
    `${levels} levels of "${name}" would become columns of ${rows} rows each.`,
    "spread a column with few levels, or name the columns that identify a row.",
  );
}

function missingName(name: string, row: number): StatError {
  return new StatError(
    "MissingKey",
    `column "${name}" is missing in row ${row + 1}, so that its value has no column to go to.`,
    "fill the cell in or drop the row.",
  );
}

function twice(table: Table, keys: readonly string[], first: number, second: number): StatError {
  return new StatError(
    "DuplicateKey",
    `${describeKey(table, keys, second)} occurs in rows ${first + 1} and ${second + 1}.`,
    "add the column that distinguishes them (seed, epoch, rater) to the id, or aggregate first.",
  );
}

/** Columns that `a,b` names together; undefined where it is a column's name itself, or not all of them are columns. */
export function keyColumns(table: Table, name: string | undefined): readonly string[] | undefined {
  const names = name?.split(",").map((part) => part.trim()) ?? [];
  if (name === undefined || names.length < 2 || table.columns.has(name)) return undefined;
  return names.every((part) => table.columns.has(part)) ? names : undefined;
}

/** A column called `a,b` of what a and b say together, where they are named so; a row that lacks one of them lacks it. */
export function withKeyColumn(table: Table, name: string | undefined): Table {
  const names = keyColumns(table, name);
  if (names === undefined || name === undefined) return table;
  const parts = names.map((part) => column(table, part));
  const { group, first } = groupKeys(parts, table.rows);
  const factors = parts.map((cells) => asFactor(cells));
  const levels = Array.from(first, (row) => factors.map(({ levels, codes }) => levels[codes[row]!] ?? "").join(" "));
  // "a b" with "c" is not "a" with "b c"
  const plain = new Set(levels).size === levels.length ? levels : levels.map((level, k) => `${level} (${k + 1})`);
  const codes = Int32Array.from(group, (own, row) => (parts.some((cells) => isMissing(cells, row)) ? -1 : own));
  return withColumn(table, name, dropUnusedLevels({ kind: "factor", codes, levels: plain, ordered: false }));
}
