/** The off-diagonal block A12 of block.ts when each level meets few columns (crossed factors in list designs).
 *
 *  Level l has entries start[l] … start[l+1]: column index[t], and the q numbers of that column in the level's rows,
 *  values[t·q …]. A Schur complement then adds, per level, the products of its few columns.
 *  Oracle:    dense Cholesky factorisation of the assembled matrix.
 *  Limits:    a sparse target needs one position per pair of columns of a level; use the dense one when levels are long. */
import type { BlockDiagonal } from "./block.ts";
import { sandwichBlock, solveBlock } from "./block.ts";
import type { Matrix } from "./matrix.ts";
import { mirrorLowerInto, zeros } from "./matrix.ts";
import type { Sparse, Triplets } from "./sparse.ts";
import { entryPosition, fromTriplets } from "./sparse.ts";

export interface LevelColumns {
  readonly levels: number;
  readonly size: number;
  readonly cols: number;
  readonly start: Int32Array;
  /** Ascending within a level. */
  readonly index: Int32Array;
  readonly values: Float64Array;
}

/** From entries (row of A12 in 0 … levels·q-1, column, value); repeated entries are added. */
export function levelColumns(
  { levels, size, cols }: { readonly levels: number; readonly size: number; readonly cols: number },
  { i, j, x }: Triplets,
): LevelColumns {
  const level = Int32Array.from(i, (r) => Math.floor(r / size));
  const pattern = fromTriplets(cols, levels, { i: j, j: level, x: new Float64Array(x.length) });
  const values = new Float64Array(pattern.index.length * size);
  for (let t = 0; t < x.length; t++) {
    const l = level[t]!;
    values[entryPosition(pattern, j[t]!, l) * size + (i[t]! - l * size)]! += x[t]!;
  }
  return { levels, size, cols, start: pattern.start, index: pattern.index, values };
}

export function levelColumnsToDense(A: LevelColumns): Matrix {
  const q = A.size;
  const D = zeros(A.levels * q, A.cols);
  for (let l = 0; l < A.levels; l++) {
    for (let t = A.start[l]!; t < A.start[l + 1]!; t++) {
      for (let k = 0; k < q; k++) D.data[l * q + k + A.index[t]! * D.rows] = A.values[t * q + k]!;
    }
  }
  return D;
}

/** V ← L⁻¹V. */
export function solveLevelsInto(V: LevelColumns, L: BlockDiagonal): void {
  const q = V.size;
  for (let l = 0; l < V.levels; l++) {
    if (q === 1) for (let t = V.start[l]!; t < V.start[l + 1]!; t++) V.values[t]! /= L.data[l]!;
    else for (let t = V.start[l]!; t < V.start[l + 1]!; t++) solveBlock(V.values, t * q, L.data, l * q * q, q);
  }
}

/** Dense S ← S - V'V, level l counted `count[l]` times. Reads S's lower triangle, writes both. */
export function subtractLevelsInto(S: Matrix, V: LevelColumns, count?: Float64Array): void {
  const { size: q, start, index, values } = V;
  for (let l = 0; l < V.levels; l++) {
    const c = count === undefined ? 1 : count[l]!;
    for (let b = start[l]!; b < start[l + 1]!; b++) {
      const column = index[b]! * S.rows;
      for (let a = b; a < start[l + 1]!; a++) S.data[column + index[a]!]! -= c * product(values, a * q, b * q, q);
    }
  }
  mirrorLowerInto(S);
}

function product(x: Float64Array, a: number, b: number, q: number): number {
  let s = x[a]! * x[b]!;
  for (let k = 1; k < q; k++) s += x[a + k]! * x[b + k]!;
  return s;
}

/** The pattern of A22 - V'V, and where every product goes; made once, since neither depends on the numbers. */
export interface SchurPlan {
  /** Lower triangle of the Schur complement; schurSparseInto fills the values. */
  readonly schur: Sparse;
  /** Position of each entry of A22 (lower triangle) in schur.values. */
  readonly base: Int32Array;
  /** Position of each product of columns a ≥ b of a level, in the order of the loops. */
  readonly position: Int32Array;
}

export function planSchur(A12: LevelColumns, A22: Sparse): SchurPlan {
  const i: number[] = [];
  const j: number[] = [];
  for (let c = 0; c < A22.cols; c++) {
    i.push(c);
    j.push(c);
    for (let t = A22.start[c]!; t < A22.start[c + 1]!; t++) {
      i.push(A22.index[t]!);
      j.push(c);
    }
  }
  const seen = new Set<number>(); // levels repeat the same pairs many times over
  for (let l = 0; l < A12.levels; l++) {
    for (let b = A12.start[l]!; b < A12.start[l + 1]!; b++) {
      for (let a = b; a < A12.start[l + 1]!; a++) {
        const key = A12.index[a]! + A12.index[b]! * A12.cols;
        if (seen.has(key)) continue;
        seen.add(key);
        i.push(A12.index[a]!);
        j.push(A12.index[b]!);
      }
    }
  }
  const schur = fromTriplets(A22.rows, A22.cols, { i, j, x: new Float64Array(i.length) });
  const base = new Int32Array(A22.index.length);
  for (let c = 0; c < A22.cols; c++) {
    for (let t = A22.start[c]!; t < A22.start[c + 1]!; t++) base[t] = entryPosition(schur, A22.index[t]!, c);
  }
  return { schur, base, position: productPositions(A12, schur) };
}

function productPositions(A12: LevelColumns, schur: Sparse): Int32Array {
  let pairs = 0;
  for (let l = 0; l < A12.levels; l++) {
    const k = A12.start[l + 1]! - A12.start[l]!;
    pairs += (k * (k + 1)) / 2;
  }
  const position = new Int32Array(pairs);
  let at = 0;
  for (let l = 0; l < A12.levels; l++) {
    for (let b = A12.start[l]!; b < A12.start[l + 1]!; b++) {
      for (let a = b; a < A12.start[l + 1]!; a++) position[at++] = entryPosition(schur, A12.index[a]!, A12.index[b]!);
    }
  }
  return position;
}

/** Sparse plan.schur ← A22 - V'V; `base` holds A22's values in the pattern of the plan. */
export function schurSparseInto(plan: SchurPlan, base: Float64Array, V: LevelColumns, count?: Float64Array): void {
  const out = plan.schur.values;
  const { size: q, start, values } = V;
  out.fill(0);
  for (let t = 0; t < base.length; t++) out[plan.base[t]!]! += base[t]!;
  let at = 0;
  for (let l = 0; l < V.levels; l++) {
    const c = count === undefined ? 1 : count[l]!;
    for (let b = start[l]!; b < start[l + 1]!; b++) {
      for (let a = b; a < start[l + 1]!; a++) out[plan.position[at++]!]! -= c * product(values, a * q, b * q, q);
    }
  }
}

/** x1 ← x1 - V·x2. */
export function subtractLevelsTimesInto(x1: Float64Array, V: LevelColumns, x2: Float64Array): void {
  const q = V.size;
  for (let l = 0; l < V.levels; l++) {
    for (let t = V.start[l]!; t < V.start[l + 1]!; t++) {
      const v = x2[V.index[t]!]!;
      for (let k = 0; k < q; k++) x1[l * q + k]! -= v * V.values[t * q + k]!;
    }
  }
}

/** x2 ← x2 - V'·x1. */
export function subtractLevelsTTimesInto(x2: Float64Array, V: LevelColumns, x1: Float64Array): void {
  const q = V.size;
  for (let l = 0; l < V.levels; l++) {
    for (let t = V.start[l]!; t < V.start[l + 1]!; t++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += V.values[t * q + k]! * x1[l * q + k]!;
      x2[V.index[t]!]! -= s;
    }
  }
}

/** A11's diagonal blocks of the whole inverse, L⁻ᵀ(I + V Z V')L⁻¹, as inverseBlocksInto. `entry(i, j)` gives the inverse of the
 *  Schur complement for columns that share a level: from a dense matrix, or the selected inverse of the sparse one. */
export function inverseLevelBlocksInto(
  out: BlockDiagonal,
  L: BlockDiagonal,
  V: LevelColumns,
  entry: (i: number, j: number) => number,
): void {
  const q = V.size;
  out.data.fill(0);
  for (let l = 0; l < V.levels; l++) {
    const block = l * q * q;
    for (let b = V.start[l]!; b < V.start[l + 1]!; b++) {
      for (let a = V.start[l]!; a < V.start[l + 1]!; a++) {
        const z = entry(V.index[a]!, V.index[b]!);
        for (let j = 0; j < q; j++) {
          const zj = z * V.values[b * q + j]!;
          for (let i = 0; i < q; i++) out.data[block + i + j * q]! += zj * V.values[a * q + i]!;
        }
      }
    }
    sandwichBlock(out.data, L.data, block, q);
  }
}
