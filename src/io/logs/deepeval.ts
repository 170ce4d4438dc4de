/** DeepEval's test runs: .deepeval/.latest_test_run.json ({"testRunData": run}), .latest_run_full.json and the files of a results folder (run):
 *    {"testCases": [{"name", "input", "success", "metricsData": [{"name", "score", "threshold", "success", "evaluationModel", "error"}]}],
 *     "conversationalTestCases": […], "identifier", "hyperparameters": {"model"}}
 *  A test case is an item; it succeeds if every metric passes its threshold. A metric that ended in an error has no score.
 *  Under pytest all cases of a function share its name: the input then says which is which.
 *  Which way a metric counts follows from its own verdicts: success at or above the threshold, or at or below it.
 *  Reference: the modules deepeval.test_run and deepeval.tracing. */

import type { Imported } from "../../data/imported.ts";
import { StatError } from "../../result/error.ts";
import { countOf } from "../detect.ts";
import { asArray, asNumber, asText, canonicalText, getPath, hasKeys, type JsonObject } from "../json/value.ts";
import type { Opened } from "../open.ts";
import { namesByPath } from "./lines.ts";
import { type LongRow, makeLongTable } from "./long-table.ts";
import { Losses } from "./losses.ts";

const SUCCESS = "success";
/** What DeepEval itself calls its files and folders: no names of systems. */
const OWN_NAMES = /^\.?(deepeval|latest_test_run|latest_run_full|test_run|results)$/i;

interface Case {
  readonly name: string;
  readonly content: string;
  readonly value: JsonObject;
}

interface Run {
  readonly file: string;
  readonly run: unknown;
  readonly cases: readonly Case[];
}

interface MetricFacts {
  readonly thresholds: Set<number>;
  readonly judges: Set<string>;
  /** Whether every verdict seen agrees with "passes at or above" and with "passes at or below". */
  above: boolean;
  below: boolean;
}

const casesOf = (run: unknown): readonly unknown[] => [
  ...asArray(getPath(run, "testCases")),
  ...asArray(getPath(run, "conversationalTestCases")),
];

export function importDeepeval(opened: readonly Opened[]): Imported {
  const runs = withoutCopies(opened.flatMap(readRun));
  refuseLinks(opened, runs);
  const losses = new Losses();
  const facts = new Map<string, MetricFacts>();
  const systems = nameSystems(runs);
  const shared = sharedNames(runs);
  const rows = runs.flatMap(({ cases, file }, k) => {
    const seen = new Map<string, number>();
    return cases.map((own): LongRow => {
      const key = JSON.stringify([own.name, own.content]);
      const repeat = (seen.get(key) ?? 0) + 1;
      seen.set(key, repeat);
      const number = shared.get(own.name)?.get(own.content);
      return {
        system: systems[k]!,
        item: number === undefined ? own.name : `${own.name} ${number}`,
        repeat,
        content: own.content,
        scores: readScores(own.value, facts, (metric) => losses.add("MetricErrors", `${file}, ${own.name}, ${metric}`)),
      };
    });
  });
  const again = rows.some(({ repeat }) => repeat !== 1);
  const items = new Set(rows.map(({ item }) => item)).size;
  return makeLongTable(again ? rows : rows.map(({ repeat: _, ...row }) => row), {
    format: "deepeval",
    files: runs.map(({ file }) => file),
    summary: `DeepEval: ${countOf(runs.length, "test run")} of ${countOf(items, "test case")}.`,
    repeatName: "run",
    higherIsBetter: directions(facts),
    mainMetrics: [SUCCESS, ...facts.keys()],
    assumptions: [
      "The score success says whether a test case passed all its metrics, as DeepEval counts it.",
      ...tellMetrics(facts),
      ...(shared.size === 0 ? [] : ["Several test cases have one name: their inputs distinguish them."]),
      ...(again ? ["Test cases of one name and input within a run are repeated runs."] : []),
    ],
    diagnostics: losses.diagnostics({
      MetricErrors: {
        what: "metrics have no score, because the judge failed or was not run",
        fix: "Their scores are missing, not 0. Run these test cases again.",
      },
    }),
  });
}

function readRun(opened: Opened): Run[] {
  if (opened.kind !== "json") return [];
  const run = getPath(opened.value, "testRunData") ?? opened.value;
  const cases = casesOf(run).flatMap((value, i): Case[] => {
    const part = hasKeys(value) ? value : {};
    const content = canonicalText([part["input"], part["scenario"], part["expectedOutput"]]);
    return [{ name: asText(part["name"]) ?? `test_case_${i}`, content, value: part }];
  });
  return cases.length === 0 ? [] : [{ file: opened.file.name, run, cases }];
}

/** .latest_test_run.json and .latest_run_full.json of one folder are the same run. */
function withoutCopies(runs: readonly Run[]): Run[] {
  const full = runs.filter(({ file }) => /\.latest_run_full\.json$/.test(file));
  const copies = new Set(full.map(({ file }) => file.replace(/run_full\.json$/, "test_run.json")));
  return runs.filter(({ file }) => !copies.has(file));
}

function refuseLinks(opened: readonly Opened[], runs: readonly Run[]): void {
  if (runs.length > 0) return;
  const linked = opened.find((file) => file.kind === "json" && hasKeys(file.value, "testRunLink"));
  if (linked === undefined) return;
  throw new StatError(
    "NoRows",
    `${linked.file.name} holds a link to a test run and no results.`,
    "Run DeepEval with DEEPEVAL_RESULTS_FOLDER set and give the file that it writes there.",
  );
}

/** The run's own name, else its model, where that tells all runs apart; else the path. */
function nameSystems(runs: readonly Run[]): readonly string[] {
  for (const path of [["identifier"], ["hyperparameters", "model"]]) {
    const names = runs.map(({ run }) => asText(getPath(run, ...path)));
    if (names.every((name) => name !== undefined) && new Set(names).size === runs.length) return names;
  }
  return namesByPath(
    runs.map(({ file }) => file),
    OWN_NAMES,
  );
}

/** Names that stand for several inputs within one run; their inputs are numbered over all runs, so that equal inputs are one item. */
function sharedNames(runs: readonly Run[]): Map<string, Map<string, number>> {
  const shared = new Set<string>();
  for (const { cases } of runs) {
    const first = new Map<string, string>();
    for (const { name, content } of cases) {
      if (first.has(name) && first.get(name) !== content) shared.add(name);
      else first.set(name, content);
    }
  }
  const numbers = new Map<string, Map<string, number>>();
  for (const { name, content } of runs.flatMap(({ cases }) => cases)) {
    if (!shared.has(name)) continue;
    const own = numbers.get(name) ?? new Map<string, number>();
    numbers.set(name, own);
    if (!own.has(content)) own.set(content, own.size + 1);
  }
  return numbers;
}

function readScores(
  value: JsonObject,
  facts: Map<string, MetricFacts>,
  onError: (metric: string) => void,
): Map<string, number> {
  const scores = new Map<string, number>([[SUCCESS, asNumber(value["success"])]]);
  for (const part of asArray(value["metricsData"] ?? value["metricsMetadata"])) {
    const name = asText(getPath(part, "name") ?? getPath(part, "metric"));
    if (name === undefined) continue;
    const score = asNumber(getPath(part, "score"));
    scores.set(name, score);
    if (Number.isNaN(score)) onError(name);
    addFacts(facts, name, part, score);
  }
  return scores;
}

function addFacts(facts: Map<string, MetricFacts>, name: string, part: unknown, score: number): void {
  const own = facts.get(name) ?? { thresholds: new Set(), judges: new Set(), above: true, below: true };
  facts.set(name, own);
  const judge = asText(getPath(part, "evaluationModel"));
  if (judge !== undefined) own.judges.add(judge);
  const threshold = asNumber(getPath(part, "threshold") ?? getPath(part, "minimumScore"));
  if (Number.isNaN(threshold)) return;
  own.thresholds.add(threshold);
  const success = getPath(part, "success");
  if (typeof success !== "boolean" || Number.isNaN(score)) return;
  if (success !== score >= threshold) own.above = false;
  if (success !== score <= threshold) own.below = false;
}

const directions = (facts: ReadonlyMap<string, MetricFacts>): Map<string, boolean> =>
  new Map([
    [SUCCESS, true],
    ...[...facts].flatMap(([name, { above, below }]) => (above === below ? [] : [[name, above] as const])),
  ]);

function tellMetrics(facts: ReadonlyMap<string, MetricFacts>): string[] {
  const judges = new Set([...facts.values()].flatMap((own) => [...own.judges]));
  const told = [...facts].flatMap(([name, { thresholds, above, below }]) =>
    thresholds.size === 0
      ? []
      : [`${name} ${above === below ? "has the threshold" : above ? "≥" : "≤"} ${[...thresholds].join(", ")}`],
  );
  return [
    ...(told.length === 0 ? [] : [`Thresholds: ${told.join("; ")}.`]),
    ...(judges.size === 0 ? [] : [`Judge: ${[...judges].join(", ")}.`]),
  ];
}
