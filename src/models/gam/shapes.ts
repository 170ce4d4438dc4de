/** The fitted curves as data for plots: centred partial effects with pointwise bands, on the scale of the linear predictor.
 *  A smooth with a numeric `by` shows the slope that multiplies it. Limits: smooths of more than two covariates have no shape. */
import type { Column } from "../../data/table.ts";
import { smoothRows } from "../../formula/basis/basis.ts";
import { distinctPoints } from "../../formula/basis/margin.ts";
import type { Design } from "../../formula/design.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { multiplyLarge } from "../../numeric/linalg/product.ts";
import type { FittedSmooth } from "./gam.ts";

const POINTS = 100;
/** Per covariate of a surface. */
const SURFACE_POINTS = 30;

export interface GamShape {
  readonly term: string;
  readonly kind: "curve" | "surface" | "levels";
  /** One array per covariate: the points, level by level for "levels". */
  readonly at: readonly { readonly name: string; readonly values: readonly (number | string)[] }[];
  readonly effect: Float64Array;
  readonly se: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Of a curve: where the data lie, up to 500 values. */
  readonly rug?: readonly number[];
  /** Of a surface: the same, as pairs in the order of the rows. */
  readonly points?: readonly (readonly [number, number])[];
}

export interface ShapeInput {
  readonly design: Design;
  readonly smooths: readonly FittedSmooth[];
  readonly beta: Float64Array;
  readonly covariance: Matrix;
  readonly confidence: number;
}

export function makeShapes(input: ShapeInput): GamShape[] {
  return input.smooths.flatMap((smooth) => makeShape(input, smooth));
}

function makeShape({ design, beta, covariance, confidence }: ShapeInput, smooth: FittedSmooth): GamShape[] {
  const { learned, from, term } = smooth;
  const grid = makeGrid(design.smooth[term]!.covariates);
  if (grid === undefined) return [];
  const { by: _, ...plain } = learned;
  const X = smoothRows(plain, grid.columns);
  const { effect, se } = termEffects(X, { from, beta, covariance });
  const z = normalQuantileUpper((1 - confidence) / 2);
  return [
    {
      term: learned.label,
      kind: grid.kind,
      at: learned.of.map((name, c) => ({ name, values: shownValues(grid.columns[c]!) })),
      effect,
      se,
      lower: effect.map((value, i) => value - z * se[i]!),
      upper: effect.map((value, i) => value + z * se[i]!),
      ...(grid.kind === "curve" ? { rug: rugOf(design.smooth[term]!.covariates[0]!) } : {}),
      ...(grid.kind === "surface" ? { points: pointsOf(design.smooth[term]!.covariates) } : {}),
    },
  ];
}

/** More marks than this run together. */
const MOST_MARKS = 500;

/** Different values, thinned to every k-th of their order where there are many. */
export function rugOf(covariate: Column): number[] {
  if (covariate.kind === "factor") return [];
  const finite = covariate.values.every(Number.isFinite) ? covariate.values : covariate.values.filter(Number.isFinite);
  const sorted = distinctPoints([finite]).columns[0]!;
  if (sorted.length <= MOST_MARKS) return Array.from(sorted);
  return Array.from(
    { length: MOST_MARKS },
    (_, k) => sorted[Math.round((k * (sorted.length - 1)) / (MOST_MARKS - 1))]!,
  );
}

/** Every k-th row where there are many. */
function pointsOf([first, second]: readonly Column[]): [number, number][] {
  if (first?.kind !== "numeric" || second?.kind !== "numeric") return [];
  const n = first.values.length;
  const shown = Math.min(n, MOST_MARKS);
  return Array.from({ length: shown }, (_, k) => {
    const i = Math.floor((k * n) / shown);
    return [first.values[i]!, second.values[i]!];
  });
}

/** Xβ and its standard errors for the columns of one smooth. */
export function termEffects(
  X: Matrix,
  { from, beta, covariance }: { from: number; beta: Float64Array; covariance: Matrix },
): { effect: Float64Array; se: Float64Array } {
  const { rows: n, cols: k, data } = X;
  const p = covariance.rows;
  const V = zeros(k, k);
  for (let j = 0; j < k; j++) {
    const at = from + (from + j) * p;
    V.data.set(covariance.data.subarray(at, at + k), j * k);
  }
  const XV = multiplyLarge(X, V);
  const effect = new Float64Array(n);
  const variance = new Float64Array(n);
  for (let j = 0; j < k; j++) {
    const b = beta[from + j]!;
    for (let i = 0, at = j * n; i < n; i++, at++) {
      effect[i]! += data[at]! * b;
      variance[i]! += data[at]! * XV.data[at]!;
    }
  }
  return { effect, se: variance.map((value) => Math.sqrt(Math.max(0, value))) };
}

function shownValues(column: Column): (number | string)[] {
  return column.kind === "numeric"
    ? Array.from(column.values)
    : Array.from(column.codes, (code) => column.levels[code]!);
}

function makeGrid(covariates: readonly Column[]): { kind: GamShape["kind"]; columns: Column[] } | undefined {
  const [first, second] = covariates;
  if (covariates.length > 2 || first === undefined) return undefined;
  const axis = (column: Column, points: number): Column => {
    if (column.kind === "factor") {
      return { ...column, codes: Int32Array.from(column.levels, (_, code) => code) };
    }
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < column.values.length; i++) {
      const value = column.values[i]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return {
      kind: "numeric",
      values: Float64Array.from({ length: points }, (_, i) => low + ((high - low) * i) / (points - 1)),
    };
  };
  if (second === undefined) {
    const kind = first.kind === "factor" ? "levels" : "curve";
    return { kind, columns: [axis(first, POINTS)] };
  }
  const [a, b] = [axis(first, SURFACE_POINTS), axis(second, SURFACE_POINTS)];
  const [m, n] = [lengthOf(a), lengthOf(b)];
  const kind = first.kind === "factor" || second.kind === "factor" ? "levels" : "surface";
  return { kind, columns: [spread(a, m * n, (i) => i % m), spread(b, m * n, (i) => Math.floor(i / m))] };
}

const lengthOf = (column: Column): number => (column.kind === "numeric" ? column.values.length : column.codes.length);

function spread(column: Column, length: number, place: (i: number) => number): Column {
  return column.kind === "numeric"
    ? { kind: "numeric", values: Float64Array.from({ length }, (_, i) => column.values[place(i)]!) }
    : { ...column, codes: Int32Array.from({ length }, (_, i) => column.codes[place(i)]!) };
}
