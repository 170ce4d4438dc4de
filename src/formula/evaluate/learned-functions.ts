/** Functions that learn numbers from the data: scale, center, poly, mean, sd, median, min, max.
 *  Oracle: R, oracle/r/design.json. Limits: they pass over missing cells (R's mean and poly do not take any). */

import { learnOrthogonal, orthogonalColumns } from "../orthogonal.ts";
import { printExpression } from "../parse/print.ts";
import { refuseColumns } from "../size.ts";
import { argumentColumn, argumentConstant, type Call, type FunctionState, fail, remember } from "./call.ts";
import type { Constant, Value } from "./value.ts";

export const SUMMARIES: ReadonlyMap<string, (sorted: Float64Array) => number> = new Map([
  ["mean", meanOf],
  ["sd", sdOf],
  ["median", medianOf],
  ["min", (sorted: Float64Array) => sorted[0] ?? Number.NaN],
  ["max", (sorted: Float64Array) => sorted.at(-1) ?? Number.NaN],
]);

export function summarise(running: Call, compute: (sorted: Float64Array) => number): Value {
  const learn = (): FunctionState & { kind: "scalar" } => {
    const present = argumentColumn(running).filter((x) => !Number.isNaN(x));
    return { kind: "scalar", value: compute(present.sort()) };
  };
  return { kind: "constant", value: remember(running, "scalar", learn).value };
}

/** (x - center) / scale, both learned; center(x) only subtracts. */
export function scale(running: Call): Value {
  const x = argumentColumn(running);
  const wanted = (i: number, byDefault: boolean): Constant => argumentConstant(running, i) ?? byDefault;
  const [byCenter, byScale] = running.call.fn === "center" ? [true, false] : [wanted(1, true), wanted(2, true)];
  const { center, scale: divisor } = remember(running, "scale", () => {
    const present = x.filter((value) => !Number.isNaN(value));
    const learned = typeof byCenter === "boolean" ? (byCenter ? meanOf(present) : 0) : Number(byCenter);
    const spreadOf = (): number => rootMeanSquare(present, learned);
    return {
      kind: "scale",
      center: learned,
      scale: typeof byScale === "boolean" ? (byScale ? spreadOf() : 1) : Number(byScale),
    };
  });
  if (!(divisor > 0)) {
    throw fail(running, `${printExpression(running.call)} divides by zero: all values are equal.`, "drop this term.");
  }
  return { kind: "numeric", values: x.map((value) => (value - center) / divisor) };
}

export function polynomial(running: Call): Value {
  const x = argumentColumn(running);
  const degree = argumentConstant(running, 1) ?? 1;
  if (typeof degree !== "number" || !Number.isInteger(degree) || degree < 1) {
    throw fail(running, "the degree must be a whole number from 1.", "write poly(x, 2).");
  }
  refuseColumns(printExpression(running.call), degree, x.length, "Lower the degree.");
  const names = Array.from({ length: degree }, (_, j) => String(j + 1));
  if (argumentConstant(running, 2) === true) {
    return { kind: "matrix", columns: names.map((_, j) => x.map((value) => value ** (j + 1))), names };
  }
  const { basis } = remember(running, "poly", () => {
    const learned = learnOrthogonal(x, degree);
    if (learned !== undefined) return { kind: "poly", basis: learned };
    const message = `${printExpression(running.call)} needs more than ${degree} different values.`;
    throw fail(running, message, "lower the degree.");
  });
  return { kind: "matrix", columns: orthogonalColumns(x, basis), names };
}

/** Two passes: the second takes up what rounding lost in the first. */
function meanOf(x: Float64Array): number {
  let sum = 0;
  for (const value of x) sum += value;
  const first = sum / x.length;
  let rest = 0;
  for (const value of x) rest += value - first;
  return Number.isFinite(first) ? first + rest / x.length : first;
}

function sdOf(x: Float64Array): number {
  return x.length < 2 ? Number.NaN : rootMeanSquare(x, meanOf(x));
}

/** √(Σ (x - center)² / (n - 1)): the standard deviation when `center` is the mean. */
function rootMeanSquare(x: Float64Array, center: number): number {
  let sum = 0;
  for (const value of x) sum += (value - center) ** 2;
  return Math.sqrt(sum / (x.length - 1));
}

function medianOf(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? Number.NaN) + sorted[middle]!) / 2;
}
