/** What can be wrong with a glm's input or solution, found and said. */
import type { Design } from "../formula/design.ts";
import { matVec } from "../numeric/linalg/matrix.ts";
import { note, warning } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import type { Diagnostic, Estimate } from "../result/result.ts";
import { FAMILIES, type Family, type FamilyName } from "./family.ts";
import type { GlmProblem, GlmSolution } from "./glm.ts";
import type { LinkName } from "./link.ts";

/** The family asked for, or the one that a response of two values suggests; the link must belong to it. */
export function chooseFamily(
  design: Design,
  options: { readonly family?: FamilyName; readonly link?: LinkName },
): { family: FamilyName; link: LinkName; diagnostics: Diagnostic[] } {
  const binary = design.schema.response?.kind !== "numeric" || design.y.every((v) => v === 0 || v === 1);
  const family = options.family ?? (binary ? "binomial" : "gaussian");
  const link = options.link ?? FAMILIES[family].canonicalLink;
  if (!FAMILIES[family].links.includes(link)) {
    throw new StatError(
      "UnknownLink",
      `the ${family} family has no ${link} link.`,
      `Use one of ${FAMILIES[family].links.join(", ")}.`,
    );
  }
  if (options.family !== undefined) return { family, link, diagnostics: [] };
  const counts = design.schema.response?.kind === "counts";
  const why = counts
    ? "the response counts successes and failures"
    : binary
      ? "the response has two values"
      : "the response is numeric";
  const text = `no family was given; ${why}, so ${family} with the ${link} link was fitted.`;
  return {
    family,
    link,
    diagnostics: [note("FamilyGuessed", text, `Say --family ${family} to confirm, or choose another.`)],
  };
}

/** Every response must be possible under the family. */
export function checkResponse(design: Design, family: Family): void {
  for (let i = 0; i < design.y.length; i++) {
    const must = family.requirement(design.y[i]!);
    if (must === undefined) continue;
    throw new StatError(
      "ResponseOutOfRange",
      `the response ${design.schema.formula.responseLabel} is ${design.y[i]} in row ${design.rowsUsed[i]! + 1}; for the ${family.name} family it must be ${must}.`,
      "Rescale it, or choose another family.",
    );
  }
}

/** A count this far from a whole number is not a rounded one. */
const WHOLE = 1e-7;

export function nonIntegerCounts({ family, rows, weights }: GlmProblem, y: Float64Array): Diagnostic[] {
  if (!family.knownDispersion) return [];
  const odd = rows.findIndex((row, i) => {
    const count = family.name === "binomial" ? weights[i]! * y[row]! : y[row]!;
    return Math.abs(count - Math.round(count)) > WHOLE;
  });
  if (odd < 0) return [];
  return [
    warning(
      "NonIntegerCounts",
      `some ${family.name === "binomial" ? "numbers of successes" : "counts"} are not whole numbers; the log-likelihood, AIC and BIC are then only defined up to a constant.`,
      family.name === "binomial"
        ? "Give the number of trials as weights."
        : "Model a rate with counts and an offset of log exposure.",
    ),
  ];
}

export function notConverged(iterations: number): Diagnostic[] {
  const message = `the iterations did not settle (stopped after ${iterations}).`;
  return [warning("NotConverged", message, "Rescale the covariates or remove terms; do not report these estimates.")];
}

/** At a maximum the last step moves no linear predictor by more than rounding; on the way to infinity it moves some by about 1. */
const STILL_MOVING = 1e-3;
/** A coefficient whose last step is below this share of the largest one is not on its way to infinity. */
const NOT_PART_OF_IT = 1e-4;

/** Separation: the deviance has settled but the estimates have not, because no finite maximum exists. */
export function divergence(
  { X, family }: GlmProblem,
  { step, converged }: GlmSolution,
  names: readonly string[],
): { diagnostics: Diagnostic[]; replace: (estimate: Estimate, j: number) => Estimate } {
  const moved = matVec(X, step).reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  if (!converged || moved < STILL_MOVING) return { diagnostics: [], replace: (estimate) => estimate };
  const longest = step.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  const infinite = Array.from(step, (s) => Math.abs(s) > NOT_PART_OF_IT * longest);
  const which = names.filter((_, j) => infinite[j]).join(", ");
  const cause =
    family.name === "binomial"
      ? "some combination of terms predicts part of the responses perfectly"
      : "some group has only zeros";
  return {
    diagnostics: [
      warning(
        "Separation",
        `the likelihood has no maximum: ${cause}. The estimates of ${which} are infinite, their SEs and tests undefined.`,
        "Merge levels or remove the term, and test the term with anova: the likelihood-ratio test stays valid.",
      ),
    ],
    replace: (estimate, j) => {
      if (!infinite[j]) return estimate;
      const value = step[j]! > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
      const undefinedParts = {
        se: Number.NaN,
        statistic: Number.NaN,
        p: Number.NaN,
        lower: Number.NaN,
        upper: Number.NaN,
      };
      return { ...estimate, value, ...undefinedParts };
    },
  };
}
