/** Ordinary and weighted least squares.   y = Xβ + offset + ε,  ε ~ N(0, σ²/w)
 *  β̂ by a QR decomposition of √w X, or by X'WX where rows are many and its columns far from collinear (numeric/linalg/gram-factor.ts); σ̂² = Σ w e² / (n - p), Var β̂ = σ̂² (X'WX)⁻¹; t tests on n - p degrees of freedom.
 *  Robust and cluster-robust covariances replace Var β̂ (models/sandwich.ts); leave-one-out: y_i - ŷ_(i) = e_i / (1 - h_i).
 *  Reference: Draper & Smith (1998), Applied Regression Analysis, 3rd ed., ch. 5-8.
 *  Oracle:    lm (R), oracle/r/lm.json; Card et al. (2020), Tables 7 and 8.
 *  Limits:    rows of weight 0 are left out of every count, as R does. */

import type { Table } from "../../data/table.ts";
import { type Design, aliasedColumns as noteAliased } from "../../formula/design.ts";
import { SCHEMA_OPTIONS } from "../../formula/schema.ts";
import type { Formula } from "../../formula/term.ts";
import { fSf } from "../../numeric/dist/f.ts";
import { gramCoefficients, gramFactor } from "../../numeric/linalg/gram-factor.ts";
import { type Matrix, matVec, scaleRows, selectColumns, selectRows } from "../../numeric/linalg/matrix.ts";
import { aliasedColumns, type Qr, qr, qrCoefficients, qrTriangle } from "../../numeric/linalg/qr.ts";
import { inverseOfGram } from "../../numeric/linalg/triangular.ts";
import { type Scatter, scatterOf } from "../../numeric/straight-line.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Display } from "../../result/display.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import { type Diagnostic, makeResult, type Published } from "../../result/result.ts";
import {
  coefficientTable,
  type FieldsOf,
  type Fit,
  informationCriteria,
  makeSignature,
  rowsSentence,
  waldEstimates,
} from "../fit.ts";
import { fitJson, NOTHING_RANDOM, type RegressionJson, type RobustJson, robustJson } from "../fit-json.ts";
import {
  clusterCodes,
  designFor,
  pickRows,
  type RegressionOptions,
  robustDiagnostics,
  robustNote,
  weightedRows,
} from "../fixed-design.ts";
import { type RobustType, robustCovariance } from "../sandwich.ts";
import { checkResiduals, type ResidualChecks, residualSentences } from "./residual-checks.ts";

export type LmOptions = RegressionOptions;

export interface LmFit extends Fit<"lm"> {
  readonly residualSd: number;
  readonly residualDf: number;
  readonly rSquared: number;
  readonly adjustedRSquared: number;
  /** Test of all terms but the intercept; NaN with a robust covariance, for which it does not hold. */
  readonly fTest: { readonly statistic: number; readonly df1: number; readonly df2: number; readonly p: number };
  readonly residualSumOfSquares: number;
  /** Columns of the design that have a coefficient. */
  readonly kept: Int32Array;
  readonly fitted: Float64Array;
  readonly residuals: Float64Array;
  /** Shape and order of the residuals, and the condition of the design. */
  readonly checks: ResidualChecks;
  readonly confidence: number;
  readonly robust: RobustType | "none";
  readonly clusters: number;
}

export interface LmJson extends RegressionJson<"lm">, RobustJson {
  readonly method: "OLS" | "WLS";
  readonly residualSd: number;
  readonly rSquared: number;
  readonly adjustedRSquared: number;
  /** Where the covariance is not robust. */
  readonly fTest?: LmFit["fTest"];
  readonly checks: ResidualChecks;
  /** Of one numeric covariate without weights, offset or robust covariance: the points and the line with its band. */
  readonly series?: Scatter & { readonly x: string };
}

const LM_OPTIONS = {
  ...SCHEMA_OPTIONS,
  confidence: true,
  robust: true,
  cluster: true,
  maxMemory: true,
} as const satisfies Record<keyof LmOptions | "maxMemory", true>;

export function fitLm(formula: string | Formula, table: Table, options: LmOptions = {}): LmFit {
  refuseUnknownNames("fitLm", options, LM_OPTIONS);
  const model = designFor("lm", formula, table, options);
  const problem = prepareLm(model.design);
  const solution = solveLm(problem, model.design.y);
  return makeLmFit({ ...model, problem, solution, options });
}

/** What only the design determines: computed once, used for any number of responses. */
export interface LmProblem {
  /** Rows of the design with a positive weight; all of them when there are no weights. */
  readonly rows: Int32Array;
  readonly X: Matrix;
  /** Columns with a coefficient, and those that they determine. */
  readonly kept: Int32Array;
  readonly dropped: Int32Array;
  /** R of the QR decomposition of √w X for the kept columns, up to the signs of its rows. */
  readonly triangle: Matrix;
  /** The whole decomposition where the triangle came from it; see `factorOf`. */
  readonly factor: Qr | undefined;
  readonly rootWeights: Float64Array | undefined;
  readonly offset: Float64Array | undefined;
  /** (X'WX)⁻¹ of the kept columns. */
  readonly inverse: Matrix;
}

export interface LmSolution {
  readonly beta: Float64Array;
  readonly fitted: Float64Array;
  readonly residuals: Float64Array;
  /** Σ w e² */
  readonly rss: number;
}

export function prepareLm(design: Design): LmProblem {
  const { weights, offset } = design;
  const rows = weightedRows(design.X.rows, weights);
  const X = rows.length === design.X.rows ? design.X : selectRows(design.X, rows);
  const rootWeights = weights ? Float64Array.from(rows, (i) => Math.sqrt(weights[i]!)) : undefined;
  const common = { rows, X, rootWeights, offset: offset && pickRows(offset, rows) };
  const R = gramFactor(X, squares(rootWeights));
  if (R !== undefined) {
    const kept = Int32Array.from(design.names.keys());
    return { ...common, kept, dropped: new Int32Array(0), triangle: R, factor: undefined, inverse: inverseOfGram(R) };
  }
  const factor = qr(rootWeights ? scaleRows(X, rootWeights) : X);
  const dropped = aliasedColumns(factor);
  const kept = Int32Array.from(design.names.keys()).filter((j) => !dropped.includes(j));
  const triangle = qrTriangle(factor);
  return { ...common, kept, dropped, triangle, factor, inverse: inverseOfGram(triangle) };
}

/** QR decomposition of √w X, for what needs Q: leverages and robust covariances. */
export function factorOf({ factor, X, rootWeights }: LmProblem): Qr {
  return factor ?? qr(rootWeights ? scaleRows(X, rootWeights) : X);
}

const squares = (roots: Float64Array | undefined): Float64Array | undefined => roots?.map((r) => r * r);

/** y has one value for each row of the design. */
export function solveLm(problem: LmProblem, y: Float64Array): LmSolution {
  const { rows, X, kept, rootWeights, offset } = problem;
  const n = rows.length;
  const beta = coefficientsOf(problem, y);
  const fitted = matVec(kept.length === X.cols ? X : selectColumns(X, kept), beta);
  const residuals = new Float64Array(n);
  let rss = 0;
  for (let i = 0; i < n; i++) {
    if (offset) fitted[i]! += offset[i]!;
    residuals[i] = y[rows[i]!]! - fitted[i]!;
    const scaled = residuals[i]! * (rootWeights ? rootWeights[i]! : 1);
    rss += scaled * scaled;
  }
  return { beta, fitted, residuals, rss };
}

function coefficientsOf({ rows, X, kept, triangle, factor, rootWeights, offset }: LmProblem, y: Float64Array) {
  const target = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) target[i] = y[rows[i]!]! - (offset ? offset[i]! : 0);
  if (factor === undefined) return gramCoefficients(triangle, X, target, squares(rootWeights));
  if (rootWeights) for (let i = 0; i < rows.length; i++) target[i]! *= rootWeights[i]!;
  const all = qrCoefficients(factor, target);
  return Float64Array.from(kept, (j) => all[j]!);
}

interface LmParts {
  readonly table: Table;
  readonly design: Design;
  readonly problem: LmProblem;
  readonly solution: LmSolution;
  readonly options: LmOptions;
  readonly diagnostics: readonly Diagnostic[];
}

function makeLmFit({ table, design, problem, solution, options, diagnostics }: LmParts): LmFit {
  const { confidence = 0.95, cluster } = options;
  const robust: RobustType | "none" = options.robust ?? (cluster === undefined ? "none" : "CR2");
  const n = problem.rows.length;
  const p = problem.kept.length;
  const residualDf = n - p;
  const residualSd = residualDf > 0 ? Math.sqrt(solution.rss / residualDf) : Number.NaN;
  const covariance = coefficientCovariance(
    { problem, solution, robust, residualSd },
    clusterCodes(table, design, cluster),
  );
  const names = Array.from(problem.kept, (j) => design.names[j]!);
  const dropped = Array.from(problem.dropped, (j) => design.names[j]!);
  const coefficients = waldEstimates({
    names,
    values: solution.beta,
    vcov: covariance.vcov,
    df: covariance.df,
    confidence,
  });
  const logLik = gaussianLogLik(solution.rss, n, problem.rootWeights);
  const explained = varianceExplained(design, problem, solution, residualSd);
  const fields = {
    signature: makeSignature("lm", table, design, { formula: design.schema.formula.text, ...options }),
    diagnostics: [
      ...diagnostics,
      ...(dropped.length === 0 ? [] : [noteAliased(design.names, problem.dropped)]),
      ...fitDiagnostics(solution, residualDf),
      ...robustDiagnostics(robust, covariance, names),
    ],
    design,
    coefficients,
    vcov: covariance.vcov,
    dropped,
    kept: problem.kept,
    nobs: n,
    df: p + 1,
    logLik,
    ...informationCriteria(logLik, p + 1, n),
    converged: true,
    residualSd,
    residualDf,
    residualSumOfSquares: solution.rss,
    ...explained,
    ...(robust === "none"
      ? {}
      : { fTest: { statistic: Number.NaN, df1: explained.fTest.df1, df2: residualDf, p: Number.NaN } }),
    fitted: solution.fitted,
    residuals: solution.residuals,
    checks: checkResiduals(weighted(solution.residuals, problem.rootWeights), problem.triangle),
    confidence,
    robust,
    clusters: covariance.clusters,
  };
  return makeResult("lm", fields, { display: displayLm, json: lmJson });
}

interface CovarianceParts {
  readonly problem: LmProblem;
  readonly solution: LmSolution;
  readonly robust: RobustType | "none";
  readonly residualSd: number;
}

function coefficientCovariance(
  { problem, solution, robust, residualSd }: CovarianceParts,
  cluster: Int32Array | undefined,
): { vcov: Matrix; df: Float64Array | number; clusters: number; undetermined?: readonly number[] } {
  const { kept, inverse, rootWeights, rows } = problem;
  if (robust === "none") {
    const vcov = { ...inverse, data: inverse.data.map((v) => v * residualSd * residualSd) };
    return { vcov, df: rows.length - kept.length, clusters: Number.NaN };
  }
  const weights = squares(rootWeights) ?? new Float64Array(rows.length).fill(1);
  const model = { factor: factorOf(problem), weights, residuals: solution.residuals };
  return robustCovariance(model, robust, cluster && Int32Array.from(rows, (i) => cluster[i]!));
}

/** Of the maximum-likelihood fit, σ̂² = rss/n; weights are known precisions. */
function gaussianLogLik(rss: number, n: number, rootWeights: Float64Array | undefined): number {
  let logWeights = 0;
  if (rootWeights) for (const r of rootWeights) logWeights += 2 * Math.log(r);
  return 0.5 * (logWeights - n * (Math.log(2 * Math.PI) + 1 - Math.log(n) + Math.log(rss)));
}

/** R², adjusted R² and the F test of everything but the intercept; without an intercept they refer to 0, as in R. */
function varianceExplained(design: Design, problem: LmProblem, solution: LmSolution, residualSd: number) {
  const { rootWeights, rows, kept } = problem;
  const n = rows.length;
  const centred = design.schema.formula.intercept;
  let sum = 0;
  let total = 0;
  for (let i = 0; i < n; i++) {
    const w = rootWeights ? rootWeights[i]! ** 2 : 1;
    sum += w * solution.fitted[i]!;
    total += w;
  }
  const centre = centred ? sum / total : 0;
  let modelSumOfSquares = 0;
  for (let i = 0; i < n; i++)
    modelSumOfSquares += (rootWeights ? rootWeights[i]! ** 2 : 1) * (solution.fitted[i]! - centre) ** 2;
  const df1 = kept.length - (centred ? 1 : 0);
  const df2 = n - kept.length;
  const rSquared = df1 === 0 ? 0 : modelSumOfSquares / (modelSumOfSquares + solution.rss);
  const statistic = df1 === 0 || solution.rss === 0 ? Number.NaN : modelSumOfSquares / df1 / (residualSd * residualSd);
  return {
    rSquared,
    adjustedRSquared: df1 === 0 ? 0 : 1 - (1 - rSquared) * ((n - (centred ? 1 : 0)) / df2),
    fTest: { statistic, df1, df2, p: fSf(statistic, df1, df2) },
  };
}

/** A residual variance below this share of the fitted values' is rounding noise. */
const PERFECT_FIT = 1e-30;

function fitDiagnostics(solution: LmSolution, residualDf: number): Diagnostic[] {
  if (residualDf === 0) {
    const message =
      "there are as many coefficients as rows: nothing is left to estimate the residual variance, so SEs and tests are undefined.";
    return [warning("SaturatedModel", message, "Use fewer terms or more rows.")];
  }
  const { fitted, rss } = solution;
  let squares = 0;
  for (let i = 0; i < fitted.length; i++) squares += fitted[i]! * fitted[i]!;
  if (rss > PERFECT_FIT * squares) return [];
  const message = "the model fits the response exactly, up to rounding: SEs and tests are rounding noise or undefined.";
  return [warning("PerfectFit", message, "Check whether a term is a copy of the response.")];
}

function displayLm(fit: FieldsOf<LmFit>): Display {
  const f = fit.fTest;
  const summary = [
    `${rowsSentence(fit.design)} Residual SD ${formatNumber(fit.residualSd)} on ${fit.residualDf} df.`,
    `R² ${formatNumber(fit.rSquared)}, adjusted ${formatNumber(fit.adjustedRSquared)}.` +
      (Number.isNaN(f.statistic) ? "" : ` F(${f.df1}, ${f.df2}) = ${formatNumber(f.statistic)}, ${formatP(f.p)}.`),
    `Log-likelihood ${formatNumber(fit.logLik, "statistic")}, AIC ${formatNumber(fit.aic, "statistic")}, BIC ${formatNumber(fit.bic, "statistic")}.`,
    // a robust covariance asks for no law of the residuals
    ...(fit.robust === "none" ? residualSentences(fit.checks) : []),
  ];
  return {
    title: `Linear model: ${fit.design.schema.formula.text}`,
    summary,
    tables: [
      coefficientTable(fit.coefficients, "t", { confidence: fit.confidence, ownDf: fit.robust.startsWith("CR") }),
    ],
    notes: [robustNote(fit.robust, fit.clusters)].filter((text) => text !== ""),
  };
}

const weighted = (residuals: Float64Array, rootWeights: Float64Array | undefined): Float64Array =>
  rootWeights ? residuals.map((e, i) => e * rootWeights[i]!) : residuals;

function lmJson(fit: FieldsOf<LmFit>): Published<LmJson> {
  return {
    ...fitJson(fit),
    ...NOTHING_RANDOM,
    method: fit.design.weights ? "WLS" : "OLS",
    deviance: fit.residualSumOfSquares,
    sigma: fit.residualSd,
    residualSd: fit.residualSd,
    rSquared: fit.rSquared,
    adjustedRSquared: fit.adjustedRSquared,
    ...(Number.isNaN(fit.fTest.statistic) ? {} : { fTest: fit.fTest }),
    dfResidual: fit.residualDf,
    checks: fit.checks,
    ...robustJson(fit),
    ...lineSeries(fit),
  };
}

/** What a picture of y ~ x draws. */
function lineSeries({ design, fitted, residuals, robust, confidence, kept }: FieldsOf<LmFit>): Pick<LmJson, "series"> {
  const { names, X, weights, offset, schema } = design;
  const [, x] = names;
  const plain = weights === undefined && offset === undefined && robust === "none" && kept.length === 2;
  if (!plain || names.length !== 2 || schema.columns.get(x!)?.kind !== "numeric" || !schema.formula.intercept)
    return {};
  const y = fitted.map((value, i) => value + residuals[i]!);
  return { series: { x: x!, ...scatterOf(X.data.slice(X.rows, 2 * X.rows), y, confidence) } };
}
