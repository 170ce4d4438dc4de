/** The functions of formulas and expressions. Some learn from the data (scale, poly, factor, mean, …): what they learn is
 *  kept under the text of the call, so that new data is treated with the old data's centre, polynomials and levels.
 *  Oracle: R, oracle/r/design.json. */
import { sortLevels } from "../../data/levels.ts";
import { codeOnto } from "../coding.ts";
import { matchArguments } from "../parse/arguments.ts";
import { faultAt } from "../parse/fault.ts";
import type { CallExpression, Expression } from "../term.ts";
import { argumentConstant, argumentNumbers, type Call, type FunctionState, fail } from "./call.ts";
import { chooseContrast, makeFactor, makeNumeric, putReferenceFirst } from "./factor-functions.ts";
import { polynomial, SUMMARIES, scale, summarise } from "./learned-functions.ts";
import { type Constant, describeValue, spread, toFactor, toLogical, toNumbers, type Value } from "./value.ts";

const ELEMENTWISE: ReadonlyMap<string, (x: number) => number> = new Map([
  ["log2", Math.log2],
  ["log10", Math.log10],
  ["log1p", Math.log1p],
  ["exp", Math.exp],
  ["expm1", Math.expm1],
  ["sqrt", Math.sqrt],
  ["abs", Math.abs],
  ["sign", Math.sign],
  ["sin", Math.sin],
  ["cos", Math.cos],
  ["tan", Math.tan],
  ["floor", Math.floor],
  ["ceiling", Math.ceil],
  ["trunc", Math.trunc],
]);

export interface CallContext {
  readonly source: string;
  readonly rows: number;
  readonly states: Map<string, FunctionState>;
  evaluate(expression: Expression): Value;
}

export function callFunction(call: CallExpression, context: CallContext): Value {
  const { source, rows, states, evaluate } = context;
  const args = matchArguments(source, call);
  const running: Call = { call, args, place: { source, at: call.at }, rows, states, evaluate };
  const elementwise = ELEMENTWISE.get(call.fn);
  if (elementwise !== undefined) return mapNumbers(running, elementwise);
  const summary = SUMMARIES.get(call.fn);
  if (summary !== undefined) return summarise(running, summary);
  const compute = FUNCTIONS.get(call.fn);
  if (compute !== undefined) return compute(running);
  const fix = "write it as a term of its own: y ~ x + offset(w).";
  throw faultAt(running.place, { code: "FormulaCall", message: `${call.fn}() stands inside an expression.`, fix });
}

const FUNCTIONS: ReadonlyMap<string, (running: Call) => Value> = new Map<string, (running: Call) => Value>([
  ["I", (running) => running.evaluate(running.args[0]!)],
  ["log", logarithm],
  ["round", round],
  ["is.na", isMissingValue],
  ["ifelse", chooseByRow],
  ["pmin", (running) => extreme(running, Math.min)],
  ["pmax", (running) => extreme(running, Math.max)],
  ["scale", scale],
  ["center", scale],
  ["poly", polynomial],
  ["factor", makeFactor],
  ["ordered", makeFactor],
  ["as.factor", makeFactor],
  ["as.ordered", makeFactor],
  ["as.numeric", makeNumeric],
  ["relevel", putReferenceFirst],
  ["C", chooseContrast],
  ["c", makeList],
  ["cbind", bindColumns],
]);

function mapNumbers(running: Call, compute: (x: number) => number): Value {
  const { data, step } = argumentNumbers(running, 0);
  if (step === 0) return { kind: "constant", value: compute(data[0]!) };
  const values = new Float64Array(data.length);
  for (let i = 0; i < values.length; i += 1) values[i] = compute(data[i]!);
  return { kind: "numeric", values };
}

function logarithm(running: Call): Value {
  const base = argumentConstant(running, 1);
  if (base === undefined) return mapNumbers(running, Math.log);
  if (typeof base !== "number") throw fail(running, "the base must be a number.", "write log(x, 2) or log2(x).");
  if (base === 2) return mapNumbers(running, Math.log2);
  return base === 10 ? mapNumbers(running, Math.log10) : mapNumbers(running, (x) => Math.log(x) / Math.log(base));
}

/** To the nearest number with so many decimals; a tie goes to the even digit. */
function round(running: Call): Value {
  const digits = argumentConstant(running, 1) ?? 0;
  if (typeof digits !== "number" || !Number.isInteger(digits) || Math.abs(digits) > 300) {
    throw fail(running, "digits must be a whole number.", "write round(x, 2).");
  }
  const unit = 10 ** digits;
  return mapNumbers(running, (x) => {
    if (!Number.isFinite(x * unit)) return x;
    const below = Math.floor(x * unit);
    const [low, high] = [below / unit, (below + 1) / unit];
    if (x - low === high - x) return below % 2 === 0 ? low : high;
    return x - low < high - x ? low : high;
  });
}

function isMissingValue(running: Call): Value {
  const value = spread(running.evaluate(running.args[0]!), running.rows);
  if (value.kind === "factor") {
    return { kind: "logical", values: Float64Array.from(value.codes, (code) => Number(code < 0)) };
  }
  const { data } = toNumbers(value, "is.na()", running.place);
  return { kind: "logical", values: data.map((x) => Number(Number.isNaN(x))) };
}

function chooseByRow(running: Call): Value {
  const test = toLogical(running.evaluate(running.args[0]!), "ifelse()", running.place);
  const yes = spread(running.evaluate(running.args[1]!), running.rows);
  const no = spread(running.evaluate(running.args[2]!), running.rows);
  const at = (row: number): number => test.data[row * test.step]!;
  if (yes.kind !== "factor" && no.kind !== "factor") {
    const a = toNumbers(yes, "ifelse()", running.place).data;
    const b = toNumbers(no, "ifelse()", running.place).data;
    const values = new Float64Array(running.rows);
    for (let i = 0; i < values.length; i += 1)
      values[i] = Number.isNaN(at(i)) ? Number.NaN : at(i) === 1 ? a[i]! : b[i]!;
    return { kind: yes.kind === "logical" && no.kind === "logical" ? "logical" : "numeric", values };
  }
  const [a, b] = [toFactor(yes, "ifelse()", running.place), toFactor(no, "ifelse()", running.place)];
  const levels = sortLevels(new Set([...a.levels, ...b.levels]));
  const [codesA, codesB] = [codeOnto(a, levels).codes, codeOnto(b, levels).codes];
  const codes = new Int32Array(running.rows);
  for (let i = 0; i < codes.length; i += 1) codes[i] = Number.isNaN(at(i)) ? -1 : at(i) === 1 ? codesA[i]! : codesB[i]!;
  return { kind: "factor", codes, levels, ordered: false };
}

function extreme(running: Call, better: (x: number, y: number) => number): Value {
  const operands = running.args.map((_, i) => argumentNumbers(running, i));
  const rows = operands.some(({ step }) => step === 1) ? running.rows : 1;
  const values = new Float64Array(rows);
  for (let i = 0; i < rows; i += 1) {
    let best = operands[0]!.data[i * operands[0]!.step]!;
    for (const { data, step } of operands) {
      const x = data[i * step]!;
      best = Number.isNaN(best) || Number.isNaN(x) ? Number.NaN : better(best, x);
    }
    values[i] = best;
  }
  return operands.some(({ step }) => step === 1)
    ? { kind: "numeric", values }
    : { kind: "constant", value: values[0]! };
}

function makeList(running: Call): Value {
  const values = running.args.flatMap((argument): readonly Constant[] => {
    const value = running.evaluate(argument!);
    if (value.kind === "constant") return [value.value];
    if (value.kind === "list") return value.values;
    throw fail(running, `c() holds ${describeValue(value)}.`, 'list constants: c("a", "b").');
  });
  return { kind: "list", values };
}

function bindColumns(running: Call): Value {
  const columns = running.args.map((argument) => {
    const value = spread(running.evaluate(argument!), running.rows);
    return toNumbers(value, "cbind()", running.place).data;
  });
  return { kind: "matrix", columns, names: running.args.map((arg) => (arg?.kind === "variable" ? arg.name : "")) };
}
