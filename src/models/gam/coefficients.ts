/** The way to the coefficients that a response needs, with the working bases it has made so far. */
import type { GamInner } from "./inner.ts";
import type { Response } from "./likelihood.ts";
import { linearInner } from "./linear.ts";
import { newtonInner } from "./newton.ts";
import { makeWorkingBasis, penaltyOrder, type WorkingBasis } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";

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
