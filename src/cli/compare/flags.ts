/** Flags of `gosset compare`. */
import type { CommandSpec } from "../command.ts";
import { DATA_FLAGS, DDF, flag } from "../flags.ts";

export const compare: CommandSpec = {
  name: "compare",
  question: "Is the difference real?",
  summary: "is the difference between systems real?",
  description:
    "Compares two or more systems on the same items: the difference with its\ninterval, a test that fits the data, what the data could have shown, and one\nverdict.",
  words: [["<files...>", "logs, tables or texts, the baseline first; one file with several systems will do"]],
  flags: [
    flag(
      "--metric <name>",
      "the score to compare by (a,b or all: every metric by task); with --ref: bleu, chrf, chrf++ or ter",
    ),
    flag("--ref <file>", "reference translation, one sentence a line (repeat for more)", { many: true }),
    flag("--docs <file>", "with --ref: the document of each sentence, which hang together"),
    flag("--gold <col>", "column of the right labels, for --metric f1, precision, recall, mcc …"),
    flag("--pred <col>", "column of the predicted labels; a,b for one column a system"),
    flag("--positive <label>", "the label that F1 counts, if it is not obvious"),
    flag("--systems <a,b>", "which systems, the baseline first (default: all, in the order of the data)"),
    flag("--baseline <name>", "compare every other system with this one only"),
    flag(
      "--test <name>",
      "default: permutation, exact where possible; of scores other than 0/1 skewness-adjusted-t; t with few clusters; a mixed model (model) with raters or --by",
      {
        choices: [
          "permutation",
          "bootstrap",
          "multi-bootstrap",
          "mcnemar",
          "mcnemar-cc",
          "mcnemar-exact",
          "mcnemar-midp",
          "mcnemar-unconditional",
          "sign",
          "wilcoxon",
          "t",
          "skewness-adjusted-t",
          "model",
        ],
      },
    ),
    flag("--by <column>", "does the difference depend on this property of the items? (mixed model)"),
    flag("--cut <a,b>", "with --by: limits of the classes of a numeric property"),
    DDF,
    flag("--slice <column>", "also compare within the levels of this column", { many: true }),
    flag(
      "--margin <x>",
      "smaller differences do not matter: also test for equivalence; in the units of the score, 0.01 is one point of a share",
    ),
    flag(
      "--scope <list>",
      "what the verdict is about: items, and new raters, runs, clusters, prompts (default: all that the data repeat)",
    ),
    flag("--alpha <x>", "error rate of the verdict (default: 0.05)"),
    flag("--confidence <level>", "confidence level of the intervals (default: 0.95)"),
    flag("--adjust <method>", "for several pairs (default: holm; tukey with a model)", {
      choices: ["holm", "tukey", "bonferroni", "sidak", "holm-sidak", "hochberg", "hommel", "BH", "BY", "none"],
    }),
    flag("--table <name>", "with --format csv: pairs (default), systems, or the column of --slice or --by"),
    flag("--errors <how>", "rows that ended in an error count as failures (score 0) or as missing", {
      choices: ["failures", "missing"],
    }),
    flag("--unpaired", "the systems met different items: compare independent samples"),
    flag("--replicates <n>", "random swaps or draws where no exact answer is feasible (default: 10000)"),
    flag("--system <col>", "column that names the systems, if the guess is wrong"),
    flag("--item <col>", "column that identifies an item"),
    flag("--rater <col>", "column of the raters or judges; none if there are none"),
    flag("--repeat <col>", "column of epochs, seeds or runs"),
    flag("--cluster <col>", "items of one document, topic … hang together; none if they do not"),
    flag("--task <col>", "column of the tasks or data sets"),
    flag("--lower-is-better", "for a score such as an error rate or a loss"),
    flag("--higher-is-better", "the other way round"),
    ...DATA_FLAGS,
  ],
  examples: [
    "gosset compare baseline.eval candidate.eval",
    "gosset compare results.csv --systems base,new --metric accuracy",
    "gosset compare a.txt b.txt --ref reference.txt --metric bleu",
    "gosset compare predictions.csv --gold label --pred model_a,model_b",
    "gosset compare ratings.csv --by length --cut 15,55",
    "gosset compare a.jsonl b.jsonl --margin 0.01",
  ],
  load: async () => (await import("./run.ts")).run,
};
