/** What AIC's penalty gains from the uncertainty of the smoothing parameters through the root of the coefficients' covariance.
 *
 *      tr(V''X'WX)/φ = Σ cov(ρ_j,ρ_k) tr(Φ_j' P Φ_k),   P = R⁻ᵀX'WXR⁻¹ = I - Σ C_j,   C_j = R⁻ᵀλ_jS_jR⁻¹
 *  with R upper triangular, R'R = X'WX + S_λ over the named columns in their order, and Φ_j the upper triangle of C_j with half its
 *  diagonal: ∂R⁻¹/∂ρ_j = -R⁻¹Φ_j. The signs of the rows of R cancel.
 *  Reference: Wood, Pya & Säfken (2016), JASA 111, 1548-1563, §4 and supplement.
 *  Oracle:    edf2 of mgcv (R), oracle/r/gam.json. */
import { cholesky, invertLowerInto } from "../numeric/linalg/cholesky.ts";
import { dotAt } from "../numeric/linalg/kernel.ts";
import { type Matrix, transpose, zeros } from "../numeric/linalg/matrix.ts";
import { multiplyLarge } from "../numeric/linalg/product.ts";
import { qr, qtMatrixInto } from "../numeric/linalg/qr.ts";
import { solveUpperTInto } from "../numeric/linalg/triangular.ts";
import type { GamState } from "./gam-inner.ts";
import type { WorkingBlock } from "./gam-penalty.ts";
import type { GamProblem } from "./gam-problem.ts";

/** `cov` between free parameters, by their place in `free`. */
export function rootCorrection(
  problem: GamProblem,
  state: GamState,
  { free, cov }: { free: readonly number[]; cov: (a: number, b: number) => number },
): number {
  const q = state.basis.q;
  const inverse = zeros(q, q); // R⁻ᵀ
  invertLowerInto(inverse, namedRoot(problem, state));
  const shares = penaltyShares(state, inverse);
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

function penaltyShares({ lambda, basis }: GamState, inverse: Matrix): Share[] {
  return basis.blocks.flatMap(({ block, at, T }) =>
    block.S.map((S, j) => {
      const V = partOf(inverse, { from: at, size: basis.q - at }, { from: at, size: T.cols });
      const C = multiplyLarge(V, multiplyLarge(S, transpose(V)));
      for (let i = 0; i < C.data.length; i++) C.data[i]! *= lambda[block.firstPenalty + j]!;
      return { C, from: at };
    }),
  );
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

/** R', lower triangular. In working coordinates the root is Y; Y·T' has the blocks of an upper triangular matrix, and each
 *  block on the diagonal is made triangular by reflections of its rows, which are applied to the blocks beside it. */
function namedRoot({ parametric: { back } }: GamProblem, { expected, basis }: GamState): Matrix {
  const { q, blocks } = basis;
  const Y = workingRoot(expected.A);
  const root = zeros(q, q);
  blocks.forEach((own, b) => {
    const size = own.T.cols;
    if (size === 0) return;
    const width = q - own.at;
    const strip = zeros(size, width);
    for (const other of blocks.slice(b)) {
      const part = partOf(Y, { from: own.at, size }, { from: other.at, size: other.T.cols });
      strip.data.set(toNamed(part, other, back).data, (other.at - own.at) * size);
    }
    const rows = reduceStrip(strip);
    for (let c = 0; c < width; c++) {
      const last = Math.min(c, size - 1);
      for (let r = 0; r <= last; r++) root.data[own.at + c + (own.at + r) * q] = rows.data[r + c * size]!;
    }
  });
  return root;
}

/** Y upper triangular with Y'Y = A, by way of a unit diagonal. */
function workingRoot({ rows: q, data }: Matrix): Matrix {
  const scale = Float64Array.from({ length: q }, (_, i) => Math.sqrt(data[i * (q + 1)]!));
  const unit = zeros(q, q);
  for (let c = 0; c < q; c++)
    for (let r = 0; r < q; r++) unit.data[r + c * q] = data[r + c * q]! / (scale[r]! * scale[c]!);
  const Y = transpose(cholesky(unit)!);
  for (let c = 0; c < q; c++) for (let r = 0; r <= c; r++) Y.data[r + c * q]! *= scale[c]!;
  return Y;
}

/** Columns in working coordinates of a block times T', or times back⁻¹ for the parametric ones. */
function toNamed(part: Matrix, { block, T }: WorkingBlock, back: Matrix): Matrix {
  if (block.S.length === 0 && block.from === 0) {
    const Z = transpose(part); // solves Z·back = part, row by row
    if (back.rows > 0) solveUpperTInto(Z, back);
    return transpose(Z);
  }
  const k = T.cols;
  const transposed = zeros(k, k);
  block.kept.forEach((row, c) => {
    for (let t = 0; t < k; t++) transposed.data[t + c * k] = T.data[row + t * T.rows]!;
  });
  return multiplyLarge(part, transposed);
}

/** Reflections that make the first square of the strip upper triangular; large rows come first, so that the digits of the
 *  small ones are kept. */
function reduceStrip(strip: Matrix): Matrix {
  const { rows: size, cols } = strip;
  const norms = Float64Array.from({ length: size }, (_, r) => {
    let sum = 0;
    for (let c = 0; c < size; c++) sum += strip.data[r + c * size]! ** 2;
    return sum;
  });
  const order = Array.from(norms.keys()).sort((a, b) => norms[b]! - norms[a]!);
  const sorted = zeros(size, cols);
  for (let c = 0; c < cols; c++) {
    for (let r = 0; r < size; r++) sorted.data[r + c * size] = strip.data[order[r]! + c * size]!;
  }
  const F = qr(partOf(sorted, { from: 0, size }, { from: 0, size }), { pivoting: "none" });
  const rest = partOf(sorted, { from: 0, size }, { from: size, size: cols - size });
  qtMatrixInto(rest, F);
  sorted.data.set(F.factor.data);
  sorted.data.set(rest.data, size * size);
  return sorted;
}
