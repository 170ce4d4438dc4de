/** The words of a command line: the command that they name, the options that it has, flags instead of others. */
import type { Command, Option } from "commander";

/** The command that the words name, within the one before it. */
export function commandPath(program: Command, words: readonly string[]): Command[] {
  const find = (parent: Command, from: number): readonly [Command, number] | undefined => {
    const at = words.findIndex((word, i) => i >= from && parent.commands.some((command) => command.name() === word));
    return at < 0 ? undefined : [parent.commands.find((command) => command.name() === words[at])!, at];
  };
  const first = find(program, 0);
  if (first === undefined) return [];
  const [command, at] = first;
  const inner = command.commands.find((one) => one.name() === words[at + 1]);
  return inner === undefined ? [command] : [command, inner];
}

/** Options of a command and of the one that it is within. */
export const optionsOf = (command: Command): readonly Option[] => [
  ...command.options,
  ...(command.parent?.parent == null ? [] : command.parent.options),
];

/** The words with these flags instead of the same ones. */
export function withFlags(words: readonly string[], flags: readonly string[]): string[] {
  const names = flags.filter((word) => word.startsWith("--"));
  const valued = new Set(flags.filter((_, i) => flags[i + 1]?.startsWith("--") === false));
  const kept = words.filter((word, i) => !names.includes(word.split("=")[0]!) && !valued.has(words[i - 1] ?? ""));
  return [...kept, ...flags];
}
