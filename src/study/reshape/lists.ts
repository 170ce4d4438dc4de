/** Lists in cells → one row for each element.
 *    "0,1,1" beside "Ann1,Ann2,Ann3"      what each of the raters named in the row said
 *    "annotations": [2, 1, 1, 1, 1]       of raters whom nobody named: numbered by their place
 *    [9.0, 8.5]                           of systems, runs or items, if the user says which (option `lists`)
 *  Lists of one row belong together if they are equally long in every row. Texts, vectors and sets stay as they are. */
import type { Done, Roles, Told } from "../../data/imported.ts";
import { isDecimal } from "../../data/levels.ts";
import { type Element, parseList } from "../../data/list-cells.ts";
import { type Column, factorColumn, numericColumn, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import { isJudgmentList, isProcess, isRaterList } from "../lexicon/names.ts";
import { freshName, hint, type Reshape, type Reshaped, repeatRows, rowsOf } from "./reshaped.ts";

interface ListColumn {
  readonly name: string;
  /** The elements of each row; undefined where the cell is missing. */
  readonly lists: readonly (readonly Element[] | undefined)[];
  readonly kind: "numbers" | "words";
  /** Every cell could also be one number, with a comma for a point or between thousands. */
  readonly oneNumber: boolean;
}

const LONGEST_LIST = 50;
const MOSTLY = 0.8;
const MOST_PARSED = 0.95;
const MOST_WORDS = 200;

/** Lists beside raters' names, and lists that are called annotations or ratings. */
export function findLists(table: Table): Reshaped | undefined {
  for (const group of listGroups(table)) {
    const raters = group.find(({ name, kind }) => kind === "words" && isRaterList(name));
    const judged = raters === undefined ? group.filter(({ name }) => isJudgmentList(name)) : group;
    const values = judged.filter((own) => own !== raters && (isJudgmentList(own.name) || !isOfRater(own, raters!)));
    if (values.length > 0) return unroll(table, values, { role: "rater", naming: raters });
  }
  return undefined;
}

const ROLE_OF = { systems: "system", raters: "rater", runs: "repeat", items: "item" } as const;

export const lists: Reshape = {
  id: "lists",
  find(table: Table, roles: Roles): Told | undefined {
    const [group = []] = roles.score === undefined ? listGroups(table) : [];
    if (!group.some(({ kind }) => kind === "numbers")) return undefined;
    const lengths = new Set(
      group.flatMap((own) => own.lists.flatMap((list) => (list === undefined ? [] : [list.length]))),
    );
    if (roles.system === undefined) return lengths.size === 1 ? { lists: "systems" } : undefined;
    return { lists: roles.item === undefined && lengths.size === 1 ? "items" : "runs" };
  },
  apply(table: Table, { lists: what = "raters" }: Told): Reshaped {
    const [group] = listGroups(table);
    if (group !== undefined) return unroll(table, group, { role: ROLE_OF[what] });
    const message = `option \`lists: ${what}\`: no column has lists in its cells.`;
    throw new StatError("NoLists", message, "Leave it out, or write lists as [1, 2] or 1;2.");
  },
};

/** Columns of lists that are equally long in every row, the largest group first. */
function listGroups(table: Table): ListColumn[][] {
  const groups: ListColumn[][] = [];
  for (const own of [...table.columns].flatMap(([name, cells]) => parseColumn(name, cells) ?? [])) {
    const fits = groups.find(([other]) => sameLengths(own, other!));
    if (fits === undefined) groups.push([own]);
    else fits.push(own);
  }
  // another list beside it says that these are lists
  return groups.filter((group) => !group.every(({ oneNumber }) => oneNumber)).sort((a, b) => b.length - a.length);
}

const sameLengths = (a: ListColumn, b: ListColumn): boolean =>
  a.lists.every((list, row) => list === undefined || b.lists[row] === undefined || list.length === b.lists[row].length);

function parseColumn(name: string, cells: Column): ListColumn | undefined {
  if (cells.kind === "numeric" || cells.levels.length === 0 || isProcess(name)) return undefined;
  const parsed = parseLists(cells.levels);
  if (parsed === undefined) return undefined;
  const found = Array.from(cells.codes, (code) => (code < 0 ? undefined : parsed[code]));
  const longest = found.reduce((most, list) => Math.max(most, list?.length ?? 0), 0);
  const known = found.flatMap((list) => list ?? []).filter((part) => part !== null);
  if (longest < 2 || longest > LONGEST_LIST) return undefined;
  const numbers = known.filter((part) => isDecimal(String(part))).length >= MOSTLY * known.length;
  if (!numbers && new Set(known).size > MOST_WORDS) return undefined;
  const oneNumber = cells.levels.every((level, k) => parsed[k] === undefined || ONE_NUMBER.test(level.trim()));
  return { name, lists: numbers ? found.map(toNumbers) : found, kind: numbers ? "numbers" : "words", oneNumber };
}

/** undefined as soon as too many of the texts are no lists. */
function parseLists(texts: readonly string[]): (Element[] | undefined)[] | undefined {
  const parsed: (Element[] | undefined)[] = [];
  let found = 0;
  for (const [k, text] of texts.entries()) {
    const list = parseList(text);
    if (list !== undefined) found += 1;
    if (found + texts.length - k - 1 < MOST_PARSED * texts.length) return undefined;
    parsed.push(list);
  }
  return parsed;
}

/** 1,193 or 1,193,000. */
const ONE_NUMBER = /^[+-]?\d+,\d+$|^[+-]?\d{1,3}(,\d{3})+$/;
const toNumbers = (list: readonly Element[] | undefined): Element[] | undefined =>
  list?.map((part) => (part === null || !isDecimal(String(part)) ? null : Number(part)));

/** The same for a rater wherever he is, and not for all: his group or language, no judgment. */
function isOfRater({ lists: own }: ListColumn, raters: ListColumn): boolean {
  const seen = new Map<Element, Set<Element>>();
  for (const [row, list = []] of own.entries())
    for (const [i, value] of list.entries()) {
      const rater = raters.lists[row]?.[i] ?? null;
      seen.set(rater, (seen.get(rater) ?? new Set()).add(value));
    }
  const values = [...seen.values()];
  return values.every(({ size }) => size === 1) && new Set(values.map(([value]) => value)).size > 1;
}

/** As many rows as the longest list of a row; elements that a list lacks are missing. `naming` names them, else they are numbered. */
function unroll(
  table: Table,
  group: readonly ListColumn[],
  { role, naming }: { readonly role: "system" | "rater" | "repeat" | "item"; readonly naming?: ListColumn | undefined },
): Reshaped {
  const keyName = freshName(table, role === "repeat" ? "run" : role);
  const lengths = rowsOf(table).map((row) => Math.max(0, mostOf(group.map((own) => own.lists[row]?.length ?? 0))));
  const source = Int32Array.from(lengths.flatMap((length, row) => new Array<number>(length).fill(row)));
  const place = Int32Array.from(lengths.flatMap((length) => Array.from({ length }, (_, i) => i)));
  const at = (own: ListColumn, i: number): Element => own.lists[source[i]!]?.[place[i]!] ?? null;
  const cellsOf = (own: ListColumn): Column => {
    const values = Array.from(source, (_, i) => at(own, i));
    if (own.kind === "numbers") return numericColumn(values as (number | null)[]);
    return factorColumn(values.map((cell) => (cell === null ? null : String(cell))));
  };
  const key = factorColumn(
    Array.from(source, (_, i) => String((naming === undefined ? null : at(naming, i)) ?? place[i]! + 1)),
  );
  const names = group.map(({ name }) => name);
  const drop = naming === undefined ? names : [...names, naming.name];
  const none = lengths.filter((length, row) => length === 0 && group[0]!.lists[row] !== undefined).length;
  const numbers = group.filter(({ kind }) => kind === "numbers");
  const unnamed = role === "rater" && naming === undefined;
  const done: Done = { id: unnamed ? "lists" : "namedLists", columns: drop, into: [keyName] };
  const added = [[keyName, key] as const, ...group.map((own) => [own.name, cellsOf(own)] as const)];
  return {
    table: repeatRows(table, source, { added, drop }),
    done: [done, ...(none === 0 ? [] : [{ id: "emptyLists", columns: names, count: none, of: table.rows } as const])],
    hints: [
      hint(role, keyName),
      ...numbers.map(({ name }) => hint("score", name)),
      ...(numbers.length === 0 ? [hint("label", names[0]!)] : []),
    ],
    unnamedRaters: unnamed,
  };
}
