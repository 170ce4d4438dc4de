/** The `gosset` program: arguments in, one answer out. Commands load on use, so that `gosset --help` stays fast. */
import module from "node:module";
import { setFlagsFromString } from "node:v8";
import { type Command, CommanderError } from "commander";
import { neutralise } from "../text.ts";
import type { Ended } from "./ask.ts";
import { COMPUTATION_FAILED, isQuestion, reportFailure, USAGE_ERROR, withFullStop } from "./failure.ts";
import { HELP_FOOTER, programName } from "./help.ts";
import { makeProgram } from "./program.ts";
import { commandPath } from "./words.ts";

/** `gosset … | head` closes the pipe early, which is not an error; a full disk is. */
function watchOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`gosset: cannot write the answer (${error.code ?? error.message}).\n`);
    process.exit(COMPUTATION_FAILED);
  });
  process.stderr.on("error", () => {});
}

/** commander answers `--help` after any word with the general help; a command that does not exist is a mistake. */
function refuseUnknownCommand({ args, commands }: Command): void {
  const name = args[0] === "help" ? args[1] : args[0];
  const names = commands.map((command) => command.name());
  if (name === undefined || name.startsWith("-") || names.includes(name)) return;
  const message = `unknown command '${name}'; there is ${names.join(", ")}`;
  throw new CommanderError(USAGE_ERROR, "gosset.unknownCommand", message);
}

function reportUsage(error: CommanderError, program: Command): void {
  const path = commandPath(program, process.argv.slice(2));
  const help = [programName(), ...path.map((command) => command.name()), "--help"].join(" ");
  process.stderr.write(`gosset: ${withFullStop(neutralise(usageMessage(error, path)))} See ${help}\n`);
  process.exitCode = USAGE_ERROR;
}

function usageMessage(error: CommanderError, path: readonly Command[]): string {
  const bare = error.message.replace(/^error: /, "").replace(/(?<!\s)\s*\n\s*/g, " ");
  // a group of commands by itself
  if (bare === "(outputHelp)") return `${path.at(-1)?.name()} needs one of its commands`;
  const unknown = /^unknown option '([^'=]+)/.exec(bare)?.[1];
  const name = path.map((command) => command.name()).join(" ");
  if (unknown === "--journal" || unknown === "--shard")
    return `${name} keeps no journal and runs in one process: the same command with the same --seed gives the same answer`;
  const [group, own] = path;
  const takes = (command: Command): boolean => command.options.some(({ long }) => long === unknown);
  return own !== undefined && group!.commands.some(takes) ? `${own.name()} does not take ${unknown}` : bare;
}

/** A command is mostly over before code that the engine optimised has earned what that cost: a third of the processor's time of a
 *  comparison went there. Functions are optimised once they have run seven times as long as by default. (Later engines count in other ways.) */
function optimiseLater(): void {
  if (process.versions.v8.startsWith("11.")) setFlagsFromString("--interrupt-budget=500000");
}

/** Where Node keeps compiled code (22.1 and later), the next run need not compile again what its command loads. The types are those of the oldest
 *  Node that is supported. */
const keepCompiled = (): unknown => (module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();

async function main(): Promise<void> {
  optimiseLater();
  keepCompiled();
  watchOutput();
  // run for another command, which may be killed
  if (process.env["GOSSET_READ_ONLY"] !== undefined) (await import("./supervise.ts")).heedParent();
  if (process.argv.length <= 2) {
    process.stdout.write(makeProgram([]).helpInformation() + HELP_FOOTER + "\n");
    return;
  }
  const words = process.argv.slice(2);
  const { program, error } = await runWords(words);
  if (error === undefined) return;
  if (error instanceof CommanderError) {
    if (error.exitCode !== 0) reportUsage(error, program);
  } else if (isQuestion(error)) await (await import("./ask.ts")).answerQuestion(error, { program, words }, runWords);
  else reportFailure(error);
}

/** One run of the program; what it ended with, if not well. */
async function runWords(words: readonly string[]): Promise<Ended> {
  process.argv = [...process.argv.slice(0, 2), ...words.map((word) => (word === "--help-all" ? "--help" : word))];
  const program = makeProgram(words).on("beforeHelp", () => refuseUnknownCommand(program));
  try {
    await program.parseAsync(process.argv);
    return { program };
  } catch (error) {
    return { program, error };
  }
}

await main();
