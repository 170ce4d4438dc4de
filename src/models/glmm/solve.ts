/** Generalised linear mixed models: the design analysed once, any number of responses solved on it.
 *
 *      g(E(y | u)) = xβ + offset + z'Λ(θ)u,   u ~ N(0, I);   binomial (logit, probit, cloglog) or Poisson (log)
 *  The search starts from the glm without random effects, its coefficients enlarged by what marginal effects shrink, and from
 *  standard deviations of half a latent unit.
 *  Oracle: lme4 (R): glmer, oracle/r/glmm.json. */

import type { Design } from "../../formula/design.ts";
import { type GlmmFamily, type GlmmLink, makeGlmRows } from "../glm/laplace-rows.ts";
import { type GlmProblem, type GlmSolution, prepareGlm, solveGlm } from "../glm/solve.ts";
import { CLOSE, EXACT, type LaplaceState, laplaceLogLik, makeLaplaceState } from "../laplace/laplace.ts";
import { type AgqRule, agqLogLik, makeAgqRule } from "../laplace/quadrature.ts";
import { type LaplaceSolution, solveLaplace } from "../laplace/solve.ts";
import { startingHessian } from "../laplace/start.ts";
import { type LaplaceSystem, makeLaplaceSystem } from "../laplace/system.ts";
import { checkQuadrature, checkStart, LATENT_SD, startingPoint } from "../ordinal/clmm-solve.ts";
import { blocksOfRows, checkRandomPart } from "../random/parts.ts";

export interface GlmmProblemOptions {
  readonly family: GlmmFamily;
  readonly link: GlmmLink;
  /** Points of adaptive Gauss-Hermite quadrature; 1, the default, is the Laplace approximation. */
  readonly nAGQ?: number;
  /** Bytes that the matrices of a step may take; a model that needs more, or very long, is refused. Default: 1 GB. */
  readonly maxMemory?: number | undefined;
}

export interface GlmmProblem {
  readonly design: Design;
  /** The model without random effects: rows, columns, weights, offset. */
  readonly glm: GlmProblem;
  readonly system: LaplaceSystem;
  readonly family: GlmmFamily;
  readonly link: GlmmLink;
  readonly nAGQ: number;
  readonly rule: AgqRule | undefined;
}

/** The design's response is a share or a count; its weights are numbers of trials or frequencies. */
export function prepareGlmm(design: Design, options: GlmmProblemOptions): GlmmProblem {
  const { family, link, nAGQ = 1, maxMemory } = options;
  const glm = prepareGlm(design, family, link);
  const blocks = blocksOfRows(design.random, glm.rows, design.y.length);
  checkRandomPart(blocks);
  const system = makeLaplaceSystem(blocks, glm.rows.length, maxMemory);
  checkQuadrature(system, nAGQ);
  return { design, glm, system, family, link, nAGQ, rule: nAGQ > 1 ? makeAgqRule(nAGQ) : undefined };
}

export interface GlmmSolveOptions {
  /** (θ, β) to begin with. */
  readonly start?: Float64Array;
  /** false leaves standard errors out: enough for likelihood-ratio tests. */
  readonly curvature?: boolean;
  /** Standard errors to about 1e-9 rather than 1e-5, at two more gradients for each parameter. */
  readonly exact?: boolean;
}

export interface GlmmSolution extends LaplaceSolution {
  readonly state: LaplaceState;
  /** Without random effects. */
  readonly fixedOnly: GlmSolution;
}

/** y has one value for each row of the design. */
export function solveGlmm(problem: GlmmProblem, y: Float64Array, options: GlmmSolveOptions = {}): GlmmSolution {
  const { glm, system, link, rule } = problem;
  const fixedOnly = solveGlm(glm, y);
  const own = Float64Array.from(glm.rows, (i) => y[i]!);
  const rows = makeGlmRows({ link, y: own, X: glm.X, offset: glm.offset, weights: glm.weights });
  const state = makeLaplaceState(system, rows);
  state.precision = CLOSE;
  const start =
    options.start === undefined ? firstPoint(problem, fixedOnly) : checkStart(system, options.start, rows.fixedCount);
  const hessian = glmmHessian(state, glm, start);
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
  return { ...solution, state, fixedOnly };
}

function firstPoint({ system, link }: GlmmProblem, { beta }: GlmSolution): Float64Array {
  if (link !== "log") return startingPoint(system, beta, LATENT_SD[link]);
  // with a log link the coefficients do not shrink
  const start = startingPoint(system, beta, 1);
  start.set(beta, system.structure.term.length);
  return start;
}

function glmmHessian(state: LaplaceState, { X }: GlmProblem, start: Float64Array): Float64Array | undefined {
  const { weight } = state.model;
  const n = X.rows;
  const p = X.cols;
  const crossInto = (v: Float64Array, k: number): void => {
    for (let i = 0; i < n; i++) v[i] = weight[i]! * X.data[i + k * n]!;
  };
  const information = (H: Float64Array): void => {
    for (let k = 0; k < p; k++) {
      for (let l = 0; l <= k; l++) {
        let s = 0;
        for (let i = 0; i < n; i++) s += weight[i]! * X.data[i + k * n]! * X.data[i + l * n]!;
        H[k * p + l]! += s;
        if (l < k) H[l * p + k]! += s;
      }
    }
  };
  return startingHessian(state, start, information, crossInto);
}
