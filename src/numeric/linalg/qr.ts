/** Householder QR, XP = QR, with the column pivoting of R's `lm`, and least squares on it.
 *
 *  Limited pivoting (the default): columns keep their order, except that a column of which less than `tol` of its
 *  original length is left once the earlier columns are projected out goes to the end. So rank, the estimable columns and the
 *  aliased ones are those that `lm` reports. "full" brings the longest remaining column forward at every step.
 *  Reference: Golub & Van Loan (2013) §5.2, §5.4.2; the rule for negligible columns as documented in R's ?qr.
 *  Oracle:    lm (R), oracle/r/qr-alias.json — rank and aliased columns exactly, coefficients, hat values and (X'X)⁻¹.
 *  Limits:    the rank is a decision by tolerance, not a theorem: two columns that differ by less than 1e-7 of their
 *             length count as one. Scale of single columns does not matter. */
import { applyPanelAt, makeReflectorAt, PANEL, reflectAt } from "./householder.ts";
import type { Matrix } from "./matrix.ts";
import { clone, normAt, zeros } from "./matrix.ts";
import { inverseOfGram, solveUpperAt } from "./triangular.ts";

export interface Qr {
  /** R on and above the diagonal, the reflectors' tails below it. */
  readonly factor: Matrix;
  readonly tau: Float64Array;
  /** Column j of the factor is column pivot[j] of X; the first `rank` are estimable, the others aliased. */
  readonly pivot: Int32Array;
  readonly rank: number;
}

export interface QrOptions {
  /** Share of a column's length that must remain for it to count. */
  readonly tol?: number | undefined;
  readonly pivoting?: "limited" | "full" | "none" | undefined;
}

/** R's default for lm and qr. */
export const LM_TOLERANCE = 1e-7;
/** When a step leaves less than this share of a squared length, the running update has lost its digits: measure again. */
const REMEASURE = 1e-6;

export function qr(X: Matrix, options: QrOptions = {}): Qr {
  const factor = clone(X);
  const tau = new Float64Array(Math.min(X.rows, X.cols));
  const pivot = new Int32Array(X.cols);
  const rank = qrInto(factor, tau, pivot, new Float64Array(2 * X.cols), options);
  return { factor, tau, pivot, rank };
}

/** Factors A in place; `lengths` is scratch for 2·cols numbers. Returns the rank. */
export function qrInto(
  A: Matrix,
  tau: Float64Array,
  pivot: Int32Array,
  lengths: Float64Array,
  { tol = LM_TOLERANCE, pivoting = "limited" }: QrOptions = {},
): number {
  const { rows: n, cols: p, data } = A;
  for (let j = 0; j < p; j++) {
    pivot[j] = j;
    lengths[j] = lengths[p + j] = normAt(data, j * n, n);
  }
  // lengths that the remainders are measured against: each column's own, or the longest when the longest leads
  if (pivoting === "full")
    lengths.fill(
      lengths.subarray(0, p).reduce((a, b) => Math.max(a, b), 0),
      p,
    );
  const width = pivoting === "full" ? 1 : PANEL; // full pivoting needs every column's length at every step
  let last = p; // columns from here on are aliased
  let from = 0;
  while (from < Math.min(n, last)) {
    if (pivoting === "full") bringLongestForward(A, pivot, lengths, from);
    const end = Math.min(from + width, last);
    const k = reducePanel(A, tau, lengths, from, Math.min(end, n), end, pivoting === "none" ? 0 : tol);
    if (k > 0) {
      // every column that the panel has not met yet: those after it, and the aliased ones
      applyPanelAt(data, 0, n, n, tau, from, k, data, end * n, n, p - end, true);
      for (let j = end; j < p; j++) shortenLength(A, lengths, j, from, from + k);
    }
    from += k;
    if (from < Math.min(end, n)) {
      if (pivoting === "full") return from; // the longest is negligible, so all are
      moveToEnd(A, pivot, lengths, from);
      last--;
    }
  }
  return Math.min(n, last);
}

/** Householder steps on columns from … to-1, carried out on all columns up to `end`; stops short of a negligible column.
 *  Returns the number of steps. */
function reducePanel(
  A: Matrix,
  tau: Float64Array,
  lengths: Float64Array,
  from: number,
  to: number,
  end: number,
  tol: number,
): number {
  const { rows: n, cols: p, data } = A;
  for (let l = from; l < to; l++) {
    if (isNegligible(lengths, p, l, tol)) return l - from;
    tau[l] = l === n - 1 ? 0 : makeReflectorAt(data, l * n + l, n - l);
    for (let j = l + 1; j < end; j++) {
      reflectAt(data, j * n + l, data, l * n + l, n - l, tau[l]!);
      shortenLength(A, lengths, j, l, l + 1);
    }
  }
  return to - from;
}

function isNegligible(lengths: Float64Array, p: number, j: number, tol: number): boolean {
  const original = lengths[p + j]!;
  return lengths[j]! < tol * (original === 0 ? 1 : original);
}

/** Length of column j below row `to`, after the reflectors from … to-1 have made their entries of R. */
function shortenLength(A: Matrix, lengths: Float64Array, j: number, from: number, to: number): void {
  let length = lengths[j]!;
  let lost = false;
  for (let l = from; l < to && length > 0; l++) {
    const share = A.data[l + j * A.rows]! / length;
    const left = Math.max(0, 1 - share * share);
    if (left < REMEASURE) lost = true;
    length *= Math.sqrt(left);
  }
  lengths[j] = lost ? normAt(A.data, to + j * A.rows, A.rows - to) : length;
}

function moveToEnd(A: Matrix, pivot: Int32Array, lengths: Float64Array, j: number): void {
  const { rows: n, cols: p, data } = A;
  const kept = data.slice(j * n, (j + 1) * n);
  data.copyWithin(j * n, (j + 1) * n, p * n);
  data.set(kept, (p - 1) * n);
  for (const [x, base] of [
    [pivot, 0],
    [lengths, 0],
    [lengths, p],
  ] as const) {
    const v = x[base + j]!;
    x.copyWithin(base + j, base + j + 1, base + p);
    x[base + p - 1] = v;
  }
}

function bringLongestForward(A: Matrix, pivot: Int32Array, lengths: Float64Array, from: number): void {
  const { rows: n, cols: p, data } = A;
  let best = from;
  for (let j = from + 1; j < p; j++) if (lengths[j]! > lengths[best]!) best = j;
  if (best === from) return;
  for (let i = 0; i < n; i++) swap(data, i + from * n, i + best * n);
  swap(pivot, from, best);
  swap(lengths, from, best);
  swap(lengths, p + from, p + best);
}

function swap(x: Float64Array | Int32Array, i: number, j: number): void {
  const t = x[i]!;
  x[i] = x[j]!;
  x[j] = t;
}

/** y ← Q'y; the first `rank` entries carry the fit, the others the residuals. */
export function qtyInto(y: Float64Array, F: Qr): void {
  const n = F.factor.rows;
  for (let l = 0; l < F.rank; l++) reflectAt(y, l, F.factor.data, l * n + l, n - l, F.tau[l]!);
}

/** y ← Qy. */
export function qyInto(y: Float64Array, F: Qr): void {
  const n = F.factor.rows;
  for (let l = F.rank - 1; l >= 0; l--) reflectAt(y, l, F.factor.data, l * n + l, n - l, F.tau[l]!);
}

/** B ← Q'B. */
export function qtMatrixInto(B: Matrix, F: Qr): void {
  for (let from = 0; from < F.rank; from += PANEL) {
    const k = Math.min(PANEL, F.rank - from);
    applyPanelAt(F.factor.data, 0, B.rows, B.rows, F.tau, from, k, B.data, 0, B.rows, B.cols, true);
  }
}

/** B ← QB. */
export function qMatrixInto(B: Matrix, F: Qr): void {
  for (let from = Math.floor((F.rank - 1) / PANEL) * PANEL; from >= 0; from -= PANEL) {
    const k = Math.min(PANEL, F.rank - from);
    applyPanelAt(F.factor.data, 0, B.rows, B.rows, F.tau, from, k, B.data, 0, B.rows, B.cols, false);
  }
}

/** The first `rank` columns of Q: an orthonormal basis of the column space of X. */
export function qrBasis(F: Qr): Matrix {
  const Q = zeros(F.factor.rows, F.rank);
  for (let j = 0; j < F.rank; j++) Q.data[j + j * Q.rows] = 1;
  qMatrixInto(Q, F);
  return Q;
}

/** Columns of X (0-based, ascending) that the earlier ones determine. */
export function aliasedColumns(F: Qr): Int32Array {
  return F.pivot.slice(F.rank).sort();
}

/** Least-squares coefficients in the order of X's columns; NaN for an aliased column. */
export function qrCoefficients(F: Qr, y: Float64Array): Float64Array {
  const z = y.slice();
  qtyInto(z, F);
  return coefficientsFromQty(F, z);
}

/** The same from z = Q'y, which is overwritten. */
export function coefficientsFromQty(F: Qr, z: Float64Array): Float64Array {
  const { factor, rank, pivot } = F;
  const beta = new Float64Array(factor.cols).fill(Number.NaN);
  solveUpperAt(factor.data, 0, factor.rows, rank, z, 0, factor.rows, 1);
  for (let j = 0; j < rank; j++) beta[pivot[j]!] = z[j]!;
  return beta;
}

/** (X'X)⁻¹ of the estimable columns in X's order; rows and columns of aliased ones are NaN. */
export function qrInverseGram(F: Qr): Matrix {
  const { rank, pivot } = F;
  const p = F.factor.cols;
  const inverse = inverseOfGram(F.factor, rank);
  const C = zeros(p, p);
  C.data.fill(Number.NaN);
  for (let a = 0; a < rank; a++) {
    for (let b = 0; b < rank; b++) C.data[pivot[a]! + pivot[b]! * p] = inverse.data[a + b * rank]!;
  }
  return C;
}

/** R of the estimable columns, zeros below: it has the singular values of X, at the price of p columns instead of n rows. */
export function qrTriangle({ factor, rank }: Qr): Matrix {
  const R = zeros(rank, rank);
  for (let j = 0; j < rank; j++) for (let i = 0; i <= j; i++) R.data[i + j * rank] = factor.data[i + j * factor.rows]!;
  return R;
}

/** Leverages: the diagonal of the projection on the columns of X. */
export function hatValues(F: Qr): Float64Array {
  const n = F.factor.rows;
  const h = new Float64Array(n);
  const E = zeros(n, Math.min(PANEL, F.rank));
  for (let from = 0; from < F.rank; from += PANEL) {
    const w = Math.min(PANEL, F.rank - from);
    E.data.fill(0);
    for (let j = 0; j < w; j++) E.data[from + j + j * n] = 1;
    for (let l = from; l >= 0; l -= PANEL) {
      // reflectors after this panel leave these unit vectors as they are
      applyPanelAt(F.factor.data, 0, n, n, F.tau, l, Math.min(PANEL, F.rank - l), E.data, 0, n, w, false);
    }
    for (let j = 0; j < w; j++) for (let i = 0; i < n; i++) h[i]! += E.data[i + j * n]! * E.data[i + j * n]!;
  }
  return h;
}
