/** Predicted against right labels: F1, precision, recall, MCC, balanced accuracy of several systems on the same items; which columns hold
 *  the labels, and predictions side by side as one long table. */

import { fingerprint } from "../../data/fingerprint.ts";
import type { Roles } from "../../data/imported.ts";
import { pivotLonger } from "../../data/reshape.ts";
import { column, factorColumn, selectColumns, type Table, withColumn } from "../../data/table.ts";
import type { MetricChoice } from "../../metrics/catalogue.ts";
import { listClasses } from "../../metrics/labels.ts";
import { type ItemStatistics, itemScores } from "../../metrics/metric.ts";
import { cellTexts, type LabelOptions, labelStatistics, rowsBySystem } from "../../metrics/score-table.ts";
import { StatError } from "../../result/error.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { compareItems } from "./by-items.ts";
import { type Merged, requireColumn } from "./columns.ts";
import type { ComparedItems, CompareOptions, Comparison, PairwiseOptions } from "./comparison.ts";
import type { UnmatchedItems } from "./matching/matching.ts";
import type { ItemTexts } from "./pair/differing.ts";
import { groupTexts } from "./texts.ts";

export interface LabelColumns {
  readonly system: string;
  readonly item: string;
  readonly gold: string;
  readonly predicted: string;
  readonly cluster?: string;
}

export interface CompareLabelOptions extends PairwiseOptions {
  readonly systems: readonly string[];
  readonly metric: Extract<MetricChoice, { kind: "labels" }>;
  readonly labels?: LabelOptions | undefined;
  /** Keeps the labels, for the list of items that differ. */
  readonly texts?: boolean | undefined;
}

/** One label counts in F1, precision and recall of that label alone. */
function checkPositive({ name, average = "binary" }: CompareLabelOptions["metric"], { positive }: LabelOptions): void {
  if (positive === undefined || (["f1", "precision", "recall"].includes(name) && average === "binary")) return;
  const whole = average === "binary" ? name : `${average}-${name}`;
  throw new StatError(
    "BadOption",
    `option \`positive\` has no effect with ${whole}.`,
    "Leave it out, or ask for f1, precision or recall.",
  );
}

export function compareLabels(table: Table, columns: LabelColumns, options: CompareLabelOptions): Comparison {
  const { systems, metric, labels = {}, texts = false, rng, onProgress: _, ...choices } = options;
  checkPositive(metric, labels);
  const items = cellTexts(column(table, columns.item));
  const gold = cellTexts(column(table, columns.gold));
  const predicted = cellTexts(column(table, columns.predicted));
  const groups = rowsBySystem(table, columns.system);
  const usable = (row: number): boolean => items[row] !== null && gold[row] !== null && predicted[row] !== null;
  const bySystem = systems.map((name) => rowsByItem(name, (groups.get(name) ?? []).filter(usable), items));
  const all = new Set(bySystem.flatMap((rows) => [...rows.keys()]));
  const shared = [...all].filter((item) => bySystem.every((rows) => rows.has(item)));
  if (shared.length === 0) {
    throw new StatError(
      "NothingMatches",
      "no item has labels from every system.",
      "Check option `item`, option `gold` and option `pred`.",
    );
  }
  const classes = listClasses([gold.filter((v) => v !== null), predicted.filter((v) => v !== null)]);
  const statistics: ItemStatistics[] = bySystem.map((rows) => {
    const of = (cells: readonly (string | null)[]): (string | null)[] => shared.map((item) => cells[rows.get(item)!]!);
    const own = { gold: of(gold), predicted: of(predicted) };
    return labelStatistics(metric.name, own, {
      ...labels,
      ...(metric.average ? { average: metric.average } : {}),
      labels: classes,
    });
  });
  const cluster = columns.cluster === undefined ? undefined : cellTexts(column(table, columns.cluster));
  const used = Object.values(columns).filter((name) => name !== undefined);
  const first = statistics[0]!.metric;
  return compareItems(
    {
      systems,
      metric: first.name,
      higherIsBetter: first.higherIsBetter,
      metricSignature: first.signature,
      data: first.isMean ? scoresOf(shared, statistics) : { kind: "statistics", items: shared, statistics },
      perItem: Float64Array.from({ length: shared.length * systems.length }, (_, k) => {
        const row = bySystem[Math.floor(k / shared.length)]!.get(shared[k % shared.length]!)!;
        return gold[row] === predicted[row] ? 1 : 0;
      }),
      ...(texts ? { texts: labelTexts(columns, { systems, shared, bySystem, gold, predicted }) } : {}),
      ...(cluster === undefined
        ? {}
        : { clusters: groupTexts(shared.map((item) => cluster[bySystem[0]!.get(item)!] ?? "")) }),
      unmatched: systems.flatMap((system, s): UnmatchedItems[] => {
        const lacking = [...all].filter((item) => !bySystem[s]!.has(item));
        if (lacking.length === 0) return [];
        return [{ system, missing: lacking.length, unscored: 0, examples: lacking.slice(0, 3) }];
      }),
      itemsLost: all.size - shared.length,
      signature: {
        method: "comparison",
        version: GOSSET_VERSION,
        options: { columns, metric: first.signature, systems, ...choices },
        data: fingerprint(selectColumns(table, used)),
        ...(rng === undefined ? {} : { seed: rng.seed }),
      },
    },
    options,
  );
}

/** What was right, and what each system said. */
function labelTexts(
  columns: LabelColumns,
  {
    systems,
    shared,
    bySystem,
    gold,
    predicted,
  }: {
    readonly systems: readonly string[];
    readonly shared: readonly string[];
    readonly bySystem: readonly ReadonlyMap<string, number>[];
    readonly gold: readonly (string | null)[];
    readonly predicted: readonly (string | null)[];
  },
): ItemTexts {
  const of = (cells: readonly (string | null)[], s: number): Map<string, string> =>
    new Map(shared.map((item) => [item, cells[bySystem[s]!.get(item)!] ?? ""]));
  return {
    given: new Map([[columns.gold, of(gold, 0)]]),
    said: new Map([["label", new Map(systems.map((name, s) => [name, of(predicted, s)]))]]),
  };
}

/** A mean over items (accuracy, exact match) is compared by its items' scores. */
function scoresOf(items: readonly string[], statistics: readonly ItemStatistics[]): ComparedItems {
  const means = new Float64Array(items.length * statistics.length);
  statistics.forEach((own, s) => {
    means.set(itemScores(own), s * items.length);
  });
  return {
    kind: "scores",
    items,
    means,
    counts: new Int32Array(means.length).fill(1),
    within: new Float64Array(means.length),
  };
}

function rowsByItem(system: string, rows: readonly number[], items: readonly (string | null)[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const row of rows) {
    const item = items[row]!;
    if (found.has(item)) {
      throw new StatError(
        "RepeatedItem",
        `${system} has several predictions for item ${item}.`,
        "Keep one with option `where`, or compare a score that can be averaged.",
      );
    }
    found.set(item, row);
  }
  return found;
}

export interface Predictions {
  /** A row for each item and system. */
  readonly long: Table;
  readonly roles: Roles;
  readonly gold: string;
  readonly predicted: string;
}

const PREDICTION = "prediction";

export function choosePredictions(
  merged: Merged,
  table: Table,
  { gold, pred }: Pick<CompareOptions, "gold" | "pred">,
): Predictions {
  if (gold === undefined || pred === undefined) {
    const missing = gold === undefined ? "gold" : "pred";
    const fix = "Give both option `gold` and option `pred`.";
    throw new StatError("BadOption", `option \`${missing}\` is missing.`, fix);
  }
  requireColumn(table, "gold", gold);
  // one name may have a comma in it
  const whole = pred.join(",");
  const names = table.columns.has(whole) ? [whole] : pred;
  for (const name of names) requireColumn(table, "pred", name);
  if (names.length === 1) return { long: table, roles: merged.roles, gold, predicted: names[0]! };
  return { ...stackPredictions(merged, table, names), gold, predicted: PREDICTION };
}

/** Runs that predict the same items again: whether each was right is a score, which can be averaged; F1 of labels that differ cannot. */
export function scoreRuns(
  merged: Merged,
  table: Table,
  options: CompareOptions,
): { readonly merged: Merged; readonly table: Table; readonly options: CompareOptions } | undefined {
  const { repeat } = merged.roles;
  const { gold: given, pred, metric: asked = "accuracy", positive, ...others } = options;
  if (repeat === undefined || asked !== "accuracy" || positive !== undefined || given === undefined) return undefined;
  const { long, roles, gold, predicted } = choosePredictions(merged, table, { gold: given, pred });
  const [right, said] = [gold, predicted].map((name) => cellTexts(column(long, name)));
  const scores = Float64Array.from(right!, (label, row) =>
    label === null || said![row] === null ? Number.NaN : Number(label === said![row]),
  );
  const name = freeName(asked, long);
  const scored = withColumn(long, name, { kind: "numeric", values: scores });
  const metrics = [{ name, label: asked, higherIsBetter: true }];
  return {
    merged: { ...merged, table: scored, roles: { ...roles, score: name, metrics: [name] }, metrics },
    table: scored,
    options: { ...others, metric: name },
  };
}

const freeName = (name: string, table: Table): string =>
  table.columns.has(name) ? freeName(`${name}_2`, table) : name;

/** One column of predictions for each system: the columns' names are the systems', and without an item column each row is an item. */
function stackPredictions(
  { roles, parts }: Merged,
  table: Table,
  predicted: readonly string[],
): Pick<Predictions, "long" | "roles"> {
  const named = parts.find(({ imported }) => imported.roles.system !== undefined)?.imported.roles.system;
  if (named !== undefined) {
    const message = `option \`pred\` ${predicted.join(",")}: a column for each system, but ${named} names systems too.`;
    const fix = "Name one column with option `pred`, or take one system with option `where`.";
    throw new StatError("BadOption", message, fix);
  }
  const item = roles.item ?? "row";
  const kept = [...table.columns.keys()].filter((name) => !["system", PREDICTION].includes(name));
  const rows = factorColumn(Array.from({ length: table.rows }, (_, i) => String(i + 1)));
  const own = selectColumns(table, kept);
  const wide = roles.item === undefined ? withColumn(own, item, rows) : own;
  const long = pivotLonger(wide, { columns: predicted, namesTo: "system", valuesTo: PREDICTION });
  return { long, roles: { ...roles, item, system: "system" } };
}
