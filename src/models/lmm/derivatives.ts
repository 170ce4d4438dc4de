/** First and second derivatives of what a mixed model's inference differentiates, with respect to its covariance parameters.
 *
 *  V = σ²H = Σ_k γ_k G_k: one γ per entry of θ, the entry (row, col) of the term's covariance matrix, and last the residual
 *  variance; G_k = Z_row Z_col' (+ its transpose). With e = y - Xβ̂ and everything in units of σ = 1:
 *
 *      trace_k   = tr H⁻¹G_k                     first_k   = [X e]'H⁻¹G_kH⁻¹[X e]
 *      square_kl = tr H⁻¹G_kH⁻¹G_l               second_kl = [X e]'H⁻¹G_kH⁻¹G_lH⁻¹[X e]
 *
 *  Covariances are linear in γ, so these give the exact derivatives of log-likelihood, expected information and Cov β̂.
 *  Entries of the residual follow from Σ γ_k G_k = V, e.g. tr H⁻¹H⁻¹G_l = tr H⁻¹G_l - Σ_k g_k tr H⁻¹G_kH⁻¹G_l.
 *  With v_k = G_k Z'H⁻¹[X e] between Z and Z', second_kl = v_k'(Z'H⁻¹Z)v_l; the levels of factor 0 enter by patterns.
 *  Reference: Searle, Casella & McCulloch (1992), Variance Components, ch. 6.
 *  Oracle:    dense n × n matrices (derivatives.test.ts). */
import { addInto, clone, crossprod, type Matrix, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { crossprodLarge, multiplyLarge } from "../../numeric/linalg/product.ts";
import type { LmmMoments } from "./moments.ts";
import { covariancePairs, firstTraces, type Pair, squareTraces } from "./traces.ts";

export interface CovarianceDerivatives {
  readonly trace: Float64Array;
  readonly square: Matrix;
  /** (p + 1) × (p + 1), the last row and column for e. */
  readonly first: readonly Matrix[];
  /** second[k][l]; its transpose is second[l][k]. */
  readonly second: readonly (readonly Matrix[])[];
}

/** `relative`: g_k = γ_k/σ² for the entries of θ; `gram`: [X e]'H⁻¹[X e]. */
export function covarianceDerivatives(
  moments: LmmMoments,
  relative: Float64Array,
  gram: Matrix,
): CovarianceDerivatives {
  const pairs = covariancePairs(moments.problem);
  const sides = pairs.map((own) => (own[0]![0].eliminated ? levelSide(moments, own) : otherSide(moments, own)));
  const second = pairs.map(() => [] as Matrix[]);
  pairs.forEach((own, k) => {
    for (let l = 0; l <= k; l++) {
      const value = crossprod(sides[k]!.seenBy(pairs[l]![0]![0].eliminated), sides[l]!.v);
      if (own[0]![0].eliminated && pairs[l]![0]![0].eliminated) addLevelProducts(value, moments, own, pairs[l]!);
      second[k]![l] = value;
      second[l]![k] = k === l ? value : transpose(value);
    }
  });
  const plain = {
    trace: firstTraces(moments, pairs),
    square: squareTraces(moments, pairs),
    first: pairs.map((own, k) =>
      own[0]![0].eliminated ? levelProducts(moments, own) : crossprod(moments.XE2, sides[k]!.v),
    ),
    second,
  };
  return withResidual(plain, relative, { nobs: moments.problem.nobs, gram });
}

interface Side {
  /** For factor 0 B'v_k, summed over its levels; for the others v_k itself. m × (p + 1). */
  readonly v: Matrix;
  /** What the v of another parameter is multiplied by, F aside: of factor 0 or not. */
  seenBy(eliminated: boolean): Matrix;
}

function levelSide({ problem, B, X1, e1, N, keep }: LmmMoments, pairs: readonly Pair[]): Side {
  const { first, m, p } = problem.cross;
  const { size: q, patterns, start, index, count } = first;
  const u = zeros(m, p + 1);
  for (const [{ start: j }, { start: i }] of pairs)
    for (let l = 0; l < patterns; l++)
      for (let c = 0; c <= p; c++) {
        const sum = c < p ? count[l]! * X1[(l * p + c) * q + i]! : e1[l * q + i]!;
        for (let t = start[l]!; t < start[l + 1]!; t++) u.data[c * m + index[t]!]! += B[t * q + j]! * sum;
      }
  const less = multiplyLarge(N, u);
  for (let i = 0; i < less.data.length; i++) less.data[i] = -less.data[i]!;
  const across = crossprodLarge(keep, u);
  return { v: u, seenBy: (eliminated) => (eliminated ? less : across) };
}

function otherSide({ XE2, keep, S }: LmmMoments, pairs: readonly Pair[]): Side {
  const { rows: m, cols } = XE2;
  const v = zeros(m, cols);
  for (const [j, i] of pairs)
    for (let c = 0; c < cols; c++)
      for (let l = 0; l < j.levels; l++)
        v.data[c * m + j.start + l * j.stride] = XE2.data[c * m + i.start + l * i.stride]!;
  const among = multiplyLarge(S, v);
  const across = multiplyLarge(keep, v);
  return { v, seenBy: (eliminated) => (eliminated ? across : among) };
}

/** [X e]'H⁻¹G_kH⁻¹[X e] of a parameter of factor 0. */
function levelProducts(moments: LmmMoments, pairs: readonly Pair[]): Matrix {
  const { patterns } = moments.problem.cross.first;
  const out = zeros(moments.XE2.cols, moments.XE2.cols);
  for (const [{ start: j }, { start: i }] of pairs)
    for (let l = 0; l < patterns; l++) addProducts(out, moments, { pattern: l, i: j, j: i, weight: 1 });
  return out;
}

/** The part of v_k'(Z'H⁻¹Z)v_l in which F takes part. */
function addLevelProducts(out: Matrix, moments: LmmMoments, own: readonly Pair[], other: readonly Pair[]): void {
  const { patterns, size: q } = moments.problem.cross.first;
  for (const [{ start: j }, { start: i }] of own)
    for (const [{ start: a }, { start: b }] of other)
      for (let l = 0; l < patterns; l++) {
        const weight = moments.F[(l * q + a) * q + j]!;
        if (weight !== 0) addProducts(out, moments, { pattern: l, i, j: b, weight });
      }
}

/** Σ over the levels of a pattern of the products of rows i and j of Z1'H⁻¹[X e]. */
function addProducts(
  out: Matrix,
  { problem, X1, e1, ee1 }: LmmMoments,
  {
    pattern,
    i,
    j,
    weight,
  }: { readonly pattern: number; readonly i: number; readonly j: number; readonly weight: number },
): void {
  const { first, p } = problem.cross;
  const { size: q, count } = first;
  const at = pattern * p * q;
  const n = out.rows;
  for (let c = 0; c < p; c++) {
    const xj = weight * X1[at + c * q + j]!;
    for (let r = 0; r < p; r++) out.data[r + c * n]! += count[pattern]! * X1[at + r * q + i]! * xj;
    out.data[p + c * n]! += e1[pattern * q + i]! * xj;
    out.data[c + p * n]! += weight * X1[at + c * q + i]! * e1[pattern * q + j]!;
  }
  out.data[p + p * n]! += weight * ee1[(pattern * q + j) * q + i]!;
}

/** Adds the residual variance as the last parameter. */
function withResidual(
  { trace, square, first, second }: CovarianceDerivatives,
  g: Float64Array,
  { nobs, gram }: { nobs: number; gram: Matrix },
): CovarianceDerivatives {
  const k = trace.length;
  const traces = new Float64Array(k + 1);
  const squares = zeros(k + 1, k + 1);
  traces.set(trace);
  traces[k] = nobs - sumOf(g, trace);
  for (let l = 0; l < k; l++) {
    squares.data.set(square.data.subarray(l * k, (l + 1) * k), l * (k + 1));
    const mixed = trace[l]! - sumOf(g, square.data.subarray(l * k, (l + 1) * k));
    squares.data[k + l * (k + 1)] = squares.data[l + k * (k + 1)] = mixed;
  }
  squares.data[(k + 1) ** 2 - 1] = traces[k]! - sumOf(g, squares.data.subarray(k * (k + 1), k * (k + 1) + k));
  const ownFirst = lessWeighted(gram, g, first);
  const rowOfResidual = first.map((own, l) =>
    lessWeighted(
      own,
      g,
      second.map((row) => row[l]!),
    ),
  );
  const columnOfResidual = rowOfResidual.map(transpose);
  const ownSecond = lessWeighted(ownFirst, g, columnOfResidual);
  return {
    trace: traces,
    square: squares,
    first: [...first, ownFirst],
    second: [...second.map((row, l) => [...row, columnOfResidual[l]!]), [...rowOfResidual, ownSecond]],
  };
}

function sumOf(g: Float64Array, values: Float64Array): number {
  let s = 0;
  for (let i = 0; i < g.length; i++) s += g[i]! * values[i]!;
  return s;
}

/** A - Σ g_k A_k. */
function lessWeighted(A: Matrix, g: Float64Array, parts: readonly Matrix[]): Matrix {
  const out = clone(A);
  parts.forEach((part, k) => {
    addInto(out, out, part, -g[k]!);
  });
  return out;
}
