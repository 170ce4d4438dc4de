/** The few shapes that plain names decide, as long rows: one row for each judgment.
 *      plain numbers   "-", "85.2 ± 0.4", "85%" among numbers      nested   records within a cell
 *      votes           two sides and who won                       lists    values of several raters in a cell
 *      rater columns   rater1, annotator_anna, grader2_fluency     words    "very bad" … "very good"
 *  Other shapes are the user's to name. A shape never touches a table that is long already. */
import type { Decision } from "../../data/imported.ts";
import type { Table } from "../../data/table.ts";
import { INPUT_NAMES, ITEM_NAMES } from "../lexicon/names.ts";
import { plainName } from "../lexicon/words.ts";
import { findLists } from "./lists.ts";
import { findNested } from "./nested.ts";
import { findPlainNumbers } from "./plain-numbers.ts";
import { findRaterColumns } from "./rater-columns.ts";
import { type Reshaped, type Shape, withRowNumbers } from "./reshaped.ts";
import { findVotes } from "./votes.ts";
import { findWordScales } from "./word-scales.ts";

const SHAPES: readonly Shape[] = [findPlainNumbers, findNested, findVotes, findLists, findRaterColumns, findWordScales];

/** Longer tables than this are not searched for shapes: programs wrote them, in long form. */
const MOST_ROWS = 2_000_000;

/** `keep` names columns that the caller wants as they are: a shape that would take one of them away is not applied. */
export function reshapeTable(table: Table, keep: readonly string[] = []): Reshaped | undefined {
  if (table.rows === 0 || table.rows > MOST_ROWS) return undefined;
  let found: Reshaped | undefined;
  for (const shape of SHAPES) {
    const next = nameItems(found?.table ?? table, shape, found?.hints ?? []);
    if (next === undefined || keep.some((name) => table.columns.has(name) && !next.table.columns.has(name))) continue;
    found = {
      table: next.table,
      reading: [...(found?.reading ?? []), ...next.reading],
      hints: [...(found?.hints ?? []), ...next.hints],
      higherIsBetter: new Map([...(found?.higherIsBetter ?? []), ...(next.higherIsBetter ?? [])]),
      unnamedRaters: found?.unnamedRaters === true || next.unnamedRaters === true,
    };
  }
  return found;
}

/** Where a row becomes several and nothing names the item, the rows of the file are the items. */
function nameItems(table: Table, shape: Shape, known: readonly Decision[]): Reshaped | undefined {
  const plain = shape(table);
  if (plain === undefined || plain.table.rows <= table.rows) return plain;
  // of votes the prompt is known or asked
  const isItem = ({ role }: Decision): boolean => role === "item" || role === "opponent";
  if (known.some(isItem) || plain.hints.some(isItem) || hasItem(table)) return plain;
  const numbered = withRowNumbers(table);
  const next = shape(numbered.table);
  if (next === undefined) return plain;
  return {
    ...next,
    reading: [...next.reading, `Each row of the file is an item (column ${numbered.name}).`],
    hints: [...next.hints, { role: "item", column: numbered.name, by: "file" }],
  };
}

const hasItem = ({ columns }: Table): boolean =>
  [...columns.keys()].some((name) => ITEM_NAMES.includes(plainName(name)) || INPUT_NAMES.includes(plainName(name)));
