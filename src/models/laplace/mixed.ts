/** What mixed models of categories and counts share: the random part analysed once, and the maximum for any response's rows.
 *
 *  The search starts from the model without random effects, its parameters enlarged by what marginal effects shrink
 *  (Zeger, Liang & Albert 1988, Biometrics 44), and from standard deviations of half a latent unit. */
import type { Design } from "../../formula/design.ts";
import { StatError } from "../../result/error.ts";
import { blocksOfRows, checkRandomPart } from "../random/parts.ts";
import type { RowModel } from "../row-model.ts";
import { CLOSE, EXACT, type LaplaceState, laplaceLogLik, makeLaplaceState } from "./laplace.ts";
import { type AgqRule, agqLogLik, makeAgqRule } from "./quadrature.ts";
import { type LaplaceSolution, solveLaplace } from "./solve.ts";
import { startingHessian } from "./start.ts";
import { type LaplaceSystem, makeLaplaceSystem } from "./system.ts";

export interface QuadratureOptions {
  /** Points of adaptive Gauss-Hermite quadrature; 1, the default, is the Laplace approximation. */
  readonly nAGQ?: number | undefined;
  /** Bytes that the matrices of a step may take; a model that needs more, or very long, is refused. Default: 1 GB. */
  readonly maxMemory?: number | undefined;
}

export interface MixedSolveOptions {
  /** (θ, φ) to begin with: of ordinal models φ are threshold parameters, then coefficients; of others coefficients. */
  readonly start?: Float64Array | undefined;
  /** false leaves standard errors out: enough for likelihood-ratio tests. */
  readonly curvature?: boolean | undefined;
  /** Standard errors to about 1e-9 rather than 1e-5, at two more gradients for each parameter. */
  readonly exact?: boolean | undefined;
}

export interface RandomPart {
  readonly system: LaplaceSystem;
  readonly nAGQ: number;
  readonly rule: AgqRule | undefined;
}

export interface MixedSolution extends LaplaceSolution {
  readonly state: LaplaceState;
}

/** `rows` of the design that the model uses. */
export function prepareRandom(
  design: Design,
  rows: Int32Array,
  { nAGQ = 1, maxMemory }: QuadratureOptions,
): RandomPart {
  const blocks = blocksOfRows(design.random, rows, design.y.length);
  checkRandomPart(blocks);
  const system = makeLaplaceSystem(blocks, rows.length, maxMemory);
  checkQuadrature(system, nAGQ);
  return { system, nAGQ, rule: nAGQ > 1 ? makeAgqRule(nAGQ) : undefined };
}

/** More points than this only cost time. */
const MOST_POINTS = 100;

function checkQuadrature({ structure }: LaplaceSystem, nAGQ: number): void {
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

/** The rows of one response, where to begin without a given start, and the information of φ at fixed random effects. */
interface MixedRows {
  readonly rows: RowModel;
  readonly first: () => Float64Array;
  /** H ← H - Hessian of Σℓ in φ (row-major) at the η of the last likelihood. */
  addInformationTo(H: Float64Array): void;
  /** v_i = -∂²ℓ_i/∂η∂φ_k */
  crossInto(v: Float64Array, k: number): void;
}

export function solveMixed({ system, rule }: RandomPart, own: MixedRows, options: MixedSolveOptions): MixedSolution {
  const state = makeLaplaceState(system, own.rows);
  state.precision = CLOSE;
  const { curvature = true, exact = false } = options;
  const start = options.start === undefined ? own.first() : checkStart(system, options.start, own.rows.fixedCount);
  const hessian = startingHessian(state, start, own.addInformationTo, own.crossInto);
  const logLik = (psi: Float64Array, g?: Float64Array): number =>
    rule === undefined ? laplaceLogLik(state, psi, g) : agqLogLik(state, rule, psi, g);
  const sharpen = (): void => {
    state.precision = EXACT;
  };
  const search = { start, curvature, exact, rows: system.rows, modes: state.u, sharpen, hessian };
  return { ...solveLaplace(system.structure, logLik, search), state };
}

function checkStart({ structure }: LaplaceSystem, start: Float64Array, fixedCount: number): Float64Array {
  const wanted = structure.term.length + fixedCount;
  if (start.length === wanted && start.every(Number.isFinite)) return start;
  const message = `the start has ${start.length} numbers for ${structure.term.length} elements of theta and ${fixedCount} fixed parameters.`;
  throw new StatError("WrongLength", message, `Give ${wanted} finite numbers, theta first.`);
}

/** SD of the latent residual, by link. */
export const LATENT_SD = { logit: 1.8, probit: 1, cloglog: 1.3 } as const;
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
