/** What the design alone determines of an additive model: bases, penalties, identifiable columns, and the row work. */
import { type LearnedSmooth, learnSmooth } from "../../formula/basis/basis.ts";
import type { Design, SmoothColumns } from "../../formula/design.ts";
import { cholesky } from "../../numeric/linalg/cholesky.ts";
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { type Matrix, selectColumns, zeros } from "../../numeric/linalg/matrix.ts";
import { aliasedColumns, qr, qrBasis } from "../../numeric/linalg/qr.ts";
import { invertUpper } from "../../numeric/linalg/triangular.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { FAMILIES, type Family, type PlainFamilyName } from "../family.ts";
import { LINKS, type Link, type LinkName } from "../link.ts";
import { type PenaltyBlock, scaleBothSides } from "./penalty.ts";
import { type GamRows, makeGamRows } from "./rows/rows.ts";
import { sideConstraints } from "./side.ts";

export type GamMethod = "REML" | "ML" | "GCV.Cp";

export interface GamProblemOptions {
  readonly family: PlainFamilyName;
  readonly link: LinkName;
  readonly method?: GamMethod | undefined;
  /** Also penalise the part of each smooth that its own penalty leaves alone, so that a whole term can vanish. */
  readonly select?: boolean | undefined;
  /** Above 1 asks for smoother curves: every effective degree of freedom costs that much. */
  readonly gamma?: number | undefined;
  /** Smoothing parameters in the order of the penalties; a negative one is estimated. */
  readonly sp?: readonly number[] | undefined;
  readonly knots?: Readonly<Record<string, ArrayLike<number>>> | undefined;
  readonly discrete?: boolean | number | undefined;
}

export interface GamSmooth {
  readonly learned: LearnedSmooth;
  readonly columns: SmoothColumns;
  /** Its place among the terms of the formula. */
  readonly term: number;
  /** First column of the design, the parametric ones being counted first. */
  readonly from: number;
  readonly block: PenaltyBlock;
}

/** The parametric columns enter as an orthonormal basis Q√n of theirs; β = R⁻¹√n γ. */
export interface ParametricPart {
  readonly names: readonly string[];
  readonly kept: Int32Array;
  readonly dropped: Int32Array;
  /** Maps coefficients of the orthonormal columns to those of the named ones. */
  readonly back: Matrix;
  /** log|det back|², by which a determinant in the named columns is smaller. */
  readonly logDet: number;
}

export interface GamProblem {
  readonly design: Design;
  readonly family: Family<PlainFamilyName>;
  readonly link: Link;
  readonly method: GamMethod;
  readonly gamma: number;
  /** Rows with a positive weight. */
  readonly nobs: number;
  readonly rows: GamRows;
  readonly parametric: ParametricPart;
  readonly smooths: readonly GamSmooth[];
  readonly blocks: readonly PenaltyBlock[];
  readonly weights: Float64Array;
  readonly offset: Float64Array;
  /** log of the smoothing parameters that are given; NaN where one is to be estimated. */
  readonly fixedRho: Float64Array;
  /** X'WX with the prior weights. */
  readonly gram: Matrix;
  /** Directions of the coefficients that neither the rows nor a penalty determine; the fit has no part in them. */
  readonly nullSpace: Matrix;
  readonly diagnostics: readonly Diagnostic[];
}

/** A direction that adds less than this share to a column of unit length is not determined: rounding of X'X is 1e-16 of it, and
 *  1e-14 over many rows, while tensor products of skewed covariates have directions of 1e-11 that count. */
const UNDETERMINED = 1e-12;

export function prepareGam(design: Design, options: GamProblemOptions): GamProblem {
  const { family, link, method = "REML", gamma = 1 } = options;
  const n = design.rowsUsed.length;
  const weights = design.weights ?? new Float64Array(n).fill(1);
  const nobs = weights.reduce((count, w) => count + (w > 0 ? 1 : 0), 0);
  const { parametric, Q } = parametricPart(design);
  const terms = learnTerms(design, options);
  const rows = makeGamRows(
    Q,
    terms.map(({ learned, columns }) => ({ learned, columns })),
    { discrete: options.discrete },
  );
  const gram = zeros(rows.p, rows.p);
  rows.crossInto(gram.data, design.weights === undefined ? undefined : weights);
  const kept = sideConstraints(terms, {
    gram: design.weights === undefined ? gram : unweightedGram(rows),
    first: Q.cols,
    intercept: design.schema.formula.intercept,
  });
  const { smooths, blocks } = makeBlocks(terms, Q.cols, kept);
  const nullSpace = undetermined(gram, blocks);
  checkRows(nobs, rows.p, blocks);
  return {
    design,
    family: FAMILIES[family],
    link: LINKS[link],
    method,
    gamma,
    nobs,
    rows,
    parametric,
    smooths,
    blocks,
    weights,
    offset: design.offset ?? new Float64Array(n),
    fixedRho: fixedSmoothing(smooths, options.sp),
    gram,
    nullSpace,
    diagnostics: nullSpace.cols === 0 ? [] : [noteUndetermined(nullSpace, smooths)],
  };
}

function unweightedGram(rows: GamRows): Matrix {
  const gram = zeros(rows.p, rows.p);
  rows.crossInto(gram.data, undefined);
  return gram;
}

function parametricPart(design: Design): { parametric: ParametricPart; Q: Matrix } {
  const { X, names } = design;
  const n = X.rows;
  if (X.cols === 0) {
    const none = new Int32Array(0);
    return { parametric: { names: [], kept: none, dropped: none, back: zeros(0, 0), logDet: 0 }, Q: zeros(n, 0) };
  }
  const dropped = aliasedColumns(qr(X));
  const kept = Int32Array.from(names.keys()).filter((j) => !dropped.includes(j));
  const F = qr(dropped.length === 0 ? X : selectColumns(X, kept), { pivoting: "none" });
  const Q = qrBasis(F);
  const root = Math.sqrt(n);
  for (let i = 0; i < Q.data.length; i++) Q.data[i]! *= root;
  const back = invertUpper(F.factor, kept.length);
  let logDet = 0;
  for (let i = 0; i < back.data.length; i++) back.data[i]! *= root;
  for (let j = 0; j < kept.length; j++) logDet += 2 * Math.log(Math.abs(back.data[j * (kept.length + 1)]!));
  return { parametric: { names: Array.from(kept, (j) => names[j]!), kept, dropped, back, logDet }, Q };
}

export interface LearnedTerm {
  readonly learned: LearnedSmooth;
  readonly columns: SmoothColumns;
  readonly term: number;
}

function learnTerms({ smooth }: Design, { select, knots }: GamProblemOptions): LearnedTerm[] {
  return smooth.flatMap((columns, term) => {
    if (columns.term.id !== undefined) {
      const message = `${columns.term.label}: id = links smoothing parameters, which is not available.`;
      throw new StatError("UnsupportedSmooth", message, "leave id out; every smooth then has its own.");
    }
    const options = { select, knots };
    return learnSmooth(columns, options).map((learned) => ({ learned, columns, term }));
  });
}

function makeBlocks(
  terms: readonly LearnedTerm[],
  parametric: number,
  kept: readonly Int32Array[],
): { smooths: GamSmooth[]; blocks: PenaltyBlock[] } {
  const all = (count: number): Int32Array => Int32Array.from({ length: count }, (_, j) => j);
  const blocks: PenaltyBlock[] = [{ from: 0, size: parametric, kept: all(parametric), S: [], firstPenalty: 0 }];
  let from = parametric;
  let firstPenalty = 0;
  const smooths = terms.map((term, t): GamSmooth => {
    const size = term.learned.columns;
    if (kept[t]!.length === 0) {
      const message = `${term.learned.label} adds nothing to the smooths before it.`;
      throw new StatError("NotIdentifiable", message, "remove one of the smooths of the same covariate.");
    }
    const S = term.learned.S.map((matrix) => selectSquare(matrix, kept[t]!)).filter((matrix) => !isZero(matrix));
    const block = { from, size, kept: kept[t]!, S, firstPenalty };
    blocks.push(block);
    from += size;
    firstPenalty += S.length;
    return { ...term, from: block.from, block };
  });
  return { smooths, blocks };
}

function selectSquare(A: Matrix, index: Int32Array): Matrix {
  if (index.length === A.rows) return A;
  const k = index.length;
  const result = zeros(k, k);
  for (let c = 0; c < k; c++)
    for (let r = 0; r < k; r++) result.data[r + c * k] = A.data[index[r]! + index[c]! * A.rows]!;
  return result;
}

const isZero = ({ data }: Matrix): boolean => data.every((value) => value === 0);

/** Orthonormal directions in which X'WX and all penalties together vanish. */
function undetermined(gram: Matrix, blocks: readonly PenaltyBlock[]): Matrix {
  const p = gram.rows;
  const columns = blocks.flatMap(({ from, kept }) => Array.from(kept, (j) => from + j));
  const balanced = zeros(p, p);
  balanced.data.set(gram.data);
  for (const { from, kept, S } of blocks) {
    const size = kept.reduce((sum, j) => sum + gram.data[(from + j) * (p + 1)]!, 0);
    for (const matrix of S) {
      let trace = 0;
      for (let i = 0; i < matrix.rows; i++) trace += matrix.data[i * (matrix.rows + 1)]!;
      for (let c = 0; c < matrix.rows; c++) {
        for (let r = 0; r < matrix.rows; r++) {
          balanced.data[from + kept[r]! + (from + kept[c]!) * p]! += (size / trace) * matrix.data[r + c * matrix.rows]!;
        }
      }
    }
  }
  const q = columns.length;
  const unit = selectSquare(balanced, Int32Array.from(columns));
  const scale = Float64Array.from({ length: q }, (_, j) => Math.sqrt(unit.data[j * (q + 1)]!) || 1);
  scaleBothSides(
    unit.data,
    unit.data,
    scale.map((s) => 1 / s),
  );
  if (isRegular(unit)) return zeros(p, 0);
  const { values, vectors } = eigenSymmetric(unit);
  const few = Array.from(values.keys()).filter((j) => values[j]! < UNDETERMINED * q);
  if (few.length === 0) return zeros(p, 0);
  const directions = zeros(p, few.length);
  few.forEach((j, d) => {
    columns.forEach((column, r) => {
      directions.data[column + d * p] = vectors.data[r + j * q]! / scale[r]!;
    });
  });
  return qrBasis(qr(directions, { pivoting: "none" }));
}

/** Plain Cholesky pivots are what each column adds to those before it: only where one is small is a closer look needed. */
function isRegular(unit: Matrix): boolean {
  const L = cholesky(unit);
  if (L === undefined) return false;
  for (let i = 0; i < L.rows; i++) if (L.data[i * (L.rows + 1)]! ** 2 < 100 * UNDETERMINED) return false;
  return true;
}

/** A direction belongs to a smooth that holds at least this share of it. */
const SHARE = 1e-6;

function noteUndetermined(nullSpace: Matrix, smooths: readonly GamSmooth[]): Diagnostic {
  const p = nullSpace.rows;
  const labels = smooths
    .filter(({ from, block }) => {
      let share = 0;
      for (let d = 0; d < nullSpace.cols; d++) {
        for (let j = from; j < from + block.size; j++) share += nullSpace.data[j + d * p]! ** 2;
      }
      return share > SHARE;
    })
    .map(({ learned }) => learned.label);
  const many = nullSpace.cols === 1 ? "one direction" : `${nullSpace.cols} directions`;
  return warning(
    "NotIdentifiable",
    `the data leave ${many} of the coefficients undetermined (in ${labels.join(", ")}); they were set to zero there, which does not change the fitted values.`,
    "remove one of these terms, or lower its k: single curves and their edf depend on that choice.",
  );
}

function checkRows(nobs: number, p: number, blocks: readonly PenaltyBlock[]): void {
  const q = blocks.reduce((sum, { kept }) => sum + kept.length, 0);
  if (q <= nobs) return;
  throw new StatError(
    "TooManyCoefficients",
    `the model has ${q} coefficients for ${nobs} rows.`,
    `lower k of the smooths, e.g. to ${Math.max(3, Math.floor((10 * nobs) / p))}, or remove terms.`,
  );
}

function fixedSmoothing(smooths: readonly GamSmooth[], given: readonly number[] | undefined): Float64Array {
  const count = smooths.reduce((sum, { block }) => sum + block.S.length, 0);
  const rho = new Float64Array(count).fill(Number.NaN);
  const set = (j: number, sp: number): void => {
    if (sp >= 0) rho[j] = Math.log(Math.max(sp, Number.MIN_VALUE));
  };
  if (given !== undefined) {
    if (given.length !== count) {
      const labels = smooths.flatMap(({ learned, block }) => block.S.map(() => learned.label));
      const message = `${given.length} smoothing parameters for ${count} penalties (${labels.join(", ")}).`;
      throw new StatError("BadOption", message, "give one each, -1 where it is to be estimated.");
    }
    for (const [j, sp] of given.entries()) set(j, sp);
    return rho;
  }
  for (const { block, columns } of smooths) {
    for (const j of block.S.keys()) set(block.firstPenalty + j, columns.term.sp?.[j] ?? -1);
  }
  return rho;
}
