/** Cross products of a mixed model's design, by levels and patterns.
 *
 *  With factor 0 (the one to be eliminated) as 1, the other factors as 2 and x for X R⁻¹:
 *
 *      A11 = Z1'WZ1, one q × q block per level     A12 = Z1'WZ2, for each level only the columns that it meets
 *      A22 = Z2'WZ2, dense or sparse (schur.ts)     A1x = Z1'WX R⁻¹,  A2x = Z2'WX R⁻¹,  Axx = I
 *
 *  Levels of factor 0 with the same A11, A12 and A1x form a pattern (every item of a crossed design does): they share their
 *  elimination at any θ, so only the first of them is kept, with a count (patterns.ts).
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), section 3. */
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { zeros } from "../../numeric/linalg/matrix.ts";
import { type LevelCross, mergePatterns } from "./patterns.ts";
import type { LmmFactor } from "./problem.ts";
import { entryPosition, makeSchur, mirrorInto, type Schur } from "./schur.ts";

export interface CrossProducts {
  readonly first: LevelCross;
  /** Random effects of factors 1, 2, …, and columns of X. */
  readonly m: number;
  readonly p: number;
  /** Structure of the Schur complement, with A22 in its layout. */
  readonly schur: Schur;
  readonly A22: Float64Array;
  readonly A2x: Matrix;
}

export interface CrossInput {
  readonly factors: readonly LmmFactor[];
  readonly X: Matrix;
  readonly inverseR: Matrix;
  readonly weights: Float64Array | undefined;
  readonly maxMemory: number;
  readonly denseOrder: number;
}

export function crossProducts({ factors, X, inverseR, weights, maxMemory, denseOrder }: CrossInput): CrossProducts {
  const last = factors[factors.length - 1]!;
  const m = factors.length === 1 ? 0 : last.offset + last.levels * last.size;
  const first = mergePatterns(levelCross(factors, { m, X, weights }));
  timesInto(first.A1x, inverseR, first.size, first.patterns);
  const others = factors.slice(1);
  const schur = makeSchur({ factors, first, m, maxMemory, denseOrder });
  const A22 = new Float64Array(schur.size);
  for (const a of others)
    for (const b of others) if (a.offset >= b.offset) addFactorPair(A22, schur, { a, b, weights });
  mirrorInto(A22, schur);
  const A2x = zeros(m, X.cols);
  for (const factor of others) addFixed(A2x.data, factor, { X, weights, at: factor.offset, rows: m });
  timesInto(A2x.data, inverseR, m, 1);
  return { first, m, p: X.cols, schur, A22, A2x };
}

/** B ← B R⁻¹ for `blocks` blocks of the given number of rows; R⁻¹ is upper triangular. */
function timesInto(B: Float64Array, inverseR: Matrix, rows: number, blocks: number): void {
  const p = inverseR.rows;
  for (let block = 0; block < blocks; block++) {
    const at = block * rows * p;
    for (let j = p - 1; j >= 0; j--) {
      for (let i = 0; i < rows; i++) {
        let s = 0;
        for (let k = 0; k <= j; k++) s += B[at + i + k * rows]! * inverseR.data[k + j * p]!;
        B[at + i + j * rows] = s;
      }
    }
  }
}

interface Rows {
  readonly m: number;
  readonly X: Matrix;
  readonly weights: Float64Array | undefined;
}

/** Every level of factor 0 as its own pattern. */
function levelCross(factors: readonly LmmFactor[], { m, X, weights }: Rows): LevelCross {
  const own = factors[0]!;
  const { levels, size: q } = own;
  const rows = rowsByLevel(own.index, levels);
  const A11 = new Float64Array(levels * q * q);
  const start = new Int32Array(levels + 1);
  const width = factors.reduce((sum, { size }, f) => (f === 0 ? 0 : sum + size), 0);
  const most = Math.min(levels * m, own.index.length * width);
  const index = new Int32Array(most);
  const A12 = new Float64Array(most * q);
  const sums = new Float64Array(m * q);
  const seen = new Int32Array(m).fill(-1);
  let length = 0;
  for (let level = 0; level < levels; level++) {
    let end = length;
    for (let t = rows.start[level]!; t < rows.start[level + 1]!; t++) {
      const i = rows.order[t]!;
      const w = weights ? weights[i]! : 1;
      addOuter(A11, level * q * q, own.Z, i, w);
      for (let f = 1; f < factors.length; f++) {
        addRow(sums, own.Z, factors[f]!, i, w);
        end = meetColumns(index, end, { seen, level, other: factors[f]!, i });
      }
    }
    index.subarray(length, end).sort();
    for (; length < end; length++) {
      const c = index[length]! * q;
      for (let k = 0; k < q; k++) {
        A12[length * q + k] = sums[c + k]!;
        sums[c + k] = 0;
      }
    }
    start[level + 1] = length;
  }
  const A1x = new Float64Array(levels * q * X.cols);
  addFixedByLevel(A1x, own, X, weights);
  return {
    patterns: levels,
    size: q,
    patternOf: Int32Array.from({ length: levels }, (_, l) => l),
    count: new Float64Array(levels).fill(1),
    A11,
    start,
    index: index.slice(0, length),
    A12: A12.slice(0, length * q),
    A1x,
  };
}

function rowsByLevel(index: Int32Array, levels: number): { start: Int32Array; order: Int32Array } {
  const start = new Int32Array(levels + 1);
  for (let i = 0; i < index.length; i++) start[index[i]! + 1]!++;
  for (let l = 0; l < levels; l++) start[l + 1]! += start[l]!;
  const next = start.slice();
  const order = new Int32Array(index.length);
  for (let i = 0; i < index.length; i++) order[next[index[i]!]!++] = i;
  return { start, order };
}

function addOuter(A: Float64Array, at: number, Z: Matrix, i: number, w: number): void {
  const q = Z.cols;
  for (let b = 0; b < q; b++) {
    const zb = w * Z.data[i + b * Z.rows]!;
    for (let a = 0; a < q; a++) A[at + a + b * q]! += Z.data[i + a * Z.rows]! * zb;
  }
}

/** One row's products of factor 0 with another factor. */
function addRow(sums: Float64Array, Z: Matrix, other: LmmFactor, i: number, w: number): void {
  const { rows: n, cols: q, data } = Z;
  const first = other.offset + other.index[i]! * other.size;
  for (let b = 0; b < other.size; b++) {
    const zb = w * other.Z.data[i + b * n]!;
    for (let a = 0; a < q; a++) sums[(first + b) * q + a]! += data[i + a * n]! * zb;
  }
}

interface Met {
  readonly seen: Int32Array;
  readonly level: number;
  readonly other: LmmFactor;
  readonly i: number;
}

/** Appends the columns of row i's level of another factor, each once per level of factor 0; zeros too, so that blocks are whole. Returns
 *  the new end. */
function meetColumns(columns: Int32Array, end: number, { seen, level, other, i }: Met): number {
  const first = other.offset + other.index[i]! * other.size;
  if (seen[first] === level) return end;
  seen[first] = level;
  for (let b = 0; b < other.size; b++) columns[end + b] = first + b;
  return end + other.size;
}

/** Blocks level · (q × p) of Z'WX. */
function addFixedByLevel(out: Float64Array, own: LmmFactor, X: Matrix, weights: Float64Array | undefined): void {
  const { size: q, Z, index } = own;
  const n = Z.rows;
  for (let j = 0; j < X.cols; j++) {
    for (let i = 0; i < n; i++) {
      const x = X.data[i + j * n]! * (weights ? weights[i]! : 1);
      if (x === 0) continue; // most entries of dummies
      const at = (index[i]! * X.cols + j) * q;
      for (let a = 0; a < q; a++) out[at + a]! += Z.data[i + a * n]! * x;
    }
  }
}

interface FixedTarget {
  readonly X: Matrix;
  readonly weights: Float64Array | undefined;
  readonly at: number;
  readonly rows: number;
}

function addFixed(out: Float64Array, factor: LmmFactor, { X, weights, at, rows }: FixedTarget): void {
  const { size: q, Z, index } = factor;
  const n = Z.rows;
  for (let j = 0; j < X.cols; j++) {
    for (let i = 0; i < n; i++) {
      const x = X.data[i + j * n]! * (weights ? weights[i]! : 1);
      if (x === 0) continue;
      const to = at + index[i]! * q + j * rows;
      for (let a = 0; a < q; a++) out[to + a]! += Z.data[i + a * n]! * x;
    }
  }
}

interface FactorPair {
  readonly a: LmmFactor;
  readonly b: LmmFactor;
  readonly weights: Float64Array | undefined;
}

/** Za'WZb into the rows of a and the columns of b, which are not behind those of a: the lower triangle. */
function addFactorPair(A22: Float64Array, schur: Schur, { a, b, weights }: FactorPair): void {
  const n = a.Z.rows;
  if (a.size === 1 && b.size === 1 && schur.sparse === undefined) {
    const za = a.Z.data;
    const zb = b.Z.data;
    for (let i = 0; i < n; i++) {
      const at = a.offset + a.index[i]! + schur.m * (b.offset + b.index[i]!);
      A22[at]! += za[i]! * (weights ? weights[i]! * zb[i]! : zb[i]!);
    }
    return;
  }
  for (let i = 0; i < n; i++) {
    const w = weights ? weights[i]! : 1;
    const row = a.offset + a.index[i]! * a.size;
    const col = b.offset + b.index[i]! * b.size;
    for (let c = 0; c < b.size; c++) {
      const zc = w * b.Z.data[i + c * n]!;
      const at = entryPosition(schur, row, col + c);
      for (let r = 0; r < a.size; r++) A22[at + r]! += a.Z.data[i + r * n]! * zc;
    }
  }
}
