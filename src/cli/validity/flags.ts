/** Flags of `gosset validity`: does the score measure what it claims to? */
import { type Command, Option } from "commander";
import { addReadOptions, collect } from "../flags.ts";
import { addCircularity } from "./circularity-flags.ts";

const ADJUSTMENTS = ["holm", "bonferroni", "sidak", "holm-sidak", "hochberg", "hommel", "BH", "BY", "none"];

export function addValidity(program: Command): void {
  const validity = program
    .command("validity")
    .summary("does the score measure what it claims to?")
    .description("Tests of validity: bias features, scale abuse, circular features.");
  addBias(validity);
  addInvariance(validity);
  addCircularity(validity);
}

function addBias(validity: Command): void {
  const bias = validity
    .command("bias")
    .summary("do features go with the label in one domain only?")
    .description(
      "Dataset bias test: correlation of every feature with the label in-domain against out-of-domain, and whether predictions inherit the difference.",
    )
    .argument("<data>", "one row per item; CSV, JSONL, Parquet …; - reads standard input")
    .requiredOption("--label <col>", "the gold label: numbers or classes")
    .requiredOption("--domain <col>", "which data set or domain a row comes from")
    .option("--pred <col>", "what a model predicted: labels or scores")
    .option("--in <domain>", "the in-domain data (default: the largest domain)")
    .option("--out-domains <a,b>", "the out-of-domain data (default: all others)", collect, [])
    .option("--features <a,b,c>", "columns to test (default: all others but texts and ids)", collect, [])
    .option("--premise <col>", "with --hypothesis: features of the pair of texts")
    .option("--hypothesis <col>", "overlap, length, similarity, negation (see docs)")
    .option("--text <col>", "words and word sequences of this text as features")
    .option("--ngrams <n>", "longest word sequence (default with --text: 1)")
    .option("--min-count <n>", "in-domain rows that an n-gram must occur in (default: 10)")
    .option("--smoothing <k>", "added to counts before the mutual information (default: 1)")
    .option("--positive <class>", "this class counts as 1, all others as 0")
    .addOption(
      new Option("--measure <what>", "auto: r, η or Cramér's V; nmi: mutual information")
        .choices(["auto", "nmi"])
        .default("auto"),
    )
    .addOption(
      new Option("--interval <method>", "of r: robust (no normality), fisher or bootstrap")
        .choices(["robust", "fisher", "bootstrap"])
        .default("robust"),
    )
    .addOption(
      new Option("--constant <what>", "correlation of a feature that does not vary in a domain")
        .choices(["undefined", "zero"])
        .default("undefined"),
    )
    .option("--cluster <col>", "rows that hang together (documents, annotators)")
    .option("--threshold <x>", "smaller differences do not count", "0.1")
    .option("--replicates <n>", "bootstrap replicates", "1000");
  addTestOptions(bias).action(async (data, _, command) => {
    await (await import("./bias.ts")).biasCommand(data, command.optsWithGlobals());
  });
  bias.addHelpText(
    "after",
    `
Examples:
  $ gosset validity bias nli.csv --label gold --pred predicted --domain source \\
      --in mnli --premise premise --hypothesis hypothesis
  $ gosset validity bias data.csv --label y --domain site --features age,sex
  $ gosset validity bias nli.csv --label gold --domain source --in mnli \\
      --text hypothesis --ngrams 2`,
  );
}

function addInvariance(validity: Command): void {
  const invariance = validity
    .command("invariance")
    .summary("does the score depend on how features are coded?")
    .description(
      "Transformation invariance test: features are recoded as their scale permits, the learner is fitted again, and predictions and score are compared.",
    )
    .argument("<train>", "training rows; CSV, JSONL, Parquet …")
    .requiredOption("--test <file>", "test rows, with the same columns")
    .requiredOption("--label <col>", "what is to be predicted")
    .requiredOption("--scales <list>", "id=nominal,grade=ordinal,year=interval,age=ratio")
    .option("--features <a,b,c>", "columns to learn from (default: all but the label)", collect, [])
    .option(
      "--learner <name|command>",
      "gam, logistic, linear, knn, stumps, or a command with {train} {test} {out}",
      "gam",
    )
    .option("--timeout <seconds>", "for one run of a command", "600")
    .option("--transforms <n>", "recodings per feature (default: 20, more for nominal ones)")
    .addOption(
      new Option("--loss <name>", "squared, absolute; brier, log, error (default: by the predictions)").choices([
        "squared",
        "absolute",
        "brier",
        "log",
        "error",
      ]),
    )
    .option("--cluster <col>", "test rows that hang together");
  addTestOptions(invariance).action(async (train, _, command) => {
    await (await import("./invariance.ts")).invarianceCommand(train, command.optsWithGlobals());
  });
  invariance.addHelpText(
    "after",
    `
Examples:
  $ gosset validity invariance train.csv --test test.csv --label malignant \\
      --scales id=nominal,age=ratio
  $ gosset validity invariance train.csv --test test.csv --label y \\
      --scales grade=ordinal --learner "python train.py {train} {test} {out}"

A command reads two CSV files with headers (the test file has no label) and
writes one with the header "prediction" and one row per test row.`,
  );
}

function addTestOptions(command: Command): Command {
  return addReadOptions(command)
    .option("--alpha <x>", "error rate of the verdict", "0.05")
    .option("--confidence <level>", "confidence level of the intervals", "0.95")
    .addOption(new Option("--adjust <method>", "for several tests").choices(ADJUSTMENTS).default("holm"))
    .option("--where <condition>", "keep the rows for which it holds", collect, [])
    .option("--mutate <name=expr>", "add a column", collect, []);
}
