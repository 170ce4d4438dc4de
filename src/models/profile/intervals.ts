/** Intervals and tests of a fitted mixed model, from the fit alone: the cross products are made again from its design. */
import type { Rng } from "../../numeric/rng.ts";
import { type BootstrapOptions, bootstrapLmm, type LmmBootstrap } from "../lmm/bootstrap.ts";
import type { LmmFit } from "../lmm/lmm.ts";
import { type LmmProblem, prepareLmm } from "../lmm/problem.ts";
import { type LmmSolution, solveLmm } from "../lmm/solve.ts";
import { type ProfileInterval, type ProfileOptions, profileLmm } from "./linear.ts";

/** The problem behind a fit and its solution, found again in a step or two. */
export function reopenLmm(fit: LmmFit): { problem: LmmProblem; solution: LmmSolution } {
  const problem = prepareLmm(fit.design, { criterion: fit.criterion });
  return { problem, solution: solveLmm(problem, fit.design.y, { start: fit.theta }) };
}

/** Profile-likelihood intervals of every parameter; see linear.ts. */
export function profileIntervals(fit: LmmFit, options: ProfileOptions = {}): ProfileInterval[] {
  const { problem, solution } = reopenLmm(fit);
  return profileLmm(problem, solution, { confidence: fit.confidence, ...options });
}

/** Parametric bootstrap intervals of every parameter; see lmm/bootstrap.ts. */
export function bootstrapIntervals(fit: LmmFit, rng: Rng, options: BootstrapOptions = {}): LmmBootstrap {
  const { problem, solution } = reopenLmm(fit);
  return bootstrapLmm(problem, solution, { confidence: fit.confidence, ...options, rng });
}
