/** Flags of `gosset importance`. */
import { allOptions, IMPORTANCE } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const importance: CommandSpec = {
  name: "importance",
  question: "Would we get the same result again?",
  summary: "which settings of a search matter? proportions of the score's variance",
  description: "Proportion of a score's variance due to each meta-parameter of a grid or random search.",
  words: [["<data>", "one row per configuration, or per configuration and item; - reads standard input"]],
  flags: flagsOf(allOptions(IMPORTANCE)),
  examples: [
    "gosset importance grid.csv --score accuracy --parameters dropout,learning_rate,batch_size,seed",
    "gosset importance scores.csv --score ter --object sentence --parameters scheme --by length_class",
  ],
  load: async () => (await import("./run.ts")).run,
};
