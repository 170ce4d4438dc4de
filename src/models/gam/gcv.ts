/** GCV (its logarithm) and UBRE (times n) by ρ = log λ, twice; see criterion.ts. */
import { type Matrix, tMatVec, zeros } from "../../numeric/linalg/matrix.ts";
import { multiplyLarge } from "../../numeric/linalg/product.ts";
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
  weightDrift,
} from "./derivatives.ts";
import { dot, type GamInner, type GamState } from "./inner.ts";
import { isCanonical } from "./likelihood.ts";
import { penaltyLogDet } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";
import { totalEdf } from "./quantities.ts";

export function validationDerivatives(
  problem: GamProblem,
  inner: GamInner,
  state: GamState,
  slopes: Slopes,
): GamDerivatives {
  const { gamma, nobs: n, family } = problem;
  const { information, basis } = state;
  const { inverse } = state.expected;
  const m = slopes.first.length;
  // the edf are those of the expected weights, whose drift differs where the link is not canonical
  const drift =
    slopes.drift.length === 0 || isCanonical(inner.response)
      ? slopes.drift
      : weightDrift(problem, { state, first: slopes.first, slope: inner.rowsAt(state).fisherSlope });
  const columns = penaltyColumns(inverse, state);
  const S = zeros(basis.q, basis.q);
  basis.penalties.forEach(({ from, size, S: own }, j) => {
    for (let c = 0; c < size; c++)
      for (let r = 0; r < size; r++)
        S.data[from + r + (from + c) * basis.q]! += state.lambda[j]! * own.data[r + c * size]!;
  });
  const H = multiplyLarge(inverse, S);
  const G = multiplyLarge(H, inverse);
  const G_columns = penaltyColumns(G, state);
  const dense = drift.map((own, j) => denseProduct(state, inverse, columns[j]!, j, own));
  const denseG = drift.map((own, j) => denseProduct(state, G, G_columns[j]!, j, own));
  const exact = drift.length > 0;
  const hat = inner.linear ? undefined : hatDerivatives(problem, inner, { state, V: G, kind: "expected", exact });
  const second = hat?.C === undefined ? undefined : secondSlopes(state, slopes, hat.g);
  const curved = hat?.C === undefined ? [] : timesAll(hat.C, slopes.first);
  const pull = tMatVec(S, state.coefficients);
  const pulled = secondSlopes(state, slopes, pull);
  const pulledPlainly = exact ? secondSlopes(state, { ...slopes, drift: [] }, pull) : pulled;
  const informed = timesAll(information, slopes.first);
  const K1 = columns.map((P, j) => traceOfPenalty(state, P, j));
  const tau1 = K1.map(
    (trace, j) =>
      traceOfPenalty(state, G_columns[j]!, j) - trace + (hat === undefined ? 0 : dot(hat.g, slopes.first[j]!)),
  );
  const D1 = slopes.first.map((direction) => -2 * dot(pull, direction));
  const tau = totalEdf(problem, state);
  const free = n - gamma * tau;
  const D = state.deviance;
  const gradient = new Float64Array(m);
  const hessian = new Float64Array(m * m);
  const weightPart = new Float64Array(m * m);
  for (let j = 0; j < m; j++) {
    gradient[j] = family.knownDispersion ? D1[j]! + 2 * gamma * tau1[j]! : D1[j]! / D + (2 * gamma * tau1[j]!) / free;
    for (let k = 0; k <= j; k++) {
      const D2 = 2 * dot(slopes.first[j]!, informed[k]!) - 2 * pulled(j, k);
      const own = j === k ? traceOfPenalty(state, G_columns[j]!, j) - K1[j]! : 0;
      const pair = traceOfColumns(state, columns[j]!, j, columns[k]!, k);
      const plain = own + 2 * (pair - traceOfColumns(state, columns[j]!, j, G_columns[k]!, k));
      let tau2 = plain;
      if (hat?.C !== undefined) {
        tau2 = own - 2 * traceOfProduct(dense[j]!, denseG[k]!);
        tau2 += traceWithPenalty(state, dense[k]!, columns[j]!, j) + traceWithPenalty(state, dense[j]!, columns[k]!, k);
        tau2 += dot(slopes.first[j]!, curved[k]!) + second!(j, k);
      }
      const value = family.knownDispersion
        ? D2 + 2 * gamma * tau2
        : D2 / D -
          (D1[j]! * D1[k]!) / (D * D) +
          (2 * gamma * tau2) / free +
          (2 * gamma * gamma * tau1[j]! * tau1[k]!) / (free * free);
      const [moreD, moreTau] = [2 * (pulledPlainly(j, k) - pulled(j, k)), 2 * gamma * (tau2 - plain)];
      const part = family.knownDispersion ? moreD + moreTau : moreD / D + moreTau / free;
      weightPart[j + k * m] = weightPart[k + j * m] = part;
      hessian[j + k * m] = hessian[k + j * m] = value;
    }
  }
  const ranks = penaltyLogDet(basis, state.lambda).gradient;
  const leftover = Float64Array.from(K1, (trace, j) => ranks[j]! - trace);
  return { gradient, hessian, weightPart, coefficientSlopes: slopes.first, leftover, fullHessian: zeros(0, 0) };
}

/** tr(P·A⁻¹λ_jS_j) for a dense P and the columns of the second factor. */
function traceWithPenalty({ basis }: GamState, P: Matrix, columns: Matrix, j: number): number {
  const q = P.rows;
  const { from, size } = basis.penalties[j]!;
  let sum = 0;
  for (let c = 0; c < size; c++)
    for (let i = 0; i < q; i++) sum += P.data[from + c + i * q]! * columns.data[i + c * q]!;
  return sum;
}
