/** A path on the command line → the table that a model is fitted to. */
import {
  createCsvReader,
  type Diagnostic,
  detectFormat,
  FORMATS,
  type Format,
  filterRows,
  type ImportOptions,
  importFiles,
  MISSING_VALUES,
  mutateTable,
  nearest,
  StatError,
  type Table,
} from "../index.ts";
import { isRegularFile, readChunks, readHead, readWithCompanions } from "./files.ts";
import { type DataOptions, type ReadOptions, splitList } from "./options.ts";
import type { Progress } from "./progress.ts";

export interface Loaded {
  readonly table: Table;
  readonly diagnostics: readonly Diagnostic[];
}

/** From this size on a plain table is read in pieces, so that the file itself never stands in memory. */
const STREAM_FROM_BYTES = 16 * 1024 * 1024;
const HEAD_BYTES = 65_536;
const NEWLINE = 0x0a;

export function parseFormat(text: string | undefined): Format | undefined {
  if (text === undefined) return undefined;
  if ((FORMATS as readonly string[]).includes(text)) return text as Format;
  throw new StatError("BadOption", `--input-format ${text}: no such format.`, `Choose one of ${FORMATS.join(", ")}.`);
}

/** The flags on reading, as the importers take them. */
export function importOptions(options: ReadOptions): ImportOptions {
  const format = parseFormat(options.inputFormat);
  const { badRows, delimiter, decimal, missing, encoding, quote } = options;
  return {
    badRows,
    ...(format === undefined ? {} : { format }),
    ...(delimiter === undefined ? {} : { delimiter: parseDelimiter(delimiter) }),
    ...(decimal === undefined ? {} : { decimal }),
    ...(missing === undefined ? {} : { missing: splitList(missing) ?? [missing] }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(quote === false ? { quote } : {}),
  };
}

/** The same flags as words, for commands that are to read the file alike. */
export function readFlags(options: ReadOptions): string[] {
  const { inputFormat, badRows, delimiter, decimal, missing, encoding, quote } = options;
  const flags = { "--input-format": inputFormat, "--delimiter": delimiter, "--decimal": decimal };
  const more = { "--missing": missing, "--encoding": encoding, "--bad-rows": badRows === "skip" ? badRows : undefined };
  const given = Object.entries({ ...flags, ...more }).flatMap(([flag, value]) =>
    value === undefined ? [] : [flag, value],
  );
  return quote === false ? [...given, "--no-quote"] : given;
}

function parseDelimiter(text: string): string {
  if (text === "tab" || text === "\\t") return "\t";
  if (/^[^\n\r"\0\x80-\uFFFF]$/.test(text)) return text;
  throw new StatError("BadOption", `--delimiter ${text}: not one ASCII character.`, 'Write ",", ";", "|" or tab.');
}

export async function loadTable(path: string, options: DataOptions, progress: Progress): Promise<Loaded> {
  const reading = importOptions(options);
  const loaded = (await isLargeTable(path, reading))
    ? await streamCsv(path, reading, progress)
    : await importWhole(path, reading);
  let { table } = loaded;
  for (const text of options.mutate) table = naming("--mutate", text, () => mutateTable(table, text));
  for (const text of options.where) table = naming("--where", text, () => filterRows(table, text));
  if (path !== options.predict) {
    requireNumbers(table, "--weights", options.weights);
    requireNumbers(table, "--offset", options.offset);
  }
  if (table.rows === 0) {
    const why =
      options.where.length === 0
        ? "the file has a header but no rows."
        : `no row satisfies --where ${options.where.join(" and ")}.`;
    throw new StatError("NoRows", `${path}: ${why}`, "Check the file and the conditions.");
  }
  return { table, diagnostics: loaded.diagnostics };
}

/** What goes wrong in an option's text is told with the option. */
function naming<T>(flag: string, text: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StatError)) throw error;
    throw new StatError(error.code, `${flag} ${JSON.stringify(text)}: ${error.message}`, error.fix);
  }
}

function requireNumbers(table: Table, flag: string, name: string | undefined): void {
  if (name === undefined) return;
  const found = table.columns.get(name);
  if (found?.kind === "numeric") return;
  const names = [...table.columns.keys()];
  const near = nearest(name, names);
  throw found === undefined
    ? new StatError(
        "UnknownColumn",
        `${flag} ${name}: no such column.`,
        near === undefined ? `The columns are ${names.join(", ")}.` : `Did you mean "${near}"?`,
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
  const reader = createCsvReader({ name: path, ...tabs, ...options, ...more });
  for await (const { bytes, done, size } of readChunks(path)) {
    reader.push(bytes);
    progress.update("Reading", done, size);
  }
  return reader.finish();
}

async function importWhole(path: string, options: ImportOptions): Promise<Loaded> {
  const { table, diagnostics } = await importFiles(readWithCompanions(path), options);
  // which column is the score is for the formula to say
  return { table, diagnostics: diagnostics.filter((d) => d.code !== "NoScoreFound") };
}
