/** The second elimination of moments.ts: the random effects of all factors but the first, m of them, as one dense block.
 *
 *      M = I + Λ'CΛ,   N = ΛM⁻¹Λ',   I - NC = (I + ΛΛ'C)⁻¹,   S = C - CNC
 *
 *  Where Λ has an inverse that is not too large, I - NC = ΛM⁻¹Λ⁻¹ and S = Λ⁻ᵀ(I - M⁻¹)Λ⁻¹ save two m × m products. */
import { cholesky, cholInverse, cholLogDet } from "../../numeric/linalg/cholesky.ts";
import { crossprod, identity, type Matrix, multiply, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { solveLowerInto } from "../../numeric/linalg/triangular.ts";
import type { LmmProducts } from "./products.ts";

export interface SecondElimination {
  readonly logDet: number;
  readonly N: Matrix;
  /** I - NC. */
  readonly keep: Matrix;
  readonly S22: Matrix;
}

/** Below this order the products cost nothing. */
const LARGE = 200;
/** I - M⁻¹ loses digits as the square of a small λ; from here on at most six of sixteen. */
const LEAST_LAMBDA = 1e-3;

export function eliminateOthers(
  products: LmmProducts,
  factors: readonly Matrix[],
  C: Matrix,
): SecondElimination | undefined {
  const { m } = products;
  const Lambda = spreadFactors(products, factors);
  const M = timesSparse(C, Lambda);
  const inside = transpose(timesSparse(transpose(M), Lambda)); // Λ'CΛ
  for (let i = 0; i < m; i++) inside.data[i * (m + 1)]! += 1;
  const L = cholesky(inside);
  if (L === undefined) return undefined;
  const logDet = cholLogDet(L);
  const own = products.slices.flatMap((slices, t) => (slices[0]!.eliminated ? [] : [factors[t]!]));
  if (m >= LARGE && own.every(isSafelyInvertible)) {
    const inverse = spreadFactors(products, factors.map(invertLower));
    const MI = cholInverse(L);
    const keep = timesSparse(transpose(timesSparse(MI, transposeEntries(Lambda))), inverse); // (M⁻¹Λ')'Λ⁻¹
    const N = timesSparse(transpose(timesSparse(MI, transposeEntries(Lambda))), transposeEntries(Lambda));
    for (let i = 0; i < MI.data.length; i++) MI.data[i] = (i % (m + 1) === 0 ? 1 : 0) - MI.data[i]!;
    const S22 = timesSparse(transpose(timesSparse(MI, inverse)), inverse);
    return { logDet, N, keep, S22 };
  }
  const half = timesSparse(identity(m), transposeEntries(Lambda)); // Λ'
  solveLowerInto(half, L);
  const N = crossprod(half);
  const keep = multiply(N, C);
  for (let i = 0; i < keep.data.length; i++) keep.data[i] = (i % (m + 1) === 0 ? 1 : 0) - keep.data[i]!;
  return { logDet, N, keep, S22: multiply(C, keep) };
}

function isSafelyInvertible({ rows: q, data }: Matrix): boolean {
  for (let j = 0; j < q; j++) {
    if (!(data[j * (q + 1)]! > LEAST_LAMBDA)) return false;
    for (let i = 0; i < j; i++) if (data[i + j * q] !== 0) return false;
  }
  return true;
}

function invertLower(T: Matrix): Matrix {
  const inverse = identity(T.rows);
  solveLowerInto(inverse, T);
  return inverse;
}

/** Few entries (row, col, value) of an m × m matrix. */
interface Entries {
  readonly row: Int32Array;
  readonly col: Int32Array;
  readonly value: Float64Array;
}

/** The factors of the terms that are not eliminated, once for every level. */
function spreadFactors({ slices }: LmmProducts, factors: readonly Matrix[]): Entries {
  const row: number[] = [];
  const col: number[] = [];
  const value: number[] = [];
  slices.forEach((own, t) => {
    if (own[0]!.eliminated) return;
    const T = factors[t]!;
    own.forEach((a, i) => {
      own.forEach((b, j) => {
        const v = T.data[i + j * T.rows]!;
        if (v === 0) return;
        for (let l = 0; l < a.levels; l++) {
          row.push(a.start + l * a.stride);
          col.push(b.start + l * b.stride);
          value.push(v);
        }
      });
    });
  });
  return { row: Int32Array.from(row), col: Int32Array.from(col), value: Float64Array.from(value) };
}

const transposeEntries = ({ row, col, value }: Entries): Entries => ({ row: col, col: row, value });

/** A·E. */
function timesSparse(A: Matrix, { row, col, value }: Entries): Matrix {
  const n = A.rows;
  const out = zeros(n, A.cols);
  for (let e = 0; e < value.length; e++) {
    const from = row[e]! * n;
    const to = col[e]! * n;
    const v = value[e]!;
    for (let i = 0; i < n; i++) out.data[to + i]! += v * A.data[from + i]!;
  }
  return out;
}
