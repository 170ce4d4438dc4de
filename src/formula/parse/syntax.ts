/** The grammar of expressions, with R's precedences, lowest first:
 *     | ||    & &&    !    == != < <= > >=    + -    * /    %in% %% %/%    :    unary + -    ^ (to the right)
 *  A formula is `[expression] ~ expression` in the same grammar; what its operators mean is decided by algebra.ts. */

import type { BinaryOperator, Expression } from "../term.ts";
import { type Fault, faultAt } from "./fault.ts";
import { type Token, tokenize } from "./tokens.ts";

/** Nesting beyond this is refused, so that hostile text cannot exhaust the stack; a chain a + b + c + … is no nesting. */
const MAX_NESTING = 200;

const COMPARISON = 4;
const UNARY = 9;
const POWER = 10;
const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ["||", 1],
  ["|", 1],
  ["&&", 2],
  ["&", 2],
  ["==", COMPARISON],
  ["!=", COMPARISON],
  ["<", COMPARISON],
  ["<=", COMPARISON],
  [">", COMPARISON],
  [">=", COMPARISON],
  ["+", 5],
  ["-", 5],
  ["*", 6],
  ["/", 6],
  ["%in%", 7],
  ["%%", 7],
  ["%/%", 7],
  [":", 8],
  ["^", POWER],
]);

interface Reader {
  readonly source: string;
  readonly tokens: readonly Token[];
  next: number;
  nesting: number;
}

/** One expression, all of the text; the functions it calls are not yet checked. */
export function readExpression(source: string): Expression {
  const reader = openReader(source);
  const expression = readBinary(reader, 0);
  expectEnd(reader);
  return expression;
}

/** `[left] ~ right`, all of the text. */
export function readSides(source: string): { left?: Expression; right: Expression } {
  const reader = openReader(source);
  const left = peek(reader).text === "~" ? undefined : readBinary(reader, 0);
  if (peek(reader).text !== "~") {
    throw failHere(reader, {
      code: "FormulaSyntax",
      message: `expected "~" between the response and the terms, found ${describe(peek(reader))}.`,
      fix: 'write the formula as "response ~ terms", e.g. "score ~ system + (1 | item)".',
    });
  }
  reader.next += 1;
  const right = readBinary(reader, 0);
  expectEnd(reader);
  return left === undefined ? { right } : { left, right };
}

/** `name = expression`, all of the text. */
export function readAssignment(source: string): { name: string; value: Expression } {
  const reader = openReader(source);
  const target = peek(reader);
  if ((target.kind !== "name" && target.kind !== "string") || reader.tokens[1]!.text !== "=") {
    throw failHere(reader, {
      code: "FormulaSyntax",
      message: `expected "name = expression", found ${describe(target)} first.`,
      fix: 'write for example "gain = after - before".',
    });
  }
  reader.next = 2;
  const value = readBinary(reader, 0);
  expectEnd(reader);
  return { name: target.value, value };
}

function openReader(source: string): Reader {
  return { source, tokens: tokenize(source), next: 0, nesting: 0 };
}

function peek(reader: Reader): Token {
  return reader.tokens[reader.next]!;
}

function failHere(reader: Reader, fault: Fault): Error {
  return faultAt({ source: reader.source, at: peek(reader).at }, fault);
}

function describe(token: Token): string {
  return token.kind === "end" ? "the end of the text" : `"${token.text}"`;
}

function expectEnd(reader: Reader): void {
  const token = peek(reader);
  if (token.kind === "end") return;
  let fix = "put an operator such as + between two terms, and names with blanks into backticks.";
  if (token.text === ")") fix = 'remove this ")" or add the "(" that it closes.';
  else if (token.text === "=") fix = "write == to compare.";
  else if (token.text === "~") fix = 'keep a single "~".';
  else if (PRECEDENCE.get(token.text) === COMPARISON) fix = "join two comparisons with &: a < b & b < c.";
  throw failHere(reader, {
    code: "FormulaSyntax",
    message: `expected an operator or the end, found ${describe(token)}.`,
    fix,
  });
}

function readBinary(reader: Reader, least: number): Expression {
  reader.nesting += 1;
  if (reader.nesting > MAX_NESTING) {
    throw failHere(reader, {
      code: "FormulaTooDeep",
      message: `the text is nested more than ${MAX_NESTING} levels deep.`,
      fix: "remove superfluous parentheses or compute a column first.",
    });
  }
  const result = readOperands(reader, least);
  reader.nesting -= 1;
  return result;
}

function readOperands(reader: Reader, least: number): Expression {
  let left = readPrefix(reader);
  let ceiling = Number.POSITIVE_INFINITY;
  for (;;) {
    const token = peek(reader);
    const op = token.text === "**" ? "^" : token.text;
    const precedence = token.kind === "operator" ? PRECEDENCE.get(op) : undefined;
    if (precedence === undefined || precedence < least || precedence > ceiling) return left;
    reader.next += 1;
    const right = readBinary(reader, op === "^" ? POWER : precedence + 1);
    left = { kind: "binary", op: op as BinaryOperator, left, right, at: token.at };
    // a < b < c is no expression: after a comparison only looser operators may follow.
    ceiling = precedence === COMPARISON ? COMPARISON - 1 : precedence;
  }
}

function readPrefix(reader: Reader): Expression {
  const token = peek(reader);
  if (token.text === "!" && token.kind === "operator") {
    reader.next += 1;
    return { kind: "unary", op: "!", arg: readBinary(reader, COMPARISON), at: token.at };
  }
  if (token.kind === "operator" && (token.text === "-" || token.text === "+")) {
    reader.next += 1;
    return { kind: "unary", op: token.text, arg: readBinary(reader, UNARY), at: token.at };
  }
  return readPrimary(reader, token);
}

function readPrimary(reader: Reader, token: Token): Expression {
  const { at } = token;
  if (token.kind === "number" || token.kind === "string") {
    reader.next += 1;
    return token.kind === "number"
      ? { kind: "number", value: token.value, at }
      : { kind: "string", value: token.value, at };
  }
  if (token.kind === "name") {
    reader.next += 1;
    if (peek(reader).text === "(") return readCall(reader, token.value, at);
    return (token.quoted ? undefined : constantNamed(token.value, at)) ?? { kind: "variable", name: token.value, at };
  }
  if (token.text === "(") {
    reader.next += 1;
    const arg = readBinary(reader, 0);
    expectClosing(reader, at);
    return { kind: "paren", arg, at };
  }
  throw failHere(reader, {
    code: "FormulaSyntax",
    message: `expected a column name, a number, a function or "(", found ${describe(token)}.`,
    fix: token.kind === "end" ? "complete the text or drop its last operator." : "give each operator its two sides.",
  });
}

/** The words that are values; T and F are plain names. */
function constantNamed(name: string, at: number): Expression | undefined {
  if (name === "TRUE" || name === "FALSE") return { kind: "logical", value: name === "TRUE", at };
  if (name === "NA" || name === "NaN") return { kind: "number", value: Number.NaN, at };
  if (name === "Inf") return { kind: "number", value: Number.POSITIVE_INFINITY, at };
  return undefined;
}

function readCall(reader: Reader, fn: string, at: number): Expression {
  const open = peek(reader).at;
  reader.next += 1;
  const args: Expression[] = [];
  const named = new Map<string, Expression>();
  if (peek(reader).text !== ")") {
    readArgument(reader, args, named);
    while (peek(reader).text === ",") {
      reader.next += 1;
      readArgument(reader, args, named);
    }
  }
  expectClosing(reader, open);
  return { kind: "call", fn, args, named, at };
}

function readArgument(reader: Reader, args: Expression[], named: Map<string, Expression>): void {
  const token = peek(reader);
  if (token.kind !== "name" || reader.tokens[reader.next + 1]!.text !== "=") {
    args.push(readBinary(reader, 0));
    return;
  }
  if (named.has(token.value)) {
    const message = `the argument "${token.value}" is given twice.`;
    throw failHere(reader, { code: "FormulaSyntax", message, fix: "keep one of them." });
  }
  reader.next += 2;
  named.set(token.value, readBinary(reader, 0));
}

function expectClosing(reader: Reader, open: number): void {
  const token = peek(reader);
  if (token.text === ")") {
    reader.next += 1;
    return;
  }
  throw failHere(reader, {
    code: "FormulaSyntax",
    message: `expected ")" for the "(" at position ${open + 1}, found ${describe(token)}.`,
    fix: token.text === "=" ? "write == to compare." : 'add the missing ")", or an operator or comma before this.',
  });
}
