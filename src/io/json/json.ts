/** A JSON document to a table. Three shapes are tables as they stand:
 *    [{"a": 1, "b": "x"}, …]            records, which may lack fields
 *    {"a": [1, …], "b": ["x", …]}       columns of equal length
 *    {"meta": …, "rows": [{…}, …]}      one list of records among other things, which are left out
 *  Others are unrolled (unroll.ts), which is reported. Text that holds nothing but numbers ("96.66") becomes numbers.
 *  null and NaN are missing; numbers, texts and booleans follow io/columns.ts, nesting follows records.ts. */
import { type Column, makeTable, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { ImportBudget } from "../budget.ts";
import { ColumnBuilder, TableBuilder } from "../columns.ts";
import { decodeText, place } from "../encoding.ts";
import { spreadNamedScores, tellLists } from "./named-scores.ts";
import { declaredSettings } from "./nested-settings.ts";
import { parseJson } from "./parse.ts";
import {
  findOpenObjects,
  isRecord,
  type JsonRecord,
  nameType,
  noteNumbers,
  RecordFlattener,
  withNumbers,
} from "./records.ts";
import { unrollJson } from "./unroll.ts";

export interface JsonOptions {
  /** File name, for messages. */
  readonly name?: string | undefined;
}

export interface JsonReading {
  readonly table: Table;
  readonly diagnostics: readonly Diagnostic[];
  /** What was done to make a table of the document. */
  readonly reading?: readonly string[];
  readonly failures?: readonly Failures[];
  /** How the run was set up, where the document says it beside its records. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Runs without a verdict that the file's own total counts as failures. */
export interface Failures {
  readonly column: string;
  /** The name of that total. */
  readonly total: string;
  readonly count: number;
  readonly of: number;
}

export function readJson(input: Uint8Array | string, options: JsonOptions = {}): JsonReading {
  const { name = "" } = options;
  return tableFromJson(parseJson(decodeText(input, name), { name }), name);
}

/** The table in a parsed document. */
export function tableFromJson(value: unknown, name = "", budget = new ImportBudget()): JsonReading {
  if (Array.isArray(value)) return readUnrolled(value, name, budget) ?? readRecords(value, name, budget);
  if (!isRecord(value)) throw wrongShape(`the document is ${nameType(value)}`, name);
  refuseAnswer(value, name);
  const entries = Object.entries(value);
  const lists = entries.filter(
    ([, part]) => Array.isArray(part) && part.length > 0 && part.every(isRecord) && !part.every(isReference),
  );
  if (lists.length === 1) return readInner(lists[0] as [string, unknown[]], entries, name, budget);
  return readUnrolled(value, name, budget) ?? readColumns(entries, name, budget);
}

/** Texts and an address: where something was published, no result. */
const isReference = (record: Readonly<Record<string, unknown>>): boolean => {
  const values = Object.values(record);
  return (
    values.every((value) => value === null || typeof value === "string") &&
    Object.keys(record).some((name) => /^(url|uri|link|href|doi)$/i.test(name)) &&
    values.some((value) => /^https?:/.test(String(value)))
  );
};

/** What gosset itself wrote holds numbers about data, and is none. */
function refuseAnswer({ kind, version, warnings, notes }: Record<string, unknown>, name: string): void {
  if (typeof kind !== "string" || typeof version !== "string" || !Array.isArray(warnings) || !Array.isArray(notes))
    return;
  throw new StatError(
    "NotATable",
    `${place(name)}an answer of gosset (${kind.slice(0, 40)}), which is not data.`,
    "give the data that it was made of; gosset plot and gosset report take the answer itself.",
  );
}

function readUnrolled(value: unknown, name: string, budget: ImportBudget): JsonReading | undefined {
  const unrolled = unrollJson(value, budget);
  if (unrolled === undefined) return undefined;
  const { table, diagnostics, reading: spread = [] } = readRecords(unrolled.records, name, budget);
  const { leftOut } = unrolled;
  const reading = [...unrolled.reading, ...spread];
  return { table, diagnostics: [...(leftOut.length === 0 ? [] : [partRead(name, leftOut)]), ...diagnostics], reading };
}

/** Verdicts that are null count as failures where the file's own total does so: a time-out of an agent is no missing value. */
function countFailures(table: Table, entries: readonly [string, unknown][]): { table: Table; failures: Failures[] } {
  const totals = entries.filter((entry): entry is [string, number] => typeof entry[1] === "number");
  const failures: Failures[] = [];
  const columns = [...table.columns].map(([name, cells]): [string, Column] => {
    if (cells.kind === "numeric" || cells.levels.join() !== "false,true") return [name, cells];
    const yes = cells.codes.filter((code) => code === 1).length;
    const missing = cells.codes.filter((code) => code < 0).length;
    const own = totals.find(([, value]) => Math.abs(value - yes / table.rows) < SAME_SHARE);
    const otherwise = yes / (table.rows - missing);
    if (missing === 0 || own === undefined || Math.abs(own[1] - otherwise) < SAME_SHARE) return [name, cells];
    failures.push({ column: name, total: own[0], count: missing, of: table.rows });
    return [name, { ...cells, codes: cells.codes.map((code) => Math.max(code, 0)) }];
  });
  return { table: makeTable(columns, table.rows), failures };
}

/** Shares of a few hundred items that differ differ by more than this. */
const SAME_SHARE = 1e-6;
const LEFT_OUT_NAMED = 6;

function partRead(name: string, others: readonly string[], key?: string): Diagnostic {
  const more = others.length > LEFT_OUT_NAMED ? ` and ${others.length - LEFT_OUT_NAMED} more` : "";
  const from = key === undefined ? "" : `the records were taken from "${key}"; `;
  return {
    code: "PartRead",
    severity: "note",
    message: `${place(name)}${from}left out: ${others.slice(0, LEFT_OUT_NAMED).join(", ")}${more}.`,
    fix: "pass the list of records alone if another part was meant.",
  };
}

function readRecords(all: readonly unknown[], name: string, budget: ImportBudget): JsonReading {
  const { records, lists } = spreadNamedScores(all);
  const reading = tellLists(lists);
  const builder = new TableBuilder(budget, name);
  const flattener = new RecordFlattener(findOpenObjects(records));
  records.forEach((record, i) => {
    if (!isRecord(record)) throw wrongShape(`element ${i + 1} is ${nameType(record)}`, name);
    builder.add(flattener.flatten(record as JsonRecord, `record ${i + 1}`));
  });
  const table = withNumbers(flattener.tidy(builder.finish()));
  const diagnostics = [...flattener.diagnostics(), ...noteNumbers(table)];
  return { table, diagnostics, ...(reading.length === 0 ? {} : { reading }) };
}

function readInner(
  [key, records]: [string, unknown[]],
  entries: readonly [string, unknown][],
  name: string,
  budget: ImportBudget,
): JsonReading {
  const plain = readRecords(records, name, budget);
  const others = entries.filter(([other]) => other !== key).map(([other]) => other);
  if (others.length === 0) return plain;
  const counted = countFailures(plain.table, entries);
  const reading = { ...plain, table: counted.table };
  const settings = declaredSettings(entries.filter(([other]) => other !== key));
  const used = entries.filter((entry) => Object.keys(declaredSettings([entry])).length > 0).map(([other]) => other);
  const unread = others.filter((other) => !used.includes(other));
  const diagnostics = [...(unread.length === 0 ? [] : [partRead(name, unread, key)]), ...reading.diagnostics];
  return {
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    table: reading.table,
    diagnostics,
    ...(plain.reading === undefined ? {} : { reading: plain.reading }),
    ...(counted.failures.length === 0 ? {} : { failures: counted.failures }),
  };
}

function readColumns(entries: readonly [string, unknown][], name: string, budget: ImportBudget): JsonReading {
  budget.checkTable(0, entries.length, name);
  const lengths = entries.flatMap(([column, cells]) => (Array.isArray(cells) ? [[column, cells.length] as const] : []));
  const odd = lengths.find(([, length]) => length !== lengths[0]![1]);
  if (odd !== undefined)
    throw wrongShape(`"${lengths[0]![0]}" lists ${lengths[0]![1]} values and "${odd[0]}" lists ${odd[1]}`, name);
  const flattener = new RecordFlattener();
  const columns = entries.map(([column, cells]) => {
    if (!Array.isArray(cells)) throw wrongShape(`"${column}" is ${nameType(cells)}`, name);
    const builder = new ColumnBuilder(budget, name);
    cells.forEach((cell: unknown, i) => {
      builder.add(flattener.cell(column, cell, `row ${i + 1}`));
    });
    return [column, builder.finish()] as const;
  });
  const table = makeTable(columns);
  return { table, diagnostics: [...flattener.diagnostics(), ...noteNumbers(table)] };
}

function wrongShape(found: string, name: string): StatError {
  return new StatError(
    "NotATable",
    `${place(name)}${found}, which is not a table.`,
    'give a list of records ([{"a": 1}, …]; pandas: orient="records") or an object of columns ({"a": [1, …]}).',
  );
}
