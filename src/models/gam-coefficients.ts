/** The way to the coefficients that a response needs, with the working bases it has made so far. */
import type { GamInner } from "./gam-inner.ts";
import type { Response } from "./gam-likelihood.ts";
import { linearInner } from "./gam-linear.ts";
import { newtonInner } from "./gam-newton.ts";
import { makeWorkingBasis, penaltyOrder, type WorkingBasis } from "./gam-penalty.ts";
import type { GamProblem } from "./gam-problem.ts";

export function makeInner(problem: GamProblem, y: Float64Array): GamInner {
  const { family, link, weights } = problem;
  const response: Response = { family, link, y, weights };
  const bases = new Map<string, WorkingBasis>();
  const basisFor = (lambda: Float64Array): WorkingBasis => {
    const order = penaltyOrder(problem.blocks, lambda);
    const key = JSON.stringify(order);
    const known = bases.get(key);
    if (known !== undefined) return known;
    const made = makeWorkingBasis(problem.blocks, order, problem.rows.p);
    bases.set(key, made);
    return made;
  };
  const linear = family.name === "gaussian" && link.name === "identity";
  return linear ? linearInner(problem, response, basisFor) : newtonInner(problem, response, basisFor);
}
