/** Generalised linear mixed models: the design analysed once, any number of responses solved on it.
 *
 *      g(E(y | u)) = xβ + offset + z'Λ(θ)u,   u ~ N(0, I);   binomial (logit, probit, cloglog) or Poisson (log)
 *  Oracle: lme4 (R): glmer, oracle/r/glmm.json. */

import type { Design } from "../../formula/design.ts";
import { type GlmmFamily, type GlmmLink, makeGlmRows } from "../glm/laplace-rows.ts";
import { type GlmProblem, type GlmSolution, prepareGlm, solveGlm } from "../glm/solve.ts";
import {
  LATENT_SD,
  type MixedSolution,
  type MixedSolveOptions,
  prepareRandom,
  type QuadratureOptions,
  type RandomPart,
  solveMixed,
  startingPoint,
} from "../laplace/mixed.ts";

export interface GlmmProblemOptions extends QuadratureOptions {
  readonly family: GlmmFamily;
  readonly link: GlmmLink;
}

export interface GlmmProblem extends RandomPart {
  readonly design: Design;
  /** The model without random effects: rows, columns, weights, offset. */
  readonly glm: GlmProblem;
  readonly family: GlmmFamily;
  readonly link: GlmmLink;
}

/** The design's response is a share or a count; its weights are numbers of trials or frequencies. */
export function prepareGlmm(design: Design, options: GlmmProblemOptions): GlmmProblem {
  const { family, link } = options;
  const glm = prepareGlm(design, family, link);
  return { design, glm, family, link, ...prepareRandom(design, glm.rows, options) };
}

export interface GlmmSolution extends MixedSolution {
  /** Without random effects. */
  readonly fixedOnly: GlmSolution;
}

/** y has one value for each row of the design. */
export function solveGlmm(problem: GlmmProblem, y: Float64Array, options: MixedSolveOptions = {}): GlmmSolution {
  const { glm, link } = problem;
  const fixedOnly = solveGlm(glm, y);
  const own = Float64Array.from(glm.rows, (i) => y[i]!);
  const rows = makeGlmRows({ link, y: own, X: glm.X, offset: glm.offset, weights: glm.weights });
  const first = () => firstPoint(problem, fixedOnly);
  const solution = solveMixed(problem, { rows, first, ...informationOf(rows.weight, glm) }, options);
  return { ...solution, fixedOnly };
}

function firstPoint({ system, link }: GlmmProblem, { beta }: GlmSolution): Float64Array {
  if (link !== "log") return startingPoint(system, beta, LATENT_SD[link]);
  // with a log link the coefficients do not shrink
  const start = startingPoint(system, beta, 1);
  start.set(beta, system.structure.term.length);
  return start;
}

function informationOf(weight: Float64Array, { X }: GlmProblem) {
  const n = X.rows;
  const p = X.cols;
  return {
    crossInto(v: Float64Array, k: number): void {
      for (let i = 0; i < n; i++) v[i] = weight[i]! * X.data[i + k * n]!;
    },
    addInformationTo(H: Float64Array): void {
      for (let k = 0; k < p; k++) {
        for (let l = 0; l <= k; l++) {
          let s = 0;
          for (let i = 0; i < n; i++) s += weight[i]! * X.data[i + k * n]! * X.data[i + l * n]!;
          H[k * p + l]! += s;
          if (l < k) H[l * p + k]! += s;
        }
      }
    },
  };
}
