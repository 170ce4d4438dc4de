/** Lists in cells → one row for each element.
 *    [2, 1, 1, 1, 1] of five raters whom nobody named     "0,1,1" beside "Ann1,Ann2,Ann3"
 *    [true, false, true] of three samples                 [9.0, 8.5] beside Answer1, Answer2
 *    [0.31, 0.42, …] of all items, one row a system
 *  Lists of one row belong together if they are equally long in every row. Texts, vectors and sets stay as they are. */

import type { Decision } from "../../data/imported.ts";
import { isDecimal } from "../../data/levels.ts";
import { type Column, factorColumn, makeTable, numericColumn, type Table, takeCells } from "../../data/table.ts";
import { mostOf } from "../../result/extremes.ts";
import { namedAsScore } from "../lexicon/metrics.ts";
import { SYSTEM_NAMES } from "../lexicon/names.ts";
import { splitWords } from "../lexicon/words.ts";
import { findGrids } from "./name-grid.ts";
import { cellText, freshName, type Reshaped, usedLevels } from "./reshaped.ts";

type Element = string | number | null;

interface ListColumn {
  readonly name: string;
  /** The elements of each row; undefined where the cell is missing. */
  readonly lists: readonly (readonly Element[] | undefined)[];
  readonly kind: "numbers" | "names" | "labels";
  /** Every cell could also be one number, with a comma for a point or between thousands. */
  readonly oneNumber: boolean;
}

/** Longer lists are read only where each row is a system and its lists are its scores, item by item. */
const LONGEST_LIST = 50;
const LONGEST_SCORES = 100_000;
const FEWEST_SCORES = 5;
const MOST_SYSTEMS = 200;
const MOST_LABELS = 12;
const MOSTLY = 0.8;

export function findLists(table: Table): Reshaped | undefined {
  const columns = [...table.columns].flatMap(([name, cells]) => parseColumn(name, cells) ?? []);
  // another list beside it says that these are lists
  const groups = groupByLength(columns).filter((group) => !group.every(({ oneNumber }) => oneNumber));
  // lists that go with others of their length are no tuples
  const scored = groups.map((group) => readScores(table, group)).find((found) => found !== undefined);
  if (scored !== undefined) return scored;
  const short = groups.filter((group) =>
    group.every(({ lists }) => lists.every((list) => list === undefined || list.length <= LONGEST_LIST)),
  );
  const tuple = short.find(([own, ...others]) => others.length === 0 && isTuple(own!))?.[0];
  if (tuple !== undefined) return splitTuple(table, tuple);
  for (const group of short) {
    const found = readPairs(table, group) ?? readGroup(table, group);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A factor whose cells are lists, in brackets or between commas. */
function parseColumn(name: string, cells: Column): ListColumn[] | undefined {
  if (cells.kind === "numeric" || cells.levels.length === 0) return undefined;
  const parsed = cells.levels.map(parseList);
  if (parsed.filter((list) => list === undefined).length > (1 - 0.95) * parsed.length) return undefined;
  const lists = Array.from(cells.codes, (code) => (code < 0 ? undefined : parsed[code]));
  const elements = lists.flatMap((list) => list ?? []);
  const longest = lists.reduce((most, list) => Math.max(most, list?.length ?? 0), 0);
  if (longest < 2 || longest > (lists.length > MOST_SYSTEMS ? LONGEST_LIST : LONGEST_SCORES)) return undefined;
  const kind = kindOf(elements, lists);
  if (longest > LONGEST_LIST && kind !== "numbers") return undefined;
  // what is no list beside them ("#NV", "-") is no evidence for lists
  const oneNumber = cells.levels.every((level, k) => parsed[k] === undefined || ONE_NUMBER.test(level.trim()));
  const values = kind === "numbers" ? lists.map(toNumbers) : lists;
  return kind === undefined ? undefined : [{ name, lists: values, kind, oneNumber }];
}

/** 1,193 or 1,193,000. */
const ONE_NUMBER = /^[+-]?\d+,\d+$|^[+-]?\d{1,3}(,\d{3})+$/;
const WORD = /^[\p{L}\p{N}_.@ -]{1,40}$/u;

function parseList(text: string): Element[] | undefined {
  const plain = text.trim();
  const inner = /^[[(](.*)[\])]$/s.exec(plain)?.[1];
  if (inner !== undefined) return parseJsonList(plain) ?? splitNumbers(inner.trim(), /\s+/) ?? splitPlain(inner);
  return plain.includes(",") ? splitPlain(plain) : splitNumbers(plain, /[;|]/);
}

/** "4;5;3", "4|5|3", and what numpy prints, [4 5 3]: numbers only, since texts have such marks too. */
function splitNumbers(text: string, mark: RegExp): Element[] | undefined {
  const parts = text.split(mark).map((part) => part.trim());
  if (parts.length < 2 || !parts.every((part) => part === "" || isDecimal(part))) return undefined;
  return parts.map((part) => (part === "" ? null : Number(part)));
}

function parseJsonList(text: string): Element[] | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\(/, "[").replace(/\)$/, "]"));
    if (!Array.isArray(value) || !value.every((part) => part === null || typeof part !== "object")) return undefined;
    return value.map((part) => (typeof part === "boolean" ? Number(part) : (part as Element)));
  } catch {
    return undefined;
  }
}

/** Words and numbers between commas; a part that is more than a word makes the cell a sentence. */
function splitPlain(text: string): Element[] | undefined {
  const parts = text.split(",").map((part) => part.trim().replace(/^(['"])(.*)\1$/, "$2"));
  if (!parts.every((part) => part === "" || WORD.test(part))) return undefined;
  const words: Readonly<Record<string, number>> = { true: 1, false: 0 };
  return parts.map((part) => (part === "" ? null : (words[part.toLowerCase()] ?? part)));
}

const toNumbers = (list: readonly Element[] | undefined): Element[] | undefined =>
  list?.map((part) => (part === null || !isDecimal(String(part)) ? null : Number(part)));

function kindOf(elements: readonly Element[], lists: ListColumn["lists"]): ListColumn["kind"] | undefined {
  const known = elements.filter((part) => part !== null);
  const numbers = known.filter((part) => isDecimal(String(part))).length;
  if (numbers >= MOSTLY * known.length && known.length > 0) return "numbers";
  // a list that names raters names nobody twice, and the same ones in many rows
  const distinct = new Set(known).size;
  const unique = lists.every((list) => list === undefined || new Set(list).size === list.length);
  if (distinct <= MOST_LABELS) return unique ? "names" : "labels";
  return unique && distinct < known.length / 2 ? "names" : undefined;
}

const LONGEST_TUPLE = 3;
const MOST_TUPLES = 50;

/** Lists of two or three words, equally long everywhere and few of them: a name and what goes with it (["gpt-4", "pair-v2"]). */
function isTuple({ lists, kind }: ListColumn): boolean {
  const filled = lists.filter((list) => list !== undefined);
  const [first] = filled;
  if (kind === "numbers" || first === undefined || first.length > LONGEST_TUPLE) return false;
  if (filled.length < lists.length || filled.some((list) => list.length !== first.length)) return false;
  const places = first.map((_, i) => new Set(filled.map((list) => list[i])));
  const all = new Set(filled.flat());
  // a word that stands in two places makes it a set
  return (
    places.some(({ size }) => size > 1) &&
    places.every(({ size }) => size <= MOST_TUPLES) &&
    all.size === places.reduce((sum, { size }) => sum + size, 0)
  );
}

function splitTuple(table: Table, { name, lists }: ListColumn): Reshaped {
  const length = lists[0]!.length;
  const parts = Array.from({ length }, (_, i): [string, Column] => [
    i === 0 ? name : freshName(table, `${name}_${i + 1}`),
    factorColumn(lists.map((list) => String(list![i]))),
  ]);
  const entries = [...table.columns].flatMap(([own, cells]): [string, Column][] =>
    own === name ? parts : [[own, cells]],
  );
  return {
    table: makeTable(entries, table.rows),
    reading: [
      `${name} lists ${length} things in every row; they became columns ${parts.map(([own]) => own).join(", ")}.`,
    ],
    hints: [],
  };
}

/** Columns whose lists have the same length in every row. */
function groupByLength(columns: readonly ListColumn[]): ListColumn[][] {
  const groups: ListColumn[][] = [];
  for (const own of columns) {
    const fits = groups.find((group) => group.every((other) => sameLengths(own, other)));
    if (fits === undefined) groups.push([own]);
    else fits.push(own);
  }
  return groups.sort((a, b) => b.length - a.length);
}

function sameLengths(a: ListColumn, b: ListColumn): boolean {
  return a.lists.every((list, row) => {
    const other = b.lists[row];
    return list === undefined || other === undefined || list.length === other.length;
  });
}

/** One row a system, one column a metric, and in each cell the scores of all items: every list has the same length. */
function readScores(table: Table, group: readonly ListColumn[]): Reshaped | undefined {
  const system = [...table.columns].find(([name]) => SYSTEM_NAMES.includes(splitWords(name).join("_")));
  if (system === undefined || usedLevels(system[1]).length !== table.rows || table.rows < 2) return undefined;
  const length = group[0]!.lists[0]?.length ?? 0;
  if (length < FEWEST_SCORES || group.some(({ kind }) => kind !== "numbers")) return undefined;
  if (group.some(({ lists }) => lists.some((list) => list?.length !== length))) return undefined;
  // draws of a bootstrap stand beside the score that they are about
  const named = group.some(({ name, lists }) => isScoreName(name) && lists.length > 0);
  if (!named || group.some(({ name }) => /boot|draw|resampl|permut|replicat|posterior/i.test(name))) return undefined;
  // raters or tries of one thing, by what the columns are called
  if (length <= LONGEST_LIST && group.some(({ name }) => /annotat|rater|sample|seed|trial|epoch|run/i.test(name)))
    return undefined;
  const keyName = freshName(table, "item");
  return {
    table: unrollColumns(table, group, (_, i) => String(i + 1), { keyName, drop: [] }),
    reading: [
      `${listed(group.map(({ name }) => name))}: each cell lists ${length} scores, as many for every ${system[0]}; each place in the list is taken as an item (column ${keyName}).`,
    ],
    hints: [
      { role: "item", column: keyName, by: "file" },
      { role: "system", column: system[0], by: "file" },
      ...scoresOf(group),
    ],
  };
}

const isScoreName = (name: string): boolean => namedAsScore(name) > 0;

const RATED = /annotat|rating|rater|label|judg|vote|likert|score|grade(?!d)|opinion|eval/i;
const SAMPLED = /sample|pass|correct|run|trial|attempt|generation|graded|result|outcome|seed|epoch|reward|success/i;

/** Steps of a scale under the name of a criterion. */
function isRated({ name, kind, lists }: ListColumn): boolean {
  // in a file without a header no name speaks against it
  if (kind !== "numbers" || SAMPLED.test(name) || !(isScoreName(name) || /^column\d+$/.test(name))) return false;
  return lists.every(
    (list) =>
      (list ?? []).length <= MOST_RATERS &&
      (list ?? []).every((v) => v === null || (Number.isInteger(v) && Math.abs(Number(v)) <= 10)),
  );
}

const MOST_RATERS = 20;

/** One value for each step or token of an answer: no raters. */
const PROCESS = /step|token|layer|word|turn|frame/i;

/** Shares or counts of labels, which sum to the same in every row: one judgement told label by label, not one value a rater. */
function isSpreadOver({ name, kind, lists }: ListColumn): boolean {
  if (kind !== "numbers") return false;
  const sums = lists.flatMap((list) =>
    list === undefined ? [] : [list.reduce<number>((sum, v) => sum + Number(v ?? 0), 0)],
  );
  const [first] = sums;
  if (first === undefined || sums.length < 2) return false;
  const same = sums.every((sum) => Math.abs(sum - first) < 1e-3 * Math.abs(first));
  const fractions = lists.some((list) => (list ?? []).some((v) => !Number.isInteger(Number(v ?? 0))));
  return same && ((fractions && Math.abs(first - 1) < 1e-3) || /dist|prob|count|freq|share|hist/i.test(name));
}

/** Who answered, with a name twice where somebody gave two answers: no answers. */
const WHO = /^(annotators?|raters?|workers?|coders?|judges?|evaluators?)([ _]?(ids?|names?))?$/i;
const SEEDS = /(^|[._])((random|rng|multi)[ _]?)?seeds?([ _](list|values))?$/i;
/** train_config.layers: what a run was given. */
const GIVEN = /(^|[._])(configs?|settings|args|hparams|hyperparameters)[._]/i;

function readGroup(table: Table, group: readonly ListColumn[]): Reshaped | undefined {
  // which seed each run had names the runs and is no result of theirs
  const seeds = group.find(({ name }) => SEEDS.test(name));
  const values = group.filter(
    (own) =>
      own.kind !== "names" && own !== seeds && !isSpreadOver(own) && !(own.kind === "labels" && WHO.test(own.name)),
  );
  if (group.some(({ name }) => PROCESS.test(name)) || group.every(({ name }) => GIVEN.test(name))) return undefined;
  const names = group.filter(({ kind }) => kind === "names");
  const raters = names.find(
    ({ name }) => /annotator|rater|worker|judge|coder|user/i.test(name) && !/group/i.test(name),
  );
  const judged = values.filter((own) => RATED.test(own.name) || raters !== undefined || isRated(own));
  const again = values.filter(({ name }) => SAMPLED.test(name));
  const role = judged.length > 0 ? "rater" : again.length > 0 ? "repeat" : undefined;
  if (role === undefined || (role === "repeat" && again.every(({ kind }) => kind !== "numbers"))) return undefined;
  const scored = role === "repeat" ? again.filter(({ kind }) => kind === "numbers") : values;
  const keyName = freshName(table, role);
  const naming = raters ?? (role === "repeat" ? seeds : undefined);
  const key = naming?.lists;
  const long = unrollColumns(
    table,
    group.filter((own) => own !== naming),
    (row, i) => {
      const name = key?.[row]?.[i];
      return name === undefined || name === null ? String(i + 1) : String(name);
    },
    { keyName, drop: naming === undefined ? [] : [naming.name] },
  );
  const own = listed(scored.map(({ name }) => name));
  const none = Array.from({ length: table.rows }, (_, row) => row).filter((row) =>
    scored.every(({ lists }) => lists[row] !== undefined && lists[row]!.length === 0),
  ).length;
  const empty =
    none === 0 ? [] : [`${none} of ${table.rows} rows have an empty list: nobody answered, and they are left out.`];
  const told =
    raters !== undefined
      ? `${own}: each cell lists one value a rater, in the order of ${raters.name}; each became a row, and column ${keyName} names the rater.`
      : role === "rater"
        ? `${own}: each cell lists the values of several raters whom the file does not name; each became a row. Column ${keyName} is the place in the list, which need not be the same person in every row.`
        : `${own}: each cell lists the results of repeated tries; each became a row, and column ${keyName} ${naming === undefined ? "numbers them" : `has their ${naming.name}`}.`;
  return {
    table: long,
    unnamedRaters: role === "rater" && raters === undefined,
    reading: [told, ...empty],
    hints: [
      {
        role,
        column: keyName,
        by: "file",
      },
      ...scoresOf(raters === undefined ? scored : scored.filter((column) => !isOfRater(column, raters.lists))),
    ],
    higherIsBetter: new Map(scored.filter(isVerdict).map(({ name }) => [name, true])),
  };
}

/** Zeros and ones of tries: whether each was right. */
const isVerdict = ({ name, lists }: ListColumn): boolean =>
  /pass|correct|graded|success|solved/i.test(name) &&
  lists.every((list) => (list ?? []).every((value) => value === null || value === 0 || value === 1));

/** The same for a rater wherever he is: his group or language, no judgement. */
function isOfRater({ lists }: ListColumn, raters: ListColumn["lists"]): boolean {
  const seen = new Map<Element, Element>();
  return (
    lists.every((list, row) =>
      (list ?? []).every((value, i) => {
        const rater = raters[row]?.[i] ?? null;
        const known = seen.get(rater);
        if (known === undefined) seen.set(rater, value);
        return known === undefined || known === value;
      }),
    ) &&
    seen.size > 1 &&
    new Set(seen.values()).size > 1
  );
}

const MAIN = /overall|total|average|quality/i;

const scoresOf = (values: readonly ListColumn[]): Decision[] =>
  [...values]
    .sort((a, b) => Number(MAIN.test(b.name)) - Number(MAIN.test(a.name)))
    .map(({ name }): Decision => ({ role: "score", column: name, by: "file" }));

const LISTED = 4;
const listed = (names: readonly string[]): string =>
  names.length > LISTED ? `${names.slice(0, LISTED).join(", ")} and ${names.length - LISTED} more` : names.join(", ");

/** As many rows as the longest list of a row; elements that a list lacks are missing. */
function unrollColumns(
  table: Table,
  group: readonly ListColumn[],
  keyOf: (row: number, i: number) => string,
  { keyName, drop }: { keyName: string; drop: readonly string[] },
): Table {
  const lengths = Array.from({ length: table.rows }, (_, row) =>
    Math.max(0, mostOf(group.map(({ lists }) => lists[row]?.length ?? 0))),
  );
  const source = Int32Array.from(lengths.flatMap((length, row) => new Array<number>(length).fill(row)));
  const place = Int32Array.from(lengths.flatMap((length) => Array.from({ length }, (_, i) => i)));
  const gone = new Set([...group.map(({ name }) => name), ...drop]);
  const kept = [...table.columns].filter(([name]) => !gone.has(name));
  const elements = group.map(({ name, lists, kind }): [string, Column] => {
    const cells = Array.from(source, (row, i) => lists[row]?.[place[i]!] ?? null);
    return [
      name,
      kind === "numbers"
        ? numericColumn(cells as (number | null)[])
        : factorColumn(cells.map((cell) => (cell === null ? null : String(cell)))),
    ];
  });
  return makeTable(
    [
      ...kept.map(([name, cells]): [string, Column] => [name, takeCells(cells, source)]),
      [keyName, factorColumn(Array.from(source, (row, i) => keyOf(row, place[i]!)))],
      ...elements,
    ],
    source.length,
  );
}

/** Pairs of scores, one for each of two answers that stand in columns of their own (Answer1, Answer2), perhaps once more in the other order. */
function readPairs(table: Table, group: readonly ListColumn[]): Reshaped | undefined {
  const pairs = group.filter(
    ({ lists, kind }) => kind === "numbers" && lists.every((list) => list === undefined || list.length === 2),
  );
  const sides = findGrids([...table.columns.keys()], "number").find(({ keys }) => keys.length === 2);
  const stem =
    sides === undefined
      ? undefined
      : [...sides.stems.keys()].find((own) =>
          /answer|response|output|model|system|assistant|text|completion/i.test(own),
        );
  if (pairs.length === 0 || sides === undefined || stem === undefined) return undefined;
  const named = sides.stems.get(stem)!;
  const order = freshName(table, "order");
  const [score, system] = [pairs[0]!.name, freshName(table, "system")];
  const parts = pairs.map(({ name, lists }) => ({ name, lists, swapped: isSwapped(name, lists, pairs[0]!) }));
  const source: number[] = [];
  const [systems, orders, values, places]: [string[], string[], (number | null)[], string[]] = [[], [], [], []];
  for (let row = 0; row < table.rows; row += 1) {
    for (const { name, lists, swapped } of parts) {
      const list = lists[row];
      if (list === undefined) continue;
      list.forEach((value, i) => {
        source.push(row);
        systems.push(labelOf(table, named[swapped ? 1 - i : i]!, row));
        places.push(i === 0 ? "first" : "second");
        orders.push(name);
        values.push(value as number | null);
      });
    }
  }
  const index = Int32Array.from(source);
  const gone = new Set(pairs.map(({ name }) => name));
  const long = makeTable(
    [
      ...[...table.columns]
        .filter(([name]) => !gone.has(name))
        .map(([name, cells]): [string, Column] => [name, takeCells(cells, index)]),
      [system, factorColumn(systems)],
      [order, factorColumn(orders)],
      [freshName(table, "position"), factorColumn(places)],
      [score, numericColumn(values)],
    ],
    index.length,
  );
  const turned = parts.filter(({ swapped }) => swapped).map(({ name }) => name);
  return {
    table: long,
    reading: [
      `${pairs.map(({ name }) => name).join(" and ")} hold pairs of scores for ${named.join(" and ")}; each score became a row.`,
      ...(turned.length === 0
        ? []
        : [
            `${turned.join(", ")} has the two in the other order: its scores go against those of ${pairs[0]!.name} as they stand, and with them once turned round.`,
            `Over both orders the answer shown first has ${meanAt(places, values, "first")} on average, the second ${meanAt(places, values, "second")}.`,
          ]),
    ],
    hints: [
      {
        role: "system",
        column: system,
        by: "file",
      },
      {
        role: "score",
        column: score,
        by: "file",
      },
      // two orders are all that there are: a condition that is averaged over, no sample of runs
      { role: "setting", column: order, by: "file" },
    ],
  };
}

function meanAt(places: readonly string[], values: readonly (number | null)[], place: string): string {
  const own = values.filter((value, i): value is number => value !== null && places[i] === place);
  return (own.reduce((sum, value) => sum + value, 0) / own.length).toFixed(2);
}

/** A column of names says who answered; texts of answers are called by their column. */
function labelOf(table: Table, name: string, row: number): string {
  return /model|system/i.test(name) ? (cellText(table.columns.get(name)!, row) ?? name) : name;
}

/** By name ("reverse", "swapped") and by evidence: the differences of the two columns run against each other. */
function isSwapped(name: string, lists: ListColumn["lists"], first: ListColumn): boolean {
  if (!/revers|swap|invert|flip/i.test(name)) return false;
  let [n, sx, sy, sxy] = [0, 0, 0, 0];
  lists.forEach((list, row) => {
    const other = first.lists[row];
    if (list === undefined || other === undefined) return;
    const [x, y] = [Number(list[0]) - Number(list[1]), Number(other[0]) - Number(other[1])];
    if (Number.isNaN(x) || Number.isNaN(y)) return;
    n += 1;
    sx += x;
    sy += y;
    sxy += x * y;
  });
  return n > 0 && sxy - (sx * sy) / n <= 0;
}
