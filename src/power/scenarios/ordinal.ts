/** Ratings of two systems on a scale of few points: drawn from an ordinal probit mixed model, analysed by one (CLMM) and by a linear
 *  mixed model (LMM) of the same ratings (Howcroft & Rieser 2021).
 *
 *      latent = x (β + w1 + i1) + w0 + i0 + e,   e ~ N(0, 1),   x = 0 (baseline) or 1 (new system);   rating = thresholds below it
 *    CLMM   rating ~ x + (x | rater) + (x | item), probit, flexible thresholds, Laplace; Wald z
 *    LMM    the same terms on ratings from 0 to 1, ML, Satterthwaite's t
 *  The LMM estimates a difference of mean ratings; for Type-M it is divided by the true one (ordinal-scale.ts).
 *    approx  for the CLMM: as in approx.ts, a rating having the residual variance 1/information
 *  Reference: Howcroft & Rieser (2021), EMNLP, section 4, Fig. 2 and 3; Christensen (2018), Cumulative Link Models.
 *  Oracle:    ordinal and lmerTest (R) on the same data (models/ordinal/clmm.ts, models/lmm/lmm.ts); shapes of the published curves.
 *  Limits:    in the authors' code raters' effects were misaligned with raters, so their digits cannot be met (docs/methods). */

import { type LmmProblem, prepareLmm } from "../../models/lmm/problem.ts";
import { type ClmmProblem, prepareClmm, solveClmm } from "../../models/ordinal/clmm-solve.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import type { Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import {
  describeDesign,
  layOutDesign,
  type RatingDesign,
  type RatingRows,
  requireEstimable,
} from "../designs/designs.ts";
import {
  checkAlpha,
  checkParameters,
  NO_EFFECT,
  type Outcome,
  requireEffect,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
} from "../scenario.ts";
import { ORDINAL_SETTINGS, type RandomSds, settledNumber } from "../settings.ts";
import { ORDINAL } from "../specs.ts";
import { approximateFigures, differenceVariance, type SlopeSds } from "./approx.ts";
import { CORRELATED, ratingModel, testRatings, trueTheta } from "./likert-model.ts";
import {
  categoryOf,
  drawThresholds,
  meanDifference,
  parseThresholds,
  pointsOf,
  type RatingScale,
  ratingInformation,
  stepOf,
  typicalThresholds,
  withPoints,
} from "./ordinal-scale.ts";
import { designOf, ratingBounds, spreadOf, statedDesign } from "./rating-parameters.ts";

export const ordinalFamily: ScenarioFamily = {
  ...ORDINAL,
  make: (params) => makeOrdinalScenario(checkParameters(ordinalFamily, params)),
  // mean ratings may differ where latent means do not, so that this says nothing about a linear model
  withoutEffect: (params) =>
    params["analysis"] === "lmm" ? undefined : { ...params, analysis: "clmm", effect: NO_EFFECT },
  effectRange: () => ({ from: 0, to: LARGEST_EFFECT }),
  sizeBounds: (params, size) =>
    ratingBounds(params, size, {
      family: "ordinal",
      fewestItems: FEWEST_ITEMS,
      residual: params["analysis"] !== "clmm",
    }),
  replicates: 500,
};

/** Fewer items leave nothing to estimate the random effects from. */
const FEWEST_ITEMS = 10;
/** In latent standard deviations: beyond it nearly all ratings of one system are at the end of the scale. */
const LARGEST_EFFECT = 3;
/** Effects beyond it are refused as typing errors. */
const FARTHEST_EFFECT = 10;

const ordinalSds = (params: ScenarioParameters): RandomSds =>
  spreadOf(params, ORDINAL_SETTINGS[params["setting"] as string]);

function scaleOf(params: ScenarioParameters): RatingScale {
  const thresholds = params["thresholds"] as string | undefined;
  if (thresholds !== undefined) return { kind: "fixed", thresholds: parseThresholds(thresholds) };
  const setting = ORDINAL_SETTINGS[params["setting"] as string];
  settledNumber(undefined, setting?.lowest, "thresholds");
  const { points, lowest, lowestSd, distance, distanceSd } = setting!;
  return { kind: "drawn", points, lowest, lowestSd, distance, distanceSd };
}

interface OrdinalPlan {
  readonly design: RatingDesign;
  readonly sds: RandomSds;
  readonly scale: RatingScale;
  readonly effect: number;
  readonly alpha: number;
  readonly twoSided: boolean;
  readonly analyses: readonly ("clmm" | "lmm")[];
}

/** In SDs of the latent scale. Steps are those of the scale as it is given, so that scales with other points are compared at one effect. */
function effectOf(params: ScenarioParameters): number {
  const effect = requireNumber(params, "effect", "ordinal");
  if (params["effectUnit"] !== "steps") return effect;
  const step = stepOf(scaleOf(params));
  if (step > 0) return effect * step;
  throw new StatError("BadParameter", "a scale of two points has no steps.", "give `effect` in SDs: `effectUnit: sd`.");
}

function makeOrdinalScenario(params: ScenarioParameters): Scenario {
  const analysis = params["analysis"] as "both" | "clmm" | "lmm";
  const plan: OrdinalPlan = {
    design: designOf(params, "ordinal"),
    sds: ordinalSds(params),
    scale: withPoints(scaleOf(params), params["points"] as number | undefined),
    effect: effectOf(params),
    alpha: params["alpha"] as number,
    twoSided: params["oneSided"] !== true,
    analyses: analysis === "both" ? ["clmm", "lmm"] : [analysis],
  };
  const { design, sds, scale, effect, alpha } = plan;
  requireEffect(effect, "effect");
  if (Math.abs(effect) > FARTHEST_EFFECT) {
    throw new StatError(
      "Impossible",
      `effect = ${effect} standard deviations of the latent scale: all ratings would lie at its ends.`,
      `give an effect between -${FARTHEST_EFFECT} and ${FARTHEST_EFFECT}, such as 0.3.`,
    );
  }
  if (plan.analyses.includes("lmm")) requireEstimable(design);
  checkAlpha(alpha);
  const cuts = typicalThresholds(scale);
  return {
    name: "ordinal",
    title: ordinalFamily.title,
    effect,
    alpha,
    parameters: [
      ...statedDesign(design),
      { name: "effect", value: effect, meaning: "difference between the systems in SDs of the latent scale" },
      ...(pointsOf(plan.scale) === 2 && Number.isNaN(stepOf(scaleOf(params)))
        ? []
        : [
            {
              name: "steps",
              value: effect / stepOf(scaleOf(params)),
              meaning: "the same in mean distances of the thresholds",
            },
          ]),
      {
        name: "meanDifference",
        value: meanDifference(cuts, effect, sds),
        meaning: "the same in points of the scale, typical thresholds",
      },
      {
        name: "thresholds",
        value: Array.from(cuts, (cut) => cut.toFixed(2)).join(", "),
        meaning: thresholdWords(scale),
      },
      { name: "raterIntercept", value: sds.raterIntercept, meaning: "SD of the raters' levels" },
      {
        name: "raterSlope",
        value: sds.raterSlope,
        meaning: "SD of the raters' differences between the systems: only more raters help",
      },
      { name: "itemIntercept", value: sds.itemIntercept, meaning: "SD of the items' levels" },
      { name: "itemSlope", value: sds.itemSlope, meaning: "SD of the items' differences: only more items help" },
      {
        name: "test",
        value: "Wald z (clmm), Satterthwaite t (lmm)",
        meaning: plan.twoSided ? "two-sided" : "one-sided",
      },
    ],
    assumptions: [
      `Design: ${describeDesign(design)}.`,
      "Raters and items are drawn from larger populations; their effects are normal on a latent scale whose residual SD is 1.",
    ],
    diagnostics: [],
    analyses: plan.analyses.map((name) => (name === "clmm" ? "clmm/wald" : "lmm/satterthwaite")),
    approximatePower: () => approximateOrdinal(plan),
    simulate: simulateOrdinal(plan),
  };
}

const thresholdWords = (scale: RatingScale): string =>
  scale.kind === "fixed"
    ? `of the ${pointsOf(scale)} points`
    : `typical ones of the ${scale.points} points; drawn anew for each experiment`;

/** The CLMM's; of an LMM alone too, whose power is a little lower. */
function approximateOrdinal({ design, sds, scale, effect, alpha, twoSided }: OrdinalPlan) {
  return approximateFigures(effect, differenceVariance(design, slopesOf(sds, scale, effect)), {
    alpha,
    twoSided,
    z: true,
  });
}

/** Systems are coded 0/1 here, so that a slope is a whole difference: half of it where they are coded -1/+1. */
function slopesOf(sds: RandomSds, scale: RatingScale, effect: number): SlopeSds {
  const information = ratingInformation(typicalThresholds(scale), effect, sds);
  return { raterSlope: sds.raterSlope / 2, itemSlope: sds.itemSlope / 2, residual: 1 / Math.sqrt(information) };
}

/** What spreads the latent difference, for a search over designs. */
export const ordinalSlopes = (params: ScenarioParameters, effect: number): SlopeSds =>
  slopesOf(ordinalSds(params), scaleOf(params), effect);

interface Prepared {
  readonly rows: RatingRows;
  readonly clmm: ClmmProblem | undefined;
  readonly lmm: LmmProblem | undefined;
  readonly codes: Float64Array;
}

function prepare({ design, scale, analyses }: OrdinalPlan): Prepared {
  const rows = layOutDesign(design);
  const model = ratingModel(design, CORRELATED, [0, 1]);
  const levels = Array.from({ length: pointsOf(scale) }, (_, k) => String(k + 1));
  return {
    rows,
    clmm: analyses.includes("clmm") ? prepareClmm(model, levels, { link: "probit" }) : undefined,
    lmm: analyses.includes("lmm") ? prepareLmm(model, { criterion: "ML" }) : undefined,
    codes: new Float64Array(rows.item.length),
  };
}

function simulateOrdinal(plan: OrdinalPlan): NonNullable<Scenario["simulate"]> {
  let ready: Prepared | undefined;
  return (rng) => {
    ready ??= prepare(plan);
    const thresholds = drawThresholds(plan.scale, rng);
    drawRatingsInto(ready.codes, ready.rows, { ...plan, thresholds, rng });
    const { clmm, lmm, codes } = ready;
    return plan.analyses.map((name) =>
      name === "clmm" ? testClmm(clmm!, codes, plan, thresholds) : testLmm(lmm!, codes, plan, thresholds),
    );
  };
}

interface Draw {
  readonly design: RatingDesign;
  readonly sds: RandomSds;
  readonly effect: number;
  readonly thresholds: Float64Array;
  readonly rng: Rng;
}

/** Category codes from 0, one per rating. */
function drawRatingsInto(codes: Float64Array, rows: RatingRows, { design, sds, effect, thresholds, rng }: Draw): void {
  const draw = (count: number, sd: number): Float64Array =>
    Float64Array.from({ length: count }, () => sd * rng.normal());
  const rater0 = draw(design.raters, sds.raterIntercept);
  const rater1 = draw(design.raters, sds.raterSlope);
  const item0 = draw(design.items, sds.itemIntercept);
  const item1 = draw(design.items, sds.itemSlope);
  for (let k = 0; k < codes.length; k++) {
    const w = rows.rater[k]!;
    const i = rows.item[k]!;
    const slope = rows.system[k] === 0 ? 0 : effect + rater1[w]! + item1[i]!;
    codes[k] = categoryOf(rater0[w]! + item0[i]! + slope + rng.normal(), thresholds);
  }
}

const FAILED: Outcome = { estimate: Number.NaN, significant: false, failed: true };

function testClmm(problem: ClmmProblem, codes: Float64Array, plan: OrdinalPlan, thresholds: Float64Array): Outcome {
  const { effect, alpha, twoSided, sds } = plan;
  const start = trueStart(problem, codes, { thresholds, effect, sds });
  let solution: ReturnType<typeof solveClmm>;
  try {
    solution = solveClmm(problem, codes, start === undefined ? {} : { start });
  } catch (error) {
    // all ratings alike: nothing to compare
    if (error instanceof StatError) return FAILED;
    throw error;
  }
  const last = solution.phi.length - 1;
  const estimate = solution.phi[last]!;
  const z = estimate / Math.sqrt(solution.vcov.data[last * (last + 2)]!);
  if (!solution.converged || !Number.isFinite(z)) return FAILED;
  const critical = normalQuantileUpper(twoSided ? alpha / 2 : alpha);
  return { estimate, significant: twoSided ? Math.abs(z) >= critical : Math.sign(effect) * z >= critical };
}

/** The search begins at the truth: it ends at the same maximum, and sooner. Not where a point of the scale was never used. */
function trueStart(
  { system, frame }: ClmmProblem,
  codes: Float64Array,
  { thresholds, effect, sds }: { thresholds: Float64Array; effect: number; sds: RandomSds },
): Float64Array | undefined {
  const seen = new Set(codes);
  if (seen.size < frame.levels.length) return undefined;
  return Float64Array.of(...trueTheta(system.structure, sds, 1), ...thresholds, effect);
}

function testLmm(problem: LmmProblem, codes: Float64Array, plan: OrdinalPlan, thresholds: Float64Array): Outcome {
  const { effect, sds, alpha, twoSided } = plan;
  const top = thresholds.length;
  const y = codes.map((code) => code / top);
  if (y.every((value) => value === y[0])) return FAILED;
  // mean ratings may differ the other way than latent means do: the sign stays that of the ratings
  const unit = Math.abs(effect / (meanDifference(thresholds, effect, sds) / top));
  return testRatings(problem, y, { test: "satterthwaite", alpha, twoSided, unit, sign: Math.sign(effect) });
}
