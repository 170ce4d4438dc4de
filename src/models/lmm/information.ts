/** A fitted mixed model as its tests see it: Cov β̂ and its derivatives in the covariance parameters, the observed and the
 *  expected information about those, all at one (θ, σ).
 *
 *      -2ℓ_R = log|V| + log|X'V⁻¹X| + e'V⁻¹e          V = Σ γ_k G_k,  P = V⁻¹ - V⁻¹XΦX'V⁻¹,  Φ = (X'V⁻¹X)⁻¹
 *      gradient_k = tr PG_k - e'V⁻¹G_kV⁻¹e             Hessian_kl = -tr PG_kPG_l + 2 e'V⁻¹G_kPG_lV⁻¹e
 *
 *  For ML the traces have V⁻¹ instead of P, and log|X'V⁻¹X| is missing. γ: see derivatives.ts. Coefficients are those of
 *  X R⁻¹ (problem.ts); `coordinates` brings a contrast there.
 *  Reference: Searle, Casella & McCulloch (1992), Variance Components, sections 6.4-6.6 and A.4.
 *  Oracle:    differences of the engine's objective, lmerTest and pbkrtest (R). */
import { type Matrix, matVec, multiply, zeros } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import { relativeFactor } from "../random/random.ts";
import { type CovarianceDerivatives, covarianceDerivatives } from "./derivatives.ts";
import { fixedInverse } from "./gradient.ts";
import { lmmMoments } from "./moments.ts";
import { factorAt, projectResponse } from "./objective.ts";
import type { LmmProblem } from "./problem.ts";
import type { LmmResponse } from "./response.ts";

/** Where the likelihood is looked at, and the response it belongs to: an LmmSolution is one. */
export interface LmmPoint {
  readonly theta: Float64Array;
  readonly sigma: number;
  readonly response: LmmResponse;
}

/** The generalised least squares estimate in the coordinates of X R⁻¹, (X'H⁻¹X)⁻¹, and e'H⁻¹e. */
export interface Gls {
  readonly beta: Float64Array;
  readonly inverse: Matrix;
  readonly rss: number;
}

export interface LmmInformation {
  readonly problem: LmmProblem;
  readonly theta: Float64Array;
  readonly sigma: number;
  readonly response: LmmResponse;
  readonly gls: Gls;
  readonly derivatives: CovarianceDerivatives;
}

export function lmmInformation(problem: LmmProblem, { theta, sigma, response }: LmmPoint): LmmInformation {
  refuseCostly(problem);
  const { structure, work } = problem;
  if (!(sigma > 0) || !factorAt(problem, theta)) {
    throw new StatError(
      "NoInformation",
      `the likelihood has no derivatives at sigma = ${sigma}, theta = ${Array.from(theta).join(", ")}.`,
      "Check that the fit converged and that its residual SD is above 0.",
    );
  }
  const rss = projectResponse(problem, response);
  const gls: Gls = { beta: work.gamma.slice(), inverse: fixedInverse(problem), rss };
  const factors = structure.terms.map((_, t) => relativeFactor(structure, theta, t));
  const relative = relativeCovariances(structure.term.length, (k) => {
    const T = factors[structure.term[k]!]!;
    return [T, structure.row[k]!, structure.col[k]!];
  });
  const derivatives = covarianceDerivatives(lmmMoments(problem, response), relative, residualGram(problem, rss));
  return { problem, theta, sigma, response, gls, derivatives };
}

/** [X e]'H⁻¹[X e] from the factor of X'H⁻¹X; X'H⁻¹e = 0. */
function residualGram({ cross: { p }, work: { C } }: LmmProblem, rss: number): Matrix {
  const out = zeros(p + 1, p + 1);
  for (let j = 0; j < p; j++)
    for (let i = j; i < p; i++) {
      let s = 0;
      for (let k = 0; k <= j; k++) s += C[i + k * p]! * C[j + k * p]!;
      out.data[i + j * (p + 1)] = out.data[j + i * (p + 1)] = s;
    }
  out.data[(p + 1) ** 2 - 1] = rss;
  return out;
}

/** What one process should hold, and what takes a quarter of an hour or so. */
const MOST_BYTES = 2e9;
const MOST_OPERATIONS = 1e12;

/** Refuses a design for which exact degrees of freedom are out of reach, from its numbers of levels alone. */
export function refuseCostly({ cross: { m, first, schur }, factors, structure }: LmmProblem): void {
  const own = factors[0]!.terms.reduce((sum, { term }) => {
    const { size, correlated } = structure.terms[term]!;
    return sum + (correlated ? size * size : size);
  }, 0);
  const bytes = 8 * m * m * (6 + 2 * own);
  const operations = m * m * (3 * m + own * own) + 8 * own * first.index.length * m;
  if (bytes <= MOST_BYTES && operations <= MOST_OPERATIONS) return;
  const others = factors.slice(1).map(({ group, levels, size }) => `${levels * size} of ${group}`);
  throw new StatError(
    "TooCostly",
    `degrees of freedom of this model need the inverse over ${m} random effects (${others.join(", ")})${schur.sparse === undefined ? "" : ", which is full though the model is sparse"}: about ${(bytes / 1e9).toPrecision(2)} GB and ${operations.toExponential(1)} operations.`,
    "Give option `ddf` none (a normal distribution for t); profile and bootstrap intervals need no such inverse.",
  );
}

/** (TT')_{row, col} per entry of θ. */
function relativeCovariances(
  count: number,
  place: (k: number) => readonly [T: Matrix, row: number, col: number],
): Float64Array {
  return Float64Array.from({ length: count }, (_, k) => {
    const [T, row, col] = place(k);
    let s = 0;
    for (let j = 0; j < T.cols; j++) s += T.data[row + j * T.rows]! * T.data[col + j * T.rows]!;
    return s;
  });
}

/** Rows of contrasts of β, as rows of contrasts of Rβ. */
export function coordinates({ problem }: LmmInformation, L: Matrix): Matrix {
  return multiply(L, problem.inverseR);
}

/** β̂ in the columns of problem.X. */
export function estimateOf({ problem, gls, response }: LmmInformation): Float64Array {
  const beta = matVec(problem.inverseR, gls.beta);
  for (let j = 0; j < beta.length; j++) beta[j]! += response.beta0[j]!;
  return beta;
}

/** tr AB for symmetric or any A and B of one order p, leaving out what lies beyond p. */
function traceOf(A: Matrix, B: Matrix, p: number): number {
  let s = 0;
  for (let j = 0; j < p; j++) for (let i = 0; i < p; i++) s += A.data[i + j * A.rows]! * B.data[j + i * B.rows]!;
  return s;
}

/** The leading p × p part. */
export function leading(A: Matrix, p: number): Matrix {
  const out = zeros(p, p);
  for (let j = 0; j < p; j++) out.data.set(A.data.subarray(j * A.rows, j * A.rows + p), j * p);
  return out;
}

/** tr PG_kPG_l in units of σ = 1: twice the expected information of REML. */
export function expectedTraces({ derivatives, gls }: LmmInformation): Matrix {
  const { square, first, second } = derivatives;
  const Phi = gls.inverse;
  const p = Phi.rows;
  const count = first.length;
  const seen = first.map((own) => multiply(Phi, leading(own, p)));
  const out = zeros(count, count);
  for (let k = 0; k < count; k++)
    for (let l = 0; l <= k; l++) {
      const at = k + l * count;
      const value = square.data[at]! - 2 * traceOf(Phi, second[k]![l]!, p) + traceOf(seen[k]!, seen[l]!, p);
      out.data[at] = out.data[l + k * count] = value;
    }
  return out;
}

/** Gradient and Hessian of the deviance or REML criterion in γ. */
export function criterionDerivatives(information: LmmInformation): { gradient: Float64Array; hessian: Matrix } {
  const { derivatives, gls, sigma, problem } = information;
  const { trace, square, first, second } = derivatives;
  const reml = problem.criterion === "REML";
  const Phi = gls.inverse;
  const p = Phi.rows;
  const s2 = sigma * sigma;
  const last = p * (p + 2); // entry (e, e)
  const gradient = Float64Array.from(first, (own, k) => {
    const share = reml ? traceOf(Phi, own, p) : 0;
    return (trace[k]! - share - own.data[last]! / s2) / s2;
  });
  const spread = reml ? expectedTraces(information) : square;
  const count = first.length;
  const hessian = zeros(count, count);
  for (let k = 0; k < count; k++)
    for (let l = 0; l <= k; l++) {
      const quadratic = second[k]![l]!.data[last]! - bilinearWith(Phi, first[k]!, first[l]!);
      const value = (2 * (quadratic / s2) - spread.data[k + l * count]!) / (s2 * s2);
      hessian.data[k + l * count] = hessian.data[l + k * count] = value;
    }
  return { gradient, hessian };
}

/** a'Φb, a and b being the parts (X, e) of two `first` matrices. */
function bilinearWith(Phi: Matrix, A: Matrix, B: Matrix): number {
  const p = Phi.rows;
  const column = p * A.rows;
  let s = 0;
  for (let j = 0; j < p; j++)
    for (let i = 0; i < p; i++) s += A.data[column + i]! * Phi.data[i + j * p]! * B.data[column + j]!;
  return s;
}
