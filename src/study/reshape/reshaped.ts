/** What a shape makes of a table: long rows, what was done, and which roles follow from it. */
import type { Decision, Done, Roles, Told } from "../../data/imported.ts";
import { type Column, makeTable, requireColumns, type Table, takeCells } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";

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

/** The numbers of columns that an option names. */
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
