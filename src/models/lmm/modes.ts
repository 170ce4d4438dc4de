/** Conditional modes (BLUPs) of the random effects, their conditional SDs, and the fitted values.
 *
 *      b̂_l = T u_l,   u_l = K (z_l - h)              factor 0 (gradient.ts for z, h, K)
 *      Cov(b | y, θ, σ) = σ² ΛM⁻¹Λ':   G'G + G'G F G'G with F = A12 Ẑ A12'   for a level of factor 0,
 *                                      Ẑ_ll                                   for a level of the others
 *
 *  The uncertainty of β and θ is left out, as in lme4.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), section 5.1 and eq. 57-59.
 *  Oracle:    lme4 (R): ranef(fit, condVar = TRUE), fitted; oracle/r/lmm.json. */
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { gramBlock, multiplyBlock } from "../../numeric/linalg/small.ts";
import { fittedSums, solveOthers } from "./gradient.ts";
import { addRandomPart, inverseDiagonal, invertOthers } from "./inverse.ts";
import { factorAt, projectResponse } from "./objective.ts";
import type { LmmProblem } from "./problem.ts";
import type { LmmResponse } from "./response.ts";
import type { LmmSolution } from "./solve.ts";

export interface LmmModes {
  /** One per block of design.random: levels × columns. */
  readonly modes: readonly Matrix[];
  /** Conditional SDs, in the same shape. */
  readonly sd: readonly Matrix[];
}

export function conditionalModes(problem: LmmProblem, { theta, sigma, response }: LmmSolution): LmmModes {
  const { factors, structure, cross } = problem;
  factorAt(problem, theta);
  const effects = randomEffects(problem, response);
  if (cross.m > 0) invertOthers(problem);
  const modes = structure.terms.map(({ levels, size }) => zeros(levels, size));
  const sd = structure.terms.map(({ levels, size }) => zeros(levels, size));
  const first = firstVariances(problem);
  factors.forEach((factor, f) => {
    const { levels, size, offset, terms } = factor;
    for (let l = 0; l < levels; l++) {
      for (let k = 0; k < size; k++) {
        const own = terms.findLast(({ column }) => column <= k)!;
        const at = l + (k - own.column) * levels;
        const c = offset + l * size + k;
        const variance = f === 0 ? first[cross.first.patternOf[l]! * size + k]! : inverseDiagonal(problem, c);
        modes[own.term]!.data[at] = effects[f]![l * size + k]!;
        sd[own.term]!.data[at] = sigma * Math.sqrt(variance);
      }
    }
  });
  return { modes: inBlockOrder(problem, modes), sd: inBlockOrder(problem, sd) };
}

/** b̂ by factor, the q effects of a level together, at the θ that was factored last. */
export function randomEffects(problem: LmmProblem, response: LmmResponse): Float64Array[] {
  const { factors, cross, work } = problem;
  projectResponse(problem, response);
  if (cross.m > 0) solveOthers(problem);
  const last = cross.p * cross.m;
  return factors.map(({ levels, size, offset }, f) =>
    f === 0 ? firstEffects(problem, response.z) : work.J.slice(last + offset, last + offset + levels * size),
  );
}

function firstEffects(problem: LmmProblem, z: Float64Array): Float64Array {
  const { factors, cross, work } = problem;
  const { size: q, patterns, patternOf } = cross.first;
  const T = work.T[0]!;
  const h = new Float64Array(patterns * q);
  for (let p = 0; p < patterns; p++) fittedSums(h.subarray(p * q, (p + 1) * q), problem, p);
  const b = new Float64Array(factors[0]!.levels * q);
  const u = new Float64Array(q);
  for (let l = 0; l < patternOf.length; l++) {
    const p = patternOf[l]!;
    for (let i = 0; i < q; i++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += work.K[p * q * q + i + k * q]! * (z[l * q + k]! - h[p * q + k]!);
      u[i] = s;
    }
    for (let i = 0; i < q; i++) for (let k = 0; k <= i; k++) b[l * q + i]! += T[i + k * q]! * u[k]!;
  }
  return b;
}

/** Conditional variances over σ² of the q effects of every pattern of factor 0. */
function firstVariances(problem: LmmProblem): Float64Array {
  const { first, m } = problem.cross;
  const { size: q, patterns } = first;
  const variance = new Float64Array(patterns * q);
  const [F, H, HF, HFH] = Array.from({ length: 4 }, () => new Float64Array(q * q)) as Float64Array[];
  for (let p = 0; p < patterns; p++) {
    F!.fill(0);
    if (m > 0) addRandomPart(F!, problem, p);
    gramBlock(H!, problem.work.G, p * q * q, q);
    multiplyBlock(HF!, 0, H!, 0, F!, 0, q);
    multiplyBlock(HFH!, 0, HF!, 0, H!, 0, q);
    for (let k = 0; k < q; k++) variance[p * q + k] = H![k * (q + 1)]! + HFH![k * (q + 1)]!;
  }
  return variance;
}

function inBlockOrder({ structure }: LmmProblem, byTerm: readonly Matrix[]): Matrix[] {
  const out: Matrix[] = [];
  structure.terms.forEach(({ block }, t) => {
    out[block] = byTerm[t]!;
  });
  return out;
}

/** offset + Xβ + Zb, and y minus that, one value per row of the problem. */
export function fittedValues(
  { X, offset, design, rows }: LmmProblem,
  beta: Float64Array,
  modes: readonly Matrix[],
): { fitted: Float64Array; residuals: Float64Array } {
  const n = X.rows;
  const fitted = offset ? offset.slice() : new Float64Array(n);
  for (let j = 0; j < X.cols; j++) for (let i = 0; i < n; i++) fitted[i]! += X.data[i + j * n]! * beta[j]!;
  design.random.forEach(({ index, Z }, block) => {
    const b = modes[block]!;
    for (let j = 0; j < Z.cols; j++) {
      for (let i = 0; i < n; i++) {
        const row = rows[i]!;
        fitted[i]! += Z.data[row + j * Z.rows]! * b.data[index[row]! + j * b.rows]!;
      }
    }
  });
  const residuals = new Float64Array(n);
  for (let i = 0; i < n; i++) residuals[i] = design.y[rows[i]!]! - fitted[i]!;
  return { fitted, residuals };
}
