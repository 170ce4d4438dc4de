/** Cumulative link mixed models: the design analysed once, any number of responses solved on it.
 *
 *      P(y <= j | u) = F(τ_j - xβ - offset - z'Λ(θ)u),   u ~ N(0, I);   other structures: ratio-rows.ts
 *  The search starts from the model without random effects, its parameters enlarged by what marginal effects shrink
 *  (Zeger, Liang & Albert 1988, Biometrics 44), and from standard deviations of half a latent unit.
 *  Oracle: ordinal (R): clmm, oracle/r/ordinal.json. */
import type { Design } from "../../formula/design.ts";
import { StatError } from "../../result/error.ts";
import { CLOSE, EXACT, type LaplaceState, laplaceLogLik, makeLaplaceState } from "../laplace/laplace.ts";
import { type AgqRule, agqLogLik, makeAgqRule } from "../laplace/quadrature.ts";
import { type LaplaceSolution, solveLaplace } from "../laplace/solve.ts";
import { startingHessian } from "../laplace/start.ts";
import { type LaplaceSystem, makeLaplaceSystem } from "../laplace/system.ts";
import { blocksOfRows, checkRandomPart } from "../random/parts.ts";
import { type ClmSolution, clmStart, solveClm } from "./clm-solve.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import { type OrdinalFrame, ordinalFrame, refuseOneCategory, type UsedCategories, usedCategories } from "./ordinal.ts";
import { makeRatioRows } from "./ratio-rows.ts";
import { type RatioStructure, ratioStart } from "./ratios.ts";
import { type ClmRows, type ClmRowsInput, makeClmRows } from "./rows.ts";
import { makeThresholds, type ThresholdKind, type Thresholds } from "./thresholds.ts";

export interface ClmmProblemOptions {
  readonly link?: CumulativeLink;
  readonly threshold?: ThresholdKind;
  /** Default cumulative; adjacent takes the logit link alone. */
  readonly structure?: RatioStructure | "cumulative";
  /** Points of adaptive Gauss-Hermite quadrature; 1, the default, is the Laplace approximation. */
  readonly nAGQ?: number;
  /** Bytes that the matrices of a step may take; a model that needs more, or very long, is refused. Default: 1 GB. */
  readonly maxMemory?: number | undefined;
}

export interface ClmmProblem {
  readonly frame: OrdinalFrame;
  readonly system: LaplaceSystem;
  readonly link: CumulativeLink;
  readonly threshold: ThresholdKind;
  readonly structure: RatioStructure | "cumulative";
  readonly nAGQ: number;
  readonly rule: AgqRule | undefined;
}

/** `levels` name the points of the scale; responses are their codes from 0. */
export function prepareClmm(design: Design, levels: readonly string[], options: ClmmProblemOptions = {}): ClmmProblem {
  const { link = "logit", threshold = "flexible", structure = "cumulative", nAGQ = 1 } = options;
  const frame = ordinalFrame(design, levels);
  const blocks = blocksOfRows(design.random, frame.rows, design.y.length);
  checkRandomPart(blocks);
  const system = makeLaplaceSystem(blocks, frame.rows.length, options.maxMemory);
  checkQuadrature(system, nAGQ);
  return { frame, system, link, threshold, structure, nAGQ, rule: nAGQ > 1 ? makeAgqRule(nAGQ) : undefined };
}

/** More points than this only cost time. */
const MOST_POINTS = 100;

export function checkQuadrature({ structure }: LaplaceSystem, nAGQ: number): void {
  if (!Number.isInteger(nAGQ) || nAGQ < 1 || nAGQ > MOST_POINTS) {
    const message = `nAGQ is ${nAGQ}, not a whole number from 1 to ${MOST_POINTS}.`;
    throw new StatError("BadOption", message, "Use 1 for the Laplace approximation, or for example 9.");
  }
  if (nAGQ === 1 || (structure.terms.length === 1 && structure.terms[0]!.size === 1)) return;
  throw new StatError(
    "BadOption",
    "adaptive quadrature needs a single random term with one column, such as (1 | item).",
    "Use nAGQ 1, the Laplace approximation.",
  );
}

export interface ClmmSolveOptions {
  /** (θ, φ) to begin with, φ being threshold parameters, then coefficients. */
  readonly start?: Float64Array;
  /** false leaves standard errors out: enough for likelihood-ratio tests. */
  readonly curvature?: boolean;
  /** Standard errors to about 1e-9 rather than 1e-5, at two more gradients for each parameter. */
  readonly exact?: boolean;
}

export interface ClmmSolution extends LaplaceSolution {
  readonly used: UsedCategories;
  readonly thresholds: Thresholds;
  readonly rows: ClmRows;
  readonly state: LaplaceState;
  /** Without random effects. */
  readonly fixedOnly: ClmSolution;
}

/** `response` holds category codes, one for each row of the design. */
export function solveClmm(
  problem: ClmmProblem,
  response: ArrayLike<number>,
  options: ClmmSolveOptions = {},
): ClmmSolution {
  const { frame, system, link, rule } = problem;
  const used = usedCategories(frame, response);
  refuseOneCategory(frame, used);
  const thresholds = makeThresholds(problem.threshold, used.levels);
  const { X, offset, weights } = frame;
  const { rows, first } = rowsOf(problem, used, { thresholds, X, offset, weights });
  const fixedOnly = solveClm(rows, first);
  const state = makeLaplaceState(system, rows);
  state.precision = CLOSE;
  const start =
    options.start === undefined
      ? startingPoint(system, fixedOnly.phi, LATENT_SD[link])
      : checkStart(system, options.start, rows.fixedCount);
  const hessian = clmmHessian(state, start);
  const logLik = (psi: Float64Array, g?: Float64Array): number =>
    rule === undefined ? laplaceLogLik(state, psi, g) : agqLogLik(state, rule, psi, g);
  const { curvature = true, exact = false } = options;
  const sharpen = (): void => {
    state.precision = EXACT;
  };
  const solution = solveLaplace(system.structure, logLik, {
    start,
    curvature,
    exact,
    rows: system.rows,
    modes: state.u,
    sharpen,
    ...(hessian ? { hessian } : {}),
  });
  return { ...solution, used, thresholds, rows, state, fixedOnly };
}

type RowParts = Pick<ClmRowsInput, "thresholds" | "X" | "offset" | "weights">;

/** The rows of the structure, and φ without effects. */
function rowsOf(
  { structure, link }: ClmmProblem,
  { y, levels }: UsedCategories,
  parts: RowParts,
): { readonly rows: ClmRows; readonly first: Float64Array } {
  if (structure === "cumulative") {
    const rows = makeClmRows({ y, link, ...parts });
    return { rows, first: clmStart(y, parts.thresholds, link, rows.fixedCount) };
  }
  const { X, offset, weights } = parts;
  const steps = levels.length - 1;
  const rows = makeRatioRows({ structure, link, y, steps, X, offset, weights });
  const first = new Float64Array(rows.fixedCount);
  first.set(ratioStart(y, steps, { structure, link }));
  return { rows, first };
}

/** A start that a caller gave. */
export function checkStart({ structure }: LaplaceSystem, start: Float64Array, fixedCount: number): Float64Array {
  const wanted = structure.term.length + fixedCount;
  if (start.length === wanted && start.every(Number.isFinite)) return start;
  const message = `the start has ${start.length} numbers for ${structure.term.length} elements of theta and ${fixedCount} fixed parameters.`;
  throw new StatError("WrongLength", message, `Give ${wanted} finite numbers, theta first.`);
}

/** SD of the latent residual, by link. */
export const LATENT_SD: Readonly<Record<CumulativeLink, number>> = { logit: 1.8, probit: 1, cloglog: 1.3 };
/** First standard deviation of every random effect, in latent SDs. */
const FIRST_SD = 0.5;

/** θ, then φ of the model without random effects on the conditional scale. */
export function startingPoint({ structure }: LaplaceSystem, phi: Float64Array, latentSd: number): Float64Array {
  const count = structure.term.length;
  const start = new Float64Array(count + phi.length);
  for (let k = 0; k < count; k++) start[k] = structure.lower[k] === 0 ? FIRST_SD * latentSd : 0;
  const grown = Math.sqrt(1 + structure.terms.length * FIRST_SD * FIRST_SD);
  phi.forEach((value, k) => {
    start[count + k] = grown * value;
  });
  return start;
}

function clmmHessian(state: LaplaceState, start: Float64Array): Float64Array | undefined {
  const rows = state.model as ClmRows;
  return startingHessian(
    state,
    start,
    (H) => rows.addInformationTo(H),
    (v, k) => rows.crossInto(v, k),
  );
}
