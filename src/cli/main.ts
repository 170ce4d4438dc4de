/** The `assay` program: arguments in, one answer out. Commands load on use, so that `assay --help` stays fast. */
import { Command, CommanderError, Help, InvalidArgumentError, Option } from "commander";
import { COMPUTATION_FAILED, reportFailure, USAGE_ERROR, withFullStop } from "./failure.ts";
import { HELP_FOOTER, programName, VERSION } from "./help.ts";

const FORMATS = ["text", "md", "latex", "csv", "html"];
const FAMILIES = ["gaussian", "binomial", "poisson"];
const LINKS = ["identity", "log", "logit", "probit", "cloglog"];
const ROBUST = ["HC0", "HC1", "HC2", "HC3", "CR0", "CR1", "CR1S", "CR2"];

function checkWorkers(text: string): string {
  if (/^[1-9]\d*$/.test(text.trim())) return text;
  throw new InvalidArgumentError("It must be a whole number of at least 1.");
}

function checkSeed(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("Any text will do, but not none.");
}

const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];

/** Flags of every command; they may stand before or after its name. */
function addGlobalOptions(command: Command): Command {
  return command
    .option("--json", "print one JSON object at full precision (the documented contract)")
    .addOption(new Option("--format <format>", "how to print the answer").choices(FORMATS).default("text"))
    .option("--out <file>", "write the answer to a file (whole or not at all)")
    .option("--seed <seed>", "seed of everything random: a number or any text", checkSeed, "1")
    .option("--workers <n>", "worker threads for simulations (the digits do not depend on it)", checkWorkers)
    .option("--quiet", "no progress and no warnings on stderr")
    .option("--no-color", "plain text even on a terminal");
}

/** How the columns of a file become the variables of a model. */
function addDataOptions(command: Command): Command {
  return command
    .option("--where <condition>", "keep the rows for which it holds: \"split == 'test' & n > 3\"", collect, [])
    .option("--mutate <name=expr>", 'add a column: "gain = after - before"', collect, [])
    .option("--levels <col=a,b,c>", "order of a factor's levels; the first is the reference", collect, [])
    .option("--factor <col>", "read a numeric column as a factor", collect, [])
    .option("--ordered <col=a,b,c>", "ordered factor, lowest level first", collect, [])
    .option(
      "--contrasts <sum|col=sum>",
      "treatment (default), sum, helmert or poly, for all factors or one",
      collect,
      [],
    )
    .option("--weights <col>", "precision weights, or trials of a binomial proportion")
    .option("--offset <col>", "a known part of the linear predictor");
}

/** How a file is read. */
function addReadOptions(command: Command): Command {
  return command
    .option("--input-format <format>", "do not guess what the file is: csv, tsv, jsonl, json, parquet, inspect, …")
    .addOption(new Option("--bad-rows <what>", "faulty rows of a table").choices(["error", "skip"]).default("error"))
    .option("--delimiter <char>", "CSV: what separates fields, if the guess is wrong; tab for a tab")
    .addOption(new Option("--decimal <sign>", "CSV: what separates decimals").choices([".", ","]))
    .option("--missing <a,b,c>", "CSV: texts that mean a missing value, beside the empty cell, NA, null …")
    .option("--no-quote", "CSV: a quotation mark is a character like any other")
    .option("--encoding <name>", "of text files: utf-8 (default), windows-1252, utf-16le …");
}

function addModelOptions(command: Command): Command {
  return addReadOptions(addDataOptions(command))
    .addOption(new Option("--family <family>", "response distribution of a glm").choices(FAMILIES))
    .addOption(new Option("--link <link>", "link function of a glm").choices(LINKS));
}

function addDescribe(program: Command): void {
  const describe = program
    .command("describe")
    .summary("what a file or folder holds, and which questions it can answer")
    .description(
      "What a file or folder holds: its format, columns and their roles (system, item,\n" +
        "score, rater, …), and which questions it can answer, with the exact command.",
    )
    .argument("<path>", "file or folder; - reads standard input");
  addReadOptions(describe).action(async (path, _, command) => {
    await (await import("./commands/describe.ts")).describeCommand(path, command.optsWithGlobals());
  });
}

const ddfOption = (): Option =>
  new Option("--ddf <method>", "lmm: degrees of freedom (default: satterthwaite)").choices([
    "satterthwaite",
    "kenward-roger",
    "none",
  ]);

function addFit(program: Command): void {
  const fit = program
    .command("fit")
    .summary("fit a model: lm, glm, lmm, glmm, clm, clmm")
    .description("Fit a model to a table. The formula is written as in R.")
    .argument("<model>", "lm, glm; mixed: lmm, glmm; ordinal: clm, clmm")
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
      new Option("--intervals <kind>", "lmm: intervals of every parameter beside the Wald ones").choices([
        "profile",
        "bootstrap",
      ]),
    )
    .option("--replicates <n>", "lmm: replicates of the bootstrap", "1000")
    .option("--terms", "lmm: also F tests of whole terms (type III)")
    .option("--modes", "lmm: also the random effects of every level (BLUPs)")
    .option("--loo", "also predict every row from all the others")
    .option("--predict <file>", "also predict the rows of this file")
    .addHelpText(
      "after",
      `
Examples:
  $ assay fit lm "score ~ system" ratings.csv --cluster item
  $ assay fit lmm "rating ~ system + (1 | item) + (1 | rater)" ratings.csv
  $ assay fit glm "correct ~ system + log(length)" items.jsonl \\
      --family binomial
  $ assay fit lm "gain ~ task" results.csv --mutate "gain = new - old" \\
      --where "split == 'test'"`,
    )
    .action(async (model, formula, data, _, command) => {
      await (await import("./commands/fit.ts")).fitCommand(model, formula, data, command.optsWithGlobals());
    });
}

function addAnova(program: Command): void {
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
      const { anovaCommand } = await import("./commands/anova.ts");
      await anovaCommand([formula0, formula1], data, command.optsWithGlobals());
    });
}

function addEmmeans(program: Command): void {
  const emmeans = program
    .command("emmeans")
    .summary("marginal means of a model and their contrasts")
    .description("Means of a model's factors, averaged over the others, and which of them differ.")
    .argument("<formula>", 'as for fit: "score ~ system * length"')
    .argument("<data>", "as for fit");
  addModelOptions(emmeans)
    .requiredOption("--by <columns>", "whose means: system, or system,domain for their combinations", collect)
    .option("--within <columns>", "make the contrasts within each level of these columns", collect, [])
    .option("--adjust <method>", "tukey (all pairs), holm, bonferroni, sidak, hochberg, hommel, BH, BY or none")
    .option("--contrast <kind>", "pairwise, treatment, consecutive, effects, poly, none, or name=1,-1,0", collect, [])
    .option("--reference <level>", "the mean that treatment contrasts compare with")
    .option("--at <col=1,2>", "values of a covariate (default: its mean) or levels of a factor", collect, [])
    .option("--slopes <column>", "slopes of this covariate instead of means")
    .addOption(new Option("--type <scale>", "scale of a glm's results (default: link)").choices(["link", "response"]))
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
  $ assay emmeans "score ~ system * length" ratings.csv --by system \\
      --within length
  $ assay emmeans "correct ~ system" items.jsonl --family binomial \\
      --by system --type response
  $ assay emmeans "score ~ system * tokens" results.csv --by system \\
      --slopes tokens`,
    )
    .action(async (formula, data, _, command) => {
      await (await import("./commands/emmeans.ts")).emmeansCommand(formula, data, command.optsWithGlobals());
    });
}

function makeProgram(): Command {
  const program = new Command("assay")
    .description("Can your evaluation results be trusted? Power, significance, reliability, validity.")
    .version(VERSION, "-V, --version", "print the version")
    .showSuggestionAfterError(true)
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (command) => command.name(),
      // a list that is empty unless given needs no mention
      optionDescription: (option) => new Help().optionDescription(option).replace(" (default: [])", ""),
      helpWidth: Math.min(process.stdout.columns || 80, 80),
    })
    .configureOutput({ writeErr: () => {} })
    .exitOverride()
    .addHelpText("after", HELP_FOOTER);
  addGlobalOptions(program);
  addDescribe(program);
  addFit(program);
  addAnova(program);
  addEmmeans(program);
  for (const command of program.commands) {
    command
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .showHelpAfterError(false);
  }
  return program;
}

/** `assay … | head` closes the pipe early, which is not an error; a full disk is. */
function watchOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`assay: the answer cannot be written (${error.code ?? error.message}).\n`);
    process.exit(COMPUTATION_FAILED);
  });
  process.stderr.on("error", () => {});
}

/** commander answers `--help` after any word with the general help; a command that does not exist is a mistake. */
function refuseUnknownCommand(): void {
  const words = process.argv.slice(2);
  if (!words.some((word) => word === "--help" || word === "-h" || word === "help")) return;
  const program = makeProgram();
  const { operands } = program.parseOptions(words);
  const name = operands[0] === "help" ? operands[1] : operands[0];
  const names = program.commands.map((command) => command.name());
  if (name === undefined || names.includes(name)) return;
  const message = `unknown command '${name}'; there is ${names.join(", ")}`;
  throw new CommanderError(USAGE_ERROR, "assay.unknownCommand", message);
}

function reportUsage(error: CommanderError): void {
  const message = error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  const named = makeProgram().commands.find((command) => process.argv.slice(2).includes(command.name()));
  const help = `${programName()}${named === undefined ? "" : ` ${named.name()}`} --help`;
  process.stderr.write(`assay: ${withFullStop(message)} See ${help}\n`);
  process.exitCode = USAGE_ERROR;
}

async function main(): Promise<void> {
  watchOutput();
  const program = makeProgram();
  if (process.argv.length <= 2) {
    process.stdout.write(program.helpInformation() + HELP_FOOTER + "\n");
    return;
  }
  try {
    refuseUnknownCommand();
    await program.parseAsync(process.argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) reportFailure(error);
    else if (error.exitCode !== 0) reportUsage(error);
  }
}

await main();
