/** What each format promises of an answer, whatever the answer is: CSV is one table, the rows of a Markdown table have as many cells, LaTeX
 *  closes what it opens, a page is a page, nothing steers a terminal, and all hold the numbers of the first table. */
import { readCsv } from "../../src/io.ts";
import type { Display } from "../../src/result/display.ts";
import { render } from "../../src/result/render/render.ts";

/** Cells of a line of a Markdown table: a pipe with a backslash before it is text. */
const cellsOf = (line: string): number => line.replaceAll("\\\\", "").replaceAll("\\|", "").split("|").length - 2;

function markdownFaults(text: string): string[] {
  const blocks = text.replace(/^ *(`{3,})[\s\S]*?^ *\1$/gm, "").split("\n\n");
  return blocks
    .map((block) => block.split("\n").filter((line) => line.startsWith("|")))
    .filter((lines) => lines.length > 0)
    .flatMap((lines) => {
      const ruled = /^\|( :?-+:? \|)+$/.test(lines[1] ?? "") ? [] : [`no rule below ${lines[0]}`];
      return [...ruled, ...lines.filter((line) => cellsOf(line) !== cellsOf(lines[0]!))];
    });
}

function latexFaults(text: string): string[] {
  const open: string[] = [];
  for (const [, what, name] of text.replace(/^%.*$/gm, "").matchAll(/\\(begin|end)\{([a-z*]+)\}/g)) {
    if (what === "begin") open.push(name!);
    else if (open.pop() !== name) return [`\\end{${name}} closes something else`];
  }
  return open.map((name) => `\\begin{${name}} is never closed`);
}

function csvFaults(text: string, { tables: [first] }: Display): string[] {
  if (first === undefined) return text === "" ? [] : ["CSV without a table"];
  const { table } = readCsv(text, { delimiter: "," });
  const columns =
    table.columns.size === first.head.length ? [] : [`${table.columns.size} of ${first.head.length} columns`];
  return [...columns, ...(table.rows === first.rows.length ? [] : [`${table.rows} of ${first.rows.length} rows`])];
}

/** The first table's numbers as the screen writes them; a minus has a sign of its own in LaTeX. */
function numbersOf(text: string): string[] {
  // Markdown escapes the point of a text that begins like a numbered list
  return text.replaceAll("\\.", ".").match(/\d+\.\d+/g) ?? [];
}

export function formatFaults(display: Display): string[] {
  const [text, markdown, latex, csv, html] = (["text", "markdown", "latex", "csv", "html"] as const).map((format) =>
    render(display, format),
  ) as [string, string, string, string, string];
  const [first] = display.tables;
  const one = first === undefined ? [] : numbersOf(render({ title: "", tables: [first], notes: [] }, "text"));
  const lacking = Object.entries({ text, markdown, latex, html }).flatMap(([format, own]) => {
    const said = new Set(numbersOf(own));
    return one.filter((number) => !said.has(number)).map((number) => `${format} lacks ${number}`);
  });
  const steered = [text, markdown, latex, csv, html].some((own) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(own),
  );
  return [
    ...csvFaults(csv, display),
    ...markdownFaults(markdown),
    ...latexFaults(latex),
    ...lacking,
    ...(steered ? ["control characters"] : []),
  ];
}
