/** The coefficients of a gaussian additive model with the identity link: one linear system for each λ.
 *
 *  X'WX, X'Wy and y'Wy are made once, so that no evaluation passes over the rows. The sums are of residuals r from a first fit β₀,
 *      D(β) = r'Wr - 2δ'X'Wr + δ'X'WXδ,   δ = β - β₀,
 *  so that a deviance near zero keeps its digits. */
import { type Matrix, tMatVec, zeros } from "../../numeric/linalg/matrix.ts";
import { type BasisFor, dot, type GamInner, type GamState, nullRidge, penalised, penaltyGradient } from "./inner.ts";
import { evaluateRows, makeRowState, type Response } from "./likelihood.ts";
import { fromWorking, scaledInverse, toWorking, toWorkingInto, type WorkingBasis } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";

/** Sums over the residuals of a fit with the coefficients `beta` of the design. */
interface ResidualSums {
  readonly beta: Float64Array;
  /** X'Wr */
  readonly score: Float64Array;
  /** r'Wr */
  readonly squares: number;
}

/** X'WX in working coordinates, with a ridge where it is singular. */
interface WorkingGram {
  readonly information: Matrix;
  readonly ridge: Matrix | undefined;
}

/** A = X'WX + S_λ, factored. */
interface Factored {
  readonly A: Matrix;
  readonly inverse: Matrix;
  readonly logDet: number;
}

/** The deviance as a quadratic function around `first`. */
interface WorkingSums extends WorkingGram {
  readonly first: Float64Array;
  readonly score: Float64Array;
  readonly squares: number;
}

export function linearInner(problem: GamProblem, response: Response, basisFor: BasisFor): GamInner {
  const { rows, offset, gram } = problem;
  const grams = new Map<string, WorkingGram>();
  let sums = residualSums(problem, response, new Float64Array(rows.p));
  let centred = false;
  const sumsFor = (basis: WorkingBasis): WorkingSums => {
    const gram = grams.get(basis.key) ?? workingGram(problem, basis);
    grams.set(basis.key, gram);
    const { beta, score, squares } = sums;
    return { ...gram, first: toWorking(beta, basis), score: toWorking(score, basis), squares };
  };
  return {
    response,
    linear: true,
    startingInformation: () => gram,
    fit(rho) {
      const lambda = rho.map(Math.exp);
      const basis = basisFor(lambda);
      const found = solveLinear(sumsFor(basis), { rho, lambda, basis });
      if (centred || found === undefined) return found;
      centred = true;
      sums = residualSums(problem, response, fromWorking(found.coefficients, basis));
      return solveLinear(sumsFor(basis), { rho, lambda, basis }, found);
    },
    rowsAt(found) {
      const state = makeRowState(response);
      rows.linearInto(state.eta, fromWorking(found.coefficients, found.basis));
      for (let i = 0; i < offset.length; i++) state.eta[i]! += offset[i]!;
      evaluateRows(state, response);
      return state;
    },
  };
}

function residualSums({ rows, weights, offset }: GamProblem, { y }: Response, beta: Float64Array): ResidualSums {
  const residual = new Float64Array(y.length);
  if (beta.some((value) => value !== 0)) rows.linearInto(residual, beta);
  let squares = 0;
  for (let i = 0; i < y.length; i++) {
    const e = y[i]! - offset[i]! - residual[i]!;
    residual[i] = weights[i]! * e;
    squares += weights[i]! * e * e;
  }
  const score = new Float64Array(rows.p);
  rows.transposeInto(score, residual);
  return { beta, score, squares };
}

function workingGram(problem: GamProblem, basis: WorkingBasis): WorkingGram {
  const information = zeros(basis.q, basis.q);
  toWorkingInto(information, problem.gram, basis);
  return { information, ridge: nullRidge(problem, basis) };
}

export function solveLinear(
  { information, ridge, first, score, squares }: WorkingSums,
  at: Pick<GamState, "rho" | "lambda" | "basis">,
  known?: Factored,
): GamState | undefined {
  const { basis, lambda } = at;
  const A = known?.A ?? penalised(information, ridge, at);
  const { inverse, logDet } = known ?? scaledInverse(A);
  if (!Number.isFinite(logDet)) return undefined;
  const pull = penaltyGradient(basis, lambda, first);
  // symmetric: products with the transpose write less
  const step = tMatVec(
    inverse,
    score.map((value, i) => value - pull[i]!),
  );
  const coefficients = first.map((value, i) => value + step[i]!);
  const deviance = Math.max(0, squares - 2 * dot(step, score) + dot(step, tMatVec(information, step)));
  const penalty = dot(coefficients, penaltyGradient(basis, lambda, coefficients));
  const matrices = { information, A, inverse };
  return {
    ...at,
    coefficients,
    deviance,
    penalty,
    ...matrices,
    logDet,
    expected: matrices,
    converged: true,
    iterations: 1,
  };
}
