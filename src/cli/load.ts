/** A path on the command line → the table that a model is fitted to. */
import { existsSync } from "node:fs";
import {
  asFactor,
  column,
  type Diagnostic,
  type Format,
  type Imported,
  type ImportOptions,
  importFiles,
  type NamedImport,
  prepareTable,
  type RowChoice,
  readStudy,
  StatError,
  type Table,
  type Told,
  withColumn,
  withRows,
} from "../index.ts";
import { COLUMN_SHAPES, createCsvReader, detectFormat, ImportBudget, MISSING_VALUES } from "../io.ts";
import { commandWords, doesNothing, parseOptions, READ, splitList } from "../questions.ts";
import { suggest } from "../text.ts";
import type { Context } from "./context.ts";
import { isRegularFile, readChunks, readerWithCompanions, readHead, readTogether } from "./files.ts";
import { parseLevelLists, type RatingOptions, type ReadOptions, saysShape, toldOf } from "./options.ts";
import type { Progress } from "./progress.ts";

export interface Loaded {
  readonly table: Table;
  readonly diagnostics: readonly Diagnostic[];
}

/** From this size on a plain table is read in pieces, so that the file itself never stands in memory. */
const STREAM_FROM_BYTES = 16 * 1024 * 1024;
const HEAD_BYTES = 65_536;
const NEWLINE = 0x0a;

/** The flags on reading, as the importers take them. */
export const importOptions = (options: ReadOptions): ImportOptions => parseOptions(READ, options) as ImportOptions;

/** The same flags as words, for commands that are to read the file alike. */
export const readFlags = (options: ReadOptions): string[] => commandWords(READ, parseOptions(READ, options));

/** A file as a table: read, computed columns added, rows chosen. What the columns mean is not guessed. */
export async function loadTable(path: string, options: ReadOptions & RowChoice, progress: Progress): Promise<Loaded> {
  const reading = importOptions(options);
  const loaded = (await isLargeTable(path, reading))
    ? await streamCsv(path, reading, progress)
    : await importPaths([path], { ...reading, guessRoles: false });
  return { table: prepareTable(loaded.table, options), diagnostics: loaded.diagnostics };
}

/** --labels: a file, of which no row is left out and no column computed, or else the name of a column. */
export async function loadLabels(labels: string, options: ReadOptions, progress: Progress): Promise<Table | string> {
  if (!existsSync(labels)) return labels;
  return (await loadTable(labels, { ...options, where: [], mutate: [] }, progress)).table;
}

/** Files with their companions, and folders, as one. */
export const importPaths = (paths: readonly string[], options: ImportOptions): Promise<Imported> =>
  importFiles(readTogether(paths, options.maxMemory), options);

/** Flags that name columns: a table is not unrolled if that would take one of them away. */
const COLUMN_FLAGS = [
  "system",
  "item",
  "rater",
  "run",
  "cluster",
  "task",
  "time",
  "metric",
  "score",
  "label",
  "gold",
  "pred",
  ...COLUMN_SHAPES,
];

export function namedColumns(options: object): string[] {
  const given = options as Readonly<Record<string, unknown>>;
  const texts = [...COLUMN_FLAGS.map((name) => given[name]), given["facets"], given["object"]].flat();
  return texts.flatMap((text) => (typeof text === "string" ? [text, ...(splitList(text) ?? [])] : []));
}

/** Each file for itself, by its path; together they may take what one import may. */
export async function loadParts(
  paths: readonly string[],
  options: ReadOptions & RowChoice,
  more: Partial<ImportOptions> = {},
): Promise<NamedImport[]> {
  const reading = { ...importOptions(options), keep: namedColumns(options), ...more };
  const budget = new ImportBudget(reading);
  budget.checkParts(paths.length);
  const read = readerWithCompanions(reading.maxMemory, paths);
  const parts: NamedImport[] = [];
  for (const path of paths) {
    const imported = await importFiles(read(path), reading);
    budget.takeCells(imported.table.rows * imported.table.columns.size, path);
    parts.push({ path, imported });
  }
  return parts;
}

/** Files with what their importer found out: roles, metrics, systems. */
export async function loadImported(paths: readonly string[], options: ReadOptions & RowChoice): Promise<Imported> {
  const reading = { ...importOptions(options), keep: namedColumns(options) };
  const imported = await importPaths(paths, reading);
  const chosen = withRows(imported, prepareTable(imported.table, options));
  return {
    ...chosen,
    // whoever asks for more than a description names the score, or is told so
    diagnostics: chosen.diagnostics.filter(({ code }) => code !== "NoScoreFound"),
  };
}

/** The same with what the flags say of the rows. */
export async function loadStudy(
  paths: readonly string[],
  options: ReadOptions & RowChoice,
  told: Told,
): Promise<Imported> {
  if (told.files !== undefined && paths.length < 2)
    throw new StatError("BadOption", `--files ${told.files} is for several files.`, "Leave it out.");
  if (told.files === undefined) return readStudy(await loadImported(paths, options), told);
  const parts = await loadParts(paths, options);
  const chosen = parts.map(({ path, imported }) => ({
    path,
    imported: withRows(imported, prepareTable(imported.table, options)),
  }));
  return readStudy(chosen, told);
}

/** Rows with scores or labels, and what the file says about its columns; where every flag is given (`complete`) nobody need ask it. */
export async function loadRatings(
  { options, load, study }: Context<RatingOptions>,
  given: string | readonly string[],
  complete: boolean,
): Promise<Table | Imported> {
  const paths = typeof given === "string" ? [given] : given;
  const named = options.metric !== undefined || options.run === "rows" || options.files !== undefined;
  // what several files are to each other is found out together with what their columns are
  if (complete && !named && !saysShape(options) && options.shape !== "long" && paths.length === 1)
    return orderLabels(await load(paths[0]!), options.ordered);
  const found = await study(paths, { ...toldOf(options), metric: options.metric });
  return { ...found, table: orderLabels(found.table, options.ordered) };
}

/** Roles that what else was named leaves no use for. */
export function refuseRoles(asked: object, names: readonly string[], why: string): void {
  const given = asked as Readonly<Record<string, unknown>>;
  const idle = names.find((name) => given[name] !== undefined);
  if (idle !== undefined) throw doesNothing(idle, given[idle], why);
}

/** --ordered: labels in the order that they are given. */
export function orderLabels(table: Table, texts: readonly string[]): Table {
  let ordered = table;
  for (const [name, levels] of parseLevelLists(texts, "--ordered")) {
    ordered = withColumn(ordered, name, asFactor(column(ordered, name), { levels, ordered: true }));
  }
  return ordered;
}

/** --ordered of a column that has no part in the answer would do nothing. */
export function refuseUnusedOrder(texts: readonly string[], used: readonly (string | undefined)[]): void {
  for (const [name] of parseLevelLists(texts, "--ordered")) {
    if (used.includes(name)) continue;
    const message = `--ordered has no effect on ${name}, which this command does not use.`;
    throw new StatError("BadOption", message, "Leave it out, or name a column that is used.");
  }
}

/** The same where all columns but those excluded are features unless some are named. */
export function refuseOrderOfOthers(
  table: Table,
  texts: readonly string[],
  { features, exclude, others }: OrderedParts,
): void {
  const all = features.length > 0 ? features : [...table.columns.keys()].filter((name) => !exclude.includes(name));
  refuseUnusedOrder(texts, [...all, ...others]);
}

interface OrderedParts {
  readonly features: readonly string[];
  readonly exclude: readonly string[];
  /** Label, predictions, domain. */
  readonly others: readonly (string | undefined)[];
}

/** A flag that names a column of numbers. */
export function requireNumbers(table: Table, flag: string, name: string | undefined): void {
  if (name === undefined) return;
  const found = table.columns.get(name);
  if (found?.kind === "numeric") return;
  const names = [...table.columns.keys()];
  throw found === undefined
    ? new StatError(
        "UnknownColumn",
        `${flag} ${name}: no such column.`,
        suggest(name, names, `The columns are ${names.join(", ")}.`),
      )
    : new StatError("NotNumeric", `${flag} ${name}: the column is not numeric.`, "Name a column of numbers.");
}

/** A large plain table that is no tool's log: what its first lines say decides. */
async function isLargeTable(path: string, { format }: ImportOptions): Promise<boolean> {
  if (!isRegularFile(path)) return false;
  const { head, size } = await readHead(path, HEAD_BYTES);
  if (size < STREAM_FROM_BYTES) return false;
  const seen = formatOfHead(path, head);
  const found = format ?? seen;
  // a table that is not what it was called is for the importer to refuse
  const other = found === "csv" ? "tsv" : "csv";
  return (found === "csv" || found === "tsv") && seen !== other;
}

function formatOfHead(path: string, head: Uint8Array): Format | undefined {
  const packed = head[0] === 0x1f || head[0] === 0x28 || head[0] === 0x50;
  if (packed) return undefined;
  try {
    return detectFormat([{ name: path, bytes: head.subarray(0, head.lastIndexOf(NEWLINE) + 1) }]);
  } catch {
    return undefined;
  }
}

async function streamCsv(
  path: string,
  { format, missing, ...options }: ImportOptions,
  progress: Progress,
): Promise<Loaded> {
  const more = missing === undefined ? {} : { missing: [...MISSING_VALUES, ...missing] };
  const tabs = format === "tsv" ? { delimiter: "\t" } : {};
  const budget = new ImportBudget(options);
  const reader = createCsvReader({ name: path, ...tabs, ...options, ...more, budget });
  for await (const { bytes, done, size } of readChunks(path)) {
    reader.push(bytes);
    progress.update("Reading", done, size);
  }
  return reader.finish();
}
