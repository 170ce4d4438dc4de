/** Conditional modes (BLUPs) of the random effects, their conditional SDs, and the fitted values.
 *
 *      b̂_l = T u_l,   u_l = K (z_l - h)              factor 0 (lmm-gradient.ts for z, h, K)
 *      Cov(b | y, θ, σ) = σ² ΛM⁻¹Λ':   G'G + G'G F G'G with F = A12 Ẑ A12'   for a level of factor 0,
 *                                      Ẑ_ll                                   for a level of the others
 *
 *  The uncertainty of β and θ is left out, as in lme4.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), section 5.1 and eq. 57-59.
 *  Oracle:    lme4 (R): ranef(fit, condVar = TRUE), fitted; oracle/r/lmm.json. */
import { type Matrix, zeros } from "../numeric/linalg/matrix.ts";
import { addRandomPart, fittedSums, gramAt, inverseSchur, solveOthers } from "./lmm-gradient.ts";
import { factorAt, multiplyAt, projectResponse } from "./lmm-objective.ts";
import type { LmmFactor, LmmProblem } from "./lmm-problem.ts";
import type { LmmSolution } from "./lmm-solve.ts";

export interface LmmModes {
  /** One per block of design.random: levels × columns. */
  readonly modes: readonly Matrix[];
  /** Conditional SDs, in the same shape. */
  readonly sd: readonly Matrix[];
}

export function conditionalModes(problem: LmmProblem, { theta, sigma, response }: LmmSolution): LmmModes {
  const { factors, structure, cross, work } = problem;
  factorAt(problem, theta);
  projectResponse(problem, response);
  if (cross.m > 0) {
    solveOthers(problem);
    inverseSchur(problem);
  }
  const modes = structure.terms.map(({ levels, size }) => zeros(levels, size));
  const sd = structure.terms.map(({ levels, size }) => zeros(levels, size));
  const scatter = (factor: LmmFactor, level: number, column: number, b: number, variance: number): void => {
    const place = factor.terms.findLast((t) => t.column <= column)!;
    const at = level + (column - place.column) * factor.levels;
    modes[place.term]!.data[at] = b;
    sd[place.term]!.data[at] = sigma * Math.sqrt(variance);
  };
  eachFirst(problem, response.z, scatter);
  const { m, p, schur } = cross;
  for (const factor of factors.slice(1)) {
    for (let l = 0; l < factor.levels; l++) {
      for (let k = 0; k < factor.size; k++) {
        const c = factor.offset + l * factor.size + k;
        scatter(factor, l, k, work.J[p * m + c]!, work.Z[diagonalPosition(schur, c)]!);
      }
    }
  }
  return { modes: inBlockOrder(problem, modes), sd: inBlockOrder(problem, sd) };
}

function diagonalPosition({ start, sparse }: LmmProblem["cross"]["schur"], c: number): number {
  if (sparse === undefined) return start[c]! + c;
  let t = start[c]!;
  while (sparse.index[t]! < c) t++;
  return t;
}

type Scatter = (factor: LmmFactor, level: number, column: number, b: number, variance: number) => void;

function eachFirst({ factors, cross, work }: LmmProblem, z: Float64Array, scatter: Scatter): void {
  const { first, m } = cross;
  const { size: q, patterns, patternOf } = first;
  const problem = { factors, cross, work };
  const h = new Float64Array(patterns * q);
  const variance = new Float64Array(patterns * q);
  const [own, F, H, HF, out] = Array.from({ length: 5 }, () => new Float64Array(q * q)) as Float64Array[];
  for (let p = 0; p < patterns; p++) {
    fittedSums(own!, problem, p);
    h.set(own!.subarray(0, q), p * q);
    F!.fill(0);
    if (m > 0) addRandomPart(F!, problem, p);
    gramAt(H!, work.G, p * q * q, q);
    multiplyAt(HF!, 0, H!, 0, F!, 0, q);
    multiplyAt(out!, 0, HF!, 0, H!, 0, q);
    for (let k = 0; k < q; k++) variance[p * q + k] = H![k * (q + 1)]! + out![k * (q + 1)]!;
  }
  const u = new Float64Array(q);
  const T = work.T[0]!;
  for (let l = 0; l < factors[0]!.levels; l++) {
    const p = patternOf[l]!;
    for (let i = 0; i < q; i++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += work.K[p * q * q + i + k * q]! * (z[l * q + k]! - h[p * q + k]!);
      u[i] = s;
    }
    for (let i = 0; i < q; i++) {
      let b = 0;
      for (let k = 0; k <= i; k++) b += T[i + k * q]! * u[k]!;
      scatter(factors[0]!, l, i, b, variance[p * q + i]!);
    }
  }
}

function inBlockOrder({ structure }: LmmProblem, byTerm: readonly Matrix[]): Matrix[] {
  const out: Matrix[] = [];
  structure.terms.forEach(({ block }, t) => {
    out[block] = byTerm[t]!;
  });
  return out;
}

/** offset + Xβ (the fixed part), and with the random effects added, one value per row of the problem. */
export function fittedValues(
  { X, offset, design, rows }: LmmProblem,
  beta: Float64Array,
  modes: readonly Matrix[],
): { fixed: Float64Array; fitted: Float64Array } {
  const n = X.rows;
  const fixed = offset ? offset.slice() : new Float64Array(n);
  for (let j = 0; j < X.cols; j++) for (let i = 0; i < n; i++) fixed[i]! += X.data[i + j * n]! * beta[j]!;
  const fitted = fixed.slice();
  design.random.forEach(({ index, Z }, block) => {
    const b = modes[block]!;
    for (let j = 0; j < Z.cols; j++) {
      for (let i = 0; i < n; i++) {
        const row = rows[i]!;
        fitted[i]! += Z.data[row + j * Z.rows]! * b.data[index[row]! + j * b.rows]!;
      }
    }
  });
  return { fixed, fitted };
}
