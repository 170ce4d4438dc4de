/** Hessian of a log-likelihood from differences of its gradient, and its inverse.
 *
 *      H[:, k] ≈ (g(ψ + h_k e_k) - g(ψ)) / h_k            quick: one gradient for each parameter
 *      H[:, k] ≈ (g(ψ + h_k e_k) - g(ψ - h_k e_k)) / 2h_k   exact: two
 *
 *  h_k counts in standard errors that parameter k would have if the others were known. The gradient is exact to rounding, so that
 *  the exact differences are right to about 1e-9 of the Hessian and the quick ones to about 1e-6.
 *  Reference: Nocedal & Wright (2006), Numerical Optimization, section 8.1.
 *  Oracle:    45-digit arithmetic, oracle/mpmath/laplace.json; ordinal::clmm and lme4::glmer (R), polished. */
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";

/** -L and its gradient. */
export type Objective = (x: Float64Array, g: Float64Array) => number;

export interface Differences {
  /** Parameters off the boundary. */
  readonly free: Int32Array;
  /** Unit of the step of each parameter. */
  readonly scale: Float64Array;
  /** Conditional modes, which evaluations begin from; left as they were. */
  readonly modes: Float64Array;
}

/** Step of one-sided differences, in standard errors: truncation is of its order, rounding about 1e-8 of the Hessian. */
const ONE_SIDED = 1e-7;
/** Step of central differences: truncation and rounding are both about 1e-10 of the Hessian. */
const CENTRAL = 3e-5;
/** Step of central differences where standard errors are large differences of the Hessian's entries: rounding 1e-12, and truncation
 *  1e-7, which extrapolation to a step of 0 takes away. */
const WIDE = 1e-3;
/** Least eigenvalue of the Hessian with unit diagonal at which one-sided differences give standard errors to about 1e-6. */
const WELL_CONDITIONED = 1e-3;

/** From differences to one side of x, where the gradient is `g`; wide central ones, which cost twice as much, where little
 *  curvature is left to see. Good for a Newton step and for tests in a simulation. */
export function quickHessian(objective: Objective, x: Float64Array, g: Float64Array, settings: Differences): Matrix {
  const H = differenceHessian(objective, x, { ...settings, base: g, step: ONE_SIDED });
  const { least } = invertFree(H, settings.free);
  return least > WELL_CONDITIONED ? H : differenceHessian(objective, x, { ...settings, step: WIDE });
}

/** Exact to about 1e-9. `quick` is a first Hessian near x. */
export function exactHessian(
  objective: Objective,
  x: Float64Array,
  quick: Matrix,
  { free, modes }: Omit<Differences, "scale">,
): Matrix {
  const scale = conditionalSes(quick.data, free, x.length);
  const at = (step: number): Matrix => differenceHessian(objective, x, { free, modes, scale, step });
  if (invertFree(quick, free).least > WELL_CONDITIONED) return at(CENTRAL);
  const wide = at(WIDE);
  const half = at(WIDE / 2);
  // the error of either is a multiple of its squared step
  return { ...half, data: half.data.map((value, k) => value + (value - wide.data[k]!) / 3) };
}

/** One-sided differences are good enough for a report. */
export const isWellConditioned = (H: Matrix, free: Int32Array): boolean => invertFree(H, free).least > WELL_CONDITIONED;

/** Standard errors if the other parameters were known, and at most 1: below the real ones, on the safe side. */
export function conditionalSes(hessian: Float64Array, free: Int32Array, p: number): Float64Array {
  const out = new Float64Array(p);
  for (const k of free) {
    const d = hessian[k * (p + 1)]!;
    out[k] = d > 0 && Number.isFinite(d) ? Math.min(1 / Math.sqrt(d), 1) : 1;
  }
  return out;
}

/** Differences of the gradient from `base`, the gradient at x, or central ones without it. */
function differenceHessian(
  objective: Objective,
  x: Float64Array,
  { free, scale, modes, base, step: length }: Differences & { readonly base?: Float64Array; readonly step: number },
): Matrix {
  const p = x.length;
  const H = zeros(p, p);
  const up = new Float64Array(p);
  const down = new Float64Array(p);
  const at = x.slice();
  const center = modes.slice();
  for (const k of free) {
    const step = x[k]! + length * scale[k]! - x[k]!;
    at[k] = x[k]! + step;
    modes.set(center);
    objective(at, up);
    if (base === undefined) {
      // the modes of the lower point are foretold from those of the upper one
      for (let j = 0; j < modes.length; j++) modes[j] = 2 * center[j]! - modes[j]!;
      at[k] = x[k]! - step;
      objective(at, down);
    }
    at[k] = x[k]!;
    const width = base === undefined ? 2 * step : step;
    for (const j of free) H.data[j + k * p] = (up[j]! - (base ?? down)[j]!) / width;
  }
  modes.set(center);
  for (let j = 0; j < p; j++) {
    for (let i = 0; i < j; i++) H.data[i + j * p] = H.data[j + i * p] = 0.5 * (H.data[i + j * p]! + H.data[j + i * p]!);
  }
  return H;
}

/** Eigenvalues of the scaled Hessian below this carry no information. */
const FLAT = 1e-9;

/** Inverse over the free parameters, flat directions left out. */
export function invertFree(H: Matrix, free: Int32Array) {
  const m = free.length;
  const p = H.rows;
  const S = zeros(m, m);
  const raw = zeros(m, m);
  const d = Float64Array.from(free, (k) => Math.sqrt(Math.abs(H.data[k * (p + 1)]!)) || 1);
  for (let j = 0; j < m; j++) {
    for (let i = 0; i < m; i++) {
      raw.data[i + j * m] = H.data[free[i]! + free[j]! * p]!;
      S.data[i + j * m] = raw.data[i + j * m]! / (d[i]! * d[j]!);
    }
  }
  const inverse = zeros(p, p);
  if (raw.data.some((value) => !Number.isFinite(value))) {
    inverse.data.fill(Number.NaN);
    return { inverse, condition: Number.NaN, definite: false, least: Number.NaN };
  }
  const { values, vectors } = eigenSymmetric(S);
  const plain = eigenSymmetric(raw).values;
  const largest = plain.reduce((a, b) => Math.max(a, b), 0);
  const smallest = plain.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  for (let k = 0; k < m; k++) {
    if (!(values[k]! > FLAT)) continue;
    for (let j = 0; j < m; j++) {
      const vj = vectors.data[j + k * m]! / (values[k]! * d[j]!);
      for (let i = 0; i < m; i++) inverse.data[free[i]! + free[j]! * p]! += (vectors.data[i + k * m]! / d[i]!) * vj;
    }
  }
  const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const condition = smallest > 0 ? largest / smallest : Number.POSITIVE_INFINITY;
  return { inverse, condition, definite: least > FLAT, least };
}
