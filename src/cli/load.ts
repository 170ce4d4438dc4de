/** A path on the command line → the table that a model is fitted to. */
import {
  createCsvReader,
  type Diagnostic,
  FORMATS,
  type Format,
  filterRows,
  importFiles,
  mutateTable,
  StatError,
  type Table,
} from "../index.ts";
import { isFolder, readChunks, readHead, readWithCompanions } from "./files.ts";
import type { DataOptions } from "./options.ts";
import type { Progress } from "./progress.ts";

export interface Loaded {
  readonly table: Table;
  readonly diagnostics: readonly Diagnostic[];
}

/** From this size on a plain table is read in pieces, so that the file itself never stands in memory. */
const STREAM_FROM_BYTES = 16 * 1024 * 1024;
const HEAD_BYTES = 64;

export function parseFormat(text: string | undefined): Format | undefined {
  if (text === undefined) return undefined;
  if ((FORMATS as readonly string[]).includes(text)) return text as Format;
  throw new StatError("BadOption", `--input-format ${text}: no such format.`, `Choose one of ${FORMATS.join(", ")}.`);
}

export async function loadTable(path: string, options: DataOptions, progress: Progress): Promise<Loaded> {
  const format = parseFormat(options.inputFormat);
  const loaded = (await isLargeText(path, format)) ? await streamCsv(path, progress) : await importWhole(path, format);
  let { table } = loaded;
  for (const text of options.mutate) table = mutateTable(table, text);
  for (const text of options.where) table = filterRows(table, text);
  if (table.rows === 0) {
    const why =
      options.where.length === 0
        ? "the file has a header but no rows."
        : `no row satisfies --where ${options.where.join(" and ")}.`;
    throw new StatError("NoRows", `${path}: ${why}`, "Check the file and the conditions.");
  }
  return { table, diagnostics: loaded.diagnostics };
}

/** A large file that is neither packed nor JSON nor Parquet. */
async function isLargeText(path: string, format: Format | undefined): Promise<boolean> {
  if (path === "-" || isFolder(path)) return false;
  const { head, size } = await readHead(path, HEAD_BYTES);
  if (size < STREAM_FROM_BYTES) return false;
  if (format !== undefined) return format === "csv" || format === "tsv";
  const start = new TextDecoder().decode(head).trimStart();
  const packed = head[0] === 0x1f || head[0] === 0x28 || start.startsWith("PK") || start.startsWith("PAR1");
  return !packed && !/^[[{]/.test(start);
}

async function streamCsv(path: string, progress: Progress): Promise<Loaded> {
  const reader = createCsvReader({ name: path });
  for await (const { bytes, done, size } of readChunks(path)) {
    reader.push(bytes);
    progress.update("Reading", done, size);
  }
  return reader.finish();
}

async function importWhole(path: string, format: Format | undefined): Promise<Loaded> {
  const files = readWithCompanions(path);
  const read = (as: Format | undefined) => importFiles(files, as === undefined ? {} : { format: as });
  let imported = await read(format);
  // a table with a faulty row looks like plain text; its name says what was meant, and the reader then says what is wrong
  if (format === undefined && imported.format === "text" && /\.[ct]sv(\.gz)?$/i.test(path))
    imported = await read("csv");
  return { table: imported.table, diagnostics: imported.diagnostics };
}
