/** A Markdown table as CSV: a header between bars, a rule of dashes, rows between bars. Links become their text, bold and code plain. */

const RULE = /^\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)+\|?$/;
/** Other lines than those of the table are a text that holds one. */
const MOSTLY = 0.9;

/** The table as CSV; undefined where the text is none, or is prose with a table in it. */
export function markdownToCsv(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const rule = lines.findIndex((line) => RULE.test(line.trim()));
  if (rule < 1 || lines.filter((line) => RULE.test(line.trim())).length > 1) return undefined;
  const width = cellsOf(lines[rule]!).length;
  const rows = [lines[rule - 1]!, ...lines.slice(rule + 1)];
  let end = 0;
  while (end < rows.length && rows[end]!.includes("|") && cellsOf(rows[end]!).length === width) end += 1;
  if (end < 2 || end + 1 < MOSTLY * lines.length) return undefined;
  return rows
    .slice(0, end)
    .map((line) => cellsOf(line).map(quote).join(","))
    .join("\n");
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
