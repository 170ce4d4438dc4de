/** Which rows of a table are correlated (one item, rater or cluster), and the random terms that a model of them needs. They are the terms of
 *  the model that compares systems with several raters, so that an offered model and the comparison agree. */

import type { Roles } from "../../data/imported.ts";
import { groupKeys } from "../../data/keys.ts";
import { column, type Table } from "../../data/table.ts";
import { quoteName } from "../../result/quote.ts";
import type { ColumnProfile } from "../../study/facts.ts";
import type { ScoreFacts } from "../../study/score-facts.ts";
import type { Question } from "./question.ts";

type Rows = Pick<ScoreFacts, "design">;

/** Scores by several raters: rows of one rater are alike, which errors clustered by item do not see. */
export function isRated({ rater, opponent }: Roles, { design }: Rows): boolean {
  return rater !== undefined && opponent === undefined && design.raters > 1;
}

/** A grouping into fewer groups is about these groups, not a sample of many; as `compare` takes it. */
const FEWEST_CLUSTERS = 10;

/** Items that lie in fewer clusters than there are items. */
export function isClustered({ cluster }: Roles, { design }: Rows): boolean {
  return cluster !== undefined && design.clusters >= FEWEST_CLUSTERS && design.clusters < design.items;
}

/** Whether a system's rows are more than one independent row an item: repeats, raters, or items in clusters. */
export function hangsTogether(roles: Roles, facts: ScoreFacts): boolean {
  return isRated(roles, facts) || isClustered(roles, facts) || rowsPerText(roles, facts) !== 1;
}

/** Mean number of rows of a system on an item; NaN without items. */
export function rowsPerText(roles: Roles, facts: Pick<ScoreFacts, "table">): number {
  const { item, system } = roles;
  if (item === undefined) return Number.NaN;
  const names = [item, ...(countsAnew(roles, facts) ? [roles.task!] : []), ...(system === undefined ? [] : [system])];
  return facts.table.rows / countGroups(names, facts);
}

/** Ratings that can serve as the pilot of their own design. */
export function isOwnPilot({ imported: { roles }, facts, source }: Question): boolean {
  if (facts === undefined || !isRated(roles, facts) || facts.kind !== "rating") return false;
  const { systems, pairedItems } = facts.design;
  return source.where === undefined && systems.length > 1 && pairedItems > 1 && roles.item !== undefined;
}

/** Ids that start again in every task: only both together name an item. */
export function countsAnew({ item, task }: Roles, { table }: Pick<ScoreFacts, "table">): boolean {
  if (item === undefined || task === undefined) return false;
  return countGroups([task, item], { table }) > countGroups([item], { table });
}

/** Slopes of the system wherever its levels met several: a term for each pair of rater and system could not hold scores of two systems by one rater
 *  that correlate negatively, and would understate the error of their difference. */
export function randomTerms(roles: Roles, facts: Rows & Pick<ScoreFacts, "table">): string[] {
  const { design, table } = facts;
  const system = design.systems.length > 1 ? roles.system : undefined;
  const item = countsAnew(roles, facts) ? [roles.task!, roles.item!] : roles.item === undefined ? [] : [roles.item];
  const groups: string[][] = [
    ...(item.length === 0 ? [] : [item]),
    ...(isRated(roles, facts) ? [[roles.rater!]] : []),
    ...(isClustered(roles, facts) ? [[roles.cluster!]] : []),
  ];
  return groups.flatMap((names) => {
    const count = countGroups(names, { table });
    // a group for every row is the residual
    if (count < 2 || count >= table.rows) return [];
    const own = names.map(quoteName).join(":");
    const met = system === undefined ? count : countGroups([...names, system], { table });
    // a system for every group says what the group says; as many slopes as rows leave nothing to the residual
    const differs = met > count && met < table.rows && count * design.systems.length < table.rows;
    return [differs ? `(${quoteName(system!)} | ${own})` : `(1 | ${own})`];
  });
}

function countGroups(names: readonly string[], { table }: Pick<ScoreFacts, "table">): number {
  return groupKeys(
    names.map((name) => column(table, name)),
    table.rows,
  ).count;
}

/** Two columns that always vary together. */
export function samePartition(table: Table, a: ColumnProfile, b: ColumnProfile): boolean {
  return a.distinct === b.distinct && groupKeys([a.column, b.column], table.rows).count === a.distinct;
}
