/** What must be answered before a verdict: a role that no plain name has, or rows that no column tells apart. An ask has the likeliest
 *  answers, each as the options that say it; the sentence is tell.ts's. */

import type { Ask, Decision, Roles, Told } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import type { Table } from "../data/table.ts";
import { type ColumnProfile, isUnique, profileTable } from "./facts.ts";
import { FEWEST_CLUSTERS, keyOf } from "./roles.ts";

/** So many candidates are named. */
const MOST_NAMED = 4;
const MOST_SYSTEMS = 60;
/** Wide tables of more columns than this are asked for by the first of them. */
const MOST_WIDE = 40;

/** `decisions` tells what the user said, which is not asked again. */
export function findAsks(table: Table, roles: Roles, decisions: readonly Decision[]): Ask[] {
  const profiles = profileTable(table);
  const used = new Set(Object.values(roles).flat());
  const free = profiles.filter(
    ({ name, values }) => (!used.has(name) || roles.covariates.includes(name)) && values !== "empty",
  );
  const asks: Ask[] = [];
  const numbers = free.filter((own) => own.column.kind === "numeric" && own.distinct > 1 && !isRowNumber(own));
  const groups = free.filter(
    (own) =>
      own.values !== "real" &&
      own.values !== "text" &&
      own.distinct > 1 &&
      own.distinct <= MOST_SYSTEMS &&
      own.distinct < table.rows,
  );
  if (roles.system === undefined && roles.wide.length === 0) asks.push(askSystem(groups, numbers));
  if (roles.score === undefined && roles.metrics.length === 0 && roles.wide.length === 0)
    asks.push({ id: "score", columns: names(numbers), answers: answersOf("score", numbers) });
  if (roles.item === undefined && roles.wide.length === 0) asks.push(askItem(table, roles, free));
  else asks.push(...askRepeats(table, roles, free), ...askClusters(table, roles, decisions));
  return asks;
}

const names = (profiles: readonly ColumnProfile[]): string[] => profiles.map(({ name }) => name);

const answersOf = (role: keyof Told, profiles: readonly ColumnProfile[]): Told[] =>
  names(profiles)
    .slice(0, MOST_NAMED)
    .map((name) => ({ [role]: name }));

function askSystem(groups: readonly ColumnProfile[], numbers: readonly ColumnProfile[]): Ask {
  const scale = numbers.filter((own) => sameScale(own, numbers[0]!));
  const wide: Told[] =
    numbers.length > 1 && scale.length === numbers.length && numbers.length <= MOST_WIDE
      ? [{ systems: names(numbers) }]
      : [];
  return { id: "system", columns: names(groups), answers: [...wide, ...answersOf("system", groups)] };
}

/** Values of one kind that overlap: columns of one scale are systems, or none is. */
function sameScale(own: ColumnProfile, other: ColumnProfile): boolean {
  return own.values === other.values && own.min <= other.max && other.min <= own.max;
}

function askItem(table: Table, roles: Roles, free: readonly ColumnProfile[]): Ask {
  const key = keyOf(roles).map((name) => table.columns.get(name)!);
  const again = roles.system !== undefined || roles.rater !== undefined;
  const complete = free.filter(
    (own) =>
      own.values !== "real" &&
      own.values !== "0/1" &&
      own.distinct > 2 &&
      !(again && isUnique(own)) &&
      groupKeys([...key, own.column], table.rows).count === table.rows,
  );
  return { id: "item", columns: names(complete), answers: answersOf("item", complete) };
}

/** Rows of one system, item, rater, run, task and metric: which column tells them apart, or whether they are runs. */
function askRepeats(table: Table, roles: Roles, free: readonly ColumnProfile[]): Ask[] {
  const key = keyOf(roles).map((name) => table.columns.get(name)!);
  const { count } = groupKeys(key, table.rows);
  if (count === table.rows || roles.wide.length > 0) return [];
  const apart = free.filter(
    (own) =>
      own.values !== "real" &&
      !isUnique(own) &&
      own.distinct > 1 &&
      groupKeys([...key, own.column], table.rows).count === table.rows,
  );
  const { item } = roles;
  const answers = apart
    .slice(0, MOST_NAMED)
    .flatMap(({ name, distinct }): Told[] =>
      distinct <= MOST_SYSTEMS && roles.repeat === undefined
        ? [{ repeat: name }, { item: `${item},${name}` }]
        : [{ item: `${item},${name}` }],
    );
  return [
    {
      id: "repeats",
      columns: names(apart),
      key: keyOf(roles),
      rows: table.rows - count,
      answers: [...answers, ...(roles.repeat === undefined ? [{ repeat: "rows" }] : [])],
    },
  ];
}

/** A plain name of clusters with few groups: whether items in one of them are correlated is for the user to say. */
function askClusters(table: Table, { cluster, opponent }: Roles, decisions: readonly Decision[]): Ask[] {
  const decided = decisions.find(({ role }) => role === "cluster");
  if (cluster === undefined || opponent !== undefined || decided?.by !== "name") return [];
  const { count } = groupKeys([table.columns.get(cluster)!], table.rows);
  if (count >= FEWEST_CLUSTERS) return [];
  return [{ id: "cluster", columns: [cluster], rows: count, answers: [{ cluster }, { cluster: "none" }] }];
}

/** pandas and R number the rows in front. */
const isRowNumber = ({ column, values, min, distinct, rows }: ColumnProfile): boolean =>
  column.kind === "numeric" &&
  values === "integer" &&
  distinct === rows &&
  (min === 0 || min === 1) &&
  column.values.every((value, i) => value === i + min);
