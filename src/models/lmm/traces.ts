/** Traces of products of H⁻¹ and the covariance directions G_k = Z_jZ_i' (+ transpose), from the blocks of Z'H⁻¹Z.
 *
 *      tr H⁻¹Z_jZ_i'H⁻¹Z_aZ_b' = ⟨S_jb, S_ia⟩,   S = Z'H⁻¹Z
 *
 *  For the eliminated factor S = F - BNB' is never formed: ⟨BjNB_b', B_iNB_a'⟩ = tr NΓ_jiNΓ_ab with Γ_ji = B_j'B_i (m × m).
 *  Oracle: dense n × n matrices (moments.test.ts). */

import { addScaledAt, dotAt } from "../../numeric/linalg/kernel.ts";
import type { LevelColumns } from "../../numeric/linalg/level-columns.ts";
import { type Matrix, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import type { LmmMoments } from "./moments.ts";
import type { LmmProducts, Slice } from "./products.ts";

/** G_k as pairs of slices: one for a variance, two for a covariance. */
export type Pair = readonly [Slice, Slice];

/** One entry per entry of θ. */
export function covariancePairs({ structure: { term, row, col }, slices }: LmmProducts): Pair[][] {
  return Array.from(term, (t, k) => {
    const a = slices[t]![row[k]!]!;
    const b = slices[t]![col[k]!]!;
    return a === b ? [[a, a] as const] : [[a, b] as const, [b, a] as const];
  });
}

/** Σ over levels of a term's diagonal block of Z'H⁻¹Z, one matrix per term. */
export function traceBlocks(moments: LmmMoments, own: Float64Array = ownBlocks(moments)): Matrix[] {
  const { products, F, S22 } = moments;
  const { width: q, patterns } = products;
  const sumEliminated = (a: Slice, b: Slice): number => {
    let s = 0;
    for (let l = 0; l < patterns.count.length; l++) {
      const at = l * q * q + a.start + b.start * q;
      s += patterns.count[l]! * (F.data[at]! - own[at]!);
    }
    return s;
  };
  return products.slices.map((slices) => {
    const size = slices.length;
    const block = zeros(size, size);
    slices.forEach((a, i) => {
      slices.slice(0, i + 1).forEach((b, j) => {
        const s = a.eliminated ? sumEliminated(a, b) : sumDiagonal(S22, a, b);
        block.data[i + j * size] = block.data[j + i * size] = s;
      });
    });
    return block;
  });
}

/** The diagonal blocks of BNB', one a pattern. */
export function ownBlocks({ products: { width: q, m }, B, N }: LmmMoments): Float64Array {
  const own = new Float64Array(B.levels * q * q);
  for (let l = 0; l < B.levels; l++)
    for (let b = B.start[l]!; b < B.start[l + 1]!; b++) {
      const column = B.index[b]! * m;
      for (let a = B.start[l]!; a < B.start[l + 1]!; a++) {
        const n = N.data[column + B.index[a]!]!;
        for (let j = 0; j < q; j++) {
          const nj = n * B.values[b * q + j]!;
          for (let i = 0; i < q; i++) own[(l * q + j) * q + i]! += nj * B.values[a * q + i]!;
        }
      }
    }
  return own;
}

/** tr H⁻¹G_kH⁻¹G_l for all k and l. */
export function squareTraces(moments: LmmMoments, pairs: readonly (readonly Pair[])[], own: Float64Array): Matrix {
  const inner = innerProducts(moments, pairs, own);
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

/** ⟨S_jb, S_ia⟩ as a function of the four slices. */
function innerProducts(moments: LmmMoments, pairs: readonly (readonly Pair[])[], own: Float64Array) {
  const { N, keep, S22 } = moments;
  const transposed = transpose(keep);
  const grams = new Map<Slice, Map<Slice, EliminatedGram>>();
  for (const [j, i] of pairs.flat()) {
    if (!j.eliminated) continue;
    const ofJ = grams.get(j) ?? new Map<Slice, EliminatedGram>();
    const GK = transpose(gramTimes(moments, [j, i], transposed));
    grams.set(j, ofJ.set(i, { NG: gramTimes(moments, [j, i], N), GK }));
  }
  return (j: Slice, i: Slice, a: Slice, b: Slice): number => {
    if (j.eliminated && a.eliminated) {
      const { NG } = grams.get(j)!.get(i)!;
      return ownProduct(moments, own, [j, b, i, a]) + traceProduct(NG, grams.get(a)!.get(b)!.NG);
    }
    if (j.eliminated) return sumColumns(keep, b, grams.get(j)!.get(i)!.GK, a);
    if (a.eliminated) return sumColumns(keep, i, grams.get(a)!.get(b)!.GK, j);
    return blockProduct(S22, [j, b, i, a]);
  };
}

/** (Γ_ji N)' and Γ_ji (I - NC). */
interface EliminatedGram {
  readonly NG: Matrix;
  readonly GK: Matrix;
}

/** (Γ_ji A)' from A', Γ_ji A = B_j'(B_i A), levels counted as often as their pattern occurs. Whole columns are added, so that
 *  storage is read in order. */
function gramTimes({ products: { patterns, width: q, m }, B }: LmmMoments, [j, i]: Pair, At: Matrix): Matrix {
  const right = rowsOf(B, i.start, q);
  const left = rowsOf(B, j.start, q);
  const out = zeros(m, m);
  const along = new Float64Array(m);
  for (let l = 0; l < B.levels; l++) {
    along.fill(0);
    const [from, to] = [B.start[l]!, B.start[l + 1]!];
    for (let t = from; t < to; t++) addScaledAt(along, 0, At.data, B.index[t]! * m, m, right[t]!);
    for (let t = from; t < to; t++) {
      addScaledAt(out.data, B.index[t]! * m, along, 0, m, patterns.count[l]! * left[t]!);
    }
  }
  return out;
}

/** The entries of B that belong to one coefficient. */
function rowsOf({ values }: LevelColumns, start: number, q: number): Float64Array {
  return Float64Array.from({ length: values.length / q }, (_, t) => values[t * q + start]!);
}

type Four = readonly [Slice, Slice, Slice, Slice];

/** The part of ⟨S_jb, S_ia⟩ in which F takes part, F being diagonal in the levels. */
function ownProduct(
  { products: { patterns, width: q }, F }: LmmMoments,
  own: Float64Array,
  [j, b, i, a]: Four,
): number {
  const jb = j.start + b.start * q;
  const ia = i.start + a.start * q;
  let s = 0;
  for (let l = 0; l < patterns.count.length; l++) {
    const at = l * q * q;
    const f = F.data[at + jb]!;
    const g = F.data[at + ia]!;
    s += patterns.count[l]! * (f * g - f * own[at + ia]! - own[at + jb]! * g);
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
