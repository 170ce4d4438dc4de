/** Products with H⁻¹ = (W⁻¹ + ZΛΛ'Z')⁻¹, the inverse covariance over σ², at given covariance factors: what the tests and
 *  intervals of a mixed model are made of. Never an n × n matrix:
 *
 *      H₁ = I + Z₁Λ₁Λ₁'Z₁',   H₁⁻¹ = I - Z₁KZ₁',   K = Λ₁(I + Λ₁'Z₁'Z₁Λ₁)⁻¹Λ₁'   (block diagonal)
 *      F = Z₁'H₁⁻¹Z₁ (block diagonal),  B = Z₁'H₁⁻¹Z₂,  C = Z₂'H₁⁻¹Z₂,  N = Λ₂(I + Λ₂'CΛ₂)⁻¹Λ₂'
 *      Z₁'H⁻¹Z₁ = F - BNB',   Z₁'H⁻¹Z₂ = B(I - NC),   Z₂'H⁻¹Z₂ = C - CNC
 *
 *  by Woodbury's identity, twice. The cost is O(patterns · width · m²) + O(m³), see products.ts.
 *  Reference: Henderson & Searle (1981), SIAM Review 23; Bates et al. (2015), J. Stat. Softw. 67(1), for the notation.
 *  Oracle:    the same products from dense n × n matrices (moments.test.ts).
 *  Limits:    relative errors grow with the largest 1 + n_level·λ² (a few digits in practice). */
import { type BlockDiagonal, zeroBlocks } from "../../numeric/linalg/block.ts";
import { cholesky, choleskyInto, cholInverse, cholLogDet } from "../../numeric/linalg/cholesky.ts";
import { addTN, dotAt } from "../../numeric/linalg/kernel.ts";
import {
  type LevelColumns,
  subtractLevelsInto,
  subtractLevelsTimesInto,
  subtractLevelsTTimesInto,
} from "../../numeric/linalg/level-columns.ts";
import {
  clone,
  column,
  crossprod,
  type Matrix,
  matVec,
  multiply,
  transpose,
  zeros,
} from "../../numeric/linalg/matrix.ts";
import { solveLowerInto } from "../../numeric/linalg/triangular.ts";
import { eliminateOthers } from "./others.ts";
import type { LmmProducts } from "./products.ts";

export interface LmmMoments {
  readonly products: LmmProducts;
  /** log det H over rows of weight 1: log |I + ZΛΛ'Z'|. */
  readonly logDet: number;
  /** [X y]'H⁻¹[X y]. */
  readonly gram: Matrix;
  /** F, one block a pattern. */
  readonly F: BlockDiagonal;
  /** `width` rows a pattern, m columns. */
  readonly B: LevelColumns;
  readonly N: Matrix;
  /** I - NC. */
  readonly keep: Matrix;
  /** Z₂'H⁻¹Z₂. */
  readonly S22: Matrix;
  /** Z₁'H⁻¹[X y], `width` rows a level. */
  readonly R1: Matrix;
  /** Z₂'H⁻¹[X y]. */
  readonly R2: Matrix;
}

/** `factors`: one square Λ per term, in the order of θ, triangular or not; undefined when they are not finite. */
export function lmmMoments(products: LmmProducts, factors: readonly Matrix[]): LmmMoments | undefined {
  const { p, A12, A1x } = products;
  const first = eliminateFactor(products, eliminatedFactor(products, factors));
  const second = first && eliminateOthers(products, factors, first.C);
  if (first === undefined || second === undefined) return undefined;
  const { F, J, D, gram } = first;
  const { N, keep, S22 } = second;
  const ND = multiply(N, D);
  addTN(gram.data, 0, p + 1, D.data, 0, D.rows, ND.data, 0, D.rows, p + 1, p + 1, D.rows, -1);
  const B = applyToLevels(J, A12);
  const shared = timesLevels(B, ND); // what the other factors take away from Z₁'H₁⁻¹[X y]
  for (let i = 0; i < shared.data.length; i++) shared.data[i] = -shared.data[i]!;
  const JX = applyBlocks(J, A1x);
  for (let i = 0; i < JX.data.length; i++) shared.data[i]! += JX.data[i]!;
  const R1 = spreadPatterns(shared, products);
  addOwnResponse(R1, J, products);
  const logDet = first.logDet + second.logDet;
  return { products, logDet, gram, F, B, N, keep, S22, R1, R2: crossprod(keep, D) };
}

/** Λ₁: the factors of the eliminated terms on one diagonal. */
function eliminatedFactor({ slices, width }: LmmProducts, factors: readonly Matrix[]): Matrix {
  const T = zeros(width, width);
  slices.forEach((own, t) => {
    if (!own[0]!.eliminated) return;
    own.forEach((a, i) => {
      own.forEach((b, j) => {
        T.data[a.start + b.start * width] = factors[t]!.data[i + j * own.length]!;
      });
    });
  });
  return T;
}

interface FirstElimination {
  readonly logDet: number;
  readonly C: Matrix;
  /** Z₂'H₁⁻¹[X y] and [X y]'H₁⁻¹[X y]. */
  readonly D: Matrix;
  readonly gram: Matrix;
  readonly F: BlockDiagonal;
  /** I - Z₁'Z₁K. */
  readonly J: BlockDiagonal;
}

function eliminateFactor(products: LmmProducts, T: Matrix): FirstElimination | undefined {
  const { width: q, A11, patterns } = products;
  const count = patterns.representative.length;
  const root = zeroBlocks(count, q); // G with K = G'G
  const F = zeroBlocks(count, q);
  const J = zeroBlocks(count, q);
  let logDet = 0;
  for (let a = 0; a < count; a++) {
    const A: Matrix = { rows: q, cols: q, data: A11.data.subarray(a * q * q, (a + 1) * q * q) };
    const M = crossprod(T, multiply(A, T));
    for (let i = 0; i < q; i++) M.data[i * (q + 1)]! += 1;
    if (choleskyInto(M, M) >= 0) return undefined;
    logDet += patterns.count[a]! * cholLogDet(M);
    const G = transpose(T);
    solveLowerInto(G, M);
    root.data.set(G.data, a * q * q);
    const Ja = multiply(A, crossprod(G));
    for (let i = 0; i < Ja.data.length; i++) Ja.data[i] = -Ja.data[i]!;
    for (let i = 0; i < q; i++) Ja.data[i * (q + 1)]! += 1;
    J.data.set(Ja.data, a * q * q);
    symmetricInto(F.data, a * q * q, multiply(Ja, A));
  }
  return { logDet, ...reduceProducts(products, root), F, J };
}

/** Takes Z₁'s share out of every other cross product. */
function reduceProducts(products: LmmProducts, root: BlockDiagonal): Pick<FirstElimination, "C" | "D" | "gram"> {
  const { m, p, A12, A1x, A22, A2x, Axx, y2, yx, yy, patterns } = products;
  const W = applyToLevels(root, A12);
  const Wx = applyBlocks(root, A1x);
  const { sums, squares } = applyToResponse(root, products);
  const C = clone(A22);
  subtractLevelsInto(C, W, patterns.count);
  const D = zeros(m, p + 1);
  D.data.set(A2x.data);
  D.data.set(y2, p * m);
  const gram = zeros(p + 1, p + 1);
  for (let j = 0; j < p; j++) {
    const own = column(Wx, j).map((value, r) => value * patterns.rowCount[r]!);
    subtractLevelsTTimesInto(column(D, j), W, own);
    for (let i = 0; i <= j; i++) {
      const value = Axx.data[i + j * p]! - dotAt(Wx.data, i * Wx.rows, own, 0, Wx.rows);
      gram.data[i + j * (p + 1)] = gram.data[j + i * (p + 1)] = value;
    }
    const withY = yx[j]! - dotAt(Wx.data, j * Wx.rows, sums, 0, Wx.rows);
    gram.data[j + p * (p + 1)] = gram.data[p + j * (p + 1)] = withY;
  }
  subtractLevelsTTimesInto(column(D, p), W, sums);
  gram.data[(p + 1) ** 2 - 1] = yy - squares;
  return { C, D, gram };
}

function symmetricInto(target: Float64Array, at: number, A: Matrix): void {
  const q = A.rows;
  for (let j = 0; j < q; j++)
    for (let i = 0; i < q; i++) target[at + i + j * q] = (A.data[i + j * q]! + A.data[j + i * q]!) / 2;
}

/** Block a times the rows of pattern a. */
function applyBlocks({ size: q, levels, data }: BlockDiagonal, A: Matrix): Matrix {
  const out = zeros(A.rows, A.cols);
  for (let c = 0; c < A.cols; c++)
    for (let a = 0; a < levels; a++)
      for (let j = 0; j < q; j++) {
        const v = A.data[c * A.rows + a * q + j]!;
        for (let i = 0; i < q; i++) out.data[c * A.rows + a * q + i]! += data[(a * q + j) * q + i]! * v;
      }
  return out;
}

function applyToLevels({ size: q, data }: BlockDiagonal, A: LevelColumns): LevelColumns {
  const values = new Float64Array(A.values.length);
  for (let a = 0; a < A.levels; a++)
    for (let t = A.start[a]!; t < A.start[a + 1]!; t++)
      for (let j = 0; j < q; j++) {
        const v = A.values[t * q + j]!;
        for (let i = 0; i < q; i++) values[t * q + i]! += data[(a * q + j) * q + i]! * v;
      }
  return { ...A, values };
}

/** B·A for a dense A with m rows. */
export function timesLevels(B: LevelColumns, A: Matrix): Matrix {
  const out = zeros(B.levels * B.size, A.cols);
  for (let c = 0; c < A.cols; c++) subtractLevelsTimesInto(column(out, c), B, column(A, c));
  for (let i = 0; i < out.data.length; i++) out.data[i] = -out.data[i]!;
  return out;
}

/** B'·A for a dense A with one row per row of B. */
export function transposeTimesLevels(B: LevelColumns, A: Matrix): Matrix {
  const out = zeros(B.cols, A.cols);
  for (let c = 0; c < A.cols; c++) subtractLevelsTTimesInto(column(out, c), B, column(A, c));
  for (let i = 0; i < out.data.length; i++) out.data[i] = -out.data[i]!;
  return out;
}

/** G·Z₁'y summed over the levels of each pattern, and the sum of its squares over all levels. */
function applyToResponse({ data }: BlockDiagonal, { width: q, levels, y1, patterns }: LmmProducts) {
  const sums = new Float64Array(patterns.representative.length * q);
  let squares = 0;
  for (let l = 0; l < levels; l++) {
    const a = patterns.patternOf[l]!;
    for (let i = 0; i < q; i++) {
      let s = 0;
      for (let j = 0; j < q; j++) s += data[(a * q + j) * q + i]! * y1[l * q + j]!;
      sums[a * q + i]! += s;
      squares += s * s;
    }
  }
  return { sums, squares };
}

/** One row a pattern → one row a level. */
export function spreadPatterns(A: Matrix, { width: q, levels, patterns }: LmmProducts): Matrix {
  const out = zeros(levels * q, A.cols);
  for (let c = 0; c < A.cols; c++)
    for (let l = 0; l < levels; l++) {
      const from = c * A.rows + patterns.patternOf[l]! * q;
      for (let i = 0; i < q; i++) out.data[c * out.rows + l * q + i] = A.data[from + i]!;
    }
  return out;
}

/** Sum over the levels of each pattern. */
export function gatherPatterns(A: Matrix, { width: q, levels, patterns }: LmmProducts): Matrix {
  const out = zeros(patterns.representative.length * q, A.cols);
  for (let c = 0; c < A.cols; c++)
    for (let l = 0; l < levels; l++) {
      const to = c * out.rows + patterns.patternOf[l]! * q;
      for (let i = 0; i < q; i++) out.data[to + i]! += A.data[c * A.rows + l * q + i]!;
    }
  return out;
}

/** Adds J·Z₁'y, level by level, to the last column. */
function addOwnResponse(R: Matrix, { data }: BlockDiagonal, { width: q, levels, p, y1, patterns }: LmmProducts): void {
  const to = p * R.rows;
  for (let l = 0; l < levels; l++) {
    const at = patterns.patternOf[l]! * q * q;
    for (let j = 0; j < q; j++)
      for (let i = 0; i < q; i++) R.data[to + l * q + i]! += data[at + i + j * q]! * y1[l * q + j]!;
  }
}

/** The generalised least squares estimate, (X'H⁻¹X)⁻¹, and the weighted residual sum of squares e'H⁻¹e. */
export interface Gls {
  readonly beta: Float64Array;
  readonly inverse: Matrix;
  readonly logDetX: number;
  readonly rss: number;
}

export function solveGls({ gram, products: { p } }: LmmMoments): Gls | undefined {
  const XX = zeros(p, p);
  const Xy = new Float64Array(p);
  for (let j = 0; j < p; j++) {
    Xy[j] = gram.data[j + p * (p + 1)]!;
    for (let i = 0; i < p; i++) XX.data[i + j * p] = gram.data[i + j * (p + 1)]!;
  }
  const L = cholesky(XX);
  if (L === undefined) return undefined;
  const inverse = cholInverse(L);
  const beta = matVec(inverse, Xy);
  let rss = gram.data[(p + 1) ** 2 - 1]!;
  for (let j = 0; j < p; j++) rss -= beta[j]! * Xy[j]!;
  return { beta, inverse, logDetX: cholLogDet(L), rss };
}
