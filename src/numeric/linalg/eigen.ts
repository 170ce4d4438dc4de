/** Eigenvalues and eigenvectors of a symmetric matrix, A = VΛV', values in descending order (as R's `eigen`).
 *
 *  Householder reduction to tridiagonal form, A = QTQ', then implicit QL on T with the rotations applied to Q.
 *  Reference: Golub & Van Loan (2013) §8.3; tridiagonal.ts for the iteration.
 *  Oracle:    second-difference matrix, Wilkinson's W21+, Hilbert's; reconstruction and orthogonality within n ulps.
 *  Limits:    reads the lower triangle. Values are right to a few ulps of the largest |value|; for small eigenvalues of a
 *             Gram matrix to full relative accuracy use the SVD of its root. The sign of a vector is arbitrary. */
import { applyPanelAt, makeReflectorAt, PANEL } from "./householder.ts";
import { dotAt } from "./kernel.ts";
import type { Matrix } from "./matrix.ts";
import { clone, identity } from "./matrix.ts";
import type { Eigen } from "./tridiagonal.ts";
import { sortedEigen, tridiagonalInto } from "./tridiagonal.ts";

/** NaN throughout when A holds NaN or an infinity. */
export function eigenSymmetric(A: Matrix): Eigen {
  const n = A.rows;
  const { work, d, e, tau } = reduceToTridiagonal(A);
  const Q = identity(n);
  const m = n - 1; // the reflectors act on rows 1 … n-1; reflector k touches columns from k on
  for (let from = Math.floor((n - 3) / PANEL) * PANEL; from >= 0; from -= PANEL) {
    const k = Math.min(PANEL, n - 2 - from);
    const c = 1 + (from + 1) * n;
    applyPanelAt(work.data, 1, n, m, tau, from, k, Q.data, c, n, m - from, false);
  }
  if (!tridiagonalInto(d, e, Q.data, n, new Float64Array(2 * n))) {
    d.fill(Number.NaN);
    Q.data.fill(Number.NaN);
    return { values: d, vectors: Q };
  }
  return sortedEigen(d, Q, -1);
}

/** Eigenvalues alone, descending; a third of the work. */
export function eigenvaluesSymmetric(A: Matrix): Float64Array {
  const { d, e } = reduceToTridiagonal(A);
  if (!tridiagonalInto(d, e, d, 0, new Float64Array(2 * A.rows))) return d.fill(Number.NaN);
  return d.sort().reverse();
}

interface Tridiagonal {
  /** The reflectors: tail k below row k+1 of column k. */
  readonly work: Matrix;
  readonly d: Float64Array;
  readonly e: Float64Array;
  readonly tau: Float64Array;
}

function reduceToTridiagonal(A: Matrix): Tridiagonal {
  const n = A.rows;
  const work = clone(A);
  const W = work.data;
  const tau = new Float64Array(n);
  const d = new Float64Array(n);
  const e = new Float64Array(n);
  const w = new Float64Array(n);
  for (let k = 0; k < n - 1; k++) {
    const x = k + 1 + k * n;
    const len = n - k - 1;
    d[k] = W[k + k * n]!;
    if (len > 1) {
      const t = makeReflectorAt(W, x, len);
      tau[k] = t;
      e[k] = W[x]!;
      W[x] = 1; // v in full, for the two-sided update
      symmetricTimesInto(w, W, (k + 1) * (n + 1), n, len, x);
      const half = (t * t * dotAt(w, 0, W, x, len)) / 2;
      for (let i = 0; i < len; i++) w[i] = t * w[i]! - half * W[x + i]!;
      subtractRankTwo(W, (k + 1) * (n + 1), n, len, x, w);
      W[x] = e[k]!;
    } else e[k] = W[x]!;
  }
  if (n > 0) d[n - 1] = W[n * n - 1]!;
  return { work, d, e, tau };
}

/** w = S·v for the symmetric block S (lower triangle) at A[s], v at A[v]: each entry is read once and used twice. */
function symmetricTimesInto(w: Float64Array, A: Float64Array, s: number, ld: number, n: number, v: number): void {
  w.fill(0, 0, n);
  let j = 0;
  for (; j + 2 <= n; j += 2) {
    const c0 = s + j * ld;
    const c1 = c0 + ld;
    const v0 = A[v + j]!;
    const v1 = A[v + j + 1]!;
    const cross = A[c0 + j + 1]!;
    let s0 = A[c0 + j]! * v0 + cross * v1;
    let s1 = cross * v0 + A[c1 + j + 1]! * v1;
    for (let i = j + 2; i < n; i++) {
      const a0 = A[c0 + i]!;
      const a1 = A[c1 + i]!;
      const vi = A[v + i]!;
      s0 += a0 * vi;
      s1 += a1 * vi;
      w[i]! += a0 * v0 + a1 * v1;
    }
    w[j]! += s0;
    w[j + 1]! += s1;
  }
  if (j < n) w[j]! += A[s + j + j * ld]! * A[v + j]!;
}

/** Lower triangle of S -= vw' + wv'. */
function subtractRankTwo(A: Float64Array, s: number, ld: number, n: number, v: number, w: Float64Array): void {
  for (let j = 0; j < n; j++) {
    const c = s + j * ld;
    const vj = A[v + j]!;
    const wj = w[j]!;
    for (let i = j; i < n; i++) A[c + i]! -= A[v + i]! * wj + w[i]! * vj;
  }
}
