import { StatError } from "../result/error.ts";
import { nearest, suggest } from "../result/suggest.ts";
import { groupKeys } from "./keys.ts";
import { isSorted, parseDecimal, sortLevels } from "./levels.ts";

/** A table of typed columns. Missing: NaN in a numeric column, code -1 in a factor. */
export interface NumericColumn {
  readonly kind: "numeric";
  readonly values: Float64Array;
}

export interface FactorColumn {
  readonly kind: "factor";
  readonly codes: Int32Array;
  readonly levels: readonly string[];
  readonly ordered: boolean;
}

export type Column = NumericColumn | FactorColumn;

export interface Table {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, Column>;
}

export interface FactorOptions {
  /** All levels, in order; the first is the reference. Default: those that occur, numbers as numbers, otherwise by code unit. */
  readonly levels?: readonly string[] | undefined;
  readonly ordered?: boolean | undefined;
  /** The level to put first. */
  readonly reference?: string | undefined;
}

/** Names in an error message beyond this many are left out. */
const NAMES_SHOWN = 12;

function listNames(names: Iterable<string>): string {
  const all = [...names];
  const shown = all.slice(0, NAMES_SHOWN).join(", ");
  return all.length > NAMES_SHOWN ? `${shown}, … ${all.length - NAMES_SHOWN} more` : shown;
}

// ---- making ----

/** Columns of equal length under distinct names; `rows` is needed only for a table without columns. */
export function makeTable(entries: Iterable<readonly [string, Column]>, rows?: number): Table {
  const columns = new Map<string, Column>();
  let length = rows;
  for (const [name, column] of entries) {
    if (columns.has(name)) {
      throw new StatError("DuplicateColumn", `two columns are named "${name}".`, "rename one of them.");
    }
    const cells = cellCount(column);
    length ??= cells;
    if (cells !== length) {
      throw new StatError(
        "UnequalLength",
        `column "${name}" has ${cells} cells where ${length} are needed.`,
        "give every column one cell per row, with NaN or null for a missing one.",
      );
    }
    columns.set(name, column);
  }
  return { rows: length ?? 0, columns };
}

export function cellCount(column: Column): number {
  return column.kind === "numeric" ? column.values.length : column.codes.length;
}

export function numericColumn(values: Iterable<number | null>): NumericColumn {
  if (values instanceof Float64Array) return { kind: "numeric", values };
  return { kind: "numeric", values: Float64Array.from(values, (value) => value ?? Number.NaN) };
}

/** Dictionary-encodes texts; null is missing. */
export function factorColumn(values: readonly (string | null)[], options: FactorOptions = {}): FactorColumn {
  const found = new Map<string, number>();
  const codes = new Int32Array(values.length);
  values.forEach((value, i) => {
    if (value === null) codes[i] = -1;
    else {
      const known = found.get(value);
      codes[i] = known ?? found.size;
      if (known === undefined) found.set(value, found.size);
    }
  });
  const levels = [...found.keys()];
  const coded: FactorColumn = { kind: "factor", codes, levels, ordered: false };
  return asFactor(coded, { ...options, levels: options.levels ?? sortLevels(levels) });
}

// ---- columns ----

/** The named column, or an UnknownColumn error that lists the names and offers the nearest. */
export function column(table: Table, name: string): Column {
  const found = table.columns.get(name);
  if (found !== undefined) return found;
  const near = nearest(name, [...table.columns.keys()]);
  throw new StatError(
    "UnknownColumn",
    `no column "${name}" in the table (columns: ${listNames(table.columns.keys())}).`,
    near === undefined
      ? "use one of the names in the table, or add the column first."
      : `did you mean "${near}"? Otherwise add the column first.`,
  );
}

/** Columns that an option names are there, each named once. */
export function requireColumns({ columns }: Table, option: string, wanted: readonly string[]): void {
  const names = [...columns.keys()];
  const lost = wanted.find((name) => !columns.has(name));
  if (lost !== undefined) {
    throw new StatError(
      "UnknownColumn",
      `option \`${option}\` ${lost}: no such column.`,
      suggest(lost, names, `The columns are ${names.join(", ")}.`),
    );
  }
  const twice = wanted.find((name, k) => wanted.indexOf(name) !== k);
  if (twice !== undefined)
    throw new StatError("BadOption", `option \`${option}\`: ${twice} twice.`, "Name each column once.");
}

export function selectColumns(table: Table, names: readonly string[]): Table {
  return makeTable(
    names.map((name) => [name, column(table, name)] as const),
    table.rows,
  );
}

/** Adds a column at the end, or replaces one in its place. */
export function withColumn(table: Table, name: string, added: Column): Table {
  return makeTable(new Map(table.columns).set(name, added), table.rows);
}

export function renameColumn(table: Table, from: string, to: string): Table {
  column(table, from);
  return makeTable(
    [...table.columns].map(([name, cells]) => [name === from ? to : name, cells] as const),
    table.rows,
  );
}

// ---- rows ----

/** The rows at these indices, in this order, or those for which the predicate holds. Levels that no longer occur are kept. */
export function selectRows(table: Table, rows: Int32Array | ((row: number) => boolean)): Table {
  const index = typeof rows === "function" ? rowsWhere(table.rows, rows) : rows;
  // what is known of these columns stays known
  if (typeof rows === "function" && index.length === table.rows) return table;
  return makeTable(
    [...table.columns].map(([name, cells]) => [name, takeCells(cells, index)] as const),
    index.length,
  );
}

function rowsWhere(rows: number, predicate: (row: number) => boolean): Int32Array {
  const index = new Int32Array(rows);
  let count = 0;
  for (let i = 0; i < rows; i += 1) if (predicate(i)) index[count++] = i;
  return index.slice(0, count);
}

/** Cells at the given rows; a negative index gives a missing cell. */
export function takeCells(cells: Column, index: Int32Array): Column {
  if (cells.kind === "numeric") {
    const values = new Float64Array(index.length);
    for (let i = 0; i < index.length; i += 1) values[i] = index[i]! < 0 ? Number.NaN : cells.values[index[i]!]!;
    return { kind: "numeric", values };
  }
  const codes = new Int32Array(index.length);
  for (let i = 0; i < index.length; i += 1) codes[i] = index[i]! < 0 ? -1 : cells.codes[index[i]!]!;
  return { ...cells, codes };
}

export function isMissing(cells: Column, row: number): boolean {
  return cells.kind === "numeric" ? Number.isNaN(cells.values[row]!) : cells.codes[row]! < 0;
}

/** The rows complete in the named columns (default: all), their indices, and how many were dropped. */
export function dropMissing(
  table: Table,
  names: readonly string[] = [...table.columns.keys()],
): { table: Table; rows: Int32Array; dropped: number } {
  const needed = names.map((name) => column(table, name));
  const rows = rowsWhere(table.rows, (row) => !needed.some((cells) => isMissing(cells, row)));
  const dropped = table.rows - rows.length;
  return { table: dropped === 0 ? table : selectRows(table, rows), rows, dropped };
}

/** One table under the other. A column that one part lacks is missing there; text and numbers under one name become a factor. */
export function concatRows(tables: readonly Table[]): Table {
  const names = new Set(tables.flatMap((table) => [...table.columns.keys()]));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const entries = [...names].map((name) => {
    const parts = tables.map((table) => table.columns.get(name) ?? missingColumn(table.rows));
    return [name, concatColumns(parts, name)] as const;
  });
  return makeTable(entries, rows);
}

function missingColumn(rows: number): NumericColumn {
  return { kind: "numeric", values: new Float64Array(rows).fill(Number.NaN) };
}

/** One column under the other; levels are the sorted union, or appended where a part has an order of its own. */
export function concatColumns(parts: readonly Column[], name = ""): Column {
  const rows = parts.reduce((sum, part) => sum + cellCount(part), 0);
  if (parts.every((part) => part.kind === "numeric")) {
    const values = new Float64Array(rows);
    let at = 0;
    for (const part of parts) {
      values.set(part.values, at);
      at += part.values.length;
    }
    return { kind: "numeric", values };
  }
  const factors = parts.map((part) => asFactor(part));
  const { levels, ordered } = uniteLevels(factors, name);
  const place = new Map(levels.map((level, code) => [level, code]));
  const codes = new Int32Array(rows);
  let at = 0;
  for (const factor of factors) {
    const map = factor.levels.map((level) => place.get(level)!);
    for (let i = 0; i < factor.codes.length; i += 1) codes[at + i] = factor.codes[i]! < 0 ? -1 : map[factor.codes[i]!]!;
    at += factor.codes.length;
  }
  return { kind: "factor", codes, levels, ordered };
}

function uniteLevels(factors: readonly FactorColumn[], name: string): { levels: readonly string[]; ordered: boolean } {
  const filled = factors.filter((factor) => factor.levels.length > 0);
  const first = filled[0];
  if (first === undefined) return { levels: [], ordered: false };
  const same = filled.every((factor) => sameTexts(factor.levels, first.levels));
  if (same) return { levels: first.levels, ordered: filled.every((factor) => factor.ordered) };
  const unlike = filled.find((factor) => factor.ordered);
  if (unlike !== undefined) {
    throw new StatError(
      "LevelMismatch",
      `column "${name}" is ordered (${listNames(unlike.levels)}) in one table and has other levels in another.`,
      "give the column the same ordered levels in every table before joining them.",
    );
  }
  const union = new Set(filled.flatMap((factor) => factor.levels));
  const levels = filled.every((factor) => isSorted(factor.levels)) ? sortLevels(union) : [...union];
  return { levels, ordered: false };
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

export interface SortKey {
  readonly name: string;
  readonly descending?: boolean;
}

/** Stable; factors by the order of their levels; missing cells last in either direction. */
export function sortBy(table: Table, keys: readonly (string | SortKey)[]): Table {
  const order = keys.map((key) => {
    const { name, descending = false } = typeof key === "string" ? { name: key } : key;
    const cells = column(table, name);
    return { values: cells.kind === "numeric" ? cells.values : cells.codes, cells, sign: descending ? -1 : 1 };
  });
  const index = Int32Array.from({ length: table.rows }, (_, i) => i);
  index.sort((a, b) => {
    for (const { values, cells, sign } of order) {
      const lastA = isMissing(cells, a);
      const lastB = isMissing(cells, b);
      if (lastA !== lastB) return lastA ? 1 : -1;
      if (!lastA && values[a] !== values[b]) return values[a]! < values[b]! ? -sign : sign;
    }
    return a - b;
  });
  return selectRows(table, index);
}

/** The first row of every distinct combination in the named columns (default: all). */
export function uniqueRows(table: Table, names: readonly string[] = [...table.columns.keys()]): Table {
  const keys = names.map((name) => column(table, name));
  return selectRows(table, groupKeys(keys, table.rows).first);
}

// ---- factors and numbers ----

/** As a factor; a number becomes its shortest text. A cell that is none of the given levels is an error, not a missing value. */
export function asFactor(cells: Column, options: FactorOptions = {}): FactorColumn {
  const factor = cells.kind === "factor" ? cells : factorOfNumbers(cells.values);
  let levels = options.levels ?? factor.levels;
  if (options.reference !== undefined) levels = putFirst(levels, options.reference);
  const ordered = options.ordered ?? factor.ordered;
  if (sameTexts(levels, factor.levels)) return ordered === factor.ordered ? factor : { ...factor, ordered };
  const place = new Map(levels.map((level, code) => [level, code]));
  if (place.size !== levels.length) {
    const repeated = levels.find((level, i) => levels.indexOf(level) !== i)!;
    throw new StatError("DuplicateLevel", `level "${repeated}" is given twice.`, "list every level once.");
  }
  const map = factor.levels.map((level) => place.get(level) ?? -1);
  const codes = factor.codes.map((code, row) => {
    if (code < 0) return -1;
    if (map[code]! < 0) throw unknownLevel(factor.levels[code]!, levels, `row ${row + 1} has`);
    return map[code]!;
  });
  return { kind: "factor", codes, levels, ordered };
}

function factorOfNumbers(values: Float64Array): FactorColumn {
  const distinct = [...new Set(values)].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const place = new Map(distinct.map((value, code) => [value, code]));
  const codes = Int32Array.from(values, (value) => place.get(value) ?? -1);
  return { kind: "factor", codes, levels: distinct.map(String), ordered: false };
}

/** The same factor with another reference level in front. */
export function relevel(factor: FactorColumn, reference: string): FactorColumn {
  return asFactor(factor, { reference });
}

function putFirst(levels: readonly string[], reference: string): string[] {
  if (!levels.includes(reference)) throw unknownLevel(reference, levels, "the wanted reference is");
  return [reference, ...levels.filter((level) => level !== reference)];
}

function unknownLevel(level: string, levels: readonly string[], subject: string): StatError {
  const near = nearest(level, [...levels]);
  return new StatError(
    "UnknownLevel",
    `${subject} "${level}", which is not a level (levels: ${listNames(levels)}).`,
    near === undefined
      ? "add it to the levels or correct the data."
      : `did you mean "${near}"? Otherwise add the level.`,
  );
}

/** Without the levels that no row has. */
export function dropUnusedLevels(factor: FactorColumn): FactorColumn {
  const used = new Uint8Array(factor.levels.length);
  for (const code of factor.codes) if (code >= 0) used[code] = 1;
  return asFactor(factor, { levels: factor.levels.filter((_, code) => used[code] === 1) });
}

/** As numbers; a factor only if every level that occurs is a number. */
export function asNumeric(cells: Column, name = ""): NumericColumn {
  if (cells.kind === "numeric") return cells;
  const numbers = cells.levels.map(parseDecimal);
  const values = new Float64Array(cells.codes.length);
  for (let i = 0; i < values.length; i += 1) {
    const code = cells.codes[i]!;
    values[i] = code < 0 ? Number.NaN : numbers[code]!;
    if (code >= 0 && Number.isNaN(values[i]!)) {
      throw new StatError(
        "NotNumeric",
        `${name === "" ? "the column" : `column "${name}"`} holds "${cells.levels[code]!}" in row ${i + 1}, which is not a number.`,
        "correct or drop that cell, or use the column as a factor.",
      );
    }
  }
  return { kind: "numeric", values };
}
