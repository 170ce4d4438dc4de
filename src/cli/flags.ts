/** A flag as plain data, and the flags that several commands share. Help is made of these alone: no library is loaded for it. */
import { CHOSEN_ROWS, flagNameOf, type OptionSpec, type OptionTable, READ } from "../questions.ts";
import { nameFlags } from "./option-names.ts";

export interface Flag {
  /** "--n <items>", "--json". */
  readonly flags: string;
  readonly help: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** It may be given several times and is a list, empty unless given. */
  readonly many?: boolean;
  readonly required?: boolean;
  /** Taken, but not offered. */
  readonly hidden?: boolean;
  /** The heading of help under which it stands. */
  readonly group?: string | undefined;
  /** Offered by --help-all only. */
  readonly rare?: boolean | undefined;
  /** What is wrong with a value, as a sentence; undefined if nothing is. */
  readonly fault?: ((text: string) => string | undefined) | undefined;
}

export const flag = (flags: string, help: string, more: Omit<Flag, "flags" | "help"> = {}): Flag => ({
  flags,
  help,
  ...more,
});

/** The options of a table as flags; a text without a name for its value has none. */
export const flagsOf = (table: OptionTable): Flag[] =>
  Object.entries(table).flatMap(([name, spec]) =>
    spec.takes === "text" && spec.value === undefined ? [] : [flagOfOption(name, spec)],
  );

/** More choices than that are named by the help of the option itself. */
const MOST_CHOICES = 15;

function flagOfOption(name: string, spec: OptionSpec): Flag {
  const { takes, value, help, default: usual, group, rare, required } = spec;
  const flagName = flagNameOf(name, spec);
  // a wrong one that has a sentence of its own is not the parser's to refuse
  const words =
    spec.fault !== undefined ? [] : takes === "choice" ? spec.choices : takes === "word" ? Object.keys(spec.words) : [];
  return {
    flags:
      takes === "switch" || takes === "off"
        ? flagName
        : `${flagName} ${takes === "some" ? `[${value}]` : `<${value}>`}`,
    help: nameFlags(usual === undefined ? help : `${help} (default: ${usual})`),
    many: takes === "list" || takes === "texts" || takes === "map" || takes === "some",
    ...(words.length === 0 || words.length > MOST_CHOICES ? {} : { choices: words }),
    ...{ group, rare, required: required === true },
  };
}

/** "--n" of "--n <items>". */
export const nameOf = ({ flags }: Flag): string => flags.split(" ")[0]!;

/** Of every command; they may stand before or after its name. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  flag("--json", "print one JSON object at full precision (documented schema)"),
  flag(
    "--format <format>",
    "text, json, markdown (md), tex (latex), csv or html (a report); default: what --out ends in, else text",
  ),
  flag("--out <file>", "write the answer to a file, atomically: .md, .tex, .json, .html, .csv or .txt"),
  flag("--paper", "instead of the answer: a sentence, a LaTeX table and references for a paper"),
  flag(
    "--plot <file>",
    "also plot the answer: .svg, .png, .pdf, .tex (TikZ) or .csv; - prints SVG instead of the answer",
  ),
  flag("--figure <name>", "which plot --plot draws, or all"),
  flag("--html <file>", "also write a report: plots, tables, methods and the command to run it again"),
  flag("--include-text", "include single items in a report, and texts in --flips (default: neither)"),
  flag("--seed <seed>", "seed of the random numbers: a number or any text", {
    default: "1",
    fault: (text) => (text === "" ? "Give any text that is not empty." : undefined),
  }),
  flag("--workers <n>", "worker threads for simulations (default: one per processor; the digits do not depend on it)", {
    fault: (text) => (/^[1-9]\d{0,3}$/.test(text.trim()) ? undefined : "It must be a whole number from 1 to 9999."),
  }),
  flag("--quiet", "no progress and no warnings on stderr"),
  flag("--progress", "print progress after one second even when stderr is not a terminal"),
  flag("--no-color", "no colors, even on a terminal"),
];

export const JOURNAL = flag(
  "--journal <folder>",
  "save simulated replicates in this folder; the same command resumes from it",
  { fault: (text) => (/^-?$/.test(text.trim()) ? "Name a folder, such as --journal runs/a." : undefined) },
);

/** How a simulation is shared out; what cannot be says so. */
export const SHARED_OUT: readonly Flag[] = [
  JOURNAL,
  flag(
    "--shard <i/N>",
    "simulation: compute shard I of N (from 0; /N in a job array) into the journal; then run the command without it",
  ),
  flag("--partial", "simulation: answer from the journal only; exit code 4 if replicates are missing"),
  flag(
    "--on <where>",
    "simulation: compute on slurm, slurm:partition, or the workers of redis://host, into the journal; then print",
  ),
  flag("--shards <N>", "with --on slurm or --print-job: how many tasks (default: up to 64)"),
  flag("--max-time <time>", "with --on slurm or --print-job: of a task, as in 90m, 4h or 2d"),
  flag("--print-job <kind>", "simulation: print the job script for slurm or k8s instead of running it", {
    choices: ["slurm", "k8s"],
  }),
];

/** How a file is read. */
export const READ_FLAGS: readonly Flag[] = flagsOf(READ);

/** How a file is read, and which of its rows count. */
export const DATA_FLAGS: readonly Flag[] = [...flagsOf(CHOSEN_ROWS), ...READ_FLAGS];

export const CONFIDENCE = flag("--confidence <level>", "confidence level of the intervals", { default: "0.95" });

export const ALPHA = flag("--alpha <x>", "error rate of the test", { default: "0.05" });

/** Flags that only write, print, or say where it is computed: without a value, */
const PRINT_FLAGS = new Set([
  ..."--json --quiet --progress --no-color --include-text --details --why --paper --partial".split(" "),
]);
/** and with one. */
const WRITE_FLAGS = new Set([
  ..."--format --out --plot --figure --html --flips --shapes --save --certify --workers".split(" "),
  ..."--journal --shard --shards --on --max-time --print-job".split(" "),
]);

/** The words of a command that decide what is computed. A value may stand after "=" or as the next word. */
export function computingWords(command: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < command.length; i++) {
    const [name] = command[i]!.split("=");
    if (PRINT_FLAGS.has(name!)) continue;
    if (WRITE_FLAGS.has(name!)) {
      if (!command[i]!.includes("=")) i += 1;
      continue;
    }
    kept.push(command[i]!);
  }
  return kept;
}
