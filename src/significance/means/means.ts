/** Estimated marginal means (predictions averaged over a reference grid) and contrasts of them, with adjusted tests and intervals.
 *    m̂ = a'β̂,  a the average of design rows;   ĉ = Σ w_i m̂_i,  t = ĉ / se(ĉ) on the model's df for that function
 *  Reference: Searle, Speed & Milliken (1980), Am. Stat. 34:216; Lenth (2016), J. Stat. Softw. 69(1).
 *  Oracle:    emmeans 1.8 (R), oracle/r/emmeans.json — estimates, SEs and df to 1e-10, p values to 1e-9, Tukey to R's accuracy.
 *  Limits:    equal weights unless asked for the data's; means that the data cannot determine are NaN. Families are adjusted within
 *             each level of `within`, not across. Intervals of Holm, Hochberg, Hommel, BH and BY are Bonferroni's, as in emmeans. */

import type { Table } from "../../data/table.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { checkConfidence, StatError } from "../../result/error.ts";
import { type Diagnostic, makeResult, type Published, type Result, type ResultJson } from "../../result/result.ts";
import { type Adjustment, adjustTests, criticalValue } from "../multiplicity.ts";
import { areTrueContrasts, type ContrastMethod } from "./contrasts.ts";
import { displayEmmeans } from "./emmeans-display.ts";
import { marginalDiagnostics } from "./emmeans-warnings.ts";
import type { GridWeights } from "./grid-average.ts";
import { type Estimability, type Estimated, estimateFunctions } from "./linear-functions.ts";
import {
  type Levels,
  type MarginalFunctions,
  type MarginalGroup,
  type MarginalOptions,
  makeMarginalFunctions,
  signatureOptions,
} from "./marginal-functions.ts";
import { type MarginalModel, type MarginalSource, marginalModelOf } from "./marginal-model.ts";
import { type OrdinalScale, ordinalMeans } from "./ordinal.ts";
import { IDENTITY_SCALE, type ResponseScale } from "./response-scale.ts";

export interface MarginalMeansOptions extends MarginalOptions {
  /** Default: Tukey for all pairs, Holm for other differences, BH for effects, none for polynomials. */
  readonly adjust?: Adjustment | undefined;
  /** "response" maps means back through the link and turns differences of logs into ratios; default "link". For ordinal models
   *  the scales of ordinal.ts; default "latent", which "link" means too, and "response" stands for "prob". */
  readonly type?: MeansScale | undefined;
  readonly confidence?: number | undefined;
  /** The table that was fitted; only cluster-robust tests use it, for their df. */
  readonly data?: Table | undefined;
}

export type MeansScale = "link" | "response" | OrdinalScale;

export interface MarginalMean {
  readonly name: string;
  readonly levels: Levels;
  readonly estimate: number;
  readonly se: number;
  readonly df: number;
  readonly lower: number;
  readonly upper: number;
}

export interface MarginalContrast {
  readonly contrast: string;
  /** The levels of `within` in which it was made. */
  readonly within?: Levels;
  readonly estimate: number;
  readonly se: number;
  readonly df: number;
  readonly statistic: number;
  readonly p: number;
  readonly lower: number;
  readonly upper: number;
}

export interface EmmeansResult extends Result<"emmeans"> {
  readonly formula: string;
  readonly nobs: number;
  readonly by: readonly string[];
  readonly within: readonly string[];
  /** The covariate whose slopes the "means" are. */
  readonly slopes?: string;
  readonly means: readonly MarginalMean[];
  readonly contrasts: readonly MarginalContrast[];
  readonly method: ContrastMethod | "custom" | "none";
  readonly adjust: Adjustment;
  /** The sizes that the adjustment was made for, one entry for each family. */
  readonly families: readonly { readonly tests: number; readonly means: number }[];
  readonly weights: GridWeights;
  readonly averagedOver: readonly string[];
  /** Covariates that stand at one value. */
  readonly covariates: readonly { readonly name: string; readonly value: number }[];
  /** The scale of the linear predictor: a link, or the function of the response. */
  readonly link: string;
  readonly type: MeansScale;
  /** Grouping factors of a glmm or clmm: results are those of an average level of each. */
  readonly randomAtZero?: readonly string[];
  /** What the contrasts are: differences, or on the response scale of a log or logit model ratios. */
  readonly contrastType: "difference" | "ratio" | "odds ratio";
  readonly confidence: number;
}

export interface EmmeansJson
  extends ResultJson<"emmeans">,
    Omit<EmmeansResult, keyof Result<"emmeans"> | "method" | "weights"> {
  readonly contrastMethod: EmmeansResult["method"];
  readonly gridWeights: EmmeansResult["weights"];
}

const MARGINAL_MEANS_OPTIONS = {
  adjust: true,
  type: true,
  confidence: true,
  data: true,
  by: true,
  within: true,
  contrasts: true,
  reference: true,
  at: true,
  weights: true,
  slopes: true,
  regrid: true,
} as const satisfies Record<keyof MarginalMeansOptions, true>;

export function marginalMeans(fit: MarginalSource, options: MarginalMeansOptions): EmmeansResult {
  refuseUnknownNames("marginalMeans", options, MARGINAL_MEANS_OPTIONS);
  const { confidence = 0.95, contrasts = "pairwise" } = options;
  checkConfidence(confidence);
  if (contrasts === "none" && (options.adjust ?? "none") !== "none")
    throw new StatError("BadOption", "option `adjust` has no effect without contrasts.", "Leave it out.");
  const type = scaleFor(fit, options);
  const { model, functions } = functionsOn(fit, type, options);
  const scale = scaleOf(model, { ...options, type });
  const choice = chooseAdjustment(functions.groups[0]!, options.adjust);
  const tested = functions.groups.map((group) =>
    testGroup(model, group, { adjust: choice.adjust, confidence, scale, isEstimable: functions.isEstimable }),
  );
  const method = typeof contrasts === "string" ? contrasts : "custom";
  const fields: FieldsOf<EmmeansResult> = {
    signature: { ...model.signature, method: "emmeans", options: signatureOptions(model, options) },
    diagnostics: [
      ...model.diagnostics,
      ...choice.diagnostics,
      ...marginalDiagnostics(model, functions, {
        type: type === "response" ? "response" : "link",
        slopes: options.slopes,
      }),
    ],
    formula: model.design.schema.formula.text,
    nobs: model.nobs,
    by: functions.by,
    within: functions.within,
    ...(options.slopes === undefined ? {} : { slopes: options.slopes }),
    means: estimateMeansOf(model, functions, { confidence, scale }),
    contrasts: tested.flatMap((group) => group.contrasts),
    method,
    adjust: choice.adjust,
    families: tested.map((group) => group.family),
    weights: options.weights ?? "equal",
    ...describeGrid(functions),
    link: model.scale.name,
    type: options.regrid ? "response" : type,
    ...(fit.kind === "glmm" || fit.kind === "clmm" ? { randomAtZero: fit.groups.map(({ group }) => group) } : {}),
    contrastType: contrastTypeOf(functions.groups[0]!, scale),
    confidence,
  };
  return makeResult("emmeans", fields, { display: displayEmmeans, json: emmeansJson });
}

/** The scale asked for, by the name that the fit's kind has for it. */
function scaleFor(fit: MarginalSource, { type = "link", regrid }: MarginalMeansOptions): MeansScale {
  const ordinal = fit.kind === "clm" || fit.kind === "clmm";
  if (!ordinal) {
    if (type === "link" || type === "response") return type;
    const message = `the scale ${type} is for ordinal models (clm, clmm).`;
    throw new StatError("BadOption", message, "Use link or response.");
  }
  if (regrid) {
    throw new StatError("BadOption", "regrid is for glm and glmm.", "Ask for the scale prob or mean-class.");
  }
  if (type === "link") return "latent";
  return type === "response" ? "prob" : type;
}

function functionsOn(
  fit: MarginalSource,
  type: MeansScale,
  options: MarginalMeansOptions,
): { model: MarginalModel; functions: MarginalFunctions } {
  const isOrdinal = fit.kind === "clm" || fit.kind === "clmm";
  if (isOrdinal && type !== "latent" && type !== "link" && type !== "response") return ordinalMeans(fit, type, options);
  const model = marginalModelOf(fit, options.data);
  return { model, functions: makeMarginalFunctions(model, options) };
}

/** How estimates are mapped back; slopes and regridded means already are what they are. */
function scaleOf({ scale }: MarginalModel, { type = "link", slopes, regrid }: MarginalMeansOptions): ResponseScale {
  return type !== "response" || slopes !== undefined || regrid ? IDENTITY_SCALE : scale;
}

function contrastTypeOf({ contrasts }: MarginalGroup, { ratio }: ResponseScale): EmmeansResult["contrastType"] {
  return ratio !== undefined && areTrueContrasts(contrasts) ? ratio.name : "difference";
}

interface Choice {
  readonly adjust: Adjustment;
  readonly diagnostics: readonly Diagnostic[];
}

/** Tukey's distribution is that of all pairs; other sets get Sidak's bound, which holds for any of them. */
function chooseAdjustment({ contrasts }: MarginalGroup, wanted: Adjustment | undefined): Choice {
  const adjust = wanted ?? contrasts.defaultAdjustment;
  if (adjust !== "tukey" || contrasts.allPairs || contrasts.names.length === 0) return { adjust, diagnostics: [] };
  const diagnostic: Diagnostic = {
    code: "TukeyNeedsPairs",
    severity: "note",
    message: "Tukey's method is for all pairs of means; these contrasts were adjusted by Sidak's.",
    fix: "ask for pairwise contrasts, or choose holm.",
  };
  return { adjust: "sidak", diagnostics: [diagnostic] };
}

interface EstimateOptions {
  readonly confidence: number;
  readonly scale: ResponseScale;
}

function estimateMeansOf(
  model: MarginalModel,
  { means, levels, names, isEstimable }: MarginalFunctions,
  { confidence, scale }: EstimateOptions,
): MarginalMean[] {
  return estimateFunctions(model, means, isEstimable).map((own, i) => {
    const half = tQuantileUpper((1 - confidence) / 2, own.df) * own.se;
    return {
      name: names[i]!,
      levels: levels[i]!,
      estimate: scale.mu(own.estimate),
      se: own.se * scale.slope(own.estimate),
      df: own.df,
      lower: scale.mu(own.estimate - half),
      upper: scale.mu(own.estimate + half),
    };
  });
}

interface TestOptions extends EstimateOptions {
  readonly adjust: Adjustment;
  readonly isEstimable: Estimability;
}

function testGroup(
  model: MarginalModel,
  group: MarginalGroup,
  { adjust, confidence, scale, isEstimable }: TestOptions,
): { contrasts: MarginalContrast[]; family: { tests: number; means: number } } {
  const estimates = estimateFunctions(model, group.functions, isEstimable);
  const statistics = estimates.map(({ estimate, se }) => estimate / se);
  const family = { tests: statistics.filter((t) => !Number.isNaN(t)).length, means: comparedMeans(group, statistics) };
  const p = adjustTests(
    statistics,
    estimates.map(({ df }) => df),
    { method: adjust, means: family.means },
  );
  const ratio = areTrueContrasts(group.contrasts) ? scale.ratio : undefined;
  const criticals = new Map<number, number>(); // one quantile of the studentized range takes milliseconds
  const contrasts = estimates.map((own, i) => {
    const critical = criticals.get(own.df) ?? criticalValue({ method: adjust, ...family }, own.df, confidence);
    criticals.set(own.df, critical);
    return {
      contrast: contrastName(group.contrasts.names[i]!, ratio !== undefined),
      ...(Object.keys(group.within).length === 0 ? {} : { within: group.within }),
      ...mapContrast(own, critical, ratio),
      statistic: statistics[i]!,
      p: p[i]!,
    };
  });
  return { contrasts, family };
}

function mapContrast(own: Estimated, critical: number, ratio: ResponseScale["ratio"]) {
  const { estimate, se, df } = own;
  const [lower, upper] = [estimate - critical * se, estimate + critical * se];
  if (ratio === undefined) return { estimate, se, df, lower, upper };
  return {
    estimate: ratio.of(estimate),
    se: se * ratio.slope(estimate),
    df,
    lower: ratio.of(lower),
    upper: ratio.of(upper),
  };
}

const contrastName = (name: string, isRatio: boolean): string => (isRatio ? name.replaceAll(" - ", " / ") : name);

/** Means that take part in a contrast that could be estimated. */
function comparedMeans({ contrasts: { weights }, means }: MarginalGroup, statistics: readonly number[]): number {
  const isTested = (i: number): boolean => !Number.isNaN(statistics[i]!);
  return means.filter((_, j) => statistics.some((_, i) => isTested(i) && weights.data[i + j * weights.rows] !== 0))
    .length;
}

function describeGrid({ grid, by, within }: MarginalFunctions) {
  const others = grid.variables.filter(({ name }) => !by.includes(name) && !within.includes(name));
  return {
    averagedOver: others.filter(({ levels }) => levels.length > 1).map(({ name }) => name),
    covariates: others
      .filter(({ covariate, levels }) => covariate && levels.length === 1)
      .map(({ name, values }) => ({ name, value: values![0]! })),
  };
}

function emmeansJson(result: FieldsOf<EmmeansResult>): Published<EmmeansJson> {
  const { signature: _, diagnostics: __, method, weights, ...own } = result;
  return { ...own, contrastMethod: method, gridWeights: weights };
}
