/** Conditions that items are crossed with: the same questions under each of four prompt templates, or in each of five languages. What a system
 *  gains may depend on them, and a few of them are no sample of others, so that a verdict is about these. Rows of one item are correlated. */

import { groupKeys } from "../../../data/keys.ts";
import { isMissing, type Table } from "../../../data/table.ts";
import { FEWEST_FOUND_CLUSTERS } from "../../../study/clusters.ts";
import { isConditionName } from "../../../study/lexicon/circumstances.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

interface Condition {
  readonly column: string;
  readonly levels: number;
}

/** Of all pairs of an item and a level the part that has a score; fewer, and levels group the items. */
const CROSSED = 0.5;

export interface CrossedConditions {
  readonly columns: ComparisonColumns;
  readonly conditions: readonly Condition[];
  /** The repeats are conditions, which both systems met: averaged within each item, and no runs. */
  readonly averaged: boolean;
}

/** Options of the comparison. */
interface Said {
  readonly cluster?: string | undefined;
  readonly by?: string | undefined;
  readonly runKind?: string | undefined;
  readonly scope?: readonly string[] | undefined;
}

export function findConditions(table: Table, columns: ComparisonColumns, said: Said): CrossedConditions {
  const { system, item, score, rater, repeat, cluster } = columns;
  const none = { columns, conditions: [], averaged: false };
  const named = item.split(",").map((part) => part.trim());
  const parts = named.length > 1 && named.every((name) => table.columns.has(name)) ? named : [];
  const averaged = repeat !== undefined && said.runKind === undefined && said.scope?.includes("runs") !== true;
  if (averaged && isCondition(table, repeat, { base: [item], system }))
    return { columns, conditions: [{ column: repeat, levels: count(table, [repeat]) }], averaged };
  const base = cluster === undefined ? parts.filter((name) => !isConditionName(name)) : [cluster];
  if (base.length === 0 || count(table, base) >= count(table, [item])) return none;
  const taken = [system, item, score, rater, repeat, said.by, ...base];
  const conditions = [...table.columns.keys()]
    .filter((column) => !taken.includes(column) && isCondition(table, column, { base, system }))
    .filter((column) => count(table, [item, column]) === count(table, [item]))
    .map((column) => ({ column, levels: count(table, [column]) }));
  if (conditions.length === 0) return none;
  const many = base.length === 1 && count(table, base) >= FEWEST_FOUND_CLUSTERS;
  const grouped = cluster === undefined && said.cluster === undefined && many;
  return { columns: grouped ? { ...columns, cluster: base[0] } : columns, conditions, averaged: false };
}

const count = (table: Table, names: readonly string[]): number =>
  groupKeys(
    names.map((name) => table.columns.get(name)!),
    table.rows,
  ).count;

/** By its name, and crossed with items and systems. */
function isCondition(
  table: Table,
  column: string,
  { base, system }: { readonly base: readonly string[]; readonly system: string },
): boolean {
  if (!isConditionName(column) || hasMissing(table, column)) return false;
  const levels = count(table, [column]);
  const met = (...others: readonly string[]): boolean =>
    count(table, [...others, column]) >= CROSSED * count(table, others) * levels;
  return levels > 1 && met(...base) && met(system);
}

function hasMissing(table: Table, name: string): boolean {
  const cells = table.columns.get(name)!;
  for (let row = 0; row < table.rows; row++) if (isMissing(cells, row)) return true;
  return false;
}

/** "these 4 levels of template". */
export const tellConditions = (conditions: readonly Condition[]): string =>
  conditions.map(({ column, levels }) => `these ${levels} levels of ${column}`).join(" and ");
