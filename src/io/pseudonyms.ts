/** Raters under other names, in the file as it stands: only the cells of their column change, every other byte stays.
 *  Limits: tables (CSV, TSV) and records (JSON, JSONL) in UTF-8 that have a column of raters; names within free text stay. */

import type { InputFile } from "../data/imported.ts";
import { StatError } from "../result/error.ts";
import { RecordScanner, type RecordView } from "./csv/scan.ts";
import { SAMPLE_BYTES, sniffDelimiter } from "./csv/sniff.ts";

/** Old name to new. */
export type Pseudonyms = ReadonlyMap<string, string>;

/** What raters are called after this: rater-01 … in the order given. */
export function makePseudonyms(shuffled: readonly string[]): Pseudonyms {
  const digits = String(shuffled.length).length;
  return new Map(shuffled.map((name, i) => [name, `rater-${String(i + 1).padStart(digits, "0")}`]));
}

export function renameRaters(file: InputFile, column: string, names: Pseudonyms): Uint8Array {
  const text = decode(file);
  const first = text.trimStart()[0];
  if (first === "{" || first === "[") return new TextEncoder().encode(renameInJson(text, column, names, file.name));
  return renameInTable(text, column, names, file.name);
}

function decode({ name, bytes }: InputFile): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse(name, "it is not UTF-8 text");
  }
}

const refuse = (name: string, why: string): StatError =>
  new StatError(
    "RatersStay",
    `${name}: raters cannot be renamed, since ${why}.`,
    "rename them yourself and run the command again, or keep their names (`keepNames`).",
  );

function renameInTable(text: string, column: string, names: Pseudonyms, name: string): Uint8Array {
  const bytes = new TextEncoder().encode(text.endsWith("\n") ? text : `${text}\n`);
  const delimiter = sniffDelimiter(bytes.subarray(0, SAMPLE_BYTES), bytes.length <= SAMPLE_BYTES);
  const cells: { start: number; end: number; text: string }[] = [];
  let at = -1;
  const onRecord = (record: RecordView): void => {
    if (at < 0) at = fieldTexts(record).indexOf(column);
    else if (at < record.count) cells.push(cellAt(record, at));
  };
  new RecordScanner({ delimiter, quote: true }, name, onRecord).push(bytes);
  if (at < 0) throw refuse(name, `its column ${column} is not in the header`);
  return replaceCells(bytes, cells, names, name);
}

const decoder = new TextDecoder();

function cellAt({ bytes, base, starts, ends }: RecordView, k: number): { start: number; end: number; text: string } {
  const start = base + starts[k]!;
  const end = base + ends[k]!;
  return { start, end, text: decoder.decode(bytes.subarray(start, end)).replaceAll('""', '"') };
}

const fieldTexts = (record: RecordView): string[] =>
  Array.from({ length: record.count }, (_, k) =>
    cellAt(record, k)
      .text.replace(/^\uFEFF/, "")
      .trim(),
  );

function replaceCells(
  bytes: Uint8Array,
  cells: readonly { readonly start: number; readonly end: number; readonly text: string }[],
  names: Pseudonyms,
  name: string,
): Uint8Array {
  const parts: Uint8Array[] = [];
  let done = 0;
  for (const { start, end, text } of cells) {
    const other = text.trim() === "" ? "" : nameOf(text, names, name);
    parts.push(bytes.subarray(done, start), new TextEncoder().encode(other));
    done = end;
  }
  parts.push(bytes.subarray(done));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let to = 0;
  for (const part of parts) {
    whole.set(part, to);
    to += part.length;
  }
  return whole;
}

function nameOf(text: string, names: Pseudonyms, file: string): string {
  const found = names.get(text) ?? names.get(text.trim());
  if (found === undefined) throw refuse(file, `"${text}" in the column of raters was not read as one of them`);
  return found;
}

/** Lines of JSON stay lines; a document is written again. */
function renameInJson(text: string, column: string, names: Pseudonyms, name: string): string {
  const rename = (value: unknown): unknown => renameInValue(value, column, names, name);
  try {
    return `${JSON.stringify(rename(JSON.parse(text)))}\n`;
  } catch (error) {
    if (error instanceof StatError) throw error;
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  try {
    return lines.map((line) => `${JSON.stringify(rename(JSON.parse(line)))}\n`).join("");
  } catch (error) {
    throw error instanceof StatError ? error : refuse(name, "it is neither JSON nor lines of JSON");
  }
}

/** Wherever the column stands: as a key, or as the path "annotator.name". */
function renameInValue(value: unknown, path: string, names: Pseudonyms, file: string): unknown {
  if (Array.isArray(value)) return value.map((own) => renameInValue(own, path, names, file));
  if (typeof value !== "object" || value === null) return value;
  const [head, ...rest] = path.split(".");
  return Object.fromEntries(
    Object.entries(value).map(([key, own]) => {
      const leaf = key === path || (key === head && rest.length === 0);
      if (leaf && (typeof own === "string" || typeof own === "number")) return [key, nameOf(String(own), names, file)];
      const inner = key === head && rest.length > 0 ? rest.join(".") : path;
      return [key, renameInValue(own, inner, names, file)];
    }),
  );
}
