/** Flags of `gosset anova`. */
import { ANOVA } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const anova: CommandSpec = {
  name: "anova",
  question: "Is the difference real?",
  summary: "compare two nested models",
  description:
    "Likelihood-ratio test (and for lm the F test) of a smaller model within a larger one.\nModels with random effects are fitted by ML.",
  words: [
    ["<formula0>", "the smaller model"],
    ["<formula1>", "the larger model"],
    ["<data>", "as for fit"],
  ],
  flags: flagsOf(ANOVA),
  examples: [
    'gosset anova "score ~ length" "score ~ length + system" ratings.csv',
    'gosset anova "score ~ (1 | item)" "score ~ system + (1 | item)" data.csv --model clmm',
    'gosset anova "rating ~ system" "rating ~ system" ratings.csv --model clm --threshold equidistant,flexible',
  ],
  load: async () => (await import("./run.ts")).run,
};
