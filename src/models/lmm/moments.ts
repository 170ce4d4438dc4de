/** Z'H⁻¹Z and Z'H⁻¹[X e] of a mixed model, H = W⁻¹ + ZΛΛ'Z', from the factors that its criterion makes at θ (objective.ts): what
 *  tests of its coefficients are made of. With 1 for factor 0, 2 for the others, G, A11, A12, R22, S22 as there and, by pattern,
 *
 *      E = I - G'G A11,   F = E'A11,   B = E'A12,   N = Λ2 S22⁻¹Λ2':
 *      Z1'H⁻¹Z1 = F - BNB',   Z1'H⁻¹Z2 = B(I - NR22),   Z2'H⁻¹Z2 = R22 - R22 N R22
 *      Z1'H⁻¹X = E'(A1x - A12 J),   Z1'H⁻¹e = E'(z - h) by level,   Z2'H⁻¹[X e] = [GX g] of gradient.ts
 *
 *  Where Λ2 has an inverse that is not too large, I - NR22 = Λ2 S22⁻¹Λ2⁻¹ and R22 - R22 N R22 = Λ2⁻ᵀ(I - S22⁻¹)Λ2⁻¹ save two
 *  products of order m³.
 *  Reference: Henderson & Searle (1981), SIAM Review 23; Bates et al. (2015), J. Stat. Softw. 67(1), for the notation.
 *  Oracle:    the same products from dense n × n matrices (derivatives.test.ts).
 *  Limits:    S22⁻¹ is dense, m × m, whether R22 is sparse or not: refuseCostly says so before it is begun. Relative errors grow with
 *             the largest 1 + n_level·λ² (a few digits in practice). */
import { cholInverse } from "../../numeric/linalg/cholesky.ts";
import { addScaledAt } from "../../numeric/linalg/kernel.ts";
import { identity, type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { multiplyLarge } from "../../numeric/linalg/product.ts";
import { gramBlock, multiplyBlock } from "../../numeric/linalg/small.ts";
import { solveLowerInto } from "../../numeric/linalg/triangular.ts";
import { fittedSums, fixedSums, otherSums } from "./gradient.ts";
import { reducedSchur } from "./objective.ts";
import type { LmmProblem } from "./problem.ts";
import type { LmmResponse } from "./response.ts";
import { blocksTimesInto, type Schur, solveSchurL, solveSchurLt, timesBlocksInto } from "./schur.ts";

export interface LmmMoments {
  readonly problem: LmmProblem;
  /** F and the diagonal blocks of BNB', q × q by pattern. */
  readonly F: Float64Array;
  readonly own: Float64Array;
  /** In the layout of A12. */
  readonly B: Float64Array;
  readonly N: Matrix;
  /** I - NR22. */
  readonly keep: Matrix;
  /** Z2'H⁻¹Z2. */
  readonly S: Matrix;
  /** Z1'H⁻¹X, q × p by pattern; the sum of Z1'H⁻¹e over the levels of a pattern, and of its products, q × q. */
  readonly X1: Float64Array;
  readonly e1: Float64Array;
  readonly ee1: Float64Array;
  /** Z2'H⁻¹[X e]. */
  readonly XE2: Matrix;
}

/** At the θ that was factored last, after projectResponse. */
export function lmmMoments(problem: LmmProblem, response: LmmResponse): LmmMoments {
  const { m, p } = problem.cross;
  const inverse = fullInverse(problem);
  const levels = levelBlocks(problem);
  if (m > 0) otherSums(problem, 0);
  const XE2: Matrix = { rows: m, cols: p + 1, data: problem.work.GX.slice(0, m * (p + 1)) };
  const own = ownBlocks(problem, levels.B, inverse.N);
  return { problem, F: levels.F, B: levels.B, own, ...inverse, ...firstSides(problem, response, levels.Et), XE2 };
}

/** E', F and B by pattern. */
function levelBlocks({ cross: { first }, work }: LmmProblem) {
  const { size: q, patterns, start, A11, A12 } = first;
  const Et = new Float64Array(patterns * q * q);
  const F = new Float64Array(patterns * q * q);
  const B = new Float64Array(A12.length);
  const K = new Float64Array(q * q);
  const product = new Float64Array(q * q);
  for (let pattern = 0; pattern < patterns; pattern++) {
    const at = pattern * q * q;
    gramBlock(K, work.G, at, q);
    multiplyBlock(product, 0, A11, at, K, 0, q);
    for (let t = 0; t < q * q; t++) Et[at + t] = (t % (q + 1) === 0 ? 1 : 0) - product[t]!;
    multiplyBlock(product, 0, Et, at, A11, at, q);
    for (let j = 0; j < q; j++)
      for (let i = 0; i < q; i++) F[at + i + j * q] = (product[i + j * q]! + product[j + i * q]!) / 2;
    for (let t = start[pattern]!; t < start[pattern + 1]!; t++) timesBlock(B, t * q, Et, at, A12, t * q, q);
  }
  return { Et, F, B };
}

/** y ← block · x. */
function timesBlock(
  y: Float64Array,
  to: number,
  block: Float64Array,
  at: number,
  x: Float64Array,
  from: number,
  q: number,
): void {
  for (let i = 0; i < q; i++) {
    let s = 0;
    for (let k = 0; k < q; k++) s += block[at + i + k * q]! * x[from + k]!;
    y[to + i] = s;
  }
}

/** The diagonal blocks of BNB', one a pattern. */
function ownBlocks({ cross: { first, m } }: LmmProblem, B: Float64Array, N: Matrix): Float64Array {
  const { size: q, patterns, start, index } = first;
  const own = new Float64Array(patterns * q * q);
  for (let l = 0; l < patterns; l++)
    for (let b = start[l]!; b < start[l + 1]!; b++) {
      const column = index[b]! * m;
      if (q === 1) {
        let s = 0;
        for (let a = start[l]!; a < start[l + 1]!; a++) s += N.data[column + index[a]!]! * B[a]!;
        own[l]! += B[b]! * s;
        continue;
      }
      for (let a = start[l]!; a < start[l + 1]!; a++) {
        const n = N.data[column + index[a]!]!;
        for (let j = 0; j < q; j++) {
          const nj = n * B[b * q + j]!;
          for (let i = 0; i < q; i++) own[(l * q + j) * q + i]! += nj * B[a * q + i]!;
        }
      }
    }
  return own;
}

function firstSides(problem: LmmProblem, { z }: LmmResponse, Et: Float64Array) {
  const { first, p } = problem.cross;
  const { size: q, patterns, patternOf } = first;
  const X1 = new Float64Array(patterns * q * p);
  const e1 = new Float64Array(patterns * q);
  const ee1 = new Float64Array(patterns * q * q);
  const h = new Float64Array(patterns * q);
  const a = new Float64Array(q * p);
  for (let pattern = 0; pattern < patterns; pattern++) {
    fittedSums(h.subarray(pattern * q, (pattern + 1) * q), problem, pattern);
    fixedSums(a, problem, pattern);
    for (let t = 0; t < a.length; t++) a[t] = -a[t]!;
    for (let j = 0; j < p; j++) timesBlock(X1, (pattern * p + j) * q, Et, pattern * q * q, a, j * q, q);
  }
  const left = new Float64Array(q);
  const d = new Float64Array(q);
  for (let l = 0; l < patternOf.length; l++) {
    const pattern = patternOf[l]!;
    for (let k = 0; k < q; k++) left[k] = z[l * q + k]! - h[pattern * q + k]!;
    timesBlock(d, 0, Et, pattern * q * q, left, 0, q);
    for (let j = 0; j < q; j++) {
      e1[pattern * q + j]! += d[j]!;
      for (let i = 0; i < q; i++) ee1[(pattern * q + j) * q + i]! += d[i]! * d[j]!;
    }
  }
  return { X1, e1, ee1 };
}

/** Below this order the products cost nothing. */
const LARGE = 200;
/** I - S22⁻¹ loses digits as the square of a small λ; from here on at most six of sixteen. */
const LEAST_LAMBDA = 1e-3;

/** N, I - NR22 and Z2'H⁻¹Z2. */
function fullInverse(problem: LmmProblem): Pick<LmmMoments, "N" | "keep" | "S"> {
  const { cross, work } = problem;
  const { m, schur } = cross;
  const { T } = work.others;
  const layout = denseLayout(schur);
  const inverse = denseInverse(schur);
  const scratch = new Float64Array(m * m);
  const N = zeros(m, m);
  blocksTimesInto(scratch, T, inverse.data, layout); // Λ2 S22⁻¹
  timesBlocksInto(N.data, scratch, T, layout);
  if (m >= LARGE && T.every((own, f) => isSafelyInvertible(own, schur.sizes[f]!))) {
    const inverseT = T.map((own, f) => invertTransposed(own, schur.sizes[f]!));
    const keep = zeros(m, m);
    timesBlocksInto(keep.data, scratch, inverseT, layout);
    for (let i = 0; i < m * m; i++) inverse.data[i] = (i % (m + 1) === 0 ? 1 : 0) - inverse.data[i]!;
    blocksTimesInto(scratch, inverseT, inverse.data, layout);
    timesBlocksInto(inverse.data, scratch, inverseT, layout);
    return { N, keep, S: inverse };
  }
  const R = reducedSchur(problem);
  const keep = timesSchur(N, R, schur);
  for (let i = 0; i < m * m; i++) keep.data[i] = (i % (m + 1) === 0 ? 1 : 0) - keep.data[i]!;
  return { N, keep, S: schurTimes(R, keep, schur) };
}

/** The layout of a full matrix over the same effects. */
function denseLayout(schur: Schur): Schur {
  if (schur.sparse === undefined) return schur;
  const { m } = schur;
  return { ...schur, sparse: undefined, size: m * m, start: Int32Array.from({ length: m + 1 }, (_, c) => c * m) };
}

function denseInverse(schur: Schur): Matrix {
  if (schur.sparse === undefined) return cholInverse(schur.L);
  const out = identity(schur.m);
  solveSchurL(out.data, schur.m, schur);
  solveSchurLt(out.data, schur.m, schur);
  return out;
}

/** A·R and R·A for a full A. */
function timesSchur(A: Matrix, R: Float64Array, { m, start, sparse }: Schur): Matrix {
  if (sparse === undefined) return multiplyLarge(A, { rows: m, cols: m, data: R });
  const out = zeros(m, m);
  for (let c = 0; c < m; c++)
    for (let t = start[c]!; t < start[c + 1]!; t++)
      addScaledAt(out.data, c * m, A.data, sparse.index[t]! * m, m, R[t]!);
  return out;
}

function schurTimes(R: Float64Array, A: Matrix, { m, start, sparse }: Schur): Matrix {
  if (sparse === undefined) return multiplyLarge({ rows: m, cols: m, data: R }, A);
  const out = zeros(m, m);
  for (let c = 0; c < m; c++)
    for (let r = 0; r < m; r++) {
      let s = 0;
      for (let t = start[r]!; t < start[r + 1]!; t++) s += R[t]! * A.data[sparse.index[t]! + c * m]!;
      out.data[r + c * m] = s;
    }
  return out;
}

function isSafelyInvertible(T: Float64Array, q: number): boolean {
  for (let j = 0; j < q; j++) if (!(T[j * (q + 1)]! > LEAST_LAMBDA)) return false;
  return true;
}

/** T⁻ᵀ of a lower triangle. */
function invertTransposed(T: Float64Array, q: number): Float64Array {
  const inverse = identity(q);
  solveLowerInto(inverse, { rows: q, cols: q, data: T });
  const out = new Float64Array(q * q);
  for (let j = 0; j < q; j++) for (let i = 0; i < q; i++) out[j + i * q] = inverse.data[i + j * q]!;
  return out;
}
