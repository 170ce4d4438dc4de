/** Numbers of a fit at given smoothing parameters that its criteria are made of. */
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import type { GamState } from "./inner.ts";
import { scaledInverse } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";

/** Unpenalised coefficients. */
export function nullDimension({ basis }: GamState): number {
  return basis.q - basis.penalised.reduce((sum, flag) => sum + flag, 0);
}

/** τ = tr A⁻¹X'WX = q - tr A⁻¹S_λ. The second way has no entry of a coefficient without a penalty: where the weights of its rows vanish, as
 *  beside a factor that separates two classes, the first one is rounding. With a ridge on what nothing determines A is not X'WX + S_λ. */
export function totalEdf(
  { nullSpace }: GamProblem,
  { basis, lambda, expected: { inverse, information } }: GamState,
): number {
  let sum = 0;
  if (nullSpace.cols > 0) {
    for (let i = 0; i < inverse.data.length; i++) sum += inverse.data[i]! * information.data[i]!;
    return sum;
  }
  basis.penalties.forEach(({ from, size, S }, j) => {
    for (let c = 0; c < size; c++)
      for (let r = 0; r < size; r++)
        sum += lambda[j]! * S.data[r + c * size]! * inverse.data[from + r + (from + c) * inverse.rows]!;
  });
  return basis.q - sum;
}

/** The minimiser φ of REML or ML at a state. */
export function profiledScale(problem: GamProblem, state: GamState): number {
  if (problem.family.knownDispersion) return 1;
  const M = problem.method === "REML" ? nullDimension(state) : 0;
  return (state.deviance + state.penalty) / (problem.nobs - problem.gamma * M);
}

/** A⁻¹ over the penalised coefficients, zero elsewhere. */
export function penalisedInverse({ A, basis }: GamState): { inverse: Matrix; logDet: number } {
  const index = Array.from(basis.penalised.keys()).filter((i) => basis.penalised[i] === 1);
  const r = index.length;
  const part = zeros(r, r);
  for (let c = 0; c < r; c++)
    for (let i = 0; i < r; i++) part.data[i + c * r] = A.data[index[i]! + index[c]! * A.rows]!;
  const { inverse: small, logDet } = scaledInverse(part);
  const inverse = zeros(A.rows, A.rows);
  for (let c = 0; c < r; c++)
    for (let i = 0; i < r; i++) inverse.data[index[i]! + index[c]! * A.rows] = small.data[i + c * r]!;
  return { inverse, logDet };
}
