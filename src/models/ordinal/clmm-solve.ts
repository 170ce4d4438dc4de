/** Cumulative link mixed models: the design analysed once, any number of responses solved on it.
 *
 *      P(y <= j | u) = F(τ_j - xβ - offset - z'Λ(θ)u),   u ~ N(0, I);   other structures: ratio-rows.ts
 *  Oracle: ordinal (R): clmm, oracle/r/ordinal.json. */
import type { Design } from "../../formula/design.ts";
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
import { type ClmSolution, clmStart, solveClm } from "./clm-solve.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import { type OrdinalFrame, ordinalFrame, refuseOneCategory, type UsedCategories, usedCategories } from "./ordinal.ts";
import { makeRatioRows } from "./ratio-rows.ts";
import { type RatioStructure, ratioStart } from "./ratios.ts";
import { type ClmRows, type ClmRowsInput, makeClmRows } from "./rows.ts";
import { makeThresholds, type ThresholdKind, type Thresholds } from "./thresholds.ts";

export interface ClmmProblemOptions extends QuadratureOptions {
  readonly link?: CumulativeLink | undefined;
  readonly threshold?: ThresholdKind | undefined;
  /** Default cumulative; adjacent takes the logit link alone. */
  readonly structure?: RatioStructure | "cumulative" | undefined;
}

export interface ClmmProblem extends RandomPart {
  readonly frame: OrdinalFrame;
  readonly link: CumulativeLink;
  readonly threshold: ThresholdKind;
  readonly structure: RatioStructure | "cumulative";
}

/** `levels` name the points of the scale; responses are their codes from 0. */
export function prepareClmm(design: Design, levels: readonly string[], options: ClmmProblemOptions = {}): ClmmProblem {
  const { link = "logit", threshold = "flexible", structure = "cumulative" } = options;
  const frame = ordinalFrame(design, levels);
  return { frame, link, threshold, structure, ...prepareRandom(design, frame.rows, options) };
}

export interface ClmmSolution extends MixedSolution {
  readonly used: UsedCategories;
  readonly thresholds: Thresholds;
  readonly rows: ClmRows;
  /** Without random effects. */
  readonly fixedOnly: ClmSolution;
}

/** `response` holds category codes, one for each row of the design. */
export function solveClmm(
  problem: ClmmProblem,
  response: ArrayLike<number>,
  options: MixedSolveOptions = {},
): ClmmSolution {
  const { frame, system, link } = problem;
  const used = usedCategories(frame, response);
  refuseOneCategory(frame, used);
  const thresholds = makeThresholds(problem.threshold, used.levels);
  const { X, offset, weights } = frame;
  const { rows, first } = rowsOf(problem, used, { thresholds, X, offset, weights });
  const fixedOnly = solveClm(rows, first);
  const { addInformationTo, crossInto } = rows;
  const begin = () => startingPoint(system, fixedOnly.phi, LATENT_SD[link]);
  const solution = solveMixed(problem, { rows, first: begin, addInformationTo, crossInto }, options);
  return { ...solution, used, thresholds, rows, fixedOnly };
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
