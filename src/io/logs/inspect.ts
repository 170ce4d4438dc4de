/** Inspect logs → long table: one row per sample and epoch, one column per scorer (or per entry of a dictionary score).
 *  Letters as Inspect's own accuracy counts them: C = 1, P = 0.5, I = 0, N (no answer) = 0.
 *  A sample that failed, or that a scorer left without a value, keeps its row with a missing score. */

import type { Imported } from "../../data/imported.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import { metricDirection } from "../../study/lexicon/metrics.ts";
import type { Cell } from "../columns.ts";
import { flattenSettings } from "../json/nested-settings.ts";
import { asArray, asNumber, asObject, asText, canonicalText, getPath, isObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { type InspectLog, readInspectLog } from "./inspect-log.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

/** Longest text that may be a category; longer metadata is content, not a property. */
const MAX_PROPERTY_LENGTH = 100;
/** The header's figure and ours come from the same numbers in another order of summation. */
const HEADER_TOLERANCE = 1e-6;

export function importInspect(opened: readonly Opened[]): Imported {
  const logs = opened.map(readInspectLog);
  const losses = new Losses();
  const letters: LettersSeen = new Set();
  const runs = nameRuns(logs);
  const higher = new Map<string, boolean>();
  const diagnostics: Diagnostic[] = [];
  const rows = runs.flatMap((run) => {
    const own = readRows(run, losses, letters);
    // a share of "correct" is wanted; a mean of numbers is what their name says
    for (const name of accuracyScorers(run.log))
      if (letters.has(name) || metricDirection(name) !== false) higher.set(name, true);
    diagnostics.push(...checkLog(run, own));
    return own;
  });
  const assumptions = [
    ...(letters.size > 0 ? ["Letter grades count as Inspect counts them: C = 1, P = 0.5, I = 0, N = 0."] : []),
    ...runs.flatMap((run) => run.assumptions),
  ];
  return makeLongTable(rows, {
    format: "inspect",
    files: logs.map((log) => log.name),
    summary: summarise(runs, rows),
    repeatName: "epoch",
    higherIsBetter: higher,
    settings: runs.map(({ log, system, task }) => ({
      system,
      model: modelOf(log),
      task,
      values: flattenSettings(toldSettings(log)),
    })),
    assumptions,
    diagnostics: [
      ...diagnostics,
      ...losses.diagnostics({
        ErroredSamples: {
          what: "samples ended in an error",
          fix: "Their scores are missing, not 0. Rerun them, or say how they count.",
        },
        UnscoredSamples: {
          what: "samples have no score",
          fix: "They are missing, not 0. Run the scorer (inspect score) and import again.",
        },
        UnreadableScores: {
          what: "score values are neither numbers nor C, I, P, N",
          fix: "They are missing. Score with numbers or letters.",
        },
        NotASample: { what: "entries are not samples", fix: "They were skipped; the log may be damaged." },
      }),
    ],
  });
}

interface Run {
  readonly log: InspectLog;
  readonly system: string;
  readonly task: string;
  /** Epochs of earlier runs of the same system on the same task. */
  readonly epochsBefore: number;
  readonly assumptions: readonly string[];
}

/** A model that was run twice in the same way gives repeats; with other settings it is another system. */
function nameRuns(logs: readonly InspectLog[]): Run[] {
  const earlier = new Map<string, { runs: number; epochs: Map<string, number> }>();
  const byTime = [...logs].sort((a, b) => (createdAt(a) < createdAt(b) ? -1 : createdAt(a) > createdAt(b) ? 1 : 0));
  return byTime.map((log) => {
    const model = modelOf(log);
    const task = asText(getPath(log.header, "eval", "task")) ?? "task";
    const key = JSON.stringify([model, task]);
    const same = earlier.get(key) ?? { runs: 0, epochs: new Map<string, number>() };
    earlier.set(key, same);
    const settings = canonicalText(settingsOf(log));
    const epochs = log.samples.reduce<number>(
      (most, sample) => Math.max(most, asNumber(getPath(sample, "epoch")) || 1),
      1,
    );
    const epochsBefore = same.epochs.get(settings);
    same.runs += 1;
    same.epochs.set(settings, (epochsBefore ?? 0) + epochs);
    if (epochsBefore !== undefined) {
      return {
        log,
        system: model,
        task,
        epochsBefore,
        assumptions: [`${log.name} is a further run of ${model} on ${task}; its epochs are numbered on.`],
      };
    }
    if (same.runs === 1) return { log, system: model, task, epochsBefore: 0, assumptions: [] };
    const system = `${model} (${same.runs})`;
    return {
      log,
      system,
      task,
      epochsBefore: 0,
      assumptions: [
        `${log.name} ran ${model} on ${task} with other settings and counts as another system, "${system}".`,
      ],
    };
  });
}

const modelOf = (log: InspectLog): string => asText(getPath(log.header, "eval", "model")) ?? log.name;

/** ISO 8601 sorts as text. */
function createdAt(log: InspectLog): string {
  return asText(getPath(log.header, "eval", "created")) ?? "";
}

function settingsOf(log: InspectLog): unknown {
  const spec = getPath(log.header, "eval");
  const steps = getPath(log.header, "plan", "steps");
  return ["task_args", "model_args", "model_generate_config", "solver", "solver_args"]
    .map((key) => getPath(spec, key) ?? {})
    .concat([steps]);
}

/** What a reader would call them; epochs and samples show in the rows. */
function toldSettings(log: InspectLog): unknown {
  const spec = getPath(log.header, "eval");
  const steps = asArray(getPath(log.header, "plan", "steps"));
  return {
    task_version: getPath(spec, "task_version"),
    dataset: getPath(spec, "dataset", "name"),
    solver:
      getPath(spec, "solver") ??
      (steps.length === 0 ? undefined : steps.map((step) => getPath(step, "solver")).join(" → ")),
    solver_args: getPath(spec, "solver_args"),
    solver_params: steps
      .map((step) => getPath(step, "params"))
      .filter((params) => Object.keys(asObject(params)).length > 0),
    task_args: getPath(spec, "task_args"),
    model_args: getPath(spec, "model_args"),
    plan: getPath(log.header, "plan", "config"),
    model_generate_config: getPath(spec, "model_generate_config"),
    limits: Object.fromEntries(
      ["message_limit", "token_limit", "time_limit", "working_limit"].map((key) => [key, getPath(spec, "config", key)]),
    ),
    inspect_ai: getPath(spec, "packages", "inspect_ai"),
  };
}

function readRows(run: Run, losses: Losses, letters: LettersSeen): LongRow[] {
  const scorers = asArray(getPath(run.log.header, "eval", "scorers")).flatMap(
    (scorer) => asText(getPath(scorer, "name")) ?? [],
  );
  const samples = run.log.samples.length > 0 ? run.log.samples : fromReductions(run.log);
  return samples.flatMap((sample, i) => {
    const id = asText(getPath(sample, "id"));
    if (id === undefined) {
      losses.add("NotASample", `${run.log.name}: entry ${i + 1}`);
      return [];
    }
    const where = `${run.task}, sample ${id}`;
    const scores = readScores(
      getPath(sample, "scores"),
      (value) => losses.add("UnreadableScores", `${where}: ${value}`),
      letters,
    );
    for (const scorer of scorers) if (scores.size === 0) scores.set(scorer, Number.NaN);
    const failed = getPath(sample, "error");
    const unscored = [...scores.values()].every(Number.isNaN);
    if (failed !== undefined && failed !== null) losses.add("ErroredSamples", where);
    else if (unscored) losses.add("UnscoredSamples", where);
    const epoch = asNumber(getPath(sample, "epoch"));
    return [
      {
        system: run.system,
        task: run.task,
        item: id,
        repeat: (Number.isNaN(epoch) ? 1 : epoch) + run.epochsBefore,
        content: contentOf(sample),
        scores,
        properties: readProperties(sample),
      },
    ];
  });
}

/** Logs without samples may still hold the scores reduced over epochs. */
function fromReductions(log: InspectLog): unknown[] {
  const byId = new Map<string, Map<string, unknown>>();
  for (const reduction of log.reductions) {
    const scorer = asText(getPath(reduction, "scorer")) ?? "score";
    for (const sample of asArray(getPath(reduction, "samples"))) {
      const id = asText(getPath(sample, "sample_id"));
      if (id === undefined) continue;
      const scores = byId.get(id) ?? new Map<string, unknown>();
      byId.set(id, scores.set(scorer, sample));
    }
  }
  // made of entries, a scorer called __proto__ is a key like any other
  return [...byId].map(([id, scores]) => ({ id, epoch: 1, scores: Object.fromEntries(scores) }));
}

function contentOf(sample: unknown): string | undefined {
  const input = getPath(sample, "input");
  // Summaries cut long inputs off; the start is enough to tell questions apart and equal in both forms.
  return input === undefined ? undefined : canonicalText(input).slice(0, 200);
}

function readProperties(sample: unknown): Map<string, Cell> {
  const properties = new Map<string, Cell>();
  for (const [key, value] of Object.entries(asObject(getPath(sample, "metadata")))) {
    const short = typeof value === "string" && value.length <= MAX_PROPERTY_LENGTH;
    if (short || typeof value === "number" || typeof value === "boolean") properties.set(key, value);
  }
  const started =
    asText(getPath(sample, "started_at")) ?? asText(getPath(asArray(getPath(sample, "events"))[0], "timestamp"));
  if (started !== undefined && !properties.has("started_at")) properties.set("started_at", started);
  const limit = getPath(sample, "limit");
  const reached = asText(limit) ?? asText(getPath(limit, "type"));
  if (reached !== undefined) properties.set("limit", reached);
  return properties;
}

function accuracyScorers(log: InspectLog): string[] {
  return asArray(getPath(log.header, "results", "scores")).flatMap((score) =>
    isObject(getPath(score, "metrics", "accuracy")) ? (asText(getPath(score, "name")) ?? []) : [],
  );
}

/** A log that was not finished, lacks samples, or whose own accuracy is not the mean of its samples. */
function checkLog(run: Run, rows: readonly LongRow[]): Diagnostic[] {
  const list: Diagnostic[] = [];
  const { header, name } = run.log;
  const status = asText(getPath(header, "status")) ?? (run.log.closed ? "unknown" : "started");
  if (status !== "success") {
    list.push({
      code: "UnfinishedRun",
      severity: "warning",
      message: `${name}: the run's status is "${status}"; it holds ${rows.length} samples.`,
      fix: "Finish the run (inspect eval-retry), or treat the results as partial.",
    });
  }
  const total = asNumber(getPath(header, "results", "total_samples"));
  if (total > rows.length) {
    list.push({
      code: "MissingSamples",
      severity: "warning",
      message: `${name}: the header counts ${total} samples, the log holds ${rows.length}.`,
      fix: "Log all samples; those that are missing count neither as passed nor as failed.",
    });
  }
  const means = meansOfItems(rows);
  for (const score of asArray(getPath(header, "results", "scores"))) {
    const scorer = asText(getPath(score, "name")) ?? "";
    const reducer = asText(getPath(score, "reducer")) ?? "mean";
    const said = asNumber(getPath(score, "metrics", "accuracy", "value"));
    const found = means.get(scorer) ?? Number.NaN;
    if (reducer !== "mean" || Number.isNaN(said) || Number.isNaN(found) || Math.abs(said - found) <= HEADER_TOLERANCE)
      continue;
    list.push({
      code: "HeaderDiffers",
      severity: "warning",
      message: `${name}: the header gives ${scorer} accuracy ${said}, the samples give ${found}.`,
      fix: "The samples are used; check whether the log was edited or scored again.",
    });
  }
  return list;
}

/** Mean over items of the mean over epochs, scored samples only: Inspect's accuracy under the "mean" reducer. */
function meansOfItems(rows: readonly LongRow[]): Map<string, number> {
  const metrics = new Map<string, Map<string, { sum: number; count: number }>>();
  for (const row of rows) {
    for (const [metric, value] of row.scores) {
      if (Number.isNaN(value)) continue;
      const items = metrics.get(metric) ?? new Map<string, { sum: number; count: number }>();
      metrics.set(metric, items);
      const item = items.get(row.item) ?? { sum: 0, count: 0 };
      items.set(row.item, { sum: item.sum + value, count: item.count + 1 });
    }
  }
  const meanOf = (items: ReadonlyMap<string, { sum: number; count: number }>): number => {
    let total = 0;
    for (const { sum, count } of items.values()) total += sum / count;
    return total / items.size;
  };
  return new Map([...metrics].map(([metric, items]) => [metric, meanOf(items)]));
}

function summarise(runs: readonly Run[], rows: readonly LongRow[]): string {
  const tasks = [...new Set(runs.map((run) => run.task))];
  const systems = [...new Set(runs.map((run) => run.system))];
  const logs = runs.length === 1 ? "An Inspect log" : `${runs.length} Inspect logs`;
  return `${logs} of ${listNames(tasks)} with ${listNames(systems)}: ${rows.length} scored or attempted samples.`;
}

const LETTERS = new Map([
  ["C", 1],
  ["I", 0],
  ["P", 0.5],
  ["N", 0],
]);
const WORDS = new Map([
  ["yes", 1],
  ["true", 1],
  ["no", 0],
  ["false", 0],
]);

/** Scores that had letter grades, whose meaning can then be stated. */
type LettersSeen = Set<string>;

/** A score is a number, a letter, a boolean, a list (scorer.1, scorer.2, …) or a dictionary (scorer.key); one number per metric. */
function readScores(value: unknown, onUnreadable: (value: string) => void, letters: LettersSeen): Map<string, number> {
  const scores = new Map<string, number>();
  const set = (name: string, part: unknown): void => {
    const number = readValue(part);
    if (typeof part === "string" && LETTERS.has(part)) letters.add(name);
    if (number === undefined) onUnreadable(canonicalText(part).slice(0, 40));
    scores.set(name, number ?? Number.NaN);
  };
  for (const [scorer, score] of Object.entries(asObject(value))) {
    const found = isObject(score) && Object.hasOwn(score, "value") ? score["value"] : score;
    if (Array.isArray(found))
      found.forEach((part, i) => {
        set(`${scorer}.${i + 1}`, part);
      });
    else if (isObject(found)) for (const [key, part] of Object.entries(found)) set(`${scorer}.${key}`, part);
    else set(scorer, found);
  }
  return scores;
}

/** undefined: a value that is no score. Null and NaN mean "not scored". */
function readValue(value: unknown): number | undefined {
  if (value === null || value === undefined) return Number.NaN;
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  if (typeof value !== "string") return undefined;
  const letter = LETTERS.get(value);
  if (value.toLowerCase() === "nan") return Number.NaN;
  const number = value.trim() === "" ? Number.NaN : Number(value);
  return letter ?? WORDS.get(value.toLowerCase()) ?? (Number.isFinite(number) ? number : undefined);
}
