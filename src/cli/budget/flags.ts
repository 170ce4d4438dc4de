/** Flags of `gosset budget`. */
import { allOptions, BUDGET } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const budget: CommandSpec = {
  name: "budget",
  question: "Would we get the same result again?",
  summary: "expected best score of a search by the number of configurations tried",
  description:
    "Expected best score of a search with every smaller budget, for one or more systems, and the budgets at which their order changes.",
  words: [["<data>", "one row per configuration tried; - reads standard input"]],
  flags: flagsOf(allOptions(BUDGET)),
  examples: [
    "gosset budget search.csv --score f1",
    "gosset budget search.csv --score loss --system model --budgets 1,5,10,50",
  ],
  load: async () => (await import("./run.ts")).run,
};
