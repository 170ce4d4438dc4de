/** Generalised additive model.   g(E y) = Xβ + Σ f_j(x_j) + offset,   f_j a spline with penalty λ_j∫f''² (or as its basis has it)
 *
 *  β minimises the penalised deviance, λ the REML, ML, GCV or UBRE criterion (criterion.ts), by Newton steps with exact derivatives.
 *  Reference: Wood (2017), Generalized Additive Models, 2nd ed., ch. 4-6; Wood (2011), J. R. Statist. Soc. B 73, 3-36.
 *  Oracle:    mgcv (R), oracle/r/gam.json — edf 1e-4, deviance explained 1e-6, log smoothing parameters 1e-3.
 *  Limits:    gaussian, binomial and Poisson responses; a criterion with several minima is followed from mgcv's start to the
 *             nearest one; t2(), linked smooths (id) and further bases are not there. */

import type { Table } from "../../data/table.ts";
import type { LearnedSmooth } from "../../formula/basis/basis.ts";
import { buildDesign, type Design, aliasedColumns as noteAliased, noteDropped } from "../../formula/design.ts";
import { parseFormula } from "../../formula/parse/parse.ts";
import { binomialResponse } from "../../formula/response.ts";
import type { SchemaOptions } from "../../formula/schema.ts";
import { SCHEMA_OPTIONS } from "../../formula/schema.ts";
import type { Formula } from "../../formula/term.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { checkConfidence, StatError } from "../../result/error.ts";
import { type Diagnostic, makeResult } from "../../result/result.ts";
import { FAMILIES, type PlainFamilyName } from "../family.ts";
import { type Fit, informationCriteria, makeSignature, waldEstimates } from "../fit.ts";
import { checkResponse, chooseFamily } from "../glm/input-checks.ts";
import type { LinkName } from "../link.ts";
import { gamDiagnostics } from "./fit-warnings.ts";
import { type GamInference, inferGam } from "./inference.ts";
import type { GamInner, GamState } from "./inner.ts";
import type { Response } from "./likelihood.ts";
import { linearInner } from "./linear.ts";
import { devianceOf, logLikelihood, nullDeviance, pearsonSum, reportedCriterion, varianceRatio } from "./measures.ts";
import { newtonInner } from "./newton.ts";
import { type GamOptimum, type SearchOptions, searchSmoothing } from "./outer.ts";
import { makeWorkingBasis, penaltyOrder, type WorkingBasis } from "./penalty.ts";
import { type GamMethod, type GamProblem, type GamProblemOptions, prepareGam } from "./problem.ts";
import { type GamShape, makeShapes } from "./shapes.ts";
import { testTerms } from "./smooth-tests.ts";
import { displayGam, gamJson } from "./smooths-display.ts";

export interface GamOptions extends SchemaOptions, Omit<GamProblemOptions, "family" | "link">, SearchOptions {
  readonly family?: PlainFamilyName | undefined;
  readonly link?: LinkName | undefined;
  readonly confidence?: number | undefined;
}

export interface GamTerm {
  /** As mgcv names it: s(x), s(x):gA, te(x,z). */
  readonly term: string;
  readonly edf: number;
  /** Reference degrees of freedom of the test. */
  readonly refDf: number;
  /** F where the scale is estimated, otherwise χ². */
  readonly statistic: number;
  readonly p: number;
  /** Smoothing parameters, one per penalty. */
  readonly sp: readonly number[];
  /** "null" where everything a penalty sees is gone, "free" where it has no effect; one per penalty. */
  readonly edges: readonly ("none" | "null" | "free")[];
  /** Coefficients, constraint absorbed. */
  readonly size: number;
}

/** One smooth of the model with the place of its coefficients. */
export interface FittedSmooth {
  readonly learned: LearnedSmooth;
  /** Its place among the smooth terms of the formula. */
  readonly term: number;
  /** First of its coefficients in `beta`. */
  readonly from: number;
}

export interface GamFit extends Fit<"gam"> {
  readonly family: PlainFamilyName;
  readonly link: LinkName;
  readonly method: GamMethod;
  readonly criterion: { readonly name: "REML" | "ML" | "GCV" | "UBRE"; readonly value: number };
  readonly smooths: readonly GamTerm[];
  readonly shapes: readonly GamShape[];
  readonly edf: number;
  readonly deviance: number;
  readonly nullDeviance: number;
  readonly devianceExplained: number;
  readonly adjustedRSquared: number;
  readonly residualDf: number;
  /** φ: 1 for binomial and Poisson, else Σ w (y - μ)²/(n - edf). */
  readonly scale: number;
  /** Parametric columns that stayed, by their number. */
  readonly kept: Int32Array;
  /** All coefficients: parametric ones, then those of each smooth. */
  readonly beta: Float64Array;
  /** Of `beta`: Bayesian (for intervals) and frequentist. */
  readonly bayesian: Matrix;
  readonly frequentist: Matrix;
  readonly fittedSmooths: readonly FittedSmooth[];
  readonly fitted: Float64Array;
  readonly linearPredictor: Float64Array;
  readonly iterations: number;
  readonly confidence: number;
}

const GAM_OPTIONS = {
  ...SCHEMA_OPTIONS,
  ...{ family: true, link: true, method: true, select: true, gamma: true, sp: true, knots: true, discrete: true },
  ...{ onProgress: true, confidence: true, maxMemory: true },
} as const satisfies Record<keyof GamOptions | "maxMemory", true>;

export function fitGam(formula: string | Formula, table: Table, options: GamOptions = {}): GamFit {
  refuseUnknownNames("fitGam", options, GAM_OPTIONS);
  const raw = gamDesign(formula, table, options);
  const choice = chooseFamily(raw, options);
  const design = choice.family === "binomial" ? shareResponse(raw) : numericResponse(raw);
  checkResponse(design, FAMILIES[choice.family]);
  const problem = prepareGam(design, { ...options, family: choice.family, link: choice.link });
  const solution = solveGam(problem, design.y, options);
  return makeGamFit({ table, problem, solution, options, diagnostics: choice.diagnostics });
}

export interface GamSolution {
  readonly state: GamState;
  readonly optimum: GamOptimum;
  readonly y: Float64Array;
  readonly eta: Float64Array;
  readonly mu: Float64Array;
  readonly deviance: number;
}

/** y has one value for each row of the design. */
export function solveGam(problem: GamProblem, y: Float64Array, options: SearchOptions = {}): GamSolution {
  const inner = makeInner(problem, y);
  const optimum = searchSmoothing(problem, inner, options);
  if (optimum === undefined) {
    throw new StatError(
      "NoFit",
      "no fit could be found even at the starting values of the smoothing parameters.",
      "check the response for extreme values, or remove terms.",
    );
  }
  const { eta, mu } = inner.rowsAt(optimum.state);
  return { state: optimum.state, optimum, y, eta: eta.slice(), mu: mu.slice(), deviance: devianceOf(problem, y, eta) };
}

function gamDesign(text: string | Formula, table: Table, options: GamOptions): Design {
  const formula = typeof text === "string" ? parseFormula(text) : text;
  const { confidence = 0.95, gamma = 1 } = options;
  const random = formula.random[0];
  if (random !== undefined) {
    const message = `(${random.label}) is a random effect in the notation of mixed models.`;
    throw new StatError("UnsupportedTerm", message, `Write s(${random.groupLabel}, bs = "re"), or fit a mixed model.`);
  }
  if (formula.response === undefined) {
    const message = `the formula "${formula.text}" has no response.`;
    throw new StatError("NoResponse", message, 'Write it as "y ~ s(x) + z".');
  }
  checkConfidence(confidence);
  if (!(gamma > 0))
    throw new StatError("BadOption", `gamma is ${gamma}.`, "Use 1, or a little more for smoother curves.");
  return buildDesign(formula, table, options);
}

/** A factor becomes 0 and 1, cbind(s, f) a share with s + f as its weight. */
function shareResponse(design: Design): Design {
  const learned = design.schema.response!;
  if (learned.kind === "numeric") return design;
  const { y, trials } = binomialResponse(design, learned);
  if (learned.kind === "factor") return { ...design, y };
  return { ...design, y, weights: design.weights ? trials.map((t, i) => t * design.weights![i]!) : trials };
}

function numericResponse(design: Design): Design {
  if (design.schema.response!.kind === "numeric") return design;
  const message = `the response ${design.schema.formula.responseLabel} is not numeric.`;
  throw new StatError(
    "ResponseNotNumeric",
    message,
    "Use the binomial family for two levels, or give a numeric column.",
  );
}

interface GamParts {
  readonly table: Table;
  readonly problem: GamProblem;
  readonly solution: GamSolution;
  readonly options: GamOptions;
  readonly diagnostics: readonly Diagnostic[];
}

function makeGamFit({ table, problem, solution, options, diagnostics }: GamParts): GamFit {
  const { design, family, link, parametric, nobs } = problem;
  const { state, optimum, deviance } = solution;
  const { confidence = 0.95 } = options;
  const pearson = pearsonSum(problem, solution);
  const inference = inferGam({ problem, state, derivatives: optimum.derivatives, pearson });
  const { edf, scale, bayesian } = inference;
  const terms = gamTerms(problem, solution, inference);
  const fittedSmooths = problem.smooths.map(({ learned, term, from }) => ({ learned, term, from }));
  const k = parametric.names.length;
  const vcov = leading(bayesian, k);
  const residualDf = nobs - edf;
  const logLik = logLikelihood(problem, solution);
  const parameters = (Number.isNaN(inference.edf2) ? edf : inference.edf2) + (family.knownDispersion ? 0 : 1);
  const nullValue = nullDeviance(problem, solution.y);
  const { onProgress: _, ...given } = options;
  const fields = {
    signature: makeSignature("gam", table, design, { formula: design.schema.formula.text, ...given }),
    diagnostics: [
      ...design.schema.diagnostics,
      ...noteDropped(design),
      ...diagnostics,
      ...problem.diagnostics,
      ...(parametric.dropped.length === 0 ? [] : [noteAliased(design.names, parametric.dropped)]),
      ...gamDiagnostics(problem, solution, terms),
    ],
    design,
    coefficients: waldEstimates({
      names: parametric.names,
      values: inference.coefficients.slice(0, k),
      vcov,
      df: family.knownDispersion ? Number.POSITIVE_INFINITY : residualDf,
      confidence,
    }),
    vcov,
    dropped: Array.from(parametric.dropped, (j) => design.names[j]!),
    kept: parametric.kept,
    logLik,
    df: parameters,
    nobs,
    ...informationCriteria(logLik, parameters, nobs),
    converged: optimum.converged && state.converged,
    family: family.name,
    link: link.name,
    method: problem.method,
    criterion: reportedCriterion(problem, solution),
    smooths: terms,
    shapes: makeShapes({
      design,
      smooths: fittedSmooths,
      beta: inference.coefficients,
      covariance: bayesian,
      confidence,
    }),
    edf,
    deviance,
    nullDeviance: nullValue,
    devianceExplained: (nullValue - deviance) / nullValue,
    adjustedRSquared: varianceRatio(problem, solution, residualDf),
    residualDf,
    scale,
    beta: inference.coefficients,
    bayesian,
    frequentist: inference.frequentist,
    fittedSmooths,
    fitted: solution.mu,
    linearPredictor: solution.eta,
    iterations: optimum.iterations,
    confidence,
  };
  return makeResult("gam", fields, { display: displayGam, json: gamJson });
}

function gamTerms(problem: GamProblem, { state, optimum }: GamSolution, inference: GamInference): GamTerm[] {
  const tests = testTerms({ problem, state, inference });
  return problem.smooths.map(({ learned, block }, s): GamTerm => {
    const own = block.S.map((_, j) => block.firstPenalty + j);
    return {
      term: learned.label,
      edf: inference.blockEdf[problem.blocks.indexOf(block)]!,
      ...tests[s]!,
      sp: own.map((j) => state.lambda[j]!),
      edges: own.map((j) => (optimum.edges[j] === 1 ? "null" : optimum.edges[j] === -1 ? "free" : "none")),
      size: block.kept.length,
    };
  });
}

function leading(A: Matrix, k: number): Matrix {
  const data = new Float64Array(k * k);
  for (let c = 0; c < k; c++) for (let r = 0; r < k; r++) data[r + c * k] = A.data[r + c * A.rows]!;
  return { rows: k, cols: k, data };
}

/** The way to the coefficients that a response needs, with the working bases it has made so far. */
export function makeInner(problem: GamProblem, y: Float64Array): GamInner {
  const { family, link, weights } = problem;
  const response: Response = { family, link, y, weights };
  const bases = new Map<string, WorkingBasis>();
  const basisFor = (lambda: Float64Array): WorkingBasis => {
    const order = penaltyOrder(problem.blocks, lambda);
    const key = JSON.stringify(order);
    const known = bases.get(key);
    if (known !== undefined) return known;
    const made = makeWorkingBasis(problem.blocks, order, problem.rows.p);
    bases.set(key, made);
    return made;
  };
  const linear = family.name === "gaussian" && link.name === "identity";
  return linear ? linearInner(problem, response, basisFor) : newtonInner(problem, response, basisFor);
}
