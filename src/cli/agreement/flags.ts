/** Flags of `gosset agreement`. */
import type { CommandSpec } from "../command.ts";
import { flag, RATING_FLAGS, roleFlags } from "../flags.ts";

export const agreement: CommandSpec = {
  name: "agreement",
  question: "Would we measure it again?",
  summary: "do raters agree? α, κ, π, AC1, intraclass correlations; whose label is right?",
  description:
    "Agreement between raters: percent, Krippendorff's α, Cohen's, Fleiss' and Conger's κ, Gwet's AC1/AC2, intraclass correlations; who disagrees and on what.",
  words: [
    [
      "<data...>",
      "one row per label; CSV, JSONL, Parquet or an annotation export; a file for each rater; - reads standard input",
    ],
  ],
  flags: [
    ...roleFlags(
      "system item score metric rater raters counts stubs lists cluster gold files",
      flag("--label <col>", "what the raters gave, a text or a number (as --score)"),
    ),
    flag("--model <model>", "dawid-skene: true classes, raters' confusions, a consensus label for each item", {
      choices: ["dawid-skene"],
    }),
    flag("--certainty <p>", "dawid-skene: items below this probability are to be asked again (default: 0.9)"),
    flag("--scale <scale>", "of the labels, for α", { choices: ["nominal", "ordinal", "interval", "ratio"] }),
    flag("--weighting <kind>", "of κ and AC2: none, linear, quadratic, or rows such as 1,.5,0;.5,1,.5;0,.5,1", {
      default: "none",
    }),
    flag("--categories <a,b,c>", "all labels, in order"),
    flag("--replicates <n>", "bootstrap replicates for the intervals; 0: none", { default: "1000" }),
    flag("--details", "also every coefficient, label and rater, and which labels meet"),
    ...RATING_FLAGS,
  ],
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
