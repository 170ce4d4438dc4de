/** Generalised linear model by iteratively reweighted least squares.   g(E y) = Xβ + offset,  Var y = φ V(μ)/w
 *  Each step solves √W X β ≈ √W z with z = η + (y-μ)/μ'(η), W = w μ'(η)²/V(μ); steps that raise the deviance are halved.
 *  Reference: McCullagh & Nelder (1989), Generalized Linear Models, 2.5; Albert & Anderson (1984), Biometrika 71, on separation.
 *  Oracle:    glm (R) iterated to its own rounding, oracle/r/lm.json — estimates 1e-9, SE 1e-9, deviance 1e-11.
 *  Limits:    where a group is all right or all wrong no finite estimate exists: the coefficient is ±Infinity, its SE NaN. */

import type { Table } from "../../data/table.ts";
import { type Design, aliasedColumns as noteAliased } from "../../formula/design.ts";
import type { Formula } from "../../formula/term.ts";
import { type Matrix, matVec, scaleRows, selectColumns, selectRows } from "../../numeric/linalg/matrix.ts";
import { aliasedColumns, type Qr, qr, qrCoefficients, qrInverseGram } from "../../numeric/linalg/qr.ts";
import type { Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type Diagnostic, makeResult, type Published } from "../../result/result.ts";
import { FAMILIES, type Family, type FamilyName } from "../family.ts";
import {
  coefficientTable,
  type FieldsOf,
  type Fit,
  informationCriteria,
  makeSignature,
  rowsSentence,
  waldEstimates,
} from "../fit.ts";
import { clusterCodes, designFor, type RegressionOptions, robustDiagnostics, robustNote } from "../fixed-design.ts";
import { fitJson, NOTHING_RANDOM, type RegressionJson, type RobustJson, robustJson } from "../json.ts";
import { LINKS, type Link, type LinkName } from "../link.ts";
import { type RobustType, robustCovariance } from "../sandwich.ts";
import { checkFirth, checkResponse, chooseFamily, divergence, nonIntegerCounts, notConverged } from "./checks.ts";
import { type FirthSolution, profileFirth, solveFirth } from "./firth.ts";

export interface GlmOptions extends RegressionOptions {
  /** Default: binomial where the response has two values, otherwise gaussian. */
  readonly family?: FamilyName;
  /** Default: the canonical link of the family. */
  readonly link?: LinkName;
  /** Firth's penalised likelihood (binomial, logit): finite estimates also where data are separated. */
  readonly firth?: boolean;
}

export interface GlmFit extends Fit<"glm"> {
  readonly family: FamilyName;
  readonly link: LinkName;
  readonly deviance: number;
  readonly nullDeviance: number;
  readonly residualDf: number;
  readonly nullDf: number;
  /** φ: 1 for binomial and Poisson, estimated from Pearson residuals for gaussian. */
  readonly dispersion: number;
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
  readonly method: "ML";
  readonly family: FamilyName;
  readonly link: LinkName;
  readonly nullDeviance: number;
  readonly devianceExplained: number;
  readonly scale: number;
}

/** R's glm decides on aliasing with this tolerance, tighter than lm's. */
const GLM_TOLERANCE = 1e-11;
/** Changes of the deviance below this share are rounding. */
const DEVIANCE_TOLERANCE = 1e-13;
/** At the deviance's rounding level an estimate may still be off by its square root: the linear predictor must rest too. */
const STEP_TOLERANCE = 1e-11;
/** Steps towards a maximum shrink (Fisher scoring of a non-canonical link by a constant factor); towards infinity they do not. */
const SHRINKING = 0.9;
const MAX_ITERATIONS = 200;
const MAX_HALVINGS = 40;
/** A full step that moves no linear predictor by more than this, and cannot be seen to help, is noise. */
const RESTING = 1e-6;

export function fitGlm(formula: string | Formula, table: Table, options: GlmOptions = {}): GlmFit {
  const model = designFor("glm", formula, table, options);
  const { design } = model;
  const choice = chooseFamily(design, options);
  checkResponse(design, FAMILIES[choice.family]);
  const problem = prepareGlm(design, choice.family, choice.link);
  if (options.firth) checkFirth(problem, options);
  const solution = options.firth ? solveFirth(problem, design.y) : solveGlm(problem, design.y);
  return makeGlmFit({
    ...model,
    problem,
    solution,
    options,
    diagnostics: [...model.diagnostics, ...choice.diagnostics],
  });
}

/** What only the design determines. */
export interface GlmProblem {
  readonly family: Family;
  readonly link: Link;
  /** Rows of the design with a positive weight. */
  readonly rows: Int32Array;
  /** Their kept columns. */
  readonly X: Matrix;
  readonly kept: Int32Array;
  readonly dropped: Int32Array;
  readonly weights: Float64Array;
  readonly offset: Float64Array;
}

export interface GlmSolution {
  readonly beta: Float64Array;
  readonly eta: Float64Array;
  readonly mu: Float64Array;
  readonly complement: Float64Array;
  readonly deviance: number;
  readonly iterations: number;
  readonly converged: boolean;
  /** The last step; long while the deviance stands still when the likelihood has no maximum. */
  readonly step: Float64Array;
  /** IRLS weights at the end. */
  readonly work: Float64Array;
}

export function prepareGlm(design: Design, family: FamilyName, link: LinkName): GlmProblem {
  const n = design.rowsUsed.length;
  const all = design.weights ?? new Float64Array(n).fill(1);
  const rows = Int32Array.from(all.keys()).filter((i) => all[i]! > 0);
  const X = rows.length === n ? design.X : selectRows(design.X, rows);
  const dropped = aliasedColumns(qr(X, { tol: GLM_TOLERANCE }));
  const kept = Int32Array.from(design.names.keys()).filter((j) => !dropped.includes(j));
  return {
    family: FAMILIES[family],
    link: LINKS[link],
    rows,
    X: dropped.length === 0 ? X : selectColumns(X, kept),
    kept,
    dropped,
    weights: Float64Array.from(rows, (i) => all[i]!),
    offset: Float64Array.from(rows, (i) => design.offset?.[i] ?? 0),
  };
}

/** y has one value for each row of the design; `start` is a coefficient vector to begin from. */
export function solveGlm(problem: GlmProblem, response: Float64Array, start?: Float64Array): GlmSolution {
  const y = Float64Array.from(problem.rows, (i) => response[i]!);
  let state = start ? evaluate(problem, y, start) : startingState(problem, y);
  let step = new Float64Array(problem.kept.length);
  let moved = Number.POSITIVE_INFINITY;
  let converged = false;
  let iterations = 0;
  while (iterations < MAX_ITERATIONS && !converged) {
    iterations += 1;
    const next = improve(problem, y, state);
    if (next === undefined) break;
    const last = moved;
    step = next.beta.map((b, j) => b - (state.beta[j] ?? 0));
    moved = largestChange(next.eta, state.eta);
    const settled = Math.abs(next.deviance - state.deviance) <= DEVIANCE_TOLERANCE * (Math.abs(next.deviance) + 0.1);
    converged = settled && (moved <= STEP_TOLERANCE || moved > SHRINKING * last);
    state = next;
  }
  return { ...state, iterations, converged, step, work: workingWeights(problem, state) };
}

/** Relative to the size of the linear predictor where that exceeds 1. */
function largestChange(a: Float64Array, b: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++)
    largest = Math.max(largest, Math.abs(a[i]! - b[i]!) / Math.max(1, Math.abs(a[i]!)));
  return largest;
}

interface State {
  readonly beta: Float64Array;
  readonly eta: Float64Array;
  readonly mu: Float64Array;
  readonly complement: Float64Array;
  readonly deviance: number;
}

/** Means near the responses; no coefficients yet. */
function startingState({ family, link, weights }: GlmProblem, y: Float64Array): State {
  const mu = y.map((v, i) => family.start(v, weights[i]!));
  // a log link cannot start from a mean of 0 or less
  const eta = mu.map((m) => (link.name === "log" ? Math.log(Math.max(m, 0.1)) : link.eta(m)));
  return {
    beta: new Float64Array(0),
    eta,
    mu: eta.map((e) => link.mu(e)),
    complement: eta.map((e) => link.complement(e)),
    deviance: Number.POSITIVE_INFINITY,
  };
}

function evaluate(problem: GlmProblem, y: Float64Array, beta: Float64Array): State {
  const { family, link, X, weights, offset } = problem;
  const eta = matVec(X, beta);
  const mu = new Float64Array(eta.length);
  const complement = new Float64Array(eta.length);
  let deviance = 0;
  for (let i = 0; i < eta.length; i++) {
    eta[i]! += offset[i]!;
    mu[i] = link.mu(eta[i]!);
    complement[i] = link.complement(eta[i]!);
    deviance += weights[i]! * family.unitDeviance(y[i]!, mu[i]!, complement[i]!);
  }
  // a perfect fit may sum to a few ulps below 0
  return { beta, eta, mu, complement, deviance: Math.max(0, deviance) };
}

/** One IRLS step, halved until the deviance does not rise; undefined if no step helps. */
function improve(problem: GlmProblem, y: Float64Array, state: State): State | undefined {
  const { family, link, X, offset } = problem;
  const root = workingWeights(problem, state).map(Math.sqrt);
  const target = new Float64Array(y.length);
  for (let i = 0; i < y.length; i++) {
    const residual = family.residual(y[i]!, state.mu[i]!, state.complement[i]!);
    const z = state.eta[i]! - offset[i]! + residual / link.slope(state.eta[i]!);
    target[i] = root[i] === 0 ? 0 : root[i]! * z;
  }
  const full = qrCoefficients(qr(scaleRows(X, root), { pivoting: "none" }), target);
  if (full.some((b) => !Number.isFinite(b))) return undefined;
  let next = evaluate(problem, y, full);
  if (state.beta.length === 0) return Number.isFinite(next.deviance) ? next : undefined;
  const slack = DEVIANCE_TOLERANCE * (Math.abs(state.deviance) + 0.1);
  for (let halvings = 0; !(next.deviance <= state.deviance + slack); halvings++) {
    if (halvings === MAX_HALVINGS) {
      // at rounding level no step can be seen to help: the one before it was the last
      return largestChange(evaluate(problem, y, full).eta, state.eta) < RESTING ? state : undefined;
    }
    const mid = next.beta.map((b, j) => (b + state.beta[j]!) / 2);
    next = evaluate(problem, y, mid);
  }
  return next;
}

/** w μ'(η)²/V(μ) */
function workingWeights({ family, link, weights }: GlmProblem, state: State): Float64Array {
  return state.eta.map((eta, i) => {
    const slope = link.slope(eta);
    return (weights[i]! * slope * slope) / family.variance(state.mu[i]!, state.complement[i]!);
  });
}

interface GlmParts {
  readonly table: Table;
  readonly design: Design;
  readonly problem: GlmProblem;
  readonly solution: GlmSolution | FirthSolution;
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
  const information = informationFactor(problem, solution);
  const dispersion = dispersionOf(problem, solution, design.y);
  const codes = clusterCodes(table, design, cluster);
  const { vcov, df, clusters, undetermined } = covarianceOf(
    { problem, solution, information, dispersion, robust, y: design.y },
    codes,
  );
  const away = divergence(problem, solution, names);
  const wald = waldEstimates({ names, values: solution.beta, vcov, df, confidence });
  const firth = "penalised" in solution;
  const plain = firth ? profileFirth(problem, design.y, { solution, plain: wald, confidence }) : wald;
  const logLik = firth ? solution.penalised : logLikelihood(problem, solution, design.y);
  const parameters = p + (family.knownDispersion ? 0 : 1);
  const fields = {
    signature: makeSignature("glm", table, design, { formula: design.schema.formula.text, ...options }),
    diagnostics: [
      ...diagnostics,
      ...(dropped.length === 0 ? [] : [noteAliased(design.names, problem.dropped)]),
      ...nonIntegerCounts(problem, design.y),
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

/** QR decomposition of √W X at the solution: (X'WX)⁻¹ and the leverages come from it. */
export function informationFactor({ X }: GlmProblem, { work }: { readonly work: Float64Array }): Qr {
  return qr(scaleRows(X, work.map(Math.sqrt)), { pivoting: "none" });
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
  readonly solution: GlmSolution;
  readonly information: Qr;
  readonly dispersion: number;
  readonly robust: RobustType | "none";
  readonly y: Float64Array;
}

/** Classical covariance with z tests (t for an estimated dispersion), or the sandwich on response residuals. */
function covarianceOf(
  { problem, solution, information, dispersion, robust, y }: CovarianceParts,
  cluster: Int32Array | undefined,
): { vcov: Matrix; df: number | Float64Array; clusters: number; undetermined?: readonly number[] } {
  const { family, rows, weights, kept } = problem;
  const df = family.knownDispersion ? Number.POSITIVE_INFINITY : rows.length - kept.length;
  const inverse = qrInverseGram(information);
  if (robust === "none") {
    return { vcov: { ...inverse, data: inverse.data.map((v) => v * dispersion) }, df, clusters: Number.NaN };
  }
  const n = rows.length;
  const target = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    target[i] = family.variance(solution.mu[i]!, solution.complement[i]!) / weights[i]!;
  }
  const residuals = Float64Array.from(rows, (row, i) => y[row]! - solution.mu[i]!);
  const model = { factor: information, weights: target.map((v) => 1 / v), target, residuals };
  const result = robustCovariance(model, robust, cluster && Int32Array.from(rows, (i) => cluster[i]!));
  return robust.startsWith("HC") && !Number.isNaN(result.df[0]!) ? { ...result, df } : result;
}

function logLikelihood({ family, rows, weights }: GlmProblem, solution: GlmSolution, y: Float64Array): number {
  const n = rows.length;
  let sum = 0;
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
  const y = Float64Array.from(problem.rows, (i) => design.y[i]!);
  if (!design.schema.formula.intercept) {
    const none = { ...problem, X: { rows: n, cols: 0, data: new Float64Array(0) }, kept: new Int32Array(0) };
    return { nullDeviance: evaluate(none, y, new Float64Array(0)).deviance, nullDf: n };
  }
  const nullDeviance = design.offset === undefined ? constantDeviance(problem, y) : offsetDeviance(problem, design.y);
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

function offsetDeviance(problem: GlmProblem, y: Float64Array): number {
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
      `${rowsSentence(fit.design)}` + (known ? "" : ` Dispersion ${formatNumber(fit.dispersion)}.`),
      `Deviance ${formatNumber(fit.deviance)} on ${fit.residualDf} df (null: ${formatNumber(fit.nullDeviance)} on ${fit.nullDf}).`,
      fit.firth
        ? `Penalised log-likelihood ${formatNumber(fit.logLik, "statistic")} (Firth); tests and intervals by its ratio.`
        : `Log-likelihood ${formatNumber(fit.logLik, "statistic")}, AIC ${formatNumber(fit.aic, "statistic")}, BIC ${formatNumber(fit.bic, "statistic")}.`,
    ],
    tables: [coefficientTable(fit.coefficients, known && !ownDf ? "z" : "t", { confidence: fit.confidence, ownDf })],
    notes: [robustNote(fit.robust, fit.clusters)].filter((text) => text !== ""),
  };
}

function glmJson(fit: FieldsOf<GlmFit>): Published<GlmJson> {
  return {
    ...fitJson(fit),
    ...NOTHING_RANDOM,
    method: "ML",
    family: fit.family,
    link: fit.link,
    deviance: fit.deviance,
    nullDeviance: fit.nullDeviance,
    devianceExplained: 1 - fit.deviance / fit.nullDeviance,
    sigma: Math.sqrt(fit.dispersion),
    scale: fit.dispersion,
    dfResidual: fit.residualDf,
    ...robustJson(fit),
  };
}
