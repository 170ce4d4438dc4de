/** What the smoothing parameters minimise, with exact first and second derivatives by ρ = log λ.
 *
 *      REML   (D_p/(2φ) - ls(φ))/γ + ½log|X'WX + S_λ| - ½log|S_λ|₊ - (M/2) log(2πφ/γ),   D_p = D + β'S_λβ, M = dim null(S)
 *      ML     the same without the last term, and with the determinant over the penalised coefficients only
 *      GCV    n D/(n - γτ)²,      UBRE   D/n + 2γτ/n - 1 (known scale),      τ = tr((X'WX + S_λ)⁻¹X'WX)
 *
 *  An unknown φ is replaced by its minimiser. β depends on ρ through X'score = S_λβ, and W on β, so that
 *      ∂β/∂ρ_j = -A⁻¹λ_jS_jβ,   ∂A/∂ρ_j = λ_jS_j + X'diag(∂w/∂η ∘ X∂β/∂ρ_j)X.
 *  The traces with X'diag(·)X become products with X'(h ∘ ∂w/∂η), h_i = x_i'A⁻¹x_i: no row is visited once per pair of parameters.
 *  GCV is minimised on the log scale and UBRE times n, which moves no minimum and makes tolerances mean the same everywhere.
 *  Reference: Wood (2011), J. R. Statist. Soc. B 73, 3-36, §2-3 (REML, ML); Wood (2008), ibid. 70, 495-518 (GCV, UBRE).
 *  Oracle:    mgcv (R), oracle/r/gam.json; central differences in criterion.test.ts. */
import { tMatVec } from "../../numeric/linalg/matrix.ts";
import { type GamDerivatives, weightDrift } from "./derivatives.ts";
import { validationDerivatives } from "./gcv.ts";
import type { GamInner, GamState } from "./inner.ts";
import { penaltyLogDet, penaltyTimes } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";
import { nullDimension, penalisedInverse, totalEdf } from "./quantities.ts";
import { likelihoodDerivatives } from "./reml.ts";

const isLikelihood = ({ method }: GamProblem): boolean => method !== "GCV.Cp";

/** As it is minimised. */
export function criterionValue(problem: GamProblem, state: GamState): number {
  const { nobs: n, gamma, family, method } = problem;
  if (!isLikelihood(problem)) {
    const tau = totalEdf(problem, state);
    if (family.knownDispersion) return state.deviance + 2 * gamma * tau;
    return Math.log(state.deviance) - 2 * Math.log(n - gamma * tau);
  }
  const { value: logS } = penaltyLogDet(state.basis, state.lambda);
  const logA = method === "REML" ? state.logDet : penalisedInverse(state).logDet;
  const Dp = state.deviance + state.penalty;
  const M = method === "REML" ? nullDimension(state) : 0;
  const misfit = family.knownDispersion ? Dp / (2 * gamma) : 0.5 * (n / gamma - M) * Math.log(Dp);
  return misfit + 0.5 * (logA - logS);
}

/** Without `exact` the Hessian leaves out what the change of the weights adds: one pass over the rows for each parameter less. */
export function criterionDerivatives(
  problem: GamProblem,
  inner: GamInner,
  state: GamState,
  { exact = true }: { readonly exact?: boolean } = {},
): GamDerivatives {
  const { basis, lambda, coefficients, inverse } = state;
  const pulls = basis.penalties.map((penalty, j) => penaltyTimes(penalty, lambda[j]!, coefficients));
  // all matrices here are symmetric, and products with their transposes write less
  const first = pulls.map((pull) => tMatVec(inverse, pull).map((value) => -value));
  const drift = inner.linear || !exact ? [] : weightDrift(problem, { state, first, slope: inner.rowsAt(state).slope });
  const slopes = { pulls, first, drift };
  return isLikelihood(problem)
    ? likelihoodDerivatives(problem, inner, state, slopes)
    : validationDerivatives(problem, inner, state, slopes);
}
