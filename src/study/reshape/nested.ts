/** Records within a cell → one row for each.
 *    "annotations": [{"worker_id": 3, "coherence": 2}, …]             judgments of one output; raters are the places where nobody names them
 *    "responses": [{"model": "a", "overall": 3}, …]                   outputs of several systems on one item
 *    "sentences": [{"text": …, "responses": [{"worker_id": …}]}]      parts of one text, which were judged: items
 *    "systems": {"a": {"score": 1}, "b": {"score": 0}}                the same by name (columns systems.a, systems.b)
 *  Cells hold JSON text. Names decide: a field of raters or systems, a column called annotations, ratings or the like, keys under systems or
 *  models. A row that has a score itself is not touched: messages, steps and the single tests behind a score stay as they are. */
import type { Done } from "../../data/imported.ts";
import { parseJson } from "../../data/list-cells.ts";
import { stackFamilies } from "../../data/reshape.ts";
import { type Column, factorColumn, numericColumn, type Table } from "../../data/table.ts";
import { profileColumn } from "../facts.ts";
import { namedAsScore } from "../lexicon/metrics.ts";
import {
  ITEM_NAMES,
  isAnswer,
  isBookkeeping,
  isJudgmentList,
  isProcess,
  RATER_NAMES,
  SYSTEM_NAMES,
} from "../lexicon/names.ts";
import { plainName, splitWords } from "../lexicon/words.ts";
import { freshName, hint, type Reshaped, repeatRows } from "./reshaped.ts";
import { findVoteColumns } from "./votes.ts";

type Part = Readonly<Record<string, unknown>>;

const MOST_PARTS = 200;
const MOST_ROWS = 500_000;
const DEEPEST = 3;

export function findNested(table: Table): Reshaped | undefined {
  let found: Reshaped | undefined;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const own = found?.table ?? table;
    const next = isScored(own) ? undefined : (unrollLists(own) ?? unrollSystems(own));
    if (next === undefined) break;
    found = {
      table: next.table,
      done: [...(found?.done ?? []), ...next.done],
      hints: [...(found?.hints ?? []), ...next.hints],
      unnamedRaters: next.unnamedRaters === true,
    };
  }
  return found;
}

/** A row that was scored or voted on itself is the unit. */
const isScored = (table: Table): boolean =>
  findVoteColumns(table) !== undefined ||
  [...table.columns].some(([name, cells]) => {
    if (!(namedAsScore(name) > 0)) return false;
    const { logical, values } = profileColumn(name, cells);
    return values !== "empty" && (cells.kind === "numeric" || logical);
  });

function unrollLists(table: Table): Reshaped | undefined {
  for (const [name, cells] of table.columns) {
    const parts = isProcess(name) ? undefined : readLists(cells);
    if (parts === undefined) continue;
    const fields = [...new Set(parts.flat().flatMap((part) => Object.keys(flatten(part))))];
    const has = (names: readonly string[]): boolean => fields.some((field) => names.includes(plainName(field)));
    const [judged, named] = [parts.flat().some(isJudged), has(PERSONS) || has(SYSTEM_NAMES)];
    const kind =
      named && judged ? "records" : judged && isJudgmentList(name) ? "raters" : holdsLists(parts) ? "parts" : undefined;
    if (kind === undefined) continue;
    const key = kind === "raters" ? "rater" : "item";
    const keyName = freshName(table, key);
    const rows = parts.map((list, row) =>
      list.map((part, i) =>
        kind === "records" ? part : { [keyName]: kind === "raters" ? i + 1 : `${row + 1}.${i + 1}`, ...part },
      ),
    );
    return {
      table: spread(table, rows, [name]),
      done: [{ id: kind === "raters" ? "lists" : kind, columns: [name], into: kind === "records" ? [] : [keyName] }],
      hints: kind === "records" ? [] : [hint(key, keyName)],
      unnamedRaters: kind === "raters",
    };
  }
  return undefined;
}

/** Whoever chats is a user, too. */
const PERSONS = RATER_NAMES.filter((name) => !name.startsWith("user"));

/** The records of each row; undefined where some cell is no list of records. */
function readLists(cells: Column): (readonly Part[])[] | undefined {
  const isList = (value: unknown): value is Part[] =>
    Array.isArray(value) && value.every(isPart) && value.length <= MOST_PARTS;
  const parts = readCells(cells, "[{", isList)?.map((list) => list ?? []);
  return parts !== undefined && parts.reduce((sum, list) => sum + list.length, 0) <= MOST_ROWS ? parts : undefined;
}

/** JSON of one kind in every cell that is not missing. */
function readCells<T>(
  cells: Column,
  start: string,
  fits: (value: unknown) => value is T,
): (T | undefined)[] | undefined {
  if (cells.kind === "numeric" || !cells.levels.some((level) => level.startsWith(start))) return undefined;
  const parsed = cells.levels.map(parseJson);
  return parsed.every(fits) ? Array.from(cells.codes, (code) => parsed[code]) : undefined;
}

/** A number, a verdict or an answer under the name of one. */
const isJudged = (part: Part): boolean =>
  Object.entries(flatten(part)).some(([name, value]) => {
    const plain = plainName(name);
    if (typeof value === "string") return isAnswer(plain);
    const named = [RATER_NAMES, SYSTEM_NAMES, ITEM_NAMES].some((names) => names.includes(plain)) || isBookkeeping(name);
    return typeof value === "boolean" || (typeof value === "number" && !named);
  });

/** Records that hold lists of judgments themselves. */
const holdsLists = (parts: readonly (readonly Part[])[]): boolean => {
  const values = parts.flat().flatMap((part) => Object.values(part).filter((value) => Array.isArray(value)));
  const isNamed = (own: unknown): boolean =>
    isPart(own) && isJudged(own) && Object.keys(own).some((name) => PERSONS.includes(plainName(name)));
  return values.some((list) => list.length > 0 && list.every(isNamed));
};

/** Columns systems.a, systems.b, …: records with the same fields, or one number each. */
function unrollSystems(table: Table): Reshaped | undefined {
  const families = new Map<string, { readonly name: string; readonly key: string }[]>();
  for (const name of table.columns.keys()) {
    const dot = name.indexOf(".");
    const prefix = name.slice(0, Math.max(0, dot));
    if (!splitWords(prefix).some((word) => SYSTEMS.has(word))) continue;
    families.set(prefix, [...(families.get(prefix) ?? []), { name, key: name.slice(dot + 1) }]);
  }
  for (const members of families.values()) {
    if (members.length < 2) continue;
    const names = members.map(({ name }) => name);
    const [system, score] = [freshName(table, "system"), freshName(table, "score")];
    const done: readonly Done[] = [{ id: "systems", columns: names, into: [system] }];
    if (names.every((name) => table.columns.get(name)!.kind === "numeric")) {
      const families = [{ name: score, columns: names }];
      const long = stackFamilies(
        table,
        members.map(({ key }) => key),
        { families, keyName: system },
      );
      return { table: long, done, hints: [hint("system", system), hint("score", score)] };
    }
    const cells = members.map(({ name }) => readCells(table.columns.get(name)!, "{", isPart));
    if (!cells.every((own) => own !== undefined)) continue;
    const rows = Array.from({ length: table.rows }, (_, row) =>
      members.flatMap(({ key }, k) => (cells[k]![row] === undefined ? [] : [{ [system]: key, ...cells[k]![row] }])),
    );
    return { table: spread(table, rows, names), done, hints: [hint("system", system)] };
  }
  return undefined;
}
const SYSTEMS = new Set("systems models methods engines agents".split(" "));

/** Rows repeated for each of their records, whose fields become columns; one level of objects becomes "a.b". */
function spread(table: Table, rows: readonly (readonly Part[])[], drop: readonly string[]): Table {
  const source = Int32Array.from(rows.flatMap((parts, row) => parts.map(() => row)));
  const flat = rows.flat().map(flatten);
  const fields = [...new Set(flat.flatMap(Object.keys))];
  const added = fields.map((field): readonly [string, Column] => [
    table.columns.has(field) && !drop.includes(field) ? freshName(table, `${drop[0]}.${field}`) : field,
    columnOf(flat.map((part) => part[field] ?? null)),
  ]);
  return repeatRows(table, source, { added, drop });
}

const flatten = (part: Part): Part =>
  Object.fromEntries(
    Object.entries(part).flatMap(([name, value]): [string, unknown][] =>
      isPart(value) ? Object.entries(value).map(([inner, own]) => [`${name}.${inner}`, own]) : [[name, value]],
    ),
  );

function columnOf(values: readonly unknown[]): Column {
  if (values.every((value) => value === null || typeof value === "number"))
    return numericColumn(values as (number | null)[]);
  const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));
  return factorColumn(values.map((value) => (value === null ? null : textOf(value))));
}

const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null && !Array.isArray(value);
