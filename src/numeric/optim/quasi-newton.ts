/** Minimum of f(x) over lower <= x <= upper with an analytic gradient: BFGS with exact box-constrained model steps.
 *      d = argmin g'd + ½ d'Bd in the box;  x <- x + αd, α by a strong Wolfe search;  B <- BFGS(B, s, y).
 *  Reference: Nocedal & Wright (2006), Numerical Optimization, ch. 6 (BFGS, eq. 6.19-6.20) and 18 (quadratic subproblems);
 *             line search: Moré & Thuente (1994). Damped update: Powell (1978), Lecture Notes in Math. 630.
 *  Oracle:    known optima of Moré, Garbow & Hillstrom (1981), problems with closed form on and off the bounds.
 *  Limits:    dense, O(n³) per step: meant for n <= 100 or so. A local minimiser.
 *             f may be NaN or infinite outside its domain, but not at the start. */

import { choleskyUpperAt } from "../linalg/cholesky.ts";
import { inverseOfGram } from "../linalg/triangular.ts";
import { type BoxWorkspace, makeBoxWorkspace, solveBoxInto } from "./box-step.ts";
import { dot, multiplyInto } from "./dense.ts";
import { type LinePoint, type LineSearchResult, searchLine } from "./line-search.ts";
import {
  type Bounds,
  type Box,
  clampInto,
  findActive,
  type GradientMinimum,
  type GradientObjective,
  isFiniteVector,
  type MinimumStatus,
  makeBox,
  measureGradient,
  rejectStart,
  snapToBounds,
} from "./minimum.ts";

export interface QuasiNewtonOptions extends Bounds {
  /** Relative projected gradient (see `GradientMinimum`) at which to stop. */
  readonly gradientTolerance?: number | undefined;
  readonly maxEvaluations?: number | undefined;
  /** Row-major n × n start for the inverse Hessian, positive definite; ignored when it is not. */
  readonly inverseHessian?: Float64Array | undefined;
  /** The same for the Hessian itself, e.g. from an earlier result. Takes precedence. */
  readonly hessian?: Float64Array | undefined;
  /** Length of the first step when no Hessian is given. */
  readonly firstStep?: number | undefined;
  /** Put coordinates that are almost on a bound onto it, and where the slope vanishes there look inside for a lower
   *  value (default true). A variance criterion written in the standard deviation has zero slope at 0 whether that is
   *  its minimum or its maximum. */
  readonly probeBounds?: boolean | undefined;
  /** Size of differences in f, relative to max(1, |f|), that carry no information. */
  readonly relativeNoise?: number | undefined;
}

export interface QuasiNewtonMinimum extends GradientMinimum {
  /** BFGS approximation of the Hessian, row-major: a warm start, not an estimate of curvature. */
  readonly hessian: Float64Array;
}

/** BFGS converges superlinearly: the last digits are cheap, and estimates to 1e-8 need them. */
const GRADIENT_TOLERANCE = 1e-9;
/** Gradients of likelihoods carry rounding of this order; a search stalled below it has found the minimum. */
const STALLED_TOLERANCE = 1e-6;
/** A few roundings of f. */
const RELATIVE_NOISE = 1e-15;
/** Steps without visible progress in f before giving up on the gradient tolerance. */
const PATIENCE = 10;
/** Keeps s'y >= 0.2 s'Bs in the update, Powell's choice. */
const DAMPING = 0.2;
/** Inward step of the probe at a bound: its effect ½f''h² stands well clear of rounding, and h well inside the data's scale. */
const PROBE_STEP = 1e-3;
/** Each restart after the first must lower f; more than a few mean that the criterion is not smooth. */
const MAX_RESTARTS = 5;

interface Point extends LinePoint {
  readonly x: Float64Array;
  readonly gradient: Float64Array;
}

interface Search {
  readonly objective: GradientObjective;
  readonly box: Box;
  readonly tolerance: number;
  readonly budget: number;
  readonly noise: number;
  evaluations: number;
  iterations: number;
}

export function minimizeQuasiNewton(
  objective: GradientObjective,
  start: ArrayLike<number>,
  options: QuasiNewtonOptions = {},
): QuasiNewtonMinimum {
  const n = start.length;
  const box = makeBox(n, options);
  if (box === null) return reject(start, 0, "a lower bound exceeds its upper bound");
  const search: Search = {
    objective,
    box,
    tolerance: options.gradientTolerance ?? GRADIENT_TOLERANCE,
    budget: options.maxEvaluations ?? 200 * (n + 10),
    noise: options.relativeNoise ?? RELATIVE_NOISE,
    evaluations: 0,
    iterations: 0,
  };
  const x = Float64Array.from(start);
  clampInto(x, box);
  let point = evaluate(search, x, 0);
  if (!Number.isFinite(point.value) || !isFiniteVector(point.gradient))
    return reject(start, 1, "the objective or its gradient is not finite at the start");

  const B = new Float64Array(n * n);
  let scaled = startHessianInto(B, n, options);
  let status: MinimumStatus = "gradient";
  for (let restart = 0; ; restart++) {
    const end = descend(search, point, B, { scaled, firstStep: options.firstStep ?? 1 });
    point = end.point;
    status = end.status;
    if (options.probeBounds === false || status === "budget" || restart >= MAX_RESTARTS) break;
    const settled = restart === 0 ? snapToBounds(point, box, (x) => evaluate(search, x, 0)) : point;
    const inner = probeBounds(search, settled);
    if (inner === null && settled === point) break;
    point = inner ?? settled;
    scaled = inner === null;
  }
  return report(search, point, B, status);
}

/** The BFGS iteration from one point to a stationary point. */
function descend(
  search: Search,
  start: Point,
  B: Float64Array,
  settings: { scaled: boolean; firstStep: number },
): { point: Point; status: MinimumStatus } {
  const n = start.x.length;
  const work = makeBoxWorkspace(n);
  const d = new Float64Array(n);
  const Bs = new Float64Array(n);
  let point = start;
  let scaled = settings.scaled;
  let idle = 0;
  if (!scaled) resetHessianInto(B, point.gradient, settings.firstStep);
  while (true) {
    if (measureGradient(point.x, point.value, point.gradient, search.box) <= search.tolerance)
      return { point, status: "gradient" };
    if (search.evaluations >= search.budget) return { point, status: "budget" };
    search.iterations++;
    const found = takeStep(search, point, B, d, work);
    const failed = found === null || found.outcome === "failed";
    if (failed) {
      // A wrong B can point nowhere; a fresh one decides whether the point or the model is to blame.
      if (!scaled) return { point, status: "stalled" };
      resetHessianInto(B, point.gradient, settings.firstStep);
      scaled = false;
      continue;
    }
    const next = found.point;
    updateHessianInto(B, point, next, { Bs, rescale: !scaled });
    scaled = true;
    const gain = point.value - next.value;
    idle = gain <= search.noise * Math.max(1, Math.abs(point.value)) ? idle + 1 : 0;
    point = next;
    if (idle >= PATIENCE) return { point, status: settle(search, point) };
  }
}

function settle(search: Search, point: Point): MinimumStatus {
  const size = measureGradient(point.x, point.value, point.gradient, search.box);
  return size <= search.tolerance ? "gradient" : "stalled";
}

function takeStep(search: Search, point: Point, B: Float64Array, d: Float64Array, work: BoxWorkspace) {
  if (!solveBoxInto(d, point.x, point.gradient, B, search.box, work)) return null;
  const slope = dot(d, point.gradient);
  if (!(slope < 0)) return null;
  const from: Point = { ...point, step: 0, slope };
  const phi = (step: number): Point => evaluate(search, moveAlong(from.x, d, step, search.box), step, d);
  const found: LineSearchResult<Point> = searchLine(phi, from, {
    firstStep: 1,
    maxStep: findMaxStep(point.x, d, search.box),
    noise: search.noise * Math.max(1, Math.abs(point.value)),
    maxEvaluations: Math.min(40, Math.max(1, search.budget - search.evaluations)),
  });
  return found;
}

function evaluate(search: Search, x: Float64Array, step: number, d?: Float64Array): Point {
  const gradient = new Float64Array(x.length);
  search.evaluations++;
  const value = search.objective(x, gradient);
  return { x, gradient, step, value, slope: d === undefined ? 0 : dot(d, gradient) };
}

/** x + step·d, with coordinates that end within rounding of a bound put on it exactly. */
function moveAlong(x: Float64Array, d: Float64Array, step: number, box: Box): Float64Array {
  const moved = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) {
    const xi = x[i]! + step * d[i]!;
    const blur = 4 * Number.EPSILON * Math.max(Math.abs(x[i]!), Math.abs(step * d[i]!));
    const low = box.lower[i]!;
    const high = box.upper[i]!;
    moved[i] = d[i]! < 0 && xi <= low + blur ? low : d[i]! > 0 && xi >= high - blur ? high : xi;
  }
  return moved;
}

/** Largest step that stays in the box; at least 1 because x + d does. */
function findMaxStep(x: Float64Array, d: Float64Array, box: Box): number {
  let longest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < x.length; i++) {
    if (d[i]! < 0) longest = Math.min(longest, (box.lower[i]! - x[i]!) / d[i]!);
    else if (d[i]! > 0) longest = Math.min(longest, (box.upper[i]! - x[i]!) / d[i]!);
  }
  return Math.max(1, longest);
}

/** Copies a given (inverse) Hessian into B; false when there is none that is positive definite. */
function startHessianInto(B: Float64Array, n: number, options: QuasiNewtonOptions): boolean {
  const given = options.hessian ?? options.inverseHessian;
  if (given === undefined || given.length !== n * n) return false;
  const L = Float64Array.from(given);
  if (choleskyUpperAt(L, 0, n, n) >= 0) return false;
  B.set(options.hessian ?? inverseOfGram({ rows: n, cols: n, data: L }).data);
  return isFiniteVector(B);
}

/** B = cI such that the first trial step has the given length. */
function resetHessianInto(B: Float64Array, gradient: Float64Array, firstStep: number): void {
  const n = gradient.length;
  const size = Math.sqrt(dot(gradient, gradient));
  B.fill(0);
  for (let i = 0; i < n; i++) B[i * n + i] = size > 0 ? size / firstStep : 1;
}

function updateHessianInto(
  B: Float64Array,
  from: Point,
  to: Point,
  settings: { Bs: Float64Array; rescale: boolean },
): void {
  const { Bs } = settings;
  const n = from.x.length;
  const s = to.x.map((v, i) => v - from.x[i]!);
  const y = to.gradient.map((v, i) => v - from.gradient[i]!);
  const yy = dot(y, y);
  let sy = dot(s, y);
  if (!(yy > 0) || !Number.isFinite(yy)) return;
  if (settings.rescale && sy > 0) {
    B.fill(0);
    for (let i = 0; i < n; i++) B[i * n + i] = yy / sy; // eq. 6.20, for B instead of its inverse
  }
  multiplyInto(Bs, B, s);
  const sBs = dot(s, Bs);
  if (!(sBs > 0)) return;
  // Powell's damping: a step cut short at a bound may show negative curvature, and B must stay positive definite.
  if (sy < DAMPING * sBs) {
    const share = ((1 - DAMPING) * sBs) / (sBs - sy);
    for (let i = 0; i < n; i++) y[i] = share * y[i]! + (1 - share) * Bs[i]!;
    sy = dot(s, y);
    if (!(sy > 0)) return;
  }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) B[i * n + j]! += (y[i]! * y[j]!) / sy - (Bs[i]! * Bs[j]!) / sBs;
}

/** A lower point just inside a bound whose multiplier vanishes, or null. */
function probeBounds(search: Search, point: Point): Point | null {
  const { box } = search;
  const scale = Math.max(1, Math.abs(point.value));
  let best: Point | null = null;
  for (let i = 0; i < point.x.length; i++) {
    const low = box.lower[i]!;
    const high = box.upper[i]!;
    const atLow = point.x[i]! <= low;
    if (low === high || (!atLow && point.x[i]! < high)) continue;
    if (Math.abs(point.gradient[i]!) > STALLED_TOLERANCE * scale) continue;
    const x = Float64Array.from(point.x);
    const h = Math.min(PROBE_STEP * Math.max(1, Math.abs(x[i]!)), 0.5 * (high - low));
    x[i]! += atLow ? h : -h;
    const probe = evaluate(search, x, 0);
    const lowest = best === null ? point.value - search.noise * scale : best.value;
    if (probe.value < lowest && isFiniteVector(probe.gradient)) best = probe;
  }
  return best;
}

const MESSAGES: Record<MinimumStatus, string> = {
  gradient: "the projected gradient is within tolerance",
  stalled: "no step lowers the objective further; the gradient is as small as its rounding permits",
  budget: "the evaluation budget is used up",
  radius: "",
  saddle: "",
  "invalid-start": "",
};

function report(search: Search, point: Point, hessian: Float64Array, status: MinimumStatus): QuasiNewtonMinimum {
  const projectedGradient = measureGradient(point.x, point.value, point.gradient, search.box);
  const converged = status === "gradient" || (status === "stalled" && projectedGradient <= STALLED_TOLERANCE);
  const stuck = status === "stalled" && !converged;
  return {
    x: point.x,
    value: point.value,
    gradient: point.gradient,
    projectedGradient,
    active: findActive(point.x, search.box),
    hessian,
    evaluations: search.evaluations,
    iterations: search.iterations,
    status,
    converged,
    message: stuck
      ? "no step lowers the objective, yet its gradient is not small: check the gradient"
      : MESSAGES[status],
  };
}

function reject(start: ArrayLike<number>, evaluations: number, message: string): QuasiNewtonMinimum {
  const n = start.length;
  return {
    ...rejectStart(start, evaluations, message),
    gradient: new Float64Array(n).fill(Number.NaN),
    projectedGradient: Number.NaN,
    hessian: new Float64Array(n * n).fill(Number.NaN),
  };
}
