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
  let found: Grouped = { codes: new Int32Array(columns.length === 0 ? rows : 0), count: rows > 0 ? 1 : 0 };
  let next = known;
  for (const [k, column] of columns.entries()) {
    const before = found;
    found = next.get(column) ?? groupWithin(k === 0 ? undefined : before, column, rows);
    next.set(column, found);
    found.next ??= new WeakMap();
    next = found.next;
  }
  const { codes: group, count } = found;
  found.first ??= firstRows(group, count);
  return { count, group, first: found.first };
}

interface Grouped extends Codes {
  first?: Int32Array;
  /** With one more column. */
  next?: WeakMap<Column, Grouped>;
}

/** Columns do not change, and every question groups the same rows by item, by item and system, … */
const known = new WeakMap<Column, Grouped>();

function groupWithin(outer: Codes | undefined, column: Column, rows: number): Grouped {
  const inner = codeCells(column, rows);
  if (outer !== undefined) return renumber(outer.codes, inner.codes, inner.count);
  return column.kind === "numeric" ? inner : renumber(new Int32Array(rows), inner.codes, inner.count);
}

function firstRows(group: Int32Array, count: number): Int32Array {
  const first = new Int32Array(count).fill(-1);
  for (let i = group.length - 1; i >= 0; i -= 1) first[group[i]!] = i;
  return first;
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
  return renumberSparse(outer, inner);
}

/** 2^32 over the golden ratio, to the next odd number. */
const MULTIPLIER = 0x9e3779b1 | 0;
/** Drawn once per process, so that nobody can write a file whose pairs all fall into one slot; no result depends on it. */
const SEED = crypto.getRandomValues(new Int32Array(1))[0]!;

/** The same by a table of slots, at most half full: several times as fast as a Map of a million pairs. */
function renumberSparse(outer: Int32Array, inner: Int32Array): Codes {
  const rows = outer.length;
  const codes = new Int32Array(rows);
  const mask = 2 ** Math.ceil(Math.log2(2 * rows + 2)) - 1;
  /** The number of a pair plus 1, and where it was met first. */
  const ids = new Int32Array(mask + 1);
  const first = new Int32Array(rows);
  let count = 0;
  for (let i = 0; i < rows; i += 1) {
    let hash = Math.imul(outer[i]! ^ SEED, MULTIPLIER);
    hash = Math.imul(((hash << 13) | (hash >>> 19)) ^ inner[i]!, MULTIPLIER);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const id = ids[slot]! - 1;
      if (id < 0) {
        first[count] = i;
        codes[i] = count;
        count += 1;
        ids[slot] = count;
        break;
      }
      const met = first[id]!;
      if (outer[met] === outer[i] && inner[met] === inner[i]) {
        codes[i] = id;
        break;
      }
      slot = (slot + 1) & mask;
    }
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
