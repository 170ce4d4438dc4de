/** What must be answered before a verdict: a role that no plain name has, or rows that no column tells apart. An ask has the likeliest
 *  answers, each as the options that say it; the sentence is tell.ts's. */

import type { Ask, Decision, RoleName, Roles, Told } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import { isDecimal } from "../data/levels.ts";
import type { Column, Table } from "../data/table.ts";
import {
  type ColumnProfile,
  freeColumns,
  holdsRecords,
  isRowNumber,
  isUnique,
  listValues,
  profileTable,
} from "./facts.ts";
import { isOccasionName, isSetting } from "./lexicon/circumstances.ts";
import { isBesideScore, namedAsScore } from "./lexicon/metrics.ts";
import { INPUT_NAMES, ITEM_NAMES, isDependent, namesParameter } from "./lexicon/names.ts";
import { isAboutItem, isChoiceName, isCounterName, isNoOpinion, isSplitName, UNNAMED_FIRST } from "./lexicon/others.ts";
import { plainName, splitWords } from "./lexicon/words.ts";
import { propose } from "./reshape/reshape.ts";
import { cellText } from "./reshape/reshaped.ts";
import { FEWEST_CLUSTERS, keyOf } from "./roles.ts";

/** So many candidates are named. */
const MOST_NAMED = 4;
const MOST_SYSTEMS = 60;
/** Pairs are looked for among the first of many columns. */
const MOST_PAIRED = 12;

/** `decisions` tells what the user said, which is not asked again. */
export function findAsks(table: Table, roles: Roles, decisions: readonly Decision[]): Ask[] {
  const free = freeColumns(table, roles);
  const scored = roles.metrics.length > 0;
  const named = roles.system === undefined ? undefined : table.columns.get(roles.system);
  // what one system was measured on is not paired with anything
  const alone = named !== undefined && scored && groupKeys([named], table.rows).count === 1;
  const open: Ask[] = [];
  if (roles.system === undefined) open.push(askSystem(table, roles, free));
  if (roles.score === undefined && !scored) open.push(askScore(free));
  if (roles.opponent !== undefined) open.push(...(roles.item === undefined ? askPrompt(table, free) : []));
  else if (roles.item === undefined) open.push(...(askOneRow(table, roles) ?? [askItem(table, roles, free)]));
  const [first, ...others] = open;
  const isMissing = roles.system === undefined || roles.score === undefined || roles.item === undefined;
  // a table of another shape lacks several roles at once: the first question is whether it is one
  const asks =
    first === undefined || !isMissing
      ? open
      : [{ ...first, answers: [...proposed(first.id, table, roles), ...first.answers] }, ...others];
  const spelled = [roles.system, roles.rater].flatMap((name) => askSpelling(table, name));
  if (alone && roles.item === undefined) return spelled;
  return roles.item === undefined || roles.opponent !== undefined
    ? [...spelled, ...asks]
    : [...spelled, ...asks, ...askRepeats(table, roles, free), ...askClusters(table, roles, decisions)];
}

/** Shapes that the first question may be about: without a score the columns may be the raters. */
const proposed = (id: Ask["id"], table: Table, roles: Roles): Told[] => [
  ...propose("systems", table, roles),
  ...(id === "score" && roles.item !== undefined ? propose("raters", table, roles) : []),
];

/** One question about a column, whatever else is open; a label may be a word. */
export function askColumn(id: "score" | "label" | "item" | "rater", table: Table, roles: Roles): Ask {
  const free = freeColumns(table, roles);
  if (id === "item") return askItem(table, roles, free);
  if (id === "rater") return askRater(table, roles, free);
  const ask = askScore(free);
  const stubs = propose("systems", table, roles).filter((told) => told.stubs !== undefined);
  const words = id === "label" ? free.filter(areNames) : [];
  return { ...ask, answers: [...stubs, ...answersOf("score", words), ...ask.answers].slice(0, MOST_NAMED) };
}

/** One column for each rater, or a column that names them. */
function askRater(table: Table, roles: Roles, free: readonly ColumnProfile[]): Ask {
  // of votes the columns are the votes themselves
  const met = roles.opponent === undefined ? free.filter((own) => isCrossed(table, roles, own)) : [];
  const named = met.filter(areNames);
  const people = named.length > 0 ? named : met.filter(areCodes);
  return {
    id: "rater",
    columns: names(people),
    answers: [...propose("raters", table, roles), ...answersOf("rater", people)],
  };
}

const names = (profiles: readonly ColumnProfile[]): string[] => profiles.map(({ name }) => name);

const answersOf = (role: keyof Told, profiles: readonly ColumnProfile[]): Told[] =>
  names(profiles)
    .slice(0, MOST_NAMED)
    .map((name) => ({ [role]: name }));

/** "Model A" and "model a" are one system or two. */
function askSpelling(table: Table, name: string | undefined): Ask[] {
  const cells = name === undefined ? undefined : table.columns.get(name);
  if (name === undefined || cells?.kind !== "factor") return [];
  const known = new Map<string, string>();
  for (const level of listValues(cells)) {
    const plain = level.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
    const other = known.get(plain);
    if (other !== undefined) return [{ id: "spelling", columns: [name], key: [other, level], answers: [] }];
    known.set(plain, level);
  }
  return [];
}

/** A column that is called a score and is not one says more than the numbers next to it. */
function askScore(free: readonly ColumnProfile[]): Ask {
  const values = free.filter(
    (own) => (own.column.kind === "numeric" || own.logical) && own.distinct > 1 && !isRowNumber(own),
  );
  // what numbers something, or counts what an output has or cost, is offered where there is nothing else
  const isBy = (name: string): boolean =>
    isAboutItem(name) || isNoOpinion(name) || isBesideScore(name) || namesParameter(splitWords(name));
  const told = values.filter(({ name }) => !isCounterName(name) && !isBy(name));
  const rest = told.length > 0 ? told : values.filter(({ name }) => !isCounterName(name));
  const isNamed = ({ name }: ColumnProfile): boolean => namedAsScore(name) > 0;
  const numbers = [...rest.filter(isNamed), ...rest.filter((own) => !isNamed(own))];
  const text = free.find((own) => own.column.kind === "factor" && !own.logical && namedAsScore(own.name) > 0);
  const odd = text === undefined ? [] : listValues(text.column).filter((level) => !isDecimal(level));
  return {
    id: "score",
    columns: names(numbers),
    answers: answersOf("score", numbers),
    ...(text === undefined || odd.length === 0
      ? {}
      : { texts: { column: text.name, examples: odd.slice(0, MOST_NAMED) } }),
  };
}

/** Columns of few names; the names of the rows, where each has its own. */
function askSystem(table: Table, roles: Roles, free: readonly ColumnProfile[]): Ask {
  // a run is a system in retrieval, where its cells are names
  const runs = profileTable(table).filter(({ name }) => name === roles.repeat);
  const groups = [...free, ...runs].filter(
    (own) => areNames(own) && !isChoiceName(own.name) && isCrossed(table, roles, own),
  );
  const scored = roles.metrics.length > 0;
  const rows = free
    .filter(
      (own) => own.values === "category" && isUnique(own) && !isAboutItem(own.name) && isCrossed(table, roles, own),
    )
    .slice(0, 1);
  // pandas writes the names of the rows in front, without a name of their own
  const inFront = rows.some(({ name }) => name === UNNAMED_FIRST);
  const found = scored && (groups.length === 0 || inFront) ? [...rows, ...groups] : groups;
  return { id: "system", columns: names(found), answers: answersOf("system", found) };
}

/** Few names that come again, no records or lists, nor what is right of an item or was settled about it. */
const areNames = (own: ColumnProfile): boolean =>
  own.values === "category" &&
  !own.logical &&
  !isAboutItem(own.name) &&
  own.distinct > 1 &&
  own.distinct <= MOST_SYSTEMS &&
  !isUnique(own) &&
  !holdsRecords(own);

/** Names or numbers of people: each on many rows. */
const areCodes = ({ values, logical, name, distinct, rows }: ColumnProfile): boolean =>
  ((values === "category" && !logical) || (values === "integer" && isCounterName(name))) &&
  !isAboutItem(name) &&
  distinct > 1 &&
  distinct * FEWEST_RATED <= rows;
const FEWEST_RATED = 20;

/** Several of them met an item, where items are known: systems are paired by items, and raters agree about them. */
function isCrossed(table: Table, { item }: Roles, { column }: ColumnProfile): boolean {
  const items = item === undefined ? undefined : table.columns.get(item);
  if (items === undefined) return true;
  const count = (...own: readonly Column[]): number => groupKeys(own, table.rows).count;
  return 2 * count(items, column) >= 3 * count(items);
}

/** Most systems have one row: totals, but for those with several. */
function askOneRow(table: Table, roles: Roles): Ask[] | undefined {
  const key = keyOf(roles);
  if (roles.system === undefined || key.length === 0) return undefined;
  const { count } = groupKeys(
    key.map((name) => table.columns.get(name)!),
    table.rows,
  );
  if (count === table.rows || 3 * count < 2 * table.rows) return undefined;
  return [{ id: "repeats", columns: [], key, rows: table.rows - count, answers: [] }];
}

function askItem(table: Table, roles: Roles, free: readonly ColumnProfile[]): Ask {
  const key = keyOf(roles).map((name) => table.columns.get(name)!);
  const again = roles.system !== undefined || roles.rater !== undefined;
  const named = free.filter(
    (own) =>
      own.values !== "real" &&
      own.values !== "0/1" &&
      own.distinct > 1 &&
      own.missing === 0 &&
      !isDependent(own.name) &&
      !isCondition(own.name) &&
      !(again && isUnique(own)),
  );
  const isShared = (name: string): boolean => !again || comesAgain(table, name.split(","));
  const several = named.filter(({ distinct }) => distinct > 2);
  const whole = [several, named].map((own) => completing(table, key, own).filter(isShared));
  // what several systems met may be the item, and what tells its rows apart is the next question
  const crossed = named.filter(
    (own) => own.distinct >= FEWEST_ITEMS && own.values === "category" && isShared(own.name),
  );
  const complete = whole.find((list) => list.length > 0) ?? (again ? names(crossed) : []);
  // what was given is new in every row: the systems met different items
  const isGiven = ({ name }: ColumnProfile): boolean => [...ITEM_NAMES, ...INPUT_NAMES].includes(plainName(name));
  const apart: Told[] =
    again && free.some((own) => isGiven(own) && isUnique(own)) ? [{ item: "none", unpaired: true }] : [];
  return {
    id: "item",
    columns: complete,
    answers: [...complete.slice(0, MOST_NAMED).map((item) => ({ item })), ...apart],
  };
}

/** Cut-offs, parts of the data, days and settings are not what was judged. */
const isCondition = (name: string): boolean =>
  isSplitName(name) || isSetting(name) || isOccasionName(name) || CUTOFFS.has(plainName(name));
const CUTOFFS = new Set(["k", "cutoff", "cut_off", "depth", "top_n"]);
const FEWEST_ITEMS = 5;

/** Items that systems or raters have in common: two rows or more, on the average. */
const comesAgain = (table: Table, own: readonly string[]): boolean =>
  2 *
    groupKeys(
      own.map((name) => table.columns.get(name)!),
      table.rows,
    ).count <=
  table.rows;

/** Votes on one prompt are correlated: a column whose values come again may name the prompts. */
function askPrompt(table: Table, free: readonly ColumnProfile[]): Ask[] {
  const again = free.filter(
    ({ values, distinct }) => values !== "real" && values !== "0/1" && distinct > 2 && distinct * 4 <= table.rows,
  );
  if (again.length === 0) return [];
  return [{ id: "prompt", columns: names(again), answers: [...answersOf("item", again), { item: "none" }] }];
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

/** Gold labels whose predictions nobody named: columns that mostly hold its labels. */
export function askPredictions(table: Table, gold: string): Ask {
  const labels = new Set(listValues(table.columns.get(gold)!));
  const pred = [...table.columns.keys()].filter((name) => {
    const own = name === gold ? [] : listValues(table.columns.get(name)!);
    const shared = own.filter((level) => labels.has(level)).length;
    return own.length <= MOST_SYSTEMS && shared > 1 && shared * 2 > own.length;
  });
  return { id: "predictions", columns: [gold], answers: pred.length === 0 ? [] : [{ gold, pred }] };
}

/** Rows of one system, item, rater, run, task and metric: which column tells them apart, or whether they are runs. */
export function askRepeats(table: Table, roles: Roles, free = freeColumns(table, roles)): Ask[] {
  const key = keyOf(roles).map((name) => table.columns.get(name)!);
  const { count, group, first } = groupKeys(key, table.rows);
  if (count === table.rows) return [];
  const repeating = group.findIndex((own, row) => first[own] !== row);
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
      first: key.map((cells) => cellText(cells, repeating) ?? ""),
      answers: [...answers, ...(roles.repeat === undefined ? [{ run: "rows" }] : [])],
    },
  ];
}

/** A plain name of clusters with few groups, or ids that come again in every task: whether items are correlated is for the user to say. */
function askClusters(table: Table, roles: Roles, decisions: readonly Decision[]): Ask[] {
  const { cluster, item, task, opponent } = roles;
  const isByName = (own: RoleName): boolean => decisions.find(({ role }) => role === own)?.by === "name";
  const count = (...own: readonly string[]): number =>
    groupKeys(
      own.map((name) => table.columns.get(name)!),
      table.rows,
    ).count;
  const ask = (column: string, { of = {}, ...more }: Pick<Ask, "rows" | "key"> & { readonly of?: Told }): Ask[] => [
    { id: "cluster", columns: [column], ...more, answers: [{ ...of, cluster: column }, { cluster: "none" }] },
  ];
  if (opponent !== undefined) return [];
  if (cluster !== undefined) {
    const rows = isByName("cluster") ? count(cluster) : FEWEST_CLUSTERS;
    return rows < FEWEST_CLUSTERS ? ask(cluster, { rows }) : [];
  }
  if (item === undefined || task === undefined || !isByName("task") || !isByName("item")) return [];
  const tasks = count(task);
  return tasks > 1 && count(item, task) === tasks * count(item)
    ? ask(item, { key: [task], of: { item: `${item},${task}` } })
    : [];
}
