/** What must be answered before a verdict: a role that no plain name has, or rows that no column tells apart. An ask has the likeliest
 *  answers, each as the options that say it; the sentence is tell.ts's. */

import type { Ask, Decision, Roles, Told } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import type { Column, Table } from "../data/table.ts";
import { type ColumnProfile, freeColumns, holdsRecords, isRowNumber, isUnique, listValues } from "./facts.ts";
import { INPUT_NAMES, ITEM_NAMES } from "./lexicon/names.ts";
import { plainName } from "./lexicon/words.ts";
import { propose } from "./reshape/reshape.ts";
import { FEWEST_CLUSTERS, keyOf } from "./roles.ts";

/** So many candidates are named. */
const MOST_NAMED = 4;
const MOST_SYSTEMS = 60;
/** Pairs are looked for among the first of many columns. */
const MOST_PAIRED = 12;

/** `decisions` tells what the user said, which is not asked again. */
export function findAsks(table: Table, roles: Roles, decisions: readonly Decision[]): Ask[] {
  const free = freeColumns(table, roles);
  const numbers = free.filter((own) => own.column.kind === "numeric" && own.distinct > 1 && !isRowNumber(own));
  const scored = roles.metrics.length > 0;
  const open: Ask[] = [];
  if (roles.system === undefined) open.push(askSystem(free, scored));
  if (roles.score === undefined && !scored)
    open.push({ id: "score", columns: names(numbers), answers: answersOf("score", numbers) });
  if (roles.item === undefined) open.push(askItem(table, roles, free));
  const [first, ...others] = open;
  // a table of another shape lacks several roles at once: the first question is whether it is one
  const asks =
    first === undefined
      ? []
      : [{ ...first, answers: [...propose("systems", table, roles), ...first.answers] }, ...others];
  return roles.item === undefined
    ? asks
    : [...asks, ...askRepeats(table, roles, free), ...askClusters(table, roles, decisions)];
}

/** Who rated, where no column has a plain name for it. */
export const askRater = (table: Table, roles: Roles): Ask => {
  // of votes the columns are the votes themselves
  const people = roles.opponent === undefined ? freeColumns(table, roles).filter(areNames) : [];
  return {
    id: "rater",
    columns: names(people),
    answers: [...propose("raters", table, roles), ...answersOf("rater", people)],
  };
};

const names = (profiles: readonly ColumnProfile[]): string[] => profiles.map(({ name }) => name);

const answersOf = (role: keyof Told, profiles: readonly ColumnProfile[]): Told[] =>
  names(profiles)
    .slice(0, MOST_NAMED)
    .map((name) => ({ [role]: name }));

/** Columns of few names; the names of the rows, where each has its own. */
function askSystem(free: readonly ColumnProfile[], scored: boolean): Ask {
  const groups = free.filter(areNames);
  const rows = free.filter((own) => own.values === "category" && isUnique(own)).slice(0, 1);
  const found = scored && groups.length === 0 ? rows : groups;
  return { id: "system", columns: names(found), answers: answersOf("system", found) };
}

/** Few names that come again, no records or lists. */
const areNames = (own: ColumnProfile): boolean =>
  own.values === "category" &&
  !own.logical &&
  own.distinct > 1 &&
  own.distinct <= MOST_SYSTEMS &&
  !isUnique(own) &&
  !holdsRecords(own);

function askItem(table: Table, roles: Roles, free: readonly ColumnProfile[]): Ask {
  const key = keyOf(roles).map((name) => table.columns.get(name)!);
  const again = roles.system !== undefined || roles.rater !== undefined;
  const named = free.filter(
    (own) => own.values !== "real" && own.values !== "0/1" && own.distinct > 2 && !(again && isUnique(own)),
  );
  const complete = completing(table, key, named);
  // what was given is new in every row: the systems met different items
  const isGiven = ({ name }: ColumnProfile): boolean => [...ITEM_NAMES, ...INPUT_NAMES].includes(plainName(name));
  const apart: Told[] = again && free.some((own) => isGiven(own) && isUnique(own)) ? [{ unpaired: true }] : [];
  return {
    id: "item",
    columns: complete,
    answers: [...complete.slice(0, MOST_NAMED).map((item) => ({ item })), ...apart],
  };
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
  if (count === table.rows) return [];
  const apart = completing(
    table,
    key,
    free.filter((own) => own.values !== "real" && !isUnique(own) && own.distinct > 1),
  );
  const { item } = roles;
  const answers = apart.slice(0, MOST_NAMED).flatMap((name): Told[] => {
    const few = !name.includes(",") && roles.repeat === undefined;
    return [...(few ? [{ repeat: name }] : []), { item: `${item},${name}` }];
  });
  return [
    {
      id: "repeats",
      columns: apart,
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
