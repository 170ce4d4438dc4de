/** Penalties of an additive model in coordinates where they are harmless to compute with.
 *
 *  Each smooth keeps its own block of coefficients. β_block = T γ_block with orthonormal columns T, ordered so that the directions
 *  seen by the largest λS come first, then those that only the next penalty sees, and last those that none sees. Then a
 *  λ of 1e15 stands only on the diagonal, where scaling removes it, and log|S_λ|₊ keeps its digits.
 *  Reference: Wood (2011), J. R. Statist. Soc. B 73, 3-36, §3.1 and appendix B (similarity transform), here with the order of the
 *             penalties fixing the transform, so that it is made once per order.
 *  Oracle:    log|S_λ|₊ of commuting penalties in closed form, penalty.test.ts. */
import { choleskyInto, cholInverse } from "../../numeric/linalg/cholesky.ts";
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { identity, type Matrix, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { crossprodLarge, multiplyLarge } from "../../numeric/linalg/product.ts";

/** Eigenvalues of a penalty below this share of its largest are zero (ε^0.66, as in the construction of the bases). */
const NULL_EIGENVALUE = 2 ** -34.32;

/** The columns of one smooth, or those of the parametric part (no S). */
export interface PenaltyBlock {
  /** First column in the design. */
  readonly from: number;
  /** Columns in the design. */
  readonly size: number;
  /** Columns of the design that take part; the others are determined by simpler smooths of the same covariate. */
  readonly kept: Int32Array;
  /** In terms of the kept columns. */
  readonly S: readonly Matrix[];
  /** Number of the first of its penalties among all. */
  readonly firstPenalty: number;
}

/** One penalty in working coordinates: rows and columns [from, from + size). */
export interface WorkingPenalty {
  readonly from: number;
  readonly size: number;
  readonly S: Matrix;
  readonly diagonal: boolean;
}

export interface WorkingBlock {
  readonly block: PenaltyBlock;
  /** First working coordinate. */
  readonly at: number;
  /** Design columns × working coordinates of the block. */
  readonly T: Matrix;
  /** How many working coordinates are penalised; they come first. */
  readonly rank: number;
  readonly penalties: readonly WorkingPenalty[];
}

export interface WorkingBasis {
  readonly key: string;
  readonly blocks: readonly WorkingBlock[];
  readonly penalties: readonly WorkingPenalty[];
  /** Columns of the design, and working coordinates. */
  readonly p: number;
  readonly q: number;
  /** Which working coordinates are penalised. */
  readonly penalised: Uint8Array;
}

/** Which of its penalties leads in each block: the transform depends on that order alone. */
export function penaltyOrder(blocks: readonly PenaltyBlock[], lambda: Float64Array): number[][] {
  return blocks.map(({ S, firstPenalty }) => {
    if (S.length < 2) return S.map((_, j) => j);
    const size = S.map((matrix, j) => lambda[firstPenalty + j]! * largest(matrix));
    return S.map((_, j) => j).sort((a, b) => size[b]! - size[a]! || a - b);
  });
}

function largest({ data }: Matrix): number {
  let most = 0;
  for (let i = 0; i < data.length; i++) most = Math.max(most, Math.abs(data[i]!));
  return most;
}

export function makeWorkingBasis(blocks: readonly PenaltyBlock[], order: readonly number[][], p: number): WorkingBasis {
  let at = 0;
  const made = blocks.map((block, b): WorkingBlock => {
    const start = at;
    at += block.kept.length;
    return workingBlock(block, order[b]!, start);
  });
  const penalised = new Uint8Array(at);
  for (const { at: from, rank } of made) penalised.fill(1, from, from + rank);
  return {
    key: JSON.stringify(order),
    blocks: made,
    penalties: made.flatMap(({ penalties }) => penalties),
    p,
    q: at,
    penalised,
  };
}

function workingBlock(block: PenaltyBlock, order: readonly number[], at: number): WorkingBlock {
  const k = block.kept.length;
  if (block.S.length === 0) return { block, at, T: scatter(identity(k), block), rank: 0, penalties: [] };
  const { Q, ends } = flagBasis(block.S, order);
  const rank = ends.at(-1)!;
  const penalties = block.S.map((S, j): WorkingPenalty => {
    const rotated = multiplyLarge(transpose(Q), multiplyLarge(S, Q));
    // this penalty sees nothing beyond the directions collected up to its turn
    const reach = ends[order.indexOf(j)]!;
    const own = zeros(rank, rank);
    for (let c = 0; c < reach; c++)
      for (let r = 0; r < reach; r++) own.data[r + c * rank] = symmetricPart(rotated, r, c);
    const diagonal = block.S.length === 1;
    if (diagonal) for (let c = 0; c < rank; c++) for (let r = 0; r < rank; r++) if (r !== c) own.data[r + c * rank] = 0;
    return { from: at, size: rank, S: own, diagonal };
  });
  return { block, at, T: scatter(Q, block), rank, penalties };
}

const symmetricPart = ({ rows, data }: Matrix, r: number, c: number): number =>
  (data[r + c * rows]! + data[c + r * rows]!) / 2;

/** Orthonormal directions: the range of the first penalty, then what the next adds, …, then the rest. `ends` counts them. */
function flagBasis(S: readonly Matrix[], order: readonly number[]): { Q: Matrix; ends: number[] } {
  const k = S[0]!.rows;
  const Q = zeros(k, k);
  const ends: number[] = [];
  let done = 0;
  let rest = identity(k);
  for (const j of order) {
    if (rest.cols > 0) {
      const restricted = multiplyLarge(transpose(rest), multiplyLarge(S[j]!, rest));
      const { values, vectors } = eigenSymmetric(symmetrised(restricted));
      const floor = NULL_EIGENVALUE * Math.max(values[0]!, largest(S[j]!));
      const rank = values.reduce((count, value) => count + (value > floor ? 1 : 0), 0);
      const turned = multiplyLarge(rest, vectors);
      Q.data.set(turned.data.subarray(0, k * rank), k * done);
      done += rank;
      rest = { rows: k, cols: rest.cols - rank, data: turned.data.slice(k * rank) };
    }
    ends.push(done);
  }
  Q.data.set(rest.data, k * done);
  return { Q, ends };
}

function symmetrised(A: Matrix): Matrix {
  const n = A.rows;
  const result = zeros(n, n);
  for (let c = 0; c < n; c++) for (let r = 0; r < n; r++) result.data[r + c * n] = symmetricPart(A, r, c);
  return result;
}

/** Rows of the columns that take part, zeros elsewhere. */
function scatter(Q: Matrix, { size, kept }: PenaltyBlock): Matrix {
  if (kept.length === size) return Q;
  const T = zeros(size, Q.cols);
  for (let c = 0; c < Q.cols; c++)
    kept.forEach((row, r) => {
      T.data[row + c * size] = Q.data[r + c * Q.rows]!;
    });
  return T;
}

/** G (q × q) = T'AT for a symmetric A (p × p) of the design. */
export function toWorkingInto(G: Matrix, A: Matrix, { blocks }: WorkingBasis): void {
  blocks.forEach((a, i) => {
    for (const b of blocks.slice(0, i + 1)) {
      const part = blockOf(A, { from: a.block.from, rows: a.T.rows }, { from: b.block.from, rows: b.T.rows });
      setSymmetricBlock(G, a.at, b.at, multiplyLarge(crossprodLarge(a.T, part), b.T));
    }
  });
}

interface Range {
  readonly from: number;
  readonly rows: number;
}

function blockOf({ rows: p, data }: Matrix, a: Range, b: Range): Matrix {
  const part = zeros(a.rows, b.rows);
  for (let c = 0; c < b.rows; c++) {
    const at = a.from + (b.from + c) * p;
    part.data.set(data.subarray(at, at + a.rows), c * a.rows);
  }
  return part;
}

/** Rows from `a` and columns from `b` on, and the same mirrored; on the diagonal the lower triangle counts. */
function setSymmetricBlock({ rows: p, data }: Matrix, a: number, b: number, part: Matrix): void {
  for (let c = 0; c < part.cols; c++) {
    for (let r = a === b ? c : 0; r < part.rows; r++) {
      data[a + r + (b + c) * p] = data[b + c + (a + r) * p] = part.data[r + c * part.rows]!;
    }
  }
}

/** v = T'g */
export function toWorking(g: Float64Array, { blocks, q }: WorkingBasis): Float64Array {
  const v = new Float64Array(q);
  for (const { block, at, T } of blocks) {
    for (let c = 0; c < T.cols; c++) {
      let sum = 0;
      for (let t = 0; t < T.rows; t++) sum += T.data[t + c * T.rows]! * g[block.from + t]!;
      v[at + c] = sum;
    }
  }
  return v;
}

/** β = Tγ */
export function fromWorking(gamma: Float64Array, { blocks, p }: WorkingBasis): Float64Array {
  const beta = new Float64Array(p);
  for (const { block, at, T } of blocks) {
    for (let c = 0; c < T.cols; c++) {
      const value = gamma[at + c]!;
      for (let t = 0; t < T.rows; t++) beta[block.from + t]! += value * T.data[t + c * T.rows]!;
    }
  }
  return beta;
}

/** TVT' for a symmetric V in working coordinates. */
export function fromWorkingMatrix(V: Matrix, { blocks, p }: WorkingBasis): Matrix {
  const result = zeros(p, p);
  blocks.forEach((a, i) => {
    for (const b of blocks.slice(0, i + 1)) {
      const part = blockOf(V, { from: a.at, rows: a.T.cols }, { from: b.at, rows: b.T.cols });
      setSymmetricBlock(result, a.block.from, b.block.from, multiplyLarge(multiplyLarge(a.T, part), transpose(b.T)));
    }
  });
  return result;
}

/** A += Σ λ_j S_j */
export function addPenalties(A: Matrix, { penalties }: WorkingBasis, lambda: Float64Array): void {
  penalties.forEach(({ from, size, S, diagonal }, j) => {
    for (let c = 0; c < size; c++) {
      const [low, high] = diagonal ? [c, c + 1] : [0, size];
      for (let r = low; r < high; r++) A.data[from + r + (from + c) * A.rows]! += lambda[j]! * S.data[r + c * size]!;
    }
  });
}

/** λ_j S_j x, as a full vector. */
export function penaltyTimes(
  { from, size, S, diagonal }: WorkingPenalty,
  lambda: number,
  x: Float64Array,
): Float64Array {
  const v = new Float64Array(x.length);
  for (let c = 0; c < size; c++) {
    const value = lambda * x[from + c]!;
    if (diagonal) v[from + c] = value * S.data[c * (size + 1)]!;
    else if (value !== 0) for (let r = 0; r < size; r++) v[from + r]! += value * S.data[r + c * size]!;
  }
  return v;
}

export interface LogDeterminant {
  readonly value: number;
  /** By log λ. */
  readonly gradient: Float64Array;
  /** m × m. */
  readonly hessian: Float64Array;
}

/** log|S_λ|₊ with its derivatives by log λ. */
export function penaltyLogDet({ blocks, penalties }: WorkingBasis, lambda: Float64Array): LogDeterminant {
  const m = penalties.length;
  const gradient = new Float64Array(m);
  const hessian = new Float64Array(m * m);
  let value = 0;
  for (const { block, rank, penalties: own } of blocks) {
    const first = block.firstPenalty;
    if (own.length === 1) {
      value += rank * Math.log(lambda[first]!);
      for (let i = 0; i < rank; i++) value += Math.log(own[0]!.S.data[i * (rank + 1)]!);
      gradient[first] = rank;
    } else if (own.length > 1) {
      value += blockLogDet(own, { first, lambda, gradient, hessian, m });
    }
  }
  return { value, gradient, hessian };
}

interface DeterminantTarget {
  readonly first: number;
  readonly lambda: Float64Array;
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
  readonly m: number;
}

function blockLogDet(own: readonly WorkingPenalty[], target: DeterminantTarget): number {
  const { first, lambda, gradient, hessian, m } = target;
  const r = own[0]!.size;
  const total = zeros(r, r);
  own.forEach(({ S }, j) => {
    for (let i = 0; i < r * r; i++) total.data[i]! += lambda[first + j]! * S.data[i]!;
  });
  const { inverse, logDet } = scaledInverse(total);
  const products = own.map(({ S }, j) => {
    const product = multiplyLarge(inverse, S);
    for (let i = 0; i < r * r; i++) product.data[i]! *= lambda[first + j]!;
    return product;
  });
  products.forEach((P, j) => {
    let trace = 0;
    for (let i = 0; i < r; i++) trace += P.data[i * (r + 1)]!;
    gradient[first + j] = trace;
    products.forEach((R, k) => {
      let sum = 0;
      for (let c = 0; c < r; c++) for (let i = 0; i < r; i++) sum += P.data[i + c * r]! * R.data[c + i * r]!;
      hessian[first + j + (first + k) * m] = (j === k ? trace : 0) - sum;
    });
  });
  return logDet;
}

/** A⁻¹ and log|A| of a positive definite A, scaled to a unit diagonal first; NaN where it is not. */
export function scaledInverse(A: Matrix): { inverse: Matrix; logDet: number } {
  const n = A.rows;
  const scale = new Float64Array(n);
  for (let i = 0; i < n; i++) scale[i] = 1 / Math.sqrt(A.data[i * (n + 1)]!);
  const L = zeros(n, n);
  scaleBothSides(L.data, A.data, scale);
  if (choleskyInto(L, L) >= 0) return { inverse: A, logDet: Number.NaN };
  let logDet = 0;
  for (let i = 0; i < n; i++) logDet += 2 * Math.log(L.data[i * (n + 1)]! / scale[i]!);
  const inverse = cholInverse(L);
  scaleBothSides(inverse.data, inverse.data, scale);
  return { inverse, logDet };
}

/** B = diag(scale) A diag(scale) */
export function scaleBothSides(B: Float64Array, A: Float64Array, scale: Float64Array): void {
  const n = scale.length;
  for (let c = 0; c < n; c++) {
    const own = scale[c]!;
    for (let i = 0, at = c * n; i < n; i++, at++) B[at] = A[at]! * (own * scale[i]!);
  }
}
