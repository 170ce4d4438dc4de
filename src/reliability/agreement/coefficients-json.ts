/** Agreement as JSON; see docs/json.md. */
import type { FieldsOf } from "../../models/fit.ts";
import { present } from "../../result/present.ts";
import type { Published, ResultJson } from "../../result/result.ts";
import type { AgreementCoefficient, AgreementResult } from "./agreement.ts";

/** NaN where it is undefined, which a warning then explains. */
export interface CoefficientJson {
  readonly value: number;
  readonly se: number;
  readonly lower: number;
  readonly upper: number;
}

type Same =
  | "columns"
  | "items"
  | "sharedItems"
  | "ratings"
  | "pairable"
  | "raters"
  | "unnamed"
  | "labels"
  | "weighting"
  | "categories"
  | "perRater"
  | "pairs"
  | "confusion"
  | "chance"
  | "coincidences";

export interface AgreementJson extends ResultJson<"agreement">, Pick<AgreementResult, Same> {
  readonly percent: CoefficientJson;
  /** On the scale that was chosen, and α of every scale that the labels allow. */
  readonly alpha: CoefficientJson & AgreementResult["alphas"] & { readonly scale: AgreementResult["scale"] };
  /** Cohen's of two raters, with its large-sample error; Conger's of more. */
  readonly kappa: CoefficientJson & Partial<NonNullable<AgreementResult["cohen"]>> & { readonly bootstrapSe?: number };
  /** Of two raters. */
  readonly scott?: CoefficientJson;
  /** Of more. */
  readonly conger?: CoefficientJson;
  readonly fleiss: CoefficientJson & AgreementResult["fleissTest"];
  readonly ac1: CoefficientJson;
  readonly randolph: CoefficientJson;
  readonly ac2: CoefficientJson;
  /** Items of one of its levels are correlated. */
  readonly cluster?: string;
  /** Of α. */
  readonly ci: {
    readonly level: number;
    readonly method: string;
    readonly replicates: number;
    readonly lower: number;
    readonly upper: number;
  };
  readonly icc?: NonNullable<AgreementResult["intraclass"]>;
  readonly ccc?: NonNullable<AgreementResult["concordance"]>;
}

export function agreementJson(result: FieldsOf<AgreementResult>): Published<AgreementJson> {
  const { coefficients: all, alphas, cohen, confidence, replicates, scale } = result;
  const two = result.raters.length === 2;
  const { cluster } = result.signature.options;
  return {
    columns: result.columns,
    ...present({ cluster }),
    items: result.items,
    sharedItems: result.sharedItems,
    ratings: result.ratings,
    pairable: result.pairable,
    raters: result.raters,
    unnamed: result.unnamed,
    labels: result.labels,
    percent: ends(all.percent),
    alpha: { scale, ...ends(all.alpha), ...alphas },
    kappa:
      cohen === undefined
        ? ends(all.conger)
        : { ...cohen, ...ends({ ...all.cohen, se: cohen.se }), bootstrapSe: all.cohen.se },
    ...(two ? { scott: ends(all.fleiss) } : { conger: ends(all.conger) }),
    fleiss: { ...ends(all.fleiss), ...result.fleissTest },
    ac1: ends(all.ac1),
    randolph: ends(all.randolph),
    ac2: ends(all.ac2),
    weighting: result.weighting,
    ci: {
      level: confidence,
      method: `Bayesian bootstrap over ${cluster === undefined ? "items" : `clusters (${cluster})`}`,
      replicates,
      lower: all.alpha.lower,
      upper: all.alpha.upper,
    },
    categories: result.categories,
    perRater: result.perRater,
    pairs: result.pairs,
    confusion: result.confusion,
    chance: result.chance,
    coincidences: result.coincidences,
    ...present({ icc: result.intraclass, ccc: result.concordance }),
  };
}

const ends = ({ value, se, lower, upper }: AgreementCoefficient): CoefficientJson => ({ value, se, lower, upper });
