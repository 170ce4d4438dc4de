/** Singular value decomposition A = UΣV' by one-sided Jacobi rotations, singular values descending.
 *
 *  A (or A', so that rows ≥ cols) is reduced by fully pivoted QR, AP = QR; Jacobi rotations then make the columns of
 *  R' orthogonal. Small singular values come out with relative accuracy when A's columns are merely badly scaled.
 *  Reference: Drmač & Veselić (2008), SIAM J. Matrix Anal. Appl. 29; Demmel & Veselić (1992) for the stopping rule.
 *  Oracle:    Hilbert, Vandermonde and graded matrices; reconstruction and orthogonality within n ulps.
 *  Limits:    thin form: U is m×k, V n×k, k = min(m, n). Vectors of zero singular values complete the basis. */
import { dotAt } from "./kernel.ts";
import type { Matrix } from "./matrix.ts";
import { identity, maxAbs, multiply, normAt, transpose, zeros } from "./matrix.ts";
import { qMatrixInto, qr } from "./qr.ts";

export interface Svd {
  readonly U: Matrix;
  readonly d: Float64Array;
  readonly V: Matrix;
}

/** Sweeps over all pairs; six to ten are usual after the QR step. */
const MAX_SWEEPS = 60;

/** NaN throughout when A holds NaN or an infinity. */
export function svd(A: Matrix): Svd {
  if (A.rows < A.cols) {
    const { U, d, V } = svd(transpose(A));
    return { U: V, d, V: U };
  }
  const { rows: m, cols: n } = A;
  if (!A.data.every(Number.isFinite)) return undefinedSvd(m, n);
  const unit = powerOfTwo(maxAbs(A)); // squares of the entries then neither overflow nor vanish, and no digit changes
  const F = qr({ rows: m, cols: n, data: A.data.map((v) => v / unit) }, { pivoting: "full", tol: 0 });
  // B = R' has B·J = W·Σ with J orthogonal, so R = J·Σ·W', A = (QJ)·Σ·(PW)'
  const B = zeros(n, n);
  for (let j = 0; j < n; j++) for (let i = 0; i <= j && i < F.rank; i++) B.data[j + i * n] = F.factor.data[i + j * m]!;
  const J = identity(n);
  if (!orthogonaliseInto(B, J)) return undefinedSvd(m, n);
  const lengths = Float64Array.from({ length: n }, (_, j) => normAt(B.data, j * n, n));
  const order = Array.from(lengths.keys()).sort((a, b) => lengths[b]! - lengths[a]!);
  const U = zeros(m, n);
  const V = zeros(n, n);
  const d = new Float64Array(n);
  order.forEach((from, to) => {
    const length = lengths[from]!;
    d[to] = length * unit;
    U.data.set(J.data.subarray(from * n, (from + 1) * n), to * m);
    for (let i = 0; i < n; i++) V.data[F.pivot[i]! + to * n] = B.data[i + from * n]! / (length || 1);
  });
  completeBasisInto(V, d);
  qMatrixInto(U, F);
  return { U, d, V };
}

function powerOfTwo(x: number): number {
  return x > 0 ? 2 ** Math.max(-1022, Math.floor(Math.log2(x))) : 1;
}

function undefinedSvd(m: number, n: number): Svd {
  const U = zeros(m, n);
  const V = zeros(n, n);
  U.data.fill(Number.NaN);
  V.data.fill(Number.NaN);
  return { U, d: new Float64Array(n).fill(Number.NaN), V };
}

/** Rotates the columns of B until all are orthogonal to n ulps; the same rotations go into J. False when it does not end. */
function orthogonaliseInto(B: Matrix, J: Matrix): boolean {
  const n = B.cols;
  const tol = Number.EPSILON * Math.sqrt(Math.max(1, n));
  const square = new Float64Array(n);
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let rotated = false;
    for (let j = 0; j < n; j++) square[j] = normAt(B.data, j * n, n) ** 2;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        const g = dotAt(B.data, p * n, B.data, q * n, n);
        const a = square[p]!;
        const b = square[q]!;
        if (!(Math.abs(g) > tol * Math.sqrt(a) * Math.sqrt(b))) continue;
        rotated = true;
        const zeta = (b - a) / (2 * g);
        const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
        const c = 1 / Math.sqrt(1 + t * t);
        rotatePair(B.data, p * n, q * n, n, c, c * t);
        rotatePair(J.data, p * n, q * n, n, c, c * t);
        square[p] = dotAt(B.data, p * n, B.data, p * n, n);
        square[q] = dotAt(B.data, q * n, B.data, q * n, n);
      }
    }
    if (!rotated) return true;
  }
  return false;
}

function rotatePair(X: Float64Array, p: number, q: number, n: number, c: number, s: number): void {
  for (let i = 0; i < n; i++) {
    const x = X[p + i]!;
    const y = X[q + i]!;
    X[p + i] = c * x - s * y;
    X[q + i] = s * x + c * y;
  }
}

/** Columns of V whose singular value is zero become unit vectors orthogonal to all others (Gram-Schmidt, done twice). */
function completeBasisInto(V: Matrix, d: Float64Array): void {
  const n = V.rows;
  let candidate = 0;
  for (let j = 0; j < V.cols; j++) {
    if (d[j]! > 0) continue;
    for (; candidate < n; candidate++) {
      const v = V.data.subarray(j * n, (j + 1) * n);
      v.fill(0);
      v[candidate] = 1;
      for (let pass = 0; pass < 2; pass++) {
        for (let k = 0; k < j; k++) {
          const s = dotAt(V.data, k * n, v, 0, n);
          for (let i = 0; i < n; i++) v[i]! -= s * V.data[i + k * n]!;
        }
      }
      const length = normAt(v, 0, n);
      // some unit vector keeps at least this share of its length outside any proper subspace
      if (length > 0.5 / Math.sqrt(n)) {
        for (let i = 0; i < n; i++) v[i]! /= length;
        candidate++;
        break;
      }
    }
  }
}

/** Share of the largest singular value below which one counts as zero by default. */
export function rankTolerance(rows: number, cols: number): number {
  return Math.max(rows, cols) * Number.EPSILON;
}

/** Number of singular values above tol times the largest. */
export function svdRank(S: Svd, tol: number = rankTolerance(S.U.rows, S.V.rows)): number {
  if (Number.isNaN(S.d[0] ?? 0)) return Number.NaN;
  let r = 0;
  while (r < S.d.length && S.d[r]! > tol * S.d[0]!) r++;
  return r;
}

/** Ratio of the largest to the smallest singular value; Infinity for a singular matrix. */
export function conditionNumber(S: Svd): number {
  return S.d.length === 0 ? Number.NaN : S.d[0]! / S.d[S.d.length - 1]!;
}

/** Moore-Penrose inverse V Σ⁺ U' (n×m), singular values up to tol times the largest taken as zero. */
export function pseudoInverse(S: Svd, tol?: number): Matrix {
  const rank = svdRank(S, tol);
  const { U, d, V } = S;
  if (Number.isNaN(rank)) {
    const X = zeros(V.rows, U.rows);
    X.data.fill(Number.NaN);
    return X;
  }
  const scaled = zeros(V.rows, rank);
  for (let j = 0; j < rank; j++) {
    for (let i = 0; i < V.rows; i++) scaled.data[i + j * V.rows] = V.data[i + j * V.rows]! / d[j]!;
  }
  return multiply(scaled, transpose({ rows: U.rows, cols: rank, data: U.data.subarray(0, U.rows * rank) }));
}
