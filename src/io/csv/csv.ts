/** CSV, TSV and their kin to a table, in one pass over bytes that may arrive in chunks.
 *
 *  Numbers: a column is numeric if every cell that is not missing is a number (1, -.5, +3, 1e5, Inf). It stays a factor if
 *    any cell has a leading zero (007) or is an integer beyond 2^53: those are names, and a number would corrupt them.
 *    Decimal commas and thousands separators are understood where the whole column agrees (types.ts).
 *  Missing: the texts of MISSING_VALUES, blanks around them ignored. In a factor a quoted cell is never missing ("NA" may
 *    be a label); among numbers it is.
 *  Factors: levels sorted, numbers as numbers, otherwise by code unit; blanks around text are kept.
 *  Names:   trimmed unless quoted; an empty name becomes column3, a second "a" becomes a_2.
 *  Faults:  a row with too many or too few fields, or text after a closing quote, stops the reading with its line number
 *    (or is skipped and counted); a quote that is never closed, bytes that are not UTF-8, and zero bytes always stop it.
 *  Reference: RFC 4180. Oracle: papaparse on random files (csv.test.ts). */
import { parseDecimal } from "../../data/levels.ts";
import { makeTable, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { nearest } from "../../result/suggest.ts";
import { type ImportBudget, ownBudget, refuseLongName } from "../budget.ts";
import { createTranscoder, type Encoding, makeDecoder, notText, place, readMark } from "../encoding.ts";
import { CsvColumn } from "./column.ts";
import { grownBytes } from "./dictionary.ts";
import { MISSING_VALUES, MissingTokens } from "./missing.ts";
import { DOUBLED, GARBLED, QUOTED, RecordScanner, type RecordView } from "./scan.ts";
import { SAMPLE_BYTES, sniffDelimiter } from "./sniff.ts";
import { typeColumns } from "./types.ts";

export interface CsvOptions {
  /** File name, for messages. */
  readonly name?: string | undefined;
  /** One ASCII character; default: comma, tab, semicolon or bar, whichever cuts the first records evenly. */
  readonly delimiter?: string | undefined;
  /** Whether the first record holds the names; otherwise they are column1, column2, … */
  readonly header?: boolean | undefined;
  /** false where a quotation mark is a character like any other, as in many tab-separated text collections. */
  readonly quote?: boolean | undefined;
  /** Texts that mean a missing value, instead of MISSING_VALUES. */
  readonly missing?: readonly string[] | undefined;
  /** Columns to read as factors even if they hold numbers. */
  readonly factors?: readonly string[] | undefined;
  /** Columns to keep; the others are skipped. */
  readonly columns?: readonly string[] | undefined;
  /** What separates decimals; default: a point, or a comma where the file leaves no doubt. */
  readonly decimal?: "." | "," | undefined;
  /** "skip" leaves faulty rows out and counts them. */
  readonly badRows?: "error" | "skip" | undefined;
  /** Default: UTF-8, or UTF-16 if a byte order mark says so. */
  readonly encoding?: Encoding | undefined;
  /** What the table may take; default: the limits of ImportOptions. */
  readonly budget?: ImportBudget | undefined;
}

export interface CsvReading {
  readonly table: Table;
  readonly diagnostics: readonly Diagnostic[];
  /** As given or found. */
  readonly delimiter: string;
}

export interface CsvReader {
  /** The next bytes; they are not kept. */
  push(bytes: Uint8Array): void;
  finish(): CsvReading;
}

/** Lines named in the diagnostic on skipped rows. */
const LINES_NAMED = 5;
const EXCERPT_LENGTH = 60;

export function readCsv(input: Uint8Array | string, options: CsvOptions = {}): CsvReading {
  const reader = createCsvReader(typeof input === "string" ? { ...options, encoding: "utf-8" } : options);
  reader.push(typeof input === "string" ? new TextEncoder().encode(input) : input);
  return reader.finish();
}

export function createCsvReader(options: CsvOptions = {}): CsvReader {
  return new Reader(options);
}

class Reader implements CsvReader {
  readonly #options: CsvOptions;
  readonly #name: string;
  readonly #budget: ImportBudget;
  /** Bytes held back until there are enough to judge the encoding and the delimiter. */
  #waiting: Uint8Array | undefined = new Uint8Array(0);
  #transcoder: ReturnType<typeof createTranscoder> | undefined;
  #scanner: RecordScanner | undefined;
  #delimiter = ",";
  #names: string[] | undefined;
  #columns: (CsvColumn | undefined)[] = [];
  #titles = 0;
  #rows = 0;
  #scratch = new Uint8Array(256);
  #badLines: number[] = [];
  #diagnostics: Diagnostic[] = [];

  constructor(options: CsvOptions) {
    this.#options = options;
    this.#name = options.name ?? "";
    this.#budget = options.budget ?? ownBudget();
    if (options.delimiter !== undefined && !/^[^\n\r"\0\x80-\uFFFF]$/.test(options.delimiter)) {
      throw new StatError(
        "BadDelimiter",
        `the delimiter ${JSON.stringify(options.delimiter)} is not one ASCII character.`,
        'use ",", ";", "|" or a tab.',
      );
    }
  }

  push(bytes: Uint8Array): void {
    if (this.#waiting === undefined) {
      this.#scan(bytes);
      return;
    }
    if (this.#waiting.length === 0 && bytes.length >= SAMPLE_BYTES) {
      this.#start(bytes, false);
      return;
    }
    const joined = new Uint8Array(this.#waiting.length + bytes.length);
    joined.set(this.#waiting);
    joined.set(bytes, this.#waiting.length);
    this.#waiting = joined;
    if (joined.length >= SAMPLE_BYTES) this.#start(joined, false);
  }

  finish(): CsvReading {
    if (this.#waiting !== undefined) this.#start(this.#waiting, true);
    const scanner = this.#scanner!;
    if (this.#transcoder !== undefined) scanner.push(this.#transcoder.finish());
    scanner.finish();
    if (this.#names === undefined) {
      throw new StatError("EmptyFile", `${place(this.#name)}there is no data.`, "give a file with a header and rows.");
    }
    return { table: this.#makeTable(), diagnostics: this.#diagnostics, delimiter: this.#delimiter };
  }

  #start(bytes: Uint8Array, complete: boolean): void {
    this.#waiting = undefined;
    const { encoding = "utf-8", delimiter, quote = true } = this.#options;
    const mark = readMark(bytes);
    const actual = encoding === "utf-8" ? mark.encoding : encoding;
    let content = actual === mark.encoding ? bytes.subarray(mark.bytes) : bytes;
    if (actual !== "utf-8") {
      this.#transcoder = createTranscoder(actual, this.#name);
      content = this.#transcoder.push(content);
    }
    const whole = complete && content.length <= SAMPLE_BYTES;
    this.#delimiter = delimiter ?? sniffDelimiter(content.subarray(0, SAMPLE_BYTES), whole, quote);
    const syntax = { delimiter: this.#delimiter, quote };
    this.#scanner = new RecordScanner(syntax, this.#name, (record) => this.#take(record));
    this.#scanner.push(content);
  }

  #scan(bytes: Uint8Array): void {
    this.#scanner!.push(this.#transcoder === undefined ? bytes : this.#transcoder.push(bytes));
  }

  #take(record: RecordView): void {
    if (this.#names === undefined) {
      if (this.#options.header !== false && this.#skipTitle(record)) return;
      this.#openColumns(record);
      if (this.#options.header !== false) return;
    }
    if (!this.#accept(record)) return;
    this.#budget.checkTable(this.#rows + 1, this.#columns.length, this.#name);
    const { bytes, base, starts, ends, flags, line } = record;
    for (let k = 0; k < this.#columns.length; k += 1) {
      const column = this.#columns[k];
      if (column === undefined) continue;
      if (k >= record.count) {
        column.add(bytes, base, base, false, line);
        continue;
      }
      const quoted = (flags[k]! & QUOTED) !== 0;
      if ((flags[k]! & DOUBLED) === 0) column.add(bytes, base + starts[k]!, base + ends[k]!, quoted, line);
      else column.add(this.#scratch, 0, this.#unescape(bytes, base + starts[k]!, base + ends[k]!), quoted, line);
    }
    this.#rows += 1;
  }

  /** A line above the header: a phrase in its first cell and nothing beside it, or nothing at all. */
  #skipTitle(record: RecordView): boolean {
    if (this.#titles >= MOST_TITLES || record.count < FEWEST_BESIDE) return false;
    const [first = "", ...others] = decodeHeader(record, this.#name);
    if (others.some((text) => text !== "") || (first === "" ? this.#titles === 0 : !/\S\s+\S/.test(first)))
      return false;
    this.#titles += 1;
    if (first !== "") {
      const message = `the line "${first}" stands above the header and is left out.`;
      this.#diagnostics.push({ code: "TitleAbove", severity: "note", message, fix: "" });
    }
    return true;
  }

  #openColumns(record: RecordView): void {
    const { header = true, factors = [], columns, missing = MISSING_VALUES, decimal } = this.#options;
    this.#budget.checkTable(0, record.count, this.#name);
    const texts = header
      ? decodeHeader(record, this.#name)
      : Array.from({ length: record.count }, (_, k) => `column${k + 1}`);
    for (const text of texts) refuseLongName(text, this.#name);
    const names = nameColumns(texts, this.#diagnostics);
    for (const wanted of [...factors, ...(columns ?? [])])
      if (!names.includes(wanted)) throw this.#unknown(wanted, names);
    const tokens = new MissingTokens(missing);
    this.#columns = names.map((name) => {
      if (columns !== undefined && !columns.includes(name)) return undefined;
      return new CsvColumn(tokens, this.#name, {
        asText: factors.includes(name) || decimal === ",",
        budget: this.#budget,
      });
    });
    this.#names = names;
  }

  #unknown(wanted: string, names: readonly string[]): StatError {
    const near = nearest(wanted, [...names]);
    return new StatError(
      "UnknownColumn",
      `${place(this.#name)}no column "${wanted}" in the header (columns: ${names.join(", ")}).`,
      near === undefined ? "use a name from the header." : `did you mean "${near}"?`,
    );
  }

  /** Whether the record has one sound field per column; throws or counts it if not. */
  #accept(record: RecordView): boolean {
    const wanted = this.#columns.length;
    let fault = "";
    if (record.count !== wanted && !leavesBlank(this.#names!, record.count)) {
      if (record.count === 1 && isBlank(record)) return false;
      const fewer = record.count < wanted;
      fault = `${record.count} ${record.count === 1 ? "field" : "fields"} where ${wanted} are expected (${Math.abs(wanted - record.count)} too ${fewer ? "few" : "many"})`;
    } else {
      for (let k = 0; k < record.count; k += 1)
        if ((record.flags[k]! & GARBLED) !== 0) fault = `text after the closing quote of field ${k + 1}`;
    }
    if (fault === "") return true;
    if (this.#options.badRows !== "skip") throw this.#badRow(record, fault);
    this.#badLines.push(record.line);
    return false;
  }

  #badRow(record: RecordView, fault: string): StatError {
    const { bytes, base, ends, count, line } = record;
    const text = new TextDecoder().decode(bytes.subarray(base, base + Math.min(ends[count - 1]!, 4 * EXCERPT_LENGTH)));
    const excerpt = text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text;
    return new StatError(
      "BadRow",
      `${place(this.#name, line)}${fault}: ${JSON.stringify(excerpt)}.`,
      `correct the row (a field that holds ${JSON.stringify(this.#delimiter)} or a quote must be quoted), name another delimiter (\`delimiter\`), or leave such rows out (\`badRows: skip\`).`,
    );
  }

  /** Copies a quoted field into the scratch buffer with its doubled quotes halved; gives the length. */
  #unescape(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > this.#scratch.length) this.#scratch = grownBytes(this.#scratch, end - start);
    let length = 0;
    for (let i = start; i < end; i += 1) {
      this.#scratch[length++] = bytes[i]!;
      if (bytes[i] === 34) i += 1;
    }
    return length;
  }

  #makeTable(): Table {
    const { factors = [], decimal } = this.#options;
    const read = this.#names!.flatMap((name, k) => {
      const column = this.#columns[k];
      return column === undefined ? [] : [{ name, raw: column.finish(), factor: factors.includes(name) }];
    });
    const entries = typeColumns(read, { delimiter: this.#delimiter, decimal }, this.#diagnostics);
    this.#reportRows();
    return makeTable(entries, this.#rows);
  }

  #reportRows(): void {
    const bad = this.#badLines;
    if (bad.length > 0) {
      const more = bad.length > LINES_NAMED ? ", …" : "";
      this.#diagnostics.push({
        code: "RowsSkipped",
        severity: "warning",
        message: `${place(this.#name)}${bad.length} faulty ${bad.length === 1 ? "row was" : "rows were"} left out (line${bad.length === 1 ? "" : "s"} ${bad.slice(0, LINES_NAMED).join(", ")}${more}).`,
        fix: "correct them in the file; the results rest on the other rows.",
      });
    }
    const blank = this.#scanner!.blankLines;
    if (blank > 0 && this.#columns.length === 1) {
      this.#diagnostics.push({
        code: "BlankLines",
        severity: "note",
        message: `${place(this.#name)}${blank} blank ${blank === 1 ? "line was" : "lines were"} left out.`,
        fix: "in a file with one column, write NA for a missing value.",
      });
    }
  }
}

/** Lines above a header, and cells beside a title that must be empty. */
const MOST_TITLES = 5;
const FEWEST_BESIDE = 3;

/** Mechanical Turk ends its header with two columns for the requester to fill in, for which its rows have no fields. */
const leavesBlank = (names: readonly string[], count: number): boolean =>
  count === names.length - 2 && names.at(-2) === "Approve" && names.at(-1) === "Reject";

function isBlank(record: RecordView): boolean {
  for (let i = record.starts[0]!; i < record.ends[0]!; i += 1) {
    const byte = record.bytes[record.base + i];
    if (byte !== 32 && byte !== 9) return false;
  }
  return record.flags[0] === 0;
}

function decodeHeader(record: RecordView, file: string): string[] {
  const decoder = makeDecoder("utf-8");
  return Array.from({ length: record.count }, (_, k) => {
    const bytes = record.bytes.subarray(record.base + record.starts[k]!, record.base + record.ends[k]!);
    try {
      const text = decoder.decode(bytes);
      if ((record.flags[k]! & QUOTED) === 0) return text.trim();
      return (record.flags[k]! & DOUBLED) === 0 ? text : text.replaceAll('""', '"');
    } catch {
      throw notText(place(file, record.line), "utf-8");
    }
  });
}

/** Distinct names instead of empty and repeated ones, with a word on each change. */
function nameColumns(texts: readonly string[], diagnostics: Diagnostic[]): string[] {
  const taken = new Set(texts);
  const used = new Set<string>();
  const names = texts.map((text, k) => {
    if (text !== "" && !used.has(text)) {
      used.add(text);
      return text;
    }
    const name = freeName(text === "" ? `column${k + 1}` : text, text === "" ? 1 : 2, taken);
    taken.add(name);
    used.add(name);
    diagnostics.push({
      code: text === "" ? "UnnamedColumn" : "DuplicateColumn",
      severity: text === "" ? "note" : "warning",
      message:
        text === ""
          ? `column ${k + 1} has no name in the header; it is called "${name}".`
          : `column ${k + 1} is another "${text}"; it is called "${name}".`,
      fix: "give every column a name of its own in the file.",
    });
    return name;
  });
  if (texts.length > 0 && texts.every((text) => !Number.isNaN(parseDecimal(text)))) {
    diagnostics.push({
      code: "HeaderIsNumeric",
      severity: "warning",
      message: `the first line holds only numbers (${texts.slice(0, 3).join(", ")}${texts.length > 3 ? ", …" : ""}) and was taken for the header.`,
      fix: "if the file has no header, pass header: false.",
    });
  }
  return names;
}

function freeName(stem: string, first: number, taken: ReadonlySet<string>): string {
  for (let k = first; ; k += 1) {
    const name = k === 1 ? stem : `${stem}_${k}`;
    if (!taken.has(name)) return name;
  }
}
