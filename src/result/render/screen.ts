/** A display on one screen: the sentence, the numbers, what they mean, the fine print. Prose has no indents, and labels stand in a column. */

import { severityLabel } from "../diagnostic.ts";
import type { Display, DisplayTable } from "../display.ts";
import { mostOf } from "../extremes.ts";
import { layoutTable } from "./columns.ts";
import type { Page } from "./text.ts";
import { neutralise, wrap } from "./width.ts";

/** Verdicts that have a colour of their own; the others are bold alone. */
const COLOURS: Readonly<Record<string, "blue" | "orange">> = { BETTER: "blue", WORSE: "orange" };

/** Its blocks, with an empty line between them. Warnings stand among the fine print. */
export function screenBlocks(display: Display & { readonly screen: object }, page: Page): string[][] {
  const { title, tables, summary, facts } = display.screen!;
  const warnings = (display.diagnostics ?? []).map((own) => ({
    label: severityLabel(own),
    text: `${own.message}${own.fix === "" ? "" : ` ${own.fix}`}`,
  }));
  return [
    titleLines(title, page),
    ...tables.map((table) => tableLines(table, page)),
    summary.flatMap((text) => wrap(neutralise(text), page.width)),
    factLines([...facts, ...warnings], page),
    display.notes.map(neutralise),
  ];
}

function titleLines(title: string, page: Page): string[] {
  const [first = "", ...rest] = wrapTitle(neutralise(title), page.width);
  const [, word] = /^([A-Z]+) {2}/.exec(title) ?? [];
  if (word === undefined) return [first, ...rest].map((line) => page.paint(line, "bold"));
  return [page.paint(word, "bold", COLOURS[word]) + first.slice(word.length), ...rest];
}

/** `wrap` takes two spaces for one. */
function wrapTitle(title: string, width: number): string[] {
  const lines = wrap(title.replace(/^([A-Z]+) {2}/, "$1\u00a0 "), width);
  return lines.map((line) => line.replace("\u00a0", " "));
}

function tableLines(table: DisplayTable, page: Page): string[] {
  const caption = table.caption === undefined ? [] : wrap(neutralise(table.caption), page.width);
  return [...caption, ...layoutTable(table, page.width, () => undefined)];
}

function factLines(facts: readonly { readonly label: string; readonly text: string }[], page: Page): string[] {
  const column = Math.max(0, mostOf(facts.map(({ label }) => label.length))) + 2;
  return facts.flatMap(({ label, text }) =>
    wrap(neutralise(text), page.width - column).map((line, i) => {
      if (i > 0) return " ".repeat(column) + line;
      const shown = label === "Warning" ? page.paint(label, "yellow") : label;
      return shown + " ".repeat(column - label.length) + line;
    }),
  );
}
