/** Which of two outputs is better, judged by raters who judge many items and items that are judged by many raters: a logistic mixed
 *  model (Card et al. 2020, App. H.4).
 *
 *      logit P(new system preferred | no tie) = β + w + i,   w ~ N(0, σ_w²), i ~ N(0, σ_i²);   a tie with a fixed probability
 *  The planned test is the Wald z of β in  win ~ 1 + (1 | rater) + (1 | item), fitted by Laplace's approximation; ties are left out
 *  (drop) or count as half a win (split). `win` and `tie` are shares of all judgements, averaged over raters and items; β is the one
 *  that has these averages.
 *    approx   Var β̂ = σ_w²/W + σ_i²/I + 1/(n p(1-p)) averaged, n the judgements that count; estimated variances as in approx.ts
 *  Reference: Card et al. (2020), EMNLP, App. H.4; Agresti (2013), Categorical Data Analysis, ch. 13.
 *  Oracle:    the sign test's exact power where both variances are 0; lme4::glmer (R) on the same data (models/glmm/glmm.ts).
 *  Limits:    ties do not depend on rater or item. Splitting them is conservative: half a win varies less than a win or a loss. */
import { type Column, makeTable, numericColumn } from "../../data/table.ts";
import { buildDesign, type Design } from "../../formula/design.ts";
import { prepareGlmm, solveGlmm } from "../../models/glmm/solve.ts";
import { logisticCdf, logisticQuantile } from "../../numeric/dist/logistic.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { gaussHermite } from "../../numeric/gauss.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import type { Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { layOutDesign, type RatingDesign } from "../designs/designs.ts";
import { settledSd } from "../published-settings.ts";
import {
  checkAlpha,
  checkParameters,
  NO_EFFECT,
  type Outcome,
  requireNumber,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
} from "../scenario.ts";
import { HEAD_TO_HEAD } from "../specs.ts";
import { approximateFigures, type EstimateVariance } from "./approx.ts";
import { designOf, ratingBounds } from "./rating-parameters.ts";

export const headToHeadFamily: ScenarioFamily = {
  ...HEAD_TO_HEAD,
  make: (params) => makeHeadToHead(checkParameters(headToHeadFamily, params)),
  withoutEffect: (params) => ({
    ...params,
    win: ((1 - ((params["tie"] as number | undefined) ?? 0)) / 2) * (1 + NO_EFFECT),
  }),
  effectRange: (params) => {
    const decided = 1 - ((params["tie"] as number | undefined) ?? 0);
    return { from: decided / 2, to: decided * MOST_CERTAIN };
  },
  sizeBounds: (params, size) => ratingBounds(params, size, { family: "head-to-head", fewestItems: 2, residual: false }),
  replicates: 2000,
};

/** A preference beyond this share leaves next to no losses to estimate anything from. */
const MOST_CERTAIN = 0.995;

interface Preference {
  readonly tie: number;
  readonly split: boolean;
  readonly raterSd: number;
  readonly itemSd: number;
  /** Log odds without ties, and as the analysis sees them. */
  readonly beta: number;
  readonly effect: number;
  readonly alpha: number;
  readonly twoSided: boolean;
}

interface Plan extends Preference {
  readonly design: RatingDesign;
}

function makeHeadToHead(params: ScenarioParameters): Scenario {
  const plan = planHeadToHead(params);
  const { design, tie, split, raterSd, itemSd, beta, effect, alpha, twoSided } = plan;
  const win = params["win"] as number;
  return {
    name: "head-to-head",
    title: headToHeadFamily.title,
    effect,
    effectWords: `preference of ${percent(win)} wins, ${tie > 0 ? `${percent(tie)} ties and ` : ""}${percent(1 - win - tie)} losses (log odds ${formatNumber(effect)})`,
    alpha,
    parameters: [
      { name: "items", value: design.items, meaning: "items, each answered by both systems" },
      { name: "raters", value: design.raters, meaning: "raters" },
      {
        name: "ratings",
        value: design.ratings,
        meaning: `judgements of each item, ${design.items * design.ratings} in all`,
      },
      {
        name: "win",
        value: win,
        meaning: "true proportion of judgements for the new system, over all raters and items",
      },
      {
        name: "tie",
        value: tie,
        meaning: split
          ? "true proportion of ties, each counted as half a win"
          : "true proportion of ties, which are left out",
      },
      { name: "loss", value: 1 - win - tie, meaning: "true proportion of judgements for the old system" },
      {
        name: "raterSd",
        value: raterSd,
        meaning: "SD of the raters' preferences, in log odds: only more raters help",
      },
      { name: "itemSd", value: itemSd, meaning: "SD of the items' preferences, in log odds: only more items help" },
      { name: "logOdds", value: beta, meaning: "preference of a middling rater on a middling item, ties aside" },
    ],
    assumptions: [
      `Of all judgements ${percent(win)} are wins of the new system, ${percent(tie)} ties and ${percent(1 - win - tie)} losses.`,
      "The effect is the log odds of a preference for the new system as the analysis sees them.",
      "Raters and items are drawn from larger populations, and their log odds are normal; ties fall anywhere alike.",
    ],
    diagnostics: [],
    analyses: [`glmm/wald, ties ${split ? "split" : "dropped"}`],
    approximatePower: () => approximateFigures(effect, varianceOf(plan), { alpha, twoSided, z: true }),
    simulate: simulateJudgements(plan),
  };
}

const percent = (share: number): string => `${formatNumber(Number((100 * share).toPrecision(3)))} %`;

function planHeadToHead(params: ScenarioParameters): Plan {
  const design = designOf(params, "head-to-head");
  if (design.kind === "lists") {
    throw new StatError(
      "ImpossibleDesign",
      "lists for comparisons of both outputs of an item.",
      "use crossed or k-of-m: a rater sees both outputs at once.",
    );
  }
  return { design, ...preferenceOf(params) };
}

function preferenceOf(params: ScenarioParameters): Preference {
  const win = requireNumber(params, "win", "head-to-head");
  const tie = params["tie"] as number;
  const alpha = params["alpha"] as number;
  checkAlpha(alpha);
  if (!(tie < 1) || win > 1 - tie || win === 0 || win === 1 - tie) {
    throw new StatError(
      "Impossible",
      `win = ${win} with tie = ${tie}.`,
      `win must lie between 0 and ${formatNumber(1 - tie)}, both excluded: some judgements must go either way.`,
    );
  }
  const raterSd = requireSd(params, "raterSd");
  const itemSd = requireSd(params, "itemSd");
  const share = win / (1 - tie);
  if (share === 0.5) {
    throw new StatError(
      "NoEffect",
      `win = ${win}: as many wins as losses, so no preference can be found.`,
      `give a win other than ${formatNumber((1 - tie) / 2)}.`,
    );
  }
  const beta = logOddsOf(share, Math.hypot(raterSd, itemSd));
  if (!Number.isFinite(beta)) {
    throw new StatError(
      "Impossible",
      `\`raterSd: ${raterSd}\` and \`itemSd: ${itemSd}\`, in log odds: nearly every rater and item would always go one way.`,
      "give standard deviations in log odds, such as 0.3 and 0.8.",
    );
  }
  const split = params["ties"] === "split";
  const effect = split ? logisticQuantile((1 - tie) * logisticCdf(beta) + tie / 2) : beta;
  return { tie, split, raterSd, itemSd, beta, effect, alpha, twoSided: params["oneSided"] !== true };
}

/** For a search over designs: the true log odds, and the variance of their estimate. */
export function judgementVariance(params: ScenarioParameters) {
  const preference = preferenceOf(params);
  return {
    effect: preference.effect,
    variance: (design: RatingDesign): EstimateVariance => varianceOf({ ...preference, design }),
  };
}

function requireSd(params: ScenarioParameters, name: "raterSd" | "itemSd"): number {
  const given = params[name] as number | undefined;
  if (given !== undefined) return settledSd(given, undefined, name);
  throw new StatError("MissingParameter", `head-to-head needs ${name}.`, `Give \`${name}\`, log odds of 0 or more.`);
}

const NODES = 41;
/** Log odds beyond which a share is 0 or 1 for every purpose. */
const FAR = 60;

/** E f(N(mean, sd²)). */
function averageOver(f: (x: number) => number, mean: number, sd: number): number {
  const { nodes, weights } = gaussHermite(NODES, "normal");
  let sum = 0;
  nodes.forEach((node, k) => {
    sum += weights[k]! * f(mean + sd * node);
  });
  return sum;
}

/** β with E logistic(β + N(0, sd²)) = share. */
export function logOddsOf(share: number, sd: number): number {
  if (sd === 0) return logisticQuantile(share);
  return findRoot((beta) => averageOver(logisticCdf, beta, sd) - share, -FAR, FAR).root;
}

function varianceOf({ design, tie, split, raterSd, itemSd, beta, effect }: Plan): EstimateVariance {
  const { items, raters, ratings } = design;
  const n = items * ratings * (split ? 1 : 1 - tie);
  // half wins shrink the spread of log odds as they shrink the log odds
  const shrink = effect / beta;
  const share = (x: number): number => (split ? (1 - tie) * logisticCdf(x) + tie / 2 : logisticCdf(x));
  const information = averageOver((x) => share(x) * (1 - share(x)), beta, Math.hypot(raterSd, itemSd));
  const error = 1 / (n * information);
  const ofRaters = (shrink * raterSd) ** 2 / raters + error;
  const ofItems = (shrink * itemSd) ** 2 / items + error;
  const total = ofRaters + ofItems - error;
  return {
    total,
    ofRaters,
    ofItems,
    error,
    dfRaters: raters - 1,
    dfItems: items - 1,
    dfError: Math.max(1, n - 1),
    df: Number.POSITIVE_INFINITY,
  };
}

/** One row per judgement. */
function judgementModel(plan: RatingDesign): Design {
  const rows = layOutDesign(plan);
  const first = Int32Array.from(rows.system.keys()).filter((k) => rows.system[k] === 0);
  const factor = (codes: Int32Array, count: number): Column => ({
    kind: "factor",
    codes: Int32Array.from(first, (k) => codes[k]!),
    levels: Array.from({ length: count }, (_, k) => String(k + 1)),
    ordered: false,
  });
  const table = makeTable([
    ["y", numericColumn(new Float64Array(first.length))],
    ["rater", factor(rows.rater, plan.raters)],
    ["item", factor(rows.item, plan.items)],
  ]);
  return buildDesign("y ~ 1 + (1 | rater) + (1 | item)", table);
}

function simulateJudgements(plan: Plan): NonNullable<Scenario["simulate"]> {
  let model: Design | undefined;
  return (rng) => {
    model ??= judgementModel(plan.design);
    const { y, weights } = drawJudgements(model, plan, rng);
    return [testJudgements({ ...model, weights }, y, plan)];
  };
}

function drawJudgements(model: Design, { design, tie, split, raterSd, itemSd, beta }: Plan, rng: Rng) {
  const draw = (count: number, sd: number): Float64Array =>
    Float64Array.from({ length: count }, () => sd * rng.normal());
  const effects = { rater: draw(design.raters, raterSd), item: draw(design.items, itemSd) };
  const index = (group: "rater" | "item"): Int32Array => model.random.find((block) => block.group === group)!.index;
  const rater = index("rater");
  const item = index("item");
  const n = model.y.length;
  const y = new Float64Array(n);
  const weights = new Float64Array(n).fill(1);
  for (let k = 0; k < n; k++) {
    const tied = rng.uniform() < tie;
    const won = rng.uniform() < logisticCdf(beta + effects.rater[rater[k]!]! + effects.item[item[k]!]!);
    y[k] = tied && split ? 0.5 : won ? 1 : 0;
    if (tied && !split) weights[k] = 0;
  }
  return { y, weights };
}

const FAILED: Outcome = { estimate: Number.NaN, significant: false, failed: true };

function testJudgements(model: Design, y: Float64Array, { alpha, twoSided, effect }: Plan): Outcome {
  try {
    const solution = solveGlmm(prepareGlmm(model, { family: "binomial", link: "logit" }), y);
    const estimate = solution.phi[0]!;
    const z = estimate / Math.sqrt(solution.vcov.data[0]!);
    if (!solution.converged || !Number.isFinite(z)) return FAILED;
    const critical = normalQuantileUpper(twoSided ? alpha / 2 : alpha);
    return { estimate, significant: twoSided ? Math.abs(z) >= critical : Math.sign(effect) * z >= critical };
  } catch (error) {
    // ties have left a single rater or item
    if (error instanceof StatError) return FAILED;
    throw error;
  }
}
