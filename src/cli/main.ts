/** The `gosset` program: arguments in, one answer out. Commands load on use, so that `gosset --help` stays fast. */
import { Command, CommanderError, Help } from "commander";
import { addAgreement } from "./agreement/flags.ts";
import { addAnova } from "./anova/flags.ts";
import { addBudget } from "./budget/flags.ts";
import { addCompare } from "./compare/flags.ts";
import { addDescribe } from "./describe/flags.ts";
import { addDesign } from "./design/flags.ts";
import { addEmmeans } from "./emmeans/flags.ts";
import { COMPUTATION_FAILED, reportFailure, USAGE_ERROR, withFullStop } from "./failure.ts";
import { addFit } from "./fit/flags.ts";
import { addGlobalOptions } from "./flags.ts";
import { HELP_FOOTER, programName, VERSION } from "./help.ts";
import { addImportance } from "./importance/flags.ts";
import { addPower } from "./power/flags.ts";
import { addReliability } from "./reliability/flags.ts";
import { addReplicate } from "./replicate/flags.ts";
import { addSchema } from "./schema/flags.ts";
import { addScore } from "./score/flags.ts";
import { addTest } from "./test/flags.ts";
import { addValidity } from "./validity/flags.ts";

function makeProgram(): Command {
  const program = new Command("gosset")
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
  addCompare(program);
  addScore(program);
  addTest(program);
  addPower(program);
  addDesign(program);
  addAgreement(program);
  addReliability(program);
  addImportance(program);
  addBudget(program);
  addValidity(program);
  addFit(program);
  addAnova(program);
  addEmmeans(program);
  addReplicate(program);
  addSchema(program);
  for (const command of program.commands) {
    command
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .showHelpAfterError(false);
  }
  return program;
}

/** `gosset … | head` closes the pipe early, which is not an error; a full disk is. */
function watchOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`gosset: the answer cannot be written (${error.code ?? error.message}).\n`);
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
  throw new CommanderError(USAGE_ERROR, "gosset.unknownCommand", message);
}

function reportUsage(error: CommanderError): void {
  const bare = error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  const { commands } = makeProgram();
  const words = process.argv.slice(2);
  const names = commands.map((command) => command.name());
  const at = words.findIndex((word) => names.includes(word));
  const named = commands.find((command) => command.name() === words[at]);
  const inner = named?.commands.find((command) => command.name() === words[at + 1]);
  // a group of commands by itself
  const message = bare === "(outputHelp)" ? `${named?.name()} needs one of its commands` : bare;
  const help = [programName(), ...[named, inner].flatMap((command) => command?.name() ?? []), "--help"].join(" ");
  process.stderr.write(`gosset: ${withFullStop(message)} See ${help}\n`);
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
