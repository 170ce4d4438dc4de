/** What is told of a comparison beside its pairs, as one list of data: screens take those that have a label, details those of the notes. */

import type { FieldsOf } from "../../models/fit.ts";
import { isInconclusive } from "../../result/verdict.ts";
import type { PairAdjustment } from "../multiplicity.ts";
import { apart } from "../multiplicity.ts";
import type { ComparedPair, Comparison } from "./comparison.ts";

import { decidingTest } from "./pair/facets.ts";
import { isOpposed } from "./pair/typical.ts";
import { wasCut } from "./scale.ts";
import { isRounded } from "./written-numbers.ts";

export type Fields = FieldsOf<Comparison>;

export type ComparisonFact =
  | { readonly id: "test choice"; readonly text: string }
  | {
      readonly id: "claim";
      readonly scope: Comparison["scope"];
      readonly repeated: Comparison["repeated"];
      readonly units: string;
      readonly conditions: NonNullable<Comparison["conditions"]>;
      /** Where no table names it. */
      readonly test?: { readonly label: string; readonly interval?: string } | undefined;
    }
  | { readonly id: "strengths" }
  | {
      readonly id: "pairs";
      readonly adjust: PairAdjustment;
      readonly count: number;
      readonly simultaneous: boolean;
      readonly level: number;
      readonly alpha: number;
      /** Not on the screen; not in the tables of the details. */
      readonly hidden: { readonly onScreen: number; readonly inDetails: number };
    }
  | {
      readonly id: "parts";
      readonly adjust: PairAdjustment;
      readonly pairs: number;
      /** Whether the mean over the parts is told too. */
      readonly mean: boolean;
    }
  | { readonly id: "opposed"; readonly a: string; readonly b: string; readonly text: string }
  | { readonly id: "rounded" }
  | { readonly id: "by"; readonly by: string; readonly depends: boolean; readonly method: string; readonly p: number }
  | { readonly id: "means of the model"; readonly adjusted: boolean }
  | { readonly id: "order"; readonly baseline?: string | undefined }
  | { readonly id: "signature"; readonly text: string }
  | {
      readonly id: "omnibus";
      readonly systems: readonly string[];
      readonly directed: boolean;
      readonly found: NonNullable<Comparison["omnibus"]>;
    }
  | { readonly id: "slices"; readonly column: string; readonly levels: number; readonly adjust: PairAdjustment }
  | {
      readonly id: "at least";
      readonly column: string;
      readonly levels: number;
      readonly atLeast: number;
      readonly named: number;
    }
  | { readonly id: "scale"; readonly metric: string; readonly ends: readonly [number, number] };

export interface Shown {
  /** Pairs of the details' table and of the screen's. */
  readonly pairs: readonly ComparedPair[];
  readonly onScreen: readonly ComparedPair[];
  /** Whether a table of slices is on the screen. */
  readonly parts: boolean;
  /** Whether the table of the one pair names its test. */
  readonly named: boolean;
}

export function comparisonFacts(comparison: Fields, shown: Shown): ComparisonFact[] {
  const {
    main,
    pairs,
    scope,
    repeated,
    units,
    testChoice,
    metricSignature,
    slices,
    model,
    adjust,
    alpha,
    conditions = [],
  } = comparison;
  const many = pairs.length > 1;
  const told = main.reason === undefined || isOpposed(main);
  const hidden = { onScreen: pairs.length - shown.onScreen.length, inDetails: pairs.length - shown.pairs.length };
  const named = { count: pairs.length, simultaneous: comparison.simultaneous, level: main.ci.level };
  return [
    { id: "test choice", text: testChoice },
    ...(told
      ? [
          {
            id: "claim" as const,
            scope,
            repeated,
            units,
            conditions,
            test: many || shown.named ? undefined : decidingTest(main),
          },
        ]
      : []),
    ...(isArena(comparison) ? [{ id: "strengths" as const }] : []),
    ...(model === undefined
      ? []
      : [{ id: "means of the model" as const, adjusted: comparison.systems.some(isAdjusted) }]),
    order(comparison),
    ...(metricSignature === undefined ? [] : [{ id: "signature" as const, text: metricSignature }]),
    ...omnibus(comparison),
    ...slices.flatMap(sliceFacts(adjust)),
    ...(many ? [{ id: "pairs" as const, adjust, alpha, hidden, ...named }] : []),
    ...(shown.parts
      ? [
          {
            id: "parts" as const,
            adjust,
            pairs: pairs.length,
            mean: slices.some(({ macro }) => macro !== undefined),
          },
        ]
      : []),
    ...(many ? opposed(pairs) : []),
    ...(shown.onScreen.some((pair) => isRounded(comparison.style, pair)) ? [{ id: "rounded" as const }] : []),
    ...by(comparison),
    ...scaleEnds(comparison),
  ];
}

/** A model's mean that is not the mean over rows; equal ones differ by less than this proportion. */
const ROUNDING = 1e-9;
export const isAdjusted = ({ score, rawMean }: Comparison["systems"][number]): boolean =>
  rawMean !== undefined && Math.abs(rawMean - score) > ROUNDING * Math.max(Math.abs(rawMean), Math.abs(score));

/** Votes between more than two systems: scores are of all battles, differences of those that two fought. */
export const isArena = ({ units, pairs }: Fields): boolean => units === "battles" && pairs.length > 1;

/** Missing outcomes, or ranks against means, leave it open. */
export const isLeftOpen = ({ verdict, reason }: ComparedPair): boolean =>
  isInconclusive(verdict) && reason !== undefined;

function order({ systems, pairs }: Fields): ComparisonFact {
  const first = systems[0]!.name;
  return { id: "order", baseline: pairs.every(({ a }) => a === first) ? first : undefined };
}

function omnibus({ omnibus: found, systems, higherIsBetter }: Fields): ComparisonFact[] {
  const directed = higherIsBetter !== null;
  return found === undefined ? [] : [{ id: "omnibus", found, directed, systems: systems.map(({ name }) => name) }];
}

const sliceFacts =
  (adjust: PairAdjustment) =>
  ({ column, slices, atLeast }: Comparison["slices"][number]): ComparisonFact[] => {
    const levels = slices.length;
    const named = slices.filter(({ verdict }) => !isInconclusive(verdict)).length;
    return [
      { id: "slices", column, levels, adjust: apart(adjust) },
      ...(atLeast > named ? [{ id: "at least" as const, column, levels, atLeast, named }] : []),
    ];
  };

const MOST_OPPOSED = 6;

/** Of several pairs those that ranks and means do not agree on; of one it is the title. */
const opposed = (pairs: readonly ComparedPair[]): ComparisonFact[] =>
  pairs
    .filter((pair) => isLeftOpen(pair) && isOpposed(pair))
    .slice(0, MOST_OPPOSED)
    .map(({ a, b, reason }) => ({ id: "opposed", a, b, text: reason! }));

/** What was asked with `by`; the means and pairs of each class are details. */
function by({ model, alpha }: Fields): ComparisonFact[] {
  if (model?.interaction === undefined || model.by === undefined) return [];
  const { method, p } = model.dependence ?? { method: "likelihood ratio", p: model.interaction.p };
  return [{ id: "by", by: model.by, depends: p < alpha, method, p }];
}

/** Where an interval ends because the scale does. */
function scaleEnds({ systems, pairs, metric, style }: Fields): ComparisonFact[] {
  const cut = systems.some(({ interval }) => wasCut(interval)) || pairs.some(({ ci }) => wasCut(ci.method));
  return cut && style.scale !== undefined ? [{ id: "scale", metric, ends: [style.scale[0], style.scale[1]] }] : [];
}
