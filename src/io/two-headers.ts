/** Two header rows, as spreadsheets and pandas (columns with two levels) write them:
 *    item,System A,,System B,            ,accuracy,accuracy,f1,f1
 *    ,fluency,adequacy,fluency,adequacy  ,mean,std,mean,std
 *                                        model,,,,                 (the name of the index, on a line of its own)
 *  The upper name goes on to the right where cells are blank; the names become "System A.fluency". Told by content: the first row has blanks or
 *  repeats, the second has no numbers, and below it there are columns of nothing but numbers. */
import { splitQuoted } from "./sniff-table.ts";

export interface MergedHeaders {
  /** The text with one header row. */
  readonly text: string;
  readonly reading: string;
}

const SEPARATORS = [",", "\t", ";"] as const;
const MOST_RECORDS = 30;
const FEWEST_ROWS = 2;
const NUMBER = /^(NA|NaN|[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?\s*%?)$/i;
const isNumber = (cell: string): boolean => NUMBER.test(cell.trim());

export function mergeHeaders(text: string, whole: boolean): MergedHeaders | undefined {
  // a blank or repeated name is rare: most files are done with after their first line
  const [line = ""] = text.split(/\r?\n/, 1);
  for (const separator of SEPARATORS) {
    if (!line.includes(separator) || !hasGaps(line.split(separator))) continue;
    const records = splitQuoted(text, separator, { whole, most: MOST_RECORDS });
    const [upper, lower, ...rest] = records ?? [];
    if (upper === undefined || lower === undefined) continue;
    const indexed = rest[0] !== undefined && isIndexRow(rest[0], upper.length);
    const rows = indexed ? rest.slice(1) : rest;
    if (!areTwo(upper, lower, rows)) continue;
    const names = joinNames(upper, lower);
    const named = indexed ? names.map((name, k) => rest[0]![k]!.trim() || name) : names;
    const body = afterRecords(text, indexed ? 3 : 2);
    const header = named.map((name) => (/["\n\r]|[,;\t]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name));
    return {
      text: `${header.join(separator)}\n${body}`,
      reading: `The first two rows are both header: columns are named by both, as in ${names.find((name) => name.includes("."))}.`,
    };
  }
  return undefined;
}

/** Blanks beyond the first column, or a name twice. */
function hasGaps(cells: readonly string[]): boolean {
  const names = cells.slice(1).map((cell) => cell.trim().replace(/^"|"$/g, ""));
  const named = names.filter((name) => name !== "");
  return named.length > 0 && (named.length < names.length || new Set(named).size < named.length);
}

/** A name for the first column and as many blanks as there are others. */
const isIndexRow = ([first = "", ...others]: readonly string[], columns: number): boolean =>
  others.length === columns - 1 &&
  first.trim() !== "" &&
  !isNumber(first) &&
  others.every((cell) => cell.trim() === "");

function areTwo(upper: readonly string[], lower: readonly string[], rows: readonly (readonly string[])[]): boolean {
  if (upper.length < 3 || lower.length !== upper.length || rows.length < FEWEST_ROWS) return false;
  if (rows.some((row) => row.length !== upper.length)) return false;
  if (lower.some(isNumber) || upper.some(isNumber)) return false;
  const filled = lower.filter((cell) => cell.trim() !== "").length;
  const numeric = upper.map(
    (_, k) => rows.every((row) => row[k]!.trim() === "" || isNumber(row[k]!)) && rows.some((row) => isNumber(row[k]!)),
  );
  const under = numeric.filter((own, k) => own && lower[k]!.trim() !== "").length;
  const names = joinNames(upper, lower);
  return (
    filled * 2 >= lower.length &&
    under >= 2 &&
    new Set(names).size === names.length &&
    names.every((name) => name !== "" || names.indexOf("") === 0)
  );
}

function joinNames(upper: readonly string[], lower: readonly string[]): string[] {
  let last = "";
  return upper.map((cell, k) => {
    const own = cell.trim();
    const [above, below] = [own === "" && lower[k]!.trim() !== "" && k > 0 ? last : own, lower[k]!.trim()];
    if (own !== "") last = own;
    return above === "" || below === "" ? above + below : `${above}.${below}`;
  });
}

/** What follows so many records; a line break within quotation marks ends none. */
export function afterRecords(text: string, count: number): string {
  let [quoted, seen] = [false, 0];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') quoted = !quoted;
    else if (letter === "\n" && !quoted && ++seen === count) return text.slice(at + 1);
  }
  return "";
}
