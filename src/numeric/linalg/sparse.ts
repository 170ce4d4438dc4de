/** Sparse matrices in compressed columns: the entries of column j are index/values[start[j] … start[j+1]), rows ascending.
 *
 *  A symmetric matrix is held by its lower triangle alone, and the functions that want one say so.
 *  Factorisation: sparse-cholesky.ts. Limits: products are written for the few entries per row of random-effects designs. */
import type { Matrix } from "./matrix.ts";
import { zeros } from "./matrix.ts";

export interface Sparse {
  readonly rows: number;
  readonly cols: number;
  /** cols + 1 offsets. */
  readonly start: Int32Array;
  readonly index: Int32Array;
  readonly values: Float64Array;
}

export interface Triplets {
  readonly i: ArrayLike<number>;
  readonly j: ArrayLike<number>;
  readonly x: ArrayLike<number>;
}

/** Entries given twice are added; explicit zeros are kept as part of the pattern. */
export function fromTriplets(rows: number, cols: number, { i, j, x }: Triplets): Sparse {
  // sorting by row and then, stably, by column is two transposes
  const byRow = gather(rows, j, x, i);
  return mergeDuplicates(rows, cols, byRow);
}

/** Buckets the entries by `key`: a matrix whose columns are the keys. */
function gather(keys: number, index: ArrayLike<number>, x: ArrayLike<number>, key: ArrayLike<number>): Sparse {
  const start = new Int32Array(keys + 1);
  for (let t = 0; t < key.length; t++) start[key[t]! + 1]!++;
  for (let k = 0; k < keys; k++) start[k + 1]! += start[k]!;
  const next = start.slice();
  const out = new Int32Array(key.length);
  const values = new Float64Array(key.length);
  for (let t = 0; t < key.length; t++) {
    const at = next[key[t]!]!++;
    out[at] = index[t]!;
    values[at] = x[t]!;
  }
  return { rows: 0, cols: keys, start, index: out, values };
}

function mergeDuplicates(rows: number, cols: number, byRow: Sparse): Sparse {
  const A = transposeEntries(byRow, cols);
  const start = new Int32Array(cols + 1);
  let at = 0;
  for (let j = 0; j < cols; j++) {
    for (let t = A.start[j]!; t < A.start[j + 1]!; t++) {
      if (at > start[j]! && A.index[at - 1] === A.index[t]) A.values[at - 1]! += A.values[t]!;
      else {
        A.index[at] = A.index[t]!;
        A.values[at++] = A.values[t]!;
      }
    }
    start[j + 1] = at;
  }
  return { rows, cols, start, index: A.index.slice(0, at), values: A.values.slice(0, at) };
}

function transposeEntries(A: Sparse, keys: number): Sparse {
  const column = new Int32Array(A.index.length);
  for (let j = 0; j < A.cols; j++) column.fill(j, A.start[j]!, A.start[j + 1]!);
  return gather(keys, column, A.values, A.index);
}

export function transposeSparse(A: Sparse): Sparse {
  return { ...transposeEntries(A, A.rows), rows: A.cols };
}

export function sparseToDense(A: Sparse): Matrix {
  const D = zeros(A.rows, A.cols);
  for (let j = 0; j < A.cols; j++) {
    for (let t = A.start[j]!; t < A.start[j + 1]!; t++) D.data[A.index[t]! + j * A.rows] = A.values[t]!;
  }
  return D;
}

/** Where each product of two entries of a row of Z falls in the lower triangle of Z'Z: the pattern once, values many times. */
export interface GramPlan {
  /** Lower triangle of Z'Z; gramSparseInto fills the values. */
  readonly gram: Sparse;
  /** Z by rows. */
  readonly Zt: Sparse;
  /** For row r of Z and its entries a ≥ b (in order), the position in gram.values. */
  readonly position: Int32Array;
}

export function planGram(Z: Sparse): GramPlan {
  const Zt = transposeSparse(Z);
  let pairs = 0;
  for (let r = 0; r < Z.rows; r++) {
    const k = Zt.start[r + 1]! - Zt.start[r]!;
    pairs += (k * (k + 1)) / 2;
  }
  const i = new Int32Array(pairs);
  const j = new Int32Array(pairs);
  let at = 0;
  for (let r = 0; r < Z.rows; r++) {
    for (let a = Zt.start[r]!; a < Zt.start[r + 1]!; a++) {
      for (let b = Zt.start[r]!; b <= a; b++) {
        i[at] = Zt.index[a]!;
        j[at++] = Zt.index[b]!;
      }
    }
  }
  const gram = fromTriplets(Z.cols, Z.cols, { i, j, x: new Float64Array(pairs) });
  const position = Int32Array.from({ length: pairs }, (_, t) => entryPosition(gram, i[t]!, j[t]!));
  return { gram, Zt, position };
}

/** Lower triangle of Z'WZ into plan.gram.values; `values` are those of plan.Zt unless given (same pattern). */
export function gramSparseInto(plan: GramPlan, w?: Float64Array, values: Float64Array = plan.Zt.values): void {
  const { gram, Zt, position } = plan;
  gram.values.fill(0);
  let at = 0;
  for (let r = 0; r < Zt.cols; r++) {
    const from = Zt.start[r]!;
    const to = Zt.start[r + 1]!;
    const wr = w === undefined ? 1 : w[r]!;
    for (let a = from; a < to; a++) {
      const v = wr * values[a]!;
      for (let b = from; b <= a; b++) gram.values[position[at++]!]! += v * values[b]!;
    }
  }
}

/** Lower triangle of Z'Z. */
export function gramSparse(Z: Sparse): Sparse {
  const plan = planGram(Z);
  gramSparseInto(plan);
  return plan.gram;
}

/** Position of entry (i, j) in values, or -1 when it is not in the pattern. */
export function entryPosition(A: Sparse, i: number, j: number): number {
  let low = A.start[j]!;
  let high = A.start[j + 1]! - 1;
  while (low <= high) {
    const mid = (low + high) >> 1;
    const row = A.index[mid]!;
    if (row === i) return mid;
    if (row < i) low = mid + 1;
    else high = mid - 1;
  }
  return -1;
}
