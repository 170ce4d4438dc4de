/** A display as an HTML fragment (semantic, unstyled) or as a page of its own; everything of the user's is escaped. */
import { severityLabel } from "../diagnostic.ts";
import type { Display, DisplaySection, DisplayTable } from "../display.ts";
import { UNDEFINED_MARK } from "../number-format.ts";
import type { Diagnostic } from "../result.ts";
import type { TextCell, TextColumn } from "./cells.ts";
import { textColumns } from "./cells.ts";
import { neutralise } from "./width.ts";

export interface HtmlOptions {
  /** Level of the title's heading, 1 to 6; default: 2, and 1 on a page of its own. */
  readonly level?: number;
  /** A whole document with a small style of its own, which needs nothing from elsewhere. */
  readonly page?: boolean;
}

export function renderHtml(display: Display, options: HtmlOptions = {}): string {
  const { page = false, level = page ? 1 : 2 } = options;
  const fragment = renderFragment(display, level);
  return page ? wrapPage(escapeHtml(display.title), fragment) : fragment;
}

/** Colours follow the reader's light or dark setting; wide tables scroll by themselves; rows do not break over pages. */
const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #1c1c1c; background: #fff; }
h1 { font-size: 1.4rem; line-height: 1.3; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin-top: 1.8rem; }
table { display: block; width: max-content; max-width: 100%; overflow-x: auto; border-collapse: collapse; margin: 1.2rem 0; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
th, td { padding: .2rem .9rem .2rem 0; text-align: left; vertical-align: top; font-weight: normal; }
thead th { font-weight: 600; border-bottom: 1px solid #888; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { overflow-x: auto; padding: .5rem .7rem; background: #f3f3f3; border-radius: 4px; }
code { font: .9em ui-monospace, monospace; }
.diagnostic { border-left: 3px solid #888; padding-left: .7rem; }
.diagnostic.warning { border-color: #c60; }
abbr { text-decoration: none; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #161616; }
  pre { background: #242424; }
}
@media print {
  body { color: #000; background: #fff; margin: 0; max-width: none; font-size: 10pt; }
  table { display: table; width: auto; }
  tr, pre, .diagnostic { break-inside: avoid; }
  pre { background: none; border: 1px solid #bbb; white-space: pre-wrap; }
}
`;

function wrapPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
${body}</body>
</html>
`;
}

function renderFragment(display: Display, level: number): string {
  const lines = [
    '<section class="gosset-result">',
    `<h${level}>${escapeHtml(display.title)}</h${level}>`,
    ...(display.summary ?? []).map((text) => `<p class="summary">${escapeHtml(text)}</p>`),
    ...display.tables.map(renderTable),
    ...list(display.notes),
    ...(display.sections ?? []).map((section) => renderSection(section, Math.min(6, level + 1))),
    ...(display.diagnostics ?? []).map(renderDiagnostic),
    "</section>",
  ];
  return `${lines.filter((line) => line !== "").join("\n")}\n`;
}

function renderSection({ heading, items }: DisplaySection, level: number): string {
  const points = items.map(({ text, code }) => {
    const lines = code === undefined ? "" : `<pre><code>${code.map(escapeHtml).join("\n")}</code></pre>`;
    return `<li>${escapeHtml(text)}${lines}</li>`;
  });
  return [`<h${level}>${escapeHtml(heading)}</h${level}>`, "<ul>", ...points, "</ul>"].join("\n");
}

function renderTable(table: DisplayTable): string {
  const columns = textColumns(table);
  if (columns.length === 0) return "";
  const heads = columns.map((column) => `<th scope="col"${classOf(column)}>${escapeHtml(column.head)}</th>`);
  const rows = table.rows.map((_, i) => `<tr>${columns.map((column, j) => renderCell(column, i, j)).join("")}</tr>`);
  return [
    "<table>",
    ...(table.caption === undefined ? [] : [`<caption>${escapeHtml(table.caption)}</caption>`]),
    `<thead><tr>${heads.join("")}</tr></thead>`,
    "<tbody>",
    ...rows,
    "</tbody>",
    "</table>",
  ].join("\n");
}

function classOf(column: TextColumn): string {
  return column.align === "right" ? ' class="number"' : "";
}

/** A first column of texts names its rows. */
function renderCell(column: TextColumn, i: number, j: number): string {
  const content = renderContent(column.cells[i]!);
  if (j === 0 && column.align === "left") return `<th scope="row">${content}</th>`;
  return `<td${classOf(column)}>${content}</td>`;
}

function renderContent(cell: TextCell): string {
  if (!cell.isNumber) return escapeHtml(cell.text);
  if (cell.text === UNDEFINED_MARK) return '<abbr title="undefined">–</abbr>';
  return escapeHtml(cell.text)
    .replace(/e(-?\d+)$/, "×10<sup>$1</sup>")
    .replace("Inf", "∞")
    .replaceAll("-", "\u2212");
}

function list(texts: readonly string[]): string[] {
  if (texts.length === 0) return [];
  return ['<ul class="notes">', ...texts.map((text) => `<li>${escapeHtml(text)}</li>`), "</ul>"];
}

function renderDiagnostic(diagnostic: Diagnostic): string {
  const fix = diagnostic.fix === "" ? "" : ` <em>Fix:</em> ${escapeHtml(diagnostic.fix)}`;
  const attributes = `class="diagnostic ${diagnostic.severity}" data-code="${escapeHtml(diagnostic.code)}"`;
  return `<p ${attributes}><strong>${severityLabel(diagnostic)}:</strong> ${escapeHtml(diagnostic.message)}${fix}</p>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Safe as content and within a quoted attribute. */
export function escapeHtml(text: string): string {
  return neutralise(text).replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}
