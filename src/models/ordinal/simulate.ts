/** New ratings from a cumulative link (mixed) model:  y = 1 + #{j : τ_j < xβ + offset + z'Λu + ε},  u ~ N(0, I), ε ~ F.
 *
 *  The order of draws is fixed: the random effects term by term (in the order of θ), level by level, then one uniform number
 *  per row; the same stream of random numbers gives the same ratings.
 *  Oracle: shares of many draws; estimates from simulated ratings. */

import type { Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { refuseInfinite } from "../laplace/report.ts";

import type { ClmmFit } from "./clmm.ts";
import { type ClmmProblem, prepareClmm } from "./clmm-solve.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import { categoryProbabilities } from "./probabilities.ts";

export interface ClmmParameters {
  /** In the order of the system's structure. */
  readonly theta: ArrayLike<number>;
  /** Thresholds τ, one fewer than levels. */
  readonly cuts: ArrayLike<number>;
  /** Of the kept columns. */
  readonly beta: ArrayLike<number>;
}

/** Codes like those of the fit's design.y, one per row; `parameters` replace the estimates. Needs the fit's categories to be
 *  all of the scale. */
export function simulateClmm(fit: ClmmFit, rng: Rng, parameters: Partial<ClmmParameters> = {}): Float64Array {
  const problem = prepareClmm(fit.design, fit.levels, {
    link: fit.link,
    threshold: fit.threshold,
    maxMemory: Number.POSITIVE_INFINITY,
  });
  return simulateRatings(
    problem,
    {
      theta: parameters.theta ?? fit.theta,
      cuts: parameters.cuts ?? fit.cuts,
      beta: parameters.beta ?? fit.coefficients.map(({ value }) => value),
    },
    rng,
  );
}

/** Codes from 0, one for each row of the design; rows of weight 0 get NaN. */
export function simulateRatings(problem: ClmmProblem, parameters: ClmmParameters, rng: Rng): Float64Array {
  const { frame, system, link } = problem;
  const { theta, cuts, beta } = parameters;
  checkLengths(problem, parameters);
  refuseInfinite({ theta, cuts, beta });
  const n = frame.rows.length;
  const eta = frame.offset ? frame.offset.slice() : new Float64Array(n);
  for (let k = 0; k < frame.X.cols; k++) {
    for (let i = 0; i < n; i++) eta[i]! += beta[k]! * frame.X.data[i + k * n]!;
  }
  const u = new Float64Array(system.size);
  rng.fillNormal(u);
  const { structure, place, column, z, width } = system;
  for (let k = 0; k < structure.term.length; k++) {
    const from = place[structure.term[k]!]! + structure.row[k]!;
    const to = place[structure.term[k]!]! + structure.col[k]!;
    for (let i = 0; i < n; i++) eta[i]! += theta[k]! * z[i * width + from]! * u[column[i * width + to]!]!;
  }
  const drawn = drawCategory(rng, { link, cuts, eta });
  const y = new Float64Array(frame.design.y.length).fill(Number.NaN);
  for (let i = 0; i < n; i++) y[frame.rows[i]!] = drawn[i]!;
  return y;
}

/** One category, as a code from 0, for each linear predictor. */
export function drawCategory(
  rng: Rng,
  { link, cuts, eta }: { readonly link: CumulativeLink; readonly cuts: ArrayLike<number>; readonly eta: Float64Array },
): Float64Array {
  const P = categoryProbabilities(link, cuts, eta);
  return eta.map((_, i) => {
    let left = rng.uniform();
    let category = 0;
    while (category < cuts.length && left >= P.data[i + category * P.rows]!) left -= P.data[i + category++ * P.rows]!;
    return category;
  });
}

function checkLengths({ frame, system }: ClmmProblem, { theta, cuts, beta }: ClmmParameters): void {
  const wrong = (what: string, found: number, wanted: number): StatError =>
    new StatError(
      "WrongLength",
      `${found} values for ${wanted} ${what}.`,
      `give one number for each of the ${wanted}.`,
    );
  const count = system.structure.term.length;
  if (theta.length !== count) throw wrong("elements of theta", theta.length, count);
  if (beta.length !== frame.X.cols) throw wrong("coefficients", beta.length, frame.X.cols);
  if (cuts.length !== frame.levels.length - 1) throw wrong("thresholds", cuts.length, frame.levels.length - 1);
}
