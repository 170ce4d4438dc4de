/** Flags of the scenarios with raters, corpus scores and F1, as plain data. */
import type { ScenarioFlags } from "./scenario-flags.ts";

const ALPHA = ["--alpha <x>", "error rate of the test (default: 0.05)"] as const;
const ONE_SIDED = ["--one-sided", "test for one direction only"] as const;

/** Who rates what. */
const DESIGN_FLAGS = [
  ["--items <n>", "items, each of them answered by both systems"],
  ["--raters <n>", "raters in all; auto: as many as --ratings and --per-worker take"],
  ["--ratings <n>", "ratings of each item under each system (default: one by every rater)"],
  ["--design <name>", "crossed (all rate all), k-of-m (some rate each item) or lists (no item twice)"],
  ["--per-worker <n>", "most texts that one rater rates"],
] as const;

const LIST_LENGTH = ["--list-length <n>", "lists: texts per list, dealt out in turn (default: one list each)"] as const;

const SDS = [
  ["--worker-intercept <sd>", "SD of the raters' levels"],
  ["--worker-slope <sd>", "SD of the raters' differences (likert: half of it, systems coded -1/+1)"],
  ["--item-intercept <sd>", "SD of the items' levels"],
  ["--item-slope <sd>", "SD of the items' differences (likert: half of it)"],
] as const;

export const LIKERT_FLAGS: ScenarioFlags["flags"] = [
  ["--effect <x>", "true difference between the systems, on the scale of the ratings"],
  ["--beta <x>", "instead: half of it, as in Card et al. (2020)"],
  ["--setting <name>", "SDs of a paper, ratings from 0 to 1: card-high, card-low"],
  ...SDS,
  ["--residual <sd>", "SD of a rating, all else being equal"],
  ["--test <name>", "satterthwaite (default), kenward-roger, or z: beyond 1.96, after ML"],
  ALPHA,
  ONE_SIDED,
];

export const ORDINAL_FLAGS: ScenarioFlags["flags"] = [
  ["--effect <x>", "true difference between the systems, in SDs of the latent scale"],
  ["--setting <name>", "howcroft-extra-low, -low, -general, -high, -extra-high"],
  ["--thresholds <a,b,…>", "between the points of the scale, rising, latent scale"],
  ...SDS,
  ALPHA,
  ONE_SIDED,
];

export const PREFERENCE_FLAGS: ScenarioFlags["flags"] = [
  ["--win <share>", "true share of judgements for the new system"],
  ["--tie <share>", "true share of ties (default: 0)"],
  ["--ties <what>", "drop (default) or split: half a win each"],
  ["--worker-sd <sd>", "SD of the raters' preferences, in log odds"],
  ["--item-sd <sd>", "SD of the items' preferences, in log odds"],
  ALPHA,
  ONE_SIDED,
];

export const RATING_SCENARIO_FLAGS: readonly ScenarioFlags[] = [
  {
    name: "bleu",
    summary: "BLEU and other corpus scores (randomisation test)",
    effect: "delta",
    size: "n",
    flags: [
      ["--n <sentences>", "sentences of the test set"],
      ["--delta <x>", "true difference of the scores, new minus baseline"],
      ["--p0 <share>", "share of sentences whose swap changes nothing (default: 0.13)"],
      ["--b0 <x>", "spread of the others: n times their Laplace scale (default: 25.8)"],
      ["--test <name>", "randomisation (default), or normal: its limit"],
      ["--randomisations <n>", "swaps drawn by the test (default: 1000)"],
      ["--approximation <name>", "of --method approx: normal (default) or saddlepoint"],
      ALPHA,
      ONE_SIDED,
    ],
    examples: [
      "--n 2000 --delta 1",
      "--n 2000 --method approx",
      "--delta 1 --method approx",
      "--over n=500:3000:500 --delta 1 --method approx",
    ],
  },
  {
    name: "f1",
    summary: "F1, precision, recall, MCC of two classifiers (randomisation test)",
    effect: "recallGain",
    size: "n",
    flags: [
      ["--n <items>", "items"],
      ["--metric <name>", "f1 (default), precision, recall, mcc or accuracy"],
      ["--positive <share>", "share of items whose label is positive"],
      ["--recall <share>", "baseline: share of positives that it finds"],
      ["--fpr <share>", "baseline: share of negatives that it calls positive"],
      ["--recall-gain <x>", "recall of the new system minus the baseline's (default: 0)"],
      ["--fpr-gain <x>", "false-positive rate of the new system minus the baseline's (default: 0)"],
      ["--positive-disagreement <share>", "share of positives on which the systems disagree"],
      ["--negative-disagreement <share>", "share of negatives on which the systems disagree"],
      ["--positive-table <a,b,c,d>", "instead: both, only baseline, only new, neither find a positive"],
      ["--negative-table <a,b,c,d>", "the same for negatives that are called positive"],
      ALPHA,
      ONE_SIDED,
    ],
    examples: [
      "--n 2000 --positive 0.2 --positive-table 0.75,0.05,0.1,0.1 --negative-table 0.03,0.02,0.02,0.93",
      "--n 2000 --positive 0.2 --recall 0.8 --fpr 0.05 --positive-disagreement 0.15 --negative-disagreement 0.04",
      "--positive 0.2 --recall 0.8 --fpr 0.05 --recall-gain 0.05 --positive-disagreement 0.15 --negative-disagreement 0.04",
      "--over n=1000,2000,4000 --positive 0.2 --positive-table 0.75,0.05,0.1,0.1 --negative-table 0.03,0.02,0.02,0.93",
    ],
  },
  {
    name: "likert",
    raters: true,
    pilot: true,
    summary: "ratings by several raters (linear mixed model)",
    effect: "effect",
    size: "items",
    flags: [...DESIGN_FLAGS, LIST_LENGTH, ...LIKERT_FLAGS],
    examples: [
      "--items 100 --raters 3 --effect 0.2 --setting card-high",
      "--items 100 --raters 10 --setting card-high --method approx",
      "--raters 60 --effect 0.2 --setting card-high --method approx",
      "--over raters=3,5,10,20 --items 100 --effect 0.2 --setting card-high --method approx",
    ],
  },
  {
    name: "ordinal",
    raters: true,
    pilot: true,
    summary: "ratings on a scale of few points (ordinal and linear mixed model)",
    effect: "effect",
    size: "items",
    flags: [
      ...DESIGN_FLAGS,
      LIST_LENGTH,
      ...ORDINAL_FLAGS,
      ["--analysis <name>", "clmm, lmm or both (default): fitted to each experiment"],
    ],
    examples: [
      "--items 50 --ratings 3 --per-worker 20 --effect 0.31 --setting howcroft-general --replicates 200",
      "--items 50 --ratings 3 --per-worker 20 --setting howcroft-general --method approx",
      "--ratings 3 --per-worker 20 --effect 0.31 --setting howcroft-general --method approx",
      "--over ratings=3,10 --items 50 --per-worker 20 --effect 0.31 --setting howcroft-general --method approx",
    ],
  },
  {
    name: "head-to-head",
    raters: true,
    summary: "preferences by repeated raters (logistic mixed model)",
    effect: "win",
    size: "items",
    flags: [...DESIGN_FLAGS, ...PREFERENCE_FLAGS],
    examples: [
      "--items 50 --raters 5 --win 0.6 --worker-sd 0.3 --item-sd 0.8",
      "--items 50 --raters 5 --worker-sd 0.3 --item-sd 0.8 --method approx",
      "--raters 5 --win 0.6 --worker-sd 0.3 --item-sd 0.8 --method approx",
      "--over items=25,50,100 --raters 5 --win 0.6 --worker-sd 0.3 --item-sd 0.8 --method approx",
    ],
  },
];
