/** Generalised linear model by iteratively reweighted least squares.   g(E y) = Xβ + offset,  Var y = φ V(μ)/w
 *  solve.ts has the iterations, shape.ts θ of the negative binomial and φ of beta, firth.ts the penalised likelihood.
 *  An estimated dispersion (gaussian, quasi-families) is Pearson's χ² over its degrees of freedom, and tests are t tests; others are z.
 *  Reference: McCullagh & Nelder (1989), Generalized Linear Models, 2.5 and 9.2 (quasi-likelihood); Albert & Anderson (1984), Biometrika
 *             71, on separation.
 *  Oracle:    glm (R) iterated to its own rounding, oracle/r/lm.json and oracle/r/families.json — estimates 1e-9, SE 1e-9, deviance 1e-11.
 *  Limits:    where a group is all right or all wrong no finite estimate exists: the coefficient is ±Infinity, its SE NaN. */

import type { Table } from "../../data/table.ts";
import { type Design, aliasedColumns as noteAliased } from "../../formula/design.ts";
import { SCHEMA_OPTIONS } from "../../formula/schema.ts";
import type { Formula } from "../../formula/term.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import type { Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { present } from "../../result/present.ts";
import { type Diagnostic, makeResult, type Published } from "../../result/result.ts";
import { FAMILIES, type FamilyName, familyAt } from "../family.ts";
import {
  coefficientTable,
  type FieldsOf,
  type Fit,
  informationCriteria,
  makeSignature,
  rowsSentence,
  waldEstimates,
} from "../fit.ts";
import {
  fitJson,
  NOTHING_RANDOM,
  type ProfileJson,
  type RegressionJson,
  type RobustJson,
  robustJson,
} from "../fit-json.ts";
import {
  clusterCodes,
  designFor,
  pickRows,
  type RegressionOptions,
  robustDiagnostics,
  robustNote,
} from "../fixed-design.ts";
import type { LinkName } from "../link.ts";
import { type RobustType, robustCovariance } from "../sandwich.ts";
import { type FirthSolution, profileFirth, solveFirth } from "./firth.ts";
import {
  checkFirth,
  checkResponse,
  checkRobust,
  chooseFamily,
  divergence,
  noLikelihood,
  nonIntegerCounts,
  notConverged,
  overdispersion,
} from "./input-checks.ts";
import { type GlmShape, jointCovariance, type ShapedSolution, solveShaped } from "./shape.ts";
import {
  evaluateGlm,
  type GlmProblem,
  type GlmSolution,
  informationFactor,
  inverseInformation,
  prepareGlm,
  solveGlm,
} from "./solve.ts";

export interface GlmOptions extends RegressionOptions {
  /** Default: binomial where the response has two values, otherwise gaussian. */
  readonly family?: FamilyName | undefined;
  /** Default: the canonical link of the family. */
  readonly link?: LinkName | undefined;
  /** Firth's penalised likelihood (binomial, logit): finite estimates also where data are separated. */
  readonly firth?: boolean | undefined;
}

export interface GlmFit extends Fit<"glm"> {
  readonly family: FamilyName;
  readonly link: LinkName;
  readonly deviance: number;
  readonly nullDeviance: number;
  readonly residualDf: number;
  readonly nullDf: number;
  /** Estimated from Pearson residuals for gaussian and the quasi-families, otherwise 1. */
  readonly dispersion: number;
  /** θ of the negative binomial, φ of beta. */
  readonly shape?: GlmShape;
  readonly kept: Int32Array;
  /** The last iterate; equals the coefficients' values unless some are infinite. */
  readonly beta: Float64Array;
  readonly fitted: Float64Array;
  readonly linearPredictor: Float64Array;
  readonly iterations: number;
  readonly confidence: number;
  readonly robust: RobustType | "none";
  readonly clusters: number;
  /** Fitted by Firth's penalised likelihood; logLik is then the penalised one, and AIC and BIC are undefined. */
  readonly firth: boolean;
}

export interface GlmJson extends RegressionJson<"glm">, RobustJson {
  readonly method: "ML" | "quasi-likelihood";
  readonly family: FamilyName;
  readonly link: LinkName;
  readonly nullDeviance: number;
  readonly devianceExplained: number;
  readonly scale: number;
  readonly shape?: GlmShape;
  readonly profile?: readonly ProfileJson[];
}

const GLM_OPTIONS = {
  ...SCHEMA_OPTIONS,
  ...{ family: true, link: true, firth: true, confidence: true, robust: true, cluster: true, maxMemory: true },
} as const satisfies Record<keyof GlmOptions | "maxMemory", true>;

export function fitGlm(formula: string | Formula, table: Table, options: GlmOptions = {}): GlmFit {
  refuseUnknownNames("fitGlm", options, GLM_OPTIONS);
  const model = designFor("glm", formula, table, options);
  const { design } = model;
  const choice = chooseFamily(design, options);
  checkResponse(design, FAMILIES[choice.family]);
  const problem = prepareGlm(design, choice.family, choice.link);
  if (options.firth) checkFirth(problem, options);
  checkRobust(problem, options);
  const solution = solve(problem, design.y, options.firth);
  return makeGlmFit({
    ...model,
    problem: "problem" in solution ? solution.problem : problem,
    solution,
    options,
    diagnostics: [...model.diagnostics, ...choice.diagnostics],
  });
}

function solve(
  problem: GlmProblem,
  y: Float64Array,
  firth: boolean | undefined,
): GlmSolution | FirthSolution | ShapedSolution {
  if (firth) return solveFirth(problem, y);
  return problem.family.shape === undefined ? solveGlm(problem, y) : solveShaped(problem, y);
}

/** What the fit was made from, its family at the fit's own θ or φ; where every count is 0 and θ unknown, Poisson's. */
export function reopenGlm({ design, family, link, shape }: GlmFit): GlmProblem {
  const value = Number.isNaN(shape?.value) ? Number.POSITIVE_INFINITY : shape?.value;
  return { ...prepareGlm(design, family, link), family: familyAt(family, value) };
}

interface GlmParts {
  readonly table: Table;
  readonly design: Design;
  readonly problem: GlmProblem;
  readonly solution: GlmSolution | FirthSolution | ShapedSolution;
  readonly options: GlmOptions;
  readonly diagnostics: readonly Diagnostic[];
}

function makeGlmFit({ table, design, problem, solution, options, diagnostics }: GlmParts): GlmFit {
  const { family, link } = problem;
  const { confidence = 0.95, cluster } = options;
  const robust: RobustType | "none" = options.robust ?? (cluster === undefined ? "none" : "CR2");
  const n = problem.rows.length;
  const p = problem.kept.length;
  const names = Array.from(problem.kept, (j) => design.names[j]!);
  const dropped = Array.from(problem.dropped, (j) => design.names[j]!);
  const dispersion = dispersionOf(problem, solution, design.y);
  const codes = clusterCodes(table, design, cluster);
  const { vcov, df, clusters, undetermined, shape } = covarianceOf(
    { problem, solution, dispersion, robust, y: design.y },
    codes,
  );
  const away = divergence(problem, solution, names);
  const wald = waldEstimates({ names, values: solution.beta, vcov, df, confidence });
  const firth = "penalised" in solution;
  const plain = firth ? profileFirth(problem, design.y, { solution, plain: wald, confidence }) : wald;
  const logLik = firth ? solution.penalised : logLikelihood(problem, solution, design.y);
  const parameters = p + (family.knownDispersion && shape === undefined ? 0 : 1);
  const fields = {
    signature: makeSignature("glm", table, design, { formula: design.schema.formula.text, ...options }),
    diagnostics: [
      ...diagnostics,
      ...(dropped.length === 0 ? [] : [noteAliased(design.names, problem.dropped)]),
      ...nonIntegerCounts(problem, design.y),
      ...(robust === "none" ? overdispersion(problem, solution, design.y) : []),
      ...("shape" in solution ? solution.diagnostics : []),
      ...(family.hasLikelihood ? [] : noLikelihood(family.name)),
      ...away.diagnostics,
      ...(solution.converged ? [] : notConverged(solution.iterations)),
      ...robustDiagnostics(robust, { df, clusters, undetermined: undetermined ?? [] }, names),
    ],
    design,
    coefficients: plain.map((estimate, j) => away.replace(estimate, j)),
    vcov,
    dropped,
    kept: problem.kept,
    nobs: n,
    df: parameters,
    logLik,
    ...(firth ? { aic: Number.NaN, bic: Number.NaN } : informationCriteria(logLik, parameters, n)),
    converged: solution.converged && away.diagnostics.length === 0,
    family: family.name,
    link: link.name,
    deviance: solution.deviance,
    ...nullModel(design, problem),
    residualDf: n - p,
    dispersion,
    ...present({ shape }),
    beta: solution.beta,
    fitted: solution.mu,
    linearPredictor: solution.eta,
    iterations: solution.iterations,
    confidence,
    robust,
    clusters,
    firth,
  };
  return makeResult("glm", fields, { display: displayGlm, json: glmJson });
}

function dispersionOf(
  { family, rows, weights, kept }: GlmProblem,
  { mu, complement }: GlmSolution,
  y: Float64Array,
): number {
  if (family.knownDispersion) return 1;
  if (rows.length === kept.length) return Number.NaN;
  let pearson = 0;
  for (let i = 0; i < rows.length; i++) {
    const e = y[rows[i]!]! - mu[i]!;
    pearson += (weights[i]! * e * e) / family.variance(mu[i]!, complement[i]!);
  }
  return pearson / (rows.length - kept.length);
}

interface CovarianceParts {
  readonly problem: GlmProblem;
  readonly solution: GlmSolution | ShapedSolution;
  readonly dispersion: number;
  readonly robust: RobustType | "none";
  readonly y: Float64Array;
}

interface Covariance {
  readonly vcov: Matrix;
  readonly df: number | Float64Array;
  readonly clusters: number;
  readonly undetermined?: readonly number[];
  readonly shape?: GlmShape;
}

/** Classical covariance with z tests (t for an estimated dispersion), or the sandwich on response residuals. */
function covarianceOf(
  { problem, solution, dispersion, robust, y }: CovarianceParts,
  cluster: Int32Array | undefined,
): Covariance {
  const { family, rows, weights, kept } = problem;
  const df = family.knownDispersion ? Number.POSITIVE_INFINITY : rows.length - kept.length;
  const shape = "shape" in solution ? { shape: solution.shape } : {};
  if (robust === "none") {
    const clusters = Number.NaN;
    const inverse = inverseInformation(problem, solution);
    if ("shape" in solution) return { ...jointCovariance(solution, y, inverse), df, clusters };
    return { vcov: { ...inverse, data: inverse.data.map((v) => v * dispersion) }, df, clusters };
  }
  const n = rows.length;
  const target = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    target[i] = family.variance(solution.mu[i]!, solution.complement[i]!) / weights[i]!;
  }
  const residuals = Float64Array.from(rows, (row, i) => y[row]! - solution.mu[i]!);
  const model = { factor: informationFactor(problem, solution), weights: target.map((v) => 1 / v), target, residuals };
  const result = robustCovariance(model, robust, cluster && Int32Array.from(rows, (i) => cluster[i]!));
  return robust.startsWith("HC") && !Number.isNaN(result.df[0]!)
    ? { ...result, ...shape, df }
    : { ...result, ...shape };
}

function logLikelihood({ family, rows, weights }: GlmProblem, solution: GlmSolution, y: Float64Array): number {
  const n = rows.length;
  let sum = 0;
  if (!family.hasLikelihood) return Number.NaN;
  if (!family.knownDispersion) {
    for (const w of weights) sum += Math.log(w);
    return 0.5 * (sum - n * (Math.log((2 * Math.PI * solution.deviance) / n) + 1));
  }
  for (let i = 0; i < n; i++)
    sum += family.logDensity(y[rows[i]!]!, solution.mu[i]!, solution.complement[i]!, weights[i]!);
  return sum;
}

/** Deviance with the intercept (and the offset) alone. */
function nullModel(design: Design, problem: GlmProblem): { nullDeviance: number; nullDf: number } {
  const n = problem.rows.length;
  const y = pickRows(design.y, problem.rows);
  if (!design.schema.formula.intercept) {
    const none = { ...problem, X: { rows: n, cols: 0, data: new Float64Array(0) }, kept: new Int32Array(0) };
    return { nullDeviance: evaluateGlm(none, y, new Float64Array(0)).deviance, nullDf: n };
  }
  // of beta the mean of the responses is not the estimate of their mean
  const isMean = design.offset === undefined && problem.family.name !== "beta";
  const nullDeviance = isMean ? constantDeviance(problem, y) : interceptDeviance(problem, design.y);
  return { nullDeviance, nullDf: n - 1 };
}

/** Without an offset the fitted mean is the weighted mean, whatever the link. */
function constantDeviance({ family, weights }: GlmProblem, y: Float64Array): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    sum += weights[i]! * y[i]!;
    total += weights[i]!;
  }
  const mu = sum / total;
  let deviance = 0;
  for (let i = 0; i < y.length; i++) deviance += weights[i]! * family.unitDeviance(y[i]!, mu, 1 - mu);
  return deviance;
}

function interceptDeviance(problem: GlmProblem, y: Float64Array): number {
  const n = problem.rows.length;
  const ones = { rows: n, cols: 1, data: new Float64Array(n).fill(1) };
  return solveGlm({ ...problem, X: ones, kept: Int32Array.of(0), dropped: new Int32Array(0) }, y).deviance;
}

function displayGlm(fit: FieldsOf<GlmFit>): Display {
  const known = FAMILIES[fit.family].knownDispersion;
  const ownDf = fit.robust.startsWith("CR");
  return {
    title: `Generalised linear model (${fit.family}, ${fit.link} link): ${fit.design.schema.formula.text}`,
    summary: [
      `${rowsSentence(fit.design)}${known ? "" : ` Dispersion ${formatNumber(fit.dispersion)}.`}${shapeSentence(fit.shape)}`,
      `Deviance ${formatNumber(fit.deviance)} on ${fit.residualDf} df (null: ${formatNumber(fit.nullDeviance)} on ${fit.nullDf}).`,
      ...likelihoodSentence(fit),
    ],
    tables: [coefficientTable(fit.coefficients, known && !ownDf ? "z" : "t", { confidence: fit.confidence, ownDf })],
    notes: [robustNote(fit.robust, fit.clusters)].filter((text) => text !== ""),
  };
}

function shapeSentence(shape: GlmShape | undefined): string {
  if (shape === undefined) return "";
  const [symbol, law] = shape.name === "theta" ? ["θ", "μ + μ²/θ"] : ["φ", "μ(1 - μ)/(1 + φ)"];
  const se = Number.isNaN(shape.se) ? "" : ` (SE ${formatNumber(shape.se)})`;
  return ` ${symbol} ${formatNumber(shape.value)}${se}: variance ${law}.`;
}

function likelihoodSentence({ family, firth, logLik, aic, bic }: FieldsOf<GlmFit>): string[] {
  if (!FAMILIES[family].hasLikelihood) return [];
  const value = formatNumber(logLik, "statistic");
  if (firth) return [`Penalised log-likelihood ${value} (Firth); tests and intervals by its ratio.`];
  return [`Log-likelihood ${value}, AIC ${formatNumber(aic, "statistic")}, BIC ${formatNumber(bic, "statistic")}.`];
}

function glmJson(fit: FieldsOf<GlmFit>): Published<GlmJson> {
  return {
    ...fitJson(fit),
    ...NOTHING_RANDOM,
    method: FAMILIES[fit.family].hasLikelihood ? "ML" : "quasi-likelihood",
    family: fit.family,
    link: fit.link,
    deviance: fit.deviance,
    nullDeviance: fit.nullDeviance,
    devianceExplained: 1 - fit.deviance / fit.nullDeviance,
    sigma: Math.sqrt(fit.dispersion),
    scale: fit.dispersion,
    ...present({ shape: fit.shape }),
    dfResidual: fit.residualDf,
    ...robustJson(fit),
  };
}
