/** Flags of `gosset agreement`. */
import { AGREEMENT, allOptions } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const agreement: CommandSpec = {
  name: "agreement",
  question: "Would we get the same result again?",
  summary: "do raters agree? α, κ, π, AC1, intraclass correlations; whose label is right?",
  description:
    "Agreement between raters: percent, Krippendorff's α, Cohen's, Fleiss' and Conger's κ, Gwet's AC1/AC2, intraclass correlations; who disagrees and on what.",
  words: [
    [
      "<data...>",
      "one row per label; CSV, JSONL, Parquet or an annotation export; a file for each rater; - reads standard input",
    ],
  ],
  flags: flagsOf(allOptions(AGREEMENT)),
  examples: [
    "gosset agreement ratings.csv --item item --rater rater --label rating",
    "gosset agreement labels.jsonl --item text,system --rater annotator --label class --scale nominal --cluster document",
    "gosset agreement ratings.csv --item item --rater rater --label rating --weighting quadratic",
    "gosset agreement labels.csv --item text --rater annotator --label class --model dawid-skene",
    "gosset agreement wide.csv --raters ann,bob,eve",
    "gosset agreement counts.csv --counts yes,no,unsure",
    "gosset agreement anna.csv ben.csv cara.csv",
  ],
  load: async () => (await import("./run.ts")).run,
};
