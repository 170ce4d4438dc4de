/** Flags of `gosset judge` and its commands. */
import {
  allOptions,
  JUDGE_AUDIT,
  JUDGE_CHECK,
  JUDGE_CORRECT,
  JUDGE_NEXT,
  JUDGE_PLAN,
  JUDGE_SAMPLE,
} from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

const DATA = ["<data>", "one row per judged output, with labels or without; CSV, JSONL, Parquet …"] as const;

const check: CommandSpec = {
  name: "check",
  summary: "is the judge any good, and whom does it favor?",
  description:
    "Agreement of a judge with people's labels, its errors by system and by columns, its repeats, and the alternative annotator test.",
  words: [DATA],
  flags: flagsOf(allOptions(JUDGE_CHECK)),
  examples: ["gosset judge check judged.csv", "gosset judge check judged.csv --labels labels.csv --by position,length"],
  load: async () => (await import("./run.ts")).check,
};

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
  load: async () => (await import("./run.ts")).correct,
};

const sample: CommandSpec = {
  name: "sample",
  summary: "which outputs should people label?",
  description:
    "Draws items at random, within strata or by doubt, and writes a blinded, shuffled sheet to label, with a key that says what each line is.",
  words: [DATA],
  flags: flagsOf(allOptions(JUDGE_SAMPLE)),
  examples: ["gosset judge sample judged.csv --n 50 --by judge --show question,answer --sheet sheet.csv --key key.csv"],
  load: async () => (await import("./run.ts")).sample,
};

const plan: CommandSpec = {
  name: "plan",
  summary: "how many labels and judgments for a wanted precision?",
  description: "The cheapest mix of labels and judged outputs for an interval of a pass rate that is narrow enough.",
  flags: flagsOf(allOptions(JUDGE_PLAN)),
  examples: [
    "gosset judge plan --pass-rate 0.7 --sensitivity 0.9 --specificity 0.8 --half-width 0.05",
    "gosset judge plan --pass-rate 0.7 --sensitivity 0.9 --specificity 0.8 --half-width 0.05 --label-cost 2 --judgment-cost 0.02 --outputs 2000",
  ],
  load: async () => (await import("./run.ts")).plan,
};

const next: CommandSpec = {
  name: "next",
  summary: "stop labeling, or go on?",
  description: "The corrected difference of two systems after the labels so far, by an anytime-valid interval.",
  words: [DATA],
  flags: flagsOf(allOptions(JUDGE_NEXT)),
  examples: ["gosset judge next judged.csv --labels labels.csv"],
  load: async () => (await import("./run.ts")).next,
};

const audit: CommandSpec = {
  name: "audit",
  summary: "may a calibration be carried to another system, time or version?",
  description: "Whether labels of one group predict those of the others: the mean residual against a margin.",
  words: [DATA],
  flags: flagsOf(allOptions(JUDGE_AUDIT)),
  examples: [
    "gosset judge audit judged.csv --from base --margin 0.1",
    "gosset judge audit judged.csv --by version --from v1 --margin 0.1",
  ],
  load: async () => (await import("./run.ts")).audit,
};

export const judge: CommandSpec = {
  name: "judge",
  question: "Does it measure what it claims?",
  summary: "what would people have said, where a model judges?",
  description: "Judges that are models, compared with people's labels: corrected scores and differences.",
  commands: () => [check, correct, sample, plan, next, audit],
};
