/** Whether θ is a minimum: gradient and curvature of the criterion at the solution, and one Newton step with them.
 *
 *  The Hessian over the parameters off their bounds comes from differences of the analytic gradient, with steps of a
 *  thousandth of each parameter's standard error; among single standard deviations of factors 1, 2, …, where an evaluation is dear,
 *  from S22⁻¹. With V_k = 2θ_k Z_kZ_k' and r² = y'Py, ν as in gradient.ts,
 *
 *      H_kl = δ_kl f_k/θ_k - tr PV_kPV_l + 2ν y'PV_kPV_lPy / r² - ν s_k s_l / r⁴,      s_k = y'PV_kPy = 2 |u_k|²/θ_k
 *      tr PV_kPV_l = 4 ‖M_kl‖²/θ_kθ_l,   y'PV_kPV_lPy = 4 u_k'M_kl u_l/θ_kθ_l,   M = Λ2Z2'PZ2Λ2 = I - S22⁻¹ - W̃C⁻¹W̃'
 *
 *  (the trace with V⁻¹ for P, so without W̃C⁻¹W̃', for ML). Scaled to ones on its diagonal its smallest eigenvalue says whether the point
 *  is a minimum (positive), a saddle (negative) or a ridge (zero: a combination of variances is not identified).
 *  Reference: Nocedal & Wright (2006), Numerical Optimization, theorem 2.4; Gill, Murray & Wright (1981), section 8.6.
 *  Limits:    forward differences, good to about 1e-4 relative: enough for a verdict and for the last digits of a Newton step. */
import { cholesky, cholInverse, cholSolveInto } from "../../numeric/linalg/cholesky.ts";
import { eigenvaluesSymmetric } from "../../numeric/linalg/eigen.ts";
import { type Matrix, multiply, zeros } from "../../numeric/linalg/matrix.ts";
import { measureGradient } from "../../numeric/optim/minimum.ts";
import { fixedInverse, lmmObjectiveAndGradientInto, solveOthers } from "./gradient.ts";
import { coefficientsOf, factorAt, projectResponse, residualSd } from "./objective.ts";
import type { LmmProblem } from "./problem.ts";
import type { LmmResponse } from "./response.ts";
import { isScalar } from "./schur.ts";
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
  /** Gradients that it took. */
  readonly evaluations: number;
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

export function measureCurvature(problem: LmmProblem, solution: LmmSolution): Curvature {
  const { theta, gradient, response } = solution;
  const { lower } = problem.structure;
  const free = Int32Array.from(theta.keys()).filter((k) => theta[k]! > lower[k]!);
  const expected = expectedCurvature(problem, theta);
  const H = zeros(free.length, free.length);
  const moved = new Float64Array(theta.length);
  const among = isDear(problem) ? amongOthers(problem, solution) : undefined;
  free.forEach((k, j) => {
    if (among?.has(k)) return;
    const at = theta.slice();
    const curvature = expected[k * (theta.length + 1)]!;
    const h = curvature > LEAST_CURVATURE ? STEP / Math.sqrt(curvature) : STEP * Math.max(1, Math.abs(at[k]!));
    at[k]! += h;
    lmmObjectiveAndGradientInto(moved, problem, at, response);
    free.forEach((l, i) => {
      H.data[i + j * free.length] = (moved[l]! - gradient[l]!) / (at[k]! - theta[k]!);
    });
  });
  if (among === undefined) symmetrize(H);
  else completeFrom(H, free, among);
  const smallest = smallestScaled(H);
  const verdict = smallest > ZERO_EIGENVALUE ? "minimum" : smallest > -ZERO_EIGENVALUE ? "ridge" : "saddle";
  return { free, hessian: H, smallest, verdict, evaluations: free.length - (among?.size ?? 0) };
}

/** Rows of second derivatives by parameter. */
type Rows = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** Columns that were left out: known among themselves, and the others' rows by symmetry. */
function completeFrom({ rows: n, data }: Matrix, free: Int32Array, among: Rows): void {
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) {
      const known = among.get(free[j]!);
      if (known === undefined) continue;
      data[i + j * n] = known.get(free[i]!) ?? data[j + i * n]!;
    }
}

/** At smaller ratios of standard deviations division by them loses digits. */
const LEAST_THETA = 1e-3;

/** Second derivatives among the standard deviations of factors 1, 2, …; undefined where one of these has several or is near 0. */
function amongOthers(problem: LmmProblem, { theta, gradient, response }: LmmSolution): Rows | undefined {
  const { cross, criterion, nobs, work } = problem;
  const { m, p, schur } = cross;
  const others = problem.factors.slice(1).map(({ theta: [k], offset, levels }) => ({ k: k!, offset, levels }));
  if (!isScalar(schur) || schur.sparse !== undefined || others.some(({ k }) => !(theta[k]! > LEAST_THETA))) return;
  if (!factorAt(problem, theta)) return;
  const r2 = projectResponse(problem, response);
  solveOthers(problem);
  const inverse = cholInverse(schur.L).data;
  const C = { rows: m, cols: p, data: work.Wt.subarray(0, m * p) };
  const WC = multiply(C, fixedInverse(problem)).data;
  const u = work.Wt.subarray(m * p, m * (p + 1));
  const reml = criterion === "REML";
  const weight = (reml ? nobs - p : nobs) / r2;
  const slope = others.map(({ k, offset, levels }) => (2 * squares(u, offset, levels)) / theta[k]!);
  const out = new Map(others.map(({ k }) => [k, new Map<number, number>()]));
  others.forEach((a, i) => {
    others.slice(0, i + 1).forEach((b, j) => {
      const { trace, form } = blockSums({ inverse, W: work.Wt, WC, u, m, p, reml }, a, b);
      const own = i === j ? gradient[a.k]! / theta[a.k]! : 0;
      const value =
        own + (4 * (2 * weight * form - trace)) / (theta[a.k]! * theta[b.k]!) - (weight * slope[i]! * slope[j]!) / r2;
      out.get(a.k)!.set(b.k, value);
      out.get(b.k)!.set(a.k, value);
    });
  });
  return out;
}

const squares = (u: Float64Array, from: number, length: number): number =>
  u.subarray(from, from + length).reduce((sum, v) => sum + v * v, 0);

interface OtherParts {
  readonly inverse: Float64Array;
  readonly W: Float64Array;
  readonly WC: Float64Array;
  readonly u: Float64Array;
  readonly m: number;
  readonly p: number;
  readonly reml: boolean;
}

interface Levels {
  readonly offset: number;
  readonly levels: number;
}

/** ‖M_ab‖², of ML without the fixed effects, and u_a'M_ab u_b. */
function blockSums(
  { inverse, W, WC, u, m, p, reml }: OtherParts,
  a: Levels,
  b: Levels,
): { trace: number; form: number } {
  let trace = 0;
  let form = 0;
  for (let c = b.offset; c < b.offset + b.levels; c++)
    for (let r = a.offset; r < a.offset + a.levels; r++) {
      const plain = (r === c ? 1 : 0) - inverse[r + c * m]!;
      let whole = plain;
      for (let j = 0; j < p; j++) whole -= WC[r + j * m]! * W[c + j * m]!;
      trace += reml ? whole * whole : plain * plain;
      form += u[r]! * whole * u[c]!;
    }
  return { trace, form };
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
export function polishSolution(problem: LmmProblem, solution: LmmSolution, curvature: Curvature): LmmSolution {
  const { free, hessian } = curvature;
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
    evaluations: solution.evaluations + curvature.evaluations + 1,
  };
}

/** Rounding of the criterion, relatively. */
const NOISE = 1e-14;
