/** Traces of products of H⁻¹ and the covariance directions G_k = Z_jZ_i' (+ transpose), from the blocks of Z'H⁻¹Z.
 *
 *      tr H⁻¹Z_jZ_i'H⁻¹Z_aZ_b' = ⟨S_jb, S_ia⟩,   S = Z'H⁻¹Z
 *
 *  For factor 0 S = F - BNB' is never formed: ⟨B_jNB_b', B_iNB_a'⟩ = tr NΓ_jiNΓ_ab with Γ_ji = B_j'B_i (m × m).
 *  Oracle: dense n × n matrices (derivatives.test.ts). */

import { addScaledAt, dotAt } from "../../numeric/linalg/kernel.ts";
import { type Matrix, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { multiplyLarge } from "../../numeric/linalg/product.ts";
import type { LmmMoments } from "./moments.ts";
import type { LmmProblem } from "./problem.ts";

/** Where one coefficient of a term lies: column `start` of factor 0, or at level l row `start + l·stride` of Z2'…. */
export interface Slice {
  readonly eliminated: boolean;
  readonly start: number;
  readonly stride: number;
  readonly levels: number;
}

/** G_k as pairs of slices: one for a variance, two for a covariance. */
export type Pair = readonly [Slice, Slice];

/** One entry per entry of θ. */
export function covariancePairs({ factors, structure }: LmmProblem): Pair[][] {
  const slices: Slice[][] = structure.terms.map(() => []);
  factors.forEach(({ offset, size, levels, terms }, f) => {
    for (const { term, column } of terms)
      for (let c = 0; c < structure.terms[term]!.size; c++)
        slices[term]!.push({ eliminated: f === 0, start: offset + column + c, stride: size, levels });
  });
  return Array.from(structure.term, (t, k) => {
    const a = slices[t]![structure.row[k]!]!;
    const b = slices[t]![structure.col[k]!]!;
    return a === b ? [[a, a] as const] : [[a, b] as const, [b, a] as const];
  });
}

/** tr H⁻¹G_k for all k. */
export function firstTraces({ problem, F, own, S }: LmmMoments, pairs: readonly (readonly Pair[])[]): Float64Array {
  const { size: q, count } = problem.cross.first;
  const eliminated = (a: Slice, b: Slice): number => {
    let s = 0;
    for (let l = 0; l < count.length; l++) {
      const at = l * q * q + a.start + b.start * q;
      s += count[l]! * (F[at]! - own[at]!);
    }
    return s;
  };
  return Float64Array.from(pairs, (pair) => {
    const [a, b] = pair[0]!;
    return pair.length * (a.eliminated ? eliminated(a, b) : sumDiagonal(S, a, b));
  });
}

/** tr H⁻¹G_kH⁻¹G_l for all k and l. */
export function squareTraces(moments: LmmMoments, pairs: readonly (readonly Pair[])[]): Matrix {
  const inner = innerProducts(moments, pairs);
  const count = pairs.length;
  const square = zeros(count, count);
  for (let k = 0; k < count; k++)
    for (let l = 0; l <= k; l++) {
      let s = 0;
      for (const [j, i] of pairs[k]!) for (const [a, b] of pairs[l]!) s += inner(j, i, a, b);
      square.data[k + l * count] = square.data[l + k * count] = s;
    }
  return square;
}

/** (Γ_ji N)' and Γ_ji (I - NR22). */
interface EliminatedGram {
  readonly NG: Matrix;
  readonly GK: Matrix;
}

/** ⟨S_jb, S_ia⟩ as a function of the four slices. */
function innerProducts(moments: LmmMoments, pairs: readonly (readonly Pair[])[]) {
  const { N, keep, S } = moments;
  const transposed = transpose(keep);
  const grams = new Map<Slice, Map<Slice, EliminatedGram>>();
  for (const [j, i] of pairs.flat()) {
    if (!j.eliminated) continue;
    const ofJ = grams.get(j) ?? new Map<Slice, EliminatedGram>();
    const times = gramOf(moments, [j, i]);
    grams.set(j, ofJ.set(i, { NG: times(N), GK: transpose(times(transposed)) }));
  }
  return (j: Slice, i: Slice, a: Slice, b: Slice): number => {
    if (j.eliminated && a.eliminated) {
      const { NG } = grams.get(j)!.get(i)!;
      return ownProduct(moments, [j, b, i, a]) + traceProduct(NG, grams.get(a)!.get(b)!.NG);
    }
    if (j.eliminated) return sumColumns(keep, b, grams.get(j)!.get(i)!.GK, a);
    if (a.eliminated) return sumColumns(keep, i, grams.get(a)!.get(b)!.GK, j);
    return blockProduct(S, [j, b, i, a]);
  };
}

/** A' → (Γ_ji A)': Γ_ji itself where a dense product costs less, else level by level. */
function gramOf(moments: LmmMoments, pair: Pair): (At: Matrix) => Matrix {
  const { first, m } = moments.problem.cross;
  if (m * m > DENSE_SPEED * 2 * first.index.length) return (At) => gramTimes(moments, pair, At);
  const transposed = gramTransposed(moments, pair);
  return (At) => multiplyLarge(At, transposed);
}

/** Terms of a dense product that take the time of one that is gathered. */
const DENSE_SPEED = 6;

/** Γ_ji' = B_i'B_j, levels counted as often as their pattern occurs. */
function gramTransposed({ problem, B }: LmmMoments, [j, i]: Pair): Matrix {
  const { first, m } = problem.cross;
  const { size: q, patterns, start, index, count } = first;
  const out = zeros(m, m);
  for (let l = 0; l < patterns; l++)
    for (let b = start[l]!; b < start[l + 1]!; b++) {
      const own = count[l]! * B[b * q + j.start]!;
      const column = index[b]! * m;
      for (let a = start[l]!; a < start[l + 1]!; a++) out.data[column + index[a]!]! += B[a * q + i.start]! * own;
    }
  return out;
}

/** (Γ_ji A)' from A', Γ_ji A = B_j'(B_i A). Whole columns are added, so that storage is read in order. */
function gramTimes({ problem, B }: LmmMoments, [j, i]: Pair, At: Matrix): Matrix {
  const { first, m } = problem.cross;
  const { size: q, patterns, start, index, count } = first;
  const out = zeros(m, m);
  const along = new Float64Array(m);
  for (let l = 0; l < patterns; l++) {
    along.fill(0);
    const [from, to] = [start[l]!, start[l + 1]!];
    for (let t = from; t < to; t++) addScaledAt(along, 0, At.data, index[t]! * m, m, B[t * q + i.start]!);
    for (let t = from; t < to; t++) addScaledAt(out.data, index[t]! * m, along, 0, m, count[l]! * B[t * q + j.start]!);
  }
  return out;
}

type Four = readonly [Slice, Slice, Slice, Slice];

/** The part of ⟨S_jb, S_ia⟩ in which F takes part, F being diagonal in the levels. */
function ownProduct({ problem, F, own }: LmmMoments, [j, b, i, a]: Four): number {
  const { size: q, count } = problem.cross.first;
  const jb = j.start + b.start * q;
  const ia = i.start + a.start * q;
  let s = 0;
  for (let l = 0; l < count.length; l++) {
    const at = l * q * q;
    const f = F[at + jb]!;
    const g = F[at + ia]!;
    s += count[l]! * (f * g - f * own[at + ia]! - own[at + jb]! * g);
  }
  return s;
}

/** tr AB. */
function traceProduct(A: Matrix, B: Matrix): number {
  const n = A.rows;
  let s = 0;
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) s += A.data[i + j * n]! * B.data[j + i * n]!;
  return s;
}

/** Σ over levels of the product of column (level of a) of A and column (level of b) of B. */
function sumColumns(A: Matrix, a: Slice, B: Matrix, b: Slice): number {
  const n = A.rows;
  let s = 0;
  for (let l = 0; l < a.levels; l++) {
    s += dotAt(A.data, (a.start + l * a.stride) * n, B.data, (b.start + l * b.stride) * n, n);
  }
  return s;
}

/** Σ over levels of A at (level of a, level of b). */
function sumDiagonal(A: Matrix, a: Slice, b: Slice): number {
  let s = 0;
  for (let l = 0; l < a.levels; l++) s += A.data[a.start + l * a.stride + (b.start + l * b.stride) * A.rows]!;
  return s;
}

function blockProduct(S: Matrix, [j, b, i, a]: Four): number {
  let s = 0;
  for (let l = 0; l < b.levels; l++) {
    const first = (b.start + l * b.stride) * S.rows + j.start;
    const other = (a.start + l * a.stride) * S.rows + i.start;
    for (let k = 0; k < j.levels; k++) s += S.data[first + k * j.stride]! * S.data[other + k * i.stride]!;
  }
  return s;
}
