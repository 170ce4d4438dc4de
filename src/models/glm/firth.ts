/** Firth's logistic regression: the likelihood times the root of its information, which has a maximum also where data are separated.
 *
 *      ℓ*(β) = ℓ(β) + ½ log |X'WX|,    score  X'(n(y - μ) + h(½ - μ)),   W = nμ(1 - μ),  h the diagonal of the hat matrix of √W X
 *  Standard errors are those of (X'WX)⁻¹ at the maximum. A coefficient is tested by the penalised likelihood ratio, with the information of
 *  all columns also where it is held at 0; the interval has the values at which that test would not reject (profile of ℓ*). The statistic
 *  is the signed root of the likelihood ratio.
 *  Reference: Firth (1993), Biometrika 80; Heinze & Schemper (2002), Stat. Med. 21.
 *  Oracle:    brglm (R) for estimates and SEs, an optimiser of R for ratios and ends, oracle/r/firth.json; ½ added to each cell of a
 *             2 x 2 table, in closed form.
 *  Limits:    logit link. Log-likelihoods are the penalised ones; models with different terms are not compared by them. */

import { chiSquareQuantileUpper } from "../../numeric/dist/chi-square.ts";
import { normalSf } from "../../numeric/dist/normal.ts";
import { type Matrix, matVec, scaleRows, selectColumns } from "../../numeric/linalg/matrix.ts";
import { hatValues, qr, qrCoefficients } from "../../numeric/linalg/qr.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import type { Estimate } from "../../result/result.ts";
import type { GlmProblem, GlmSolution } from "./solve.ts";

/** The linear predictor rests. */
const STEP_TOLERANCE = 1e-11;
const MAX_ITERATIONS = 200;
const MAX_HALVINGS = 40;
/** No step moves a coefficient's predictor further: far steps from a bad start overflow. */
const LONGEST_STEP = 5;

interface FirthState {
  readonly beta: Float64Array;
  readonly eta: Float64Array;
  readonly mu: Float64Array;
  readonly complement: Float64Array;
  readonly work: Float64Array;
  readonly hat: Float64Array;
  readonly logLik: number;
}

export interface FirthSolution extends GlmSolution {
  /** ℓ* */
  readonly penalised: number;
}

/** `held` keeps one coefficient at a value. */
export function solveFirth(
  problem: GlmProblem,
  response: Float64Array,
  held?: { readonly column: number; readonly value: number; readonly start: Float64Array },
): FirthSolution {
  const y = Float64Array.from(problem.rows, (i) => response[i]!);
  const free = Int32Array.from(problem.kept.keys()).filter((j) => j !== held?.column);
  const X = free.length === problem.X.cols ? problem.X : selectColumns(problem.X, free);
  const start = held === undefined ? new Float64Array(problem.X.cols) : held.start.slice();
  if (held !== undefined) start[held.column] = held.value;
  let state = evaluate(problem, y, start);
  let step: Float64Array = new Float64Array(start.length);
  let [iterations, converged] = [0, false];
  while (iterations < MAX_ITERATIONS && !converged) {
    iterations += 1;
    step = fisherStep(problem, y, { state, X, free });
    const next = improve(problem, y, { state, step });
    if (next === undefined) {
      // at rounding level no step can be seen to help
      converged = largest(matVec(problem.X, step)) < Math.sqrt(STEP_TOLERANCE);
      break;
    }
    converged = largest(matVec(problem.X, step)) <= STEP_TOLERANCE * Math.max(1, largest(state.eta));
    state = next;
  }
  return { ...state, deviance: devianceOf(problem, y, state), iterations, converged, step, penalised: state.logLik };
}

const largest = (x: Float64Array): number => x.reduce((most, v) => Math.max(most, Math.abs(v)), 0);

function evaluate(problem: GlmProblem, y: Float64Array, beta: Float64Array): FirthState {
  const { X, offset, weights, link } = problem;
  const eta = matVec(X, beta).map((v, i) => v + offset[i]!);
  const mu = eta.map((e) => link.mu(e));
  const complement = eta.map((e) => link.complement(e));
  const work = mu.map((m, i) => weights[i]! * m * complement[i]!);
  const factor = qr(scaleRows(X, work.map(Math.sqrt)), { pivoting: "none" });
  let logLik = 0;
  for (let i = 0; i < y.length; i++) {
    const hit = y[i]! === 0 ? 0 : y[i]! * Math.log(mu[i]!);
    const miss = y[i]! === 1 ? 0 : (1 - y[i]!) * Math.log(complement[i]!);
    logLik += weights[i]! * (hit + miss);
  }
  // ½ log |R'R|
  for (let j = 0; j < X.cols; j++) logLik += Math.log(Math.abs(factor.factor.data[j + j * X.rows]!));
  return { beta, eta, mu, complement, work, hat: hatValues(factor), logLik };
}

/** (X'WX)⁻¹ X'(n(y - μ) + h(½ - μ)) over the free columns, 0 elsewhere. */
function fisherStep(
  { weights, family }: GlmProblem,
  y: Float64Array,
  { state, X, free }: { state: FirthState; X: Matrix; free: Int32Array },
): Float64Array {
  const { mu, complement, work, hat, beta } = state;
  const root = work.map(Math.sqrt);
  const target = root.map((r, i) => {
    const residual = weights[i]! * family.residual(y[i]!, mu[i]!, complement[i]!);
    return r === 0 ? 0 : (residual + hat[i]! * (0.5 - mu[i]!)) / r;
  });
  const step = new Float64Array(beta.length);
  if (free.length === 0) return step;
  const own = qrCoefficients(qr(scaleRows(X, root), { pivoting: "none" }), target);
  const far = Math.max(1, largest(matVec(X, own)) / LONGEST_STEP);
  free.forEach((j, k) => {
    step[j] = own[k]! / far;
  });
  return step;
}

function improve(
  problem: GlmProblem,
  y: Float64Array,
  { state, step }: { state: FirthState; step: Float64Array },
): FirthState | undefined {
  const slack = 1e-13 * (Math.abs(state.logLik) + 1);
  for (let halvings = 0, scale = 1; halvings <= MAX_HALVINGS; halvings++, scale /= 2) {
    const next = evaluate(
      problem,
      y,
      state.beta.map((b, j) => b + scale * step[j]!),
    );
    if (next.logLik >= state.logLik - slack) return next;
  }
  return undefined;
}

function devianceOf({ family, weights }: GlmProblem, y: Float64Array, { mu, complement }: FirthState): number {
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum += weights[i]! * family.unitDeviance(y[i]!, mu[i]!, complement[i]!);
  return Math.max(0, sum);
}

/** Ends are looked for up to this many standard errors away. */
const FARTHEST = 1000;

/** Tests and intervals of all coefficients by the penalised likelihood ratio. */
export function profileFirth(
  problem: GlmProblem,
  response: Float64Array,
  { solution, plain, confidence }: { solution: FirthSolution; plain: readonly Estimate[]; confidence: number },
): Estimate[] {
  const cut = chiSquareQuantileUpper(1 - confidence, 1);
  return plain.map((estimate, column) => {
    let start = solution.beta;
    const ratio = (value: number): number => {
      const found = solveFirth(problem, response, { column, value, start });
      start = found.beta;
      return Math.max(0, 2 * (solution.penalised - found.penalised));
    };
    const statistic = Math.sign(estimate.value) * Math.sqrt(ratio(0));
    const end = (side: 1 | -1): number => {
      start = solution.beta;
      let reach = 2 * estimate.se;
      while (ratio(estimate.value + side * reach) < cut) {
        reach *= 1.5;
        if (reach > FARTHEST * estimate.se) return side * Number.POSITIVE_INFINITY;
      }
      const at = (value: number): number => ratio(value) - cut;
      const [from, to] = [estimate.value, estimate.value + side * reach];
      return findRoot(at, Math.min(from, to), Math.max(from, to)).root;
    };
    const p = Math.min(1, 2 * normalSf(Math.abs(statistic)));
    return { ...estimate, statistic, p, lower: end(-1), upper: end(1) };
  });
}
