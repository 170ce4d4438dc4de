/** Columns of a command within an answer of 80. */
const COMMAND_WIDTH = 72;

/** A command over several lines that can still be pasted: broken between arguments, each line but the last ends in \. */
export function foldCommand(command: string): string[] {
  // an option stays with its value, which may be a negative number
  const words = command.match(/(?:--\S+ (?!--))?(?:"[^"]*"|'(?:[^']|'\\'')*'|[^\s"'])+/g) ?? [command];
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + word.length + 1 > COMMAND_WIDTH) {
      lines.push(`${line} \\`);
      line = `  ${word}`;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
