/** Traces of products of H⁻¹ and the covariance directions G_k = Z_jZ_i' (+ transpose), from the blocks of Z'H⁻¹Z.
 *
 *      tr H⁻¹Z_jZ_i'H⁻¹Z_aZ_b' = ⟨S_jb, S_ia⟩,   S = Z'H⁻¹Z
 *
 *  For the eliminated factor S = F - BNB' is never formed: ⟨BjNB_b', B_iNB_a'⟩ = tr NΓ_jiNΓ_ab with Γ_ji = B_j'B_i (m × m).
 *  Oracle: dense n × n matrices (lmm-moments.test.ts). */

import { addWeightedTN } from "../numeric/linalg/kernel.ts";
import { crossprod, type Matrix, multiply, zeros } from "../numeric/linalg/matrix.ts";
import type { LmmMoments } from "./lmm-moments.ts";
import type { LmmProducts, Slice } from "./lmm-products.ts";

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
  const { products, F, C, N } = moments;
  const { width: q, m, patterns } = products;
  const CN = multiply(C, N);
  const sumEliminated = (a: Slice, b: Slice): number => {
    let s = 0;
    for (let l = 0; l < patterns.count.length; l++) {
      const at = l * q * q + a.start + b.start * q;
      s += patterns.count[l]! * (F.data[at]! - own[at]!);
    }
    return s;
  };
  const sumOther = (a: Slice, b: Slice): number => {
    let s = 0;
    for (let l = 0; l < a.levels; l++) {
      const r = a.start + l * a.stride;
      const c = b.start + l * b.stride;
      s += C.data[r + c * m]!;
      for (let k = 0; k < m; k++) s -= CN.data[r + k * m]! * C.data[k + c * m]!;
    }
    return s;
  };
  return products.slices.map((slices) => {
    const size = slices.length;
    const block = zeros(size, size);
    slices.forEach((a, i) => {
      slices.slice(0, i + 1).forEach((b, j) => {
        const s = a.eliminated ? sumEliminated(a, b) : sumOther(a, b);
        block.data[i + j * size] = block.data[j + i * size] = s;
      });
    });
    return block;
  });
}

/** The diagonal blocks of BNB', one a pattern. */
export function ownBlocks({ products: { width: q, m, patterns }, B, N }: LmmMoments): Float64Array {
  const own = new Float64Array(patterns.count.length * q * q);
  const BN = multiply(B, N);
  for (let k = 0; k < m; k++) {
    const column = k * B.rows;
    for (let a = 0; a < patterns.count.length; a++)
      for (let j = 0; j < q; j++) {
        const v = B.data[column + a * q + j]!;
        for (let i = 0; i < q; i++) own[(a * q + j) * q + i]! += BN.data[column + a * q + i]! * v;
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
  const { C, N, products } = moments;
  const { m } = products;
  const keep = multiply(N, C); // becomes I - NC
  for (let i = 0; i < keep.data.length; i++) keep.data[i] = (i % (m + 1) === 0 ? 1 : 0) - keep.data[i]!;
  const S22 = multiply(C, keep);
  const grams = new Map<Slice, Map<Slice, { readonly NG: Matrix; readonly seen: Matrix }>>();
  for (const [j, i] of pairs.flat()) {
    if (!j.eliminated) continue;
    const G = sliceGram(moments, j, i);
    const ofJ = grams.get(j) ?? new Map();
    grams.set(j, ofJ.set(i, { NG: multiply(N, G), seen: crossprod(keep, multiply(G, keep)) }));
  }
  return (j: Slice, i: Slice, a: Slice, b: Slice): number => {
    if (j.eliminated && a.eliminated) {
      const { NG } = grams.get(j)!.get(i)!;
      return ownProduct(moments, own, [j, b, i, a]) + traceProduct(NG, grams.get(a)!.get(b)!.NG);
    }
    if (j.eliminated) return sumDiagonal(grams.get(j)!.get(i)!.seen, b, a);
    if (a.eliminated) return sumDiagonal(grams.get(a)!.get(b)!.seen, i, j);
    return blockProduct(S22, [j, b, i, a]);
  };
}

/** Γ_ji = Σ over levels of the rows j and i of B. */
function sliceGram({ products: { patterns, m, width: q }, B }: LmmMoments, j: Slice, i: Slice): Matrix {
  const rowsOf = (slice: Slice): Matrix => {
    const out = zeros(patterns.count.length, m);
    for (let k = 0; k < m; k++)
      for (let a = 0; a < out.rows; a++) out.data[a + k * out.rows] = B.data[a * q + slice.start + k * B.rows]!;
    return out;
  };
  const G = zeros(m, m);
  const Bj = rowsOf(j);
  const Bi = i === j ? Bj : rowsOf(i);
  addWeightedTN(G.data, 0, m, Bj.data, 0, Bj.rows, Bi.data, 0, Bi.rows, m, m, Bj.rows, 1, patterns.count, false);
  return G;
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
