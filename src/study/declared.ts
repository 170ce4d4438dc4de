/** Which way is better as the table itself says it: a column higher_is_better with true and false, or one called direction, goal or better
 *  with max and min, higher and lower, ↑ and ↓. What the file says goes before what a name says. */

import { asFactor, type Column, type Table } from "../data/table.ts";
import { isBetterFlag, isDirectionName, isLowerFlag, saysDown, saysNo, saysUp, saysYes } from "./lexicon/directions.ts";
import { joinedName } from "./lexicon/words.ts";

/** The column of a table that says it, if there is one. */
export function directionColumn(table: Table): string | undefined {
  for (const [name, cells] of table.columns) {
    const word = joinedName(name);
    if (
      (isBetterFlag(word) || isDirectionName(word)) &&
      levelsOf(cells).every((level) => read(word, level) !== undefined)
    )
      return levelsOf(cells).length === 0 ? undefined : name;
  }
  return undefined;
}

/** The direction of each level of `metric`; without it, of all rows under "". A level of which the rows disagree is absent. */
export function declaredDirections(table: Table, metric?: string): ReadonlyMap<string, boolean> {
  const name = directionColumn(table);
  if (name === undefined) return new Map();
  const said = asFactor(table.columns.get(name)!);
  const of = metric === undefined ? undefined : asFactor(table.columns.get(metric)!);
  const word = joinedName(name);
  const found = new Map<string, Set<boolean>>();
  said.codes.forEach((code, row) => {
    const own = of === undefined ? "" : of.levels[of.codes[row]!];
    if (code < 0 || own === undefined) return;
    found.set(own, (found.get(own) ?? new Set()).add(read(word, said.levels[code]!)!));
  });
  return new Map([...found].flatMap(([level, all]) => (all.size === 1 ? [[level, [...all][0]!] as const] : [])));
}

function read(word: string, level: string): boolean | undefined {
  const text = level.trim().toLowerCase();
  if (!isBetterFlag(word)) return saysUp(text) ? true : saysDown(text) ? false : undefined;
  return saysYes(text) || saysNo(text) ? saysYes(text) !== isLowerFlag(word) : undefined;
}

/** Few values, as texts. */
function levelsOf(cells: Column): readonly string[] {
  if (cells.kind === "factor") return cells.levels.length > MOST ? ["?"] : cells.levels;
  const values = new Set<number>();
  for (const value of cells.values) {
    if (!Number.isNaN(value)) values.add(value);
    if (values.size > MOST) break;
  }
  return [...values].map(String);
}

/** Words for up and down that one file uses. */
const MOST = 6;
