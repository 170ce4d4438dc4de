/** Every Eval Ever (schema 0.3): {uuid}.json with totals of a model and {uuid}_samples.jsonl with its instances. */

import type { Imported, ImportedMetric, RunSettings } from "../../data/imported.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { Cell } from "../columns.ts";
import { countOf } from "../detect.ts";
import { flattenSettings } from "../json/nested-settings.ts";
import { asArray, asNumber, asObject, asText, getPath, hasKeys, type JsonObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { type LogRecord, readRecords, stemOf, UNREADABLE_RECORDS } from "./lines.ts";
import { type LongRow, makeLongTable, makeSummaryTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const MAX_PROPERTY_LENGTH = 100;

interface Aggregate {
  readonly name: string;
  readonly value: JsonObject;
}

export function importEveryEvalEver(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const aggregates = opened.flatMap((file): Aggregate[] =>
    file.kind === "json" && hasKeys(file.value, "evaluation_results")
      ? [{ name: file.file.name, value: file.value }]
      : [],
  );
  const instanceFiles = opened.filter((file) => !(file.kind === "json" && hasKeys(file.value, "evaluation_results")));
  const records = instanceFiles.flatMap((file) => readRecords(file, losses));
  const files = opened.map((file) => file.file.name);
  if (records.length === 0) return importTotals(aggregates, files);
  const configs = readConfigs(aggregates);
  const seen = new Map<string, number>();
  const rows = records.flatMap((record) => readRow(record, configs, seen, losses));
  const repeated = [...seen.values()].some((count) => count > 1);
  return makeLongTable(repeated ? rows : rows.map(({ repeat: _, ...row }) => row), {
    format: "every-eval-ever",
    files,
    summary: `Instances in the Every Eval Ever format: ${listNames([...new Set(rows.map((row) => row.system ?? ""))])}, ${countOf(rows.length, "scored sample")}.`,
    higherIsBetter: new Map(
      [...configs.values()].flatMap((config) =>
        config.higher === undefined ? [] : [[config.metric, config.higher] as const],
      ),
    ),
    settings: aggregates.flatMap(({ value }) => settingsOf(value)),
    assumptions: [
      ...(aggregates.length === 0 ? ["No aggregate file was given, so the metric is called score."] : []),
      ...(repeated ? ["Equal sample ids of one model are repeats, numbered in order of appearance."] : []),
    ],
    diagnostics: [
      ...checkCounts(aggregates, instanceFiles, records),
      ...losses.diagnostics({
        UnreadableRecords: UNREADABLE_RECORDS,
        NoSampleId: {
          what: "instances have no sample_id",
          fix: "They were left out: without it they cannot be matched.",
        },
        UnscoredSamples: { what: "instances have no score", fix: "They are missing, not 0." },
      }),
    ],
  });
}

function settingsOf(value: JsonObject): RunSettings[] {
  const system = asText(getPath(value, "model_info", "id")) ?? asText(getPath(value, "model_info", "name"));
  if (system === undefined) return [];
  return asArray(value["evaluation_results"]).map((result) => ({
    system,
    model: system,
    task: asText(getPath(result, "evaluation_name")),
    values: flattenSettings({
      library: getPath(value, "eval_library", "name"),
      library_version: getPath(value, "eval_library", "version"),
      generation: getPath(result, "generation_config"),
    }),
  }));
}

interface Config {
  readonly metric: string;
  readonly higher: boolean | undefined;
}

/** The metric of every evaluation result, by its id and by its name. */
function readConfigs(aggregates: readonly Aggregate[]): Map<string, Config> {
  const configs = new Map<string, Config>();
  for (const result of aggregates.flatMap((file) => asArray(file.value["evaluation_results"]))) {
    const config = getPath(result, "metric_config");
    const lower = getPath(config, "lower_is_better");
    const metric = asText(getPath(config, "metric_name")) ?? asText(getPath(config, "metric_id")) ?? "score";
    const found = { metric, higher: typeof lower === "boolean" ? !lower : undefined };
    for (const key of [getPath(result, "evaluation_result_id"), getPath(result, "evaluation_name")]) {
      const text = asText(key);
      if (text !== undefined) configs.set(text, found);
    }
  }
  return configs;
}

function readRow(
  record: LogRecord,
  configs: ReadonlyMap<string, Config>,
  seen: Map<string, number>,
  losses: Losses,
): LongRow[] {
  const { value, where } = record;
  const id = asText(value["sample_id"]);
  if (id === undefined) {
    losses.add("NoSampleId", where);
    return [];
  }
  const system = asText(value["model_id"]) ?? asText(value["evaluation_id"]) ?? "model";
  const task = asText(value["evaluation_name"]) ?? "evaluation";
  const config = configs.get(asText(value["evaluation_result_id"]) ?? "") ?? configs.get(task);
  const metric = config?.metric ?? "score";
  const score = asNumber(getPath(value, "evaluation", "score"));
  const correct = asNumber(getPath(value, "evaluation", "is_correct"));
  if (Number.isNaN(score) && Number.isNaN(correct)) losses.add("UnscoredSamples", where);
  const scores = new Map([[metric, Number.isNaN(score) ? correct : score]]);
  // Only where it says something else than the score.
  if (!Number.isNaN(correct) && correct !== score && !Number.isNaN(score)) scores.set("is_correct", correct);
  const key = JSON.stringify([system, task, metric, id]);
  const repeat = (seen.get(key) ?? 0) + 1;
  seen.set(key, repeat);
  return [
    {
      system,
      task,
      item: id,
      repeat,
      content: asText(value["sample_hash"]),
      scores,
      properties: readProperties(value),
    },
  ];
}

function readProperties(value: JsonObject): Map<string, Cell> {
  const properties = new Map<string, Cell>();
  for (const [key, part] of Object.entries(asObject(value["metadata"]))) {
    const short = typeof part === "string" && part.length <= MAX_PROPERTY_LENGTH;
    if (short || typeof part === "number" || typeof part === "boolean") properties.set(key, part);
  }
  const tokens = asNumber(getPath(value, "token_usage", "output_tokens"));
  if (!Number.isNaN(tokens)) properties.set("output_tokens", tokens);
  return properties;
}

function checkCounts(
  aggregates: readonly Aggregate[],
  instanceFiles: readonly Opened[],
  records: readonly LogRecord[],
): Diagnostic[] {
  const samples = new Map(instanceFiles.map(({ file }) => [stemOf(file.name), file.name]));
  const counts = new Map<string, number>();
  for (const { where } of records) {
    const file = where.slice(0, where.lastIndexOf(","));
    counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return aggregates.flatMap((aggregate) => {
    const expected = asNumber(getPath(aggregate.value, "detailed_evaluation_results", "total_rows"));
    const own = samples.get(`${stemOf(aggregate.name)}_samples`);
    const found = own === undefined ? Number.NaN : (counts.get(own) ?? 0);
    if (!(expected > found)) return [];
    return [
      {
        code: "MissingSamples",
        severity: "warning" as const,
        message: `${aggregate.name} counts ${expected} instances, its samples file holds ${found}.`,
        fix: "Give the complete samples file; what is missing counts neither as passed nor as failed.",
      },
    ];
  });
}

function importTotals(aggregates: readonly Aggregate[], files: readonly string[]): Imported {
  const metrics: ImportedMetric[] = [{ name: "score", label: "score" }];
  const errorOf = (result: unknown): number =>
    asNumber(getPath(result, "score_details", "uncertainty", "standard_error", "value"));
  const hasErrors = aggregates.some(({ value }) =>
    asArray(value["evaluation_results"]).some((result) => !Number.isNaN(errorOf(result))),
  );
  const records = aggregates.flatMap(({ name, value }) =>
    asArray(value["evaluation_results"]).map(
      (result) =>
        new Map<string, Cell>([
          [
            "system",
            asText(getPath(value, "model_info", "id")) ?? asText(getPath(value, "model_info", "name")) ?? name,
          ],
          ["task", asText(getPath(result, "evaluation_name"))],
          ["metric", asText(getPath(result, "metric_config", "metric_name"))],
          ["score", asNumber(getPath(result, "score_details", "score"))],
          ...(hasErrors ? [["standard_error", errorOf(result)] as const] : []),
        ]),
    ),
  );
  return makeSummaryTable(records, {
    format: "every-eval-ever",
    files,
    summary: `Totals in the Every Eval Ever format: ${countOf(records.length, "score")} of ${aggregates.length === 1 ? "one model" : `${aggregates.length} files`}.`,
    roles: records.length === 0 ? {} : { system: "system", task: "task", metric: "metric", score: "score" },
    metrics: records.length === 0 ? [] : metrics,
    assumptions: [],
    diagnostics: [],
  });
}
