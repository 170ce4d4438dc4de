/** A flag as plain data, and the flags that several commands share. Help is made of these alone: no library is loaded for it. */

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
  /** What is wrong with a value, as a sentence; undefined if nothing is. */
  readonly fault?: (text: string) => string | undefined;
}

export const flag = (flags: string, help: string, more: Omit<Flag, "flags" | "help"> = {}): Flag => ({
  flags,
  help,
  ...more,
});

/** "--n" of "--n <items>". */
export const nameOf = ({ flags }: Flag): string => flags.split(" ")[0]!;

export const ROBUST = ["HC0", "HC1", "HC2", "HC3", "CR0", "CR1", "CR1S", "CR2"];
export const P_ADJUSTMENTS = ["holm", "bonferroni", "sidak", "holm-sidak", "hochberg", "hommel", "BH", "BY", "none"];

/** Of every command; they may stand before or after its name. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  flag("--json", "print one JSON object at full precision (the documented contract)"),
  flag(
    "--format <format>",
    "text, json, markdown (md), tex (latex), csv or html (a report); default: what --out ends in, else text",
  ),
  flag("--out <file>", "write the answer to a file, whole or not at all: .md, .tex, .json, .html, .csv or .txt"),
  flag("--paper", "instead of the answer: the sentence, the LaTeX table and the literature for a paper"),
  flag(
    "--plot <file>",
    "also draw the answer: .svg, .png, .pdf, .tex (TikZ) or .csv; - prints SVG instead of the answer",
  ),
  flag("--figure <name>", "which picture --plot draws, or all"),
  flag("--html <file>", "also write a report: pictures, tables, method, how to run it again"),
  flag("--include-text", "let a report name single items, and --flips hold texts (both stay out otherwise)"),
  flag("--seed <seed>", "seed of everything random: a number or any text", {
    default: "1",
    fault: (text) => (text === "" ? "Any text will do, but not none." : undefined),
  }),
  flag("--workers <n>", "worker threads for simulations (default: one per processor; the digits do not depend on it)", {
    fault: (text) => (/^[1-9]\d{0,3}$/.test(text.trim()) ? undefined : "It must be a whole number from 1 to 9999."),
  }),
  flag("--quiet", "no progress and no warnings on stderr"),
  flag("--progress", "progress of what takes longer than a second also where stderr is no terminal"),
  flag("--no-color", "plain text even on a terminal"),
];

export const JOURNAL = flag(
  "--journal <folder>",
  "keep what is drawn in this folder, and draw nothing twice; the same command goes on",
  { fault: (text) => (/^-?$/.test(text.trim()) ? "It is a folder, such as --journal runs/a." : undefined) },
);

/** How a simulation is shared out; what cannot be says so. */
export const SHARED_OUT: readonly Flag[] = [
  JOURNAL,
  flag(
    "--shard <i/N>",
    "simulation: draw one part of N (from 0; /N in a job array) into the journal; then run it without",
  ),
  flag("--partial", "simulation: answer from what the journal holds and draw nothing; exit code 4 where it is not all"),
  flag(
    "--on <where>",
    "simulation: draw on slurm, slurm:partition, or the workers of redis://host, into the journal; then print",
  ),
  flag("--shards <N>", "with --on slurm or --print-job: how many tasks (default: up to 64)"),
  flag("--max-time <time>", "with --on slurm or --print-job: of a task, as in 90m, 4h or 2d"),
  flag("--print-job <kind>", "simulation: print the job instead, to be submitted by hand: slurm or k8s", {
    choices: ["slurm", "k8s"],
  }),
];

/** How a file is read. */
export const READ_FLAGS: readonly Flag[] = [
  flag("--input-format <format>", "do not guess what the file is: csv, tsv, jsonl, json, yaml, parquet, inspect, …"),
  flag("--bad-rows <what>", "faulty rows of a table", { choices: ["error", "skip"], default: "error" }),
  flag("--delimiter <char>", "CSV: what separates fields, if the guess is wrong; tab for a tab"),
  flag("--decimal <sign>", "CSV: what separates decimals", { choices: [".", ","] }),
  flag("--missing <a,b,c>", "CSV: texts that mean a missing value, beside the empty cell, NA, null …"),
  flag("--no-quote", "CSV: a quotation mark is a character like any other"),
  flag("--heading <text>", "Markdown: the heading of the table to read, where there are several"),
  flag(
    "--shape <shape>",
    "long: unroll lists, votes and columns side by side to long rows; as-is: leave the table as it is",
    {
      choices: ["long", "as-is"],
    },
  ),
  flag("--encoding <name>", "of text files: utf-8 (default), windows-1252, utf-16le …"),
  flag(
    "--max-memory <size>",
    "what reading and a step of a mixed model may take, as in 4G or 500M (default: 1G); what needs more is refused",
    {
      fault: (text) =>
        /^\d+(\.\d+)?\s*[kmgt]?i?b?$/i.test(text.trim()) ? undefined : "Write a size such as 500M, 4G or 8GB.",
    },
  ),
];

/** How a file is read, and which of its rows count. */
export const DATA_FLAGS: readonly Flag[] = [
  flag("--where <condition>", "keep the rows for which it holds: \"split == 'test' & n > 3\"", { many: true }),
  flag("--mutate <name=expr>", 'add a column: "gain = after - before"', { many: true }),
  ...READ_FLAGS,
];

/** The shape of a table that is not long: one row for each judgment is made of it. */
export const SHAPE_FLAGS: readonly Flag[] = [
  flag("--raters <a,b,c>", "one column of scores or labels for each rater", { many: true }),
  flag("--items <a,b,c>", "one row for each system, one column for each item", { many: true }),
  flag("--counts <a,b,c>", "columns that count the raters who chose each label", { many: true }),
  flag("--ranks <a,b,c>", "columns of ranks, 1 the best: one for each system, or the system at each rank", {
    many: true,
  }),
  flag("--best <col>", "best-worst scaling: the column of the best (with --worst)"),
  flag("--worst <col>", "best-worst scaling: the column of the worst"),
  flag(
    "--stubs <a,b>",
    "columns with the same numbers belong together: sys,quality of sys1, quality1, sys2, quality2",
    {
      many: true,
    },
  ),
  flag("--one-hot <a,b,c>", "columns of 0 and 1: the one that is 1 is the system", { many: true }),
  flag("--lists <what>", "what the elements of lists in cells are", {
    choices: ["systems", "raters", "runs", "items"],
  }),
];

/** What the columns of a file are: the same in every command that reads rows, and in a reading. */
const ROLES: readonly Flag[] = [
  flag("--system <col>", "column that names the systems; none if there is none"),
  flag("--item <cols>", "column that identifies an item; several if together: doc,nr"),
  flag("--score <col>", "column of the scores"),
  flag("--metric <name>", "a metric: a score column, or a level of the column that names metrics"),
  flag("--rater <col>", "column of the raters or judges; none if there are none"),
  flag("--run <col>", "column of epochs, seeds or runs; rows: rows that no column tells apart are runs"),
  flag("--cluster <col>", "items of one document, topic … are correlated; none if they are not"),
  flag("--task <col>", "column of the tasks or data sets"),
  flag("--gold <col>", "column of the gold labels"),
  flag("--direction <way>", "is a higher or a lower score better, where the file does not say it", {
    choices: ["higher", "lower"],
  }),
  ...SHAPE_FLAGS,
  flag("--files <what>", "what several files of the same systems are", {
    choices: ["raters", "runs", "tasks", "systems"],
  }),
  flag("--reading <file>", "what the columns are, as describe --save wrote it (default: gosset.yaml beside the data)"),
];

/** Those that a command has a use for, all unless they are named, with its own words on some of them. */
export function roleFlags(names: string | undefined, ...own: readonly Flag[]): Flag[] {
  const said = new Set(own.map(nameOf));
  const used = names === undefined ? undefined : new Set([...names.split(" "), "reading"].map((name) => `--${name}`));
  return [...own, ...ROLES.filter((one) => !said.has(nameOf(one)) && used?.has(nameOf(one)) !== false)];
}

export const ORDERED_LABELS = flag("--ordered <col=a,b,c>", "ordered labels, lowest first", { many: true });
export const CONFIDENCE = flag("--confidence <level>", "confidence level of the intervals", { default: "0.95" });

/** Rows with scores or labels. */
export const RATING_FLAGS: readonly Flag[] = [...DATA_FLAGS, ORDERED_LABELS, CONFIDENCE];

/** How columns become the variables of a model. */
export const VARIABLE_FLAGS: readonly Flag[] = [
  flag("--levels <col=a,b,c>", "order of a factor's levels; the first is the reference", { many: true }),
  flag("--factor <col>", "read a numeric column as a factor", { many: true }),
  flag("--ordered <col=a,b,c>", "ordered factor, lowest level first", { many: true }),
  flag("--contrasts <sum|col=sum>", "treatment (default), sum, helmert or poly, for all factors or one", {
    many: true,
  }),
  flag("--weights <col>", "precision weights, or trials of a binomial proportion"),
  flag("--offset <col>", "a known part of the linear predictor"),
];

export const FAMILY = flag("--family <family>", "response distribution", {
  choices: ["gaussian", "binomial", "poisson"],
});
export const GLM_FAMILY = flag("--family <family>", "response distribution (default: by the response)", {
  choices: ["gaussian", "binomial", "poisson", "quasibinomial", "quasipoisson", "negative-binomial", "beta"],
});
export const LINK = flag("--link <link>", "link function (default: the family's own)", {
  choices: ["identity", "log", "logit", "probit", "cloglog"],
});
export const ORDINAL_LINK = flag("--link <link>", "link function (default: logit)", {
  choices: ["logit", "probit", "cloglog"],
});
export const NAGQ = flag(
  "--nagq <n>",
  "of mixed models of categories: points of adaptive quadrature (default: 1, Laplace)",
);
export const CATEGORICAL_MODEL = flag(
  "--model <kind>",
  "ordinal and generalised mixed models (default: by the response and --family)",
  { choices: ["clm", "clmm", "glmm"] },
);
export const MODEL_FLAGS: readonly Flag[] = [...DATA_FLAGS, ...VARIABLE_FLAGS, GLM_FAMILY, LINK];

export const DDF = flag("--ddf <method>", "degrees of freedom of a linear mixed model (default: satterthwaite)", {
  choices: ["satterthwaite", "kenward-roger", "none"],
});

/** Of variance components. */
export const COMPONENT_INTERVALS = flag(
  "--intervals <kind>",
  "default: generalised for complete balanced data, else bootstrap",
  { choices: ["generalised", "bootstrap", "none"] },
);

export const ALPHA = flag("--alpha <x>", "error rate of the test", { default: "0.05" });

/** Flags that only write, print, or say where it is computed: without a value, */
const PRINT_FLAGS = new Set([
  ..."--json --quiet --progress --no-color --include-text --details --why --paper --partial".split(" "),
]);
/** and with one. */
const WRITE_FLAGS = new Set([
  ..."--format --out --plot --figure --html --flips --shapes --save --workers".split(" "),
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
