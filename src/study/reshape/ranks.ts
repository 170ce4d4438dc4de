/** Ranks of systems, 1 the best → one row for each system, of which less is better:
 *    ada, bob, cob = 2, 1, 3       a column for each system
 *    rank1, rank2 = ada, bob       the system at each rank
 *    system, rank                  long already: one column */
import type { Roles, Told } from "../../data/imported.ts";
import { stackFamilies } from "../../data/reshape.ts";
import { isMissing, numericColumn, requireColumns, selectRows, type Table, withColumn } from "../../data/table.ts";
import { freeNumbers } from "../facts.ts";
import { plainName, splitNumbers } from "../lexicon/words.ts";
import { cellText, freshName, hint, type Reshape, type Reshaped, requireNumbers, rowsOf } from "./reshaped.ts";
import { findStubs } from "./stubs.ts";

const FEWEST_RANKED = 3;
const RANKS = new Set(["rank", "ranks", "ranking", "place"]);

export const ranks: Reshape = {
  id: "ranks",
  find(table: Table, roles: Roles): Told | undefined {
    if (roles.score !== undefined) return undefined;
    const numbers = freeNumbers(table, roles);
    if (roles.system !== undefined) {
      const long = numbers.find(({ name }) => RANKS.has(plainName(name)));
      return long === undefined ? undefined : { ranks: [long.name] };
    }
    const named = findStubs(table).find(
      ({ stub, columns }) => RANKS.has(splitNumbers(stub).at(-1)!) && areNames(table, columns),
    );
    if (named !== undefined) return { ranks: named.columns };
    const cells = numbers.flatMap(({ column }) => (column.kind === "numeric" ? [column.values] : []));
    const placesIn = (row: number): number[] => cells.map((values) => values[row]!).filter((own) => !Number.isNaN(own));
    const ordered = cells.length >= FEWEST_RANKED && rowsOf(table).every((row) => isOrder(placesIn(row)));
    return ordered ? { ranks: numbers.map(({ name }) => name) } : undefined;
  },
  apply(table: Table, { ranks: names = [] }: Told): Reshaped {
    requireColumns(table, "ranks", names);
    if (names.length === 1) {
      requireNumbers(table, "ranks", names);
      return { ...scored(table, names[0]!), done: [] };
    }
    const [system, rank] = [freshName(table, "system"), freshName(table, "rank")];
    const named = areNames(table, names);
    if (!named) requireNumbers(table, "ranks", names);
    const long = stackFamilies(table, names, {
      families: [{ name: named ? system : rank, columns: names }],
      keyName: named ? rank : system,
    });
    const cells = long.columns.get(named ? system : rank)!;
    const place = (row: number): number => 1 + names.indexOf(cellText(long.columns.get(rank)!, row)!);
    const ranked = named ? withColumn(long, rank, numericColumn(rowsOf(long).map(place))) : long;
    const filled = selectRows(ranked, (row) => !isMissing(cells, row));
    const { hints, ...own } = scored(filled, rank);
    return {
      ...own,
      hints: [hint("system", system), ...hints],
      done: [{ id: named ? "places" : "ranks", columns: names, into: [system, rank] }],
    };
  },
};

const areNames = ({ columns }: Table, names: readonly string[]): boolean =>
  names.every((name) => columns.get(name)!.kind === "factor");

const scored = (table: Table, rank: string): Omit<Reshaped, "done"> => ({
  table,
  hints: [hint("score", rank)],
  higherIsBetter: new Map([[rank, false]]),
});

/** 1, 2, 2, 4 as in sports, 1, 2, 2, 3, or 1, 2.5, 2.5, 4. */
function isOrder(places: readonly number[]): boolean {
  const less = (place: number): number => places.filter((own) => own < place).length;
  const same = (place: number): number => places.filter((own) => own === place).length;
  const steps = [...new Set(places)].sort((a, b) => a - b);
  return [
    (place: number): number => 1 + less(place),
    (place: number): number => 1 + steps.indexOf(place),
    (place: number): number => 1 + less(place) + (same(place) - 1) / 2,
  ].some((rule) => places.every((place) => place === rule(place)));
}
