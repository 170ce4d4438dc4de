/** A display as an HTML fragment, semantic and unstyled; everything of the user's is escaped. A whole page is a report (`gosset/report`). */
import { severityLabel } from "../diagnostic.ts";
import type { Display, DisplaySection, DisplayTable } from "../display.ts";
import { UNDEFINED_MARK } from "../number-format.ts";
import type { Diagnostic } from "../result.ts";
import type { TextCell, TextColumn } from "./cells.ts";
import { textColumns } from "./cells.ts";
import { neutralise } from "./width.ts";

export interface HtmlOptions {
  /** Level of the title's heading, 1 to 6; default: 2. */
  readonly level?: number | undefined;
}

export function renderHtml(display: Display, { level = 2 }: HtmlOptions = {}): string {
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
