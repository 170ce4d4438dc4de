/** Cumulative link model for ordinal responses.   P(y <= j) = F(τ_j - xβ - offset),   F logistic, normal or extreme-value
 *  A positive β moves ratings up. Thresholds are flexible, symmetric or equidistant (thresholds.ts).
 *  Reference: McCullagh (1980), J. R. Stat. Soc. B 42(2); Christensen (2018), Cumulative Link Models for Ordinal Regression;
 *             Brant (1990), Biometrics 46, on checking proportional odds (here by a likelihood-ratio test).
 *  Oracle:    ordinal (R): clm, oracle/r/ordinal.json — log-likelihood 1e-10, estimates and SEs 1e-6.
 *  Limits:    one effect on all thresholds and one spread; nominal and scale effects, and other structures: structured.ts. */

import type { Table } from "../../data/table.ts";
import type { SchemaOptions } from "../../formula/schema.ts";
import { SCHEMA_OPTIONS } from "../../formula/schema.ts";
import type { Formula } from "../../formula/term.ts";
import { cholesky, cholInverse } from "../../numeric/linalg/cholesky.ts";
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type Diagnostic, type Estimate, makeResult, type Published } from "../../result/result.ts";
import {
  coefficientTable,
  type FieldsOf,
  informationCriteria,
  makeSignature,
  rowsSentence,
  waldEstimates,
} from "../fit.ts";
import { type FitJson, NOTHING_RANDOM } from "../fit-json.ts";
import { notConverged } from "../glm/input-checks.ts";
import { columnScale, separatedCovariance } from "../random/separation.ts";
import { type ClmSolution, clmStart, solveClm } from "./clm-solve.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import type { CumulativeLinkFit } from "./ordinal.ts";
import {
  type CumulativeLinkJson,
  cumulativeLinkJson,
  frameDiagnostics,
  type OrdinalFrame,
  ordinalDesign,
  ordinalFrame,
  refuseOneCategory,
  type UsedCategories,
  usedCategories,
} from "./ordinal.ts";
import { type ClmRows, makeClmRows } from "./rows.ts";
import { makeThresholds, type ThresholdKind, type Thresholds } from "./thresholds.ts";

export interface ClmOptions extends SchemaOptions {
  /** Default logit. */
  readonly link?: CumulativeLink | undefined;
  /** Default flexible. */
  readonly threshold?: ThresholdKind | undefined;
  /** Confidence level of the intervals. */
  readonly confidence?: number | undefined;
}

export interface ClmFit extends CumulativeLinkFit<"clm"> {
  /** xβ + offset, row by row. */
  readonly linearPredictor: Float64Array;
  /** Relative gradient at the end, condition number of the Hessian (NaN where there is no maximum), and Newton steps. */
  readonly optimum: { readonly gradient: number; readonly condition: number; readonly iterations: number };
}

const CLM_OPTIONS = {
  ...SCHEMA_OPTIONS,
  link: true,
  threshold: true,
  confidence: true,
  maxMemory: true,
} as const satisfies Record<keyof ClmOptions | "maxMemory", true>;

export function fitClm(formula: string | Formula, table: Table, options: ClmOptions = {}): ClmFit {
  refuseUnknownNames("fitClm", options, CLM_OPTIONS);
  const { design, levels, diagnostics } = ordinalDesign("clm", formula, table, options);
  const frame = ordinalFrame(design, levels);
  const used = usedCategories(frame, design.y);
  refuseOneCategory(frame, used);
  const { link = "logit", threshold = "flexible" } = options;
  const thresholds = makeThresholds(threshold, used.levels);
  const rows = makeClmRows({ y: used.y, X: frame.X, thresholds, link, offset: frame.offset, weights: frame.weights });
  const solution = solveClm(rows, clmStart(used.y, thresholds, link, rows.fixedCount));
  return makeClmFit({ table, frame, used, thresholds, rows, solution, options, diagnostics });
}

interface ClmParts {
  readonly table: Table;
  readonly frame: OrdinalFrame;
  readonly used: UsedCategories;
  readonly thresholds: Thresholds;
  readonly rows: ClmRows;
  readonly solution: ClmSolution;
  readonly options: ClmOptions;
  readonly diagnostics: readonly Diagnostic[];
}

function makeClmFit({ table, frame, used, thresholds, rows, solution, options, diagnostics }: ClmParts): ClmFit {
  const { link = "logit", threshold = "flexible", confidence = 0.95 } = options;
  const p0 = thresholds.names.length;
  const p = solution.phi.length;
  const plain = invertInformation(solution.information, p);
  const nobs = frame.weights?.reduce((a, b) => a + b, 0) ?? frame.rows.length;
  const away = separation(frame, plain, p0);
  const all =
    away.length === 0 ? plain : separatedCovariance(solution.information, parameterScale(frame, p0), frame.rows.length);
  const names = [...thresholds.names, ...frame.names];
  const estimates = waldEstimates({ names, values: solution.phi, vcov: all, df: Number.POSITIVE_INFINITY, confidence });
  const fields = {
    signature: makeSignature("clm", table, frame.design, { formula: frame.design.schema.formula.text, ...options }),
    diagnostics: [
      ...diagnostics,
      ...frameDiagnostics(frame, used),
      ...away,
      ...(solution.converged || away.length > 0 ? [] : notConverged(solution.iterations)),
    ],
    design: frame.design,
    coefficients: estimates.slice(p0),
    thresholds: estimates.slice(0, p0),
    vcov: subMatrix(all, p0),
    parameterVcov: all,
    cuts: rows.tau.slice(),
    levels: used.levels,
    dropped: Array.from(frame.dropped, (j) => frame.design.names[j]!),
    kept: frame.kept,
    nobs,
    df: p,
    logLik: solution.logLik,
    ...informationCriteria(solution.logLik, p, nobs),
    converged: solution.converged && away.length === 0,
    link,
    threshold,
    confidence,
    linearPredictor: rows.eta0.slice(),
    optimum: {
      gradient: solution.gradient,
      condition: away.length === 0 ? conditionNumber(solution.information, p) : Number.NaN,
      iterations: solution.iterations,
    },
  };
  return makeResult("clm", fields, { display: displayClm, json: clmJson });
}

/** Covariance of φ from a row-major information; NaN where it is singular. */
export function invertInformation(information: Float64Array, p: number): Matrix {
  const A: Matrix = { rows: p, cols: p, data: information.slice() };
  const L = cholesky(A);
  if (L === undefined) return { rows: p, cols: p, data: new Float64Array(p * p).fill(Number.NaN) };
  return cholInverse(L);
}

/** Largest over smallest eigenvalue; NaN where an entry is not finite. */
function conditionNumber(information: Float64Array, p: number): number {
  if (information.some((value) => !Number.isFinite(value))) return Number.NaN;
  const { values } = eigenSymmetric({ rows: p, cols: p, data: information.slice() });
  const smallest = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  return smallest > 0 ? values.reduce((a, b) => Math.max(a, b), 0) / smallest : Number.POSITIVE_INFINITY;
}

export const conditionSentence = (condition: number): string =>
  Number.isNaN(condition)
    ? "Condition of the Hessian undefined: there is no maximum to take it at."
    : `Condition of the Hessian ${formatNumber(condition, "statistic")}.`;

/** The block from row and column `from` on. */
export function subMatrix(A: Matrix, from: number): Matrix {
  const m = A.rows - from;
  const out = zeros(m, m);
  for (let j = 0; j < m; j++) for (let i = 0; i < m; i++) out.data[i + j * m] = A.data[from + i + (from + j) * A.rows]!;
  return out;
}

/** A coefficient whose SE lets the latent scale vary by this many units has no finite estimate. */
const UNBOUNDED = 1000;

/** Coefficients that run off to infinity: some combination of terms orders part of the ratings perfectly. */
export function separation({ X, names }: OrdinalFrame, vcov: Matrix, first: number): Diagnostic[] {
  const infinite = names.filter((_, k) => {
    const se = Math.sqrt(vcov.data[(first + k) * (vcov.rows + 1)]!);
    const column = X.data.subarray(k * X.rows, (k + 1) * X.rows);
    const largest = column.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    return !(se * largest < UNBOUNDED);
  });
  if (infinite.length === 0) return [];
  return [
    warning(
      "Separation",
      `the likelihood has no maximum: some combination of terms orders part of the ratings perfectly. The estimates of ${infinite.join(", ")} diverge to infinity, and their SEs and tests are meaningless.`,
      "Merge levels or remove the term, and test the term with anova: the likelihood-ratio test stays valid.",
    ),
  ];
}

/** Of thresholds, then of the columns. */
export const parameterScale = ({ X }: OrdinalFrame, thresholds: number): Float64Array =>
  Float64Array.of(...new Float64Array(thresholds).fill(1), ...columnScale(X));

export function thresholdTable(thresholds: readonly Estimate[]) {
  return {
    caption: "Thresholds",
    head: ["threshold", "estimate", "SE", "z"],
    formats: ["text", "number", "number", "statistic"] as const,
    rows: thresholds.map(({ name, value, se, statistic }) => [name, value, se, statistic]),
  };
}

function displayClm(fit: FieldsOf<ClmFit>): Display {
  const statistic = (value: number): string => formatNumber(value, "statistic");
  const location = coefficientTable(fit.coefficients, "z", { confidence: fit.confidence, ownDf: false });
  return {
    title: `Cumulative link model (${fit.link} link): ${fit.design.schema.formula.text}`,
    summary: [
      `${rowsSentence(fit.design)} Categories: ${fit.levels.join(" < ")}.`,
      `Log-likelihood ${statistic(fit.logLik)}, AIC ${statistic(fit.aic)}, BIC ${statistic(fit.bic)}.`,
      conditionSentence(fit.optimum.condition),
    ],
    tables: [
      ...(fit.coefficients.length === 0 ? [] : [{ ...location, caption: "Effects on the latent scale" }]),
      { ...thresholdTable(fit.thresholds), formats: [...thresholdTable(fit.thresholds).formats] },
    ],
    notes: ["A positive effect moves ratings up."],
  };
}

export interface ClmJson extends FitJson<"clm">, CumulativeLinkJson {
  readonly method: "ML";
  readonly optimum: ClmFit["optimum"];
}

function clmJson(fit: FieldsOf<ClmFit>): Published<ClmJson> {
  return { ...cumulativeLinkJson(fit), ...NOTHING_RANDOM, method: "ML", optimum: fit.optimum };
}
