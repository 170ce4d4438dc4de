import type { CommandSpec } from "../command.ts";

export const plot: CommandSpec = {
  name: "plot",
  question: "What does the program print?",
  summary: "draw a stored result: .svg, .png, .pdf, .tex or .csv",
  description:
    "Draws what --json stored: the same pictures as --plot of the command itself, without computing anything again. Without --out the SVG\ngoes to stdout.",
  words: [["<result>", "a file that --json wrote, or - for stdin"]],
  examples: [
    "gosset compare answers.jsonl --json --out result.json",
    "gosset plot result.json --out forest.pdf",
    "gosset plot result.json --figure all --out figures.svg",
  ],
  takes: ["--out", "--plot", "--figure"],
  load: async () => (await import("./run.ts")).run,
};
