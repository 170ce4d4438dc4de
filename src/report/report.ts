/** One or several results as a document of its own: verdict first, then pictures, tables, what was assumed, what to watch, the method, and how
 *  to run it again. One file, no script, no request; names of users stay text. Texts of the data stay out unless asked for. */
import type { Figure } from "../plot/charts/figure.ts";
import { plotJson } from "../plot/plot.ts";
import type { DisplayItem } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { present } from "../result/present.ts";
import { escapeHtml } from "../result/render/html.ts";
import { type Diagnostic, type ResultJson, reviveResult } from "../result/result.ts";
import { layOutStored, readStored } from "../result/stored.ts";
import { escapeFlags, figureSection, tableSection, tag, unbroken, type Verdict, verdictOf } from "./blocks.ts";
import { type ChecklistAnswer, checklistAnswers, checklistText } from "./checklist.ts";
import { typedCommand } from "./command.ts";
import { equation } from "./mathml.ts";
import { type Method, methodOf } from "./method.ts";
import { rCode } from "./r-code.ts";
import { bibtex, gossetBibtex, type Reference, referencesOf, referenceText } from "./references.ts";
import { reportCss } from "./style.ts";

export interface ReportOptions {
  /** Also what the data call their items: lists of single items stay out otherwise. */
  readonly includeText?: boolean | undefined;
  readonly title?: string | undefined;
  /** Of a certificate: the files that were read, which lie in a bundle with it. */
  readonly bundled?: readonly BundledFile[] | undefined;
}

export interface BundledFile {
  readonly path: string;
  readonly sha256: string;
}

/** Of stored results (the objects or texts that `toJSON()` or `--json` gave), in the order given. */
export function renderReport(results: readonly unknown[], options: ReportOptions = {}): string {
  const many = results.length > 1;
  const read = results.map((json, k) => inPlace(() => readResult(json), { k, many }));
  const titles = read.map(({ words }) => words.title);
  const title = options.title ?? (many ? `${read.length} results` : titles[0]!);
  const parts = read.map((json, k) =>
    inPlace(() => layOutStored(() => renderPart(json, { ...options, id: `r${k + 1}`, many })), { k, many }),
  );
  const contents = many
    ? `<nav class="block" aria-label="Contents"><h2>Contents</h2><ol class="contents">${titles.map((own, k) => `<li><a href="#r${k + 1}">${escapeHtml(own)}</a></li>`).join("")}</ol></nav>`
    : "";
  const references = referencesOf(read.flatMap(({ words }) => words.method?.references ?? []));
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`,
    `<title>${escapeHtml(title)} · Gosset report</title><style>${reportCss()}</style></head><body><main class="sheet">`,
    masthead(read, options.bundled === undefined ? "report" : "certificate"),
    many ? `<section class="verdict"><h1>${escapeHtml(title)}</h1></section>` : "",
    contents,
    ...parts,
    referenceSection(references),
    "</main></body></html>\n",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** Of several results the one that cannot be shown is named. */
function inPlace<T>(make: () => T, { k, many }: { readonly k: number; readonly many: boolean }): T {
  try {
    return make();
  } catch (error) {
    if (!many || !(error instanceof StatError)) throw error;
    throw new StatError(error.code, `result ${k + 1}: ${error.message}`, error.fix);
  }
}

/** BibTeX of the methods behind results, and of the program. */
export function citeResults(results: readonly unknown[]): string {
  const read = results.map(readResult);
  const found = referencesOf(read.flatMap(({ words }) => words.method?.references ?? []));
  const versions = [...new Set(read.map(({ version }) => version))];
  return `${[...found.map(bibtex), ...versions.map(gossetBibtex)].join("\n\n")}\n`;
}

/** Answers to the checklists of NeurIPS and ACL Rolling Review, result by result, as text. */
export function checklistResults(results: readonly unknown[]): string {
  const read = results.map(readResult);
  const parts = read.map((json) => {
    const { answers, title } = json.words;
    const text = answers.length === 0 ? "This result supports no item of these checklists." : checklistText(answers);
    return read.length === 1 ? text : `${title}\n\n${text}`;
  });
  return `${parts.join("\n\n\n")}\n`;
}

function readResult(json: unknown): Read {
  const { display, ...own } = reviveResult(json);
  const read = { ...own, display: display() } as unknown as ResultJson;
  return { ...read, words: readStored(read, wordsOf), figures: plotJson(json) };
}

/** A result with its pictures and what is said of it. */
interface Read extends ResultJson {
  readonly words: Words;
  readonly figures: readonly Figure[];
}

interface Words {
  readonly title: string;
  readonly version: string;
  /** As one would type it; empty where a program called the library. */
  readonly typed: string;
  readonly fingerprint: string;
  readonly assumed: readonly string[];
  readonly verdict: readonly Verdict[];
  readonly answers: readonly ChecklistAnswer[];
  readonly method?: Method;
  readonly code?: string;
}

function wordsOf(json: ResultJson): Words {
  const [method, code, verdict] = [methodOf(json), rCode(json), verdictOf(json)];
  // a word in capitals and two spaces are the verdict of a screen
  const said = /^([A-Z][A-Z ]*[A-Z]) {2}(.*)$/s.exec(json.display.title);
  // a metric's signature is known as such: what repeats the run then stands under `run`
  const run = (json as { run?: ResultJson["signature"] }).run ?? json.signature;
  return {
    // the finding where there is a verdict, else what the result calls itself
    title:
      verdict?.sentence ??
      (said?.[2] ?? json.display.title).replace(/^[a-z]/, (own) => (said === null ? own : own.toUpperCase())),
    version: json.version,
    typed: typedCommand(json.command),
    fingerprint: run.data,
    assumed: [...json.assumed],
    verdict: verdict !== undefined ? [verdict] : said === null ? [] : [{ word: said[1]!, sentence: said[2]! }],
    answers: checklistAnswers(json),
    ...present({ method, code }),
  };
}

function masthead(read: readonly ResultJson[], what: string): string {
  const commands = [...new Set(read.map(({ command, kind }) => command[1] ?? kind))];
  const versions = [...new Set(read.map(({ version }) => version))];
  return `<div class="masthead"><span>Gosset ${what} · ${escapeHtml(commands.join(", "))}</span><span>version ${escapeHtml(versions.join(", "))}</span></div>`;
}

interface PartOptions extends ReportOptions {
  readonly id: string;
  readonly many: boolean;
}

function renderPart(json: Read, { id, many, includeText = false, bundled = [] }: PartOptions): string {
  const level = many ? 2 : 1;
  const { figures, words } = json;
  const heading = `<h${level}${many ? ' class="part-title"' : ""}>${escapeHtml(words.title)}</h${level}>`;
  const lead = (json.display.summary ?? [])
    .map((text) => `<p class="lead">${escapeHtml(unbroken(minus(text)))}</p>`)
    .join("");
  return [
    `<article id="${id}"${many ? ' class="part"' : ""}><section class="verdict">${words.verdict.map(({ word }) => tag(word)).join("")}${heading}${lead}</section>`,
    figures.length === 0
      ? ""
      : `<section class="block">${figures.map((figure, k) => figureSection(figure, `${id}-${k + 1}`, k + 1)).join("")}</section>`,
    json.display.tables.length === 0
      ? ""
      : `<section class="block"><h2>Numbers</h2>${json.display.tables.map(tableSection).join("")}</section>`,
    // those of a comparison name single items
    includeText || json.kind !== "comparison" ? listSections(json) : "",
    assumedSection(json),
    methodSection(words.method),
    checklistSection(words.answers),
    againSection(json, { includeText, bundled }),
    "</article>",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

const minus = (text: string): string => text.replace(/(^|[\s(±])-(?=\d)/g, "$1−");

/** Sentences of a result: true signs, numbers with their per cent sign. */
const prose = (text: string): string => escapeFlags(unbroken(minus(text)));

function listSections({ assumed, display: { sections = [] }, figures }: Read): string {
  // what was assumed has a place of its own, and figures say what letters would draw
  const others = sections.filter(
    ({ heading, items, drawn }) =>
      !(drawn && figures.length > 0) && (heading !== "Assumed:" || !items.every(({ text }) => assumed.includes(text))),
  );
  const point = ({ text, code = [] }: DisplayItem): string => {
    const lines = code.length === 0 ? "" : `<pre><code>${code.map(escapeFlags).join("\n")}</code></pre>`;
    return `<li>${prose(text)}${lines}</li>`;
  };
  return others
    .map(
      ({ heading, items }) =>
        `<section class="block"><h2>${escapeHtml(heading.replace(/:$/, ""))}</h2><ul class="bullets">${items.map(point).join("")}</ul></section>`,
    )
    .join("");
}

function assumedSection({ assumed, diagnostics, display: { notes }, words }: Read): string {
  const bullets = (heading: string, texts: readonly string[]): string =>
    texts.length === 0
      ? ""
      : `<div><h2>${heading}</h2><ul class="bullets">${texts.map((text) => `<li>${prose(text)}</li>`).join("")}</ul></div>`;
  const taken = [...new Set(assumed)];
  // the method says it too
  const method = (words.method?.paragraphs ?? []).join(" ");
  const own = notes.filter(
    (note) => !taken.includes(note) && !note.startsWith("Assumed: ") && !method.includes(note.replace(/^Test: /, "")),
  );
  const both = [bullets("What was assumed", taken), bullets("Notes", own)].filter((part) => part !== "");
  const watch = diagnostics.map(diagnosticBlock).join("");
  return [
    watch === "" ? "" : `<section class="block"><h2>What to watch</h2>${watch}</section>`,
    both.length === 0
      ? ""
      : `<section class="block"><div class="${both.length > 1 ? "two " : ""}whole">${both.join("")}</div></section>`,
  ].join("\n");
}

function diagnosticBlock({ severity, message, fix }: Diagnostic): string {
  // a name of the data keeps its spelling
  const capital = (text: string): string =>
    /^[a-z]+(?: |$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  const what = `<b>${severity === "warning" ? "Warning: " : ""}</b>${prose(capital(message))}${fix === "" ? "" : ` ${prose(capital(fix))}`}`;
  return `<p class="${severity === "warning" ? "warning" : "note"}">${what}</p>`;
}

function methodSection(method: Method | undefined): string {
  if (method === undefined) return "";
  const [first = "", ...rest] = method.paragraphs;
  const paragraph = (text: string): string => `<p class="measure">${escapeHtml(text)}</p>`;
  const equations = method.equations.map((text) => `<div class="eq">${equation(text)}</div>`).join("");
  return `<section class="block"><h2>Method</h2>${paragraph(first)}${equations}${rest.map(paragraph).join("")}</section>`;
}

function checklistSection(answers: readonly ChecklistAnswer[]): string {
  if (answers.length === 0) return "";
  const list = (texts: readonly string[]): string =>
    `<ul class="bullets">${texts.map((text) => `<li>${escapeFlags(text)}</li>`).join("")}</ul>`;
  const parts = answers.map(
    ({ item, question, answer, open }) =>
      `<div class="item"><h3>${escapeHtml(item)}</h3><p class="question">${escapeHtml(question)}</p>${list(answer)}${open.length === 0 ? "" : `<p class="question">Not answered by this result:</p>${list(open)}`}</div>`,
  );
  return `<section class="block"><h2>For a checklist</h2>${parts.join("")}</section>`;
}

function againSection(
  json: Read,
  { includeText, bundled }: { readonly includeText: boolean; readonly bundled: readonly BundledFile[] },
): string {
  const { code, typed, fingerprint } = json.words;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["version", json.version],
    ["seed", json.seed],
    ["data", fingerprint === "" ? undefined : fingerprint],
    [
      "texts",
      includeText
        ? "This report names single items and holds no prompts or answers."
        : "This report holds no prompts, answers or other texts of the data; a warning may name single items.",
    ],
  ];
  const list = facts
    .flatMap(([name, value]) => (value === undefined ? [] : [`<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`]))
    .join("");
  return [
    // in print a page with its last line alone would follow
    '<section class="block whole"><h2>Run it again</h2>',
    typed === "" ? "" : `<div class="copy"><pre><code>${escapeFlags(typed)}</code></pre></div>`,
    code === undefined
      ? ""
      : `<div class="copy"><pre><code>${code.split("\n").map(escapeHtml).join("\n")}</code></pre></div>`,
    bundled.length === 0
      ? ""
      : '<p class="measure">This page lies in a zip with the data, the command and the result at full precision. The following command recomputes all of it and names what differs:</p><div class="copy"><pre><code>gosset verify certificate.zip</code></pre></div>',
    `<dl class="defs">${list}${bundled.map(({ path, sha256 }) => `<dt>${escapeHtml(path)}</dt><dd>SHA-256 ${sha256}</dd>`).join("")}</dl></section>`,
  ].join("");
}

function referenceSection(references: readonly Reference[]): string {
  if (references.length === 0) return "";
  const items = references.map((reference, k) => {
    const { before, where, after } = referenceText(reference);
    return `<li>[${k + 1}] ${escapeHtml(before)} <i>${escapeHtml(where)}</i>${escapeHtml(after)}.</li>`;
  });
  return `<section class="block"><h2>References</h2><ol class="refs">${items.join("")}</ol></section>`;
}
