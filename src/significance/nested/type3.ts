/** Type III F tests: for each term of the fixed effects, that its effects vanish when all other factors are averaged with equal
 *  weights over their levels and numeric covariates of its interactions are 0.
 *
 *  Every function on the levels of a factor is f = mean(f)·1 + (f - mean f). Written so, the columns of an interaction split into
 *  parts that belong to its subsets, and the coefficients of a term in the centred model are linear functions Lβ of those
 *  of the model at hand, whatever its contrasts (treatment, sum, Helmert, ...). F tests Lβ = 0. The rows of L are differences to
 *  a factor's first level (of a model's only term: its sequential contrasts), as in lmerTest, because Satterthwaite's df of
 *  several rows depends on how they are written; F and Kenward-Roger's df do not.
 *  Reference: Searle (1987), Linear Models for Unbalanced Data, ch. 8 (unweighted means).
 *  Oracle:    anova(fit, type = 3) of lmerTest (R), with Satterthwaite and Kenward-Roger df.
 *  Limits:    with empty cells or aliased columns the hypothesis is about the coefficients that are left, which need not be that of SAS;
 *             a term without any gives NaN. */
import type { Design } from "../../formula/design.ts";
import type { CodedTerm, Schema } from "../../formula/schema.ts";
import type { Learned } from "../../formula/term.ts";
import type { LmFit } from "../../models/lm/lm.ts";
import { fSf } from "../../numeric/dist/f.ts";
import { cholesky, cholSolve } from "../../numeric/linalg/cholesky.ts";
import {
  type Matrix,
  matVec,
  multiply,
  selectColumns,
  selectRows,
  transpose,
  zeros,
} from "../../numeric/linalg/matrix.ts";
import { qr } from "../../numeric/linalg/qr.ts";

export interface TermTest {
  readonly term: string;
  readonly statistic: number;
  readonly df1: number;
  readonly df2: number;
  readonly p: number;
}

/** H0: Lβ = 0; L has one column per kept column of the design. */
export type TestContrasts = (L: Matrix) => Omit<TermTest, "term">;

/** `kept`: the columns of the design that have a coefficient. */
export function type3Tests(design: Design, kept: Int32Array, test: TestContrasts): TermTest[] {
  return type3Contrasts(design, kept).map(({ term, L }) => {
    if (L.rows === 0) return { term, statistic: Number.NaN, df1: 0, df2: Number.NaN, p: Number.NaN };
    const { statistic, df1, df2, p } = test(L);
    return { term, statistic, df1, df2, p };
  });
}

/** F tests with the residual df of a linear model. */
export function type3Lm(fit: LmFit): TermTest[] {
  const beta = Float64Array.from(fit.coefficients, (c) => c.value);
  return type3Tests(fit.design, fit.kept, (L) => waldF(L, { beta, vcov: fit.vcov, df: fit.residualDf }));
}

function waldF(
  L: Matrix,
  { beta, vcov, df }: { beta: Float64Array; vcov: Matrix; df: number },
): Omit<TermTest, "term"> {
  const delta = matVec(L, beta);
  const factor = cholesky(multiply(L, multiply(vcov, transpose(L))));
  const solved = factor ? cholSolve(factor, delta) : delta.map(() => Number.NaN);
  let statistic = 0;
  for (let i = 0; i < delta.length; i++) statistic += (delta[i]! * solved[i]!) / L.rows;
  return { statistic, df1: L.rows, df2: df, p: fSf(statistic, L.rows, df) };
}

/** The contrasts of each term, independent rows only. */
export function type3Contrasts(design: Design, kept: Int32Array): { term: string; L: Matrix }[] {
  const { assign, terms, schema } = design;
  if (terms.length === 1) return [{ term: terms[0]!, L: sequentialRows(design, kept) }];
  const all = zeros(assign.length, assign.length);
  const start = terms.map((_, t) => assign.indexOf(t + 1));
  schema.fixed.forEach((coded, t) => {
    const size = assign.filter((a) => a === t + 1).length;
    for (let c = 0; c < size; c++) {
      const column = start[t]! + c;
      splitColumn(schema, columnFunctions(schema, coded, c), (term, place, weight) => {
        all.data[start[term]! + place + column * all.rows]! += weight;
      });
    }
  });
  return terms.map((term, t) => {
    const L = zeros(assign.filter((a) => a === t + 1).length, kept.length);
    for (let j = 0; j < kept.length; j++)
      for (let i = 0; i < L.rows; i++) L.data[i + j * L.rows] = all.data[start[t]! + i + kept[j]! * all.rows]!;
    return { term, L: independentRows(L) };
  });
}

/** The only term: the rows of the unit triangular factor of X'X, which express its sequential sum of squares. */
function sequentialRows({ X, assign }: Design, kept: Int32Array): Matrix {
  const { factor } = qr(selectColumns(X, kept));
  const own = kept.filter((j) => assign[j] === 1);
  const first = kept.length - own.length;
  const L = zeros(own.length, kept.length);
  for (let i = 0; i < own.length; i++)
    for (let j = first + i; j < kept.length; j++) {
      const r = first + i;
      L.data[i + j * L.rows] = factor.data[r + j * factor.rows]! / factor.data[r + r * factor.rows]!;
    }
  return L;
}

function independentRows(L: Matrix): Matrix {
  if (L.rows === 0 || L.data.every((value) => value === 0)) return zeros(0, L.cols);
  const { pivot, rank } = qr(transpose(L));
  return selectRows(L, pivot.slice(0, rank).sort());
}

/** One column of a term: for a factor its value at each level, for any other variable which of its columns. */
type ColumnFunctions = ReadonlyMap<string, Float64Array | number>;

function columnFunctions({ learned }: Schema, { variables, indicators }: CodedTerm, column: number): ColumnFunctions {
  const out = new Map<string, Float64Array | number>();
  let left = column;
  variables.forEach((name, v) => {
    const own = learned.get(name)!;
    const indicator = indicators[v]!;
    const index = left % columnCount(own, indicator);
    left = Math.floor(left / columnCount(own, indicator));
    if (own.kind !== "factor") out.set(name, index);
    else if (indicator)
      out.set(
        name,
        Float64Array.from(own.levels, (_, l) => (l === index ? 1 : 0)),
      );
    else out.set(name, own.coding.data.slice(index * own.coding.rows, (index + 1) * own.coding.rows));
  });
  return out;
}

function columnCount(own: Learned, indicator: boolean): number {
  if (own.kind === "factor") return indicator ? own.levels.length : own.coding.cols;
  return own.kind === "matrix" ? own.names.length : 1;
}

/** Distributes a product of functions over the terms of the centred model. */
function splitColumn(
  schema: Schema,
  functions: ColumnFunctions,
  add: (term: number, place: number, weight: number) => void,
  weight = 1,
): void {
  const t = schema.fixed.findIndex(
    ({ variables }) => variables.length === functions.size && variables.every((name) => functions.has(name)),
  );
  if (t < 0) return; // the intercept: no term of its own
  const { variables, indicators } = schema.fixed[t]!;
  const split = variables.filter((name, v) => typeof functions.get(name) !== "number" && !indicators[v]);
  const centred = new Map(functions);
  for (const name of split) centred.set(name, centre(functions.get(name) as Float64Array));
  addProduct(schema, t, { functions: centred, weight, add });
  for (let subset = 1; subset < 2 ** split.length; subset++) {
    const rest = new Map(centred);
    let share = weight;
    split.forEach((name, v) => {
      if ((subset & (1 << v)) === 0) return;
      share *= mean(functions.get(name) as Float64Array);
      rest.delete(name);
    });
    if (share !== 0) splitColumn(schema, rest, add, share);
  }
}

interface Product {
  readonly functions: ColumnFunctions;
  readonly weight: number;
  readonly add: (term: number, place: number, weight: number) => void;
}

/** The coordinates of a product of centred functions in the columns of term t, the first variable varying fastest. */
function addProduct({ learned, fixed }: Schema, t: number, { functions, weight, add }: Product): void {
  const { variables, indicators } = fixed[t]!;
  let weights = [weight];
  variables.forEach((name, v) => {
    const f = functions.get(name)!;
    const own = learned.get(name)!;
    let coordinates: ArrayLike<number>;
    if (own.kind === "factor") coordinates = indicators[v] ? (f as Float64Array) : differences(f as Float64Array);
    else
      coordinates = Array.from({ length: own.kind === "matrix" ? own.names.length : 1 }, (_, i) => (i === f ? 1 : 0));
    weights = Array.from(coordinates).flatMap((c) => weights.map((w) => w * c));
  });
  weights.forEach((w, place) => {
    if (w !== 0) add(t, place, w);
  });
}

/** The differences to the first level: treatment coordinates, whatever the coding of the model. */
function differences(f: Float64Array): Float64Array {
  return f.slice(1).map((value) => value - f[0]!);
}

function mean(f: Float64Array): number {
  return f.reduce((sum, value) => sum + value, 0) / f.length;
}

function centre(f: Float64Array): Float64Array {
  const m = mean(f);
  return f.map((value) => value - m);
}
