/** Flags of `gosset describe`. */
import { allOptions, DESCRIBE } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const describe: CommandSpec = {
  name: "describe",
  question: "What is in this file?",
  summary: "what a file or folder holds, and which questions it can answer",
  description:
    "What a file or folder holds: its format, columns and their roles (system, item,\nscore, rater, …), and which questions it can answer, with the exact command.",
  words: [["<paths...>", "file or folder, or files that belong together; - reads standard input"]],
  flags: flagsOf(allOptions(DESCRIBE)),
  examples: [
    "gosset describe results.csv",
    "gosset describe metrics.csv human.csv",
    "gosset describe results.csv --item question --score grade",
    "gosset describe results.csv --item hash --save reading.yaml",
  ],
  load: async () => (await import("./run.ts")).run,
};
