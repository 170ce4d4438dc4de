/** What every scenario asks of its user: names, kinds and meanings of its parameters, which of them `mde` and `size` solve for. Plain data
 *  without any engine, so that the flags of the command line and their help are made of it before the library is loaded. */
import { DESIGN_KINDS } from "./designs/designs.ts";
import { LIKERT_SETTINGS, ORDINAL_SETTINGS } from "./published-settings.ts";
import { ERROR_RATE_PARAMETERS, type ParameterSpec, type ScenarioParameters, type ScenarioSpec } from "./scenario.ts";
import { CHI_SQUARE, COHENS_H, CORRELATION, NON_INFERIORITY, ONE_WAY } from "./scenarios/classical/specs.ts";

const PAIRED_TESTS = ["mcnemar-midp", "mcnemar-exact", "mcnemar", "mcnemar-cc", "mcnemar-unconditional"] as const;
export type AccuracyTest = (typeof PAIRED_TESTS)[number];
const SIGN_TESTS = ["sign", "sign-midp", "sign-normal"] as const;
export type PreferenceTest = (typeof SIGN_TESTS)[number];
const CLASSIFIER_METRICS = ["f1", "precision", "recall", "mcc", "accuracy", "macro-f1", "micro-f1"] as const;
export type ClassifierMetric = (typeof CLASSIFIER_METRICS)[number];
export const RATING_STRUCTURES = ["cumulative", "adjacent", "continuation", "stopping"] as const;
export type RatingStructure = (typeof RATING_STRUCTURES)[number];
const RATING_TESTS = ["satterthwaite", "kenward-roger", "z"] as const;
export type RatingTest = (typeof RATING_TESTS)[number];

const testOf = (choices: readonly string[], hint?: string): ParameterSpec => ({
  name: "test",
  kind: "choice",
  choices,
  meaning: "the planned test",
  default: choices[0]!,
  ...(hint === undefined ? {} : { hint }),
});

const delta = (meaning: string): ParameterSpec => ({ name: "delta", kind: "number", meaning });

export const ACCURACY: ScenarioSpec = {
  name: "accuracy",
  title: "accuracy of two systems on the same items (McNemar)",
  summary: "right and wrong answers of two systems on the same items (McNemar's tests)",
  effect: "delta",
  size: "n",
  parameters: [
    { name: "n", kind: "count", unit: "items", meaning: "items that both systems answer" },
    delta("true difference in accuracy, new minus baseline"),
    {
      name: "oddsRatio",
      kind: "positive",
      unit: "ratio",
      meaning: "instead of `delta`: items that only the new system has right over those that only the baseline has",
    },
    { name: "agreement", kind: "share", meaning: "proportion of items on which both are right or both wrong" },
    {
      name: "discordant",
      kind: "share",
      meaning: "instead of `agreement`: proportion of items on which exactly one of the two is right",
    },
    {
      name: "baseline",
      kind: "share",
      unit: "accuracy",
      meaning: "accuracy of the baseline",
      hint: "without `agreement` it predicts it",
    },
    {
      name: "overlap",
      kind: "text",
      unit: "which",
      meaning: "regression that predicts agreement",
      hint: "glue, squad, or a,b,c (see from-history)",
      default: "glue",
      idle: ({ agreement, discordant }) =>
        agreement === undefined && discordant === undefined ? undefined : "where the agreement is given",
    },
    testOf(PAIRED_TESTS),
    ...ERROR_RATE_PARAMETERS,
  ],
};

export const UNPAIRED: ScenarioSpec = {
  name: "unpaired",
  title: "accuracy of two systems on different items (two proportions)",
  summary: "accuracies on different items (two proportions)",
  effect: "delta",
  size: "n",
  parameters: [
    {
      name: "n",
      kind: "count",
      unit: "items",
      meaning: "items of the baseline, and of the new system unless `n2` is given",
    },
    { name: "n2", kind: "count", unit: "items", meaning: "items of the new system" },
    { name: "baseline", kind: "share", unit: "accuracy", meaning: "true accuracy of the baseline" },
    delta("true difference in accuracy, new minus baseline"),
    testOf(["boschloo", "fisher", "z", "z-cc"], "boschloo is what compare uses; z-cc: with continuity correction"),
    ...ERROR_RATE_PARAMETERS,
  ],
};

const WIN: ParameterSpec = { name: "win", kind: "share", meaning: "true proportion of judgements for the new system" };
const TIE: ParameterSpec = { name: "tie", kind: "share", meaning: "true proportion of ties", default: 0 };

export const PREFERENCE: ScenarioSpec = {
  name: "preference",
  title: "preferences between two systems (sign test)",
  summary: "wins, ties and losses of independent judgements (sign test)",
  effect: "win",
  size: "n",
  parameters: [
    { name: "n", kind: "count", unit: "judgements", meaning: "judgements, ties included", hint: "independent ones" },
    WIN,
    { ...TIE, hint: "which the test leaves out" },
    testOf(SIGN_TESTS),
    ...ERROR_RATE_PARAMETERS,
  ],
};

export const MEANS: ScenarioSpec = {
  name: "means",
  title: "mean scores",
  summary: "mean scores: paired, two samples or one (t, Wilcoxon, z), clusters of items",
  effect: "delta",
  size: "n",
  parameters: [
    { name: "n", kind: "count", unit: "items", meaning: "items; in each sample where there are two" },
    { name: "n2", kind: "count", unit: "items", meaning: "items of the second sample, if not the same" },
    delta("true difference of means"),
    { name: "sd", kind: "positive", meaning: "standard deviation of the differences, or of the scores", default: 1 },
    {
      name: "correlation",
      kind: "number",
      unit: "r",
      meaning: "of the two systems' scores over items; `sd` is then that of one system",
    },
    {
      name: "design",
      kind: "choice",
      choices: ["paired", "two-sample", "one-sample"],
      meaning: "which scores are compared",
      default: "paired",
    },
    testOf(["t", "wilcoxon", "z"]),
    {
      name: "clusterSize",
      kind: "count",
      unit: "m",
      meaning: "correlated items per document, topic …",
      default: 1,
    },
    {
      name: "icc",
      kind: "share",
      meaning: "proportion of the variance that a cluster's items have in common",
      default: 0,
      idle: ({ clusterSize }) =>
        clusterSize === undefined ? "without `clusterSize`, the items of a cluster" : undefined,
    },
    {
      name: "shape",
      kind: "choice",
      choices: ["normal", "laplace", "logistic"],
      meaning: "distribution of the deviations",
      default: "normal",
    },
    ...ERROR_RATE_PARAMETERS,
  ],
};

export const BLEU: ScenarioSpec = {
  name: "bleu",
  title: "BLEU or another corpus score of two systems (randomisation test)",
  summary: "BLEU and other corpus scores (randomisation test)",
  effect: "delta",
  size: "n",
  parameters: [
    { name: "n", kind: "count", unit: "sentences", meaning: "sentences of the test set" },
    delta("true difference of the scores, new minus baseline"),
    { name: "p0", kind: "share", meaning: "proportion of sentences whose swap changes nothing", default: 0.13 },
    {
      name: "b0",
      kind: "positive",
      meaning: "spread of the others: n times the Laplace scale of their effects",
      default: 25.8,
    },
    { ...testOf(["randomisation", "normal"], "normal is its limit"), only: "simulation" },
    { name: "randomisations", kind: "count", meaning: "swaps drawn by the test", default: 1000, only: "simulation" },
    {
      name: "approximation",
      kind: "choice",
      choices: ["normal", "saddlepoint"],
      meaning: 'law of the difference for `method: "approx"`',
      default: "normal",
      only: "approx",
    },
    ...ERROR_RATE_PARAMETERS,
  ],
};

/** A table says all of it. */
const beside =
  (table: string) =>
  (others: ScenarioParameters): string | undefined =>
    others[table] === undefined ? undefined : `beside \`${table}\`, which says it`;

export const F1: ScenarioSpec = {
  name: "f1",
  title: "F1, precision, recall or MCC of two classifiers (randomisation test)",
  summary: "F1, precision, recall, MCC of two classifiers (randomisation test)",
  effect: "recallGain",
  size: "n",
  parameters: [
    { name: "n", kind: "count", unit: "items", meaning: "items" },
    {
      name: "metric",
      kind: "choice",
      choices: CLASSIFIER_METRICS,
      meaning: "the score that is compared",
      default: "f1",
    },
    { name: "positive", kind: "share", meaning: "proportion of items whose label is positive" },
    {
      name: "recall",
      kind: "share",
      meaning: "baseline: proportion of positives that it finds",
      idle: beside("positiveTable"),
    },
    {
      name: "fpr",
      kind: "share",
      meaning: "baseline: proportion of negatives that it calls positive",
      idle: beside("negativeTable"),
    },
    {
      name: "recallGain",
      kind: "number",
      meaning: "recall of the new system minus that of the baseline",
      default: 0,
      idle: beside("positiveTable"),
    },
    {
      name: "fprGain",
      kind: "number",
      meaning: "false-positive rate of the new system minus that of the baseline",
      default: 0,
      idle: beside("negativeTable"),
    },
    {
      name: "positiveDisagreement",
      kind: "share",
      meaning: "proportion of positives on which the systems disagree",
      idle: beside("positiveTable"),
    },
    {
      name: "negativeDisagreement",
      kind: "share",
      meaning: "proportion of negatives on which the systems disagree",
      idle: beside("negativeTable"),
    },
    {
      name: "positiveTable",
      kind: "text",
      unit: "a,b,c,d",
      meaning: "instead, for positives: both, only baseline, only new, neither call it positive",
    },
    {
      name: "negativeTable",
      kind: "text",
      unit: "a,b,c,d",
      meaning: "the same for negatives that are called positive",
    },
    {
      name: "cells",
      kind: "text",
      unit: "r>b>n:count;…",
      meaning: "instead, for any number of classes: gold label > baseline's answer > new system's, and how often",
    },
    {
      name: "gain",
      kind: "number",
      unit: "difference",
      meaning: "with `cells`: true difference in the metric, if not the one that they show",
      hint: "disagreements lean towards one system until they give it; mde looks for it",
    },
    ...ERROR_RATE_PARAMETERS,
  ],
};

/** Who rates what. */
const ITEMS: ParameterSpec = { name: "items", kind: "count", meaning: "items, each of them answered by both systems" };
const RATERS: ParameterSpec = { name: "raters", kind: "count", meaning: "raters in all" };
const ratingsOf = (meaning: string): ParameterSpec => ({
  name: "ratings",
  kind: "count",
  meaning: `${meaning} (default: one by every rater)`,
});
const RATINGS = ratingsOf("ratings of each item under each system");
const DESIGN: ParameterSpec = {
  name: "design",
  kind: "choice",
  choices: DESIGN_KINDS,
  meaning: "who rates what",
  hint: "all rate all, some rate each item, or none meets an item twice",
};
const PER_RATER: ParameterSpec = { name: "perRater", kind: "count", meaning: "most texts that one rater rates" };
const LIST_LENGTH: ParameterSpec = {
  name: "listLength",
  kind: "count",
  meaning: "lists: texts per list, dealt out in turn (default: one list each)",
  // who meets which texts; an approximation knows how many only
  only: "simulation",
};

const sd = (name: string, meaning: string): ParameterSpec => ({ name, kind: "number", unit: "sd", meaning });

/** How raters and items differ. `difference`: what a slope is on the scale of the model. */
const spread = (difference: string): readonly ParameterSpec[] => [
  sd("raterIntercept", "SD of the raters' levels"),
  sd("raterSlope", `SD of the raters' ${difference} between the systems`),
  sd("itemIntercept", "SD of the items' levels"),
  sd("itemSlope", `SD of the items' ${difference} between the systems`),
];

export const LIKERT: ScenarioSpec = {
  name: "likert",
  title: "ratings of two systems by several raters (linear mixed model)",
  summary: "ratings by several raters (linear mixed model)",
  effect: "effect",
  size: "items",
  otherSizes: ["raters"],
  parameters: [
    ...[ITEMS, RATERS, RATINGS, DESIGN, PER_RATER, LIST_LENGTH],
    { name: "effect", kind: "number", meaning: "true difference between the systems, on the scale of the ratings" },
    { name: "beta", kind: "number", meaning: "instead of `effect`: half of it, as in Card et al. (2020)" },
    {
      name: "setting",
      kind: "choice",
      choices: Object.keys(LIKERT_SETTINGS),
      meaning: "standard deviations of a paper, ratings from 0 to 1",
    },
    ...spread("half differences"),
    sd("residual", "SD of a rating, all else being equal"),
    {
      name: "test",
      kind: "choice",
      choices: RATING_TESTS,
      meaning: "t test of the mixed model",
      hint: "z: beyond 1.96, after ML",
      default: "satterthwaite",
    },
    ...ERROR_RATE_PARAMETERS,
  ],
};

export const ORDINAL: ScenarioSpec = {
  name: "ordinal",
  title: "ratings of two systems on a scale of few points (ordinal probit mixed model)",
  summary: "ratings on a scale of few points (ordinal and linear mixed model)",
  effect: "effect",
  size: "items",
  otherSizes: ["raters"],
  parameters: [
    ...[ITEMS, RATERS, RATINGS, DESIGN, PER_RATER, LIST_LENGTH],
    { name: "effect", kind: "number", meaning: "true difference between the systems in SDs of the latent scale" },
    {
      name: "effectUnit",
      kind: "choice",
      choices: ["sd", "steps"],
      meaning: "what `effect` is counted in",
      hint: "steps: mean distances of the thresholds",
      default: "sd",
    },
    {
      name: "points",
      kind: "count",
      unit: "n",
      meaning: "points of the scale, if not those of the thresholds",
      hint: "fewer merge neighbours, more cut the same range finer",
    },
    {
      name: "thresholds",
      kind: "text",
      unit: "a,b,…",
      meaning: "between the points of the scale, rising: -1.8,-1.1,-0.5,0.1,0.8",
    },
    {
      name: "setting",
      kind: "choice",
      choices: Object.keys(ORDINAL_SETTINGS),
      meaning: "scale and standard deviations of a paper",
    },
    ...spread("differences"),
    {
      name: "structure",
      kind: "choice",
      choices: RATING_STRUCTURES,
      meaning: "the model by which ratings come about",
      hint: "continuation, stopping: step by step; adjacent: by odds of neighbouring points",
      default: "cumulative",
    },
    {
      name: "analysis",
      kind: "choice",
      choices: ["both", "clmm", "lmm", ...RATING_STRUCTURES.slice(1), "all"],
      meaning: "models fitted to each experiment",
      hint: "clmm: the ordinal one of `structure`; both: it and the linear one; all: every ordinal one and the linear one",
      default: "both",
    },
    ...ERROR_RATE_PARAMETERS,
  ],
};

export const HEAD_TO_HEAD: ScenarioSpec = {
  name: "head-to-head",
  title: "preferences between two systems by repeated raters (logistic mixed model)",
  summary: "preferences by repeated raters (logistic mixed model)",
  effect: "win",
  size: "items",
  otherSizes: ["raters"],
  parameters: [
    ...[ITEMS, RATERS, ratingsOf("judgements of each item"), DESIGN, PER_RATER],
    WIN,
    TIE,
    {
      name: "ties",
      kind: "choice",
      choices: ["drop", "split"],
      meaning: "what the analysis does with ties",
      hint: "split: half a win each",
      default: "drop",
    },
    sd("raterSd", "SD of the raters' preferences, in log odds"),
    sd("itemSd", "SD of the items' preferences, in log odds"),
    ...ERROR_RATE_PARAMETERS,
  ],
};

export const SEEDS: ScenarioSpec = {
  name: "seeds",
  title: "scores of two training procedures over several runs (seeds and items)",
  summary: "training procedures: several runs (seeds) of each, scored on the same items",
  effect: "delta",
  size: "items",
  otherSizes: ["seeds"],
  parameters: [
    { name: "items", kind: "count", meaning: "items that every run is scored on" },
    { name: "seeds", kind: "count", meaning: "training runs of each procedure" },
    delta("true difference of the procedures' mean scores"),
    sd("seedSd", "SD of a run's mean score, over runs of one procedure"),
    sd("itemSd", "SD over items of an item's difference between the procedures, run to run variation apart"),
    { ...sd("runItemSd", "SD of an item's score from run to run"), default: 0 },
    {
      name: "testSet",
      kind: "choice",
      choices: ["sample", "fixed"],
      meaning: "what the claim is about",
      hint: "sample: items like these; fixed: these very items",
      default: "sample",
    },
    ...ERROR_RATE_PARAMETERS,
  ],
};

export const SCENARIO_SPECS: readonly ScenarioSpec[] = [
  ...[ACCURACY, UNPAIRED, PREFERENCE, MEANS, BLEU, F1],
  ...[LIKERT, ORDINAL, HEAD_TO_HEAD, SEEDS],
  ...[CORRELATION, ONE_WAY, CHI_SQUARE, COHENS_H, NON_INFERIORITY],
];
