/** The coefficients of an additive model that is not linear: Newton steps on the penalised deviance, with the observed information
 *  (the expected one where that is not positive definite), halved until the penalised deviance falls.
 *  X'WX costs more than all else over the rows, so each inverse is used for as long as its steps converge fast, that of the last
 *  smoothing parameters' weights with the new penalties first; Newton's own test at a fresh one has the last word.
 *  A likelihood without a maximum (separation) ends where the deviance no longer changes: the fit is finite and says so. */
import { type Matrix, matVec, tMatVec, zeros } from "../../numeric/linalg/matrix.ts";
import {
  type BasisFor,
  dot,
  type GamInner,
  type GamState,
  nullRidge,
  penalised,
  penaltyGradient,
  workingCross,
} from "./inner.ts";
import {
  evaluateRows,
  isCanonical,
  makeRowState,
  type Response,
  type RowState,
  startingPredictor,
} from "./likelihood.ts";
import { fromWorking, scaledInverse, toWorking, toWorkingInto, type WorkingBasis } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";

/** Squared Newton decrement, relative to the penalised deviance, below which a step is rounding. */
const DECREMENT = 1e-15;
/** A fall of the penalised deviance below this share is rounding; towards a limit at infinity nothing else ends. */
const SETTLED = 1e-13;
/** Where no halved step helps: a decrement below this share says that the point is the minimum. */
const STALLED = 1e-9;
const MAX_STEPS = 100;
const MAX_HALVINGS = 30;
/** A step with an old inverse has to bring the squared decrement down to this share, or a new X'WX is the better buy. */
const CHORD_RATE = 0.2;
const MAX_CHORDS = 20;
/** They end later than Newton's, whose last step overshoots DECREMENT by as many digits again; derivatives by λ want those. */
const CHORD_DECREMENT = 1e-23;

/** The rows, with the coefficients of the design at which they stand. */
interface Rows {
  readonly problem: GamProblem;
  readonly response: Response;
  readonly state: RowState;
  beta: Float64Array;
  /** X'WX of the design at the starting predictor. */
  starting?: Matrix;
  /** X'WX of the last fit, in the working coordinates of that key. */
  known?: { readonly key: string; readonly information: Matrix };
}

interface Place extends Pick<GamState, "rho" | "lambda" | "basis"> {
  readonly ridge: Matrix | undefined;
}

interface Factored {
  readonly information: Matrix;
  readonly A: Matrix;
  readonly inverse: Matrix;
  readonly logDet: number;
}

interface Point {
  readonly coefficients: Float64Array;
  readonly deviance: number;
  readonly penalty: number;
}

export function newtonInner(problem: GamProblem, response: Response, basisFor: BasisFor): GamInner {
  const rows: Rows = { problem, response, state: makeRowState(response), beta: new Float64Array(0) };
  return {
    response,
    linear: false,
    startingInformation() {
      startAt(rows);
      return startingInformation(rows);
    },
    fit(rho, start) {
      const lambda = rho.map(Math.exp);
      const basis = basisFor(lambda);
      return fitAt(rows, { rho, lambda, basis, ridge: nullRidge(problem, basis) }, start);
    },
    rowsAt({ coefficients, basis }) {
      const beta = fromWorking(coefficients, basis);
      if (rows.beta.length === 0 || rows.beta.some((value, i) => value !== beta[i])) moveTo(rows, beta);
      return rows.state;
    },
  };
}

/** The rows at means near the responses, before there are coefficients. */
function startAt(rows: Rows): void {
  startingPredictor(rows.state, rows.response);
  evaluateRows(rows.state, rows.response);
  rows.beta = new Float64Array(0);
}

function startingInformation(rows: Rows): Matrix {
  const { problem, state } = rows;
  if (rows.starting === undefined) {
    rows.starting = zeros(problem.rows.p, problem.rows.p);
    problem.rows.crossInto(rows.starting.data, state.fisher);
  }
  return rows.starting;
}

function moveTo(rows: Rows, beta: Float64Array): number {
  const { problem, response, state } = rows;
  problem.rows.linearInto(state.eta, beta);
  for (let i = 0; i < state.eta.length; i++) state.eta[i]! += problem.offset[i]!;
  rows.beta = beta;
  return evaluateRows(state, response);
}

function pointAt(rows: Rows, { basis, lambda }: Place, coefficients: Float64Array): Point {
  const deviance = moveTo(rows, fromWorking(coefficients, basis));
  return { coefficients, deviance, penalty: dot(coefficients, penaltyGradient(basis, lambda, coefficients)) };
}

function factorWith(rows: Rows, place: Place, weights: Float64Array): Factored | undefined {
  const information = workingCross(rows.problem, place.basis, weights);
  const A = penalised(information, place.ridge, place);
  const { inverse, logDet } = scaledInverse(A);
  return Number.isFinite(logDet) ? { information, A, inverse, logDet } : undefined;
}

function factor(rows: Rows, place: Place): Factored | undefined {
  const { weight, fisher } = rows.state;
  return factorWith(rows, place, weight) ?? (fisher === weight ? undefined : factorWith(rows, place, fisher));
}

function fitAt(rows: Rows, place: Place, start: Float64Array | undefined): GamState | undefined {
  const { rho, lambda, basis } = place;
  let point = startingPoint(rows, place, start);
  const known =
    rows.known?.key === basis.key ? scaledInverse(penalised(rows.known.information, place.ridge, place)) : undefined;
  if (point !== undefined && Number.isFinite(known?.logDet))
    point = chords(rows, place, { point, inverse: known!.inverse });
  let current = point === undefined ? undefined : factor(rows, place);
  let converged = false;
  let iterations = 0;
  while (point !== undefined && current !== undefined && !converged && iterations < MAX_STEPS) {
    iterations += 1;
    const { step, decrement } = newtonStep(rows, place, { point, inverse: current.inverse });
    const before = point.deviance + point.penalty;
    if (decrement <= DECREMENT * (1 + before)) {
      converged = true;
      break;
    }
    const next = shorten(rows, place, { point, step });
    if (next === undefined) {
      pointAt(rows, place, point.coefficients);
      converged = decrement <= STALLED * (1 + before);
      break;
    }
    point = chords(rows, place, { point: next, inverse: current.inverse });
    current = factor(rows, place);
    converged = before - point.deviance - point.penalty <= SETTLED * before;
  }
  if (point === undefined || current === undefined) return undefined;
  rows.known = { key: basis.key, information: current.information };
  const expected = isCanonical(rows.response) ? current : factorWith(rows, place, rows.state.fisher);
  return expected === undefined
    ? undefined
    : { rho, lambda, basis, ...point, ...current, expected, converged, iterations };
}

function newtonStep(
  { problem, state }: Rows,
  { basis, lambda }: Place,
  { point, inverse }: { point: Point; inverse: Matrix },
): { step: Float64Array; decrement: number } {
  const raw = new Float64Array(problem.rows.p);
  problem.rows.transposeInto(raw, state.score);
  const pull = penaltyGradient(basis, lambda, point.coefficients);
  const gradient = toWorking(raw, basis).map((value, i) => value - pull[i]!);
  const step = tMatVec(inverse, gradient); // symmetric: products with the transpose write less
  return { step, decrement: dot(step, gradient) };
}

/** Steps with one inverse, until nothing is left to gain or they become slow. */
function chords(rows: Rows, place: Place, { point, inverse }: { point: Point; inverse: Matrix }): Point {
  let last = Number.POSITIVE_INFINITY;
  for (let count = 0; count < MAX_CHORDS; count++) {
    const { step, decrement } = newtonStep(rows, place, { point, inverse });
    const before = point.deviance + point.penalty;
    if (!(decrement > CHORD_DECREMENT * (1 + before) && decrement <= CHORD_RATE * last)) break;
    const next = pointAt(
      rows,
      place,
      point.coefficients.map((value, i) => value + step[i]!),
    );
    if (!(next.deviance + next.penalty <= before + DECREMENT * before)) {
      pointAt(rows, place, point.coefficients);
      break;
    }
    last = decrement;
    point = next;
  }
  return point;
}

/** The longest of the steps 1, ½, ¼ … that does not raise the penalised deviance. */
function shorten(rows: Rows, place: Place, { point, step }: { point: Point; step: Float64Array }): Point | undefined {
  const before = point.deviance + point.penalty;
  for (let halvings = 0, length = 1; halvings <= MAX_HALVINGS; halvings++, length /= 2) {
    const next = pointAt(
      rows,
      place,
      point.coefficients.map((value, i) => value + length * step[i]!),
    );
    if (next.deviance + next.penalty <= before + DECREMENT * before) return next;
  }
  return undefined;
}

function startingPoint(rows: Rows, place: Place, start: Float64Array | undefined): Point | undefined {
  const first = start === undefined ? firstCoefficients(rows, place) : toWorking(start, place.basis);
  const point = first === undefined ? undefined : pointAt(rows, place, first);
  if (point !== undefined && Number.isFinite(point.deviance)) return point;
  const safe = pointAt(rows, place, meanCoefficients(rows, place.basis));
  return Number.isFinite(safe.deviance) ? safe : undefined;
}

/** Weighted least squares on the responses themselves. */
function firstCoefficients(rows: Rows, place: Place): Float64Array | undefined {
  const { problem, response, state } = rows;
  startAt(rows);
  const information = zeros(place.basis.q, place.basis.q);
  toWorkingInto(information, startingInformation(rows), place.basis);
  const { inverse, logDet } = scaledInverse(penalised(information, place.ridge, place));
  if (!Number.isFinite(logDet)) return undefined;
  const target = state.eta.map((eta, i) => {
    const residual = (response.y[i]! - state.mu[i]!) / response.link.slope(eta);
    return state.fisher[i]! * (eta - problem.offset[i]! + residual);
  });
  const raw = new Float64Array(problem.rows.p);
  problem.rows.transposeInto(raw, target);
  return matVec(inverse, toWorking(raw, place.basis));
}

/** The mean of the responses for every row: inside the domain of every family without an offset. */
function meanCoefficients({ problem, response }: Rows, basis: WorkingBasis): Float64Array {
  const { y, weights, link } = response;
  const beta = new Float64Array(problem.rows.p);
  // with the intercept first and an upper triangular map to the named columns, the first coefficient alone makes a constant
  if (problem.parametric.names[0] === "(Intercept)") {
    const total = weights.reduce((sum, w) => sum + w, 0);
    beta[0] = link.eta(dot(weights, y) / total) / problem.parametric.back.data[0]!;
  }
  return toWorking(beta, basis);
}
