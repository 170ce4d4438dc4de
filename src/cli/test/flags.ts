/** Flags of `gosset test`. */
import { type Command, Option } from "commander";
import { addReadOptions, collect } from "../flags.ts";

/** Every test by its name, with the question it answers. */
export const TESTS: Readonly<Record<string, string>> = {
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

export function addTest(program: Command): void {
  const width = Math.max(...Object.keys(TESTS).map((name) => name.length));
  const list = Object.entries(TESTS).map(([name, line]) => `  ${name.padEnd(width)}  ${line}`);
  const test = program
    .command("test")
    .summary("one classical test, on numbers or columns")
    .description("One test alone, on numbers given here or on columns of a file.")
    .argument("<name>", "which test; see the list below")
    .argument("[data]", "a file; --x, --y, --columns then name its columns")
    .option("--x <numbers|column>", "first sample: 1,2,3 or a column")
    .option("--y <numbers|column>", "second sample")
    .option("--score <column>", "long files: the scores …")
    .option("--by <column>", "… of these systems or groups …")
    .option("--item <column>", "… on these items (makes pairs)")
    .option("--systems <a,b>", "which two levels of --by, in this order")
    .option("--columns <a,b,c>", "columns of several systems (friedman, cochran, anova, williams)")
    .option("--table <counts>", "mcnemar: both right,only x,only y,neither; fisher: rows as 8,1/2,5")
    .option("--n <counts>", "trials (binomial, proportions), or rows (williams)")
    .option("--r <r12,r13,r23>", "williams: three correlations, 1 being shared")
    .option("--p <values>", "partial-conjunction: p values of the data sets")
    .option("--cluster <column>", "items of one document, dialogue … hang together")
    .option("--paired", "x and y are pairs (t, z, equivalence)")
    .option("--unpaired", "x and y are different items (permutation)")
    .option("--equal", "t: equal variances (Student)")
    .option("--method <method>", "variant: exact, mid-p, normal, welch …")
    .option("--zeros <rule>", "wilcoxon: zero differences by wilcoxon, pratt or split")
    .option("--no-correct", "wilcoxon, rank-sum: no continuity correction")
    .option("--interval <method>", "of the effect: wilson, tango, newcombe, bca, …")
    .option("--mu <value>", "t, z: difference under the null hypothesis; binomial: proportion")
    .option("--sd <value>", "z: known standard deviation")
    .option("--margin <value>", "equivalence, non-inferiority: smallest difference that matters")
    .option("--replicates <n>", "permutation, bootstrap: random replicates", "10000")
    .addOption(
      new Option("--alternative <side>", "what speaks against the null hypothesis")
        .choices(["two-sided", "greater", "less"])
        .default("two-sided"),
    )
    .option("--confidence <level>", "confidence level of the interval", "0.95")
    .option("--where <condition>", "keep the rows for which it holds", collect, [])
    .option("--mutate <name=expr>", 'add a column: "gain = after - before"', collect, []);
  addReadOptions(test)
    .addHelpText(
      "after",
      `
Tests:
${list.join("\n")}

Examples:
  $ gosset test mcnemar --table 40,12,5,43 --method mid-p
  $ gosset test proportions --x 45,56 --n 100,100
  $ gosset test t --x 1,2,3,5 --y 2,3,4,4 --paired
  $ gosset test wilcoxon scores.csv --x baseline --y ours
  $ gosset test permutation long.csv --score f1 --by system --item id`,
    )
    .action(async (name, data, _, command) => {
      await (await import("./run.ts")).testCommand(name, data, command.optsWithGlobals());
    });
}
