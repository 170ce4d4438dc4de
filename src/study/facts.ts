/** What the cells of a column look like, as far as that tells what the column means. */

import { countValues } from "../data/counts.ts";
import type { Roles } from "../data/imported.ts";
import type { Column, Table } from "../data/table.ts";
import { positiveOf } from "./lexicon/opposites.ts";

export type ValueKind = "empty" | "constant" | "0/1" | "integer" | "real" | "category" | "text";

export interface ColumnProfile {
  readonly name: string;
  readonly column: Column;
  readonly rows: number;
  readonly missing: number;
  /** Different values, missing not counted. */
  readonly distinct: number;
  readonly values: ValueKind;
  /** Of a numeric column; NaN otherwise. */
  readonly min: number;
  readonly max: number;
  /** A factor of two opposites such as yes and no. */
  readonly logical: boolean;
  readonly examples: readonly string[];
}

/** Longer average levels are sentences, not names of categories. */
const TEXT_LENGTH = 40;
const EXAMPLES = 4;
const EXAMPLE_LENGTH = 24;

/** Columns do not change, and every role and question looks at the same ones again, also where a table has them under another name. */
const profiles = new WeakMap<Column, ColumnProfile>();

export const profileTable = ({ columns }: Table): readonly ColumnProfile[] =>
  [...columns].map(([name, column]) => profileColumn(name, column));

export function profileColumn(name: string, column: Column): ColumnProfile {
  const known =
    profiles.get(column) ??
    (column.kind === "numeric"
      ? profileNumbers(name, column.values, column)
      : profileFactor(name, column.codes, column));
  profiles.set(column, known);
  return known.name === name ? known : { ...known, name };
}

/** Every non-missing value is unlike the others, and there is more than one. */
export function isUnique(profile: ColumnProfile): boolean {
  return profile.distinct > 1 && profile.distinct === profile.rows - profile.missing;
}

/** Lists or records as JSON text, which are no names. */
export const holdsRecords = ({ examples: [first = ""] }: ColumnProfile): boolean => /^[[{]/.test(first);

/** Columns without a role. */
export function freeColumns(table: Table, { covariates, identifiers, ...roles }: Roles): ColumnProfile[] {
  const taken = new Set(Object.values(roles).flat());
  return profileTable(table).filter(({ name, values }) => !taken.has(name) && values !== "empty");
}

/** Numbers without a role that do not only name or number the rows. */
export const freeNumbers = (table: Table, roles: Roles): ColumnProfile[] =>
  freeColumns(table, roles).filter(
    (own) => roles.covariates.includes(own.name) && own.column.kind === "numeric" && !isRowNumber(own),
  );

/** pandas and R number the rows in front. */
export const isRowNumber = ({ column, values, min }: ColumnProfile): boolean =>
  column.kind === "numeric" &&
  values === "integer" &&
  (min === 0 || min === 1) &&
  column.values.every((value, i) => value === i + min);

function profileNumbers(name: string, values: Float64Array, column: Column): ColumnProfile {
  const { of: seen, missing } = countValues(values);
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let integer = true;
  for (const value of seen.keys()) {
    if (value < min) min = value;
    if (value > max) max = value;
    if (integer && !Number.isInteger(value)) integer = false;
  }
  const empty = seen.size === 0;
  const zeroOne = integer && !empty && (min === 0 || min === 1) && max <= 1;
  const shown = firstOf(seen.keys(), EXAMPLES).sort((a, b) => a - b);
  const short = shown.map(shortNumber);
  return {
    name,
    column,
    rows: values.length,
    missing,
    distinct: seen.size,
    values: empty ? "empty" : zeroOne ? "0/1" : seen.size === 1 ? "constant" : integer ? "integer" : "real",
    min: empty ? Number.NaN : min,
    max: empty ? Number.NaN : max,
    logical: false,
    // rounding must not make different values look the same
    examples: new Set(short).size < short.length ? shown.map(String) : short,
  };
}

function firstOf(values: Iterable<number>, count: number): number[] {
  const first: number[] = [];
  for (const value of values) if (first.push(value) >= count) break;
  return first;
}

function profileFactor(name: string, codes: Int32Array, column: Column & { kind: "factor" }): ColumnProfile {
  let missing = 0;
  for (let i = 0; i < codes.length; i += 1) if (codes[i]! < 0) missing += 1;
  const levels = listValues(column);
  let letters = 0;
  for (const level of levels) letters += level.length;
  const long =
    levels.length > 0 && letters / levels.length > TEXT_LENGTH && levels.some((level) => /\s\S+\s/.test(level));
  // A boolean column keeps both its levels even where only one of them occurs.
  const logical = positiveOf(column.levels) !== undefined;
  return {
    name,
    column,
    rows: codes.length,
    missing,
    distinct: levels.length,
    values: levels.length === 0 ? "empty" : long ? "text" : levels.length === 1 && !logical ? "constant" : "category",
    min: Number.NaN,
    max: Number.NaN,
    logical,
    examples: levels.slice(0, EXAMPLES).map((level) => shorten(level)),
  };
}

/** Levels that occur, as text, in the order of the factor or of the numbers. */
export function listValues(column: Column): readonly string[] {
  const known = listed.get(column) ?? valuesOf(column);
  listed.set(column, known);
  return known;
}

const listed = new WeakMap<Column, readonly string[]>();

function valuesOf(column: Column): readonly string[] {
  if (column.kind === "numeric") return [...countValues(column.values).of.keys()].sort((a, b) => a - b).map(String);
  const used = new Uint8Array(column.levels.length);
  for (const code of column.codes) if (code >= 0) used[code] = 1;
  return used.includes(0) ? column.levels.filter((_, code) => used[code] === 1) : column.levels;
}

export function shorten(text: string, length = EXAMPLE_LENGTH): string {
  const plain = text.replace(/\s+/g, " ").trim();
  const letters = [...plain];
  return letters.length <= length ? plain : `${letters.slice(0, length - 1).join("")}…`;
}

function shortNumber(value: number): string {
  const plain = String(value);
  return plain.length <= 8 ? plain : String(Number(value.toPrecision(4)));
}
