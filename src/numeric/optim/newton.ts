/** Unbounded minimum of f(x) with analytic gradient and Hessian: Newton steps, a modified Cholesky factor where the
 *  Hessian is not positive definite, and a strong Wolfe line search.
 *      (H + E) d = -g,  E diagonal >= 0 and zero where H is safely positive definite.
 *  Reference: Gill, Murray & Wright (1981), Practical Optimization, sec. 4.4.2.2 (modified Cholesky, direction of
 *             negative curvature); line search: Moré & Thuente (1994).
 *  Limits:    dense, O(n³) per iteration. f may be NaN or infinite outside its domain, but not at the start. */
import { dot } from "./dense.ts";
import { type LinePoint, searchLine } from "./line-search.ts";
import {
  findActive,
  type GradientMinimum,
  type GradientObjective,
  isFiniteVector,
  type MinimumStatus,
  makeBox,
  measureGradient,
  rejectStart,
} from "./minimum.ts";

export interface NewtonProblem {
  readonly evaluate: GradientObjective;
  /** Fills H, row-major n × n and symmetric, at x. Called only at points where `evaluate` was finite. */
  readonly hessianInto: (H: Float64Array, x: Float64Array) => void;
}

export interface NewtonOptions {
  /** Relative gradient (see `GradientMinimum`) at which to stop. */
  readonly gradientTolerance?: number | undefined;
  readonly maxIterations?: number | undefined;
  readonly relativeNoise?: number | undefined;
}

export interface NewtonMinimum extends GradientMinimum {
  /** Hessian at x, row-major. */
  readonly hessian: Float64Array;
  /** Whether that Hessian is positive definite: x is then a strict local minimum. */
  readonly positiveDefinite: boolean;
}

/** Newton doubles its digits at each step: the last step to 1e-12 is nearly free. */
const GRADIENT_TOLERANCE = 1e-12;
/** As in quasi-newton.ts: a search stalled below it has found the minimum. */
const STALLED_TOLERANCE = 1e-6;
const MAX_ITERATIONS = 200;
const RELATIVE_NOISE = 1e-15;
/** First trial along a direction of negative curvature, relative to max(1, ‖x‖). */
const ESCAPE_STEP = 0.1;

interface Point extends LinePoint {
  readonly x: Float64Array;
  readonly gradient: Float64Array;
}

export function minimizeNewton(
  problem: NewtonProblem,
  start: ArrayLike<number>,
  options: NewtonOptions = {},
): NewtonMinimum {
  const n = start.length;
  const box = makeBox(n, {})!;
  const tolerance = options.gradientTolerance ?? GRADIENT_TOLERANCE;
  const maxIterations = options.maxIterations ?? MAX_ITERATIONS;
  const H = new Float64Array(n * n);
  let evaluations = 0;
  const visit = (x: Float64Array, step: number, d: Float64Array | null): Point => {
    const gradient = new Float64Array(n);
    evaluations++;
    const value = problem.evaluate(x, gradient);
    return { x, gradient, value, step, slope: d === null ? 0 : dot(d, gradient) };
  };
  let point = visit(Float64Array.from(start), 0, null);
  if (!Number.isFinite(point.value) || !isFiniteVector(point.gradient)) return rejectNewton(start);

  let status: MinimumStatus = "budget";
  let iterations = 0;
  let direction = findDirection(problem, H, point);
  while (true) {
    const size = measureGradient(point.x, point.value, point.gradient, box);
    if (size <= tolerance && direction.positiveDefinite) {
      status = "gradient";
      break;
    }
    if (iterations >= maxIterations) break;
    iterations++;
    const d = size <= tolerance ? direction.escape : direction.d;
    const next = d === null ? null : takeStep(visit, point, d, options.relativeNoise ?? RELATIVE_NOISE);
    if (next === null) {
      status = size <= tolerance ? "saddle" : "stalled";
      break;
    }
    point = next;
    direction = findDirection(problem, H, point);
  }
  const projectedGradient = measureGradient(point.x, point.value, point.gradient, box);
  const converged =
    status === "gradient" ||
    (status === "stalled" && projectedGradient <= STALLED_TOLERANCE && direction.positiveDefinite);
  return {
    x: point.x,
    value: point.value,
    gradient: point.gradient,
    projectedGradient,
    hessian: H,
    positiveDefinite: direction.positiveDefinite,
    active: findActive(point.x, box),
    evaluations,
    iterations,
    status,
    converged,
    message: MESSAGES[status],
  };
}

const MESSAGES: Record<MinimumStatus, string> = {
  gradient: "the gradient is within tolerance and the Hessian is positive definite",
  stalled: "no step lowers the objective further",
  saddle: "the gradient vanishes but the Hessian is not positive definite: a flat direction or a saddle point",
  budget: "the iteration budget is used up",
  radius: "",
  "invalid-start": "the objective or its gradient is not finite at the start",
};

function takeStep(
  visit: (x: Float64Array, step: number, d: Float64Array) => Point,
  point: Point,
  d: Float64Array,
  relativeNoise: number,
): Point | null {
  const slope = dot(d, point.gradient);
  const noise = relativeNoise * Math.max(1, Math.abs(point.value));
  const phi = (step: number): Point =>
    visit(
      point.x.map((v, i) => v + step * d[i]!),
      step,
      d,
    );
  // At a saddle the slope vanishes, and the Wolfe conditions with it: any visible decrease will do.
  if (!(slope < 0)) return escapeAlong(phi, point.value - noise);
  const found = searchLine(
    phi,
    { ...point, step: 0, slope },
    { firstStep: 1, maxStep: Number.POSITIVE_INFINITY, noise },
  );
  return found.outcome === "failed" ? null : found.point;
}

function escapeAlong(phi: (step: number) => Point, below: number): Point | null {
  for (let step = 1; step > 1e-4; step /= 4) {
    for (const side of [step, -step]) {
      const trial = phi(side);
      if (trial.value < below && isFiniteVector(trial.gradient)) return trial;
    }
  }
  return null;
}

/** Newton direction from the (modified) factor, and where H is not positive definite a direction of negative
 *  curvature for use where the gradient vanishes. */
function findDirection(
  problem: NewtonProblem,
  H: Float64Array,
  point: Point,
): { d: Float64Array; escape: Float64Array | null; positiveDefinite: boolean } {
  const n = point.x.length;
  problem.hessianInto(H, point.x);
  const { L, D, order, modified } = factorModified(H, n);
  const d = new Float64Array(n);
  for (let i = 0; i < n; i++) d[i] = -point.gradient[order[i]!]!;
  for (let i = 0; i < n; i++) for (let k = 0; k < i; k++) d[i]! -= L[i * n + k]! * d[k]!;
  for (let i = 0; i < n; i++) d[i]! /= D[i]!;
  backSubstituteInto(d, L, n);
  const step = unpermute(d, order);
  if (modified < 0) return { d: step, escape: null, positiveDefinite: true };
  const curved = new Float64Array(n);
  curved[modified] = 1;
  backSubstituteInto(curved, L, n);
  const direction = unpermute(curved, order);
  const length = Math.sqrt(dot(direction, direction));
  const scale = (ESCAPE_STEP * Math.max(1, Math.sqrt(dot(point.x, point.x)))) / length;
  return { d: step, escape: direction.map((v) => v * scale), positiveDefinite: false };
}

/** Solves L' x = b in place, L unit lower triangular. */
function backSubstituteInto(b: Float64Array, L: Float64Array, n: number): void {
  for (let i = n - 1; i >= 0; i--) for (let k = i + 1; k < n; k++) b[i]! -= L[k * n + i]! * b[k]!;
}

function unpermute(v: Float64Array, order: Int32Array): Float64Array {
  const out = new Float64Array(v.length);
  for (let i = 0; i < v.length; i++) out[order[i]!] = v[i]!;
  return out;
}

/** P(H + E)P' = L D L' with unit lower L, D > 0 and bounded L√D, pivots in order of the largest remaining diagonal.
 *  `modified` is the pivot whose unmodified value was most negative, -1 when H needed no modification. */
function factorModified(H: Float64Array, n: number) {
  const A = Float64Array.from(H);
  const L = new Float64Array(n * n);
  const D = new Float64Array(n);
  const order = Int32Array.from({ length: n }, (_, i) => i);
  let gamma = 0;
  let xi = 0;
  for (let i = 0; i < n; i++) {
    gamma = Math.max(gamma, Math.abs(H[i * n + i]!));
    for (let j = 0; j < i; j++) xi = Math.max(xi, Math.abs(H[i * n + j]!));
  }
  const tiny = Number.EPSILON * Math.max(gamma + xi, 1e-300) * n;
  const betaSquared = Math.max(gamma, xi / Math.sqrt(Math.max(1, n * n - 1)), tiny);
  let modified = -1;
  let mostNegative = Number.POSITIVE_INFINITY;
  for (let j = 0; j < n; j++) {
    let p = j;
    for (let i = j + 1; i < n; i++) if (Math.abs(A[i * n + i]!) > Math.abs(A[p * n + p]!)) p = i;
    if (p !== j) exchange(A, L, order, { n, j, p });
    const pivot = A[j * n + j]!;
    let theta = 0;
    for (let i = j + 1; i < n; i++) theta = Math.max(theta, Math.abs(A[i * n + j]!));
    D[j] = Math.max(Math.abs(pivot), (theta * theta) / betaSquared, tiny);
    if (D[j]! > pivot * (1 + 1e-12) && pivot < mostNegative) {
      mostNegative = pivot;
      modified = j;
    }
    L[j * n + j] = 1;
    for (let i = j + 1; i < n; i++) L[i * n + j] = A[i * n + j]! / D[j]!;
    for (let i = j + 1; i < n; i++)
      for (let k = j + 1; k <= i; k++) {
        A[i * n + k]! -= L[i * n + j]! * A[k * n + j]!;
        A[k * n + i] = A[i * n + k]!;
      }
  }
  return { L, D, order, modified };
}

/** Symmetric exchange of rows and columns j and p in A, and of the finished rows of L. */
function exchange(A: Float64Array, L: Float64Array, order: Int32Array, at: { n: number; j: number; p: number }): void {
  const { n, j, p } = at;
  const swap = (v: Float64Array | Int32Array, a: number, b: number) => {
    const t = v[a]!;
    v[a] = v[b]!;
    v[b] = t;
  };
  for (let k = 0; k < n; k++) swap(A, j * n + k, p * n + k);
  for (let k = 0; k < n; k++) swap(A, k * n + j, k * n + p);
  for (let k = 0; k < j; k++) swap(L, j * n + k, p * n + k);
  swap(order, j, p);
}

function rejectNewton(start: ArrayLike<number>): NewtonMinimum {
  const n = start.length;
  return {
    ...rejectStart(start, 1, MESSAGES["invalid-start"]),
    gradient: new Float64Array(n).fill(Number.NaN),
    projectedGradient: Number.NaN,
    hessian: new Float64Array(n * n).fill(Number.NaN),
    positiveDefinite: false,
  };
}
