/** JSON lines to a table, one record a line, read as the bytes arrive. Blank lines are allowed; cells and nesting as in
 *  json.ts. A fault names its line; badRows: "skip" leaves such lines out and counts them (a log that was cut off
 *  usually ends in half a record). */
import type { Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { type ImportBudget, ownBudget } from "../budget.ts";
import { TableBuilder } from "../columns.ts";
import { makeDecoder, notText, place, readMark } from "../encoding.ts";
import { spreadNamedScores, tellLists } from "./named-scores.ts";
import { countValues, parseJson } from "./parse.ts";
import { isRecord, type JsonRecord, nameType, noteNumbers, RecordFlattener, withNumbers } from "./records.ts";

export interface JsonlOptions {
  /** File name, for messages. */
  readonly name?: string | undefined;
  readonly badRows?: "error" | "skip" | undefined;
  /** What the table may take; default: the limits of ImportOptions. */
  readonly budget?: ImportBudget | undefined;
}

export interface JsonlReading {
  readonly table: Table;
  readonly diagnostics: readonly Diagnostic[];
  /** What was done to the records, in sentences. */
  readonly reading?: readonly string[];
}

export interface JsonlReader {
  /** The next bytes; they are not kept. */
  push(bytes: Uint8Array): void;
  finish(): JsonlReading;
}

/** Bytes decoded at a time, so that no text nears the limits of the engine. */
const STEP = 1 << 22;
const LINES_NAMED = 5;
/** A shorter line cannot hold more values than any budget allows. */
const LONG_LINE = 1 << 12;
/** A byte order mark has at most this many bytes. */
const MARK_BYTES = 3;

export function readJsonl(input: Uint8Array | string, options: JsonlOptions = {}): JsonlReading {
  const reader = createJsonlReader(options);
  reader.push(typeof input === "string" ? new TextEncoder().encode(input) : input);
  return reader.finish();
}

export function createJsonlReader(options: JsonlOptions = {}): JsonlReader {
  return new Reader(options);
}

class Reader implements JsonlReader {
  readonly #name: string;
  readonly #skip: boolean;
  readonly #builder: TableBuilder;
  /** Without an import around it: bytes that are pushed are the caller's. */
  readonly #flattener = new RecordFlattener();
  #decoder: TextDecoder | undefined;
  #encoding = "utf-8";
  /** The first bytes, until a byte order mark can be told. */
  #first = new Uint8Array(0);
  /** Pieces of the line that is not complete yet. */
  readonly #budget: ImportBudget;
  #pieces: string[] = [];
  #line = 1;
  #badLines: number[] = [];
  /** Lists of named scores that became columns. */
  readonly #lists = new Map<string, readonly string[]>();

  constructor(options: JsonlOptions) {
    this.#name = options.name ?? "";
    this.#skip = options.badRows === "skip";
    this.#budget = options.budget ?? ownBudget();
    this.#builder = new TableBuilder(this.#budget, this.#name);
  }

  push(bytes: Uint8Array): void {
    if (this.#decoder === undefined) {
      const joined = new Uint8Array(this.#first.length + bytes.length);
      joined.set(this.#first);
      joined.set(bytes, this.#first.length);
      this.#first = joined;
      if (joined.length >= MARK_BYTES) this.#start();
      return;
    }
    for (let at = 0; at < bytes.length; at += STEP) this.#decode(bytes.subarray(at, at + STEP), true);
  }

  finish(): JsonlReading {
    if (this.#decoder === undefined) this.#start();
    this.#decode(new Uint8Array(0), false);
    this.#endLine("");
    const table = withNumbers(this.#flattener.tidy(this.#builder.finish()));
    const diagnostics = [...this.#flattener.diagnostics(), ...noteNumbers(table)];
    const bad = this.#badLines;
    if (bad.length > 0) {
      const more = bad.length > LINES_NAMED ? ", …" : "";
      diagnostics.push({
        code: "RowsSkipped",
        severity: "warning",
        message: `${place(this.#name)}${bad.length} faulty ${bad.length === 1 ? "line was" : "lines were"} left out (line${bad.length === 1 ? "" : "s"} ${bad.slice(0, LINES_NAMED).join(", ")}${more}).`,
        fix: "correct them in the file; the results rest on the other lines.",
      });
    }
    return { table, diagnostics, ...(this.#lists.size === 0 ? {} : { reading: tellLists(this.#lists) }) };
  }

  #start(): void {
    const mark = readMark(this.#first);
    this.#encoding = mark.encoding;
    this.#decoder = makeDecoder(mark.encoding);
    const rest = this.#first.subarray(mark.bytes);
    this.#first = new Uint8Array(0);
    this.push(rest);
  }

  #decode(bytes: Uint8Array, stream: boolean): void {
    let text: string;
    try {
      text = this.#decoder!.decode(bytes, { stream });
    } catch {
      throw notText(`${place(this.#name)}after line ${this.#line}: `, this.#encoding);
    }
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#endLine(text.slice(start, end));
      this.#line += 1;
      start = end + 1;
    }
    if (start < text.length) this.#pieces.push(text.slice(start));
  }

  #endLine(rest: string): void {
    const text = this.#pieces.length === 0 ? rest : this.#pieces.join("") + rest;
    this.#pieces = [];
    if (text.trim() === "") return;
    try {
      if (text.length > LONG_LINE) {
        const where = place(this.#name, this.#line).replace(/: $/, "");
        const { values, names } = countValues(text);
        this.#budget.checkValues(values, where);
        this.#budget.checkNames(names, where);
      }
      const record = parseJson(text, { name: this.#name, line: this.#line });
      if (!isRecord(record)) throw this.#notARecord(record);
      this.#builder.add(this.#flattener.flatten(this.#spread(record), `line ${this.#line}`));
    } catch (error) {
      if (!this.#skip || !(error instanceof StatError) || error.code === "OverBudget") throw error;
      this.#badLines.push(this.#line);
    }
  }

  /** Line by line, since no line waits for another: a list is read so where it is one. */
  #spread(record: JsonRecord): JsonRecord {
    const { records, lists } = spreadNamedScores([record]);
    for (const [path, names] of lists)
      this.#lists.set(path, [...new Set([...(this.#lists.get(path) ?? []), ...names])]);
    return records[0] as JsonRecord;
  }

  #notARecord(value: unknown): StatError {
    return new StatError(
      "NotATable",
      `${place(this.#name, this.#line)}${nameType(value)}, not a record.`,
      'write one object a line ({"item": 1, "score": 0.5}), or give the file as JSON if it is one document.',
    );
  }
}
