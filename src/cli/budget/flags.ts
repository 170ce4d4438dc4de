/** Flags of `gosset budget`. */
import type { CommandSpec } from "../command.ts";
import { flag, RATING_FLAGS, roleFlags } from "../flags.ts";

export const budget: CommandSpec = {
  name: "budget",
  question: "Would we measure it again?",
  summary: "expected best score of a search by the number of configurations tried",
  description: "What a search of every smaller budget would have found, for one or more systems, and where they cross.",
  words: [["<data>", "one row per configuration tried; - reads standard input"]],
  flags: [
    ...roleFlags("score metric direction", flag("--system <col>", "compare the searches of several systems")),
    flag("--configuration <a,b>", "columns that make a configuration; its rows are averaged first", { many: true }),
    flag("--budgets <1,2,5,10>", "budgets to show (default: up to the number of configurations)"),
    flag("--replicates <n>", "bootstrap replicates for the interval of the expectation", { default: "1000" }),
    ...RATING_FLAGS,
  ],
  examples: [
    "gosset budget search.csv --score f1",
    "gosset budget search.csv --score loss --system model --budgets 1,5,10,50",
  ],
  load: async () => (await import("./run.ts")).run,
};
