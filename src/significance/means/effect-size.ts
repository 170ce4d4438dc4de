/** Standardised contrasts: differences of marginal means in units of a standard deviation, with Hedges' correction.
 *    d = ĉ / s,   g = J(ν) d,   J(ν) = Γ(ν/2) / (√(ν/2) Γ((ν-1)/2)),   s the residual or total SD on ν degrees of freedom
 *    SE(g)² = J² (se(ĉ)²/s² + d²/(2ν))
 *  s of a mixed model is that of a new observation, so that g does not grow with what raters and items explain.
 *  Interval of δ = c/σ: where se(ĉ) = h s with a constant h of the design (lm without robust errors), t = ĉ/se(ĉ) is noncentral t
 *  with ncp δ/h, and the interval is exact: the δ between which the observed t lies at both tails. Otherwise g ± t·SE(g).
 *  Reference: Hedges (1981), J. Educ. Stat. 6; Steiger & Fouladi (1997) in Harlow et al. (eds), What if there were no significance
 *             tests?; Lenth (2016), eff_size of emmeans for the SE; Hasselblad & Hedges (1995), Psych. Bull. 117, for logits.
 *  Oracle:    eff_size and inverted pt(ncp) (R), oracle/r/emmeans.json — 1e-10; closed forms.
 *  Limits:    intervals are for each contrast alone, not adjusted. The total SD of a mixed model treats its variances as known up to
 *             the df given with it. */

import type { FieldsOf } from "../../models/fit.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import type { Display } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { hedgesCorrection, noncentralityInterval } from "../standardised.ts";
import { type Estimated, estimateFunctions } from "./linear-functions.ts";
import { type Levels, makeMarginalFunctions, signatureOptions } from "./marginal-functions.ts";
import { type EffectSd, type MarginalModel, type MarginalSource, marginalModelOf } from "./marginal-model.ts";
import type { EmmeansJson, MarginalMeansOptions } from "./means.ts";

export interface EffectSizeOptions extends Omit<MarginalMeansOptions, "adjust" | "type" | "regrid"> {
  /** The SD to measure in: the total SD of a mixed model, else the residual SD (default), or the one named, or a known one. */
  readonly sd?: "residual" | "total" | number | undefined;
}

export interface EffectSize {
  readonly contrast: string;
  readonly within?: Levels;
  /** Without the correction for few df. */
  readonly d: number;
  readonly g: number;
  readonly se: number;
  readonly lower: number;
  readonly upper: number;
}

export interface EffectSizes extends Result<"effect-sizes"> {
  readonly formula: string;
  readonly effects: readonly EffectSize[];
  readonly sd: EffectSd;
  /** J(ν) */
  readonly correction: number;
  readonly interval: "exact" | "approximate";
  readonly within: readonly string[];
  readonly confidence: number;
}

const EFFECT_SIZES_OPTIONS = {
  sd: true,
  at: true,
  by: true,
  confidence: true,
  data: true,
  within: true,
  contrasts: true,
  reference: true,
  weights: true,
  slopes: true,
} as const satisfies Record<keyof EffectSizeOptions, true>;

export function effectSizes(fit: MarginalSource, options: EffectSizeOptions): EffectSizes {
  refuseUnknownNames("effectSizes", options, EFFECT_SIZES_OPTIONS);
  const { confidence = 0.95 } = options;
  const model = marginalModelOf(fit, options.data);
  const sd = chooseSd(model, options.sd ?? (model.effectSd?.total === undefined ? "residual" : "total"));
  const functions = makeMarginalFunctions(model, options);
  const correction = hedgesCorrection(sd.df);
  const effects = functions.groups.flatMap((group) =>
    estimateFunctions(model, group.functions, functions.isEstimable).map((own, i) => ({
      contrast: group.contrasts.names[i]!,
      ...(functions.within.length === 0 ? {} : { within: group.within }),
      ...standardise(own, { sd, correction, confidence }),
    })),
  );
  const fields: FieldsOf<EffectSizes> = {
    signature: { ...model.signature, method: "effect-sizes", options: signatureOptions(model, options) },
    diagnostics: model.diagnostics,
    formula: model.design.schema.formula.text,
    effects,
    sd,
    correction,
    interval: sd.scalesSe ? "exact" : "approximate",
    within: functions.within,
    confidence,
  };
  return makeResult("effect-sizes", fields, displayEffectSizes);
}

function chooseSd({ effectSd, design }: MarginalModel, wanted: "residual" | "total" | number): EffectSd {
  if (typeof wanted === "number") {
    if (wanted > 0 && wanted < Number.POSITIVE_INFINITY) {
      return { sd: wanted, df: Number.POSITIVE_INFINITY, name: "given SD", scalesSe: false };
    }
    throw new StatError("BadOption", `an SD of ${wanted} is not a positive number.`, "Give the SD of single scores.");
  }
  const found = wanted === "total" ? (effectSd?.total ?? undefined) : effectSd?.residual;
  if (found !== undefined) return found;
  throw new StatError(
    "NoEffectSd",
    `${design.schema.formula.text} has no ${wanted} SD to measure effects in.`,
    wanted === "total" ? "Use the residual SD; a total SD needs random effects." : "Give the SD as a number.",
  );
}

interface Unit {
  readonly sd: EffectSd;
  readonly correction: number;
  readonly confidence: number;
}

function standardise({ estimate, se, df }: Estimated, { sd, correction, confidence }: Unit) {
  const d = estimate / sd.sd;
  const g = correction * d;
  const own = correction * Math.sqrt((se / sd.sd) ** 2 + (d * d) / (2 * sd.df));
  if (sd.scalesSe) {
    const h = se / sd.sd;
    const [lower, upper] = noncentralityInterval(estimate / se, df, confidence);
    return { d, g, se: own, lower: h * lower, upper: h * upper };
  }
  const half = tQuantileUpper((1 - confidence) / 2, df) * own;
  return { d, g, se: own, lower: g - half, upper: g + half };
}

function displayEffectSizes({
  effects,
  sd,
  correction,
  interval,
  within,
  confidence,
  formula,
}: FieldsOf<EffectSizes>): Display {
  const known = sd.df === Number.POSITIVE_INFINITY;
  const how = interval === "exact" ? "exact (noncentral t distribution)" : "approximate";
  return {
    title: `Standardised contrasts: ${formula}`,
    tables: [
      {
        head: ["contrast", ...within, "g", "SE", `${formatNumber(100 * confidence)}% from`, "to"],
        formats: ["text", ...within.map(() => "text" as const), "number", "number", "number", "number"],
        rows: effects.map((e) => [e.contrast, ...within.map((name) => e.within![name]!), e.g, e.se, e.lower, e.upper]),
      },
    ],
    notes: [
      `In units of the ${sd.name}, ${formatNumber(sd.sd)}${known ? "" : ` on ${formatNumber(sd.df, "df")} df (Hedges' correction ${formatNumber(correction)})`}.`,
      `Intervals of g are ${how}, for each contrast alone.`,
    ],
  };
}

export type EffectSizesJson = JsonOf<EffectSizes>;

/** Beside the JSON of marginal means: their contrasts in SDs. */
export type SizedEmmeansJson = EmmeansJson & {
  readonly effectSizes: EffectSizes["effects"];
  readonly effectSd: EffectSizes["sd"];
  readonly effectInterval: EffectSizes["interval"];
};
