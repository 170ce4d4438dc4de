/** The analytic gradient of the profiled criterion of objective.ts.
 *
 *  ν = n (ML) or n - p (REML), u and γ = Rβ the minimisers of r² at θ, b = Λu, e the residuals. Since r² is a minimum over
 *  (u, γ), dr² = -2 e'WZ dΛ u; and d log|M| = 2 tr(M⁻¹Λ'A dΛ), with X as a border of M for REML. θ_k is entry (i, j) of the T
 *  of one factor, so its derivative is entry (i, j) of a q × q matrix, summed over the levels of the factor:
 *
 *  factor 0, by pattern (c levels):   2 (c A11 - E'(c F + ν/r² Ω)) K',    E = I - G'G A11,   K = L⁻ᵀG
 *      Ω = Σ_l (z_l - h)(z_l - h)',   h = A12 b2 + A1x γ
 *      F = A12 Ẑ A12' + a C⁻¹a',      Ẑ = Λ2 S22⁻¹Λ2',   a = A12 J - A1x,   J = Λ2 S22⁻¹Λ2'R2x
 *  the other factors, by level:       2 ((Λ2'R22)' S22⁻¹)_ll - 2 (GX C⁻¹)_l (S22⁻¹Λ2'R2x)_l' - 2 ν/r² g_l u_l'
 *      GX = R2x - R22 J,              g = R2y - R2x γ - R22 b2
 *
 *  The terms with C⁻¹ belong to REML alone. Nothing is divided by T, so the gradient is exact on the boundary too. Of S22⁻¹
 *  only the entries in the pattern of R22 are needed (Takahashi's selected inverse when it is sparse); see inverse.ts.
 *  Reference: Bates et al. (2015), J. Stat. Softw. 67(1), for the notation; Harville (1977), JASA 72, for the derivatives of V.
 *  Oracle:    extrapolated central differences of the criterion, to 1e-8. */
import { cholInverse } from "../../numeric/linalg/cholesky.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { gramBlock, multiplyBlock } from "../../numeric/linalg/small.ts";
import { addRandomPart, invertSquare, scaleInverse, sumTraces } from "./inverse.ts";
import { criterionOf, factorAt, projectResponse, reducedSchur } from "./objective.ts";
import type { LmmFactor, LmmProblem } from "./problem.ts";
import { type LmmResponse, summarizeResponse } from "./response.ts";
import { blocksTimesVectorInto, isScalar, solveSchurLt, subtractSymmetric } from "./schur.ts";

/** Gradient of lmmObjective at θ. */
export function lmmGradient(
  problem: LmmProblem,
  theta: ArrayLike<number>,
  y: Float64Array | LmmResponse,
): Float64Array {
  const response = y instanceof Float64Array ? summarizeResponse(problem, y) : y;
  const gradient = new Float64Array(problem.structure.term.length);
  lmmObjectiveAndGradientInto(gradient, problem, theta, response);
  return gradient;
}

/** Fills the gradient and returns the criterion; NaN when a factorisation breaks down. */
export function lmmObjectiveAndGradientInto(
  gradient: Float64Array,
  problem: LmmProblem,
  theta: ArrayLike<number>,
  response: LmmResponse,
): number {
  gradient.fill(Number.NaN);
  if (!factorAt(problem, theta)) return Number.NaN;
  const r2 = projectResponse(problem, response);
  if (!(r2 > 0)) return Number.NaN;
  const { cross, nobs, criterion, factors } = problem;
  const weight = (criterion === "REML" ? nobs - cross.p : nobs) / r2;
  if (criterion === "REML") problem.work.inverseC.set(fixedInverse(problem).data);
  derivativesInto(gradient, problem, response, { weight, entries: factors });
  return criterionOf(problem, r2);
}

/** (X'V⁻¹X)⁻¹ in the basis X R⁻¹, at the θ that was factored last. */
export function fixedInverse({ cross, work }: LmmProblem): Matrix {
  return cholInverse({ rows: cross.p, cols: cross.p, data: work.C });
}

/** Entries (row[e], col[e]) of the T of a factor; their derivative belongs to place theta[e]. */
export type FactorEntries = Pick<LmmFactor, "theta" | "row" | "col">;

/** Derivatives of log|M| (+ log|C| for REML) + weight · r² in entries of T, one list for each factor, at the θ that was factored last
 *  and the γ in problem.work. */
export function derivativesInto(
  out: Float64Array,
  problem: LmmProblem,
  response: LmmResponse,
  wanted: { readonly weight: number; readonly entries: readonly FactorEntries[] },
): void {
  out.fill(0);
  if (problem.cross.m > 0) addOtherFactors(out, problem, wanted);
  addFirstFactor(out, problem, response, wanted);
}

type Wanted = Parameters<typeof derivativesInto>[3];

/** Random effects of factors 1, 2, …, u2 and b2 = Λ2u2, as last columns of work.Wt and work.J; the others belong to X. */
export function solveOthers({ cross, work }: LmmProblem): void {
  const { m, p, schur } = cross;
  const { W, Wt, J, gamma } = work;
  const y = p * m;
  Wt.set(W);
  for (let j = 0; j < p; j++) for (let i = 0; i < m; i++) Wt[y + i]! -= W[j * m + i]! * gamma[j]!;
  solveSchurLt(Wt, p + 1, schur);
  for (let j = 0; j <= p; j++) blocksTimesVectorInto(J, work.others.T, Wt, schur, j * m);
}

/** Factors 1, 2, …; leaves Ẑ or its roots in work.Z. */
function addOtherFactors(gradient: Float64Array, problem: LmmProblem, wanted: Wanted): void {
  const { cross, work, criterion, factors } = problem;
  const { m, p } = cross;
  const { GX, GXC, inverseC } = work;
  otherSums(problem, criterion === "REML" ? 0 : p);
  GXC.fill(0);
  if (criterion === "REML") {
    for (let j = 0; j < p; j++) {
      for (let k = 0; k < p; k++) {
        const c = inverseC[k + j * p]!;
        for (let i = 0; i < m; i++) GXC[j * m + i]! += GX[k * m + i]! * c;
      }
    }
  }
  invertSquare(problem);
  for (let f = 1; f < factors.length; f++) addFactor(gradient, problem, f, wanted);
  scaleInverse(problem);
}

/** Z2'V⁻¹X R⁻¹ and, as last column, g = Z2'V⁻¹(y - Xβ) into work.GX, from column `from` on. */
export function otherSums(problem: LmmProblem, from: number): void {
  const { m, p, schur } = problem.cross;
  const { J, GX, R2, gamma } = problem.work;
  const y = p * m;
  solveOthers(problem);
  if (fromSolutions(problem)) return;
  GX.set(R2);
  for (let j = 0; j < p; j++) for (let i = 0; i < m; i++) GX[y + i]! -= R2[j * m + i]! * gamma[j]!;
  const R = reducedSchur(problem);
  for (let j = from; j <= p; j++) subtractSymmetric(GX, R, J, schur, j * m);
}

/** Λ2'(R2 - R22 J) = S22⁻¹Λ2'R2 = W̃, since Λ2'R22Λ2 = S22 - I: with single numbers for blocks GX is W̃ over θ, unless θ is too near 0. */
function fromSolutions({ cross, work, factors }: LmmProblem): boolean {
  const { m, p, schur } = cross;
  if (!isScalar(schur) || !work.others.T.every((T) => Math.abs(T[0]!) >= LEAST_THETA)) return false;
  const { GX, Wt } = work;
  for (let f = 1; f < factors.length; f++) {
    const { offset, levels } = factors[f]!;
    const theta = work.T[f]![0]!;
    for (let j = 0; j <= p; j++) for (let i = j * m + offset; i < j * m + offset + levels; i++) GX[i] = Wt[i]! / theta;
  }
  return true;
}

/** Below this ratio of standard deviations the division would cost more than three digits. */
const LEAST_THETA = 1e-3;

/** One of the factors 1, 2, …. */
function addFactor(gradient: Float64Array, problem: LmmProblem, f: number, { weight, entries }: Wanted): void {
  const { cross, work, factors } = problem;
  const { m, p } = cross;
  const { GX, GXC, Wt } = work;
  const { offset, levels, size } = factors[f]!;
  const { theta, row, col } = entries[f]!;
  const y = p * m;
  for (let e = 0; e < theta.length; e++) {
    let sum = sumTraces(problem, f, row[e]!, col[e]!);
    for (let l = 0; l < levels; l++) {
      const i = offset + l * size + row[e]!;
      const j = offset + l * size + col[e]!;
      sum -= weight * GX[y + i]! * Wt[y + j]!;
      for (let k = 0; k < p; k++) sum -= GXC[k * m + i]! * Wt[k * m + j]!;
    }
    gradient[theta[e]!]! += 2 * sum;
  }
}

function addFirstFactor(
  gradient: Float64Array,
  problem: LmmProblem,
  response: LmmResponse,
  { weight, entries }: Wanted,
): void {
  const { cross, work, criterion } = problem;
  const { first } = cross;
  const { size: q, patterns, count, A11 } = first;
  const { K, G } = work;
  const [h, phi, B, D] = work.blocks as [Float64Array, Float64Array, Float64Array, Float64Array];
  const { theta, row, col } = entries[0]!;
  for (let pattern = 0; pattern < patterns; pattern++) {
    const at = pattern * q * q;
    const c = count[pattern]!;
    fittedSums(h, problem, pattern);
    phi.fill(0, 0, q * q);
    if (cross.m > 0) addRandomPart(phi, problem, pattern);
    if (criterion === "REML") addFixedPart(phi, problem, pattern);
    for (let b = 0; b < q; b++) {
      for (let a = 0; a < q; a++) {
        const omega =
          response.squares[at + a + b * q]! -
          response.sums[pattern * q + a]! * h[b]! -
          h[a]! * response.sums[pattern * q + b]! +
          c * h[a]! * h[b]!;
        phi[a + b * q] = c * phi[a + b * q]! + weight * omega;
      }
    }
    // D = c A11 - E'Φ with E' = I - A11 G'G
    gramBlock(B, G, at, q);
    multiplyBlock(D, 0, B, 0, phi, 0, q);
    multiplyBlock(B, 0, A11, at, D, 0, q);
    for (let t = 0; t < q * q; t++) D[t] = c * A11[at + t]! - phi[t]! + B[t]!;
    for (let e = 0; e < theta.length; e++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += D[row[e]! + k * q]! * K[at + col[e]! + k * q]!;
      gradient[theta[e]!]! += 2 * s;
    }
  }
}

/** h = A12 b2 + A1x γ. */
export function fittedSums(h: Float64Array, { cross, work }: LmmProblem, pattern: number): void {
  const { first, m, p } = cross;
  const { size: q, start, index, A12, A1x } = first;
  const b2 = p * m;
  h.fill(0, 0, q);
  for (let t = start[pattern]!; t < start[pattern + 1]!; t++) {
    const b = work.J[b2 + index[t]!]!;
    for (let k = 0; k < q; k++) h[k]! += A12[t * q + k]! * b;
  }
  for (let j = 0; j < p; j++) {
    for (let k = 0; k < q; k++) h[k]! += A1x[(pattern * p + j) * q + k]! * work.gamma[j]!;
  }
}

/** a = A12 J - A1x, q × p, of one pattern. */
export function fixedSums(a: Float64Array, { cross, work }: LmmProblem, pattern: number): void {
  const { first, m, p } = cross;
  const { size: q, start, index, A12, A1x } = first;
  for (let j = 0; j < p; j++) {
    if (q === 1) {
      let s = -A1x[pattern * p + j]!;
      for (let t = start[pattern]!; t < start[pattern + 1]!; t++) s += A12[t]! * work.J[j * m + index[t]!]!;
      a[j] = s;
      continue;
    }
    for (let k = 0; k < q; k++) a[j * q + k] = -A1x[(pattern * p + j) * q + k]!;
    for (let t = start[pattern]!; t < start[pattern + 1]!; t++) {
      const b = work.J[j * m + index[t]!]!;
      for (let k = 0; k < q; k++) a[j * q + k]! += A12[t * q + k]! * b;
    }
  }
}

/** F ← F + a C⁻¹a'. */
function addFixedPart(F: Float64Array, problem: LmmProblem, pattern: number): void {
  const { p, first } = problem.cross;
  const { size: q } = first;
  const { inverseC, blocks } = problem.work;
  const a = blocks[4]!;
  const v = blocks[5]!;
  fixedSums(a, problem, pattern);
  for (let j = 0; j < p; j++) {
    if (q === 1) {
      let s = 0.5 * a[j]! * inverseC[j + j * p]!;
      for (let k = 0; k < j; k++) s += a[k]! * inverseC[k + j * p]!;
      F[0]! += 2 * s * a[j]!;
      continue;
    }
    for (let i = 0; i < q; i++) v[i] = 0;
    for (let k = 0; k < p; k++) for (let i = 0; i < q; i++) v[i]! += a[k * q + i]! * inverseC[k + j * p]!;
    for (let b = 0; b < q; b++) for (let i = 0; i < q; i++) F[i + b * q]! += v[i]! * a[j * q + b]!;
  }
}
