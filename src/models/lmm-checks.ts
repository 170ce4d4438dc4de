/** What the reader of a mixed model must know: variances that cannot be told apart, singular fits, doubtful optima. */
import { eigenSymmetric } from "../numeric/linalg/eigen.ts";
import { zeros } from "../numeric/linalg/matrix.ts";
import { note, warning } from "../result/diagnostic.ts";
import { formatNumber } from "../result/number-format.ts";
import type { Diagnostic } from "../result/result.ts";
import type { Curvature } from "./lmm-curvature.ts";
import type { LmmFactor, LmmProblem } from "./lmm-problem.ts";
import type { LmmSolution } from "./lmm-solve.ts";
import { SINGULAR_TOLERANCE, singularTerms, varianceComponents } from "./random.ts";

/** Grouping factors that are one partition of the rows, and variances of which the data determine only a combination. */
export function identifiabilityDiagnostics(problem: LmmProblem): Diagnostic[] {
  const { factors } = problem;
  const out: Diagnostic[] = [];
  const same = samePartitions(factors);
  for (const groups of same) {
    out.push(
      warning(
        "SamePartition",
        `${list(groups)} divide the rows in the same way: where they have the same columns, only the sum of their variances is determined, and its split is arbitrary.`,
        `Keep one of them, and read its variance as that of ${groups.join(" and ")} together.`,
      ),
    );
  }
  for (const components of confoundedComponents(problem)) {
    const groups = new Set(components.map(({ group }) => group));
    if (same.some((known) => [...groups].every((group) => known.includes(group)))) continue;
    out.push(
      warning(
        "VariancesConfounded",
        `the data cannot tell the variances of ${list(components.map(({ label }) => label))} apart: only a combination of them is determined, and its split is arbitrary.`,
        "Leave one of these terms out, or read them together.",
      ),
    );
  }
  return out;
}

const list = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]!}`;

/** Names of factors, of two or more labels each, with the same partition. */
function samePartitions(factors: readonly LmmFactor[]): string[][] {
  const classes: LmmFactor[][] = [];
  for (const factor of factors) {
    const known = classes.find(([first]) => isSamePartition(first!, factor));
    if (known === undefined) classes.push([factor]);
    else known.push(factor);
  }
  return classes.filter((own) => own.length > 1).map((own) => own.map(({ group }) => group));
}

function isSamePartition(a: LmmFactor, b: LmmFactor): boolean {
  const toB = new Int32Array(a.levels).fill(-1);
  const toA = new Int32Array(b.levels).fill(-1);
  for (let i = 0; i < a.index.length; i++) {
    const la = a.index[i]!;
    const lb = b.index[i]!;
    if (toB[la] === -1) toB[la] = lb;
    if (toA[lb] === -1) toA[lb] = la;
    if (toB[la] !== lb || toA[lb] !== la) return false;
  }
  return true;
}

/** Eigenvalue of the scaled moment matrix below which a combination of covariances vanishes. */
const NULL_EIGENVALUE = 1e-10;
/** Share of a component in such a combination that is not rounding. */
const NULL_SHARE = 1e-4;

/** Sets of components whose covariance matrices Z_k Z_k' (the last: I), X projected out, are linearly dependent. */
function confoundedComponents({ factors, structure, moments }: LmmProblem): { label: string; group: string }[][] {
  const { N, first } = moments;
  const k = N.rows;
  const S = zeros(k, k);
  for (let j = 0; j < k; j++) {
    for (let i = 0; i < k; i++) {
      S.data[i + j * k] = N.data[i + j * k]! / Math.sqrt(N.data[i * (k + 1)]! * N.data[j * (k + 1)]!);
    }
  }
  if (S.data.some((value) => !Number.isFinite(value))) return [];
  const labels = factors.flatMap((factor, f) =>
    Array.from({ length: first[f + 1]! - first[f]! }, (_, c) => {
      const place = factor.terms.findLast(({ column }) => column <= c)!;
      const { names } = structure.terms[place.term]!;
      return { label: `(${names[c - place.column]!} | ${factor.group})`, group: factor.group };
    }),
  );
  labels.push({ label: "the residuals", group: "" });
  const { values, vectors } = eigenSymmetric(S);
  const out: { label: string; group: string }[][] = [];
  values.forEach((value, j) => {
    if (value > NULL_EIGENVALUE) return;
    out.push(labels.filter((_, i) => Math.abs(vectors.data[i + j * k]!) > NULL_SHARE));
  });
  return out;
}

export function solutionDiagnostics(problem: LmmProblem, solution: LmmSolution, curvature: Curvature): Diagnostic[] {
  const { structure } = problem;
  const out: Diagnostic[] = [];
  const singular = singularTerms(structure, solution.theta);
  if (singular.length > 0) {
    const variances = varianceComponents(structure, solution.theta, solution.sigma);
    const found = singular.map((t) => describeSingular(variances[t]!, solution.sigma));
    out.push(
      warning(
        "SingularFit",
        `singular fit: ${found.join("; ")}.`,
        "The estimates stand, but the data do not support all random effects: a simpler random part gives the same fit.",
      ),
    );
  }
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

function describeSingular(
  { group, names, sd }: { group: string; names: readonly string[]; sd: Float64Array },
  sigma: number,
): string {
  const zero = names.filter((_, i) => sd[i]! < SINGULAR_TOLERANCE * sigma);
  if (zero.length > 0) return `the variance of ${zero.join(", ")} between levels of ${group} is estimated as 0`;
  return `the random effects of ${group} (${names.join(", ")}) are linearly dependent (a correlation of 1 or -1)`;
}
