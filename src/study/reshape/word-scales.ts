/** Words as ratings, in the order of a scale that people have settled on: "very bad" … "very good", "Strongly disagree" … "Strongly agree".
 *  Never by the alphabet; words of no listed scale are labels without an order. */
import type { Done } from "../../data/imported.ts";
import { type Column, makeTable, type Table, withColumn } from "../../data/table.ts";
import { mostOf } from "../../result/extremes.ts";
import { listValues } from "../facts.ts";
import { isMetricName, namedAsScore } from "../lexicon/metrics.ts";
import { NAMED_SCALES, SCALES, type Scale } from "../lexicon/scales.ts";
import type { Reshaped } from "./reshaped.ts";

interface WordScale {
  /** The category of each level. */
  readonly numbers: readonly number[];
  /** "2 = bad", in order; then what nobody chose. */
  readonly words: readonly string[];
  readonly higherIsBetter?: boolean | undefined;
}

const FEWEST = 3;
/** A scale in a few spellings. */
const MOST = 2 * mostOf([...SCALES, ...NAMED_SCALES].map(({ categories }) => categories.length));
/** Words in common that make two columns answers to one battery. */
const SHARED_WORDS = 2;

/** Columns of such words become numbers. */
export function findWordScales(table: Table): Reshaped | undefined {
  const answers = [...table.columns.values()].map(levelsOf);
  const done: Done[] = [];
  const higherIsBetter = new Map<string, boolean>();
  const entries = [...table.columns].map(([name, cells]): [string, Column] => {
    const levels = levelsOf(cells);
    const scale = cells.kind === "factor" ? scaleAmong(levels, answers, isCriterion(name)) : undefined;
    if (scale === undefined || cells.kind === "numeric") return [name, cells];
    done.push({ id: "words", columns: [name], words: scale.words });
    if (scale.higherIsBetter !== undefined) higherIsBetter.set(name, scale.higherIsBetter);
    const number = new Map(levels.map((level, i) => [level, scale.numbers[i]!]));
    const values = Float64Array.from(cells.codes, (code) => number.get(cells.levels[code]!) ?? Number.NaN);
    return [name, { kind: "numeric", values }];
  });
  return done.length === 0 ? undefined : { table: makeTable(entries, table.rows), done, hints: [], higherIsBetter };
}

/** The labels of a column that raters gave, in the order of their scale; undefined where they have none, or somebody said theirs. */
export function orderWords(table: Table, name: string): { readonly table: Table; readonly done: Done } | undefined {
  const cells = table.columns.get(name);
  if (cells === undefined || cells.kind === "numeric" || cells.ordered) return undefined;
  const levels = levelsOf(cells);
  const scale = scaleOf(levels, true);
  if (scale === undefined) return undefined;
  const sheet = new Map(levels.map((level, i) => [scale.numbers[i]!, level]));
  const rising = [...sheet.keys()].sort((a, b) => a - b);
  const place = new Map(levels.map((level, i) => [level, rising.indexOf(scale.numbers[i]!)]));
  const ordered: Column = {
    kind: "factor",
    codes: cells.codes.map((code) => (code < 0 ? -1 : place.get(cells.levels[code]!)!)),
    levels: rising.map((step) => sheet.get(step)!),
    ordered: true,
  };
  return { table: withColumn(table, name, ordered), done: { id: "words", columns: [name], words: scale.words } };
}

const levelsOf = (cells: Column): readonly string[] =>
  cells.kind === "factor" && cells.levels.length <= MOST ? listValues(cells) : [];
const isCriterion = (name: string): boolean => namedAsScore(name) > 0 || isMetricName(name);

/** Questions with the same answers have one scale, also where nobody chose some of them in one column. */
function scaleAmong(
  levels: readonly string[],
  answers: readonly (readonly string[])[],
  named: boolean,
): WordScale | undefined {
  const own = new Set(levels.map(plain));
  const alike = answers.filter((others) => others.filter((level) => own.has(plain(level))).length >= SHARED_WORDS);
  const battery = [...new Set(alike.flat().map(plain))];
  return scaleOf(levels, named, battery) ?? scaleOf(levels, named);
}

/** "1 - very bad", "2: bad", "(3) ok", "4 = good". */
const NUMBERED = /^\(?(\d{1,2})\s?[-–—:=.)]{1,2}\s?(\p{L}.*)$/u;

/** Numbers of the levels on a scale that has all words of the battery. "Agree", "agree" and "AGREE" are one level in three spellings; two words
 *  of one category in one column make it none. */
function scaleOf(
  levels: readonly string[],
  named: boolean,
  battery: readonly string[] = levels.map(plain),
): WordScale | undefined {
  if (levels.length === 0 || battery.length < FEWEST) return undefined;
  const categoryOf = ({ categories }: Scale, word: string): number =>
    categories.findIndex((words) => words.includes(word));
  const fits = (scale: Scale): boolean => {
    const found = battery.map((word) => categoryOf(scale, word));
    return !found.includes(-1) && new Set(found).size === new Set(battery).size;
  };
  const fitting = (named ? [...SCALES, ...NAMED_SCALES] : SCALES).filter(fits);
  const scale = fitting.find(({ categories }) => categories.length === new Set(battery).size) ?? fitting[0];
  if (scale === undefined) return undefined;
  const steps = levels.map((level) => categoryOf(scale, plain(level)) + 1);
  const told = levels.map((level) => NUMBERED.exec(level.trim())?.[1]);
  const numbers = told.includes(undefined) ? steps : ownNumbers(told.map(Number), steps);
  if (numbers === undefined) return undefined;
  const falls = numbers !== steps && numbers.indexOf(Math.min(...numbers)) !== steps.indexOf(Math.min(...steps));
  const chosen = [...new Map(levels.map((level, i) => [numbers[i]!, plain(level)]))].sort(([a], [b]) => a - b);
  const unused = scale.categories.flatMap(([word], k) => (steps.includes(k + 1) ? [] : [`${k + 1} = ${word}`]));
  return {
    numbers,
    words: [
      chosen.map(([number, word]) => `${number} = ${word}`).join(", "),
      ...(unused.length === 0 || numbers !== steps ? [] : [unused.join(", ")]),
    ],
    higherIsBetter: scale.praises ? !falls : undefined,
  };
}

/** The sheet has numbers of its own, which rise or fall with the words. */
function ownNumbers(numbers: readonly number[], steps: readonly number[]): readonly number[] | undefined {
  const order = steps.map((_, i) => i).sort((i, j) => steps[i]! - steps[j]!);
  const moves = new Set(order.slice(1).map((i, k) => Math.sign(numbers[i]! - numbers[order[k]!]!)));
  return moves.size === 1 && !moves.has(0) ? numbers : undefined;
}

/** Without the number that the sheet put before the words. */
function plain(level: string): string {
  const text = level.trim();
  return (NUMBERED.exec(text)?.[2] ?? text).toLowerCase().replace(/[_-]+/g, " ").replace(/\s+/g, " ");
}
