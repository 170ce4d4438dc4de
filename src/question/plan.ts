/** Planned analyses: the options of `plan new` and `plan looks`. What a plan may say is judged where plan files are read. */
import type { OptionTable } from "./option.ts";

export const PLAN = {
  systems: { takes: "text", value: "a,b", help: "the baseline first" },
  metric: { takes: "text", value: "name", help: "primary metric" },
  items: { takes: "text", value: "n", help: "how many items" },
  smallestEffect: { takes: "text", value: "x", help: "smallest difference worth finding" },
  repeats: { takes: "text", value: "n", help: "runs of each item (default: 1)" },
  cluster: { takes: "text", value: "col", help: "column of clusters: items of one document, topic … are correlated" },
  test: { takes: "text", value: "name", help: "default: what fits the data" },
  alpha: { takes: "text", value: "x", help: "error rate (default: 0.05)" },
  margin: { takes: "text", value: "x", help: "smaller differences do not matter" },
  power: { takes: "text", value: "x", help: "target power for the smallest effect (default: 0.8)" },
  unscored: { takes: "choice", choices: ["complete", "wrong", "bounds"], value: "how", help: "missing outcomes" },
  looks: { takes: "text", value: "t1,t2,…", help: "looks as fractions of the items, the last 1" },
  spending: {
    takes: "text",
    value: "how",
    help: "with --looks: lan-demets-of (default), pocock, hsd:-4 …",
    needs: ["looks"],
  },
  futility: {
    takes: "text",
    value: "share",
    help: "with --looks: stop for futility below this conditional power at the last look (not binding)",
    needs: ["looks"],
  },
  agreement: { takes: "text", value: "share", help: "expected: items on which both are right or both wrong" },
  baselineScore: {
    takes: "text",
    value: "share",
    help: "expected: the baseline's accuracy, where agreement is not known",
  },
  sd: {
    takes: "text",
    value: "x",
    help: "expected: standard deviation of the items' differences, of scores other than 0/1",
  },
  pairs: {
    takes: "choice",
    choices: ["baseline", "all"],
    value: "which",
    help: "of several systems (default: baseline)",
  },
  raters: { takes: "text", value: "n", help: "people or judges who rate; with it the power is simulated" },
  ratings: {
    takes: "text",
    value: "n",
    help: "with --raters: ratings of each item under each system (default: one by every rater)",
    needs: ["raters"],
  },
  design: {
    takes: "choice",
    choices: ["crossed", "k-of-m", "lists"],
    value: "name",
    help: "with --raters: who rates what",
    needs: ["raters"],
  },
  points: { takes: "text", value: "n", help: "with --raters: points of the scale, from 1", needs: ["raters"] },
  checks: { takes: "text", value: "n", help: "with --raters: attention checks in each list", needs: ["raters"] },
  exclude: {
    takes: "text",
    value: "n",
    help: "with --checks: leave out raters who fail so many",
    needs: ["raters"],
  },
  setting: {
    takes: "text",
    value: "name",
    help: "with --raters: standard deviations of a paper (card-high, howcroft-general …)",
    ...{ needs: ["raters"], unless: ["pilot"] },
  },
  pilot: {
    takes: "text",
    value: "a.csv,b.csv",
    help: "with --raters: standard deviations of these pilots, pooled, with a low and a high setting",
    needs: ["raters"],
  },
  pilotModel: {
    takes: "choice",
    choices: ["likert", "ordinal"],
    value: "name",
    help: "with --pilot (default: likert)",
    needs: ["pilot"],
  },
} as const satisfies OptionTable;

export const LOOKS = {
  looks: { takes: "number", value: "n", help: "number of equally spaced looks (default: 5)" },
  information: { takes: "numbers", value: "t1,t2,…", help: "looks as fractions of all items, the last one 1" },
  alpha: { takes: "number", value: "level", help: "overall error rate of all looks", default: "0.05" },
  sides: { takes: "number", value: "n", help: "of the test, 1 or 2", default: "2" },
  spending: {
    takes: "text",
    value: "how",
    help: "obrien-fleming, pocock, lan-demets-of, lan-demets-pocock, or hsd:GAMMA (hsd:-4)",
    default: "lan-demets-of",
  },
  drift: { takes: "number", value: "z", help: "expected z at the last look: gives the power at each look" },
  power: { takes: "number", value: "share", help: "target power, from which the items are computed", default: "0.8" },
  look: {
    takes: "number",
    value: "k",
    help: "a look that was taken, with --z: continue or stop, p, and an estimate adjusted for the looks",
  },
  z: { takes: "number", value: "z", help: "its statistic" },
} as const satisfies OptionTable;
