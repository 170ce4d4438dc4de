/** Flags of `gosset judge` and its commands. */
import { allOptions, JUDGE_CORRECT } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

const DATA = ["<data>", "one row per judged output, with labels or without; CSV, JSONL, Parquet …"] as const;

const correct: CommandSpec = {
  name: "correct",
  summary: "the score and the difference that people would have given",
  description:
    "Corrects a judge's scores by people's labels of some outputs: the score of each system and the difference of each pair, next to the judge alone and the labels alone.",
  words: [DATA],
  flags: flagsOf(allOptions(JUDGE_CORRECT)),
  examples: [
    "gosset judge correct judged.csv",
    "gosset judge correct judged.csv --labels labels.csv --drawn random",
    "gosset judge correct panel.csv --judge gpt,claude --human gold --pass A",
  ],
  load: async () => (await import("./correct.ts")).run,
};

export const judge: CommandSpec = {
  name: "judge",
  question: "Does it measure what it claims?",
  summary: "what would people have said, where a model judges?",
  description: "Judges that are models, compared with people's labels: corrected scores and differences.",
  commands: [correct],
};
