/** Power of a plan with raters: studies are drawn on lists as the plan makes them, and each goes through `compare` with the plan's options.
 *    likert    y = I + W + (½ of the effect, raters' and items' half differences) x + e, x = -1, +1        as `power likert`
 *    ordinal   cuts of a latent scale, systems coded 0, 1                                                    as `power ordinal`
 *    several systems   each has its own deviation for every rater and item, so large that two of them differ as two systems do; the last system
 *              differs from all others by the smallest effect, and the verdict of its pair with the first counts
 *  Sizes near the plan's: the scenarios' closed form at the level of one pair (α/m; that of max-T or of Tukey for systems that count as independent), fitted to the simulated power.
 *  Reference: Card et al. (2020), EMNLP, section 5; Howcroft & Rieser (2021), EMNLP, section 4; Barr et al. (2013), J. Mem. Lang. 68.
 *  Oracle:    the scenarios' own simulations for two systems; binomial error of 300 studies (study.test.ts, calibration).
 *  Limits:    normal effects; no missing ratings; no clusters of items. */
import { factorColumn, makeTable, numericColumn, type Table } from "../data/table.ts";
import { tSf } from "../numeric/dist/t.ts";
import { findRoot } from "../numeric/optim/brent.ts";
import type { Rng } from "../numeric/rng.ts";
import type { RandomSds } from "../power/published-settings.ts";
import type { ScenarioParameters } from "../power/scenario.ts";
import { approximateFigures, differenceVariance, type SlopeSds } from "../power/scenarios/approx.ts";
import { likertSds } from "../power/scenarios/likert.ts";
import { ordinalSds, ordinalSlopes, scaleOf } from "../power/scenarios/ordinal.ts";
import { drawThresholds, type RatingScale } from "../power/scenarios/ordinal-scale.ts";
import { StatError } from "../result/error.ts";
import { compare } from "../significance/compare/compare.ts";
import { independentSystems, jointTests } from "../significance/joint-tests.ts";
import { criticalValue } from "../significance/multiplicity.ts";
import { listRatings, type RatingTask } from "./lists.ts";
import { adjustmentOf, type EvaluationPlan, type ExpectedSpread, pairsIn, pairsOf, planOptions } from "./plan.ts";

export type PlannedScenario = "likert" | "ordinal";

/** Ratings with thresholds, or of a paper that has them. */
export const scenarioOf = ({ expected: { thresholds, setting } }: EvaluationPlan): PlannedScenario =>
  thresholds !== undefined || setting?.startsWith("howcroft") ? "ordinal" : "likert";

const SDS = ["raterIntercept", "raterSlope", "itemIntercept", "itemSlope"] as const;

/** What the plan does not say and its scenario cannot do without. */
export function missingSpread(plan: EvaluationPlan): string[] {
  const { expected } = plan;
  if (expected.setting !== undefined) return [];
  const needed = scenarioOf(plan) === "likert" ? [...SDS, "residual" as const] : SDS;
  return needed.filter((name) => expected[name] === undefined).map(kebab);
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function parametersOf({ expected }: EvaluationPlan, own: ExpectedSpread = {}): ScenarioParameters {
  const { setting, thresholds, raterIntercept, raterSlope, itemIntercept, itemSlope, residual } = {
    ...expected,
    ...own,
  };
  return {
    ...{ setting, raterIntercept, raterSlope, itemIntercept, itemSlope, residual },
    thresholds: thresholds?.join(","),
  };
}

interface Truth {
  readonly sds: RandomSds;
  /** NaN of an ordinal one, whose ratings have a latent error of 1. */
  readonly residual: number;
  readonly scale: RatingScale | undefined;
  readonly effect: number;
}

function truthOf(plan: EvaluationPlan, own: ExpectedSpread | undefined): Truth {
  const params = parametersOf(plan, own);
  const effect = (plan.higherIsBetter === false ? -1 : 1) * plan.smallestEffect;
  if (scenarioOf(plan) === "ordinal")
    return { sds: ordinalSds(params), residual: Number.NaN, scale: scaleOf(params), effect };
  const { residual, ...sds } = likertSds(params);
  return { sds, residual, scale: undefined, effect };
}

/** Ratings of the lists, attention checks left out, under the names of the plan. */
export function drawStudy(
  plan: EvaluationPlan,
  tasks: readonly RatingTask[],
  { spread, rng }: { readonly spread?: ExpectedSpread | undefined; readonly rng: Rng },
): Table {
  const texts = tasks.filter(({ item }) => item !== "");
  const y = drawRatings(plan, texts, truthOf(plan, spread), rng);
  return makeTable([
    ["item", factorColumn(texts.map(({ item }) => item))],
    ["system", factorColumn(texts.map(({ system }) => system))],
    [plan.rater ?? "rater", factorColumn(texts.map(({ rater }) => rater))],
    [plan.metric, numericColumn(y)],
  ]);
}

function drawRatings(
  { systems }: EvaluationPlan,
  texts: readonly RatingTask[],
  { sds, residual, scale, effect }: Truth,
  rng: Rng,
): Float64Array {
  const k = systems.length;
  const thresholds = scale === undefined ? undefined : drawThresholds(scale, rng);
  // how far two systems differ for one rater or item: likert counts halves of it
  const whole = thresholds === undefined ? 2 : 1;
  const deviations = (level: number, slope: number) => {
    const known = new Map<string, Float64Array>();
    return (name: string): Float64Array => {
      const found = known.get(name);
      if (found !== undefined) return found;
      const own = new Float64Array(k);
      const base = level * rng.normal();
      if (k === 2) {
        const d = whole * slope * rng.normal();
        // latent: the new system's own; likert: half to either side
        own.set(thresholds === undefined ? [base - d / 2, base + d / 2] : [base, base + d]);
      } else for (let s = 0; s < k; s++) own[s] = base + (whole / Math.SQRT2) * slope * rng.normal();
      known.set(name, own);
      return own;
    };
  };
  const ofRater = deviations(sds.raterIntercept, sds.raterSlope);
  const ofItem = deviations(sds.itemIntercept, sds.itemSlope);
  const last = k - 1;
  const middle = thresholds === undefined ? MIDDLE : 0;
  return Float64Array.from(texts, ({ rater, item, system }) => {
    const s = systems.indexOf(system);
    const eta = middle + ofRater(rater)[s]! + ofItem(item)[s]! + (s === last ? effect : 0);
    if (thresholds === undefined) return eta + residual * rng.normal();
    const latent = eta + rng.normal();
    return 1 + thresholds.filter((cut) => latent > cut).length;
  });
}

/** Of the scale; no test depends on it. */
const MIDDLE = 0.5;

export interface SimulatedStudies {
  readonly power: number;
  readonly se: number;
  readonly studies: number;
  /** Without any verdict, as where a model does not converge: counted as not found. */
  readonly failed: number;
}

export interface StudyOptions {
  readonly studies: number;
  readonly rng: Rng;
  readonly spread?: ExpectedSpread | undefined;
  readonly onStudy?: ((done: number) => void) | undefined;
}

/** Each study has lists of its own, drawn with rng.stream(k). */
export function simulateStudies(
  plan: EvaluationPlan,
  { studies, rng, spread, onStudy }: StudyOptions,
): SimulatedStudies {
  let [found, failed] = [0, 0];
  const items = Array.from({ length: plan.items }, (_, i) => `item-${i + 1}`);
  for (let k = 0; k < studies; k++) {
    const own = rng.stream(k);
    const { tasks } = listRatings(plan, items, own);
    const verdict = verdictOf(plan, drawStudy(plan, tasks, { spread, rng: own }));
    if (verdict === undefined) failed++;
    else if (verdict === "BETTER" || verdict === "HIGHER") found++;
    onStudy?.(k + 1);
  }
  const power = found / studies;
  return { power, se: Math.sqrt((power * (1 - power)) / studies), studies, failed };
}

/** Of the last system against the first; undefined where there is none. */
export function verdictOf(plan: EvaluationPlan, table: Table): string | undefined {
  try {
    const { pairs } = compare(table, { ...planOptions(plan), details: false });
    return pairs.find(({ a, b }) => a === plan.systems[0] && b === plan.systems.at(-1))?.verdict;
  } catch (error) {
    if (error instanceof StatError) return undefined;
    throw error;
  }
}

/** A closed form that follows the simulation: the scenarios' approximation at the level of one pair, with the effect times the factor at which
 *  it has the simulated power of this plan. Sizes and effects near the plan's are found with it. */
export function followingStudies(
  plan: EvaluationPlan,
  simulated: SimulatedStudies,
): (effect: number, size: { readonly items: number; readonly raters: number }) => number {
  const own = { items: plan.items, raters: plan.ratings!.raters };
  const least = 0.5 / simulated.studies;
  const wanted = Math.max(least, Math.min(1 - least, simulated.power));
  const { smallestEffect } = plan;
  const gap = (factor: number): number => approximate(plan, factor * smallestEffect, own) - wanted;
  const factor =
    gap(FARTHEST) < 0 ? FARTHEST : gap(1 / FARTHEST) > 0 ? 1 / FARTHEST : findRoot(gap, 1 / FARTHEST, FARTHEST).root;
  return (effect, size) => approximate(plan, factor * effect, size);
}

/** The approximation is off by a few per cent of the effect, by a third where ordinal ratings are many. */
const FARTHEST = 4;

function approximate(
  plan: EvaluationPlan,
  effect: number,
  { items, raters }: { readonly items: number; readonly raters: number },
): number {
  const { design, perItem } = plan.ratings!;
  const params = parametersOf(plan);
  const slopes: SlopeSds = scenarioOf(plan) === "ordinal" ? ordinalSlopes(params, effect) : likertSds(params);
  const variance = differenceVariance(
    { kind: design, items, raters, ratings: design === "crossed" ? raters : perItem },
    slopes,
  );
  return approximateFigures(effect, variance, { alpha: levelOfPair(plan, variance.df), twoSided: true }).power;
}

/** The level at which one pair is tested where the others show nothing. */
export function levelOfPair(plan: EvaluationPlan, df: number): number {
  const tests = pairsOf(plan);
  const method = adjustmentOf(plan);
  if (tests <= 1 || method === "none") return plan.alpha;
  if (method === "max-t")
    return jointTests(independentSystems(plan.systems.length), pairsIn(plan)).levelFor(plan.alpha);
  if (method !== "tukey") return plan.alpha / tests;
  const critical = criticalValue({ method, tests, means: plan.systems.length }, df, 1 - plan.alpha);
  return 2 * tSf(critical, df);
}
