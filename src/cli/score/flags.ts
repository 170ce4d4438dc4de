/** Flags of `gosset score`. */
import { allOptions, SCORE } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const score: CommandSpec = {
  name: "score",
  question: "What is in this file?",
  summary: "score systems: BLEU, chrF, TER, WER, ROUGE, accuracy, F1, MCC, exact match, …",
  description: "Scores of systems from their outputs or item results. Text metrics give the\ndigits of sacreBLEU 2.6.",
  words: [["<files...>", "text, one segment a line (with --ref), or results: CSV, JSONL, Parquet, evaluation logs"]],
  flags: flagsOf(allOptions(SCORE)),
  examples: [
    "gosset score system.txt --ref reference.txt --metric bleu",
    "gosset score a.txt b.txt c.txt.gz --ref ref1.txt --ref ref2.txt --metric ter",
    "gosset score predictions.csv --metric f1 --gold label --pred predicted --positive spam",
    "gosset score samples.jsonl",
    "gosset score tries.jsonl --metric pass@5 --details",
    "gosset score system.txt --ref reference.txt --sentence --format csv",
  ],
  load: async () => (await import("./run.ts")).run,
};
