/** Block elimination for one grouping factor: the matrix is
 *
 *      [ A11  A12 ]   A11 block diagonal: one q × q block per level
 *      [ A21  A22 ]   A12: levels·q rows, m columns
 *
 *  and eliminating A11 = LL' costs O(levels): V = L⁻¹A12, then the Schur complement A22 - V'V. A level may carry a count: it
 *  then stands for that many levels with the same blocks ("pattern"), eliminated once and counted often.
 *  A12 is dense (Matrix) or, when each level meets few columns, by level (LevelColumns, level-columns.ts).
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), eq. 18-20, in block form.
 *  Oracle:    dense Cholesky factorisation of the assembled matrix.
 *  Limits:    only the lower triangle of a block is read; the blocks' L has zeros above. */
import { addGramUpper, addScaledAt, addWeightedTN, dotAt } from "./kernel.ts";
import type { Matrix } from "./matrix.ts";
import { mirrorUpperInto } from "./matrix.ts";

/** Entry (i, j) of level l's block is data[l·q² + i + j·q]. */
export interface BlockDiagonal {
  readonly levels: number;
  /** q, the order of each block. */
  readonly size: number;
  readonly data: Float64Array;
}

export function zeroBlocks(levels: number, size: number): BlockDiagonal {
  return { levels, size, data: new Float64Array(levels * size * size) };
}

/** L with LL' = A, block by block; L may be A. Returns -1, or the first level whose block is not positive definite. */
export function factorBlocksInto(L: BlockDiagonal, A: BlockDiagonal): number {
  const q = A.size;
  if (q === 1) return rootsInto(L.data, A.data, A.levels);
  for (let l = 0; l < A.levels; l++) if (!factorBlock(L.data, A.data, l * q * q, q)) return l;
  return -1;
}

function rootsInto(L: Float64Array, A: Float64Array, levels: number): number {
  for (let l = 0; l < levels; l++) {
    const a = A[l]!;
    if (!(a > 0) || a === Number.POSITIVE_INFINITY) return l;
    L[l] = Math.sqrt(a);
  }
  return -1;
}

function factorBlock(L: Float64Array, A: Float64Array, at: number, q: number): boolean {
  for (let j = 0; j < q; j++) {
    const cj = at + j * q;
    let d = A[cj + j]!;
    for (let k = 0; k < j; k++) d -= L[at + j + k * q]! ** 2;
    if (!(d > 0) || d === Number.POSITIVE_INFINITY) return false;
    d = Math.sqrt(d);
    L[cj + j] = d;
    for (let i = 0; i < j; i++) L[cj + i] = 0;
    for (let i = j + 1; i < q; i++) {
      let s = A[cj + i]!;
      for (let k = 0; k < j; k++) s -= L[at + i + k * q]! * L[at + j + k * q]!;
      L[cj + i] = s / d;
    }
  }
  return true;
}

/** log det A11 from its factor, each level counted `count` times. */
export function blocksLogDet(L: BlockDiagonal, count?: Float64Array): number {
  const q = L.size;
  let sum = 0;
  for (let l = 0; l < L.levels; l++) {
    let s = 0;
    for (let i = 0; i < q; i++) s += Math.log(L.data[l * q * q + i * (q + 1)]!);
    sum += count === undefined ? s : count[l]! * s;
  }
  return 2 * sum;
}

/** x ← L⁻¹x on levels·q entries from x[at]. */
export function solveBlocksAt(x: Float64Array, at: number, L: BlockDiagonal): void {
  const { levels, size: q, data } = L;
  if (q === 1) {
    for (let l = 0; l < levels; l++) x[at + l]! /= data[l]!;
    return;
  }
  for (let l = 0; l < levels; l++) solveBlock(x, at + l * q, data, l * q * q, q);
}

/** x ← L⁻ᵀx on levels·q entries from x[at]. */
export function solveBlocksTAt(x: Float64Array, at: number, L: BlockDiagonal): void {
  const { levels, size: q, data } = L;
  if (q === 1) {
    for (let l = 0; l < levels; l++) x[at + l]! /= data[l]!;
    return;
  }
  for (let l = 0; l < levels; l++) solveBlockT(x, at + l * q, data, l * q * q, q);
}

/** One q × q forward substitution. */
export function solveBlock(x: Float64Array, at: number, L: Float64Array, block: number, q: number): void {
  for (let j = 0; j < q; j++) {
    const v = x[at + j]! / L[block + j * (q + 1)]!;
    x[at + j] = v;
    for (let i = j + 1; i < q; i++) x[at + i]! -= v * L[block + i + j * q]!;
  }
}

/** One q × q backward substitution with the transpose. */
export function solveBlockT(x: Float64Array, at: number, L: Float64Array, block: number, q: number): void {
  for (let j = q - 1; j >= 0; j--) {
    let v = x[at + j]!;
    for (let i = j + 1; i < q; i++) v -= L[block + i + j * q]! * x[at + i]!;
    x[at + j] = v / L[block + j * (q + 1)]!;
  }
}

/** V ← L⁻¹V for the columns of a dense A12. */
export function solveBlocksInto(V: Matrix, L: BlockDiagonal): void {
  for (let j = 0; j < V.cols; j++) solveBlocksAt(V.data, j * V.rows, L);
}

/** S ← S - V'V, or S - V' diag(rowCount) V: the Schur complement. Reads S's upper triangle, writes both. */
export function subtractGramInto(S: Matrix, V: Matrix, rowCount?: Float64Array): void {
  const m = V.cols;
  if (rowCount === undefined) addGramUpper(S.data, 0, S.rows, V.data, 0, V.rows, m, V.rows, -1);
  else addWeightedTN(S.data, 0, S.rows, V.data, 0, V.rows, V.data, 0, V.rows, m, m, V.rows, -1, rowCount, true);
  mirrorUpperInto(S);
}

/** x1 ← x1 - V·x2 (before the last step L⁻ᵀ of back-substitution). */
export function subtractTimesInto(x1: Float64Array, V: Matrix, x2: Float64Array): void {
  for (let j = 0; j < V.cols; j++) addScaledAt(x1, 0, V.data, j * V.rows, V.rows, -x2[j]!);
}

/** x2 ← x2 - V'·x1 (a right side carried along, x1 being L⁻¹ of its first part). */
export function subtractTTimesInto(x2: Float64Array, V: Matrix, x1: Float64Array): void {
  for (let j = 0; j < V.cols; j++) x2[j]! -= dotAt(V.data, j * V.rows, x1, 0, V.rows);
}

/** The diagonal blocks of the whole inverse that belong to A11: L⁻ᵀ(I + V Z V')L⁻¹ level by level, where Z is the inverse
 *  of the Schur complement. `T` is scratch of V's shape. Both triangles of the blocks are written. */
export function inverseBlocksInto(out: BlockDiagonal, L: BlockDiagonal, V: Matrix, Z: Matrix, T: Matrix): void {
  const { levels, size: q } = L;
  const n = V.rows;
  T.data.fill(0);
  for (let j = 0; j < Z.cols; j++) {
    for (let k = 0; k < Z.rows; k++) addScaledAt(T.data, j * n, V.data, k * n, n, Z.data[k + j * Z.rows]!);
  }
  out.data.fill(0);
  for (let c = 0; c < V.cols; c++) {
    for (let l = 0; l < levels; l++) {
      const row = c * n + l * q;
      for (let j = 0; j < q; j++) {
        for (let i = 0; i < q; i++) out.data[l * q * q + i + j * q]! += T.data[row + i]! * V.data[row + j]!;
      }
    }
  }
  for (let l = 0; l < levels; l++) sandwichBlock(out.data, L.data, l * q * q, q);
}

/** M ← L⁻ᵀ(I + M)L⁻¹ for one symmetric block. */
export function sandwichBlock(M: Float64Array, L: Float64Array, at: number, q: number): void {
  for (let j = 0; j < q; j++) {
    M[at + j * (q + 1)]! += 1;
    solveBlockT(M, at + j * q, L, at, q);
  }
  transposeBlock(M, at, q);
  for (let j = 0; j < q; j++) solveBlockT(M, at + j * q, L, at, q);
  for (let j = 0; j < q; j++) {
    for (let i = 0; i < j; i++) {
      const mean = (M[at + i + j * q]! + M[at + j + i * q]!) / 2;
      M[at + i + j * q] = mean;
      M[at + j + i * q] = mean;
    }
  }
}

function transposeBlock(M: Float64Array, at: number, q: number): void {
  for (let j = 0; j < q; j++) {
    for (let i = 0; i < j; i++) {
      const t = M[at + i + j * q]!;
      M[at + i + j * q] = M[at + j + i * q]!;
      M[at + j + i * q] = t;
    }
  }
}
