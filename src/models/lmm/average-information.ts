/** The average information of θ: half-way between the observed and the expected Hessian of the criterion, without traces.
 *
 *      H_kl = ν (w_k'P w_l / r² - (y'P w_k)(y'P w_l) / r⁴),   w_k = V_k P y,   V_k = ∂V/∂θ_k,   P = V⁻¹ - V⁻¹X(X'V⁻¹X)⁻¹X'V⁻¹
 *
 *  With e the conditional residuals, g = Z'We = Z'Py and u = Λ'g, the entry (i, j) of T has w = Z_i u_j + (ZT)_j g_i, row by
 *  row. w'Pw is the penalised sum of squares of w taken as a response, so one projection gives it; products of two by
 *  polarisation. Unlike the expected information of start.ts it knows how the factors overlap, and unlike a Hessian by
 *  differences it needs one factorisation.
 *  Reference: Gilmour, Thompson & Cullis (1995), Biometrics 51; Johnson & Thompson (1995), J. Dairy Sci. 78.
 *  Limits:    never indefinite, so no evidence of a minimum; only a metric for the search. */
import { randomEffects } from "./modes.ts";
import { factorAt, projectResponse } from "./objective.ts";
import type { LmmFactor, LmmProblem } from "./problem.ts";
import { addGroupSums, type LmmResponse, makeResponse, summarizeResponseInto } from "./response.ts";

/** Row-major, at θ. */
export function averageInformation(problem: LmmProblem, theta: Float64Array, response: LmmResponse): Float64Array {
  const { nobs, cross, criterion, weights, work } = problem;
  const k = theta.length;
  const H = new Float64Array(k * k);
  if (!factorAt(problem, theta)) return H.fill(Number.NaN);
  const e = conditionalResiduals(problem, response);
  const r2 = work.scalars[2]!;
  const directions = Array.from({ length: k }, () => new Float64Array(nobs));
  problem.factors.forEach((factor, f) => {
    directionsInto(directions, factor, { T: work.T[f]!, e, weights });
  });
  const squared = squaredNorm(problem);
  const own = directions.map((w) => squared(w));
  const slopes = directions.map((w) => w.reduce((s, v, i) => s + v * e[i]! * (weights ? weights[i]! : 1), 0));
  const df = criterion === "REML" ? nobs - cross.p : nobs;
  for (let a = 0; a < k; a++) {
    for (let b = 0; b <= a; b++) {
      const sum = a === b ? 0 : squared(directions[a]!.map((v, i) => v + directions[b]![i]!));
      const product = a === b ? own[a]! : (sum - own[a]! - own[b]!) / 2;
      const h = (df * (product - (slopes[a]! * slopes[b]!) / r2)) / r2;
      H[a * k + b] = h;
      H[b * k + a] = h;
    }
  }
  return H;
}

/** y - Xβ - Zb at the θ that was factored last. */
function conditionalResiduals(problem: LmmProblem, response: LmmResponse): Float64Array {
  const { X, inverseR, factors, work } = problem;
  const effects = randomEffects(problem, response);
  const e = response.residuals.slice();
  const { rows: n, cols: p } = X;
  for (let j = 0; j < p; j++) {
    let delta = 0;
    for (let k = j; k < p; k++) delta += inverseR.data[j + k * p]! * work.gamma[k]!;
    for (let i = 0; i < n; i++) e[i]! -= delta * X.data[i + j * n]!;
  }
  factors.forEach(({ Z, index, size }, f) => {
    const b = effects[f]!;
    for (let j = 0; j < size; j++) for (let i = 0; i < n; i++) e[i]! -= Z.data[i + j * n]! * b[index[i]! * size + j]!;
  });
  return e;
}

interface Residuals {
  readonly T: Float64Array;
  readonly e: Float64Array;
  readonly weights: Float64Array | undefined;
}

/** w_k of the parameters of one factor. */
function directionsInto(out: readonly Float64Array[], factor: LmmFactor, { T, e, weights }: Residuals): void {
  const { Z, index, size: q, levels, theta, row, col } = factor;
  const n = Z.rows;
  const g = new Float64Array(levels * q);
  addGroupSums(g, { ...factor, offset: 0 }, e, weights);
  theta.forEach((k, entry) => {
    const w = out[k]!;
    const i = row[entry]!;
    const j = col[entry]!;
    for (let r = 0; r < n; r++) {
      const at = index[r]! * q;
      let u = 0;
      let zT = 0;
      for (let a = j; a < q; a++) {
        u += T[a + j * q]! * g[at + a]!;
        zT += T[a + j * q]! * Z.data[r + a * n]!;
      }
      w[r] = Z.data[r + i * n]! * u + zT * g[at + i]!;
    }
  });
}

/** w ↦ w'Pw at the θ that was factored last. */
function squaredNorm(problem: LmmProblem): (w: Float64Array) => number {
  const { design, rows, offset } = problem;
  const scratch = makeResponse(problem);
  const y = new Float64Array(design.y.length);
  return (w) => {
    for (let i = 0; i < w.length; i++) y[rows[i]!] = w[i]! + (offset ? offset[i]! : 0);
    summarizeResponseInto(scratch, problem, y);
    return projectResponse(problem, scratch);
  };
}
