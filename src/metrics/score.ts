/** Scores of one or more systems as a result that prints, with their intervals (score-interval.ts).
 *  Limits: items, or the clusters that they lie in, are taken as independent. */

import { warning } from "../result/diagnostic.ts";
import type { Display } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { present } from "../result/present.ts";
import {
  type Diagnostic,
  makeResult,
  type Result,
  type ResultFields,
  type ResultJson,
  type Signature,
} from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";
import { type ItemStatistics, itemScores, jackknifeSe, sumRows } from "./metric.ts";
import { intervalOf, type ScoreInterval } from "./score-interval.ts";
import type { Flakiness } from "./tries/flaky.ts";

export interface ScoredSystem {
  readonly name: string;
  readonly statistics: ItemStatistics;
  readonly details?: ScoreDetails;
  /** Names of the items, for lists of item scores. */
  readonly items?: readonly string[];
  /** The values are shares of repeated noughts and ones. */
  readonly shares?: boolean;
  /** Of each item, from 0, where items lie in clusters. */
  readonly clusters?: Int32Array | undefined;
  /** Tries that each value is made of: their error and interval are published beside the score. */
  readonly tries?: number;
  /** Where it is not that of a mean over items: the posterior's. */
  readonly posterior?: { readonly sd: number; readonly ci: ScoreInterval };
}

export type ScoreDetails = Readonly<Record<string, number | readonly number[]>>;

export interface SystemScoreRow {
  readonly name: string;
  readonly score: number;
  /** Items that have a value. */
  readonly n: number;
  readonly missing: number;
  readonly ci?: ScoreInterval;
  readonly details: ScoreDetails;
}

export interface ItemScoreRow {
  readonly system: string;
  readonly item: string;
  readonly score: number;
}

export interface ScoreFields extends ResultFields {
  readonly metric: string;
  /** null: not known. */
  readonly higherIsBetter: boolean | null;
  /** How the metric was computed, in sacreBLEU's manner. */
  readonly metricSignature: string;
  readonly systems: readonly SystemScoreRow[];
  /** What n counts, where it is not items. */
  readonly units?: string;
  /** Where items lie in clusters: by which column, and in how many. */
  readonly clusters?: { readonly column: string; readonly levels: number };
  /** Only if asked for. */
  readonly items?: readonly ItemScoreRow[];
  /** Where answers that are right or wrong were repeated: which items a system gets right in some tries only. */
  readonly flakiness?: readonly Flakiness[];
}

export type ScoreResult = Result<"score"> & ScoreFields;

/** The parts of a metric, which stand beside its score. */
export interface ScoreParts {
  /** Of BLEU: per order of n-grams, in percent; brevity penalty; lengths. */
  readonly precisions?: readonly number[];
  readonly bp?: number;
  readonly ratio?: number;
  readonly sysLen?: number;
  readonly refLen?: number;
  readonly counts?: readonly number[];
  readonly totals?: readonly number[];
  /** Of chrF. */
  readonly precision?: number;
  readonly recall?: number;
  /** Of TER. */
  readonly edits?: number;
  /** Of pass@k, pass^k, maj@k and Bayes@N: standard error, interval, items and the most tries of one. */
  readonly se?: number;
  readonly lower?: number;
  readonly upper?: number;
  readonly items?: number;
  readonly repeats?: number;
  /** Of repeated tries that pass or fail: pass^1, pass^2, …: how often so many tries of an item all pass. */
  readonly passAll?: readonly number[];
}

export type SystemScoreJson = Omit<SystemScoreRow, "details"> & ScoreParts;

/** `signature` is the metric's, as in sacreBLEU; what repeats the run is under `run`. With one system its score and parts stand
 *  at the top as well. */
export interface ScoreJson
  extends Omit<ResultJson<"score">, "signature">,
    Partial<Omit<SystemScoreJson, "name" | "items">> {
  readonly signature: string;
  readonly run: Signature;
  readonly metric: string;
  /** null: not known. */
  readonly higherIsBetter: boolean | null;
  readonly system?: string;
  readonly systems: readonly SystemScoreJson[];
  readonly clusters?: ScoreFields["clusters"];
  /** With option `perItem` the score of each; of repeated tries otherwise how many there are. */
  readonly items?: number | readonly ItemScoreRow[];
  readonly flakiness?: readonly Flakiness[];
}

export interface ScoreReport {
  readonly data: string;
  readonly options: object;
  readonly diagnostics?: readonly Diagnostic[] | undefined;
  readonly confidence?: number | undefined;
  /** Also every item's own score. */
  readonly perItem?: boolean | undefined;
  /** What is counted; default: items. */
  readonly units?: string | undefined;
  readonly clusters?: ScoreFields["clusters"] | undefined;
  readonly flakiness?: readonly Flakiness[] | undefined;
  /** Also every item that flips between the tries of one system. */
  readonly details?: boolean | undefined;
}

export function reportScores(scored: readonly ScoredSystem[], report: ScoreReport): ScoreResult {
  const first = scored[0]?.statistics.metric;
  if (first === undefined || scored.some(({ statistics }) => statistics.n === 0)) {
    throw new StatError("NoRows", "there are no items to score.", "Give at least one item.");
  }
  const { confidence = 0.95, diagnostics = [], perItem = false, flakiness = [], details = false } = report;
  const systems = scored.map((system) => scoreSystem(system, confidence));
  const fields: ScoreFields = {
    metric: first.name,
    higherIsBetter: first.higherIsBetter,
    metricSignature: first.signature,
    systems,
    ...present({ units: report.units, clusters: report.clusters }),
    ...(perItem ? { items: scored.flatMap(listItems) } : {}),
    ...(flakiness.length === 0 ? {} : { flakiness }),
    signature: { method: "score", version: GOSSET_VERSION, options: report.options, data: report.data },
    diagnostics: [...diagnostics, ...systems.flatMap(undefinedScore)],
  };
  return makeResult("score", fields, { display: (own) => displayScores(own, details), json: scoreJson });
}

function scoreSystem(system: ScoredSystem, level: number): SystemScoreRow {
  const { name, statistics, details = {}, shares, clusters, tries, posterior } = system;
  const { metric, n: rows } = statistics;
  const sums = sumRows(statistics);
  const score = metric.scoreOf(sums);
  const n = metric.isMean ? sums[1]! : rows;
  const ci = posterior?.ci ?? (Number.isNaN(score) ? undefined : intervalOf(statistics, { level, shares, clusters }));
  const own = ci === undefined ? {} : { lower: ci.lower, upper: ci.upper };
  const se = posterior?.sd ?? (tries === undefined ? Number.NaN : jackknifeSe(statistics));
  const published = tries === undefined ? {} : { se, ...own, items: n, repeats: tries };
  return {
    name,
    score,
    n,
    missing: rows - n,
    details: { ...details, ...published },
    ...present({ ci }),
  };
}

function undefinedScore({ name, score, n }: SystemScoreRow): Diagnostic[] {
  if (!Number.isNaN(score)) return [];
  const why =
    n === 0 ? "no item has a value" : "its denominator is 0 (a class that never occurs or is never predicted)";
  return [warning("UndefinedScore", `the score of ${name} is undefined: ${why}.`, "Check the labels or the scores.")];
}

function listItems({ name, statistics, items }: ScoredSystem): ItemScoreRow[] {
  return Array.from(itemScores(statistics), (score, i) => ({ system: name, item: items?.[i] ?? String(i + 1), score }));
}

function displayScores(fields: ScoreFields, details: boolean): Display {
  const { metric, higherIsBetter, items, metricSignature } = fields;
  const notes = [`${directionOf(higherIsBetter)} Signature: ${metricSignature}`, ...tellIntervals(fields)];
  if (items !== undefined) {
    const rows = items.map(({ system, item, score }) => [system, item, score]);
    return { title: `Score by ${metric}, item by item`, tables: [{ head: ["system", "item", metric], rows }], notes };
  }
  return { title: titleOf(fields), tables: [systemTable(fields), ...flakyTables(fields, details)], notes };
}

/** How many items flip between tries, and with details which. */
function flakyTables({ flakiness = [] }: ScoreFields, details: boolean): Display["tables"] {
  if (flakiness.length === 0) return [];
  const counts = flakiness.map(({ system, items, always, never, flips }) => [system, items, always, never, flips]);
  const head = ["system", "items tried again", "always right", "never right", "flip"];
  const each = flakiness.flatMap(({ system, flaky }) =>
    flaky.map(({ item, right, tries }) => [system, item, right, tries, right / tries]),
  );
  return [
    {
      caption: `Items that one system gets right in some tries and wrong in others flip${details || each.length === 0 ? "" : "; option `details` lists them"}`,
      head,
      formats: ["text", "integer", "integer", "integer", "integer"],
      rows: counts,
    },
    ...(details && each.length > 0
      ? [
          {
            caption: "Items that flip, the most even first",
            head: ["system", "item", "right", "tries", "share right"],
            formats: ["text", "text", "integer", "integer", "percent"] as const,
            rows: each,
          },
        ]
      : []),
  ];
}

function tellIntervals({ systems, clusters, units = "items" }: ScoreFields): string[] {
  const own = systems.flatMap(({ ci }) => ci ?? []);
  const methods = [...new Set(own.map(({ method }) => method))].join(" or ");
  const grouped =
    clusters === undefined ? units : `the ${clusters.levels} levels of ${clusters.column} that ${units} lie in`;
  return own.length === 0
    ? []
    : [`Intervals: ${methods}, ${100 * own[0]!.level}%; ${grouped} are assumed to be independent.`];
}

const directionOf = (higherIsBetter: boolean | null): string =>
  higherIsBetter === null
    ? "Gosset does not know whether higher is better: option `higherIsBetter` or option `higherIsBetter: false` does."
    : `${higherIsBetter ? "Higher" : "Lower"} is better.`;

function titleOf({ metric, systems, units = "items" }: ScoreFields): string {
  const counts = new Set(systems.map(({ n }) => n));
  const items = counts.size === 1 ? `, ${systems[0]!.n} ${systems[0]!.n === 1 ? units.replace(/s$/, "") : units}` : "";
  return `Score by ${metric}: ${systems.length === 1 ? systems[0]!.name : `${systems.length} systems`}${items}`;
}

function systemTable({ metric, systems }: ScoreFields): Display["tables"][number] {
  const withCi = systems.some(({ ci }) => ci !== undefined);
  const sizes = new Set(systems.map(({ n }) => n)).size > 1;
  const missing = systems.some((system) => system.missing > 0);
  const details = Object.entries(systems[0]!.details).filter(([key]) => SHOWN[key] !== undefined);
  const head = ["system", metric, ...(withCi ? ["lower", "upper"] : []), ...(sizes || missing ? ["n"] : [])];
  if (missing) head.push("missing");
  for (const [key, value] of details) head.push(...detailHead(key, value));
  const rows = systems.map((system) => {
    const row: (string | number)[] = [system.name, system.score];
    if (withCi) row.push(system.ci?.lower ?? "", system.ci?.upper ?? "");
    if (sizes || missing) row.push(system.n);
    if (missing) row.push(system.missing);
    for (const [key] of details) row.push(...[system.details[key]!].flat());
    return row;
  });
  return { head, rows };
}

/** Parts of scores that fit into the printed table, by their heads. */
const SHOWN: Readonly<Record<string, string>> = {
  precisions: "p",
  bp: "BP",
  ratio: "ratio",
  precision: "precision",
  recall: "recall",
  edits: "edits",
  refLen: "ref. words",
  refChars: "ref. characters",
  passAll: "pass^",
};

function detailHead(key: string, value: number | readonly number[]): string[] {
  return typeof value === "number" ? [SHOWN[key]!] : value.map((_, k) => `${SHOWN[key]}${k + 1}`);
}

function scoreJson(result: ScoreFields): Omit<ScoreJson, Exclude<keyof ResultJson, "signature"> | "run"> {
  const { metric, higherIsBetter, metricSignature, items, flakiness, clusters } = result;
  const systems = result.systems.map(({ details, ...own }): SystemScoreJson => ({ ...own, ...details }));
  const { name: system, ...top } = systems[0]!;
  return {
    metric,
    higherIsBetter,
    signature: metricSignature,
    ...(systems.length === 1 ? { system, ...top } : {}),
    systems,
    ...present({ clusters, items, flakiness }),
  };
}
