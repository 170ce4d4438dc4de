/** Tables that no tool's format explains (CSV, TSV, JSON, JSONL, Parquet): read as they are, with guessed roles.
 *  No cell is changed and no row is reshaped, so that formulas see the columns that the file has. */

import { type Format, type Imported, type ImportOptions, NO_ROLES, type Roles } from "../data/imported.ts";
import { type GuessedRoles, guessRoles } from "../data/roles/roles.ts";
import { type Understood, understandTable } from "../data/roles/understand.ts";
import { concatRows, type FactorColumn, type Table, withColumn } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { listNames } from "../result/quote.ts";
import type { Diagnostic } from "../result/result.ts";
import { type CsvOptions, readCsv } from "./csv/csv.ts";
import { MISSING_VALUES } from "./csv/missing.ts";
import { countOf } from "./detect.ts";
import { tableFromJson } from "./json/json.ts";
import { readJsonl } from "./json/lines.ts";
import { stemOf } from "./logs/lines.ts";
import { noRows } from "./logs/long-table.ts";
import { nameContent, type Opened } from "./open.ts";
import { readParquet } from "./parquet/parquet.ts";

interface Reading {
  readonly name: string;
  readonly table: Table;
  readonly diagnostics: readonly Diagnostic[];
}

export async function importTables(
  opened: readonly Opened[],
  format: Format,
  options: ImportOptions = {},
): Promise<Imported> {
  const readings: Reading[] = [];
  for (const file of opened) {
    refuseOtherContent(file, format, options);
    readings.push(await readTable(file, format, options));
  }
  const diagnostics = mergeDiagnostics(readings);
  const { table, fileColumn } = joinTables(readings);
  if (table.rows === 0) {
    const names = readings.map((reading) => reading.name);
    throw diagnostics.length === 0 ? headerOnly(names, table) : noRows(format, names, diagnostics);
  }
  const own = options.guessRoles === false ? unread(table) : understandTable(table, rolesOf(table, fileColumn));
  return {
    ...own,
    format,
    files: readings.map((reading) => reading.name),
    summary: `A table of ${countOf(table.rows, "row")} and ${countOf(table.columns.size, "column")}${readings.length > 1 ? ` from ${readings.length} files` : ""}.`,
    diagnostics: [...diagnostics, ...own.diagnostics],
  };
}

/** A table whose columns mean what the caller says. */
const unread = (table: Table): Understood => ({
  table,
  roles: NO_ROLES,
  systems: [],
  items: 0,
  repeats: 0,
  metrics: [],
  assumptions: [],
  diagnostics: [],
});

const rolesOf = (table: Table, fileColumn: string | undefined): GuessedRoles =>
  fileColumn === undefined ? guessRoles(table) : guessWithFile(table, fileColumn);

function headerOnly(files: readonly string[], table: Table): StatError {
  const columns = listNames([...table.columns.keys()]);
  const what = columns === "" ? "no columns and no rows" : `a header (${columns}) but no rows`;
  return new StatError("NoRows", `${listNames(files)} has ${what}.`, "Check that the run wrote its results.");
}

/** What is said about the same column of several files is said once, with the first file's example. */
function mergeDiagnostics(readings: readonly Reading[]): Diagnostic[] {
  const merged = new Map<string, { first: Diagnostic; others: number }>();
  for (const { diagnostics } of readings) {
    for (const diagnostic of diagnostics) {
      const about = /^column [^:]+:/.exec(diagnostic.message)?.[0] ?? diagnostic.message;
      const key = JSON.stringify([diagnostic.code, about]);
      const known = merged.get(key);
      if (known === undefined) merged.set(key, { first: diagnostic, others: 0 });
      else known.others += 1;
    }
  }
  return [...merged.values()].map(({ first, others }) =>
    others === 0
      ? first
      : { ...first, message: `${first.message.replace(/\.$/, "")}; likewise in ${countOf(others, "other file")}.` },
  );
}

/** Several files of one shape are usually one file per system. */
function guessWithFile(table: Table, fileColumn: string): { roles: Roles; assumptions: readonly string[] } {
  const joined = `The tables have the same columns and were put under one another; column ${fileColumn} says which file a row is from.`;
  const guessed = guessRoles(table);
  if (guessed.roles.system !== undefined)
    return { roles: guessed.roles, assumptions: [joined, ...guessed.assumptions] };
  const { wide: _, ...rest } = guessed.roles;
  const free = (names: readonly string[]): string[] => names.filter((name) => name !== fileColumn);
  const roles: Roles = {
    ...rest,
    system: fileColumn,
    wide: [],
    covariates: free(rest.covariates),
    identifiers: free(rest.identifiers),
  };
  return { roles, assumptions: [joined, "Each file is taken as one system.", ...guessed.assumptions] };
}

async function readTable(opened: Opened, format: Format, options: ImportOptions): Promise<Reading> {
  const { name, bytes } = opened.file;
  const { badRows = "error" } = options;
  if (opened.kind === "table" || opened.kind === "lines") {
    // plain lines were asked to be a table: the reader says what is wrong, and where
    const found = opened.kind === "table" ? opened.head.separator : format === "tsv" ? "\t" : undefined;
    return { name, ...readDelimited(bytes, { name, badRows, ...csvOptions(options, found) }) };
  }
  refuseCsvOptions([opened], options);
  if (opened.kind === "parquet") return { name, ...(await readParquet(bytes, { name })) };
  if (opened.kind === "jsonl" || format === "jsonl") return { name, ...readJsonl(bytes, { name, badRows }) };
  if (opened.kind === "json") return { name, ...tableFromJson(opened.value, name) };
  throw new StatError("NotATable", `${name}: not a table.`, "Give CSV, TSV, JSON, JSONL or Parquet.");
}

function csvOptions({ delimiter, decimal, missing, quote }: ImportOptions, found: string | undefined): CsvOptions {
  const separator = delimiter ?? found;
  return {
    ...(separator === undefined ? {} : { delimiter: separator }),
    ...(decimal === undefined ? {} : { decimal }),
    ...(missing === undefined ? {} : { missing: [...MISSING_VALUES, ...missing] }),
    ...(quote === undefined ? {} : { quote }),
  };
}

const FORMAT_WORDS: Partial<Record<Format, string>> = {
  csv: "CSV",
  tsv: "TSV",
  json: "JSON",
  jsonl: "JSON lines",
  parquet: "Parquet",
};

/** The caller named a format that the content is not of. */
function refuseOtherContent(opened: Opened, format: Format, { delimiter }: ImportOptions): void {
  const word = FORMAT_WORDS[format];
  if (word === undefined || isContentOf(opened, format, delimiter !== undefined)) return;
  throw new StatError(
    "OtherContent",
    `${opened.file.name}: the content is ${nameContent(opened)}, not ${word}.`,
    "Name the format that it has, or none and let the content decide.",
  );
}

function isContentOf(opened: Opened, format: Format, cut: boolean): boolean {
  if (format === "parquet" || format === "json") return opened.kind === format;
  if (format === "jsonl") return opened.kind === "jsonl" || opened.kind === "json";
  if (opened.kind !== "table") return opened.kind === "lines";
  const { header, separator } = opened.head;
  return cut || header.length === 1 || (separator === "\t") === (format === "tsv");
}

/** What steers the reading of delimited text would be ignored in silence elsewhere. */
export function refuseCsvOptions(opened: readonly Opened[], options: ImportOptions): void {
  const given = (["delimiter", "decimal", "missing", "quote"] as const).find((name) => options[name] !== undefined);
  const [first] = opened;
  if (given === undefined || first === undefined) return;
  const why = first.kind === "table" ? "is read as a log" : `is ${nameContent(first)}`;
  throw new StatError(
    "BadOption",
    `${given} is for plain tables in CSV or TSV, and ${first.file.name} ${why}.`,
    first.kind === "table" ? "Leave it out, or name the format csv or tsv." : "Leave it out.",
  );
}

/** In tab-separated text a quotation mark is often a character like any other; then quoting is switched off. */
function readDelimited(bytes: Uint8Array, options: CsvOptions): Omit<Reading, "name"> {
  try {
    return readCsv(bytes, options);
  } catch (error) {
    if (options.delimiter !== "\t" || !bytes.includes(QUOTE)) throw error;
    return readUnquoted(bytes, options, error);
  }
}

const QUOTE = 0x22;

function readUnquoted(bytes: Uint8Array, options: CsvOptions, first: unknown): Omit<Reading, "name"> {
  try {
    return readCsv(bytes, { ...options, quote: false });
  } catch {
    throw first;
  }
}

/** Tables with the same columns are one table with the file as a further column. */
function joinTables(readings: readonly Reading[]): { table: Table; fileColumn?: string } {
  const [first, ...others] = readings;
  if (first === undefined) throw new StatError("NoFile", "no file was given.", "Name a file or a folder.");
  if (others.length === 0) return { table: first.table };
  const names = [...first.table.columns.keys()];
  const other = others.find(
    ({ table }) => table.columns.size !== names.length || !names.every((name) => table.columns.has(name)),
  );
  if (other !== undefined) {
    throw new StatError(
      "DifferentTables",
      `${readings.length} tables with different columns: ${first.name} has ${listNames(names, 4)}; ${other.name} has ${listNames([...other.table.columns.keys()], 4)}.`,
      "Give one of them at a time, or tables with the same columns.",
    );
  }
  const stems = readings.map((reading) => stemOf(reading.name));
  const labels = new Set(stems).size === stems.length ? stems : readings.map((reading) => reading.name);
  const fileColumn = names.includes("file") ? "file_2" : "file";
  return {
    table: concatRows(
      readings.map(({ table }, i) => withColumn(table, fileColumn, repeatLevel(labels[i]!, table.rows))),
    ),
    fileColumn,
  };
}

function repeatLevel(level: string, rows: number): FactorColumn {
  return { kind: "factor", codes: new Int32Array(rows), levels: [level], ordered: false };
}
