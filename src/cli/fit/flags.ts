/** Flags of `gosset fit`. */
import { type Command, Option } from "commander";
import { addModelOptions, ddfOption, ROBUST } from "../flags.ts";

export function addFit(program: Command): void {
  const fit = program
    .command("fit")
    .summary("fit a model: lm, glm, lmm, glmm, clm, clmm, gam")
    .description("Fit a model to a table. The formula is written as in R.")
    .argument("<model>", "lm, glm; mixed: lmm, glmm; ordinal: clm, clmm; additive: gam")
    .argument("<formula>", 'as in R: "score ~ system * length"')
    .argument("<data>", "CSV, TSV, JSON, JSONL, Parquet (also gzipped) or an evaluation log; - reads standard input");
  addModelOptions(fit)
    .option("--cluster <col>", "standard errors that allow rows of one item, document, rater … to hang together")
    .addOption(
      new Option("--robust <type>", "kind of robust standard errors (default with --cluster: CR2)").choices(ROBUST),
    )
    .option("--confidence <level>", "confidence level of the intervals", "0.95")
    .addOption(
      new Option("--threshold <kind>", "clm, clmm: how the thresholds lie").choices([
        "flexible",
        "symmetric",
        "equidistant",
      ]),
    )
    .option("--nagq <n>", "clmm, glmm: points of adaptive quadrature (default: 1, Laplace)")
    .option("--ml", "lmm: maximum likelihood instead of REML")
    .addOption(ddfOption())
    .addOption(
      new Option(
        "--intervals <kind>",
        "intervals of every parameter (lmm: both kinds; clm, clmm, glmm: profile)",
      ).choices(["profile", "bootstrap"]),
    )
    .option("--replicates <n>", "lmm: replicates of the bootstrap", "1000")
    .option("--terms", "lmm: also F tests of whole terms (type III)")
    .option("--modes", "lmm: also the random effects of every level (BLUPs)")
    .addOption(
      new Option("--method <criterion>", "gam: what chooses the smoothness (default: REML)").choices([
        "REML",
        "ML",
        "GCV.Cp",
      ]),
    )
    .option("--select", "gam: penalise whole terms, so that one can vanish")
    .option("--gamma <factor>", "gam: above 1 asks for smoother curves")
    .option("--shapes <file>", "gam: write the fitted curves with their bands to this CSV file")
    .option("--loo", "also predict every row from all the others")
    .option("--predict <file>", "also predict the rows of this file")
    .addHelpText(
      "after",
      `
Examples:
  $ gosset fit lm "score ~ system" ratings.csv --cluster item
  $ gosset fit lmm "rating ~ system + (1 | item) + (1 | rater)" ratings.csv
  $ gosset fit glm "correct ~ system + log(length)" items.jsonl \\
      --family binomial
  $ gosset fit lm "gain ~ task" results.csv --mutate "gain = new - old" \\
      --where "split == 'test'"
  $ gosset fit gam "score ~ s(length) + s(confidence, by = system)" items.csv`,
    )
    .action(async (model, formula, data, _, command) => {
      const { fitCommand } = await import("./run.ts");
      await fitCommand(model, formula, data, command.optsWithGlobals());
    });
}
