/** Cholesky factorisation of a positive semi-definite matrix with complete diagonal pivoting:  P'AP = LL'.
 *
 *  Row i of L belongs to row pivot[i] of A; L has `rank` columns. At each step the largest remaining diagonal entry
 *  leads, and the factorisation stops when it falls to tol · max(diag A).
 *  Reference: Higham (1990), Analysis of the Cholesky decomposition of a semi-definite matrix; the default tolerance
 *             is his n·eps.
 *  Oracle:    matrices of known rank; reconstruction.
 *  Limits:    an indefinite A gives rank -1, seen from what is left of it at the end. Reads the lower triangle. */
import { addScaledAt } from "./kernel.ts";
import type { Matrix } from "./matrix.ts";
import { zeros } from "./matrix.ts";

export interface PivotedCholesky {
  /** n × rank, rows in pivoted order, lower trapezoidal. */
  readonly L: Matrix;
  readonly pivot: Int32Array;
  /** -1 when A is indefinite or contains NaN. */
  readonly rank: number;
}

/** How far from zero, in units of the tolerance, rounding may leave an entry that is truly zero. */
const ROUNDING_SLACK = 10;

export function pivotedCholesky(A: Matrix, tol: number = A.rows * Number.EPSILON): PivotedCholesky {
  const n = A.rows;
  const W = zeros(n, n);
  const pivot = Int32Array.from({ length: n }, (_, i) => i);
  const left = new Float64Array(n); // what remains of the diagonal, in pivoted order
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, (left[i] = A.data[i * (n + 1)]!));
  if (Number.isNaN(largest)) return { L: zeros(n, 0), pivot, rank: -1 };
  const floor = tol * largest;
  let rank = 0;
  for (; rank < n; rank++) {
    let lead = rank;
    for (let i = rank + 1; i < n; i++) if (left[i]! > left[lead]!) lead = i;
    if (!(left[lead]! > floor)) break;
    swapRows(W, pivot, left, rank, lead);
    addColumn(W, A, pivot, left, rank);
  }
  for (let j = rank; j < n; j++) {
    if (!(largestLeft(W, A, pivot, rank, j) <= ROUNDING_SLACK * floor)) return { L: zeros(n, 0), pivot, rank: -1 };
  }
  return { L: { rows: n, cols: rank, data: W.data.slice(0, n * rank) }, pivot, rank };
}

/** Largest |entry| in column j of what `rank` columns leave of A: near zero in a semi-definite matrix, whose diagonal is. */
function largestLeft(W: Matrix, A: Matrix, pivot: Int32Array, rank: number, j: number): number {
  const n = W.rows;
  const c = j * n; // free: columns from `rank` on are not part of the factor
  readColumn(W, A, pivot, c, j, j);
  for (let k = 0; k < rank; k++) addScaledAt(W.data, c + j, W.data, k * n + j, n - j, -W.data[j + k * n]!);
  let largest = 0;
  for (let i = j; i < n; i++) largest = Math.max(largest, Math.abs(W.data[c + i]!));
  return largest;
}

/** Rows from … of column pivot[k] of A, in pivoted order, from its lower triangle. */
function readColumn(W: Matrix, A: Matrix, pivot: Int32Array, to: number, from: number, k: number): void {
  const n = W.rows;
  const pk = pivot[k]!;
  for (let i = from; i < n; i++) {
    const pi = pivot[i]!;
    W.data[to + i] = pi > pk ? A.data[pi + pk * n]! : A.data[pk + pi * n]!;
  }
}

function swapRows(W: Matrix, pivot: Int32Array, left: Float64Array, k: number, lead: number): void {
  if (k === lead) return;
  for (let j = 0; j < k; j++) swap(W.data, k + j * W.rows, lead + j * W.rows);
  swap(pivot, k, lead);
  swap(left, k, lead);
}

function swap(x: Float64Array | Int32Array, i: number, j: number): void {
  const t = x[i]!;
  x[i] = x[j]!;
  x[j] = t;
}

/** Column k of L, and the diagonal that it leaves. */
function addColumn(W: Matrix, A: Matrix, pivot: Int32Array, left: Float64Array, k: number): void {
  const n = W.rows;
  const c = k * n;
  const d = Math.sqrt(left[k]!);
  readColumn(W, A, pivot, c, k + 1, k);
  for (let j = 0; j < k; j++) {
    addScaledAt(W.data, c + k + 1, W.data, j * n + k + 1, n - k - 1, -W.data[k + j * n]!);
  }
  W.data[c + k] = d;
  for (let i = k + 1; i < n; i++) {
    const v = W.data[c + i]! / d;
    W.data[c + i] = v;
    left[i]! -= v * v;
  }
}
