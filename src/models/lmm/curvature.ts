/** Whether θ is a minimum: gradient and curvature of the criterion at the solution, and one Newton step with them.
 *
 *  The Hessian over the parameters off their bounds comes from differences of the analytic gradient, with steps of a
 *  thousandth of each parameter's standard error. Scaled to ones on its diagonal its smallest eigenvalue says whether the point
 *  is a minimum (positive), a saddle (negative) or a ridge (zero: a combination of variances is not identified).
 *  Reference: Nocedal & Wright (2006), Numerical Optimization, theorem 2.4; Gill, Murray & Wright (1981), section 8.6.
 *  Limits:    forward differences, good to about 1e-4 relative: enough for a verdict and for the last digits of a Newton step. */
import { cholesky, cholSolveInto } from "../../numeric/linalg/cholesky.ts";
import { eigenvaluesSymmetric } from "../../numeric/linalg/eigen.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { measureGradient } from "../../numeric/optim/minimum.ts";
import { lmmObjectiveAndGradientInto } from "./gradient.ts";
import { coefficientsOf, residualSd } from "./objective.ts";
import type { LmmProblem } from "./problem.ts";
import type { LmmResponse } from "./response.ts";
import { GRADIENT_TOLERANCE, isDear, type LmmSolution, solveLmm } from "./solve.ts";
import { expectedCurvature } from "./start.ts";

export interface Curvature {
  /** Parameters off their bounds. */
  readonly free: Int32Array;
  /** Second derivatives of the criterion over these. */
  readonly hessian: Matrix;
  /** Smallest eigenvalue of the Hessian scaled to a diagonal of ones; NaN when a diagonal element is not positive. */
  readonly smallest: number;
  readonly verdict: "minimum" | "ridge" | "saddle";
}

/** Steps of the differences, in standard errors. */
const STEP = 1e-3;
/** Error of a scaled Hessian made of forward differences: eigenvalues between ± this may be 0. */
const ZERO_EIGENVALUE = 1e-3;
/** Curvature of a parameter that the data say almost nothing about: below, its own scale replaces the standard error. */
const LEAST_CURVATURE = 1e-8;

/** Relative projected gradient from which one Newton step reaches what the search would take another step or two for. */
const NEWTON_FROM = 1e-5;

/** The minimum, how curved the criterion is there, and the last digits. Where an evaluation is dear the search stops early, since the
 *  Newton step follows anyhow; if that falls short, the search goes on. */
export function findOptimum(
  problem: LmmProblem,
  response: LmmResponse,
  start?: Float64Array,
): { solution: LmmSolution; curvature: Curvature } {
  const from = start === undefined ? {} : { start };
  const early = isDear(problem) ? { gradientTolerance: NEWTON_FROM } : {};
  const near = polished(problem, solveLmm(problem, response, { ...from, ...early }));
  const { solution } = near;
  if (!isDear(problem) || solution.projectedGradient <= GRADIENT_TOLERANCE) return near;
  return polished(problem, solveLmm(problem, response, { start: solution.theta }));
}

function polished(problem: LmmProblem, found: LmmSolution): { solution: LmmSolution; curvature: Curvature } {
  const curvature = measureCurvature(problem, found);
  return { solution: polishSolution(problem, found, curvature), curvature };
}

export function measureCurvature(problem: LmmProblem, { theta, gradient, response }: LmmSolution): Curvature {
  const { lower } = problem.structure;
  const free = Int32Array.from(theta.keys()).filter((k) => theta[k]! > lower[k]!);
  const expected = expectedCurvature(problem, theta);
  const H = zeros(free.length, free.length);
  const moved = new Float64Array(theta.length);
  free.forEach((k, j) => {
    const at = theta.slice();
    const curvature = expected[k * (theta.length + 1)]!;
    const h = curvature > LEAST_CURVATURE ? STEP / Math.sqrt(curvature) : STEP * Math.max(1, Math.abs(at[k]!));
    at[k]! += h;
    lmmObjectiveAndGradientInto(moved, problem, at, response);
    free.forEach((l, i) => {
      H.data[i + j * free.length] = (moved[l]! - gradient[l]!) / (at[k]! - theta[k]!);
    });
  });
  symmetrize(H);
  const smallest = smallestScaled(H);
  const verdict = smallest > ZERO_EIGENVALUE ? "minimum" : smallest > -ZERO_EIGENVALUE ? "ridge" : "saddle";
  return { free, hessian: H, smallest, verdict };
}

function symmetrize({ rows: n, data }: Matrix): void {
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < j; i++) data[i + j * n] = data[j + i * n] = (data[i + j * n]! + data[j + i * n]!) / 2;
  }
}

function smallestScaled({ rows: n, data }: Matrix): number {
  if (n === 0) return 1;
  const scale = Float64Array.from({ length: n }, (_, i) => Math.sqrt(data[i * (n + 1)]!));
  if (scale.some((s) => !(s > 0))) return Number.NaN;
  const S = zeros(n, n);
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) S.data[i + j * n] = data[i + j * n]! / (scale[i]! * scale[j]!);
  return eigenvaluesSymmetric(S).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

/** One Newton step over the free parameters, kept when it does not raise the criterion and lowers the gradient. */
export function polishSolution(problem: LmmProblem, solution: LmmSolution, { free, hessian }: Curvature): LmmSolution {
  const { theta, gradient, response, objective } = solution;
  const { lower } = problem.structure;
  const L = free.length === 0 ? undefined : cholesky(hessian);
  // at the largest θ allowed there is no minimum to come closer to
  if (L === undefined || solution.endless) return solution;
  const step = Float64Array.from(free, (k) => gradient[k]!);
  cholSolveInto(step, L);
  const at = theta.slice();
  free.forEach((k, i) => {
    at[k]! -= step[i]!;
  });
  if (at.some((value, k) => value < lower[k]!)) return solution;
  const slope = new Float64Array(theta.length);
  const value = lmmObjectiveAndGradientInto(slope, problem, at, response);
  const box = { lower, upper: new Float64Array(theta.length).fill(Number.POSITIVE_INFINITY) };
  const projectedGradient = measureGradient(at, value, slope, box);
  const noise = NOISE * Math.max(1, Math.abs(objective));
  if (!(value <= objective + noise && projectedGradient < solution.projectedGradient)) return solution;
  return {
    ...solution,
    theta: at,
    beta: coefficientsOf(problem, response),
    sigma: residualSd(problem, problem.work.scalars[2]!),
    objective: value,
    logLik: -value / 2,
    gradient: slope,
    projectedGradient,
    evaluations: solution.evaluations + free.length + 1,
  };
}

/** Rounding of the criterion, relatively. */
const NOISE = 1e-14;
