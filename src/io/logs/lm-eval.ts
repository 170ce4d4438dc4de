/** lm-evaluation-harness: samples_{task}_{date}.jsonl, one line per document and filter, and results_{date}.json beside it,
 *  which alone knows the model and the seeds.
 *  One row per document; a metric under several answer filters becomes one column per filter. */

import type { Imported } from "../../data/imported.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { Cell } from "../columns.ts";
import { countOf } from "../detect.ts";
import { flattenSettings, parseArguments } from "../json/nested-settings.ts";
import { asArray, asNumber, asObject, asText, getPath, isObject, type JsonObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { baseName, folderOf, type LogRecord, readRecords, stemOf, UNREADABLE_RECORDS } from "./lines.ts";
import { type LongRow, makeLongTable, makeSummaryTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const MAX_PROPERTY_LENGTH = 60;
/** Keys of a sample that are no metrics, for versions that do not list their metrics. */
const SAMPLE_KEYS = new Set(
  "doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash target_hash".split(" "),
);
const NAME = /^samples_(.+?)(?:_(\d{4}-\d{2}-\d{2}T[\d.:-]+))?$/;
const SEEDS = ["random_seed", "numpy_seed", "torch_seed", "fewshot_seed"];

interface Results {
  readonly name: string;
  readonly value: JsonObject;
}

interface SampleFile {
  readonly name: string;
  readonly task: string;
  readonly system: string;
  readonly run: number;
  readonly results: Results | undefined;
  readonly records: readonly LogRecord[];
}

export function importLmEval(opened: readonly Opened[]): Imported {
  const results = opened.flatMap((file) =>
    isResults(file) ? [{ name: file.file.name, value: asObject(file.value) }] : [],
  );
  const sampleFiles = opened.filter((file) => !isResults(file));
  if (sampleFiles.length === 0) return importTotals(results);
  const losses = new Losses();
  const assumptions: string[] = [];
  const files = nameFiles(sampleFiles, results, losses, assumptions);
  const higher = new Map<string, boolean>();
  const common = {
    filters: new Set(files.flatMap((one) => one.records.map((record) => asText(record.value["filter"]) ?? "none"))),
    repeated: files.some((one) => one.run > 1),
  };
  const rows = files.flatMap((file) => readRows(file, common, losses, higher));
  const seeds = new Set(files.flatMap((file) => (file.results === undefined ? [] : [describeSeeds(file.results)])));
  if (seeds.size === 1) assumptions.push(`All runs used ${[...seeds][0]}.`);
  return makeLongTable(rows, {
    format: "lm-eval",
    files: opened.map((file) => file.file.name),
    summary: summarise(files, rows),
    repeatName: "run",
    higherIsBetter: higher,
    settings: files.flatMap(({ system, task, results: own }) =>
      own === undefined ? [] : [{ system, model: nameModel(own), task, values: settingsOf(own, task) }],
    ),
    assumptions,
    diagnostics: [
      ...files.flatMap((file) => checkCount(file)),
      ...checkPrompts(rows),
      ...losses.diagnostics({
        UnreadableRecords: UNREADABLE_RECORDS,
        NoDocument: { what: "lines have no doc_id", fix: "They were left out." },
        NotPerItem: {
          what: "metric values are no single number (corpus-level metrics such as perplexity)",
          severity: "note",
          fix: "They have no score per item and were left out.",
        },
        UnscoredSamples: { what: "samples have no usable metric value", fix: "They are missing, not 0." },
      }),
    ],
  });
}

function isResults(opened: Opened): opened is Extract<Opened, { kind: "json" }> {
  return opened.kind === "json" && isObject(getPath(opened.value, "results"));
}

/** Model and run of every samples file: results of the same date, else of the same folder, else the only ones. */
function nameFiles(
  samples: readonly Opened[],
  results: readonly Results[],
  losses: Losses,
  assumptions: string[],
): SampleFile[] {
  const runs = new Map<string, number>();
  const systems = new Map<string, Map<string, string>>();
  const byFolder = new Map<string, Results[]>();
  for (const file of results) {
    const folder = folderOf(file.name);
    const own = byFolder.get(folder);
    if (own === undefined) byFolder.set(folder, [file]);
    else own.push(file);
  }
  return samples.map((opened) => {
    const { name } = opened.file;
    const parts = NAME.exec(stemOf(name));
    const task = parts?.[1] ?? stemOf(name);
    const here = byFolder.get(folderOf(name)) ?? [];
    const dated = here.filter((file) => parts?.[2] !== undefined && baseName(file.name).includes(parts[2]));
    const found =
      dated[0] ?? (here.length === 1 ? here[0] : results.length === 1 && here.length === 0 ? results[0] : undefined);
    const model = nameModel(found) ?? (baseName(folderOf(name)) || "model");
    if (found === undefined) {
      assumptions.push(
        `No results file belongs to ${name}; the system is called "${model}" and its seeds are unknown.`,
      );
    }
    // the same model with other settings is another system, not another run
    const told = JSON.stringify(found === undefined ? {} : settingsOf(found, task));
    const same = systems.get(JSON.stringify([model, task])) ?? new Map<string, string>();
    systems.set(JSON.stringify([model, task]), same);
    const system = same.get(told) ?? (same.size === 0 ? model : `${model} (${same.size + 1})`);
    if (!same.has(told) && same.size > 0)
      assumptions.push(
        `${name} ran ${model} on ${task} with other settings and counts as another system, "${system}".`,
      );
    same.set(told, system);
    const key = JSON.stringify([system, task]);
    const run = (runs.get(key) ?? 0) + 1;
    runs.set(key, run);
    if (run > 1) assumptions.push(`${name} is run ${run} of ${system} on ${task}.`);
    return { name, task, system, run, results: found, records: readRecords(opened, losses) };
  });
}

function nameModel(results: Results | undefined): string | undefined {
  if (results === undefined) return undefined;
  const args = getPath(results.value, "config", "model_args");
  const text = typeof args === "string" ? /(?:^|,)(?:pretrained|model)=([^,]+)/.exec(args)?.[1] : undefined;
  return (
    asText(getPath(results.value, "model_name")) ??
    text ??
    asText(getPath(args, "pretrained")) ??
    asText(getPath(args, "model")) ??
    asText(getPath(results.value, "config", "model"))
  );
}

/** Of one task; seeds are told by themselves. */
function settingsOf({ value }: Results, task: string): Record<string, string> {
  const config = getPath(value, "configs", task);
  const { description, doc_to_text, generation_kwargs, fewshot_delimiter, filter_list, output_type } = asObject(config);
  return flattenSettings({
    task_version: getPath(value, "versions", task),
    shots: getPath(value, "n-shot", task) ?? getPath(config, "num_fewshot"),
    limit: getPath(value, "config", "limit"),
    template: { description, doc_to_text, fewshot_delimiter, output_type },
    filters: filter_list,
    task_generation: generation_kwargs,
    generation: parseArguments(getPath(value, "config", "gen_kwargs")),
    model_args: parseArguments(getPath(value, "config", "model_args")),
    system_instruction: value["system_instruction"],
    chat_template: value["chat_template_sha"],
    fewshot_as_multiturn: value["fewshot_as_multiturn"],
    lm_eval_version: value["lm_eval_version"],
  });
}

function describeSeeds(results: Results): string {
  const said = SEEDS.flatMap((seed) => {
    const value = asText(getPath(results.value, "config", seed));
    return value === undefined ? [] : [`${seed} ${value}`];
  });
  return said.length === 0 ? "unknown seeds" : said.join(", ");
}

function readRows(
  file: SampleFile,
  { filters, repeated }: { readonly filters: ReadonlySet<string>; readonly repeated: boolean },
  losses: Losses,
  higher: Map<string, boolean>,
): LongRow[] {
  const scored = new Set<LongRow>();
  const rows = new Map<string, LongRow & { scores: Map<string, number> }>();
  for (const { value, where } of file.records) {
    const id = asText(value["doc_id"]);
    if (id === undefined) {
      losses.add("NoDocument", where);
      continue;
    }
    const hash = asText(value["doc_hash"]);
    const key = JSON.stringify([id, hash ?? ""]);
    const filter = asText(value["filter"]) ?? "none";
    let row = rows.get(key);
    if (row === undefined) {
      row = {
        system: file.system,
        task: file.task,
        item: id,
        content: hash,
        ...(repeated ? { repeat: file.run } : {}),
        scores: new Map(),
        properties: readProperties(value["doc"], asText(value["prompt_hash"])),
      };
      rows.set(key, row);
    }
    for (const metric of listMetrics(value)) {
      const score = asNumber(value[metric]);
      if (Array.isArray(value[metric])) {
        losses.add("NotPerItem", metric);
        continue;
      }
      const label = filters.size > 1 ? `${metric}.${filter}` : metric;
      row.scores.set(label, score);
      if (!Number.isNaN(score)) scored.add(row);
      const direction = getPath(file.results?.value, "higher_is_better", file.task, metric);
      if (typeof direction === "boolean") higher.set(label, direction);
    }
    if (!scored.has(row)) losses.add("UnscoredSamples", where);
  }
  return [...rows.values()];
}

function listMetrics(sample: JsonObject): string[] {
  const listed = asArray(sample["metrics"]).filter((name) => typeof name === "string");
  if (listed.length > 0) return listed;
  return Object.keys(sample).filter((key) => !SAMPLE_KEYS.has(key) && typeof sample[key] === "number");
}

const PROMPT = "prompt_hash";

function readProperties(doc: unknown, promptHash: string | undefined): Map<string, Cell> {
  const properties = new Map<string, Cell>();
  for (const [key, value] of Object.entries(asObject(doc))) {
    const short = typeof value === "string" && value.length <= MAX_PROPERTY_LENGTH && value !== "";
    if (short || typeof value === "number" || typeof value === "boolean") properties.set(key, value);
  }
  properties.set(PROMPT, promptHash);
  return properties;
}

/** The same document asked with other words is another question to the model. */
function checkPrompts(rows: readonly LongRow[]): Diagnostic[] {
  const prompts = new Map<string, Set<Cell>>();
  for (const row of rows) {
    const key = JSON.stringify([row.task, row.item, row.content]);
    const hash = row.properties?.get(PROMPT);
    if (hash !== undefined) prompts.set(key, (prompts.get(key) ?? new Set()).add(hash));
  }
  const differing = [...prompts.values()].filter((set) => set.size > 1).length;
  if (differing === 0) return [];
  return [
    {
      code: "PromptsDiffer",
      severity: "warning",
      message: `${countOf(differing, "document")} ${differing === 1 ? "was" : "were"} asked with different prompts in different runs.`,
      fix: "The difference between the systems then includes the difference between the prompts; rerun with one template.",
    },
  ];
}

function checkCount(file: SampleFile): Diagnostic[] {
  const expected = asNumber(getPath(file.results?.value, "n-samples", file.task, "effective"));
  const found = new Set(file.records.map((record) => asText(record.value["doc_id"]))).size;
  if (!(expected > found)) return [];
  return [
    {
      code: "MissingSamples",
      severity: "warning",
      message: `${file.name}: ${found} of the ${expected} documents that the results file counts.`,
      fix: "The totals in the results file are over all of them; give the complete samples file.",
    },
  ];
}

/** Results files alone: one row per model, task, metric and filter. */
function importTotals(results: readonly Results[]): Imported {
  const records: Map<string, Cell>[] = [];
  for (const file of results) {
    for (const [task, values] of Object.entries(asObject(file.value["results"]))) {
      for (const [key, value] of Object.entries(asObject(values))) {
        const [metric = "", filter = "none"] = key.split(",");
        if (typeof value !== "number" || metric.endsWith("_stderr")) continue;
        records.push(
          new Map<string, Cell>([
            ["system", nameModel(file) ?? file.name],
            ["task", task],
            ["metric", filter === "none" ? metric : `${metric}.${filter}`],
            ["score", value],
            ["stderr", asNumber(getPath(values, `${metric}_stderr,${filter}`))],
            ["samples", asNumber(getPath(file.value, "n-samples", task, "effective"))],
          ]),
        );
      }
    }
  }
  return makeSummaryTable(records, {
    format: "lm-eval",
    files: results.map((file) => file.name),
    summary: `Totals of lm-evaluation-harness for ${listNames([...new Set(records.map((record) => String(record.get("system"))))])}: ${countOf(records.length, "score")} of tasks.`,
    roles: { system: "system", task: "task", metric: "metric", score: "score", covariates: ["stderr", "samples"] },
    metrics: [{ name: "score", label: "score" }],
    assumptions: results.map((file) => `${file.name}: ${describeSeeds(file)}.`),
    diagnostics: [],
  });
}

function summarise(files: readonly SampleFile[], rows: readonly LongRow[]): string {
  const tasks = [...new Set(files.map((file) => file.task))];
  const systems = [...new Set(files.map((file) => file.system))];
  return `Samples of lm-evaluation-harness: ${listNames(systems)} on ${listNames(tasks)}, ${countOf(rows.length, "scored document")}.`;
}
