/** Where the search for θ begins, and how curved the criterion is there.
 *
 *  Start: variances by moments, one for each column of each factor. With M the projection off X and Z_k the columns k,
 *
 *      E |Z_k'Me|² = Σ_j σ_j² ‖Z_k'MZ_j‖² + σ² tr(Z_k'MZ_k),     E |Me|² = Σ_j σ_j² tr(Z_j'MZ_j) + σ² (n - p),
 *
 *  linear equations whose matrix depends on the design alone (MINQUE(0): Rao 1971, J. Multivariate Anal. 1; LaMotte 1973,
 *  Biometrics 29). Correlations start at 0.
 *  Curvature: the expected information of θ with the factors taken as orthogonal to each other, σ profiled out: with
 *  B = (A⁻¹ + TT')⁻¹ of a level, U = T'B, Q = T'BT, entries (i, j) and (k, l) of T have Σ 2 (U_jk U_li + Q_jl B_ik).
 *  Both only save steps: the minimum does not depend on them. */
import { cholesky, choleskyInto, cholSolveInto } from "../../numeric/linalg/cholesky.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { unitTheta } from "../random/random.ts";
import type { CrossProducts } from "./cross-products.ts";
import type { LmmFactor, LmmProblem } from "./problem.ts";
import type { LmmResponse } from "./response.ts";
import { entryPosition } from "./schur.ts";

/** The moment equations of a design. */
export interface MomentEquations {
  /** First component of each factor; a component is a column of a factor. */
  readonly first: Int32Array;
  /** The matrix: components, then the residual. */
  readonly N: Matrix;
  /** Its Cholesky factor; undefined when two components cannot be distinguished. */
  readonly L: Matrix | undefined;
  /** Mean of the diagonal of Z_k'Z_k: the scale of each component. */
  readonly scale: Float64Array;
}

export function momentEquations(factors: readonly LmmFactor[], cross: CrossProducts, nobs: number): MomentEquations {
  const first = new Int32Array(factors.length + 1);
  factors.forEach(({ size }, f) => {
    first[f + 1] = first[f]! + size;
  });
  const k = first[factors.length]!;
  const N = zeros(k + 1, k + 1);
  const trace = new Float64Array(k);
  const grams = Array.from({ length: k }, () => new Float64Array(cross.p * cross.p));
  addEliminated({ N, trace, grams }, factors, cross, first);
  addOthers({ N, trace, grams }, factors, cross, first);
  const scale = trace.slice();
  factors.forEach(({ levels, size }, f) => {
    for (let c = 0; c < size; c++) scale[first[f]! + c]! /= levels;
  });
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < k; b++) N.data[a + b * (k + 1)]! += dot(grams[a]!, grams[b]!);
    let t = trace[a]!;
    for (let j = 0; j < cross.p; j++) t -= grams[a]![j * (cross.p + 1)]!;
    N.data[a + k * (k + 1)] = N.data[k + a * (k + 1)] = t;
  }
  N.data[(k + 1) * (k + 1) - 1] = nobs - cross.p;
  return { first, N, L: cholesky(N), scale };
}

interface Sums {
  readonly N: Matrix;
  readonly trace: Float64Array;
  readonly grams: readonly Float64Array[];
}

/** What factor 0 adds: its own blocks, and those that it shares with the others. */
function addEliminated(
  { N, trace, grams }: Sums,
  factors: readonly LmmFactor[],
  cross: CrossProducts,
  first: Int32Array,
): void {
  const { first: levels, p, m, A2x } = cross;
  const { size: q, start, index, A11, A12, A1x, count } = levels;
  const rows = N.rows;
  for (let l = 0; l < levels.patterns; l++) {
    const c = count[l]!;
    const x = l * q * p;
    for (let a = 0; a < q; a++) {
      trace[a]! += c * A11[l * q * q + a * (q + 1)]!;
      addOuter(grams[a]!, A1x, x + a, q, p, c);
      for (let b = 0; b < q; b++) {
        const value = A11[l * q * q + a + b * q]!;
        N.data[a + b * rows]! += c * value * (value - 2 * strided(A1x, x + a, q, A1x, x + b, q, p));
      }
      for (let t = start[l]!; t < start[l + 1]!; t++) {
        const value = A12[t * q + a]!;
        const b = componentOf(index[t]!, factors, first);
        const sum = c * value * (value - 2 * strided(A1x, x + a, q, A2x.data, index[t]!, m, p));
        N.data[a + b * rows]! += sum;
        N.data[b + a * rows]! += sum;
      }
    }
  }
}

function addOthers(
  { N, trace, grams }: Sums,
  factors: readonly LmmFactor[],
  cross: CrossProducts,
  first: Int32Array,
): void {
  const { m, p, schur, A22, A2x } = cross;
  for (let col = 0; col < m; col++) {
    const b = componentOf(col, factors, first);
    addOuter(grams[b]!, A2x.data, col, m, p, 1);
    trace[b]! += A22[entryPosition(schur, col, col)]!;
    for (let t = schur.start[col]!; t < schur.start[col + 1]!; t++) {
      const value = A22[t]!;
      if (value === 0) continue;
      const row = schur.sparse === undefined ? t - schur.start[col]! : schur.sparse.index[t]!;
      const a = componentOf(row, factors, first);
      N.data[a + b * N.rows]! += value * (value - 2 * strided(A2x.data, row, m, A2x.data, col, m, p));
    }
  }
}

/** Component of a random effect of factors 1, 2, …. */
function componentOf(effect: number, factors: readonly LmmFactor[], first: Int32Array): number {
  let f = factors.length - 1;
  while (factors[f]!.offset > effect) f--;
  return first[f]! + ((effect - factors[f]!.offset) % factors[f]!.size);
}

function addOuter(G: Float64Array, X: Float64Array, x: number, stride: number, p: number, c: number): void {
  for (let j = 0; j < p; j++) {
    for (let i = 0; i < p; i++) G[i + j * p]! += c * X[x + i * stride]! * X[x + j * stride]!;
  }
}

function strided(X: Float64Array, x: number, dx: number, Y: Float64Array, y: number, dy: number, p: number): number {
  let s = 0;
  for (let j = 0; j < p; j++) s += X[x + j * dx]! * Y[y + j * dy]!;
  return s;
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((s, v, i) => s + v * b[i]!, 0);

/** Ratios of variances to start from lie between these, per observation of the component: beyond, moments say too little. */
const LEAST_SIGNAL = 0.05;
const MOST_SIGNAL = 1e4;

/** θ from the moments of y; 1 on the diagonals where they fail. */
export function momentTheta(problem: LmmProblem, { z, A2y, yy }: LmmResponse): Float64Array {
  const { factors, structure, moments } = problem;
  const theta = unitTheta(structure);
  const { L, first, scale } = moments;
  if (L === undefined) return theta;
  const k = first[factors.length]!;
  const sums = new Float64Array(k + 1);
  factors.forEach(({ levels, size, offset }, f) => {
    const values = f === 0 ? z : A2y;
    for (let l = 0; l < levels; l++) {
      for (let c = 0; c < size; c++) sums[first[f]! + c]! += values[offset + l * size + c]! ** 2;
    }
  });
  sums[k] = yy[0]!;
  cholSolveInto(sums, L);
  if (!(sums[k]! > 0)) return theta;
  factors.forEach(({ theta: place, row, col }, f) => {
    place.forEach((index, e) => {
      if (row[e] !== col[e]) return;
      const c = first[f]! + row[e]!;
      const signal = (sums[c]! / sums[k]!) * scale[c]!;
      theta[index] = Math.sqrt(Math.min(Math.max(signal, LEAST_SIGNAL), MOST_SIGNAL) / scale[c]!);
    });
  });
  return theta;
}

/** θ_k, a diagonal entry, at which the variance of its column equals the residual variance of a level's mean. */
export function thetaScale({ factors, moments }: LmmProblem, k: number): number {
  const f = factors.findIndex(({ theta }) => theta.includes(k));
  const { theta, row } = factors[f]!;
  return 1 / Math.sqrt(moments.scale[moments.first[f]! + row[theta.indexOf(k)]!]!);
}

/** The expected information at θ, row-major. */
export function expectedCurvature(problem: LmmProblem, theta: Float64Array): Float64Array {
  const { factors, cross, nobs } = problem;
  const k = theta.length;
  const H = new Float64Array(k * k);
  const slope = new Float64Array(k);
  const { first, schur, A22 } = cross;
  factors.forEach((factor, f) => {
    const q = factor.size;
    const T = new Float64Array(q * q);
    factor.theta.forEach((index, e) => {
      T[factor.row[e]! + factor.col[e]! * q] = theta[index]!;
    });
    const A = new Float64Array(q * q);
    const blocks = f === 0 ? first.patterns : factor.levels;
    for (let l = 0; l < blocks; l++) {
      for (let c = 0; c < q; c++) {
        const at = f === 0 ? l * q * q + c * q : entryPosition(schur, factor.offset + l * q, factor.offset + l * q + c);
        for (let r = 0; r < q; r++) A[r + c * q] = f === 0 ? first.A11[at + r]! : A22[at + r]!;
      }
      addInformation({ H, slope }, factor, levelMatrices(A, T, q), f === 0 ? first.count[l]! : 1);
    }
  });
  for (let a = 0; a < k; a++) for (let b = 0; b < k; b++) H[a * k + b]! -= (slope[a]! * slope[b]!) / nobs;
  return H;
}

/** B = A(I + TT'A)⁻¹, U = T'B and Q = UT of one level. */
function levelMatrices(A: Float64Array, T: Float64Array, q: number) {
  const AT = product(A, T, q);
  const M = transposedProduct(T, AT, q);
  for (let i = 0; i < q; i++) M[i * (q + 1)]! += 1;
  const L = { rows: q, cols: q, data: M };
  choleskyInto(L, L);
  // B = A - AT (I + T'AT)⁻¹ T'A
  const B = A.slice();
  const column = new Float64Array(q);
  for (let c = 0; c < q; c++) {
    for (let i = 0; i < q; i++) column[i] = AT[c + i * q]!;
    cholSolveInto(column, L);
    for (let r = 0; r < q; r++) for (let i = 0; i < q; i++) B[r + c * q]! -= AT[r + i * q]! * column[i]!;
  }
  const U = transposedProduct(T, B, q);
  return { B, U, Q: product(U, T, q) };
}

function product(A: Float64Array, B: Float64Array, q: number): Float64Array {
  const C = new Float64Array(q * q);
  for (let j = 0; j < q; j++)
    for (let k = 0; k < q; k++) for (let i = 0; i < q; i++) C[i + j * q]! += A[i + k * q]! * B[k + j * q]!;
  return C;
}

function transposedProduct(A: Float64Array, B: Float64Array, q: number): Float64Array {
  const C = new Float64Array(q * q);
  for (let j = 0; j < q; j++)
    for (let i = 0; i < q; i++) for (let k = 0; k < q; k++) C[i + j * q]! += A[k + i * q]! * B[k + j * q]!;
  return C;
}

function addInformation(
  { H, slope }: { H: Float64Array; slope: Float64Array },
  { theta, row, col, size: q }: LmmFactor,
  { B, U, Q }: { B: Float64Array; U: Float64Array; Q: Float64Array },
  count: number,
): void {
  const n = slope.length;
  for (let a = 0; a < theta.length; a++) {
    const i = row[a]!;
    const j = col[a]!;
    slope[theta[a]!]! += 2 * count * U[j + i * q]!;
    for (let b = 0; b < theta.length; b++) {
      const k = row[b]!;
      const l = col[b]!;
      H[theta[a]! * n + theta[b]!]! += 2 * count * (U[j + k * q]! * U[l + i * q]! + Q[j + l * q]! * B[i + k * q]!);
    }
  }
}
