/** Arithmetic, comparisons and logic over values, with R's rules for missing cells:
 *  missing propagates, except that FALSE & NA is FALSE, TRUE | NA is TRUE, and NA %in% c(…) is FALSE. */
import { parseDecimal } from "../../data/levels.ts";
import type { FactorColumn } from "../../data/table.ts";
import { faultAt, type Place } from "../parse/fault.ts";
import type { BinaryOperator } from "../term.ts";
import { type Constant, describeValue, type Operand, toLogical, toNumbers, type Value } from "./value.ts";

type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

export function applyBinary(op: BinaryOperator, left: Value, right: Value, place: Place): Value {
  switch (op) {
    case "+":
    case "-":
    case "*":
    case "/":
    case "^":
    case "%%":
    case "%/%":
      return finish("numeric", arithmetic(op, toNumbers(left, `"${op}"`, place), toNumbers(right, `"${op}"`, place)));
    case "&":
    case "&&":
      return finish("logical", and(toLogical(left, `"${op}"`, place), toLogical(right, `"${op}"`, place)));
    case "|":
    case "||":
      return finish("logical", or(toLogical(left, `"${op}"`, place), toLogical(right, `"${op}"`, place)));
    case "%in%":
      return isIn(left, right, place);
    case ":":
      throw faultAt(place, {
        code: "FormulaTerm",
        message: '":" inside an expression.',
        fix: "interactions stand outside of functions: a:b. For a product write a * b.",
      });
    default:
      return compare(op, left, right, place);
  }
}

export function applyUnary(op: "-" | "+" | "!", arg: Value, place: Place): Value {
  if (op === "!") {
    const { data, step } = toLogical(arg, '"!"', place);
    return finish("logical", { data: data.map((x) => 1 - x), step });
  }
  const { data, step } = toNumbers(arg, `"${op}"`, place);
  return finish("numeric", op === "+" ? { data, step } : { data: data.map((x) => -x), step });
}

/** A result over all rows, or a constant if nothing in it depends on the row. */
function finish(kind: "numeric" | "logical", { data, step }: Operand): Value {
  if (step === 1) return { kind, values: data };
  const value = data[0]!;
  return { kind: "constant", value: kind === "logical" && !Number.isNaN(value) ? value === 1 : value };
}

function resultOf(a: Operand, b: Operand): { data: Float64Array; step: 0 | 1 } {
  const step = a.step === 1 || b.step === 1 ? 1 : 0;
  return { data: new Float64Array(a.step === 1 ? a.data.length : b.data.length), step };
}

function arithmetic(op: "+" | "-" | "*" | "/" | "^" | "%%" | "%/%", a: Operand, b: Operand): Operand {
  const result = resultOf(a, b);
  const { data: out } = result;
  const [x, y, sx, sy, n] = [a.data, b.data, a.step, b.step, out.length];
  switch (op) {
    case "+":
      for (let i = 0; i < n; i += 1) out[i] = x[i * sx]! + y[i * sy]!;
      break;
    case "-":
      for (let i = 0; i < n; i += 1) out[i] = x[i * sx]! - y[i * sy]!;
      break;
    case "*":
      for (let i = 0; i < n; i += 1) out[i] = x[i * sx]! * y[i * sy]!;
      break;
    case "/":
      for (let i = 0; i < n; i += 1) out[i] = x[i * sx]! / y[i * sy]!;
      break;
    case "^":
      for (let i = 0; i < n; i += 1) out[i] = power(x[i * sx]!, y[i * sy]!);
      break;
    case "%%":
      // The remainder has the sign of the divisor.
      for (let i = 0; i < n; i += 1) out[i] = x[i * sx]! - Math.floor(x[i * sx]! / y[i * sy]!) * y[i * sy]!;
      break;
    default:
      for (let i = 0; i < n; i += 1) out[i] = Math.floor(x[i * sx]! / y[i * sy]!);
  }
  return result;
}

/** 1^y is 1 even for a missing y, and a square is a product, as in R. */
function power(x: number, y: number): number {
  if (x === 1) return 1;
  return y === 2 ? x * x : x ** y;
}

function and(a: Operand, b: Operand): Operand {
  const result = resultOf(a, b);
  for (let i = 0; i < result.data.length; i += 1) {
    const [x, y] = [a.data[i * a.step]!, b.data[i * b.step]!];
    result.data[i] = x === 0 || y === 0 ? 0 : x * y;
  }
  return result;
}

function or(a: Operand, b: Operand): Operand {
  const result = resultOf(a, b);
  for (let i = 0; i < result.data.length; i += 1) {
    const [x, y] = [a.data[i * a.step]!, b.data[i * b.step]!];
    result.data[i] = x === 1 || y === 1 ? 1 : x + y;
  }
  return result;
}

/** sign < 0, = 0, > 0 of "left minus right" → does the comparison hold? */
function holds(op: Comparison, sign: number): boolean {
  switch (op) {
    case "==":
      return sign === 0;
    case "!=":
      return sign !== 0;
    case "<":
      return sign < 0;
    case "<=":
      return sign <= 0;
    case ">":
      return sign > 0;
    default:
      return sign >= 0;
  }
}

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  "==": "==",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

function compare(op: Comparison, left: Value, right: Value, place: Place): Value {
  if (left.kind === "factor" && right.kind === "factor") return compareFactors(op, left, right, place);
  if (left.kind === "factor" && right.kind === "constant") return compareLevels(op, left, right.value, place);
  if (left.kind === "constant" && right.kind === "factor") return compareLevels(MIRRORED[op], right, left.value, place);
  if (isText(left) && isText(right)) {
    const sign = left.value < right.value ? -1 : left.value > right.value ? 1 : 0;
    return { kind: "constant", value: holds(op, sign) };
  }
  const a = comparable(left, place);
  const b = comparable(right, place);
  const result = resultOf(a, b);
  for (let i = 0; i < result.data.length; i += 1) {
    const [x, y] = [a.data[i * a.step]!, b.data[i * b.step]!];
    // Infinities are equal to themselves, though their difference is undefined.
    result.data[i] = Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : Number(holds(op, x === y ? 0 : x - y));
  }
  return finish("logical", result);
}

function isText(value: Value): value is { kind: "constant"; value: string } {
  return value.kind === "constant" && typeof value.value === "string";
}

/** Numbers for a comparison; a quoted number counts as the number. */
function comparable(value: Value, place: Place): Operand {
  if (isText(value) && !Number.isNaN(parseDecimal(value.value))) {
    return { data: Float64Array.of(parseDecimal(value.value)), step: 0 };
  }
  return toNumbers(value, "the comparison", place);
}

function compareLevels(op: Comparison, factor: FactorColumn, constant: Constant, place: Place): Value {
  const test = levelTest(op, factor, constant, place);
  return { kind: "logical", values: lookUp(factor.codes, test) };
}

/** For each level, whether the comparison holds: 1, 0 or NaN. */
function levelTest(op: Comparison, factor: FactorColumn, constant: Constant, place: Place): number[] {
  if (typeof constant === "number" && Number.isNaN(constant)) return factor.levels.map(() => Number.NaN);
  const text = String(constant);
  const matches = (level: string): boolean =>
    level === text || (typeof constant === "boolean" && level.toLowerCase() === text);
  if (op === "==" || op === "!=") return factor.levels.map((level) => Number(matches(level) === (op === "==")));
  const place0 = factor.levels.indexOf(text);
  if (factor.ordered && place0 >= 0) return factor.levels.map((_, code) => Number(holds(op, code - place0)));
  throw faultAt(place, {
    code: "NotOrdered",
    message: factor.ordered
      ? `"${text}" is not among the levels ${factor.levels.join(" < ")}.`
      : `"${op}" needs an order, but the levels (${factor.levels.slice(0, 6).join(", ")}) have none.`,
    fix: factor.ordered ? "compare with one of the levels." : "use == or !=, or declare the column as ordered.",
  });
}

function lookUp(codes: Int32Array, test: readonly number[]): Float64Array {
  const values = new Float64Array(codes.length);
  for (let i = 0; i < codes.length; i += 1) values[i] = codes[i]! < 0 ? Number.NaN : test[codes[i]!]!;
  return values;
}

function compareFactors(op: Comparison, a: FactorColumn, b: FactorColumn, place: Place): Value {
  const sameLevels = a.levels.length === b.levels.length && a.levels.every((level, i) => level === b.levels[i]);
  if (op !== "==" && op !== "!=" && !(a.ordered && b.ordered && sameLevels)) {
    throw faultAt(place, {
      code: "NotOrdered",
      message: `"${op}" between two factors needs the same ordered levels in both.`,
      fix: "use == or !=, or declare both columns as ordered with the same levels.",
    });
  }
  const places = new Map(a.levels.map((level, code) => [level, code]));
  const map = b.levels.map((level) => places.get(level) ?? -1);
  const values = new Float64Array(a.codes.length);
  for (let i = 0; i < values.length; i += 1) {
    const [x, y] = [a.codes[i]!, b.codes[i]!];
    values[i] = x < 0 || y < 0 ? Number.NaN : Number(holds(op, x - map[y]!));
  }
  return { kind: "logical", values };
}

function isIn(left: Value, right: Value, place: Place): Value {
  if (right.kind !== "list" && right.kind !== "constant") {
    const message = `"%in%" needs a list on its right, not ${describeValue(right)}.`;
    throw faultAt(place, { code: "FormulaCall", message, fix: 'write x %in% c("a", "b").' });
  }
  const wanted = right.kind === "list" ? right.values : [right.value];
  if (left.kind === "factor") {
    const texts = new Set(wanted.map(String));
    const test = left.levels.map((level) => Number(texts.has(level)));
    return { kind: "logical", values: lookUp(left.codes, test).map((x) => (Number.isNaN(x) ? 0 : x)) };
  }
  if (isText(left)) return { kind: "constant", value: wanted.map(String).includes(left.value) };
  const numbers = new Set(wanted.map((item) => (typeof item === "string" ? parseDecimal(item) : Number(item))));
  const missing = numbers.has(Number.NaN) && wanted.some((item) => typeof item === "number" && Number.isNaN(item));
  const { data, step } = toNumbers(left, '"%in%"', place);
  return finish("logical", {
    data: data.map((x) => Number(Number.isNaN(x) ? missing : numbers.has(x))),
    step,
  });
}
