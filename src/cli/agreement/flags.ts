/** Flags of `gosset agreement`. */
import { type Command, Option } from "commander";
import { collect } from "../flags.ts";
import { addRatingOptions } from "../reliability/flags.ts";

export function addAgreement(program: Command): void {
  const agreement = program
    .command("agreement")
    .summary("do raters agree? α, κ, π, AC1, intraclass correlations")
    .description(
      "Agreement between raters: percent, Krippendorff's α, Cohen's, Fleiss' and Conger's κ, Gwet's AC1/AC2, intraclass correlations; who disagrees and on what.",
    )
    .argument("<data>", "one row per label; CSV, JSONL, Parquet or an annotation export; - reads standard input");
  agreement
    .option("--item <cols>", "what was labelled; several columns if together: item,system")
    .option("--rater <col>", "who labelled it")
    .option("--label <col>", "the label, a text or a number")
    .option("--raters <a,b,c>", "a wide table: one column of labels per rater, one row per item", collect, [])
    .addOption(
      new Option("--scale <scale>", "of the labels, for α").choices(["nominal", "ordinal", "interval", "ratio"]),
    )
    .option(
      "--weighting <kind>",
      "of κ and AC2: none, linear, quadratic, or rows such as 1,.5,0;.5,1,.5;0,.5,1",
      "none",
    )
    .option("--categories <a,b,c>", "all labels, in order")
    .option("--cluster <col>", "items that belong together (documents) are resampled together")
    .option("--replicates <n>", "bootstrap replicates for the intervals; 0: none", "1000");
  addRatingOptions(agreement)
    .addHelpText(
      "after",
      `
Examples:
  $ gosset agreement ratings.csv --item item --rater rater --label rating
  $ gosset agreement labels.jsonl --item text,system --rater annotator \\
      --label class --scale nominal --cluster document
  $ gosset agreement ratings.csv --item item --rater rater --label rating \\
      --weighting quadratic
  $ gosset agreement wide.csv --raters ann,bob,eve`,
    )
    .action(async (data, _, command) => {
      await (await import("./run.ts")).agreementCommand(data, command.optsWithGlobals());
    });
}
