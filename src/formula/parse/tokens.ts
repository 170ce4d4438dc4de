/** The words of formulas and expressions, each with its place in the text. */
import { faultAt } from "./fault.ts";

export type Token =
  | { readonly kind: "number"; readonly value: number; readonly text: string; readonly at: number }
  | { readonly kind: "string"; readonly value: string; readonly text: string; readonly at: number }
  /** `quoted` names stood in backticks and are never keywords. */
  | {
      readonly kind: "name";
      readonly value: string;
      readonly quoted: boolean;
      readonly text: string;
      readonly at: number;
    }
  | { readonly kind: "operator"; readonly text: string; readonly at: number }
  | { readonly kind: "end"; readonly text: ""; readonly at: number };

/** Longer than any formula a person writes; bounds the work on hostile text. */
const MAX_LENGTH = 100_000;

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?L?/y;
const NAME = /[\p{L}._][\p{L}\p{M}\p{N}._]*/uy;
/** Longest first; `**` is R's other spelling of `^`. */
const OPERATOR = /%in%|%%|%\/%|\*\*|<=|>=|==|!=|&&|\|\||[-+*/^:()|&!<>~,=]/y;
const SPACE = /\s+/y;
const ESCAPES = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["`", "`"],
]);

export function tokenize(source: string): Token[] {
  if (source.length > MAX_LENGTH) {
    throw faultAt(undefined, {
      code: "FormulaTooLong",
      message: `the text has ${source.length} characters; at most ${MAX_LENGTH} are read.`,
      fix: "shorten it: `y ~ .` stands for all other columns.",
    });
  }
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const space = matchAt(SPACE, source, at);
    if (space !== undefined) at += space.length;
    else {
      const token = readToken(source, at);
      tokens.push(token);
      at += token.text.length;
    }
  }
  tokens.push({ kind: "end", text: "", at: source.length });
  return tokens;
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

function readToken(source: string, at: number): Token {
  const first = source[at]!;
  if (first === '"' || first === "'" || first === "`") return readQuoted(source, at, first);
  const number = matchAt(NUMBER, source, at);
  if (number !== undefined) return readNumber(source, at, number);
  const name = matchAt(NAME, source, at);
  if (name !== undefined) return { kind: "name", value: name, quoted: false, text: name, at };
  const operator = matchAt(OPERATOR, source, at);
  if (operator !== undefined) return { kind: "operator", text: operator, at };
  throw unexpectedCharacter(source, at);
}

function readNumber(source: string, at: number, text: string): Token {
  const after = matchAt(NAME, source, at + text.length);
  if (after !== undefined) {
    throw faultAt(
      { source, at },
      {
        code: "FormulaSyntax",
        message: `"${text}${after}" is neither a number nor a name.`,
        fix: `write \`${text}${after}\` in backticks if it is a column, or I(${text} * ${after}) for a product.`,
      },
    );
  }
  return { kind: "number", value: Number(text.replace("L", "")), text, at };
}

function readQuoted(source: string, at: number, quote: string): Token {
  let value = "";
  let i = at + 1;
  while (i < source.length && source[i] !== quote) {
    if (source[i] !== "\\") value += source[i++];
    else {
      const escaped = ESCAPES.get(source[i + 1] ?? "");
      if (escaped === undefined) {
        throw faultAt(
          { source, at: i },
          {
            code: "FormulaSyntax",
            message: `unknown escape "${source.slice(i, i + 2)}" in a quoted text.`,
            fix: "write \\\\ for a backslash; \\n, \\t and \\r, and escaped quotes, are the other escapes.",
          },
        );
      }
      value += escaped;
      i += 2;
    }
  }
  if (i >= source.length) {
    const what = quote === "`" ? "backtick" : "quote";
    const fix = `close it with ${quote}.`;
    throw faultAt({ source, at }, { code: "FormulaSyntax", message: `this ${what} is never closed.`, fix });
  }
  const text = source.slice(at, i + 1);
  if (quote !== "`") return { kind: "string", value, text, at };
  if (value !== "") return { kind: "name", value, quoted: true, text, at };
  const fix = "put a column name between the backticks.";
  throw faultAt({ source, at }, { code: "FormulaSyntax", message: "an empty name in backticks.", fix });
}

function unexpectedCharacter(source: string, at: number): Error {
  const found = String.fromCodePoint(source.codePointAt(at)!);
  let fix = "put a column name with unusual characters into backticks: `my col`.";
  if (/[“”„‘’]/u.test(found)) fix = "use plain quotes: \" or '.";
  else if (found === "%") fix = "%in%, %% and %/% are the operators with percent signs.";
  else if (found === "$" || found === "[") fix = "name the column alone: x, not data$x or data[x].";
  const shown = /\p{Cc}/u.test(found) ? `U+${found.codePointAt(0)!.toString(16).padStart(4, "0")}` : found;
  return faultAt({ source, at }, { code: "FormulaSyntax", message: `unexpected character "${shown}".`, fix });
}
