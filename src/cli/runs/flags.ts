/** Flags of `gosset runs`. */
import type { CommandSpec } from "../command.ts";

export const runs: CommandSpec = {
  name: "runs",
  question: "Is the evaluation big enough?",
  summary: "what a journal holds, or a queue: simulations, how far, how fast",
  description:
    "The simulations of a journal with how many experiments are drawn, by how many writers and how fast; or the\nstate of a queue in Redis.",
  words: [["<place>", "the folder of --journal, or redis://host:6379"]],
  examples: ["gosset runs runs/a"],
  load: async () => (await import("./run.ts")).run,
};
