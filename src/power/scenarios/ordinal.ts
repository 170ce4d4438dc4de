/** Ratings of two systems on a scale of few points: drawn from an ordinal probit mixed model, analysed by one (CLMM) and by a linear
 *  mixed model (LMM) of the same ratings (Howcroft & Rieser 2021).
 *
 *      latent = x (β + w1 + i1) + w0 + i0 + e,   e ~ N(0, 1),   x = 0 (baseline) or 1 (new system);   rating = thresholds below it
 *    CLMM   rating ~ x + (x | rater) + (x | item), probit, flexible thresholds, Laplace; Wald z
 *    other structures: adjacent-category (logit), continuation and stopping ratio (probit), drawn from (ordinal-law.ts) or fitted, the same terms
 *    LMM    the same terms on ratings from 0 to 1, ML, Satterthwaite's t
 *  The LMM estimates a difference of mean ratings; for Type-M it is divided by the true one (ordinal-scale.ts).
 *    approx  for the CLMM: as in approx.ts, a rating having the residual variance 1/information
 *  Reference: Howcroft & Rieser (2021), EMNLP, section 4, Fig. 2 and 3; Christensen (2018), Cumulative Link Models.
 *  Oracle:    ordinal and lmerTest (R) on the same data (models/ordinal/clmm.ts, models/lmm/lmm.ts); shapes of the published curves.
 *  Limits:    in the authors' code raters' effects were misaligned with raters, so their digits cannot be met (docs/methods). */

import { foldLmm, type LmmFold } from "../../models/lmm/fold.ts";
import { type LmmProblem, prepareLmm } from "../../models/lmm/problem.ts";
import { type ClmmProblem, prepareClmm, solveClmm } from "../../models/ordinal/clmm-solve.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import type { Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import {
  describeDesign,
  layOutDesign,
  type RatingDesign,
  type RatingRows,
  requireEstimable,
} from "../designs/designs.ts";
import { ORDINAL_SETTINGS, type RandomSds, settledNumber } from "../published-settings.ts";
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
import { ORDINAL, RATING_STRUCTURES, type RatingStructure } from "../specs.ts";
import { approximateFigures, differenceVariance, type SlopeSds } from "./approx.ts";
import { CORRELATED, ratingModel, testRatings, trueTheta } from "./likert-model.ts";
import { type StepLaw, stepInformation, stepLaw, stepMeanDifference, stepProbabilitiesInto } from "./ordinal-law.ts";
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
  withoutEffect: (params) => (onlyItsOwn(params) ? { ...params, analysis: "clmm", effect: NO_EFFECT } : undefined),
  effectRange: () => ({ from: 0, to: LARGEST_EFFECT }),
  sizeBounds: (params, size) =>
    ratingBounds(params, size, {
      family: "ordinal",
      fewestItems: FEWEST_ITEMS,
      residual: params["analysis"] !== "clmm",
    }),
  replicates: 500,
};

/** Whether the answer is that of the ordinal model by which the ratings come about. */
const onlyItsOwn = ({ analysis = "both", structure = "cumulative" }: ScenarioParameters): boolean =>
  ["both", "clmm", "all", structure].includes(analysis as string);

/** Fewer items leave nothing to estimate the random effects from. */
const FEWEST_ITEMS = 10;
/** In latent standard deviations: beyond it nearly all ratings of one system are at the end of the scale. */
const LARGEST_EFFECT = 3;
/** Effects beyond it are refused as typing errors. */
const FARTHEST_EFFECT = 10;

export const ordinalSds = (params: ScenarioParameters): RandomSds =>
  spreadOf(params, ORDINAL_SETTINGS[params["setting"] as string]);

/** Thresholds by hand, else those of the setting. */
export function scaleOf(params: ScenarioParameters): RatingScale {
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
  readonly structure: RatingStructure;
  /** The law of typical ratings, where they are not cuts of a latent scale. */
  readonly law: StepLaw | undefined;
  /** The first one is the answer. */
  readonly analyses: readonly RatingAnalysis[];
}

type RatingAnalysis = RatingStructure | "lmm";

function analysesOf(analysis: string, structure: RatingStructure): RatingAnalysis[] {
  if (analysis === "both") return [structure, "lmm"];
  if (analysis === "clmm") return [structure];
  if (analysis !== "all") return [analysis as RatingAnalysis];
  return [structure, ...RATING_STRUCTURES.filter((other) => other !== structure), "lmm"];
}

const nameOf = (analysis: RatingAnalysis): string =>
  analysis === "lmm" ? "lmm/satterthwaite" : analysis === "cumulative" ? "clmm/wald" : `${analysis}/wald`;

/** In SDs of the latent scale. Steps are those of the scale as it is given, so that scales with other points are compared at one effect. */
export function ordinalEffect(params: ScenarioParameters): number {
  const effect = requireNumber(params, "effect", "ordinal");
  if (params["effectUnit"] !== "steps") return effect;
  const step = stepOf(scaleOf(params));
  if (step > 0) return effect * step;
  throw new StatError("BadParameter", "a scale of two points has no steps.", "give `effect` in SDs: `effectUnit: sd`.");
}

function makeOrdinalScenario(params: ScenarioParameters): Scenario {
  const structure = params["structure"] as RatingStructure;
  const scale = withPoints(scaleOf(params), params["points"] as number | undefined);
  const cuts = typicalThresholds(scale);
  const plan: OrdinalPlan = {
    design: designOf(params, "ordinal"),
    sds: ordinalSds(params),
    scale,
    structure,
    law: structure === "cumulative" ? undefined : stepLaw(structure, cuts),
    effect: ordinalEffect(params),
    alpha: params["alpha"] as number,
    twoSided: params["oneSided"] !== true,
    analyses: analysesOf(params["analysis"] as string, structure),
  };
  const { design, sds, law, effect, alpha } = plan;
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
  return {
    name: "ordinal",
    title: law === undefined ? ordinalFamily.title : ordinalFamily.title.replace("ordinal probit", structure),
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
        value: law === undefined ? meanDifference(cuts, effect, sds) : stepMeanDifference(law, effect, sds),
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
      ...(law === undefined
        ? []
        : [{ name: "structure", value: structure, meaning: `${STRUCTURE_WORDS[law.structure]}` }]),
    ],
    assumptions: [
      `Design: ${describeDesign(design)}.`,
      law === undefined
        ? "Raters and items are drawn from larger populations; their effects are normal on a latent scale whose residual SD is 1."
        : `Raters and items are drawn from larger populations. Effects and SDs are given in SDs of the latent scale of a cumulative model with the same thresholds; one of them is ${formatNumber(law.unit)} on the scale of this model, which moves the mean rating as far.`,
      ...(plan.analyses.length > 2 ? [SAME_LAW] : []),
    ],
    diagnostics: [],
    analyses: plan.analyses.map(nameOf),
    approximatePower: () => approximateOrdinal(plan),
    simulate: simulateOrdinal(plan),
  };
}

const STRUCTURE_WORDS: Readonly<Record<StepLaw["structure"], string>> = {
  adjacent: "log odds of each point against the one below it, logit",
  continuation: "chance to pass each point once it is reached, probit",
  stopping: "chance to stop at each point once it is reached, probit",
};

const SAME_LAW =
  "With the probit link the stopping and the continuation ratios are one model with the signs turned: they have the same power.";

const thresholdWords = (scale: RatingScale): string =>
  scale.kind === "fixed"
    ? `of the ${pointsOf(scale)} points`
    : `typical ones of the ${scale.points} points; redrawn for each experiment`;

/** The ordinal mixed model's of the structure; of another analysis alone too, whose power is a little lower. */
function approximateOrdinal({ design, sds, scale, law, effect, alpha, twoSided }: OrdinalPlan) {
  return approximateFigures(effect, differenceVariance(design, slopesOf(sds, { scale, law, effect })), {
    alpha,
    twoSided,
    z: true,
  });
}

interface Shown {
  readonly scale: RatingScale;
  readonly law: StepLaw | undefined;
  readonly effect: number;
}

/** Systems are coded 0/1 here, so that a slope is a whole difference: half of it where they are coded -1/+1. */
function slopesOf(sds: RandomSds, { scale, law, effect }: Shown): SlopeSds {
  const information =
    law === undefined ? ratingInformation(typicalThresholds(scale), effect, sds) : stepInformation(law, effect, sds);
  return { raterSlope: sds.raterSlope / 2, itemSlope: sds.itemSlope / 2, residual: 1 / Math.sqrt(information) };
}

/** What spreads the latent difference, for a search over designs. */
export function ordinalSlopes(params: ScenarioParameters, effect: number): SlopeSds {
  const scale = withPoints(scaleOf(params), params["points"] as number | undefined);
  const structure = (params["structure"] ?? "cumulative") as RatingStructure;
  const law = structure === "cumulative" ? undefined : stepLaw(structure, typicalThresholds(scale));
  return slopesOf(ordinalSds(params), { scale, law, effect });
}

interface Prepared {
  readonly rows: RatingRows;
  readonly ordinal: ReadonlyMap<RatingAnalysis, ClmmProblem>;
  readonly lmm: LmmProblem | undefined;
  readonly fold: LmmFold | undefined;
  readonly codes: Float64Array;
}

/** The adjacent model has the logit link alone. */
const linkOf = (structure: RatingStructure) => (structure === "adjacent" ? "logit" : "probit");

function prepare({ design, scale, analyses }: OrdinalPlan): Prepared {
  const rows = layOutDesign(design);
  const model = ratingModel(design, CORRELATED, [0, 1]);
  const levels = Array.from({ length: pointsOf(scale) }, (_, k) => String(k + 1));
  const structures = analyses.filter((name): name is RatingStructure => name !== "lmm");
  const lmm = analyses.includes("lmm") ? prepareLmm(model, { criterion: "ML" }) : undefined;
  return {
    rows,
    ordinal: new Map(
      structures.map((structure) => [structure, prepareClmm(model, levels, { structure, link: linkOf(structure) })]),
    ),
    lmm,
    fold: lmm && design.kind === "lists" ? foldLmm(lmm) : undefined,
    codes: new Float64Array(rows.item.length),
  };
}

function simulateOrdinal(plan: OrdinalPlan): NonNullable<Scenario["simulate"]> {
  let ready: Prepared | undefined;
  return (rng) => {
    ready ??= prepare(plan);
    const thresholds = drawThresholds(plan.scale, rng);
    const law = plan.structure === "cumulative" ? undefined : stepLaw(plan.structure, thresholds);
    drawRatingsInto(ready.codes, ready.rows, { ...plan, thresholds, law, rng });
    const prepared = ready;
    return plan.analyses.map((name) =>
      name === "lmm"
        ? testLmm(prepared, plan, { thresholds, law })
        : testStructure(prepared.ordinal.get(name)!, prepared.codes, plan, thresholds),
    );
  };
}

interface Draw {
  readonly design: RatingDesign;
  readonly sds: RandomSds;
  readonly effect: number;
  readonly thresholds: Float64Array;
  readonly law: StepLaw | undefined;
  readonly rng: Rng;
}

/** Category codes from 0, one per rating. */
function drawRatingsInto(codes: Float64Array, rows: RatingRows, drawn: Draw): void {
  const { design, sds, effect, thresholds, law, rng } = drawn;
  const draw = (count: number, sd: number): Float64Array =>
    Float64Array.from({ length: count }, () => sd * rng.normal());
  const rater0 = draw(design.raters, sds.raterIntercept);
  const rater1 = draw(design.raters, sds.raterSlope);
  const item0 = draw(design.items, sds.itemIntercept);
  const item1 = draw(design.items, sds.itemSlope);
  const P = new Float64Array(thresholds.length + 1);
  for (let k = 0; k < codes.length; k++) {
    const w = rows.rater[k]!;
    const i = rows.item[k]!;
    const slope = rows.system[k] === 0 ? 0 : effect + rater1[w]! + item1[i]!;
    const eta = rater0[w]! + item0[i]! + slope;
    if (law === undefined) {
      codes[k] = categoryOf(eta + rng.normal(), thresholds);
      continue;
    }
    stepProbabilitiesInto(P, law, eta);
    let left = rng.uniform();
    let category = 0;
    while (category < thresholds.length && left >= P[category]!) left -= P[category++]!;
    codes[k] = category;
  }
}

const FAILED: Outcome = { estimate: Number.NaN, significant: false, failed: true };

function testStructure(
  problem: ClmmProblem,
  codes: Float64Array,
  plan: OrdinalPlan,
  thresholds: Float64Array,
): Outcome {
  const { effect, alpha, twoSided, sds } = plan;
  // what one SD of the latent scale is on the scale of the fitted model
  const law = problem.structure === "cumulative" ? undefined : stepLaw(problem.structure, thresholds);
  const unit = law?.unit ?? 1;
  const start = trueStart(problem, codes, { steps: law?.alpha ?? thresholds, effect, unit, sds });
  let solution: ReturnType<typeof solveClmm>;
  try {
    solution = solveClmm(problem, codes, start === undefined ? {} : { start });
  } catch (error) {
    // all ratings alike: nothing to compare
    if (error instanceof StatError) return FAILED;
    throw error;
  }
  const last = solution.phi.length - 1;
  const estimate = solution.phi[last]! / unit;
  const z = (Math.sign(unit) * solution.phi[last]!) / Math.sqrt(solution.vcov.data[last * (last + 2)]!);
  if (!solution.converged || !Number.isFinite(z)) return FAILED;
  const critical = normalQuantileUpper(twoSided ? alpha / 2 : alpha);
  return { estimate, significant: twoSided ? Math.abs(z) >= critical : Math.sign(effect) * z >= critical };
}

interface Truth {
  readonly steps: Float64Array;
  readonly effect: number;
  readonly unit: number;
  readonly sds: RandomSds;
}

/** The search begins at the truth: it ends at the same maximum, and sooner. Not where a point of the scale was never used. */
function trueStart(
  { system, frame }: ClmmProblem,
  codes: Float64Array,
  { steps, effect, unit, sds }: Truth,
): Float64Array | undefined {
  const seen = new Set(codes);
  if (seen.size < frame.levels.length) return undefined;
  return Float64Array.of(...trueTheta(system.structure, sds, 1 / Math.abs(unit)), ...steps, unit * effect);
}

function testLmm(
  { lmm, fold, codes }: Prepared,
  plan: OrdinalPlan,
  { thresholds, law }: { readonly thresholds: Float64Array; readonly law: StepLaw | undefined },
): Outcome {
  const { effect, sds, alpha, twoSided } = plan;
  const top = thresholds.length;
  const y = codes.map((code) => code / top);
  if (y.every((value) => value === y[0])) return FAILED;
  // mean ratings may differ the other way than latent means do: the sign stays that of the ratings
  const moved = law === undefined ? meanDifference(thresholds, effect, sds) : stepMeanDifference(law, effect, sds);
  const unit = Math.abs(effect / (moved / top));
  return testRatings(lmm!, y, { test: "satterthwaite", alpha, twoSided, unit, sign: Math.sign(effect), fold });
}
