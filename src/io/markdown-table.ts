/** The tables of a Markdown text as CSV, each with the heading it stands under: a header between bars, a rule of dashes, rows between bars.
 *  Links become their text, bold and code plain. What stands between code fences is no table. */
import type { InputFile } from "../data/imported.ts";
import { StatError } from "../result/error.ts";

export interface MarkdownTable {
  /** The heading above it, with a number where several tables stand under it; "table 2" without any. */
  readonly heading: string;
  readonly rows: number;
  readonly cells: number;
  readonly csv: string;
}

export interface MarkdownTables {
  readonly tables: readonly MarkdownTable[];
  /** Whether the text is one table and hardly anything else. */
  readonly alone: boolean;
}

const RULE = /^\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)+\|?$/;
const FENCE = /^\s*(```|~~~)/;
/** Other lines than those of the table are a text that holds one. */
const MOSTLY = 0.9;
/** The next largest table has at most this share of the cells, where the largest is meant without a word. */
const CLEARLY = 0.5;

export function findMarkdownTables(text: string): MarkdownTables {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const found: { heading: string | undefined; rows: string[][] }[] = [];
  let heading: string | undefined;
  let fenced = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (FENCE.test(line)) fenced = !fenced;
    if (fenced) continue;
    heading = headingOf(line, lines[at + 1]) ?? heading;
    const next = lines[at + 1]?.trim() ?? "";
    if (!line.includes("|") || !RULE.test(next)) continue;
    const rows = readRows(lines, at);
    if (rows.length < 2) continue;
    found.push({ heading, rows });
    at += rows.length;
  }
  const told = found.reduce((sum, { rows }) => sum + rows.length + 1, 0);
  const alone = found.length === 1 && told >= MOSTLY * lines.length;
  return { tables: nameTables(found), alone };
}

/** "## Results", or a line above a line of = or -. */
function headingOf(line: string, next: string | undefined): string | undefined {
  const marked = /^ {0,3}#{1,6}\s+(\S.*)$/.exec(line)?.[1];
  if (marked !== undefined) return plain(marked.replace(/(?<!#)#+\s*$/, ""));
  return next !== undefined && /^ {0,3}(=+|--+)\s*$/.test(next) && !line.includes("|") ? plain(line) : undefined;
}

/** The header and all rows below the rule that have as many cells. */
function readRows(lines: readonly string[], at: number): string[][] {
  const header = cellsOf(lines[at]!);
  if (cellsOf(lines[at + 1]!).length !== header.length) return [];
  const rows = [header];
  for (let k = at + 2; k < lines.length && lines[k]!.includes("|"); k += 1) {
    const cells = cellsOf(lines[k]!);
    if (cells.length !== header.length) break;
    rows.push(cells);
  }
  return rows;
}

function nameTables(found: readonly { heading: string | undefined; rows: string[][] }[]): MarkdownTable[] {
  const seen = new Map<string | undefined, number>();
  return found.map(({ heading, rows }) => {
    const count = (seen.get(heading) ?? 0) + 1;
    seen.set(heading, count);
    const name = heading === undefined ? `table ${count}` : count === 1 ? heading : `${heading} (${count})`;
    const csv = rows.map((cells) => cells.map(quote).join(",")).join("\n");
    return { heading: name, rows: rows.length - 1, cells: (rows.length - 1) * rows[0]!.length, csv };
  });
}

/** The table under a heading, or the largest, which is reported; where none is clearly the largest, the caller must say. */
export function chooseMarkdownTable(
  { name }: InputFile,
  tables: readonly MarkdownTable[],
  heading: string | undefined,
): { readonly csv: string; readonly reading: string } {
  const told = (list: readonly MarkdownTable[]): string =>
    list.map((own) => `"${own.heading}" (${own.rows} ${own.rows === 1 ? "row" : "rows"})`).join(", ");
  const fold = (text: string): string => text.trim().toLowerCase();
  if (heading !== undefined) {
    const wanted = fold(heading);
    const exact = tables.filter((own) => fold(own.heading) === wanted);
    const found = exact.length > 0 ? exact : tables.filter((own) => fold(own.heading).includes(wanted));
    const [only] = found;
    if (only !== undefined && found.length === 1)
      return { csv: only.csv, reading: `The Markdown table under "${only.heading}" is read.` };
    throw new StatError(
      "WhichTable",
      `${name}: ${found.length === 0 ? "no table stands" : `${found.length} tables stand`} under a heading "${heading}".`,
      `The tables are ${told(found.length === 0 ? tables : found)}; name one with option \`heading\`.`,
    );
  }
  const [first, second] = [...tables].sort((a, b) => b.cells - a.cells) as [MarkdownTable, MarkdownTable | undefined];
  if (second === undefined)
    return {
      csv: first.csv,
      reading: `The Markdown table under "${first.heading}" is read, the text around it is not.`,
    };
  if (second.cells > CLEARLY * first.cells)
    throw new StatError(
      "WhichTable",
      `${name} holds ${tables.length} tables: ${told(tables)}.`,
      `Name the heading of one with option \`heading: ${JSON.stringify(first.heading)}\`.`,
    );
  const others = tables.filter((own) => own !== first);
  return {
    csv: first.csv,
    reading: `Of ${tables.length} Markdown tables the largest is read, ${told([first])}; option \`heading\` names another: ${told(others)}.`,
  };
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => plain(cell.replaceAll("\\|", "|")));
}

const plain = (cell: string): string =>
  cell
    .replace(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1")
    .replace(/(\*\*|__|`)(.+?)\1/g, "$2")
    .replace(/<br\s*\/?>/gi, " ")
    .trim();

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
