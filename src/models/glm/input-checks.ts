/** What can be wrong with a glm's input or solution, found and said. */

import type { Design } from "../../formula/design.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { type Matrix, matVec, selectColumns, selectRows } from "../../numeric/linalg/matrix.ts";
import { aliasedColumns, qr } from "../../numeric/linalg/qr.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Diagnostic, Estimate } from "../../result/result.ts";
import { FAMILIES, type Family, type FamilyName } from "../family.ts";
import type { LinkName } from "../link.ts";
import type { GlmProblem, GlmSolution } from "./solve.ts";

/** The family asked for, or the one that a response of two values suggests; the link must belong to it. */
export function chooseFamily<Name extends FamilyName>(
  design: Design,
  options: { readonly family?: Name | undefined; readonly link?: LinkName | undefined },
): { family: Name | "binomial" | "gaussian"; link: LinkName; diagnostics: Diagnostic[] } {
  const binary = design.schema.response?.kind !== "numeric" || design.y.every((v) => v === 0 || v === 1);
  const family = options.family ?? (binary ? "binomial" : "gaussian");
  const levels = checkLevels(design, family, options.family !== undefined);
  const link = options.link ?? FAMILIES[family].canonicalLink;
  if (!FAMILIES[family].links.includes(link)) {
    throw new StatError(
      "UnknownLink",
      `the ${family} family has no ${link} link.`,
      `Use one of ${FAMILIES[family].links.join(", ")}.`,
    );
  }
  if (options.family !== undefined) return { family, link, diagnostics: levels };
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
    diagnostics: [note("FamilyGuessed", text, `Say \`family: ${family}\` to confirm, or choose another.`)],
  };
}

/** Counts of two kinds and categories belong to the binomial family; more than two categories must be asked for. */
function checkLevels(design: Design, family: FamilyName, asked: boolean): Diagnostic[] {
  const learned = design.schema.response!;
  const label = design.schema.formula.responseLabel;
  if (learned.kind === "numeric") return [];
  if (family !== "binomial" && family !== "quasibinomial") {
    const what = learned.kind === "counts" ? "counts successes and failures" : "is a category";
    throw new StatError(
      "WrongFamily",
      `the response ${label} ${what}, which the ${family} family does not have.`,
      "Use the binomial family.",
    );
  }
  if (learned.kind !== "factor" || learned.levels.length === 2) return [];
  const [first, ...others] = learned.levels;
  if (!asked) {
    throw new StatError(
      "TooManyLevels",
      `the response ${label} has ${learned.levels.length} levels (${learned.levels.slice(0, 6).join(", ")}${learned.levels.length > 6 ? ", …" : ""}).`,
      `Ask for the binomial family to model "not ${first}", or compare two of the levels.`,
    );
  }
  const text = `${label} has ${learned.levels.length} levels: ${first} counts as failure, and ${others.slice(0, 6).join(", ")}${others.length > 6 ? ", …" : ""} as success.`;
  return [warning("MergedLevels", text, "Keep two of the levels, or order them so that the first is the failure.")];
}

/** Every response must be possible under the family. */
export function checkResponse(design: Design, family: Family): void {
  for (let i = 0; i < design.y.length; i++) {
    const must = family.requirement(design.y[i]!);
    if (must === undefined) continue;
    throw new StatError(
      "ResponseOutOfRange",
      `the response ${design.schema.formula.responseLabel} is ${design.y[i]} in row ${design.rowsUsed[i]! + 1}; for the ${family.name} family it must be ${must}.`,
      family.advice ?? "Rescale it, or choose another family.",
    );
  }
}

/** The sandwich of a beta model would need the scores of φ too. */
export function checkRobust(
  { family }: GlmProblem,
  { robust, cluster }: { readonly robust?: string | undefined; readonly cluster?: string | undefined },
): void {
  if (family.name !== "beta" || (cluster === undefined && (robust === undefined || robust === "none"))) return;
  const message = "the beta family has no cluster-robust or heteroscedasticity-robust errors.";
  throw new StatError("BadOption", message, "Leave cluster and robust out, or use the quasibinomial family.");
}

/** Why a quasi-family has no AIC. */
export function noLikelihood(family: FamilyName): Diagnostic[] {
  const message = `${family} states a mean and a variance, not a distribution: log-likelihood, AIC and BIC are undefined.`;
  return [note("NoLikelihood", message, "Compare models by the F test of anova.")];
}

/** Firth's likelihood is that of the canonical link, and its tests have no robust form. */
export function checkFirth(
  { family, link }: GlmProblem,
  { robust, cluster }: { readonly robust?: string | undefined; readonly cluster?: string | undefined },
): void {
  if (family.name !== "binomial" || link.name !== "logit") {
    const message = `firth is for logistic models, not for ${family.name} with the ${link.name} link.`;
    throw new StatError("BadOption", message, "Use the binomial family with the logit link, or leave firth out.");
  }
  if (cluster === undefined && (robust === undefined || robust === "none")) return;
  const message = "firth has no cluster-robust or heteroscedasticity-robust errors.";
  throw new StatError("BadOption", message, "Leave cluster and robust out, or leave firth out.");
}

/** A count this far from a whole number is not a rounded one. */
const WHOLE = 1e-7;

export function nonIntegerCounts({ family, rows, weights }: GlmProblem, y: Float64Array): Diagnostic[] {
  if (!family.knownDispersion || family.name === "beta") return [];
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

/** Counts that vary so much more than Poisson's are told of, where chance hardly explains it. */
const MOST_SPREAD = 1.5;
const CHANCE = 1e-3;

/** Pearson's χ² Σ w (y - μ)² / μ against its degrees of freedom. */
export function overdispersion(
  { family, rows, weights, kept }: GlmProblem,
  { mu, converged }: GlmSolution,
  y: Float64Array,
): Diagnostic[] {
  const df = rows.length - kept.length;
  if (family.name !== "poisson" || !converged || df < 1) return [];
  const chi = rows.reduce((sum, row, i) => sum + (weights[i]! * (y[row]! - mu[i]!) ** 2) / mu[i]!, 0);
  if (!(chi / df > MOST_SPREAD && chiSquareSf(chi, df) < CHANCE)) return [];
  return [
    warning(
      "Overdispersed",
      `the counts vary ${formatNumber(chi / df)} times as much as Poisson counts (Pearson's χ² ${formatNumber(chi)} on ${df} df): the standard errors and p are too small.`,
      "Use the quasipoisson or the negative-binomial family.",
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
  const lost = undeterminedBySeparation(X, step, infinite);
  const which = names.filter((_, j) => infinite[j]).join(", ");
  const unknown = names.filter((_, j) => lost[j]).join(", ");
  const cause =
    family.name === "binomial" || family.name === "quasibinomial"
      ? "some combination of terms predicts part of the responses perfectly"
      : "some group has only zeros";
  return {
    diagnostics: [
      warning(
        "Separation",
        `the likelihood has no maximum: ${cause}. The estimates of ${which} are infinite, their SEs and tests undefined.${unknown === "" ? "" : ` Nothing is left to estimate ${unknown}.`}`,
        family.hasLikelihood
          ? "Merge levels or remove the term, and test the term with anova: the likelihood-ratio test stays valid."
          : "Merge levels or remove the term.",
      ),
    ],
    replace: (estimate, j) => {
      if (!infinite[j] && !lost[j]) return estimate;
      const value = lost[j] ? Number.NaN : step[j]! > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
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

/** Rows that separation drives to certainty carry no information; what the other rows do not determine is lost. */
function undeterminedBySeparation(X: Matrix, step: Float64Array, infinite: readonly boolean[]): boolean[] {
  const moved = matVec(X, step).map(Math.abs);
  const most = moved.reduce((a, b) => Math.max(a, b), 0);
  const rows = Int32Array.from(moved.keys()).filter((i) => moved[i]! <= NOT_PART_OF_IT * most);
  const finite = Int32Array.from(step.keys()).filter((j) => !infinite[j]);
  const lost = infinite.map(() => false);
  if (finite.length === 0) return lost;
  const aliased =
    rows.length === 0 ? finite.map((_, k) => k) : aliasedColumns(qr(selectRows(selectColumns(X, finite), rows)));
  for (const k of aliased) lost[finite[k]!] = true;
  return lost;
}
