/** Flags of `gosset anova`. */
import { type Command, Option } from "commander";
import { addModelOptions } from "../flags.ts";

export function addAnova(program: Command): void {
  const anova = program
    .command("anova")
    .summary("compare two nested models")
    .description(
      "Likelihood-ratio test (and for lm the F test) of a smaller model within a larger one.\n" +
        "Models with random effects are fitted by ML.",
    )
    .argument("<formula0>", "the smaller model")
    .argument("<formula1>", "the larger model")
    .argument("<data>", "as for fit");
  addModelOptions(anova)
    .addOption(
      new Option(
        "--model <kind>",
        "ordinal and generalised mixed models (default: by the response and --family)",
      ).choices(["clm", "clmm", "glmm"]),
    )
    .option("--threshold <kind>", "clm, clmm: flexible, symmetric or equidistant; two with a comma compare them")
    .option("--nagq <n>", "clmm, glmm: points of adaptive quadrature (default: 1, Laplace)")
    .option("--reml", "mixed models: compare restricted likelihoods (same fixed effects only)")
    .addHelpText(
      "after",
      `
Examples:
  $ gosset anova "score ~ length" "score ~ length + system" ratings.csv
  $ gosset anova "rating ~ 1 + (1 | item)" "rating ~ system + (1 | item)" \\
      ratings.csv --model clmm
  $ gosset anova "rating ~ system" "rating ~ system" ratings.csv --model clm \\
      --threshold equidistant,flexible`,
    )
    .action(async (formula0, formula1, data, _, command) => {
      const { anovaCommand } = await import("./run.ts");
      await anovaCommand([formula0, formula1], data, command.optsWithGlobals());
    });
}
