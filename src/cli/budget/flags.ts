/** Flags of `gosset budget`. */
import type { Command } from "commander";
import { collect } from "../flags.ts";
import { addRatingOptions } from "../reliability/flags.ts";

export function addBudget(program: Command): void {
  const budget = program
    .command("budget")
    .summary("expected best score of a search by the number of configurations tried")
    .description(
      "What a search of every smaller budget would have found, for one or more systems, and where they cross.",
    )
    .argument("<data>", "one row per configuration tried; - reads standard input");
  budget
    .option("--score <col>", "the score (default: the file's main score)")
    .option("--system <col>", "compare the searches of several systems")
    .option("--configuration <a,b>", "columns that make a configuration; its rows are averaged first", collect, [])
    .option("--budgets <1,2,5,10>", "budgets to show (default: up to the number of configurations)")
    .option("--minimise", "lower scores are better")
    .option("--replicates <n>", "bootstrap replicates for the interval of the expectation", "1000");
  addRatingOptions(budget)
    .addHelpText(
      "after",
      `
Examples:
  $ gosset budget search.csv --score f1
  $ gosset budget search.csv --score loss --system model --minimise \\
      --budgets 1,5,10,50`,
    )
    .action(async (data, _, command) => {
      await (await import("./run.ts")).budgetCommand(data, command.optsWithGlobals());
    });
}
