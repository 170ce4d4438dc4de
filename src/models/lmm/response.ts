/** What a mixed model needs of one response: the only part that a new y makes necessary to compute again.
 *
 *  The least-squares fit on X is taken out first: the criterion does not change when Xβ is added to y, and the sums of squares
 *  of its residuals keep the digits that a large mean would cost. For each pattern of factor 0 the sum and the sum of squares
 *  over its levels are enough to evaluate the criterion at any θ:
 *
 *      e = y - offset - Xβ0,   z_l = (Z1'We)_l,   s = Σ_l z_l,   Q = Σ_l z_l z_l',   A2y = Z2'We,   yy = e'We  */
import type { LmmFactor, LmmProblem } from "./problem.ts";

export interface LmmResponse {
  /** β0 of the least-squares fit. */
  readonly beta0: Float64Array;
  /** Residuals of that fit, one per row of the problem. */
  readonly residuals: Float64Array;
  /** z_l of every level of factor 0. */
  readonly z: Float64Array;
  /** s and Q by pattern. */
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  readonly A2y: Float64Array;
  /** R⁻ᵀX'We: rounding error of the least-squares fit. */
  readonly Axy: Float64Array;
  /** Only element 0: e'We. */
  readonly yy: Float64Array;
}

export function makeResponse({ rows, cross, factors }: LmmProblem): LmmResponse {
  const { first, m, p } = cross;
  const q = first.size;
  return {
    beta0: new Float64Array(p),
    residuals: new Float64Array(rows.length),
    z: new Float64Array(factors[0]!.levels * q),
    sums: new Float64Array(first.patterns * q),
    squares: new Float64Array(first.patterns * q * q),
    A2y: new Float64Array(m),
    Axy: new Float64Array(p),
    yy: new Float64Array(1),
  };
}

/** y has one value for each row of the design. */
export function summarizeResponse(problem: LmmProblem, y: Float64Array): LmmResponse {
  const response = makeResponse(problem);
  summarizeResponseInto(response, problem, y);
  return response;
}

export function summarizeResponseInto(out: LmmResponse, problem: LmmProblem, y: Float64Array): void {
  const { rows, offset, factors, weights, cross } = problem;
  const { residuals: e } = out;
  if (rows.length === y.length) e.set(y);
  else for (let i = 0; i < e.length; i++) e[i] = y[rows[i]!]!;
  if (offset) for (let i = 0; i < e.length; i++) e[i]! -= offset[i]!;
  out.beta0.fill(0);
  takeOutFixed(out, problem);
  takeOutFixed(out, problem); // once more, for the digits that a large mean cost the first time
  scoreInto(out.Axy, problem, e);
  out.z.fill(0);
  addGroupSums(out.z, factors[0]!, e, weights);
  out.A2y.fill(0);
  for (let f = 1; f < factors.length; f++) addGroupSums(out.A2y, factors[f]!, e, weights);
  let yy = 0;
  for (let i = 0; i < e.length; i++) yy += (weights ? weights[i]! : 1) * e[i]! * e[i]!;
  out.yy[0] = yy;
  sumPatterns(out, cross.first.patternOf, cross.first.size);
}

/** out ← R⁻ᵀX'We. */
function scoreInto(out: Float64Array, { X, inverseR, weights }: LmmProblem, e: Float64Array): void {
  const { rows: n, cols: p, data } = X;
  for (let j = 0; j < p; j++) {
    let s = 0;
    if (weights) for (let i = 0; i < n; i++) s += data[i + j * n]! * weights[i]! * e[i]!;
    else for (let i = 0; i < n; i++) s += data[i + j * n]! * e[i]!;
    out[j] = s;
  }
  for (let j = p - 1; j >= 0; j--) {
    let s = 0;
    for (let k = 0; k <= j; k++) s += inverseR.data[k + j * p]! * out[k]!;
    out[j] = s;
  }
}

/** One step of least squares on X: e ← e - Xδ, β0 ← β0 + δ. */
function takeOutFixed(out: LmmResponse, problem: LmmProblem): void {
  const { X, inverseR } = problem;
  const { rows: n, cols: p, data } = X;
  const { Axy: score, residuals: e, beta0 } = out;
  scoreInto(score, problem, e);
  for (let j = 0; j < p; j++) {
    let delta = 0;
    for (let k = j; k < p; k++) delta += inverseR.data[j + k * p]! * score[k]!;
    beta0[j]! += delta;
    for (let i = 0; i < n; i++) e[i]! -= delta * data[i + j * n]!;
  }
}

/** out ← out + Z'We for one factor, from its offset. */
export function addGroupSums(
  out: Float64Array,
  { Z, index, size: q, offset }: LmmFactor,
  e: Float64Array,
  weights: Float64Array | undefined,
): void {
  const n = Z.rows;
  for (let k = 0; k < q; k++) {
    const column = k * n;
    if (weights) {
      for (let i = 0; i < n; i++) out[offset + index[i]! * q + k]! += Z.data[column + i]! * weights[i]! * e[i]!;
    } else for (let i = 0; i < n; i++) out[offset + index[i]! * q + k]! += Z.data[column + i]! * e[i]!;
  }
}

function sumPatterns({ z, sums, squares }: LmmResponse, patternOf: Int32Array, q: number): void {
  sums.fill(0);
  squares.fill(0);
  for (let l = 0; l < patternOf.length; l++) {
    const p = patternOf[l]!;
    for (let b = 0; b < q; b++) {
      const zb = z[l * q + b]!;
      sums[p * q + b]! += zb;
      for (let a = 0; a < q; a++) squares[p * q * q + a + b * q]! += z[l * q + a]! * zb;
    }
  }
}
