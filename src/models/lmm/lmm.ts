/** Linear mixed model, profiled ML or REML.   y = Xβ + ZΛ(θ)u + offset + ε,  u ~ N(0, σ²I),  ε ~ N(0, σ²/w)
 *  Cross products once (problem.ts), the profiled criterion and its gradient at any θ by elimination of the largest factor
 *  (objective.ts, gradient.ts), bounded BFGS (solve.ts), gradient and curvature checked at the end
 *  (curvature.ts), conditional modes (modes.ts). Var β̂ = σ̂² (X'V⁻¹X)⁻¹; t tests with Satterthwaite's or
 *  Kenward & Roger's degrees of freedom.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1): objective eq. 34 (ML), 41 (REML); factor eq. 18.
 *  Oracle:    lme4 (R), oracle/r/lmm.json — criterion at fixed θ to 1e-9, estimates to 1e-6.
 *  Limits:    one residual variance; weights are known precisions; rows of weight 0 are left out of every count. */

import type { Table } from "../../data/table.ts";
import { buildDesign, type Design, aliasedColumns as noteAliased, noteDropped } from "../../formula/design.ts";
import { parseFormula } from "../../formula/parse/parse.ts";
import type { SchemaOptions } from "../../formula/schema.ts";
import { SCHEMA_OPTIONS } from "../../formula/schema.ts";
import type { Formula } from "../../formula/term.ts";
import { identity, type Matrix } from "../../numeric/linalg/matrix.ts";
import type { DDF_METHODS } from "../../question/choices.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { note, warning } from "../../result/diagnostic.ts";
import type { Display } from "../../result/display.ts";
import { checkConfidence, StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type Diagnostic, type Estimate, makeResult, type Published } from "../../result/result.ts";
import {
  coefficientTable,
  type FieldsOf,
  type Fit,
  informationCriteria,
  makeSignature,
  rowsSentence,
  waldEstimates,
} from "../fit.ts";
import { fitJson, type MixedFitJson, type ProfileJson } from "../fit-json.ts";
import { confoundingDiagnostics } from "../random/identifiability.ts";
import { randomJson, randomTable, singularDiagnostics } from "../random/parts.ts";
import { singularTerms, type VarianceComponent, varianceComponents } from "../random/random.ts";
import type { BootstrapInterval } from "./bootstrap.ts";
import { type Curvature, findOptimum } from "./curvature.ts";
import { refuseCostly } from "./information.ts";
import { checkResponse } from "./input.ts";
import { kenwardRogerDf, prepareKenwardRoger } from "./kenward-roger.ts";
import { conditionalModes, fittedValues } from "./modes.ts";
import { fixedCovariance } from "./objective.ts";
import { type Criterion, type LmmProblem, prepareLmm } from "./problem.ts";
import { type LmmRSquared, lmmRSquared } from "./r-squared.ts";
import { type LmmResponse, summarizeResponse } from "./response.ts";
import { prepareSatterthwaite, satterthwaiteDf } from "./satterthwaite.ts";
import { type LmmSolution, solveLmm } from "./solve.ts";

/** Where the degrees of freedom of the t tests come from; "none" leaves df and p undefined, with normal intervals. */
export type Ddf = (typeof DDF_METHODS)[number];

export interface LmmOptions extends SchemaOptions {
  /** Default REML. */
  readonly criterion?: Criterion | undefined;
  readonly ddf?: Ddf | undefined;
  /** Confidence level of the intervals. */
  readonly confidence?: number | undefined;
  /** θ to begin the search with. */
  readonly start?: Float64Array | undefined;
  /** Bytes that the matrices of a step may take; a model that needs more, or very long, is refused. Default: 1 GB. */
  readonly maxMemory?: number | undefined;
}

export interface LmmFit extends Fit<"lmm"> {
  readonly criterion: Criterion;
  /** −2 log-likelihood, or −2 REML log-likelihood. */
  readonly deviance: number;
  readonly ddf: Ddf;
  readonly confidence: number;
  /** Relative covariance factors in lme4's order, and their names. */
  readonly theta: Float64Array;
  readonly thetaNames: readonly string[];
  readonly residualSd: number;
  /** In the order of θ. */
  readonly variances: readonly VarianceComponent[];
  /** Conditional modes (BLUPs) and their conditional SDs: one matrix, levels × columns, per block of design.random. */
  readonly modes: readonly Matrix[];
  readonly modeSds: readonly Matrix[];
  readonly groups: readonly { readonly group: string; readonly levels: number }[];
  /** Columns of the design that have a coefficient. */
  readonly kept: Int32Array;
  readonly fitted: Float64Array;
  readonly residuals: Float64Array;
  /** Some covariance has no full rank. */
  readonly singular: boolean;
  /** Relative projected gradient and smallest scaled curvature at the end, and how many evaluations it took. */
  readonly optimum: {
    readonly gradient: number;
    readonly curvature: number;
    readonly verdict: Curvature["verdict"];
    readonly evaluations: number;
  };
  /** Share of the variance explained by the fixed effects, and by fixed and random effects. */
  readonly rSquared: LmmRSquared;
}

const LMM_OPTIONS = {
  ...SCHEMA_OPTIONS,
  ...{ criterion: true, ddf: true, confidence: true, start: true, maxMemory: true },
} as const satisfies Record<keyof LmmOptions | "maxMemory", true>;

export function fitLmm(formula: string | Formula, table: Table, options: LmmOptions = {}): LmmFit {
  refuseUnknownNames("fitLmm", options, LMM_OPTIONS);
  const design = lmmDesign(formula, table, options);
  const { criterion = "REML", maxMemory } = options;
  const problem = prepareLmm(design, { criterion, maxMemory });
  const response = summarizeResponse(problem, design.y);
  refuseExactFit(design, response);
  if (options.ddf !== "none") refuseCostly(problem);
  const { solution, curvature } = findOptimum(problem, response, options.start);
  const tested = testCoefficients(problem, solution, options);
  const fit = makeLmmFit({ table, design, problem, solution, curvature, options, tested });
  OPEN.set(fit, { problem, solution });
  DF_RULES.set(fit, tested.dfFor);
  return fit;
}

/** What stands behind the fits of this process that are still in use, since what follows a fit asks for it again. */
const OPEN = new WeakMap<LmmFit, { problem: LmmProblem; solution: LmmSolution }>();
const DF_RULES = new WeakMap<LmmFit, DfRule>();

/** The problem behind a fit and its solution; of a fit from elsewhere they are found again in a step or two, with the cross products
 *  made again from its design. */
export function reopenLmm(fit: LmmFit): { problem: LmmProblem; solution: LmmSolution } {
  const known = OPEN.get(fit);
  if (known !== undefined) return known;
  // what was fitted once had room
  const problem = prepareLmm(fit.design, { criterion: fit.criterion, maxMemory: Number.POSITIVE_INFINITY });
  const opened = { problem, solution: solveLmm(problem, fit.design.y, { start: fit.theta }) };
  OPEN.set(fit, opened);
  return opened;
}

/** df of contrasts, one for each row, by the rule that the fit was asked for; its columns are those of the coefficients. */
type DfRule = (contrasts: Matrix) => Float64Array;

export function contrastDfOf(fit: LmmFit): DfRule {
  const known = DF_RULES.get(fit);
  if (known !== undefined) return known;
  const { problem, solution } = reopenLmm(fit);
  const { dfFor } = testCoefficients(problem, solution, fit);
  DF_RULES.set(fit, dfFor);
  return dfFor;
}

function lmmDesign(text: string | Formula, table: Table, options: LmmOptions): Design {
  const formula = typeof text === "string" ? parseFormula(text) : text;
  const { confidence = 0.95 } = options;
  checkConfidence(confidence);
  if (options.ddf === "kenward-roger" && options.criterion === "ML") {
    const message = "Kenward-Roger tests are defined for REML estimates, and ML was asked for.";
    throw new StatError("NeedsReml", message, "Fit by REML, or use Satterthwaite df.");
  }
  const smooth = formula.smooth[0];
  if (smooth !== undefined) {
    const message = `${smooth.label} is a smooth; lmm has fixed and random effects only.`;
    throw new StatError("UnsupportedTerm", message, "Leave it out, or fit a gam.");
  }
  if (formula.response === undefined) {
    const message = `the formula "${formula.text}" has no response.`;
    throw new StatError("NoResponse", message, 'Write it as "response ~ terms + (1 | group)".');
  }
  const design = buildDesign(formula, table, options);
  refuseCategories(design, "Use glmm or clmm for categories, or give a numeric column.");
  checkResponse(design.y, formula.responseLabel, design.rowsUsed);
  return design;
}

/** Codes of categories are no measurements. */
export function refuseCategories({ schema: { response, formula } }: Design, fix: string): void {
  if (response?.kind === "numeric") return;
  throw new StatError("ResponseNotNumeric", `the response ${formula.responseLabel} is not numeric.`, fix);
}

/** Residual sum of squares over the sum of squares of y below which the fixed effects leave only rounding. */
const EXACT_FIT = 1e-26;

function refuseExactFit({ y, schema }: Design, { yy }: LmmResponse): void {
  const total = y.reduce((sum, value) => sum + value * value, 0);
  if (yy[0]! > EXACT_FIT * total) return;
  throw new StatError(
    "PerfectFit",
    `the fixed effects give ${schema.formula.responseLabel} exactly: no variance is left.`,
    "Check whether a term is a copy of the response.",
  );
}

interface LmmParts {
  readonly table: Table;
  readonly design: Design;
  readonly problem: LmmProblem;
  readonly solution: LmmSolution;
  readonly curvature: Curvature;
  readonly options: LmmOptions;
  readonly tested: TestedCoefficients;
}

function makeLmmFit({ table, design, problem, solution, curvature, options, tested }: LmmParts): LmmFit {
  const { structure, nobs, kept, dropped, criterion } = problem;
  const { theta, beta, sigma, logLik, objective } = solution;
  const { modes, sd } = conditionalModes(problem, solution);
  const { fitted, residuals } = fittedValues(problem, beta, modes);
  const df = kept.length + theta.length + 1;
  const variances = varianceComponents(structure, theta, sigma);
  const { confidence = 0.95, ddf = "satterthwaite" } = options;
  const fields = {
    signature: makeSignature("lmm", table, design, { formula: design.schema.formula.text, ...options }),
    diagnostics: [
      ...design.schema.diagnostics,
      ...noteDropped(design),
      ...noteWeights(problem),
      ...(dropped.length === 0 ? [] : [noteAliased(design.names, dropped)]),
      ...identifiabilityDiagnostics(problem),
      ...solutionDiagnostics(problem, solution, curvature),
      ...exactDiagnostics(solution),
    ],
    design,
    coefficients: tested.coefficients,
    vcov: tested.vcov,
    dropped: Array.from(dropped, (j) => design.names[j]!),
    kept,
    nobs,
    df,
    logLik,
    deviance: objective,
    ...informationCriteria(logLik, df, nobs),
    converged: solution.converged && curvature.verdict !== "saddle" && !Number.isNaN(curvature.smallest),
    criterion,
    ddf,
    confidence,
    theta,
    thetaNames: structure.thetaNames,
    residualSd: sigma,
    variances,
    modes,
    modeSds: sd,
    groups: groupsOf(problem),
    fitted,
    residuals,
    singular: singularTerms(structure, theta).length > 0,
    optimum: {
      gradient: solution.projectedGradient,
      curvature: curvature.smallest,
      verdict: curvature.verdict,
      evaluations: solution.evaluations,
    },
    rSquared: lmmRSquared(problem, solution),
  };
  return makeResult("lmm", fields, { display: displayLmm, json: lmmJson });
}

function groupsOf({ structure }: LmmProblem): { group: string; levels: number }[] {
  const groups = new Map(structure.terms.map(({ group, levels }) => [group, levels]));
  return [...groups].map(([group, levels]) => ({ group, levels }));
}

interface TestedCoefficients {
  readonly coefficients: Estimate[];
  /** Kenward & Roger's own when they are asked for. */
  readonly vcov: Matrix;
  readonly dfFor: DfRule;
}

function testCoefficients(
  problem: LmmProblem,
  solution: LmmSolution,
  { ddf = "satterthwaite", confidence = 0.95 }: Pick<LmmOptions, "ddf" | "confidence">,
): TestedCoefficients {
  const names = Array.from(problem.kept, (j) => problem.design.names[j]!);
  const plain = fixedCovariance(problem, solution.theta);
  const vcov: Matrix = { ...plain, data: plain.data.map((v) => v * solution.sigma * solution.sigma) };
  const own = { names, values: solution.beta, confidence };
  const test = (covariance: Matrix, dfFor: DfRule): TestedCoefficients => ({
    coefficients: waldEstimates({ ...own, vcov: covariance, df: dfFor(identity(names.length)) }),
    vcov: covariance,
    dfFor,
  });
  if (ddf === "none") {
    const dfFor: DfRule = ({ rows }) => new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
    return { coefficients: untested(waldEstimates({ ...own, vcov, df: Infinity })), vcov, dfFor };
  }
  if (ddf === "kenward-roger") {
    const prepared = prepareKenwardRoger(problem, solution);
    return test(prepared.vcov, (L) => kenwardRogerDf(prepared, L));
  }
  const prepared = prepareSatterthwaite(problem, solution);
  return test(vcov, (L) => satterthwaiteDf(prepared, L));
}

const untested = (estimates: Estimate[]): Estimate[] =>
  estimates.map((estimate) => ({ ...estimate, df: Number.NaN, p: Number.NaN }));

function noteWeights({ design, nobs }: LmmProblem): Diagnostic[] {
  const lost = design.y.length - nobs;
  if (lost === 0) return [];
  return [
    note("ZeroWeight", `${lost} rows have weight 0 and take no part.`, "Give them a positive weight to use them."),
  ];
}

/** Share of the residual variance in what least squares leaves, below which it is rounding. */
const NO_RESIDUAL = 1e-14;

/** Where θ has no end, what the conditional modes leave of every row is rounding. */
function exactDiagnostics({ sigma, response, endless }: LmmSolution): Diagnostic[] {
  const least = endless ? Math.sqrt(NO_RESIDUAL) : NO_RESIDUAL;
  if (sigma * sigma * response.residuals.length > least * response.yy[0]!) return [];
  const message =
    "the random effects reproduce the response exactly, up to rounding; variances and tests are rounding noise.";
  return [warning("PerfectFit", message, "Check whether the response repeats within the levels of a grouping factor.")];
}

/** Grouping factors that are one partition of the rows, and variances of which the data determine only a combination: the
 *  covariance matrices of the components (the last: I), X projected out, are then linearly dependent. */
function identifiabilityDiagnostics({ factors, structure, moments }: LmmProblem): Diagnostic[] {
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

function solutionDiagnostics(problem: LmmProblem, solution: LmmSolution, curvature: Curvature): Diagnostic[] {
  const out = singularDiagnostics(problem.structure, solution.theta, solution.sigma);
  if (solution.endless) {
    out.push(
      warning(
        "NotConverged",
        "the residual variance goes to 0: only rows that are (nearly) copies of each other separate the residuals from the random effects, so no variance can be estimated.",
        "Remove the copies, or leave out the random term with the most levels.",
      ),
    );
  } else if (!solution.converged || curvature.verdict === "saddle" || Number.isNaN(curvature.smallest)) {
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

function displayLmm(fit: FieldsOf<LmmFit>): Display {
  const groups = fit.groups.map(({ group, levels }) => `${levels} ${group}`).join(", ");
  const statistic = (value: number): string => formatNumber(value, "statistic");
  return {
    title: `Linear mixed model (${fit.criterion}): ${fit.design.schema.formula.text}`,
    summary: [
      `${rowsSentence(fit.design)} Levels: ${groups}.`,
      `${fit.criterion === "REML" ? "REML criterion" : "Deviance"} ${statistic(fit.deviance)}, log-likelihood ${statistic(fit.logLik)}, AIC ${statistic(fit.aic)}, BIC ${statistic(fit.bic)}.`,
      `R² ${formatNumber(fit.rSquared.marginal)} by the fixed effects, ${formatNumber(fit.rSquared.conditional)} with the random effects.`,
    ],
    tables: [
      randomTable(fit.variances, fit.residualSd),
      {
        ...coefficientTable(fit.coefficients, "t", { confidence: fit.confidence, ownDf: true }),
        caption: "Fixed effects",
      },
    ],
    notes: [ddfNote(fit.ddf)],
  };
}

function ddfNote(ddf: LmmFit["ddf"]): string {
  if (ddf === "none") return "No degrees of freedom: intervals use the normal distribution, and p is undefined.";
  return ddf === "kenward-roger"
    ? "Standard errors and df after Kenward and Roger."
    : "Degrees of freedom after Satterthwaite.";
}

export interface LmmJson extends MixedFitJson<"lmm"> {
  readonly method: LmmFit["criterion"];
  readonly ddf: LmmFit["ddf"];
  readonly sigma: number;
  readonly residualSd: number;
  readonly rSquared: LmmFit["rSquared"];
  readonly optimum: LmmFit["optimum"];
  /** Type III F tests. */
  readonly terms?: readonly TermTestJson[];
  readonly profile?: readonly ProfileJson[];
  readonly bootstrap?: BootstrapJson;
  readonly modes?: readonly ModeJson[];
}

/** The F test of one term. */
export interface TermTestJson {
  readonly term: string;
  readonly statistic: number;
  readonly df1: number;
  readonly df2: number;
  readonly p: number;
}

export interface BootstrapJson {
  readonly replicates: number;
  readonly singular: number;
  readonly notConverged: number;
  readonly intervals: readonly BootstrapInterval[];
}

/** A conditional mode (BLUP) with its conditional SD. */
export interface ModeJson {
  readonly group: string;
  readonly level: string;
  readonly term: string;
  readonly mode: number;
  readonly sd: number;
}

function lmmJson(fit: FieldsOf<LmmFit>): Published<LmmJson> {
  return {
    ...fitJson(fit),
    method: fit.criterion,
    ddf: fit.ddf,
    deviance: fit.deviance,
    sigma: fit.residualSd,
    theta: Array.from(fit.theta),
    thetaNames: fit.thetaNames,
    random: randomJson(fit.variances),
    residualSd: fit.residualSd,
    rSquared: fit.rSquared,
    optimum: fit.optimum,
    singular: fit.singular,
  };
}
