/** The profiled criterion of a linear mixed model, minus two times the log-likelihood (ML) or the REML log-likelihood, at any θ.
 *
 *  With Λ(θ) block diagonal, V = W⁻¹ + ZΛΛ'Z', M = Λ'Z'WZΛ + I and r² the minimum over (u, β) of
 *  ‖W^½(y - Xβ - ZΛu)‖² + ‖u‖²,
 *
 *      ML:    log|M| + n (1 + log(2π r²/n)) - Σ log w                                              (eq. 34)
 *      REML:  log|M| + log|X'V⁻¹X| + (n - p)(1 + log(2π r²/(n - p))) - Σ log w                     (eq. 41)
 *
 *  Elimination of factor 0, for each pattern of levels with T its Λ: LL' = T'A11 T + I, G = L⁻¹T', and then
 *
 *      R22 = A22 - Σ A12'G'G A12,   R2x = A2x - Σ A12'G'G A1x,   Rxx = I - Σ A1x'G'G A1x
 *      S22 = Λ2'R22 Λ2 + I = L2 L2',   W = L2⁻¹Λ2'R2x,   C = Rxx - W'W,
 *
 *  where C is X'V⁻¹X in the basis X R⁻¹; the column of y is carried along in the same way, and r² is what remains of yy.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), eq. 18-20, 34, 41.
 *  Oracle:    lme4 (R): its deviance function at fixed θ, oracle/r/lmm.json, to 1e-9.
 *  Limits:    NaN when a factorisation breaks down, +∞ never: θ far from the data's scale is legal. */
import { choleskyInto, cholInverse, cholLogDet } from "../../numeric/linalg/cholesky.ts";
import { dotAt } from "../../numeric/linalg/kernel.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { factorBlock, multiplyBlock, solveBlock, solveBlockT } from "../../numeric/linalg/small.ts";
import { solveLowerTVectorAt, solveLowerVectorAt } from "../../numeric/linalg/triangular.ts";
import { usesRoots } from "./inverse.ts";
import type { LmmProblem } from "./problem.ts";
import { type LmmResponse, summarizeResponse } from "./response.ts";
import {
  blocksTimesInto,
  blocksTimesVectorInto,
  factorSchur,
  isScalar,
  mirrorInto,
  reduceInto,
  scaleLowerInto,
  schurLogDet,
  solveSchurL,
  timesBlocksInto,
} from "./schur.ts";

/** −2 log-likelihood at θ, profiled over β and σ. */
export function lmmObjective(problem: LmmProblem, theta: ArrayLike<number>, y: Float64Array | LmmResponse): number {
  const response = y instanceof Float64Array ? summarizeResponse(problem, y) : y;
  return factorAt(problem, theta) ? criterionOf(problem, projectResponse(problem, response)) : Number.NaN;
}

/** The criterion from the penalised residual sum of squares r² at the θ that was factored last. */
export function criterionOf({ criterion, nobs, cross, logDetXWX, logWeights, work }: LmmProblem, r2: number): number {
  const [logDetM, logDetC] = work.scalars;
  const df = criterion === "REML" ? nobs - cross.p : nobs;
  const fixed = criterion === "REML" ? logDetC! + logDetXWX : 0;
  return logDetM! + fixed + df * (1 + Math.log((2 * Math.PI * r2) / df)) - logWeights;
}

/** σ̂ at the θ that was factored last. */
export function residualSd({ criterion, nobs, cross }: LmmProblem, r2: number): number {
  return Math.sqrt(r2 / (criterion === "REML" ? nobs - cross.p : nobs));
}

/** (X'V⁻¹X)⁻¹ at θ: the covariance of β̂ over σ². */
export function fixedCovariance(problem: LmmProblem, theta: ArrayLike<number>): Matrix {
  const { cross, inverseR, work } = problem;
  const p = cross.p;
  const out = zeros(p, p);
  if (!factorAt(problem, theta)) {
    out.data.fill(Number.NaN);
    return out;
  }
  const inverse = cholInverse({ rows: p, cols: p, data: work.C });
  for (let a = 0; a < p; a++) {
    for (let b = 0; b <= a; b++) {
      let s = 0;
      for (let k = a; k < p; k++) {
        for (let l = b; l < p; l++)
          s += inverseR.data[a + k * p]! * inverse.data[k + l * p]! * inverseR.data[b + l * p]!;
      }
      out.data[a + b * p] = s;
      out.data[b + a * p] = s;
    }
  }
  return out;
}

/** β̂ = β0 + R⁻¹γ, with γ as left by projectResponse. */
export function coefficientsOf({ cross, inverseR, work }: LmmProblem, { beta0 }: LmmResponse): Float64Array {
  const p = cross.p;
  const beta = beta0.slice();
  for (let j = 0; j < p; j++) for (let k = j; k < p; k++) beta[j]! += inverseR.data[j + k * p]! * work.gamma[k]!;
  return beta;
}

/** Everything that depends on θ but not on y, into problem.work. False when a pivot is not positive. */
export function factorAt(problem: LmmProblem, theta: ArrayLike<number>): boolean {
  const { work, cross } = problem;
  if (isCurrent(work.theta, theta)) return true;
  work.theta[0] = Number.NaN; // until all is done
  fillTemplates(problem, theta);
  const { first, m, p, schur, A22, A2x } = cross;
  let logDetM = eliminateLevels(problem);
  if (Number.isNaN(logDetM)) return false;
  const { C, R2, W, others } = work;
  C.fill(0);
  for (let j = 0; j < p; j++) C[j * (p + 1)] = 1;
  R2.set(A2x.data);
  subtractFixed(problem);
  if (m > 0) {
    reduceInto(work.R, A22, work.V, { schur, first });
    work.scalars[4] = 1;
    if (isScalar(schur) && usesRoots(problem)) scaleLowerInto(work.S, others.Tt, work.R, schur);
    else {
      blocksTimesInto(work.Y, others.Tt, reducedSchur(problem), schur);
      timesBlocksInto(work.S, work.Y, others.Tt, schur);
    }
    if (!factorSchur(work.S, schur)) return false;
    logDetM += schurLogDet(schur);
    for (let j = 0; j < p; j++) blocksTimesVectorInto(W, others.Tt, R2, schur, j * m);
    solveSchurL(W, p, schur);
    for (let j = 0; j < p; j++) {
      for (let i = j; i < p; i++) C[i + j * p]! -= dotAt(W, i * m, W, j * m, m);
    }
  }
  const CC = { rows: p, cols: p, data: C };
  if (p > 0 && choleskyInto(CC, CC) >= 0) return false;
  work.scalars[0] = logDetM;
  work.scalars[1] = p > 0 ? cholLogDet(CC) : 0;
  for (let k = 0; k < work.theta.length; k++) work.theta[k] = theta[k]!;
  return true;
}

/** R22 at the θ that was factored last, both triangles: with roots and single numbers for blocks only the lower one was needed so far. */
export function reducedSchur({ cross, work }: LmmProblem): Float64Array {
  if (work.scalars[4] === 1) mirrorInto(work.R, cross.schur);
  work.scalars[4] = 0;
  return work.R;
}

function isCurrent(last: Float64Array, theta: ArrayLike<number>): boolean {
  for (let k = 0; k < last.length; k++) if (last[k] !== theta[k]) return false;
  return true;
}

function fillTemplates({ factors, work }: LmmProblem, theta: ArrayLike<number>): void {
  for (let f = 0; f < factors.length; f++) {
    const { theta: place, row, col, size } = factors[f]!;
    for (let e = 0; e < place.length; e++) {
      work.T[f]![row[e]! + col[e]! * size] = theta[place[e]!]!;
      work.Tt[f]![col[e]! + row[e]! * size] = theta[place[e]!]!;
    }
  }
}

/** G, K, V and Vx of every pattern; returns log |T'A11 T + I| over all levels, or NaN. */
function eliminateLevels({ cross, work }: LmmProblem): number {
  const { first, p } = cross;
  const { size: q, patterns, start, count } = first;
  const { G, K, V, Vx } = work;
  let logDet = 0;
  for (let pattern = 0; pattern < patterns; pattern++) {
    const at = pattern * q * q;
    const log = q === 1 ? eliminateScalar(work.T[0]![0]!, first.A11, G, K, at) : eliminateBlock(work, first.A11, at, q);
    if (Number.isNaN(log)) return Number.NaN;
    logDet += count[pattern]! * log;
    timesColumns(V, start[pattern]! * q, G, at, first.A12, start[pattern + 1]! - start[pattern]!, q);
    timesColumns(Vx, pattern * q * p, G, at, first.A1x, p, q);
  }
  return logDet;
}

function eliminateScalar(t: number, A11: Float64Array, G: Float64Array, K: Float64Array, at: number): number {
  const square = t * t * A11[at]! + 1;
  const root = Math.sqrt(square);
  G[at] = t / root;
  K[at] = t / square;
  return square < Number.POSITIVE_INFINITY ? Math.log(square) : Number.NaN;
}

function eliminateBlock({ T, G, K, blocks }: LmmProblem["work"], A11: Float64Array, at: number, q: number): number {
  const Tf = T[0]!;
  const L = blocks[0]!;
  const AT = blocks[1]!;
  multiplyBlock(AT, 0, A11, at, Tf, 0, q);
  for (let j = 0; j < q; j++) {
    for (let i = j; i < q; i++) {
      let s = i === j ? 1 : 0;
      for (let k = i; k < q; k++) s += Tf[k + i * q]! * AT[k + j * q]!; // T is lower triangular
      L[i + j * q] = s;
    }
  }
  if (!factorBlock(L, 0, q)) return Number.NaN;
  let logDet = 0;
  for (let c = 0; c < q; c++) {
    const col = at + c * q;
    logDet += 2 * Math.log(L[c * (q + 1)]!);
    for (let i = 0; i < q; i++) G[col + i] = Tf[c + i * q]!; // T' has entry (i, c)
    solveBlock(G, col, L, 0, q);
    for (let i = 0; i < q; i++) K[col + i] = G[col + i]!;
    solveBlockT(K, col, L, 0, q);
  }
  return logDet;
}

/** `cols` columns of length q, from the same place in both: V ← G·A. */
function timesColumns(
  V: Float64Array,
  from: number,
  G: Float64Array,
  at: number,
  A: Float64Array,
  cols: number,
  q: number,
): void {
  if (q === 1) {
    const g = G[at]!;
    for (let t = from; t < from + cols; t++) V[t] = g * A[t]!;
    return;
  }
  for (let t = from; t < from + cols * q; t += q) {
    for (let i = 0; i < q; i++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += G[at + i + k * q]! * A[t + k]!;
      V[t + i] = s;
    }
  }
}

/** R2x ← A2x - ΣV'Vx and lower triangle of C ← I - ΣVx'Vx. */
function subtractFixed({ cross, work }: LmmProblem): void {
  const { first, m, p } = cross;
  const { size: q, start, index, count } = first;
  const { V, Vx, R2, C } = work;
  for (let pattern = 0; pattern < first.patterns; pattern++) {
    const n = count[pattern]!;
    const x = pattern * q * p;
    if (q === 1) {
      subtractScalar(R2, C, V, Vx, index, n, x, start[pattern]!, start[pattern + 1]!, m, p);
      continue;
    }
    for (let j = 0; j < p; j++) {
      for (let t = start[pattern]!; t < start[pattern + 1]!; t++) {
        let s = 0;
        for (let k = 0; k < q; k++) s += V[t * q + k]! * Vx[x + j * q + k]!;
        R2[index[t]! + j * m]! -= n * s;
      }
      for (let i = j; i < p; i++) {
        let s = 0;
        for (let k = 0; k < q; k++) s += Vx[x + i * q + k]! * Vx[x + j * q + k]!;
        C[i + j * p]! -= n * s;
      }
    }
  }
}

/** The same for one pattern of single random effects: its entries from … to, its columns of X from x on. */
function subtractScalar(
  R2: Float64Array,
  C: Float64Array,
  V: Float64Array,
  Vx: Float64Array,
  index: Int32Array,
  n: number,
  x: number,
  from: number,
  to: number,
  m: number,
  p: number,
): void {
  for (let j = 0; j < p; j++) {
    const own = n * Vx[x + j]!;
    const column = j * m;
    for (let t = from; t < to; t++) R2[column + index[t]!]! -= V[t]! * own;
    for (let i = j; i < p; i++) C[i + j * p]! -= Vx[x + i]! * own;
  }
}

/** Carries y through the factors at hand; leaves R2y, L2⁻¹Λ2'R2y and γ in problem.work and returns r². */
export function projectResponse({ cross, work }: LmmProblem, response: LmmResponse): number {
  const { first, m, p, schur } = cross;
  const { size: q, patterns, start, index } = first;
  const { G, V, Vx, R2, W, C, gamma, blocks } = work;
  const c1 = blocks[0]!;
  const y = p * m;
  R2.set(response.A2y, y);
  gamma.set(response.Axy);
  let r2 = response.yy[0]!;
  for (let pattern = 0; pattern < patterns; pattern++) {
    const at = pattern * q * q;
    r2 -= quadraticTrace(G, response.squares, at, q);
    for (let i = 0; i < q; i++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += G[at + i + k * q]! * response.sums[pattern * q + k]!;
      c1[i] = s;
    }
    for (let t = start[pattern]!; t < start[pattern + 1]!; t++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += V[t * q + k]! * c1[k]!;
      R2[y + index[t]!]! -= s;
    }
    for (let j = 0; j < p; j++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += Vx[(pattern * p + j) * q + k]! * c1[k]!;
      gamma[j]! -= s;
    }
  }
  if (m > 0) {
    blocksTimesVectorInto(W, work.others.Tt, R2, schur, y);
    solveSchurL(W.subarray(y, y + m), 1, schur);
    for (let j = 0; j < p; j++) gamma[j]! -= dotAt(W, j * m, W, y, m);
    r2 -= dotAt(W, y, W, y, m);
  }
  solveLowerVectorAt(C, 0, p, p, gamma, 0);
  r2 -= dotAt(gamma, 0, gamma, 0, p);
  solveLowerTVectorAt(C, 0, p, p, gamma, 0);
  work.scalars[2] = r2;
  return r2;
}

/** tr(G Q G') of one pattern. */
function quadraticTrace(G: Float64Array, Q: Float64Array, at: number, q: number): number {
  if (q === 1) return G[at]! * G[at]! * Q[at]!;
  let sum = 0;
  for (let i = 0; i < q; i++) {
    for (let b = 0; b < q; b++) {
      let s = 0;
      for (let a = 0; a < q; a++) s += G[at + i + a * q]! * Q[at + a + b * q]!;
      sum += s * G[at + i + b * q]!;
    }
  }
  return sum;
}
