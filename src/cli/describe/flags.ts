/** Flags of `gosset describe`. */
import type { CommandSpec } from "../command.ts";
import { DATA_FLAGS, flag, SHAPE_FLAGS } from "../flags.ts";

export const describe: CommandSpec = {
  name: "describe",
  question: "What is in this file?",
  summary: "what a file or folder holds, and which questions it can answer",
  description:
    "What a file or folder holds: its format, columns and their roles (system, item,\nscore, rater, …), and which questions it can answer, with the exact command.",
  words: [["<paths...>", "file or folder, or files that belong together; - reads standard input"]],
  flags: [
    flag("--metric <col>", "the score, where the guess is wrong"),
    flag("--system <col>", "what is compared; none takes a guess back"),
    flag("--item <cols>", "what was scored, likewise; several columns if together: doc,nr"),
    flag("--rater <col>", "who scored"),
    flag("--repeat <col>", "run, seed or epoch"),
    flag("--cluster <col>", "what items belong to"),
    flag("--task <col>", "data set or benchmark"),
    flag("--systems <a,b>", "a wide table: one column for each system"),
    ...SHAPE_FLAGS,
    ...DATA_FLAGS,
  ],
  examples: [
    "gosset describe results.csv",
    "gosset describe metrics.csv human.csv",
    "gosset describe results.csv --item question --metric grade",
  ],
  load: async () => (await import("./run.ts")).run,
};
