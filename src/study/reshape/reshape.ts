/** Tables that are not long, as one row for each judgment. Shapes that plain names decide are applied:
 *      plain numbers   "-", "85.2 ± 0.4", "85%" among numbers      nested   records within a cell
 *      votes           two sides and who won                       lists    values of several raters in a cell
 *      rater columns   rater1, annotator_anna, grader2_fluency     words    "very bad" … "very good"
 *      run columns     seed1, run_2_em, beside a column of systems
 *  The others are the user's to name, by the option that is called like them, and a question proposes them. */
import type { Decision, Roles, Told } from "../../data/imported.ts";
import { groupKeys } from "../../data/keys.ts";
import { type Column, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { INPUT_NAMES, ITEM_NAMES, isDependent, isSeedName, RATER_NAMES, TASK_NAMES } from "../lexicon/names.ts";
import { plainName } from "../lexicon/words.ts";
import { bestWorst } from "./best-worst.ts";
import { counts } from "./counts.ts";
import { findLists, lists } from "./lists.ts";
import { findNested } from "./nested.ts";
import { oneHot } from "./one-hot.ts";
import { findPlainNumbers } from "./plain-numbers.ts";
import { ranks } from "./ranks.ts";
import { findRaterColumns } from "./rater-columns.ts";
import { freshName, hint, type Reshape, type Reshaped, type Shape } from "./reshaped.ts";
import { findRunColumns } from "./run-columns.ts";
import { items, raters, systems } from "./stacked-columns.ts";
import { stubs } from "./stubs.ts";
import { findVotes } from "./votes.ts";
import { findWordScales } from "./word-scales.ts";

/** Of these one makes judgments of the rows, which are then not unrolled again. */
const JUDGMENTS: readonly Shape[] = [findVotes, findLists, findRaterColumns, findRunColumns];
const SHAPES: readonly Shape[] = [findPlainNumbers, findNested, ...JUDGMENTS, findWordScales];

/** In the order in which they are proposed: the narrower evidence first. */
const OF_SYSTEMS: readonly Reshape[] = [stubs, bestWorst, ranks, oneHot, items, systems, lists];
const OF_RATERS: readonly Reshape[] = [counts, raters];

/** Longer tables than this are not searched for shapes: programs wrote them, in long form. */
const MOST_ROWS = 2_000_000;
/** `keep` names columns that the caller wants as they are: a shape that would take one of them away is not applied. */
export function reshapeTable(table: Table, keep: readonly string[] = []): Reshaped | undefined {
  if (table.rows === 0 || table.rows > MOST_ROWS) return undefined;
  let found: Reshaped | undefined;
  for (const shape of SHAPES) {
    const judged = found?.hints.some(({ role }) => role === "score" || role === "rater") === true;
    if (judged && JUDGMENTS.includes(shape)) continue;
    const next = withItems(found?.table ?? table, shape, found?.hints ?? []);
    if (next === undefined || keep.some((name) => table.columns.has(name) && !next.table.columns.has(name))) continue;
    found = {
      table: next.table,
      done: [...(found?.done ?? []), ...next.done],
      hints: [...(found?.hints ?? []), ...next.hints],
      higherIsBetter: new Map([...(found?.higherIsBetter ?? []), ...(next.higherIsBetter ?? [])]),
      unnamedRaters: found?.unnamedRaters === true || next.unnamedRaters === true,
    };
  }
  return found;
}

/** The shape that the user names; undefined where nothing is said of one. */
export function reshapeTold(table: Table, told: Told): Reshaped | undefined {
  const [named, other] = [...OF_SYSTEMS, ...OF_RATERS].filter(({ id }) => told[id] !== undefined);
  if (told.worst !== undefined && told.best === undefined)
    throw new StatError("BadOption", "option `worst` without the column of the best.", "Add option `best`.");
  if (named === undefined) return undefined;
  if (other !== undefined)
    throw new StatError("BadOption", `options \`${named.id}\` and \`${other.id}\` are two shapes.`, "Name one.");
  const known: Decision[] = told.item === undefined ? [] : [{ role: "item", column: told.item, by: "user" }];
  const apply = (own: Table): Reshaped => {
    const found = named.apply(own, told);
    return { ...found, hints: found.hints.map((one) => ({ ...one, by: "user" })) };
  };
  return withItems(table, apply, known, OF_RATERS.includes(named) ? hasItem : hasUnit);
}

/** The shape of systems, or of raters, that the table looks like, as the option that says so. */
export const propose = (of: "systems" | "raters", table: Table, roles: Roles): Told[] =>
  (of === "systems" ? OF_SYSTEMS : OF_RATERS).flatMap((shape) => shape.find(table, roles) ?? []).slice(0, 1);

/** Where a row becomes several and nothing names the item, the rows of the file are the items, or the seeds that each has its own of. */
function withItems(table: Table, shape: Shape, known: readonly Decision[], hasNames = hasUnit): Reshaped | undefined {
  const name = freshName(table, "row");
  const next = shape(makeTable([[name, rowNumbers(table)], ...table.columns], table.rows));
  if (next === undefined) return undefined;
  // of votes the prompt is known or asked
  const isUnit = ({ role }: Decision): boolean => role === "item" || role === "opponent";
  const named = next.table.rows <= table.rows || [...known, ...next.hints].some(isUnit) || hasNames(table);
  const seed = named ? undefined : [...table.columns].find(([own]) => isSeedName(own));
  const isItem = seed !== undefined && groupKeys([seed[1]], table.rows).count === table.rows;
  if (!named && seed === undefined)
    return {
      ...next,
      done: [...next.done, { id: "rows", columns: [], into: [name] }],
      hints: [...next.hints, hint("item", name)],
    };
  const kept = [...next.table.columns].filter(([own]) => own !== name);
  return {
    ...next,
    table: makeTable(kept, next.table.rows),
    hints: isItem ? [...next.hints, hint("item", seed[0])] : next.hints,
  };
}

/** Each shape sees the same ones. */
const numbered = new WeakMap<Table, Column>();
function rowNumbers(table: Table): Column {
  const known = numbered.get(table) ?? numericColumn(new Float64Array(table.rows).map((_, row) => row + 1));
  numbered.set(table, known);
  return known;
}

/** What several raters judged in one row is an item, unless a column names it. */
const hasItem = ({ columns }: Table): boolean => [...columns.keys()].some((name) => ITEMS.has(plainName(name)));
const ITEMS: ReadonlySet<string> = new Set([...ITEM_NAMES, ...INPUT_NAMES]);

/** A column that names items, or says that rows are ratings, runs, tasks or states of a training. */
const hasUnit = ({ columns }: Table): boolean =>
  [...columns.keys()].some((name) => UNITS.has(plainName(name)) || (isDependent(name) && !isSeedName(name)));
const UNITS: ReadonlySet<string> = new Set([...ITEM_NAMES, ...INPUT_NAMES, ...RATER_NAMES, ...TASK_NAMES]);
