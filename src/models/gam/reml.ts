/** REML and ML by ρ = log λ, twice; see criterion.ts. */
import { zeros } from "../../numeric/linalg/matrix.ts";
import {
  denseProduct,
  type GamDerivatives,
  hatDerivatives,
  penaltyColumns,
  type Slopes,
  secondSlopes,
  timesAll,
  traceOfColumns,
  traceOfPenalty,
  traceOfProduct,
} from "./derivatives.ts";
import { dot, type GamInner, type GamState } from "./inner.ts";
import { penaltyLogDet } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";
import { nullDimension, penalisedInverse, profiledScale } from "./quantities.ts";

export function likelihoodDerivatives(
  problem: GamProblem,
  inner: GamInner,
  state: GamState,
  slopes: Slopes,
): GamDerivatives {
  const { gamma, nobs: n, family, method } = problem;
  const m = slopes.first.length;
  const V = method === "REML" ? state.inverse : penalisedInverse(state).inverse;
  const columns = penaltyColumns(V, state);
  const logS = penaltyLogDet(state.basis, state.lambda);
  const exact = slopes.drift.length > 0;
  const dense = slopes.drift.map((drift, j) => denseProduct(state, V, columns[j]!, j, drift));
  const hat = inner.linear ? undefined : hatDerivatives(problem, inner, { state, V, kind: "observed", exact });
  const second = hat?.C === undefined ? undefined : secondSlopes(state, slopes, hat.g);
  const curved = hat?.C === undefined ? [] : timesAll(hat.C, slopes.first);
  const K1 = columns.map((P, j) => traceOfPenalty(state, P, j));
  const leftover = Float64Array.from(K1, (trace, j) => logS.gradient[j]! - trace);
  const D1 = slopes.pulls.map((pull) => dot(state.coefficients, pull));
  const M = method === "REML" ? nullDimension(state) : 0;
  const Dp = state.deviance + state.penalty;
  const phi = profiledScale(problem, state);
  const gradient = new Float64Array(m);
  const full = zeros(family.knownDispersion ? m : m + 1, family.knownDispersion ? m : m + 1);
  const hessian = new Float64Array(m * m);
  const weightPart = new Float64Array(m * m);
  for (let j = 0; j < m; j++) {
    const moved = hat === undefined ? 0 : dot(hat.g, slopes.first[j]!);
    gradient[j] = D1[j]! / (2 * phi * gamma) - 0.5 * (leftover[j]! - moved);
    for (let k = 0; k <= j; k++) {
      const D2 = (j === k ? D1[j]! : 0) + 2 * dot(slopes.pulls[j]!, slopes.first[k]!);
      const plain = (j === k ? K1[j]! : 0) - traceOfColumns(state, columns[j]!, j, columns[k]!, k);
      let K2 = plain;
      if (hat?.C !== undefined) {
        K2 = (j === k ? K1[j]! : 0) - traceOfProduct(dense[j]!, dense[k]!);
        K2 += dot(slopes.first[j]!, curved[k]!) + second!(j, k);
        weightPart[j + k * m] = weightPart[k + j * m] = 0.5 * (K2 - plain);
      }
      const value = D2 / (2 * phi * gamma) + 0.5 * (K2 - logS.hessian[j + k * m]!);
      full.data[j + k * full.rows] = full.data[k + j * full.rows] = value;
      // φ profiled out: the Schur complement in log φ
      const profile = family.knownDispersion ? 0 : (D1[j]! * D1[k]!) / (2 * phi * gamma * Dp);
      hessian[j + k * m] = hessian[k + j * m] = value - profile;
    }
    if (!family.knownDispersion)
      full.data[j + m * full.rows] = full.data[m + j * full.rows] = -D1[j]! / (2 * phi * gamma);
  }
  if (!family.knownDispersion) full.data[m + m * full.rows] = 0.5 * (n / gamma - M);
  return { gradient, hessian, weightPart, coefficientSlopes: slopes.first, leftover, fullHessian: full };
}
