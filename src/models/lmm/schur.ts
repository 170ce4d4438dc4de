/** The Schur complement of a mixed model after factor 0 is eliminated: its layout, factorisation and inverse.
 *
 *  A symmetric matrix over the random effects of factors 1, 2, … is held column by column, both triangles: dense, or, when the
 *  levels meet few others (list designs, nested factors), only at the pairs of levels that share a level of factor 0. The
 *  columns of one level share their rows, so products with the block-diagonal Λ work on columns in both layouts alike.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), section 3; Takahashi, Fagan & Chen (1973).
 *  Limits:    dense storage of order m² up to DENSE_ORDER and wherever the sparse factor would cost as much. */
import { choleskyInto, cholInverse, cholLogDet } from "../../numeric/linalg/cholesky.ts";
import { dotAt } from "../../numeric/linalg/kernel.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import {
  makeSelectedInverse,
  type SelectedInverse,
  selectedInverseInto,
} from "../../numeric/linalg/selected-inverse.ts";
import {
  factorInto,
  makeFactor,
  type SparseFactor,
  sparseLogDet,
  sparseSolveLInto,
  sparseSolveLtInto,
} from "../../numeric/linalg/sparse-cholesky.ts";
import { analyzeWithin, factorWork } from "../../numeric/linalg/symbolic.ts";
import { solveLowerAt, solveLowerTAt } from "../../numeric/linalg/triangular.ts";
import { mostNumbers, refuseStep } from "../random/cost.ts";
import { type ColumnEntries, columnEntries, type LevelCross } from "./patterns.ts";
import type { LmmFactor } from "./problem.ts";

export interface Schur {
  /** Order. */
  readonly m: number;
  /** Numbers held. */
  readonly size: number;
  /** Column c holds positions start[c] … start[c+1]; their rows are index[…], or 0 … m-1 when dense. */
  readonly start: Int32Array;
  readonly sparse: SparseLayout | undefined;
  /** Of a dense one: where its columns stand in the patterns of factor 0. */
  readonly met: ColumnEntries | undefined;
  /** For each row the factor (from 0 for factor 1) that it belongs to. */
  readonly factorOf: Uint8Array;
  readonly sizes: Int32Array;
  readonly offsets: Int32Array;
  /** The dense factor L; of order 0 when sparse. */
  readonly L: Matrix;
}

export interface SparseLayout {
  readonly index: Int32Array;
  /** Position of the transposed entry. */
  readonly mirror: Int32Array;
  /** Position of each pair of columns a ≥ b of a pattern, in the order of the loops over patterns, b, a. */
  readonly pairs: Int32Array;
  /** First pair of each pattern. */
  readonly pairStart: Float64Array;
  readonly factor: SparseFactor;
  readonly inverse: SelectedInverse;
}

/** Up to this order a dense factorisation takes under a millisecond or so: not worth an analysis. */
export const DENSE_ORDER = 150;
/** Share of the pairs above which the sparse factor fills up anyway. */
const DENSE_SHARE = 0.4;
/** Sparse factors and inverses reach about this share of the dense kernels' speed. */
const SPARSE_SPEED = 0.25;

/** Matrices of the size of the Schur complement that an evaluation holds at once (LmmWork, its factor and its inverse). */
const HELD = 7;

export interface SchurInput {
  readonly factors: readonly LmmFactor[];
  readonly first: LevelCross;
  readonly m: number;
  readonly maxMemory: number;
  /** Up to which order no sparse factor is looked for. */
  readonly denseOrder: number;
}

export function makeSchur({ factors, first, m, maxMemory, denseOrder }: SchurInput): Schur {
  const others = factors.slice(1);
  const refuse = (numbers: number, work: number): void =>
    refuseStep(
      { numbers, multiplications: work + pairWork(first) },
      { eliminated: factors[0]!.group, left: others.map(({ group }) => group), maxMemory },
    );
  refuse(0, 0);
  const factorOf = new Uint8Array(m);
  others.forEach(({ offset, levels, size }, f) => {
    factorOf.fill(f, offset, offset + levels * size);
  });
  const sizes = Int32Array.from(others, ({ size }) => size);
  const offsets = Int32Array.from(others, ({ offset }) => offset);
  const sparse = m > denseOrder ? sparseLayout({ others, first, m, refuse, most: mostNumbers(maxMemory) }) : undefined;
  if (sparse === undefined) refuse(HELD * m * m, m ** 3 / 3);
  if (sparse !== undefined) {
    return {
      m,
      size: sparse.start[m]!,
      start: sparse.start,
      sparse: sparse.layout,
      met: undefined,
      factorOf,
      sizes,
      offsets,
      L: zeros(0, 0),
    };
  }
  const start = Int32Array.from({ length: m + 1 }, (_, c) => c * m);
  const met = columnEntries(first, m);
  return { m, size: m * m, start, sparse: undefined, met, factorOf, sizes, offsets, L: zeros(m, m) };
}

/** Multiplications by which the levels of factor 0 are taken out (reduceInto). */
function pairWork({ patterns, start, size }: LevelCross): number {
  let work = 0;
  for (let p = 0; p < patterns; p++) {
    const k = start[p + 1]! - start[p]!;
    work += (size * k * (k + 1)) / 2;
  }
  return work;
}

interface SparseInput {
  readonly others: readonly LmmFactor[];
  readonly first: LevelCross;
  readonly m: number;
  readonly most: number;
  refuse(numbers: number, work: number): void;
}

/** undefined where a dense layout is as good, or where even the sparse one has no room. */
function sparseLayout({
  others,
  first,
  m,
  most,
  refuse,
}: SparseInput): { start: Int32Array; layout: SparseLayout } | undefined {
  const pattern = neighbours(others, first, { m, most: Math.min(DENSE_SHARE * m * m, most / HELD) });
  if (pattern === undefined) return undefined;
  const { start, index } = pattern;
  const mostWork = (SPARSE_SPEED * m * m * m) / 3;
  const symbolic = analyzeWithin({ rows: m, cols: m, start, index, values: new Float64Array(0) }, { most, mostWork });
  if (symbolic === undefined) return undefined;
  const work = factorWork(symbolic);
  if (work > mostWork) return undefined;
  refuse(2 * symbolic.size + HELD * index.length, work / SPARSE_SPEED);
  const layout: SparseLayout = {
    index,
    mirror: mirrorPositions(start, index),
    ...pairPositions(first, start, index),
    factor: makeFactor(symbolic),
    inverse: makeSelectedInverse(symbolic),
  };
  return { start, layout };
}

/** Rows of each column: all random effects of levels that share a pattern with the column's level; undefined when too many. */
function neighbours(
  others: readonly LmmFactor[],
  first: LevelCross,
  { m, most }: { readonly m: number; readonly most: number },
) {
  const met = columnEntries(first, m);
  const start = new Int32Array(m + 1);
  let index = new Int32Array(Math.min(most, 16 * m) + m);
  let length = 0;
  const seen = new Int32Array(m).fill(-1);
  const rows = new Int32Array(m);
  for (const { offset, levels, size } of others) {
    for (let c = offset; c < offset + levels * size; c += size) {
      let count = 0;
      for (let k = 0; k < size; k++) {
        seen[c + k] = c; // a level without rows still has its own block
        rows[count++] = c + k;
      }
      for (let t = met.start[c]!; t < met.start[c + 1]!; t++) {
        const p = met.pattern[t]!;
        for (let u = first.start[p]!; u < first.start[p + 1]!; u++) {
          const r = first.index[u]!;
          if (seen[r] === c) continue;
          seen[r] = c;
          rows[count++] = r;
        }
      }
      if (length + count * size > most) return undefined;
      const own = ascending(rows.subarray(0, count), seen, c);
      if (length + count * size > index.length) index = grown(index, length + count * size);
      for (let k = 0; k < size; k++) {
        index.set(own, length);
        length += count;
        start[c + k + 1] = length;
      }
    }
  }
  return { start, index: index.slice(0, length) };
}

/** Sorted; where there are many of them by looking for the marked ones among all. */
function ascending(rows: Int32Array, seen: Int32Array, mark: number): Int32Array {
  if (rows.length * MANY < seen.length) return rows.sort();
  for (let r = 0, k = 0; k < rows.length; r++) if (seen[r] === mark) rows[k++] = r;
  return rows;
}

/** Rows that are looked at in the time in which one is sorted. */
const MANY = 16;

function grown(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const more = new Int32Array(Math.max(length, 2 * values.length));
  more.set(values);
  return more;
}

function mirrorPositions(start: Int32Array, index: Int32Array): Int32Array {
  const mirror = new Int32Array(index.length);
  const next = start.slice();
  // the pattern is symmetric and rows ascend, so the k-th visit to row r is the k-th entry of column r
  for (let c = 0; c + 1 < start.length; c++)
    for (let t = start[c]!; t < start[c + 1]!; t++) mirror[t] = next[index[t]!]!++;
  return mirror;
}

function pairPositions(first: LevelCross, start: Int32Array, index: Int32Array) {
  const pairStart = new Float64Array(first.patterns + 1);
  for (let p = 0; p < first.patterns; p++) {
    const k = first.start[p + 1]! - first.start[p]!;
    pairStart[p + 1] = pairStart[p]! + (k * (k + 1)) / 2;
  }
  const pairs = new Int32Array(pairStart[first.patterns]!);
  let at = 0;
  for (let p = 0; p < first.patterns; p++) {
    for (let b = first.start[p]!; b < first.start[p + 1]!; b++) {
      let t = start[first.index[b]!]!;
      const end = start[first.index[b]! + 1]!;
      for (let a = b; a < first.start[p + 1]!; a++) {
        t = seek(index, t, end, first.index[a]!);
        pairs[at++] = t;
      }
    }
  }
  return { pairs, pairStart };
}

/** First place in [from, end) whose row is at least `row`, by strides that double: the column of a rater has as many rows as there
 *  are items, and is looked into once for each of them. */
function seek(index: Int32Array, from: number, end: number, row: number): number {
  let [low, high] = [from, from];
  for (let stride = 1; high < end && index[high]! < row; stride *= 2) {
    low = high + 1;
    high = Math.min(end, high + stride);
  }
  while (low < high) {
    const mid = (low + high) >> 1;
    if (index[mid]! < row) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** Position of entry (row, col); the following rows of the same level come next. */
export function entryPosition(schur: Schur, row: number, col: number): number {
  if (schur.sparse === undefined) return schur.start[col]! + row;
  return seek(schur.sparse.index, schur.start[col]!, schur.start[col + 1]! - 1, row);
}

/** R ← A22 - Σ_p count_p V_p'V_p: the lower triangle; mirrorInto fills the other one. */
export function reduceInto(
  R: Float64Array,
  A22: Float64Array,
  V: Float64Array,
  { schur, first }: { schur: Schur; first: LevelCross },
): void {
  R.set(A22);
  if (schur.sparse === undefined) reduceColumns(R, V, schur, first);
  else reducePairs(R, V, schur.sparse, first);
}

/** Column by column, so that the one that is added to stays near; the patterns of an entry come in the same order as one by one. */
function reduceColumns(R: Float64Array, V: Float64Array, { m, met }: Schur, first: LevelCross): void {
  const { size: q, start, index, count } = first;
  const { start: from, entry, pattern } = met!;
  for (let c = 0; c < m; c++) {
    const column = c * m;
    for (let t = from[c]!; t < from[c + 1]!; t++) {
      const b = entry[t]!;
      const p = pattern[t]!;
      const to = start[p + 1]!;
      if (q === 1) {
        const own = count[p]! * V[b]!;
        for (let a = b; a < to; a++) R[column + index[a]!]! -= V[a]! * own;
      } else for (let a = b; a < to; a++) R[column + index[a]!]! -= count[p]! * product(V, a, b, q);
    }
  }
}

function reducePairs(R: Float64Array, V: Float64Array, { pairs }: SparseLayout, first: LevelCross): void {
  const { size: q, start, count, patterns } = first;
  let at = 0;
  for (let p = 0; p < patterns; p++) {
    for (let b = start[p]!; b < start[p + 1]!; b++) {
      const own = count[p]! * V[b]!;
      if (q === 1) for (let a = b; a < start[p + 1]!; a++) R[pairs[at++]!]! -= V[a]! * own;
      else for (let a = b; a < start[p + 1]!; a++) R[pairs[at++]!]! -= count[p]! * product(V, a, b, q);
    }
  }
}

/** Of columns a and b of V. */
function product(V: Float64Array, a: number, b: number, q: number): number {
  let s = 0;
  for (let k = 0; k < q; k++) s += V[a * q + k]! * V[b * q + k]!;
  return s;
}

/** Rows and columns copied together: as they are read across, whole lines of the cache are used before they are lost. */
const TILE = 32;

function mirrorTile(R: Float64Array, m: number, row: number, column: number): void {
  const last = Math.min(row + TILE, m);
  for (let j = column; j < column + TILE && j < m; j++) {
    const to = Math.min(last, j);
    for (let i = row; i < to; i++) R[i + j * m] = R[j + i * m]!;
  }
}

/** Copies the lower triangle onto the upper one. */
export function mirrorInto(R: Float64Array, { m, start, sparse }: Schur): void {
  if (sparse === undefined) {
    for (let j = 0; j < m; j += TILE) for (let i = 0; i <= j; i += TILE) mirrorTile(R, m, i, j);
    return;
  }
  const { index, mirror } = sparse;
  for (let c = 0; c < m; c++) {
    for (let t = start[c]!; t < start[c + 1]! && index[t]! < c; t++) R[t] = R[mirror[t]!]!;
  }
}

/** Y ← B·R with B block diagonal: the q × q block of factor f is blocks[f], at every level. */
export function blocksTimesInto(Y: Float64Array, blocks: readonly Float64Array[], R: Float64Array, schur: Schur): void {
  const { m, start, sparse, factorOf, sizes } = schur;
  if (isScalar(schur) && sparse === undefined) {
    scaleRowsInto(Y, blocks, R, schur);
    return;
  }
  for (let c = 0; c < m; c++) {
    const from = start[c]!;
    const to = start[c + 1]!;
    for (let t = from; t < to; ) {
      const f = factorOf[sparse === undefined ? t - from : sparse.index[t]!]!;
      const q = sizes[f]!;
      const B = blocks[f]!;
      if (q === 1) Y[t] = B[0]! * R[t]!;
      else {
        for (let i = 0; i < q; i++) {
          let s = 0;
          for (let k = 0; k < q; k++) s += B[i + k * q]! * R[t + k]!;
          Y[t + i] = s;
        }
      }
      t += q;
    }
  }
}

/** Every factor has one random effect a level. */
export const isScalar = ({ sizes }: Schur): boolean => sizes.every((size) => size === 1);

/** The dense case of blocksTimesInto with single numbers for blocks: the rows of a factor follow each other. */
function scaleRowsInto(Y: Float64Array, blocks: readonly Float64Array[], R: Float64Array, { m, offsets }: Schur): void {
  for (let f = 0; f < blocks.length; f++) {
    const b = blocks[f]![0]!;
    const last = f + 1 < blocks.length ? offsets[f + 1]! : m;
    for (let column = 0; column < m * m; column += m)
      for (let t = column + offsets[f]!; t < column + last; t++) Y[t] = b * R[t]!;
  }
}

/** S ← B·R·B', the lower triangle, where R is dense and every block a single number. */
export function scaleLowerInto(
  S: Float64Array,
  blocks: readonly Float64Array[],
  R: Float64Array,
  { m, factorOf, offsets }: Schur,
): void {
  for (let c = 0; c < m; c++) {
    for (let f = factorOf[c]!; f < blocks.length; f++) {
      const b = blocks[f]![0]! * blocks[factorOf[c]!]![0]!;
      const last = c * m + (f + 1 < blocks.length ? offsets[f + 1]! : m);
      for (let t = c * m + Math.max(c, offsets[f]!); t < last; t++) S[t] = b * R[t]!;
    }
  }
}

/** S ← Y·B', B as above; S is not Y, unless all blocks are single numbers. */
export function timesBlocksInto(
  S: Float64Array,
  Y: Float64Array,
  blocks: readonly Float64Array[],
  { m, start, factorOf, sizes }: Schur,
): void {
  for (let c = 0; c < m; ) {
    const f = factorOf[c]!;
    const q = sizes[f]!;
    const B = blocks[f]!;
    const length = start[c + 1]! - start[c]!;
    for (let j = 0; j < q; j++) {
      const to = start[c + j]!;
      const first = start[c]!;
      for (let t = 0; t < length; t++) S[to + t] = B[j]! * Y[first + t]!;
      for (let k = 1; k < q; k++) {
        const from = start[c + k]!;
        const s = B[j + k * q]!;
        if (s !== 0) for (let t = 0; t < length; t++) S[to + t]! += s * Y[from + t]!;
      }
    }
    c += q;
  }
}

/** y ← B·x for a vector in the order of the columns. */
export function blocksTimesVectorInto(
  y: Float64Array,
  blocks: readonly Float64Array[],
  x: Float64Array,
  { m, factorOf, sizes }: Schur,
  at = 0,
): void {
  for (let c = 0; c < m; ) {
    const f = factorOf[c]!;
    const q = sizes[f]!;
    const B = blocks[f]!;
    for (let i = 0; i < q; i++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += B[i + k * q]! * x[at + c + k]!;
      y[at + c + i] = s;
    }
    c += q;
  }
}

/** y ← y - R·x for symmetric R, on columns starting at `at`. */
export function subtractSymmetric(
  y: Float64Array,
  R: Float64Array,
  x: Float64Array,
  { m, start, sparse }: Schur,
  at: number,
): void {
  for (let c = 0; c < m; c++) {
    const from = start[c]!;
    if (sparse === undefined) y[at + c]! -= dotAt(R, from, x, at, m);
    else {
      let s = 0;
      for (let t = from; t < start[c + 1]!; t++) s += R[t]! * x[at + sparse.index[t]!]!;
      y[at + c]! -= s;
    }
  }
}

/** Factors S = LL' (after adding I); false when it is not positive definite. */
export function factorSchur(S: Float64Array, schur: Schur): boolean {
  const { m, sparse, L } = schur;
  if (sparse !== undefined) return factorInto(sparse.factor, S, 1) < 0;
  for (let c = 0; c < m; c++) S[c * (m + 1)]! += 1;
  return choleskyInto(L, { rows: m, cols: m, data: S }) < 0;
}

export function schurLogDet({ sparse, L }: Schur): number {
  return sparse === undefined ? cholLogDet(L) : sparseLogDet(sparse.factor);
}

/** `cols` columns of B, of length m: B ← L⁻¹B, in the order of the factor. */
export function solveSchurL(B: Float64Array, cols: number, { m, sparse, L }: Schur): void {
  if (sparse === undefined) solveLowerAt(L.data, 0, m, m, B, 0, m, cols);
  else for (let j = 0; j < cols; j++) sparseSolveLInto(B.subarray(j * m, (j + 1) * m), sparse.factor);
}

/** B ← L⁻ᵀB, from the order of the factor back to that of the columns. */
export function solveSchurLt(B: Float64Array, cols: number, { m, sparse, L }: Schur): void {
  if (sparse === undefined) solveLowerTAt(L.data, 0, m, m, B, 0, m, cols);
  else for (let j = 0; j < cols; j++) sparseSolveLtInto(B.subarray(j * m, (j + 1) * m), sparse.factor);
}

/** Z ← S⁻¹ in the layout of the Schur complement. */
export function invertSchurInto(Z: Float64Array, { m, start, sparse, L }: Schur): void {
  if (sparse === undefined) {
    Z.set(cholInverse(L).data);
    return;
  }
  const { index, mirror, factor, inverse } = sparse;
  selectedInverseInto(inverse, factor);
  const { target } = factor.symbolic;
  for (let c = 0; c < m; c++) {
    for (let t = start[c]!; t < start[c + 1]!; t++) {
      Z[t] = inverse.values[index[t]! < c ? target[mirror[t]!]! : target[t]!]!;
    }
  }
}
