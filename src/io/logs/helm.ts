/** HELM run folders → one row per instance, perturbation and train trial; one column per metric (the `mean` of its statistic).
 *  A folder of run folders gives several systems and scenarios. */

import type { Imported, RunSettings } from "../../data/imported.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { Cell } from "../columns.ts";
import { flattenSettings } from "../json/nested-settings.ts";
import { asArray, asNumber, asObject, asText, getPath, hasKeys, isObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { baseName, folderOf } from "./lines.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

/** Statistics that HELM keeps about the run and that say nothing about quality. */
const BOOKKEEPING =
  /^(num_|training_|inference_|estimated_|batch_size|finish_reason_|prompt_truncated|max_prob|logprob|perplexity|bits_per_byte|logprob_per_byte|api_)/;
/** Of these, the ones that may explain scores. */
const PROPERTIES = new Set(["num_prompt_tokens", "num_output_tokens", "inference_runtime"]);
const MAIN_METRICS = ["exact_match", "quasi_exact_match", "f1_score", "rouge_l", "bleu_4"];
const TOTAL_TOLERANCE = 1e-6;

interface Run {
  readonly folder: string;
  readonly instances: readonly unknown[];
  readonly spec: unknown;
  readonly totals: readonly unknown[];
}

export function importHelm(opened: readonly Opened[]): Imported {
  const runs = groupRuns(opened);
  if (runs.length === 0) {
    throw new StatError(
      "NoInstanceStats",
      `${listNames(opened.map((file) => file.file.name))}: no per_instance_stats.json, so no results of single instances.`,
      "Give the whole HELM run folder, or run helm-run with per-instance statistics.",
    );
  }
  const losses = new Losses();
  const diagnostics: Diagnostic[] = [];
  const assumptions: string[] = [];
  const settings: RunSettings[] = [];
  const rows = runs.flatMap((run) => {
    const { system, task, assumed } = nameRun(run);
    if (run.spec !== undefined) settings.push({ system, model: system, task, values: settingsOf(run.spec) });
    assumptions.push(...assumed);
    const own = readRows(run, system, task, losses);
    diagnostics.push(...checkTotals(run, own));
    return own;
  });
  const perturbed = rows.some((row) => row.properties.get("perturbation") !== undefined);
  for (const { properties } of rows) {
    if (perturbed && properties.get("perturbation") === undefined) properties.set("perturbation", "none");
  }
  const splits = new Set(rows.map((row) => row.properties?.get("split")).filter((split) => split !== undefined));
  if (splits.size > 1)
    assumptions.push(
      `Instances of the splits ${[...splits].join(" and ")} stand together; HELM reports them apart (column split).`,
    );
  return makeLongTable(rows, {
    format: "helm",
    files: opened.map((file) => file.file.name),
    summary: summarise(runs, rows),
    repeatName: "trial",
    mainMetrics: varyingFirst(rows),
    fixedRoles: { perturbation: "perturbation" },
    settings,
    assumptions,
    diagnostics: [
      ...diagnostics,
      ...losses.diagnostics({
        NotAnInstance: { what: "entries are not instances", fix: "They were skipped; the file may be damaged." },
        UnscoredInstances: { what: "instances have no metric value", fix: "They are missing, not 0." },
      }),
    ],
  });
}

/** A metric that has the same value everywhere compares nothing: one that varies goes before it. */
function varyingFirst(rows: readonly LongRow[]): string[] {
  const known = new Map<string, number>();
  const varying = new Set<string>();
  for (const { scores } of rows) {
    for (const [name, value] of scores) {
      const first = known.get(name);
      if (first === undefined || Number.isNaN(first)) known.set(name, value);
      else if (!Number.isNaN(value) && value !== first) varying.add(name);
    }
  }
  const varies = (name: string): boolean => varying.has(name);
  const main = MAIN_METRICS.filter((name) => known.has(name));
  return [...new Set([...main.filter(varies), ...[...known.keys()].filter(varies), ...main])];
}

function groupRuns(opened: readonly Opened[]): Run[] {
  const folders = new Map<string, Opened[]>();
  for (const file of opened) {
    const folder = folderOf(file.file.name);
    const own = folders.get(folder);
    if (own === undefined) folders.set(folder, [file]);
    else own.push(file);
  }
  return [...folders].flatMap(([folder, files]) => {
    const values = files.map((file) => (file.kind === "json" ? file.value : undefined));
    const spec =
      values.find((value) => hasKeys(value, "adapter_spec", "name")) ??
      values.find((value) => hasKeys(value, "adapter_spec"));
    const totals = values.find((value) => Array.isArray(value) && isObject(getPath(value[0], "name")));
    return values
      .filter((value) => Array.isArray(value) && value.some((row) => hasKeys(row, "stats")))
      .map((instances) => ({ folder, instances: asArray(instances), spec, totals: asArray(totals) }));
  });
}

function nameRun(run: Run): { system: string; task: string; assumed: string[] } {
  const name = asText(getPath(run.spec, "name")) ?? baseName(run.folder);
  const inName = /(?:^|[,:])model=([^,]+)/.exec(name)?.[1];
  const system = asText(getPath(run.spec, "adapter_spec", "model")) ?? inName ?? "model";
  const task = name.replace(/[,:]model=[^,]+/, "").replace(/[,:]model_deployment=[^,]+/, "") || "scenario";
  const assumed =
    run.spec === undefined
      ? [`No run_spec.json: the system "${system}" and the scenario "${task}" come from the folder's name.`]
      : [];
  return { system, task, assumed };
}

function settingsOf(spec: unknown): Record<string, string> {
  const { max_train_instances: shots, max_eval_instances: _, ...adapter } = asObject(getPath(spec, "adapter_spec"));
  return flattenSettings({ shots, adapter, scenario: getPath(spec, "scenario_spec", "args") });
}

type Row = LongRow & { readonly scores: Map<string, number>; readonly properties: Map<string, Cell> };

function readRows(run: Run, system: string, task: string, losses: Losses): Row[] {
  const rows = new Map<string, Row>();
  const scored = new Set<Row>();
  run.instances.forEach((instance, i) => {
    const id = asText(getPath(instance, "instance_id"));
    const stats = getPath(instance, "stats");
    if (id === undefined || !Array.isArray(stats)) {
      losses.add("NotAnInstance", `${task}, entry ${i + 1}`);
      return;
    }
    const perturbation = asText(getPath(instance, "perturbation", "name"));
    const trial = asNumber(getPath(instance, "train_trial_index"));
    const key = JSON.stringify([id, getPath(instance, "perturbation") ?? null, trial]);
    const row = rows.get(key) ?? {
      system,
      task,
      item: id,
      repeat: Number.isNaN(trial) ? 0 : trial,
      scores: new Map(),
      properties: new Map<string, Cell>([["perturbation", perturbation]]),
    };
    rows.set(key, row);
    for (const stat of stats) {
      const name = asText(getPath(stat, "name", "name"));
      if (name === undefined) continue;
      const count = asNumber(getPath(stat, "count"));
      const mean = count === 0 ? Number.NaN : asNumber(getPath(stat, "mean") ?? getPath(stat, "sum"));
      if (!BOOKKEEPING.test(name)) {
        row.scores.set(name, mean);
        if (!Number.isNaN(mean)) scored.add(row);
      }
      if (PROPERTIES.has(name)) row.properties.set(name, mean);
      const split = asText(getPath(stat, "name", "split"));
      if (split !== undefined) row.properties.set("split", split);
    }
    if (!scored.has(row)) losses.add("UnscoredInstances", `${task}, ${id}`);
  });
  return [...rows.values()];
}

/** stats.json holds HELM's own means; they must be the means of the instances, split by split. */
function checkTotals(run: Run, rows: readonly LongRow[]): Diagnostic[] {
  const list: Diagnostic[] = [];
  const means = meansOf(rows);
  for (const total of run.totals) {
    const metric = asText(getPath(total, "name", "name")) ?? "";
    if (!MAIN_METRICS.includes(metric) || getPath(total, "name", "perturbation") !== undefined) continue;
    const split = asText(getPath(total, "name", "split"));
    const mean = means.get(JSON.stringify([metric, split])) ?? Number.NaN;
    const said = asNumber(getPath(total, "mean"));
    if (Number.isNaN(said) || Number.isNaN(mean) || Math.abs(said - mean) <= TOTAL_TOLERANCE) continue;
    list.push({
      code: "HeaderDiffers",
      severity: "warning",
      message: `${run.folder || "the run"}: stats.json gives ${metric} ${said} on split ${split}, the instances give ${mean}.`,
      fix: "The instances are used; check whether the folder is complete.",
    });
  }
  return list;
}

/** Of the main metrics over the unperturbed instances of each split. */
function meansOf(rows: readonly LongRow[]): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { scores, properties } of rows) {
    if (properties?.get("perturbation") !== undefined) continue;
    for (const metric of MAIN_METRICS) {
      const value = scores.get(metric) ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const key = JSON.stringify([metric, properties?.get("split")]);
      const { sum, count } = sums.get(key) ?? { sum: 0, count: 0 };
      sums.set(key, { sum: sum + value, count: count + 1 });
    }
  }
  return new Map([...sums].map(([key, { sum, count }]) => [key, sum / count]));
}

function summarise(runs: readonly Run[], rows: readonly LongRow[]): string {
  const systems = [...new Set(rows.map((row) => row.system ?? ""))];
  const tasks = [...new Set(rows.map((row) => row.task ?? ""))];
  return `${runs.length === 1 ? "A HELM run" : `${runs.length} HELM runs`}: ${listNames(systems)} on ${listNames(tasks)}, ${rows.length} scored instances.`;
}
