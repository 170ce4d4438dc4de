/** From bytes to something whose format can be told: unpacks gzip and zstd, and sees whether the content is an archive,
 *  Parquet, JSON, JSON lines, a delimited table or plain lines. Names and extensions never decide. */

import type { InputFile } from "../data/imported.ts";
import { StatError } from "../result/error.ts";
import { ImportBudget } from "./budget.ts";
import { decodeText, readMark } from "./encoding.ts";
import { parseJson } from "./json/parse.ts";
import { isObject } from "./json/value.ts";
import { chooseMarkdownTable, findMarkdownTables, type MarkdownTable } from "./markdown-table.ts";
import { gunzip, gunzipNatively, isGzip } from "./packed/gzip.ts";
import { isZip, listZip, type ZipEntry } from "./packed/zip.ts";
import { boundZstd, isZstd, unzstd } from "./packed/zstd.ts";
import { isParquet } from "./parquet/parquet.ts";
import { dropComments, dropSurveyRows } from "./preamble.ts";
import { type ScoreLayout, sniffScoreLines } from "./score-lines.ts";
import { isColumnName, sniffTable, type TableHead } from "./sniff-table.ts";
import { mergeHeaders } from "./two-headers.ts";
import { readYaml } from "./yaml.ts";

export type Opened =
  | {
      readonly kind: "zip";
      readonly file: InputFile;
      readonly entries: readonly ZipEntry[];
      /** What is left for its entries. */
      readonly budget: ImportBudget;
    }
  | { readonly kind: "parquet"; readonly file: InputFile }
  | { readonly kind: "json"; readonly file: InputFile; readonly value: unknown; readonly yaml?: true }
  | {
      readonly kind: "jsonl";
      readonly file: InputFile;
      readonly head: readonly unknown[];
      /** What is left for those who keep all its records. */
      readonly budget?: ImportBudget;
    }
  | {
      readonly kind: "table";
      readonly file: InputFile;
      readonly head: TableHead;
      /** What was done to the header. */
      readonly reading?: readonly string[];
      /** What is left for those who keep all its cells. */
      readonly budget?: ImportBudget;
    }
  | { readonly kind: "trec"; readonly file: InputFile; readonly layout: TrecLayout }
  | { readonly kind: "scores"; readonly file: InputFile; readonly layout: ScoreLayout }
  | {
      readonly kind: "lines";
      readonly file: InputFile;
      readonly looksLikeYaml?: boolean;
      /** Tables of a Markdown text. */
      readonly tables?: readonly MarkdownTable[];
      readonly budget?: ImportBudget;
    }
  | { readonly kind: "empty"; readonly file: InputFile }
  | { readonly kind: "binary"; readonly file: InputFile };

type TableOpened = Extract<Opened, { kind: "table" }>;
type LinesOpened = Extract<Opened, { kind: "lines" }>;

/** What a file holds, in words for a message. */
export function nameContent(opened: Opened): string {
  const names = {
    zip: "a zip archive",
    parquet: "Parquet",
    json: "JSON",
    jsonl: "JSON lines",
    trec: "a TREC file",
    scores: "scores of the WMT metrics task",
    lines: "plain text",
    empty: "empty",
    binary: "binary data",
  };
  if (opened.kind !== "table") return names[opened.kind];
  return opened.head.separator === "\t" ? "tab-separated text" : `text separated by "${opened.head.separator}"`;
}

/** Enough to tell formats apart; a first line may hold a whole transcript. */
const HEAD_BYTES = 256 * 1024;
const HEAD_LINES = 20;

export interface OpenOptions {
  readonly encoding?: string | undefined;
  readonly budget?: ImportBudget | undefined;
  /** Layers of packing that were taken off before. */
  readonly layers?: number | undefined;
}

export function openFile(file: InputFile, options: OpenOptions = {}): Opened {
  const { encoding, budget = new ImportBudget(), layers = 0 } = options;
  const unpacked = unwrap(file, layers, budget);
  const packed = layers > 0 || unpacked.bytes !== file.bytes;
  if (isZip(unpacked.bytes)) {
    return { kind: "zip", file: unpacked, entries: listZip(unpacked.bytes, file.name), budget };
  }
  if (isParquet(unpacked.bytes)) return { kind: "parquet", file: unpacked };
  const plain = withoutSeparatorLine(encoding === undefined ? unpacked : toUtf8(unpacked, encoding));
  const { bytes } = plain;
  const head = decodeHead(bytes);
  if (head.trim() === "") return { kind: "empty", file: plain };
  if (isBinary(head)) return { kind: "binary", file: plain };
  const first = head.trimStart()[0];
  if (first === "{" || first === "[") {
    const lines = sampleJsonLines(head, bytes.length <= HEAD_BYTES);
    if (packed || lines === undefined)
      budget.checkDocument(bytes.length, lines === undefined ? "json" : "jsonl", file.name, packed);
    if (lines !== undefined) return { kind: "jsonl", file: plain, head: lines, budget };
    const json = openJson(plain, first, budget);
    if (json !== undefined) return json;
  }
  if (sniffFlowYaml(head)) return openLines(plain, { packed, budget, looksLikeYaml: true });
  budget.checkDocument(bytes.length, "table", file.name, packed);
  const layout = sniffTrec(head, bytes.length <= HEAD_BYTES);
  if (layout !== undefined) {
    budget.takeValues(FIELDS_OF_A_LINE * countLines(bytes), file.name);
    return { kind: "trec", file: plain, layout };
  }
  const scores = sniffScoreLines(head, bytes.length <= HEAD_BYTES, file.name);
  if (scores !== undefined) {
    budget.takeValues(scores.fields.length * countLines(bytes), file.name);
    return { kind: "scores", file: plain, layout: scores };
  }
  const marked = openMarkdown(plain, head);
  if (marked?.kind === "table") return { ...marked, budget };
  if (marked !== undefined) {
    budget.takeValues(countLines(bytes), file.name, "lines");
    return { ...marked, budget };
  }
  const table = openTable(plain, head);
  return table === undefined
    ? openLines(plain, { packed, budget, looksLikeYaml: sniffYaml(head) })
    : { ...table, budget };
}

/** A line of a TREC file has up to six. */
const FIELDS_OF_A_LINE = 6;

function openTable(plain: InputFile, head: string): TableOpened | undefined {
  const whole = plain.bytes.length <= HEAD_BYTES;
  for (const rewrite of [dropComments, dropSurveyRows, mergeHeaders]) {
    const rewritten = openRewritten(plain, head, whole, rewrite);
    if (rewritten !== undefined) return rewritten;
  }
  const table = sniffTable(head, whole);
  if (table !== undefined) return { kind: "table", file: plain, head: table };
  return namedTable(plain, head);
}

function openLines(
  file: InputFile,
  { packed, budget, looksLikeYaml }: { packed: boolean; budget: ImportBudget; looksLikeYaml: boolean },
): Opened {
  budget.checkDocument(file.bytes.length, looksLikeYaml ? "yaml" : "lines", file.name, packed);
  if (!looksLikeYaml) budget.takeValues(countLines(file.bytes), file.name, "lines");
  return { kind: "lines", file, looksLikeYaml };
}

function countLines(bytes: Uint8Array): number {
  let lines = 1;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}

const NEWLINE = 0x0a;

/** A table between bars, as one with commas; a text that holds tables, with them. */
function openMarkdown(file: InputFile, head: string): TableOpened | LinesOpened | undefined {
  if (!/^[ \t]*(?:\|[ \t]*)?:?-{2,}:?[ \t]*\|/m.test(head)) return undefined;
  const { tables, alone } = findMarkdownTables(decodeText(file.bytes, file.name));
  if (tables.length === 0) return undefined;
  if (!alone) return { kind: "lines", file, looksLikeYaml: false, tables };
  return tableOfCsv(file, tables[0]!.csv, "The file is a Markdown table.");
}

function tableOfCsv(file: InputFile, csv: string, reading: string): TableOpened | undefined {
  const table = sniffTable(csv.slice(0, HEAD_BYTES), csv.length <= HEAD_BYTES);
  if (table === undefined) return undefined;
  const own = { name: file.name, bytes: new TextEncoder().encode(csv) };
  return { kind: "table", file: own, head: table, reading: [reading] };
}

/** One table of a Markdown text in the place of the text: the one under the heading, or the largest. */
export function openMarkdownTable(opened: Opened, heading: string | undefined): Opened {
  if (opened.kind !== "lines" || opened.tables === undefined) return opened;
  const { csv, reading } = chooseMarkdownTable(opened.file, opened.tables, heading);
  const table = tableOfCsv(opened.file, csv, reading);
  return table === undefined ? opened : { ...table, ...(opened.budget === undefined ? {} : { budget: opened.budget }) };
}

/** A table with lines that are no data before its rows, or with names in two rows, as one with a single header. */
function openRewritten(
  file: InputFile,
  head: string,
  whole: boolean,
  rewrite: (text: string, whole: boolean) => { readonly text: string; readonly reading: string } | undefined,
): TableOpened | undefined {
  if (rewrite(head, whole) === undefined) return undefined;
  const found = rewrite(decodeText(file.bytes, file.name), true);
  if (found === undefined) return undefined;
  const own = { name: file.name, bytes: new TextEncoder().encode(found.text) };
  const table = openTable(own, found.text.slice(0, HEAD_BYTES));
  return table === undefined ? undefined : { ...table, reading: [found.reading, ...(table.reading ?? [])] };
}

/** TREC's three kinds of files have no header and no names: they are told by their fields. */
export type TrecLayout = "eval" | "run" | "qrels";

const TREC_LINES: readonly (readonly [TrecLayout, RegExp])[] = [
  ["run", /^\S+\s+Q0\s+\S+\s+\d+\s+[-+.\deE]+\s+\S+\s*$/],
  ["qrels", /^\S+[ \t]+(0|Q0|\d)[ \t]+(?=[^\s\p{L}\p{P}]*[\p{L}\p{P}])\S+[ \t]+-?\d\s*$/u],
  ["eval", /^[\p{L}\d][\w.-]*[ \t]+(\S+)[ \t]+\S+\s*$/u],
];
/** What trec_eval calls its measures, enough of them to know its output. */
const TREC_MEASURES =
  /^(map|gm_map|Rprec|bpref|recip_rank|num_ret|num_rel|num_q|P_\d+|ndcg|ndcg_cut_\d+|recall_\d+|success_\d+)\s/m;
const FEWEST_TREC_LINES = 3;

function sniffTrec(head: string, whole: boolean): TrecLayout | undefined {
  const lines = head.split(/\r?\n/);
  if (!whole) lines.pop();
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.length < FEWEST_TREC_LINES) return undefined;
  const found = TREC_LINES.find(([, pattern]) => filled.every((line) => pattern.test(line)))?.[0];
  return found === "eval" && !TREC_MEASURES.test(head) ? undefined : found;
}

/** "- name: value" or "name: value" at the start of lines, and nothing that is neither that nor indented: data, not prose. */
function sniffYaml(head: string): boolean {
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== "" && !/^\s*#/.test(line));
  const [first = ""] = lines;
  if (!/^(---|%YAML|- |-$|[\w"'.-]+:( |$))/.test(first)) return false;
  const own = lines.filter((line) =>
    /^(---|\.\.\.|%YAML|-( *(&\S+ +)?(\{ *)?\S+: |[^:]*$)|[\w"'. -]+:( |$)|\s+\S)/.test(line),
  );
  return (
    own.length === lines.length &&
    lines.some((line) => /^\s*(- +(?! )(&\S+ +(?! ))?(\{ *(?! ))?)?(?! )[\w"'. <-]+:( |$)/.test(line))
  );
}

/** YAML whose every value is a list or an object in brackets: as many commas in each line do not make it a table. */
function sniffFlowYaml(head: string): boolean {
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== "" && !/^\s*#/.test(line));
  return (
    lines.length > 0 &&
    lines.every((line) => /^(---|(-|[\w"'.-]+:) +((&\S+ +)?[[{]|\*\w)|[\]}]|\s+\S)/.test(line)) &&
    sniffYaml(head)
  );
}

/** YAML is read as the data it stands for. */
export async function openYaml(opened: Opened, budget: ImportBudget): Promise<Opened> {
  if (opened.kind !== "lines" || opened.looksLikeYaml !== true) return opened;
  const { name, bytes } = opened.file;
  try {
    const value = await readYaml(decodeText(bytes, name), name, budget);
    return typeof value === "object" && value !== null
      ? { kind: "json", file: opened.file, value, yaml: true }
      : opened;
  } catch (error) {
    if (error instanceof StatError) throw error;
    // text of another kind ("Note: …") may look like it at first
    if (!/\.ya?ml(\.gz|\.zst)?$/i.test(name)) return opened;
    const [reason = ""] = String((error as Error).message).split("\n");
    throw new StatError("BrokenYaml", `${name}: ${reason.replace(/[.:]?$/, ".")}`, "Correct the file at that place.");
  }
}

/** Content decides, but a text called .csv or .tsv that looks like no table is a damaged one, for its reader to report,
 *  or one with a single column, if it starts with a name. */
function namedTable(file: InputFile, head: string): TableOpened | undefined {
  const extension = /\.([ct])sv(\.gz|\.zst)?$/i.exec(file.name)?.[1]?.toLowerCase();
  const [first = ""] = head.replace(/^[\r\n]+/, "").split(/\r?\n/);
  // a header that tabs cut into names, whatever the rows are cut by
  const tabbed = first.split("\t").length > 2 && first.split("\t").every((name) => isColumnName(name.trim()));
  const separator = extension === "t" || tabbed ? "\t" : ",";
  const header = first.split(separator);
  if (extension === undefined || (header.length < 2 && !isColumnName(header[0]!.trim()))) return undefined;
  return { kind: "table", file, head: { separator, header, records: [] } };
}

function toUtf8(file: InputFile, encoding: string): InputFile {
  return { name: file.name, bytes: new TextEncoder().encode(decodeText(file.bytes, file.name, encoding)) };
}

/** "sep=;" on a line of its own, which tells a spreadsheet how to cut the others and is no row. */
function withoutSeparatorLine(file: InputFile): InputFile {
  const { bytes: mark } = readMark(file.bytes);
  const start = new TextDecoder("latin1").decode(file.bytes.subarray(mark, mark + SEPARATOR_LINE));
  const line = /^"?sep=[^\w\s]"?\r?\n|^"?sep=\t"?\r?\n/i.exec(start)?.[0];
  return line === undefined ? file : { ...file, bytes: file.bytes.subarray(mark + line.length) };
}

/** As long as such a line can be. */
const SEPARATOR_LINE = 12;

/** Not strict: the head may end within a letter. */
function decodeHead(bytes: Uint8Array): string {
  const mark = readMark(bytes);
  return new TextDecoder(mark.encoding).decode(bytes.subarray(mark.bytes, HEAD_BYTES));
}

/** `openFile` by the engine's own inflater where it has one. */
export async function openPacked(file: InputFile, encoding: string | undefined, budget: ImportBudget): Promise<Opened> {
  const options = { encoding, budget };
  if (!isGzip(file.bytes)) return openFile(file, options);
  budget.checkNesting(1, file.name);
  const bytes = await gunzipNatively(file.bytes, file.name, budget);
  return bytes === undefined ? openFile(file, options) : openFile({ ...file, bytes }, { ...options, layers: 1 });
}

function unwrap(file: InputFile, layers: number, budget: ImportBudget): InputFile {
  const gzip = isGzip(file.bytes);
  if (!gzip && !isZstd(file.bytes)) return file;
  budget.checkNesting(layers + 1, file.name);
  const bytes = gzip ? gunzip(file.bytes, file.name, budget) : unpackZstd(file, budget);
  return unwrap({ name: file.name, bytes }, layers + 1, budget);
}

function unpackZstd(file: InputFile, budget: ImportBudget): Uint8Array {
  try {
    const bound = boundZstd(file.bytes);
    budget.takeBytes(bound, "");
    return unzstd(file.bytes, bound);
  } catch (error) {
    if (error instanceof StatError) throw new StatError(error.code, `${file.name}: ${error.message}`, error.fix);
    throw new StatError("BrokenZstd", `${file.name}: the zstd data is damaged.`, "Copy or download the file again.");
  }
}

function isBinary(head: string): boolean {
  return head.includes("\0");
}

/** The first records, if every complete line of the head is an object of its own; one object over the whole file is JSON. */
function sampleJsonLines(head: string, whole: boolean): unknown[] | undefined {
  const lines = head.split("\n");
  if (!whole) lines.pop();
  const values: unknown[] = [];
  for (const line of lines) {
    if (line.trim() === "") continue;
    if (values.length === HEAD_LINES) break;
    const value = tryJson(line);
    // A line that was cut off or spoilt among good ones is the reader's to count.
    if (isObject(value)) values.push(value);
    else if (values.length === 0) return undefined;
  }
  const filled = lines.filter((line) => line.trim() !== "").length;
  return values.length > 0 && (filled > 1 || !whole) ? values : undefined;
}

function tryJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A text that merely starts with a bracket ("[Music] …") is not JSON; broken JSON is an error, told with its place. */
function openJson(file: InputFile, first: string, budget: ImportBudget): Opened | undefined {
  const text = decodeText(file.bytes, file.name);
  try {
    return { kind: "json", file, value: parseJson(text, { name: file.name, budget }) };
  } catch (error) {
    if (error instanceof StatError && error.code === "OverBudget") throw error;
    const looksLikeJson = first === "{" ? /^\s*\{\s*("|\}|$)/ : /^\s*\[\s*([[{"\d\]-]|null|true|false|$)/;
    if (looksLikeJson.test(text.slice(0, 1000))) throw error;
    return undefined;
  }
}
