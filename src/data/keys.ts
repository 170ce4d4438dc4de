import type { Column, Table } from "./table.ts";

/** Rows that agree in every key column; groups are numbered in order of first appearance. A missing cell is a key value like any other. */
export interface KeyGroups {
  readonly count: number;
  /** Group of each row. */
  readonly group: Int32Array;
  /** First row of each group. */
  readonly first: Int32Array;
}

/** Above this many possible pairs, and twice the rows, a Map is used: memory follows the rows and not the product of the levels. */
const DENSE_PAIRS = 1 << 20;

export function groupKeys(columns: readonly Column[], rows: number): KeyGroups {
  let group: Int32Array = new Int32Array(rows);
  let count = rows > 0 ? 1 : 0;
  for (const column of columns) {
    const codes = codeCells(column, rows);
    ({ codes: group, count } = renumber(group, codes.codes, codes.count));
  }
  const first = new Int32Array(count).fill(-1);
  for (let i = rows - 1; i >= 0; i -= 1) first[group[i]!] = i;
  return { count, group, first };
}

interface Codes {
  readonly codes: Int32Array;
  readonly count: number;
}

function codeCells(column: Column, rows: number): Codes {
  const codes = new Int32Array(rows);
  if (column.kind === "factor") {
    for (let i = 0; i < rows; i += 1) codes[i] = column.codes[i]! + 1;
    return { codes, count: column.levels.length + 1 };
  }
  const seen = new Map<number, number>();
  for (let i = 0; i < rows; i += 1) {
    const value = column.values[i]!;
    let code = seen.get(value);
    if (code === undefined) {
      code = seen.size;
      seen.set(value, code);
    }
    codes[i] = code;
  }
  return { codes, count: seen.size };
}

/** Numbers the pairs (outer, inner) in order of first appearance; `inner` lies below `innerCount`. */
function renumber(outer: Int32Array, inner: Int32Array, innerCount: number): Codes {
  const rows = outer.length;
  const codes = new Int32Array(rows);
  let outerCount = 0;
  for (let i = 0; i < rows; i += 1) if (outer[i]! >= outerCount) outerCount = outer[i]! + 1;
  let count = 0;
  if (outerCount * innerCount <= Math.max(DENSE_PAIRS, 2 * rows)) {
    const ids = new Int32Array(outerCount * innerCount).fill(-1);
    for (let i = 0; i < rows; i += 1) {
      const pair = outer[i]! * innerCount + inner[i]!;
      if (ids[pair]! < 0) {
        ids[pair] = count;
        count += 1;
      }
      codes[i] = ids[pair]!;
    }
    return { codes, count };
  }
  const ids = new Map<number, number>();
  for (let i = 0; i < rows; i += 1) {
    const pair = outer[i]! * innerCount + inner[i]!;
    let id = ids.get(pair);
    if (id === undefined) {
      id = count;
      ids.set(pair, id);
      count += 1;
    }
    codes[i] = id;
  }
  return { codes, count };
}

/** "item = 3, system = B" for messages. */
export function describeKey(table: Table, names: readonly string[], row: number): string {
  return names
    .map((name) => {
      const cells = table.columns.get(name)!;
      const code = cells.kind === "factor" ? cells.codes[row]! : -1;
      const text = cells.kind === "numeric" ? String(cells.values[row]!) : (cells.levels[code] ?? "NA");
      return `${name} = ${text === "NaN" && cells.kind === "numeric" ? "NA" : text}`;
    })
    .join(", ");
}
