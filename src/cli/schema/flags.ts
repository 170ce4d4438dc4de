/** Flags of `gosset schema`. */
import type { CommandSpec } from "../command.ts";

export const schema: CommandSpec = {
  name: "schema",
  question: "What does the program print?",
  summary: "the JSON Schema of what --json prints",
  description:
    "The JSON Schema (draft 2020-12) of what --json prints, by the kind of the object or by\nthe command; without either, the list of both.",
  words: [["[name]", "a kind (comparison, lmm, power, …) or a command (compare, fit, …)"]],
  examples: ["gosset schema", "gosset schema compare", "gosset schema lmm --out lmm.schema.json"],
  takes: ["--out", "--json", "--format"],
  load: async () => (await import("./run.ts")).run,
};
