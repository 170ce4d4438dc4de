/** Products with H⁻¹ = (W⁻¹ + ZΛΛ'Z')⁻¹, the inverse covariance over σ², at given covariance factors: what the tests and
 *  intervals of a mixed model are made of. Never an n × n matrix:
 *
 *      H₁ = I + Z₁Λ₁Λ₁'Z₁',   H₁⁻¹ = I - Z₁KZ₁',   K = Λ₁(I + Λ₁'Z₁'Z₁Λ₁)⁻¹Λ₁'   (block diagonal)
 *      F = Z₁'H₁⁻¹Z₁ (block diagonal),  B = Z₁'H₁⁻¹Z₂,  C = Z₂'H₁⁻¹Z₂,  N = Λ₂(I + Λ₂'CΛ₂)⁻¹Λ₂'
 *      Z₁'H⁻¹Z₁ = F - BNB',   Z₁'H⁻¹Z₂ = B(I - NC),   Z₂'H⁻¹Z₂ = C - CNC
 *
 *  by Woodbury's identity, twice. The cost is O(patterns · width · m²) + O(m³), see lmm-products.ts.
 *  Reference: Henderson & Searle (1981), SIAM Review 23; Bates et al. (2015), J. Stat. Softw. 67(1), for the notation.
 *  Oracle:    the same products from dense n × n matrices (lmm-moments.test.ts).
 *  Limits:    relative errors grow with the largest 1 + n_level·λ² (a few digits in practice). */
import { type BlockDiagonal, subtractGramInto, zeroBlocks } from "../numeric/linalg/block.ts";
import { cholesky, choleskyInto, cholInverse, cholLogDet } from "../numeric/linalg/cholesky.ts";
import { addNN, addTN } from "../numeric/linalg/kernel.ts";
import { clone, crossprod, type Matrix, matVec, multiply, transpose, zeros } from "../numeric/linalg/matrix.ts";
import { solveLowerInto } from "../numeric/linalg/triangular.ts";
import type { LmmProducts } from "./lmm-products.ts";

export interface LmmMoments {
  readonly products: LmmProducts;
  /** log det H over rows of weight 1: log |I + ZΛΛ'Z'|. */
  readonly logDet: number;
  /** [X y]'H⁻¹[X y]. */
  readonly gram: Matrix;
  /** F, one block a pattern. */
  readonly F: BlockDiagonal;
  /** `width` rows a pattern, m columns. */
  readonly B: Matrix;
  readonly C: Matrix;
  readonly N: Matrix;
  /** Z₁'H⁻¹[X y], `width` rows a level. */
  readonly R1: Matrix;
  /** Z₂'H⁻¹[X y]. */
  readonly R2: Matrix;
}

/** `factors`: one square Λ per term, in the order of θ, triangular or not; undefined when they are not finite. */
export function lmmMoments(products: LmmProducts, factors: readonly Matrix[]): LmmMoments | undefined {
  const { m, p } = products;
  const first = eliminateFactor(products, eliminatedFactor(products, factors));
  if (first === undefined) return undefined;
  const { S, Sy, yy, F, J } = first;
  const C = zeros(m, m);
  const D = zeros(m, p + 1); // Z₂'H₁⁻¹[X y]
  const gram = zeros(p + 1, p + 1);
  for (let j = 0; j < m; j++) C.data.set(S.data.subarray(j * S.rows, j * S.rows + m), j * m);
  for (let j = 0; j < p; j++) {
    D.data.set(S.data.subarray((m + j) * S.rows, (m + j) * S.rows + m), j * m);
    gram.data.set(S.data.subarray((m + j) * S.rows + m, (m + j + 1) * S.rows), j * (p + 1));
  }
  D.data.set(Sy.subarray(0, m), p * m);
  for (let j = 0; j < p; j++) gram.data[p + j * (p + 1)] = gram.data[j + p * (p + 1)] = Sy[m + j]!;
  gram.data[(p + 1) ** 2 - 1] = yy;

  const second = eliminateOthers(products, factors, C);
  if (second === undefined) return undefined;
  const { N } = second;
  const ND = multiply(N, D);
  addTN(gram.data, 0, p + 1, D.data, 0, m, ND.data, 0, m, p + 1, p + 1, m, -1);
  const R2 = clone(D);
  addNN(R2.data, 0, m, C.data, 0, m, ND.data, 0, m, m, p + 1, m, -1);

  const A12J = applyBlocks(J, products.A12);
  const B: Matrix = { rows: A12J.rows, cols: m, data: A12J.data.subarray(0, A12J.rows * m) };
  const shared = zeros(A12J.rows, p + 1); // Z₁'H₁⁻¹X in its first columns, then what the other factors take away
  shared.data.set(A12J.data.subarray(A12J.rows * m));
  addNN(shared.data, 0, shared.rows, B.data, 0, B.rows, ND.data, 0, m, B.rows, p + 1, m, -1);
  const R1 = spreadPatterns(shared, products);
  addOwnResponse(R1, J, products);
  return { products, logDet: first.logDet + second.logDet, gram, F, B, C, N, R1, R2 };
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
  /** [Z₂ X]'H₁⁻¹[Z₂ X], [Z₂ X]'H₁⁻¹y and y'H₁⁻¹y. */
  readonly S: Matrix;
  readonly Sy: Float64Array;
  readonly yy: number;
  readonly F: BlockDiagonal;
  /** I - Z₁'Z₁K. */
  readonly J: BlockDiagonal;
}

function eliminateFactor(products: LmmProducts, T: Matrix): FirstElimination | undefined {
  const { width: q, A11, A12, patterns } = products;
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
    const G = zeros(q, q);
    for (let j = 0; j < q; j++) for (let i = 0; i < q; i++) G.data[i + j * q] = T.data[j + i * q]!;
    solveLowerInto(G, M);
    root.data.set(G.data, a * q * q);
    const Ja = multiply(A, crossprod(G));
    for (let i = 0; i < Ja.data.length; i++) Ja.data[i] = -Ja.data[i]!;
    for (let i = 0; i < q; i++) Ja.data[i * (q + 1)]! += 1;
    J.data.set(Ja.data, a * q * q);
    symmetricInto(F.data, a * q * q, multiply(Ja, A));
  }
  const W = applyBlocks(root, A12);
  const S = clone(products.A22);
  subtractGramInto(S, W, patterns.rowCount);
  const { sums, squares } = applyToResponse(root, products);
  const Sy = products.y2.slice();
  for (let j = 0; j < W.cols; j++) {
    for (let r = 0; r < W.rows; r++) Sy[j]! -= W.data[r + j * W.rows]! * sums[r]!;
  }
  return { logDet, S, Sy, yy: products.yy - squares, F, J };
}

function symmetricInto(target: Float64Array, at: number, A: Matrix): void {
  const q = A.rows;
  for (let j = 0; j < q; j++)
    for (let i = 0; i < q; i++) target[at + i + j * q] = (A.data[i + j * q]! + A.data[j + i * q]!) / 2;
}

/** Block a times the rows of pattern a. */
function applyBlocks(blocks: BlockDiagonal, A: Matrix): Matrix {
  const { size: q, levels, data } = blocks;
  const out = zeros(A.rows, A.cols);
  for (let c = 0; c < A.cols; c++) {
    const col = c * A.rows;
    if (q === 1) {
      for (let a = 0; a < levels; a++) out.data[col + a] = data[a]! * A.data[col + a]!;
      continue;
    }
    for (let a = 0; a < levels; a++)
      for (let j = 0; j < q; j++) {
        const v = A.data[col + a * q + j]!;
        if (v === 0) continue;
        for (let i = 0; i < q; i++) out.data[col + a * q + i]! += data[(a * q + j) * q + i]! * v;
      }
  }
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

function eliminateOthers(
  { slices, m }: LmmProducts,
  factors: readonly Matrix[],
  C: Matrix,
): { N: Matrix; logDet: number } | undefined {
  const Tt = zeros(m, m); // Λ₂'
  slices.forEach((own, t) => {
    if (own[0]!.eliminated) return;
    const q = own.length;
    for (let i = 0; i < q; i++)
      for (let j = 0; j < q; j++) {
        const v = factors[t]!.data[i + j * q]!;
        if (v === 0) continue;
        const { start, stride, levels } = own[i]!;
        for (let l = 0; l < levels; l++) Tt.data[own[j]!.start + l * stride + (start + l * stride) * m] = v;
      }
  });
  // M = I + Λ₂'(Λ₂'C)'
  const M = multiplySparse(Tt, transpose(multiplySparse(Tt, C)));
  for (let i = 0; i < m; i++) M.data[i * (m + 1)]! += 1;
  const L = cholesky(M);
  if (L === undefined) return undefined;
  solveLowerInto(Tt, L);
  return { N: crossprod(Tt), logDet: cholLogDet(L) };
}

/** A·B where A has few entries a column. */
function multiplySparse(A: Matrix, B: Matrix): Matrix {
  const n = A.rows;
  const from: number[] = [];
  const to: number[] = [];
  const value: number[] = [];
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++) {
      const v = A.data[i + k * n]!;
      if (v === 0) continue;
      from.push(k);
      to.push(i);
      value.push(v);
    }
  const out = zeros(n, B.cols);
  for (let j = 0; j < B.cols; j++)
    for (let e = 0; e < value.length; e++) out.data[to[e]! + j * n]! += value[e]! * B.data[from[e]! + j * n]!;
  return out;
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
