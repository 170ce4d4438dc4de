/** Ratings of two systems by several raters, analysed by a linear mixed model (Card et al. 2020, section 5 and App. H.3).
 *
 *      y = β0 + W0 + I0 + (β1 + W1 + I1) x + e,   x = -1 (baseline) or +1 (new system)        W, I, e normal, independent
 *  β1 is half the difference between the systems: the `effect` here is the difference, 2β1, and `beta` is β1.
 *    simulation   draw y, fit by REML (z: ML, as the paper), test β1 by Satterthwaite's or Kenward & Roger's t, or against the normal
 *    approx       closed-form variance, df as the test would estimate them (approx.ts)
 *  Reference: Card et al. (2020), EMNLP, eq. 5-10, Tables 12-16, Fig. 6; Barr et al. (2013), J. Mem. Lang. 68.
 *  Oracle:    the published Fig. 6 (48 cells); Var β̂ at the true variances; lme4 (R) on the same data (models/lmm/lmm.ts).
 *  Limits:    ratings are taken as normal and equally spaced; see ordinal.ts for a scale of few points. */

import { foldLmm, type LmmFold } from "../../models/lmm/fold.ts";
import { type LmmProblem, prepareLmm } from "../../models/lmm/problem.ts";
import { simulateInto } from "../../models/lmm/simulate.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Diagnostic } from "../../result/result.ts";
import { describeDesign, type RatingDesign, requireEstimable } from "../designs/designs.ts";
import { LIKERT_SETTINGS, type LikertSetting, settledSd } from "../published-settings.ts";
import {
  checkAlpha,
  checkParameters,
  NO_EFFECT,
  requireEffect,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
} from "../scenario.ts";
import { LIKERT, type RatingTest } from "../specs.ts";
import { approximateFigures, differenceVariance } from "./approx.ts";
import { ratingModel, testRatings, trueTheta, UNCORRELATED } from "./likert-model.ts";
import { designOf, ratingBounds, spreadOf, statedDesign } from "./rating-parameters.ts";

export const likertFamily: ScenarioFamily = {
  ...LIKERT,
  make: (params) => makeLikertScenario(checkParameters(likertFamily, params)),
  withoutEffect: (params) => ({ ...params, beta: undefined, effect: NO_EFFECT }),
  // the ratings of a setting lie between 0 and 1; of others the scale is not known
  effectRange: (params) => ({
    from: 0,
    to: params["setting"] === undefined ? 20 * biggest(likertSds(params)) : SETTING_SCALE,
  }),
  sizeBounds: (params, size) =>
    ratingBounds(params, size, { family: "likert", fewestItems: FEWEST_ITEMS, residual: true }),
  replicates: 2000,
};

/** Fewer items leave nothing to estimate the random effects from. */
const FEWEST_ITEMS = 10;
/** Length of the scale on which the papers' standard deviations stand. */
const SETTING_SCALE = 1;

const biggest = (sds: LikertSetting): number => mostOf(Object.values(sds));

export function likertSds(params: ScenarioParameters): LikertSetting {
  const setting = LIKERT_SETTINGS[params["setting"] as string];
  const residual = settledSd(params["residual"] as number | undefined, setting?.residual, "residual");
  if (residual > 0) return { ...spreadOf(params, setting), residual };
  throw new StatError(
    "NegativeVariance",
    "residual = 0: ratings without any noise.",
    "give a standard deviation above 0.",
  );
}

function differenceOf(params: ScenarioParameters): number {
  const effect = params["effect"] as number | undefined;
  const beta = params["beta"] as number | undefined;
  if (effect !== undefined && beta !== undefined && effect !== 2 * beta) {
    throw new StatError(
      "Contradiction",
      `effect = ${effect} and beta = ${beta}: beta is half the difference.`,
      `give one of them; an effect of ${effect} is a beta of ${effect / 2}.`,
    );
  }
  if (effect === undefined && beta === undefined) {
    throw new StatError(
      "MissingParameter",
      "likert needs effect.",
      "Give `effect`, the difference between the systems, or `beta`, half of it.",
    );
  }
  return effect ?? 2 * beta!;
}

function requireOnScale(effect: number, setting: string | undefined): void {
  if (setting === undefined || Math.abs(effect) <= SETTING_SCALE) return;
  throw new StatError(
    "Impossible",
    `effect = ${effect}: the ratings of the setting ${setting} lie between 0 and ${SETTING_SCALE}.`,
    `give an effect between -${SETTING_SCALE} and ${SETTING_SCALE}, or the standard deviations of your own scale.`,
  );
}

function makeLikertScenario(params: ScenarioParameters): Scenario {
  const design = designOf(params, "likert");
  requireEstimable(design);
  const sds = likertSds(params);
  const effect = differenceOf(params);
  const alpha = params["alpha"] as number;
  const test = params["test"] as RatingTest;
  const twoSided = params["oneSided"] !== true;
  requireEffect(effect, "effect");
  requireOnScale(effect, params["setting"] as string | undefined);
  checkAlpha(alpha);
  return {
    name: "likert",
    title: likertFamily.title,
    effect,
    alpha,
    parameters: [
      ...statedDesign(design),
      { name: "effect", value: effect, meaning: "true difference between the systems, new minus baseline" },
      {
        name: "beta",
        value: effect / 2,
        meaning: "half of it: the coefficient when systems are coded -1 and +1 (Card et al.)",
      },
      {
        name: "raterIntercept",
        value: sds.raterIntercept,
        meaning: "SD of the raters' levels: no matter here, both systems share them",
      },
      {
        name: "raterSlope",
        value: sds.raterSlope,
        meaning: "SD of the raters' half differences: only more raters help",
      },
      { name: "itemIntercept", value: sds.itemIntercept, meaning: "SD of the items' levels: no matter here" },
      { name: "itemSlope", value: sds.itemSlope, meaning: "SD of the items' half differences: only more items help" },
      { name: "residual", value: sds.residual, meaning: "SD of a rating, all else being equal: more ratings help" },
      { name: "test", value: test, meaning: twoSided ? "two-sided" : "one-sided" },
    ],
    assumptions: [
      `Design: ${describeDesign(design)}.`,
      "Raters and items are drawn from larger populations, and their effects and the ratings are normal.",
      "The effect is the difference between the systems; Card et al. (2020, Fig. 6) plot half of it, beta.",
    ],
    diagnostics: [...checkSize(design, sds, test), ...checkCeiling(design, sds, effect)],
    analyses: [`lmm/${test}`],
    approximatePower: () =>
      approximateFigures(effect, differenceVariance(design, sds), { alpha, twoSided, z: test === "z" }),
    simulate: simulateLikert(design, sds, { effect, alpha, test, twoSided }),
  };
}

/** df below which testing against the normal distribution rejects far too often: 5 % become 7 % at 12. */
const FEW_DF = 12;

function checkSize(design: RatingDesign, sds: LikertSetting, test: RatingTest): Diagnostic[] {
  const { df } = differenceVariance(design, sds);
  if (test !== "z" || df >= FEW_DF) return [];
  return [
    warning(
      "BadlySizedTest",
      `a t beyond 1.96 is no 5 % test with ${design.raters} raters (about ${formatNumber(df, "statistic")} df): it rejects far too often under the null hypothesis, and the power here is partly that.`,
      "plan with `test: satterthwaite` or kenward-roger.",
    ),
  ];
}

/** Share of the variance that more items and ratings cannot reduce, from which on it should be said. */
const MOSTLY_WORKERS = 0.8;

function checkCeiling({ raters }: RatingDesign, sds: LikertSetting, effect: number): Diagnostic[] {
  const floor = (2 * sds.raterSlope) / Math.sqrt(raters);
  const share = (effect / floor) ** 2;
  if (!(share < 1 / MOSTLY_WORKERS)) return [];
  return [
    warning(
      "RatersLimit",
      `with ${raters} raters the standard error cannot fall below ${formatNumber(floor)}, whatever the number of items: raters differ in which system they prefer.`,
      "add raters rather than items.",
    ),
  ];
}

interface LikertTest {
  readonly effect: number;
  readonly alpha: number;
  readonly test: RatingTest;
  readonly twoSided: boolean;
}

/** Middle of the scale; no test depends on it. */
const INTERCEPT = 0.5;

function simulateLikert(
  design: RatingDesign,
  sds: LikertSetting,
  wanted: LikertTest,
): NonNullable<Scenario["simulate"]> {
  let ready: { problem: LmmProblem; fold: LmmFold | undefined; theta: Float64Array; y: Float64Array } | undefined;
  return (rng) => {
    if (ready === undefined) {
      const problem = prepareLmm(ratingModel(design, UNCORRELATED, [-1, 1]), {
        criterion: wanted.test === "z" ? "ML" : "REML",
      });
      const theta = trueTheta(problem.structure, sds, sds.residual);
      const fold = design.kind === "lists" ? foldLmm(problem) : undefined;
      ready = { problem, fold, theta, y: new Float64Array(problem.nobs) };
    }
    const { problem, fold, theta, y } = ready;
    simulateInto(y, problem, { theta, beta: [INTERCEPT, wanted.effect / 2], sigma: sds.residual }, rng);
    return [testRatings(problem, y, { ...wanted, unit: 2, sign: Math.sign(wanted.effect), fold })];
  };
}
