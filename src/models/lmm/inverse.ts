/** S22⁻¹ of a mixed model as its gradient and its conditional variances need it, in one of two forms.
 *
 *  entries: Ẑ = Λ2 S22⁻¹Λ2' itself, where R22 has entries.
 *  roots:   Ũ = L2⁻¹Λ2', lower triangular up to the blocks of Λ2, with Ũ'Ũ = Ẑ: two thirds of the work of the dense inverse. From
 *           (Λ2'R22)Λ2 = S22 - I follows (Λ2'R22)'S22⁻¹ = Λ2⁻ᵀ(I - S22⁻¹), so that of S22⁻¹ only the blocks of single levels
 *           remain to be known; this needs Λ2 invertible and not too small, and pays when the order is large. */

import { invertLowerInto } from "../../numeric/linalg/cholesky.ts";
import { addScaledAt, dotAt } from "../../numeric/linalg/kernel.ts";
import { wasmQuadraticFormsInto } from "../../numeric/linalg/wasm.ts";
import { mostOf } from "../../result/extremes.ts";
import type { LmmFactor, LmmProblem, LmmWork } from "./problem.ts";
import { blocksTimesInto, invertSchurInto, isScalar, timesBlocksInto } from "./schur.ts";

/** From this order on the dense inverse dominates. */
const LARGE_ORDER = 200;
/** 1 - S22⁻¹ loses digits as the square of a small λ: from here on at most six of sixteen. */
const LEAST_DIAGONAL = 1e-3;
/** A12 Ẑ A12' by pattern, q × q each, for the roots in work.Z; absent when addFromRoots makes them one by one. */
const randomParts = new WeakMap<LmmWork, Float64Array>();

/** Whether work.inverse has the form of roots at the θ at hand. */
export function usesRoots({ cross, work, factors }: LmmProblem): boolean {
  if (cross.schur.sparse !== undefined || cross.m < LARGE_ORDER) return false;
  return factors.every(({ size }, f) => {
    const T = work.T[f]!;
    for (let i = 0; i < size; i++) if (f > 0 && Math.abs(T[i * (size + 1)]!) < LEAST_DIAGONAL) return false;
    return true;
  });
}

/** Ẑ or Ũ into work.Z, unless it is there already. */
export function invertOthers(problem: LmmProblem): void {
  const { inverseTheta, theta } = problem.work;
  if (theta.every((value, k) => value === inverseTheta[k])) return;
  invertSquare(problem);
  scaleInverse(problem);
}

/** S22⁻¹ or L2⁻¹ into work.Z, as sumTraces wants it. */
export function invertSquare(problem: LmmProblem): void {
  const { cross, work } = problem;
  work.inverseTheta.fill(Number.NaN);
  if (usesRoots(problem)) invertLowerInto({ rows: cross.m, cols: cross.m, data: work.Z }, cross.schur.L);
  else invertSchurInto(work.Z, cross.schur);
}

/** From there to Ẑ or Ũ. */
export function scaleInverse(problem: LmmProblem): void {
  const { cross, work } = problem;
  const { Z, S, others, inverseTheta, theta } = work;
  const roots = usesRoots(problem);
  if (roots && isScalar(cross.schur)) timesBlocksInto(Z, Z, others.T, cross.schur);
  else if (roots) {
    timesBlocksInto(S, Z, others.T, cross.schur);
    Z.set(S);
  } else {
    blocksTimesInto(S, others.T, Z, cross.schur);
    timesBlocksInto(Z, S, others.T, cross.schur);
  }
  inverseTheta.set(theta);
  work.scalars[3] = roots ? 1 : 0;
  if (roots) sumRandomParts(problem);
}

/** A12 Ẑ A12' of all patterns from the roots in work.Z, where there is a fast kernel for it. */
function sumRandomParts({ cross, work }: LmmProblem): void {
  const { first, m, schur } = cross;
  const { size, patterns, start, index, A12: values } = first;
  const parts = randomParts.get(work) ?? new Float64Array(patterns * size * size);
  const done = wasmQuadraticFormsInto(parts, work.Z, m, { size, start, index, values }, mostOf(schur.sizes));
  if (done === undefined) randomParts.delete(work);
  else randomParts.set(work, parts);
}

/** Σ over the levels of factor f of entry (i, j) of (Λ2'R22)'S22⁻¹, with S22⁻¹ or L2⁻¹ in work.Z. */
export function sumTraces(problem: LmmProblem, f: number, i: number, j: number): number {
  const { cross, work, factors } = problem;
  const { start } = cross.schur;
  const factor = factors[f]!;
  const { offset, levels, size } = factor;
  if (usesRoots(problem)) return sumRootTraces(problem, factor, work.T[f]!, i, j);
  let sum = 0;
  for (let l = 0; l < levels; l++) {
    const a = start[offset + l * size + i]!;
    const b = offset + l * size + j;
    sum += dotAt(work.Y, a, work.Z, start[b]!, start[b + 1]! - start[b]!);
  }
  return sum;
}

/** The same as entry (i, j) of T⁻ᵀ(I - (U'U)_ll). */
function sumRootTraces(
  { cross, work }: LmmProblem,
  { offset, levels, size: q }: LmmFactor,
  T: Float64Array,
  i: number,
  j: number,
): number {
  const { m } = cross;
  const { Z: U, blocks } = work;
  const x = blocks[0]!;
  let sum = 0;
  for (let l = 0; l < levels; l++) {
    const c = offset + l * q;
    for (let a = q - 1; a >= i; a--) {
      const from = c + Math.max(a, j);
      let s = (a === j ? 1 : 0) - dotAt(U, from + (c + a) * m, U, from + (c + j) * m, m - from);
      for (let b = a + 1; b < q; b++) s -= T[b + a * q]! * x[b]!;
      x[a] = s / T[a * (q + 1)]!;
    }
    sum += x[i]!;
  }
  return sum;
}

/** F ← F + A12 Ẑ A12' of one pattern, both triangles. */
export function addRandomPart(F: Float64Array, problem: LmmProblem, pattern: number): void {
  if (problem.work.scalars[3] === 1) addFromRoots(F, problem, pattern);
  else addFromEntries(F, problem, pattern);
}

function addFromRoots(F: Float64Array, { cross, work }: LmmProblem, pattern: number): void {
  const { first, m } = cross;
  const { size: q, start, index, A12 } = first;
  const { Z: U, columns: x } = work;
  const parts = randomParts.get(work);
  if (parts !== undefined) {
    for (let e = 0; e < q * q; e++) F[e]! += parts[pattern * q * q + e]!;
    return;
  }
  const from = start[pattern]!;
  const to = start[pattern + 1]!;
  if (from === to) return;
  const top = index[from]!;
  for (let k = 0; k < q; k++) x.fill(0, k * m + top, (k + 1) * m);
  let t = from;
  for (; t + 4 <= to; t += 4) {
    const row = blockRow(cross.schur, index[t]!); // columns ascend, so the next ones vanish above this row too
    for (let k = 0; k < q; k++) addFourColumns(x, k * m + row, m - row, U, row, m, index, A12, t, q, k);
  }
  for (; t < to; t++) {
    const row = blockRow(cross.schur, index[t]!);
    for (let k = 0; k < q; k++) addScaledAt(x, k * m + row, U, index[t]! * m + row, m - row, A12[t * q + k]!);
  }
  for (let j = 0; j < q; j++) {
    for (let i = 0; i < q; i++) F[i + j * q]! += dotAt(x, i * m + top, x, j * m + top, m - top);
  }
}

/** x += Σ A12[t, k] · U[, index[t]] over four entries from t: a quarter of the loads and stores of x. */
function addFourColumns(
  x: Float64Array,
  at: number,
  length: number,
  U: Float64Array,
  row: number,
  m: number,
  index: Int32Array,
  A12: Float64Array,
  t: number,
  q: number,
  k: number,
): void {
  const u0 = index[t]! * m + row;
  const u1 = index[t + 1]! * m + row;
  const u2 = index[t + 2]! * m + row;
  const u3 = index[t + 3]! * m + row;
  const a0 = A12[t * q + k]!;
  const a1 = A12[(t + 1) * q + k]!;
  const a2 = A12[(t + 2) * q + k]!;
  const a3 = A12[(t + 3) * q + k]!;
  for (let r = 0; r < length; r++)
    x[at + r]! += a0 * U[u0 + r]! + a1 * U[u1 + r]! + (a2 * U[u2 + r]! + a3 * U[u3 + r]!);
}

/** First row of the level that column c belongs to: Ũ vanishes above it. */
function blockRow({ factorOf, sizes, offsets }: LmmProblem["cross"]["schur"], c: number): number {
  const f = factorOf[c]!;
  return c - ((c - offsets[f]!) % sizes[f]!);
}

/** Half of Ẑ is visited. */
function addFromEntries(F: Float64Array, { cross, work }: LmmProblem, pattern: number): void {
  const { first, m, schur } = cross;
  const { size: q, start, index, A12 } = first;
  const { Z, blocks } = work;
  const v = blocks[4]!;
  const pairs = schur.sparse?.pairs;
  let at = schur.sparse === undefined ? 0 : schur.sparse.pairStart[pattern]!;
  const to = start[pattern + 1]!;
  for (let b = start[pattern]!; b < to; b++) {
    const column = index[b]! * m;
    if (q === 1) {
      let s = -0.5 * A12[b]! * Z[pairs === undefined ? column + index[b]! : pairs[at]!]!;
      if (pairs === undefined) for (let a = b; a < to; a++) s += Z[column + index[a]!]! * A12[a]!;
      else for (let a = b; a < to; a++) s += Z[pairs[at++]!]! * A12[a]!;
      F[0]! += 2 * A12[b]! * s;
      continue;
    }
    for (let k = 0; k < q; k++) v[k] = 0;
    for (let a = b; a < to; a++) {
      const z = (a === b ? 0.5 : 1) * Z[pairs === undefined ? column + index[a]! : pairs[at++]!]!;
      for (let k = 0; k < q; k++) v[k]! += z * A12[a * q + k]!;
    }
    for (let j = 0; j < q; j++) {
      for (let i = 0; i < q; i++) F[i + j * q]! += A12[b * q + i]! * v[j]! + v[i]! * A12[b * q + j]!;
    }
  }
}

/** Diagonal element c of Ẑ. */
export function inverseDiagonal(problem: LmmProblem, c: number): number {
  const { cross, work } = problem;
  const { start, sparse, m } = cross.schur;
  if (work.scalars[3] === 1) return dotAt(work.Z, c * m, work.Z, c * m, m);
  if (sparse === undefined) return work.Z[start[c]! + c]!;
  let t = start[c]!;
  while (sparse.index[t]! < c) t++;
  return work.Z[t]!;
}
