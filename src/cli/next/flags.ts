/** Flags of `gosset next`. */
import type { CommandSpec } from "../command.ts";
import { DATA_FLAGS, flag, roleFlags } from "../flags.ts";

export const next: CommandSpec = {
  name: "next",
  question: "Is the difference real?",
  summary: "stop or go on? Results that are still coming in",
  description:
    "Says whether a comparison of two systems that is still running may stop. Without a\nplan only by numbers that hold however often one looks; with --plan at its looks.\n--json is made for a harness's early-stopping hook: decision is stop or continue.",
  words: [["<files...>", "logs or tables so far, the baseline first; one file with both systems will do"]],
  flags: [
    flag("--plan <file>", "look as planned (its lock is <file>.lock)"),
    flag("--look <k>", "with --plan: the look that this is, where its number of items was missed"),
    flag("--method <name>", "without a plan: e-process (0/1 scores) or sequence (scores with known ends)", {
      choices: ["e-process", "sequence"],
    }),
    flag("--range <low,high>", "the lowest and the highest score there can be, where they are not 0 and 1"),
    flag("--items <n>", "all items there will be: stop when they are there"),
    flag("--margin <x>", "also stop where the difference is known to be smaller"),
    flag("--alpha <x>", "error rate over all looks (default: 0.05)"),
    flag("--unscored <how>", "outcomes that are missing", { choices: ["complete", "wrong"] }),
    ...roleFlags(
      "system item score rater run cluster task direction files",
      flag("--metric <name>", "the score to compare by; of repeated tries pass@5, pass^3 or maj@5"),
      flag("--systems <a,b>", "which systems, the baseline first"),
    ),
    ...DATA_FLAGS,
  ],
  examples: ["gosset next baseline.eval candidate.eval --json", "gosset next results.csv --plan plan.yaml"],
  load: async () => (await import("./run.ts")).run,
};
