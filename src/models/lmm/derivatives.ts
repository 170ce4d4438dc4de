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
 *  Reference: Searle, Casella & McCulloch (1992), Variance Components, ch. 6.
 *  Oracle:    dense n × n matrices (moments.test.ts). */
import { addInto, clone, crossprod, type Matrix, multiply, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import {
  type Gls,
  gatherPatterns,
  type LmmMoments,
  spreadPatterns,
  timesLevels,
  transposeTimesLevels,
} from "./moments.ts";
import { covariancePairs, ownBlocks, type Pair, squareTraces, traceBlocks } from "./traces.ts";

export interface CovarianceDerivatives {
  readonly trace: Float64Array;
  readonly square: Matrix;
  /** (p + 1) × (p + 1), the last row and column for e. */
  readonly first: readonly Matrix[];
  /** second[k][l]; its transpose is second[l][k]. */
  readonly second: readonly (readonly Matrix[])[];
}

/** Z'H⁻¹… or what is to be multiplied by it: rows of the eliminated factor's levels, and of the others. */
interface Sides {
  readonly R1: Matrix;
  readonly R2: Matrix;
}

/** `relative`: g_k = γ_k/σ² for the entries of θ. */
export function covarianceDerivatives(moments: LmmMoments, gls: Gls, relative: Float64Array): CovarianceDerivatives {
  const { structure } = moments.products;
  const pairs = covariancePairs(moments.products);
  const own = ownBlocks(moments);
  const traces = traceBlocks(moments, own);
  const trace = Float64Array.from(pairs, (pair, k) => {
    const block = traces[structure.term[k]!]!;
    return pair.length * block.data[structure.row[k]! + structure.col[k]! * block.rows]!;
  });
  const residual = residualSides(moments, gls);
  const sides = pairs.map((pair) => applyDirection(pair, residual));
  const inner = (a: Sides, b: Sides): Matrix => {
    const sum = crossprod(a.R1, b.R1);
    addInto(sum, sum, crossprod(a.R2, b.R2));
    return sum;
  };
  const through = sides.map((side) => applyInverse(moments, side));
  const plain = {
    trace,
    square: squareTraces(moments, pairs, own),
    first: sides.map((side) => inner(residual, side)),
    second: sides.map((side) => through.map((other) => inner(side, other))),
  };
  return withResidual(plain, relative, { nobs: moments.products.nobs, gram: residualGram(moments, gls) });
}

/** Z'H⁻¹[X e] from Z'H⁻¹[X y]. */
function residualSides({ R1, R2 }: LmmMoments, { beta }: Gls): Sides {
  const replace = (R: Matrix): Matrix => {
    const out = clone(R);
    const last = beta.length * R.rows;
    for (let j = 0; j < beta.length; j++)
      for (let i = 0; i < R.rows; i++) out.data[last + i]! -= beta[j]! * R.data[i + j * R.rows]!;
    return out;
  };
  return { R1: replace(R1), R2: replace(R2) };
}

/** [X e]'H⁻¹[X e], in which X'H⁻¹e = 0. */
function residualGram({ gram, products: { p } }: LmmMoments, { rss }: Gls): Matrix {
  const out = clone(gram);
  for (let j = 0; j < p; j++) out.data[p + j * (p + 1)] = out.data[j + p * (p + 1)] = 0;
  out.data[(p + 1) ** 2 - 1] = rss;
  return out;
}

/** G_k between Z and Z': the rows of slice j become those of slice i. */
function applyDirection(pairs: readonly Pair[], { R1, R2 }: Sides): Sides {
  const out = { R1: zeros(R1.rows, R1.cols), R2: zeros(R2.rows, R2.cols) };
  for (const [j, i] of pairs) {
    const [from, to] = j.eliminated ? [R1, out.R1] : [R2, out.R2];
    for (let c = 0; c < from.cols; c++) {
      const column = c * from.rows;
      for (let l = 0; l < j.levels; l++) {
        to.data[column + j.start + l * j.stride] = from.data[column + i.start + l * i.stride]!;
      }
    }
  }
  return out;
}

/** Z'H⁻¹Z times v: with u = B'v₁ and K = I - NC the two parts are Fv₁ + B(Kv₂ - Nu) and K'u + S₂₂v₂. */
function applyInverse({ products, F, B, N, keep, S22 }: LmmMoments, v: Sides): Sides {
  const { width: q, levels, patterns } = products;
  const u = transposeTimesLevels(B, gatherPatterns(v.R1, products));
  const passed = multiply(keep, v.R2);
  addInto(passed, passed, multiply(N, u), -1);
  const R1 = spreadPatterns(timesLevels(B, passed), products);
  for (let c = 0; c < R1.cols; c++)
    for (let l = 0; l < levels; l++) {
      const at = c * R1.rows + l * q;
      const block = patterns.patternOf[l]! * q * q;
      for (let j = 0; j < q; j++)
        for (let i = 0; i < q; i++) R1.data[at + i]! += F.data[block + i + j * q]! * v.R1.data[at + j]!;
    }
  const R2 = crossprod(keep, u);
  addInto(R2, R2, multiply(S22, v.R2));
  return { R1, R2 };
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
