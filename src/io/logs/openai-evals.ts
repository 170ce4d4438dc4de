/** OpenAI evals record files: a first line with the spec, one event a line, a last line with the final report.
 *  Events of type "match" give the metric match (correct = 1), events of type "metrics" one metric per number. */

import type { Imported, RunSettings } from "../../data/imported.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import { countOf } from "../detect.ts";
import { flattenSettings } from "../json/nested-settings.ts";
import { asArray, asNumber, asObject, asText, getPath, hasKeys } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { readRecords, stemOf, UNREADABLE_RECORDS } from "./lines.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const REPORT_TOLERANCE = 1e-6;

type Row = LongRow & { readonly scores: Map<string, number> };

export function importOpenaiEvals(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const diagnostics: Diagnostic[] = [];
  const assumptions: string[] = [];
  const settings: RunSettings[] = [];
  const rows = opened.flatMap((file) => {
    const run = readRun(file, losses);
    settings.push(...run.settings);
    assumptions.push(...run.assumptions);
    diagnostics.push(...run.diagnostics);
    return run.rows;
  });
  const repeated = rows.some((row) => Number(row.repeat) > 1);
  return makeLongTable(repeated ? rows : rows.map(({ repeat: _, ...row }) => row), {
    format: "openai-evals",
    files: opened.map((file) => file.file.name),
    summary: `Events of OpenAI evals: ${listNames([...new Set(rows.map((row) => row.system ?? ""))])} on ${listNames([...new Set(rows.map((row) => row.task ?? ""))])}, ${countOf(rows.length, "scored sample")}.`,
    higherIsBetter: new Map([["match", true]]),
    mainMetrics: ["match"],
    settings,
    assumptions,
    diagnostics: [
      ...diagnostics,
      ...losses.diagnostics({
        UnreadableRecords: UNREADABLE_RECORDS,
        ErroredSamples: { what: "samples ended in an error", fix: "Their scores are missing, not 0. Rerun them." },
        NoSampleId: {
          what: "scored events have no sample_id",
          fix: "They were left out: without it they cannot be matched.",
        },
      }),
    ],
  });
}

interface Run {
  readonly rows: readonly Row[];
  readonly settings: readonly RunSettings[];
  readonly assumptions: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

function readRun(file: Opened, losses: Losses): Run {
  const records = readRecords(file, losses);
  const spec = records.find(({ value }) => hasKeys(value, "spec"))?.value["spec"];
  const report = records.find(({ value }) => hasKeys(value, "final_report"))?.value["final_report"];
  const system =
    asText(asArray(getPath(spec, "completion_fns"))[0]) ??
    asText(getPath(spec, "model_name")) ??
    stemOf(file.file.name);
  const task = asText(getPath(spec, "eval_name")) ?? asText(getPath(spec, "base_eval")) ?? "eval";
  const bySample = new Map<string, SampleRows>();
  for (const { value, where } of records) {
    const type = asText(value["type"]);
    if (type !== "match" && type !== "metrics" && type !== "error") continue;
    const id = asText(value["sample_id"]);
    if (id === undefined) {
      losses.add("NoSampleId", where);
      continue;
    }
    if (type === "error") losses.add("ErroredSamples", id);
    addScores(bySample, id, { system, task }, readScores(type, value["data"]));
  }
  const rows = [...bySample.values()].flatMap((own) => own.rows);
  const assumptions =
    spec === undefined ? [`${file.file.name} has no spec line; the system is called "${system}".`] : [];
  const settings = spec === undefined ? [] : [{ system, model: system, task, values: settingsOf(spec) }];
  return { rows, settings, assumptions, diagnostics: checkReport(file.file.name, rows, report) };
}

function settingsOf(spec: unknown): Record<string, string> {
  const config = getPath(spec, "run_config");
  return flattenSettings({
    split: getPath(spec, "split"),
    max_samples: getPath(config, "max_samples"),
    eval: getPath(config, "eval_spec", "args"),
    completion: getPath(config, "completion_args") ?? getPath(spec, "completion_args"),
  });
}

function readScores(type: string, data: unknown): Map<string, number> {
  if (type === "match") return new Map([["match", asNumber(getPath(data, "correct"))]]);
  if (type === "error") return new Map();
  const numbers = Object.entries(asObject(data)).filter(
    ([, value]) => typeof value === "number" || typeof value === "boolean",
  );
  return new Map(numbers.map(([name, value]) => [name, asNumber(value)]));
}

interface SampleRows {
  readonly rows: Row[];
  /** All rows before this one have the metric. */
  readonly from: Map<string, number>;
}

/** A metric that comes again for the same sample starts a repeat; a new metric joins the row that lacks it. */
function addScores(
  bySample: Map<string, SampleRows>,
  item: string,
  run: { system: string; task: string },
  scores: Map<string, number>,
): void {
  const own = bySample.get(item) ?? { rows: [], from: new Map<string, number>() };
  bySample.set(item, own);
  const { rows, from } = own;
  const names = [...scores.keys()];
  let at = names.reduce((most, name) => Math.max(most, from.get(name) ?? 0), 0);
  while (at < rows.length && names.some((name) => rows[at]!.scores.has(name))) at += 1;
  if (at === rows.length) rows.push({ ...run, item, repeat: at + 1, scores });
  else for (const [name, score] of scores) rows[at]!.scores.set(name, score);
  for (const name of names) {
    let next = from.get(name) ?? 0;
    while (next < rows.length && rows[next]!.scores.has(name)) next += 1;
    from.set(name, next);
  }
}

function checkReport(name: string, rows: readonly Row[], report: unknown): Diagnostic[] {
  const said = asNumber(getPath(report, "accuracy"));
  const values = rows.map((row) => row.scores.get("match") ?? Number.NaN).filter((value) => !Number.isNaN(value));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const list: Diagnostic[] = [];
  if (report === undefined) {
    list.push({
      code: "UnfinishedRun",
      severity: "warning",
      message: `${name}: no final report; the run may not have finished.`,
      fix: "Treat the results as partial, or run the evaluation to its end.",
    });
  }
  if (!Number.isNaN(said) && values.length > 0 && Math.abs(said - mean) > REPORT_TOLERANCE) {
    list.push({
      code: "HeaderDiffers",
      severity: "warning",
      message: `${name}: the final report gives accuracy ${said}, the events give ${mean}.`,
      fix: "The events are used; check whether the file is complete.",
    });
  }
  return list;
}
