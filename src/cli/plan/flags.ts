/** Flags of `gosset plan`. */
import type { CommandSpec } from "../command.ts";
import { flag } from "../flags.ts";

const looks: CommandSpec = {
  name: "looks",
  summary: "interim analyses that keep the error rate",
  description:
    "Group-sequential bounds: critical z and p of each look (interim analysis), the error spent, power, and the additional items that the last look needs.",
  flags: [
    flag("--looks <n>", "number of equally spaced looks (default: 5)"),
    flag("--information <t1,t2,…>", "looks as fractions of all items, the last one 1"),
    flag("--alpha <level>", "overall error rate of all looks", { default: "0.05" }),
    flag("--sides <n>", "of the test", { choices: ["1", "2"], default: "2" }),
    flag("--spending <how>", "obrien-fleming, pocock, lan-demets-of, lan-demets-pocock, or hsd:GAMMA (hsd:-4)", {
      default: "lan-demets-of",
    }),
    flag("--drift <z>", "expected z at the last look: gives the power at each look"),
    flag("--power <share>", "target power, from which the items are computed", { default: "0.8" }),
    flag("--look <k>", "a look that was taken, with --z: continue or stop, p, and an estimate adjusted for the looks"),
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
  description: "Writes a plan file from flags; on a terminal Gosset asks for what is missing.",
  words: [["<plan>", "the file to write, as in plan.yaml"]],
  flags: [
    flag("--systems <a,b>", "the baseline first"),
    flag("--metric <name>", "primary metric"),
    flag("--items <n>", "how many items"),
    flag("--smallest-effect <x>", "smallest difference worth finding"),
    flag("--repeats <n>", "runs of each item (default: 1)"),
    flag("--cluster <col>", "column of clusters: items of one document, topic … are correlated"),
    flag("--test <name>", "default: what fits the data"),
    flag("--alpha <x>", "error rate (default: 0.05)"),
    flag("--margin <x>", "smaller differences do not matter"),
    flag("--power <x>", "target power for the smallest effect (default: 0.8)"),
    flag("--unscored <how>", "missing outcomes", { choices: ["complete", "wrong", "bounds"] }),
    flag("--looks <t1,t2,…>", "looks as fractions of the items, the last 1"),
    flag("--spending <how>", "with --looks: lan-demets-of (default), pocock, hsd:-4 …"),
    flag(
      "--futility <share>",
      "with --looks: stop for futility below this conditional power at the last look (not binding)",
    ),
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
  summary: "what can this plan detect?",
  description:
    "Power of a plan for its smallest effect, with its test, items and looks, and its minimum detectable effect. With raters it simulates studies, which go through `compare` as the plan says.",
  words: [FILE],
  flags: [flag("--replicates <n>", "with ratings: simulated studies (default: 400)")],
  examples: ["gosset plan check plan.yaml"],
  load: async () => (await import("./files.ts")).runCheck,
};

const show: CommandSpec = {
  name: "show",
  summary: "the plan in sentences",
  description: "The plan in sentences, with its power.",
  words: [FILE],
  examples: ["gosset plan show plan.yaml"],
  load: async () => (await import("./files.ts")).runShow,
};

const lock: CommandSpec = {
  name: "lock",
  summary: "lock a plan before there are results",
  description:
    "Writes <plan>.lock: the hash of the plan and, if given, the ids of its items. Later changes to the plan are reported here and by gosset compare --plan.",
  words: [FILE],
  flags: [flag("--items <file>", "ids of the items, one a line")],
  examples: ["gosset plan lock plan.yaml --items ids.txt"],
  load: async () => (await import("./files.ts")).runLock,
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
  load: async () => (await import("./files.ts")).runSchedule,
};

export const plan: CommandSpec = {
  name: "plan",
  question: "Is the evaluation big enough?",
  summary: "preregister an evaluation, with interim analyses",
  description: "Write, check, lock and schedule the plan of an evaluation; gosset compare --plan follows it.",
  noun: "part of a plan",
  commands: [create, show, check, lock, schedule, looks],
  examples: ["gosset plan check plan.yaml", "gosset plan looks --looks 5 --spending obrien-fleming"],
};
