/** A result for a paper: the sentence, a table with booktabs rules, the literature behind the method. Parts first (`paperOf`), then one piece
 *  of LaTeX (`writePaper`) that stands in a document as it is: it needs \usepackage{booktabs} and, for its picture, \usepackage{tikz}. */

import type { PlanJson } from "../plan/check.ts";
import { interval, join, level, pText, say, styleFor, write } from "../plot/figures/words.ts";
import { plotJson, renderTikz } from "../plot/plot.ts";
import { adjustmentName } from "../result/adjustment.ts";
import type { DisplayTable } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { jsonText } from "../result/render/json-text.ts";
import { escapeLatex, latexTable } from "../result/render/latex.ts";
import { neutralise } from "../result/render/width.ts";
import { type ResultJson, reviveResult } from "../result/result.ts";
import { readStored } from "../result/stored.ts";
import type { ComparisonJson } from "../significance/compare/json.ts";
import type { TestJson } from "../significance/test-result.ts";
import { type ChecklistAnswer, checklistAnswers, checklistText } from "./checklist.ts";
import { methodOf } from "./method.ts";
import { bibtex, gossetBibtex, type Reference, referencesOf } from "./references.ts";
import { decidingTest, sentenceOf } from "./sentences.ts";

export interface Paper {
  /** Plain text, true when quoted. */
  readonly sentence: string;
  /** What the table shows, in words. */
  readonly caption: string;
  /** The table in LaTeX, with its caption and label. */
  readonly table: string;
  /** The first picture in LaTeX, with its caption and label; absent where there is none. */
  readonly figure?: string;
  readonly citations: readonly Reference[];
  /** Of NeurIPS and ACL Rolling Review, the items on statistics that this result supports. */
  readonly checklist: readonly ChecklistAnswer[];
  /** Of gosset. */
  readonly version: string;
}

/** Of a stored result: the object or text that `toJSON()` or `--json` gave. */
export function paperOf(result: unknown): Paper {
  const { display, ...own } = reviveResult(result);
  const json = { ...own, display: display() } as unknown as ResultJson;
  return readStored(json, (read) => writeParts(read, result));
}

function writeParts(json: ResultJson, result: unknown): Paper {
  const sentence = sentenceOf(json);
  if (sentence === undefined) {
    const message = `a result of kind "${json.kind}" has no sentence for a paper.`;
    throw new StatError("NoPaper", message, "Comparisons, tests, models, power, agreement and reliability have one.");
  }
  const { table, caption, label = json.kind, rules = [] } = (TABLES[json.kind] ?? mainTable)(json);
  return {
    sentence,
    caption,
    table: latexTable(table, { caption: toLatex(caption), label: `tab:${slug(label)}`, rules }).join("\n"),
    ...figureOf(result, slug(label)),
    citations: referencesOf(methodOf(json)?.references ?? []),
    checklist: checklistAnswers(json),
    version: json.version,
  };
}

function figureOf(result: unknown, label: string): Pick<Paper, "figure"> {
  const [figure] = plotJson(result);
  if (figure === undefined) return {};
  const lines = [
    "\\begin{figure}",
    "\\centering",
    `\\resizebox{\\linewidth}{!}{${renderTikz(figure).trimEnd()}}`,
    `\\caption{${toLatex(`${figure.title}. ${figure.subtitle}.`)}}`,
    `\\label{fig:${label}}`,
    "\\end{figure}",
  ];
  return { figure: lines.join("\n") };
}

/** "tex": a piece of a document, whose last part writes the .bib file; "json": the parts. */
export function writePaper(result: unknown, format: "tex" | "json" = "tex"): string {
  return writePapers([result], format);
}

/** Several results in one piece: a paragraph, a table of each, and the literature of all, written once. */
export function writePapers(results: readonly unknown[], format: "tex" | "json" = "tex"): string {
  if (results.length === 0) throw new StatError("NoResults", "no result is given.", "Name files that --json wrote.");
  const papers = withOwnLabels(results.map(paperOf));
  const citations = [...new Map(papers.flatMap((paper) => paper.citations).map((own) => [own.key, own])).values()];
  const entries = [...citations.map(bibtex), gossetBibtex(papers[0]!.version)];
  if (format === "json") {
    const [only] = papers;
    return jsonText(papers.length === 1 ? { ...only, citations: entries } : { results: papers, citations: entries });
  }
  const last = papers.length - 1;
  const sentences = papers.map(({ sentence, citations: own }, k) => {
    const keys = [...own.map(({ key }) => key), ...(k === last ? ["gosset"] : [])];
    return `${toLatex(sentence)}${keys.length === 0 ? "" : ` \\cite{${keys.join(",")}}`}`;
  });
  const many = papers.length > 1;
  return [
    many ? "% The paragraph" : "% The sentence",
    ...sentences,
    "",
    many ? "% The tables need \\usepackage{booktabs}" : "% The table needs \\usepackage{booktabs}",
    ...papers.flatMap(({ table }) => [table, ""]),
    ...papers.flatMap(({ figure }) =>
      figure === undefined ? [] : ["% The figure needs \\usepackage{tikz}", figure, ""],
    ),
    "% The literature: this writes gosset.bib, for \\bibliography{gosset}",
    "\\begin{filecontents}[overwrite]{gosset.bib}",
    entries.join("\n\n"),
    "\\end{filecontents}",
    ...checklistComment(papers.flatMap(({ checklist }) => checklist)),
    "",
  ].join("\n");
}

/** Two tables with one label would make one of them unreachable. */
function withOwnLabels(papers: readonly Paper[]): Paper[] {
  const seen = new Map<string, number>();
  return papers.map((paper) => {
    const [, label] = /\\label\{tab:([^{}]*)\}/.exec(paper.table) ?? [];
    if (label === undefined) return paper;
    const n = (seen.get(label) ?? 0) + 1;
    seen.set(label, n);
    if (n === 1) return paper;
    const rename = (text: string): string =>
      text
        .replace(`\\label{tab:${label}}`, `\\label{tab:${label}-${n}}`)
        .replace(`\\label{fig:${label}}`, `\\label{fig:${label}-${n}}`);
    return {
      ...paper,
      table: rename(paper.table),
      ...(paper.figure === undefined ? {} : { figure: rename(paper.figure) }),
    };
  });
}

/** Not part of the text: what to answer when the paper is submitted. */
function checklistComment(answers: readonly ChecklistAnswer[]): string[] {
  if (answers.length === 0) return [];
  const lines = checklistText(answers).split(/[\r\n]+/);
  return [
    "",
    "% For the checklists of NeurIPS and ACL Rolling Review",
    ...lines.map((line) => `% ${neutralise(line)}`.trimEnd()),
  ];
}

/** Signs before numbers are minus signs, and a number keeps its per cent sign. */
const toLatex = (text: string): string =>
  escapeLatex(text.replace(/(^|[\s(±=])-(?=\d)/g, "$1−")).replace(/(\d) \\%/g, "$1\\,\\%");

const slug = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");

interface PaperTable {
  readonly table: DisplayTable;
  readonly caption: string;
  /** After "tab:"; default: the kind. */
  readonly label?: string;
  readonly rules?: readonly number[];
}

const TABLES: Readonly<Record<string, (json: ResultJson) => PaperTable>> = {
  comparison: comparisonTable,
  // the coefficients that the sentence reports; tables of tests follow them
  agreement: ({ display, ...json }) =>
    mainTable({ ...json, display: { ...display, tables: display.tables.slice(0, 1) } }),
  plan: planTable,
  test: (json) => ((json as { readonly ci?: unknown }).ci === undefined ? mainTable(json) : testTable(json)),
};

/** More pairs than this fill a page. */
const MOST_PAIRS = 15;

/** Systems, then differences with interval and p. */
function comparisonTable(json: ResultJson): PaperTable {
  const comparison = json as unknown as ComparisonJson;
  const { systems, pairs, metric, series, ci, n, units, clusters, paired, adjust, a, b } = comparison;
  const style = { percent: series.percent, decimals: series.decimals };
  const shown =
    pairs.length > MOST_PAIRS ? pairs.filter((own) => [own.a, own.b].includes(b) || [own.a, own.b].includes(a)) : pairs;
  const unit = style.percent ? " (%)" : "";
  const between = level(ci.level);
  const rows = [
    ...systems.map(({ name, score, lower = Number.NaN, upper = Number.NaN }) => [
      name,
      write(score, style),
      interval(lower, upper, style),
      "",
    ]),
    ...shown.map((pair) => [
      `Δ ${pair.b} − ${pair.a}${pair.typical === undefined ? "" : ` (${pair.typical.name.split(" ")[0]})`}`,
      write(pair.difference, style, true),
      interval(pair.ci.lower, pair.ci.upper, style, true),
      pText(pair.p),
    ]),
  ];
  const named = decidingTest(comparison);
  // the largest p and the widest interval may be of two tests
  const tests =
    comparison.facets === undefined
      ? named
      : `interval: ${pairs.length > 1 ? "what those of all tests cover" : comparison.ci.method}; p: ${named}`;
  const grouped = clusters === undefined ? "" : ` in ${clusters} clusters`;
  const where = `on ${paired ? "the same " : ""}${n} ${units}${paired ? "" : " in all"}${grouped}`;
  const names = systems.length > MOST_NAMES ? `${systems.length} systems` : join(systems.map(({ name }) => name));
  const adjusted =
    pairs.length > 1 && adjust !== "none" ? `, p adjusted over ${pairs.length} pairs (${adjustmentName(adjust)})` : "";
  const left = shown.length < pairs.length ? ` Of ${pairs.length} pairs those of ${b} and ${a} are shown.` : "";
  return {
    table: {
      head: ["", `${metric}${unit}`, `${between} interval`, "p"],
      formats: ["text", "number", "number", "p"],
      rows,
    },
    caption: `Scores (${metric}${style.percent ? ", in %" : ""}) of ${names} ${where}${systems.some(({ lower = Number.NaN }) => !Number.isNaN(lower)) ? ` with ${between} intervals` : units === "battles" ? ", over all opponents" : ""}, and ${pairs.length === 1 ? "their difference" : "the differences"} (Δ${style.percent ? ", in points" : ""}) with interval and p (${tests}${adjusted}).${left}`,
    label: `comparison-${metric}`,
    rules: [systems.length],
  };
}

/** More systems than this are counted, not named. */
const MOST_NAMES = 3;

/** What was planned, a row each. */
function planTable(json: ResultJson): PaperTable {
  const { plan, study, power } = json as unknown as PlanJson;
  const { systems, metric, items, ratings, smallestEffect, alpha } = plan;
  const rows: (readonly [string, string])[] = [
    ["systems, the baseline first", join(systems)],
    ["score", metric],
    ["items", say(items)],
    ...(ratings === undefined || study === undefined
      ? []
      : [
          ["raters", say(ratings.raters)] as const,
          ["ratings of an item under each system", say(ratings.perItem)] as const,
          ["design", ratings.design] as const,
          ["ratings in all", say(study.total)] as const,
        ]),
    ["smallest difference", say(smallestEffect)],
    ["error rate", say(alpha)],
    ...(study === undefined || study.pairs === 1
      ? []
      : [[`pairs (${adjustmentName(study.adjust)})`, say(study.pairs)] as const]),
    ...(Number.isFinite(power) ? [["power", write(power, { percent: true, decimals: 1 })] as const] : []),
  ];
  return {
    table: { head: ["planned", "value"], formats: ["text", "text"], rows },
    caption: `The planned evaluation${Number.isFinite(power) ? " (power in %)" : ""}`,
  };
}

/** One row: the effect with its interval, the statistic, p. */
function testTable(json: ResultJson): PaperTable {
  const { method, test, effect, ci, statistic, statisticName, df, p, n, samples } = json as unknown as TestJson;
  const style = styleFor([(ci.upper - ci.lower) / 4, effect.se].filter(Number.isFinite));
  const degrees = df === undefined ? [] : [[df].flat().map(say).join(", ")];
  const of = samples === undefined ? "" : ` of ${join(samples)}`;
  return {
    table: {
      head: [
        "effect",
        "estimate",
        `${level(ci.level)} interval`,
        statisticName,
        ...(df === undefined ? [] : ["df"]),
        "p",
      ],
      formats: ["text", "number", "number", "statistic", ...(df === undefined ? [] : (["df"] as const)), "p"],
      rows: [
        [effect.name, write(effect.estimate, style), interval(ci.lower, ci.upper, style), statistic, ...degrees, p],
      ],
    },
    caption: `${method}${of}, n = ${n}: the ${effect.name} with its ${level(ci.level)} interval (${ci.method}), the statistic and p.`,
    label: `test-${test}`,
  };
}

/** The table that holds the answer: the first with a p, else the first. Its interval stands in one column. */
function mainTable({ display }: ResultJson): PaperTable {
  const found = display.tables.find(({ formats }) => formats?.includes("p")) ?? display.tables[0];
  if (found === undefined) return { table: { head: [], rows: [] }, caption: display.title };
  const { caption } = found;
  // a title that is a sentence has its full stop
  const title = display.title.replace(/\.$/, "");
  return {
    table: joinInterval(found),
    caption: `${title}${caption === undefined ? "" : `: ${caption.charAt(0).toLowerCase()}${caption.slice(1)}`}.`,
  };
}

/** "95% from" and "to" become "95 % interval". */
function joinInterval(table: DisplayTable): DisplayTable {
  const at = table.head.findIndex((head, j) => /^\d+(\.\d+)?% from$/.test(head) && table.head[j + 1] === "to");
  if (at < 0) return table;
  const both = <T>(cells: readonly T[], one: T): T[] => [...cells.slice(0, at), one, ...cells.slice(at + 2)];
  const bounds = table.rows.flatMap((row) => row.slice(at, at + 2)).filter((cell) => typeof cell === "number");
  const widths = table.rows.map((row) => (Number(row[at + 1]) - Number(row[at])) / 4);
  const style = styleFor(widths.length === 0 ? bounds : widths);
  const number = (cell: string | number | undefined): number => (typeof cell === "number" ? cell : Number.NaN);
  return {
    ...table,
    head: both(table.head, table.head[at]!.replace("% from", " % interval")),
    ...(table.formats === undefined ? {} : { formats: both(table.formats, "number") }),
    rows: table.rows.map((row) => both(row, interval(number(row[at]), number(row[at + 1]), style))),
  };
}
