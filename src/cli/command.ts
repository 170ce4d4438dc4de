/** The skeleton of every command: plain data about it, and one function that is loaded when it is called. What surrounds that function
 *  (files, rows, progress, threads, printing) is its context, the same for all. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Context } from "./context.ts";
import { type Flag, GLOBAL_FLAGS, nameOf } from "./flags.ts";
import type { GivenOptions } from "./options.ts";
import { optionsOf } from "./words.ts";

/** What a command answers; `gosset --help` groups by it. */
export type Question =
  | "What is in this file?"
  | "Is the difference real?"
  | "Is the evaluation big enough?"
  | "Would we get the same result again?"
  | "Does it measure what it claims?"
  | "Do published results hold?"
  | "What does the program print?";

// biome-ignore lint/suspicious/noExplicitAny: each command has options and arguments of its own, which its flags and words declare
export type Run = (context: Context<any>, ...args: any[]) => Promise<void>;

export interface CommandSpec {
  readonly name: string;
  /** Of the commands on the first level. */
  readonly question?: Question;
  readonly summary: string;
  readonly description: string;
  /** In the order of the line: "<data>", "[ids...]". */
  readonly words?: readonly (readonly [word: string, help: string])[];
  readonly flags?: readonly Flag[];
  /** Commands within this one, made when it is called, and what one of them is called: "scenario". */
  readonly commands?: () => readonly CommandSpec[];
  readonly noun?: string;
  /** Which flags of all commands it has a use for, where it prints no answer of its own; default: every one. */
  readonly takes?: readonly string[];
  /** Said after the flags. */
  readonly remark?: string;
  /** Whole commands. */
  readonly examples?: readonly string[];
  /** Imports the function when the command is called. */
  readonly load?: () => Promise<Run>;
}

/** As the list of all commands names it. */
export function nameCommand(parent: Command, { name, question, summary }: CommandSpec): Command {
  const command = parent.command(name).summary(summary);
  return question === undefined ? command : command.helpGroup(`${question}`);
}

export function addCommand(parent: Command, spec: CommandSpec): void {
  const { description, words = [], flags = [], commands = () => [], load } = spec;
  const command = nameCommand(parent, spec).description(description);
  for (const [word, help] of words) command.argument(word, help);
  for (const one of flags) command.addOption(optionOf(one));
  for (const inner of commands()) addCommand(command, inner);
  command.addHelpText("after", helpAfter(spec));
  if (load !== undefined) command.action((...given) => runCommand(spec, given.at(-1) as Command, given.slice(0, -2)));
  else if (spec.noun !== undefined) refuseUnknown(command, spec.noun);
}

async function runCommand({ load, takes }: CommandSpec, command: Command, words: readonly unknown[]): Promise<void> {
  if (takes !== undefined) await refuseGlobals(command, takes);
  const readings = optionsOf(command).some(({ long }) => long === "--reading")
    ? await import("./reading.ts")
    : undefined;
  const reading = await readings?.applyReading(command, words);
  const run = await load!();
  const { withContext } = await import("./context.ts");
  const { settleFormat } = await import("./format.ts");
  const given = command.optsWithGlobals() as GivenOptions;
  // a command that takes no format writes in one way only
  const oneWay = takes !== undefined && !takes.includes("--format");
  const options = oneWay ? { ...given, format: "text" as const } : settleFormat(given);
  // a command within another takes the flags of that one too
  const outer = command.parent?.options ?? [];
  const typed = [...command.options, ...outer, ...GLOBAL_FLAGS.map(optionOf)].filter(
    (option) => command.getOptionValueSourceWithGlobals(option.attributeName()) === "cli",
  );
  const flags = new Set(typed.map(({ long }) => long!));
  try {
    await withContext(options, { given: flags, reading }, (context) => run(context, ...words));
  } catch (error) {
    throw reading === undefined ? error : readings!.blameReading(error, reading);
  }
}

/** Flags of all commands that this one has no use for. */
async function refuseGlobals(command: Command, takes: readonly string[]): Promise<void> {
  const given = GLOBAL_FLAGS.map(nameOf).find(
    (name) =>
      !ANYWHERE.has(name) && !takes.includes(name) && command.getOptionValueSourceWithGlobals(keyOf(name)) === "cli",
  );
  if (given === undefined) return;
  const { StatError } = await import("../index.ts");
  throw new StatError("BadOption", `${command.name()} does not take ${given}.`, `Leave ${given} out.`);
}

/** They change how a command runs, never what it says: scripts hand them to every command alike. */
export const ANYWHERE: ReadonlySet<string> = new Set(["--seed", "--workers", "--quiet", "--progress", "--no-color"]);

const keyOf = (name: string): string => name.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** By itself a group shows its help. */
function refuseUnknown(group: Command, noun: string): void {
  group
    .argument(`[${noun}]`)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (name: string | undefined) => {
      if (name === undefined) return group.outputHelp();
      if (name.startsWith("-")) return group.error(`unknown option '${name}'`, { code: "commander.unknownOption" });
      const { StatError } = await import("../index.ts");
      const { suggest } = await import("../text.ts");
      const names = group.commands.map((one) => one.name());
      throw new StatError(
        "UnknownCommand",
        `there is no ${noun} "${name}".`,
        suggest(name, names, `There is ${names.join(", ")}.`),
      );
    });
}

/** Whether help lists the flags that are rarely needed. */
export const HELP = { all: false };

const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];

function optionOf({ flags, help, many, choices, fault, required, hidden, group, rare, ...more }: Flag): Option {
  const option = new Option(flags, help);
  // an option whose value may be left out is undefined until it is given
  if (many) option.argParser(collect).default(required || option.optional ? undefined : []);
  else if (more.default !== undefined) option.default(more.default);
  if (choices !== undefined) option.choices([...choices]);
  if (fault !== undefined) {
    option.argParser((text) => {
      const found = fault(text);
      if (found !== undefined) throw new InvalidArgumentError(found);
      return text;
    });
  }
  if (group !== undefined) option.helpGroup(group);
  return option.makeOptionMandatory(required === true).hideHelp(hidden === true || (rare === true && !HELP.all));
}

export const makeOptions = (flags: readonly Flag[]): Option[] => flags.map(optionOf);

const OTHER_OPTIONS = "\ngosset --help lists the options of all commands: --json, --out, --seed …";

function helpAfter({ flags = [], remark, examples = [] }: CommandSpec): string {
  const title = examples.length === 1 ? "Example:" : "Examples:";
  const rare = HELP.all ? 0 : flags.filter((one) => one.rare).length;
  return [
    ...(rare === 0 ? [] : [`\n--help-all lists ${rare} more options.`]),
    OTHER_OPTIONS,
    ...(remark === undefined ? [] : [`\n${remark}`]),
    ...(examples.length === 0 ? [] : [`\n${title}\n${examples.map(wrapCommand).join("\n")}`]),
  ].join("\n");
}

const WIDTH = 80;
const PROMPT = "  $ ";
const NEXT = "      ";

/** Within 80 columns, broken before a flag with a backslash, so that it runs when pasted. */
export function wrapCommand(command: string): string {
  const parts = command.split(/ (?=--)/);
  const lines = [PROMPT + parts[0]!];
  for (const part of parts.slice(1)) {
    const longer = `${lines.at(-1)} ${part}`;
    // room for the backslash
    if (longer.length <= WIDTH - 2) lines[lines.length - 1] = longer;
    else lines.push(NEXT + part);
  }
  return lines.join(" \\\n");
}
