/** Dense Cholesky factorisation A = LL' of a symmetric positive definite matrix, with what follows from it.
 *
 *  Only the lower triangle of A is read. The work is done on U = L' in the upper triangle of the target, because
 *  U'U = A is made of dot products of columns, which are contiguous; L is copied out at the end.
 *  Large orders are left to the kernels of wasm.ts where they can be had; the path here is then their oracle.
 *  A kernel that can fail returns -1 for success, else the 0-based index of the first pivot that is not positive
 *  (NaN included); the target is then unspecified.
 *  Reference: Golub & Van Loan (2013), Matrix Computations, 4th ed., §4.2 (block form), §6.5.4 (update).
 *  Oracle:    Hilbert and second-difference matrices in closed form; reconstruction within n ulps.
 *  Limits:    no pivoting (see pivoted-cholesky.ts). */
import { addGramUpper, addTN, dotAt } from "./kernel.ts";
import type { Matrix } from "./matrix.ts";
import { mirrorUpperInto, zeros } from "./matrix.ts";
import { solveLowerAt, solveLowerTAt, solveLowerTVectorAt, solveLowerVectorAt, solveUpperTAt } from "./triangular.ts";
import { wasmCholeskyInto, wasmCholeskyUpperAt, wasmCholInverseInto, wasmInvertLowerInto } from "./wasm.ts";

/** Columns factored at a time: each pass over the finished columns serves this many. */
const PANEL = 32;

/** U'U = A in place on the upper triangle of a block; entries below its diagonal are spoilt. Returns -1 or the bad pivot. */
export function choleskyUpperAt(U: Float64Array, u: number, ld: number, n: number): number {
  const fast = wasmCholeskyUpperAt(U, u, ld, n);
  if (fast !== undefined) return fast;
  for (let s = 0; s < n; s += PANEL) {
    const w = Math.min(n - s, PANEL);
    const panel = u + s * ld;
    solveUpperTAt(U, u, ld, s, U, panel, ld, w);
    addGramUpper(U, panel + s, ld, U, panel, ld, w, s, -1);
    const bad = factorSmall(U, panel + s, ld, w);
    if (bad >= 0) return s + bad;
  }
  return -1;
}

function factorSmall(U: Float64Array, u: number, ld: number, n: number): number {
  for (let j = 0; j < n; j++) {
    const cj = u + j * ld;
    for (let i = 0; i < j; i++) {
      const ci = u + i * ld;
      U[cj + i] = (U[cj + i]! - dotAt(U, ci, U, cj, i)) / U[ci + i]!;
    }
    const d = U[cj + j]! - dotAt(U, cj, U, cj, j);
    if (!(d > 0) || d === Number.POSITIVE_INFINITY) return j;
    U[cj + j] = Math.sqrt(d);
  }
  return -1;
}

/** L with LL' = A, zeros above the diagonal; L may be A. Returns -1, or the index of the first pivot that is not positive. */
export function choleskyInto(L: Matrix, A: Matrix): number {
  const n = A.rows;
  const fast = wasmCholeskyInto(L.data, A.data, n);
  if (fast !== undefined) return fast;
  copyLowerToUpper(L.data, A.data, n);
  const bad = choleskyUpperAt(L.data, 0, n, n);
  moveUpperToLower(L.data, n);
  return bad;
}

/** The factor L, or undefined when A is not positive definite. */
export function cholesky(A: Matrix): Matrix | undefined {
  const L = zeros(A.rows, A.rows);
  return choleskyInto(L, A) < 0 ? L : undefined;
}

/** Side of the square blocks in which triangles are transposed, for the cache's sake. */
const COPY = 16;

function copyLowerToUpper(U: Float64Array, A: Float64Array, n: number): void {
  for (let jj = 0; jj < n; jj += COPY) {
    const je = Math.min(jj + COPY, n);
    for (let ii = jj; ii < n; ii += COPY) {
      const ie = Math.min(ii + COPY, n);
      for (let j = jj; j < je; j++) for (let i = Math.max(ii, j); i < ie; i++) U[j + i * n] = A[i + j * n]!;
    }
  }
}

function moveUpperToLower(U: Float64Array, n: number): void {
  for (let jj = 0; jj < n; jj += COPY) {
    const je = Math.min(jj + COPY, n);
    for (let ii = jj; ii < n; ii += COPY) {
      const ie = Math.min(ii + COPY, n);
      for (let j = jj; j < je; j++) {
        for (let i = ii <= j ? j + 1 : ii; i < ie; i++) {
          U[i + j * n] = U[j + i * n]!;
          U[j + i * n] = 0;
        }
      }
    }
  }
}

/** x ← A⁻¹x for one vector. */
export function cholSolveInto(x: Float64Array, L: Matrix): void {
  solveLowerVectorAt(L.data, 0, L.rows, L.rows, x, 0);
  solveLowerTVectorAt(L.data, 0, L.rows, L.rows, x, 0);
}

/** B ← A⁻¹B for the columns of a matrix. */
export function cholSolveMatrixInto(B: Matrix, L: Matrix): void {
  solveLowerAt(L.data, 0, L.rows, L.rows, B.data, 0, B.rows, B.cols);
  solveLowerTAt(L.data, 0, L.rows, L.rows, B.data, 0, B.rows, B.cols);
}

export function cholSolve(L: Matrix, b: Float64Array): Float64Array {
  const x = b.slice();
  cholSolveInto(x, L);
  return x;
}

/** log det A. */
export function cholLogDet(L: Matrix): number {
  let s = 0;
  for (let i = 0; i < L.rows; i++) s += Math.log(L.data[i * (L.rows + 1)]!);
  return 2 * s;
}

/** V = L⁻¹, zeros above the diagonal. */
export function invertLowerInto(V: Matrix, L: Matrix): void {
  const n = L.rows;
  if (wasmInvertLowerInto(V.data, L.data, n) !== undefined) return;
  V.data.fill(0);
  for (let i = 0; i < n; i++) V.data[i * (n + 1)] = 1;
  for (let s = 0; s < n; s += PANEL) {
    const at = s * (n + 1); // columns s … of L⁻¹ vanish above row s
    solveLowerAt(L.data, at, n, n - s, V.data, at, n, Math.min(PANEL, n - s));
  }
}

/** A⁻¹, exactly symmetric: V'V with V = L⁻¹ (Golub & Van Loan §4.2). */
export function cholInverse(L: Matrix): Matrix {
  const n = L.rows;
  const X = zeros(n, n);
  if (wasmCholInverseInto(X.data, L.data, n) !== undefined) return X;
  const V = zeros(n, n);
  invertLowerInto(V, L);
  for (let s = 0; s < n; s += PANEL) {
    const w = Math.min(PANEL, n - s);
    const v = s * (n + 1); // rows above s add nothing to these columns
    addTN(X.data, s * n, n, V.data, s, n, V.data, v, n, s, w, n - s, 1);
    addGramUpper(X.data, v, n, V.data, v, n, w, n - s, 1);
  }
  mirrorUpperInto(X);
  return X;
}
