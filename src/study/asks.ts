/** What must be answered before a verdict: a role that no plain name has, or rows that no column tells apart. An ask has the likeliest
 *  answers, each as the options that say it; the sentence is tell.ts's. */

import type { Ask, Decision, Roles, Told } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import type { Column, Table } from "../data/table.ts";
import { type ColumnProfile, isUnique, listValues, profileTable } from "./facts.ts";
import { FEWEST_CLUSTERS, keyOf } from "./roles.ts";

/** So many candidates are named. */
const MOST_NAMED = 4;
const MOST_SYSTEMS = 60;
/** Wide tables of more columns than this are asked for by the first of them. */
const MOST_WIDE = 40;
/** Labels of one scale. */
const MOST_RATED = 20;
/** Pairs are looked for among the first of many columns. */
const MOST_PAIRED = 12;

/** `decisions` tells what the user said, which is not asked again. */
export function findAsks(table: Table, roles: Roles, decisions: readonly Decision[]): Ask[] {
  const { metrics, wide } = roles;
  const free = freeColumns(table, roles);
  const numbers = free.filter(isMeasured);
  const asks: Ask[] = [];
  if (roles.system === undefined && wide.length === 0) asks.push(askSystem(free, numbers, metrics.length > 0));
  if (roles.score === undefined && metrics.length === 0 && wide.length === 0)
    asks.push({ id: "score", columns: names(numbers), answers: answersOf("score", numbers) });
  if (roles.item === undefined && wide.length === 0) asks.push(askItem(table, roles, free));
  else asks.push(...askRepeats(table, roles, free), ...askClusters(table, roles, decisions));
  return asks;
}

/** One question about a column, whatever else is open. */
export function askColumn(id: "score" | "item" | "rater", table: Table, roles: Roles): Ask {
  const free = freeColumns(table, roles);
  if (id === "item") return askItem(table, roles, free);
  if (id === "rater") return askRater(free);
  const numbers = free.filter(isMeasured);
  return { id, columns: names(numbers), answers: answersOf("score", numbers) };
}

function freeColumns(table: Table, { covariates, identifiers, metrics, wide, ...others }: Roles): ColumnProfile[] {
  const used = new Set([...Object.values(others).flat(), ...metrics, ...wide]);
  return profileTable(table).filter(({ name, values }) => !used.has(name) && values !== "empty");
}

const isMeasured = (own: ColumnProfile): boolean =>
  own.column.kind === "numeric" && own.distinct > 1 && !isRowNumber(own);

const names = (profiles: readonly ColumnProfile[]): string[] => profiles.map(({ name }) => name);

const answersOf = (role: keyof Told, profiles: readonly ColumnProfile[]): Told[] =>
  names(profiles)
    .slice(0, MOST_NAMED)
    .map((name) => ({ [role]: name }));

/** Columns of numbers on one scale, where no score is known; columns of few names; the names of the rows, where each has its own. */
function askSystem(free: readonly ColumnProfile[], numbers: readonly ColumnProfile[], scored: boolean): Ask {
  const alike =
    numbers.length > 1 && numbers.length <= MOST_WIDE && numbers.every((own) => sameScale(own, numbers[0]!));
  const wide: Told[] = !scored && alike ? [{ systems: names(numbers) }] : [];
  const groups = free.filter(
    (own) =>
      own.values === "category" && !own.logical && own.distinct > 1 && own.distinct <= MOST_SYSTEMS && !isUnique(own),
  );
  const rows = free.filter((own) => own.values === "category" && isUnique(own)).slice(0, 1);
  const found = scored && groups.length === 0 ? rows : groups;
  return { id: "system", columns: names(found), answers: [...wide, ...answersOf("system", found)] };
}

/** Values of one kind that overlap: columns of one scale are systems, or none is. */
function sameScale(own: ColumnProfile, other: ColumnProfile): boolean {
  return own.values === other.values && own.min <= other.max && other.min <= own.max;
}

/** Columns that hold nothing but the labels of another may be the raters'; otherwise one column may name them. */
function askRater(free: readonly ColumnProfile[]): Ask {
  const labels = free.flatMap((own) => {
    const values = own.distinct > 1 && own.distinct <= MOST_RATED ? listValues(own.column) : [];
    return values.length > 1 ? [{ name: own.name, values: new Set(values) }] : [];
  });
  const alike = labels.filter((one) =>
    labels.some((other) => other !== one && [...one.values].every((label) => other.values.has(label))),
  );
  const named = free.filter((own) => own.values === "category" && !own.logical && own.distinct > 1 && !isUnique(own));
  const wide: Told[] = alike.length > 1 ? [{ raters: alike.map(({ name }) => name) }] : [];
  return { id: "rater", columns: names(named), answers: [...wide, ...answersOf("rater", named)] };
}

function askItem(table: Table, roles: Roles, free: readonly ColumnProfile[]): Ask {
  const key = keyOf(roles).map((name) => table.columns.get(name)!);
  const again = roles.system !== undefined || roles.rater !== undefined;
  const named = free.filter(
    (own) => own.values !== "real" && own.values !== "0/1" && own.distinct > 2 && !(again && isUnique(own)),
  );
  const complete = completing(table, key, named);
  return { id: "item", columns: complete, answers: complete.slice(0, MOST_NAMED).map((item) => ({ item })) };
}

/** Columns by which rows become unique: single ones, else pairs of them ("series,tier"). */
function completing(table: Table, key: readonly Column[], free: readonly ColumnProfile[]): string[] {
  const isComplete = (...own: readonly ColumnProfile[]): boolean =>
    groupKeys([...key, ...own.map(({ column }) => column)], table.rows).count === table.rows;
  const single = free.filter((own) => isComplete(own));
  if (single.length > 0) return names(single);
  const few = free.slice(0, MOST_PAIRED);
  return few.flatMap((one, k) =>
    few.slice(k + 1).flatMap((other) => (isComplete(one, other) ? [`${one.name},${other.name}`] : [])),
  );
}

/** Gold labels whose predictions nobody named: columns that hold nothing but its labels. */
export function askPredictions(table: Table, gold: string): Ask {
  const labels = new Set(listValues(table.columns.get(gold)!));
  const pred = [...table.columns.keys()].filter((name) => {
    const own = name === gold ? [] : listValues(table.columns.get(name)!);
    return own.length > 1 && own.length <= MOST_SYSTEMS && own.every((level) => labels.has(level));
  });
  return { id: "predictions", columns: [gold], answers: pred.length === 0 ? [] : [{ gold, pred }] };
}

/** Rows of one system, item, rater, run, task and metric: which column tells them apart, or whether they are runs. */
function askRepeats(table: Table, roles: Roles, free: readonly ColumnProfile[]): Ask[] {
  const key = keyOf(roles).map((name) => table.columns.get(name)!);
  const { count } = groupKeys(key, table.rows);
  if (count === table.rows || roles.wide.length > 0) return [];
  const apart = completing(
    table,
    key,
    free.filter((own) => own.values !== "real" && !isUnique(own) && own.distinct > 1),
  );
  const { item } = roles;
  const answers = apart.slice(0, MOST_NAMED).flatMap((name): Told[] => {
    const few = !name.includes(",") && roles.repeat === undefined;
    return [...(few ? [{ run: name }] : []), { item: `${item},${name}` }];
  });
  return [
    {
      id: "repeats",
      columns: apart,
      key: keyOf(roles),
      rows: table.rows - count,
      answers: [...answers, ...(roles.repeat === undefined ? [{ run: "rows" }] : [])],
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
