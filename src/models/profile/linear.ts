/** Profile-likelihood intervals for every parameter of a linear mixed model: SDs, correlations, σ and β.
 *
 *  D is the ML deviance, also for a REML fit (a restricted likelihood says nothing about β). One parameter is held by the
 *  coordinates of linear-target.ts, the search for the ends is that of profile.ts.
 *  An SD whose profile does not reach the cut-off at 0 has the lower end 0, a correlation ends at ±1.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), section 5.1; Venzon & Moolgavkar (1988), Appl. Stat. 37.
 *  Oracle:    exact ends by root finding in R (lme4's devfun), oracle/r/lmm-inference.json; lme4's confint interpolates splines
 *             and agrees to about 1e-4.
 *  Limits:    profiles are followed from the optimum outwards: a second, separate mode is not looked for. */
import { type LmmFit, reopenLmm } from "../lmm/lmm.ts";
import { fixedCovariance } from "../lmm/objective.ts";
import type { LmmProblem } from "../lmm/problem.ts";
import { type LmmSolution, solveLmm } from "../lmm/solve.ts";
import { varianceComponents } from "../random/random.ts";
import { constrainDeviance, type ProfileKind, type ProfileTarget } from "./linear-target.ts";
import { type ParameterInterval, type ProfiledParameter, type ProfileOptions, profileParameters } from "./profile.ts";

/** Estimates are those of maximum likelihood. */
export type ProfileInterval = ParameterInterval<ProfileKind>;

/** Profile-likelihood intervals of every parameter of a fitted mixed model. */
export function profileIntervals(fit: LmmFit, options: ProfileOptions = {}): ProfileInterval[] {
  const { problem, solution } = reopenLmm(fit);
  return profileLmm(problem, solution, { confidence: fit.confidence, ...options });
}

export function profileLmm(
  problem: LmmProblem,
  solution: LmmSolution,
  options: ProfileOptions = {},
): ProfileInterval[] {
  const ml: LmmProblem = { ...problem, criterion: "ML" };
  const best = problem.criterion === "ML" ? solution : solveLmm(ml, solution.response, { start: solution.theta });
  const parameters = listParameters(ml, best).map((own) => profiled(ml, best, own));
  return profileParameters(parameters, best.objective, options);
}

interface Parameter {
  readonly name: string;
  readonly target: ProfileTarget;
  readonly estimate: number;
  /** ψ as the target measures it, ψ̂ + origin. */
  readonly origin: number;
  /** A first guess at the half-width. */
  readonly width: number;
  readonly lowest: number;
  readonly highest: number;
}

/** A correlation of something that does not vary begins at 0. */
function profiled(
  problem: LmmProblem,
  { theta, sigma, response }: LmmSolution,
  { name, target, estimate, origin, ...range }: Parameter,
): ProfiledParameter<ProfileKind> {
  const { evaluate, lower, start } = constrainDeviance(problem, response, target);
  const best = start(theta, sigma);
  return {
    name,
    kind: target.kind,
    reported: estimate,
    estimate: Number.isNaN(estimate) ? 0 : estimate,
    ...range,
    furthest: Number.POSITIVE_INFINITY,
    profile: { evaluate: (x, psi, gradient) => evaluate(x, psi + origin, gradient), start: () => best, lower },
  };
}

/** In the order of θ, then σ, then β: the order of lme4's profile. */
function listParameters(problem: LmmProblem, { theta, sigma, beta, response }: LmmSolution): Parameter[] {
  const { structure, inverseR, design, kept } = problem;
  const components = varianceComponents(structure, theta, sigma);
  const free = { origin: 0, lowest: Number.NEGATIVE_INFINITY, highest: Number.POSITIVE_INFINITY };
  const random = Array.from(structure.term, (term, k): Parameter => {
    const { group, names, sd, corr } = components[term]!;
    const [j, i] = [structure.col[k]!, structure.row[k]!];
    if (i === j) {
      const estimate = sd[j]!;
      const name = `sd_${names[j]!}|${group}`;
      const width = estimate > 0 ? estimate / 2 : sigma / 10;
      return { ...free, name, target: { kind: "sd", term, j }, estimate, width, lowest: 0 };
    }
    const name = `cor_${names[i]!}.${names[j]!}|${group}`;
    const estimate = corr.data[i + j * sd.length]!;
    return { ...free, name, target: { kind: "cor", term, j, k: i }, estimate, width: 0.3, lowest: -1, highest: 1 };
  });
  const covariance = fixedCovariance(problem, theta);
  const fixed = Array.from(beta, (estimate, j): Parameter => {
    const l = Float64Array.from({ length: beta.length }, (_, c) => inverseR.data[j + c * inverseR.rows]!);
    const width = 2 * sigma * Math.sqrt(covariance.data[j * (beta.length + 1)]!);
    const name = design.names[kept[j]!]!;
    return { ...free, name, target: { kind: "fixed", l }, estimate, width, origin: -response.beta0[j]! };
  });
  const width = sigma * Math.sqrt(2 / problem.nobs);
  const residual: Parameter = { ...free, name: "sigma", target: { kind: "sigma" }, estimate: sigma, width };
  return [...random, residual, ...fixed];
}
