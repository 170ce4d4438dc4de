import type { CommandSpec } from "../command.ts";
import { flag } from "../flags.ts";

/** What a timer of Node can wait for, in seconds. */
const LONGEST = 2_000_000;

const TOLERANCE = flag("--tolerance <x>", "relative difference of numbers that still counts as the same", {
  default: "0",
  fault: (text) =>
    Number(text) >= 0 && Number(text) < 1 && text.trim() !== ""
      ? undefined
      : "It must be a number of at least 0, and below 1.",
});
const TRUST = flag(
  "--trust",
  "also run commands that start programs of others (power module, --learner) or raise --max-memory",
);
const TIMEOUT = flag("--timeout <seconds>", "for the stored command, which may be a stranger's", {
  default: "600",
  fault: (text) =>
    Number(text) > 0 && Number(text) <= LONGEST ? undefined : "It must be a number of seconds above 0.",
});

export const bundle: CommandSpec = {
  name: "bundle",
  question: "Do published results hold?",
  summary: "data, command and result in one zip that others can verify",
  description:
    "Puts a stored result, the data behind it, its command, seed and versions into one zip. The result is computed again first, and refused\nif it does not come out. Raters are renamed at random (the list of names is kept nowhere), and the result is that of the renamed data.",
  words: [
    ["<result>", "the file that --json wrote"],
    ["<data...>", "the files and folders that its command reads"],
  ],
  flags: [
    flag("--rater <col>", "the column of raters to rename (default: that of the command, or what the file shows)"),
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
  summary: "compute a stored result anew and say what differs",
  description:
    "Runs the command of a stored result (or of a bundle, on the bundle's data) again and compares every value. Exit code 0: identical; 1: something\ndiffers. A stored command may only read: what would write files, or start programs without --trust, is left out or refused.",
  words: [["<stored>", "the file that --json wrote, or a zip of gosset bundle"]],
  flags: [TOLERANCE, TIMEOUT, TRUST],
  examples: ["gosset verify result.json", "gosset verify study.zip --tolerance 1e-9"],
  load: async () => (await import("./verify.ts")).runVerify,
};
