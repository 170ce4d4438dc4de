/** Tables that no tool's format explains (CSV, TSV, JSON, JSONL, Parquet): read as they are, with guessed roles.
 *  Where roles are guessed, other shapes are unrolled to long rows first (data/shapes), which is said; otherwise no cell is changed and no
 *  row is reshaped, so that formulas see the columns that the file has. */

import { leaveChecksOut } from "../data/check-rows.ts";
import {
  type Format,
  type Imported,
  type ImportOptions,
  type JoinedFiles,
  NO_ROLES,
  type RoleGuess,
  type Roles,
} from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import { isRatingScale } from "../data/roles/evidence.ts";
import { splitWords } from "../data/roles/names.ts";
import { areRaters, isAutomatic, isPeoplesFile } from "../data/roles/people.ts";
import { listValues, profileColumn } from "../data/roles/profile.ts";
import { type GuessedRoles, guessRoles } from "../data/roles/roles.ts";
import { type Understood, understandTable } from "../data/roles/understand.ts";
import type { Reshaped } from "../data/shapes/reshaped.ts";
import { reshapeTable } from "../data/shapes/shapes.ts";
import { readVotes } from "../data/shapes/votes.ts";
import { joinSpellings } from "../data/spellings.ts";
import { column, selectRows, type Table } from "../data/table.ts";
import { leaveTotalsOut } from "../data/total-rows.ts";
import { warning } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import { listNames } from "../result/quote.ts";

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
  const { joined, spelled } = spellNames(joinTables(readings), unroll);
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
    ...spelled,
    ...(reshaped?.reading ?? []),
  ];
  const own = withFilesMeasure(
    guess ? understandJoined(table, joined, reshaped) : unread(table),
    readings.map((reading) => reading.name),
  );
  const { rows, columns } = joined.table;
  return {
    ...own,
    format,
    files: readings.map((reading) => reading.name),
    summary: `A table of ${countOf(rows, "row")} and ${countOf(columns.size, "column")}${readings.length > 1 ? ` from ${readings.length} files` : ""}${sayRows(rows, table.rows)}.`,
    ...(reshaped === undefined && readings.every((own, k) => own.table === complete[k]!.table)
      ? {}
      : { unrolled: true }),
    ...(joined.joined === undefined ? {} : { joined: joined.joined }),
    ...(reshaped?.unnamedRaters === true ? { unnamedRaters: true } : {}),
    ...(readings.length === 1 && readings[0]!.settings !== undefined ? { declared: readings[0]!.settings } : {}),
    assumptions: [...joined.assumptions, ...done, ...own.assumptions],
    diagnostics: [...mergeNotes(readings, table), ...own.diagnostics],
  };
}

/** A file that is called after an error of which less is better does not say that more "performance" is better. */
function withFilesMeasure(own: Understood, files: readonly string[]): Understood {
  const measures = files.map((file) =>
    splitWords(file.replace(/^.*[/\\]/, "")).find((word) =>
      /^(rmse|mse|mae|mape|wer|cer|ter|loss|perplexity)$/.test(word),
    ),
  );
  const [measure] = measures;
  if (measure === undefined || measures.some((other) => other !== measure)) return own;
  const doubted = own.metrics.filter(
    ({ name, higherIsBetter: up }) =>
      up === true &&
      splitWords(name).every((word) =>
        /^(overall|performance|score|scores|value|result|results|mean|avg|average|total)$/.test(word),
      ),
  );
  if (doubted.length === 0) return own;
  return {
    ...own,
    metrics: own.metrics.map((metric) => {
      const { higherIsBetter: _, ...bare } = metric;
      return doubted.includes(metric) ? bare : metric;
    }),
    assumptions: [
      ...own.assumptions,
      `The file is called after ${measure}, of which less is better: whether more ${listNames(doubted.map(({ name }) => name))} is good is left open.`,
    ],
  };
}

const sayRows = (before: number, after: number): string =>
  after === before
    ? ""
    : after > before
      ? `, unrolled to ${countOf(after, "row")}`
      : `, read as ${countOf(after, "row")}`;

function spellNames(
  joined: JoinedTables,
  wanted: boolean,
): { readonly joined: JoinedTables; readonly spelled: readonly string[] } {
  const { table, reading } = wanted ? joinSpellings(joined.table) : { table: joined.table, reading: [] };
  return { joined: { ...joined, table }, spelled: reading };
}

/** A row pasted twice hides which columns make a row: where they leave the item open, the roles are those of the rows without their copies. */
function guessDistinct(table: Table, known: readonly RoleGuess[], apart: readonly string[]): GuessedRoles {
  const guessed = guessRoles(table, known, apart);
  if (guessed.roles.item !== undefined) return guessed;
  const { count, first } = groupKeys([...table.columns.values()], table.rows);
  if (count === table.rows || count * 2 <= table.rows) return guessed;
  const distinct = guessRoles(selectRows(table, first), known, apart);
  if (distinct.roles.item === undefined || distinct.roles.system !== guessed.roles.system) return guessed;
  const told = `${countOf(table.rows - count, "row")} of ${table.rows} are exact copies of others; what the columns are was found without them.`;
  return { ...distinct, assumptions: [...distinct.assumptions, told] };
}

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

/** Roles of the joined and unrolled table; several files of one shape are usually one file per system. */
function understandJoined(table: Table, joined: JoinedTables, reshaped: Reshaped | undefined): Understood {
  const known = [...(reshaped?.hints ?? []), ...joined.hints];
  const [file] = joined.fileColumns;
  const found = withPeopleFirst(guessDistinct(table, known, joined.fileColumns), joined.joined);
  const own = understandTable(table, found, reshaped?.higherIsBetter);
  if (file === undefined || found.roles.task === file) return own;
  const guessed = ranTwice(table, found.roles, file) ? withoutSystem(found) : found;
  if (guessed.roles.system !== undefined) return own;
  const sheet = sheetOf(table, guessed.roles, file);
  if (sheet !== undefined) {
    const reason = `every file has the same ${guessed.roles.item} in the same columns`;
    const claim = { role: sheet, column: file, reason, confidence: 0.7 };
    return understandTable(
      table,
      { ...guessed, roles: { ...guessed.roles, [sheet]: file }, guesses: [...(guessed.guesses ?? []), claim] },
      reshaped?.higherIsBetter,
    );
  }
  const people =
    guessed.roles.rater === undefined && isRated(table, guessed.roles) && areRaters(listValues(column(table, file)));
  const role = people ? "rater" : "system";
  const roles: Roles = { ...guessed.roles, [role]: file, wide: [] };
  const folders = !people && joined.fileColumns.length > 1;
  const reason = people
    ? "the files are named after people"
    : folders
      ? `the part of the path beside ${listNames(joined.fileColumns.slice(1))}`
      : "each file is taken as one system";
  return understandTable(
    table,
    {
      roles,
      assumptions: [
        people
          ? "Each file is taken as one rater: the files are named after people."
          : folders
            ? `Each level of ${file} is taken as one system: the part of the path beside ${listNames(joined.fileColumns.slice(1))}.`
            : "Each file is taken as one system.",
        ...guessed.assumptions,
      ],
      guesses: [...(guessed.guesses ?? []), { role, column: file, reason, confidence: 0.8 }],
    },
    reshaped?.higherIsBetter,
  );
}

/** One system in every file, on the same items: the files are runs of it under other conditions, which are compared. */
function ranTwice(table: Table, { system, item, rater, repeat }: Roles, file: string): boolean {
  if (system === undefined || item === undefined || rater !== undefined || repeat !== undefined) return false;
  const count = (...names: string[]): number =>
    groupKeys(
      names.map((name) => column(table, name)),
      table.rows,
    ).count;
  return count(system) === 1 && count(item) * 2 <= count(item, file);
}

function withoutSystem(guessed: GuessedRoles): GuessedRoles {
  const { system, ...roles } = guessed.roles;
  return { ...guessed, roles, guesses: (guessed.guesses ?? []).filter((one) => one.column !== system) };
}

/** Labels, or steps of a scale, which people give; whether an answer was right is no judgement of a rater. */
const isRated = (table: Table, { score }: Roles): boolean =>
  score === undefined || isRatingScale(profileColumn(score, column(table, score)));

/** Several files with a column for each system and the same items: ratings are a rater's sheet, other scores a run. */
function sheetOf(table: Table, { wide, item, rater, repeat }: Roles, file: string): "rater" | "repeat" | undefined {
  if (wide.length < 2 || item === undefined || rater !== undefined || repeat !== undefined) return undefined;
  const [items, files] = [column(table, item), column(table, file)];
  const several = groupKeys([items], table.rows).count * 2 <= table.rows;
  if (!several || groupKeys([items, files], table.rows).count < table.rows) return undefined;
  return wide.every((name) => isRatingScale(profileColumn(name, column(table, name)))) ? "rater" : "repeat";
}

/** Where people's scores were joined with those of programs, what people said is the main score. */
function withPeopleFirst(guessed: GuessedRoles, files: JoinedFiles | undefined): GuessedRoles {
  const { roles } = guessed;
  const parts = (files?.parts ?? []).map(({ file, columns }) => ({
    file,
    own: roles.metrics.filter((name) => columns.includes(name)),
  }));
  const named = parts.filter(({ file }) => isPeoplesFile(file));
  const [people, second] = named.length > 0 ? named : parts.filter(({ own }) => !own.some(isAutomatic));
  const others = parts.filter((part) => part !== people).flatMap(({ own }) => own);
  if (people === undefined || second !== undefined || people.own.length === 0 || !others.some(isAutomatic))
    return guessed;
  const metrics = [...people.own, ...roles.metrics.filter((name) => !people.own.includes(name))];
  if (metrics[0] === roles.metrics[0] || roles.score === undefined) return guessed;
  const told = `${people.file} holds what people or a judge said and ${files!.parts.length === 2 ? "the other file" : "the others"} what programs computed: ${metrics[0]} is taken as the main score.`;
  return { ...guessed, roles: { ...roles, metrics, score: metrics[0]! }, assumptions: [...guessed.assumptions, told] };
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
    const bare = hasNoHeader(opened, options.delimiter ?? found);
    const read = readDelimited(bytes, {
      ...{ name, badRows, budget, ...csvOptions(options, found) },
      ...(bare ? { header: false } : {}),
    });
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
