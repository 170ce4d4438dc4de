/** A path on the command line → the table that a model is fitted to. */
import {
  createCsvReader,
  type Diagnostic,
  detectFormat,
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
const HEAD_BYTES = 65_536;
const NEWLINE = 0x0a;

export function parseFormat(text: string | undefined): Format | undefined {
  if (text === undefined) return undefined;
  if ((FORMATS as readonly string[]).includes(text)) return text as Format;
  throw new StatError("BadOption", `--input-format ${text}: no such format.`, `Choose one of ${FORMATS.join(", ")}.`);
}

export async function loadTable(path: string, options: DataOptions, progress: Progress): Promise<Loaded> {
  const format = parseFormat(options.inputFormat);
  const loaded = (await isLargeTable(path, format))
    ? await streamCsv(path, options, progress)
    : await importWhole(path, format, options);
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

/** A large plain table that is no tool's log: what its first lines say decides. */
async function isLargeTable(path: string, format: Format | undefined): Promise<boolean> {
  if (path === "-" || isFolder(path)) return false;
  const { head, size } = await readHead(path, HEAD_BYTES);
  if (size < STREAM_FROM_BYTES) return false;
  const found = format ?? formatOfHead(path, head);
  return found === "csv" || found === "tsv";
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

async function streamCsv(path: string, options: DataOptions, progress: Progress): Promise<Loaded> {
  const reader = createCsvReader({ name: path, badRows: options.badRows });
  for await (const { bytes, done, size } of readChunks(path)) {
    reader.push(bytes);
    progress.update("Reading", done, size);
  }
  return reader.finish();
}

async function importWhole(path: string, format: Format | undefined, { badRows }: DataOptions): Promise<Loaded> {
  const files = readWithCompanions(path);
  const { table, diagnostics } = await importFiles(files, format === undefined ? { badRows } : { format, badRows });
  // which column is the score is for the formula to say
  return { table, diagnostics: diagnostics.filter((d) => d.code !== "NoScoreFound") };
}
