/** Flags of `gosset compare`. */
import { type Command, Option } from "commander";
import { addReadOptions, collect, ddfOption } from "../flags.ts";

const TESTS = [
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
  "model",
];
const ADJUSTMENTS = ["holm", "tukey", "bonferroni", "sidak", "holm-sidak", "hochberg", "hommel", "BH", "BY", "none"];

export function addCompare(program: Command): void {
  const compare = program
    .command("compare")
    .summary("is the difference between systems real?")
    .description(
      "Compares two or more systems on the same items: the difference with its\n" +
        "interval, a test that fits the data, what the data could have shown, and one\n" +
        "verdict.",
    )
    .argument("<files...>", "logs, tables or texts, the baseline first; one file with several systems will do");
  addReadOptions(compare)
    .option("--metric <name>", "the score to compare by; with --ref: bleu, chrf, chrf++ or ter")
    .option("--ref <file>", "reference translation, one sentence a line (repeat for more)", collect, [])
    .option("--docs <file>", "with --ref: the document of each sentence, which hang together")
    .option("--gold <col>", "column of the right labels, for --metric f1, precision, recall, mcc …")
    .option("--pred <col>", "column of the predicted labels; a,b for one column a system")
    .option("--positive <label>", "the label that F1 counts, if it is not obvious")
    .option("--systems <a,b>", "which systems, the baseline first (default: all, in the order of the data)")
    .option("--baseline <name>", "compare every other system with this one only")
    .addOption(
      new Option(
        "--test <name>",
        "default: permutation, exact where possible; t with few clusters; a mixed model (model) with raters or --by",
      ).choices(TESTS),
    )
    .option("--by <column>", "does the difference depend on this property of the items? (mixed model)")
    .option("--cut <a,b>", "with --by: limits of the classes of a numeric property")
    .addOption(ddfOption())
    .option("--slice <column>", "also compare within the levels of this column", collect, [])
    .option(
      "--margin <x>",
      "smaller differences do not matter: also test for equivalence; in the units of the score, 0.01 is one point of a share",
    )
    .option("--alpha <x>", "error rate of the verdict (default: 0.05)")
    .option("--confidence <level>", "confidence level of the intervals (default: 0.95)")
    .addOption(
      new Option("--adjust <method>", "for several pairs (default: holm; tukey with a model)").choices(ADJUSTMENTS),
    )
    .option("--table <name>", "with --format csv: pairs (default), systems, or the column of --slice or --by")
    .option("--unpaired", "the systems met different items: compare independent samples")
    .option("--replicates <n>", "random swaps or draws where no exact answer is feasible (default: 10000)")
    .option("--system <col>", "column that names the systems, if the guess is wrong")
    .option("--item <col>", "column that identifies an item")
    .option("--rater <col>", "column of the raters or judges; none if there are none")
    .option("--repeat <col>", "column of epochs, seeds or runs")
    .option("--cluster <col>", "items of one document, topic … hang together; none if they do not")
    .option("--task <col>", "column of the tasks or data sets")
    .option("--lower-is-better", "for a score such as an error rate or a loss")
    .option("--higher-is-better", "the other way round")
    .option("--where <condition>", "keep the rows for which it holds", collect, [])
    .option("--mutate <name=expr>", "add a column", collect, [])
    .addHelpText(
      "after",
      `
Examples:
  $ gosset compare baseline.eval candidate.eval
  $ gosset compare results.csv --systems base,new --metric accuracy
  $ gosset compare a.txt b.txt --ref reference.txt --metric bleu
  $ gosset compare predictions.csv --gold label --pred model_a,model_b
  $ gosset compare ratings.csv --by length --cut 15,55
  $ gosset compare a.jsonl b.jsonl --margin 0.01`,
    )
    .action(async (files, _, command) => {
      await (await import("./run.ts")).compareCommand(files, command.optsWithGlobals());
    });
}
