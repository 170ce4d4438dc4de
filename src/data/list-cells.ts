/** Lists and records that a cell of a table holds as text. */
import { isDecimal } from "./levels.ts";

export type Element = string | number | null;

const WORD = /^[\p{L}\p{N}_.@ -]{1,40}$/u;

/** The elements of a cell, "[1, 2]", "(1 2)", "a,b" or "1;2"; undefined where it is no list. */
export function parseList(text: string): Element[] | undefined {
  const plain = text.trim();
  const inner = /^[[(](.*)[\])]$/s.exec(plain)?.[1];
  if (inner !== undefined) return parseJsonList(plain) ?? splitNumbers(inner.trim(), /\s+/) ?? splitPlain(inner);
  return plain.includes(",") ? splitPlain(plain) : splitNumbers(plain, /[;|]/);
}

/** "4;5;3", "4|5|3", and what numpy prints, [4 5 3]: numbers only, since texts have such marks too. */
function splitNumbers(text: string, mark: RegExp): Element[] | undefined {
  const parts = text.split(mark).map((part) => part.trim());
  if (parts.length < 2 || !parts.every((part) => part === "" || isDecimal(part))) return undefined;
  return parts.map((part) => (part === "" ? null : Number(part)));
}

function parseJsonList(text: string): Element[] | undefined {
  const value = parseJson(text.replace(/^\(/, "[").replace(/\)$/, "]"));
  if (!Array.isArray(value) || !value.every((part) => part === null || typeof part !== "object")) return undefined;
  return value.map((part) => (typeof part === "boolean" ? Number(part) : (part as Element)));
}

/** Undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Words and numbers between commas; a part that is more than a word makes the cell a sentence. */
function splitPlain(text: string): Element[] | undefined {
  const parts = text.split(",").map((part) => part.trim().replace(/^(['"])(.*)\1$/, "$2"));
  return parts.every((part) => part === "" || WORD.test(part))
    ? parts.map((part) => (part === "" ? null : part))
    : undefined;
}
