/** Linear functions of a model's coefficients: combined, checked for estimability, estimated.
 *    estimate x'β + offset,   SE² x' Var(β) x,   df of the model for x
 *  With aliased columns, X_dropped = X_kept A: x'β has one value for all least-squares solutions if and only if
 *  x_dropped = x_kept A; otherwise it is NaN.
 *  Reference: Searle (1971), Linear Models, 5.4 (estimable functions).
 *  Oracle:    emmeans and estimability (R), oracle/r/emmeans.json. */
import { type Matrix, normAt, selectColumns, selectRows, zeros } from "../../numeric/linalg/matrix.ts";
import { qr, qrCoefficients } from "../../numeric/linalg/qr.ts";
import type { MarginalModel } from "./marginal-model.ts";

/** Row i is the function L_i'β + constant_i · (the model's constants) + offset_i, in all columns of the design, aliased ones too. */
export interface LinearFunctions {
  readonly L: Matrix;
  readonly constant: Float64Array;
  readonly offset: Float64Array;
}

export interface Estimated {
  readonly estimate: number;
  readonly se: number;
  readonly df: number;
}

/** A sum whose terms cancel to less than this share is 0: what is left is rounding. */
const ROUNDING = 1e-14;

/** Weighted sums of functions, one for each row of `weights`; a weight of 0 leaves an undefined function out. */
export function combineFunctions(weights: Matrix, { L, constant, offset }: LinearFunctions): LinearFunctions {
  const rows = weights.rows;
  const sum = (values: Float64Array, from: number, i: number): number => {
    let total = 0;
    let size = 0;
    for (let k = 0; k < weights.cols; k++) {
      const w = weights.data[i + k * rows]!;
      if (w === 0) continue;
      total += w * values[from + k]!;
      size += Math.abs(w * values[from + k]!);
    }
    return Math.abs(total) <= ROUNDING * size ? 0 : total;
  };
  const combined = zeros(rows, L.cols);
  for (let j = 0; j < L.cols; j++)
    for (let i = 0; i < rows; i++) combined.data[i + j * rows] = sum(L.data, j * L.rows, i);
  const each = (values: Float64Array) => Float64Array.from({ length: rows }, (_, i) => sum(values, 0, i));
  return { L: combined, constant: each(constant), offset: each(offset) };
}

/** On the logit or log scale no finite estimate is this uncertain; it belongs to a coefficient that ran away. */
const DIVERGED_SE = 100;

export function estimateFunctions(
  model: MarginalModel,
  functions: LinearFunctions,
  isEstimable: Estimability,
): Estimated[] {
  const { beta, vcov, infinite = [] } = model;
  return Array.from({ length: functions.L.rows }, (_, i) => {
    const undefinedEstimate = { estimate: Number.NaN, se: Number.NaN, df: Number.NaN };
    if (!isEstimable(functions.L, i)) return undefinedEstimate;
    const x = coefficientWeights(model, functions, i);
    let estimate = 0;
    for (let j = 0; j < x.length; j++) estimate += x[j]! * beta[j]!;
    const se = Math.sqrt(Math.max(0, quadraticForm(x, vcov)));
    if (se > DIVERGED_SE && infinite.some((is, j) => is && x[j] !== 0)) {
      return { ...undefinedEstimate, estimate: Math.sign(estimate) * Number.POSITIVE_INFINITY };
    }
    return { estimate: estimate + functions.offset[i]!, se, df: model.dfFor(x) };
  });
}

/** Row i in the order of the model's beta. */
function coefficientWeights(
  { kept, constants = new Float64Array(0) }: MarginalModel,
  { L, constant }: LinearFunctions,
  i: number,
): Float64Array {
  const x = new Float64Array(kept.length + constants.length);
  for (let j = 0; j < kept.length; j++) x[j] = L.data[i + kept[j]! * L.rows]!;
  for (let j = 0; j < constants.length; j++) x[kept.length + j] = constant[i]! * constants[j]!;
  return x;
}

function quadraticForm(x: Float64Array, V: Matrix): number {
  let sum = 0;
  for (let j = 0; j < x.length; j++) {
    if (x[j] === 0) continue;
    for (let i = 0; i < x.length; i++) sum += x[i]! * V.data[i + j * V.rows]! * x[j]!;
  }
  return sum;
}

/** Share by which a function may miss the row space of X and still count as in it (emmeans has the same). */
const ESTIMABLE = 1e-8;

/** Tells for row i of L whether it is estimable; an undefined row is not. */
export type Estimability = (L: Matrix, i: number) => boolean;

export function estimability({ design, kept }: MarginalModel): Estimability {
  const isKept = new Set(kept);
  const dropped = design.names.map((_, j) => j).filter((j) => !isKept.has(j));
  const A = dropped.length === 0 ? undefined : aliasing(design.X, { kept, dropped, weights: design.weights });
  const length =
    dropped.length === 0 ? [] : design.names.map((_, j) => normAt(design.X.data, j * design.X.rows, design.X.rows));
  return (L, i) => {
    for (let j = 0; j < L.cols; j++) if (Number.isNaN(L.data[i + j * L.rows]!)) return false;
    return dropped.every((column, d) => {
      const own = L.data[i + column * L.rows]!;
      let needed = 0;
      let size = Math.abs(own); // in units of the dropped column: what rounding in A is relative to
      for (let j = 0; j < kept.length; j++) {
        const value = L.data[i + kept[j]! * L.rows]!;
        needed += value * A!.data[j + d * kept.length]!;
        size += (Math.abs(value) * length[column]!) / length[kept[j]!]!;
      }
      return Math.abs(own - needed) <= ESTIMABLE * size;
    });
  };
}

/** How the dropped columns are made of the kept ones, one column of the result for each. */
function aliasing(
  X: Matrix,
  { kept, dropped, weights }: { kept: Int32Array; dropped: readonly number[]; weights: Float64Array | undefined },
): Matrix {
  const rows = weights && Int32Array.from(weights.keys()).filter((i) => weights[i]! > 0);
  const used = rows && rows.length < X.rows ? selectRows(X, rows) : X;
  const factor = qr(selectColumns(used, kept), { pivoting: "none" });
  const A = zeros(kept.length, dropped.length);
  dropped.forEach((column, d) => {
    const y = used.data.slice(column * used.rows, (column + 1) * used.rows);
    A.data.set(qrCoefficients(factor, y), d * kept.length);
  });
  return A;
}
