/** Flags of `gosset next`. */
import { allOptions, NEXT } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const next: CommandSpec = {
  name: "next",
  question: "Is the difference real?",
  summary: "stop or continue? interim results of a running comparison",
  description:
    "Decides whether a running comparison of two systems may stop. Without a plan it uses anytime-valid statistics; with --plan the planned interim analyses. --json is meant for a harness's early-stopping hook: decision is stop or continue.",
  words: [["<files...>", "logs or tables so far, the baseline first; or one file with both systems"]],
  flags: flagsOf(allOptions(NEXT)),
  examples: ["gosset next baseline.eval candidate.eval --json", "gosset next results.csv --plan plan.yaml"],
  load: async () => (await import("./run.ts")).run,
};
