/** The cells of a delimited file as texts, by column name: for formats whose rules need the raw cells. */
import { StatError } from "../result/error.ts";
import { decodeText } from "./encoding.ts";
import type { Losses } from "./logs/losses.ts";
import type { Opened } from "./open.ts";
import { splitQuoted } from "./sniff-table.ts";

export interface TextTable {
  readonly header: readonly string[];
  readonly rows: readonly TextRow[];
}

export interface TextRow {
  readonly cells: readonly string[];
  readonly where: string;
}

/** Tab-separated lines have no quoting; anything else follows RFC 4180. Rows of another length are counted, not used. */
export function readTextTable(opened: Opened, losses: Losses): TextTable {
  const { name } = opened.file;
  if (opened.kind !== "table")
    throw new StatError(
      "NotATable",
      `${name}: not a delimited table.`,
      "Give a file with a header and one row a line.",
    );
  const { separator } = opened.head;
  opened.budget?.checkTable(countCells(opened.file.bytes, separator), 1, name);
  const text = decodeText(opened.file.bytes, name);
  const records =
    separator === "\t"
      ? text.split(/\r?\n/).map((line) => line.split("\t"))
      : splitQuoted(text, separator, { whole: true, most: Number.POSITIVE_INFINITY });
  if (records === undefined) {
    throw new StatError(
      "OpenQuote",
      `${name}: a quotation mark is never closed.`,
      "Close it, or double it where it is meant as a character.",
    );
  }
  const [first = [], ...rest] = records;
  const rows = rest.flatMap((cells, i) => {
    const where = `${name}, row ${i + 2}`;
    if (cells.length === first.length) return [{ cells, where }];
    if (cells.length > 1 || cells[0] !== "") losses.add("RaggedRows", where);
    return [];
  });
  return { header: first.map((cell) => cell.trim()), rows };
}

/** Or more: a separator within quotes counts too. */
function countCells(bytes: Uint8Array, separator: string): number {
  return 1 + countByte(bytes, separator.charCodeAt(0)) + countByte(bytes, LINE_FEED);
}

function countByte(bytes: Uint8Array, code: number): number {
  let count = 0;
  for (let at = bytes.indexOf(code); at >= 0; at = bytes.indexOf(code, at + 1)) count += 1;
  return count;
}

const LINE_FEED = 0x0a;

export const RAGGED_ROWS = {
  what: "rows have another number of cells than the header",
  fix: "They were left out. Correct them in the file.",
};

/** Index of the first column whose name, without case and underscores, is one of these. */
export function findColumn(header: readonly string[], ...names: readonly string[]): number {
  const plain = header.map((name) => name.toLowerCase().replace(/[_ ]/g, ""));
  for (const name of names) {
    const at = plain.indexOf(name);
    if (at >= 0) return at;
  }
  return -1;
}
