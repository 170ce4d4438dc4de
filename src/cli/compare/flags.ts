/** Flags of `gosset compare`. */
import type { CommandSpec } from "../command.ts";
import { DATA_FLAGS, DDF, flag, roleFlags } from "../flags.ts";

export const compare: CommandSpec = {
  name: "compare",
  question: "Is the difference real?",
  summary: "is the difference between systems real?",
  description:
    "Compares two or more systems on the same items: the difference with its\ninterval, a test that fits the data, what the data could have shown, and one\nverdict.",
  words: [["<files...>", "logs, tables or texts, the baseline first; one file with several systems will do"]],
  flags: [
    ...roleFlags(
      undefined,
      flag(
        "--metric <name>",
        "the score to compare by (a,b or all: every metric by task); of repeated tries pass@5, pass^3 or maj@5; with --ref: bleu, chrf, chrf++, ter, wer or cer",
      ),
      flag(
        "--systems <a,b>",
        "which systems, the baseline first (default: all, in the order of the data); of a wide table the column of each",
      ),
      flag("--gold <col>", "column of the gold labels, for --metric f1, precision, recall, mcc …"),
      flag("--pred <col>", "column of the predicted labels; a,b for one column a system"),
    ),
    flag("--ref <file>", "reference translation, one sentence a line (repeat for more)", { many: true }),
    flag("--docs <file>", "with --ref: the document of each sentence, which hang together"),
    flag("--tokenize <name>", "with --ref and BLEU: 13a (default), intl, zh, char or none"),
    flag("--positive <label>", "the label that F1 counts, if it is not obvious"),
    flag("--baseline <name>", "compare every other system with this one only"),
    flag(
      "--test <name>",
      "default: mcnemar-midp of 0/1 scores; skewness-adjusted-t of others; permutation of whole-set metrics and clusters, t with few clusters; a mixed model (model) with raters or --by",
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
    flag(
      "--run-kind <kind>",
      "repeated runs are independent draws of each item, which are averaged, or trainings, which the verdict is about too (default: by the column's name; epochs, samples and attempts are draws)",
      { choices: ["draws", "trainings"] },
    ),
    flag("--alpha <x>", "error rate of the verdict (default: 0.05)"),
    flag("--confidence <level>", "confidence level of the intervals (default: 0.95)"),
    flag("--adjust <method>", "for several pairs (default: holm; tukey with a model)", {
      choices: [
        "holm",
        "tukey",
        "max-t",
        "bonferroni",
        "sidak",
        "holm-sidak",
        "hochberg",
        "hommel",
        "BH",
        "BY",
        "none",
      ],
    }),
    flag("--details", "also the test, the items that differ, and every note"),
    flag(
      "--table <name>",
      "with --format csv: pairs (default), systems, flips, metrics (with several), or the column of --slice or --by",
    ),
    flag(
      "--flips <file>",
      "also write every item that differs, of all pairs, to .csv or .json: scores, difference, groups, with --include-text the texts; in .csv a text that begins with = + - or @ gets a ' in front, so that no spreadsheet runs it",
    ),
    flag("--errors <how>", "rows that ended in an error count as failures (score 0) or as missing", {
      choices: ["failures", "missing"],
    }),
    flag(
      "--unscored <how>",
      "outcomes that are missing: leave them out (complete), count them as failures (wrong), or let the verdict stand only if it holds whatever they are (bounds)",
      { choices: ["complete", "wrong", "bounds"] },
    ),
    flag("--plan <file>", "do what the plan says, and list every deviation from it (its lock is <file>.lock)"),
    flag("--look <k>", "with --plan: the planned look that this is, from 1"),
    flag("--by-row", "no column names the items: row i of each system is the same one"),
    flag("--unpaired", "the systems met different items: compare independent samples"),
    flag("--replicates <n>", "random swaps or draws where no exact answer is feasible (default: 10000)"),
    flag("--time <col>", "when rows were run, to check the order of running; none looks at none"),
    flag("--a <col>", "votes: the column of the first side's systems (with --b and --winner)"),
    flag("--b <col>", "votes: the column of the second side's systems"),
    flag("--winner <col>", "votes: who won: a system's name, a, b, 1, 2, left, right or tie"),
    ...DATA_FLAGS,
  ],
  examples: [
    "gosset compare baseline.eval candidate.eval",
    "gosset compare results.csv --systems base,new --metric accuracy",
    "gosset compare a.txt b.txt --ref reference.txt --metric bleu",
    "gosset compare predictions.csv --gold label --pred model_a,model_b",
    "gosset compare ratings.csv --by length --cut 15,55",
    "gosset compare a.jsonl b.jsonl --margin 0.01",
    "gosset compare a.jsonl b.jsonl --flips items.csv",
  ],
  load: async () => (await import("./run.ts")).run,
};
