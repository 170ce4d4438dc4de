/** Coefficients that reproduce as many rows as possible: least squares, then least absolute deviations by reweighting, then least
 *  squares on the rows that these give best (concentration), so that rows which follow no rule do not bend it.
 *  Reference: Schlossmacher (1973), JASA 68 (reweighting); Rousseeuw & Van Driessen (2006), Data Min. Knowl. Discov. 12 (concentration).
 *  Oracle:    planted coefficients, with and without replaced rows.
 *  Limits:    found from one start; a rule for fewer than about six rows in ten may be missed. */
import { cholesky, cholSolve } from "../../numeric/linalg/cholesky.ts";
import { crossprod, fromColumns, type Matrix, selectColumns, tMatVec } from "../../numeric/linalg/matrix.ts";
import { qr } from "../../numeric/linalg/qr.ts";

const REWEIGHTINGS = 20;
const CONCENTRATIONS = 4;
/** Reweightings after which a rule shows: the middle deviation has fallen to half of what least squares left, or below what rounding leaves. */
const FIRST = 6;
/** Share of the rows that the concentration keeps. */
const KEPT = 0.6;
/** Deviations below this share of the spread weigh no more than it. */
const FLOOR = 1e-8;

export interface RobustFit {
  readonly intercept: number;
  /** One per column, 0 for aliased ones. */
  readonly slopes: Float64Array;
}

/** undefined where the rows are too few, or no share of them comes close to a common rule. */
export function fitRobustly(
  columns: readonly Float64Array[],
  y: Float64Array,
  tolerance: number,
): RobustFit | undefined {
  const n = y.length;
  const scaled = columns.map(standardise);
  const X = fromColumns([new Float64Array(n).fill(1), ...scaled.map(({ values }) => values)]);
  const decomposed = qr(X);
  const used = Array.from(decomposed.pivot.subarray(0, decomposed.rank)).sort((a, b) => a - b);
  if (n < 2 * used.length + 2) return undefined;
  const spread = standardise(y).sd;
  let beta = solveWeighted(X, y, { used, weights: new Float64Array(n).fill(1) });
  if (beta === undefined) return undefined;
  let left = residuals(X, y, beta);
  if (largest(left) > tolerance) {
    const before = middle(left);
    for (let step = 0; step < REWEIGHTINGS; step++) {
      if (step === FIRST && middle(left) > Math.max(before / 2, 0.6 * tolerance)) return undefined;
      const weights = left.map((r) => spread / Math.max(Math.abs(r), FLOOR * spread));
      beta = solveWeighted(X, y, { used, weights }) ?? beta;
      left = residuals(X, y, beta);
    }
    for (let step = 0; step < CONCENTRATIONS; step++) {
      const sorted = left.map(Math.abs).sort();
      const bound = Math.max(tolerance, sorted[Math.floor(KEPT * n)]!);
      const weights = left.map((r) => (Math.abs(r) <= bound ? 1 : 0));
      beta = solveWeighted(X, y, { used, weights }) ?? beta;
      left = residuals(X, y, beta);
    }
    beta = polish(X, y, { used, beta, tolerance }) ?? beta;
  }
  const slopes = scaled.map(({ sd }, j) => (sd > 0 ? beta![j + 1]! / sd : 0));
  const intercept = beta[0]! - slopes.reduce((sum, slope, j) => sum + slope * scaled[j]!.mean, 0);
  return { intercept, slopes: Float64Array.from(slopes) };
}

interface Weighted {
  readonly used: readonly number[];
  readonly weights: Float64Array;
}

interface Polished {
  readonly used: readonly number[];
  readonly beta: Float64Array;
  readonly tolerance: number;
}

/** Least squares on the rows that are given. */
function polish(X: Matrix, y: Float64Array, { used, beta, tolerance }: Polished): Float64Array | undefined {
  const weights = residuals(X, y, beta).map((r) => (Math.abs(r) <= 2 * tolerance ? 1 : 0));
  const kept = weights.reduce((sum, w) => sum + w, 0);
  return kept < 2 * used.length ? undefined : solveWeighted(X, y, { used, weights });
}

function solveWeighted(X: Matrix, y: Float64Array, { used, weights }: Weighted): Float64Array | undefined {
  const own = used.length === X.cols ? X : selectColumns(X, used);
  const A = crossprod(own, own, weights);
  const b = tMatVec(
    own,
    y.map((value, i) => weights[i]! * value),
  );
  const L = cholesky(A);
  if (L === undefined) return undefined;
  const solved = cholSolve(L, b);
  const beta = new Float64Array(X.cols);
  used.forEach((j, a) => {
    beta[j] = solved[a]!;
  });
  return beta.every(Number.isFinite) ? beta : undefined;
}

function residuals({ rows: n, cols, data }: Matrix, y: Float64Array, beta: Float64Array): Float64Array {
  const left = y.slice();
  for (let j = 0; j < cols; j++) {
    const slope = beta[j]!;
    if (slope !== 0) for (let i = 0; i < n; i++) left[i]! -= slope * data[i + j * n]!;
  }
  return left;
}

const middle = (values: Float64Array): number => values.map(Math.abs).sort()[values.length >> 1]!;

const largest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

function standardise(values: Float64Array): { values: Float64Array; mean: number; sd: number } {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return { values: sd > 0 ? values.map((value) => (value - mean) / sd) : new Float64Array(values.length), mean, sd };
}
