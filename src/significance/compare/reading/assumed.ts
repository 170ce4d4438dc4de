/** What was taken for granted in a comparison, in words: how the direction is known, what was paired, averaged and kept together. */

import type { Format, ImportedMetric } from "../../../data/imported.ts";
import { groupKeys } from "../../../data/keys.ts";
import { asFactor, type Table } from "../../../data/table.ts";
import { note } from "../../../result/diagnostic.ts";
import { capitalised, type Diagnostic } from "../../../result/result.ts";
import { differenceVerdict } from "../../../result/verdict.ts";
import { metricDirection } from "../../../study/lexicon/metrics.ts";
import type { NamedImport } from "../../../study/merge.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

export interface Taken {
  readonly columns: ComparisonColumns;
  /** The direction, and whether the user, the file or the name said it; null where nobody did. */
  readonly higherIsBetter: boolean | null;
  readonly told: boolean;
  readonly knownBy: "name" | "file" | "format";
  /** Columns that the user named. */
  readonly named: ReadonlySet<string>;
  readonly n: number;
  readonly lost: number;
  readonly units: string;
  readonly paired: boolean;
  readonly averaged: boolean;
  /** In what the rows of one item and system differ, where one column says it. */
  readonly differing?: string | undefined;
  readonly clusters: number | undefined;
  readonly byRow: boolean;
  /** No column of the files is the item's: a row with a column for each system is one. */
  readonly ofRows: boolean;
}

/** How it is known which way is better: by the name alone, by a word or column of a table, or by what the format of a log means. */
export function directionSource(format: Format, metric: ImportedMetric | undefined): Taken["knownBy"] {
  if (metric === undefined || metricDirection(metric.label) === metric.higherIsBetter) return "name";
  return ["csv", "tsv", "json", "jsonl", "parquet"].includes(format) ? "file" : "format";
}

const KNOWN_BY = {
  name: "by its name",
  file: "by the contents of the file",
  format: "by the format of the file",
} as const;

/** Whether the items are the rows of sheets that were not long: no column names them. */
export const areRowsItems = (parts: readonly NamedImport[]): boolean =>
  parts.every(({ imported: { decisions = [] } }) =>
    decisions.some(({ role, column, by }) => role === "item" && by === "shape" && /^row(_\d+)?$/.test(column)),
  );

function matchedBy({ units, columns: { item, task, repeat }, byRow, ofRows, averaged, n, lost }: Taken): string {
  const whole = averaged && repeat !== undefined ? "run" : "system";
  if (byRow) return `Row by row: row i of each ${whole} is the same item, ${n} of them.`;
  if (ofRows) return `Each row of the file is one of the ${units}, ${n} of ${n + lost}.`;
  return `${capitalised(units)} are matched by ${task === undefined ? item : `${task} and ${item}`}, ${n} of ${n + lost}.`;
}

const averagedOver = (repeat: string | undefined, differing: string | undefined): string =>
  repeat === undefined && differing !== undefined
    ? `Rows of one item and system differ in ${differing} and are averaged; the verdict is about these values only.`
    : `Repeated scores${repeat === undefined ? "" : ` (${repeat})`} are averaged.`;

/** Values beyond which nobody chose them one by one. */
const MOST_VALUES = 20;
const SHOWN_VALUES = 3;

/** The one column with few values that tells the rows of each item and system apart: "template (plain, cot, few-shot, …)". */
export function findDiffering(table: Table, columns: ComparisonColumns): string | undefined {
  const { system, item, task, score, slices: _, ...others } = columns;
  const unit = [system, item, task].flatMap((name) => (name === undefined ? [] : [table.columns.get(name)!]));
  if (groupKeys(unit, table.rows).count === table.rows) return undefined;
  const taken = new Set([system, item, task, score, ...Object.values(others)]);
  const found = [...table.columns].filter(([name, cells]) => {
    if (taken.has(name)) return false;
    const own = groupKeys([cells], table.rows).count;
    return own > 1 && own <= MOST_VALUES && groupKeys([...unit, cells], table.rows).count === table.rows;
  });
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  const { levels, codes } = asFactor(only[1]);
  const values = [...new Set(codes)].map((code) => levels[code] ?? "none");
  const shown = [...values.slice(0, SHOWN_VALUES), ...(values.length > SHOWN_VALUES ? ["…"] : [])];
  return `${only[0]} (${shown.join(", ")})`;
}

/** One rater's taste is in every score, and nothing tells it from the systems. */
export function tellOneRater(table: Table, rater: string | undefined): string[] {
  const cells = rater === undefined ? undefined : table.columns.get(rater);
  if (cells === undefined) return [];
  const { levels, codes } = asFactor(cells);
  const [only, ...others] = new Set(codes);
  if (only === undefined || only < 0 || others.length > 0) return [];
  return [`All rows are by one ${rater} (${levels[only]}): the verdict is about this one only.`];
}

export function tellAssumed(taken: Taken): string[] {
  const { columns, higherIsBetter, told, knownBy, named, units, paired, averaged, clusters, differing } = taken;
  const { score, item, cluster, repeat } = columns;
  const direction =
    higherIsBetter === null || told
      ? []
      : [`${higherIsBetter ? "Higher" : "Lower"} ${score} is better (${KNOWN_BY[knownBy]}).`];
  return [
    ...direction,
    ...(paired && !named.has(item) ? [matchedBy(taken)] : []),
    ...(averaged ? [averagedOver(repeat, differing)] : []),
    ...(clusters !== undefined && cluster !== undefined && !named.has(cluster)
      ? [`${capitalised(units)} are clustered by ${cluster} (${clusters} clusters).`]
      : []),
  ];
}

/** Said wherever it matters which way is better. */
export function unknownDirection({
  higherIsBetter,
  metric,
}: {
  readonly higherIsBetter: boolean | null;
  readonly metric: string;
}): Diagnostic[] {
  if (higherIsBetter !== null) return [];
  const message = `Gosset does not know whether a higher ${metric} is better, so a significant difference is called ${differenceVerdict(true, null)} or ${differenceVerdict(false, null)}.`;
  return [note("DirectionUnknown", message, "Option `higherIsBetter` or option `higherIsBetter: false` decides it.")];
}
