/** What can be wrong with a fitted additive model, found and said. */
import { note, warning } from "../../result/diagnostic.ts";
import type { Diagnostic } from "../../result/result.ts";
import { nonIntegerCounts } from "../glm/input-checks.ts";
import type { GamSolution, GamTerm } from "./gam.ts";
import { interceptOnly } from "./measures.ts";
import type { GamProblem } from "./problem.ts";

/** A fitted probability this near to 0 or 1, or a mean this near to 0, is certain. */
const CERTAIN = 1e-8;
/** A smooth that uses more than this share of its degrees of freedom may want more. */
const CROWDED = 0.95;

export function gamDiagnostics(problem: GamProblem, solution: GamSolution, terms: readonly GamTerm[]): Diagnostic[] {
  return [
    ...(problem.family.knownDispersion ? nonIntegerCounts(interceptOnly(problem), solution.y) : []),
    ...separation(problem, solution),
    ...crowded(problem, terms),
    ...unsettled(solution),
  ];
}

function separation({ family, link, weights }: GamProblem, { eta, y }: GamSolution): Diagnostic[] {
  if (family.name === "gaussian") return [];
  let certain = 0;
  for (let i = 0; i < y.length; i++) {
    const mu = link.mu(eta[i]!);
    const edge = family.name === "binomial" ? Math.min(mu, link.complement(eta[i]!)) : mu;
    if (weights[i]! > 0 && edge < CERTAIN) certain += 1;
  }
  if (certain === 0) return [];
  const what = family.name === "binomial" ? "fitted probabilities are 0 or 1" : "fitted means are 0";
  return [
    warning(
      "Separation",
      `${certain} ${what} to eight digits: some term predicts part of the responses perfectly. The curves there are limits, not estimates, and their tests are unreliable.`,
      "Lower k, merge levels, or add `select` so that every term is penalised as a whole.",
    ),
  ];
}

function crowded({ smooths }: GamProblem, terms: readonly GamTerm[]): Diagnostic[] {
  const full = terms.filter(({ edf, size }, s) => {
    const { learned } = smooths[s]!;
    return learned.S.length > 0 && learned.basis[0] !== "re" && edf > CROWDED * size;
  });
  if (full.length === 0) return [];
  const list = full.map(({ term, edf, size }) => `${term} (${edf.toFixed(1)} of ${size})`).join(", ");
  return [
    note(
      "BasisFull",
      `nearly all degrees of freedom are in use: ${list}.`,
      "Raise k of these terms and see whether the fit improves.",
    ),
  ];
}

function unsettled({ optimum, state }: GamSolution): Diagnostic[] {
  if (optimum.converged && state.converged) return [];
  const what = optimum.converged ? "the coefficients" : "the smoothing parameters";
  return [
    warning(
      "NotConverged",
      `the search for ${what} did not settle (stopped after ${optimum.converged ? state.iterations : optimum.iterations} steps).`,
      "Lower k or remove terms; do not report these estimates.",
    ),
  ];
}
