/** What of the files is compared: one metric at a time, and only the tasks that have it. */

import type { ImportedMetric } from "../../../data/imported.ts";
import { asFactor, column, isMissing, selectRows, type Table } from "../../../data/table.ts";
import { prepareTable } from "../../../formula/evaluate/evaluate.ts";
import { note, warning } from "../../../result/diagnostic.ts";
import { StatError } from "../../../result/error.ts";
import { listNames } from "../../../result/quote.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { nearest } from "../../../result/suggest.ts";
import { findJudged } from "../../../study/judged.ts";
import type { NamedImport } from "../../../study/merge.ts";
import { matchMetric, metricsInRows, takeMetric } from "../../../study/metric-column.ts";

export interface MetricWanted {
  readonly metric?: string | undefined;
  readonly where?: readonly string[] | undefined;
  readonly mutate?: readonly string[] | undefined;
}

export interface Read {
  readonly parts: readonly NamedImport[];
  /** Metrics of the same rows that were left aside. */
  readonly others: readonly ImportedMetric[];
}

const MOST_NAMED = 6;

/** Files in which metrics stand one below the other give the rows of the metric that is wanted, or of their first. */
export function readOneMetric(parts: readonly NamedImport[], choice: MetricWanted): Read {
  const lists = parts.map(({ imported }) => metricsInRows(chosenRows(imported, parts.length === 1 ? choice : {})));
  const [first] = lists.filter((list) => list.length > 0);
  if (first === undefined) return { parts, others: [] };
  const shared = first.filter(({ name }) =>
    lists.every((list) => list.length === 0 || list.some((m) => m.name === name)),
  );
  const name = chooseMetric(shared, choice.metric, parts);
  if (name === undefined) return { parts, others: [] };
  const taken = parts.map((part) => ({ ...part, imported: takeMetric(part.imported, name) }));
  if (choice.where === undefined || choice.where.length === 0) refuseLoneSystem(parts, taken, name);
  return { parts: taken, others: shared.filter((metric) => metric.name !== name) };
}

/** A metric that one of several systems has compares nothing. */
function refuseLoneSystem(whole: readonly NamedImport[], taken: readonly NamedImport[], name: string): void {
  const [part, ...others] = taken;
  if (part === undefined || others.length > 0 || part.imported.roles.system === undefined) return;
  const [only, second] = part.imported.systems;
  const all = whole[0]!.imported.systems;
  if (only === undefined || second !== undefined || all.length < 2) return;
  throw new StatError(
    "OneSystem",
    `of ${listNames(all, MOST_NAMED)} only ${only} has ${name}: nothing to compare with.`,
    "Compare by a metric that two systems have (option `metric`).",
  );
}

/** Conditions may have chosen a metric already. */
function chosenRows<I extends { readonly table: Table }>(imported: I, { where = [], mutate = [] }: MetricWanted): I {
  return where.length === 0 ? imported : { ...imported, table: prepareTable(imported.table, { where, mutate }) };
}

function chooseMetric(
  metrics: readonly ImportedMetric[],
  wanted: string | undefined,
  parts: readonly NamedImport[],
): string | undefined {
  if (wanted === undefined) return metrics[0]?.name;
  const found = findMetricNamed(wanted, metrics);
  if (found !== undefined) return found;
  const isScoreColumn = ({ imported }: NamedImport): boolean => imported.roles.score === wanted;
  // the column that holds them, where a condition has left one metric
  if (metrics.length === 1 && parts.every(isScoreColumn)) return metrics[0]!.name;
  if (
    parts.some(({ imported, ...part }) => imported.table.columns.has(wanted) && !isScoreColumn({ imported, ...part }))
  )
    return undefined;
  const names = metrics.map(({ name }) => name);
  const near = nearest(wanted, names);
  throw new StatError(
    "UnknownMetric",
    `option \`metric\` ${wanted}: the rows are scores by ${listNames(names, MOST_NAMED)}.`,
    near === undefined ? "Name one of these." : `Did you mean "${near}"?`,
  );
}

/** The one metric that the word fits; an error where it fits several. */
export function findMetricNamed(metric: string, metrics: readonly ImportedMetric[]): string | undefined {
  const found = matchMetric(metric, metrics);
  if (found.length < 2) return found[0];
  const message = `option \`metric\` ${metric} may be ${listNames(found, MOST_NAMED)}.`;
  throw new StatError("AmbiguousMetric", message, "Write the whole name.");
}

/** Which other scores the files have: a verdict by one is none by the others. A score that only an option calls one (`named`) is not among
 *  `metric: all`. */
export function tellOtherScores(
  score: string,
  metrics: readonly ImportedMetric[],
  named: string | undefined,
): Diagnostic[] {
  const others = [...new Set(metrics.map(({ name }) => name))].filter((name) => name !== score);
  if (others.length === 0) return [];
  const message = `compared by ${score}; there ${others.length === 1 ? "is" : "are"} also ${listNames(others, MOST_NAMED)}.`;
  const list = [score, ...others];
  const isList = named === score && others.length < MOST_NAMED && !list.some((name) => name.includes(","));
  const every = named === undefined ? "all" : isList ? list.join(",") : undefined;
  const more = every === undefined ? "" : `, option \`metric: ${every}\` by every one`;
  return [note("OtherScores", message, `Option \`metric: ${others[0]}\` compares by another${more}.`)];
}

/** The score is a judge's, and people labeled some of the outputs. */
export function tellPeoplesLabels(table: Table, score: string): Diagnostic[] {
  const found = findJudged(table);
  if (found?.judge !== score) return [];
  const message = `people labeled some of these outputs (${found.human}): the verdict is on ${score} alone. Option \`labels: ${found.human}\` corrects it by them.`;
  return [warning("LabelsUnused", message, "")];
}

/** All scores were asked for, and one column was recognised as a score. */
export const tellOnlyScore = (score: string): Diagnostic =>
  note(
    "OnlyScore",
    `option \`metric: all\`: ${score} is the only column that was recognised as a score.`,
    `To compare by several, list them: option \`metric: ${score},…\`.`,
  );

/** Rows of tasks in which no row has the score belong to another comparison; they are not rows without a score. */
export function leaveOtherTasksOut(
  table: Table,
  { task, score }: { readonly task?: string | undefined; readonly score: string },
): { readonly table: Table; readonly notes: readonly Diagnostic[] } {
  const cells = table.columns.get(score);
  if (task === undefined || cells === undefined) return { table, notes: [] };
  const { codes, levels } = asFactor(column(table, task));
  const scored = new Set<number>();
  codes.forEach((code, row) => {
    if (!isMissing(cells, row)) scored.add(code);
  });
  const lost = [...new Set(codes)].filter((code) => code >= 0 && !scored.has(code)).map((code) => levels[code]!);
  if (lost.length === 0 || scored.size === 0) return { table, notes: [] };
  const message = `${listNames(lost)} ${lost.length === 1 ? "has" : "have"} no ${score} and ${lost.length === 1 ? "is" : "are"} not part of this comparison.`;
  const notes = [note("OtherTasks", message, "Compare these tasks by their own score (option `metric`).")];
  return { table: selectRows(table, (row) => scored.has(codes[row]!)), notes };
}
