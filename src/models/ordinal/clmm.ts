/** Cumulative link mixed model for ordinal responses.   P(y <= j | b) = F(τ_j - xβ - offset - z'b),   b = Λ(θ)u, u ~ N(0, I)
 *  Laplace approximation with the observed information (laplace/laplace.ts), or adaptive Gauss-Hermite quadrature for one scalar
 *  random effect (laplace/quadrature.ts); standard errors from the Hessian of all parameters, variances included.
 *  Reference: Christensen (2018), Cumulative Link Models for Ordinal Regression; Tierney & Kadane (1986), JASA 81.
 *  Oracle:    ordinal (R): clmm, oracle/r/ordinal.json — log-likelihood 1e-8, estimates and SEs 1e-6.
 *  Limits:    no scale effects. The Laplace approximation is inexact with few ratings per level. */

import type { Table } from "../../data/table.ts";
import { SCHEMA_OPTIONS } from "../../formula/schema.ts";
import type { Formula } from "../../formula/term.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import type { Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type Diagnostic, makeResult, type Published } from "../../result/result.ts";
import {
  coefficientTable,
  type FieldsOf,
  informationCriteria,
  makeSignature,
  rowsSentence,
  waldEstimates,
} from "../fit.ts";
import type { MixedFitJson } from "../fit-json.ts";
import { laplaceLogLik } from "../laplace/laplace.ts";
import type { LaplaceFit, LaplaceOptions } from "../laplace/report.ts";
import { knownTheta, laplaceJson, modesOf, optimumDiagnostics } from "../laplace/report.ts";
import { blockConfounding } from "../random/identifiability.ts";
import { blocksOfRows, randomTable } from "../random/parts.ts";
import { singularTerms, varianceComponents } from "../random/random.ts";
import { endlessCovariance, plus } from "../random/separation.ts";
import {
  type ClmOptions,
  conditionSentence,
  invertInformation,
  parameterScale,
  separation,
  subMatrix,
  thresholdTable,
} from "./clm.ts";
import { type ClmmProblem, type ClmmSolution, prepareClmm, solveClmm } from "./clmm-solve.ts";
import type { CumulativeLinkFit } from "./ordinal.ts";
import { type CumulativeLinkJson, cumulativeLinkJson, frameDiagnostics, ordinalDesign } from "./ordinal.ts";

export interface ClmmOptions extends ClmOptions, LaplaceOptions {}

export interface ClmmFit extends CumulativeLinkFit<"clmm">, LaplaceFit<"clmm"> {}

const CLMM_OPTIONS = {
  ...SCHEMA_OPTIONS,
  ...{ link: true, threshold: true, confidence: true, nAGQ: true, start: true, maxMemory: true },
} as const satisfies Record<keyof ClmmOptions | "maxMemory", true>;

export function fitClmm(formula: string | Formula, table: Table, options: ClmmOptions = {}): ClmmFit {
  refuseUnknownNames("fitClmm", options, CLMM_OPTIONS);
  const { design, levels, diagnostics } = ordinalDesign("clmm", formula, table, options);
  const problem = prepareClmm(design, levels, options);
  const solution = solveClmm(problem, design.y, {
    exact: true,
    start: options.start,
  });
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
  const { phi, used, thresholds, rows, fixedOnly } = solution;
  const { confidence = 0.95 } = options;
  const p0 = thresholds.names.length;
  const away = separation(frame, invertInformation(fixedOnly.information, phi.length), p0);
  const theta = away.length === 0 ? solution.theta : knownTheta(structure, solution);
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
    ...finalModes(solution, theta),
    groups: groupSizes(structure.terms),
    singular: singularTerms(structure, theta).length > 0,
    optimum: {
      gradient: solution.gradient,
      condition: away.length === 0 ? solution.condition : Number.NaN,
      evaluations: solution.evaluations,
    },
  };
  return makeResult("clmm", fields, { display: displayClmm, json: clmmJson });
}

/** At the solution, with the selected inverse there. */
function finalModes({ state, theta: found, phi }: ClmmSolution, theta: Float64Array) {
  const psi = Float64Array.of(...found, ...phi);
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

export interface ClmmJson extends MixedFitJson<"clmm">, CumulativeLinkJson {
  readonly optimum: ClmmFit["optimum"];
}

function clmmJson(fit: FieldsOf<ClmmFit>): Published<ClmmJson> {
  return { ...cumulativeLinkJson(fit), ...laplaceJson(fit) };
}
