/** Numerical derivatives by central differences at h, h/2, h/4, ... extrapolated to h = 0: the check on every analytic one.
 *  Reference: Richardson (1911); the choice of the tableau entry with the least error is Ridders (1982), Adv. Eng. Softw. 4.
 *  Oracle:    closed forms.
 *  Limits:    f analytic within the first step, relative `step` of max(1, |x_i|); values that are not finite at large h
 *             only cost accuracy. First derivatives good to about 1e-12, second to 1e-9, of the scale of f. */
import { type Matrix, zeros } from "../../src/numeric/linalg/matrix.ts";

export interface DerivativeOptions {
  /** First step relative to max(1, |x_i|). */
  readonly step?: number;
  readonly levels?: number;
}

/** Large enough that rounding is negligible at the first levels; the extrapolation removes the truncation error. */
const STEP = 0.03;
const HESSIAN_STEP = 0.1;
const LEVELS = 7;

export function estimateGradient(
  f: (x: Float64Array) => number,
  at: ArrayLike<number>,
  options: DerivativeOptions = {},
): Float64Array {
  const wrapped = (x: Float64Array) => Float64Array.of(f(x));
  return estimateJacobian(wrapped, at, options).data;
}

/** J_ij = ∂f_i/∂x_j. */
export function estimateJacobian(
  f: (x: Float64Array) => ArrayLike<number>,
  at: ArrayLike<number>,
  options: DerivativeOptions = {},
): Matrix {
  const { step = STEP, levels = LEVELS } = options;
  const x = Float64Array.from(at);
  const rows = f(x).length;
  const J = zeros(rows, x.length);
  for (let j = 0; j < x.length; j++) {
    const estimates = Array.from({ length: rows }, () => [] as number[]);
    const center = x[j]!;
    for (let k = 0; k < levels; k++) {
      const h = exactStep(center, (step * Math.max(1, Math.abs(center))) / 2 ** k);
      x[j] = center + h;
      const above = Float64Array.from(f(x));
      x[j] = center - h;
      const below = f(x);
      for (let i = 0; i < rows; i++) estimates[i]!.push((above[i]! - below[i]!) / (2 * h));
    }
    x[j] = center;
    for (let i = 0; i < rows; i++) J.data[i + j * rows] = extrapolate(estimates[i]!).value;
  }
  return J;
}

/** Second derivatives from values alone. */
export function estimateHessian(
  f: (x: Float64Array) => number,
  at: ArrayLike<number>,
  options: DerivativeOptions = {},
): Matrix {
  const { step = HESSIAN_STEP, levels = LEVELS } = options;
  const x = Float64Array.from(at);
  const n = x.length;
  const H = zeros(n, n);
  const center = f(x);
  const size = (i: number, k: number) => exactStep(at[i]!, (step * Math.max(1, Math.abs(at[i]!))) / 2 ** k);
  const shifted = (i: number, hi: number, j: number, hj: number): number => {
    x[i]! += hi;
    x[j]! += hj;
    const value = f(x);
    x[i] = at[i]!;
    x[j] = at[j]!;
    return value;
  };
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const estimates: number[] = [];
      for (let k = 0; k < levels; k++) {
        const a = size(i, k);
        const b = size(j, k);
        estimates.push(
          i === j
            ? (shifted(i, a, j, 0) - center - (center - shifted(i, -a, j, 0))) / (a * a)
            : (shifted(i, a, j, b) - shifted(i, a, j, -b) - (shifted(i, -a, j, b) - shifted(i, -a, j, -b))) /
                (4 * a * b),
        );
      }
      H.data[i + j * n] = H.data[j + i * n] = extrapolate(estimates).value;
    }
  }
  return H;
}

/** Second derivatives from an analytic gradient, made symmetric: three more digits than from values. */
export function estimateHessianFromGradient(
  gradient: (x: Float64Array) => ArrayLike<number>,
  at: ArrayLike<number>,
  options: DerivativeOptions = {},
): Matrix {
  const J = estimateJacobian(gradient, at, options);
  const n = J.cols;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) J.data[i + j * n] = J.data[j + i * n] = 0.5 * (J.data[i + j * n]! + J.data[j + i * n]!);
  return J;
}

/** The nearest h for which x + h is a double, so that the divided difference divides by what was added. */
function exactStep(x: number, h: number): number {
  return x + h - x;
}

/** Limit of estimates with error a₂h² + a₄h⁴ + ... at h, h/2, h/4, ...; NaN when fewer than two in a row are finite.
 *  `error` is the largest difference from the neighbours in the tableau. */
export function extrapolate(estimates: readonly number[]): { value: number; error: number } {
  let best = Number.NaN;
  let error = Number.POSITIVE_INFINITY;
  let previous: number[] = [];
  for (const estimate of estimates) {
    if (!Number.isFinite(estimate)) {
      previous = [];
      continue;
    }
    const row = [estimate];
    for (let k = 0, factor = 4; k < previous.length; k++, factor *= 4) {
      const refined = row[k]! + (row[k]! - previous[k]!) / (factor - 1);
      row.push(refined);
      const doubt = Math.max(Math.abs(refined - row[k]!), Math.abs(refined - previous[k]!));
      if (doubt <= error) {
        error = doubt;
        best = refined;
      }
    }
    previous = row;
  }
  return { value: best, error };
}
