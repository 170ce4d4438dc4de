/** Flags of `gosset reliability`. */
import { allOptions, RELIABILITY } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const reliability: CommandSpec = {
  name: "reliability",
  question: "Would we get the same result again?",
  summary: "are the scores reproducible? variance components, φ, number of raters and repeats",
  description:
    "Proportion of a score's variance due to the objects that are measured, and due to raters, seeds, prompts or settings; reliability after averaging.",
  words: [
    [
      "<data...>",
      "one row per score; CSV, JSONL, Parquet or an evaluation log; a file for each rater or run; - reads standard input",
    ],
  ],
  flags: flagsOf(allOptions(RELIABILITY)),
  examples: [
    "gosset reliability ratings.csv --score score --object item --facets rater,occasion --interactions --n rater=1-12 --n occasion=1-5",
    "gosset reliability ratings.csv --score score --object item --facets rater --target 0.8 --cost rater=25,score=0.3",
    "gosset reliability ratings.csv --score score --object item",
    "gosset reliability scale.csv --columns q1,q2,q3,q4",
    "gosset reliability logs/ --facets seed,prompt,judge",
  ],
  load: async () => (await import("./run.ts")).run,
};
