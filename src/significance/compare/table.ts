/** A long table of scores → a comparison of its systems. */

import { fingerprint } from "../../data/fingerprint.ts";
import { groupKeys } from "../../data/keys.ts";
import { asFactor, column, selectColumns, type Table } from "../../data/table.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import { present } from "../../result/present.ts";
import type { Diagnostic } from "../../result/result.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { metricDirection } from "../../study/lexicon/metrics.ts";
import { compareItems } from "./by-items.ts";
import type { CompareOptions, Comparison, ComparisonData, PairwiseOptions } from "./comparison.ts";
import { type ComparisonColumns, type Matched, matchItems } from "./matching/matching.ts";
import { runsInClaim } from "./pair/run-kind.ts";
import { collectRuns } from "./pair/runs.ts";
import type { Direction } from "./pair/verdict.ts";
import { MOST_SLICES } from "./slices.ts";

export interface TableOptions extends PairwiseOptions {
  /** In the order of comparison; the first is the baseline. */
  readonly systems: readonly string[];
  /** Default: what the name of the score says; null where that is not known. */
  readonly higherIsBetter?: Direction | undefined;
  /** What the metric is called; default: the name of its column. */
  readonly metric?: string | undefined;
  readonly units?: string | undefined;
  /** Each item is a data set. */
  readonly dataSets?: boolean | undefined;
}

/** `columns` says which columns hold the systems, the items and the score. */
export function compareTable(table: Table, columns: ComparisonColumns, options: TableOptions): Comparison {
  const matched = matchItems(table, columns, options.systems);
  return compareItems(comparisonData(table, columns, { matched, options }), options);
}

export function comparisonData(
  table: Table,
  columns: ComparisonColumns,
  { matched, options }: { matched: Matched; options: TableOptions },
): ComparisonData {
  const { systems, metric = columns.score, units, dataSets, rng, onProgress: _, ...choices } = options;
  const { higherIsBetter = metricDirection(columns.score) ?? null } = options;
  // clusters that are not in scope are these clusters, and their items independent
  const clustered = options.scope === undefined || options.scope.includes("clusters");
  const used = [...table.columns.keys()].filter((name) => Object.values(columns).includes(name));
  const { runs, notes } = runsInClaim({
    whole: matched.raters > 1 ? undefined : collectRuns(table, columns.repeat, matched),
    name: columns.repeat,
    asked: options.runKind,
    inScope: options.scope?.includes("runs") === true || options.test === "multi-bootstrap",
    dataSets: dataSets === true,
    units: units ?? "items",
  });
  return {
    systems,
    metric,
    higherIsBetter,
    data: {
      kind: "scores",
      items: matched.items,
      means: matched.means,
      counts: matched.counts,
      within: matched.within,
      ...(runs ? { runs } : {}),
    },
    ...present({ units }),
    ...(dataSets === true ? { dataSets } : {}),
    ...(matched.clusters && clustered ? { clusters: matched.clusters } : {}),
    repeated: [
      ...(matched.clusters && !clustered
        ? [{ facet: "clusters" as const, levels: matched.clusters.names.length }]
        : []),
      ...(matched.raters > 1 ? [{ facet: "raters" as const, levels: matched.raters }] : []),
      ...(runs ? [{ facet: "runs" as const, levels: mostOf(runs.map((own) => own.runs)) }] : []),
    ],
    slices: new Map([
      ...(matched.tasks && columns.task !== undefined ? [[columns.task, matched.tasks] as const] : []),
      ...matched.slices,
    ]),
    unmatched: matched.unmatched,
    itemsLost: matched.itemsLost,
    diagnostics: [...lostGroups(table, columns, matched), ...copiedRows(table, matched, columns.rater), ...notes],
    signature: {
      method: "comparison",
      version: GOSSET_VERSION,
      options: { columns, systems, higherIsBetter, ...choices },
      data: fingerprint(selectColumns(table, used)),
      ...(rng === undefined ? {} : { seed: rng.seed }),
    },
  };
}

/** Rows that equal another in every column. Scores of few values meet by chance, so there only copies throughout are a sign. A model of
 *  raters' scores takes one of each. */
function copiedRows(
  table: Table,
  { rows, means, score, raters, cellOfRow }: Matched,
  rater: string | undefined,
): Diagnostic[] {
  // what several raters said of one output are judgements of their own
  const whose = rater === undefined ? undefined : groupKeys([column(table, rater)], table.rows);
  const judged =
    whose === undefined
      ? means.length
      : new Set(Array.from(rows, (row, k) => cellOfRow[k]! * whose.count + whose.group[row]!)).size;
  const extra = rows.length - judged;
  if (extra === 0) return [];
  const { group } = groupKeys([...table.columns.values()], table.rows);
  const copies = rows.length - new Set(Array.from(rows, (row) => group[row]!)).size;
  const coarse = rows.every((row) => Number.isInteger(score[row]!));
  if (copies === 0 || (coarse && copies < extra)) return [];
  const one = copies === 1;
  const counted =
    raters > 1 && copies === extra
      ? `${one ? "is" : "are"} left out: a copy is not a second judgment`
      : `${one ? "counts" : "count"} as a repeat of it`;
  const message = `${copies} ${one ? "row repeats" : "rows repeat"} another row in every column and ${counted}.`;
  return [
    warning(
      "DuplicateRows",
      message,
      "Remove copies from the file. If they are separate runs, number them (option `run`).",
    ),
  ];
}

/** Groups that were asked for and cannot be had: an item with rows in two groups belongs to neither, and one group of all is none. */
function lostGroups(table: Table, { slices = [], cluster }: ComparisonColumns, matched: Matched): Diagnostic[] {
  const own = slices.flatMap((name) => {
    const groups = matched.slices.get(name)?.names.length ?? 0;
    if (groups > 1 && groups <= MOST_SLICES && groups < matched.items.length) return [];
    const why =
      groups === 0
        ? `${name} is missing or differs within an item, so it cannot slice the items.`
        : groups === 1
          ? `${name} is the same for all compared items, so there is nothing to slice.`
          : `${name} has ${groups} levels for ${matched.items.length} items, so each slice would be too small.`;
    return [warning("NoSlices", why, "Slice by a property of the items with few levels.")];
  });
  if (cluster === undefined || matched.clusters !== undefined) return own;
  const fix = "Name a column that groups items, or use option `cluster: none`.";
  if (!matched.clustersAreTrivial) {
    const message = `${cluster} is missing or differs within an item, so it was not used as a cluster.`;
    const again = `If each ${cluster} numbers its items from 1 again, add option \`task: ${cluster}\`.`;
    return [...own, warning("NoClusters", message, `${fix} ${again}`)];
  }
  const { codes } = asFactor(column(table, cluster));
  const single = matched.rows.every((row) => codes[row] === codes[matched.rows[0]!]);
  return single ? [...own, note("OneCluster", `All compared items are in one ${cluster}.`, fix)] : own;
}

/** A grouping that an option names and the data do not have: an answer without it is not what was asked for. */
export function refuseLostGroups({ diagnostics }: Comparison, { slice = [], cluster }: CompareOptions): void {
  const asked = [
    ...(slice.length > 0 ? ["NoSlices"] : []),
    ...(cluster === undefined ? [] : ["NoClusters", "OneCluster"]),
  ];
  const lost = diagnostics.find(({ code }) => asked.includes(code));
  if (lost !== undefined)
    throw new StatError(lost.code, lost.message.replace("was not used as", "cannot be"), lost.fix);
}
