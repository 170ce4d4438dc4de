/** Work over the rows of a GAM's design X without making X: Xβ, X'WX, X'r and x_i'Vx_i.
 *
 *  Every smooth is  X_a = Φ_a T_a'  with few non-zero functions φ a row (block.ts) and a small table T_a, so
 *      X_a' W X_b = T_a (Σ w_i φ_a(x_i) φ_b(x_i)') T_b',
 *  and the sum over n rows costs 16 products a row for two cubic splines, whatever the number of columns.
 *  Memory: the functions of each row (36 bytes a spline) and one block of functions × functions for every pair of smooths.
 *  Exact, except that `discrete` moves the covariates of thin plate smooths of several covariates to the middle of equal bins, by at
 *  most half a bin: range / (2 · bins^(1/d)) of each of d covariates.
 *  Reference: Wood, Goude & Shaw (2015), J. R. Stat. Soc. C 64(1), for accumulating X'WX; Lang, Umlauf, Wechselberger, Harttgen &
 *             Kneib (2014), Stat. Comput. 24, for distinct values; Li & Wood (2020), Stat. Comput. 30, for pairs of terms. */
import type { LearnedSmooth } from "../../../formula/basis/basis.ts";
import type { SmoothColumns } from "../../../formula/design.ts";
import { column, type Matrix, transpose, zeros } from "../../../numeric/linalg/matrix.ts";
import { type QuadrupleRows, wasmQuadrupleFormsInto, wasmQuadrupleProductsInto } from "../../../numeric/linalg/wasm.ts";
import { type Block, denseRowsInto, parametricBlock, type RowSlice, SLICE, smoothBlock } from "./block.ts";
import { addFormsInto, addProductsInto, type Match, makeMatcher, type Span, spanOf } from "./pair.ts";
import { identityTables } from "./tables.ts";

/** A block of functions × functions may have this many numbers (2 MB) or … */
const MOST_NUMBERS = 2 ** 18;
/** … this many times the numbers of the block of columns; beyond, one side is turned into columns row by row. */
const MOST_RATIO = 16;
/** Bins for `discrete: true`: a hundred for each of two covariates. */
const DEFAULT_BINS = 10_000;

interface GamRowsOptions {
  /** Bins that the points of a thin plate smooth of several covariates are moved to; true for 10,000. */
  readonly discrete?: boolean | number | undefined;
}

export interface GamRows {
  readonly n: number;
  readonly p: number;
  /** eta = Xβ, without offset. */
  linearInto(eta: Float64Array, beta: Float64Array): void;
  /** A = X'WX, p × p with both triangles; all weights one if w is undefined. */
  crossInto(A: Float64Array, w: Float64Array | undefined): void;
  /** g = X'r. */
  transposeInto(g: Float64Array, r: Float64Array): void;
  /** out_i = x_i' V x_i for symmetric V, p × p. */
  quadraticInto(out: Float64Array, V: Float64Array): void;
}

/** Columns: the parametric ones, then those of the smooths in order. */
export function makeGamRows(
  parametric: Matrix,
  smooths: readonly { readonly learned: LearnedSmooth; readonly columns: SmoothColumns }[],
  { discrete = false }: GamRowsOptions = {},
): GamRows {
  const n = parametric.rows;
  const bins = discrete === true ? DEFAULT_BINS : discrete === false ? 0 : discrete;
  const blocks: Block[] = parametric.cols === 0 ? [] : [parametricBlock(parametric)];
  let p = parametric.cols;
  for (const smooth of smooths) {
    blocks.push(smoothBlock(p, smooth, { bins }));
    p += smooth.learned.columns;
  }
  const pairs = makePairs(blocks);
  return {
    n,
    p,
    linearInto: (eta, beta) => linearInto(eta, beta, blocks),
    transposeInto: (g, r) => transposeInto(g, r, blocks),
    crossInto(A, w) {
      A.fill(0); // levels of one factor share no row and have no pair
      for (const { Phi } of pairs) Phi.data.fill(0);
      const left = addQuadruplePairs(addParametricPairs(pairs, w), w);
      overPairs(left, { n, w }, ({ pair, a, b, match }) => addProductsInto(pair.Phi.data, a, b, match));
      for (const pair of pairs) writePair(A, p, pair);
    },
    quadraticInto(out, V) {
      out.fill(0, 0, n);
      for (const pair of pairs) readPair(pair, V, p);
      const left = addQuadrupleForms(out, addParametricForms(out, pairs));
      overPairs(left, { n, w: undefined }, ({ pair, a, b, match }) =>
        addFormsInto(out, pair.Phi.data, a, b, match, pair.factor),
      );
    },
  };
}

interface Pair {
  readonly a: Block;
  readonly b: Block;
  /** Functions of a × functions of b. */
  readonly Phi: Matrix;
  /** 2 for different blocks, which stand in X'WX twice. */
  readonly factor: number;
}

function makePairs(blocks: readonly Block[]): Pair[] {
  const dense = new Map<Block, Block>();
  const columnsOf = (block: Block): Block => {
    if (!dense.has(block)) dense.set(block, denseBlock(block));
    return dense.get(block)!;
  };
  const pairs: Pair[] = [];
  for (let i = 0; i < blocks.length; i++) {
    for (let j = 0; j <= i; j++) {
      const [a, b] = order(blocks[i]!, blocks[j]!, columnsOf);
      if (a.by !== undefined && a.by === b.by && i !== j && disjoint(a.rows!, b.rows!)) continue;
      const Phi = zeros(a.tables.functions, b.tables.functions);
      pairs.push({ a, b, Phi, factor: i === j ? 1 : 2 });
    }
  }
  return pairs;
}

/** The levels of one factor are equal or share nothing. */
function disjoint(rows: Int32Array, others: Int32Array): boolean {
  return rows[0] !== others[0];
}

/** The denser side first, in columns where the functions are too many. */
function order(x: Block, y: Block, columnsOf: (block: Block) => Block): [Block, Block] {
  const ratio = ({ tables }: Block): number => tables.functions / tables.columns;
  const [a, b] = ratio(x) <= ratio(y) ? [x, y] : [y, x];
  const numbers = a.tables.functions * b.tables.functions;
  const tooMany = numbers > Math.max(MOST_NUMBERS, MOST_RATIO * a.tables.columns * b.tables.columns);
  if (tooMany && b.table !== undefined) return isDense(a) ? [a, b] : [columnsOf(b), a];
  return isDense(b) ? [b, a] : [a, b];
}

function isDense({ width, tables }: Block): boolean {
  return width === tables.functions;
}

function denseBlock(block: Block): Block {
  const table = block.table!;
  const k = table.rows;
  const values = new Float64Array(k * SLICE);
  const { table: _table, quadruples: _quadruples, ...rest } = block;
  return {
    ...rest,
    tables: identityTables(k),
    width: k,
    offsets: Int32Array.from({ length: k }, (_, j) => j),
    slice(lo, hi) {
      denseRowsInto(values, block.slice(lo, hi), { width: block.width, table, count: hi - lo });
      return { values, at: 0 };
    },
  };
}

/** Makes Φ of the pairs of splines in WebAssembly where it can be had; returns the pairs that are left. */
function addQuadruplePairs(pairs: readonly Pair[], w: Float64Array | undefined): readonly Pair[] {
  const { products, rows, left } = quadruplePairs(pairs);
  if (products.length === 0) return left;
  return wasmQuadrupleProductsInto(products, rows, w) === undefined ? pairs : left;
}

/** The same for the forms φ_a'Φφ_b, added to `out`. */
function addQuadrupleForms(out: Float64Array, pairs: readonly Pair[]): readonly Pair[] {
  const { products, rows, left } = quadruplePairs(pairs);
  if (products.length === 0) return left;
  return wasmQuadrupleFormsInto(out, products, rows) === undefined ? pairs : left;
}

function quadruplePairs(pairs: readonly Pair[]) {
  const whole = pairs.filter(({ a, b }) => a.quadruples !== undefined && b.quadruples !== undefined);
  const rows = [...new Set(whole.flatMap(({ a, b }) => [a.quadruples!, b.quadruples!]))];
  const products = whole.map(({ a, b, Phi, factor }) => ({
    C: Phi.data,
    x: rows.indexOf(a.quadruples!),
    y: rows.indexOf(b.quadruples!),
    s: factor,
  }));
  return { products, rows, left: pairs.filter((pair) => !whole.includes(pair)) };
}

/** Makes Φ of parametric columns and splines, column by column; returns the pairs that are left. */
function addParametricPairs(pairs: readonly Pair[], w: Float64Array | undefined): readonly Pair[] {
  const own = pairs.filter(({ a, b }) => a.matrix !== undefined && b.quadruples !== undefined);
  const X = own[0]?.a.matrix;
  if (X === undefined) return pairs;
  const r = new Float64Array(X.rows);
  for (let j = 0; j < X.cols; j++) {
    r.set(column(X, j));
    if (w !== undefined) for (let i = 0; i < r.length; i++) r[i]! *= w[i]!;
    for (const { b, Phi } of own) {
      const sums = new Float64Array(Phi.cols);
      addQuadrupleSums(sums, b.quadruples!, r);
      for (let f = 0; f < sums.length; f++) Phi.data[j + f * X.cols] = sums[f]!;
    }
  }
  return pairs.filter((pair) => !own.includes(pair));
}

/** The forms of parametric columns and splines: each is a spline with the coefficients of its column. Returns the pairs left. */
function addParametricForms(out: Float64Array, pairs: readonly Pair[]): readonly Pair[] {
  const own = pairs.filter(({ a, b }) => a.matrix !== undefined && b.quadruples !== undefined);
  const X = own[0]?.a.matrix;
  if (X === undefined) return pairs;
  const values = new Float64Array(X.rows);
  for (let j = 0; j < X.cols; j++) {
    values.fill(0);
    for (const { b, Phi, factor } of own) {
      const u = Float64Array.from({ length: Phi.cols }, (_, f) => factor * Phi.data[j + f * X.cols]!);
      addQuadrupleValues(values, b.quadruples!, u);
    }
    const x = column(X, j);
    for (let i = 0; i < values.length; i++) out[i]! += x[i]! * values[i]!;
  }
  return pairs.filter((pair) => !own.includes(pair));
}

interface Step {
  readonly pair: Pair;
  readonly a: { readonly block: Block; readonly slice: RowSlice };
  readonly b: { readonly block: Block; readonly slice: RowSlice };
  readonly match: Match;
}

/** Visits every pair in every slice of rows. */
function overPairs(
  pairs: readonly Pair[],
  { n, w }: { n: number; w: Float64Array | undefined },
  visit: (step: Step) => void,
): void {
  const matcher = makeMatcher(n, w);
  for (let from = 0; from < n; from += SLICE) {
    const to = Math.min(from + SLICE, n);
    const open = new Map<Block, { block: Block; slice: RowSlice; span: Span }>();
    const look = (block: Block) => {
      if (!open.has(block)) {
        const span = spanOf(block, from, to);
        open.set(block, { block, span, slice: block.slice(span.lo, span.hi) });
      }
      return open.get(block)!;
    };
    for (const pair of pairs) {
      const [a, b] = [look(pair.a), look(pair.b)];
      const match = matcher.match(pair.a, pair.b, { a: a.span, b: b.span });
      if (match.count > 0) visit({ pair, a, b, match });
    }
  }
}

/** The block of columns of X'WX, on both sides of the diagonal. */
function writePair(A: Float64Array, p: number, { a, b, Phi, factor }: Pair): void {
  const half = transpose(a.tables.toColumns(Phi)); // functions of b × columns of a
  const { rows: m, cols: n, data } = b.tables.toColumns(half);
  for (let j = 0; j < n; j++) {
    for (let i = factor === 1 ? j : 0; i < m; i++) {
      A[b.start + i + (a.start + j) * p] = A[a.start + j + (b.start + i) * p] = data[i + j * m]!;
    }
  }
}

/** Φ = T_a' V_ab T_b. */
function readPair({ a, b, Phi }: Pair, V: Float64Array, p: number): void {
  const block = zeros(a.tables.columns, b.tables.columns);
  for (let j = 0; j < block.cols; j++) {
    for (let i = 0; i < block.rows; i++) block.data[i + j * block.rows] = V[a.start + i + (b.start + j) * p]!;
  }
  const half = transpose(a.tables.toFunctions(block));
  Phi.data.set(transpose(b.tables.toFunctions(half)).data);
}

function linearInto(eta: Float64Array, beta: Float64Array, blocks: readonly Block[]): void {
  eta.fill(0);
  for (const block of blocks) {
    const { start, tables } = block;
    const data = beta.subarray(start, start + tables.columns);
    const u = tables.toFunctions({ rows: tables.columns, cols: 1, data }).data;
    if (block.quadruples !== undefined) addQuadrupleValues(eta, block.quadruples, u);
    else overSlices(block, eta.length, (lo, hi, slice) => addValues(eta, u, { block, lo, hi, slice }));
  }
}

/** A stretch of a block's positions. */
interface Stretch {
  readonly block: Block;
  readonly lo: number;
  readonly hi: number;
  readonly slice: RowSlice;
}

function addValues(eta: Float64Array, u: Float64Array, { block, lo, hi, slice }: Stretch): void {
  const { width, offsets, rows, scale } = block;
  const { values, first, at } = slice;
  for (let t = lo; t < hi; t++) {
    const i = at + t - lo;
    const from = first === undefined ? 0 : first[i]!;
    let sum = 0;
    for (let f = 0; f < width; f++) sum += values[width * i + f]! * u[from + offsets[f]!]!;
    const row = rows === undefined ? t : rows[t]!;
    eta[row]! += scale === undefined ? sum : scale[row]! * sum;
  }
}

function addQuadrupleValues(eta: Float64Array, { first, values }: QuadrupleRows, u: Float64Array): void {
  for (let i = 0; i < eta.length; i++) {
    const f = first[i]!;
    const v = 4 * i;
    eta[i]! +=
      values[v]! * u[f]! + values[v + 1]! * u[f + 1]! + (values[v + 2]! * u[f + 2]! + values[v + 3]! * u[f + 3]!);
  }
}

function transposeInto(g: Float64Array, r: Float64Array, blocks: readonly Block[]): void {
  for (const block of blocks) {
    const { start, tables } = block;
    const sums = new Float64Array(tables.functions);
    if (block.quadruples !== undefined) addQuadrupleSums(sums, block.quadruples, r);
    else overSlices(block, r.length, (lo, hi, slice) => addSums(sums, r, { block, lo, hi, slice }));
    g.set(tables.toColumns({ rows: tables.functions, cols: 1, data: sums }).data, start);
  }
}

function addSums(sums: Float64Array, r: Float64Array, { block, lo, hi, slice }: Stretch): void {
  const { width, offsets, rows, scale } = block;
  const { values, first, at } = slice;
  for (let t = lo; t < hi; t++) {
    const i = at + t - lo;
    const to = first === undefined ? 0 : first[i]!;
    const row = rows === undefined ? t : rows[t]!;
    const weight = scale === undefined ? r[row]! : scale[row]! * r[row]!;
    for (let f = 0; f < width; f++) sums[to + offsets[f]!]! += weight * values[width * i + f]!;
  }
}

function addQuadrupleSums(sums: Float64Array, { first, values }: QuadrupleRows, r: Float64Array): void {
  for (let i = 0; i < r.length; i++) {
    const f = first[i]!;
    const v = 4 * i;
    const weight = r[i]!;
    sums[f]! += weight * values[v]!;
    sums[f + 1]! += weight * values[v + 1]!;
    sums[f + 2]! += weight * values[v + 2]!;
    sums[f + 3]! += weight * values[v + 3]!;
  }
}

function overSlices(block: Block, n: number, visit: (lo: number, hi: number, slice: RowSlice) => void): void {
  const count = block.rows?.length ?? n;
  for (let lo = 0; lo < count; lo += SLICE) {
    const hi = Math.min(lo + SLICE, count);
    visit(lo, hi, block.slice(lo, hi));
  }
}
