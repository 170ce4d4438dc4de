/** Flags of `gosset compare`. */
import { allOptions, COMPARE } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const compare: CommandSpec = {
  name: "compare",
  question: "Is the difference real?",
  summary: "is the difference between systems significant?",
  description:
    "Compares two or more systems on the same items: the difference with its 95 % CI, a test that fits the data, the minimum detectable effect, and one verdict.",
  words: [["<files...>", "logs, tables or texts, the baseline first; or one file with several systems"]],
  flags: flagsOf(allOptions(COMPARE)),
  examples: [
    "gosset compare baseline.eval candidate.eval",
    "gosset compare results.csv --systems base,new --metric accuracy",
    "gosset compare a.txt b.txt --ref reference.txt --metric bleu",
    "gosset compare predictions.csv --gold label --pred model_a,model_b",
    "gosset compare ratings.csv --by length --cut 15,55",
    "gosset compare a.jsonl b.jsonl --margin 0.01",
    "gosset compare a.jsonl b.jsonl --flips items.csv",
  ],
  load: async () => (await import("./run.ts")).run,
};
