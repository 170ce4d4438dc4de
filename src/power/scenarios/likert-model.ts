/** The mixed models by which ratings of two systems are analysed, on the rows of a planned design.
 *    y ~ x + (1 + x || rater) + (1 + x || item)      x: the system, coded by the caller; without or with correlations
 *  The design is analysed once (prepareLmm); every simulated experiment only brings a new y. */

import { type Column, makeTable, numericColumn } from "../../data/table.ts";
import { buildDesign, type Design } from "../../formula/design.ts";
import { measureCurvature, polishSolution } from "../../models/lmm/curvature.ts";
import { foldedCovariance, type LmmFold } from "../../models/lmm/fold.ts";
import { kenwardRogerDf, prepareKenwardRoger } from "../../models/lmm/kenward-roger.ts";
import { fixedCovariance } from "../../models/lmm/objective.ts";
import type { LmmProblem } from "../../models/lmm/problem.ts";
import { prepareSatterthwaite, satterthwaiteDf } from "../../models/lmm/satterthwaite.ts";
import { type LmmSolution, solveLmm } from "../../models/lmm/solve.ts";
import type { RandomStructure } from "../../models/random/random.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { zeros } from "../../numeric/linalg/matrix.ts";
import { leastOf } from "../../result/extremes.ts";
import { layOutDesign, type RatingDesign } from "../designs/designs.ts";
import type { RandomSds } from "../published-settings.ts";
import type { Outcome } from "../scenario.ts";
import type { RatingTest } from "../specs.ts";

export const UNCORRELATED = "y ~ x + (1 + x || rater) + (1 + x || item)";
export const CORRELATED = "y ~ x + (1 + x | rater) + (1 + x | item)";

/** The rows of the design with x = codes[system]; y is 0 until it is drawn. */
export function ratingModel(plan: RatingDesign, formula: string, codes: readonly [number, number]): Design {
  const { item, rater, system } = layOutDesign(plan);
  const factor = (values: Int32Array, count: number): Column => ({
    kind: "factor",
    codes: values,
    levels: Array.from({ length: count }, (_, k) => String(k + 1)),
    ordered: false,
  });
  const table = makeTable([
    ["y", numericColumn(new Float64Array(item.length))],
    ["x", numericColumn(Float64Array.from(system, (s) => codes[s]!))],
    ["rater", factor(rater, plan.raters)],
    ["item", factor(item, plan.items)],
  ]);
  return buildDesign(formula, table);
}

/** θ of the true standard deviations, without correlations, in units of `scale`. */
export function trueTheta(structure: RandomStructure, sds: RandomSds, scale: number): Float64Array {
  return Float64Array.from(structure.term, (t, k) => {
    const { group, names } = structure.terms[t]!;
    if (structure.row[k] !== structure.col[k]) return 0;
    const slope = names[structure.row[k]!] === "x";
    const sd =
      group === "rater" ? (slope ? sds.raterSlope : sds.raterIntercept) : slope ? sds.itemSlope : sds.itemIntercept;
    return sd / scale;
  });
}

export interface TestOptions {
  readonly test: RatingTest;
  readonly alpha: number;
  readonly twoSided: boolean;
  /** The estimate's unit: differences between the systems per unit of the coefficient of x. */
  readonly unit: number;
  /** Sign of the true effect. */
  readonly sign: number;
  /** Of the problem, where raters' panels are copies of each other. */
  readonly fold?: LmmFold | undefined;
}

/** The coefficient of x and its standard error, as the search left them: good for a look. */
export interface RatingFit {
  readonly b: number;
  readonly se: number;
  /** To the last digit, as fitLmm gives them, with the df of their ratio; worked out on demand, as this can cost more than the fit. */
  inference(): { readonly b: number; readonly se: number; readonly df: number };
}

export function fitRatings(problem: LmmProblem, y: Float64Array, test: RatingTest, fold?: LmmFold): RatingFit {
  const found = solveLmm(problem, y, { fold });
  const inference = () => {
    // one Newton step: the df of a variance near 0 hang on digits of θ at which the search stops
    const solution = polishSolution(problem, found, measureCurvature(problem, found));
    const own = coefficientOf(problem, solution);
    if (test === "z") return { ...own, df: Number.POSITIVE_INFINITY };
    const L = zeros(1, 2);
    L.data[1] = 1;
    if (test === "satterthwaite")
      return { ...own, df: satterthwaiteDf(prepareSatterthwaite(problem, solution), L)[0]! };
    const prepared = prepareKenwardRoger(problem, solution);
    return { b: own.b, se: Math.sqrt(prepared.vcov.data[3]!), df: kenwardRogerDf(prepared, L)[0]! };
  };
  return { ...coefficientOf(problem, found, fold), inference };
}

const coefficientOf = (problem: LmmProblem, { theta, sigma, beta }: LmmSolution, fold?: LmmFold) => ({
  b: beta[1]!,
  se: sigma * Math.sqrt((fold ? foldedCovariance(fold, theta) : fixedCovariance(problem, theta)).data[3]!),
});

/** Fits y and tests the coefficient of x. */
export function testRatings(problem: LmmProblem, y: Float64Array, options: TestOptions): Outcome {
  const { test, alpha, twoSided, unit, sign, fold } = options;
  const { b, se, inference } = fitRatings(problem, y, test, fold);
  const t = b / se;
  const estimate = unit * b;
  if (!Number.isFinite(t)) return { estimate, significant: false, failed: true };
  const beyond = (statistic: number, critical: number): boolean =>
    twoSided ? Math.abs(statistic) >= critical : sign * statistic >= critical;
  const tail = twoSided ? alpha / 2 : alpha;
  // no t distribution has a smaller critical value than the normal one
  if (!beyond(t, normalQuantileUpper(tail))) return { estimate, significant: false };
  if (test === "z") return { estimate, significant: true };
  const sure = certainDf(problem);
  if (sure > 0 && beyond(t, tQuantileUpper(tail, sure))) return { estimate, significant: true };
  const polished = inference();
  return { estimate, significant: beyond(polished.b / polished.se, tQuantileUpper(tail, polished.df)) };
}

/** With fewer levels than this the df are always worked out. */
const MANY_LEVELS = 60;
/** Share of the levels of the smaller factor that the df never fall below, by a wide margin: they are those of a weighted sum of mean
 *  squares, each with nearly as many df as there are raters or items. */
const CERTAIN_SHARE = 0.25;

/** df that the test surely has; 0 where that is not clear. Between its critical value and the normal one lies hardly any experiment
 *  of this size, and the exact df of hundreds of levels take longer than the fit. */
function certainDf({ factors }: LmmProblem): number {
  const levels = leastOf(factors.map((factor) => factor.levels));
  return levels < MANY_LEVELS ? 0 : CERTAIN_SHARE * levels;
}
