/** What a survey of claims answers. */
import type { JsonOf, Result } from "../../result/result.ts";
import type { BeggTest, EggerTest } from "../../significance/meta/asymmetry.ts";
import type { Funnel, TrimAndFill } from "../../significance/meta/funnel.ts";
import type { MetaInterval, PooledEffect, RandomEffects } from "../../significance/meta/pool.ts";
import type { Ppv } from "../ppv.ts";
import type { OverlapRegression } from "../scenarios/accuracy-overlap.ts";
import type { ClaimColumns } from "./claims.ts";
import type { SurveyClaim } from "./judge.ts";
import type { TaskRecords } from "./progress.ts";
import type { SurveyTask } from "./tasks.ts";

/** Of all claims; shares are NaN where none could be judged. */
export interface SurveySummary {
  readonly claims: number;
  /** Those whose power could be worked out. */
  readonly judged: number;
  readonly typicalGain: number;
  /** Of all gains: mean, standard deviation, and how many. */
  readonly meanGain: number;
  readonly sdGain: number;
  readonly gains: number;
  readonly medianPower: number;
  /** Shares: power of at least .8; p below α; both. */
  readonly powered: number;
  readonly significant: number;
  readonly significantAndPowered: number;
}

/** All claims as one literature; needs two whose standard error is known. */
export interface Literature {
  readonly k: number;
  readonly heterogeneity: {
    readonly q: number;
    readonly df: number;
    readonly p: number;
    /** Interval of τ² by Q-profile. */
    readonly tau2: MetaInterval;
  };
  readonly fixed: PooledEffect;
  readonly random: RandomEffects & { readonly method: string };
  /** From three claims on. */
  readonly begg?: BeggTest;
  /** From three claims on whose standard errors differ. */
  readonly egger?: EggerTest;
  readonly trimAndFill?: TrimAndFill;
  /** Kendall's τ of gain and size, where three claims state their size. */
  readonly effectAgainstSize?: { readonly tau: number; readonly p: number; readonly k: number };
}

export interface SizeClass {
  readonly from: number;
  readonly to: number;
  readonly claims: number;
  /** Of the claims that state a size. */
  readonly share: number;
  readonly meanGain: number;
  readonly sdGain: number;
}

export interface SurveyResult extends Result<"survey">, Partial<Literature> {
  readonly columns: ClaimColumns;
  /** Scores and gains are percentages, as in the table. */
  readonly percent: boolean;
  /** Scores are accuracies on n items; otherwise gains with standard errors. */
  readonly accuracy: boolean;
  readonly alpha: number;
  /** Power that a test set should have. */
  readonly target: number;
  readonly confidence: number;
  /** How agreement was predicted. */
  readonly overlap: OverlapRegression;
  readonly claims: readonly SurveyClaim[];
  readonly tasks: readonly SurveyTask[];
  readonly summary: SurveySummary;
  /** Where a prior is given. */
  readonly ppv?: Ppv;
  /** Where claims are dated. */
  readonly records: readonly TaskRecords[];
  /** How many claims state what a reader would need. */
  readonly reporting: readonly { readonly what: string; readonly claims: number; readonly share: number }[];
  /** Claims and their gains by the size of the test set. */
  readonly sizes: readonly SizeClass[];
  /** Of mean ratings: their scale. */
  readonly scale?: readonly [least: number, most: number];
  /** For pictures. */
  readonly series?: { readonly funnel: Funnel };
}

export type SurveyJson = JsonOf<SurveyResult>;
