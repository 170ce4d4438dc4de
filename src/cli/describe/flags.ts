/** Flags of `gosset describe`. */
import type { CommandSpec } from "../command.ts";
import { READ_FLAGS } from "../flags.ts";

export const describe: CommandSpec = {
  name: "describe",
  question: "What is in this file?",
  summary: "what a file or folder holds, and which questions it can answer",
  description:
    "What a file or folder holds: its format, columns and their roles (system, item,\nscore, rater, …), and which questions it can answer, with the exact command.",
  words: [["<path>", "file or folder; - reads standard input"]],
  flags: [...READ_FLAGS],
  load: async () => (await import("./run.ts")).run,
};
