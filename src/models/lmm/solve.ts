/** The θ that minimises the criterion of a linear mixed model, by bounded BFGS with the analytic gradient.
 *
 *  θ = 0 is a stationary point in every standard deviation whether it is the best or the worst value (the criterion does not
 *  know the sign of a column of T). Parameters that end on their bound are therefore tried at a few values inside, and the
 *  search goes on from the better point, if there is one. When the search does not converge, BOBYQA takes over and BFGS
 *  polishes its answer.
 *  A residual that only copies of rows inform has variance 0, and the criterion then falls without end as θ grows: the search stops at
 *  MOST_THETA, where digits are left, and reports that it found no minimum.
 *  Reference: Nocedal & Wright (2006), Numerical Optimization, ch. 6; Powell (2009), The BOBYQA algorithm, DAMTP 2009/NA06.
 *  Oracle:    lme4 (R), oracle/r/lmm.json: criterion at the optimum never higher by more than 1e-6.
 *  Limits:    a local minimiser; the criterion of a mixed model may have several minima, which few data sets show. */
import { minimizeBobyqa } from "../../numeric/optim/bobyqa.ts";
import { measureGradient } from "../../numeric/optim/minimum.ts";
import { minimizeQuasiNewton, type QuasiNewtonMinimum } from "../../numeric/optim/quasi-newton.ts";
import { type RandomStructure, unitTheta } from "../random/random.ts";
import { averageInformation } from "./average-information.ts";
import {
  type FoldedResponse,
  foldedObjective,
  foldedObjectiveAndGradientInto,
  foldedResidual,
  foldResponse,
  type LmmFold,
} from "./fold.ts";
import { lmmObjectiveAndGradientInto } from "./gradient.ts";
import { coefficientsOf, factorAt, lmmObjective, projectResponse, residualSd } from "./objective.ts";
import type { LmmProblem } from "./problem.ts";
import { type LmmResponse, summarizeResponse } from "./response.ts";
import { expectedCurvature, momentTheta, thetaScale } from "./start.ts";

export interface LmmSolveOptions {
  /** θ to begin with; default: from the moments of y. */
  readonly start?: Float64Array | undefined;
  /** Relative projected gradient at which to stop. */
  readonly gradientTolerance?: number | undefined;
  /** Of the problem, by foldLmm: the search then takes a fraction of the time and ends at the same θ. */
  readonly fold?: LmmFold | undefined;
}

export interface LmmSolution {
  readonly theta: Float64Array;
  /** Of the kept columns. */
  readonly beta: Float64Array;
  readonly sigma: number;
  /** −2 log-likelihood (ML) or −2 REML log-likelihood. */
  readonly objective: number;
  readonly logLik: number;
  /** Gradient of the objective at θ, and its relative size where no bound forbids descent. */
  readonly gradient: Float64Array;
  readonly projectedGradient: number;
  readonly evaluations: number;
  readonly converged: boolean;
  /** The criterion still fell at the largest θ allowed: the residual variance goes to 0. */
  readonly endless: boolean;
  readonly response: LmmResponse;
}

/** y has one value for each row of the design; or a summary made by summarizeResponse. */
export function solveLmm(
  problem: LmmProblem,
  y: Float64Array | LmmResponse,
  options: LmmSolveOptions = {},
): LmmSolution {
  const response = y instanceof Float64Array ? summarizeResponse(problem, y) : y;
  const search: Search = {
    problem,
    response,
    folded: options.fold && y instanceof Float64Array ? openFold(options.fold, y) : undefined,
    tolerance: options.gradientTolerance ?? GRADIENT_TOLERANCE,
    evaluations: 0,
  };
  let best = descendFreely(search, options.start ?? momentTheta(problem, response));
  best = leaveBounds(search, best);
  if (!best.converged) best = fallBack(search, best);
  return makeSolution(search, best);
}

/** Relative projected gradient: θ is then good to about 1e-8, the criterion to all its digits. */
export const GRADIENT_TOLERANCE = 1e-8;
/** Largest ratio of a random to the residual standard deviation: the equations lose θ² of their 16 digits. */
const MOST_THETA = 1e4;
/** Where a parameter on its bound is tried: ratios of its variance to the residual's, per observation of a level. */
const PROBES = [0.02, 0.3, 3];
/** A standard deviation this small, in units of thetaScale, may be 0. */
const NEAR_BOUND = 0.01;
/** A probe must be lower by this, relative to max(1, |f|). */
const VISIBLE = 1e-12;
/** Each restart lowers the criterion; more than this many mean that it is not smooth. */
const MAX_RESTARTS = 4;

/** The same criterion with less work. */
interface Folded {
  readonly fold: LmmFold;
  readonly response: FoldedResponse;
}

const openFold = (fold: LmmFold, y: Float64Array): Folded => ({ fold, response: foldResponse(fold, y) });

interface Search {
  readonly problem: LmmProblem;
  readonly response: LmmResponse;
  readonly folded: Folded | undefined;
  readonly tolerance: number;
  evaluations: number;
}

function valueAt({ problem, response, folded }: Search, theta: Float64Array): number {
  return folded === undefined
    ? lmmObjective(problem, theta, response)
    : foldedObjective(folded.fold, theta, folded.response);
}

function valueAndGradientInto(gradient: Float64Array, { problem, response, folded }: Search, theta: Float64Array) {
  return folded === undefined
    ? lmmObjectiveAndGradientInto(gradient, problem, theta, response)
    : foldedObjectiveAndGradientInto(gradient, folded.fold, theta, folded.response);
}

/** The diagonal of a correlated term's T is let through 0: with T_jj = 0 the sign of the entries below it does not matter to the
 *  covariance but decides which way the criterion falls, so that a bound there would stop the search at no minimum. */
function descendFreely(search: Search, start: Float64Array): QuasiNewtonMinimum {
  const { structure } = search.problem;
  const free = structure.lower.map((bound, k) =>
    structure.terms[structure.term[k]!]!.size > 1 && structure.terms[structure.term[k]!]!.correlated
      ? Number.NEGATIVE_INFINITY
      : bound,
  );
  if (structure.terms.every(({ size, correlated }) => size === 1 || !correlated)) return descend(search, start);
  const found = descend(search, start, free);
  const theta = positiveDiagonal(structure, found.x);
  const nearBound = theta.some(
    (value, k) => structure.lower[k] === 0 && value < NEAR_BOUND * thetaScale(search.problem, k),
  );
  if (!nearBound && theta.every((value, k) => value === found.x[k])) return found;
  const bounded = descend(search, theta);
  return bounded.value <= found.value + VISIBLE * Math.max(1, Math.abs(found.value)) ? bounded : found;
}

/** T with columns of the other sign where the diagonal is negative: the same covariance. */
function positiveDiagonal({ term, row, col, terms }: RandomStructure, theta: Float64Array): Float64Array {
  const diagonal = new Map<string, number>();
  theta.forEach((value, k) => {
    if (row[k] === col[k]) diagonal.set(`${term[k]} ${col[k]}`, value);
  });
  return theta.map((value, k) =>
    terms[term[k]!]!.correlated && diagonal.get(`${term[k]} ${col[k]}`)! < 0 ? -value : value,
  );
}

/** From this order of the Schur complement on an evaluation costs more than the better curvature of averageInformation. */
const DEAR_ORDER = 300;

export const isDear = ({ cross }: LmmProblem): boolean => cross.m >= DEAR_ORDER;

function descend(
  search: Search,
  start: Float64Array,
  lower: Float64Array = search.problem.structure.lower,
): QuasiNewtonMinimum {
  const { problem, response } = search;
  const found = minimizeQuasiNewton((theta, gradient) => valueAndGradientInto(gradient, search, theta), start, {
    lower,
    upper: largestTheta(problem),
    gradientTolerance: search.tolerance,
    hessian:
      search.folded !== undefined || !isDear(problem)
        ? expectedCurvature(problem, start)
        : averageInformation(problem, start, response),
  });
  search.evaluations += found.evaluations;
  return found;
}

/** Looks for a lower value inside the bounds that were reached. */
function leaveBounds(search: Search, found: QuasiNewtonMinimum): QuasiNewtonMinimum {
  let best = found;
  for (let restart = 0; restart < MAX_RESTARTS; restart++) {
    const start = probe(search, best);
    if (start === undefined) return best;
    const again = descendFreely(search, start);
    if (!(again.value < best.value)) return best;
    best = again;
  }
  return best;
}

/** A point inside the bounds with a lower criterion. */
function probe(search: Search, { x, value }: QuasiNewtonMinimum): Float64Array | undefined {
  const { problem } = search;
  const { lower } = problem.structure;
  const limit = value - VISIBLE * Math.max(1, Math.abs(value));
  for (let k = 0; k < x.length; k++) {
    if (lower[k] !== 0 || x[k]! > 0) continue;
    for (const ratio of PROBES) {
      const theta = x.slice();
      theta[k] = Math.sqrt(ratio) * thetaScale(problem, k);
      search.evaluations++;
      if (valueAt(search, theta) < limit) return theta;
    }
  }
  return undefined;
}

/** BOBYQA from the best point so far, then BFGS again from its answer. */
function fallBack(search: Search, found: QuasiNewtonMinimum): QuasiNewtonMinimum {
  const { problem } = search;
  const start = Number.isFinite(found.value) ? found.x : unitTheta(problem.structure);
  const safe = minimizeBobyqa((theta) => valueAt(search, theta), start, {
    lower: problem.structure.lower,
    upper: largestTheta(problem),
  });
  search.evaluations += safe.evaluations;
  const again = descend(search, safe.x);
  return again.value <= found.value || !Number.isFinite(found.value) ? again : found;
}

/** r² and β̂ at θ. */
function fitAt({ problem, response, folded }: Search, theta: Float64Array): { r2: number; beta: Float64Array } {
  if (folded !== undefined) {
    const { r2 } = foldedResidual(folded.fold, theta, folded.response);
    return { r2, beta: coefficientsOf(folded.fold.problem, folded.response.response) };
  }
  const r2 = factorAt(problem, theta) ? projectResponse(problem, response) : Number.NaN;
  return { r2, beta: coefficientsOf(problem, response) };
}

function makeSolution(search: Search, best: QuasiNewtonMinimum): LmmSolution {
  const { problem, response, evaluations } = search;
  const theta = best.x;
  const { r2, beta } = fitAt(search, theta);
  const box = { lower: problem.structure.lower, upper: largestTheta(problem) };
  const endless = theta.some((value, k) => value >= box.upper[k]!);
  return {
    theta,
    beta,
    sigma: residualSd(problem, r2),
    objective: best.value,
    logLik: -best.value / 2,
    gradient: best.gradient,
    projectedGradient: measureGradient(theta, best.value, best.gradient, box),
    evaluations,
    converged: best.converged && !endless,
    endless,
    response,
  };
}

/** Bounds from above: MOST_THETA in units of a column's root mean square; entries below the diagonal have none. */
function largestTheta(problem: LmmProblem): Float64Array {
  const { factors, structure, nobs } = problem;
  return Float64Array.from(structure.row, (row, k) => {
    if (row !== structure.col[k]) return Number.POSITIVE_INFINITY;
    const { levels } = factors.find(({ theta }) => theta.includes(k))!;
    return MOST_THETA * thetaScale(problem, k) * Math.sqrt(nobs / levels);
  });
}
