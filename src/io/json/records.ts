/** JSON records to rows of cells: one level of objects becomes columns "a.b"; arrays and deeper objects stay JSON text. */

import { type Column, makeTable, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { namedAsScore } from "../../study/lexicon/metrics.ts";
import { splitWords } from "../../study/lexicon/words.ts";
import type { Cell } from "../columns.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** "an array", "a number", … for messages. */
export function nameType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export class RecordFlattener {
  /** Columns with cells kept as JSON text, and where the first was met. */
  readonly #nested = new Map<string, string>();
  /** Names that held an object in some record. */
  readonly #objects = new Set<string>();
  /** Objects whose names are data, not fields: they stay JSON text. */
  readonly #open: ReadonlySet<string>;

  constructor(open: ReadonlySet<string> = new Set()) {
    this.#open = open;
  }

  /** `where` names the record in messages: "record 3", "line 17". */
  flatten(record: JsonRecord, where: string): Map<string, Cell> {
    const row = new Map<string, Cell>();
    for (const [name, value] of Object.entries(record)) {
      if (!isRecord(value) || this.#open.has(name)) this.#set(row, name, value, where);
      else {
        this.#objects.add(name);
        for (const [inner, part] of Object.entries(value)) this.#set(row, `${name}.${inner}`, part, where);
      }
    }
    return row;
  }

  /** A scalar as it is; an array or object as JSON text, remembered for the diagnostics. */
  cell(name: string, value: unknown, where: string): Cell {
    if (typeof value !== "object" || value === null) return value as Cell;
    if (!this.#nested.has(name)) this.#nested.set(name, where);
    return stringify(value, where);
  }

  /** Without the columns that only say that an object was null: its parts are missing there anyway. */
  tidy(table: Table): Table {
    const hollow = ([name, column]: readonly [string, Column]) =>
      this.#objects.has(name) && column.kind === "numeric" && column.values.every(Number.isNaN);
    return makeTable(
      [...table.columns].filter((entry) => !hollow(entry)),
      table.rows,
    );
  }

  diagnostics(): Diagnostic[] {
    return [...this.#nested].map(([name, where]) => ({
      code: "NestedValue",
      severity: "note",
      message: `column ${name}: arrays and deeper objects were kept as JSON text (first in ${where}).`,
      fix: "write the parts that you need as columns of their own.",
    }));
  }

  #set(row: Map<string, Cell>, name: string, value: unknown, where: string): void {
    if (row.has(name)) {
      throw new StatError(
        "DuplicateColumn",
        `${where} has "${name}" twice: as a name with a dot and as a part of an object.`,
        "rename one of them.",
      );
    }
    row.set(name, this.cell(name, value, where));
  }
}

function stringify(value: object, where: string): string {
  try {
    return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part));
  } catch {
    throw new StatError("NestedTooDeep", `${where} is nested too deeply to be kept as text.`, "flatten the record.");
  }
}

/** More names than this, each in few of the records, are data. */
const MANY_NAMES = 20;
const SPARSE = 0.2;

/** Fields whose objects have other names in every record ({"test_a": "passed"}, {"test_b": "failed"}): one column a name would be hundreds. */
export function findOpenObjects(records: readonly unknown[]): Set<string> {
  const fields = new Map<string, { objects: number; entries: number; names: Set<string> }>();
  for (const record of records) {
    if (!isRecord(record)) continue;
    for (const [name, value] of Object.entries(record)) {
      if (!isRecord(value)) continue;
      const own = fields.get(name) ?? { objects: 0, entries: 0, names: new Set<string>() };
      fields.set(name, own);
      own.objects += 1;
      for (const inner of Object.keys(value)) {
        own.entries += 1;
        own.names.add(inner);
      }
    }
  }
  const open = [...fields].filter(
    ([, { objects, entries, names }]) => names.size > MANY_NAMES && entries < SPARSE * objects * names.size,
  );
  return new Set(open.map(([name]) => name));
}

/** A decimal number as programs print one; "007" and long strings of digits are names. */
const DECIMAL = /^[+-]?(0|[1-9]\d{0,14})?(\.\d+)?([eE][+-]?\d+)?$/;

/** Columns of text that hold nothing but numbers, some with a decimal point: a writer put the numbers in quotes. */
export function withNumbers(table: Table): Table {
  const entries = [...table.columns].map(([name, column]): [string, Column] => {
    if (column.kind === "numeric" || column.levels.length === 0) return [name, column];
    const quoted = column.levels.every((level) => level !== "" && DECIMAL.test(level));
    // whole numbers in quotes name things, unless the column is called a score
    if (!quoted || !(column.levels.some((level) => level.includes(".")) || isScoreName(name))) return [name, column];
    const numbers = column.levels.map(Number);
    const values = Float64Array.from(column.codes, (code) => (code < 0 ? Number.NaN : numbers[code]!));
    return [name, { kind: "numeric", values }];
  });
  return makeTable(entries, table.rows);
}

const isScoreName = (name: string): boolean => namedAsScore(splitWords(name).at(-1) ?? "") > 0;

const LONG_INTEGER = /^-?\d{16,}$/;

/** What a number in JSON cannot say: integers beyond 2^53 were kept as text, and beyond 1.8e308 there is only infinity. */
export function noteNumbers(table: Table): Diagnostic[] {
  return [...table.columns].flatMap(([name, column]): Diagnostic[] => {
    const total = table.rows;
    if (column.kind === "numeric") {
      const infinite = column.values.reduce((sum, value) => sum + (Math.abs(value) === Infinity ? 1 : 0), 0);
      if (infinite === 0) return [];
      const message = `column ${name}: ${infinite} of ${total} cells are infinite, as written or because the number is beyond 1.8e308.`;
      return [{ code: "InfiniteValues", severity: "note", message, fix: "write null where there is no value." }];
    }
    const long = column.levels.map((level) => LONG_INTEGER.test(level) && !Number.isSafeInteger(Number(level)));
    if (!long.includes(true) || !column.levels.every((level, k) => long[k] || DECIMAL.test(level))) return [];
    const cells = column.codes.reduce((sum, code) => sum + (long[code] === true ? 1 : 0), 0);
    const message = `column ${name}: ${cells} of ${total} cells are integers beyond 2^53, such as ${column.levels[long.indexOf(true)]!.slice(0, 40)}; the column was read as a factor, so that no digit is lost.`;
    const fix = "if these are quantities, write them with a decimal point or an exponent.";
    return [{ code: "KeptAsText", severity: "note", message, fix }];
  });
}
