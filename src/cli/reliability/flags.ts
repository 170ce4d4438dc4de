/** Flags of `gosset reliability`. */
import type { CommandSpec } from "../command.ts";
import { COMPONENT_INTERVALS, flag, JOURNAL, RATING_FLAGS, roleFlags } from "../flags.ts";

export const reliability: CommandSpec = {
  name: "reliability",
  question: "Would we measure it again?",
  summary: "would the same items score the same again? variance components, φ, what to buy next",
  description:
    "How much of a score's variance is due to what is measured, and how much to raters, seeds, prompts or settings; what averaging would give.",
  words: [
    [
      "<data...>",
      "one row per score; CSV, JSONL, Parquet or an evaluation log; a file for each rater or run; - reads standard input",
    ],
  ],
  flags: [
    ...roleFlags("system item score metric rater raters run files"),
    flag("--object <col>", "what is measured: item, sentence (default: the file's items)"),
    flag("--facets <a,b>", "what varies beside it: raters, repeats, seeds, prompts, settings", { many: true }),
    flag("--columns <a,b,c>", "a wide table: one column of scores per rater, item of a scale or run", { many: true }),
    flag("--interactions [which]", "all (default with this flag), none, or a list such as item:rater", { many: true }),
    flag("--model <model>", "lmm for numbers, glmm for right/wrong, clmm for ordered ratings", {
      choices: ["lmm", "glmm", "clmm"],
    }),
    flag("--n <facet=1-12>", "numbers to try: rater=1-12, or rater=1,2,5", { many: true }),
    flag("--target <phi>", "find the cheapest design that reaches this φ"),
    flag("--cost <facet=price>", "price of a level of a facet, and of one score: rater=20,score=0.5", { many: true }),
    flag("--objects <n>", "objects that will be scored, for the price (default: as many as now)"),
    flag("--by <property>", "also within each class of this column (numbers are cut into three)"),
    COMPONENT_INTERVALS,
    flag("--replicates <n>", "draws for the intervals (default: 10000 generalised, 500 bootstrap)"),
    JOURNAL,
    ...RATING_FLAGS,
  ],
  examples: [
    "gosset reliability ratings.csv --score score --object item --facets rater,occasion --interactions --n rater=1-12 --n occasion=1-5",
    "gosset reliability ratings.csv --score score --object item --facets rater --target 0.8 --cost rater=25,score=0.3",
    "gosset reliability ratings.csv --score score --object item",
    "gosset reliability scale.csv --columns q1,q2,q3,q4",
    "gosset reliability logs/ --facets seed,prompt,judge",
  ],
  load: async () => (await import("./run.ts")).run,
};
