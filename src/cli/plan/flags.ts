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

export const plan: CommandSpec = {
  name: "plan",
  question: "Is the evaluation big enough?",
  summary: "plan how often to look at the results",
  description: "Plans of evaluations that are looked at before they are complete.",
  noun: "part of a plan",
  commands: [looks],
  examples: ["gosset plan looks --looks 5 --spending obrien-fleming"],
};
