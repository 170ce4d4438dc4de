/** Triangular systems on raw column-major storage, in place, for one or many right sides.
 *
 *  A block is (array, offset, leading dimension), so the kernels work on parts of a larger matrix; only the named
 *  triangle is read. `T` solves with the transpose: solveLowerT is L'x = b. Right sides are columns of B.
 *  Blocked: the triangles on the diagonal by substitution, all else by the tiled products of kernel.ts.
 *  Limits: a zero on the diagonal gives Infinity or NaN in the solution; nothing is thrown. */
import { addNN, addScaledAt, addTN, dotAt } from "./kernel.ts";
import type { Matrix } from "./matrix.ts";
import { zeros } from "./matrix.ts";

/** Order of the diagonal triangles solved by substitution; small, because substitution is the slow part. */
const BLOCK = 8;

/** L·X = B. */
export function solveLowerAt(
  L: Float64Array,
  l: number,
  ld: number,
  n: number,
  B: Float64Array,
  b: number,
  ldb: number,
  cols: number,
): void {
  for (let s = 0; s < n; s += BLOCK) {
    const e = Math.min(s + BLOCK, n);
    for (let c = 0; c < cols; c++) {
      const x = b + c * ldb;
      for (let j = s; j < e; j++) {
        const v = B[x + j]! / L[l + j + j * ld]!;
        B[x + j] = v;
        for (let i = j + 1; i < e; i++) B[x + i]! -= v * L[l + i + j * ld]!;
      }
    }
    addNN(B, b + e, ldb, L, l + e + s * ld, ld, B, b + s, ldb, n - e, cols, e - s, -1);
  }
}

/** L'·X = B. */
export function solveLowerTAt(
  L: Float64Array,
  l: number,
  ld: number,
  n: number,
  B: Float64Array,
  b: number,
  ldb: number,
  cols: number,
): void {
  for (let s = Math.floor((n - 1) / BLOCK) * BLOCK; s >= 0; s -= BLOCK) {
    const e = Math.min(s + BLOCK, n);
    addTN(B, b + s, ldb, L, l + e + s * ld, ld, B, b + e, ldb, e - s, cols, n - e, -1);
    for (let c = 0; c < cols; c++) {
      const x = b + c * ldb;
      for (let j = e - 1; j >= s; j--) {
        let v = B[x + j]!;
        for (let i = j + 1; i < e; i++) v -= L[l + i + j * ld]! * B[x + i]!;
        B[x + j] = v / L[l + j + j * ld]!;
      }
    }
  }
}

/** U·X = B. */
export function solveUpperAt(
  U: Float64Array,
  u: number,
  ld: number,
  n: number,
  B: Float64Array,
  b: number,
  ldb: number,
  cols: number,
): void {
  for (let s = Math.floor((n - 1) / BLOCK) * BLOCK; s >= 0; s -= BLOCK) {
    const e = Math.min(s + BLOCK, n);
    for (let c = 0; c < cols; c++) {
      const x = b + c * ldb;
      for (let j = e - 1; j >= s; j--) {
        const v = B[x + j]! / U[u + j + j * ld]!;
        B[x + j] = v;
        for (let i = s; i < j; i++) B[x + i]! -= v * U[u + i + j * ld]!;
      }
    }
    addNN(B, b, ldb, U, u + s * ld, ld, B, b + s, ldb, s, cols, e - s, -1);
  }
}

/** U'·X = B. */
export function solveUpperTAt(
  U: Float64Array,
  u: number,
  ld: number,
  n: number,
  B: Float64Array,
  b: number,
  ldb: number,
  cols: number,
): void {
  for (let s = 0; s < n; s += BLOCK) {
    const e = Math.min(s + BLOCK, n);
    addTN(B, b + s, ldb, U, u + s * ld, ld, B, b, ldb, e - s, cols, s, -1);
    let c = 0;
    for (; c + 4 <= cols; c += 4) substituteUpperT4(U, u + s + s * ld, ld, e - s, B, b + s + c * ldb, ldb);
    for (; c < cols; c++) {
      const x = b + c * ldb;
      for (let j = s; j < e; j++) {
        let v = B[x + j]!;
        for (let i = s; i < j; i++) v -= U[u + i + j * ld]! * B[x + i]!;
        B[x + j] = v / U[u + j + j * ld]!;
      }
    }
  }
}

/** Four right sides of U'x = b at once; this is the inner loop of the Cholesky factorisation. */
function substituteUpperT4(
  U: Float64Array,
  u: number,
  ld: number,
  n: number,
  B: Float64Array,
  x0: number,
  ldb: number,
): void {
  const x1 = x0 + ldb;
  const x2 = x1 + ldb;
  const x3 = x2 + ldb;
  for (let j = 0; j < n; j++) {
    const uj = u + j * ld;
    let v0 = B[x0 + j]!;
    let v1 = B[x1 + j]!;
    let v2 = B[x2 + j]!;
    let v3 = B[x3 + j]!;
    for (let i = 0; i < j; i++) {
      const f = U[uj + i]!;
      v0 -= f * B[x0 + i]!;
      v1 -= f * B[x1 + i]!;
      v2 -= f * B[x2 + i]!;
      v3 -= f * B[x3 + i]!;
    }
    const d = U[uj + j]!;
    B[x0 + j] = v0 / d;
    B[x1 + j] = v1 / d;
    B[x2 + j] = v2 / d;
    B[x3 + j] = v3 / d;
  }
}

/** L·x = b for one vector: columns of L are subtracted in turn. */
export function solveLowerVectorAt(
  L: Float64Array,
  l: number,
  ld: number,
  n: number,
  x: Float64Array,
  xo: number,
): void {
  for (let j = 0; j < n; j++) {
    const v = x[xo + j]! / L[l + j + j * ld]!;
    x[xo + j] = v;
    addScaledAt(x, xo + j + 1, L, l + j + 1 + j * ld, n - j - 1, -v);
  }
}

/** L'·x = b for one vector: dot products with the columns of L. */
export function solveLowerTVectorAt(
  L: Float64Array,
  l: number,
  ld: number,
  n: number,
  x: Float64Array,
  xo: number,
): void {
  for (let j = n - 1; j >= 0; j--) {
    const d = l + j + j * ld;
    x[xo + j] = (x[xo + j]! - dotAt(L, d + 1, x, xo + j + 1, n - j - 1)) / L[d]!;
  }
}

/** L·X = B in place, for a whole matrix. */
export function solveLowerInto(B: Matrix, L: Matrix): void {
  solveLowerAt(L.data, 0, L.rows, L.cols, B.data, 0, B.rows, B.cols);
}

/** Inverse of the upper triangle of order n held in U; the result has zeros below. Column j needs only a j × j solve. */
export function invertUpper(U: Matrix, n: number = U.cols): Matrix {
  const X = zeros(n, n);
  for (let s = 0; s < n; s += BLOCK) {
    const e = Math.min(s + BLOCK, n);
    for (let j = s; j < e; j++) X.data[j + j * n] = 1;
    solveUpperAt(U.data, 0, U.rows, e, X.data, s * n, n, e - s);
  }
  return X;
}

/** (U'U)⁻¹ = VV' with V = U⁻¹, for the upper triangle of order n held in U. */
export function inverseOfGram(U: Matrix, n: number = U.cols): Matrix {
  const V = invertUpper(U, n);
  const C = zeros(n, n);
  for (let a = 0; a < n; a++) {
    for (let b = 0; b <= a; b++) {
      let s = 0; // V is upper triangular
      for (let k = a; k < n; k++) s += V.data[a + k * n]! * V.data[b + k * n]!;
      C.data[a + b * n] = s;
      C.data[b + a * n] = s;
    }
  }
  return C;
}
