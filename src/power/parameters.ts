/** The parameters of every scenario, typed. Written by scripts/make-parameters.mjs from specs.ts; not edited by hand. What a question needs and
 *  does not get is refused when it is asked, since it depends on the question: `mde` solves for the effect, `size` for the size. */

/** Accuracy of two systems on the same items (McNemar). */
export interface AccuracyParameters {
  /** Items that both systems answer. */
  readonly n?: number | undefined;
  /** True difference in accuracy, new minus baseline. */
  readonly delta?: number | undefined;
  /** Instead of `delta`: items that only the new system has right over those that only the baseline has. */
  readonly oddsRatio?: number | undefined;
  /** Proportion of items on which both are right or both wrong. */
  readonly agreement?: number | undefined;
  /** Instead of `agreement`: proportion of items on which exactly one of the two is right. */
  readonly discordant?: number | undefined;
  /** Accuracy of the baseline (without `agreement` it predicts it). */
  readonly baseline?: number | undefined;
  /** Regression that predicts agreement (glue, squad, or a,b,c (see from-history)); default glue. */
  readonly overlap?: string | undefined;
  /** The planned test; default mcnemar-midp. */
  readonly test?: "mcnemar-midp" | "mcnemar-exact" | "mcnemar" | "mcnemar-cc" | "mcnemar-unconditional" | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** Accuracy of two systems on different items (two proportions). */
export interface UnpairedParameters {
  /** Items of the baseline, and of the new system unless `n2` is given. */
  readonly n?: number | undefined;
  /** Items of the new system. */
  readonly n2?: number | undefined;
  /** True accuracy of the baseline. */
  readonly baseline?: number | undefined;
  /** True difference in accuracy, new minus baseline. */
  readonly delta?: number | undefined;
  /** The planned test (boschloo is what compare uses; z-cc: with continuity correction); default boschloo. */
  readonly test?: "boschloo" | "fisher" | "z" | "z-cc" | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** Preferences between two systems (sign test). */
export interface PreferenceParameters {
  /** Judgements, ties included (independent ones). */
  readonly n?: number | undefined;
  /** True proportion of judgements for the new system. */
  readonly win?: number | undefined;
  /** True proportion of ties (which the test leaves out); default 0. */
  readonly tie?: number | undefined;
  /** The planned test; default sign. */
  readonly test?: "sign" | "sign-midp" | "sign-normal" | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** Mean scores. */
export interface MeansParameters {
  /** Items; in each sample where there are two. */
  readonly n?: number | undefined;
  /** Items of the second sample, if not the same. */
  readonly n2?: number | undefined;
  /** True difference of means. */
  readonly delta?: number | undefined;
  /** Standard deviation of the differences, or of the scores; default 1. */
  readonly sd?: number | undefined;
  /** Of the two systems' scores over items; `sd` is then that of one system. */
  readonly correlation?: number | undefined;
  /** Which scores are compared; default paired. */
  readonly design?: "paired" | "two-sample" | "one-sample" | undefined;
  /** The planned test; default t. */
  readonly test?: "t" | "wilcoxon" | "z" | undefined;
  /** Correlated items per document, topic …; default 1. */
  readonly clusterSize?: number | undefined;
  /** Proportion of the variance that a cluster's items have in common; default 0. */
  readonly icc?: number | undefined;
  /** Distribution of the deviations; default normal. */
  readonly shape?: "normal" | "laplace" | "logistic" | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** BLEU or another corpus score of two systems (randomisation test). */
export interface BleuParameters {
  /** Sentences of the test set. */
  readonly n?: number | undefined;
  /** True difference of the scores, new minus baseline. */
  readonly delta?: number | undefined;
  /** Proportion of sentences whose swap changes nothing; default 0.13. */
  readonly p0?: number | undefined;
  /** Spread of the others: n times the Laplace scale of their effects; default 25.8. */
  readonly b0?: number | undefined;
  /** The planned test (normal is its limit); default randomisation. */
  readonly test?: "randomisation" | "normal" | undefined;
  /** Swaps drawn by the test; default 1000. */
  readonly randomisations?: number | undefined;
  /** Law of the difference for `method: "approx"`; default normal. */
  readonly approximation?: "normal" | "saddlepoint" | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** F1, precision, recall or MCC of two classifiers (randomisation test). */
export interface F1Parameters {
  /** Items. */
  readonly n?: number | undefined;
  /** The score that is compared; default f1. */
  readonly metric?: "f1" | "precision" | "recall" | "mcc" | "accuracy" | "macro-f1" | "micro-f1" | undefined;
  /** Proportion of items whose label is positive. */
  readonly positive?: number | undefined;
  /** Baseline: proportion of positives that it finds. */
  readonly recall?: number | undefined;
  /** Baseline: proportion of negatives that it calls positive. */
  readonly fpr?: number | undefined;
  /** Recall of the new system minus that of the baseline; default 0. */
  readonly recallGain?: number | undefined;
  /** False-positive rate of the new system minus that of the baseline; default 0. */
  readonly fprGain?: number | undefined;
  /** Proportion of positives on which the systems disagree. */
  readonly positiveDisagreement?: number | undefined;
  /** Proportion of negatives on which the systems disagree. */
  readonly negativeDisagreement?: number | undefined;
  /** Instead, for positives: both, only baseline, only new, neither call it positive. */
  readonly positiveTable?: string | undefined;
  /** The same for negatives that are called positive. */
  readonly negativeTable?: string | undefined;
  /** Instead, for any number of classes: gold label > baseline's answer > new system's, and how often. */
  readonly cells?: string | undefined;
  /** With `cells`: true difference in the metric, if not the one that they show (disagreements lean towards one system until they give it; mde looks for it). */
  readonly gain?: number | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** Ratings of two systems by several raters (linear mixed model). */
export interface LikertParameters {
  /** Items, each of them answered by both systems. */
  readonly items?: number | undefined;
  /** Raters in all. */
  readonly raters?: number | undefined;
  /** Ratings of each item under each system (default: one by every rater). */
  readonly ratings?: number | undefined;
  /** Who rates what (all rate all, some rate each item, or none meets an item twice). */
  readonly design?: "crossed" | "k-of-m" | "lists" | undefined;
  /** Most texts that one rater rates. */
  readonly perRater?: number | undefined;
  /** Lists: texts per list, dealt out in turn (default: one list each). */
  readonly listLength?: number | undefined;
  /** True difference between the systems, on the scale of the ratings. */
  readonly effect?: number | undefined;
  /** Instead of `effect`: half of it, as in Card et al. (2020). */
  readonly beta?: number | undefined;
  /** Standard deviations of a paper, ratings from 0 to 1. */
  readonly setting?: "card-high" | "card-low" | undefined;
  /** SD of the raters' levels. */
  readonly raterIntercept?: number | undefined;
  /** SD of the raters' half differences between the systems. */
  readonly raterSlope?: number | undefined;
  /** SD of the items' levels. */
  readonly itemIntercept?: number | undefined;
  /** SD of the items' half differences between the systems. */
  readonly itemSlope?: number | undefined;
  /** SD of a rating, all else being equal. */
  readonly residual?: number | undefined;
  /** T test of the mixed model (z: beyond 1.96, after ML); default satterthwaite. */
  readonly test?: "satterthwaite" | "kenward-roger" | "z" | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** Ratings of two systems on a scale of few points (ordinal probit mixed model). */
export interface OrdinalParameters {
  /** Items, each of them answered by both systems. */
  readonly items?: number | undefined;
  /** Raters in all. */
  readonly raters?: number | undefined;
  /** Ratings of each item under each system (default: one by every rater). */
  readonly ratings?: number | undefined;
  /** Who rates what (all rate all, some rate each item, or none meets an item twice). */
  readonly design?: "crossed" | "k-of-m" | "lists" | undefined;
  /** Most texts that one rater rates. */
  readonly perRater?: number | undefined;
  /** Lists: texts per list, dealt out in turn (default: one list each). */
  readonly listLength?: number | undefined;
  /** True difference between the systems in SDs of the latent scale. */
  readonly effect?: number | undefined;
  /** What `effect` is counted in (steps: mean distances of the thresholds); default sd. */
  readonly effectUnit?: "sd" | "steps" | undefined;
  /** Points of the scale, if not those of the thresholds (fewer merge neighbours, more cut the same range finer). */
  readonly points?: number | undefined;
  /** Between the points of the scale, rising: -1.8,-1.1,-0.5,0.1,0.8. */
  readonly thresholds?: string | undefined;
  /** Scale and standard deviations of a paper. */
  readonly setting?:
    | "howcroft-extra-low"
    | "howcroft-low"
    | "howcroft-general"
    | "howcroft-high"
    | "howcroft-extra-high"
    | undefined;
  /** SD of the raters' levels. */
  readonly raterIntercept?: number | undefined;
  /** SD of the raters' differences between the systems. */
  readonly raterSlope?: number | undefined;
  /** SD of the items' levels. */
  readonly itemIntercept?: number | undefined;
  /** SD of the items' differences between the systems. */
  readonly itemSlope?: number | undefined;
  /** The model by which ratings come about (continuation, stopping: step by step; adjacent: by odds of neighbouring points); default cumulative. */
  readonly structure?: "cumulative" | "adjacent" | "continuation" | "stopping" | undefined;
  /** Models fitted to each experiment (clmm: the ordinal one of `structure`; both: it and the linear one; all: every ordinal one and the linear one); default both. */
  readonly analysis?: "both" | "clmm" | "lmm" | "adjacent" | "continuation" | "stopping" | "all" | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** Preferences between two systems by repeated raters (logistic mixed model). */
export interface HeadToHeadParameters {
  /** Items, each of them answered by both systems. */
  readonly items?: number | undefined;
  /** Raters in all. */
  readonly raters?: number | undefined;
  /** Judgements of each item (default: one by every rater). */
  readonly ratings?: number | undefined;
  /** Who rates what (all rate all, some rate each item, or none meets an item twice). */
  readonly design?: "crossed" | "k-of-m" | "lists" | undefined;
  /** Most texts that one rater rates. */
  readonly perRater?: number | undefined;
  /** True proportion of judgements for the new system. */
  readonly win?: number | undefined;
  /** True proportion of ties; default 0. */
  readonly tie?: number | undefined;
  /** What the analysis does with ties (split: half a win each); default drop. */
  readonly ties?: "drop" | "split" | undefined;
  /** SD of the raters' preferences, in log odds. */
  readonly raterSd?: number | undefined;
  /** SD of the items' preferences, in log odds. */
  readonly itemSd?: number | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** Scores of two training procedures over several runs (seeds and items). */
export interface SeedsParameters {
  /** Items that every run is scored on. */
  readonly items?: number | undefined;
  /** Training runs of each procedure. */
  readonly seeds?: number | undefined;
  /** True difference of the procedures' mean scores. */
  readonly delta?: number | undefined;
  /** SD of a run's mean score, over runs of one procedure. */
  readonly seedSd?: number | undefined;
  /** SD over items of an item's difference between the procedures, run to run variation apart. */
  readonly itemSd?: number | undefined;
  /** SD of an item's score from run to run; default 0. */
  readonly runItemSd?: number | undefined;
  /** What the claim is about (sample: items like these; fixed: these very items); default sample. */
  readonly testSet?: "sample" | "fixed" | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** Correlation of two scores over items. */
export interface CorrelationParameters {
  /** Items with both scores. */
  readonly n?: number | undefined;
  /** True correlation. */
  readonly rho?: number | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** Means of several groups (one-way analysis of variance). */
export interface AnovaParameters {
  /** Items in each group. */
  readonly n?: number | undefined;
  /** Groups that are compared; default 3. */
  readonly groups?: number | undefined;
  /** Cohen's f: SD of the true group means over the SD within groups. */
  readonly f?: number | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
}

/** Counts in categories (χ² test). */
export interface ChiSquareParameters {
  /** Items counted. */
  readonly n?: number | undefined;
  /** Cohen's w: distance of the true shares from those of no association. */
  readonly w?: number | undefined;
  /** Degrees of freedom: (rows - 1)(columns - 1), or categories - 1; default 1. */
  readonly df?: number | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
}

/** Two shares by Cohen's h (arcsine difference). */
export interface CohensHParameters {
  /** Items of the first sample, and of the second unless `n2` is given. */
  readonly n?: number | undefined;
  /** Items of the second sample. */
  readonly n2?: number | undefined;
  /** Cohen's h, the difference of the arcsines of the true shares. */
  readonly h?: number | undefined;
  /** Error rate of the test; default 0.05. */
  readonly alpha?: number | undefined;
  /** Test for one direction only; default false. */
  readonly oneSided?: boolean | undefined;
}

/** Not worse by more than a margin. */
export interface NonInferiorityParameters {
  /** Items; of each system where they have different ones. */
  readonly n?: number | undefined;
  /** Largest loss that would not matter. */
  readonly margin?: number | undefined;
  /** True difference, new minus old; default 0. */
  readonly delta?: number | undefined;
  /** Means on the same or different items, accuracies on different or the same items; default paired. */
  readonly design?: "paired" | "two-sample" | "proportions" | "paired-accuracy" | undefined;
  /** Standard deviation of the differences, or of the scores; default 1. */
  readonly sd?: number | undefined;
  /** True accuracy of the old system, for proportions. */
  readonly baseline?: number | undefined;
  /** Proportion of items that one system alone gets right, for paired-accuracy. */
  readonly discordance?: number | undefined;
  /** Error rate of the one-sided test; default 0.05. */
  readonly alpha?: number | undefined;
}

/** By the name of the scenario. */
export interface ParametersOf {
  readonly accuracy: AccuracyParameters;
  readonly unpaired: UnpairedParameters;
  readonly preference: PreferenceParameters;
  readonly means: MeansParameters;
  readonly bleu: BleuParameters;
  readonly f1: F1Parameters;
  readonly likert: LikertParameters;
  readonly ordinal: OrdinalParameters;
  readonly headToHead: HeadToHeadParameters;
  readonly seeds: SeedsParameters;
  readonly correlation: CorrelationParameters;
  readonly anova: AnovaParameters;
  readonly chiSquare: ChiSquareParameters;
  readonly cohensH: CohensHParameters;
  readonly nonInferiority: NonInferiorityParameters;
}
