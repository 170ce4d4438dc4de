import type { CommandSpec } from "../command.ts";
import { flag } from "../flags.ts";

const RESULTS: readonly (readonly [string, string])[] = [["<results...>", "files that --json wrote; - for stdin"]];

export const report: CommandSpec = {
  name: "report",
  question: "What does the program print?",
  summary: "bind stored results into one page",
  description:
    "Combines results that --json stored into one self-contained HTML page: verdicts, plots, tables, methods, references and commands. Without --out it goes to stdout. --html of a command writes the report of its own answer.",
  words: RESULTS,
  examples: [
    "gosset report compare.json reliability.json --out report.html",
    "gosset compare answers.jsonl --html report.html",
  ],
  takes: ["--out", "--html", "--include-text"],
  load: async () => (await import("./run.ts")).runReport,
};

export const cite: CommandSpec = {
  name: "cite",
  question: "What does the program print?",
  summary: "BibTeX of the methods behind stored results",
  description:
    "Prints BibTeX entries for the methods of stored results, and for Gosset. --checklist prints answers to the items on statistics of the NeurIPS and ACL Rolling Review checklists, and names those that the results cannot answer.",
  words: RESULTS,
  flags: [flag("--checklist", "answers to the checklist items on statistics instead of BibTeX")],
  examples: [
    "gosset cite compare.json",
    "gosset cite *.json --out methods.bib",
    "gosset cite compare.json --checklist",
  ],
  takes: ["--out"],
  load: async () => (await import("./run.ts")).runCite,
};

export const paper: CommandSpec = {
  name: "paper",
  question: "What does the program print?",
  summary: "stored results for one paper: a paragraph, their tables, one .bib",
  description:
    "Writes what --json stored as one piece of LaTeX: a sentence of each result, a table of each, and the literature of all of them in\none gosset.bib. --paper of a command does the same with its own answer.",
  words: RESULTS,
  examples: [
    "gosset paper compare.json agreement.json --out results.tex",
    "gosset paper *.json --json --out results-for-the-paper.json",
  ],
  takes: ["--out", "--json"],
  load: async () => (await import("./run.ts")).runPaper,
};
