/** What every importer gives: a long table, what its columns mean, and what had to be assumed or left out. */

import type { Diagnostic } from "../result/result.ts";
import type { ShapeDone, ShapeOptions } from "./shapes.ts";
import type { Table } from "./table.ts";

/** One file as the caller read it; a folder is a list of these with relative names ("run-1/stats.json"). */
export interface InputFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Why there is nothing to read, as in "a link to nothing"; the file is then left out and named. */
  readonly unread?: string;
}

export const FORMATS = [
  "inspect",
  "lm-eval",
  "promptfoo",
  "helm",
  "every-eval-ever",
  "openai-evals",
  "wmt-mqm",
  "wmt-da",
  "wmt-metrics",
  "label-studio",
  "prodigy",
  "arena",
  "sacrebleu",
  "deepeval",
  "swe-bench",
  "evalplus",
  "harbor",
  "mteb",
  "trec",
  "text",
  "csv",
  "tsv",
  "json",
  "jsonl",
  "yaml",
  "parquet",
] as const;

export type Format = (typeof FORMATS)[number];

/** Names of columns, by what they mean. A part that the data does not have is absent, never guessed into being. */
export interface Roles {
  /** What is compared: a model, a prompt, a translation engine. */
  readonly system?: string;
  /** What a score was given to; the unit on which systems are paired. */
  readonly item?: string;
  /** The main score: the first of `metrics`. */
  readonly score?: string;
  /** Human or model that gave the score. */
  readonly rater?: string;
  /** Epoch, seed or run: the same system on the same item once more. */
  readonly repeat?: string;
  /** Items that belong together (document, topic, subject) and are therefore not independent. */
  readonly cluster?: string;
  /** Benchmark or data set. */
  readonly task?: string;
  /** In a table with one row per metric: the column that names it. */
  readonly metric?: string;
  /** The right answer, a grade or label that a score is meant to predict. */
  readonly label?: string;
  /** What a system answered, to hold against `label`. */
  readonly prediction?: string;
  /** The probability or confidence that came with the prediction. */
  readonly probability?: string;
  /** In pairwise comparisons: the other system. */
  readonly opponent?: string;
  /** The transformation that was applied to the item; missing means none. */
  readonly perturbation?: string;
  readonly text?: string;
  readonly reference?: string;
  /** Every score column, the main one first. */
  readonly metrics: readonly string[];
  /** Settings that were varied on purpose (hyper-parameters, conditions). */
  readonly parameters: readonly string[];
  /** Properties of items or outputs that may explain scores. */
  readonly covariates: readonly string[];
  /** Columns that only name things: hashes, links, remarks, long texts. */
  readonly identifiers: readonly string[];
}

export const NO_ROLES: Roles = {
  metrics: [],
  parameters: [],
  covariates: [],
  identifiers: [],
};

export type RoleName =
  | Exclude<keyof Roles, "metrics" | "parameters" | "covariates" | "identifiers">
  | "setting"
  | "identifier";

/** What decided a role: the format of the file, a plain name, the names or number of the files, the shape of the table, or the user. */
export interface Decision {
  /** "score" for every score, the main one first. */
  readonly role: RoleName;
  readonly column: string;
  readonly by: "format" | "name" | "file" | "shape" | "user";
}

/** What several files of the same systems are to each other. */
export type FilesAre = "systems" | "raters" | "runs" | "tasks";

/** What the user says of the rows: columns by role, "none" where nothing has it; several names with commas name an item together. */
export interface Told extends ShapeOptions {
  readonly system?: string | undefined;
  readonly item?: string | undefined;
  readonly score?: string | undefined;
  readonly rater?: string | undefined;
  /** "rows": rows that no column tells apart are repeated runs. */
  readonly run?: string | undefined;
  readonly cluster?: string | undefined;
  readonly task?: string | undefined;
  /** The metric that is meant: a score column, or a level of the column that names metrics. */
  readonly metric?: string | undefined;
  /** Of rows that hold one metric each: the column that names it. */
  readonly metricColumn?: string | undefined;
  readonly byRow?: boolean | undefined;
  /** The systems met different items. */
  readonly unpaired?: boolean | undefined;
  readonly files?: FilesAre | undefined;
  /** Of the score. */
  readonly higherIsBetter?: boolean | undefined;
  /** Gold labels, and the columns of predictions, one for each system. */
  readonly gold?: string | undefined;
  readonly pred?: readonly string[] | undefined;
}

/** What was done to tables that were not one long table; study/tell.ts says it. */
export interface Done {
  readonly id:
    | ShapeDone
    | "votes"
    | "orders"
    | "ownOpponent"
    | "noSide"
    | "runs"
    | "records"
    | "parts"
    | "systems"
    | "namedLists"
    | "emptyLists"
    | "percent"
    | "marks"
    | "plusMinus"
    | "noValue"
    | "words"
    | "rows"
    | "places"
    | "bestWorst"
    | "joined"
    | "beside"
    | "takenFrom"
    | "stacked"
    | "uneven"
    | "pathRun"
    | "pathTask"
    | "sameRows";
  /** That it was done to. */
  readonly columns: readonly string[];
  /** That it made. */
  readonly into?: readonly string[];
  /** So many rows or cells, of how many. */
  readonly count?: number;
  readonly of?: number;
  /** Rows of either file that found no partner in the other. */
  readonly alone?: readonly [number, number];
  readonly words?: readonly string[];
}

/** What must be answered before a verdict. */
export interface Ask {
  readonly id:
    | "system"
    | "score"
    | "item"
    | "rater"
    | "repeats"
    | "cluster"
    | "predictions"
    | "prompt"
    | "spelling"
    | "files";
  /** Columns that may be the answer. */
  readonly columns: readonly string[];
  /** The likeliest first, each as options that say it. */
  readonly answers: readonly Told[];
  /** Of rows that nothing tells apart: the columns that should. */
  readonly key?: readonly string[];
  /** Of the first row that repeats another: its values in these columns. */
  readonly first?: readonly string[];
  /** A column that is called a score and holds other texts than numbers. */
  readonly texts?: { readonly column: string; readonly examples: readonly string[] };
  /** How many rows, or groups, it is about. */
  readonly rows?: number;
}

/** What the rows are. */
export type StudyKind = "scores" | "votes" | "labels" | "texts" | "totals";

export interface ImportedMetric {
  /** Column of the table. */
  readonly name: string;
  /** As the tool that wrote the file spells it. */
  readonly label: string;
  /** Absent when the file does not say and the name does not tell. */
  readonly higherIsBetter?: boolean;
  /** The column of the file that holds it, where metrics stand one below the other. */
  readonly column?: string;
}

/** Files whose rows stand beside each other, and what they were joined on. */
export interface JoinedFiles {
  readonly by: readonly string[];
  readonly parts: readonly { readonly file: string; readonly columns: readonly string[] }[];
}

/** One run as its log describes it. */
export interface RunSettings {
  readonly system: string;
  /** The model behind it, where several systems may share one. */
  readonly model?: string | undefined;
  readonly task?: string | undefined;
  /** Name of a setting → its value in words; absent is the tool's default. */
  readonly values: Readonly<Record<string, string>>;
}

export interface Imported {
  readonly format: Format;
  readonly files: readonly string[];
  /** What the file is, in one or two plain sentences. */
  readonly summary: string;
  readonly table: Table;
  readonly roles: Roles;
  readonly systems: readonly string[];
  readonly items: number;
  /** Most rows that one system has on one item from one rater; 1 when nothing is repeated, 0 without items. */
  readonly repeats: number;
  readonly metrics: readonly ImportedMetric[];
  /** Plain sentences on what was taken for granted. */
  readonly assumptions: readonly string[];
  /** The rows were made of rows of another shape, as the assumptions say: whoever reads the file as it is finds other columns. */
  readonly unrolled?: boolean;
  /** The file does not say who gave a rating: raters are numbered within the item, and the same number need not be the same person. */
  readonly unnamedRaters?: boolean;
  /** What the rows are; absent where nothing says it. */
  readonly kind?: StudyKind;
  /** What decided each role of a plain table; absent where a tool's own format says it. */
  readonly decisions?: readonly Decision[];
  /** What a verdict needs to know of a plain table and the file does not say. */
  readonly asks?: readonly Ask[];
  /** Why these rows hold nothing to compare or to agree on, whatever is said of their columns. */
  readonly unfit?: Diagnostic;
  readonly joined?: JoinedFiles;
  /** What each run was done with, where the log tells. */
  readonly settings?: readonly RunSettings[];
  /** The same of all rows of a plain file, which does not say of which system. */
  readonly declared?: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** How delimited text is read where the reader's own judgement fails; see CsvOptions. */
export interface DelimitedOptions {
  readonly delimiter?: string | undefined;
  readonly decimal?: "." | "," | undefined;
  /** Texts that mean a missing value beside the usual ones. */
  readonly missing?: readonly string[] | undefined;
  /** false where a quotation mark is a character like any other. */
  readonly quote?: boolean | undefined;
}

/** What one import may take, over all its files and layers together. */
export interface ImportLimits {
  /** Bytes that archives and packed files may unpack to. */
  readonly unpackedBytes: number;
  /** Rows times columns of a table. */
  readonly cells: number;
  /** Different texts over all columns; an object of JSON may have a quarter as many names. */
  readonly texts: number;
  /** Numbers, texts, lists and objects of JSON documents and logs, and eight for a line of plain text. */
  readonly values: number;
  readonly columns: number;
  /** Files given and entries of archives. */
  readonly files: number;
  /** Packed data within packed data: a .csv.gz in a .zip is 2. */
  readonly nesting: number;
}

export interface ImportOptions extends DelimitedOptions {
  /** Bytes of memory that the import should keep within; its limits follow from it. Default: 1 GB. */
  readonly maxMemory?: number | undefined;
  /** Single limits instead of those. */
  readonly limits?: Partial<ImportLimits> | undefined;
  /** Of a Markdown text with several tables: the heading of the one to read, or part of it. */
  readonly heading?: string | undefined;
  /** Skips detection. */
  readonly format?: Format | undefined;
  /** "skip" leaves faulty rows of tables out and counts them. */
  readonly badRows?: "error" | "skip" | undefined;
  /** Of text files; default: UTF-8, or UTF-16 if a byte order mark says so. */
  readonly encoding?: string | undefined;
  /** false: what the columns of a plain table mean is for the caller to say, and is not guessed. */
  readonly guessRoles?: boolean | undefined;
  /** Whether a table in another shape (side by side, lists in cells, votes, …) is unrolled to long rows; default: as `guessRoles`. */
  readonly unroll?: boolean | undefined;
  /** Votes between two sides in a plain table whose columns have other names than usual. */
  readonly votes?: { readonly a: string; readonly b: string; readonly winner: string } | undefined;
  /** Columns that the caller names: a shape that would take one of them away is not unrolled. */
  readonly keep?: readonly string[] | undefined;
}
