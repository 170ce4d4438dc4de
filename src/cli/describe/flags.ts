/** Flags of `gosset describe`. */
import type { CommandSpec } from "../command.ts";
import { DATA_FLAGS, flag, roleFlags } from "../flags.ts";

export const describe: CommandSpec = {
  name: "describe",
  question: "What is in this file?",
  summary: "what a file or folder holds, and which questions it can answer",
  description:
    "What a file or folder holds: its format, columns and their roles (system, item,\nscore, rater, …), and which questions it can answer, with the exact command.",
  words: [["<paths...>", "file or folder, or files that belong together; - reads standard input"]],
  flags: [
    ...roleFlags(undefined, flag("--systems <a,b,c>", "a wide table: one column of scores for each system")),
    flag("--why", "also print why each column has its role: the format, its name, the files, or your answer"),
    flag(
      "--save <file>",
      "write the roles of the columns as YAML, for --reading; Gosset reads a gosset.yaml next to the data automatically",
    ),
    ...DATA_FLAGS,
  ],
  examples: [
    "gosset describe results.csv",
    "gosset describe metrics.csv human.csv",
    "gosset describe results.csv --item question --score grade",
    "gosset describe results.csv --item hash --save reading.yaml",
  ],
  load: async () => (await import("./run.ts")).run,
};
