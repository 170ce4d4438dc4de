/** A display as GitHub-flavoured Markdown. */

import { severityLabel } from "../diagnostic.ts";
import type { Display, DisplayChart, DisplaySection, DisplayTable } from "../display.ts";
import { mostOf } from "../extremes.ts";
import type { Diagnostic } from "../result.ts";
import type { TextCell } from "./cells.ts";
import { textColumns } from "./cells.ts";
import { layoutChart } from "./chart.ts";
import { neutralise } from "./width.ts";

export interface MarkdownOptions {
  /** Level of the title's heading, 1 to 6. */
  readonly level?: number | undefined;
}

const CHART_WIDTH = 72;

export function renderMarkdown(display: Display, options: MarkdownOptions = {}): string {
  const { level = 3 } = options;
  const blocks = [
    `${"#".repeat(level)} ${escapeMarkdown(display.title)}`,
    list(display.summary ?? []),
    ...display.tables.map(renderTable),
    ...(display.charts ?? []).map(renderChart),
    list(display.notes),
    ...(display.sections ?? []).map(renderSection),
    (display.diagnostics ?? []).map(renderDiagnostic).join("\n\n"),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function list(texts: readonly string[]): string {
  return texts.map((text) => `- ${escapeMarkdown(text)}`).join("\n");
}

/** Drawn with characters: the one picture that Markdown can hold by itself. */
function renderChart(chart: DisplayChart): string {
  const lines = layoutChart(chart, CHART_WIDTH);
  const mark = fenceOf(lines);
  return lines.length === 0 ? "" : [`${mark}text`, ...lines, mark].join("\n");
}

/** Longer than any in the lines, so that none of them ends the code. */
const fenceOf = (lines: readonly string[]): string =>
  "`".repeat(Math.max(3, mostOf(lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length + 1)))));

function renderSection({ heading, items }: DisplaySection): string {
  const fence = (code: readonly string[]): string =>
    ["", `  ${fenceOf(code)}sh`, ...code.map((line) => `  ${neutralise(line)}`), `  ${fenceOf(code)}`].join("\n");
  const points = items.map(
    ({ text, code }) => `- ${escapeMarkdown(text)}${code === undefined ? "" : `\n${fence(code)}`}`,
  );
  return `**${escapeMarkdown(heading)}**\n\n${points.join("\n")}`;
}

function renderTable(table: DisplayTable): string {
  const columns = textColumns(table);
  if (columns.length === 0) return "";
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const lines = [
    row(columns.map((column) => escapeMarkdown(column.head))),
    row(columns.map((column) => (column.align === "left" ? ":---" : "---:"))),
    ...table.rows.map((_, i) => row(columns.map((column) => renderCell(column.cells[i]!)))),
  ];
  const caption = table.caption === undefined ? [] : [`**${escapeMarkdown(table.caption)}**`, ""];
  return [...caption, ...lines].join("\n");
}

function renderCell(cell: TextCell): string {
  return cell.isNumber ? cell.text : escapeMarkdown(cell.text);
}

function renderDiagnostic(diagnostic: Diagnostic): string {
  const fix = diagnostic.fix === "" ? "" : ` *Fix:* ${escapeMarkdown(diagnostic.fix)}`;
  return `**${severityLabel(diagnostic)}:** ${escapeMarkdown(diagnostic.message)}${fix}`;
}

/** One line of text that Markdown shows as it is: every character that could start markup is escaped, and what would
 *  open a list or a rule at the start of a line. */
export function escapeMarkdown(text: string): string {
  return neutralise(text)
    .trim()
    .replace(/[\\`*_#[\]<>|~$&]/g, "\\$&")
    .replace(/^([+=-])/, "\\$1")
    .replace(/^(\d+)([.)])/, "$1\\$2");
}
