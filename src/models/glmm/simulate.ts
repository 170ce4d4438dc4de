/** New responses from a generalised linear mixed model:  y ~ family(g⁻¹(xβ + offset + z'Λu)),  u ~ N(0, I).
 *
 *  The order of draws is fixed: the random effects term by term (in the order of θ), level by level, then one draw per row; the
 *  same stream of random numbers gives the same response.
 *  Oracle: moments of many draws; estimates from simulated responses. */

import { poissonQuantile } from "../../numeric/dist/poisson.ts";
import type { Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { refuseInfinite } from "../laplace/report.ts";
import type { GlmmFit } from "./glmm.ts";
import { type GlmmProblem, prepareGlmm } from "./solve.ts";

export interface GlmmParameters {
  /** In the order of the system's structure. */
  readonly theta: ArrayLike<number>;
  /** Of the kept columns. */
  readonly beta: ArrayLike<number>;
}

/** Shares of successes or counts like the fit's design.y; `parameters` replace the estimates. */
export function simulateGlmm(fit: GlmmFit, rng: Rng, parameters: Partial<GlmmParameters> = {}): Float64Array {
  const problem = prepareGlmm(fit.design, { family: fit.family, link: fit.link, maxMemory: Number.POSITIVE_INFINITY });
  const theta = parameters.theta ?? fit.theta;
  const beta = parameters.beta ?? fit.coefficients.map(({ value }) => value);
  return simulateResponses(problem, { theta, beta }, rng);
}

/** One value for each row of the design; rows of weight 0 get NaN. */
export function simulateResponses(problem: GlmmProblem, { theta, beta }: GlmmParameters, rng: Rng): Float64Array {
  const { glm, system, family } = problem;
  checkLength("elements of theta", theta.length, system.structure.term.length);
  checkLength("coefficients", beta.length, glm.X.cols);
  refuseInfinite({ theta, beta });
  const n = glm.rows.length;
  const eta = glm.offset.slice();
  for (let k = 0; k < glm.X.cols; k++) for (let i = 0; i < n; i++) eta[i]! += beta[k]! * glm.X.data[i + k * n]!;
  const u = new Float64Array(system.size);
  rng.fillNormal(u);
  const { structure, place, column, z, width } = system;
  for (let k = 0; k < structure.term.length; k++) {
    const from = place[structure.term[k]!]! + structure.row[k]!;
    const to = place[structure.term[k]!]! + structure.col[k]!;
    for (let i = 0; i < n; i++) eta[i]! += theta[k]! * z[i * width + from]! * u[column[i * width + to]!]!;
  }
  const y = new Float64Array(problem.design.y.length).fill(Number.NaN);
  for (let i = 0; i < n; i++) {
    const mu = glm.link.mu(eta[i]!);
    const trials = Math.round(glm.weights[i]!);
    y[glm.rows[i]!] =
      family === "poisson" ? poissonQuantile(rng.uniform(), mu) : rng.binomial(trials, Math.min(1, mu)) / trials;
  }
  return y;
}

function checkLength(what: string, found: number, wanted: number): void {
  if (found === wanted) return;
  throw new StatError(
    "WrongLength",
    `${found} values for ${wanted} ${what}.`,
    `give one number for each of the ${wanted}.`,
  );
}
