/** Flags of `gosset emmeans`. */
import { EMMEANS, MEANS_MODEL } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const emmeans: CommandSpec = {
  name: "emmeans",
  question: "Is the difference real?",
  summary: "marginal means of a model and their contrasts",
  description: "Marginal means of a model's factors, averaged over the other factors, and their pairwise contrasts.",
  words: [
    ["<formula>", 'as for fit: "score ~ system * length"'],
    ["<data>", "as for fit"],
  ],
  flags: [...flagsOf(EMMEANS), ...flagsOf(MEANS_MODEL)],
  examples: [
    'gosset emmeans "score ~ system * length" ratings.csv --by system --within length',
    'gosset emmeans "correct ~ system" items.jsonl --family binomial --by system --type response',
    'gosset emmeans "score ~ system * tokens" results.csv --by system --slopes tokens',
    'gosset emmeans "rating ~ system + (1 | item)" ratings.csv --model clmm --by system --type prob',
  ],
  load: async () => (await import("./run.ts")).run,
};
