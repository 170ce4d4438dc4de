/** Records within a cell → one row for each.
 *    "annotations": [{"worker_id": 3, "coherence": 2}, …]             judgments of one output; raters are the places where nobody names them
 *    "responses": [{"model": "a", "overall": 3}, …]                   outputs of several systems on one item
 *    "sentences": [{"text": …, "responses": [{"worker_id": …}]}]      parts of one text, which were judged: items
 *    "systems": {"a": {"score": 1}, "b": {"score": 0}}                the same by name (columns systems.a, systems.b)
 *  Cells hold JSON text. Names decide: a field of raters or systems, a column called annotations, ratings or the like, keys under systems or
 *  models. A row that has a score itself is not touched: messages, steps and the single tests behind a score stay as they are. */
import type { Done } from "../../data/imported.ts";
import { type Column, factorColumn, numericColumn, type Table } from "../../data/table.ts";
import { namedAsScore } from "../lexicon/metrics.ts";
import { ITEM_NAMES, isJudgmentList, isProcess, RATER_NAMES, SYSTEM_NAMES } from "../lexicon/names.ts";
import { plainName, splitWords } from "../lexicon/words.ts";
import { freshName, hint, type Reshaped, repeatRows, stackFamilies } from "./reshaped.ts";

type Part = Readonly<Record<string, unknown>>;

const MOST_PARTS = 200;
const MOST_ROWS = 500_000;
const DEEPEST = 3;

export function findNested(table: Table): Reshaped | undefined {
  let found: Reshaped | undefined;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const own = found?.table ?? table;
    const next = hasScore(own) ? undefined : (unrollLists(own) ?? unrollSystems(own));
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

/** A row that was scored itself is the unit. */
const hasScore = ({ columns }: Table): boolean =>
  [...columns].some(
    ([name, cells]) =>
      namedAsScore(name) > 0 &&
      (cells.kind === "numeric"
        ? !cells.values.every(Number.isNaN)
        : cells.levels.length > 0 && cells.levels.every(isLogical)),
  );
const isLogical = (level: string): boolean => /^(true|false)$/i.test(level);

function unrollLists(table: Table): Reshaped | undefined {
  for (const [name, cells] of table.columns) {
    const parts = isProcess(name) ? undefined : readLists(cells);
    if (parts === undefined) continue;
    const fields = [...new Set(parts.flat().flatMap((part) => Object.keys(flatten(part))))];
    const has = (names: readonly string[]): boolean => fields.some((field) => names.includes(plainName(field)));
    const judged = parts.flat().some(isJudged);
    const named = has(PERSONS) || has(SYSTEM_NAMES);
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
  if (cells.kind === "numeric" || !cells.levels.some((level) => level.startsWith("[{"))) return undefined;
  const parsed = cells.levels.map((level) => {
    const value = parse(level);
    return Array.isArray(value) && value.every(isPart) && value.length <= MOST_PARTS ? (value as Part[]) : undefined;
  });
  if (parsed.includes(undefined)) return undefined;
  const parts = Array.from(cells.codes, (code) => (code < 0 ? [] : parsed[code]!));
  return parts.reduce((sum, list) => sum + list.length, 0) <= MOST_ROWS ? parts : undefined;
}

/** A number, a verdict or an answer under the name of one. */
const isJudged = (part: Part): boolean =>
  Object.entries(flatten(part)).some(([name, value]) => {
    const plain = plainName(name);
    if ([RATER_NAMES, SYSTEM_NAMES, ITEM_NAMES].some((names) => names.includes(plain)) && typeof value !== "boolean")
      return ANSWERS.has(plain) && typeof value === "string";
    if (splitWords(name).some((word) => ABOUT.has(word))) return false;
    return typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && ANSWERS.has(plain));
  });
const ANSWERS = new Set(
  "response label rating vote answer annotation judgment judgement verdict preference choice".split(" "),
);
const ABOUT = new Set(
  "id ids idx index time timestamp start end offset tokens cost turn step length seed count".split(" "),
);

/** Records that hold lists of judgments themselves. */
const holdsLists = (parts: readonly (readonly Part[])[]): boolean =>
  parts
    .flat()
    .some((part) =>
      Object.values(part).some(
        (value) =>
          Array.isArray(value) &&
          value.length > 0 &&
          value.every(
            (own) => isPart(own) && isJudged(own) && Object.keys(own).some((name) => PERSONS.includes(plainName(name))),
          ),
      ),
    );

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
    const done: Done = { id: "systems", columns: names, into: [system] };
    if (names.every((name) => table.columns.get(name)!.kind === "numeric")) {
      const keys = members.map(({ key }) => key);
      const long = stackFamilies(table, keys, { families: [{ name: score, columns: names }], keyName: system });
      return { table: long, done: [done], hints: [hint("system", system), hint("score", score)] };
    }
    const cells = members.map(({ name }) => readRecords(table.columns.get(name)!));
    if (!cells.every((own) => own !== undefined)) continue;
    const rows = Array.from({ length: table.rows }, (_, row) =>
      members.flatMap(({ key }, k) => (cells[k]![row] === undefined ? [] : [{ [system]: key, ...cells[k]![row] }])),
    );
    return { table: spread(table, rows, names), done: [done], hints: [hint("system", system)] };
  }
  return undefined;
}
const SYSTEMS = new Set("systems models methods engines agents system_outputs".split(" "));

function readRecords(cells: Column): (Part | undefined)[] | undefined {
  if (cells.kind === "numeric" || !cells.levels.some((level) => level.startsWith("{"))) return undefined;
  const parsed = cells.levels.map(parse);
  return parsed.every(isPart) ? Array.from(cells.codes, (code) => (parsed as Part[])[code]) : undefined;
}

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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
