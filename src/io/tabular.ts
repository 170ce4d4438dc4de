/** Tables that no tool's format explains (CSV, TSV, JSON, JSONL, Parquet): read as they are, with guessed roles.
 *  Where roles are guessed, other shapes are unrolled to long rows first (data/shapes), which is reported; otherwise no cell is changed and no
 *  row is reshaped, so that formulas see the columns that the file has. */

import { looksHeaderless } from "../data/header.ts";
import { type Format, type Imported, type ImportOptions, NO_ROLES } from "../data/imported.ts";
import { column, type Table } from "../data/table.ts";
import { warning } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import { present } from "../result/present.ts";
import { listNames } from "../result/quote.ts";
import { leaveChecksOut } from "../study/checks/check-rows.ts";
import { listValues } from "../study/facts.ts";
import { roleOfFiles } from "../study/files.ts";
import { reshapeTable } from "../study/reshape/reshape.ts";
import type { Reshaped } from "../study/reshape/reshaped.ts";
import { readVotes } from "../study/reshape/votes.ts";
import { tellDone } from "../study/tell.ts";
import { leaveTotalsOut } from "../study/total-rows.ts";
import { type Understood, understandTable } from "../study/understand.ts";
import { ImportBudget, refuseLongName } from "./budget.ts";
import { type CsvOptions, readCsv } from "./csv/csv.ts";
import { MISSING_VALUES } from "./csv/missing.ts";
import { countOf } from "./detect.ts";
import { completeFailures } from "./failures-only.ts";
import { type JoinedTables, joinTables, type Reading } from "./join-tables.ts";
import { tableFromJson } from "./json/json.ts";
import { readJsonl } from "./json/lines.ts";
import { noRows } from "./logs/long-table.ts";
import { mergeNotes } from "./merge-notes.ts";
import { nameContent, type Opened } from "./open.ts";
import { readParquet } from "./parquet/parquet.ts";
import { headOfTsv, startsWithData } from "./sniff-table.ts";

export async function importTables(
  opened: readonly Opened[],
  format: Format,
  options: ImportOptions = {},
  budget = new ImportBudget(options),
  /** Of each file, where two kinds of tables are read together. */
  formats?: ReadonlyMap<Opened, Format>,
): Promise<Imported> {
  const read: Reading[] = [];
  for (const file of opened) {
    const own = formats?.get(file) ?? format;
    refuseOtherContent(file, own, options);
    read.push(await readTable(file, own, options, budget));
  }
  const { guessRoles: guess = true, unroll = guess, keep = [] } = options;
  const complete = guess ? completeFailures(read, budget) : read;
  const readings =
    guess || unroll
      ? complete.map(withoutTotals).map((own) => withoutChecks(own, keep))
      : complete.map(warnOfTotals).map(warnOfChecks);
  const names = new Set(readings.flatMap(({ table }) => [...table.columns.keys()]));
  for (const name of names) refuseLongName(name);
  budget.checkTable(
    readings.reduce((sum, { table }) => sum + table.rows, 0),
    names.size,
  );
  const joined = joinTables(readings);
  if (joined.table.rows === 0) {
    const files = readings.map((reading) => reading.name);
    const diagnostics = mergeNotes(readings, joined.table);
    throw diagnostics.length === 0 ? headerOnly(files, joined.table) : noRows(format, files, diagnostics);
  }
  const { votes } = options;
  const reshaped =
    votes !== undefined ? readNamedVotes(joined.table, votes) : unroll ? reshapeTable(joined.table, keep) : undefined;
  const table = reshaped?.table ?? joined.table;
  const done = [
    ...new Set(readings.flatMap(({ reading = [] }) => reading)),
    ...sayFailures(readings),
    ...(reshaped?.done ?? []).map(tellDone),
  ];
  const own = guess ? understandJoined(table, joined, reshaped) : unread(table);
  const { rows, columns } = joined.table;
  return {
    ...own,
    format,
    files: readings.map((reading) => reading.name),
    summary: `A table of ${countOf(rows, "row")} and ${countOf(columns.size, "column")}${readings.length > 1 ? ` from ${readings.length} files` : ""}${sayRows(rows, table.rows)}.`,
    ...(reshaped === undefined && readings.every((own, k) => own.table === complete[k]!.table)
      ? {}
      : { unrolled: true }),
    ...present({ joined: joined.joined }),
    ...(reshaped?.unnamedRaters === true ? { unnamedRaters: true } : {}),
    ...(readings.length === 1 && readings[0]!.settings !== undefined ? { declared: readings[0]!.settings } : {}),
    assumptions: [...joined.done.map(tellDone), ...done, ...own.assumptions],
    diagnostics: [...mergeNotes(readings, table), ...own.diagnostics],
  };
}

const sayRows = (before: number, after: number): string =>
  after === before
    ? ""
    : after > before
      ? `, unrolled to ${countOf(after, "row")}`
      : `, read as ${countOf(after, "row")}`;

function withoutTotals(own: Reading): Reading {
  const { table, reading } = leaveTotalsOut(own.table);
  return reading.length === 0 ? own : { ...own, table, reading: [...(own.reading ?? []), ...reading] };
}

/** Whoever names the column that marks them wants the rows. */
function withoutChecks(own: Reading, keep: readonly string[]): Reading {
  const { table, told, mark } = leaveChecksOut(own.table);
  if (told === undefined || keep.includes(mark!)) return own;
  return { ...own, table, reading: [...(own.reading ?? []), `${told} and are left out.`] };
}

function warnOfChecks(own: Reading): Reading {
  const { told, mark } = leaveChecksOut(own.table);
  if (told === undefined) return own;
  const fix = `Leave them out with option \`where\` on ${mark}.`;
  const found = warning("CheckRows", `${told}, and are counted as rows like others.`, fix);
  return { ...own, diagnostics: [...own.diagnostics, found] };
}

/** Where no cell is to be changed they stay, and are named. */
function warnOfTotals(own: Reading): Reading {
  const { rows } = leaveTotalsOut(own.table);
  if (rows === undefined) return own;
  const message = `${rows.told} ${rows.count === 1 ? "reads like a sum" : "read like sums"} of those above, and ${rows.count === 1 ? "is counted as a row" : "are counted as rows"}.`;
  const found = warning(
    "TotalRows",
    message,
    "Leave them out with option `where`, or have the table read as long rows.",
  );
  return { ...own, diagnostics: [...own.diagnostics, found] };
}

/** Runs without a verdict that count as failures, over all files. */
function sayFailures(readings: readonly Reading[]): string[] {
  const all = readings.flatMap(({ failures = [] }) => failures);
  return [...new Set(all.map(({ column: name }) => name))].map((name) => {
    const own = all.filter((one) => one.column === name);
    const [missing, rows] = [own.reduce((sum, one) => sum + one.count, 0), own.reduce((sum, one) => sum + one.of, 0)];
    const files = own.length === 1 ? "the file's own" : "the files' own";
    return `${name} is empty in ${missing} of ${rows} rows (a time-out, an error): ${files} ${own[0]!.total} counts them as failures, and so does this reading.`;
  });
}

/** Votes by the columns that the caller names. */
function readNamedVotes(table: Table, { a, b, winner }: NonNullable<ImportOptions["votes"]>): Reshaped {
  for (const name of [a, b, winner]) column(table, name);
  const found = readVotes(table, { a, b, winner: [winner] });
  const score = found.table.columns.get("score");
  if (score?.kind === "numeric" && !score.values.every(Number.isNaN)) return found;
  throw new StatError(
    "NoWinner",
    `no value of ${winner} names a side of ${a} and ${b}.`,
    "A vote is the name of a system, a, b, 1, 2, left, right, first, second or tie.",
  );
}

/** Roles of the joined and reshaped table; what files without a column of systems hold is one system each. */
function understandJoined(table: Table, joined: JoinedTables, reshaped: Reshaped | undefined): Understood {
  const known = [...(reshaped?.hints ?? []), ...joined.hints];
  const directions = reshaped?.higherIsBetter ?? new Map<string, boolean>();
  const [file] = joined.fileColumns;
  const own = understandTable(table, known, { directions, apart: joined.fileColumns });
  if (file === undefined || known.some(({ column: name }) => name === file)) return own;
  const role = own.systems.length > 1 ? roleOfFiles(listValues(column(table, file))) : "system";
  return role === undefined || (own.roles[role] !== undefined && role !== "system")
    ? own
    : understandTable(table, [...known, { role, column: file, by: "file" }], { directions });
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

function headerOnly(files: readonly string[], table: Table): StatError {
  const columns = listNames([...table.columns.keys()]);
  const what = columns === "" ? "no columns and no rows" : `a header (${columns}) but no rows`;
  return new StatError("NoRows", `${listNames(files)} has ${what}.`, "Check that the run wrote its results.");
}

async function readTable(
  opened: Opened,
  format: Format,
  options: ImportOptions,
  budget: ImportBudget,
): Promise<Reading> {
  const { name, bytes } = opened.file;
  const { badRows = "error" } = options;
  if (opened.kind === "table" || opened.kind === "lines") {
    // plain lines were asked to be a table: the reader says what is wrong, and where
    const found = opened.kind === "table" ? opened.head.separator : format === "tsv" ? "\t" : undefined;
    const reading = opened.kind === "table" ? opened.reading : undefined;
    const own = { name, badRows, ...csvOptions(options, found) };
    const named = hasNoHeader(opened, options.delimiter ?? found)
      ? undefined
      : readDelimited(bytes, { ...own, budget });
    const bare = named === undefined || looksHeaderless(named.table);
    const read = bare ? readDelimited(bytes, { ...own, budget, header: false }) : named;
    const told = bare
      ? [
          `The first line holds values as the others do, so the file has no header: its columns are called ${listNames([...read.table.columns.keys()])}.`,
        ]
      : [];
    return { name, ...read, ...(reading === undefined && !bare ? {} : { reading: [...(reading ?? []), ...told] }) };
  }
  refuseCsvOptions([opened], options);
  if (opened.kind === "parquet") return { name, ...(await readParquet(bytes, { name, budget })) };
  if (opened.kind === "jsonl" || format === "jsonl") return { name, ...readJsonl(bytes, { name, badRows, budget }) };
  if (opened.kind === "json") return { name, ...tableFromJson(opened.value, name, budget) };
  throw new StatError("NotATable", `${name}: not a table.`, "Give CSV, TSV, JSON, JSONL, YAML or Parquet.");
}

/** So much of a file shows what its first lines hold. */
const HEAD_BYTES = 65_536;

function hasNoHeader(opened: Opened, separator: string | undefined): boolean {
  if (opened.kind === "table" && opened.head.separator === separator && opened.head.records.length > 0)
    return startsWithData([opened.head.header, ...opened.head.records]);
  if (separator !== "\t") return false;
  return startsWithData(headOfTsv(new TextDecoder().decode(opened.file.bytes.subarray(0, HEAD_BYTES))));
}

function csvOptions({ delimiter, decimal, missing, quote }: ImportOptions, found: string | undefined): CsvOptions {
  const separator = delimiter ?? found;
  return {
    ...present({ delimiter: separator, decimal }),
    ...(missing === undefined ? {} : { missing: [...MISSING_VALUES, ...missing] }),
    ...present({ quote }),
  };
}

const FORMAT_WORDS: Partial<Record<Format, string>> = {
  csv: "CSV",
  tsv: "TSV",
  json: "JSON",
  jsonl: "JSON lines",
  yaml: "YAML",
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
  if (format === "yaml") return opened.kind === "json";
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
    `\`${given}\` is for plain tables in CSV or TSV, and ${first.file.name} ${why}.`,
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
