/** A display on one screen: the sentence, the numbers, what they mean, the fine print. Prose has no indents, and labels stand in a column. */

import { severityLabel } from "../diagnostic.ts";
import type { Display, DisplayTable, Screen } from "../display.ts";
import { mostOf } from "../extremes.ts";
import { colorOf } from "../verdict.ts";
import { layoutTable } from "./columns.ts";
import type { Page } from "./text.ts";
import { neutralise, wrap } from "./width.ts";

/** Its blocks, with an empty line between them. Warnings stand among the fine print. */
export function screenBlocks(display: Display & { readonly screen: object }, page: Page): string[][] {
  const { title, tables, summary, facts } = display.screen!;
  const warnings = (display.diagnostics ?? []).map((own) => ({
    label: severityLabel(own),
    text: `${own.message}${own.fix === "" ? "" : ` ${own.fix}`}`,
  }));
  const above = [
    titleLines(title, page),
    ...tables.map((table) => tableLines(table, page)),
    summary.flatMap((text) => wrap(neutralise(text), page.width)),
  ];
  const below = display.notes.map(neutralise);
  const others = [...above, below].filter((lines) => lines.length > 0);
  const left = page.height - others.reduce((sum, lines) => sum + lines.length + 1, 0);
  return [...above, fitFacts([...facts, ...warnings], page, left).flat(), below];
}

/** With less room than this the tables fill the screen by themselves, and nothing is gained by leaving out. */
const FEWEST_FACTS = 3;

/** The lines of each. Where they are more than `most`, the longest lose their last sentences, warnings last, and end in an ellipsis; then whole ones
 *  go, warnings last, and are counted. The details have them all. */
function fitFacts(facts: readonly Fact[], page: Page, most: number): string[][] {
  const all = factLines(facts, page);
  if (all.flat().length <= most || most < FEWEST_FACTS) return all;
  let told = facts.map((fact) => ({ ...fact, sentences: sentencesOf(fact.text) }));
  for (;;) {
    const lines = factLines(told.map(shortened), page);
    const height = (k: number): number => (told[k]!.label === "Warning" ? 0 : 1000) + lines[k]!.length;
    const [longest] = told
      .map((_, k) => k)
      .filter((k) => told[k]!.sentences.length > 1)
      .sort((x, y) => height(y) - height(x) || y - x);
    if (lines.flat().length <= most) return lines;
    if (longest === undefined) break;
    told = told.map((fact, k) => (k === longest ? { ...fact, sentences: fact.sentences.slice(0, -1) } : fact));
  }
  const short = told.map(shortened);
  for (let kept = short.length - 1; kept > 0; kept--) {
    const lines = factLines(countRest(short, kept), page);
    if (lines.flat().length <= most) return lines;
  }
  return factLines(countRest(short, 1), page);
}

const shortened = ({ label, text, sentences }: Fact & { readonly sentences: readonly string[] }): Fact => {
  const left = sentences.join(" ");
  return { label, text: left === text ? text : `${left} …` };
};

/** A sentence ends where the next begins with a capital, a number or a quote, and not after a title or an initial ("Dr. Who", "J. Doe"). */
export const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[.!?)])(?<!\b\p{Lu}\p{Ll}{0,3}\.) (?=[\p{Lu}\d"`-])/u).filter((own) => own !== "");

/** What may go from a full screen goes from the end of this order. */
const ORDER: readonly string[] = ["Claim", "Pairs", "Warning"];
const rankOf = ({ label }: Fact): number =>
  ORDER.includes(label) ? ORDER.indexOf(label) : ORDER.length + Number(label === "Note");

function countRest(facts: readonly Fact[], most: number): Fact[] {
  const kept = new Set([...facts].sort((x, y) => rankOf(x) - rankOf(y)).slice(0, most));
  const rest = facts.filter((fact) => !kept.has(fact));
  const warnings = rest.filter(({ label }) => label === "Warning").length;
  const names = [...(warnings > 0 ? ["warnings"] : []), ...(warnings < rest.length ? ["notes"] : [])].join(" and ");
  return [
    ...facts.filter((fact) => kept.has(fact)),
    {
      label: "Also",
      text: `${rest.length} more ${rest.length === 1 ? names.replace(/s$/, "") : names} in the details`,
    },
  ];
}

function titleLines(title: string, page: Page): string[] {
  const [first = "", ...rest] = wrapTitle(neutralise(title), page.width);
  const [, word] = /^([A-Z]+) {2}/.exec(title) ?? [];
  if (word === undefined) return [first, ...rest].map((line) => page.paint(line, "bold"));
  return [page.paint(word, "bold", colorOf(word)) + first.slice(word.length), ...rest];
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

type Fact = Screen["facts"][number];

function factLines(facts: readonly Fact[], page: Page): string[][] {
  const column = Math.max(0, mostOf(facts.map(({ label }) => label.length))) + 2;
  return facts.map(({ label, text }) =>
    wrap(neutralise(text), page.width - column).map((line, i) => {
      if (i > 0) return " ".repeat(column) + line;
      const shown = label === "Warning" ? page.paint(label, "yellow") : label;
      return shown + " ".repeat(column - label.length) + line;
    }),
  );
}
