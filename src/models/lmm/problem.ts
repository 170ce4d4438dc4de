/** What a linear mixed model needs of its design, computed once and used for any number of responses.
 *
 *      y = Xβ + Zb + offset + ε,   b = Λ(θ)u,   u ~ N(0, σ²I),   ε ~ N(0, σ²W⁻¹)
 *
 *  Terms with the same grouping factor are merged into one factor with all their columns, so that Z'WZ is block diagonal
 *  within a factor. The factor with the most random effects comes first and will be eliminated level by level; levels whose
 *  cross products coincide are one pattern (cross-products.ts). X enters as X R⁻¹, whose columns are W-orthonormal, so that badly
 *  scaled or nearly collinear covariates cost no digits.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), sections 2-3.
 *  Limits:    rows of weight 0 take no part. */

import type { Design } from "../../formula/design.ts";
import type { RandomBlock } from "../../formula/term.ts";
import { distinctRows, gatherRows } from "../../numeric/linalg/distinct-rows.ts";
import { type Matrix, selectColumns, selectRows, zeros } from "../../numeric/linalg/matrix.ts";
import { aliasedColumns, type Qr, qr } from "../../numeric/linalg/qr.ts";
import { invertUpper } from "../../numeric/linalg/triangular.ts";
import { mostOf } from "../../result/extremes.ts";
import { DEFAULT_MAX_MEMORY } from "../random/cost.ts";
import { type RandomStructure, randomStructure } from "../random/random.ts";
import { type CrossProducts, crossProducts } from "./cross-products.ts";
import { checkRandomBlocks } from "./input.ts";
import { DENSE_ORDER } from "./schur.ts";
import { type MomentEquations, momentEquations } from "./start.ts";

export type Criterion = "REML" | "ML";

/** A grouping factor with the columns of all its terms. */
export interface LmmFactor {
  readonly group: string;
  /** Level of each row of the problem. */
  readonly index: Int32Array;
  readonly levels: number;
  /** q, the number of random effects per level. */
  readonly size: number;
  /** First of its random effects among those of factors 1, 2, …; 0 for factor 0, which is counted by itself. */
  readonly offset: number;
  /** The terms (places in structure.terms), and the column of the factor at which each starts. */
  readonly terms: readonly { readonly term: number; readonly column: number }[];
  /** Unweighted columns of all terms, one row per row of the problem. */
  readonly Z: Matrix;
  /** T(θ) of the factor, q × q: entry (row[e], col[e]) is θ[theta[e]], every other entry is 0. */
  readonly theta: Int32Array;
  readonly row: Int32Array;
  readonly col: Int32Array;
}

export interface LmmProblem {
  readonly design: Design;
  readonly criterion: Criterion;
  /** Rows of the design with a positive weight; everything below runs over these. */
  readonly rows: Int32Array;
  readonly nobs: number;
  /** Columns of design.X with a coefficient, and those that they determine. */
  readonly kept: Int32Array;
  readonly dropped: Int32Array;
  /** The kept columns. */
  readonly X: Matrix;
  readonly weights: Float64Array | undefined;
  readonly offset: Float64Array | undefined;
  /** The terms in the order of θ, names and bounds of θ. */
  readonly structure: RandomStructure;
  /** In the order of elimination: by falling number of random effects. */
  readonly factors: readonly LmmFactor[];
  /** R⁻¹ with R'R = X'WX. */
  readonly inverseR: Matrix;
  /** log |X'WX| and Σ log w. */
  readonly logDetXWX: number;
  readonly logWeights: number;
  readonly cross: CrossProducts;
  /** For the start of θ. */
  readonly moments: MomentEquations;
  /** Buffers that evaluations overwrite. */
  readonly work: LmmWork;
}

export interface LmmProblemOptions {
  readonly criterion?: Criterion | undefined;
  /** Bytes that the matrices of a step may take; a model that needs more, or very long, is refused. Default: 1 GB. */
  readonly maxMemory?: number | undefined;
}

interface AssemblyOptions extends LmmProblemOptions {
  /** Random effects of the factors that are not eliminated up to which their matrix is held dense. */
  readonly denseOrder?: number | undefined;
}

export function prepareLmm(design: Design, options: LmmProblemOptions = {}): LmmProblem {
  const rows = weightedRows(design);
  checkRandomBlocks(usedBlocks(design, rows), rows.length);
  return assembleLmm(design, options);
}

/** The same for a design that is not asked whether its rows are enough. */
export function assembleLmm(design: Design, options: AssemblyOptions = {}): LmmProblem {
  const { criterion = "REML", maxMemory = DEFAULT_MAX_MEMORY, denseOrder = DENSE_ORDER } = options;
  const rows = weightedRows(design);
  const all = rows.length === design.X.rows;
  const weights = design.weights && takeRows(design.weights, rows);
  const offset = design.offset && takeRows(design.offset, rows);
  const blocks = usedBlocks(design, rows);
  const fixed = fixedPart(all ? design.X : selectRows(design.X, rows), weights);
  const structure = randomStructure(blocks);
  const factors = mergeFactors(blocks, structure);
  const cross = crossProducts({ factors, X: fixed.X, inverseR: fixed.inverseR, weights, maxMemory, denseOrder });
  let logWeights = 0;
  if (weights) for (const w of weights) logWeights += Math.log(w);
  return {
    design,
    criterion,
    rows,
    nobs: rows.length,
    ...fixed,
    weights,
    offset,
    structure,
    factors,
    logWeights,
    cross,
    moments: momentEquations(factors, cross, rows.length),
    work: makeWork(factors, cross, structure.term.length),
  };
}

function weightedRows({ weights, y }: Design): Int32Array {
  const rows = new Int32Array(y.length);
  for (let i = 0; i < rows.length; i++) rows[i] = i;
  return weights === undefined ? rows : rows.filter((i) => weights[i]! > 0);
}

const takeRows = (values: Float64Array, rows: Int32Array): Float64Array =>
  rows.length === values.length ? values : Float64Array.from(rows, (i) => values[i]!);

const usedBlocks = ({ random, X }: Design, rows: Int32Array): readonly RandomBlock[] =>
  rows.length === X.rows ? random : random.map((block) => blockRows(block, rows));

/** The rows used; levels that lost all of theirs stay, with modes of 0. */
function blockRows(block: RandomBlock, rows: Int32Array): RandomBlock {
  return { ...block, index: Int32Array.from(rows, (i) => block.index[i]!), Z: selectRows(block.Z, rows) };
}

function fixedPart(all: Matrix, weights: Float64Array | undefined) {
  const factor = factorFixed(all, weights);
  const dropped = aliasedColumns(factor);
  const kept = factor.pivot.slice(0, factor.rank).sort();
  const X = dropped.length === 0 ? all : selectColumns(all, kept);
  let logDetXWX = 0;
  for (let j = 0; j < factor.rank; j++)
    logDetXWX += 2 * Math.log(Math.abs(factor.factor.data[j + j * factor.factor.rows]!));
  return { kept, dropped, X, inverseR: inverseOfR(factor), logDetXWX };
}

/** Long data of a few kinds of rows have the R of those kinds. */
function factorFixed(X: Matrix, weights: Float64Array | undefined): Qr {
  const kinds = X.rows < LONG ? undefined : distinctRows(X, X.rows / FEW_KINDS);
  if (kinds !== undefined) return qr(gatherRows(X, kinds, weights));
  return qr(weights ? scaledRows(X, weights) : X);
}

/** Fewer rows are factored in no time. */
const LONG = 2_000;
/** Copies a row must have on average for the search to pay. */
const FEW_KINDS = 8;

/** R⁻¹ of the estimable columns, which limited pivoting leaves in their order. */
function inverseOfR({ factor, rank }: Qr): Matrix {
  return rank === 0 ? zeros(0, 0) : invertUpper(factor, rank);
}

function scaledRows(X: Matrix, weights: Float64Array): Matrix {
  const data = new Float64Array(X.data.length);
  for (let i = 0; i < X.rows; i++) {
    const root = Math.sqrt(weights[i]!);
    for (let j = 0; j < X.cols; j++) data[i + j * X.rows] = root * X.data[i + j * X.rows]!;
  }
  return { rows: X.rows, cols: X.cols, data };
}

/** Terms with one grouping factor become one factor; factors by falling number of random effects. */
function mergeFactors(blocks: readonly RandomBlock[], structure: RandomStructure): LmmFactor[] {
  const byGroup = new Map<string, number[]>();
  structure.terms.forEach(({ group }, t) => {
    byGroup.set(group, [...(byGroup.get(group) ?? []), t]);
  });
  const merged = [...byGroup.values()].map((terms) => mergeTerms(terms, blocks, structure));
  merged.sort((a, b) => b.levels * b.size - a.levels * a.size);
  let offset = 0;
  return merged.map((factor, f) => {
    const placed = { ...factor, offset };
    if (f > 0) offset += factor.levels * factor.size;
    return placed;
  });
}

function mergeTerms(terms: readonly number[], blocks: readonly RandomBlock[], structure: RandomStructure): LmmFactor {
  const places: { term: number; column: number }[] = [];
  let size = 0;
  for (const term of terms) {
    places.push({ term, column: size });
    size += structure.terms[term]!.size;
  }
  const first = blocks[structure.terms[terms[0]!]!.block]!;
  const rows = first.Z.rows;
  const Z = terms.length === 1 ? first.Z : zeros(rows, size);
  if (terms.length > 1) {
    for (const { term, column } of places) Z.data.set(blocks[structure.terms[term]!.block]!.Z.data, column * rows);
  }
  const theta: number[] = [];
  const row: number[] = [];
  const col: number[] = [];
  structure.term.forEach((term, k) => {
    const place = places.find((p) => p.term === term);
    if (place === undefined) return;
    theta.push(k);
    row.push(place.column + structure.row[k]!);
    col.push(place.column + structure.col[k]!);
  });
  return {
    group: first.group,
    index: first.index,
    levels: first.levels.length,
    size,
    offset: 0,
    terms: places,
    Z,
    theta: Int32Array.from(theta),
    row: Int32Array.from(row),
    col: Int32Array.from(col),
  };
}

/** Buffers of evaluations: what one value of θ makes of the cross products. Names as in objective.ts. */
export interface LmmWork {
  /** θ that the buffers belong to; NaN at first. */
  readonly theta: Float64Array;
  /** T(θ) and its transpose, by factor. */
  readonly T: readonly Float64Array[];
  readonly Tt: readonly Float64Array[];
  /** The same without factor 0. */
  readonly others: { readonly T: readonly Float64Array[]; readonly Tt: readonly Float64Array[] };
  /** G = L⁻¹T' and K = L⁻ᵀG by pattern, q × q. */
  readonly G: Float64Array;
  readonly K: Float64Array;
  /** V = G A12 and Vx = G A1x. */
  readonly V: Float64Array;
  readonly Vx: Float64Array;
  /** R22, Λ2'R22, S22 and what stands for its inverse (inverse.ts), in the layout of the Schur complement. */
  readonly R: Float64Array;
  readonly Y: Float64Array;
  readonly S: Float64Array;
  readonly Z: Float64Array;
  /** θ that Z belongs to; NaN at first. */
  readonly inverseTheta: Float64Array;
  /** q columns of length m. */
  readonly columns: Float64Array;
  /** Columns x and y of R2·, and L⁻¹Λ2' of them: m × (p + 1). */
  readonly R2: Float64Array;
  readonly W: Float64Array;
  /** Like W, after back-substitution; J = Λ2 times it; GX = R2x - R22 J. */
  readonly Wt: Float64Array;
  readonly J: Float64Array;
  readonly GX: Float64Array;
  /** C = X'V⁻¹X, p × p, then its Cholesky factor; its inverse; GX C⁻¹. */
  readonly C: Float64Array;
  readonly inverseC: Float64Array;
  readonly GXC: Float64Array;
  /** Rxy, then the solution γ. */
  readonly gamma: Float64Array;
  /** Scratch of a few q × q or q × p blocks. */
  readonly blocks: readonly Float64Array[];
  /** Random effects of one factor, for simulation. */
  readonly draws: Float64Array;
  /** log |M|, log |C|, r², 1 when Z has the form of roots, and 1 when R has its lower triangle only; filled by evaluations. */
  readonly scalars: Float64Array;
}

function makeWork(factors: readonly LmmFactor[], { first, m, p, schur }: CrossProducts, thetas: number): LmmWork {
  const room = (k: number) => new Float64Array(k);
  const q = first.size;
  const square = () => factors.map(({ size }) => room(size * size));
  const T = square();
  const Tt = square();
  const largest = mostOf(factors.map(({ size }) => size));
  return {
    theta: room(thetas).fill(Number.NaN),
    T,
    Tt,
    others: { T: T.slice(1), Tt: Tt.slice(1) },
    G: room(first.patterns * q * q),
    K: room(first.patterns * q * q),
    V: room(first.A12.length),
    Vx: room(first.A1x.length),
    R: room(schur.size),
    Y: room(schur.size),
    S: room(schur.size),
    Z: room(schur.size),
    inverseTheta: room(thetas).fill(Number.NaN),
    columns: room(q * m),
    R2: room(m * (p + 1)),
    W: room(m * (p + 1)),
    Wt: room(m * (p + 1)),
    J: room(m * (p + 1)),
    GX: room(m * (p + 1)),
    C: room(p * p),
    inverseC: room(p * p),
    GXC: room(m * p),
    gamma: room(p),
    blocks: Array.from({ length: 6 }, () => room(largest * Math.max(largest, p, 1))),
    draws: room(mostOf(factors.map(({ levels, size }) => levels * size))),
    scalars: room(5),
  };
}
