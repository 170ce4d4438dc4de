/** D of a fitted glm as a function of its parameters, with its gradient: what a profile follows.
 *
 *      D(β) = Σ w d(y, μ),  ∂D/∂β = -2 Σ w (y - μ)/V(μ) μ'(η) x;     beta: -2ℓ(β, log φ)
 *  θ of the negative binomial stays at its estimate, as in profile.glm of MASS; β and θ are orthogonal. φ of beta is not, and is free.
 *  Reference: McCullagh & Nelder (1989), Generalized Linear Models, 2.5; Venables & Ripley (2002), Modern Applied Statistics with S, 8.4.
 *  Oracle:    roots found in R, oracle/r/families.json (glmm/profile.test.ts). */
import { crossprod, matVec, scaleRows } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import { betaFamily, FAMILIES } from "../family.ts";
import { type GlmFit, reopenGlm } from "./glm.ts";
import type { GlmProblem } from "./solve.ts";

export interface GlmDeviance {
  /** NaN where a mean is outside the family's range. */
  deviance(psi: Float64Array, gradient: Float64Array): number;
  readonly psi: Float64Array;
  readonly least: number;
  /** Of D at the optimum, expected, row-major. */
  readonly hessian: Float64Array;
}

export function reopenDeviance(fit: GlmFit): GlmDeviance {
  refuseOtherIntervals(fit);
  const problem = reopenGlm(fit);
  const y = Float64Array.from(problem.rows, (i) => fit.design.y[i]!);
  const psi = fit.family === "beta" ? Float64Array.of(...fit.beta, Math.log(fit.shape!.value)) : fit.beta;
  const deviance = (at: Float64Array, gradient: Float64Array): number => devianceAt(problem, y, { at, gradient });
  return { deviance, psi, least: deviance(psi, new Float64Array(psi.length)), hessian: hessianAt(problem, psi) };
}

function refuseOtherIntervals({ family, firth, robust }: GlmFit): void {
  const refuse = (message: string, fix: string): never => {
    throw new StatError("NoProfile", message, fix);
  };
  if (firth) {
    refuse(
      "the intervals of a fit with firth are profiles of its penalised likelihood already.",
      "Read them from its coefficients.",
    );
  }
  if (robust !== "none") {
    refuse(
      `a profile likelihood ignores ${robust} errors and would contradict them.`,
      "Use the intervals of the coefficients, or fit without cluster and robust.",
    );
  }
  if (!FAMILIES[family].knownDispersion) {
    refuse(
      `the dispersion of the ${family} family is estimated; a profile would treat it as known.`,
      "Use the intervals of the coefficients, which are made from t.",
    );
  }
}

function devianceAt(
  problem: GlmProblem,
  y: Float64Array,
  { at, gradient }: { readonly at: Float64Array; readonly gradient: Float64Array },
): number {
  const { X, link, weights, offset } = problem;
  const p = X.cols;
  const free = problem.family.name === "beta";
  const phi = free ? Math.exp(at[p]!) : Number.NaN;
  const family = free ? betaFamily(phi) : problem.family;
  const eta = matVec(X, at.subarray(0, p));
  gradient.fill(0);
  let sum = 0;
  for (let i = 0; i < eta.length; i++) {
    const e = eta[i]! + offset[i]!;
    const [mu, complement, w] = [link.mu(e), link.complement(e), weights[i]!];
    const variance = family.variance(mu, complement);
    if (!(variance > 0)) return Number.NaN;
    sum += free ? -2 * family.logDensity(y[i]!, mu, complement, w) : w * family.unitDeviance(y[i]!, mu, complement);
    const score = (-2 * w * link.slope(e) * family.residual(y[i]!, mu, complement)) / variance;
    for (let j = 0; j < p; j++) gradient[j]! += score * X.data[i + j * X.rows]!;
    if (free) gradient[p]! -= 2 * w * phi * family.shape!.score(y[i]!, mu, complement);
  }
  return sum;
}

/** 2X'WX, for beta bordered by log φ. */
function hessianAt(problem: GlmProblem, psi: Float64Array): Float64Array {
  const { X, link, weights, offset, family, rows } = problem;
  const [n, p, size] = [rows.length, X.cols, psi.length];
  const eta = matVec(X, psi.subarray(0, p)).map((v, i) => v + offset[i]!);
  const slope = eta.map((e) => link.slope(e));
  const root = eta.map((e, i) =>
    Math.sqrt((2 * weights[i]! * slope[i]! ** 2) / family.variance(link.mu(e), link.complement(e))),
  );
  const scaled = scaleRows(X, root);
  const own = crossprod(scaled, scaled);
  const out = new Float64Array(size * size);
  for (let i = 0; i < p; i++) for (let j = 0; j < p; j++) out[i * size + j] = own.data[i + j * p]!;
  if (size === p) return out;
  const { value: phi, cross, information } = family.shape!;
  for (let i = 0; i < n; i++) {
    const [mu, complement] = [link.mu(eta[i]!), link.complement(eta[i]!)];
    const border = 2 * weights[i]! * phi * slope[i]! * cross(mu, complement);
    for (let j = 0; j < p; j++) {
      out[j * size + p]! += border * X.data[i + j * n]!;
      out[p * size + j] = out[j * size + p]!;
    }
    out[p * size + p]! += 2 * weights[i]! * phi * phi * information(Number.NaN, mu, complement);
  }
  return out;
}
