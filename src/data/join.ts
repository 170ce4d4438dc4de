/** Join two tables on key columns and say what did not match. A missing key matches nothing. Keys are compared as values:
 *  a level by its text, a number by its value, and the number 3 equals the level "3". */
import { StatError } from "../result/error.ts";
import { describeKey, groupKeys } from "./keys.ts";
import { type Column, column, concatColumns, isMissing, makeTable, type Table, takeCells } from "./table.ts";

export type JoinKind = "inner" | "left" | "full" | "anti";

/** How often a key may occur on either side. */
export type Relation = "one-to-one" | "many-to-one" | "one-to-many" | "many-to-many";

export interface JoinOptions {
  /** Names that both tables have, or pairs [left, right]; the result has the left name. */
  readonly by: readonly (string | readonly [string, string])[];
  readonly kind?: JoinKind | undefined;
  readonly relation?: Relation | undefined;
  /** Put after a name that both tables use for columns that are not keys. */
  readonly suffixes?: readonly [string, string] | undefined;
}

export interface Unmatched {
  readonly count: number;
  readonly rows: Int32Array;
  /** The first few, as "item = 3, system = B". */
  readonly first: readonly string[];
}

export interface Joined {
  readonly table: Table;
  /** Pairs of rows that matched. */
  readonly matched: number;
  readonly leftOnly: Unmatched;
  readonly rightOnly: Unmatched;
}

const KEYS_NAMED = 5;

/** Rows in the order of the left table; a full join then adds the unmatched rows of the right one.
 *  "anti" keeps the left rows that have no partner. */
export function join(left: Table, right: Table, options: JoinOptions): Joined {
  const { kind = "inner", relation = "many-to-one", suffixes = [".x", ".y"] } = options;
  const by = options.by.map((key) => (typeof key === "string" ? ([key, key] as const) : key));
  const leftNames = by.map(([name]) => name);
  const rightNames = by.map(([, name]) => name);
  const matches = matchRows(left, right, leftNames, rightNames);
  if (relation === "one-to-one" || relation === "many-to-one") requireUnique(right, rightNames, matches.right, "right");
  if (relation === "one-to-one" || relation === "one-to-many") requireUnique(left, leftNames, matches.left, "left");

  const pairs = pairRows(matches, kind);
  const table =
    kind === "anti"
      ? makeTable(
          [...left.columns].map(([name, cells]) => [name, takeCells(cells, pairs.left)] as const),
          pairs.left.length,
        )
      : assemble({ left, right, by, pairs, suffixes });
  return {
    table,
    matched: pairs.matched,
    leftOnly: listUnmatched(left, leftNames, pairs.leftOnly),
    rightOnly: listUnmatched(right, rightNames, pairs.rightOnly),
  };
}

/** Key number of each row, the same on both sides; -1 where a key cell is missing. */
interface Matches {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly count: number;
}

function matchRows(left: Table, right: Table, leftNames: readonly string[], rightNames: readonly string[]): Matches {
  const leftKeys = leftNames.map((name) => column(left, name));
  const rightKeys = rightNames.map((name) => column(right, name));
  const stacked = leftKeys.map((cells, k) => concatKeys(cells, rightKeys[k]!));
  const { group, count } = groupKeys(stacked, left.rows + right.rows);
  for (let i = 0; i < group.length; i += 1) if (stacked.some((cells) => isMissing(cells, i))) group[i] = -1;
  return { left: group.subarray(0, left.rows), right: group.subarray(left.rows), count };
}

/** The order of levels does not matter for a comparison, and must not make an ordered factor refuse it. */
function concatKeys(a: Column, b: Column): Column {
  const plain = (cells: Column): Column => (cells.kind === "factor" ? { ...cells, ordered: false } : cells);
  return concatColumns([plain(a), plain(b)]);
}

function requireUnique(table: Table, names: readonly string[], keys: Int32Array, side: string): void {
  const seen = new Map<number, number>();
  for (let row = 0; row < keys.length; row += 1) {
    const key = keys[row]!;
    if (key < 0) continue;
    const before = seen.get(key);
    if (before !== undefined) {
      throw new StatError(
        "DuplicateKey",
        `${describeKey(table, names, row)} occurs in rows ${before + 1} and ${row + 1} of the ${side} table.`,
        "add the column that distinguishes them (seed, epoch, rater) to the keys, aggregate first, or allow repeats with `relation`.",
      );
    }
    seen.set(key, row);
  }
}

interface Pairs {
  /** Row on either side, -1 for none. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly matched: number;
  readonly leftOnly: Int32Array;
  readonly rightOnly: Int32Array;
}

function pairRows(matches: Matches, kind: JoinKind): Pairs {
  const partners = new Map<number, number[]>();
  matches.right.forEach((key, row) => {
    const rows = partners.get(key);
    if (rows === undefined) partners.set(key, [row]);
    else rows.push(row);
  });
  partners.delete(-1);
  const left: number[] = [];
  const right: number[] = [];
  const leftOnly: number[] = [];
  const used = new Uint8Array(matches.right.length);
  let matched = 0;
  matches.left.forEach((key, row) => {
    const rows = partners.get(key) ?? [];
    if (rows.length === 0) leftOnly.push(row);
    for (const partner of rows) used[partner] = 1;
    matched += rows.length;
    if (kind === "anti" ? rows.length === 0 : rows.length === 0 && kind !== "inner") {
      left.push(row);
      right.push(-1);
    } else if (kind !== "anti") {
      for (const partner of rows) {
        left.push(row);
        right.push(partner);
      }
    }
  });
  const rightOnly = [...used.keys()].filter((row) => used[row] === 0);
  if (kind === "full") {
    for (const row of rightOnly) {
      left.push(-1);
      right.push(row);
    }
  }
  return {
    left: Int32Array.from(left),
    right: Int32Array.from(right),
    matched,
    leftOnly: Int32Array.from(leftOnly),
    rightOnly: Int32Array.from(rightOnly),
  };
}

interface Assembly {
  readonly left: Table;
  readonly right: Table;
  readonly by: readonly (readonly [string, string])[];
  readonly pairs: Pairs;
  readonly suffixes: readonly [string, string];
}

function assemble({ left, right, by, pairs, suffixes }: Assembly): Table {
  const keyOf = new Map(by);
  const rightKeys = new Set(by.map(([, name]) => name));
  const leftOthers = new Set([...left.columns.keys()].filter((name) => !keyOf.has(name)));
  const rightOthers = new Set([...right.columns.keys()].filter((name) => !rightKeys.has(name)));
  const entries: (readonly [string, Column])[] = [];
  for (const [name, cells] of left.columns) {
    const partner = keyOf.get(name);
    if (partner !== undefined) entries.push([name, mergeKeys(cells, column(right, partner), pairs)]);
    else entries.push([rightOthers.has(name) ? name + suffixes[0] : name, takeCells(cells, pairs.left)]);
  }
  for (const name of rightOthers) {
    entries.push([leftOthers.has(name) ? name + suffixes[1] : name, takeCells(column(right, name), pairs.right)]);
  }
  return makeTable(entries, pairs.left.length);
}

/** The left key, and the right one where only that exists. */
function mergeKeys(left: Column, right: Column, pairs: Pairs): Column {
  if (!pairs.left.includes(-1)) return takeCells(left, pairs.left);
  const stacked = concatColumns([left, right]);
  const offset = left.kind === "numeric" ? left.values.length : left.codes.length;
  return takeCells(
    stacked,
    pairs.left.map((row, i) => (row >= 0 ? row : offset + pairs.right[i]!)),
  );
}

function listUnmatched(table: Table, names: readonly string[], rows: Int32Array): Unmatched {
  const first = Array.from(rows.subarray(0, KEYS_NAMED), (row) => describeKey(table, names, row));
  return { count: rows.length, rows, first };
}
