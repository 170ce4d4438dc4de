/** Maximises a Laplace (or quadrature) log-likelihood over ψ = (θ, φ) and measures its curvature.
 *
 *  BFGS with the analytic gradient. The likelihood does not know the sign of a column of T(θ), so that it is a smooth function
 *  of θ over the whole plane: the search is not bounded, a variance of 0 is an ordinary maximum, and signs are made positive at
 *  the end. The first Hessian is the information of φ at the modes (random effects eliminated) beside that of variances of
 *  normal effects. The final Hessian is differenced from the gradient, which is exact to rounding, in one-sided steps of
 *  1e-7 standard errors (central ones of 1e-3 where it is nearly singular), and one Newton step with it takes the last digits.
 *  Reference: Nocedal & Wright (2006), Numerical Optimization, ch. 6.
 *  Oracle:    ordinal::clmm and lme4::glmer (R), polished: log-likelihood 1e-8, estimates 1e-6, SEs 1e-5 (both are differenced).
 *  Limits:    a local maximum; the likelihood of a mixed model rarely has two. */
import { eigenSymmetric } from "../numeric/linalg/eigen.ts";
import { type Matrix, zeros } from "../numeric/linalg/matrix.ts";
import { measureGradient } from "../numeric/optim/minimum.ts";
import { minimizeQuasiNewton } from "../numeric/optim/quasi-newton.ts";
import type { RandomStructure } from "./random.ts";

/** Log-likelihood at ψ; NaN outside the parameter space. */
export type LogLik = (psi: Float64Array, gradient?: Float64Array) => number;

export interface LaplaceSolution {
  readonly theta: Float64Array;
  readonly phi: Float64Array;
  readonly logLik: number;
  /** Of -L by ψ = (θ, φ); 0 in the rows and columns of θ on the boundary. */
  readonly hessian: Matrix;
  /** Inverse Hessian of φ, θ being estimated too. */
  readonly vcov: Matrix;
  /** Relative projected gradient at the end. */
  readonly gradient: number;
  /** Largest over smallest eigenvalue of the Hessian. */
  readonly condition: number;
  readonly definite: boolean;
  readonly converged: boolean;
  readonly evaluations: number;
}

export interface LaplaceSolveOptions {
  /** (θ, φ) to begin with. */
  readonly start: Float64Array;
  readonly rows: number;
  /** Hessian of -L to begin with, row-major. */
  readonly hessian?: Float64Array;
  /** Conditional modes, which evaluations begin from and leave behind. */
  readonly modes?: Float64Array;
  /** false leaves the Hessian and the standard errors out. */
  readonly curvature?: boolean;
  /** Called when the search has ended: from there on the log-likelihood must be exact to rounding. */
  readonly sharpen?: () => void;
}

/** Gradient at which the search ends, in units of log-likelihood: about 1e-6 standard errors from the maximum, near enough for
 *  the Hessian; the Newton step at the end squares the error. */
const SEARCH_TOLERANCE = 1e-5;
/** Relative gradient below which ψ is a stationary point. */
const STATIONARY = 1e-6;
/** Evaluations of the gradient; a fit takes 20 to 60. */
const MAX_EVALUATIONS = 500;
/** A standard deviation this small is tried at 0. */
const NEARLY_ZERO = 1e-3;
/** Where a search that was told to begin at 0 begins. */
const FIRST_SD = 0.1;
/** Change of the log-likelihood that setting it to 0 may cost. */
const NO_LOSS = 1e-9;
/** Step of one-sided differences, in standard errors: truncation is of its order, rounding about 1e-8 of the Hessian. */
const ONE_SIDED = 1e-7;
/** Step of central differences: truncation 1e-7 of the Hessian, rounding 1e-12. */
const CENTRAL = 1e-3;
/** Least eigenvalue of the Hessian with unit diagonal at which one-sided differences give standard errors to 1e-6. */
const WELL_CONDITIONED = 1e-3;

export function solveLaplace(
  structure: RandomStructure,
  logLik: LogLik,
  { start, rows, hessian, modes = new Float64Array(0), curvature = true, sharpen }: LaplaceSolveOptions,
): LaplaceSolution {
  const p = start.length;
  const count = structure.term.length;
  let evaluations = 0;
  const objective = (x: Float64Array, g: Float64Array): number => {
    evaluations += 1;
    const value = logLik(x, g);
    for (let k = 0; k < p; k++) g[k] = -g[k]!;
    return -value;
  };
  const found = minimizeQuasiNewton(objective, offZero(structure, start), {
    // relative to the log-likelihood, which is of the order of the number of rows
    gradientTolerance: SEARCH_TOLERANCE / rows,
    maxEvaluations: MAX_EVALUATIONS,
    relativeNoise: 1e-13,
    ...(hessian === undefined ? {} : { hessian }),
  });
  sharpen?.();
  let x = positiveColumns(structure, found.x);
  let value = found.value;
  ({ x, value } = zeroSmall(structure, objective, x, value));
  const fixed = boundaryEntries(structure, x);
  const free = Int32Array.from({ length: p }, (_, k) => k).filter((k) => !fixed.has(k));
  const gradient = new Float64Array(p);
  value = objective(x, gradient);
  let H = zeros(p, p);
  if (curvature) {
    H = measureHessian(objective, x, gradient, { free, scale: scales(found.hessian, free, p), modes });
    const polished = newtonStep(H, gradient, free, x) ?? x;
    const g = new Float64Array(p);
    const next = objective(polished, g);
    if (next <= value + NO_LOSS && size(polished, next, g, free) <= size(x, value, gradient, free)) {
      x = polished;
      value = next;
      gradient.set(g);
    } else {
      // leaves the modes at the solution
      objective(x, gradient);
    }
  }
  const relative = size(x, value, gradient, free);
  const spectrum = curvature ? invertFree(H, free) : undefined;
  return {
    theta: x.slice(0, count),
    phi: x.slice(count),
    logLik: -value,
    hessian: H,
    vcov: fixedBlock(spectrum?.inverse, count, p),
    gradient: relative,
    condition: spectrum?.condition ?? Number.NaN,
    definite: spectrum?.definite ?? false,
    converged: Number.isFinite(value) && relative < STATIONARY,
    evaluations,
  };
}

/** A standard deviation of 0 is stationary whether it is the best or the worst value: a search must not begin there. */
function offZero({ lower }: RandomStructure, start: Float64Array): Float64Array {
  return start.map((value, k) => (lower[k] === 0 && value === 0 ? FIRST_SD : value));
}

type Objective = (x: Float64Array, g: Float64Array) => number;

function size(x: Float64Array, value: number, gradient: Float64Array, free: Int32Array): number {
  const pick = (v: Float64Array): Float64Array => Float64Array.from(free, (k) => v[k]!);
  const box = {
    lower: new Float64Array(free.length).fill(Number.NEGATIVE_INFINITY),
    upper: new Float64Array(free.length).fill(Number.POSITIVE_INFINITY),
  };
  return measureGradient(pick(x), value, pick(gradient), box);
}

/** T with columns of the other sign where the diagonal is negative: the same covariance. */
export function positiveColumns({ term, row, col }: RandomStructure, psi: Float64Array): Float64Array {
  const out = psi.slice();
  for (let k = 0; k < term.length; k++) {
    if (row[k] !== col[k] || psi[k]! >= 0) continue;
    for (let j = 0; j < term.length; j++) if (term[j] === term[k] && col[j] === col[k]) out[j] = -psi[j]!;
  }
  return out;
}

/** Standard deviations that the search left next to 0 are 0, if that costs nothing. */
function zeroSmall(structure: RandomStructure, objective: Objective, from: Float64Array, start: number) {
  let x = from;
  let value = start;
  const g = new Float64Array(x.length);
  for (let k = 0; k < structure.term.length; k++) {
    if (structure.lower[k] !== 0 || x[k] === 0 || Math.abs(x[k]!) > NEARLY_ZERO) continue;
    const trial = x.slice();
    trial[k] = 0;
    const next = objective(trial, g);
    if (next <= value + NO_LOSS) {
      x = trial;
      value = Math.min(value, next);
    }
  }
  return { x, value };
}

/** θ on the boundary: zero diagonals. By the symmetry of signs they share no curvature with the other parameters. */
function boundaryEntries(structure: RandomStructure, x: Float64Array): Set<number> {
  const out = new Set<number>();
  structure.lower.forEach((lower, k) => {
    if (lower === 0 && x[k] === 0) out.add(k);
  });
  return out;
}

/** Standard errors if the other parameters were known, from the search's own Hessian: below the real ones, on the safe side. */
function scales(hessian: Float64Array, free: Int32Array, p: number): Float64Array {
  const out = new Float64Array(p);
  for (const k of free) {
    const d = hessian[k * p + k]!;
    out[k] = d > 0 && Number.isFinite(d) ? Math.min(1 / Math.sqrt(d), 1) : 1;
  }
  return out;
}

interface Differences {
  readonly free: Int32Array;
  readonly scale: Float64Array;
  readonly modes: Float64Array;
}

/** One-sided differences of the gradient; central ones, which cost twice as much, where little curvature is left to see. */
function measureHessian(objective: Objective, x: Float64Array, g: Float64Array, settings: Differences): Matrix {
  const H = differenceHessian(objective, x, { ...settings, base: g, step: ONE_SIDED });
  const least = invertFree(H, settings.free).least;
  return least > WELL_CONDITIONED ? H : differenceHessian(objective, x, { ...settings, step: CENTRAL });
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
function invertFree(H: Matrix, free: Int32Array) {
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
  return { inverse, condition: largest / smallest, definite: least > FLAT, least };
}

function newtonStep(H: Matrix, gradient: Float64Array, free: Int32Array, x: Float64Array): Float64Array | undefined {
  const { inverse, definite } = invertFree(H, free);
  if (!definite) return undefined;
  const p = x.length;
  const out = x.slice();
  for (const i of free) for (const j of free) out[i]! -= inverse.data[i + j * p]! * gradient[j]!;
  return out;
}

function fixedBlock(inverse: Matrix | undefined, from: number, p: number): Matrix {
  const m = p - from;
  const out = zeros(m, m);
  for (let j = 0; j < m; j++) {
    for (let i = 0; i < m; i++) out.data[i + j * m] = inverse?.data[from + i + (from + j) * p] ?? Number.NaN;
  }
  return out;
}
