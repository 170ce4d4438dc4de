/** Flags of `gosset rank`. */
import { allOptions, RANK } from "../../questions.ts";
import type { CommandSpec } from "../command.ts";
import { flagsOf } from "../flags.ts";

export const rank: CommandSpec = {
  name: "rank",
  question: "Is the difference real?",
  summary: "who ranks where? Sets of ranks, groups, what separates neighbors",
  description:
    "Ranks systems by their scores on the same items, by totals with standard errors, or by votes. Gives each system\nthe set of ranks that it may have, the systems that may be the best, and groups of systems that the data do not separate.",
  words: [["<files...>", "logs or tables; one file with all systems will do"]],
  flags: flagsOf(allOptions(RANK)),
  examples: [
    "gosset rank results.csv",
    "gosset rank results.csv --metric accuracy --top 5",
    "gosset rank a.eval b.eval c.eval",
    "gosset rank battles.jsonl",
    "gosset rank leaderboard.csv --metric score --direction higher",
  ],
  load: async () => (await import("./run.ts")).run,
};
