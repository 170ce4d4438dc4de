/** Flags of `gosset importance`. */
import type { Command } from "commander";
import { collect } from "../flags.ts";
import { addRatingOptions, intervalOption } from "../reliability/flags.ts";

export function addImportance(program: Command): void {
  const importance = program
    .command("importance")
    .summary("which settings of a search matter? shares of the score's variance")
    .description("How much of a score's variance each meta-parameter of a grid or random search brings about.")
    .argument("<data>", "one row per configuration, or per configuration and item; - reads standard input");
  importance
    .option("--score <col>", "the score (default: the file's main score)")
    .option("--parameters <a,b>", "the settings (default: those that the file names)", collect, [])
    .option("--object <col>", "items scored one by one, if there are any")
    .option("--interactions [which]", "all (default with this flag), none, or a list such as lr:batch", collect)
    .option("--by <property>", "how the effect of each setting depends on this property of the data")
    .addOption(intervalOption())
    .option("--replicates <n>", "draws for the intervals (default: 10000 generalised, 500 bootstrap)");
  addRatingOptions(importance)
    .addHelpText(
      "after",
      `
Examples:
  $ gosset importance grid.csv --score accuracy \\
      --parameters dropout,learning_rate,batch_size,seed
  $ gosset importance scores.csv --score ter --object sentence \\
      --parameters scheme --by length_class`,
    )
    .action(async (data, _, command) => {
      await (await import("./run.ts")).importanceCommand(data, command.optsWithGlobals());
    });
}
