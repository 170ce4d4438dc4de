/** Flags of `gosset next`. */
import { allOptions, NEXT } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const next: CommandSpec = {
  name: "next",
  question: "Is the difference real?",
  summary: "stop or go on? Results that are still coming in",
  description:
    "Says whether a comparison of two systems that is still running may stop. Without a\nplan only by numbers that hold however often one looks; with --plan at its looks.\n--json is made for a harness's early-stopping hook: decision is stop or continue.",
  words: [["<files...>", "logs or tables so far, the baseline first; one file with both systems will do"]],
  flags: flagsOf(allOptions(NEXT)),
  examples: ["gosset next baseline.eval candidate.eval --json", "gosset next results.csv --plan plan.yaml"],
  load: async () => (await import("./run.ts")).run,
};
