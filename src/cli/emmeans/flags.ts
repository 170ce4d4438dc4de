/** Flags of `gosset emmeans`. */
import { type Command, Option } from "commander";
import { addModelOptions, collect, ddfOption, ROBUST } from "../flags.ts";

export function addEmmeans(program: Command): void {
  const emmeans = program
    .command("emmeans")
    .summary("marginal means of a model and their contrasts")
    .description("Means of a model's factors, averaged over the others, and which of them differ.")
    .argument("<formula>", 'as for fit: "score ~ system * length"')
    .argument("<data>", "as for fit");
  addModelOptions(emmeans)
    .requiredOption("--by <columns>", "whose means: system, or system,domain for their combinations", collect)
    .option("--within <columns>", "make the contrasts within each level of these columns", collect, [])
    .option(
      "--adjust <method>",
      "tukey (all pairs), holm, bonferroni, sidak, holm-sidak, hochberg, hommel, BH, BY or none",
    )
    .option("--contrast <kind>", "pairwise, treatment, consecutive, effects, poly, none, or name=1,-1,0", collect, [])
    .option("--reference <level>", "the mean that treatment contrasts compare with")
    .option("--at <col=1,2>", "values of a covariate (default: its mean) or levels of a factor", collect, [])
    .option("--slopes <column>", "slopes of this covariate instead of means")
    .addOption(
      new Option(
        "--type <scale>",
        "glm, glmm: link (default) or response; clm, clmm: latent (default), prob, mean-class, …",
      ).choices(["link", "response", "latent", "prob", "mean-class", "cum-prob", "exc-prob", "linear-predictor"]),
    )
    .addOption(
      new Option(
        "--model <kind>",
        "ordinal and generalised mixed models (default: by the response and --family)",
      ).choices(["clm", "clmm", "glmm"]),
    )
    .option("--threshold <kind>", "clm, clmm: flexible (default), symmetric or equidistant")
    .option("--nagq <n>", "clmm, glmm: points of adaptive quadrature (default: 1, Laplace)")
    .option("--regrid", "average and subtract probabilities or counts, not logits or logs")
    .addOption(new Option("--average <how>", "weights of other factors' levels").choices(["equal", "proportional"]))
    .option("--effect-size [sd]", "also contrasts in units of the residual SD, or of a given one")
    .addOption(ddfOption())
    .option("--cluster <col>", "standard errors that allow rows of one item, rater … to hang together")
    .addOption(new Option("--robust <type>", "kind of robust standard errors").choices(ROBUST))
    .option("--confidence <level>", "confidence level of the intervals", "0.95")
    .addHelpText(
      "after",
      `
Examples:
  $ gosset emmeans "score ~ system * length" ratings.csv --by system \\
      --within length
  $ gosset emmeans "correct ~ system" items.jsonl --family binomial \\
      --by system --type response
  $ gosset emmeans "score ~ system * tokens" results.csv --by system \\
      --slopes tokens
  $ gosset emmeans "rating ~ system + (1 | item)" ratings.csv --model clmm \\
      --by system --type prob`,
    )
    .action(async (formula, data, _, command) => {
      await (await import("./run.ts")).emmeansCommand(formula, data, command.optsWithGlobals());
    });
}
