/** Tests of whole smooth terms against zero.
 *
 *  A smooth with functions that no penalty sees (Wood 2013a): with R'R its part of X'WX and β̂, V_p its coefficients and their Bayesian
 *  covariance,  T = β̂'R'(RV_pR')^{r-}Rβ̂,  a pseudo-inverse of fractional rank r = edf1 built from the r largest eigenvalues.
 *  A smooth or random effect that is penalised as a whole (Wood 2013b):  T = β̂'V_p⁻¹β̂,  under the hypothesis a sum of χ²₁ weighted by
 *  the eigenvalues of V_p⁻¹V_e; other random effects count as variance.
 *  Both are divided by a χ² of the residual df where the scale is estimated.
 *  Reference: Wood (2013a), Biometrika 100, 221-228; Wood (2013b), Biometrika 100, 1005-1010.
 *  Oracle:    summary.gam (mgcv, R), oracle/r/gam.json.
 *  Limits:    the smoothing parameters count as known, so that p near the limit is somewhat too small. */
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { fSf } from "../../numeric/dist/f.ts";
import { cholesky } from "../../numeric/linalg/cholesky.ts";
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { type Matrix, matVec, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { pivotedCholesky } from "../../numeric/linalg/pivoted-cholesky.ts";
import { multiplyLarge } from "../../numeric/linalg/product.ts";
import { solveLowerInto } from "../../numeric/linalg/triangular.ts";
import type { GamInference } from "./inference.ts";
import type { GamState } from "./inner.ts";
import { penaltyTimes, scaledInverse } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";
import { mixtureTail } from "./tail.ts";

export interface TermTest {
  /** F where the scale is estimated, otherwise χ². */
  readonly statistic: number;
  readonly refDf: number;
  readonly p: number;
}

/** Eigenvalues below these shares of the largest are zero: ε^0.9 and ε^0.8. */
const RANK_SHARE = 2 ** -46.8;
const RANDOM_SHARE = 2 ** -41.6;

export interface TestInput {
  readonly problem: GamProblem;
  readonly state: GamState;
  readonly inference: GamInference;
}

/** One per smooth. */
export function testTerms(input: TestInput): TermTest[] {
  const { problem, state } = input;
  return problem.smooths.map(({ block }) => {
    const b = problem.blocks.indexOf(block);
    const { rank, T } = state.basis.blocks[b]!;
    const whole = block.S.length > 0 && rank === T.cols;
    return whole ? testPenalised(input, b) : testSmooth(input, b);
  });
}

/** Residual df of the denominator, Infinity for a known scale. */
function residualDf({ problem, inference }: TestInput): number {
  return problem.family.knownDispersion ? Number.POSITIVE_INFINITY : problem.nobs - inference.edf;
}

/** A block of a working matrix in the coefficients of the smooth that take part. */
function blockOf(A: Matrix, { basis }: GamState, b: number): Matrix {
  const { at, T, block } = basis.blocks[b]!;
  const k = T.cols;
  const part = zeros(k, k);
  for (let c = 0; c < k; c++) for (let r = 0; r < k; r++) part.data[r + c * k] = A.data[at + r + (at + c) * A.rows]!;
  const Q = keptRows(T, block.kept);
  return multiplyLarge(Q, multiplyLarge(part, transpose(Q)));
}

function keptRows(T: Matrix, kept: Int32Array): Matrix {
  const Q = zeros(kept.length, T.cols);
  for (let c = 0; c < T.cols; c++)
    kept.forEach((row, r) => {
      Q.data[r + c * kept.length] = T.data[row + c * T.rows]!;
    });
  return Q;
}

function coefficientsOf({ basis, coefficients }: GamState, b: number): Float64Array {
  const { at, T, block } = basis.blocks[b]!;
  return matVec(keptRows(T, block.kept), coefficients.slice(at, at + T.cols));
}

function testSmooth(input: TestInput, b: number): TermTest {
  const { problem, state, inference } = input;
  const R = upperRoot(blockOf(state.expected.information, state, b));
  const k = R.rows;
  const V = blockOf(state.expected.inverse, state, b);
  const { values, vectors } = eigenSymmetric(symmetrised(multiplyLarge(R, multiplyLarge(V, transpose(R)))));
  for (let c = 0; c < k; c++) {
    // which of the two pseudo-inverses is reported hangs on this sign alone
    if (vectors.data[c * k]! < 0) for (let r = 0; r < k; r++) vectors.data[r + c * k]! *= -1;
  }
  const fitted = matVec(R, coefficientsOf(state, b));
  const scores = Float64Array.from({ length: k }, (_, c) => {
    let sum = 0;
    for (let r = 0; r < k; r++) sum += vectors.data[r + c * k]! * fitted[r]!;
    return sum / Math.sqrt(values[c]! * inference.scale);
  });
  const known = values.reduce((count, value) => count + (value > RANK_SHARE * values[0]! ? 1 : 0), 0);
  const rank = Math.min(k, inference.blockEdf1[b]!);
  const { statistics, weights, refDf } = fractionalForm(scores, Math.min(rank, known), {
    exact: known < Math.ceil(rank),
  });
  const df = residualDf(input);
  const rounded = Number.isFinite(df) ? Math.max(1, Math.round(df)) : df;
  const p = statistics.reduce((sum, T) => sum + tail(T, weights, { df, rounded }) / 2, 0);
  const statistic = problem.family.knownDispersion ? statistics[0]! : statistics[0]! / refDf;
  return { statistic, refDf, p: Math.min(1, p) };
}

function tail(T: number, weights: Float64Array, { df, rounded }: { df: number; rounded: number }): number {
  const equal = weights.every((w) => w === 1);
  if (!equal) return mixtureTail(weights, T, { df: rounded });
  return Number.isFinite(df) ? fSf(T / weights.length, weights.length, df) : chiSquareSf(T, weights.length);
}

/** Both signs of the fractional part: with ν = r - ⌊r⌋ the last two eigenvectors are mixed by (1, b; b, ν), b² = ν(1 - ν)/2. */
function fractionalForm(
  scores: Float64Array,
  rank: number,
  { exact }: { exact: boolean },
): { statistics: [number, number]; weights: Float64Array; refDf: number } {
  const k = Math.max(0, Math.floor(rank));
  const nu = exact ? 0 : rank - k;
  const squares = (count: number): number => scores.subarray(0, count).reduce((sum, z) => sum + z * z, 0);
  if (nu === 0 || k === 0) {
    const T = squares(Math.max(k, 1));
    return {
      statistics: [T, T],
      weights: new Float64Array(Math.max(k, 1)).fill(1),
      refDf: nu === 0 ? Math.max(k, 1) : rank,
    };
  }
  const [z1, z2] = [scores[k - 1]!, scores[k]!];
  const cross = 2 * Math.sqrt((nu * (1 - nu)) / 2) * z1 * z2;
  const base = squares(k - 1) + z1 * z1 + nu * z2 * z2;
  const weights = new Float64Array(k + 1).fill(1);
  const rp = nu + 1;
  weights[k - 1] = (rp + Math.sqrt(rp * (2 - rp))) / 2;
  weights[k] = rp - weights[k - 1]!;
  return { statistics: [base + cross, base - cross], weights, refDf: rank };
}

function testPenalised(input: TestInput, b: number): TermTest {
  const { problem, state, inference } = input;
  const others = state.basis.blocks.flatMap((_, other) => (other !== b && isRandom(problem, other) ? [other] : []));
  const { A, Ve } = withRandomEffects(state, others);
  const own = ownIndex(state, b, others);
  const variance = square(scaledInverse(A).inverse, own.reduced);
  const C = cholesky(variance);
  if (C === undefined) return { statistic: Number.NaN, refDf: Number.NaN, p: Number.NaN };
  const estimate = { rows: own.full.length, cols: 1, data: Float64Array.from(own.full, (i) => state.coefficients[i]!) };
  solveLowerInto(estimate, C);
  const T = estimate.data.reduce((sum, z) => sum + z * z, 0) / inference.scale;
  const half = square(Ve, own.full);
  solveLowerInto(half, C);
  const both = transpose(half);
  solveLowerInto(both, C);
  const values = eigenSymmetric(symmetrised(both)).values.map((value) => Math.max(0, value));
  const above = values.reduce((count, value) => count + (value > RANDOM_SHARE * values[0]! ? 1 : 0), 0);
  const { rank } = pivotedCholesky(symmetrised(blockOf(Ve, state, b)));
  const refDf = rank > 0 ? Math.min(above, rank) : above;
  const df = residualDf(input);
  const p = mixtureTail(values, T, { df: Number.isFinite(df) ? Math.max(1, Math.round(df)) : df });
  return { statistic: problem.family.knownDispersion ? T : T / refDf, refDf, p };
}

const isRandom = ({ smooths, blocks }: GamProblem, b: number): boolean =>
  smooths.some(({ block, learned }) => block === blocks[b] && learned.basis[0] === "re");

/** Places of a block among all working coordinates, and among those left when the other random effects are taken out. */
function ownIndex({ basis }: GamState, b: number, others: readonly number[]): { full: number[]; reduced: number[] } {
  const { at, T } = basis.blocks[b]!;
  const before = others.filter((o) => o < b).reduce((sum, o) => sum + basis.blocks[o]!.T.cols, 0);
  const full = Array.from({ length: T.cols }, (_, c) => at + c);
  return { full, reduced: full.map((i) => i - before) };
}

/** X'WX + S_λ without the columns of other random effects, and V_e/φ; both with those effects as variance: W⁻¹ + ZΣZ' for W⁻¹. */
function withRandomEffects(
  { basis, lambda, expected }: GamState,
  others: readonly number[],
): { A: Matrix; Ve: Matrix } {
  const q = basis.q;
  const { information: I, inverse } = expected;
  const M = { ...I, data: I.data.slice() };
  for (const o of others) {
    const { at, T, penalties, block } = basis.blocks[o]!;
    for (let c = at; c < at + T.cols; c++) {
      const size = penalties[0]!.S.data[(c - at) * (penalties[0]!.size + 1)]! * lambda[block.firstPenalty]!;
      for (let j = 0; j < q; j++) {
        const factor = I.data[c + j * q]! / size;
        if (factor !== 0) for (let i = 0; i < q; i++) M.data[i + j * q]! += I.data[i + c * q]! * factor;
      }
    }
  }
  const Ve = multiplyLarge(inverse, multiplyLarge(M, inverse));
  const out = new Set(
    others.flatMap((o) => Array.from({ length: basis.blocks[o]!.T.cols }, (_, c) => basis.blocks[o]!.at + c)),
  );
  const left = Array.from({ length: q }, (_, i) => i).filter((i) => !out.has(i));
  const total = { ...M, data: M.data.slice() };
  const unit = new Float64Array(q);
  basis.penalties.forEach((penalty, j) => {
    for (let c = penalty.from; c < penalty.from + penalty.size; c++) {
      unit[c] = 1;
      penaltyTimes(penalty, lambda[j]!, unit).forEach((value, i) => {
        total.data[i + c * q]! += value;
      });
      unit[c] = 0;
    }
  });
  return { A: square(total, left), Ve };
}

function square(A: Matrix, index: readonly number[]): Matrix {
  const k = index.length;
  const B = zeros(k, k);
  for (let c = 0; c < k; c++) for (let r = 0; r < k; r++) B.data[r + c * k] = A.data[index[r]! + index[c]! * A.rows]!;
  return B;
}

function symmetrised(A: Matrix): Matrix {
  const n = A.rows;
  const B = zeros(n, n);
  for (let c = 0; c < n; c++)
    for (let r = 0; r < n; r++) B.data[r + c * n] = (A.data[r + c * n]! + A.data[c + r * n]!) / 2;
  return B;
}

/** R upper triangular with R'R = A, which may be singular: rows without a pivot are zero. */
function upperRoot(A: Matrix): Matrix {
  const n = A.rows;
  const R = zeros(n, n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i <= j; i++) {
      let sum = (A.data[i + j * n]! + A.data[j + i * n]!) / 2;
      for (let k = 0; k < i; k++) sum -= R.data[k + i * n]! * R.data[k + j * n]!;
      const pivot = R.data[i * (n + 1)]!;
      if (i < j) R.data[i + j * n] = pivot === 0 ? 0 : sum / pivot;
      else R.data[j * (n + 1)] = sum > n * Number.EPSILON * A.data[j * (n + 1)]! ? Math.sqrt(sum) : 0;
    }
  }
  return R;
}
