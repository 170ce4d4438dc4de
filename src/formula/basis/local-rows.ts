/** Rows of a basis: the few functions that are not zero at a point, and the columns they make through the margin's table.
 *  Nothing here allocates per row; points are read as covariates[c][row], factors as their codes. */
import { addNN, addScaledAt } from "../../numeric/linalg/kernel.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { bsplineRowInto } from "./bspline.ts";
import { cubicRowInto } from "./cubic.ts";
import type { BasisFunctions, LocalFunctions, Margin, RadialFunctions } from "./margin.ts";
import { functionCount, functionWidth } from "./margin.ts";
import { radialRowInto } from "./radial.ts";
import { levelRowInto } from "./random.ts";

/** The functions of a local basis at one row: values[at … at + functionWidth), and the number of the first of them. */
export function localRowInto(
  values: Float64Array,
  at: number,
  functions: LocalFunctions,
  covariates: readonly Float64Array[],
  row: number,
): number {
  switch (functions.kind) {
    case "cubic":
      return cubicRowInto(values, at, functions, covariates[0]![row]!);
    case "bspline":
      return bsplineRowInto(values, at, functions, covariates[0]![row]!);
    case "levels":
      return levelRowInto(values, at, functions, covariates, row);
  }
}

export interface LocalRows {
  /** Neighbouring functions per row. */
  readonly width: number;
  /** How many functions there are. */
  readonly functions: number;
  /** Row i has values[width·i + j] at function first[i] + j. */
  readonly first: Int32Array;
  readonly values: Float64Array;
}

/** All rows of a local basis; undefined for a basis whose functions are nowhere zero. */
export function localRows(margin: Margin, covariates: readonly Float64Array[]): LocalRows | undefined {
  const { functions } = margin;
  if (functions.kind === "radial") return undefined;
  const width = functionWidth(functions);
  const rows = covariates[0]!.length;
  const first = new Int32Array(rows);
  const values = new Float64Array(width * rows);
  for (let i = 0; i < rows; i++) first[i] = localRowInto(values, width * i, functions, covariates, i);
  return { width, functions: functionCount(functions), first, values };
}

/** Numbers that marginRowInto needs as scratch. */
export function marginScratch({ functions }: Margin): number {
  return functionWidth(functions);
}

/** The margin's columns at one row: target[at … at + columns). */
export function marginRowInto(
  target: Float64Array,
  at: number,
  margin: Margin,
  covariates: readonly Float64Array[],
  row: number,
  scratch: Float64Array,
): void {
  const { functions, table, columns } = margin;
  const first = functionsInto(scratch, functions, covariates, row);
  const width = functionWidth(functions);
  target.fill(0, at, at + columns);
  if (table === undefined) {
    for (let j = 0; j < width; j++) target[at + first + j] = scratch[j]!;
    return;
  }
  for (let j = 0; j < width; j++) addScaledAt(target, at, table.data, (first + j) * columns, columns, scratch[j]!);
}

function functionsInto(
  scratch: Float64Array,
  functions: BasisFunctions,
  covariates: readonly Float64Array[],
  row: number,
): number {
  if (functions.kind !== "radial") return localRowInto(scratch, 0, functions, covariates, row);
  radialRowInto(scratch, 0, functions, covariates, row);
  return 0;
}

/** Points that share one product with the table, which is then read once for all of them. */
const BATCH = 32;

/** The rows of a radial basis at many points, as columns: columns × points. */
export function radialRows(functions: RadialFunctions, table: Matrix, covariates: readonly Float64Array[]): Matrix {
  const points = covariates[0]!.length;
  const { rows: k, cols: count } = table;
  const result = zeros(k, points);
  const phi = new Float64Array(count * BATCH);
  for (let from = 0; from < points; from += BATCH) {
    const size = Math.min(BATCH, points - from);
    for (let r = 0; r < size; r++) radialRowInto(phi, r * count, functions, covariates, from + r);
    addNN(result.data, from * k, k, table.data, 0, k, phi, 0, count, k, size, count, 1);
  }
  return result;
}
