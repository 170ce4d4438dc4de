/** Flags of `gosset validity circularity` and `gosset validity audit`. */
import { type Command, Option } from "commander";
import { addReadOptions, collect } from "../flags.ts";

export function addCircularity(validity: Command): void {
  const circularity = validity
    .command("circularity")
    .summary("is the label defined by some of the features?")
    .description(
      "Circularity test: is there a rule of the features that gives the label of the rows, of all or of part of them? Additive models over the sets of candidate features say how much they explain, and whether a set leaves the others anything to say.",
    )
    .argument("<data>", "one row per item; CSV, JSONL, Parquet …; - reads standard input")
    .option("--label <col>", "the annotation: numbers, ordered classes or two classes")
    .option("--predictions <a,b>", "columns with a model's output, tested in the same way", collect, [])
    .option("--features <a,b,c>", "candidates (default: the first by correlation with the label)", collect, [])
    .option("--exclude <a,b>", "columns that are no features", collect, [])
    .option("--candidates <n>", "how many, where they are not named (up to 6: all their sets)", "12")
    .addOption(
      new Option("--family <family>", "of the label (default: binomial for two values)").choices([
        "gaussian",
        "binomial",
      ]),
    )
    .option("--k <n>", "spline functions per feature", "10")
    .option("--knots <feature=n>", "spline functions of one feature: bili=100", collect, [])
    .addOption(new Option("--method <name>", "of the smoothing").choices(["GCV.Cp", "REML", "ML"]).default("GCV.Cp"))
    .addOption(
      new Option("--basis <name>", "of the splines (default: tp where all sets are fitted, else cr)").choices([
        "tp",
        "cr",
      ]),
    )
    .option(
      "--closeness <d2>",
      "deviance explained from which predictions count as determined, and a label as dominated",
      "0.9",
    );
  addRowOptions(circularity).action(async (data, _, command) => {
    const { circularityCommand } = await import("./circularity.ts");
    await circularityCommand(data, command.optsWithGlobals());
  });
  circularity.addHelpText(
    "after",
    `
Examples:
  $ gosset validity circularity sofa.csv --label target
  $ gosset validity circularity sofa.csv --label target --predictions score \\
      --features bili,asat,quinr,thrombo,alat --knots bili=100
  $ gosset validity circularity ranking.csv --mutate "hit = relevance > 0" \\
      --label hit --exclude relevance`,
  );
  addAudit(validity);
}

function addAudit(validity: Command): void {
  const audit = validity
    .command("audit")
    .summary("every validity test that the file allows, in one report")
    .description(
      "Runs the tests of circularity, bias and invariance for which the file has the columns, and says what the others lack.",
    )
    .argument("<data>", "one row per item; CSV, JSONL, Parquet …; - reads standard input")
    .option("--label <col>", "the annotation (default: a column named label, target, gold …)")
    .option("--predictions <a,b>", "columns with a model's output (default: columns named pred…)", collect, [])
    .option("--domain <col>", "which data set a row comes from (default: a column named domain, source …)")
    .option("--features <a,b,c>", "columns to test (default: all others)", collect, [])
    .option("--exclude <a,b>", "columns that are no features", collect, [])
    .option("--scales <list>", "id=nominal,grade=ordinal,year=interval,age=ratio");
  addRowOptions(audit).action(async (data, _, command) => {
    await (await import("./audit.ts")).auditCommand(data, command.optsWithGlobals());
  });
  audit.addHelpText(
    "after",
    `
Examples:
  $ gosset validity audit results.csv --label target --predictions score
  $ gosset validity audit results.csv --format html --out audit.html`,
  );
}

function addRowOptions(command: Command): Command {
  return addReadOptions(command)
    .option("--confidence <level>", "confidence level of the intervals", "0.95")
    .option("--ordered <col=a,b,c>", "ordered labels, lowest first", collect, [])
    .option("--where <condition>", "keep the rows for which it holds", collect, [])
    .option("--mutate <name=expr>", 'add a column: "hit = relevance > 0"', collect, []);
}
