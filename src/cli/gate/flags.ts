/** Flags of `gosset gate`. */
import { allOptions, GATE, GATE_CHECK } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

const check: CommandSpec = {
  name: "check",
  summary: "what would this gate do? its error rates, from pilot logs",
  description:
    "Runs the whole gate on data sets drawn from pilot logs: how often it passes, fails\nand stays open with no change, at the margin and at twice the margin, and how many\nitems it needs. An error if no record could ever pass, or none fail.",
  words: [["<candidate...>", "pilot logs; two runs of the same system will do"]],
  flags: flagsOf(GATE_CHECK),
  remark: "It takes --baseline, --policy and the flags on columns and reading of gosset gate.",
  examples: [
    "gosset gate check run2.jsonl --baseline run1.jsonl --margin 0.02",
    "gosset gate check new.eval --baseline old.eval --policy gate.yaml",
  ],
  load: async () => (await import("./run.ts")).runCheck,
};

const aa: CommandSpec = {
  name: "aa",
  summary: "how much do two runs of the same system differ?",
  description:
    "Share of items that flip between two runs of one system, and the difference\nbelow which a change is noise.",
  words: [
    ["<run1>", "a log"],
    ["<run2>", "another run of the same system"],
  ],
  remark: "It takes the flags on columns and reading of gosset gate.",
  examples: ["gosset gate aa run1.jsonl run2.jsonl"],
  load: async () => (await import("./run.ts")).runAa,
};

export const gate: CommandSpec = {
  name: "gate",
  question: "Is the difference real?",
  summary: "may this change go out? pass, fail or inconclusive, for CI",
  description:
    "Judges a candidate against its baseline by a policy: pass if every critical task is\nshown to be within its margin, fail if a loss is shown, inconclusive otherwise.\nExit codes: 0 pass, 1 fail, 3 inconclusive, 2 bad input.",
  words: [["<candidate...>", "logs of the candidate; several are runs of it"]],
  flags: flagsOf(allOptions(GATE)),
  commands: [check, aa],
  examples: [
    "gosset gate candidate.eval --baseline main.eval --margin 0.02",
    "gosset gate new.jsonl --baseline old1.jsonl --baseline old2.jsonl --policy gate.yaml",
    "gosset gate results.csv --baseline base --margin 5% --inconclusive warn",
  ],
  load: async () => (await import("./run.ts")).runGate,
};
