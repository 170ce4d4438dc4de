/** Flags of `gosset importance`. */
import type { CommandSpec } from "../command.ts";
import { COMPONENT_INTERVALS, flag, JOURNAL, RATING_FLAGS, roleFlags } from "../flags.ts";

export const importance: CommandSpec = {
  name: "importance",
  question: "Would we measure it again?",
  summary: "which settings of a search matter? shares of the score's variance",
  description: "How much of a score's variance each meta-parameter of a grid or random search brings about.",
  words: [["<data>", "one row per configuration, or per configuration and item; - reads standard input"]],
  flags: [
    ...roleFlags("system item score metric run task"),
    flag("--parameters <a,b>", "the settings (default: those that the file names)", { many: true }),
    flag("--object <col>", "items scored one by one, if there are any"),
    flag("--interactions [which]", "all (default with this flag), none, or a list such as lr:batch", { many: true }),
    flag("--by <property>", "how the effect of each setting depends on this property of the data"),
    flag("--budget <col>", "training budgets (epochs, data): the shares within each of them"),
    COMPONENT_INTERVALS,
    flag("--replicates <n>", "draws for the intervals (default: 10000 generalised, 500 bootstrap)"),
    JOURNAL,
    ...RATING_FLAGS,
  ],
  examples: [
    "gosset importance grid.csv --score accuracy --parameters dropout,learning_rate,batch_size,seed",
    "gosset importance scores.csv --score ter --object sentence --parameters scheme --by length_class",
  ],
  load: async () => (await import("./run.ts")).run,
};
