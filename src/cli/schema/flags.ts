/** Flags of `gosset schema`. */
import type { Command } from "commander";

/** What `--json` of each command may print, by the command's words. */
export const KINDS_OF_COMMAND: Readonly<Record<string, readonly string[]>> = {
  agreement: ["agreement"],
  anova: ["lrt"],
  budget: ["budget"],
  compare: ["comparison"],
  curve: ["curve"],
  describe: ["describe"],
  design: ["design"],
  emmeans: ["emmeans"],
  fit: ["lm", "glm", "lmm", "glmm", "clm", "clmm", "gam"],
  importance: ["importance"],
  mde: ["mde"],
  power: ["power", "dev", "history", "no-prior", "from-outputs"],
  reliability: ["reliability"],
  replicate: ["replications", "replicate"],
  schema: ["schemas"],
  score: ["score"],
  size: ["size"],
  test: ["test"],
  validity: ["bias", "invariance", "circularity", "audit"],
};

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
