/** Results of MTEB, one file a model and task:
 *    {"task_name": …, "scores": {"test": [{"hf_subset": "de", "languages": ["deu-Latn"], "main_score": 0.71, …}, …]}}
 *    {"mteb_dataset_name": …, "test": {"de": {"main_score": …}}}      (before version 1.12; without subsets the scores stand under the split)
 *  The item is a task in a language (a subset): that is what all models have in common; main_score is the measure that the task names.
 *  The folder above the revision, or the only one that differs, names the model. Of several splits the test split counts. */

import type { Imported } from "../../data/imported.ts";
import { listNames } from "../../result/quote.ts";
import { countOf } from "../detect.ts";
import { asArray, asNumber, asObject, asText, getPath, hasKeys, isObject, type JsonObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { stemOf } from "./lines.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const SPLITS = ["test", "validation", "dev"];

interface Part {
  readonly subset: string;
  readonly languages: string;
  readonly values: JsonObject;
}

export function importMteb(opened: readonly Opened[]): Imported {
  const losses = new Losses();
  const models = nameModels(opened.map(({ file }) => file.name));
  const splits = new Set<string>();
  const rows = opened.flatMap((file, k): LongRow[] => {
    const value = file.kind === "json" ? file.value : undefined;
    const task = asText(getPath(value, "task_name")) ?? asText(getPath(value, "mteb_dataset_name"));
    if (task === undefined) return [];
    const { split, parts } = readParts(value);
    splits.add(split);
    return parts.map(({ subset, languages, values }): LongRow => {
      const score = mainScore(values);
      if (Number.isNaN(score)) losses.add("NoMainScore", `${file.file.name}, ${subset}`);
      return {
        system: models[k]!,
        item: parts.length > 1 ? `${task} ${subset}` : task,
        scores: new Map([["main_score", score]]),
        properties: new Map([
          ["dataset", task],
          ["subset", subset],
          ["languages", languages],
        ]),
      };
    });
  });
  const tasks = new Set(rows.map(({ properties }) => properties?.get("dataset"))).size;
  return makeLongTable(rows, {
    format: "mteb",
    files: opened.map(({ file }) => file.name),
    summary: `MTEB results: ${countOf(tasks, "task")}, ${countOf(rows.length, "score")}.`,
    higherIsBetter: new Map([["main_score", true]]),
    mainMetrics: ["main_score"],
    fixedRoles: { cluster: "dataset" },
    assumptions: [
      "Each task in each of its languages is an item; main_score is the measure that the task names.",
      ...(splits.size > 1 || !splits.has("test") ? [`Splits read: ${listNames([...splits])}.`] : []),
    ],
    diagnostics: losses.diagnostics({
      NoMainScore: { what: "results have no main score", fix: "They are missing; evaluate the task again." },
    }),
  });
}

/** One split: the test split, else the first there is. */
function readParts(value: unknown): { readonly split: string; readonly parts: readonly Part[] } {
  const all = isObject(getPath(value, "scores")) ? asObject(getPath(value, "scores")) : asObject(value);
  const split = SPLITS.find((name) => name in all) ?? Object.keys(all)[0] ?? "";
  const found = all[split];
  if (Array.isArray(found)) {
    const parts = asArray(found).map((entry) => ({
      subset: asText(getPath(entry, "hf_subset")) ?? "default",
      languages: asArray(getPath(entry, "languages")).join(" "),
      values: asObject(entry),
    }));
    return { split, parts };
  }
  const subsets = Object.entries(asObject(found)).filter(([, part]) => hasKeys(part, "main_score"));
  if (subsets.length > 0)
    return { split, parts: subsets.map(([subset, part]) => ({ subset, languages: subset, values: asObject(part) })) };
  return { split, parts: [{ subset: "default", languages: "", values: asObject(found) }] };
}

/** Before version 1.1 files had no main score: then those that the tasks of that time named. */
function mainScore(values: JsonObject): number {
  const paths = [
    ["main_score"],
    ["cos_sim", "spearman"],
    ["accuracy"],
    ["ndcg_at_10"],
    ["map"],
    ["v_measure"],
    ["cos_sim", "ap"],
  ];
  const found = paths.map((path) => asNumber(getPath(values, ...path))).find((score) => !Number.isNaN(score));
  return found ?? Number.NaN;
}

/** results/<model>/<revision>/<task>.json, or any folder that tells models apart. */
function nameModels(names: readonly string[]): string[] {
  const folders = names.map((name) => name.split(/[/\\]/).slice(0, -1));
  const models = folders.map((path) => {
    const revised = /^([0-9a-f]{16,}|no_revision_available|external|\d+)$/.test(path.at(-1) ?? "");
    return (revised ? path.at(-2) : path.at(-1)) ?? "";
  });
  return models.map((model, i) => (model === "" ? stemOf(names[i]!) : model));
}
