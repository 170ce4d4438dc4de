/** Scores of a comparison as those of a judge: the difference that people would have given, by their labels of some outputs (`judge.ts`). The rows are
 *  read as `compare` reads them. */
import { groupKeys } from "../../data/keys.ts";
import { column, type Table } from "../../data/table.ts";
import { prepareTable } from "../../formula/evaluate/evaluate.ts";
import { isGiven } from "../../question/option.ts";
import { doesNothing } from "../../question/refuse.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import { addToResult } from "../../result/result.ts";
import {
  type ComparedFiles,
  chooseColumns,
  chooseSystems,
  direction,
  gather,
} from "../../significance/compare/columns.ts";
import type { CompareOptions } from "../../significance/compare/comparison.ts";
import type { ComparisonColumns } from "../../significance/compare/matching/matching.ts";
import type { JudgedColumns, JudgedData } from "../../study/judged.ts";
import type { Drawn } from "./draw.ts";
import { correctJudge, type JudgeCorrection } from "./judge.ts";

export interface PeoplesLabels {
  /** A table of their own, or the name of a column of the scores' table. */
  readonly labels: JudgedData | string;
  readonly drawn?: Drawn | undefined;
  readonly auditMargin?: number | undefined;
}

/** What a corrected comparison has a use for; every other option is refused. */
const USED: ReadonlySet<string> = new Set([
  ...["system", "item", "score", "metric", "metricColumn", "systems", "cluster", "higherIsBetter"],
  ...["where", "mutate", "confidence", "files", "rng", "onProgress", "details", "texts"],
]);

export function correctComparison(
  data: ComparedFiles,
  { labels, drawn, auditMargin }: PeoplesLabels,
  options: CompareOptions = {},
): JudgeCorrection {
  for (const [name, value] of Object.entries(options))
    if (isGiven(value) && value !== false && !USED.has(name))
      throw doesNothing(name, value, "with option `labels`, by which the difference is corrected");
  const merged = gather(data, options);
  const table = prepareTable(merged.table, options);
  const columns = chooseColumns(merged, table, options);
  refuseVotes(merged.roles.opponent);
  refuseSameNames(table, columns);
  const result = correctJudge(table, {
    ...sourceOf(labels, table),
    judge: columns.score,
    ...{ item: columns.item, system: columns.system, cluster: columns.cluster ?? "none" },
    ...{ drawn, auditMargin, confidence: options.confidence },
    systems: chooseSystems(table, { system: columns.system, options }),
    higherIsBetter: direction(merged, columns.score, options),
  });
  return addToResult(result, {
    reading: [...merged.diagnostics, ...(merged.notes ?? [])].filter(({ code }) => code !== "NoScoreFound"),
    assumed: merged.parts.flatMap(({ imported }) => imported.assumptions),
  });
}

/** A table of labels, or a column of the scores' own table. */
export function sourceOf(
  labels: JudgedData | string,
  table: Table,
): Pick<JudgedColumns, "human"> & { readonly labels?: JudgedData } {
  if (typeof labels !== "string") return { labels };
  if (table.columns.has(labels)) return { human: labels };
  throw new StatError(
    "NoLabels",
    `option \`labels: ${labels}\`: there is neither such a file nor such a column (columns: ${listNames([...table.columns.keys()], 6)}).`,
    "Name a file with an item, a system and people's labels, or a column of labels.",
  );
}

function refuseVotes(opponent: string | undefined): void {
  if (opponent === undefined) return;
  throw new StatError(
    "VotesNotScores",
    "votes between two systems have no score of each output that labels could correct.",
    "Correct them with `gosset judge correct`, the vote as the judge's column.",
  );
}

/** Labels are joined on item and system. */
export function refuseSameNames(table: Table, { item, task }: ComparisonColumns): void {
  if (task === undefined || task === item) return;
  const items = groupKeys([column(table, item)], table.rows).count;
  if (groupKeys([column(table, item), column(table, task)], table.rows).count === items) return;
  throw new StatError(
    "SameItems",
    `items of several tasks (${task}) share their names in ${item}: labels cannot be joined on them.`,
    "Keep one task with option `where`, or give items names of their own.",
  );
}
