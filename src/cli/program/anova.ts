/** Flags of `assay anova`. */
import type { Command } from "commander";
import { addModelOptions } from "./flags.ts";

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
    .option("--reml", "mixed models: compare restricted likelihoods (same fixed effects only)")
    .addHelpText("after", '\nExample:\n  $ assay anova "score ~ length" "score ~ length + system" ratings.csv')
    .action(async (formula0, formula1, data, _, command) => {
      const { anovaCommand } = await import("../commands/anova.ts");
      await anovaCommand([formula0, formula1], data, command.optsWithGlobals());
    });
}
