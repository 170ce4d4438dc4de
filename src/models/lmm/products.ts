/** Cross products of a mixed model arranged for its inference: one grouping factor eliminated level by level, the rest dense.
 *
 *  Z = [Z₁ Z₂]: Z₁ holds every term of the factor with most random effects, so Z₁'Z₁ is block diagonal, one block a level;
 *  Z₂ holds the m random effects of the other factors. All rows carry the root of their weight. X stands for the problem's
 *  X R⁻¹ with orthonormal columns: its coefficients are Rβ, and a contrast l'β is (R⁻ᵀl)'(Rβ). Levels whose cross products
 *  coincide are kept once, with a count (numeric/linalg/level-patterns.ts); only Z₁'y is kept for every level. y enters less its
 *  least-squares fit (response.ts), so that a large mean costs no digits.
 *  Limits: m × m matrices are dense: meant for m up to a few thousand. */
import { type BlockDiagonal, zeroBlocks } from "../../numeric/linalg/block.ts";
import type { LevelColumns } from "../../numeric/linalg/level-columns.ts";
import {
  findLevelPatterns,
  type LevelPatterns,
  representativeBlocks,
  representativeRows,
} from "../../numeric/linalg/level-patterns.ts";
import { type Matrix, multiply, zeros } from "../../numeric/linalg/matrix.ts";
import type { RandomStructure } from "../random/random.ts";
import type { LmmFactor, LmmProblem } from "./problem.ts";
import type { LmmResponse } from "./response.ts";

/** Where one coefficient of a term lies: its level l is row `start + l·stride` of Z₁'… or of Z₂'…. */
export interface Slice {
  readonly eliminated: boolean;
  readonly start: number;
  readonly stride: number;
  readonly levels: number;
}

export interface LmmProducts {
  readonly structure: RandomStructure;
  readonly nobs: number;
  /** p, the columns of X. */
  readonly p: number;
  /** m, the columns of Z₂. */
  readonly m: number;
  /** Coefficients per level of the eliminated factor, and its levels. */
  readonly width: number;
  readonly levels: number;
  readonly patterns: LevelPatterns;
  /** Z₁'Z₁, one block a pattern. */
  readonly A11: BlockDiagonal;
  /** Z₁'Z₂ and Z₁'X, `width` rows a pattern; a level meets few columns of Z₂ where the factors are not fully crossed. */
  readonly A12: LevelColumns;
  readonly A1x: Matrix;
  /** Z₂'Z₂, Z₂'X and X'X. */
  readonly A22: Matrix;
  readonly A2x: Matrix;
  readonly Axx: Matrix;
  /** Z₁'y, `width` entries a level, and Z₂'y, X'y, y'y. */
  readonly y1: Float64Array;
  readonly y2: Float64Array;
  readonly yx: Float64Array;
  readonly yy: number;
  /** Σ log w. */
  readonly logWeights: number;
  /** Per term, in the order of θ, one slice per coefficient. */
  readonly slices: readonly (readonly Slice[])[];
}

/** A design with that many other columns has hardly two equal levels, and comparing them would cost more than it saves. */
const MAX_PATTERN_COLUMNS = 400;

export function lmmProducts(problem: LmmProblem, { residuals: y }: LmmResponse): LmmProducts {
  const { factors, structure, weights, nobs } = problem;
  const X = multiply(problem.X, problem.inverseR);
  const { size: width, levels } = factors[0]!;
  const p = X.cols;
  const m = factors.slice(1).reduce((sum, factor) => sum + factor.levels * factor.size, 0);
  const blocks = zeroBlocks(levels, width);
  const A12 = zeros(levels * width, m + p);
  const A22 = zeros(m + p, m + p);
  const y1 = new Float64Array(levels * width);
  const y2 = new Float64Array(m + p);
  const row = makeRowReader(factors, X, m);
  let yy = 0;
  for (let i = 0; i < nobs; i++) {
    const w = weights === undefined ? 1 : weights[i]!;
    const { level, own, at, value } = row(i);
    const wy = w * y[i]!;
    yy += wy * y[i]!;
    for (let c = 0; c < width; c++) {
      const r = level * width + c;
      const wz = w * own[c]!;
      y1[r]! += wz * y[i]!;
      for (let d = 0; d < width; d++) blocks.data[(level * width + d) * width + c]! += wz * own[d]!;
      for (let k = 0; k < at.length; k++) A12.data[r + at[k]! * A12.rows]! += wz * value[k]!;
    }
    for (let k = 0; k < at.length; k++) {
      y2[at[k]!]! += wy * value[k]!;
      const wv = w * value[k]!;
      for (let l = 0; l < at.length; l++) A22.data[at[l]! + at[k]! * (m + p)]! += wv * value[l]!;
    }
  }
  const patterns = m + p <= MAX_PATTERN_COLUMNS ? findLevelPatterns(blocks, A12) : eachLevel(levels, width);
  const kept = representativeRows(A12, width, patterns);
  const random: Range = [0, m];
  const fixed: Range = [m, m + p];
  return {
    structure,
    nobs,
    p,
    m,
    width,
    levels,
    patterns,
    A11: representativeBlocks(blocks, patterns),
    A12: sparseLevels(kept, width, m),
    A1x: partOf(kept, [0, kept.rows], fixed),
    A22: partOf(A22, random, random),
    A2x: partOf(A22, random, fixed),
    Axx: partOf(A22, fixed, fixed),
    y1,
    y2: y2.slice(0, m),
    yx: y2.slice(m),
    yy,
    logWeights: problem.logWeights,
    slices: placeTerms(factors, structure),
  };
}

/** The block of A with these rows and columns. */
function partOf(A: Matrix, [top, bottom]: Range, [left, right]: Range): Matrix {
  const out = zeros(bottom - top, right - left);
  for (let j = left; j < right; j++)
    out.data.set(A.data.subarray(top + j * A.rows, bottom + j * A.rows), (j - left) * out.rows);
  return out;
}

type Range = readonly [from: number, to: number];

/** The first m columns, level by level, without those that a level does not meet. */
function sparseLevels(A: Matrix, size: number, m: number): LevelColumns {
  const levels = A.rows / size;
  const start = new Int32Array(levels + 1);
  const index: number[] = [];
  const values: number[] = [];
  for (let l = 0; l < levels; l++) {
    for (let j = 0; j < m; j++) {
      const at = l * size + j * A.rows;
      let met = false;
      for (let k = 0; k < size; k++) met ||= A.data[at + k] !== 0;
      if (!met) continue;
      index.push(j);
      for (let k = 0; k < size; k++) values.push(A.data[at + k]!);
    }
    start[l + 1] = index.length;
  }
  return { levels, size, cols: m, start, index: Int32Array.from(index), values: Float64Array.from(values) };
}

function placeTerms(factors: readonly LmmFactor[], { terms }: RandomStructure): Slice[][] {
  const slices: Slice[][] = terms.map(() => []);
  factors.forEach((factor, f) => {
    const eliminated = f === 0;
    const first = eliminated ? 0 : factor.offset;
    for (const { term, column } of factor.terms) {
      for (let c = 0; c < terms[term]!.size; c++) {
        const start = first + column + c;
        slices[term]!.push({ eliminated, start, stride: factor.size, levels: factor.levels });
      }
    }
  });
  return slices;
}

interface ProductRow {
  /** Level of the eliminated factor, and the row of Z₁ there. */
  level: number;
  readonly own: Float64Array;
  /** Columns of [Z₂ X] and their values in this row. */
  readonly at: Int32Array;
  readonly value: Float64Array;
}

function makeRowReader([first, ...others]: readonly LmmFactor[], X: Matrix, m: number): (i: number) => ProductRow {
  const { Z, index, size } = first!;
  const entries = others.reduce((sum, factor) => sum + factor.size, 0);
  const out: ProductRow = {
    level: 0,
    own: new Float64Array(size),
    at: new Int32Array(entries + X.cols),
    value: new Float64Array(entries + X.cols),
  };
  for (let j = 0; j < X.cols; j++) out.at[entries + j] = m + j;
  return (i) => {
    out.level = index[i]!;
    for (let c = 0; c < size; c++) out.own[c] = Z.data[i + c * Z.rows]!;
    let k = 0;
    for (const factor of others) {
      const at = factor.offset + factor.index[i]! * factor.size;
      for (let c = 0; c < factor.size; c++, k++) {
        out.at[k] = at + c;
        out.value[k] = factor.Z.data[i + c * factor.Z.rows]!;
      }
    }
    for (let j = 0; j < X.cols; j++, k++) out.value[k] = X.data[i + j * X.rows]!;
    return out;
  };
}

function eachLevel(levels: number, width: number): LevelPatterns {
  const own = Int32Array.from({ length: levels }, (_, l) => l);
  return {
    patternOf: own,
    representative: own,
    count: new Float64Array(levels).fill(1),
    rowCount: new Float64Array(levels * width).fill(1),
  };
}
