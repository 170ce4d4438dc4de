/** Deviances, likelihoods and criteria of a fitted additive model as they are reported. */

import { type GlmProblem, solveGlm } from "../glm/solve.ts";
import { criterionValue } from "./criterion.ts";
import type { GamSolution } from "./gam.ts";
import type { GamProblem } from "./problem.ts";
import { nullDimension, profiledScale, totalEdf } from "./quantities.ts";

/** Σ w (y - μ)²/V(μ) */
export function pearsonSum({ family, weights }: GamProblem, { y, mu }: GamSolution): number {
  let sum = 0;
  for (let i = 0; i < y.length; i++) {
    if (weights[i]! > 0) sum += (weights[i]! * (y[i]! - mu[i]!) ** 2) / family.variance(mu[i]!, 1 - mu[i]!);
  }
  return sum;
}

/** From the rows, also where a search worked on sums. */
export function devianceOf({ family, link, weights }: GamProblem, y: Float64Array, eta: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < y.length; i++) {
    if (weights[i]! > 0) sum += weights[i]! * family.unitDeviance(y[i]!, link.mu(eta[i]!), link.complement(eta[i]!));
  }
  return Math.max(0, sum);
}

/** Of a gaussian response at the variance D/n, as R has it. */
export function logLikelihood(
  { family, weights, nobs, link }: GamProblem,
  { y, mu, eta, deviance }: GamSolution,
): number {
  let sum = 0;
  if (!family.knownDispersion) {
    for (const w of weights) if (w > 0) sum += Math.log(w);
    return 0.5 * (sum - nobs * (Math.log((2 * Math.PI * deviance) / nobs) + 1));
  }
  for (let i = 0; i < y.length; i++) {
    if (weights[i]! > 0) sum += family.logDensity(y[i]!, mu[i]!, link.complement(eta[i]!), weights[i]!);
  }
  return sum;
}

/** The model as a glm with an intercept only. */
export function interceptOnly({ family, link, weights, offset }: GamProblem): GlmProblem {
  const used = Int32Array.from(weights.keys()).filter((i) => weights[i]! > 0);
  const n = used.length;
  return {
    family,
    link,
    rows: used,
    X: { rows: n, cols: 1, data: new Float64Array(n).fill(1) },
    kept: Int32Array.of(0),
    dropped: new Int32Array(0),
    weights: Float64Array.from(used, (i) => weights[i]!),
    offset: Float64Array.from(used, (i) => offset[i]!),
  };
}

/** With the intercept (and the offset) alone, also where the model has no intercept. */
export function nullDeviance(problem: GamProblem, y: Float64Array): number {
  const { family, weights, offset } = problem;
  if (offset.some((value) => value !== 0)) return solveGlm(interceptOnly(problem), y).deviance;
  let sum = 0;
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    sum += weights[i]! * y[i]!;
    total += weights[i]!;
  }
  const mu = sum / total;
  let deviance = 0;
  for (let i = 0; i < y.length; i++)
    if (weights[i]! > 0) deviance += weights[i]! * family.unitDeviance(y[i]!, mu, 1 - mu);
  return deviance;
}

/** R² adjusted: one minus a ratio of variances of weighted residuals. */
export function varianceRatio({ weights, nobs }: GamProblem, { y, mu }: GamSolution, residualDf: number): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    sum += weights[i]! * y[i]!;
    total += weights[i]!;
  }
  const mean = new Float64Array(y.length).fill(sum / total);
  return 1 - (spreadAround(mu, y, weights) * (nobs - 1)) / (spreadAround(mean, y, weights) * residualDf);
}

/** The variance of √w (y - center). */
function spreadAround(center: Float64Array, y: Float64Array, weights: Float64Array): number {
  const n = y.length;
  const residual = new Float64Array(n);
  let mean = 0;
  for (let i = 0; i < n; i++) {
    residual[i] = Math.sqrt(weights[i]!) * (y[i]! - center[i]!);
    mean += residual[i]! / n;
  }
  let squares = 0;
  for (let i = 0; i < n; i++) squares += (residual[i]! - mean) * (residual[i]! - mean);
  return squares / (n - 1);
}

export function reportedCriterion(
  problem: GamProblem,
  solution: GamSolution,
): { name: "REML" | "ML" | "GCV" | "UBRE"; value: number } {
  const { nobs: n, gamma, family, method } = problem;
  const { state, deviance } = solution;
  if (method === "GCV.Cp") {
    const tau = totalEdf(problem, state);
    return family.knownDispersion
      ? { name: "UBRE", value: deviance / n + (2 * gamma * tau) / n - 1 }
      : { name: "GCV", value: (n * deviance) / (n - gamma * tau) ** 2 };
  }
  const M = method === "REML" ? nullDimension(state) : 0;
  const phi = profiledScale(problem, state);
  const Dp = state.deviance + state.penalty;
  // what criterionValue leaves out: constants, and φ at its minimum
  const misfit = family.knownDispersion ? Dp / (2 * gamma) : 0.5 * (n / gamma - M) * Math.log(Dp);
  const determinants = criterionValue(problem, state) - misfit;
  const named = method === "REML" ? -0.5 * problem.parametric.logDet : 0;
  const saturated = saturatedLogLikelihood(problem, solution.y, phi);
  const value =
    (Dp / (2 * phi) - saturated) / gamma +
    determinants +
    named -
    (M / 2) * (Math.log(2 * Math.PI * phi) - Math.log(gamma));
  return { name: method, value };
}

function saturatedLogLikelihood({ family, weights, nobs }: GamProblem, y: Float64Array, phi: number): number {
  let sum = 0;
  for (let i = 0; i < y.length; i++) {
    const w = weights[i]!;
    if (!(w > 0)) continue;
    if (!family.knownDispersion) sum += 0.5 * Math.log(w);
    else if (family.name === "binomial") sum += family.logDensity(y[i]!, y[i]!, 1 - y[i]!, w);
    else sum += y[i]! === 0 ? 0 : family.logDensity(y[i]!, y[i]!, 1, w);
  }
  return family.knownDispersion ? sum : sum - (nobs / 2) * Math.log(2 * Math.PI * phi);
}
