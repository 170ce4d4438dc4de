/** Commands as help shows them: within 80 columns, with a backslash where a line goes on, so that they run when pasted. */
const WIDTH = 80;
const PROMPT = "  $ ";
const NEXT = "      ";

/** Breaks before a flag. */
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
