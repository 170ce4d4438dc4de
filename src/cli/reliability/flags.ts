/** Flags of `gosset reliability`, and those that the commands on ratings share. */
import { type Command, Option } from "commander";
import { addReadOptions, collect } from "../flags.ts";

/** Which rows, how they are read, and how sure the answer is to be. */
export function addRatingOptions(command: Command): Command {
  return addReadOptions(
    command
      .option("--where <condition>", "keep the rows for which it holds: \"split == 'test' & n > 3\"", collect, [])
      .option("--mutate <name=expr>", 'add a column: "gain = after - before"', collect, [])
      .option("--ordered <col=a,b,c>", "ordered labels, lowest first", collect, []),
  ).option("--confidence <level>", "confidence level of the intervals", "0.95");
}

export const intervalOption = (): Option =>
  new Option("--intervals <kind>", "default: generalised for complete balanced data, else bootstrap").choices([
    "generalised",
    "bootstrap",
    "none",
  ]);

export function addReliability(program: Command): void {
  const reliability = program
    .command("reliability")
    .summary("would the same items score the same again? variance components, φ, what to buy next")
    .description(
      "How much of a score's variance is due to what is measured, and how much to raters, seeds, prompts or settings; what averaging would give.",
    )
    .argument("<data>", "one row per score; CSV, JSONL, Parquet or an evaluation log; - reads standard input");
  reliability
    .option("--score <col>", "the score (default: the file's main score)")
    .option("--object <col>", "what is measured: item, sentence (default: the file's items)")
    .option("--facets <a,b>", "what varies beside it: raters, repeats, seeds, prompts, settings", collect, [])
    .option("--interactions [which]", "all (default with this flag), none, or a list such as item:rater", collect)
    .addOption(
      new Option("--model <model>", "lmm for numbers, glmm for right/wrong, clmm for ordered ratings").choices([
        "lmm",
        "glmm",
        "clmm",
      ]),
    )
    .option("--n <facet=1-12>", "numbers to try: rater=1-12, or rater=1,2,5", collect, [])
    .option("--target <phi>", "find the cheapest design that reaches this φ")
    .option("--cost <facet=price>", "price of a level of a facet, and of one score: rater=20,score=0.5", collect, [])
    .option("--objects <n>", "objects that will be scored, for the price (default: as many as now)")
    .option("--by <property>", "also within each class of this column (numbers are cut into three)")
    .addOption(intervalOption())
    .option("--replicates <n>", "draws for the intervals (default: 10000 generalised, 500 bootstrap)");
  addRatingOptions(reliability)
    .addHelpText(
      "after",
      `
Examples:
  $ gosset reliability ratings.csv --score score --object item \\
      --facets rater,occasion --interactions --n rater=1-12 --n occasion=1-5
  $ gosset reliability ratings.csv --score score --object item \\
      --facets rater --target 0.8 --cost rater=25,score=0.3
  $ gosset reliability logs/ --facets seed,prompt,judge`,
    )
    .action(async (data, _, command) => {
      await (await import("./run.ts")).reliabilityCommand(data, command.optsWithGlobals());
    });
}
