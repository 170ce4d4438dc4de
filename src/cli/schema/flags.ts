/** Flags of `gosset schema`. */
import type { Command } from "commander";

export function addSchema(program: Command): void {
  program
    .command("schema")
    .summary("the JSON Schema of what --json prints")
    .description(
      "The JSON Schema (draft 2020-12) of what --json prints, by the kind of the object or by\n" +
        "the command; without either, the list of both.",
    )
    .argument("[name]", "a kind (comparison, lmm, power, …) or a command (compare, fit, …)")
    .addHelpText(
      "after",
      `
Examples:
  $ gosset schema
  $ gosset schema compare
  $ gosset schema lmm --out lmm.schema.json`,
    )
    .action(async (name, _, command) => {
      await (await import("./run.ts")).schemaCommand(name, command.optsWithGlobals());
    });
}
