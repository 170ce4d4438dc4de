/** Iteratively reweighted least squares of a generalised linear model.
 *  Each step solves √W X β ≈ √W z with z = η + (y-μ)/μ'(η), W = w μ'(η)²/V(μ); steps that raise the deviance are halved.
 *  Where rows are many and √W X is well conditioned, by cross products (numeric/linalg/gram-factor.ts), for the change of β; else by QR.
 *  Reference: McCullagh & Nelder (1989), Generalized Linear Models, 2.5.
 *  Oracle:    glm (R) iterated to its own rounding, oracle/r/lm.json.
 *  Limits:    at a fixed shape: θ and φ are found around it (shape.ts). */
import type { Design } from "../../formula/design.ts";
import { gramFactor, solveGramInto } from "../../numeric/linalg/gram-factor.ts";
import { type Matrix, matVec, scaleRows, selectColumns, selectRows, tMatVec } from "../../numeric/linalg/matrix.ts";
import { aliasedColumns, type Qr, qr, qrCoefficients, qrInverseGram } from "../../numeric/linalg/qr.ts";
import { inverseOfGram } from "../../numeric/linalg/triangular.ts";
import { StatError } from "../../result/error.ts";
import { FAMILIES, type Family, type FamilyName } from "../family.ts";
import { pickRows, weightedRows } from "../fixed-design.ts";
import { LINKS, type Link, type LinkName } from "../link.ts";

/** R's glm decides on aliasing with this tolerance, tighter than lm's. */
const GLM_TOLERANCE = 1e-11;
/** Changes of the deviance below this share are rounding. */
const DEVIANCE_TOLERANCE = 1e-13;
/** At the deviance's rounding level an estimate may still be off by its square root: the linear predictor must rest too. */
const STEP_TOLERANCE = 1e-11;
/** Steps towards a maximum shrink (Fisher scoring of a non-canonical link by a constant factor); towards infinity they do not. */
const SHRINKING = 0.9;
const MAX_ITERATIONS = 200;
const MAX_HALVINGS = 40;
/** A full step that moves no linear predictor by more than this, and cannot be seen to help, is noise. */
const RESTING = 1e-6;

/** What only the design determines. */
export interface GlmProblem {
  readonly family: Family;
  readonly link: Link;
  /** Rows of the design with a positive weight. */
  readonly rows: Int32Array;
  /** Their kept columns. */
  readonly X: Matrix;
  readonly kept: Int32Array;
  readonly dropped: Int32Array;
  readonly weights: Float64Array;
  readonly offset: Float64Array;
}

export interface GlmSolution {
  readonly beta: Float64Array;
  readonly eta: Float64Array;
  readonly mu: Float64Array;
  readonly complement: Float64Array;
  readonly deviance: number;
  readonly iterations: number;
  readonly converged: boolean;
  /** The last step; long while the deviance stands still when the likelihood has no maximum. */
  readonly step: Float64Array;
  /** IRLS weights at the end. */
  readonly work: Float64Array;
}

export function prepareGlm(design: Design, family: FamilyName, link: LinkName): GlmProblem {
  const n = design.rowsUsed.length;
  const all = design.weights ?? new Float64Array(n).fill(1);
  const rows = weightedRows(n, design.weights);
  const X = rows.length === n ? design.X : selectRows(design.X, rows);
  // well conditioned columns have full rank by any tolerance
  const dropped = gramFactor(X) ? new Int32Array(0) : aliasedColumns(qr(X, { tol: GLM_TOLERANCE }));
  const kept = Int32Array.from(design.names.keys()).filter((j) => !dropped.includes(j));
  return {
    family: FAMILIES[family],
    link: LINKS[link],
    rows,
    X: dropped.length === 0 ? X : selectColumns(X, kept),
    kept,
    dropped,
    weights: pickRows(all, rows),
    offset: design.offset ? pickRows(design.offset, rows) : new Float64Array(rows.length),
  };
}

/** y has one value for each row of the design; `start` is a coefficient vector to begin from. */
export function solveGlm(problem: GlmProblem, response: Float64Array, start?: Float64Array): GlmSolution {
  refuseUnknownShape(problem.family);
  const y = pickRows(response, problem.rows);
  let state = start ? evaluateGlm(problem, y, start) : startingState(problem, y);
  let step = new Float64Array(problem.kept.length);
  let moved = Number.POSITIVE_INFINITY;
  let converged = false;
  let iterations = 0;
  while (iterations < MAX_ITERATIONS && !converged) {
    iterations += 1;
    const next = improve(problem, y, state);
    if (next === undefined) break;
    const last = moved;
    step = next.beta.map((b, j) => b - (state.beta[j] ?? 0));
    moved = largestChange(next.eta, state.eta);
    const settled = Math.abs(next.deviance - state.deviance) <= DEVIANCE_TOLERANCE * (Math.abs(next.deviance) + 0.1);
    converged = settled && (moved <= STEP_TOLERANCE || moved > SHRINKING * last);
    state = next;
  }
  return { ...state, iterations, converged, step, work: workingWeights(problem, state) };
}

function refuseUnknownShape({ name, shape }: Family): void {
  if (shape === undefined || !Number.isNaN(shape.value)) return;
  const message = `the ${name} family has a parameter ${shape.name} that is unknown.`;
  throw new StatError("UnknownShape", message, "Solve with solveShaped, which estimates it.");
}

/** Relative to the size of the linear predictor where that exceeds 1. */
function largestChange(a: Float64Array, b: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++)
    largest = Math.max(largest, Math.abs(a[i]! - b[i]!) / Math.max(1, Math.abs(a[i]!)));
  return largest;
}

interface State {
  readonly beta: Float64Array;
  readonly eta: Float64Array;
  readonly mu: Float64Array;
  readonly complement: Float64Array;
  readonly deviance: number;
}

/** Means near the responses; no coefficients yet. */
function startingState({ family, link, weights }: GlmProblem, y: Float64Array): State {
  const mu = y.map((v, i) => family.start(v, weights[i]!));
  // a log link cannot start from a mean of 0 or less
  const eta = mu.map((m) => (link.name === "log" ? Math.log(Math.max(m, 0.1)) : link.eta(m)));
  return {
    beta: new Float64Array(0),
    eta,
    mu: eta.map((e) => link.mu(e)),
    complement: eta.map((e) => link.complement(e)),
    deviance: Number.POSITIVE_INFINITY,
  };
}

export function evaluateGlm(problem: GlmProblem, y: Float64Array, beta: Float64Array): State {
  const { family, link, X, weights, offset } = problem;
  const eta = matVec(X, beta);
  const mu = new Float64Array(eta.length);
  const complement = new Float64Array(eta.length);
  let deviance = 0;
  for (let i = 0; i < eta.length; i++) {
    eta[i]! += offset[i]!;
    mu[i] = link.mu(eta[i]!);
    complement[i] = link.complement(eta[i]!);
    deviance += weights[i]! * family.unitDeviance(y[i]!, mu[i]!, complement[i]!);
  }
  // a perfect fit may sum to a few ulps below 0
  return { beta, eta, mu, complement, deviance: Math.max(0, deviance) };
}

/** One IRLS step, halved until the deviance does not rise; undefined if no step helps. */
function improve(problem: GlmProblem, y: Float64Array, state: State): State | undefined {
  const full = fullStep(problem, y, state);
  if (full.some((b) => !Number.isFinite(b))) return undefined;
  let next = evaluateGlm(problem, y, full);
  if (state.beta.length === 0) return Number.isFinite(next.deviance) ? next : undefined;
  const slack = DEVIANCE_TOLERANCE * (Math.abs(state.deviance) + 0.1);
  for (let halvings = 0; !(next.deviance <= state.deviance + slack); halvings++) {
    if (halvings === MAX_HALVINGS) {
      // at rounding level no step can be seen to help: the one before it was the last
      return largestChange(evaluateGlm(problem, y, full).eta, state.eta) < RESTING ? state : undefined;
    }
    const mid = next.beta.map((b, j) => (b + state.beta[j]!) / 2);
    next = evaluateGlm(problem, y, mid);
  }
  return next;
}

/** Coefficients after a whole step. */
function fullStep(problem: GlmProblem, y: Float64Array, state: State): Float64Array {
  const { family, link, X, offset } = problem;
  const { eta, mu, complement } = state;
  const work = workingWeights(problem, state);
  const R = gramFactor(X, work);
  const isFirst = state.beta.length === 0;
  const z = new Float64Array(y.length);
  for (let i = 0; i < y.length; i++) {
    const change = family.residual(y[i]!, mu[i]!, complement[i]!) / link.slope(eta[i]!);
    z[i] = R !== undefined && !isFirst ? change : eta[i]! - offset[i]! + change;
  }
  if (R === undefined) return stepByQr(X, work, z);
  for (let i = 0; i < y.length; i++) z[i] = work[i] === 0 ? 0 : work[i]! * z[i]!;
  const beta = tMatVec(X, z);
  solveGramInto(beta, R);
  if (!isFirst) for (let j = 0; j < beta.length; j++) beta[j]! += state.beta[j]!;
  return beta;
}

function stepByQr(X: Matrix, work: Float64Array, z: Float64Array): Float64Array {
  const root = work.map(Math.sqrt);
  for (let i = 0; i < z.length; i++) z[i] = root[i] === 0 ? 0 : root[i]! * z[i]!;
  return qrCoefficients(qr(scaleRows(X, root), { pivoting: "none" }), z);
}

/** w μ'(η)²/V(μ) */
function workingWeights({ family, link, weights }: GlmProblem, { eta, mu, complement }: State): Float64Array {
  const work = new Float64Array(eta.length);
  for (let i = 0; i < work.length; i++) {
    const slope = link.slope(eta[i]!);
    work[i] = (weights[i]! * slope * slope) / family.variance(mu[i]!, complement[i]!);
  }
  return work;
}

/** (X'WX)⁻¹ at the solution. */
export function inverseInformation(problem: GlmProblem, solution: { readonly work: Float64Array }): Matrix {
  const R = gramFactor(problem.X, solution.work);
  return R === undefined ? qrInverseGram(informationFactor(problem, solution)) : inverseOfGram(R);
}

/** QR decomposition of √W X at the solution: the leverages come from it. */
export function informationFactor({ X }: GlmProblem, { work }: { readonly work: Float64Array }): Qr {
  return qr(scaleRows(X, work.map(Math.sqrt)), { pivoting: "none" });
}
