/** Parquet to a table, one column at a time. The reader (hyparquet) is loaded on first use.
 *    text, enums, UUIDs → factor; integers, floats, decimals → numeric; booleans → factor "false", "true"
 *    64-bit integers beyond 2^53 → the column becomes text, so that no id changes
 *    dates and timestamps → ISO text (2024-05-01, 2024-05-01T12:00:00.5), whose order is the order of time
 *    structs → one column per field ("a.b"); lists, maps and deeper structs → JSON text; other bytes → left out
 *  null is missing; levels, notes and nesting are those of the JSON reader.
 *  Limits: no encryption; every page is unpacked twice, once to check its counts; Brotli, gzip, LZ4, Snappy and Zstandard compression. */
import type { FileMetaData, SchemaTree } from "hyparquet";
import { type Column, makeTable, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { nearest } from "../../result/suggest.ts";
import { ImportBudget } from "../budget.ts";
import { type Cell, ColumnBuilder, TableBuilder } from "../columns.ts";
import { place } from "../encoding.ts";
import { isRecord, RecordFlattener } from "../json/records.ts";
import { type Chunk, openParquet, type ParquetSource } from "./source.ts";

export interface ParquetOptions {
  /** File name, for messages. */
  readonly name?: string | undefined;
  /** Top-level columns to read; default: all. */
  readonly columns?: readonly string[] | undefined;
  /** What the table may take; default: the limits of ImportOptions. */
  readonly budget?: ImportBudget | undefined;
}

export interface ParquetReading {
  readonly table: Table;
  readonly diagnostics: readonly Diagnostic[];
}

/** 10^22 is the largest power of ten that is an exact double. */
const MAX_EXACT_SCALE = 22;

export function isParquet(bytes: Uint8Array): boolean {
  return bytes.length >= 12 && isMagic(bytes, 0);
}

export async function readParquet(bytes: Uint8Array, options: ParquetOptions = {}): Promise<ParquetReading> {
  const { name = "", budget = new ImportBudget() } = options;
  if (!isParquet(bytes)) {
    throw new StatError("NotParquet", `${place(name)}the file does not start with PAR1.`, "give a Parquet file.");
  }
  if (!isMagic(bytes, bytes.length - 4)) throw broken(name, "its end is missing");
  try {
    return await readColumns(await openParquet(bytes, budget, name), options);
  } catch (error) {
    if (error instanceof StatError) throw error;
    throw broken(name, sayFault(error));
  }
}

/** The decoder's own words where it has some; those of the language, on something undefined or out of bounds, say nothing of the file. */
function sayFault(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError) return "its counts and places do not fit its bytes";
  return error instanceof Error ? error.message : String(error);
}

function isMagic(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x50 && bytes[at + 1] === 0x41 && bytes[at + 2] === 0x52 && bytes[at + 3] === 0x31;
}

function broken(name: string, detail: string): StatError {
  return new StatError(
    "BrokenParquet",
    `${place(name)}the Parquet file cannot be read: ${detail}.`,
    "copy or write the file again; if it is sound elsewhere, convert it to CSV.",
  );
}

async function readColumns(source: ParquetSource, options: ParquetOptions): Promise<ParquetReading> {
  const rows = countRows(source.metadata);
  const wanted = chooseColumns(source.schema.children, options);
  const flattener = new RecordFlattener();
  const diagnostics: Diagnostic[] = [];
  const entries: (readonly [string, Column])[] = [];
  for (const branch of wanted) {
    const chunks = await source.readColumn(branch.element.name);
    const found = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    if (found !== rows) {
      throw broken(options.name ?? "", `column "${branch.element.name}" has ${found} of ${rows} rows`);
    }
    if (isLeaf(branch)) {
      const column = buildLeaf(branch, chunks, rows, options);
      if (column === undefined) diagnostics.push(leftOut(branch.element.name));
      else entries.push([branch.element.name, column]);
    } else entries.push(...buildNested(branch, chunks, flattener, options));
  }
  return { table: makeTable(entries, rows), diagnostics: [...diagnostics, ...flattener.diagnostics()] };
}

function countRows(metadata: FileMetaData): number {
  const rows = Number(metadata.num_rows);
  const inGroups = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  if (rows !== inGroups) throw new Error(`${inGroups} of ${rows} rows are present`);
  return rows;
}

function chooseColumns(branches: readonly SchemaTree[], options: ParquetOptions): readonly SchemaTree[] {
  if (options.columns === undefined) return branches;
  return options.columns.map((wanted) => {
    const found = branches.find((branch) => branch.element.name === wanted);
    if (found !== undefined) return found;
    const names = branches.map((branch) => branch.element.name);
    const near = nearest(wanted, names);
    throw new StatError(
      "UnknownColumn",
      `${place(options.name ?? "")}no column "${wanted}" in the file (columns: ${names.join(", ")}).`,
      near === undefined ? "use a name from the file." : `did you mean "${near}"?`,
    );
  });
}

function isLeaf(branch: SchemaTree): boolean {
  return branch.children.length === 0 && branch.element.repetition_type !== "REPEATED";
}

/** undefined for bytes that are no text. */
function buildLeaf(
  branch: SchemaTree,
  chunks: readonly Chunk[],
  rows: number,
  { budget, name }: ParquetOptions,
): Column | undefined {
  if (
    chunks.every(
      (chunk) => chunk instanceof Float64Array || chunk instanceof Float32Array || chunk instanceof Int32Array,
    )
  ) {
    const values = new Float64Array(rows);
    let at = 0;
    for (const chunk of chunks) {
      values.set(chunk, at);
      at += chunk.length;
    }
    return { kind: "numeric", values };
  }
  const { converted_type, scale = 0 } = branch.element;
  const power = converted_type === "DECIMAL" && scale <= MAX_EXACT_SCALE ? 10 ** scale : 1;
  const builder = new ColumnBuilder(budget, name);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (const chunk of chunks) {
    for (const raw of chunk as Iterable<unknown>) {
      const cell = simplify(raw, decoder);
      if (cell === NOT_TEXT) return undefined;
      builder.add(typeof cell === "number" && power > 1 ? restoreDecimal(cell, power) : (cell as Cell));
    }
  }
  return builder.finish();
}

const NOT_TEXT = Symbol("not text");

/** A 64-bit integer as a number if that is exact, otherwise as text; bytes as text. */
function simplify(value: unknown, decoder: TextDecoder): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (!(value instanceof Uint8Array)) return value;
  try {
    return decoder.decode(value);
  } catch {
    return NOT_TEXT;
  }
}

/** The reader multiplies by 0.01, which is not exact: go back to the integer and divide, which rounds once. */
function restoreDecimal(value: number, power: number): number {
  const unscaled = Math.round(value * power);
  return Number.isSafeInteger(unscaled) ? unscaled / power : value;
}

function buildNested(
  branch: SchemaTree,
  chunks: readonly Chunk[],
  flattener: RecordFlattener,
  options: ParquetOptions,
): (readonly [string, Column])[] {
  const { name, converted_type, logical_type } = branch.element;
  // A map's keys are data, not names.
  const isMap = converted_type === "MAP" || logical_type?.type === "MAP";
  const builder = new TableBuilder(options.budget, options.name);
  const decoder = new TextDecoder();
  for (const chunk of chunks) {
    for (const raw of chunk as Iterable<unknown>) {
      const where = `row ${builder.rows + 1}`;
      const value = simplifyDeep(raw, decoder);
      builder.add(isMap ? [[name, flattener.cell(name, value, where)]] : flattener.flatten({ [name]: value }, where));
    }
  }
  return [...flattener.tidy(builder.finish()).columns];
}

function simplifyDeep(value: unknown, decoder: TextDecoder): unknown {
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof Uint8Array))) {
    return Array.from(value as Iterable<unknown>, (part) => simplifyDeep(part, decoder));
  }
  if (!isRecord(value) || value instanceof Uint8Array) return simplify(value, decoder);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, simplifyDeep(part, decoder)]));
}

function leftOut(name: string): Diagnostic {
  return {
    code: "BinaryColumn",
    severity: "warning",
    message: `column ${name} holds bytes that are not text and was left out.`,
    fix: "write what you need of it as numbers or text.",
  };
}
