/** What a shape makes of a table: long rows, what was done, and which roles follow from it. */
import type { Decision, Done, Roles, Told } from "../../data/imported.ts";
import { type Column, concatColumns, type FactorColumn, makeTable, type Table, takeCells } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { nearest } from "../../result/suggest.ts";

export interface Reshaped {
  readonly table: Table;
  readonly done: readonly Done[];
  readonly hints: readonly Decision[];
  /** Of columns whose direction the shape tells. */
  readonly higherIsBetter?: ReadonlyMap<string, boolean>;
  /** Raters are numbers within the item. */
  readonly unnamedRaters?: boolean;
}

/** A shape that plain names decide. */
export type Shape = (table: Table) => Reshaped | undefined;

/** A shape that the user names with an option, and that a question proposes where the cells look like it. */
export interface Reshape {
  readonly id: keyof Told;
  find(table: Table, roles: Roles): Told | undefined;
  apply(table: Table, told: Told): Reshaped;
}

export const hint = (role: Decision["role"], column: string): Decision => ({ role, column, by: "shape" });

/** Columns that an option names are there. */
export function requireColumns({ columns }: Table, option: string, wanted: readonly string[]): void {
  const names = [...columns.keys()];
  const lost = wanted.find((name) => !columns.has(name));
  if (lost !== undefined) {
    const near = nearest(lost, names);
    throw new StatError(
      "UnknownColumn",
      `option \`${option}\` ${lost}: no such column.`,
      near === undefined ? `The columns are ${names.join(", ")}.` : `Did you mean "${near}"?`,
    );
  }
  const twice = wanted.find((name, k) => wanted.indexOf(name) !== k);
  if (twice !== undefined)
    throw new StatError("BadOption", `option \`${option}\`: ${twice} twice.`, "Name each column once.");
}

/** Some of its columns must hold numbers. */
export function requireNumbers(table: Table, option: string, names: readonly string[]): Float64Array[] {
  requireColumns(table, option, names);
  return names.map((name) => {
    const cells = table.columns.get(name)!;
    if (cells.kind === "numeric") return cells.values;
    throw new StatError("NotNumeric", `option \`${option}\` ${name}: not numbers.`, "Name columns of numbers.");
  });
}

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

export const rowsOf = ({ rows }: Table): number[] => Array.from({ length: rows }, (_, row) => row);

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

/** Each row once for every value that `added` has for it, in columns of their own. */
export function repeatRows(
  table: Table,
  source: Int32Array,
  { added, drop }: { readonly added: readonly (readonly [string, Column])[]; readonly drop: readonly string[] },
): Table {
  const kept = [...table.columns].filter(([name]) => !drop.includes(name));
  return makeTable(
    [...kept.map(([name, cells]) => [name, takeCells(cells, source)] as const), ...added],
    source.length,
  );
}
