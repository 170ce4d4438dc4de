/** Whether the start of a text is a delimited table, and with which separator and header.
 *  A table has the same number of fields in (nearly) every record and a first record that reads like names. */

import { isDecimal } from "../data/levels.ts";

export interface TableHead {
  readonly separator: "," | "\t" | ";" | "|" | " ";
  readonly header: readonly string[];
  /** The first records after the header. */
  readonly records: readonly (readonly string[])[];
}

const SEPARATORS = ["\t", ",", ";", "|"] as const;
const HEAD_RECORDS = 50;
/** A few ragged lines are a damaged table, which the reader reports with line numbers; more is prose. */
const MIN_REGULAR = 0.9;
/** So many records carry one ragged line among them. */
const MIN_FOR_ONE_FAULT = 4;
const MAX_NAME_LENGTH = 80;

export function sniffTable(head: string, whole: boolean): TableHead | undefined {
  for (const separator of SEPARATORS) {
    // In MQM and similar tab-separated files a quotation mark is an ordinary character.
    const records =
      separator === "\t" ? splitLines(head, whole) : splitQuoted(head, separator, { whole, most: HEAD_RECORDS + 1 });
    if (records === undefined || records.length === 0) continue;
    const [header, ...rest] = records as [string[], ...string[][]];
    if (header.length < 2 || !looksLikeHeader(header, separator)) continue;
    const regular = rest.filter((record) => record.length === header.length).length;
    const allowed = Math.max((1 - MIN_REGULAR) * rest.length, rest.length >= MIN_FOR_ONE_FAULT ? 1 : 0);
    if (rest.length - regular > allowed) continue;
    if (rest.length === 0 && separator !== "\t" && separator !== ",") continue;
    return { separator, header: header.map((name) => name.trim()), records: rest };
  }
  return sniffSingleColumn(head, whole) ?? sniffSpaces(head, whole);
}

const FEWEST_SPACED = 3;
const isNumber = (text: string): boolean => isDecimal(text) || /^(NA|NaN)$/i.test(text);

/** Single spaces between words, as many in every line, and a column that is a name in the first line and a number in all others: no prose. */
function sniffSpaces(head: string, whole: boolean): TableHead | undefined {
  const lines = head.split(/\r?\n/);
  if (!whole) lines.pop();
  const records = lines
    .filter((line) => line !== "")
    .slice(0, HEAD_RECORDS + 1)
    .map((line) => line.split(" "));
  // R's write with an empty last field ends every line in a blank
  if (records.every((record) => record.at(-1) === "")) for (const record of records) record.pop();
  const [header, ...rest] = records;
  if (header === undefined || header.length < 2 || rest.length < FEWEST_SPACED) return undefined;
  if (rest.some((record) => record.length !== header.length || record.includes(""))) return undefined;
  if (!header.every((name) => /^[\p{L}_][\p{L}\p{N}_.@-]*$/u.test(name)) || new Set(header).size < header.length)
    return undefined;
  const numeric = header.some((_, k) => rest.every((record) => isNumber(record[k]!)));
  return numeric ? { separator: " ", header, records: rest } : undefined;
}

/** One column: a name, then only numbers. */
function sniffSingleColumn(head: string, whole: boolean): TableHead | undefined {
  const lines = head.split(/\r?\n/);
  if (!whole) lines.pop();
  const filled = lines.map((line) => line.trim()).filter((line) => line !== "");
  const [name, ...cells] = filled;
  const isCell = (text: string): boolean => isNumber(text.replace(/^"(.*)"$/, "$1"));
  if (name === undefined || cells.length === 0 || isCell(name) || !cells.every(isCell)) return undefined;
  if (!isColumnName(name)) return undefined;
  const records = cells.slice(0, HEAD_RECORDS).map((cell) => [cell]);
  return { separator: ",", header: [name.replace(/^"|"$/g, "")], records };
}

/** Fewer records do not show what a column holds. */
const FEWEST_ALIKE = 5;
const LIST = /^\[[^[\]]*\]$/;

/** A first record that holds a label which comes again below it, and a number or a list where all others have one: it names nothing. Years and
 *  steps may head columns of numbers, and a header that a program wrote again is one. */
export function startsWithData([first = [], ...rest]: readonly (readonly string[])[]): boolean {
  const own = rest.filter((record) => record.length === first.length);
  if (own.length < FEWEST_ALIKE || own.length < MIN_REGULAR * rest.length) return false;
  if (own.some((record) => record.every((cell, k) => cell === first[k]))) return false;
  const again = first.some(
    (cell, k) => /\p{L}/u.test(cell) && !LIST.test(cell) && own.filter((record) => record[k] === cell).length > 1,
  );
  const alike = (fits: (cell: string) => boolean): boolean =>
    first.some((cell, k) => fits(cell) && own.every((record) => record[k] === "" || fits(record[k]!)));
  return again && (alike(isNumber) || alike((cell) => LIST.test(cell)));
}

/** The first records of a text whose fields are between tabs. */
export const headOfTsv = (text: string): string[][] => splitLines(text, false);

/** One word or a few, as people name a column; in quotes or not. */
export function isColumnName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && /^"?[\p{L}_.][\p{L}\p{N}_. -]*"?$/u.test(text);
}

function looksLikeHeader(header: readonly string[], separator: string): boolean {
  const names = header.map((name) => name.trim());
  if (names.some((name) => name.length > MAX_NAME_LENGTH)) return false;
  const named = names.filter((name) => name !== "");
  // An unnamed first column is a row number, as R and pandas write it.
  if (named.length < names.length - 1 || named.length === 0 || (named.length < names.length && names[0] !== ""))
    return false;
  // With many columns a repeated name is a fault of a table, for its reader to report; two equal words are prose.
  if (names.length < 3 && new Set(named).size < named.length) return false;
  // "Yes, we can." is a sentence, not two columns.
  if (separator === "," && names.length === 2 && /[.!?]$/.test(names[1]!) && /\s/.test(names[1]!)) return false;
  return named.some((name) => /\p{L}/u.test(name));
}

function splitLines(head: string, whole: boolean): string[][] {
  const lines = head.split(/\r?\n/);
  if (!whole) lines.pop();
  return lines
    .filter((line) => line !== "")
    .slice(0, HEAD_RECORDS + 1)
    .map((line) => line.split("\t"));
}

/** RFC 4180 records, at most so many; undefined when a quotation does not end. A text that is not whole loses its last record. */
export function splitQuoted(
  head: string,
  separator: string,
  options: { whole: boolean; most: number },
): string[][] | undefined {
  const { whole, most } = options;
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < head.length && records.length < most) {
    let field: string;
    if (head[at] === '"') {
      const end = closingQuote(head, at + 1);
      if (end < 0) return whole ? undefined : records;
      field = head.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      const start = at;
      while (at < head.length && head[at] !== separator && head[at] !== "\n" && head[at] !== "\r") at += 1;
      field = head.slice(start, at);
    }
    record.push(field);
    if (at >= head.length && !whole) break;
    if (head[at] === separator) {
      at += 1;
      if (at === head.length) record.push("");
      else continue;
    }
    while (at < head.length && head[at] !== "\n" && head[at] !== "\r") at += 1;
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
    if (head[at] === "\r") at += 1;
    if (head[at] === "\n") at += 1;
  }
  return records;
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
