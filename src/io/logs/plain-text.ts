/** Plain text, one sentence (or one score) a line: two files or more of one length, or one with a reference, are a test set.
 *  By name: reference* or ref* holds the reference, source* or src* the source, docids* the document of each line.
 *  Every other file is a system's output. Files of another length do not belong to the test set and are named. */

import type { Imported } from "../../data/imported.ts";
import { isDecimal } from "../../data/levels.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import { refuseLongText } from "../budget.ts";
import type { Cell } from "../columns.ts";
import { countOf } from "../detect.ts";
import { decodeText } from "../encoding.ts";
import type { Opened } from "../open.ts";
import { stemOf } from "./lines.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";

type Part = "system" | "reference" | "source" | "documents";

interface Lines {
  readonly name: string;
  readonly stem: string;
  readonly part: Part;
  readonly lines: readonly string[];
}

const isNumber = (text: string): boolean => isDecimal(text) || /^(nan|none|na)$/i.test(text);

export function importPlainText(opened: readonly Opened[]): Imported {
  const all = opened.map(readLines);
  refuseFields(all);
  refuseNumbers(all);
  refuseLabels(all);
  const { kept, dropped } = keepEqualLength(all);
  const outputs = kept.filter((file) => file.part === "system");
  const reference = kept.find((file) => file.part === "reference");
  // A reference by itself is a text like any other.
  const systems = outputs.length > 0 ? outputs : kept.filter((file) => file.part !== "documents");
  const source = kept.find((file) => file.part === "source");
  const documents = kept.find((file) => file.part === "documents");
  const scored = systems.length > 0 && systems.every((file) => file.lines.every((line) => isNumber(line.trim())));
  refuseLengths(all, kept);
  const rows = systems.flatMap((file) =>
    file.lines.map(
      (line, i): LongRow => ({
        system: file.stem,
        item: String(i + 1),
        scores: scored ? new Map([["score", Number.parseFloat(line)]]) : new Map(),
        properties: new Map<string, Cell>([
          ...(documents === undefined ? [] : ([["doc", documents.lines[i]!.trim()]] as const)),
          ...(source === undefined ? [] : ([["source_words", countWords(source.lines[i]!)]] as const)),
          ...(scored ? [] : textProperties(line, outputs.length > 0 ? reference?.lines[i] : undefined)),
        ]),
      }),
    ),
  );
  return makeLongTable(rows, {
    format: "text",
    files: opened.map((file) => file.file.name),
    summary:
      scored || !isLone(kept)
        ? summarise(systems, scored, reference)
        : `${kept[0]!.name} seems to be a text of ${countOf(kept[0]!.lines.length, "line")}.`,
    fixedRoles: { text: "text", reference: "reference", ...(documents === undefined ? {} : { cluster: "doc" }) },
    assumptions: [
      "Line numbers are the items: line 1 of every file belongs together.",
      ...(reference !== undefined && outputs.length > 0 ? [`${reference.name} is the reference, by its name.`] : []),
      ...(source === undefined ? [] : [`${source.name} is the source, by its name.`]),
      ...(documents === undefined ? [] : [`${documents.name} names the document of each line.`]),
    ],
    diagnostics: [
      ...dropped,
      ...(scored || !isLone(kept)
        ? []
        : [
            note(
              "LoneText",
              "a single text has nothing to compare with: there is no other system and no reference.",
              "Give the outputs of another system for the same sentences, or references with option `references`, one a line.",
            ),
          ]),
    ],
  });
}

const FEWEST_LINES = 5;
const FEWEST_FIELDS = 3;

/** As many words in every line, and the same place a number in all of them: the fields of a table that lacks a header, no sentences. */
function refuseFields(files: readonly Lines[]): void {
  for (const { name, lines } of files) {
    const filled = lines.filter((line) => line.trim() !== "").map((line) => line.trim().split(/\s+/));
    const [first] = filled;
    if (first === undefined || filled.length < FEWEST_LINES || first.length < FEWEST_FIELDS) continue;
    if (filled.some((fields) => fields.length !== first.length)) continue;
    if (!first.some((_, k) => filled.every((fields) => isNumber(fields[k]!)))) continue;
    throw new StatError(
      "NoHeader",
      `${name}: ${first.length} fields in every line, such as ${listNames(first)}: a table without a header, not text.`,
      "Add a first line that names the columns, and separate the fields by tabs or commas.",
    );
  }
}

/** Mostly numbers, several in a line, with or without stars, signs and commas: a table in some layout, no sentences. */
function refuseNumbers(files: readonly Lines[]): void {
  for (const { name, lines } of files) {
    const filled = lines.filter((line) => line.trim() !== "").map((line) => line.trim().split(/\s+/));
    const words = filled.flat();
    if (filled.length < FEWEST_FIELDS || words.length < FEWEST_NUMBERS * filled.length) continue;
    if (words.filter((word) => FIGURE.test(word)).length < MOSTLY * words.length) continue;
    throw new StatError(
      "NotSentences",
      `${name}: ${filled.length} lines of numbers, such as ${listNames(filled.at(-1)!)}: a table in a layout of its own, not text.`,
      "Write it as CSV: a first line that names the columns, then a line for each result.",
    );
  }
}

/** Few short words, again and again, one a line: labels or votes without a header, no sentences. */
function refuseLabels(files: readonly Lines[]): void {
  for (const { name, lines, part } of files) {
    const filled = lines.map((line) => line.trim()).filter((line) => line !== "");
    const words = [...new Set(filled)];
    if (part !== "system" || filled.every(isNumber) || words.length > MOST_LABELS) continue;
    if (filled.length < FEWEST_REPEATS * words.length || words.some((word) => /\s\S+\s/.test(word))) continue;
    throw new StatError(
      "NotSentences",
      `${name}: ${filled.length} lines of ${words.length} ${words.length === 1 ? "word" : "words"} (${listNames(words)}): labels or votes, one a line, not sentences.`,
      "Write them as CSV with a header: a column that names the item, one for the label, and one for who gave it.",
    );
  }
}

/** Different words of a list of labels, and how often each occurs on average. */
const MOST_LABELS = 12;
const FEWEST_REPEATS = 4;

/** Neither another text of its length nor a reference to hold it against. */
const isLone = (kept: readonly Lines[]): boolean => {
  const outputs = kept.filter(({ part }) => part === "system").length;
  return outputs < 2 && !(outputs === 1 && kept.some(({ part }) => part === "reference"));
};

function refuseLengths(all: readonly Lines[], kept: readonly Lines[]): void {
  if (all.length === 1 || kept.length === all.length || !isLone(kept)) return;
  const told = all.map(({ name, lines }) => `${name} (${countOf(lines.length, "line")})`);
  throw new StatError(
    "UnequalLength",
    `${listNames(told)} seem to be texts, and no two of them have one length.`,
    "Give outputs for the same sentences, one a line; lines are matched by number.",
  );
}

/** "0.08***", "-", "3,2,5", "(0.4)". */
const FIGURE = /^[-–—]$|^[-+(]*\d[\d.,:/eE+-]*[)%*†‡]*$/u;
/** Numbers in a line, on average, and their share of all words. */
const FEWEST_NUMBERS = 2;
const MOSTLY = 0.6;

function readLines(opened: Opened): Lines {
  const { name, bytes } = opened.file;
  const lines = decodeText(bytes, name).split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) refuseLongText(line.length, name);
  const stem = stemOf(name);
  return { name, stem, part: namePart(stem), lines };
}

function namePart(stem: string): Part {
  if (/^ref(erence)?s?([-_.\d]|$)/i.test(stem)) return "reference";
  if (/^(src|source)([-_.\d]|$)/i.test(stem)) return "source";
  return /^doc(ument)?[-_.]?(id)?s?([-_.\d]|$)/i.test(stem) ? "documents" : "system";
}

/** The length that most files have (of two, the reference's). */
function keepEqualLength(files: readonly Lines[]): { kept: Lines[]; dropped: Diagnostic[] } {
  const counts = new Map<number, number>();
  for (const { lines, part } of files)
    counts.set(lines.length, (counts.get(lines.length) ?? 0) + (part === "reference" ? 1.5 : 1));
  const length = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
  if (length === 0)
    throw new StatError(
      "NoLines",
      `${listNames(files.map((file) => file.name))}: no lines.`,
      "Give text with one sentence a line.",
    );
  const others = files.filter((file) => file.lines.length !== length);
  if (others.length === 0) return { kept: [...files], dropped: [] };
  const said = others.map((file) => `${file.name} has ${file.lines.length}`);
  return {
    kept: files.filter((file) => file.lines.length === length),
    dropped: [
      {
        code: "LineCounts",
        severity: "warning",
        message: `${others.length} of ${files.length} files do not have ${length} lines: ${listNames(said)}.`,
        fix: "They were left out, since lines are matched by number. Give translations of the same test set.",
      },
    ],
  };
}

function textProperties(line: string, reference: string | undefined): [string, Cell][] {
  const list: [string, Cell][] = [
    ["words", countWords(line)],
    ["text", line],
  ];
  if (reference !== undefined) list.push(["reference_words", countWords(reference)], ["reference", reference]);
  return list;
}

function countWords(line: string): number {
  return line.split(/\s+/).filter((word) => word !== "").length;
}

function summarise(systems: readonly Lines[], scored: boolean, reference: Lines | undefined): string {
  const lines = systems[0]?.lines.length ?? 0;
  const what = scored ? "One score a line" : "Plain text, one sentence a line";
  const whose =
    systems.length === 1
      ? systems[0]!.stem
      : `${systems.length} systems (${listNames(systems.map((file) => file.stem))})`;
  const beside = reference !== undefined && systems[0] !== reference ? `, with a reference (${reference.stem})` : "";
  return `${what}: ${countOf(lines, "line")} of ${whose}${beside}.`;
}
