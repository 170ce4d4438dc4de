/** A table of a display as CSV (RFC 4180): comma, CRLF, quotes doubled, numbers at full precision, and no text that a spreadsheet
 *  would compute. */
import type { Display, DisplayTable } from "../display.ts";

export interface CsvOptions {
  /** Which table, from 0; the first is the main one. "all" puts them under each other with an empty line between and a
   *  line "# caption" above, which people can read but not every program. */
  readonly table?: number | "all" | undefined;
}

const END = "\r\n";

export function renderCsv(display: Display, options: CsvOptions = {}): string {
  const { table = 0 } = options;
  if (table !== "all") {
    const chosen = display.tables[table];
    return chosen === undefined ? "" : renderTable(chosen);
  }
  return display.tables
    .map((each) => (each.caption === undefined ? "" : quote(`# ${each.caption}`) + END) + renderTable(each))
    .join(END);
}

/** A row of one empty cell is quoted, lest it look like an empty line. */
function renderTable(table: DisplayTable): string {
  const lines = [table.head.map(quote).join(",")];
  for (const row of table.rows) {
    const cells = table.head.map((_, j) => row[j] ?? "");
    lines.push(cells.map((cell) => (typeof cell === "number" ? writeNumber(cell) : quote(cell))).join(","));
  }
  return lines.map((line) => (line === "" ? '""' : line) + END).join("");
}

/** The shortest text that reads back as the same double; "NaN", "Inf" and "-Inf" are what R and pandas read. */
function writeNumber(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "0" : String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Inf" : "-Inf";
}

/** A spreadsheet takes a text that begins so for a formula; an apostrophe before it says that it is text. A number is none. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20](?!(?<=[+-])(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$)./isu;

/** Line breaks and tabs are data and stay, in quotes; other controls could steer a terminal and become pictures. */
function quote(given: string): string {
  const text = FORMULA.test(given) ? `'${given}` : given;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
  const safe = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\ufffd";
  });
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
