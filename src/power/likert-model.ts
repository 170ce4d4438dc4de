/** The mixed models by which ratings of two systems are analysed, on the rows of a planned design.
 *    y ~ x + (1 + x || worker) + (1 + x || item)      x: the system, coded by the caller; without or with correlations
 *  The design is analysed once (prepareLmm); every simulated experiment only brings a new y. */
import { type Column, makeTable, numericColumn } from "../data/table.ts";
import { buildDesign, type Design } from "../formula/design.ts";
import { kenwardRogerDf, prepareKenwardRoger } from "../models/lmm-kenward-roger.ts";
import { fixedCovariance } from "../models/lmm-objective.ts";
import type { LmmProblem } from "../models/lmm-problem.ts";
import { prepareSatterthwaite, satterthwaiteDf } from "../models/lmm-satterthwaite.ts";
import { solveLmm } from "../models/lmm-solve.ts";
import type { RandomStructure } from "../models/random.ts";
import { normalQuantileUpper } from "../numeric/dist/normal.ts";
import { tQuantileUpper } from "../numeric/dist/t.ts";
import { zeros } from "../numeric/linalg/matrix.ts";
import { layOutDesign, type RatingDesign } from "./designs.ts";
import type { Outcome } from "./scenario.ts";
import type { RandomSds } from "./settings.ts";

export const RATING_TESTS = ["satterthwaite", "kenward-roger", "z"] as const;
export type RatingTest = (typeof RATING_TESTS)[number];

export const UNCORRELATED = "y ~ x + (1 + x || worker) + (1 + x || item)";
export const CORRELATED = "y ~ x + (1 + x | worker) + (1 + x | item)";

/** The rows of the design with x = codes[system]; y is 0 until it is drawn. */
export function ratingModel(plan: RatingDesign, formula: string, codes: readonly [number, number]): Design {
  const { item, worker, system } = layOutDesign(plan);
  const factor = (values: Int32Array, count: number): Column => ({
    kind: "factor",
    codes: values,
    levels: Array.from({ length: count }, (_, k) => String(k + 1)),
    ordered: false,
  });
  const table = makeTable([
    ["y", numericColumn(new Float64Array(item.length))],
    ["x", numericColumn(Float64Array.from(system, (s) => codes[s]!))],
    ["worker", factor(worker, plan.workers)],
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
      group === "worker" ? (slope ? sds.workerSlope : sds.workerIntercept) : slope ? sds.itemSlope : sds.itemIntercept;
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
}

/** Fits y and tests the coefficient of x. */
export function testRatings(problem: LmmProblem, y: Float64Array, options: TestOptions): Outcome {
  const { test, alpha, twoSided, unit, sign } = options;
  const solution = solveLmm(problem, y);
  const variance = fixedCovariance(problem, solution.theta).data[3]! * solution.sigma * solution.sigma;
  const b = solution.beta[1]!;
  const t = b / Math.sqrt(variance);
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
  const L = zeros(1, 2);
  L.data[1] = 1;
  if (test === "satterthwaite") {
    const df = satterthwaiteDf(prepareSatterthwaite(problem, solution), L)[0]!;
    return { estimate, significant: beyond(t, tQuantileUpper(tail, df)) };
  }
  const prepared = prepareKenwardRoger(problem, solution);
  const df = kenwardRogerDf(prepared, L)[0]!;
  const adjusted = b / Math.sqrt(prepared.vcov.data[3]!);
  return { estimate, significant: beyond(adjusted, tQuantileUpper(tail, df)) };
}

/** With fewer levels than this the df are always worked out. */
const MANY_LEVELS = 60;
/** Share of the levels of the smaller factor that the df never fall below, by a wide margin: they are those of a weighted sum of mean
 *  squares, each with nearly as many df as there are workers or items. */
const CERTAIN_SHARE = 0.25;

/** df that the test surely has; 0 where that is not clear. Between its critical value and the normal one lies hardly any experiment
 *  of this size, and the exact df of hundreds of levels take longer than the fit. */
function certainDf({ factors }: LmmProblem): number {
  const levels = Math.min(...factors.map((factor) => factor.levels));
  return levels < MANY_LEVELS ? 0 : CERTAIN_SHARE * levels;
}
