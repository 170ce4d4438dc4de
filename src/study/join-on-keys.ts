/** Files about the same things under different columns (automatic metrics in one, human scores in another): joined on the columns that name
 *  these things. A key is sure where both files have it (or each has one of the usual names), most of its values are in both, and one row of
 *  at least one file is what a key means; otherwise nothing is joined, and the reason is said where nothing else can be done with the files. */

import type { Done } from "../data/imported.ts";
import { type Joined, join, type Relation } from "../data/join.ts";
import { groupKeys } from "../data/keys.ts";
import { asFactor, type Column, isMissing, makeTable, renameColumn, type Table } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import {
  CLUSTER_NAMES,
  INPUT_NAMES,
  ITEM_NAMES,
  RATER_NAMES,
  RUN_NAMES,
  SYSTEM_NAMES,
  TASK_NAMES,
} from "./lexicon/names.ts";
import { isCounterName } from "./lexicon/others.ts";
import { isPeoplesFile } from "./lexicon/people.ts";
import { splitWords } from "./lexicon/words.ts";
import { stemOf } from "./merge.ts";

/** A file's table. */
interface Reading {
  readonly name: string;
  readonly table: Table;
}

export interface KeyJoin {
  readonly table: Table;
  readonly done: readonly Done[];
  readonly by: readonly string[];
  /** Which columns came from which file. */
  readonly parts: readonly { readonly file: string; readonly columns: readonly string[] }[];
}

/** So many rows of the smaller file must find their partner, and so many values of a key must be in both. */
const MATCHED = 0.5;
const LONGEST_KEY = 200;

export function joinOnKeys(readings: readonly Reading[]): KeyJoin | undefined {
  const [first, ...others] = readings;
  if (first === undefined || others.length === 0) return undefined;
  let whole: KeyJoin = { table: first.table, done: [], by: [], parts: [partOf(first.name, first.table)] };
  for (const right of others) {
    const next = joinTwo({ ...first, table: whole.table }, right, others.length === 1);
    if (next === undefined) return undefined;
    whole = { ...next, done: [...whole.done, ...next.done], parts: mergeParts(whole, next) };
  }
  return whole;
}

const partOf = (file: string, table: Table) => ({ file, columns: [...table.columns.keys()] });

function mergeParts(before: KeyJoin, next: KeyJoin): KeyJoin["parts"] {
  return before.parts.length === 1 ? next.parts : [...before.parts, next.parts.at(-1)!];
}

type Key = readonly [left: string, right: string];

/** `alone`: there is no other file, so that a key that is not sure is told. */
function joinTwo(left: Reading, right: Reading, alone: boolean): KeyJoin | undefined {
  const named = keysByName(left.table, right.table);
  const keys = completeKeys(left.table, right.table, named);
  const apart = tellMeasuresApart(left, right, keys);
  if (apart === undefined) return undefined;
  if (keys.length === 0) return undefined;
  const unique = [
    isUnique(
      left.table,
      keys.map(([name]) => name),
    ),
    isUnique(
      right.table,
      keys.map(([, name]) => name),
    ),
  ] as const;
  if (!unique[0] && !unique[1] && !alone) return undefined;
  if (!unique[0] && !unique[1])
    throw new StatError(
      "AmbiguousJoin",
      `${keys.map(sayKey).join(" and ")} repeats in ${left.name} and in ${right.name}: which rows belong together is ambiguous.`,
      "Add the column that distinguishes the rows (rater, run) to both, or average one of the files first.",
    );
  const relation: Relation = unique[0] ? (unique[1] ? "one-to-one" : "one-to-many") : "many-to-one";
  const { tables, twice } = apart;
  const rest = [...tables[1].columns].filter(([name]) => !twice.includes(name));
  const joined = join(tables[0], makeTable(rest, right.table.rows), { by: keys, relation });
  if (joined.matched < MATCHED * Math.min(left.table.rows, right.table.rows)) return undefined;
  return {
    table: joined.table,
    done: whatWasJoined({ left, right, keys, joined, twice, relation }),
    by: keys.map(([name]) => name),
    parts: [
      partOf(left.name, tables[0]),
      { file: right.name, columns: rest.map(([name]) => name).filter((name) => !keys.some(([, own]) => own === name)) },
    ],
  };
}

const sayKey = ([a, b]: Key): string => (a === b ? a : `${a} (= ${b})`);

/** Names of things that scores are about, the finest first. */
const THINGS: readonly (readonly string[])[] = [
  ITEM_NAMES,
  CLUSTER_NAMES,
  SYSTEM_NAMES,
  TASK_NAMES,
  RUN_NAMES,
  RATER_NAMES,
];

const wordsOf = (name: string): string => splitWords(name).join("_");

/** Columns of both files that are called by what they name, and mostly name the same. */
function keysByName(left: Table, right: Table): Key[] {
  const keys: Key[] = [];
  for (const names of THINGS) {
    const of = (table: Table): string[] =>
      [...table.columns.keys()].filter(
        (name) =>
          names.includes(wordsOf(name)) &&
          !keys.some((key) => key.includes(name)) &&
          canName(table.columns.get(name)!, name),
      );
    const [ours, theirs] = [of(left), of(right)];
    const same = ours.filter((name) => theirs.includes(name) && shareInBoth(left, right, [name, name]) >= MATCHED);
    keys.push(...same.map((name): Key => [name, name]));
    if (same.length > 0) continue;
    const other = ours
      .flatMap((a) => theirs.map((b): Key => [a, b]))
      .find((key) => key[0] !== key[1] && shareInBoth(left, right, key) >= MATCHED);
    if (other !== undefined && names !== RUN_NAMES && names !== RATER_NAMES) keys.push(other);
  }
  return keys;
}

/** With further shared columns, until a key is a row in one of the files: texts that were judged, languages, numbers that are called an id. */
function completeKeys(left: Table, right: Table, named: readonly Key[]): Key[] {
  const keys = [...named];
  const rows = (): boolean =>
    keys.length > 0 &&
    (isUnique(
      left,
      keys.map(([a]) => a),
    ) ||
      isUnique(
        right,
        keys.map(([, b]) => b),
      ));
  const shared = [...left.columns.keys()].filter(
    (name) => right.columns.has(name) && !keys.some(([a, b]) => a === name || b === name),
  );
  const texts = shared.filter(
    (name) => INPUT_NAMES.includes(wordsOf(name)) && left.columns.get(name)!.kind === "factor",
  );
  const others = shared.filter(
    (name) =>
      !texts.includes(name) && canName(left.columns.get(name)!, name) && canName(right.columns.get(name)!, name),
  );
  for (const name of [...texts, ...others]) {
    if (rows()) break;
    if (shareInBoth(left, right, [name, name]) >= MATCHED) keys.push([name, name]);
  }
  return keys;
}

/** Names, or whole numbers that are called an id: what was measured is no key. */
function canName(cells: Column, name: string): boolean {
  if (cells.kind === "factor") return !cells.levels.some((level) => level.length > LONGEST_KEY);
  return ITEM_NAMES.includes(wordsOf(name)) || isCounterName(name) || RUN_NAMES.includes(wordsOf(name));
}

/** Of the distinct values of the column that has fewer, how many the other has too. */
function shareInBoth(left: Table, right: Table, [a, b]: Key): number {
  const values = (table: Table, name: string): Set<string> => {
    const { codes, levels } = asFactor(table.columns.get(name)!);
    return new Set([...new Set(codes)].filter((code) => code >= 0).map((code) => levels[code]!));
  };
  const [ours, theirs] = [values(left, a), values(right, b)];
  const [few, many] = ours.size < theirs.size ? [ours, theirs] : [theirs, ours];
  return few.size === 0 ? 0 : [...few].filter((value) => many.has(value)).length / few.size;
}

function isUnique(table: Table, names: readonly string[]): boolean {
  const cells = names.map((name) => table.columns.get(name)!);
  return groupKeys(cells, table.rows).count === table.rows;
}

interface Apart {
  readonly tables: readonly [Table, Table];
  /** Columns of both files that are no keys: those of the left one stay. */
  readonly twice: readonly string[];
}

/** A number that both measured makes them two files of one kind, unless the name of one says that people gave it: then it is named by its file. */
function tellMeasuresApart(left: Reading, right: Reading, keys: readonly Key[]): Apart | undefined {
  const shared = [...left.table.columns.keys()].filter(
    (name) => right.table.columns.has(name) && !keys.some(([a, b]) => a === name || b === name),
  );
  const isNumber = (table: Table, name: string): boolean => table.columns.get(name)!.kind === "numeric";
  const measured = shared.filter((name) => isNumber(left.table, name) && isNumber(right.table, name));
  const own = ({ table }: Reading): boolean =>
    [...table.columns].some(
      ([name, cells]) => cells.kind === "numeric" && !shared.includes(name) && !keys.some((key) => key.includes(name)),
    );
  if (measured.length === 0) {
    return own(left) && own(right) ? { tables: [left.table, right.table], twice: shared } : undefined;
  }
  const [a, b] = [stemOf(left.name), stemOf(right.name)];
  if (isPeoplesFile(left.name) === isPeoplesFile(right.name) || a === b) return undefined;
  const renamed = (table: Table, stem: string): Table =>
    measured.reduce((so, name) => renameColumn(so, name, `${stem}_${name}`), table);
  return {
    tables: [renamed(left.table, a), renamed(right.table, b)],
    twice: shared.filter((name) => !measured.includes(name)),
  };
}

interface Said {
  readonly left: Reading;
  readonly right: Reading;
  readonly keys: readonly Key[];
  readonly joined: Joined;
  readonly twice: readonly string[];
  readonly relation: Relation;
}

function whatWasJoined({ left, right, keys, joined, twice, relation }: Said): Done[] {
  const [one, several] = relation === "one-to-many" ? [left, right] : [right, left];
  return [
    {
      id: "joined",
      columns: keys.map(sayKey),
      words: [left.name, right.name],
      count: joined.matched,
      of: Math.max(left.table.rows, right.table.rows),
      alone: [joined.leftOnly.count, joined.rightOnly.count],
    },
    ...(relation === "one-to-one" ? [] : [{ id: "beside", columns: [], words: [one.name, several.name] } as const]),
    ...(twice.length === 0 ? [] : [{ id: "takenFrom", columns: twice, words: [left.name] } as const]),
  ];
}

/** Why files with different columns were not joined, for the refusal. */
export function whyNoKey([left, right, ...others]: readonly Reading[]): string | undefined {
  if (left === undefined || right === undefined || others.length > 0) return undefined;
  const shared = [...left.table.columns.keys()].filter((name) => right.table.columns.has(name));
  const named = shared.filter((name) => THINGS.some((names) => names.includes(wordsOf(name))));
  const strange = named.find((name) => shareInBoth(left.table, right.table, [name, name]) < MATCHED);
  if (strange === undefined) return undefined;
  const example = (table: Table): string => {
    const cells = asFactor(table.columns.get(strange)!);
    const row = [...cells.codes.keys()].find((i) => !isMissing(cells, i)) ?? 0;
    return `"${cells.levels[cells.codes[row]!]}"`;
  };
  return `${strange} has hardly a value in common (${example(left.table)} and ${example(right.table)})`;
}
