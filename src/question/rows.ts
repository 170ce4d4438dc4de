/** Options that every question of rows has: how files are read, which rows count, what the columns are. */
import { FORMATS } from "../data/imported.ts";
import { SHAPES } from "../data/shapes.ts";
import type { OptionSpec, OptionTable } from "./option.ts";

/** Headings of help, in their order. */
export const DATA = "What the data are";
export const TEST = "Which test";
export const SHOW = "What to show";
const READING = "How files are read";

/** Texts are read line by line, as they are. */
const TEXTS = ["texts"];

const isSize = (text: string): boolean => /^\d+(\.\d+)?\s*[kmgt]?i?b?$/i.test(text.trim());
const isDelimiter = (text: string): boolean => /^(tab|\\t|[^\n\r"\0\x80-\uFFFF])$/.test(text);

/** Of all intervals. */
export const CONFIDENCE = {
  confidence: {
    takes: "fraction",
    value: "level",
    help: "confidence level of the intervals",
    ...{ default: "0.95", group: TEST },
  },
} as const satisfies OptionTable;

/** Rows with labels. */
export const ORDERED = {
  ordered: { takes: "map", each: "names", value: "col=a,b,c", help: "ordered labels, lowest first", group: DATA },
} as const satisfies OptionTable;

/** Draws that go on where they were ended. */
export const JOURNAL = {
  journal: {
    takes: "text",
    value: "folder",
    help: "save simulated replicates in this folder; the same command resumes from it",
    fault: (text) => (/^-?$/.test(text.trim()) ? ["not a folder", "Name one, such as --journal runs/a."] : undefined),
    group: SHOW,
  },
} as const satisfies OptionTable;

/** How a file is read. */
export const READ = {
  format: {
    takes: "choice",
    choices: FORMATS,
    flag: "--input-format",
    value: "format",
    help: "the format, not guessed: csv, tsv, jsonl, json, yaml, parquet, inspect, …",
    ...{ group: READING, rare: true, not: TEXTS },
  },
  badRows: {
    takes: "choice",
    choices: ["error", "skip"],
    value: "what",
    help: "faulty rows of a table",
    default: "error",
    ...{ group: READING, rare: true, not: TEXTS },
  },
  delimiter: {
    takes: "text",
    named: { tab: "\t", "\\t": "\t" },
    fault: (text) => (isDelimiter(text) ? undefined : ["not one ASCII character", 'Write ",", ";", "|" or tab.']),
    value: "char",
    help: "CSV: what separates fields, if the guess is wrong; tab for a tab",
    ...{ group: READING, rare: true, not: TEXTS },
  },
  decimal: {
    takes: "choice",
    choices: [".", ","],
    value: "sign",
    help: "CSV: the decimal sign",
    ...{ group: READING, rare: true, not: TEXTS },
  },
  missing: {
    takes: "list",
    loose: true,
    value: "a,b,c",
    help: "CSV: texts that mean a missing value, next to the empty cell, NA, null …",
    ...{ group: READING, rare: true, not: TEXTS },
  },
  quote: {
    takes: "off",
    help: "CSV: a quotation mark is a character like any other",
    ...{ group: READING, rare: true, not: TEXTS },
  },
  heading: {
    takes: "text",
    value: "text",
    help: "Markdown: the heading of the table to read, where there are several",
    ...{ group: READING, rare: true, not: TEXTS },
  },
  unroll: {
    takes: "word",
    words: { long: true, "as-is": false },
    flag: "--shape",
    value: "shape",
    help: "long: unroll lists, votes and columns side by side to long rows; as-is: leave the table as it is",
    ...{ group: READING, rare: true, not: TEXTS },
  },
  encoding: {
    takes: "text",
    value: "name",
    help: "of text files: utf-8 (default), windows-1252, utf-16le …",
    ...{ group: READING, rare: true },
  },
  maxMemory: {
    takes: "size",
    fault: (text) => (isSize(text) ? undefined : ["not a size", "Write a size such as 500M, 4G or 8GB."]),
    value: "size",
    help: "the most memory for reading and for a step of a mixed model: 4G or 500M (default: 1G)",
    ...{ group: READING, rare: true, not: TEXTS },
  },
} as const satisfies OptionTable;

/** Which rows count. */
export const CHOSEN_ROWS = {
  where: {
    takes: "texts",
    value: "condition",
    help: "keep the rows for which it holds: \"split == 'test' & n > 3\"",
    ...{ group: DATA, not: TEXTS },
  },
  mutate: {
    takes: "texts",
    value: "name=expr",
    help: 'add a column: "gain = after - before"',
    ...{ group: DATA, rare: true, not: TEXTS },
  },
} as const satisfies OptionTable;

type Shaped<T> = {
  readonly [K in keyof T]: Omit<T[K], "told" | "others" | "not"> & {
    readonly group: string;
    readonly rare: true;
    readonly not: readonly string[];
  };
};

/** The shape of a table that is not long: one row for each judgment is made of it. */
export const SHAPE = Object.fromEntries(
  Object.entries<OptionSpec & { readonly told?: unknown; readonly others?: unknown }>(SHAPES).map(
    ([name, { told: _, others: __, ...spec }]) => [name, { ...{ group: DATA, rare: true, not: TEXTS }, ...spec }],
  ),
) as Shaped<typeof SHAPES> satisfies OptionTable;

/** What the columns of a file are: the same in every command that reads rows, and in a reading. */
export const ROLES = {
  system: {
    takes: "text",
    value: "col",
    help: "column that names the systems; none if there is none",
    ...{ group: DATA, not: TEXTS },
  },
  item: {
    takes: "text",
    value: "cols",
    help: "column that identifies an item; several if together: doc,nr",
    ...{ group: DATA, not: TEXTS },
  },
  score: { takes: "text", value: "col", help: "column of the scores", group: DATA, not: ["texts", "labels"] },
  metric: {
    takes: "text",
    value: "name",
    help: "a metric: a score column, or a level of the column that names metrics",
    group: DATA,
  },
  rater: {
    takes: "text",
    value: "col",
    help: "column of the raters or judges; none if there are none",
    ...{ group: DATA, not: ["texts", "labels", "totals"] },
  },
  run: {
    takes: "text",
    value: "col",
    help: "column of epochs, seeds or runs; rows: rows that no column distinguishes are runs",
    ...{ group: DATA, not: ["texts", "labels", "votes", "totals"] },
  },
  cluster: {
    takes: "text",
    value: "col",
    help: "items of one document, topic … are correlated; none if they are not",
    ...{ group: DATA, not: ["texts", "totals"] },
  },
  task: {
    takes: "text",
    value: "col",
    help: "column of the tasks or data sets",
    ...{ group: DATA, rare: true, not: ["texts", "labels", "votes"] },
  },
  gold: { takes: "text", value: "col", help: "column of the gold labels", group: DATA, of: ["labels"] },
  systems: {
    takes: "list",
    value: "a,b",
    help: "which systems, the baseline first; of a wide table the column of each",
    group: DATA,
  },
  higherIsBetter: {
    takes: "word",
    words: { higher: true, lower: false },
    flag: "--direction",
    value: "way",
    help: "is a higher or a lower score better, where the file does not say it",
    ...{ group: DATA, not: ["texts", "labels", "votes"] },
    page: { label: "Better is", none: "what the file says", words: { higher: "higher", lower: "lower" } },
  },
  ...SHAPE,
  files: {
    takes: "choice",
    choices: ["raters", "runs", "tasks", "systems"],
    value: "what",
    help: "what several files of the same systems are",
    ...{ group: DATA, rare: true, not: TEXTS },
  },
} as const satisfies OptionTable;

export const SAVED_READING = {
  reading: {
    takes: "text",
    value: "file",
    help: "what the columns are, as describe --save wrote it (default: gosset.yaml next to the data)",
    ...{ group: DATA, rare: true, not: TEXTS },
  },
} as const satisfies OptionTable;

/** All that the user may say of the rows. */
export const TOLD = {
  ...ROLES,
  pred: {
    takes: "list",
    value: "cols",
    help: "column of the predicted labels; a,b for one column a system",
    ...{ group: DATA, not: ["texts", "totals"] },
  },
  byRow: {
    takes: "switch",
    help: "no column names the items: row i of each system is the same one",
    ...{ group: DATA, rare: true, not: ["texts", "labels", "votes"] },
  },
  /** No flag stands for it, a reading does. */
  metricColumn: { takes: "text", help: "the column that names the metric of each row", not: TEXTS },
  unpaired: {
    takes: "switch",
    help: "the systems met different items: compare independent samples",
    ...{ group: TEST, not: ["texts", "labels", "votes", "totals"] },
  },
} as const satisfies OptionTable;

const DRAWS = ["random", "unknown"];
const DRAWS_BY = ["strata:", "weights:"];
const isDraw = (text: string): boolean =>
  DRAWS.includes(text) || DRAWS_BY.some((start) => text.startsWith(start) && text.length > start.length);

/** How the labels of some outputs came about. */
export const DRAWN = {
  drawn: {
    takes: "text",
    value: "how",
    help: "how the labeled outputs were drawn: random, strata:column, weights:column (the probabilities) or unknown",
    fault: (text: string) =>
      isDraw(text)
        ? undefined
        : (["no way of drawing labels", "Write random, strata:COLUMN, weights:COLUMN or unknown."] as const),
    ...{ default: "unknown", group: DATA },
  },
} as const satisfies OptionTable;

/** Of a judge whose errors differ too much between two systems. */
export const AUDIT_MARGIN = {
  auditMargin: {
    takes: "positive",
    value: "d",
    help: "no verdict (NONE) where labels show that the judge's error differs by more than this between two systems",
    group: TEST,
  },
} as const satisfies OptionTable;

/** People's labels of some of the scored outputs. */
export const LABELED = {
  labels: {
    takes: "text",
    value: "file",
    help: "people's labels of some outputs, in a file or a column: the verdict is then on the difference corrected by them (judge correct)",
    group: DATA,
  },
  drawn: { ...DRAWN.drawn, needs: ["labels"] },
  auditMargin: { ...AUDIT_MARGIN.auditMargin, needs: ["labels"] },
} as const satisfies OptionTable;
