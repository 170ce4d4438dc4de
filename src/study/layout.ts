/** The size of the experiment that a table holds: systems, items, repeats, raters, and how they are crossed. */

import type { Roles } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import type { Column, Table } from "../data/table.ts";
import { listValues } from "./facts.ts";

export interface Design {
  readonly systems: readonly string[];
  readonly items: number;
  readonly repeats: number;
  readonly raters: number;
  readonly clusters: number;
  readonly tasks: number;
  /** Items that every system has; equals `items` when there is one system. */
  readonly sharedItems: number;
  /** Items that at least two systems have. */
  readonly pairedItems: number;
  /** Items (of one system, where there are systems) that two or more raters scored. */
  readonly multiplyRated: number;
  /** Share of the items that lie in one cluster only; NaN without clusters. */
  readonly nested: number;
}

export function measureDesign(table: Table, roles: Roles): Design {
  const pick = (...names: readonly (string | undefined)[]): Column[] =>
    names.flatMap((name) => (name === undefined ? [] : [table.columns.get(name)!]));
  const count = (...names: readonly (string | undefined)[]): number => {
    const columns = pick(...names);
    return columns.length === 0 ? 0 : groupKeys(columns, table.rows).count;
  };
  const systems = roles.system !== undefined ? listValues(table.columns.get(roles.system)!) : [];
  const unit = pick(
    roles.item,
    roles.system,
    roles.opponent,
    roles.task,
    roles.metric,
    roles.perturbation,
    ...roles.parameters,
  );
  // an id that comes again in another task is another item
  const items = roles.item === undefined ? 0 : count(roles.item, roles.task);
  const shared = countShared(table, roles, systems.length, items);
  return {
    systems,
    items,
    repeats: items === 0 ? 0 : roles.item === undefined ? 1 : largestGroup([...unit, ...pick(roles.rater)], table.rows),
    raters: count(roles.rater),
    clusters: count(roles.cluster),
    tasks: count(roles.task),
    sharedItems: shared(systems.length),
    pairedItems: systems.length < 3 ? shared(systems.length) : shared(2),
    multiplyRated:
      roles.rater === undefined || roles.item === undefined
        ? 0
        : countMultiplyRated(unit, pick(roles.rater), table.rows),
    nested: measureNesting(table, roles, items),
  };
}

function largestGroup(columns: readonly Column[], rows: number): number {
  const { count, group } = groupKeys(columns, rows);
  const sizes = new Int32Array(count);
  for (let i = 0; i < rows; i += 1) sizes[group[i]!]! += 1;
  return sizes.reduce((most, size) => Math.max(most, size), 0);
}

/** Items that at least so many of the systems have. */
function countShared(table: Table, roles: Roles, systems: number, items: number): (least: number) => number {
  if (roles.system === undefined || roles.item === undefined || systems < 2) return () => items;
  const id = [roles.item, roles.task].flatMap((name) => (name === undefined ? [] : [table.columns.get(name)!]));
  const item = groupKeys(id, table.rows);
  const pairs = groupKeys([...id, table.columns.get(roles.system)!], table.rows);
  const met = new Int32Array(item.count);
  for (let pair = 0; pair < pairs.count; pair += 1) met[item.group[pairs.first[pair]!]!]! += 1;
  const sizes = new Map<number, number>();
  for (const count of met) sizes.set(count, (sizes.get(count) ?? 0) + 1);
  return (least) => [...sizes].reduce((sum, [count, n]) => sum + (count >= least ? n : 0), 0);
}

function countMultiplyRated(unit: readonly Column[], rater: readonly Column[], rows: number): number {
  const units = groupKeys(unit, rows);
  const pairs = groupKeys([...unit, ...rater], rows);
  const raters = new Int32Array(units.count);
  for (let pair = 0; pair < pairs.count; pair += 1) raters[units.group[pairs.first[pair]!]!]! += 1;
  return raters.filter((count) => count > 1).length;
}

function measureNesting(table: Table, roles: Roles, items: number): number {
  if (roles.cluster === undefined || roles.item === undefined) return Number.NaN;
  const id = [roles.item, roles.task].flatMap((name) => (name === undefined ? [] : [table.columns.get(name)!]));
  const item = groupKeys(id, table.rows);
  const pairs = groupKeys([...id, table.columns.get(roles.cluster)!], table.rows);
  const met = new Int32Array(item.count);
  for (let pair = 0; pair < pairs.count; pair += 1) met[item.group[pairs.first[pair]!]!]! += 1;
  return met.filter((count) => count === 1).length / items;
}
