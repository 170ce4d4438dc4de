/** One CSV column while it is read: numbers as long as every cell is one, from the first other cell on codes of texts.
 *  A number's own spelling is remembered in one byte (its decimals) or, if unusual, in a small dictionary, so that
 *  "1.50" is still "1.50" when a later cell makes the column text, and no input needs to be kept. */

import type { ImportBudget } from "../budget.ts";
import { makeDecoder, notText, place } from "../encoding.ts";
import { ByteDictionary, grownBytes } from "./dictionary.ts";
import type { MissingTokens } from "./missing.ts";
import { BIG_INTEGER, LEADING_ZEROS, lastForm, NOT_A_NUMBER, ODD, parseNumber } from "./number.ts";

/** Instead of a number's form: an unquoted missing cell. */
const MISSING = 254;
const FIRST_ROWS = 1024;

/** Where a column first met a cell of some kind. */
export interface FirstMet {
  readonly line: number;
  readonly text: string;
}

/** Kinds of texts that keep a column from being numeric. */
export type Spoiler = "text" | "leading-zeros" | "big-integer";

const SPOILERS = new Map<number, Spoiler>([
  [NOT_A_NUMBER, "text"],
  [LEADING_ZEROS, "leading-zeros"],
  [BIG_INTEGER, "big-integer"],
]);

/** What a finished column holds: numbers, or codes of `texts` (-1 = missing). */
export type RawColumn =
  | { readonly kind: "numbers"; readonly values: Float64Array }
  | {
      readonly kind: "texts";
      readonly codes: Int32Array;
      readonly texts: readonly string[];
      readonly firstMet: ReadonlyMap<Spoiler, FirstMet>;
    };

export class CsvColumn {
  readonly #missing: MissingTokens;
  readonly #file: string;
  readonly #budget: ImportBudget;
  #rows = 0;
  #values: Float64Array | undefined = new Float64Array(FIRST_ROWS);
  #forms = new Uint8Array(FIRST_ROWS);
  #oddTexts = new ByteDictionary();
  /** Entries of #oddTexts, one per cell whose form is ODD, in order of rows. */
  #odd: number[] = [];
  #numbers = 0;
  #quotedMissing = 0;
  #codes = new Int32Array(0);
  #dictionary = new ByteDictionary();
  #firstMet = new Map<Spoiler, FirstMet>();
  #decoder = makeDecoder("utf-8");

  constructor(missing: MissingTokens, file: string, { asText, budget }: { asText: boolean; budget: ImportBudget }) {
    this.#missing = missing;
    this.#file = file;
    this.#budget = budget;
    if (asText) this.#turnToText();
  }

  add(bytes: Uint8Array, start: number, end: number, quoted: boolean, line: number): void {
    if (this.#rows === (this.#values ?? this.#codes).length) this.#grow();
    if (this.#values !== undefined && this.#addNumber(bytes, start, end, quoted)) return;
    const row = this.#rows++;
    this.#codes[row] = !quoted && this.#missing.match(bytes, start, end) ? -1 : this.#intern(bytes, start, end, line);
  }

  finish(): RawColumn {
    // A quoted "NA" is missing among numbers; without any number it is a text like any other.
    if (this.#values !== undefined && this.#numbers === 0 && this.#quotedMissing > 0) this.#turnToText();
    if (this.#values !== undefined) return { kind: "numbers", values: this.#values.slice(0, this.#rows) };
    return {
      kind: "texts",
      codes: this.#codes.slice(0, this.#rows),
      texts: this.#dictionary.texts(),
      firstMet: this.#firstMet,
    };
  }

  /** false if the cell is a text and the column has been turned. */
  #addNumber(bytes: Uint8Array, start: number, end: number, quoted: boolean): boolean {
    const row = this.#rows;
    let value = parseNumber(bytes, start, end);
    let form = lastForm[0]!;
    if (form >= 0 && !(this.#missing.hasNumber && this.#missing.match(bytes, start, end))) this.#numbers += 1;
    else if (this.#missing.match(bytes, start, end)) {
      value = Number.NaN;
      form = quoted ? ODD : MISSING;
      if (quoted) this.#quotedMissing += 1;
    } else {
      this.#turnToText();
      return false;
    }
    if (form === ODD) this.#odd.push(this.#oddTexts.intern(bytes, start, end));
    this.#values![row] = value;
    this.#forms[row] = form;
    this.#rows += 1;
    return true;
  }

  #turnToText(): void {
    const values = this.#values!;
    this.#values = undefined;
    this.#codes = new Int32Array(values.length);
    const encoder = new TextEncoder();
    const scratch = new Uint8Array(64);
    let odd = 0;
    for (let row = 0; row < this.#rows; row += 1) {
      const form = this.#forms[row]!;
      if (form === MISSING) this.#codes[row] = -1;
      else if (form === ODD) {
        const text = this.#oddTexts.bytesOf(this.#odd[odd++]!);
        this.#codes[row] = this.#code(text, 0, text.length);
      } else {
        const text = form === 0 ? String(values[row]!) : values[row]!.toFixed(form);
        this.#codes[row] = this.#code(scratch, 0, encoder.encodeInto(text, scratch).written);
      }
    }
    this.#forms = new Uint8Array(0);
    this.#oddTexts = new ByteDictionary();
    this.#odd = [];
  }

  #intern(bytes: Uint8Array, start: number, end: number, line: number): number {
    const before = this.#dictionary.size;
    const code = this.#code(bytes, start, end);
    if (code === before) this.#meet(bytes, start, end, line);
    return code;
  }

  #code(bytes: Uint8Array, start: number, end: number): number {
    const before = this.#dictionary.size;
    const code = this.#dictionary.intern(bytes, start, end);
    if (code === before) this.#budget.takeText(this.#file);
    return code;
  }

  /** On a text that is new: makes sure that it is UTF-8 and notes where its kind first occurred. */
  #meet(bytes: Uint8Array, start: number, end: number, line: number): void {
    let ascii = true;
    for (let i = start; i < end; i += 1) ascii &&= bytes[i]! < 0x80;
    if (!ascii) this.#decode(bytes.subarray(start, end), line);
    if (this.#firstMet.has("text")) return;
    parseNumber(bytes, start, end);
    const kind = SPOILERS.get(lastForm[0]!);
    if (kind === undefined || this.#firstMet.has(kind)) return;
    this.#firstMet.set(kind, { line, text: this.#decode(bytes.subarray(start, end), line) });
  }

  #decode(bytes: Uint8Array, line: number): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw notText(place(this.#file, line), "utf-8");
    }
  }

  #grow(): void {
    if (this.#values !== undefined) {
      const values = new Float64Array(2 * this.#rows);
      values.set(this.#values);
      this.#values = values;
      this.#forms = grownBytes(this.#forms, values.length);
    } else {
      const codes = new Int32Array(2 * this.#rows);
      codes.set(this.#codes);
      this.#codes = codes;
    }
  }
}
