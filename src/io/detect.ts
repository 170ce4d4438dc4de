/** Which tool wrote a file, told by its content. Field names are those of the tools' own code; one rule per shape. */

import type { Format, InputFile } from "../data/imported.ts";
import { StatError } from "../result/error.ts";
import { listNames } from "../result/quote.ts";
import { INPUT_NAMES, ITEM_NAMES, RATER_NAMES } from "../study/lexicon/names.ts";
import { getPath, hasKeys, isObject, type JsonObject } from "./json/value.ts";
import { type Opened, openFile } from "./open.ts";

/** A file may be the main part of its format or one that only says more about it (settings, totals). */
export interface Recognised {
  readonly format: Format;
  readonly part: "main" | "side";
}

/** Files that no importer wants: an empty marker, an image, a licence. */
export interface Unrecognised {
  readonly format: undefined;
  readonly part: "none";
}

const NOTHING: Unrecognised = { format: undefined, part: "none" };

export function recognise(opened: Opened): Recognised | Unrecognised {
  if (opened.kind === "zip") return recogniseZip(opened.entries.map((entry) => entry.name));
  if (opened.kind === "parquet") return main("parquet");
  if (opened.kind === "trec") return main("trec");
  if (opened.kind === "scores") return main("wmt-metrics");
  if (opened.kind === "json") {
    const found = recogniseJson(opened.value);
    return opened.yaml === true && found.format === "json" ? main("yaml") : found;
  }
  if (opened.kind === "jsonl") return recogniseLines(opened.head);
  if (opened.kind === "table") return recogniseTable(opened.head.header, opened.head.records, opened.head.separator);
  if (opened.kind === "lines") return main("text");
  return NOTHING;
}

/** The one format of a file or folder. */
export function detectFormat(files: readonly InputFile[]): Format {
  return decideFormat(files.map((file) => ({ name: file.name, found: recognise(openFile(file)) })));
}

/** Formats named when a folder mixes them. */
const MOST_FORMATS = 6;
/** And of each so many files. */
const MOST_NAMED = 3;

/** Prose beside logs (a README) does not count; two kinds of log in one folder are two questions. */
export function decideFormat(files: readonly { name: string; found: Recognised | Unrecognised }[]): Format {
  const byFormat = new Map<Format, string[]>();
  for (const { name, found } of files) {
    if (found.format === undefined) continue;
    const own = byFormat.get(found.format);
    if (own === undefined) byFormat.set(found.format, [name]);
    else own.push(name);
  }
  if (byFormat.size > 1) byFormat.delete("text");
  const [first, ...others] = byFormat;
  if (first === undefined) {
    throw new StatError(
      "NoKnownFormat",
      files.length === 0 ? "no file was given." : `${listNames(files.map((file) => file.name))}: no known format.`,
      "Give a table (CSV, TSV, JSON, JSONL, YAML, Parquet), an evaluation log, or text with one sentence a line.",
    );
  }
  if (others.length > 0) {
    const kinds = [...byFormat]
      .slice(0, MOST_FORMATS)
      .map(([format, names]) => `${format} (${listNames(names, MOST_NAMED)})`);
    const more = byFormat.size > MOST_FORMATS ? "; …" : "";
    throw new StatError(
      "MixedFormats",
      `the files are of ${byFormat.size} formats: ${kinds.join("; ")}${more}.`,
      "Give the files of one format, or one file.",
    );
  }
  return first[0];
}

/** "1 row", "2 rows". */
export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function main(format: Format): Recognised {
  return { format, part: "main" };
}

function side(format: Format): Recognised {
  return { format, part: "side" };
}

function recogniseZip(names: readonly string[]): Recognised | Unrecognised {
  const inspect = names.some(
    (name) => name === "header.json" || name === "_journal/start.json" || name === "summaries.json",
  );
  return inspect ? main("inspect") : NOTHING;
}

function recogniseJson(value: unknown): Recognised | Unrecognised {
  if (Array.isArray(value)) return recogniseJsonArray(value);
  if (!isObject(value)) return NOTHING;
  if (hasKeys(value, "eval", "status") && isObject(getPath(value, "eval"))) return main("inspect");
  if (hasKeys(value, "schema_version", "evaluation_results")) return side("every-eval-ever");
  if (hasKeys(value, "adapter_spec", "request_states")) return side("helm");
  if (hasKeys(value, "adapter_spec")) return side("helm");
  if (hasKeys(value, "name", "definition_path")) return side("helm");
  if (isDeepeval(value)) return main("deepeval");
  if (hasKeys(value, "test_cases_lookup_map")) return side("deepeval");
  if (isSweBench(value)) return main("swe-bench");
  if (isSweBenchCounts(value)) return side("swe-bench");
  if (isEvalplus(value)) return main("evalplus");
  if (isHarborTrial(value)) return main("harbor");
  if (isMteb(value)) return main("mteb");
  if (isLmEvalResults(value)) return side("lm-eval");
  if (isPromptfoo(value)) return main("promptfoo");
  if (hasKeys(value, "name", "score", "signature")) return main("sacrebleu");
  const record = recogniseRecord(value);
  if (record !== undefined) return record;
  return main("json");
}

/** DeepEval: a run, alone or under testRunData, or a link to one. */
function isDeepeval(value: unknown): boolean {
  if (hasKeys(value, "testRunData") || hasKeys(value, "testRunLink")) return true;
  const cases = [getPath(value, "testCases"), getPath(value, "conversationalTestCases")].find(
    (list) => Array.isArray(list) && list.length > 0,
  ) as readonly unknown[] | undefined;
  return hasKeys(cases?.[0], "metricsData") || hasKeys(cases?.[0], "metricsMetadata");
}

const isIdList = (value: unknown): boolean => Array.isArray(value) && value.every((id) => typeof id === "string");

/** SWE-bench: lists of instances by outcome, of a run's report or of a submission, or the outcome of each instance. */
function isSweBench(value: JsonObject): boolean {
  // Terminal-Bench lists ids as well, and has the results of each task
  if (Array.isArray(value["results"])) return false;
  const lists = (...names: readonly string[]): boolean => names.every((name) => isIdList(value[name]));
  if (lists("resolved_ids", "submitted_ids") || lists("resolved_ids", "unresolved_ids")) return true;
  if (lists("resolved", "no_generation") || lists("resolved", "generated")) return true;
  // of a repository and an issue: django__django-11099
  const isInstance = (id: string): boolean => id.includes("__") && id.includes("-", id.indexOf("__") + 2);
  return Object.entries(value).every(([id, part]) => isInstance(id) && typeof getPath(part, "resolved") === "boolean");
}

/** resolved_by_repo.json and resolved_by_time.json beside a submission. */
const isSweBenchCounts = (value: JsonObject): boolean =>
  Object.values(value).every((part) => hasKeys(part, "resolved", "total"));

/** EvalPlus: results by task, each a list of samples with a status, or (older) lists of outcomes under base and plus. */
function isEvalplus(value: unknown): boolean {
  const tasks = getPath(value, "eval");
  if (!isObject(tasks)) return false;
  const [first] = Object.values(tasks);
  if (Array.isArray(first)) return hasKeys(first[0], "base_status") || hasKeys(first[0], "plus_status");
  return hasKeys(first, "base") && Array.isArray(getPath(first, "base"));
}

/** One trial of Harbor. */
const isHarborTrial = (value: unknown): boolean =>
  hasKeys(value, "task_name", "trial_name") && (hasKeys(value, "verifier_result") || hasKeys(value, "agent_info"));

/** One task of MTEB, in its new or its old layout. */
function isMteb(value: unknown): boolean {
  if (hasKeys(value, "mteb_dataset_name")) return true;
  return hasKeys(value, "task_name", "scores", "mteb_version") && isObject(getPath(value, "scores"));
}

function isLmEvalResults(value: unknown): boolean {
  if (!isObject(getPath(value, "results"))) return false;
  return ["configs", "n-shot", "higher_is_better", "group_subtasks", "n-samples"].some((key) => hasKeys(value, key));
}

function isPromptfoo(value: unknown): boolean {
  const inner = getPath(value, "results");
  if (hasKeys(value, "evalId") && isObject(inner)) return true;
  if (isObject(inner)) return hasKeys(inner, "version", "results");
  if (!Array.isArray(inner)) return false;
  if (hasKeys(value, "version", "results") && (hasKeys(value, "table") || hasKeys(value, "stats"))) return true;
  return hasKeys(value, "results", "prompts", "config");
}

function recogniseJsonArray(list: readonly unknown[]): Recognised | Unrecognised {
  const head = list.slice(0, 20).filter(isObject);
  if (head.length === 0) return list.length === 0 ? NOTHING : main("json");
  const every = (test: (value: unknown) => boolean) => head.every(test);
  if (every((row) => hasKeys(row, "stats") && (hasKeys(row, "instance_id") || hasKeys(row, "train_trial_index"))))
    return main("helm");
  if (every((row) => isObject(getPath(row, "name")) && hasKeys(row, "count", "sum"))) return side("helm");
  if (every((row) => hasKeys(row, "system") && Object.values(row as object).some((part) => hasKeys(part, "score")))) {
    return main("sacrebleu");
  }
  return recogniseLines(head, "json");
}

function recogniseLines(head: readonly unknown[], otherwise: Format = "jsonl"): Recognised {
  const spec = getPath(head[0], "spec");
  if (hasKeys(spec, "eval_name") || hasKeys(spec, "completion_fns")) return main("openai-evals");
  // By majority, since a first line may be spoilt or special.
  const counts = new Map<Format, number>();
  for (const row of head) {
    const found = recogniseRecord(row);
    if (found !== undefined) counts.set(found.format, (counts.get(found.format) ?? 0) + 1);
  }
  for (const [format, count] of counts) if (count > head.length / 2) return main(format);
  return main(otherwise);
}

function recogniseRecord(row: unknown): Recognised | undefined {
  if (hasKeys(row, "doc_id") && ["resps", "filtered_resps", "doc_hash", "arguments"].some((key) => hasKeys(row, key))) {
    return main("lm-eval");
  }
  if (hasKeys(row, "run_id", "event_id", "type", "data")) return main("openai-evals");
  if (hasKeys(row, "sample_id", "evaluation") && (hasKeys(row, "schema_version") || hasKeys(row, "evaluation_id"))) {
    return main("every-eval-ever");
  }
  if (hasKeys(row, "model_a", "model_b", "winner") && typeof getPath(row, "winner") !== "number") return main("arena");
  if (hasKeys(row, "_task_hash") || (hasKeys(row, "_input_hash") && hasKeys(row, "answer"))) return main("prodigy");
  if (Array.isArray(getPath(row, "annotations")) && isObject(getPath(row, "data"))) return main("label-studio");
  if (hasKeys(row, "annotation_id", "annotator") && hasKeys(row, "lead_time")) return main("label-studio");
  if (hasKeys(row, "vars", "prompt") && (hasKeys(row, "success") || hasKeys(row, "gradingResult")))
    return main("promptfoo");
  return undefined;
}

/** What tables of MQM errors call their columns, without case, blanks and underscores. */
export const MQM_NAMES = {
  system: ["system", "systemid", "systemname", "mtsystem", "mt"],
  doc: ["doc", "docid", "document", "documentid"],
  segment: ["segid", "globalsegid", "segmentid", "segment"],
  rater: ["rater", "raterid", "annotator", "annotatorid"],
  category: ["category", "errorcategory", "errortype"],
  severity: ["severity", "errorseverity"],
} as const;
const DA_TYPES = new Set(["TGT", "BAD", "CHK", "REF"]);

function recogniseTable(
  header: readonly string[],
  records: readonly (readonly string[])[],
  separator: string,
): Recognised {
  const names = new Set(header.map((name) => name.toLowerCase().replace(/[_ ]/g, "")));
  if (isMqm(names)) return main("wmt-mqm");
  if (
    names.has("userid") &&
    names.has("systemid") &&
    names.has("score") &&
    (names.has("segmentid") || names.has("itemid"))
  ) {
    return main("wmt-da");
  }
  if (isBattles(header, records)) return main("arena");
  // Appraise's own export has no header: user, system, segment, type, source, target, score, …
  const rows = [header, ...records];
  if (
    rows.every(
      (row) => row.length >= 7 && DA_TYPES.has(row[3]!.trim().toUpperCase()) && Number.isFinite(Number(row[6])),
    )
  ) {
    return main("wmt-da");
  }
  return main(separator === "\t" ? "tsv" : "csv");
}

/** A column MT names systems where the translations stand in another. */
function isMqm(names: ReadonlySet<string>): boolean {
  const has = (own: readonly string[]): boolean => own.some((name) => names.has(name));
  const { system, segment, rater, category, severity } = MQM_NAMES;
  const named = has(system.filter((name) => name !== "mt")) || (names.has("mt") && names.has("target"));
  return named && [segment, rater, category, severity].every(has);
}

const PROMPT_NAMES = new Set([...ITEM_NAMES, ...INPUT_NAMES, "task", "conversation_id", "uid", "key", "id"]);
const ARENA_NAMES = new Set([
  ...["model_a", "model_b", "winner", "language", "turn", "anony", "tstamp", "category", "dedup_tag", "conv_metadata"],
  ...RATER_NAMES,
]);

/** Votes between two named models; where the cells under the models' names are numbers, they are scores. */
function isBattles(header: readonly string[], records: readonly (readonly string[])[]): boolean {
  const names = header.map((name) => name.trim().toLowerCase().replaceAll(" ", "_"));
  const [a, b, winner] = ["model_a", "model_b", "winner"].map((name) => names.indexOf(name)) as [
    number,
    number,
    number,
  ];
  if (a < 0 || b < 0 || winner < 0) return false;
  // a column that no log of the arena has may name the prompts, which is asked
  if (!names.some((name) => PROMPT_NAMES.has(name)) && names.some((name) => !ARENA_NAMES.has(name))) return false;
  const isNumber = (cell: string | undefined): boolean => Number.isFinite(Number(cell ?? ""));
  // a winner that is a number is a side by its number, or a grade
  return !records.every((row) => [row[a], row[b]].every(isNumber) || (row[winner] !== "" && isNumber(row[winner])));
}
