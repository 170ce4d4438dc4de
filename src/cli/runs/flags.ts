/** Flags of `gosset runs`. */
import type { CommandSpec } from "../command.ts";

export const runs: CommandSpec = {
  name: "runs",
  question: "Is the evaluation big enough?",
  summary: "contents and progress of a journal or a queue",
  description:
    "The simulations of a journal with the number of experiments, writers and speed; or the state of a queue in Redis.",
  words: [["<place>", "the folder of --journal, or redis://host:6379"]],
  examples: ["gosset runs runs/a"],
  load: async () => (await import("./run.ts")).run,
};
