/** What goes into a comparison of systems, and what comes out. */

import type { ItemStatistics } from "../../metrics/metric.ts";
import type { Rng } from "../../numeric/rng.ts";
import { makeRng } from "../../numeric/rng.ts";
import type { COMPARE } from "../../question/compare.ts";
import type { OptionsOf } from "../../question/option.ts";
import type { RunScores } from "../../resample/multi-bootstrap.ts";
import type { Diagnostic, Result, Signature } from "../../result/result.ts";
import type { Verdict } from "../../result/verdict.ts";
import type { PairAdjustment } from "../multiplicity.ts";
import type { ModelTableOptions } from "./by-model.ts";
import type { Flips } from "./conclude.ts";
import type { Groups, UnmatchedItems } from "./matching/matching.ts";
import type { ModelComparison } from "./model.ts";
import type { ItemTexts, PairItems } from "./pair/differing.ts";
import type { Facet, RepeatedFacet } from "./pair/facets.ts";
import type { Missingness } from "./pair/missingness.ts";
import type { PairComparison } from "./pair/pair.ts";
import type { RunKind } from "./pair/run-kind.ts";
import type { RunsInterval } from "./pair/runs.ts";
import type { ObservedErrors } from "./pair/sensitivity.ts";
import type { VarianceParts } from "./pair/spread.ts";
import type { TestName } from "./pair/tests.ts";
import type { Direction, Equivalence, NextStep } from "./pair/verdict.ts";
import type { PairFact } from "./pair-facts.ts";
import type { ItemSeries } from "./series.ts";
import type { SliceTable } from "./slices.ts";
import type { SystemScore } from "./system-scores.ts";
import type { ScoreStyle } from "./written-numbers.ts";

/** Items of several systems, in the same order for each. */
export type ComparedItems =
  | {
      readonly kind: "scores";
      readonly items: readonly string[];
      /** Item i of system s at means[i + s * items.length], with the number of rows behind it and their squared deviations. */
      readonly means: Float64Array;
      readonly counts: Int32Array;
      readonly within: Float64Array;
      /** Scores of each system by run, where every run covers all items. */
      readonly runs?: readonly RunScores[];
    }
  | {
      readonly kind: "statistics";
      readonly items: readonly string[];
      readonly statistics: readonly ItemStatistics[];
      /** Pseudo-values of the items (or clusters) by run, where systems have several. */
      readonly runs?: readonly RunScores[];
    };

export interface ComparisonData {
  /** The first is the baseline. */
  readonly systems: readonly string[];
  readonly metric: string;
  readonly higherIsBetter: Direction;
  /** How the metric was computed, if it was computed here. */
  readonly metricSignature?: string;
  readonly data: ComparedItems;
  /** What each item scored, where the metric of one item says little: right or wrong labels. As `means` of scores. */
  readonly perItem?: Float64Array;
  readonly texts?: ItemTexts;
  /** What one item is called: items, sentences, prompts. */
  readonly units?: string;
  /** Each item is a data set with one number: differences share no scale. */
  readonly dataSets?: boolean;
  readonly clusters?: Groups;
  /** Groups of items that get a table of their own, by name: tasks, languages, … */
  readonly slices?: ReadonlyMap<string, Groups>;
  /** What the data repeat beside items, and how often. */
  readonly repeated?: readonly RepeatedFacet[];
  readonly unmatched?: readonly UnmatchedItems[];
  readonly itemsLost?: number;
  readonly signature: ComparisonSignature;
  readonly diagnostics?: readonly Diagnostic[];
}

/** Says among others which columns held what, where rows were compared; the last three of votes. */
type ComparisonSignature = Signature<{
  readonly columns?: {
    readonly system?: string | undefined;
    readonly item?: string | undefined;
    readonly score?: string | undefined;
    readonly rater?: string | undefined;
    readonly repeat?: string | undefined;
    readonly cluster?: string | undefined;
    readonly task?: string | undefined;
    readonly slices?: readonly string[] | undefined;
    readonly opponent?: string | undefined;
    readonly battle?: string | undefined;
    readonly prompt?: string | undefined;
  };
  readonly [option: string]: unknown;
}>;

/** Friedman's test over items, or over data sets. */
export interface Omnibus {
  readonly method: string;
  readonly statistic: number;
  readonly df: number;
  readonly p: number;
  /** Over data sets: mean ranks in the order of the systems, 1 the best, and the difference that Nemenyi's test takes for real. */
  readonly ranks?: readonly number[];
  readonly criticalDifference?: number;
}

/** What `compare` is told, as question/compare.ts lists it; whatever is absent the data decide. */
export interface CompareOptions extends OptionsOf<typeof COMPARE.options> {
  /** Items that a system has no row of were not run yet: they are left out, whatever option `unscored` says of missing scores. */
  readonly unfinished?: boolean | undefined;
  /** Keeps what the systems were given and said, for the list of items that differ. */
  readonly texts?: boolean | undefined;
  /** Of a mixed model, what stands next to the verdict: the model of the latent scale, likelihood ratios of the systems, what a simpler model
   *  would claim. Default true; without them the verdict and its numbers are the same, and are there sooner. */
  readonly details?: boolean | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** How the pairs of systems are tested and told. */
export interface PairwiseOptions {
  readonly runKind?: RunKind | undefined;
  readonly test?: TestName | undefined;
  readonly alpha?: number | undefined;
  readonly confidence?: number | undefined;
  /** Differences smaller than this do not matter; asks for a test of equivalence. */
  readonly margin?: number | undefined;
  /** For several pairs; slices have Holm's where it has none for them. Default "max-t". */
  readonly adjust?: PairAdjustment | undefined;
  /** "all" pairs (default), or every other system against the "baseline". */
  readonly pairs?: "all" | "baseline" | undefined;
  readonly replicates?: number | undefined;
  /** Facets that the claim is about; default: all that the test can cover. */
  readonly scope?: readonly Facet[] | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export interface ComparedPair extends PairComparison {
  readonly a: string;
  readonly b: string;
  /** Adjusted for the number of pairs; equals test.p for one. */
  readonly p: number;
  readonly verdict: Verdict;
  /** Why there is no verdict, where it is NONE, or why missing outcomes leave it open. */
  readonly reason?: string;
  /** The difference whatever the missing outcomes are, where some are. */
  readonly bounds?: {
    readonly lower: number;
    readonly upper: number;
    /** Covers the true difference wherever between the bounds it lies (Imbens & Manski); of a verdict that holds for more than items what the
     *  intervals of the complete cases and with the missing outcomes at either end cover together. */
    readonly ci?: { readonly lower: number; readonly upper: number; readonly level: number };
    /** The ends of the scale. */
    readonly lowest?: number;
    readonly highest?: number;
    /** Whether the verdict is the same whatever they are. */
    readonly holds?: boolean;
  };
  /** Where missing scores could change the verdict: what that would take, and whether the data make it plausible. */
  readonly missing?: Missingness;
  readonly equivalence?: Equivalence;
  readonly exaggeration?: ObservedErrors;
  readonly variance?: VarianceParts;
  readonly nextStep?: NextStep;
  readonly flips?: Flips;
  /** With runs drawn as well as items, where the repeats are whole runs. */
  readonly runs?: RunsInterval;
  /** What is told of the pair, as data: the paragraph and the advice are made of it. Not published. */
  readonly told: readonly PairFact[];
  /** The paragraph. */
  readonly statement: string;
  /** What to do next, where the answer is open. */
  readonly advice: string;
}

export interface Comparison extends Result<"comparison"> {
  readonly signature: ComparisonSignature;
  readonly metric: string;
  /** null: not known, and the verdict is HIGHER or LOWER. */
  readonly higherIsBetter: Direction;
  readonly metricSignature?: string;
  readonly n: number;
  readonly units: string;
  /** What the verdict is about: new items, and new raters, runs, clusters, prompts. */
  readonly scope: readonly Facet[];
  /** What the data repeat; facets that are not in the scope are taken as they are ("for these two raters"). */
  readonly repeated: readonly RepeatedFacet[];
  /** What items are crossed with, such as prompt templates: the verdict is about these levels. */
  readonly conditions?: readonly { readonly column: string; readonly levels: number }[];
  /** Number of clusters, if items are clustered. */
  readonly clusters?: number;
  /** In the order of comparison: differences are later minus earlier. */
  readonly systems: readonly SystemScore[];
  /** Whether the systems share their items. */
  readonly paired: boolean;
  /** The one pair, or of several the two best systems. */
  readonly main: ComparedPair;
  readonly pairs: readonly ComparedPair[];
  readonly adjust: PairAdjustment;
  /** Whether the intervals of pairs hold all at once, or each for itself. */
  readonly simultaneous: boolean;
  /** With max-T: the p before adjustment from which on one of the pairs is significant. */
  readonly pairAlpha?: number;
  readonly alpha: number;
  readonly testChoice: string;
  /** Of more than two systems: is any of them different? (Friedman) */
  readonly omnibus?: Omnibus;
  readonly slices: readonly SliceTable[];
  /** Where a mixed model did the comparing. */
  readonly model?: ModelComparison;
  readonly unmatched: readonly UnmatchedItems[];
  readonly itemsLost: number;
  /** Where outcomes are missing, of each system: items with a score, rows without one, and items of others that it has no row of. */
  readonly coverage?: readonly {
    readonly system: string;
    readonly items: number;
    readonly unscored: number;
    readonly absent: number;
  }[];
  readonly style: ScoreStyle;
  /** For pictures. */
  readonly series?: ItemSeries;
  /** What both systems of each pair scored on every item they share; absent where they share none. Not published. */
  readonly items?: readonly PairItems[];
  /** With option `texts`. Not published. */
  readonly texts?: ItemTexts;
}

/** Swaps and draws: enough that p at .05 is known to ± .004. */
const REPLICATES = 10_000;

/** As the paired tests take them. */
export function pairwise(options: CompareOptions): PairwiseOptions {
  const { test, adjust, baseline, margin, scope, runKind, onProgress } = options;
  const { alpha = 0.05, confidence = 0.95, replicates = REPLICATES, rng = makeRng("1") } = options;
  return {
    alpha,
    confidence,
    replicates,
    ...(adjust === undefined || adjust === "tukey" ? {} : { adjust }),
    ...(test === undefined || test === "model" ? {} : { test }),
    ...(baseline === undefined ? {} : { pairs: "baseline" as const }),
    margin,
    scope,
    runKind,
    rng,
    onProgress,
  };
}

/** As the mixed model takes them. */
export function modelChoices(options: CompareOptions): Omit<ModelTableOptions, "systems"> {
  const {
    alpha = 0.05,
    confidence = 0.95,
    by,
    cut,
    ddf,
    adjust,
    margin,
    scope,
    runKind,
    baseline,
    details,
    onProgress,
    rng = makeRng("1"),
  } = options;
  return {
    alpha,
    confidence,
    details,
    by,
    cuts: cut,
    ddf,
    ...(adjust === undefined ? {} : { adjust }),
    ...(baseline === undefined ? {} : { pairs: "baseline" as const }),
    margin,
    scope,
    runKind,
    onProgress,
    rng,
  };
}
