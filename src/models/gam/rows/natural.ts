/** Of a natural cubic spline given by values (function 2j) and curvatures (2j + 1) at its knots. The curvatures γ follow from the
 *  values v by a tridiagonal system, Bγ = Dv, so that T·φ = T_values (φ_values + D'B⁻¹φ_curvatures). The coefficients of a cubic
 *  regression spline are its values, but for the constraint: T_values is then the identity, without its first row, minus a
 *  matrix of rank one. */
import { dotAt } from "../../../numeric/linalg/kernel.ts";
import type { Matrix } from "../../../numeric/linalg/matrix.ts";
import { selectColumns, zeros } from "../../../numeric/linalg/matrix.ts";
import { plainTables, type Tables } from "./tables.ts";

/** Entries of a table that agree to this are the same: they come from one reflection. */
const SAME = 1e-14;

export function naturalTables(table: Matrix, knots: Float64Array): Tables {
  const k = knots.length;
  const values = selectColumns(
    table,
    Int32Array.from({ length: k }, (_, j) => 2 * j),
  );
  const atKnots = rankOneTables(values) ?? plainTables(values);
  const system = curvatureSystem(knots);
  return {
    functions: 2 * k,
    columns: table.rows,
    toColumns(Phi) {
      const reduced = zeros(k, Phi.cols);
      const inner = new Float64Array(k - 2);
      for (let c = 0; c < Phi.cols; c++)
        reduceInto(reduced.data, k * c, { Phi: Phi.data, from: 2 * k * c, inner, system });
      return atKnots.toColumns(reduced);
    },
    toFunctions(B) {
      const v = atKnots.toFunctions(B).data;
      const U = zeros(2 * k, B.cols);
      for (let c = 0; c < B.cols; c++) expandInto(U.data, 2 * k * c, v, k * c, system);
      return U;
    },
  };
}

/** B of the inner knots, with (h_i + h_{i+1})/3 on its diagonal and h_{i+1}/6 beside it, as LDL'. */
interface CurvatureSystem {
  readonly size: number;
  /** 1/h */
  readonly perGap: Float64Array;
  /** 1/D */
  readonly perPivot: Float64Array;
  /** L below its diagonal. */
  readonly factors: Float64Array;
}

function curvatureSystem(knots: Float64Array): CurvatureSystem {
  const size = knots.length - 2;
  const gaps = Float64Array.from({ length: size + 1 }, (_, j) => knots[j + 1]! - knots[j]!);
  const perPivot = new Float64Array(size);
  const factors = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    perPivot[i] = 1 / ((gaps[i]! + gaps[i + 1]!) / 3 - (i === 0 ? 0 : (factors[i - 1]! * gaps[i]!) / 6));
    factors[i] = (gaps[i + 1]! / 6) * perPivot[i]!;
  }
  return { size, perGap: gaps.map((gap) => 1 / gap), perPivot, factors };
}

/** x ← B⁻¹x for the entries at, at + step, … */
function solveAt(x: Float64Array, at: number, step: number, { size, perPivot, factors }: CurvatureSystem): void {
  let carried = x[at]!;
  x[at] = carried * perPivot[0]!;
  for (let i = 1; i < size; i++) {
    carried = x[at + step * i]! - factors[i - 1]! * carried;
    x[at + step * i] = carried * perPivot[i]!;
  }
  carried = x[at + step * (size - 1)]!;
  for (let i = size - 2; i >= 0; i--) {
    carried = x[at + step * i]! - factors[i]! * carried;
    x[at + step * i] = carried;
  }
}

/** φ_values + D'B⁻¹φ_curvatures of one column. */
function reduceInto(
  target: Float64Array,
  to: number,
  source: {
    readonly Phi: Float64Array;
    readonly from: number;
    readonly inner: Float64Array;
    readonly system: CurvatureSystem;
  },
): void {
  const { Phi, from, inner, system } = source;
  const { size, perGap } = system;
  for (let i = 0; i < size; i++) inner[i] = Phi[from + 2 * i + 3]!;
  solveAt(inner, 0, 1, system);
  for (let j = 0; j < size + 2; j++) target[to + j] = Phi[from + 2 * j]!;
  for (let i = 0; i < size; i++) {
    const left = inner[i]! * perGap[i]!;
    const right = inner[i]! * perGap[i + 1]!;
    target[to + i]! += left;
    target[to + i + 1]! -= left + right;
    target[to + i + 2]! += right;
  }
}

/** Values and curvatures of one column of values. */
function expandInto(U: Float64Array, to: number, v: Float64Array, from: number, system: CurvatureSystem): void {
  const { size, perGap } = system;
  for (let j = 0; j < size + 2; j++) U[to + 2 * j] = v[from + j]!;
  for (let i = 0; i < size; i++) {
    const middle = v[from + i + 1]!;
    U[to + 2 * i + 3] = (v[from + i + 2]! - middle) * perGap[i + 1]! - (middle - v[from + i]!) * perGap[i]!;
  }
  solveAt(U, to + 3, 2, system);
}

/** Of T = E - au', E the identity or that without its first row; undefined for any other T. */
function rankOneTables(T: Matrix): Tables | undefined {
  const { rows: m, cols: k } = T;
  const skip = k - m;
  if (skip !== 0 && skip !== 1) return undefined;
  const rest = (r: number, c: number): number => (c === r + skip ? 1 : 0) - T.data[r + c * m]!;
  const a = Float64Array.from({ length: m }, (_, r) => (skip === 0 ? 0 : rest(r, 0)));
  const square = a.reduce((sum, value) => sum + value * value, 0);
  const u = Float64Array.from({ length: k }, (_, c) =>
    square === 0 ? 0 : a.reduce((sum, value, r) => sum + value * rest(r, c), 0) / square,
  );
  for (let c = 0; c < k; c++)
    for (let r = 0; r < m; r++) if (Math.abs(rest(r, c) - a[r]! * u[c]!) > SAME) return undefined;
  return {
    functions: k,
    columns: m,
    toColumns: (Phi) => minusRankOne(Phi, { rows: m, take: skip, put: 0, along: u, by: a }),
    toFunctions: (B) => minusRankOne(B, { rows: k, take: 0, put: skip, along: a, by: u }),
  };
}

/** Rows of A from `take` on, placed from row `put` on, minus by·(along'A). */
function minusRankOne(
  A: Matrix,
  shape: {
    readonly rows: number;
    readonly take: number;
    readonly put: number;
    readonly along: Float64Array;
    readonly by: Float64Array;
  },
): Matrix {
  const { rows, take, put, along, by } = shape;
  const { rows: n, data: source } = A;
  const result = zeros(rows, A.cols);
  const target = result.data;
  for (let c = 0; c < A.cols; c++) {
    const share = dotAt(along, 0, source, c * n, n);
    const to = c * rows;
    for (let r = 0; r < rows; r++) target[to + r] = -share * by[r]!;
    for (let r = take; r < n; r++) target[to + r - take + put]! += source[c * n + r]!;
  }
  return result;
}
