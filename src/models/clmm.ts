/** Cumulative link mixed model for ordinal responses.   P(y <= j | b) = F(τ_j - xβ - offset - z'b),   b = Λ(θ)u, u ~ N(0, I)
 *  Laplace approximation with the observed information (laplace.ts), or adaptive Gauss-Hermite quadrature for one scalar
 *  random effect (agq.ts); standard errors from the Hessian of all parameters, variances included.
 *  Reference: Christensen (2018), Cumulative Link Models for Ordinal Regression; Tierney & Kadane (1986), JASA 81.
 *  Oracle:    ordinal (R): clmm, oracle/r/ordinal.json — log-likelihood 1e-8, estimates and SEs 1e-6.
 *  Limits:    no scale effects. The Laplace approximation is inexact with few ratings per level. */
import type { Table } from "../data/table.ts";
import type { SchemaOptions } from "../formula/schema.ts";
import type { Formula } from "../formula/term.ts";
import type { Matrix } from "../numeric/linalg/matrix.ts";
import type { Display } from "../result/display.ts";
import { formatNumber } from "../result/number-format.ts";
import { type Diagnostic, type Estimate, makeResult } from "../result/result.ts";
import { conditionSentence, invertInformation, parameterScale, separation, subMatrix, thresholdTable } from "./clm.ts";
import { type ClmmProblem, type ClmmSolution, prepareClmm, solveClmm } from "./clmm-solve.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import {
  coefficientTable,
  type FieldsOf,
  type Fit,
  informationCriteria,
  makeSignature,
  rowsSentence,
  waldEstimates,
} from "./fit.ts";
import { laplaceLogLik } from "./laplace.ts";
import { blockConfounding } from "./mixed-identifiability.ts";
import { blocksOfRows, modesOf, optimumDiagnostics, randomTable } from "./mixed-parts.ts";
import { endlessCovariance, plus } from "./mixed-parts-separation.ts";
import { frameDiagnostics, ordinalDesign } from "./ordinal-input.ts";
import { singularTerms, type VarianceComponent, varianceComponents } from "./random.ts";
import type { ThresholdKind } from "./thresholds.ts";

export interface ClmmOptions extends SchemaOptions {
  /** Default logit. */
  readonly link?: CumulativeLink;
  /** Default flexible. */
  readonly threshold?: ThresholdKind;
  /** Points of adaptive quadrature, for one scalar random effect; 1, the default, is the Laplace approximation. */
  readonly nAGQ?: number;
  /** Confidence level of the intervals. */
  readonly confidence?: number;
  /** (θ, thresholds, coefficients) to begin the search with. */
  readonly start?: Float64Array;
}

export interface ClmmFit extends Fit<"clmm"> {
  readonly link: CumulativeLink;
  readonly threshold: ThresholdKind;
  readonly nAGQ: number;
  readonly confidence: number;
  /** Categories that occur, in order. */
  readonly levels: readonly string[];
  /** Parameters of the thresholds, with R's names; `coefficients` are those of the location. */
  readonly thresholds: readonly Estimate[];
  /** The thresholds themselves. */
  readonly cuts: Float64Array;
  /** Covariance of thresholds, then coefficients. */
  readonly parameterVcov: Matrix;
  /** Covariance factors on the latent scale, in lme4's order, and their names. */
  readonly theta: Float64Array;
  readonly thetaNames: readonly string[];
  /** In the order of θ. */
  readonly variances: readonly VarianceComponent[];
  /** Conditional modes and their conditional SDs: one matrix, levels × columns, per block of design.random. */
  readonly modes: readonly Matrix[];
  readonly modeSds: readonly Matrix[];
  readonly groups: readonly { readonly group: string; readonly levels: number }[];
  readonly kept: Int32Array;
  readonly singular: boolean;
  /** Relative gradient, condition number of the Hessian, and evaluations. */
  readonly optimum: { readonly gradient: number; readonly condition: number; readonly evaluations: number };
}

export function fitClmm(formula: string | Formula, table: Table, options: ClmmOptions = {}): ClmmFit {
  const { design, levels, diagnostics } = ordinalDesign("clmm", formula, table, options);
  const problem = prepareClmm(design, levels, options);
  const solution = solveClmm(problem, design.y, options.start === undefined ? {} : { start: options.start });
  return makeClmmFit({ table, problem, solution, options, diagnostics });
}

interface ClmmParts {
  readonly table: Table;
  readonly problem: ClmmProblem;
  readonly solution: ClmmSolution;
  readonly options: ClmmOptions;
  readonly diagnostics: readonly Diagnostic[];
}

function makeClmmFit({ table, problem, solution, options, diagnostics }: ClmmParts): ClmmFit {
  const { frame, system, link, threshold, nAGQ } = problem;
  const { structure } = system;
  const { theta, phi, used, thresholds, rows, fixedOnly } = solution;
  const { confidence = 0.95 } = options;
  const p0 = thresholds.names.length;
  const away = separation(frame, invertInformation(fixedOnly.information, phi.length), p0);
  const vcov =
    away.length === 0
      ? solution.vcov
      : plus(solution.vcov, endlessCovariance(fixedOnly.information, parameterScale(frame, p0), frame.rows.length));
  const names = [...thresholds.names, ...frame.names];
  const df = Number.POSITIVE_INFINITY;
  const estimates = waldEstimates({ names, values: phi, vcov, df, confidence });
  const nobs = frame.weights?.reduce((a, b) => a + b, 0) ?? frame.rows.length;
  const parameters = theta.length + phi.length;
  const fields = {
    signature: makeSignature("clmm", table, frame.design, { formula: frame.design.schema.formula.text, ...options }),
    diagnostics: [
      ...diagnostics,
      ...frameDiagnostics(frame, used),
      ...away,
      ...blockConfounding(blocksOfRows(frame.design.random, frame.rows, frame.design.y.length), true),
      ...optimumDiagnostics(structure, solution, away.length > 0),
    ],
    design: frame.design,
    coefficients: estimates.slice(p0),
    thresholds: estimates.slice(0, p0),
    vcov: subMatrix(vcov, p0),
    parameterVcov: vcov,
    cuts: rows.tau.slice(),
    levels: used.levels,
    dropped: Array.from(frame.dropped, (j) => frame.design.names[j]!),
    kept: frame.kept,
    nobs,
    df: parameters,
    logLik: solution.logLik,
    ...informationCriteria(solution.logLik, parameters, nobs),
    converged: solution.converged && away.length === 0,
    link,
    threshold,
    nAGQ,
    confidence,
    theta,
    thetaNames: structure.thetaNames,
    variances: varianceComponents(structure, theta, 1),
    ...finalModes(solution),
    groups: groupSizes(structure.terms),
    singular: singularTerms(structure, theta).length > 0,
    optimum: { gradient: solution.gradient, condition: solution.condition, evaluations: solution.evaluations },
  };
  return makeResult("clmm", fields, displayClmm);
}

/** At the solution, with the selected inverse there. */
function finalModes({ state, theta, phi }: ClmmSolution) {
  const psi = Float64Array.of(...theta, ...phi);
  laplaceLogLik(state, psi, new Float64Array(psi.length));
  return modesOf(state, theta);
}

/** Each grouping factor once. */
export function groupSizes(terms: readonly { readonly group: string; readonly levels: number }[]) {
  return [...new Map(terms.map(({ group, levels }) => [group, levels]))].map(([group, levels]) => ({ group, levels }));
}

function displayClmm(fit: FieldsOf<ClmmFit>): Display {
  const statistic = (value: number): string => formatNumber(value, "statistic");
  const groups = fit.groups.map(({ group, levels }) => `${levels} ${group}`).join(", ");
  const how = fit.nAGQ === 1 ? "Laplace" : `${fit.nAGQ} quadrature points`;
  const thresholds = thresholdTable(fit.thresholds);
  const location = coefficientTable(fit.coefficients, "z", { confidence: fit.confidence, ownDf: false });
  return {
    title: `Cumulative link mixed model (${fit.link} link, ${how}): ${fit.design.schema.formula.text}`,
    summary: [
      `${rowsSentence(fit.design)} Levels: ${groups}. Categories: ${fit.levels.join(" < ")}.`,
      `Log-likelihood ${statistic(fit.logLik)}, AIC ${statistic(fit.aic)}, BIC ${statistic(fit.bic)}.`,
      conditionSentence(fit.optimum.condition),
    ],
    tables: [
      randomTable(fit.variances),
      ...(fit.coefficients.length === 0 ? [] : [{ ...location, caption: "Effects on the latent scale" }]),
      { ...thresholds, formats: [...thresholds.formats] },
    ],
    notes: ["A positive effect moves ratings up. SDs are on the latent scale."],
  };
}
