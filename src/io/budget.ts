/** What one import may take, over all its files and layers together: a stranger's file of a few bytes can claim to hold
 *  any number of them. Each reader asks here before it takes memory, and is refused in one line that names the limit.
 *  Limits follow from `maxMemory` unless the caller sets them one by one:
 *    unpackedBytes  a quarter of it: packed data is unpacked into memory before it is read
 *    cells          one for 192 bytes: a number takes 8, its column is copied as it grows, what describes it takes as much again, and so
 *                   does the comparison that follows, which is to end within seconds
 *    texts          one for 1,024 bytes: a different text takes its letters, its place in a dictionary and in the order of levels
 *    values         one for 256 bytes: what a number, text, list or object of JSON takes with what is made of it, as measured
 *    columns, files 4,096 and 100,000 for a gigabyte: each costs far more than its cells
 *    names          a quarter of the texts, in one object: it is looked through many times
 *  They hold for plain files as well: one that is large by itself takes as much as one that was blown up. */
import type { ImportLimits } from "../data/imported.ts";
import { StatError } from "../result/error.ts";
import { place } from "./encoding.ts";

const GIGABYTE = 2 ** 30;
/** Enough for every log that we know; a tab of a browser can spare it. */
export const DEFAULT_MAX_MEMORY = GIGABYTE;
/** Below this no table can be read. */
const LEAST_MEMORY = 2 ** 20;
/** Packed data in packed data: .csv.gz in a .zip is usual, more is not. */
const MOST_LAYERS = 2;

/** By how much fewer names an object may have than a table texts. */
const TEXTS_OF_A_NAME = 4;

/** By how many fewer files may be read each for itself than as one. */
const FILES_OF_A_PART = 20;

/** What each takes, in values of JSON: a line of plain text becomes a row of several cells; a word or sign of YAML is
 *  kept by its parser with its place and all that stands around it. */
const VALUES_OF = { values: 1, lines: 8, "words and signs": 8 } as const;

/** Bytes of one cell: what shows and describes it takes many times as much. */
const LONGEST_TEXT = 2 ** 24;
const LONGEST_NAME = 2 ** 12;

/** By how much less of a kind may be unpacked than of a table: what a value, a line or a node takes in memory, as measured. */
const BYTES_OF_MEMORY = { table: 1, json: 8, jsonl: 2, yaml: 64, lines: 16 } as const;
const DOCUMENTS = {
  table: "delimited text",
  json: "JSON",
  jsonl: "JSON lines",
  yaml: "YAML",
  lines: "plain text",
} as const;

export interface BudgetOptions {
  readonly maxMemory?: number | undefined;
  readonly limits?: Partial<ImportLimits> | undefined;
}

export function limitsFor(maxMemory: number): ImportLimits {
  const share = maxMemory / GIGABYTE;
  return {
    unpackedBytes: Math.floor(maxMemory / 4),
    cells: Math.floor(maxMemory / 192),
    texts: Math.floor(maxMemory / 1024),
    values: Math.floor(maxMemory / 256),
    columns: Math.ceil(4096 * share),
    files: Math.ceil(100_000 * share),
    nesting: MOST_LAYERS,
  };
}

export class ImportBudget {
  readonly limits: ImportLimits;
  #unpacked = 0;
  #files = 0;
  #cells = 0;
  #texts = 0;
  #values = 0;

  constructor({ maxMemory = DEFAULT_MAX_MEMORY, limits = {} }: BudgetOptions = {}) {
    if (!(maxMemory >= LEAST_MEMORY)) {
      throw new StatError(
        "BadOption",
        `\`maxMemory\` is ${maxMemory} bytes.`,
        "It must be at least 1 MB (1048576 bytes).",
      );
    }
    this.limits = { ...limitsFor(maxMemory), ...limits };
  }

  /** Bytes that may still be unpacked. */
  get bytesLeft(): number {
    return this.limits.unpackedBytes - this.#unpacked;
  }

  /** Before `bytes` more are unpacked. */
  takeBytes(bytes: number, name: string): void {
    if (bytes > this.bytesLeft) {
      const layers = this.#unpacked > 0 ? " together with what was unpacked before" : "";
      throw this.#refuse(
        `${place(name)}unpacked it has more than ${sayBytes(this.limits.unpackedBytes)}${layers}`,
        "unpacked data",
      );
    }
    this.#unpacked += bytes;
  }

  takeFiles(count: number, name: string): void {
    this.#files += count;
    if (this.#files <= this.limits.files) return;
    throw this.#refuse(`${place(name)}${this.#files} files, where ${this.limits.files} are allowed`, "files");
  }

  /** Before files are read each for itself, with columns and roles of its own, which takes many times as long as reading them as one. */
  checkParts(count: number): void {
    const most = Math.floor(this.limits.files / FILES_OF_A_PART);
    if (count <= most) return;
    throw new StatError(
      "OverBudget",
      `${count} files named one by one, where ${most} are allowed (the limit on files).`,
      "Give their folder, which is read as one, or one table; or raise `maxMemory`.",
    );
  }

  /** Of a table that stays in memory while others are read. */
  takeCells(cells: number, name: string): void {
    const before = this.#cells;
    this.#cells += cells;
    if (before === 0 || this.#cells <= this.limits.cells) return;
    throw this.#refuse(
      `${place(name)}with the tables before it there are ${this.#cells} cells, where ${this.limits.cells} are allowed`,
      "cells",
    );
  }

  /** Before a table of this size is made, or grows to it. */
  checkTable(rows: number, columns: number, name = ""): void {
    if (columns > this.limits.columns) {
      throw this.#refuse(
        `${place(name)}the table has ${columns} columns or more, where ${this.limits.columns} are allowed`,
        "columns",
      );
    }
    if (rows * columns <= this.limits.cells) return;
    throw this.#refuse(
      `${place(name)}the table has ${rows} rows of ${columns} columns or more, where ${this.limits.cells} cells are allowed`,
      "cells",
    );
  }

  /** On a text that its column had not met. */
  takeText(name: string): void {
    this.#texts += 1;
    if (this.#texts <= this.limits.texts) return;
    throw this.#refuse(
      `${place(name)}the columns hold more than ${this.limits.texts} different texts`,
      "different texts",
    );
  }

  /** Before a document is kept in memory as objects. */
  takeValues(count: number, name: string, kind: keyof typeof VALUES_OF = "values"): void {
    const each = VALUES_OF[kind];
    const before = this.#values;
    this.#values += each * count;
    if (this.#values <= this.limits.values) return;
    const most = Math.floor(this.limits.values / each);
    const found =
      before > 0
        ? `more than ${most} ${kind} with what was read before`
        : `${count} ${kind}, where ${most} are allowed`;
    throw this.#refuse(`${place(name)}${found}`, kind);
  }

  /** The same of a line, which is read and forgotten. */
  checkValues(count: number, name: string): void {
    const before = this.#values;
    this.takeValues(count, name);
    this.#values = before;
  }

  /** Before an object of JSON with so many names is made. */
  checkNames(count: number, name: string): void {
    const most = Math.floor(this.limits.texts / TEXTS_OF_A_NAME);
    if (count <= most) return;
    throw this.#refuse(`${place(name)}an object of ${count} names, where ${most} are allowed`, "names");
  }

  /** Before text is read whole: what is made of it takes far more than its bytes. A file that was not packed may be larger, but for
   *  YAML, whose parser takes as long for it. */
  checkDocument(bytes: number, kind: keyof typeof BYTES_OF_MEMORY, name: string, packed = true): void {
    const share = packed || kind === "yaml" ? BYTES_OF_MEMORY[kind] : 1;
    const most = Math.floor(this.limits.unpackedBytes / share);
    if (bytes <= most) return;
    const how = packed ? "unpacked " : "";
    throw this.#refuse(
      `${place(name)}${how}it has ${sayBytes(bytes)} of ${DOCUMENTS[kind]}, where ${sayBytes(most)} are allowed`,
      `${how}${DOCUMENTS[kind]}`,
    );
  }

  /** Packed data within packed data; `layers` counts from 1. */
  checkNesting(layers: number, name: string): void {
    if (layers <= this.limits.nesting) return;
    throw new StatError(
      "NestedPacking",
      `${place(name)}packed more than ${this.limits.nesting} times.`,
      "Unpack the file first.",
    );
  }

  #refuse(what: string, limit: string): StatError {
    return new StatError(
      "OverBudget",
      `${what} (the limit on ${limit}).`,
      "If the file is honest, raise `maxMemory`, or give the part that matters.",
    );
  }
}

/** For a reader that is called by itself, on bytes that its caller has in memory: only what they are unpacked to is limited. */
export const ownBudget = (): ImportBudget =>
  new ImportBudget({ limits: { cells: Infinity, texts: Infinity, values: Infinity, columns: Infinity } });

/** A cell that is a file by itself. `letters` may be bytes. */
export function refuseLongText(letters: number, name = ""): void {
  if (letters <= LONGEST_TEXT) return;
  throw new StatError(
    "CellTooLong",
    `${place(name)}a cell of ${Math.round(letters / 2 ** 20)} MB.`,
    "Is a quote opened and not closed? Otherwise give the table without that column.",
  );
}

/** A name that no screen and no formula can hold is no name. */
export function refuseLongName(column: string, file = ""): void {
  if (column.length <= LONGEST_NAME) return;
  throw new StatError(
    "NameTooLong",
    `${place(file)}the name of a column has ${column.length} characters, such as "${column.slice(0, 40)}…".`,
    "Is the header missing, or a quote not closed? Give the columns short names.",
  );
}

function sayBytes(bytes: number): string {
  return bytes >= GIGABYTE ? `${+(bytes / GIGABYTE).toFixed(1)} GB` : `${+(bytes / 2 ** 20).toFixed(1)} MB`;
}
