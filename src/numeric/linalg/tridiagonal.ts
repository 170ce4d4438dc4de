/** Eigenvalues of a symmetric tridiagonal matrix by the implicit QL iteration with Wilkinson's shift.
 *
 *  d holds the diagonal (n), e the off-diagonal (n - 1). The rotations can be applied to the columns of any matrix:
 *  to I for eigenvectors, to Q for those of a full matrix, to the single row e₁' for the weights of Gauss quadrature.
 *  Reference: Parlett (1998), The Symmetric Eigenvalue Problem, ch. 8; Golub & Welsch (1969) for the quadrature use.
 *  Oracle:    second-difference matrix, Wilkinson's W21+, Hermite and Legendre nodes.
 *  Limits:    eigenvalues are right to a few ulps of the largest one; a tiny one has no relative accuracy. */
import type { Matrix } from "./matrix.ts";
import { zeros } from "./matrix.ts";

export interface Eigen {
  readonly values: Float64Array;
  /** Column j belongs to values[j]. */
  readonly vectors: Matrix;
}

/** QL sweeps allowed per eigenvalue: two or three are usual, thirty is the customary alarm, this leaves room. */
const MAX_SWEEPS = 60;

/** Eigenvalues into d, unsorted; e (length n, last entry free) is destroyed. The rotations are applied to the columns of
 *  Z (`rows` × n; rows = 0 for none). `scratch` holds 2n numbers. False when an eigenvalue does not converge. */
export function tridiagonalInto(
  d: Float64Array,
  e: Float64Array,
  Z: Float64Array,
  rows: number,
  scratch: Float64Array,
): boolean {
  const n = d.length;
  let scale = 0;
  for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(d[i]!), i < n - 1 ? Math.abs(e[i]!) : 0);
  if (scale === 0) return true;
  if (!Number.isFinite(scale)) return false;
  // with the largest entry at 1, squares may underflow only where they no longer matter
  for (let i = 0; i < n; i++) {
    d[i]! /= scale;
    e[i]! = i < n - 1 ? e[i]! / scale : 0;
  }
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; ; sweep++) {
      let m = l;
      while (m < n - 1 && Math.abs(e[m]!) > Number.EPSILON * (Math.abs(d[m]!) + Math.abs(d[m + 1]!))) m++;
      if (m === l) break;
      if (sweep === MAX_SWEEPS) return false;
      const stop = sweepQl(d, e, l, m, scratch);
      if (rows > 0) rotateColumns(Z, rows, scratch, stop, m);
    }
  }
  for (let i = 0; i < n; i++) d[i]! *= scale;
  return true;
}

/** One QL sweep on the unreduced block l … m. Rotation i (columns i, i+1) is left in cs[2i], cs[2i+1]; returns the first i. */
function sweepQl(d: Float64Array, e: Float64Array, l: number, m: number, cs: Float64Array): number {
  // Wilkinson's shift: the eigenvalue of the leading 2 × 2 block nearer to d[l]
  const half = (d[l + 1]! - d[l]!) / (2 * e[l]!);
  const root = Math.sqrt(half * half + 1);
  let g = d[m]! - d[l]! + e[l]! / (half + (half >= 0 ? root : -root));
  let c = 1;
  let s = 1;
  let shift = 0;
  for (let i = m - 1; i >= l; i--) {
    const bulge = s * e[i]!;
    const b = c * e[i]!;
    const r = Math.sqrt(bulge * bulge + g * g);
    e[i + 1] = r;
    if (r === 0) {
      // the block splits here; the rotations made so far stand
      d[i + 1]! -= shift;
      e[m] = 0;
      return i + 1;
    }
    s = bulge / r;
    c = g / r;
    const h = d[i + 1]! - shift;
    const t = (d[i]! - h) * s + 2 * c * b;
    shift = s * t;
    d[i + 1] = h + shift;
    g = c * t - b;
    cs[2 * i] = c;
    cs[2 * i + 1] = s;
  }
  d[l]! -= shift;
  e[l] = g;
  e[m] = 0;
  return l;
}

/** Rotations m-1, …, stop on neighbouring columns, two at a time so that a column is read and written half as often. */
function rotateColumns(Z: Float64Array, rows: number, cs: Float64Array, stop: number, m: number): void {
  let i = m - 1;
  for (; i > stop; i -= 2) {
    const c1 = cs[2 * i]!;
    const s1 = cs[2 * i + 1]!;
    const c0 = cs[2 * i - 2]!;
    const s0 = cs[2 * i - 1]!;
    const x0 = (i - 1) * rows;
    const x1 = x0 + rows;
    const x2 = x1 + rows;
    for (let r = 0; r < rows; r++) {
      const a = Z[x0 + r]!;
      const b = Z[x1 + r]!;
      const f = Z[x2 + r]!;
      Z[x2 + r] = s1 * b + c1 * f;
      const t = c1 * b - s1 * f;
      Z[x1 + r] = s0 * a + c0 * t;
      Z[x0 + r] = c0 * a - s0 * t;
    }
  }
  if (i === stop) {
    const c = cs[2 * i]!;
    const s = cs[2 * i + 1]!;
    const x0 = i * rows;
    const x1 = x0 + rows;
    for (let r = 0; r < rows; r++) {
      const a = Z[x0 + r]!;
      const b = Z[x1 + r]!;
      Z[x1 + r] = s * a + c * b;
      Z[x0 + r] = c * a - s * b;
    }
  }
}

/** The pairs in ascending (direction 1) or descending (-1) order of the values. */
export function sortedEigen(values: Float64Array, vectors: Matrix, direction: 1 | -1): Eigen {
  const order = Array.from(values.keys()).sort((a, b) => direction * (values[a]! - values[b]!));
  const sorted = zeros(vectors.rows, vectors.cols);
  order.forEach((from, to) => {
    sorted.data.set(vectors.data.subarray(from * vectors.rows, (from + 1) * vectors.rows), to * vectors.rows);
  });
  return { values: Float64Array.from(order, (i) => values[i]!), vectors: sorted };
}
