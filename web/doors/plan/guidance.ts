/** Which scenario, which numbers to begin with, and where each number comes from. */

export interface Guided {
  readonly name: string;
  readonly text: string;
  readonly small: string;
  /** Numbers to begin with. */
  readonly start: Readonly<Record<string, number | string>>;
  /** Has designs with costs. */
  readonly priced?: boolean;
  /** Each experiment is drawn and fitted: helpers are worth their start. */
  readonly simulated?: boolean;
}

export const GUIDED: readonly Guided[] = [
  {
    name: "accuracy",
    text: "Right or wrong, on the same items",
    small: "two systems answer one test set; McNemar, exact",
    start: { n: 500, delta: 0.02, agreement: 0.9 },
  },
  {
    name: "means",
    text: "A score for each item",
    small: "paired or not, clusters of items; t, exact",
    start: { n: 200, delta: 0.1, sd: 0.5 },
  },
  {
    name: "preference",
    text: "Which of two answers is better",
    small: "each judged once; sign test, exact",
    start: { n: 200, win: 0.6, tie: 0 },
  },
  {
    name: "likert",
    text: "Ratings on a scale, by several raters",
    small: "linear mixed model, simulated",
    start: { items: 100, raters: 15, ratings: 3, effect: 0.2, setting: "card-high" },
    priced: true,
    simulated: true,
  },
  {
    name: "head-to-head",
    text: "Preferences, by several raters",
    small: "logistic mixed model, simulated",
    start: { items: 100, raters: 10, ratings: 3, win: 0.6, raterSd: 0.5, itemSd: 0.5 },
    priced: true,
    simulated: true,
  },
  {
    name: "seeds",
    text: "Training runs with several seeds",
    small: "runs and items both vary; approximate",
    start: { items: 1000, seeds: 5, delta: 0.01, seedSd: 0.005, itemSd: 0.3 },
  },
];

/** Less often asked for: a list. */
export const OTHERS: readonly Guided[] = [
  {
    name: "ordinal",
    text: "Ratings on few points (ordinal model)",
    small: "",
    start: { items: 50, raters: 10, ratings: 3, effect: 0.4, setting: "howcroft-general" },
    priced: true,
    simulated: true,
  },
  {
    name: "unpaired",
    text: "Right or wrong, on different items",
    small: "",
    start: { n: 500, baseline: 0.7, delta: 0.05 },
  },
  { name: "bleu", text: "BLEU or another corpus score", small: "", start: { n: 2000, delta: 1 }, simulated: true },
  {
    name: "f1",
    text: "F1, precision, recall, MCC",
    small: "",
    start: {
      n: 1000,
      positive: 0.3,
      recall: 0.7,
      fpr: 0.1,
      recallGain: 0.05,
      positiveDisagreement: 0.15,
      negativeDisagreement: 0.05,
    },
    simulated: true,
  },
  {
    name: "non-inferiority",
    text: "Not worse by more than a margin",
    small: "",
    start: { n: 300, margin: 0.1, sd: 0.5 },
  },
  { name: "correlation", text: "A correlation", small: "", start: { n: 50, rho: 0.4 } },
  { name: "anova", text: "Means of several groups", small: "", start: { n: 50, groups: 3, f: 0.25 } },
  { name: "chi-square", text: "Counts in categories", small: "", start: { n: 200, w: 0.2, df: 1 } },
  { name: "cohens-h", text: "Two shares, by Cohen's h", small: "", start: { n: 200, h: 0.2 } },
];

/** Ways to a number, by the name of the parameter; the first word of each is set in bold. */
const EFFECT = [
  [
    "Ask what you would do.",
    "Below which difference would you keep the cheaper system? That is the smallest that matters.",
  ],
  ["Not from a pilot.", "The difference that a small pilot showed is too large on average; its spread is what helps."],
] as const;
const SIZE = [
  ["What you have:", "the size of the test set, or what the budget allows."],
  ["What you need:", "ask above for the size instead."],
] as const;
const SPREAD = [
  ["From a pilot:", "open its ratings here; for ratings the page reads the numbers from the file."],
  ["From a paper:", "the settings are those of published evaluations."],
] as const;

export const WHERE: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  n: SIZE,
  items: SIZE,
  raters: [
    [
      "Whom you can pay:",
      "few raters set a ceiling that no number of items lifts, if raters differ in the system they favour.",
    ],
    SIZE[1],
  ],
  ratings: [["Two or three", "of each text are usual; more raters help more than more ratings by the same ones."]],
  delta: EFFECT,
  effect: [...EFFECT, ["From your scale:", "one step of a scale from 1 to 5 is 0.25 where ratings are from 0 to 1."]],
  win: [
    ["Ask what you would do.", "0.5 means no preference; 0.6 is three of five judgements for the new system."],
    EFFECT[1],
  ],
  agreement: [
    ["From two runs:", "the proportion of items on which both systems are right or both are wrong; Compare shows it."],
    ["Without any:", "give the accuracy of the baseline instead, which predicts it."],
  ],
  baseline: [["From the last run", "of the system that you have, or from its paper."]],
  sd: [
    ["From a pilot:", "the standard deviation of the differences item by item, not of the scores."],
    ["From the scale:", "scores from 0 to 1 that differ a lot have about 0.5."],
  ],
  tie: [["From earlier judgements;", "0 if ties are not allowed."]],
  setting: SPREAD,
  raterIntercept: SPREAD,
  raterSlope: SPREAD,
  itemIntercept: SPREAD,
  itemSlope: SPREAD,
  residual: SPREAD,
  raterSd: SPREAD,
  itemSd: SPREAD,
  seedSd: [
    [
      "From your own runs:",
      "the standard deviation of the mean score over seeds of one procedure; five runs give a rough one.",
    ],
  ],
  runItemSd: SPREAD,
  seeds: [["What you can train.", "Runs of each procedure; more items do not replace them."]],
  icc: [["From a pilot:", "0 if items are independent; items of one document often share 0.05 to 0.2."]],
  positive: [["From the labels", "of the test set: the share that is positive."]],
  recall: [["From the baseline's", "confusion table."]],
  fpr: [["From the baseline's", "confusion table."]],
  margin: [["Ask what you would accept", "in exchange for a cheaper or faster system."]],
  power: [["Usual is 0.8:", "one true difference in five is then missed. 0.9 where missing it is dear."]],
  alpha: [["Usual is 0.05:", "one evaluation in twenty finds a difference where there is none."]],
};
