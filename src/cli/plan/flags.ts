/** Flags of `gosset plan`. */
import { LOOKS, PLAN } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flag, flagsOf } from "../flags.ts";

const looks: CommandSpec = {
  name: "looks",
  summary: "interim analyses that keep the error rate",
  description:
    "Group-sequential bounds: critical z and p of each look (interim analysis), the error spent, power, and the additional items that the last look needs.",
  flags: flagsOf(LOOKS),
  examples: [
    "gosset plan looks --looks 5",
    "gosset plan looks --information 0.25,0.5,1 --spending hsd:-4 --drift 3",
    "gosset plan looks --looks 4 --look 2 --z 2.9",
  ],
  load: async () => (await import("./run.ts")).runLooks,
};

const FILE = ["<plan>", "a YAML or JSON file (gosset schema plan-file)"] as const;

const create: CommandSpec = {
  name: "new",
  summary: "write a plan",
  description: "Writes a plan file from flags; on a terminal Gosset asks for what is missing.",
  words: [["<plan>", "the file to write, as in plan.yaml"]],
  flags: flagsOf(PLAN),
  examples: [
    "gosset plan new plan.yaml --systems base,new --metric accuracy --items 500 --smallest-effect 0.05 --agreement 0.8",
    "gosset plan new study.yaml --systems base,new --metric rating --items 60 --smallest-effect 0.1 --raters 12 --ratings 3 --setting card-high",
  ],
  load: async () => (await import("./run.ts")).runNew,
};

const check: CommandSpec = {
  name: "check",
  summary: "what can this plan detect?",
  description:
    "Power of a plan for its smallest effect, with its test, items and looks, and its minimum detectable effect. With raters it simulates studies, which go through `compare` as the plan says.",
  words: [FILE],
  flags: [flag("--replicates <n>", "with ratings: simulated studies (default: 400)")],
  examples: ["gosset plan check plan.yaml"],
  load: async () => (await import("./run.ts")).runCheck,
};

const show: CommandSpec = {
  name: "show",
  summary: "the plan in sentences",
  description: "The plan in sentences, with its power.",
  words: [FILE],
  examples: ["gosset plan show plan.yaml"],
  load: async () => (await import("./run.ts")).runShow,
};

const lock: CommandSpec = {
  name: "lock",
  summary: "lock a plan before there are results",
  description:
    "Writes <plan>.lock: the hash of the plan and, if given, the ids of its items. Later changes to the plan are reported here and by gosset compare --plan.",
  words: [FILE],
  flags: [flag("--items <file>", "ids of the items, one a line")],
  examples: ["gosset plan lock plan.yaml --items ids.txt"],
  load: async () => (await import("./run.ts")).runLock,
};

const schedule: CommandSpec = {
  name: "schedule",
  summary: "a random, interleaved order of the runs",
  description:
    "Every item with every system and repeat, the systems of one item next to each other in random order (--seed), so that drift over time affects all systems equally. Of a plan with raters: the list of each rater, balanced, with attention checks.",
  words: [FILE],
  flags: [
    flag("--items <file>", "ids of the items, one a line; default: those of the lock"),
    flag(
      "--to <file>",
      "the schedule as .csv: order, item, system, repeat; lists: id, rater, position, item, system, check",
      {
        required: true,
      },
    ),
    flag(
      "--blind <file>",
      "with ratings: also the lists without systems, for Label Studio, MTurk, Prolific or a sheet",
    ),
    flag("--texts <file>", "with --blind: what the systems said (item, system, text), to stand in the lists"),
  ],
  examples: [
    "gosset plan schedule plan.yaml --items ids.txt --to runs.csv --seed 7",
    "gosset plan schedule study.yaml --items ids.txt --to lists.csv --blind tasks.csv --texts outputs.csv",
  ],
  load: async () => (await import("./run.ts")).runSchedule,
};

export const plan: CommandSpec = {
  name: "plan",
  question: "Is the evaluation big enough?",
  summary: "preregister an evaluation, with interim analyses",
  description: "Write, check, lock and schedule the plan of an evaluation; gosset compare --plan follows it.",
  noun: "part of a plan",
  commands: () => [create, show, check, lock, schedule, looks],
  examples: ["gosset plan check plan.yaml", "gosset plan looks --looks 5 --spending obrien-fleming"],
};
