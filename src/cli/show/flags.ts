import type { CommandSpec } from "../command.ts";
import { flag } from "../flags.ts";

export const show: CommandSpec = {
  name: "show",
  question: "What does the program print?",
  summary: "print a stored result as its command printed it",
  description:
    "Prints a result that --json stored, as its command printed it, without recomputing it. What to ask next is left out: it needs the data.",
  words: [["<result>", "a file that --json wrote, or - for stdin"]],
  flags: [flag("--details", "also what --details of the command shows")],
  examples: ["gosset compare answers.jsonl --json --out result.json", "gosset show result.json"],
  takes: [],
  load: async () => (await import("./run.ts")).run,
};
