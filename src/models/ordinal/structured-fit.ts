/** What a fit of an ordinal model with another structure, nominal or scale effects holds, prints and writes. */
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import type { Display } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { present } from "../../result/present.ts";
import type { Estimate, Published } from "../../result/result.ts";
import { coefficientTable, type FieldsOf, type Fit, rowsSentence } from "../fit.ts";
import { type FitJson, type FixedJson, fitJson, fixedJson, NOTHING_RANDOM } from "../fit-json.ts";
import { thresholdTable } from "./clm.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import type { ThresholdJson } from "./ordinal.ts";
import type { ThresholdKind } from "./thresholds.ts";

export const ORDINAL_STRUCTURES = ["cumulative", "adjacent", "continuation", "stopping"] as const;
export type OrdinalStructure = (typeof ORDINAL_STRUCTURES)[number];

export interface StructuredFit extends Fit<"clm"> {
  readonly structure: OrdinalStructure;
  readonly reverse: boolean;
  readonly link: CumulativeLink;
  readonly threshold: ThresholdKind;
  /** Behind the standard errors. */
  readonly information: "observed" | "expected";
  readonly nominal?: string;
  readonly scaleFormula?: string;
  readonly confidence: number;
  /** Levels that occur, in order. */
  readonly levels: readonly string[];
  /** Thresholds or steps, and the nominal effects on each of them; `coefficients` are those of the location. */
  readonly thresholds: readonly Estimate[];
  /** Effects on the logarithm of the spread. */
  readonly scale: readonly Estimate[];
  /** Covariance of all parameters: thresholds, coefficients, scale. */
  readonly parameterVcov: Matrix;
  /** Rows × levels. */
  readonly probabilities: Matrix;
  /** Of the nominal and scale effects together, by likelihood ratio. */
  readonly locationOnly?: {
    readonly chisq: number;
    readonly df: number;
    readonly p: number;
    readonly logLik: number;
  };
}

const TITLES: Readonly<Record<OrdinalStructure, string>> = {
  cumulative: "Cumulative link model",
  adjacent: "Adjacent-category model",
  continuation: "Continuation-ratio model",
  stopping: "Stopping-ratio model",
};

const upIs = ({ structure, reverse }: FieldsOf<StructuredFit>): boolean =>
  structure === "cumulative" || (structure === "stopping") === reverse;

export function displayStructured(fit: FieldsOf<StructuredFit>): Display {
  const statistic = (value: number): string => formatNumber(value, "statistic");
  const { locationOnly: test, structure, confidence } = fit;
  const table = (rows: readonly Estimate[], caption: string) => ({
    ...coefficientTable(rows, "z", { confidence, ownDf: false }),
    caption,
  });
  const cuts = thresholdTable(fit.thresholds);
  const reversed = fit.reverse ? ", from the highest level down" : "";
  return {
    title: `${TITLES[structure]} (${fit.link} link${reversed}): ${fit.design.schema.formula.text}`,
    summary: [
      `${rowsSentence(fit.design)} Categories: ${fit.levels.join(" < ")}.`,
      `Log-likelihood ${statistic(fit.logLik)}, AIC ${statistic(fit.aic)}, BIC ${statistic(fit.bic)}.`,
      ...(test === undefined
        ? []
        : [
            `${partsOf(fit)}: χ² ${statistic(test.chisq)} on ${test.df} df, p ${formatNumber(test.p, "p")} against the model without.`,
          ]),
    ],
    tables: [
      ...(fit.coefficients.length === 0 ? [] : [table(fit.coefficients, "Effects")]),
      ...(fit.scale.length === 0 ? [] : [table(fit.scale, `Effects on the log spread (${fit.scaleFormula})`)]),
      {
        ...cuts,
        caption: structure === "cumulative" ? "Thresholds" : "Steps",
        formats: [...cuts.formats],
      },
    ],
    notes: [
      `A positive effect moves ratings ${upIs(fit) ? "up" : "down"}.`,
      ...(fit.nominal === undefined ? [] : [nominalNote(fit)]),
      `Standard errors from the ${fit.information} information.`,
    ],
  };
}

const partsOf = ({ nominal, scaleFormula }: FieldsOf<StructuredFit>): string =>
  nominal === undefined
    ? "Scale effects"
    : scaleFormula === undefined
      ? "Nominal effects"
      : "Nominal and scale effects";

const nominalNote = ({ structure, nominal }: FieldsOf<StructuredFit>): string =>
  structure === "cumulative"
    ? `Terms of ${nominal} move each threshold by itself: a positive one moves ratings at that threshold down.`
    : `Terms of ${nominal} have an effect of their own on each step, listed with the steps.`;

/** As the JSON of clm; no `profile` and no ratings. */
export interface StructuredJson extends FitJson<"clm"> {
  readonly method: "ML";
  readonly structure: OrdinalStructure;
  readonly reverse: boolean;
  readonly link: CumulativeLink;
  readonly threshold: ThresholdKind;
  readonly information: "observed" | "expected";
  readonly levels: readonly string[];
  readonly thresholds: readonly ThresholdJson[];
  readonly nominal?: string;
  readonly scaleFormula?: string;
  readonly scale: readonly FixedJson[];
  readonly locationOnly?: StructuredFit["locationOnly"];
}

export function structuredJson(fit: FieldsOf<StructuredFit>): Published<StructuredJson> {
  const { structure, reverse, link, threshold, information, levels, nominal, scaleFormula, locationOnly } = fit;
  return {
    ...fitJson(fit),
    ...NOTHING_RANDOM,
    method: "ML",
    deviance: -2 * fit.logLik,
    ...{ structure, reverse, link, threshold, information, levels },
    thresholds: fit.thresholds.map(({ name, value, se }) => ({ name, estimate: value, se })),
    ...present({ nominal, scaleFormula }),
    scale: fit.scale.map(fixedJson),
    locationOnly,
  };
}
