import type { CommandSpec } from "../command.ts";
import { flag } from "../flags.ts";

/** What a timer of Node can wait for, in seconds. */
const LONGEST = 2_000_000;

const TOLERANCE = flag("--tolerance <x>", "largest relative difference at which two numbers count as equal", {
  default: "0",
  fault: (text) =>
    Number(text) >= 0 && Number(text) < 1 && text.trim() !== ""
      ? undefined
      : "It must be a number of at least 0, and below 1.",
});
const TRUST = flag(
  "--trust",
  "also run commands that start other programs (power module, --learner) or raise --max-memory",
);
const TIMEOUT = flag("--timeout <seconds>", "time limit of the stored command", {
  default: "600",
  fault: (text) =>
    Number(text) > 0 && Number(text) <= LONGEST ? undefined : "It must be a number of seconds above 0.",
});

export const bundle: CommandSpec = {
  name: "bundle",
  question: "Do published results hold?",
  summary: "data, command and result in one zip that others can verify",
  description:
    "Puts a stored result, its data, command, seed and versions into one zip. Gosset first recomputes the result and refuses to bundle one that it cannot reproduce. It renames raters at random, keeps no list of their names, and stores the result of the renamed data.",
  words: [
    ["<result>", "the file that --json wrote"],
    ["<data...>", "the files and folders that its command reads"],
  ],
  flags: [
    flag(
      "--rater <col>",
      "the column of raters to rename (default: that of the command, or the one found in the file)",
    ),
    flag("--keep-names", "leave raters' names as they are"),
    TOLERANCE,
    TIMEOUT,
    TRUST,
  ],
  takes: ["--out", "--json"],
  examples: [
    "gosset compare ratings.csv --json --out result.json",
    "gosset bundle result.json ratings.csv --out study.zip",
    "gosset verify study.zip",
  ],
  load: async () => (await import("./bundle.ts")).runBundle,
};

export const verify: CommandSpec = {
  name: "verify",
  question: "Do published results hold?",
  summary: "recompute a stored result and report what differs",
  description:
    "Runs the command of a stored result (or of a bundle, on the bundle's data) again and compares every value. Exit code 0: identical; 1: something differs. A stored command may only read files: options that write files are left out, and commands that start programs need --trust.",
  words: [["<stored>", "the file that --json wrote, or a zip of gosset bundle"]],
  flags: [TOLERANCE, TIMEOUT, TRUST],
  examples: ["gosset verify result.json", "gosset verify study.zip --tolerance 1e-9"],
  load: async () => (await import("./verify.ts")).runVerify,
};
