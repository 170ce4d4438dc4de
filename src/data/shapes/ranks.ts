/** Ranks of what was compared on one item → scores of which less is better:
 *    system, item, rank = 1, 2, …        the places of all systems of an item (and rater)
 *    rank_A, rank_B, rank_C              a column for each system, which become rows
 *  What is called a rank and does not order the systems of one item, such as the place on a leaderboard, stays as it is. */
import { groupKeys } from "../keys.ts";
import { INPUT_NAMES, ITEM_NAMES, METRIC_NAMES, RATER_NAMES, SYSTEM_NAMES, splitWords } from "../roles/names.ts";
import { isMissing, selectRows, type Table } from "../table.ts";
import { findGrids } from "./name-grid.ts";
import { type Family, freshName, type Reshaped, stackFamilies } from "./reshaped.ts";

export function findRanks(table: Table): Reshaped | undefined {
  return findRankColumns(table) ?? findRankColumn(table);
}

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
  const [system, item] = [called([SYSTEM_NAMES]), called([ITEM_NAMES, INPUT_NAMES])];
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
  return areOrdered(places)
    ? told(table, name, `${name} holds the places of each ${system} on each ${item}`)
    : undefined;
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
