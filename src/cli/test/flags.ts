/** Flags of `gosset test`. */
import type { CommandSpec } from "../command.ts";
import { DATA_FLAGS, flag } from "../flags.ts";

/** Every test by its name, with the question it answers. */
const TESTS: Readonly<Record<string, string>> = {
  mcnemar: "two systems right or wrong on the same items",
  permutation: "mean difference on the same items, by swapping",
  bootstrap: "the same by resampling, with BCa interval",
  t: "difference of means (--paired: on the same items)",
  z: "difference of means, large samples or known --sd",
  wilcoxon: "signed ranks of paired differences",
  sign: "is x above y as often as below?",
  "rank-sum": "ranks of two samples (Mann-Whitney)",
  "brunner-munzel": "P(x > y) = 1/2 without equal spreads",
  ks: "two distributions (Kolmogorov-Smirnov, exact)",
  proportions: "two independent proportions",
  binomial: "one proportion, with all its intervals",
  fisher: "a table of counts, exact",
  equivalence: "is the difference within ±margin? (TOST)",
  "non-inferiority": "is x no worse than y by more than the margin?",
  friedman: "ranks of systems over data sets, with Nemenyi",
  cochran: "several systems right or wrong on the same items",
  anova: "means of groups, with Tukey (also welch, kruskal)",
  pearson: "correlation, linear",
  spearman: "correlation of ranks",
  kendall: "correlation of orders (tau-b)",
  somers: "asymmetric correlation of orders (d)",
  williams: "which of two metrics follows the human scores better?",
  shapiro: "is a sample normal?",
  "partial-conjunction": "on how many of several data sets is there an effect?",
};

const WIDTH = Math.max(...Object.keys(TESTS).map((name) => name.length));
const TEST_LIST = Object.entries(TESTS)
  .map(([name, line]) => `  ${name.padEnd(WIDTH)}  ${line}`)
  .join("\n");

export const test: CommandSpec = {
  name: "test",
  question: "Is the difference real?",
  summary: "one classical test, on numbers or columns",
  description: "One test alone, on numbers given here or on columns of a file.",
  words: [
    ["<name>", "which test; see the list below"],
    ["[data]", "a file; --x, --y, --columns then name its columns"],
  ],
  flags: [
    flag("--x <numbers|column>", "first sample: 1,2,3 or a column"),
    flag("--y <numbers|column>", "second sample"),
    flag("--score <column>", "long files: the scores …"),
    flag("--by <column>", "… of these systems or groups …"),
    flag("--item <column>", "… on these items (makes pairs)"),
    flag("--systems <a,b>", "which two levels of --by, in this order"),
    flag("--columns <a,b,c>", "columns of several systems (friedman, cochran, anova, williams)"),
    flag("--table <counts>", "mcnemar: both right,only x,only y,neither; fisher: rows as 8,1/2,5"),
    flag("--n <counts>", "trials (binomial, proportions), or rows (williams)"),
    flag("--r <r12,r13,r23>", "williams: three correlations, 1 being shared"),
    flag("--p <values>", "partial-conjunction: p values of the data sets"),
    flag("--cluster <column>", "items of one document, dialogue … hang together"),
    flag("--paired", "x and y are pairs (t, z, equivalence)"),
    flag("--unpaired", "x and y are different items (permutation)"),
    flag("--equal", "t: equal variances (Student)"),
    flag("--method <method>", "variant: exact, mid-p, normal, welch …"),
    flag("--zeros <rule>", "wilcoxon: zero differences by wilcoxon, pratt or split"),
    flag("--no-correct", "wilcoxon, rank-sum: no continuity correction"),
    flag("--interval <method>", "of the effect: wilson, tango, newcombe, bca, …"),
    flag("--mu <value>", "t, z: difference under the null hypothesis; binomial: proportion"),
    flag("--sd <value>", "z: known standard deviation"),
    flag("--margin <value>", "equivalence, non-inferiority: smallest difference that matters"),
    flag("--replicates <n>", "permutation, bootstrap: random replicates", { default: "10000" }),
    flag("--alternative <side>", "what speaks against the null hypothesis", {
      choices: ["two-sided", "greater", "less"],
      default: "two-sided",
    }),
    flag("--confidence <level>", "confidence level of the interval", { default: "0.95" }),
    ...DATA_FLAGS,
  ],
  remark: `Tests:\n${TEST_LIST}`,
  examples: [
    "gosset test mcnemar --table 40,12,5,43 --method mid-p",
    "gosset test proportions --x 45,56 --n 100,100",
    "gosset test t --x 1,2,3,5 --y 2,3,4,4 --paired",
    "gosset test wilcoxon scores.csv --x baseline --y ours",
    "gosset test permutation long.csv --score f1 --by system --item id",
  ],
  load: async () => (await import("./run.ts")).run,
};
