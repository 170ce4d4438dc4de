/** Which cells count as missing. Surrounding blanks do not matter, capitals do. */
import { mostOf } from "../../result/extremes.ts";
import { lastForm, parseNumber } from "./number.ts";

/** Common spellings of "no value" that are rarely a label. "None", "-" and "." are not among them: in evaluation data
 *  "None" is an answer, and the other two occur as outputs; name them in the options where they mean a missing value. */
export const MISSING_VALUES: readonly string[] = ["", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null"];

const SPACE = 32;
const TAB = 9;

/** Compares bytes against the list; most cells are refused by their length or first byte. */
export class MissingTokens {
  readonly #tokens: readonly Uint8Array[];
  readonly #longest: number;
  readonly #empty: boolean;
  readonly #firstBytes = new Uint8Array(256);
  /** Whether some token is a number ("-999"), so that numbers too must be compared. */
  readonly hasNumber: boolean;

  constructor(tokens: readonly string[]) {
    const encoder = new TextEncoder();
    this.#tokens = tokens.map((token) => encoder.encode(token.trim()));
    this.#longest = Math.max(0, mostOf(this.#tokens.map((token) => token.length)));
    this.#empty = this.#tokens.some((token) => token.length === 0);
    for (const token of this.#tokens) if (token.length > 0) this.#firstBytes[token[0]!] = 1;
    this.hasNumber = this.#tokens.some((token) => {
      parseNumber(token, 0, token.length);
      return lastForm[0]! >= 0;
    });
  }

  match(bytes: Uint8Array, start: number, end: number): boolean {
    while (start < end && (bytes[start] === SPACE || bytes[start] === TAB)) start += 1;
    while (end > start && (bytes[end - 1] === SPACE || bytes[end - 1] === TAB)) end -= 1;
    if (start === end) return this.#empty;
    if (end - start > this.#longest || this.#firstBytes[bytes[start]!] === 0) return false;
    for (const token of this.#tokens) if (equals(token, bytes, start, end)) return true;
    return false;
  }
}

function equals(token: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (token.length !== end - start) return false;
  for (let i = 0; i < token.length; i += 1) if (token[i] !== bytes[start + i]) return false;
  return true;
}
