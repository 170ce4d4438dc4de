/** Random-effects covariances as functions of θ, shared by the mixed models.
 *
 *  A term (x | g) with q columns has the relative covariance factor T(θ), q × q lower triangular, the same for every level
 *  of g: Cov(b_level) = σ² T T'. Correlated terms own the whole triangle, column by column; diag(x | g) only the diagonal.
 *  θ runs over the terms in lme4's order, by falling number of levels.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), section 2.2 and eq. 28-29.
 *  Oracle:    lme4 (R): getME(fit, "theta"), VarCorr; oracle/r/lmm.json.
 *  Limits:    one covariance for all levels of a factor. */
import type { RandomBlock } from "../../formula/term.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";

/** One random-effects term and its place in θ. */
export interface CovarianceTerm {
  /** Place in design.random. */
  readonly block: number;
  readonly group: string;
  readonly names: readonly string[];
  /** q, the number of columns. */
  readonly size: number;
  readonly levels: number;
  readonly correlated: boolean;
  /** θ[thetaStart] … θ[thetaStart + thetaCount - 1] fill T. */
  readonly thetaStart: number;
  readonly thetaCount: number;
}

export interface RandomStructure {
  /** In lme4's order, which is the order of θ. */
  readonly terms: readonly CovarianceTerm[];
  /** θ[k] is entry (row[k], col[k]) of the T of terms[term[k]]. */
  readonly term: Int32Array;
  readonly row: Int32Array;
  readonly col: Int32Array;
  readonly thetaNames: readonly string[];
  /** 0 for diagonal entries, -∞ for the others. */
  readonly lower: Float64Array;
}

export function randomStructure(blocks: readonly RandomBlock[]): RandomStructure {
  const terms: CovarianceTerm[] = [];
  const entries: { term: number; row: number; col: number; name: string }[] = [];
  for (const b of termOrder(blocks.map((block) => block.levels.length))) {
    const { group, names, levels, correlated } = blocks[b]!;
    const size = names.length;
    const thetaStart = entries.length;
    for (let col = 0; col < size; col++) {
      for (let row = col; row < (correlated ? size : col + 1); row++) {
        const name = row === col ? `${group}.${names[col]!}` : `${group}.${names[row]!}.${names[col]!}`;
        entries.push({ term: terms.length, row, col, name });
      }
    }
    const thetaCount = entries.length - thetaStart;
    terms.push({ block: b, group, names, size, levels: levels.length, correlated, thetaStart, thetaCount });
  }
  return {
    terms,
    term: Int32Array.from(entries, (e) => e.term),
    row: Int32Array.from(entries, (e) => e.row),
    col: Int32Array.from(entries, (e) => e.col),
    thetaNames: entries.map((e) => e.name),
    lower: Float64Array.from(entries, (e) => (e.row === e.col ? 0 : Number.NEGATIVE_INFINITY)),
  };
}

/** lme4 leaves the terms alone when the numbers of levels already fall, else sorts them; ties then come out reversed. */
function termOrder(levels: readonly number[]): number[] {
  const order = levels.map((_, b) => b);
  const falls = levels.every((count, b) => b === 0 || count <= levels[b - 1]!);
  return falls ? order : order.sort((a, b) => levels[a]! - levels[b]!).reverse();
}

/** 1 on the diagonals, 0 elsewhere: every random effect as variable as the residual. */
export function unitTheta({ row, col }: RandomStructure): Float64Array {
  return Float64Array.from(row, (r, k) => (r === col[k] ? 1 : 0));
}

/** T(θ) of one term. */
export function relativeFactor(structure: RandomStructure, theta: ArrayLike<number>, term: number): Matrix {
  const { size, thetaStart, thetaCount } = structure.terms[term]!;
  const T = zeros(size, size);
  for (let k = thetaStart; k < thetaStart + thetaCount; k++) {
    T.data[structure.row[k]! + structure.col[k]! * size] = theta[k]!;
  }
  return T;
}

/** Covariance of a term's random effects: σ²TT', with SDs and correlations (NaN where an SD is 0). */
export interface VarianceComponent {
  readonly group: string;
  readonly names: readonly string[];
  /** Place in design.random. */
  readonly block: number;
  readonly levels: number;
  readonly cov: Matrix;
  readonly sd: Float64Array;
  readonly corr: Matrix;
}

/** One per term, in the order of θ. */
export function varianceComponents(
  structure: RandomStructure,
  theta: ArrayLike<number>,
  sigma: number,
): VarianceComponent[] {
  return structure.terms.map(({ group, names, block, levels, size }, t) => {
    const T = relativeFactor(structure, theta, t).data;
    const cov = zeros(size, size);
    const corr = zeros(size, size);
    for (let j = 0; j < size; j++) {
      for (let i = 0; i < size; i++) {
        let s = 0;
        for (let k = 0; k <= Math.min(i, j); k++) s += T[i + k * size]! * T[j + k * size]!;
        cov.data[i + j * size] = sigma * sigma * s;
      }
    }
    const sd = Float64Array.from({ length: size }, (_, i) => Math.sqrt(cov.data[i * (size + 1)]!));
    for (let j = 0; j < size; j++) {
      for (let i = 0; i < size; i++) {
        const r = cov.data[i + j * size]! / (sd[i]! * sd[j]!);
        corr.data[i + j * size] = i === j && sd[i]! > 0 ? 1 : Math.max(-1, Math.min(1, r));
      }
    }
    return { group, names, block, levels, cov, sd, corr };
  });
}

/** θ below this counts as 0: lme4's tolerance for a singular fit. */
export const SINGULAR_TOLERANCE = 1e-4;

/** Terms whose covariance has no full rank: a variance of 0 or a correlation of ±1. */
export function singularTerms(structure: RandomStructure, theta: ArrayLike<number>): number[] {
  const singular = new Set<number>();
  structure.lower.forEach((lower, k) => {
    if (lower === 0 && Math.abs(theta[k]!) < SINGULAR_TOLERANCE) singular.add(structure.term[k]!);
  });
  return [...singular].sort((a, b) => a - b);
}
