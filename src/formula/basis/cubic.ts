/** Cubic regression splines: cr, cs (shrunk) and cc (cyclic).
 *
 *  The coefficients β are the values at the knots. With h the gaps, the second derivatives γ at the knots solve Bγ = Dβ,
 *  so γ = Fβ, and the penalty is ∫f″² = β'D'B⁻¹Dβ. A natural spline has γ = 0 at both ends, a cyclic one has its last knot on
 *  its first. Knots lie at equally spaced quantiles of the distinct values.
 *  cs gives the two unpenalised directions a tenth and a hundredth of the smallest positive eigenvalue of S.
 *  Reference: Wood (2017), Generalized Additive Models, 2nd ed., §5.3.1, 5.3.2 and table 5.1.
 *  Oracle:    mgcv (R), oracle/r/basis.json: X and S to 1e-10.
 *  Limits:    one covariate. Which unpenalised direction cs shrinks more is left to rounding in mgcv; here the spline that is
 *             zero at the first knot always takes the tenth, which is mgcv's answer in about half of all data sets. */
import { cholesky, cholSolveMatrixInto } from "../../numeric/linalg/cholesky.ts";
import { eigenvaluesSymmetric } from "../../numeric/linalg/eigen.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { crossprod, mirrorUpperInto, zeros } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import type { BasisRequest, CubicFunctions, DistinctPoints, RawBasis } from "./margin.ts";

const DEFAULT_K = 10;
const SMALLEST_K = 3;
const SMALLEST_CYCLIC_K = 4;
/** Each unpenalised direction of cs gets this share of the eigenvalue before it. */
const SHRINKAGE = 0.1;

export function learnCubic(points: DistinctPoints, request: BasisRequest, { shrink }: { shrink: boolean }): RawBasis {
  const knots = chooseKnots(points.columns[0]!, request, SMALLEST_K);
  const k = knots.length;
  const gaps = Float64Array.from({ length: k - 1 }, (_, j) => knots[j + 1]! - knots[j]!);
  const F = naturalCurvature(gaps);
  const S = zeros(k, k);
  for (let j = 0; j < k; j++) {
    for (let i = 0; i < k - 2; i++) {
      const curvature = F.data[i + 1 + j * k]!;
      const [left, right] = [curvature / gaps[i]!, curvature / gaps[i + 1]!];
      S.data[i + j * k]! += left;
      S.data[i + 1 + j * k]! -= left + right;
      S.data[i + 2 + j * k]! += right;
    }
  }
  mirrorUpperInto(S);
  if (shrink) shrinkNullSpace(S, knots);
  const functions: CubicFunctions = { kind: "cubic", knots, periodic: false };
  const margin = { functions, table: interleave(F, k), columns: k, covariates: 1 };
  return {
    margin,
    S: [S],
    ranks: [shrink ? k : k - 2],
    nullDim: shrink ? 0 : 2,
    centred: true,
    reparametrise: false,
  };
}

/** F: k × k with B·F = D for the inner knots, B tridiagonal and positive definite, and no curvature at the two ends. */
function naturalCurvature(gaps: Float64Array): Matrix {
  const k = gaps.length + 1;
  const pivots = new Float64Array(k);
  const factors = new Float64Array(k);
  for (let i = 1; i < k - 1; i++) {
    pivots[i] = (gaps[i - 1]! + gaps[i]!) / 3 - (i === 1 ? 0 : (factors[i - 1]! * gaps[i - 1]!) / 6);
    factors[i] = gaps[i]! / (6 * pivots[i]!);
  }
  const F = zeros(k, k);
  for (let j = 0; j < k; j++) {
    const at = j * k;
    if (j > 1) F.data[at + j - 1] = 1 / gaps[j - 1]!;
    if (j > 0 && j < k - 1) F.data[at + j] = -1 / gaps[j - 1]! - 1 / gaps[j]!;
    if (j < k - 2) F.data[at + j + 1] = 1 / gaps[j]!;
    for (let i = 2; i < k - 1; i++) F.data[at + i]! -= factors[i - 1]! * F.data[at + i - 1]!;
    for (let i = k - 2; i > 0; i--) {
      const after = i < k - 2 ? factors[i]! * F.data[at + i + 1]! : 0;
      F.data[at + i] = F.data[at + i]! / pivots[i]! - after;
    }
  }
  return F;
}

export function learnCyclic(points: DistinctPoints, request: BasisRequest): RawBasis {
  const knots = chooseKnots(points.columns[0]!, request, SMALLEST_CYCLIC_K);
  const k = knots.length - 1; // the last knot is the first one again
  const gap = (j: number): number => knots[((j + k) % k) + 1]! - knots[(j + k) % k]!;
  const B = zeros(k, k);
  const D = zeros(k, k);
  for (let i = 0; i < k; i++) {
    const [before, after] = [(i + k - 1) % k, (i + 1) % k];
    B.data[i + i * k]! += (gap(i - 1) + gap(i)) / 3;
    B.data[i + before * k]! += gap(i - 1) / 6;
    B.data[i + after * k]! += gap(i) / 6;
    addSecondDifference(D, i, [before, i, after], [gap(i - 1), gap(i)]);
  }
  const { inner: F, S } = solveCurvature(B, D);
  const functions: CubicFunctions = { kind: "cubic", knots, periodic: true };
  const margin = { functions, table: interleave(F, k + 1), columns: k, covariates: 1 };
  return {
    margin,
    S: [S],
    ranks: [k - 1],
    nullDim: 1,
    centred: true,
    reparametrise: false,
  };
}

function addSecondDifference(D: Matrix, i: number, at: readonly number[], gaps: readonly number[]): void {
  D.data[i + at[0]! * D.rows]! += 1 / gaps[0]!;
  D.data[i + at[1]! * D.rows]! -= 1 / gaps[0]! + 1 / gaps[1]!;
  D.data[i + at[2]! * D.rows]! += 1 / gaps[1]!;
}

/** B⁻¹D and D'B⁻¹D. B is diagonally dominant, so the factor always exists. */
function solveCurvature(B: Matrix, D: Matrix): { inner: Matrix; S: Matrix } {
  const inner = { rows: D.rows, cols: D.cols, data: D.data.slice() };
  cholSolveMatrixInto(inner, cholesky(B)!);
  const S = crossprod(D, inner);
  mirrorUpperInto(S);
  return { inner, S };
}

/** Columns of the table: value at knot 0, curvature at knot 0, value at knot 1, … A cyclic table repeats its first knot. */
function interleave(F: Matrix, knots: number): Matrix {
  const k = F.cols;
  const table = zeros(k, 2 * knots);
  for (let i = 0; i < knots; i++) {
    const knot = i % F.rows;
    table.data[knot + 2 * i * k] = 1;
    for (let j = 0; j < k; j++) table.data[j + (2 * i + 1) * k] = F.data[knot + j * F.rows]!;
  }
  return table;
}

/** S has eigenvalue 0 on the straight lines: the line through zero at the first knot and the one orthogonal to it. */
function shrinkNullSpace(S: Matrix, knots: Float64Array): void {
  const k = knots.length;
  const first = SHRINKAGE * eigenvaluesSymmetric(S)[k - 3]!;
  const q = knots.map((knot) => knot - knots[0]!);
  normalise(q);
  const along = q.reduce((sum, value) => sum + value, 0);
  const p = q.map((value) => 1 - along * value);
  normalise(p);
  for (let j = 0; j < k; j++) {
    for (let i = 0; i < k; i++) S.data[i + j * k]! += first * (q[i]! * q[j]! + SHRINKAGE * p[i]! * p[j]!);
  }
}

function normalise(x: Float64Array): void {
  const length = Math.hypot(...x);
  for (let i = 0; i < x.length; i++) x[i]! /= length;
}

function chooseKnots(
  x: Float64Array,
  { names, k: wanted, knots: given }: BasisRequest,
  smallest: number,
): Float64Array {
  const k = Number.isNaN(wanted) ? (given !== undefined && given.length > 2 ? given.length : DEFAULT_K) : wanted;
  if (k < smallest) {
    throw new StatError(
      "BasisTooSmall",
      `k = ${k} for s(${names[0]!}), but this spline needs at least ${smallest} knots.`,
      `give k = ${smallest} or more.`,
    );
  }
  if (given !== undefined) return givenKnots(x, { names, k, given, cyclic: smallest === SMALLEST_CYCLIC_K });
  return placeKnots(x, { name: names[0]!, k });
}

function givenKnots(
  x: Float64Array,
  { names, k, given, cyclic }: { names: readonly string[]; k: number; given: ArrayLike<number>; cyclic: boolean },
): Float64Array {
  const knots = Float64Array.from(given).sort();
  const ends = cyclic && knots.length === 2 && x[0]! >= knots[0]! && x[x.length - 1]! <= knots[1]!;
  if (ends) return placeKnots(Float64Array.from(new Set([knots[0]!, ...x, knots[1]!])), { name: names[0]!, k });
  const distinct = knots.every((knot, j) => Number.isFinite(knot) && (j === 0 || knot > knots[j - 1]!));
  const inside = !cyclic || (x[0]! >= knots[0]! && x[x.length - 1]! <= knots[knots.length - 1]!);
  if (knots.length === k && distinct && inside) return knots;
  throw new StatError(
    "BadKnots",
    `the ${knots.length} knots given for ${names[0]!} (${knots[0]!} … ${knots[knots.length - 1]!}) do not make a basis of k = ${k}.`,
    cyclic
      ? "give k distinct knots, or the two ends of the cycle, so that all values lie between the first and the last."
      : "give k distinct finite knots.",
  );
}

/** Knot j at position j(n - 1)/(k - 1) of the sorted distinct values, linearly between neighbours. */
function placeKnots(x: Float64Array, { name, k }: { name: string; k: number }): Float64Array {
  const n = x.length;
  if (k > n) throw tooFewValues([name], { k, distinct: n });
  const step = (n - 1) / (k - 1);
  return Float64Array.from({ length: k }, (_, j) => {
    if (j === k - 1) return x[n - 1]!;
    const below = Math.floor(step * j);
    const share = step * j - below;
    return share === 0 ? x[below]! : x[below]! * (1 - share) + x[below + 1]! * share;
  });
}

export function tooFewValues(names: readonly string[], { k, distinct }: { k: number; distinct: number }): StatError {
  const what = names.length === 1 ? "values" : "combinations";
  return new StatError(
    "TooFewValues",
    `${names.join(", ")} has ${distinct} distinct ${what}, fewer than the basis size k = ${k}.`,
    `give k = ${distinct} or less, or enter the covariate as a factor.`,
  );
}

/** The four values at x from `at` on; returns the first function's number. */
export function cubicRowInto(values: Float64Array, at: number, { knots, periodic }: CubicFunctions, x: number): number {
  const last = knots.length - 1;
  const low = knots[0]!;
  const high = knots[last]!;
  if (periodic && (x < low || x > high)) {
    const period = high - low;
    x -= period * Math.floor((x - low) / period);
    x = Math.min(Math.max(x, low), high);
  }
  const j = findGap(knots, 0, last, x);
  const h = knots[j + 1]! - knots[j]!;
  if (x < low || x > high) {
    const beyond = x < low ? x - low : x - high;
    const slope = beyond / h;
    values[at] = (x < low ? 1 : 0) - slope;
    values[at + 2] = (x < low ? 0 : 1) + slope;
    values[at + 1] = beyond * h * (x < low ? -1 / 3 : 1 / 6);
    values[at + 3] = beyond * h * (x < low ? -1 / 6 : 1 / 3);
    return 2 * j;
  }
  const right = knots[j + 1]! - x;
  const left = x - knots[j]!;
  values[at] = right / h;
  values[at + 1] = (right * right * right) / (6 * h) - (h * right) / 6;
  values[at + 2] = left / h;
  values[at + 3] = (left * left * left) / (6 * h) - (h * left) / 6;
  return 2 * j;
}

/** The gap between ascending knots from … to that holds x; the first or last one for an x outside, the first for NaN. */
export function findGap(knots: Float64Array, from: number, to: number, x: number): number {
  let low = from;
  let high = to;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (x >= knots[middle]!) low = middle;
    else high = middle;
  }
  return low;
}
