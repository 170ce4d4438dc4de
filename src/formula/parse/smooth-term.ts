/** Smooth terms as written in mgcv's notation: s(x, k = 20, bs = "cr"), s(x, by = g), te(x, z, k = c(5, 6)), ti, t2.
 *  Only the text is read here; the bases are made from the columns that formula/design.ts carries along.
 *  Oracle: mgcv's interpret.gam (labels), oracle/r/design.json. */
import type { StatError } from "../../result/error.ts";
import { present } from "../../result/present.ts";
import type { CallExpression, Expression, SmoothTerm } from "../term.ts";
import { checkCalls } from "./arguments.ts";
import { faultAt } from "./fault.ts";
import { plainName, printExpression, printName, printNumber } from "./print.ts";

type Constant = number | string | boolean;

const OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["s", ["k", "fx", "bs", "m", "by", "id", "sp"]],
  ["te", ["k", "bs", "m", "d", "by", "fx", "id", "sp"]],
  ["ti", ["k", "bs", "m", "d", "by", "fx", "id", "sp"]],
  ["t2", ["k", "bs", "m", "d", "by", "id", "sp"]],
]);

interface Reading {
  readonly source: string;
  readonly call: CallExpression;
}

export function isSmoothCall(expression: Expression): expression is CallExpression {
  return expression.kind === "call" && OPTIONS.has(expression.fn);
}

export function makeSmoothTerm(source: string, call: CallExpression): SmoothTerm {
  const reading = { source, call };
  const options = OPTIONS.get(call.fn)!;
  const unknown = [...call.named.keys()].find((name) => !options.includes(name));
  if (unknown !== undefined) {
    throw fail(reading, `${call.fn}() has no option "${unknown}" here.`, `use ${options.join(", ")}.`);
  }
  const covariates = call.args;
  for (const covariate of covariates) checkCalls(source, covariate);
  const of = covariates.map(plainName);
  if (of.length === 0) throw fail(reading, `${call.fn}() names no covariate.`, `write ${call.fn}(x).`);
  if (new Set(of).size < of.length) {
    throw fail(reading, `${printExpression(call)} names a covariate twice.`, "name each covariate once.");
  }
  const tensor = call.fn !== "s";
  const d = tensor ? marginSizes(reading, of.length) : [of.length];
  const m = numbers(reading, "m");
  const sp = numbers(reading, "sp");
  const byExpression = readBy(reading);
  const id = constants(reading, "id")?.[0];
  return {
    kind: "smooth",
    fn: call.fn as SmoothTerm["fn"],
    of,
    covariates,
    basis: tensor
      ? marginBases(reading, d)
      : perMargin(reading, "bs", { values: texts(reading, "bs") ?? ["tp"], margins: 1 }),
    k: perMargin(reading, "k", { values: readK(reading), margins: d.length }),
    d,
    ...(byExpression === undefined ? {} : { by: plainName(byExpression), byExpression }),
    ...present({ m }),
    fx: readFlag(reading, "fx"),
    ...present({ sp }),
    ...(id === undefined ? {} : { id: String(id) }),
    label: `${call.fn}(${covariates.map(printExpression).join(",")})`,
  };
}

/** The term as a call that reads back to the same term. */
export function printSmoothTerm(term: SmoothTerm): string {
  const args = term.covariates.map(printExpression);
  const list = (values: readonly Constant[]): string => {
    const printed = values.map((value) => (typeof value === "number" ? printNumber(value) : `"${value}"`));
    return printed.length === 1 ? printed[0]! : `c(${printed.join(", ")})`;
  };
  if (term.fn !== "s") args.push(`d = ${list(term.d)}`);
  args.push(`bs = ${list(term.basis)}`);
  if (term.k.some((k) => !Number.isNaN(k))) args.push(`k = ${list(term.k)}`);
  if (term.byExpression !== undefined) args.push(`by = ${printExpression(term.byExpression)}`);
  if (term.m !== undefined) args.push(`m = ${list(term.m)}`);
  if (term.fx) args.push("fx = TRUE");
  if (term.sp !== undefined) args.push(`sp = ${list(term.sp)}`);
  if (term.id !== undefined) args.push(`id = ${printExpression({ kind: "string", value: term.id, at: 0 })}`);
  return `${printName(term.fn)}(${args.join(", ")})`;
}

function fail({ source, call }: Reading, message: string, fix: string): StatError {
  return faultAt({ source, at: call.at }, { code: "FormulaSmooth", message, fix });
}

/** -1 and NA ask for the default size. */
function readK(reading: Reading): number[] {
  return (numbers(reading, "k") ?? [Number.NaN]).map((k) => {
    if (Number.isNaN(k) || k === -1) return Number.NaN;
    if (Number.isInteger(k) && k >= 1) return k;
    throw fail(reading, `k = ${printNumber(k)} is not a basis size.`, "give a whole number such as k = 20.");
  });
}

function readBy(reading: Reading): Expression | undefined {
  const by = reading.call.named.get("by");
  if (by === undefined || (by.kind === "number" && Number.isNaN(by.value))) return undefined;
  checkCalls(reading.source, by);
  if (by.kind === "variable" || by.kind === "call") return by;
  throw fail(
    reading,
    `by = ${printExpression(by)} is not a column.`,
    "name a numeric column or a factor: s(x, by = g).",
  );
}

function readFlag(reading: Reading, option: string): boolean {
  const values = constants(reading, option) ?? [false];
  if (values.length === 1 && typeof values[0] === "boolean") return values[0];
  throw fail(reading, `${option} must be TRUE or FALSE.`, `write ${option} = TRUE.`);
}

function marginSizes(reading: Reading, covariates: number): number[] {
  const d = numbers(reading, "d") ?? [1];
  const sizes = d.length === 1 && d[0] === 1 ? Array.from({ length: covariates }, () => 1) : d;
  if (sizes.every((size) => Number.isInteger(size) && size > 0) && sizes.reduce((a, b) => a + b) === covariates) {
    return sizes;
  }
  const fix = `make the sizes of the margins add up to ${covariates}, e.g. te(x, z, t, d = c(2, 1)).`;
  throw fail(reading, `d = ${d.join(", ")} does not fit ${covariates} covariate(s).`, fix);
}

/** A margin of several covariates takes thin plates where the basis asked for is one-dimensional, as in mgcv. */
function marginBases(reading: Reading, d: readonly number[]): string[] {
  const given = perMargin(reading, "bs", { values: texts(reading, "bs") ?? ["cr"], margins: d.length });
  return given.map((basis, j) => (d[j]! > 1 && ["cr", "cs", "ps", "cp"].includes(basis) ? "tp" : basis));
}

function perMargin<T>(
  reading: Reading,
  option: string,
  { values, margins }: { values: readonly T[]; margins: number },
): readonly T[] {
  if (values.length === margins) return values;
  if (values.length === 1) return Array.from({ length: margins }, () => values[0]!);
  const message = `${option} has ${values.length} values for ${margins} margin(s) in ${printExpression(reading.call)}.`;
  throw fail(reading, message, `give one ${option}, or one per margin.`);
}

function numbers(reading: Reading, option: string): number[] | undefined {
  return constants(reading, option)?.map((value) => {
    if (typeof value === "number") return value;
    throw fail(
      reading,
      `${option} must be a number or c(…) of numbers.`,
      `write ${option} = 5 or ${option} = c(5, 6).`,
    );
  });
}

function texts(reading: Reading, option: string): string[] | undefined {
  return constants(reading, option)?.map((value) => {
    if (typeof value === "string") return value;
    throw fail(reading, `${option} must be a quoted name or c(…) of them.`, `write ${option} = "cr".`);
  });
}

/** A constant or c(…) of constants. */
function constants(reading: Reading, option: string): Constant[] | undefined {
  const value = reading.call.named.get(option);
  if (value === undefined) return undefined;
  const items = value.kind === "call" && value.fn === "c" && value.named.size === 0 ? value.args : [value];
  return items.map((item) => {
    if (item.kind === "number" || item.kind === "string" || item.kind === "logical") return item.value;
    if (item.kind === "unary" && item.op === "-" && item.arg.kind === "number") return -item.arg.value;
    throw fail(reading, `${option} = ${printExpression(value)} is not a constant.`, "write numbers or quoted names.");
  });
}
