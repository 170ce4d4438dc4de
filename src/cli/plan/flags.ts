/** Flags of `gosset plan`. */
import type { CommandSpec } from "../command.ts";
import { flag } from "../flags.ts";

const looks: CommandSpec = {
  name: "looks",
  summary: "look at the results several times and keep the error rate",
  description:
    "Bounds of a test that is looked at several times: z and p that a look must reach, the error spent, power, and how many more items the last look needs.",
  flags: [
    flag("--looks <n>", "equally spaced looks (default: 5)"),
    flag("--information <t1,t2,…>", "when to look: fractions of all items, the last one 1"),
    flag("--alpha <level>", "error of all looks together", { default: "0.05" }),
    flag("--sides <n>", "of the test", { choices: ["1", "2"], default: "2" }),
    flag("--spending <how>", "obrien-fleming, pocock, lan-demets-of, lan-demets-pocock, or hsd:GAMMA (hsd:-4)", {
      default: "lan-demets-of",
    }),
    flag("--drift <z>", "expected z at the last look: gives the power at each look"),
    flag("--power <share>", "for which the items are counted", { default: "0.8" }),
    flag("--look <k>", "a look that was taken, with --z: go on or stop, p, and an estimate that knows of the looks"),
    flag("--z <z>", "its statistic"),
  ],
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
  description: "Writes a plan file from flags; on a terminal what is missing is asked for.",
  words: [["<plan>", "the file to write, as in plan.yaml"]],
  flags: [
    flag("--systems <a,b>", "the baseline first"),
    flag("--metric <name>", "the score that decides"),
    flag("--items <n>", "how many items"),
    flag("--smallest-effect <x>", "smallest difference worth finding"),
    flag("--repeats <n>", "runs of each item (default: 1)"),
    flag("--cluster <col>", "column of items that hang together"),
    flag("--test <name>", "default: what fits the data"),
    flag("--alpha <x>", "error rate (default: 0.05)"),
    flag("--margin <x>", "smaller differences do not matter"),
    flag("--power <x>", "wanted chance of finding the smallest effect (default: 0.8)"),
    flag("--unscored <how>", "missing outcomes", { choices: ["complete", "wrong", "bounds"] }),
    flag("--looks <t1,t2,…>", "when to look: fractions of the items, the last 1"),
    flag("--spending <how>", "with --looks: lan-demets-of (default), pocock, hsd:-4 …"),
    flag("--futility <share>", "with --looks: give up where the last look has a smaller chance (not binding)"),
    flag("--agreement <share>", "expected: items on which both are right or both wrong"),
    flag("--baseline-score <share>", "expected: the baseline's accuracy, where agreement is not known"),
    flag("--sd <x>", "expected: standard deviation of the items' differences, of scores other than 0/1"),
    flag("--pairs <which>", "of several systems (default: baseline)", { choices: ["baseline", "all"] }),
    flag("--raters <n>", "people or judges who rate; with it the power is simulated"),
    flag("--ratings <n>", "with --raters: ratings of each item under each system (default: one by every rater)"),
    flag("--design <name>", "with --raters: who rates what", { choices: ["crossed", "k-of-m", "lists"] }),
    flag("--points <n>", "with --raters: points of the scale, from 1"),
    flag("--checks <n>", "with --raters: attention checks in each list"),
    flag("--exclude <n>", "with --checks: leave out raters who fail so many"),
    flag("--setting <name>", "with --raters: standard deviations of a paper (card-high, howcroft-general …)"),
    flag(
      "--pilot <a.csv,b.csv>",
      "with --raters: standard deviations of these pilots, pooled, with a low and a high setting",
    ),
    flag("--pilot-model <name>", "with --pilot (default: likert)", { choices: ["likert", "ordinal"] }),
  ],
  examples: [
    "gosset plan new plan.yaml --systems base,new --metric accuracy --items 500 --smallest-effect 0.05 --agreement 0.8",
    "gosset plan new study.yaml --systems base,new --metric rating --items 60 --smallest-effect 0.1 --raters 12 --ratings 3 --setting card-high",
  ],
  load: async () => (await import("./files.ts")).runNew,
};

const check: CommandSpec = {
  name: "check",
  summary: "what can this plan see?",
  description:
    "Power of a plan for its smallest effect, with its test, items and looks, and what it\ncannot see. With raters it simulates studies, which go through `compare` as the plan says.",
  words: [FILE],
  flags: [flag("--replicates <n>", "with ratings: simulated studies (default: 400)")],
  examples: ["gosset plan check plan.yaml"],
  load: async () => (await import("./files.ts")).runCheck,
};

const show: CommandSpec = {
  name: "show",
  summary: "the plan in sentences",
  description: "What the plan says, in sentences, with what it can see.",
  words: [FILE],
  examples: ["gosset plan show plan.yaml"],
  load: async () => (await import("./files.ts")).runShow,
};

const lock: CommandSpec = {
  name: "lock",
  summary: "fix a plan before there are results",
  description:
    "Writes <plan>.lock: the hash of the plan and, if given, the ids of its items. A plan\nthat was changed since is told, here and in gosset compare --plan.",
  words: [FILE],
  flags: [flag("--items <file>", "ids of the items, one a line")],
  examples: ["gosset plan lock plan.yaml --items ids.txt"],
  load: async () => (await import("./files.ts")).runLock,
};

const schedule: CommandSpec = {
  name: "schedule",
  summary: "a random, interleaved order of the runs",
  description:
    "Every item with every system and repeat, the systems of one item side by side in\nrandom order (--seed), so that drift over time falls on all alike. Of a plan with raters:\nthe list of each rater, balanced, with attention checks.",
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
  load: async () => (await import("./files.ts")).runSchedule,
};

export const plan: CommandSpec = {
  name: "plan",
  question: "Is the evaluation big enough?",
  summary: "state an evaluation before it is run, and look at it more than once",
  description: "Plans of evaluations: written, checked, locked, scheduled; followed by\ngosset compare --plan.",
  noun: "part of a plan",
  commands: [create, show, check, lock, schedule, looks],
  examples: ["gosset plan check plan.yaml", "gosset plan looks --looks 5 --spending obrien-fleming"],
};
