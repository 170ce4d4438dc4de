/** Generalised linear mixed model.   g(E(y | b)) = xβ + offset + z'b,   b = Λ(θ)u, u ~ N(0, I)
 *  Binomial (0/1, two levels, cbind(successes, failures)) with logit, probit or cloglog link; Poisson with log link.
 *  Laplace approximation (laplace/laplace.ts; expected information in the determinant for non-canonical links, as lme4), or adaptive
 *  Gauss-Hermite quadrature for one scalar random effect (laplace/quadrature.ts); standard errors from the Hessian of all parameters.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1); Breslow & Clayton (1993), JASA 88.
 *  Oracle:    lme4 (R): glmer with tight tolerances, oracle/r/glmm.json — log-likelihood 1e-8, estimates and SEs 1e-6.
 *  Limits:    dispersion 1. The Laplace approximation is inexact with few binary rows per level. */

import type { Table } from "../../data/table.ts";
import { buildDesign, type Design, aliasedColumns as noteAliased, noteDropped } from "../../formula/design.ts";
import { parseFormula } from "../../formula/parse/parse.ts";
import { binomialResponse } from "../../formula/response.ts";
import type { SchemaOptions } from "../../formula/schema.ts";
import { SCHEMA_OPTIONS } from "../../formula/schema.ts";
import type { Formula } from "../../formula/term.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Display } from "../../result/display.ts";
import { checkConfidence, StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type Diagnostic, makeResult, type Published } from "../../result/result.ts";
import { FAMILIES } from "../family.ts";
import {
  coefficientTable,
  type FieldsOf,
  informationCriteria,
  makeSignature,
  rowsSentence,
  waldEstimates,
} from "../fit.ts";
import { fitJson, type MixedFitJson, type ProfileJson } from "../fit-json.ts";
import { checkResponse, divergence, nonIntegerCounts } from "../glm/input-checks.ts";
import type { GlmmFamily, GlmmLink } from "../glm/laplace-rows.ts";
import type { GlmProblem, GlmSolution } from "../glm/solve.ts";
import { laplaceLogLik } from "../laplace/laplace.ts";
import type { LaplaceFit, LaplaceOptions } from "../laplace/report.ts";
import { knownTheta, laplaceJson, modesOf, optimumDiagnostics } from "../laplace/report.ts";
import { LINKS } from "../link.ts";
import { conditionSentence } from "../ordinal/clm.ts";
import { groupSizes } from "../ordinal/clmm.ts";
import { blockConfounding } from "../random/identifiability.ts";
import { blocksOfRows, randomTable } from "../random/parts.ts";
import { singularTerms, varianceComponents } from "../random/random.ts";
import { columnScale, endlessCovariance, plus } from "../random/separation.ts";
import { type GlmmProblem, type GlmmSolution, prepareGlmm, solveGlmm } from "./solve.ts";

export interface GlmmOptions extends SchemaOptions, LaplaceOptions {
  /** Default binomial. */
  readonly family?: GlmmFamily | undefined;
  /** Default: logit for binomial, log for Poisson. */
  readonly link?: GlmmLink | undefined;
  /** Confidence level of the intervals. */
  readonly confidence?: number | undefined;
}

export interface GlmmFit extends LaplaceFit<"glmm"> {
  readonly family: GlmmFamily;
  readonly link: GlmmLink;
  /** Coefficients of the kept columns as the search left them: finite also where the maximum is at infinity. */
  readonly beta: Float64Array;
  /** Means at the modes, row by row. */
  readonly fitted: Float64Array;
}

const GLMM_OPTIONS = {
  ...SCHEMA_OPTIONS,
  ...{ family: true, link: true, confidence: true, nAGQ: true, start: true, maxMemory: true },
} as const satisfies Record<keyof GlmmOptions | "maxMemory", true>;

export function fitGlmm(formula: string | Formula, table: Table, options: GlmmOptions = {}): GlmmFit {
  refuseUnknownNames("fitGlmm", options, GLMM_OPTIONS);
  const { family = "binomial", nAGQ = 1 } = options;
  const link = options.link ?? (family === "binomial" ? "logit" : "log");
  if ((family === "poisson") !== (link === "log")) {
    const links = family === "poisson" ? "log" : "logit, probit, cloglog";
    throw new StatError("UnknownLink", `the ${family} glmm has no ${link} link.`, `Use one of ${links}.`);
  }
  const design = glmmDesign(formula, table, { ...options, family });
  const problem = prepareGlmm(design, { family, link, nAGQ, maxMemory: options.maxMemory });
  const solution = solveGlmm(problem, design.y, {
    exact: true,
    start: options.start,
  });
  return makeGlmmFit(table, problem, solution, options);
}

function glmmDesign(text: string | Formula, table: Table, options: GlmmOptions): Design {
  const formula = typeof text === "string" ? parseFormula(text) : text;
  const { confidence = 0.95, family = "binomial" } = options;
  checkConfidence(confidence);
  const smooth = formula.smooth[0];
  if (smooth !== undefined) {
    throw new StatError(
      "UnsupportedTerm",
      `${smooth.label} is a smooth; glmm has none.`,
      "Leave it out, or fit a gam.",
    );
  }
  if (formula.response === undefined) {
    const message = `the formula "${formula.text}" has no response.`;
    throw new StatError("NoResponse", message, 'Write it as "correct ~ terms + (1 | item)".');
  }
  if (formula.random.length === 0) {
    throw new StatError(
      "NoRandomTerm",
      "the formula has no random term.",
      "Add one, such as (1 | item), or fit a glm.",
    );
  }
  const raw = buildDesign(formula, table, options);
  const learned = raw.schema.response!;
  if (family === "poisson" && learned.kind !== "numeric") {
    const message = `the response ${formula.responseLabel} is not a count.`;
    throw new StatError("ResponseNotNumeric", message, "Use family binomial for two levels or pairs of counts.");
  }
  const design = family === "poisson" || learned.kind === "numeric" ? raw : shareResponse(raw);
  checkResponse(design, FAMILIES[family]);
  return design;
}

/** A factor becomes 0 and 1, cbind(s, f) a share with s + f as its weight. */
function shareResponse(design: Design): Design {
  const learned = design.schema.response!;
  const { y, trials } = binomialResponse(design, learned);
  if (learned.kind === "factor") return { ...design, y };
  return { ...design, y, weights: design.weights ? trials.map((t, i) => t * design.weights![i]!) : trials };
}

function makeGlmmFit(table: Table, problem: GlmmProblem, solution: GlmmSolution, options: GlmmOptions): GlmmFit {
  const { design, glm, system, family, link, nAGQ } = problem;
  const { structure } = system;
  const { phi, fixedOnly } = solution;
  const { confidence = 0.95 } = options;
  const names = Array.from(glm.kept, (j) => design.names[j]!);
  const away = divergence(glm, fixedOnly, names);
  const separated = away.diagnostics.length > 0;
  const theta = separated ? knownTheta(structure, solution) : solution.theta;
  const df = Number.POSITIVE_INFINITY;
  const vcov = separated ? plus(solution.vcov, endlessPart(glm, fixedOnly)) : solution.vcov;
  const estimates = waldEstimates({ names, values: phi, vcov, df, confidence });
  const parameters = theta.length + phi.length;
  const nobs = glm.rows.length;
  const diagnostics: Diagnostic[] = [
    ...design.schema.diagnostics,
    ...noteDropped(design),
    ...(glm.dropped.length === 0 ? [] : [noteAliased(design.names, glm.dropped)]),
    ...nonIntegerCounts(glm, design.y),
    ...away.diagnostics,
    // counts of several trials and Poisson counts can vary more than the family says: a level per row is then a model
    ...blockConfounding(blocksOfRows(design.random, glm.rows, design.y.length), isBernoulli(problem)),
    ...(separated ? [] : constantLevels(problem)),
    ...optimumDiagnostics(structure, solution, separated),
  ];
  const fields = {
    signature: makeSignature("glmm", table, design, { formula: design.schema.formula.text, ...options }),
    diagnostics,
    design,
    coefficients: estimates.map((estimate, j) => away.replace(estimate, j)),
    vcov,
    dropped: Array.from(glm.dropped, (j) => design.names[j]!),
    kept: glm.kept,
    beta: phi,
    nobs,
    df: parameters,
    logLik: solution.logLik,
    ...informationCriteria(solution.logLik, parameters, nobs),
    converged: solution.converged && !separated,
    family,
    link,
    nAGQ,
    confidence,
    theta,
    thetaNames: structure.thetaNames,
    variances: varianceComponents(structure, theta, 1),
    ...finalModes(solution, theta),
    groups: groupSizes(structure.terms),
    fitted: solution.state.eta.map((eta) => LINKS[link].mu(eta)),
    singular: singularTerms(structure, theta).length > 0,
    optimum: {
      gradient: solution.gradient,
      condition: separated ? Number.NaN : solution.condition,
      evaluations: solution.evaluations,
    },
  };
  return makeResult("glmm", fields, { display: displayGlmm, json: glmmJson });
}

/** Levels that are all right or all wrong: the likelihood rises with the variance between them for ever, and what Laplace's
 *  approximation shows as its maximum is the approximation's. One trial a level is no repetition: blockConfounding says that. */
function constantLevels({ design, glm, family }: GlmmProblem): Diagnostic[] {
  if (family !== "binomial") return [];
  return blocksOfRows(design.random, glm.rows, design.y.length).flatMap(({ group, levels, index, names }) => {
    const trials = new Float64Array(levels.length);
    const first = new Float64Array(levels.length).fill(Number.NaN);
    const constant = glm.rows.every((row, i) => {
      const at = index[i]!;
      const y = design.y[row]!;
      trials[at]! += glm.weights[i]!;
      if (Number.isNaN(first[at]!)) first[at] = y;
      return (y === 0 || y === 1) && y === first[at];
    });
    if (!constant || names.length > 1 || trials.every((t) => t <= 1)) return [];
    return [
      warning(
        "ConstantLevels",
        `the likelihood has no maximum: no level of ${group} has both outcomes. The variance between them is infinite, and the other estimates, which grow with it, are not to be read.`,
        `Give each level of ${group} more trials, or analyse one row per level with glm.`,
      ),
    ];
  });
}

/** From the information X'WX of the model without random effects, which separates with it. */
function endlessPart({ X }: GlmProblem, { work }: GlmSolution): Matrix {
  const p = X.cols;
  const information = new Float64Array(p * p);
  for (let j = 0; j < p; j++) {
    for (let k = 0; k < p; k++) {
      for (let i = 0; i < X.rows; i++)
        information[j + k * p]! += work[i]! * X.data[i + j * X.rows]! * X.data[i + k * X.rows]!;
    }
  }
  return endlessCovariance(information, columnScale(X), X.rows);
}

const isBernoulli = ({ family, glm }: GlmmProblem): boolean =>
  family === "binomial" && (glm.weights === undefined || glm.weights.every((trials) => trials === 1));

/** At the solution, with the selected inverse there; leaves the linear predictor in the state. */
function finalModes({ state, theta: found, phi }: GlmmSolution, theta: Float64Array) {
  const psi = Float64Array.of(...found, ...phi);
  laplaceLogLik(state, psi, new Float64Array(psi.length));
  return modesOf(state, theta);
}

function displayGlmm(fit: FieldsOf<GlmmFit>): Display {
  const statistic = (value: number): string => formatNumber(value, "statistic");
  const groups = fit.groups.map(({ group, levels }) => `${levels} ${group}`).join(", ");
  const how = fit.nAGQ === 1 ? "Laplace" : `${fit.nAGQ} quadrature points`;
  const table = coefficientTable(fit.coefficients, "z", { confidence: fit.confidence, ownDf: false });
  return {
    title: `Generalised linear mixed model (${fit.family}, ${fit.link} link, ${how}): ${fit.design.schema.formula.text}`,
    summary: [
      `${rowsSentence(fit.design)} Levels: ${groups}.`,
      `Log-likelihood ${statistic(fit.logLik)}, AIC ${statistic(fit.aic)}, BIC ${statistic(fit.bic)}.`,
      conditionSentence(fit.optimum.condition),
    ],
    tables: [randomTable(fit.variances), { ...table, caption: "Fixed effects" }],
    notes: [],
  };
}

export interface GlmmJson extends MixedFitJson<"glmm"> {
  readonly family: GlmmFamily;
  readonly link: GlmmLink;
  readonly optimum: GlmmFit["optimum"];
  readonly profile?: readonly ProfileJson[];
}

function glmmJson(fit: FieldsOf<GlmmFit>): Published<GlmmJson> {
  return { ...fitJson(fit), ...laplaceJson(fit), deviance: -2 * fit.logLik, family: fit.family, link: fit.link };
}
