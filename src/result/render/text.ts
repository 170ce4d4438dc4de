/** A display as text for a terminal or a log. */
import { severityLabel } from "../diagnostic.ts";
import type { Display, DisplaySection, DisplayTable } from "../display.ts";
import type { Diagnostic } from "../result.ts";
import { layoutChart } from "./chart.ts";
import { layoutTable } from "./columns.ts";
import { screenBlocks } from "./screen.ts";
import { neutralise, wrap } from "./width.ts";

export interface TextRenderOptions {
  /** No line is wider; below 40 counts as 40. */
  readonly width?: number | undefined;
  /** ANSI colours, the only escapes in the output: those in the display's own texts are made visible. */
  readonly color?: boolean | undefined;
  /** On one screen, where the display has that; the diagnostics and notes of the display stand on it. */
  readonly screen?: boolean | undefined;
  /** Lines of the screen; below 24 counts as 24. */
  readonly height?: number | undefined;
}

const NARROWEST = 40;
const LOWEST = 24;
const HANGING = "  ";

type Style = "bold" | "dim" | "yellow" | "cyan" | "blue" | "orange";
const ANSI: Readonly<Record<Style, string>> = {
  bold: "1",
  dim: "2",
  yellow: "33",
  cyan: "36",
  blue: "34",
  orange: "38;5;166",
};

export interface Page {
  readonly width: number;
  readonly height: number;
  paint(text: string, ...styles: readonly (Style | undefined)[]): string;
}

export function renderText(display: Display, options: TextRenderOptions = {}): string {
  const { width = 80, height = LOWEST, color = false } = options;
  const page: Page = {
    width: Math.max(NARROWEST, width),
    height: Math.max(LOWEST, height),
    paint: (text, ...styles) => {
      const codes = styles.flatMap((style) => (style === undefined ? [] : [ANSI[style]]));
      return color ? `\u001b[${codes.join(";")}m${text}\u001b[0m` : text;
    },
  };
  const { screen } = display;
  if (options.screen && screen !== undefined) return joinBlocks(screenBlocks({ ...display, screen }, page));
  const title = wrap(neutralise(display.title), page.width).map((line) => page.paint(line, "bold"));
  const blocks = [
    title,
    paragraphs(display.summary ?? [], page),
    ...display.tables.map((table) => renderTable(table, page)),
    ...(display.charts ?? []).map((chart) => layoutChart(chart, page.width)),
    paragraphs(display.notes, page),
    ...(display.sections ?? []).map((section) => renderSection(section, page)),
    (display.diagnostics ?? []).flatMap((diagnostic) => renderDiagnostic(diagnostic, page)),
  ];
  return joinBlocks(blocks);
}

const joinBlocks = (blocks: readonly (readonly string[])[]): string =>
  blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");

function paragraphs(texts: readonly string[], page: Page): string[] {
  return texts.flatMap((text) => hang(neutralise(text), page.width, ""));
}

/** Code stands as it is, even where it is wider than the page: a broken command could not be pasted. */
function renderSection({ heading, items }: DisplaySection, page: Page): string[] {
  const lines = items.flatMap(({ text, code = [] }) => [
    ...hang(neutralise(`- ${text}`), page.width, ""),
    ...code.map((line) => `    ${neutralise(line)}`),
  ]);
  return [...wrap(neutralise(heading), page.width), ...lines];
}

function hang(text: string, width: number, indent: string): string[] {
  const room = width - indent.length;
  return wrap(text, room, HANGING.length).map((line, i) => indent + (i === 0 ? "" : HANGING) + line);
}

function renderTable(table: DisplayTable, page: Page): string[] {
  if (table.head.length === 0) return [];
  const caption = table.caption === undefined ? [] : wrap(neutralise(table.caption), page.width);
  return [...caption, ...layoutTable(table, page.width, (line) => page.paint(line, "dim"))];
}

function renderDiagnostic(diagnostic: Diagnostic, page: Page): string[] {
  const label = `${severityLabel(diagnostic)}:`;
  const message = hang(neutralise(`${label} ${diagnostic.message}`), page.width, "");
  // The label is painted after wrapping, so that the escapes do not count as columns.
  message[0] =
    page.paint(label, diagnostic.severity === "warning" ? "yellow" : "cyan") + message[0]!.slice(label.length);
  const fix = diagnostic.fix === "" ? [] : hang(neutralise(`Fix: ${diagnostic.fix}`), page.width, HANGING);
  return [...message, ...fix];
}
