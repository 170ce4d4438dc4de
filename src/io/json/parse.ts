/** JSON text to a value, with errors that name line and column, integers beyond 2^53 kept as text (an id must not change),
 *  and the bare NaN and Infinity that Python writes. */
import { StatError } from "../../result/error.ts";
import type { ImportBudget } from "../budget.ts";
import { place } from "../encoding.ts";

export interface JsonPlace {
  /** File name, for messages. */
  readonly name?: string;
  /** Line of the file at which the text starts. */
  readonly line?: number;
  /** Asked before the values are made. */
  readonly budget?: ImportBudget | undefined;
}

/** Sixteen digits or more that are not decimals: may lie beyond 2^53. */
const LONG_INTEGER = /(?<![\d.])\d{16}/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function parseJson(text: string, where: JsonPlace = {}): unknown {
  if (where.budget !== undefined) {
    const { values, names } = countValues(text);
    where.budget.takeValues(values, where.name ?? "");
    where.budget.checkNames(names, where.name ?? "");
  }
  const safe = LONG_INTEGER.test(text) ? mapOutsideStrings(text, quoteLongIntegers) : text;
  try {
    return JSON.parse(safe);
  } catch {
    if (/NaN|Infinity/.test(text)) {
      try {
        return JSON.parse(mapOutsideStrings(safe, replaceBareWords));
      } catch {
        // Reported below, with the place in the text as it was written.
      }
    }
    throw syntaxError(text, where);
  }
}

const [QUOTE, COMMA, LIST, OBJECT, BACKSLASH] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c];
const [LIST_END, OBJECT_END] = [0x5d, 0x7d];
const NO_NAMES = -(2 ** 31);
/** Objects that lie deeper are not looked at: what is nested so deeply is refused for that. */
const DEEPEST = 1000;

/** Numbers, texts, lists and objects of a JSON text, or more: what stands before a comma or in a bracket; and the names of the object
 *  that has most of them, or more. */
export function countValues(text: string): { readonly values: number; readonly names: number } {
  let values = 1;
  let names = 0;
  let depth = 0;
  const open = new Int32Array(DEEPEST);
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter === QUOTE) at = endOfString(text, at) - 1;
    else if (letter === COMMA) {
      values += 1;
      if (depth < DEEPEST && ++open[depth]! > names) names = open[depth]!;
    } else if (letter === LIST || letter === OBJECT) {
      values += 1;
      depth += 1;
      // members of a list are no names
      if (depth < DEEPEST) open[depth] = letter === OBJECT ? 1 : NO_NAMES;
    } else if ((letter === LIST_END || letter === OBJECT_END) && depth > 0) depth -= 1;
  }
  return { values, names };
}

function quoteLongIntegers(outside: string): string {
  return outside.replace(NUMBER, (number) =>
    /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number)) ? `"${number}"` : number,
  );
}

function replaceBareWords(outside: string): string {
  return outside.replace(/-?\bNaN\b/g, "null").replace(/\bInfinity\b/g, "1e999");
}

function mapOutsideStrings(text: string, change: (outside: string) => string): string {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('"', at);
    const outsideEnd = open < 0 ? text.length : open;
    parts.push(change(text.slice(at, outsideEnd)));
    at = open < 0 ? text.length : endOfString(text, open);
    parts.push(text.slice(outsideEnd, at));
  }
  return parts.join("");
}

/** Past the closing quote of the string that opens at `open`, or the end of the text. */
function endOfString(text: string, open: number): number {
  let at = open + 1;
  for (let letter = text.charCodeAt(at); at < text.length && letter !== QUOTE; letter = text.charCodeAt(at)) {
    at += letter === BACKSLASH ? 2 : 1;
  }
  return Math.min(at + 1, text.length);
}

// ---- where the fault is ----

function syntaxError(text: string, where: JsonPlace): StatError {
  const { offset, expected } = findFault(text);
  const before = text.slice(0, offset);
  const line = (where.line ?? 1) + (before.match(/\r\n|\r|\n/g)?.length ?? 0);
  const column = offset - Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r"));
  const ended = offset >= text.length;
  const found = ended ? "the text ends" : `found ${JSON.stringify([...text.slice(offset, offset + 2)][0])}`;
  return new StatError(
    "BadJson",
    `${place(where.name ?? "")}line ${line}, column ${column}: ${expected} is expected, but ${found}.`,
    `${ended ? "the end is missing: copy or write the file again" : "correct the file at that place"}${where.line === undefined ? "" : ", or leave such lines out with option `badRows: skip`"}.`,
  );
}

interface Fault {
  readonly offset: number;
  readonly expected: string;
}

/** The first place at which the text stops being JSON (RFC 8259). Only ever run on text that JSON.parse has refused. */
function findFault(text: string): Fault {
  const open: string[] = [];
  let at = skipBlanks(text, 0);
  let wantKey = false;
  for (;;) {
    if (wantKey) {
      const key = scanString(text, at);
      if (typeof key !== "number") return key;
      at = skipBlanks(text, key);
      if (text[at] !== ":") return { offset: at, expected: '":"' };
      at = skipBlanks(text, at + 1);
      wantKey = false;
    }
    const bracket = text[at];
    if (bracket === "{" || bracket === "[") {
      at = skipBlanks(text, at + 1);
      if (text[at] !== (bracket === "{" ? "}" : "]")) {
        open.push(bracket);
        wantKey = bracket === "{";
        continue;
      }
      at += 1;
    } else {
      const end = scanScalar(text, at);
      if (typeof end !== "number") return end;
      at = end;
    }
    for (at = skipBlanks(text, at); open.length > 0; at = skipBlanks(text, at + 1)) {
      const close = open.at(-1) === "{" ? "}" : "]";
      if (text[at] === ",") break;
      if (text[at] !== close) return { offset: at, expected: `"," or "${close}"` };
      open.pop();
    }
    if (open.length === 0) return { offset: at, expected: "the end of the text" };
    wantKey = open.at(-1) === "{";
    at = skipBlanks(text, at + 1);
  }
}

function skipBlanks(text: string, at: number): number {
  while (at < text.length && " \t\n\r".includes(text[at]!)) at += 1;
  return at;
}

/** The end of the string at `at`, or the fault in it. */
function scanString(text: string, at: number): number | Fault {
  if (text[at] !== '"') return { offset: at, expected: "a name in double quotes" };
  for (at += 1; at < text.length; at += 1) {
    const c = text[at]!;
    if (c === '"') return at + 1;
    if (c < " ") return { offset: at, expected: "an escape such as \\n" };
    if (c !== "\\") continue;
    const cut = /(?:u[\da-fA-F]{0,3})?$/y;
    cut.lastIndex = at + 1;
    if (cut.test(text)) return { offset: text.length, expected: "the rest of an escape" };
    const form = /[\\"/bfnrt]|u[\da-fA-F]{4}/y;
    form.lastIndex = at + 1;
    const found = form.exec(text);
    if (found === null) return { offset: at + 1, expected: 'one of \\ " / b f n r t or u with four digits' };
    at += found[0].length;
  }
  return { offset: text.length, expected: "a closing quote" };
}

/** Longer than any number or word that is worth completing. */
const LONGEST_SCALAR = 40;

function scanScalar(text: string, at: number): number | Fault {
  if (text[at] === '"') return scanString(text, at);
  const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|NaN|-?Infinity/y;
  scalar.lastIndex = at;
  const found = scalar.exec(text)?.[0] ?? "";
  const rest = text.slice(at, at + LONGEST_SCALAR);
  const cutOff = at + rest.length === text.length && rest !== found && isBegun(rest);
  if (cutOff) return { offset: text.length, expected: "the rest of a value" };
  return found === "" ? { offset: at, expected: "a value" } : at + found.length;
}

/** Whether the text may be the beginning of a number or a word. */
function isBegun(text: string): boolean {
  if (text === "") return false;
  return (
    /^-?\d*(?:\.\d*)?(?:[eE][+-]?)?$/.test(text) || ["true", "false", "null"].some((word) => word.startsWith(text))
  );
}
