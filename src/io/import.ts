/** The one entry: files of any known format → long table, roles, and what was assumed or lost. */

import type { Format, Imported, ImportOptions, InputFile } from "../data/imported.ts";
import { StatError } from "../result/error.ts";
import { listNames } from "../result/quote.ts";
import type { Diagnostic } from "../result/result.ts";
import { ImportBudget } from "./budget.ts";
import { decideFormat, type Recognised, recognise, type Unrecognised } from "./detect.ts";
import { place } from "./encoding.ts";
import { unrollJson } from "./json/unroll.ts";
import { importArena } from "./logs/arena.ts";
import { importDeepeval } from "./logs/deepeval.ts";
import { importEvalplus } from "./logs/evalplus.ts";
import { importEveryEvalEver } from "./logs/every-eval-ever.ts";
import { importHarbor } from "./logs/harbor.ts";
import { importHelm } from "./logs/helm.ts";
import { importInspect } from "./logs/inspect.ts";
import { importLabelStudio } from "./logs/label-studio.ts";
import { importLmEval } from "./logs/lm-eval.ts";
import { importMteb } from "./logs/mteb.ts";
import { importOpenaiEvals } from "./logs/openai-evals.ts";
import { importPlainText } from "./logs/plain-text.ts";
import { importProdigy } from "./logs/prodigy.ts";
import { importPromptfoo } from "./logs/promptfoo.ts";
import { importSacrebleu } from "./logs/sacrebleu.ts";
import { importSweBench } from "./logs/swe-bench.ts";
import { importTrec } from "./logs/trec.ts";
import { importWmtDa } from "./logs/wmt-da.ts";
import { importWmtMetrics } from "./logs/wmt-metrics.ts";
import { importWmtMqm } from "./logs/wmt-mqm.ts";
import { type Opened, openFile, openMarkdownTable, openPacked, openYaml } from "./open.ts";
import { readZipEntry } from "./packed/zip.ts";
import { importTables, refuseCsvOptions } from "./tabular.ts";

const IMPORTERS: Partial<Record<Format, (opened: readonly Opened[]) => Imported>> = {
  inspect: importInspect,
  "lm-eval": importLmEval,
  promptfoo: importPromptfoo,
  helm: importHelm,
  "every-eval-ever": importEveryEvalEver,
  "openai-evals": importOpenaiEvals,
  "wmt-mqm": importWmtMqm,
  "wmt-da": importWmtDa,
  "wmt-metrics": importWmtMetrics,
  "label-studio": importLabelStudio,
  prodigy: importProdigy,
  arena: importArena,
  sacrebleu: importSacrebleu,
  deepeval: importDeepeval,
  "swe-bench": importSweBench,
  evalplus: importEvalplus,
  harbor: importHarbor,
  mteb: importMteb,
  trec: importTrec,
  text: importPlainText,
};

export async function importFiles(files: readonly InputFile[], options: ImportOptions = {}): Promise<Imported> {
  try {
    return await importAll(files, options);
  } catch (error) {
    throw depthError(error, files) ?? error;
  }
}

/** What JSON and YAML nest deeper than any program follows ends in a full stack, wherever that is met. */
function depthError(error: unknown, files: readonly InputFile[]): StatError | undefined {
  if (!(error instanceof RangeError) || !/call stack/i.test(error.message)) return undefined;
  const name = files.length === 1 ? place(files[0]!.name) : "";
  return new StatError(
    "NestedTooDeep",
    `${name}lists or objects are nested too deeply.`,
    "Give the part that matters.",
  );
}

async function importAll(files: readonly InputFile[], options: ImportOptions): Promise<Imported> {
  const unread = files.filter((file) => file.unread !== undefined);
  const readable = files.filter((file) => file.unread === undefined);
  const budget = new ImportBudget(options);
  budget.takeFiles(files.length, "");
  const opened: Opened[] = [];
  for (const file of readable) for (const one of await openAll(file, options.encoding, budget)) opened.push(one);
  refuseEmpty(opened);
  const found = chooseTables(opened, options).map((file) => ({
    file,
    name: file.file.name,
    found: recogniseAs(file, options),
  }));
  const beside = options.format === undefined ? await joinKinds(found, options, budget) : undefined;
  if (beside !== undefined) return beside;
  const format = options.format ?? decideFormat(withoutSummaries(found, budget));
  const fitting = found.filter((entry) => entry.found.format === format);
  // content that nobody would take for the named format is the named reader's to refuse
  const wanted = fitting.length > 0 ? fitting : found.filter((entry) => entry.file.kind !== "empty");
  const own = new Set(wanted);
  const skipped = found.filter((entry) => !own.has(entry));
  // whoever names the columns of a vote has a table, whatever else it looks like
  const importer = isFlatLabelStudio(wanted) || options.votes !== undefined ? undefined : IMPORTERS[format];
  const chosen = wanted.map((entry) => entry.file);
  if (importer !== undefined) refuseCsvOptions(chosen, options);
  const imported = importer === undefined ? await importTables(chosen, format, options, budget) : importer(chosen);
  const notes = [...noteSkipped(skipped, format), ...noteUnread(unread)];
  return notes.length === 0 ? imported : { ...imported, diagnostics: [...imported.diagnostics, ...notes] };
}

/** The tables of Markdown texts where nothing but text is given, or a heading is named: a README beside logs stays one. */
function chooseTables(opened: readonly Opened[], { heading, format }: ImportOptions): readonly Opened[] {
  const marked = opened.some((file) => file.kind === "lines" && file.tables !== undefined);
  if (heading !== undefined && !marked)
    throw new StatError(
      "BadOption",
      `\`heading\` names a table of a Markdown text, and ${listNames(opened.map(({ file }) => file.name))} ${opened.length === 1 ? "holds" : "hold"} none.`,
      "Leave it out.",
    );
  const texts = opened.every(({ kind }) => kind === "lines" || kind === "empty");
  if (format === "text" || (heading === undefined && !texts)) return opened;
  return opened.map((file) => openMarkdownTable(file, heading));
}

const PLAIN: ReadonlySet<Format | undefined> = new Set<Format>(["csv", "tsv", "json", "jsonl", "yaml", "parquet"]);

interface Found {
  readonly file: Opened;
  readonly found: Recognised | Unrecognised;
}

/** overall.json beside runs.jsonl: one record of totals, which the lines say more about. */
function withoutSummaries<F extends Found>(found: readonly F[], budget: ImportBudget): readonly F[] {
  if (!found.some((entry) => entry.found.format === "jsonl")) return found;
  const isJson = (entry: F): boolean => entry.found.format === "json";
  const summaries = found.filter(isJson).every(({ file }) => file.kind === "json" && isOneRecord(file.value, budget));
  return summaries ? found.filter((entry) => !isJson(entry)) : found;
}

function isOneRecord(value: unknown, budget: ImportBudget): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const lists = Object.values(value).some((part) => Array.isArray(part) && part.some((own) => typeof own === "object"));
  return !lists && (unrollJson(value, budget)?.records.length ?? 1) === 1;
}

/** Two plain tables of different formats (metrics.jsonl, human.csv), where their rows belong together. */
async function joinKinds(
  found: readonly Found[],
  options: ImportOptions,
  budget: ImportBudget,
): Promise<Imported | undefined> {
  const [first, second, ...others] = found;
  if (first === undefined || second === undefined || others.length > 0) return undefined;
  const [a, b] = [first.found.format, second.found.format];
  if (a === b || !PLAIN.has(a) || !PLAIN.has(b)) return undefined;
  const formats = new Map(found.map(({ file, found: { format } }) => [file, format!]));
  try {
    const imported = await importTables([first.file, second.file], a!, options, budget, formats);
    return imported.joined === undefined ? undefined : imported;
  } catch (error) {
    if (error instanceof StatError && error.code !== "AmbiguousJoin") return undefined;
    throw error;
  }
}

function noteSkipped(skipped: readonly { name: string }[], format: Format): Diagnostic[] {
  if (skipped.length === 0) return [];
  const files = skipped.length === 1 ? "1 other file was" : `${skipped.length} other files were`;
  return [
    {
      code: "FilesSkipped",
      severity: "note",
      message: `${files} not read (${listNames(skipped.map((entry) => entry.name))}).`,
      fix:
        skipped.length === 1
          ? `It is not part of the ${format} data; give it apart if it matters.`
          : `They are not part of the ${format} data; give them apart if they matter.`,
    },
  ];
}

function noteUnread(unread: readonly InputFile[]): Diagnostic[] {
  if (unread.length === 0) return [];
  const names = unread.map(({ name, unread: why }) => `${name}: ${why}`);
  return [
    {
      code: "FilesUnread",
      severity: "note",
      message: `${unread.length} ${unread.length === 1 ? "file" : "files"} could not be read (${listNames(names)}).`,
      fix: "Put the content in place if it matters.",
    },
  ];
}

function refuseEmpty(opened: readonly Opened[]): void {
  const isEmpty = (file: Opened): boolean =>
    file.kind === "empty" ||
    (file.kind === "json" && typeof file.value === "object" && Object.keys(file.value ?? {}).length === 0);
  if (opened.length === 0 || !opened.every(isEmpty)) return;
  const names = listNames(opened.map((file) => file.file.name));
  throw new StatError(
    "EmptyFile",
    `${names} ${opened.length === 1 ? "is" : "are"} empty.`,
    "Give a file with a header and rows, or a log with results.",
  );
}

/** Whoever names a delimiter has a table. */
function recogniseAs(file: Opened, { delimiter }: ImportOptions): Recognised | Unrecognised {
  if (delimiter === undefined || (file.kind !== "lines" && file.kind !== "table")) return recognise(file);
  return { format: delimiter === "\t" ? "tsv" : "csv", part: "main" };
}

/** Workbooks and documents are archives too, whose parts are no results. */
function refuseOffice(name: string, entries: readonly { readonly name: string }[]): void {
  const has = (part: string): boolean => entries.some((entry) => entry.name === part);
  const workbook = has("xl/workbook.xml") || has("xl/workbook.bin");
  const document = has("[Content_Types].xml") || (has("mimetype") && has("content.xml"));
  if (!workbook && !document) return;
  throw new StatError(
    "OfficeFile",
    `${name} is ${workbook ? "an Excel workbook" : "an office document"}, which is not read.`,
    workbook ? "Save each sheet as CSV and give those." : "Save its table as CSV and give that.",
  );
}

/** An archive that is no log is a folder in one file. */
async function openAll(file: InputFile, encoding: string | undefined, budget: ImportBudget): Promise<Opened[]> {
  const opened = await openYaml(await openPacked(file, encoding, budget), budget);
  if (opened.kind !== "zip" || recognise(opened).format !== undefined) return [opened];
  refuseOffice(file.name, opened.entries);
  const entries = opened.entries.filter((entry) => !entry.name.endsWith("/"));
  budget.takeFiles(entries.length, file.name);
  const members = entries.map((entry) => {
    const bytes = readZipEntry(opened.file.bytes, entry, file.name, budget);
    return openFile({ name: entry.name, bytes }, { encoding, budget, layers: 1 });
  });
  return Promise.all(members.map((member) => openYaml(member, budget)));
}

function isFlatLabelStudio(wanted: readonly { file: Opened; found: Recognised | Unrecognised }[]): boolean {
  return wanted.some(({ file, found }) => {
    const first =
      file.kind === "json"
        ? Array.isArray(file.value)
          ? file.value[0]
          : file.value
        : file.kind === "jsonl"
          ? file.head[0]
          : undefined;
    return found.format === "label-studio" && typeof first === "object" && first !== null && !("annotations" in first);
  });
}
