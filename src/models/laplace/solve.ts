/** Maximises a Laplace (or quadrature) log-likelihood over ψ = (θ, φ) and measures its curvature.
 *
 *  BFGS with the analytic gradient. The likelihood does not know the sign of a column of T(θ), so that it is a smooth function
 *  of θ over the whole plane: the search is not bounded, a variance of 0 is an ordinary maximum, and signs are made positive at
 *  the end. The first Hessian is the information of φ at the modes (random effects eliminated) beside that of variances of
 *  normal effects. One Newton step with a differenced Hessian (hessian.ts) takes the last digits; the Hessian that standard
 *  errors are printed from is differenced again at the maximum.
 *  Reference: Nocedal & Wright (2006), Numerical Optimization, ch. 6.
 *  Oracle:    ordinal::clmm and lme4::glmer (R), polished: log-likelihood 1e-8, estimates and SEs 1e-6.
 *  Limits:    a local maximum; the likelihood of a mixed model rarely has two. */
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { measureGradient } from "../../numeric/optim/minimum.ts";
import { minimizeQuasiNewton } from "../../numeric/optim/quasi-newton.ts";
import type { RandomStructure } from "../random/random.ts";
import {
  conditionalSes,
  exactHessian,
  invertFree,
  isWellConditioned,
  type Objective,
  quickHessian,
} from "./hessian.ts";

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
  /** Largest over smallest eigenvalue of the Hessian; Infinity where that is not positive, NaN where entries are not finite. */
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
  readonly hessian?: Float64Array | undefined;
  /** Conditional modes, which evaluations begin from and leave behind. */
  readonly modes?: Float64Array | undefined;
  /** false leaves the Hessian and the standard errors out. */
  readonly curvature?: boolean | undefined;
  /** The Hessian at the maximum itself, as a report needs it: standard errors to 6e-7. They are otherwise right to about 1e-5, which
   *  no test in a simulation feels. */
  readonly exact?: boolean | undefined;
  /** Called when the search has ended: from there on the log-likelihood must be exact to rounding. */
  readonly sharpen?: (() => void) | undefined;
}

/** Gradient at which the search ends, in units of log-likelihood: about 1e-6 standard errors from the maximum, near enough for
 *  the Hessian; the Newton step at the end squares the error. */
const SEARCH_TOLERANCE = 1e-5;
/** Steps with the Hessian of the search that bring the point nearer to the maximum before a reported Hessian is taken there. */
const NEARER = 2;
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

export function solveLaplace(
  structure: RandomStructure,
  logLik: LogLik,
  { start, rows, hessian, modes = new Float64Array(0), curvature = true, exact = false, sharpen }: LaplaceSolveOptions,
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
    hessian,
  });
  sharpen?.();
  let x = positiveColumns(structure, found.x);
  let value = found.value;
  ({ x, value } = zeroSmall(structure, objective, x, value));
  const fixed = boundaryEntries(structure, x);
  const free = Int32Array.from({ length: p }, (_, k) => k).filter((k) => !fixed.has(k));
  let point = evaluateAt(objective, x);
  let H = zeros(p, p);
  if (curvature) {
    const scale = conditionalSes(found.hessian, free, p);
    // a Hessian is only as good as the point that it is taken at
    const searched: Matrix = { rows: p, cols: p, data: found.hessian };
    for (let k = 0; exact && k < NEARER; k++) point = polish(objective, point, searched, free);
    H = quickHessian(objective, point.x, point.gradient, { free, scale, modes });
    point = polish(objective, point, H, free);
    if (exact && !isWellConditioned(H, free)) {
      H = exactHessian(objective, point.x, H, { free, modes });
      point = polish(objective, point, H, free);
    }
  }
  const { gradient } = point;
  ({ x, value } = point);
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

interface Point {
  readonly x: Float64Array;
  readonly value: number;
  readonly gradient: Float64Array;
}

function evaluateAt(objective: Objective, x: Float64Array): Point {
  const gradient = new Float64Array(x.length);
  return { x, value: objective(x, gradient), gradient };
}

/** A Newton step, if the gradient is smaller there; leaves the modes at the point returned. */
function polish(objective: Objective, from: Point, H: Matrix, free: Int32Array): Point {
  const to = evaluateAt(objective, newtonStep(H, from.gradient, free, from.x) ?? from.x);
  const better =
    to.value <= from.value + NO_LOSS &&
    size(to.x, to.value, to.gradient, free) <= size(from.x, from.value, from.gradient, free);
  return better ? to : evaluateAt(objective, from.x);
}

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
