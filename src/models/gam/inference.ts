/** Effective degrees of freedom, covariances and the penalty of AIC of a fitted additive model.
 *
 *      F = (X'WX + S_λ)⁻¹X'WX,   edf = diag F,   edf1 = diag(2F - FF),   V_p = (X'WX + S_λ)⁻¹φ,   V_e = F V_p
 *  with W the expected weights. After REML or ML the uncertainty of λ is added for AIC:
 *      edf2 = tr((V_p + V' + V'')X'WX)/φ,   V' = Jcov(ρ)J',  J = ∂β/∂ρ;   V'' = Σ cov(ρ_j,ρ_k)(∂R⁻¹/∂ρ_j)(∂R⁻¹/∂ρ_k)'φ,  R'R = X'WX + S_λ,
 *  at most Σ edf1. In V'' a precision of 1/10 is added to that of ρ, so that a flat direction cannot dominate.
 *  Reference: Wood (2017), Generalized Additive Models, 2nd ed., §6.1.2, 6.10-6.11; Wood, Pya & Säfken (2016), JASA 111, 1548-1563.
 *  Oracle:    mgcv (R), oracle/r/gam.json. */
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { type Matrix, matVec, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { multiplyLarge } from "../../numeric/linalg/product.ts";
import type { GamDerivatives } from "./derivatives.ts";
import { dot, type GamState } from "./inner.ts";
import { fromWorking, fromWorkingMatrix } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";
import { rootCorrection } from "./root.ts";

/** Precision that every log smoothing parameter is given beside the data's in V''. */
const PRIOR_PRECISION = 0.1;

export interface GamInference {
  /** F in working coordinates. */
  readonly F: Matrix;
  readonly edf: number;
  readonly edf1: number;
  /** For AIC; NaN where the smoothing parameters were not estimated by REML or ML. */
  readonly edf2: number;
  readonly scale: number;
  /** V_p and V_e over the named parametric columns, then those of the smooths. */
  readonly bayesian: Matrix;
  readonly frequentist: Matrix;
  readonly coefficients: Float64Array;
  /** Per block of the model: sums over its coefficients. */
  readonly blockEdf: Float64Array;
  readonly blockEdf1: Float64Array;
}

export interface InferenceInput {
  readonly problem: GamProblem;
  readonly state: GamState;
  readonly derivatives: GamDerivatives;
  /** Σ w (y - μ)²/V(μ) */
  readonly pearson: number;
}

export function inferGam({ problem, state, derivatives, pearson }: InferenceInput): GamInference {
  const { inverse, information } = state.expected;
  const { basis } = state;
  const q = basis.q;
  const F = multiplyLarge(inverse, information);
  if (problem.nullSpace.cols === 0) settleUnpenalised(F, state);
  const diagonal = Float64Array.from({ length: q }, (_, i) => F.data[i * (q + 1)]!);
  const squared = new Float64Array(q);
  for (let i = 0; i < q; i++) for (let k = 0; k < q; k++) squared[i]! += F.data[i + k * q]! * F.data[k + i * q]!;
  const sum = (values: Float64Array, from: number, to: number): number =>
    values.subarray(from, to).reduce((a, b) => a + b, 0);
  const blockEdf = Float64Array.from(basis.blocks, ({ at, T }) => sum(diagonal, at, at + T.cols));
  const blockEdf1 = Float64Array.from(basis.blocks, ({ at, T }, b) => 2 * blockEdf[b]! - sum(squared, at, at + T.cols));
  const edf = blockEdf.reduce((a, b) => a + b, 0);
  const edf1 = blockEdf1.reduce((a, b) => a + b, 0);
  const scale = problem.family.knownDispersion ? 1 : pearson / (problem.nobs - edf);
  const extra = problem.method === "GCV.Cp" ? Number.NaN : correction({ problem, state, derivatives }, scale);
  return {
    F,
    edf,
    edf1,
    edf2: Math.min(edf + extra, edf1),
    scale,
    bayesian: scaled(named(problem, fromWorkingMatrix(inverse, basis)), scale),
    frequentist: scaled(named(problem, fromWorkingMatrix(symmetric(multiplyLarge(F, inverse)), basis)), scale),
    coefficients: namedVector(problem, fromWorking(state.coefficients, basis)),
    blockEdf,
    blockEdf1,
  };
}

/** F = I - (X'WX + S_λ)⁻¹S_λ: where S_λ has a column of zeros F has that of I, which the product above loses to rounding as weights vanish. */
function settleUnpenalised(F: Matrix, { basis }: GamState): void {
  for (const { at, T, rank } of basis.blocks)
    for (let j = at + rank; j < at + T.cols; j++) {
      F.data.fill(0, j * basis.q, (j + 1) * basis.q);
      F.data[j * (basis.q + 1)] = 1;
    }
}

function scaled(A: Matrix, s: number): Matrix {
  return { ...A, data: A.data.map((value) => value * s) };
}

function symmetric(A: Matrix): Matrix {
  const n = A.rows;
  const B = zeros(n, n);
  for (let c = 0; c < n; c++)
    for (let r = 0; r < n; r++) B.data[r + c * n] = (A.data[r + c * n]! + A.data[c + r * n]!) / 2;
  return B;
}

/** From the orthonormal parametric columns to the named ones. */
function namedVector({ parametric: { back } }: GamProblem, beta: Float64Array): Float64Array {
  const result = beta.slice();
  const k = back.rows;
  for (let i = 0; i < k; i++) {
    result[i] = 0;
    for (let j = 0; j < k; j++) result[i]! += back.data[i + j * k]! * beta[j]!;
  }
  return result;
}

function named(problem: GamProblem, V: Matrix): Matrix {
  const p = V.rows;
  const half = zeros(p, p);
  for (let j = 0; j < p; j++) half.data.set(namedVector(problem, V.data.subarray(j * p, (j + 1) * p)), j * p);
  const other = transpose(half);
  for (let j = 0; j < p; j++) half.data.set(namedVector(problem, other.data.subarray(j * p, (j + 1) * p)), j * p);
  return half;
}

/** What the uncertainty of the smoothing parameters adds to the edf. */
function correction(
  { problem, state, derivatives }: Pick<InferenceInput, "problem" | "state" | "derivatives">,
  scale: number,
): number {
  const free = Array.from(problem.fixedRho.keys()).filter((j) => Number.isNaN(problem.fixedRho[j]!));
  if (free.length === 0) return 0;
  const { data: full, rows } = derivatives.fullHessian;
  const index = problem.family.knownDispersion ? free : [...free, rows - 1];
  const f = index.length;
  const H = zeros(f, f);
  for (let a = 0; a < f; a++) for (let b = 0; b < f; b++) H.data[a + b * f] = full[index[a]! + index[b]! * rows]!;
  const eigen = eigenSymmetric(H);
  const cov =
    (prior: number) =>
    (a: number, b: number): number => {
      let sum = 0;
      for (let e = 0; e < f; e++) {
        const precision = Math.max(0, eigen.values[e]!) + prior;
        if (precision > 0) sum += (eigen.vectors.data[a + e * f]! * eigen.vectors.data[b + e * f]!) / precision;
      }
      return sum;
    };
  const slopes = free.map((j) => derivatives.coefficientSlopes[j]!);
  const informed = slopes.map((slope) => matVec(state.expected.information, slope));
  const plain = cov(0);
  let total = 0;
  slopes.forEach((slope, a) => {
    informed.forEach((other, b) => {
      total += (plain(a, b) * dot(slope, other)) / scale;
    });
  });
  return total + rootCorrection(state, { free, cov: cov(PRIOR_PRECISION) });
}
