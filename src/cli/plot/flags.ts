import type { CommandSpec } from "../command.ts";

export const plot: CommandSpec = {
  name: "plot",
  question: "What does the program print?",
  summary: "plot a stored result: .svg, .png, .pdf, .tex or .csv",
  description:
    "Plots a result that --json stored, as --plot of its command would, without recomputing it. Without --out the SVG goes to stdout.",
  words: [["<result>", "a file that --json wrote, or - for stdin"]],
  examples: [
    "gosset compare answers.jsonl --json --out result.json",
    "gosset plot result.json --out forest.pdf",
    "gosset plot result.json --figure all --out figures.svg",
  ],
  takes: ["--out", "--plot", "--figure"],
  load: async () => (await import("./run.ts")).run,
};
