/** Dense matrices, column-major: element (i, j) is data[i + j * rows]; construction, elementwise work and products.
 *  The `…Into` kernels write their first argument, allocate nothing and trust the shapes they are given.
 *  Limits: a target must not share storage with a factor of a product (elementwise kernels may work in place). */
import { addGramUpper, addNN, addScaledAt, addTN, addWeightedTN, dotAt } from "./kernel.ts";

export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float64Array;
}

export function zeros(rows: number, cols: number): Matrix {
  return { rows, cols, data: new Float64Array(rows * cols) };
}

export function identity(n: number): Matrix {
  const I = zeros(n, n);
  for (let i = 0; i < n; i++) I.data[i * (n + 1)] = 1;
  return I;
}

/** Square matrix with `d` on the diagonal. */
export function diagonalMatrix(d: ArrayLike<number>): Matrix {
  const D = zeros(d.length, d.length);
  for (let i = 0; i < d.length; i++) D.data[i * (d.length + 1)] = d[i]!;
  return D;
}

/** Rows of equal length; a shorter row leaves NaN. */
export function fromRows(rows: readonly ArrayLike<number>[]): Matrix {
  const cols = rows.length === 0 ? 0 : rows[0]!.length;
  const A = zeros(rows.length, cols);
  for (let j = 0; j < cols; j++) {
    for (let i = 0; i < rows.length; i++) A.data[i + j * rows.length] = rows[i]![j] ?? Number.NaN;
  }
  return A;
}

/** Columns of equal length; a shorter column leaves NaN. */
export function fromColumns(columns: readonly ArrayLike<number>[]): Matrix {
  const rows = columns.length === 0 ? 0 : columns[0]!.length;
  const A = zeros(rows, columns.length);
  for (let j = 0; j < columns.length; j++) {
    for (let i = 0; i < rows; i++) A.data[i + j * rows] = columns[j]![i] ?? Number.NaN;
  }
  return A;
}

export function clone(A: Matrix): Matrix {
  return { rows: A.rows, cols: A.cols, data: A.data.slice() };
}

/** The rows of A as arrays, for printing and tests. */
export function toRows(A: Matrix): number[][] {
  return Array.from({ length: A.rows }, (_, i) => Array.from({ length: A.cols }, (_, j) => A.data[i + j * A.rows]!));
}

/** View of column j: writing to it writes to A. */
export function column(A: Matrix, j: number): Float64Array {
  return A.data.subarray(j * A.rows, (j + 1) * A.rows);
}

export function diagonal(A: Matrix): Float64Array {
  const d = new Float64Array(Math.min(A.rows, A.cols));
  for (let i = 0; i < d.length; i++) d[i] = A.data[i + i * A.rows]!;
  return d;
}

/** The columns named by `index`, in that order. */
export function selectColumns(A: Matrix, index: ArrayLike<number>): Matrix {
  const S = zeros(A.rows, index.length);
  for (let j = 0; j < index.length; j++) S.data.set(column(A, index[j]!), j * A.rows);
  return S;
}

/** The rows named by `index`, in that order. */
export function selectRows(A: Matrix, index: ArrayLike<number>): Matrix {
  const S = zeros(index.length, A.cols);
  for (let j = 0; j < A.cols; j++) {
    for (let i = 0; i < index.length; i++) S.data[i + j * index.length] = A.data[index[i]! + j * A.rows]!;
  }
  return S;
}

/** Side of the square blocks in which a transpose walks: both sides of a block then stay in the cache. */
const TRANSPOSE_BLOCK = 16;

export function transposeInto(T: Matrix, A: Matrix): void {
  for (let jj = 0; jj < A.cols; jj += TRANSPOSE_BLOCK) {
    const jEnd = Math.min(jj + TRANSPOSE_BLOCK, A.cols);
    for (let ii = 0; ii < A.rows; ii += TRANSPOSE_BLOCK) {
      const iEnd = Math.min(ii + TRANSPOSE_BLOCK, A.rows);
      for (let j = jj; j < jEnd; j++) {
        for (let i = ii; i < iEnd; i++) T.data[j + i * A.cols] = A.data[i + j * A.rows]!;
      }
    }
  }
}

export function transpose(A: Matrix): Matrix {
  const T = zeros(A.cols, A.rows);
  transposeInto(T, A);
  return T;
}

/** C = A + s·B; C may be A or B. */
export function addInto(C: Matrix, A: Matrix, B: Matrix, s = 1): void {
  for (let i = 0; i < C.data.length; i++) C.data[i] = A.data[i]! + s * B.data[i]!;
}

/** C = A·B. */
export function multiplyInto(C: Matrix, A: Matrix, B: Matrix): void {
  C.data.fill(0);
  addNN(C.data, 0, C.rows, A.data, 0, A.rows, B.data, 0, B.rows, A.rows, B.cols, A.cols, 1);
}

export function multiply(A: Matrix, B: Matrix): Matrix {
  const C = zeros(A.rows, B.cols);
  multiplyInto(C, A, B);
  return C;
}

/** y = A·x. */
export function matVecInto(y: Float64Array, A: Matrix, x: Float64Array): void {
  const { rows: n, cols, data } = A;
  y.fill(0, 0, n);
  let j = 0;
  // four columns at a time, added one after the other as single ones are
  for (; j + 4 <= cols; j += 4) addFourScaled(y, data, j * n, n, x[j]!, x[j + 1]!, x[j + 2]!, x[j + 3]!);
  for (; j < cols; j++) addScaledAt(y, 0, data, j * n, n, x[j]!);
}

/** y ← (((y + s0·x0) + s1·x1) + s2·x2) + s3·x3 with neighbouring columns of k entries from x0 on. */
function addFourScaled(
  Y: Float64Array,
  X: Float64Array,
  x0: number,
  k: number,
  s0: number,
  s1: number,
  s2: number,
  s3: number,
): void {
  const x1 = x0 + k;
  const x2 = x1 + k;
  const x3 = x2 + k;
  for (let t = 0; t < k; t++) {
    Y[t] = Y[t]! + s0 * X[x0 + t]! + s1 * X[x1 + t]! + s2 * X[x2 + t]! + s3 * X[x3 + t]!;
  }
}

export function matVec(A: Matrix, x: Float64Array): Float64Array {
  const y = new Float64Array(A.rows);
  matVecInto(y, A, x);
  return y;
}

/** y = A'·x. */
export function tMatVecInto(y: Float64Array, A: Matrix, x: Float64Array): void {
  for (let j = 0; j < A.cols; j++) y[j] = dotAt(A.data, j * A.rows, x, 0, A.rows);
}

export function tMatVec(A: Matrix, x: Float64Array): Float64Array {
  const y = new Float64Array(A.cols);
  tMatVecInto(y, A, x);
  return y;
}

/** C = X'Y, or X'WY with the diagonal weights `w`. */
export function crossprodInto(C: Matrix, X: Matrix, Y: Matrix, w?: Float64Array): void {
  C.data.fill(0);
  const { rows, cols, data } = X;
  if (w === undefined) addTN(C.data, 0, C.rows, data, 0, rows, Y.data, 0, Y.rows, cols, Y.cols, rows, 1);
  else addWeightedTN(C.data, 0, C.rows, data, 0, rows, Y.data, 0, Y.rows, cols, Y.cols, rows, 1, w, false);
}

/** C = X'X, or X'WX with the diagonal weights `w` (any sign): one triangle is computed, the other copied. */
export function gramInto(C: Matrix, X: Matrix, w?: Float64Array): void {
  C.data.fill(0);
  const { rows, cols, data } = X;
  if (w === undefined) addGramUpper(C.data, 0, cols, data, 0, rows, cols, rows, 1);
  else addWeightedTN(C.data, 0, cols, data, 0, rows, data, 0, rows, cols, cols, rows, 1, w, true);
  mirrorUpperInto(C);
}

/** X'X, or X'Y, or with `w` X'WX and X'WY. */
export function crossprod(X: Matrix, Y: Matrix = X, w?: Float64Array): Matrix {
  const C = zeros(X.cols, Y.cols);
  if (Y === X) gramInto(C, X, w);
  else crossprodInto(C, X, Y, w);
  return C;
}

/** Copies the upper triangle onto the lower one. */
export function mirrorUpperInto(A: Matrix): void {
  const n = A.rows;
  for (let j = 0; j < n; j++) for (let i = 0; i < j; i++) A.data[j + i * n] = A.data[i + j * n]!;
}

/** Copies the lower triangle onto the upper one. */
export function mirrorLowerInto(A: Matrix): void {
  const n = A.rows;
  for (let j = 0; j < n; j++) for (let i = 0; i < j; i++) A.data[i + j * n] = A.data[j + i * n]!;
}

/** x'Ay for square A. */
export function bilinear(x: Float64Array, A: Matrix, y: Float64Array): number {
  let s = 0;
  for (let j = 0; j < A.cols; j++) s += y[j]! * dotAt(A.data, j * A.rows, x, 0, A.rows);
  return s;
}

/** Between these a sum of squares has neither overflowed nor lost a term worth an ulp. */
const SAFE_SQUARES_MIN = 1e-280;
const SAFE_SQUARES_MAX = 1e300;

/** Euclidean length of k entries, safe from overflow and underflow of the squares. */
export function normAt(X: Float64Array, x: number, k: number): number {
  const s = dotAt(X, x, X, x, k);
  if ((s > SAFE_SQUARES_MIN && s < SAFE_SQUARES_MAX) || Number.isNaN(s)) return Math.sqrt(s);
  let scale = 0;
  for (let t = 0; t < k; t++) scale = Math.max(scale, Math.abs(X[x + t]!));
  if (scale === 0 || scale === Number.POSITIVE_INFINITY) return scale;
  let sum = 0;
  for (let t = 0; t < k; t++) {
    const v = X[x + t]! / scale;
    sum += v * v;
  }
  return scale * Math.sqrt(sum);
}

/** Largest absolute entry; NaN if any entry is NaN. */
export function maxAbs(A: Matrix): number {
  let m = 0;
  for (let i = 0; i < A.data.length; i++) m = Math.max(m, Math.abs(A.data[i]!));
  return m;
}

/** A copy with row i multiplied by scale[i]. */
export function scaleRows(X: Matrix, scale: Float64Array): Matrix {
  const n = X.rows;
  const data = new Float64Array(X.data.length);
  for (let j = 0; j < X.cols; j++) for (let i = 0; i < n; i++) data[i + j * n] = X.data[i + j * n]! * scale[i]!;
  return { rows: n, cols: X.cols, data };
}
