/** Flags of `gosset gate`. */
import { allOptions, GATE, GATE_CHECK } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

const check: CommandSpec = {
  name: "check",
  summary: "what are the error rates of this gate? simulated from pilot logs",
  description:
    "Simulates the gate on data sets resampled from pilot logs: how often it passes, fails and is inconclusive with no change, at the margin and at twice the margin, and how many items it needs. Reports an error if no result could pass, or none could fail.",
  words: [["<candidate...>", "pilot logs; for example two runs of the same system"]],
  flags: flagsOf(GATE_CHECK),
  remark: "It also takes --baseline, --policy and the column and reading options of gosset gate.",
  examples: [
    "gosset gate check run2.jsonl --baseline run1.jsonl --margin 0.02",
    "gosset gate check new.eval --baseline old.eval --policy gate.yaml",
  ],
  load: async () => (await import("./run.ts")).runCheck,
};

const aa: CommandSpec = {
  name: "aa",
  summary: "how much do two runs of one system differ by chance?",
  description:
    "Proportion of items that flip between two runs of one system, and the difference below which a change is noise.",
  words: [
    ["<run1>", "a log"],
    ["<run2>", "another run of the same system"],
  ],
  remark: "It also takes the column and reading options of gosset gate.",
  examples: ["gosset gate aa run1.jsonl run2.jsonl"],
  load: async () => (await import("./run.ts")).runAa,
};

export const gate: CommandSpec = {
  name: "gate",
  question: "Is the difference real?",
  summary: "may this change go out? pass, fail or inconclusive, for CI",
  description:
    "Tests a candidate against its baseline by a policy: pass if every critical task is shown to lose less than its margin, fail if a loss is shown, inconclusive otherwise.\nExit codes: 0 pass, 1 fail, 2 bad input or setup, 3 inconclusive, 70 no answer (a bug).",
  words: [["<candidate...>", "logs of the candidate; several are runs of it"]],
  flags: flagsOf(allOptions(GATE)),
  commands: () => [check, aa],
  examples: [
    "gosset gate candidate.eval --baseline main.eval --margin 0.02",
    "gosset gate new.jsonl --baseline old1.jsonl --baseline old2.jsonl --policy gate.yaml",
    "gosset gate results.csv --baseline base --margin 5% --inconclusive warn",
  ],
  load: async () => (await import("./run.ts")).runGate,
};
