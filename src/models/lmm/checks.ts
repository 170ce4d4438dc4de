/** What the reader of a mixed model must know: variances that cannot be told apart, singular fits, doubtful optima. */
import { note, warning } from "../../result/diagnostic.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Diagnostic } from "../../result/result.ts";
import { confoundingDiagnostics } from "../random/identifiability.ts";
import { singularDiagnostics } from "../random/parts.ts";
import type { Curvature } from "./curvature.ts";
import type { LmmProblem } from "./problem.ts";
import type { LmmSolution } from "./solve.ts";

/** Grouping factors that are one partition of the rows, and variances of which the data determine only a combination: the
 *  covariance matrices of the components (the last: I), X projected out, are then linearly dependent. */
export function identifiabilityDiagnostics({ factors, structure, moments }: LmmProblem): Diagnostic[] {
  const { N, first } = moments;
  const labels = factors.flatMap((factor, f) =>
    Array.from({ length: first[f + 1]! - first[f]! }, (_, c) => {
      const place = factor.terms.findLast(({ column }) => column <= c)!;
      const { names } = structure.terms[place.term]!;
      return { label: `(${names[c - place.column]!} | ${factor.group})`, group: factor.group };
    }),
  );
  return confoundingDiagnostics(factors, [...labels, { label: "the residuals", group: "" }], N);
}

export function solutionDiagnostics(problem: LmmProblem, solution: LmmSolution, curvature: Curvature): Diagnostic[] {
  const out = singularDiagnostics(problem.structure, solution.theta, solution.sigma);
  if (!solution.converged || curvature.verdict === "saddle" || Number.isNaN(curvature.smallest)) {
    out.push(
      warning(
        "NotConverged",
        `the search for the variances stopped at a point that is not surely a minimum (relative gradient ${formatNumber(solution.projectedGradient)}, smallest scaled curvature ${formatNumber(curvature.smallest)}).`,
        "Rescale covariates with large values, or leave random slopes out.",
      ),
    );
  } else if (curvature.verdict === "ridge") {
    out.push(
      note(
        "FlatCriterion",
        "some combination of the random-effects parameters hardly changes the likelihood; their single values are uncertain.",
        "Look at profile intervals of the variances, or simplify the random part.",
      ),
    );
  }
  return out;
}
