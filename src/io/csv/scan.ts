/** One pass over the bytes of a CSV file: fields and records (RFC 4180), whatever way the file is cut into chunks.
 *  LF, CRLF and CR end a record; a quoted field may hold delimiters, line ends and doubled quotes; a quote inside an
 *  unquoted field is an ordinary character. Blank lines are skipped and counted. */
import { StatError } from "../../result/error.ts";
import { place } from "../encoding.ts";
import { grownBytes } from "./dictionary.ts";

/** Bits of a field's flags. */
export const QUOTED = 1;
export const DOUBLED = 2;
export const GARBLED = 4;

/** Bytes of a row that spans pieces of the file: a quote that is never closed must not take the memory of the whole file. */
const LONGEST_RECORD = 2 ** 26;
const NUL = 0;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;

const FIELD_START = 0;
const UNQUOTED = 1;
const IN_QUOTES = 2;
const AFTER_QUOTE = 3;
const CLOSED = 4;

const FIRST_FIELDS = 32;

export interface Syntax {
  /** One ASCII character. */
  readonly delimiter: string;
  /** Whether a quotation mark at the start of a field quotes it. */
  readonly quote: boolean;
}

/** A record as the scanner left it: field k is bytes[base + starts[k], base + ends[k]). Valid only during the call. */
export interface RecordView {
  readonly bytes: Uint8Array;
  readonly base: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly flags: Uint8Array;
  readonly count: number;
  /** Where the record starts, from 1. */
  readonly line: number;
}

export class RecordScanner implements RecordView {
  bytes: Uint8Array = new Uint8Array(0);
  base = 0;
  starts = new Int32Array(FIRST_FIELDS);
  ends = new Int32Array(FIRST_FIELDS);
  flags = new Uint8Array(FIRST_FIELDS);
  count = 0;
  line = 1;
  blankLines = 0;

  readonly #delimiter: number;
  readonly #quotes: boolean;
  readonly #name: string;
  readonly #onRecord: (record: RecordView) => void;
  /** 1 for the bytes that end an unquoted field. */
  readonly #stops = new Uint8Array(256);
  /** What is left of earlier chunks lives at the front of a buffer of our own, so that chunks are never retained. */
  #tail = new Uint8Array(0);
  #end = 0;
  #position = 0;
  #state = FIELD_START;
  #fieldStart = 0;
  #fieldFlags = 0;
  #closedAt = 0;
  #physicalLine = 1;
  #quoteLine = 0;
  #skipLineFeed = false;

  constructor(syntax: Syntax, name: string, onRecord: (record: RecordView) => void) {
    const delimiter = syntax.delimiter.charCodeAt(0);
    this.#delimiter = delimiter;
    this.#quotes = syntax.quote;
    this.#name = name;
    this.#onRecord = onRecord;
    for (const stop of [delimiter, CR, LF, NUL]) this.#stops[stop] = 1;
  }

  push(chunk: Uint8Array): void {
    const left = this.#end - this.base;
    if (left === 0) {
      this.bytes = chunk;
      this.#position = 0;
      this.#end = chunk.length;
    } else {
      const needed = left + chunk.length;
      if (left > LONGEST_RECORD) this.#refuseRecord();
      const own = this.bytes === this.#tail;
      const rest = this.bytes.subarray(this.base, this.#end);
      if (needed > this.#tail.length) this.#tail = grownBytes(own ? rest : this.#tail, needed);
      if (!own || this.base > 0) this.#tail.set(rest);
      this.#tail.set(chunk, left);
      this.#position -= this.base;
      this.bytes = this.#tail;
      this.#end = needed;
    }
    this.base = 0;
    this.#scan();
    this.#keepRest();
  }

  #refuseRecord(): never {
    throw new StatError(
      "RecordTooLong",
      `${place(this.#name, this.#state === IN_QUOTES ? this.#quoteLine : 0)}a row of more than ${LONGEST_RECORD / 2 ** 20} MB.`,
      "Is a quote opened and not closed? If quotes are plain characters, say so (`quote: false`).",
    );
  }

  finish(): void {
    if (this.#state === IN_QUOTES) {
      throw new StatError(
        "UnterminatedQuote",
        `${place(this.#name, this.#quoteLine)}a quote is opened and never closed.`,
        'close the quote; inside a quoted field a quote is written twice (""). If quotes are plain characters, say so (`quote: false`).',
      );
    }
    const begun = this.count > 0 || this.#end > this.base;
    if (begun) {
      if (this.#state === AFTER_QUOTE || this.#state === CLOSED) this.#endField(this.#closedAt);
      else this.#endField(this.#position - this.base);
      this.#endRecord();
    }
  }

  /** Copies an unfinished record out of the caller's chunk. */
  #keepRest(): void {
    const left = this.#end - this.base;
    if (this.bytes === this.#tail || left === 0) return;
    if (left > this.#tail.length) this.#tail = grownBytes(new Uint8Array(0), left);
    this.#tail.set(this.bytes.subarray(this.base, this.#end));
    this.bytes = this.#tail;
    this.#position -= this.base;
    this.#end = left;
    this.base = 0;
  }

  #scan(): void {
    const { bytes } = this;
    const stops = this.#stops;
    const end = this.#end;
    while (this.#position < end) {
      let at = this.#position;
      const state = this.#state;
      if (state === FIELD_START) {
        if (this.#skipLineFeed) {
          this.#skipLineFeed = false;
          if (bytes[at] === LF) {
            this.#position = at + 1;
            this.base = at + 1;
            continue;
          }
        }
        this.#startField(this.#quotes && bytes[at] === QUOTE);
      } else if (state === UNQUOTED) {
        while (at < end && stops[bytes[at]!] === 0) at += 1;
        this.#position = at;
        if (at === end) return;
        this.#endField(at - this.base);
        this.#endAt(bytes[at]!);
      } else if (state === IN_QUOTES) {
        while (at < end && bytes[at] !== QUOTE && bytes[at] !== LF && bytes[at] !== CR && bytes[at] !== NUL) at += 1;
        this.#position = at;
        if (at === end) return;
        this.#insideQuotes(bytes[at]!, at > 0 && bytes[at - 1] === CR);
      } else {
        this.#afterQuote(bytes[at]!);
      }
    }
  }

  #startField(quoted: boolean): void {
    this.#fieldFlags = quoted ? QUOTED : 0;
    if (quoted) {
      this.#position += 1;
      this.#quoteLine = this.#physicalLine;
    }
    this.#fieldStart = this.#position - this.base;
    this.#state = quoted ? IN_QUOTES : UNQUOTED;
  }

  #insideQuotes(byte: number, afterReturn: boolean): void {
    if (byte === NUL) throw this.#binary();
    if (byte === QUOTE) {
      this.#closedAt = this.#position - this.base;
      this.#state = AFTER_QUOTE;
    } else if (byte === CR || !afterReturn) this.#physicalLine += 1;
    this.#position += 1;
  }

  #afterQuote(byte: number): void {
    if (this.#state === AFTER_QUOTE && byte === QUOTE) {
      this.#fieldFlags |= DOUBLED;
      this.#state = IN_QUOTES;
      this.#position += 1;
    } else if (this.#stops[byte] === 1) {
      this.#endField(this.#closedAt);
      this.#endAt(byte);
    } else {
      if (byte !== SPACE) this.#fieldFlags |= GARBLED;
      this.#state = CLOSED;
      this.#position += 1;
    }
  }

  /** Closes the field that ends before `end`, an offset from the start of the record. */
  #endField(end: number): void {
    const k = this.count;
    if (k === this.starts.length) this.#growFields();
    // Nothing after the last delimiter of a file: an empty field without a start of its own.
    this.starts[k] = this.#state === FIELD_START ? end : this.#fieldStart;
    this.ends[k] = end;
    this.flags[k] = this.#state === FIELD_START ? 0 : this.#fieldFlags;
    this.count = k + 1;
  }

  /** Takes the delimiter, line end or forbidden byte at the position. */
  #endAt(byte: number): void {
    this.#state = FIELD_START;
    this.#position += 1;
    if (byte === this.#delimiter) return;
    if (byte === NUL) throw this.#binary();
    this.#skipLineFeed = byte === CR;
    this.#endRecord();
  }

  #endRecord(): void {
    if (this.count === 1 && this.ends[0] === this.starts[0] && this.flags[0] === 0) this.blankLines += 1;
    else this.#onRecord(this);
    this.count = 0;
    this.base = this.#position;
    this.#physicalLine += 1;
    this.line = this.#physicalLine;
  }

  #growFields(): void {
    const starts = new Int32Array(2 * this.starts.length);
    starts.set(this.starts);
    this.starts = starts;
    const ends = new Int32Array(starts.length);
    ends.set(this.ends);
    this.ends = ends;
    this.flags = grownBytes(this.flags, starts.length);
  }

  #binary(): StatError {
    return new StatError(
      "BinaryContent",
      `${place(this.#name, this.#physicalLine)}a zero byte: this is not a text file.`,
      "give the CSV text itself; a spreadsheet or archive must be exported first, and UTF-16 needs its byte order mark.",
    );
  }
}
