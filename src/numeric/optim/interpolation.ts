/** Quadratic models by interpolation at m = 2n + 1 points, the freedom left by the m conditions taken up by the least
 *  Frobenius norm of the change of the Hessian.
 *      Q+ = argmin ‖∇²Q+ - ∇²Q‖_F  subject to  Q+(y_j) = f(y_j).
 *  The change D has Hessian Σ λ_j y_j y_j', and (λ, c, g) solves  W (λ, c, g)' = (residuals, 0, 0)'  with
 *      W = [A X'; X 0],  A_ij = ½ (y_i'y_j)²,  X = [1 ... 1; y_1 ... y_m]    (points relative to `base`).
 *  H = W⁻¹ is kept and updated when a point moves; column j of H holds the Lagrange function ℓ_j.
 *  Reference: Powell (2004), Math. Prog. 100, 183-215: the system W, its inverse H, and the rank-two update of H
 *             with denominator sigma = alpha beta + tau².
 *  Limits:    H is recomputed by elimination whenever the base moves, instead of Powell's factored storage: O(n³)
 *             now and then buys plain code and full accuracy. */
import { dot, invertInto, multiplyInto } from "./dense.ts";

export interface Interpolation {
  readonly n: number;
  readonly m: number;
  readonly size: number;
  readonly base: Float64Array;
  /** Row j: y_j - base. */
  readonly points: Float64Array;
  readonly values: Float64Array;
  /** Index of the lowest value. */
  best: number;
  readonly H: Float64Array;
  /** Gradient of Q at base, and its Hessian. */
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
  readonly w: Float64Array;
  readonly Hw: Float64Array;
  readonly coefficients: Float64Array;
  readonly pivots: Int32Array;
}

export function makeInterpolation(base: Float64Array): Interpolation {
  const n = base.length;
  const m = 2 * n + 1;
  const size = m + n + 1;
  return {
    n,
    m,
    size,
    base: Float64Array.from(base),
    points: new Float64Array(m * n),
    values: new Float64Array(m),
    best: 0,
    H: new Float64Array(size * size),
    gradient: new Float64Array(n),
    hessian: new Float64Array(n * n),
    w: new Float64Array(size),
    Hw: new Float64Array(size),
    coefficients: new Float64Array(size),
    pivots: new Int32Array(size),
  };
}

export function rowOf(q: Interpolation, j: number): Float64Array {
  return q.points.subarray(j * q.n, (j + 1) * q.n);
}

/** Moves the base to the best point, inverts W afresh and removes any drift of Q from the interpolation conditions.
 *  `radius` sets the scale in which W is inverted. False when W is singular: the points have lost their poise. */
export function refreshModel(q: Interpolation, radius: number): boolean {
  const { n, m } = q;
  const shift = Float64Array.from(rowOf(q, q.best));
  const slope = new Float64Array(n);
  multiplyInto(slope, q.hessian, shift);
  for (let i = 0; i < n; i++) {
    q.gradient[i]! += slope[i]!;
    q.base[i]! += shift[i]!;
    for (let j = 0; j < m; j++) q.points[j * n + i]! -= shift[i]!;
  }
  return invertSystem(q, radius) && correctModel(q);
}

/** H = W⁻¹. With y = s z, W = D W_z D for D = diag(s², ..., 1/s², 1/s, ...): inverting W_z avoids entries from s⁴ to 1. */
function invertSystem(q: Interpolation, radius: number): boolean {
  const { n, m, size, H } = q;
  const s = 2 ** Math.round(Math.log2(radius));
  const weight = (r: number) => (r < m ? s * s : r === m ? 1 / (s * s) : 1 / s);
  H.fill(0);
  for (let i = 0; i < m; i++) {
    const yi = rowOf(q, i);
    for (let j = 0; j <= i; j++) {
      const product = dot(yi, rowOf(q, j)) / (s * s);
      H[i * size + j] = H[j * size + i] = 0.5 * product * product;
    }
    H[i * size + m] = H[m * size + i] = 1;
    for (let k = 0; k < n; k++) H[i * size + m + 1 + k] = H[(m + 1 + k) * size + i] = yi[k]! / s;
  }
  if (!invertInto(H, size, q.pivots)) return false;
  for (let r = 0; r < size; r++) for (let c = 0; c < size; c++) H[r * size + c]! /= weight(r) * weight(c);
  return true;
}

/** Q(y) - Q(base) for a displacement y from the base. */
export function evaluateModel(q: Interpolation, y: Float64Array): number {
  const { n, gradient, hessian } = q;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    let row = 0;
    for (let j = 0; j < n; j++) row += hessian[i * n + j]! * y[j]!;
    sum += y[i]! * (gradient[i]! + 0.5 * row);
  }
  return sum;
}

/** Adds the least change that makes Q interpolate every value. */
function correctModel(q: Interpolation): boolean {
  const { m, size, H, coefficients } = q;
  const atBest = evaluateModel(q, rowOf(q, q.best));
  coefficients.fill(0);
  for (let j = 0; j < m; j++) {
    const residual = q.values[j]! - q.values[q.best]! - (evaluateModel(q, rowOf(q, j)) - atBest);
    for (let r = 0; r < size; r++) coefficients[r]! += residual * H[r * size + j]!;
  }
  return addQuadratic(q, q.gradient, q.hessian, coefficients);
}

/** Adds to (gradient at base, hessian) the quadratic with coefficients (λ, c, g); false when they are not finite. */
function addQuadratic(q: Interpolation, gradient: Float64Array, hessian: Float64Array, coef: Float64Array): boolean {
  const { n, m } = q;
  for (let r = 0; r < q.size; r++) if (!Number.isFinite(coef[r]!)) return false;
  for (let i = 0; i < n; i++) gradient[i]! += coef[m + 1 + i]!;
  for (let j = 0; j < m; j++) {
    const lambda = coef[j]!;
    if (lambda === 0) continue;
    const y = rowOf(q, j);
    for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) hessian[a * n + b]! += lambda * y[a]! * y[b]!;
  }
  return true;
}

/** Hw at displacement y from the base, so that Hw_j = ℓ_j(y) for j < m; returns beta = ½‖y‖⁴ - w'Hw.
 *  Works with w - w(best), since H w(best) = e_best is known: near the best point little is left to cancel. */
export function lagrangeInto(q: Interpolation, y: Float64Array): number {
  const { n, m, size, H, w, Hw } = q;
  const b = rowOf(q, q.best);
  const yb = dot(y, b);
  const yy = dot(y, y);
  const bb = dot(b, b);
  for (let j = 0; j < m; j++) {
    const row = rowOf(q, j);
    const py = dot(row, y);
    const pb = dot(row, b);
    w[j] = 0.5 * (py - pb) * (py + pb);
  }
  w[m] = 0;
  for (let i = 0; i < n; i++) w[m + 1 + i] = y[i]! - b[i]!;
  let wHw = 0;
  for (let r = 0; r < size; r++) {
    let sum = 0;
    for (let c = 0; c < size; c++) sum += H[r * size + c]! * w[c]!;
    Hw[r] = sum;
    wHw += w[r]! * sum;
  }
  Hw[q.best]! += 1;
  return 0.5 * yy * yy - yb * yb + 0.5 * bb * bb - wHw;
}

/** Denominator of the update when point t moves to where Hw and beta were computed. In exact arithmetic >= ℓ_t². */
export function denominator(q: Interpolation, t: number, beta: number): number {
  return q.H[t * q.size + t]! * beta + q.Hw[t]! * q.Hw[t]!;
}

/** Moves point t to y (displacement from base) with its value; lagrangeInto(q, y) must have been called. */
export function movePoint(
  q: Interpolation,
  t: number,
  y: Float64Array,
  settings: { value: number; beta: number },
): void {
  const { size, H, Hw, coefficients } = q;
  const sigma = denominator(q, t, settings.beta);
  const alpha = H[t * size + t]!;
  const tau = Hw[t]!;
  const old = coefficients;
  for (let r = 0; r < size; r++) {
    old[r] = H[r * size + t]!;
    Hw[r] = (r === t ? 1 : 0) - Hw[r]!;
  }
  for (let r = 0; r < size; r++) {
    const forU = (alpha * Hw[r]! + tau * old[r]!) / sigma;
    const forV = (tau * Hw[r]! - settings.beta * old[r]!) / sigma;
    for (let c = 0; c < size; c++) H[r * size + c]! += forU * Hw[c]! + forV * old[c]!;
  }
  const predicted = q.values[q.best]! + evaluateModel(q, y) - evaluateModel(q, rowOf(q, q.best));
  const residual = settings.value - predicted;
  rowOf(q, t).set(y);
  q.values[t] = settings.value;
  for (let r = 0; r < size; r++) coefficients[r] = residual * H[r * size + t]!;
  addQuadratic(q, q.gradient, q.hessian, coefficients);
  if (settings.value < q.values[q.best]!) q.best = t;
}

/** Gradient of Q at the best point. */
export function gradientAtBestInto(out: Float64Array, q: Interpolation): void {
  multiplyInto(out, q.hessian, rowOf(q, q.best));
  for (let i = 0; i < q.n; i++) out[i]! += q.gradient[i]!;
}

/** Gradient at the best point and Hessian of the Lagrange function ℓ_t. */
export function lagrangeFunction(q: Interpolation, t: number): { gradient: Float64Array; hessian: Float64Array } {
  const gradient = new Float64Array(q.n);
  const hessian = new Float64Array(q.n * q.n);
  const column = q.H.slice(t * q.size, (t + 1) * q.size);
  addQuadratic(q, gradient, hessian, column);
  const slope = new Float64Array(q.n);
  multiplyInto(slope, hessian, rowOf(q, q.best));
  for (let i = 0; i < q.n; i++) gradient[i]! += slope[i]!;
  return { gradient, hessian };
}

/** The interpolant whose Hessian itself has least Frobenius norm: a model without memory. */
export function memorylessModel(q: Interpolation): { gradient: Float64Array; hessian: Float64Array } {
  const { n, m, size } = q;
  const gradient = new Float64Array(n);
  const hessian = new Float64Array(n * n);
  const coef = new Float64Array(size);
  for (let j = 0; j < m; j++) {
    const rise = q.values[j]! - q.values[q.best]!;
    if (rise !== 0) for (let r = 0; r < size; r++) coef[r]! += rise * q.H[j * size + r]!;
  }
  addQuadratic(q, gradient, hessian, coef);
  return { gradient, hessian };
}
