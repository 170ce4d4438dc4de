/** Variance components as random effects of a model without fixed effects but the mean.
 *
 *      y = μ + Σ_t ν_t + ε,   ν_t ~ N(0, σ_t²)                    linear, by REML
 *      the same on the scale of the linear predictor for right/wrong scores (glmm) and ordered ratings (clmm), where the
 *      residual variance is that of the link: π²/3 logit, 1 probit
 *
 *  A refit to simulated scores is what the parametric bootstrap needs.
 *  Reference: Riezler & Hagmann (2021), eq. 3.13; Jiang (2018), Asymptotic Analysis of Mixed Effects Models; Nakagawa, Johnson &
 *             Schielzeth (2017), J. R. Soc. Interface 14 (variances on the latent scale).
 *  Oracle:    lme4 (R), oracle/papers/riezler2021.json: closed forms to 1e-8.
 *  Limits:    one variance per component. */
import { asFactor, type Column, column, makeTable, type NumericColumn, type Table } from "../../data/table.ts";
import { fitGlmm } from "../../models/glmm/glmm.ts";
import { simulateResponses } from "../../models/glmm/simulate.ts";
import { prepareGlmm, solveGlmm } from "../../models/glmm/solve.ts";
import { fitLmm, type LmmFit, reopenLmm } from "../../models/lmm/lmm.ts";
import { simulateInto } from "../../models/lmm/simulate.ts";
import { solveLmm } from "../../models/lmm/solve.ts";
import { fitClmm } from "../../models/ordinal/clmm.ts";
import { prepareClmm, solveClmm } from "../../models/ordinal/clmm-solve.ts";
import { simulateRatings } from "../../models/ordinal/simulate.ts";
import type { VarianceComponent } from "../../models/random/random.ts";
import type { Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { FacetDesign } from "./facet-terms.ts";

export type ComponentModel = "lmm" | "glmm" | "clmm";

export interface ComponentFit {
  readonly model: ComponentModel;
  /** In the order of the terms, then the residual. */
  readonly variances: Float64Array;
  readonly logLik: number;
  readonly singular: boolean;
  readonly converged: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** The linear model itself, for profiles. */
  readonly lmm?: LmmFit;
  /** Components of a data set simulated from this fit; undefined where the refit fails. */
  refit(rng: Rng): Float64Array | undefined;
}

export function fitComponents(design: FacetDesign, score: string, model: ComponentModel | undefined): ComponentFit {
  const cells = column(design.table, score);
  const chosen = model ?? (cells.kind === "numeric" ? "lmm" : cells.levels.length === 2 ? "glmm" : "clmm");
  if (chosen === "clmm" && cells.kind === "factor" && !cells.ordered && model === undefined) {
    throw new StatError(
      "NotNumeric",
      `the score ${score} holds texts such as "${cells.levels[0]}".`,
      "Give numbers, or state their order with `ordered` and `model: clmm`; for labels without order use agreement.",
    );
  }
  checkScores(cells, score);
  const table = modelTable(design, score, chosen);
  const formula = `y ~ 1 + ${design.terms.map((_, t) => `(1 | t${t})`).join(" + ")}`;
  if (chosen === "lmm") return linearComponents(formula, table, design.terms.length);
  return chosen === "glmm" ? binaryComponents(formula, table, design) : ordinalComponents(formula, table, design);
}

/** The model calls the score y; what is wrong with it is said in the user's words. */
function checkScores(cells: Column, score: string): void {
  const values: ArrayLike<number> = cells.kind === "numeric" ? cells.values : cells.codes;
  const all = Array.from(values);
  const infinite = all.find((value) => !Number.isFinite(value));
  if (infinite !== undefined) {
    const message = `the score column "${score}" holds ${infinite}.`;
    throw new StatError("NotFinite", message, "Correct the value, or leave it empty to drop the row.");
  }
  if (all.some((value) => value !== all[0])) return;
  const only = cells.kind === "numeric" ? all[0] : `"${cells.levels[all[0]!]}"`;
  throw new StatError(
    "ConstantResponse",
    `the score column "${score}" has the same value, ${only}, in every row: there is no variance to divide up.`,
    "Choose a score that varies.",
  );
}

/** Columns y, t0, t1, …: the classes of the terms under names that need no quoting. */
function modelTable({ table, terms }: FacetDesign, score: string, model: ComponentModel): Table {
  const cells = column(table, score);
  if (model === "lmm" && cells.kind !== "numeric") {
    throw new StatError(
      "NotNumeric",
      `the score ${score} is not numeric.`,
      "Use `model: glmm` or clmm for categories.",
    );
  }
  const y = model === "clmm" ? asFactor(cells, { ordered: true }) : cells;
  const groups = terms.map(
    ({ index, levels }, t) =>
      [
        `t${t}`,
        { kind: "factor", codes: index, levels: Array.from({ length: levels }, (_, l) => String(l)), ordered: false },
      ] as const,
  );
  return makeTable([["y", y], ...groups]);
}

/** Variances by term from those of the model, whose groups are t0, t1, … in its own order. */
function byTerm(found: readonly VarianceComponent[], terms: number, residual: number): Float64Array {
  const out = new Float64Array(terms + 1);
  for (const { group, cov } of found) out[Number(group.slice(1))] = cov.data[0]!;
  out[terms] = residual;
  return out;
}

const RENAMED = new Set(["SamePartition", "VariancesConfounded", "SingularFit"]);

function linearComponents(formula: string, table: Table, terms: number): ComponentFit {
  const fit = fitLmm(formula, table, { ddf: "none" });
  let opened: ReturnType<typeof reopenLmm> | undefined;
  const y = new Float64Array((column(table, "y") as NumericColumn).values.length);
  return {
    model: "lmm",
    variances: byTerm(fit.variances, terms, fit.residualSd ** 2),
    logLik: fit.logLik,
    singular: fit.singular,
    converged: fit.converged,
    // they name t0, t1, …, and the caller says the same in the user's words
    diagnostics: fit.diagnostics.filter(({ code }) => !RENAMED.has(code)),
    lmm: fit,
    refit(rng) {
      opened ??= reopenLmm(fit);
      const { problem, solution } = opened;
      simulateInto(y, problem, solution, rng);
      const again = solveLmm(problem, y);
      if (!again.converged || !Number.isFinite(again.objective)) return undefined;
      const out = new Float64Array(terms + 1);
      const s2 = again.sigma * again.sigma;
      problem.structure.terms.forEach(({ group, thetaStart }) => {
        out[Number(group.slice(1))] = again.theta[thetaStart]! ** 2 * s2;
      });
      out[terms] = s2;
      return out;
    },
  };
}

const LOGIT_VARIANCE = Math.PI ** 2 / 3;

/** Random intercepts only: θ is the SD of each term, in the order of the structure. */
function squares(
  groups: readonly { readonly group: string; readonly thetaStart: number }[],
  theta: Float64Array,
): Float64Array {
  const out = new Float64Array(groups.length + 1);
  for (const { group, thetaStart } of groups) out[Number(group.slice(1))] = theta[thetaStart]! ** 2;
  out[groups.length] = LOGIT_VARIANCE;
  return out;
}

function binaryComponents(formula: string, table: Table, { terms }: FacetDesign): ComponentFit {
  const fit = fitGlmm(formula, table, { family: "binomial" });
  const problem = prepareGlmm(fit.design, { family: "binomial", link: "logit" });
  const beta = fit.coefficients.map(({ value }) => value);
  const start = Float64Array.of(...fit.theta, ...beta);
  return {
    model: "glmm",
    variances: byTerm(fit.variances, terms.length, LOGIT_VARIANCE),
    logLik: fit.logLik,
    singular: fit.singular,
    converged: fit.converged,
    diagnostics: fit.diagnostics.filter(({ code }) => !RENAMED.has(code)),
    refit(rng) {
      const again = solveGlmm(problem, simulateResponses(problem, { theta: fit.theta, beta }, rng), { start });
      return again.converged ? squares(problem.system.structure.terms, again.theta) : undefined;
    },
  };
}

function ordinalComponents(formula: string, table: Table, { terms }: FacetDesign): ComponentFit {
  const fit = fitClmm(formula, table, { link: "logit" });
  const problem = prepareClmm(fit.design, fit.levels, { link: fit.link, threshold: fit.threshold });
  return {
    model: "clmm",
    variances: byTerm(fit.variances, terms.length, LOGIT_VARIANCE),
    logLik: fit.logLik,
    singular: fit.singular,
    converged: fit.converged,
    diagnostics: fit.diagnostics.filter(({ code }) => !RENAMED.has(code)),
    refit(rng) {
      try {
        const y = simulateRatings(problem, { theta: fit.theta, cuts: fit.cuts, beta: [] }, rng);
        const again = solveClmm(problem, y);
        return again.converged ? squares(problem.system.structure.terms, again.theta) : undefined;
      } catch (error) {
        // a simulated data set may lack a category altogether
        if (error instanceof StatError) return undefined;
        throw error;
      }
    },
  };
}
