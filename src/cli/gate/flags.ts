/** Flags of `gosset gate`. */
import type { CommandSpec } from "../command.ts";
import { DATA_FLAGS, flag, roleFlags } from "../flags.ts";

const check: CommandSpec = {
  name: "check",
  summary: "what would this gate do? its error rates, from pilot logs",
  description:
    "Runs the whole gate on data sets drawn from pilot logs: how often it passes, fails\nand stays open with no change, at the margin and at twice the margin, and how many\nitems it needs. An error if no record could ever pass, or none fail.",
  words: [["<candidate...>", "pilot logs; two runs of the same system will do"]],
  flags: [
    flag("--replicates <n>", "runs of the gate (default: 1000)"),
    flag("--items <n>", "items of each task (default: as many as the pilot has)"),
    flag("--repeats <n>", "runs of each item and side (default: as in the pilot)"),
  ],
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
  flags: [
    flag(
      "--baseline <file>",
      "log of the baseline, a name in the policy, or a system of the candidate's files (repeat: runs are pooled)",
      { many: true },
    ),
    flag("--policy <file>", "YAML or JSON: margins, tiers, required tasks, error rate (gosset schema gate-policy)"),
    flag("--margin <x>", "without a policy: the largest loss that does not matter, 0.02 or 5% of the baseline's score"),
    flag("--alpha <x>", "without a policy: error rate of the whole gate (default: 0.05)"),
    flag("--inconclusive <how>", "what an open gate does: fail (exit 1), pass or warn (exit 0); default: exit 3", {
      choices: ["fail", "pass", "warn"],
    }),
    flag("--comment <file>", "also write Markdown for a pull-request comment or $GITHUB_STEP_SUMMARY"),
    flag("--junit <file>", "also write JUnit XML: a test case a task, open ones skipped with their reason"),
    flag("--by <column>", "judge the levels of this column one by one (default: the tasks)"),
    ...roleFlags(
      "system item score metric rater run cluster task direction",
      flag("--systems <a,b>", "of a file with several systems those to judge, the baseline's and the candidate's"),
    ),
    flag("--time <col>", "when rows were run, to check the order of running; none looks at none"),
    ...DATA_FLAGS,
  ],
  commands: [check, aa],
  examples: [
    "gosset gate candidate.eval --baseline main.eval --margin 0.02",
    "gosset gate new.jsonl --baseline old1.jsonl --baseline old2.jsonl --policy gate.yaml",
    "gosset gate results.csv --baseline base --margin 5% --inconclusive warn",
  ],
  load: async () => (await import("./run.ts")).runGate,
};
