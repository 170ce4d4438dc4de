/** Flags of `gosset survey`. */
import type { CommandSpec } from "../command.ts";
import { ALPHA, CONFIDENCE, DATA_FLAGS, flag } from "../flags.ts";

export const survey: CommandSpec = {
  name: "survey",
  question: "Is the evaluation big enough?",
  summary: "a literature or leaderboard as data: power, significance and bias of its claims",
  description:
    "Power and significance of every claim, the minimum detectable gain of each benchmark next to the typical claim, records over time, the pooled gain, and whether small studies show larger gains.",
  words: [["<claims>", "one row per claim; - reads standard input"]],
  flags: [
    flag("--n <col>", "items of the test set"),
    flag("--baseline <col>", "score of the previous best system (none, with --date: the best earlier score)"),
    flag("--score <col>", "score of the new system"),
    flag("--task <col>", "benchmark or data set"),
    flag("--id <col>", "name of the claim: paper, system …"),
    flag("--effect <col>", "the gain itself, instead of two scores"),
    flag("--variance <col>", "variance of the gain"),
    flag("--se <col>", "standard error of the gain"),
    flag("--p <col>", "p value as reported"),
    flag("--agreement <col>", "proportion of items on which both systems agree"),
    flag("--date <col>", "date: 2019, 2019-08 or 2019-08-24; adds the records over time"),
    flag("--dev <col>", "score on development items, for the records (with --dev-items)"),
    flag("--dev-items <n>", "how many development items there are"),
    flag("--scale <a-b>", "scores are mean ratings on this scale (1-5), no accuracies"),
    flag("--overlap <which>", "without --agreement: glue (default), squad, or a,b,c"),
    flag("--random <method>", "how the variance between claims is estimated", {
      choices: ["reml", "dl"],
      default: "reml",
    }),
    flag("--knapp-hartung", "Hartung-Knapp interval of the random-effects mean (allows for estimated weights)"),
    flag("--power <share>", "target power of a benchmark", { default: "0.8" }),
    flag(
      "--prior <share>",
      "proportion of tried ideas that are true gains: adds the positive predictive value of a significant claim",
    ),
    flag("--bias <share>", "with --prior: proportion of null results that are reported as findings"),
    flag("--teams <n>", "with --prior: teams that try the same idea"),
    ALPHA,
    CONFIDENCE,
    ...DATA_FLAGS,
  ],
  remark:
    "Without flags, Gosset recognizes columns by usual headers (n, baseline, score, task, yi, vi, se, p, year …).",
  examples: [
    "gosset survey claims.csv --n items --baseline sota --score accuracy --task benchmark",
    "gosset survey effects.csv --effect yi --variance vi --knapp-hartung",
    "gosset survey leaderboard.csv --date year --prior 0.2",
    "gosset survey evaluations.csv --effect gain --n items",
  ],
  load: async () => (await import("./run.ts")).run,
};
