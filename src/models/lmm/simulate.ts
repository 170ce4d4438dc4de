/** New responses from a linear mixed model:  y = offset + Xβ + ZΛu + ε,  u ~ N(0, σ²I),  ε ~ N(0, σ²/w).
 *
 *  The order of draws is fixed: the random effects factor by factor (as in problem.factors), level by level, then the
 *  residuals row by row; the same stream of random numbers gives the same response.
 *  Oracle: moments of many draws; Var(y) = σ²(W⁻¹ + ZΛΛ'Z'). */
import type { Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import type { LmmFit } from "./lmm.ts";
import { type LmmProblem, prepareLmm } from "./problem.ts";

export interface LmmParameters {
  /** In the order of problem.structure. */
  readonly theta: ArrayLike<number>;
  /** Of the columns of problem.X. */
  readonly beta: ArrayLike<number>;
  readonly sigma: number;
}

/** A response like that of the fit, one value per row of its design; `parameters` replace the estimates. */
export function simulateLmm(fit: LmmFit, rng: Rng, parameters: Partial<LmmParameters> = {}): Float64Array {
  const problem = prepareLmm(fit.design, { criterion: fit.criterion, maxMemory: Number.POSITIVE_INFINITY });
  const given = {
    theta: parameters.theta ?? fit.theta,
    beta: parameters.beta ?? fit.coefficients.map(({ value }) => value),
    sigma: parameters.sigma ?? fit.residualSd,
  };
  checkParameters(problem, given);
  const y = new Float64Array(fit.design.y.length);
  simulateInto(y, problem, given, rng);
  return y;
}

export function checkParameters({ structure, X }: LmmProblem, { theta, beta, sigma }: LmmParameters): void {
  const wrong = (what: string, found: number, wanted: number): StatError =>
    new StatError(
      "WrongLength",
      `${found} values for ${wanted} ${what}.`,
      `give one number for each of the ${wanted}.`,
    );
  if (theta.length !== structure.term.length) throw wrong("elements of theta", theta.length, structure.term.length);
  if (beta.length !== X.cols) throw wrong("coefficients", beta.length, X.cols);
  if (!(sigma >= 0)) throw new StatError("BadParameter", `a residual SD of ${sigma}.`, "give a number of 0 or more.");
}

/** y has one value for each row of the design; rows of weight 0 get NaN. Allocates nothing. */
export function simulateInto(
  y: Float64Array,
  problem: LmmProblem,
  { theta, beta, sigma }: LmmParameters,
  rng: Rng,
): void {
  const { X, rows, offset, weights, factors, work } = problem;
  const n = rows.length;
  if (n < y.length) y.fill(Number.NaN);
  for (let i = 0; i < n; i++) y[rows[i]!] = offset ? offset[i]! : 0;
  for (let j = 0; j < X.cols; j++) {
    const b = beta[j]!;
    for (let i = 0; i < n; i++) y[rows[i]!]! += b * X.data[i + j * n]!;
  }
  for (let f = 0; f < factors.length; f++) {
    const { size: q, levels, index, Z } = factors[f]!;
    drawEffects(work.draws, problem, f, { theta, sigma, rng });
    for (let k = 0; k < q; k++) {
      for (let i = 0; i < n; i++) y[rows[i]!]! += Z.data[i + k * n]! * work.draws[index[i]! + k * levels]!;
    }
  }
  for (let i = 0; i < n; i++) y[rows[i]!]! += (sigma * rng.normal()) / (weights ? Math.sqrt(weights[i]!) : 1);
}

interface Draw {
  readonly theta: ArrayLike<number>;
  readonly sigma: number;
  readonly rng: Rng;
}

/** b = σTu of all levels of factor f, column by column. */
function drawEffects(b: Float64Array, { factors }: LmmProblem, f: number, { theta, sigma, rng }: Draw): void {
  const { size: q, levels, theta: place, row, col } = factors[f]!;
  b.fill(0, 0, levels * q);
  for (let l = 0; l < levels; l++) {
    let entry = 0; // the entries of T lie column by column
    for (let c = 0; c < q; c++) {
      const u = sigma * rng.normal();
      for (; entry < place.length && col[entry] === c; entry++)
        b[l + row[entry]! * levels]! += theta[place[entry]!]! * u;
    }
  }
}
