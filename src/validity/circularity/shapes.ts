/** Amplitudes of the fitted shapes: how far a feature moves the prediction over the bulk of its values.
 *
 *      A = max f - min f over the central 95% of the feature,   SE² = d'Vd,  d = x(argmax) - x(argmin)
 *  with the Bayesian covariance V of the coefficients. For a binomial label f is the mean prediction with everything else as it is
 *  (partial dependence), so that a flat curve at odds of a million to one counts as flat; its SE follows by the delta method.
 *  Reference: Friedman (2001), Ann. Statist. 29(5), §8.2, for partial dependence; Wood (2017), §6.10, for V.
 *  Limits:    the interval is for the difference between the two points where the curve is farthest apart; that they were picked for it
 *             is not allowed for. */

import { quantile } from "../../data/moments.ts";
import { type Column, makeTable, takeCells } from "../../data/table.ts";
import { smoothRows } from "../../formula/basis/basis.ts";
import { fitGam, type GamFit } from "../../models/gam/gam.ts";
import { rugOf } from "../../models/gam/shapes.ts";
import { LINKS } from "../../models/link.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { zeros } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import type { Task } from "../../run/task.ts";
import type { ModelInput } from "./powerset-model.ts";

const GRID = 60;
/** Rows that stand for all where every row costs: enough for quantiles and means. */
const MOST_ROWS = 20_000;
const MOST_PARTIAL_ROWS = 1000;

interface ShapesInput extends ModelInput {
  /** Columns whose amplitudes are wanted, by their names in the formula; what else is in the model is the circular set. */
  readonly wanted: readonly string[];
  readonly confidence: number;
}

export interface Amplitude {
  readonly value: number;
  readonly se: number;
  readonly lower: number;
  readonly upper: number;
}

export interface ShapeCurve {
  readonly at: readonly (number | string)[];
  /** Around zero, on the scale of the linear predictor. */
  readonly effect: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** Where the data lie within the range drawn, up to 500 values. */
  readonly rug?: readonly number[];
}

export interface ShapesOutput {
  readonly amplitudes: readonly Amplitude[];
  readonly curves: readonly ShapeCurve[];
  /** Of everything that is not wanted, together; NaN where there is nothing. */
  readonly setAmplitude: number;
  readonly d2: number;
  readonly edf: number;
  readonly fault?: string;
}

export const circularityShapesTask: Task<ShapesInput, ShapesOutput> = {
  name: "validity/circularity-shapes",
  run: (input) => measureShapes(input),
};

function measureShapes(input: ShapesInput): ShapesOutput {
  const { formula, y, columns, family, method, wanted, confidence } = input;
  try {
    const table = makeTable([["y", { kind: "numeric", values: y }], ...columns]);
    const fit = fitGam(formula, table, { family, method, confidence });
    const cells = new Map(columns);
    const rows = spread(y.length, MOST_ROWS);
    const own = wanted.map((name) => effectOf(fit, name, cells.get(name)!));
    const parts = own.map((effect) => effect.over(rows));
    const rest = Float64Array.from(rows, (i, r) =>
      parts.reduce((left, part) => left - part[r]!, fit.linearPredictor[i]!),
    );
    const z = normalQuantileUpper((1 - confidence) / 2);
    const onRows = own.map((effect, w) => ({ effect, part: parts[w]!, eta: rows.map((i) => fit.linearPredictor[i]!) }));
    return {
      amplitudes: onRows.map((one) => amplitudeOf(fit, one, z)),
      curves: own.map(({ at, effect, se }, w) => ({
        at,
        ...rugWithin(cells.get(wanted[w]!)!, at),
        effect: Array.from(effect),
        lower: Array.from(effect, (value, g) => value - z * se[g]!),
        upper: Array.from(effect, (value, g) => value + z * se[g]!),
      })),
      setAmplitude: columns.length > wanted.length ? setAmplitude(fit, rest, onRows) : Number.NaN,
      d2: fit.devianceExplained,
      edf: fit.edf,
    };
  } catch (error) {
    if (!(error instanceof StatError)) throw error;
    const none = { amplitudes: [], curves: [], setAmplitude: Number.NaN, d2: Number.NaN, edf: Number.NaN };
    return { ...none, fault: error.message };
  }
}

function rugWithin(column: Column, at: readonly (number | string)[]): Pick<ShapeCurve, "rug"> {
  const [low, high] = [at[0], at.at(-1)];
  if (typeof low !== "number" || typeof high !== "number") return {};
  return { rug: rugOf(column).filter((value) => value >= low && value <= high) };
}

/** Evenly spread row numbers, all of them where they are few. */
function spread(n: number, most: number): Float64Array {
  const count = Math.min(n, most);
  return Float64Array.from({ length: count }, (_, r) => Math.floor((r * n) / count));
}

interface Effect {
  readonly at: readonly (number | string)[];
  readonly X: Matrix;
  /** Places of the coefficients that the columns of X multiply. */
  readonly index: Int32Array;
  readonly effect: Float64Array;
  readonly se: Float64Array;
  over(rows: Float64Array): Float64Array;
}

function effectOf(fit: GamFit, name: string, column: Column): Effect {
  const smooth = fit.fittedSmooths.find(({ learned }) => learned.of.length === 1 && learned.of[0] === name);
  const grid = gridOf(column, smooth !== undefined);
  const code = (cells: Column): { X: Matrix; index: Int32Array } => {
    if (smooth === undefined) return parametricRows(fit, name, cells);
    const X = smoothRows(smooth.learned, [cells]);
    return { X, index: Int32Array.from({ length: X.cols }, (_, j) => smooth.from + j) };
  };
  const { X, index } = code(grid);
  const effect = times(X, index, fit.beta);
  const mean = effect.reduce((sum, value) => sum + value / effect.length, 0);
  return {
    at: grid.kind === "numeric" ? Array.from(grid.values) : Array.from(grid.codes, (c) => grid.levels[c]!),
    X,
    index,
    effect: effect.map((value) => value - (smooth === undefined ? mean : 0)),
    se: Float64Array.from(effect, (_, g) => errorOf(fit, index, rowOf(X, g))),
    over: (rows) => {
      const some = code(takeCells(column, Int32Array.from(rows)));
      return times(some.X, some.index, fit.beta);
    },
  };
}

/** The central 95% of a numeric feature, wider where that is one value; the levels of a factor. */
function gridOf(column: Column, smooth: boolean): Column {
  if (column.kind === "factor") return { ...column, codes: Int32Array.from(column.levels.keys()) };
  const sorted = column.values.slice().sort();
  if (!smooth) return { kind: "numeric", values: Float64Array.of(sorted[0]!, sorted[sorted.length - 1]!) };
  const [lo, hi] = [0.025, 0.005, 0]
    .map((tail): [number, number] => [quantile(sorted, tail), quantile(sorted, 1 - tail)])
    .find(([a, b]) => a < b)!;
  return { kind: "numeric", values: Float64Array.from({ length: GRID }, (_, g) => lo + ((hi - lo) * g) / (GRID - 1)) };
}

/** A line or the levels of a factor against the first; columns that were dropped count as zero. */
function parametricRows({ design, kept }: GamFit, name: string, cells: Column): { X: Matrix; index: Int32Array } {
  const own = Int32Array.from(kept.keys()).filter((j) => design.terms[design.assign[kept[j]!]! - 1] === name);
  const n = cells.kind === "numeric" ? cells.values.length : cells.codes.length;
  const X = zeros(n, own.length);
  own.forEach((j, c) => {
    const level = design.names[kept[j]!]!.slice(name.length);
    for (let i = 0; i < n; i++) {
      X.data[i + c * n] = cells.kind === "numeric" ? cells.values[i]! : cells.levels[cells.codes[i]!] === level ? 1 : 0;
    }
  });
  return { X, index: own };
}

function times({ rows, cols, data }: Matrix, index: Int32Array, beta: Float64Array): Float64Array {
  const result = new Float64Array(rows);
  for (let j = 0; j < cols; j++) for (let i = 0; i < rows; i++) result[i]! += data[i + j * rows]! * beta[index[j]!]!;
  return result;
}

const rowOf = ({ rows, cols, data }: Matrix, i: number): Float64Array =>
  Float64Array.from({ length: cols }, (_, j) => data[i + j * rows]!);

function errorOf({ bayesian: V }: GamFit, index: Int32Array, x: Float64Array): number {
  let variance = 0;
  for (let a = 0; a < x.length; a++) {
    for (let b = 0; b < x.length; b++) variance += x[a]! * x[b]! * V.data[index[a]! + index[b]! * V.rows]!;
  }
  return Math.sqrt(Math.max(0, variance));
}

interface OnRows {
  readonly effect: Effect;
  /** The feature's own contribution in each of the chosen rows. */
  readonly part: Float64Array;
  readonly eta: Float64Array;
}

function amplitudeOf(fit: GamFit, { effect, part, eta }: OnRows, z: number): Amplitude {
  const { X, index } = effect;
  let [low, high] = [0, 0];
  effect.effect.forEach((value, g) => {
    if (value > effect.effect[high]!) high = g;
    if (value < effect.effect[low]!) low = g;
  });
  const [top, bottom] = [rowOf(X, high), rowOf(X, low)];
  const difference = effect.effect[high]! - effect.effect[low]!;
  const error = errorOf(
    fit,
    index,
    top.map((value, j) => value - bottom[j]!),
  );
  const value = fit.family === "gaussian" ? difference : partialRange(fit, { eta, part, X, index, high, low });
  const se = difference === 0 ? error : (error * value) / difference;
  return { value, se, lower: Math.max(0, value - z * se), upper: value + z * se };
}

interface PartialInput {
  readonly eta: Float64Array;
  readonly part: Float64Array;
  readonly X: Matrix;
  readonly index: Int32Array;
  readonly high: number;
  readonly low: number;
}

/** Mean difference of the predictions between two values of a feature. */
function partialRange(fit: GamFit, { eta, part, X, index, high, low }: PartialInput): number {
  const f = times(X, index, fit.beta);
  return meanDifference(fit, { eta, part, low: f[low]!, high: f[high]! });
}

function meanDifference(
  fit: GamFit,
  { eta, part, low, high }: { eta: Float64Array; part: Float64Array; low: number; high: number },
): number {
  const { mu } = LINKS[fit.link];
  const some = spread(eta.length, MOST_PARTIAL_ROWS);
  let sum = 0;
  for (const i of some) sum += mu(eta[i]! - part[i]! + high) - mu(eta[i]! - part[i]! + low);
  return sum / some.length;
}

/** What the rest of the model moves, between its 0.5% and 99.5% quantiles. */
function setAmplitude(fit: GamFit, rest: Float64Array, others: readonly OnRows[]): number {
  const sorted = rest.slice().sort();
  const [low, high] = [quantile(sorted, 0.005), quantile(sorted, 0.995)];
  if (fit.family === "gaussian") return high - low;
  const eta = others[0]?.eta ?? rest;
  return meanDifference(fit, { eta, part: rest, low, high });
}
