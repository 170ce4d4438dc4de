/** What AIC's penalty gains from the uncertainty of the smoothing parameters through the root of the coefficients' covariance.
 *
 *      tr(V''X'WX)/φ = Σ cov(ρ_j,ρ_k) tr(Φ_j' P Φ_k),   P = R⁻ᵀX'WXR⁻¹ = I - Σ C_j,   C_j = R⁻ᵀλ_jS_jR⁻¹
 *  with R upper triangular, R'R = X'WX + S_λ over the named columns in their order, and Φ_j the upper triangle of C_j with half its
 *  diagonal: ∂R⁻¹/∂ρ_j = -R⁻¹Φ_j. The signs of the rows of R cancel.
 *  R itself is not needed. With Y the root in working coordinates and T the map from them to the named ones, R = Q'YT⁻¹ for an
 *  orthogonal Q, so C_j = Q'(Y⁻ᵀλ_jS_jY⁻¹)Q: whatever the size of λ, rounding moves C_j by no more than a unit in its last place.
 *  Reference: Wood, Pya & Säfken (2016), JASA 111, 1548-1563, §4 and supplement.
 *  Oracle:    edf2 of mgcv (R), oracle/r/gam.json, oracle/r/gam-fixes.json. */
import { cholesky, invertLowerInto } from "../../numeric/linalg/cholesky.ts";
import { dotAt } from "../../numeric/linalg/kernel.ts";
import { type Matrix, selectRows, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { multiplyLarge } from "../../numeric/linalg/product.ts";
import { qr, qtMatrixInto } from "../../numeric/linalg/qr.ts";
import type { GamState } from "./inner.ts";
import type { WorkingBlock } from "./penalty.ts";

/** `cov` between free parameters, by their place in `free`. NaN where weights that vanished (a covariate separates the answers) leave no root. */
export function rootCorrection(
  state: GamState,
  { free, cov }: { free: readonly number[]; cov: (a: number, b: number) => number },
): number {
  const q = state.basis.q;
  const shares = penaltyShares(state);
  if (shares === undefined) return Number.NaN;
  const P = zeros(q, q);
  for (let i = 0; i < q; i++) P.data[i * (q + 1)] = 1;
  for (const { C, from } of shares) subtractAt(P, C, from);
  for (const { C } of shares) halveToUpper(C);
  let total = 0;
  free.forEach((j, a) => {
    const { C: Phi, from } = shares[j]!;
    const columns = { rows: q, cols: Phi.rows, data: P.data.subarray(from * q) };
    const product = multiplyLarge(columns, Phi);
    free.forEach((k, b) => {
      total += cov(a, b) * traceWith(shares[k]!, product, from);
    });
  });
  return total;
}

/** C_j without the rows and columns before `from`, which are zero. */
interface Share {
  readonly C: Matrix;
  readonly from: number;
}

function penaltyShares({ lambda, basis, expected }: GamState): Share[] | undefined {
  const { q, blocks } = basis;
  const Y = workingRoot(expected.A);
  if (Y === undefined) return undefined;
  const inverse = zeros(q, q); // Y⁻ᵀ
  invertLowerInto(inverse, transpose(Y));
  const turns = blocks.map((block) => namedTurn(Y, block));
  return blocks.flatMap(({ block, at, rank, penalties }, b) => {
    if (penalties.length === 0) return [];
    const W = zeros(q - at, rank);
    blocks.slice(b).forEach((other, c) => {
      const part = partOf(inverse, { from: other.at, size: other.T.cols }, { from: at, size: rank });
      const turned = turns[b + c]!(part);
      for (let j = 0; j < rank; j++) {
        const column = turned.data.subarray(j * turned.rows, (j + 1) * turned.rows);
        W.data.set(column, other.at - at + j * W.rows);
      }
    });
    return penalties.map(({ S, diagonal }, j) => {
      const own = lambda[block.firstPenalty + j]!;
      const half = diagonal ? scaleColumns(W, S, own) : multiplyLarge(W, S);
      const C = multiplyLarge(half, transpose(W));
      if (!diagonal) for (let i = 0; i < C.data.length; i++) C.data[i]! *= own;
      return { C, from: at };
    });
  });
}

/** W·λS for a diagonal S. */
function scaleColumns(W: Matrix, S: Matrix, lambda: number): Matrix {
  const scaled = zeros(W.rows, W.cols);
  for (let c = 0; c < W.cols; c++) {
    const factor = lambda * S.data[c * (S.rows + 1)]!;
    for (let r = c * W.rows; r < (c + 1) * W.rows; r++) scaled.data[r] = factor * W.data[r]!;
  }
  return scaled;
}

interface Range {
  readonly from: number;
  readonly size: number;
}

function partOf(A: Matrix, rows: Range, cols: Range): Matrix {
  const part = zeros(rows.size, cols.size);
  for (let c = 0; c < cols.size; c++) {
    const at = rows.from + (cols.from + c) * A.rows;
    part.data.set(A.data.subarray(at, at + rows.size), c * rows.size);
  }
  return part;
}

function subtractAt(P: Matrix, C: Matrix, from: number): void {
  for (let c = 0; c < C.cols; c++) {
    const to = from + (from + c) * P.rows;
    for (let r = 0; r < C.rows; r++) P.data[to + r]! -= C.data[r + c * C.rows]!;
  }
}

function halveToUpper({ rows, data }: Matrix): void {
  for (let c = 0; c < rows; c++) {
    data[c * (rows + 1)]! /= 2;
    data.fill(0, c + 1 + c * rows, (c + 1) * rows);
  }
}

/** tr(Φ'M) for a Φ that begins at row and column `from`, and an M of all rows whose columns begin at `start`. */
function traceWith({ C: Phi, from }: Share, M: Matrix, start: number): number {
  let sum = 0;
  for (let column = Math.max(from, start); column < M.rows; column++) {
    const at = (column - from) * Phi.rows;
    sum += dotAt(Phi.data, at, M.data, from + (column - start) * M.rows, column - from + 1);
  }
  return sum;
}

/** Y upper triangular with Y'Y = A, by way of a unit diagonal; undefined where A has none to working precision. */
function workingRoot({ rows: q, data }: Matrix): Matrix | undefined {
  const scale = Float64Array.from({ length: q }, (_, i) => Math.sqrt(data[i * (q + 1)]!));
  const unit = zeros(q, q);
  for (let c = 0; c < q; c++)
    for (let r = 0; r < q; r++) unit.data[r + c * q] = data[r + c * q]! / (scale[r]! * scale[c]!);
  const L = cholesky(unit);
  if (L === undefined) return undefined;
  const Y = transpose(L);
  for (let c = 0; c < q; c++) for (let r = 0; r <= c; r++) Y.data[r + c * q]! *= scale[c]!;
  return Y;
}

/** Left multiplication by the block of Q' that makes its part of Y·T⁻¹ upper triangular, which the parametric part, whose map is
 *  triangular, is already. Large rows come first, so that the digits of the small ones are kept. */
function namedTurn(Y: Matrix, { block, at, T }: WorkingBlock): (A: Matrix) => Matrix {
  const k = T.cols;
  if (k === 0 || (block.S.length === 0 && block.from === 0)) return (A) => A;
  const inverse = zeros(k, k); // T is orthonormal over the columns that take part
  block.kept.forEach((row, c) => {
    for (let t = 0; t < k; t++) inverse.data[t + c * k] = T.data[row + t * T.rows]!;
  });
  const own = multiplyLarge(partOf(Y, { from: at, size: k }, { from: at, size: k }), inverse);
  const norms = new Float64Array(k);
  for (let c = 0; c < k; c++) for (let r = 0; r < k; r++) norms[r]! += own.data[r + c * k]! ** 2;
  const order = Array.from(norms.keys()).sort((a, b) => norms[b]! - norms[a]!);
  const F = qr(selectRows(own, order), { pivoting: "none" });
  return (A) => {
    const turned = selectRows(A, order);
    qtMatrixInto(turned, F);
    return turned;
  };
}
