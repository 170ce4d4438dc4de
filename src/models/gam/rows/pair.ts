/** Sums over rows for a pair of blocks: Φ = Σ w_i φ_a(x_i) φ_b(x_i)', and the row by row inverse of that, φ_a' V φ_b.
 *  Φ is functions of a × functions of b, column-major. Rows are matched first: entry t of a match is position ia[t] of the one
 *  slice, ib[t] of the other, with weight weights[t]. */
import { addTN } from "../../../numeric/linalg/kernel.ts";
import { type Block, type RowSlice, SLICE } from "./block.ts";

/** Rows that both blocks of a pair have, within a slice. */
export interface Match {
  readonly ia: Int32Array;
  readonly ib: Int32Array;
  /** Design rows. */
  readonly row: Int32Array;
  readonly weights: Float64Array;
  readonly count: number;
}

export interface Span {
  readonly lo: number;
  readonly hi: number;
}

/** The positions of a block whose rows are from … to. */
export function spanOf({ rows }: Block, from: number, to: number): Span {
  return rows === undefined ? { lo: from, hi: to } : { lo: lowerBound(rows, from), hi: lowerBound(rows, to) };
}

function lowerBound(rows: Int32Array, row: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Matcher {
  match(a: Block, b: Block, spans: { readonly a: Span; readonly b: Span }): Match;
}

/** Matches for slices of up to n rows, valid until the next one; `w` over all rows, undefined for ones. */
export function makeMatcher(n: number, w: Float64Array | undefined): Matcher {
  const size = Math.min(n, SLICE);
  const every = Int32Array.from({ length: size }, (_, t) => t);
  const [ia, ib, row] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)];
  const weights = new Float64Array(size);
  return {
    match(a, b, spans) {
      const whole = a.rows === undefined && b.rows === undefined;
      const count = whole ? spans.a.hi - spans.a.lo : sharedRowsInto({ ia, ib, row }, a, b, spans);
      if (whole) for (let t = 0; t < count; t++) row[t] = spans.a.lo + t;
      if (w === undefined) weights.fill(1, 0, count);
      else for (let t = 0; t < count; t++) weights[t] = w[row[t]!]!;
      for (const { scale } of [a, b]) {
        if (scale !== undefined) for (let t = 0; t < count; t++) weights[t]! *= scale[row[t]!]!;
      }
      return whole ? { ia: every, ib: every, row, weights, count } : { ia, ib, row, weights, count };
    },
  };
}

/** Merges two ascending lists of rows; returns how many they share. */
function sharedRowsInto(
  { ia, ib, row }: Pick<Match, "ia" | "ib" | "row">,
  a: Block,
  b: Block,
  spans: { readonly a: Span; readonly b: Span },
): number {
  let count = 0;
  let [t, u] = [spans.a.lo, spans.b.lo];
  while (t < spans.a.hi && u < spans.b.hi) {
    const rowA = a.rows === undefined ? t : a.rows[t]!;
    const rowB = b.rows === undefined ? u : b.rows[u]!;
    if (rowA === rowB) {
      ia[count] = t++ - spans.a.lo;
      ib[count] = u++ - spans.b.lo;
      row[count++] = rowA;
    } else if (rowA < rowB) {
      t = a.rows === undefined ? rowB : t + 1;
    } else {
      u = b.rows === undefined ? rowA : u + 1;
    }
  }
  return count;
}

/** One side of a pair within a slice. */
interface Side {
  readonly block: Pick<Block, "width" | "offsets" | "tables">;
  readonly slice: RowSlice;
}

/** Column-major copies for products of dense rows; no call outlives the loop that fills them. */
let left = new Float64Array(0);
let right = new Float64Array(0);

/** Φ += Σ w φ_a φ_b'. If one side is dense, it is a. */
export function addProductsInto(Phi: Float64Array, a: Side, b: Side, match: Match): void {
  if (a.slice.first === undefined) {
    if (b.slice.first === undefined) addDense(Phi, a, b, match);
    else if (isQuadruple(b.block)) addDenseQuadruples(Phi, a, b, match);
    else addDenseSparse(Phi, a, b, match);
  } else if (isQuadruple(a.block) && isQuadruple(b.block)) addQuadruples(Phi, a, b, match);
  else addSparse(Phi, a, b, match);
}

function isQuadruple({ width, offsets }: Side["block"]): boolean {
  return width === 4 && offsets[3] === 3;
}

function addDense(Phi: Float64Array, a: Side, b: Side, { ia, ib, weights, count }: Match): void {
  const [m, n] = [a.block.width, b.block.width];
  if (left.length < m * count) left = new Float64Array(m * SLICE);
  if (right.length < n * count) right = new Float64Array(n * SLICE);
  for (let t = 0; t < count; t++) {
    const from = m * (a.slice.at + ia[t]!);
    for (let j = 0; j < m; j++) left[t + j * count] = a.slice.values[from + j]!;
    const other = n * (b.slice.at + ib[t]!);
    const w = weights[t]!;
    for (let j = 0; j < n; j++) right[t + j * count] = w * b.slice.values[other + j]!;
  }
  addTN(Phi, 0, m, left, 0, count, right, 0, count, m, n, count, 1);
}

function addDenseSparse(Phi: Float64Array, a: Side, b: Side, { ia, ib, weights, count }: Match): void {
  const { width: m } = a.block;
  const { width, offsets } = b.block;
  const first = b.slice.first!;
  const { values } = a.slice;
  for (let t = 0; t < count; t++) {
    const from = m * (a.slice.at + ia[t]!);
    const other = b.slice.at + ib[t]!;
    for (let f = 0; f < width; f++) {
      const s = weights[t]! * b.slice.values[width * other + f]!;
      const to = m * (first[other]! + offsets[f]!);
      for (let j = 0; j < m; j++) Phi[to + j]! += s * values[from + j]!;
    }
  }
}

/** The same with four neighbours, for the few parametric columns of most models. */
function addDenseQuadruples(Phi: Float64Array, a: Side, b: Side, { ia, ib, weights, count }: Match): void {
  const { width: m } = a.block;
  const first = b.slice.first!;
  const [x, y] = [a.slice.values, b.slice.values];
  const [atA, atB] = [a.slice.at, b.slice.at];
  for (let t = 0; t < count; t++) {
    const from = m * (atA + ia[t]!);
    const j = atB + ib[t]!;
    const w = weights[t]!;
    const y0 = w * y[4 * j]!;
    const y1 = w * y[4 * j + 1]!;
    const y2 = w * y[4 * j + 2]!;
    const y3 = w * y[4 * j + 3]!;
    const to = m * first[j]!;
    for (let f = 0; f < m; f++) {
      const v = x[from + f]!;
      Phi[to + f]! += y0 * v;
      Phi[to + m + f]! += y1 * v;
      Phi[to + 2 * m + f]! += y2 * v;
      Phi[to + 3 * m + f]! += y3 * v;
    }
  }
}

function addSparse(Phi: Float64Array, a: Side, b: Side, { ia, ib, weights, count }: Match): void {
  const rows = a.block.tables.functions;
  const [m, n] = [a.block.width, b.block.width];
  const [offsetsA, offsetsB] = [a.block.offsets, b.block.offsets];
  const [firstA, firstB] = [a.slice.first!, b.slice.first!];
  const [x, y] = [a.slice.values, b.slice.values];
  for (let t = 0; t < count; t++) {
    const i = a.slice.at + ia[t]!;
    const j = b.slice.at + ib[t]!;
    for (let g = 0; g < n; g++) {
      const s = weights[t]! * y[n * j + g]!;
      const to = firstA[i]! + rows * (firstB[j]! + offsetsB[g]!);
      for (let f = 0; f < m; f++) Phi[to + offsetsA[f]!]! += s * x[m * i + f]!;
    }
  }
}

/** Four neighbours on both sides: the case of splines. */
function addQuadruples(Phi: Float64Array, a: Side, b: Side, { ia, ib, weights, count }: Match): void {
  const rows = a.block.tables.functions;
  const [firstA, firstB] = [a.slice.first!, b.slice.first!];
  const [x, y] = [a.slice.values, b.slice.values];
  const [atA, atB] = [a.slice.at, b.slice.at];
  for (let t = 0; t < count; t++) {
    const i = atA + ia[t]!;
    const j = atB + ib[t]!;
    const w = weights[t]!;
    const x0 = w * x[4 * i]!;
    const x1 = w * x[4 * i + 1]!;
    const x2 = w * x[4 * i + 2]!;
    const x3 = w * x[4 * i + 3]!;
    let to = firstA[i]! + rows * firstB[j]!;
    for (let g = 4 * j; g < 4 * j + 4; g++) {
      const v = y[g]!;
      Phi[to]! += x0 * v;
      Phi[to + 1]! += x1 * v;
      Phi[to + 2]! += x2 * v;
      Phi[to + 3]! += x3 * v;
      to += rows;
    }
  }
}

/** out_i += factor · w φ_a' V φ_b. */
export function addFormsInto(out: Float64Array, V: Float64Array, a: Side, b: Side, match: Match, factor: number): void {
  const quadruples = isQuadruple(a.block) && isQuadruple(b.block) && a.slice.first !== undefined;
  if (quadruples && b.slice.first !== undefined) addQuadrupleForms(out, V, a, b, match, factor);
  else addSparseForms(out, V, a, b, match, factor);
}

function addQuadrupleForms(
  out: Float64Array,
  V: Float64Array,
  a: Side,
  b: Side,
  { ia, ib, weights, row, count }: Match,
  factor: number,
): void {
  const rows = a.block.tables.functions;
  const [firstA, firstB] = [a.slice.first!, b.slice.first!];
  const [x, y] = [a.slice.values, b.slice.values];
  const [atA, atB] = [a.slice.at, b.slice.at];
  for (let t = 0; t < count; t++) {
    const i = atA + ia[t]!;
    const j = atB + ib[t]!;
    const x0 = x[4 * i]!;
    const x1 = x[4 * i + 1]!;
    const x2 = x[4 * i + 2]!;
    const x3 = x[4 * i + 3]!;
    let at = firstA[i]! + rows * firstB[j]!;
    let total = 0;
    for (let g = 4 * j; g < 4 * j + 4; g++) {
      total += y[g]! * (x0 * V[at]! + x1 * V[at + 1]! + (x2 * V[at + 2]! + x3 * V[at + 3]!));
      at += rows;
    }
    out[row[t]!]! += factor * weights[t]! * total;
  }
}

function addSparseForms(
  out: Float64Array,
  V: Float64Array,
  a: Side,
  b: Side,
  { ia, ib, weights, row, count }: Match,
  factor: number,
): void {
  const rows = a.block.tables.functions;
  const [m, n] = [a.block.width, b.block.width];
  const [offsetsA, offsetsB] = [a.block.offsets, b.block.offsets];
  const [x, y] = [a.slice.values, b.slice.values];
  for (let t = 0; t < count; t++) {
    const i = a.slice.at + ia[t]!;
    const j = b.slice.at + ib[t]!;
    const from = a.slice.first === undefined ? 0 : a.slice.first[i]!;
    const column = b.slice.first === undefined ? 0 : b.slice.first[j]!;
    let total = 0;
    for (let g = 0; g < n; g++) {
      const at = from + rows * (column + offsetsB[g]!);
      let sum = 0;
      for (let f = 0; f < m; f++) sum += x[m * i + f]! * V[at + offsetsA[f]!]!;
      total += sum * y[n * j + g]!;
    }
    out[row[t]!]! += factor * weights[t]! * total;
  }
}
