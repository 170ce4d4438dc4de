/** Ranks of what was compared on one item → scores of which less is better:
 *    system, item, rank = 1, 2, …        the places of all systems of an item (and rater)
 *    rank_A, rank_B, rank_C              a column for each system, which become rows
 *    rank1, rank2, rank3; 1st, 2nd, 3rd  the system at each place, which become rows
 *    ada, bob, cob = 2, 1, 3             a column for each system, and all places in every row
 *    "ada > bob > cob"                   the systems of a cell in their order
 *  What is called a rank and does not order the systems of one item, such as the place on a leaderboard, stays as it is. */

import { mostOf } from "../../result/extremes.ts";
import type { RoleGuess } from "../imported.ts";
import { groupKeys } from "../keys.ts";
import {
  CLUSTER_NAMES,
  INPUT_NAMES,
  ITEM_NAMES,
  METRIC_NAMES,
  RATER_NAMES,
  SCORE_NAMES,
  SYSTEM_NAMES,
  splitWords,
} from "../roles/names.ts";
import { asFactor, isMissing, makeTable, numericColumn, selectRows, type Table } from "../table.ts";
import { findGrids, lastWord } from "./name-grid.ts";
import { cellText, type Family, freshName, type Reshaped, stackFamilies } from "./reshaped.ts";

export function findRanks(table: Table): Reshaped | undefined {
  return (
    findRankings(table) ?? findRankColumns(table) ?? findPlaces(table) ?? findOrders(table) ?? findRankColumn(table)
  );
}

const MOST_RANKED = 30;

/** Each row names what stands at every place, nobody twice, and much the same ones as the others. */
function findRankings(table: Table): Reshaped | undefined {
  const grids = findGrids([...table.columns.keys()], "number").map(({ keys, stems }) => ({
    keys,
    own: [...stems].find(([stem]) => /^(ranks?|ranked|places?)$/.test(lastWord(stem))),
  }));
  for (const { keys, own } of [...grids, ordinalsOf(table)]) {
    if (own === undefined || keys.some((key, k) => Number(key) !== k + 1)) continue;
    const cells = own[1].map((name) => table.columns.get(name)!);
    if (cells.some(({ kind }) => kind === "numeric")) continue;
    const rows = Array.from({ length: table.rows }, (_, row) => cells.flatMap((column) => cellText(column, row) ?? []));
    const named = new Set(rows.flat());
    if (named.size > MOST_RANKED || named.size * 2 > table.rows) continue;
    if (!rows.every((places) => new Set(places).size === places.length)) continue;
    const [keyName, rank] = [freshName(table, "rank"), freshName(table, "system")];
    const long = stackFamilies(table, keys, { families: [{ name: rank, columns: own[1] }], keyName });
    const systems = long.columns.get(rank)!;
    const filled = selectRows(long, (row) => !isMissing(systems, row));
    const places = asFactor(filled.columns.get(keyName)!);
    const numbers = numericColumn(Array.from(places.codes, (code) => Number(places.levels[code])));
    const ranked = makeTable(
      [...filled.columns].map(([name, column]) => [name, name === keyName ? numbers : column] as const),
      filled.rows,
    );
    const found = told(ranked, keyName, `${own[1].join(", ")} name what stands at each place`);
    const reason = `the names in ${own[1].join(", ")}`;
    return {
      ...found,
      hints: [{ role: "system", column: rank, reason, confidence: 0.9 }, ...found.hints, ...findTrial(table)],
    };
  }
  return undefined;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const FEWEST_RANKED = 3;

/** "1st", "3rd place", "second": 1, 3, 2; NaN for all others. */
function ordinalOf(text: string): number {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[_. -]?(place|rank|choice)$/, "");
  const number = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(plain)?.[1];
  if (number !== undefined) return Number(number);
  const place = ORDINALS.indexOf(plain);
  return place < 0 ? Number.NaN : place + 1;
}

/** Columns that are called first, second, third, or 1st, 2nd, 3rd. */
function ordinalsOf(table: Table): { keys: string[]; own: [string, string[]] | undefined } {
  const named = [...table.columns.keys()]
    .map((name) => ({ name, place: ordinalOf(name) }))
    .filter(({ place }) => !Number.isNaN(place))
    .sort((a, b) => a.place - b.place);
  const keys = named.map(({ place }) => String(place));
  return { keys, own: named.length < FEWEST_RANKED ? undefined : ["place", named.map(({ name }) => name)] };
}

/** As many columns as places, and in every row all of them: nothing else than ranks is such. */
function findPlaces(table: Table): Reshaped | undefined {
  if ([...table.columns.keys()].some((name) => SYSTEM_NAMES.includes(splitWords(name).join("_")))) return undefined;
  const places = new Map<string, readonly number[]>();
  for (const [name, cells] of table.columns) {
    const own = Array.from({ length: table.rows }, (_, row) =>
      cells.kind === "numeric" ? cells.values[row]! : ordinalOf(cellText(cells, row) ?? ""),
    );
    if (own.every((place) => Number.isInteger(place) && place >= 1 && place <= MOST_RANKED)) places.set(name, own);
  }
  for (let most = places.size; most >= FEWEST_RANKED; most -= 1) {
    const names = [...places.keys()].filter((name) => mostOf(places.get(name)!) <= most);
    const full = (row: number): boolean => new Set(names.map((name) => places.get(name)![row])).size === most;
    const rows = Array.from({ length: table.rows }, (_, row) => row);
    if (names.length !== most || table.rows < FEWEST_ORDERS || !rows.every(full)) continue;
    const numbered = makeTable(
      [...table.columns].map(
        ([name, cells]) => [name, names.includes(name) ? numericColumn(places.get(name)!) : cells] as const,
      ),
      table.rows,
    );
    const [keyName, rank] = [freshName(table, "system"), freshName(table, "rank")];
    const long = stackFamilies(numbered, names, { families: [{ name: rank, columns: names }], keyName });
    const found = told(
      long,
      rank,
      `${names.join(", ")} hold all places from 1 to ${most} in every row and are taken as what was ranked`,
    );
    const reason = `${names.join(", ")} hold all places in every row`;
    return {
      ...found,
      hints: [{ role: "system", column: keyName, reason, confidence: 0.85 }, ...found.hints, ...findTrial(table)],
    };
  }
  return undefined;
}

const FEWEST_ORDERS = 4;

/** Cells such as "ada > bob > cob" with the same names in every row. */
function findOrders(table: Table): Reshaped | undefined {
  for (const [name, cells] of table.columns) {
    if (cells.kind === "numeric") continue;
    const texts = Array.from({ length: table.rows }, (_, row) => cellText(cells, row)).filter((text) => text !== null);
    const orders = texts.map((text) => text.split(">").map((part) => part.trim()));
    const systems = [...new Set(orders[0])].sort();
    if (systems.length < FEWEST_RANKED || systems.length > MOST_RANKED || orders.length < FEWEST_ORDERS) continue;
    if (systems.some((system) => system === "" || /[=<>,;]/.test(system))) continue;
    if (!orders.every((order) => order.length === systems.length && systems.every((own) => order.includes(own))))
      continue;
    const places = systems.map((own) =>
      numericColumn(
        Array.from({ length: table.rows }, (_, row) => {
          const text = cellText(cells, row);
          return text === null ? Number.NaN : 1 + text.split(">").findIndex((part) => part.trim() === own);
        }),
      ),
    );
    const columns = systems.map((own) => freshName(table, own));
    const wide = makeTable([...table.columns, ...columns.map((own, k) => [own, places[k]!] as const)], table.rows);
    const [keyName, rank] = [freshName(wide, "system"), freshName(wide, "rank")];
    const long = stackFamilies(wide, systems, { families: [{ name: rank, columns }], keyName, drop: [name] });
    const ranks = long.columns.get(rank)!;
    const found = told(
      selectRows(long, (row) => !isMissing(ranks, row)),
      rank,
      `${name} puts ${systems.join(", ")} in order, the first before ">"`,
    );
    const reason = `the names in ${name}`;
    return {
      ...found,
      hints: [{ role: "system", column: keyName, reason, confidence: 0.9 }, ...found.hints, ...findTrial(table)],
    };
  }
  return undefined;
}

/** What was ranked or voted on where no column is called an item: a text, document or trial that every rater has once. */
export function findTrial(table: Table): RoleGuess[] {
  const called = (names: readonly string[]): string | undefined =>
    [...table.columns.keys()].find((name) => names.includes(splitWords(name).join("_")));
  if (called([...ITEM_NAMES, ...INPUT_NAMES]) !== undefined) return [];
  const rater = called(RATER_NAMES);
  const column = called([...TRIALS, ...CLUSTER_NAMES]);
  if (column === undefined) return [];
  const keys = [column, ...(rater === undefined ? [] : [rater])].map((name) => table.columns.get(name)!);
  if (groupKeys(keys, table.rows).count < table.rows) return [];
  return [{ role: "item", column, reason: "what was judged in each row", confidence: 0.8 }];
}
const TRIALS = ["trial", "trial_id", "set", "set_id", "block", "hit"];

const isRank = (name: string): boolean => /^(rank|ranks|ranking)$/.test(splitWords(name).at(-1) ?? "");
/** Share of the items whose ranks must order what they have. */
const MOST_ORDERED = 0.9;

/** 1, 2, 2, 4 as in sports, 1, 2, 2, 3, or 1, 2.5, 2.5, 4. */
function isOrder(places: readonly number[]): boolean {
  const less = (place: number): number => places.filter((own) => own < place).length;
  const same = (place: number): number => places.filter((own) => own === place).length;
  const steps = [...new Set(places)].sort((a, b) => a - b);
  return (
    places.every((place) => place === 1 + less(place)) ||
    places.every((place) => place === 1 + steps.indexOf(place)) ||
    places.every((place) => place === 1 + less(place) + (same(place) - 1) / 2)
  );
}

const areOrdered = (groups: readonly (readonly number[])[]): boolean => {
  const several = groups.filter((places) => places.length > 1);
  return several.length > 1 && several.filter(isOrder).length >= MOST_ORDERED * several.length;
};

function findRankColumn(table: Table): Reshaped | undefined {
  const called = (lists: readonly (readonly string[])[]): string | undefined =>
    [...table.columns.keys()].find((name) => lists.some((list) => list.includes(splitWords(name).join("_"))));
  const [name, ...others] = [...table.columns.keys()].filter((own) => isRank(own));
  const cells = name === undefined ? undefined : table.columns.get(name)!;
  const [system, item] = [called([SYSTEM_NAMES]), called([ITEM_NAMES, INPUT_NAMES]) ?? called([TRIALS, CLUSTER_NAMES])];
  if (name === undefined || others.length > 0 || cells?.kind !== "numeric") return undefined;
  if (system === undefined || item === undefined) return undefined;
  const units = [item, called([RATER_NAMES]), called([METRIC_NAMES])].filter((own) => own !== undefined);
  const { group, count } = groupKeys(
    units.map((own) => table.columns.get(own)!),
    table.rows,
  );
  const places: number[][] = Array.from({ length: count }, () => []);
  cells.values.forEach((place, row) => {
    if (!Number.isNaN(place)) places[group[row]!]!.push(place);
  });
  // what the places were made of says more than they do
  if (ordersAnother(table, name, group)) return undefined;
  if (!areOrdered(places)) return undefined;
  const found = told(table, name, `${name} holds the places of each ${system} on each ${item}`);
  const isItem = called([ITEM_NAMES, INPUT_NAMES]) !== undefined;
  const reason = `what each ${system} was ranked on`;
  return isItem
    ? found
    : { ...found, hints: [...found.hints, { role: "item", column: item, reason, confidence: 0.8 }] };
}

/** Within every item the ranks are those of a score that stands beside them. */
function ordersAnother(table: Table, name: string, group: ArrayLike<number>): boolean {
  const ranks = table.columns.get(name)!;
  return [...table.columns].some(([own, cells]) => {
    if (own === name || cells.kind !== "numeric" || ranks.kind !== "numeric") return false;
    if (!SCORE_NAMES.includes(splitWords(own).at(-1) ?? "") || new Set(cells.values).size < 2) return false;
    const byItem = new Map<number, number[]>();
    for (let row = 0; row < table.rows; row += 1) byItem.set(group[row]!, [...(byItem.get(group[row]!) ?? []), row]);
    const ways = [...byItem.values()].flatMap((rows) => {
      const sorted = [...rows].sort((a, b) => ranks.values[a]! - ranks.values[b]!);
      return sorted.slice(1).map((row, k) => Math.sign(cells.values[row]! - cells.values[sorted[k]!]!));
    });
    return ways.length > 0 && (ways.every((way) => way <= 0) || ways.every((way) => way >= 0));
  });
}

function findRankColumns(table: Table): Reshaped | undefined {
  if ([...table.columns.keys()].some((name) => SYSTEM_NAMES.includes(splitWords(name).join("_")))) return undefined;
  for (const mode of ["suffix", "prefix"] as const) {
    for (const { keys, stems } of findGrids([...table.columns.keys()], mode)) {
      const families = [...stems].map(([name, columns]): Family => ({ name, columns }));
      const [own] = families.filter(({ name }) => isRank(name));
      if (own === undefined || families.length > 1 || keys.some((key) => /^\d+$/.test(key))) continue;
      const cells = own.columns.map((name) => table.columns.get(name!)!);
      if (cells.some(({ kind }) => kind !== "numeric")) continue;
      const rows = Array.from({ length: table.rows }, (_, row) =>
        cells.flatMap((own) => (own.kind === "numeric" && !Number.isNaN(own.values[row]!) ? [own.values[row]!] : [])),
      );
      if (!areOrdered(rows)) continue;
      const keyName = freshName(table, "system");
      const long = stackFamilies(table, keys, { families, keyName });
      const ranks = long.columns.get(own.name)!;
      const filled = selectRows(long, (row) => !isMissing(ranks, row));
      const found = told(filled, own.name, `${own.columns.join(", ")} hold the places of ${keys.join(", ")}`);
      const reason = `it comes from ${own.columns.join(", ")}`;
      return { ...found, hints: [{ role: "system", column: keyName, reason, confidence: 0.9 }, ...found.hints] };
    }
  }
  return undefined;
}

const told = (table: Table, name: string, what: string): Reshaped => ({
  table,
  reading: [`${what}: 1 is taken as the best.`],
  hints: [{ role: "score", column: name, reason: "places, of which 1 is the best", confidence: 0.85 }],
  higherIsBetter: new Map([[name, false]]),
});
