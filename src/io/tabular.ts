/** Tables that no tool's format explains (CSV, TSV, JSON, JSONL, Parquet): read as they are, with guessed roles.
 *  No cell is changed and no row is reshaped, so that formulas see the columns that the file has. */
import { concatRows, type FactorColumn, type Table, withColumn } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import type { Diagnostic } from "../result/result.ts";
import { type CsvOptions, readCsv } from "./csv.ts";
import { listNames } from "./detect.ts";
import type { Format, Imported, Metric, Roles } from "./imported.ts";
import { tableFromJson } from "./json.ts";
import { readJsonl } from "./jsonl.ts";
import { stemOf } from "./log-lines.ts";
import { noRows } from "./long-table.ts";
import { measureDesign } from "./measure-design.ts";
import type { Opened } from "./open-file.ts";
import { readParquet } from "./parquet.ts";
import { metricDirection } from "./role-names.ts";
import { guessRoles } from "./roles.ts";

interface Reading {
  readonly name: string;
  readonly table: Table;
  readonly diagnostics: readonly Diagnostic[];
}

export async function importTables(
  opened: readonly Opened[],
  format: Format,
  badRows: "error" | "skip" = "error",
): Promise<Imported> {
  const readings: Reading[] = [];
  for (const file of opened) readings.push(await readTable(file, badRows));
  const diagnostics = readings.flatMap((reading) => reading.diagnostics);
  const { table, fileColumn } = joinTables(readings);
  if (table.rows === 0)
    throw noRows(
      format,
      readings.map((reading) => reading.name),
      diagnostics,
    );
  const { roles, assumptions } = fileColumn === undefined ? guessRoles(table) : guessWithFile(table, fileColumn);
  const design = measureDesign(table, roles);
  const noScore: Diagnostic[] =
    roles.metrics.length > 0
      ? []
      : [
          {
            code: "NoScoreFound",
            severity: "note",
            message: "no column was recognised as a score.",
            fix: "Name it in the formula or the options of the command; every column can be used there.",
          },
        ];
  return {
    format,
    files: readings.map((reading) => reading.name),
    summary: `A table of ${table.rows} rows and ${table.columns.size} columns${readings.length > 1 ? ` from ${readings.length} files` : ""}.`,
    table,
    roles,
    systems: design.systems,
    items: design.items,
    repeats: design.repeats,
    metrics: roles.metrics.map(makeMetric),
    assumptions,
    diagnostics: [...diagnostics, ...noScore],
  };
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

function makeMetric(name: string): Metric {
  const direction = metricDirection(name);
  return { name, label: name, ...(direction === undefined ? {} : { higherIsBetter: direction }) };
}

async function readTable(opened: Opened, badRows: "error" | "skip"): Promise<Reading> {
  const { name, bytes } = opened.file;
  if (opened.kind === "parquet") return { name, ...(await readParquet(bytes, { name })) };
  if (opened.kind === "json") return { name, ...tableFromJson(opened.value, name) };
  if (opened.kind === "jsonl") return { name, ...readJsonl(bytes, { name, badRows }) };
  if (opened.kind === "table")
    return { name, ...readDelimited(bytes, { name, badRows, delimiter: opened.head.separator }) };
  // asked to be a table though it does not look like one: the reader says what is wrong, and where
  if (opened.kind === "lines") return { name, ...readCsv(bytes, { name, badRows }) };
  throw new StatError("NotATable", `${name}: not a table.`, "Give CSV, TSV, JSON, JSONL or Parquet.");
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
