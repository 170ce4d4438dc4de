/** A comparison as JSON; see docs/json.md. Of more than two systems the fields of one pair at the top are those of the two best. */

import type { FieldsOf } from "../../models/fit.ts";
import { present } from "../../result/present.ts";
import type { Published, Result, ResultJson, Written } from "../../result/result.ts";
import type { DifferingSetting } from "../../study/settings.ts";
import type { EmmeansResult, MarginalContrast } from "../means/means.ts";
import type { ComparedPair, Comparison } from "./comparison.ts";
import type { LikelihoodRatio, ModelComparison } from "./model.ts";
import type { Dependence } from "./pair/classes.ts";
import { decidingName } from "./pair/facets.ts";
import type { OrderCheck } from "./reading/order.ts";
import { headlineOf } from "./screen.ts";
import type { ItemSeries } from "./series.ts";
import type { GridCell } from "./tables.ts";

export interface PlannedLook {
  readonly look: number;
  readonly z: number;
  readonly rejected: boolean;
  readonly p: number;
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  /** "stop" at a bound or at the last look, otherwise "continue". */
  readonly decision: "stop" | "continue";
  /** Where the plan stops for futility: the chance that the last look still finds the smallest effect, and whether that is too small. */
  readonly conditionalPower?: number;
  readonly futile?: boolean;
}

export interface ComparisonJson
  extends ResultJson<"comparison">,
    Omit<Comparison, keyof Result<"comparison"> | "main" | "pairs" | "model" | "style" | "series" | "items" | "texts">,
    ComparedPairJson {
  /** The answer in one sentence. */
  readonly headline: string;
  readonly pairs: readonly ComparedPairJson[];
  readonly model?: ModelComparisonJson;
  /** Of several metrics (`--metric all`): each of them, pooled and task by task. */
  readonly grid?: readonly GridCell[];
  /** Where a plan was followed: its hash, what is not as planned, and at a planned look p and estimate that know of the looks. */
  readonly plan?: {
    readonly hash: string;
    readonly locked: boolean;
    readonly deviations: readonly string[];
    readonly look?: PlannedLook;
  };
  /** What the runs differ in beside the system. */
  readonly settings?: readonly DifferingSetting[];
  /** Where rows carry times: whether the order of running is mixed up with the systems. */
  readonly order?: OrderCheck;
  readonly series: ComparisonSeriesJson;
}

/** What pictures draw, and how they write scores: in percent, with so many decimals. */
export interface ComparisonSeriesJson extends ItemSeries {
  readonly percent: boolean;
  readonly decimals: number;
}

/** `test` is the test whose p is `p` before it is adjusted, `testDetails` the one over items with its plain p. */
export interface ComparedPairJson extends Omit<Written<ComparedPair>, "test" | "told" | "further"> {
  readonly test: string;
  readonly testDetails: Written<ComparedPair["test"]>;
}

export interface ModelComparisonJson {
  readonly kind: ModelComparison["kind"];
  readonly formula: string;
  readonly by?: string;
  readonly classes?: ModelComparison["classes"];
  readonly residualSd: number;
  readonly random: readonly {
    readonly group: string;
    readonly terms: readonly string[];
    readonly sd: readonly number[];
  }[];
  /** Without option `details: false`, like `latent` and `naive`. */
  readonly systems?: LikelihoodRatio;
  readonly interaction?: LikelihoodRatio;
  readonly dependence?: Dependence;
  /** Within the levels of `by`, which stand under their names beside the figures. */
  readonly means?: readonly { readonly [name: string]: string | number }[];
  readonly within?: readonly MarginalContrast[];
  readonly latent?: readonly MarginalContrast[];
  readonly naive?: {
    readonly formula: string;
    readonly contrasts: readonly MarginalContrast[];
    readonly systems: LikelihoodRatio;
    readonly interaction?: LikelihoodRatio;
  };
  readonly singular: boolean;
  readonly converged: boolean;
}

export function comparisonJson(result: FieldsOf<Comparison>): Published<ComparisonJson> {
  const { signature: _, diagnostics: __, style, main, pairs, model, series, items: ___, texts: ____, ...own } = result;
  return {
    ...own,
    ...pairJson(main),
    headline: headlineOf(result),
    pairs: pairs.map(pairJson),
    ...(model === undefined ? {} : { model: modelJson(model) }),
    series: { percent: style.percent, decimals: style.decimals, ...series },
  };
}

function pairJson(pair: ComparedPair): ComparedPairJson {
  const { test, told: _, further: __, ...own } = pair;
  return { ...own, test: decidingName(pair), testDetails: test };
}

function modelJson(model: ModelComparison): ModelComparisonJson {
  const { kind, formula, fit, systems, interaction, dependence, by, classes, within, latent, naive } = model;
  return {
    kind,
    formula,
    ...present({ by }),
    ...(by === undefined || classes === undefined ? {} : { classes }),
    residualSd: fit.residualSd,
    random: fit.variances.map(({ group, names, sd }) => ({ group, terms: names, sd: Array.from(sd) })),
    ...present({ systems, interaction, dependence }),
    ...(within === undefined ? {} : { means: within.means.map(meanJson), within: within.contrasts }),
    ...(latent === undefined ? {} : { latent: latent.contrasts }),
    ...(naive === undefined ? {} : { naive: naiveJson(naive) }),
    singular: fit.singular,
    converged: fit.converged,
  };
}

function naiveJson({ formula, means, systems, interaction }: NonNullable<ModelComparison["naive"]>) {
  return { formula, contrasts: means.contrasts, systems, ...present({ interaction }) };
}

function meanJson({ levels, estimate, se, df, lower, upper }: EmmeansResult["means"][number]) {
  return { ...levels, estimate, se, df, lower, upper };
}
