/** Which way is better as the table itself says it: a column higher_is_better with true and false, or one called direction, goal or better
 *  with max and min, higher and lower, ↑ and ↓. What the file says goes before what a name says. */

import { asFactor, type Column, type Table } from "../data/table.ts";
import { splitWords } from "./lexicon/words.ts";

const FLAG = /^(is_)?(higher|greater|more|larger|bigger|lower|less|smaller)_(is_)?better$/;
const FALLS = /^(is_)?(lower|less|smaller)_/;
const NAMED =
  /^(metric_|score_)?(better|direction|goal|objective|polarity|optimum|optimi[sz]e|optimi[sz]ation|desired|mode)(_direction|_mode)?$/;
const YES = /^(true|yes|y|t|1)$/;
const NO = /^(false|no|n|f|0)$/;
const UP =
  /^(higher|high|greater|larger|more|max|maxi?mi[sz]e|maximum|up|upward|increase|asc|ascending|↑|⬆|▲|\+|higher is better)$/;
const DOWN =
  /^(lower|low|less|smaller|min|mini?mi[sz]e|minimum|down|downward|decrease|desc|descending|↓|⬇|▼|-|lower is better)$/;

/** The column of a table that says it, if there is one. */
export function directionColumn(table: Table): string | undefined {
  for (const [name, cells] of table.columns) {
    const word = splitWords(name).join("_");
    if ((FLAG.test(word) || NAMED.test(word)) && levelsOf(cells).every((level) => read(word, level) !== undefined))
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
  const word = splitWords(name).join("_");
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
  const flag = FLAG.test(word);
  const up = (flag ? YES : UP).test(text);
  if (!up && !(flag ? NO : DOWN).test(text)) return undefined;
  return flag && FALLS.test(word) ? !up : up;
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
