/** Rows of a rating sheet that test the raters and not the systems: attention checks, gold and control items, practice. They are no items. */

import { asFactor, type Column, selectRows, type Table } from "../../data/table.ts";
import { INPUT_NAMES, ITEM_NAMES, RATER_NAMES } from "../lexicon/names.ts";
import { splitWords } from "../lexicon/words.ts";

/** A column that marks such rows by its name: attention_check, is_gold, catch_trial, isControl. "gold" and "control" alone are as often the right
 *  label and a condition of the experiment. */
const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));
const MARKS = list(
  `attention_check gold_item gold_question test_question control_item control_question catch_trial catch_item trap_question sanity_check honeypot
   practice_trial practice_item training_trial warmup_trial`,
);
/** After "is". */
const IS = list("attention gold golden control catch trap practice warmup warm_up");
const isMark = (name: string): boolean => {
  const plain = splitWords(name).join("_");
  const bare = plain.replace(/^is_/, "");
  return MARKS.has(bare) || (bare !== plain && IS.has(bare));
};
const YES = list("1 yes y true t x ✓");
const NO = new Set(["0", "no", "n", "false", "f", ""]);

interface WithoutChecks {
  readonly table: Table;
  /** Which rows those are, without what is done with them. */
  readonly told?: string;
  readonly mark?: string;
}

/** The table without them. Left out is only what is marked by name and value, is the smaller part, and has items of its own: a mark on a
 *  whole rater, or one that says who passed, is none. */
export function leaveChecksOut(table: Table): WithoutChecks {
  const called = (names: readonly string[]): [string, Column][] =>
    [...table.columns].filter(([name]) => names.includes(splitWords(name).join("_")));
  // where nobody rated there is nobody to be checked
  if (called(RATER_NAMES).length === 0) return { table };
  const items = called([...ITEM_NAMES, ...INPUT_NAMES]);
  for (const [name, cells] of table.columns) {
    if (!isMark(name)) continue;
    const marked = readMarks(cells);
    const count = marked?.filter((own) => own).length ?? 0;
    if (marked === undefined || count === 0 || count * 2 >= table.rows) continue;
    if (!items.some(([, own]) => haveOwn(own, marked))) continue;
    return without(table, marked, name);
  }
  for (const [name, cells] of table.columns) {
    if (cells.kind === "numeric" || !cells.levels.some(isCheck) || cells.levels.every(isCheck)) continue;
    const marked = Array.from(cells.codes, (code) => code >= 0 && isCheck(cells.levels[code]!));
    if (marked.some((own) => own) && marked.filter((own) => own).length * 2 < table.rows)
      return without(table, marked, name);
  }
  return { table };
}

/** A kind of rows that is called a check of attention. */
const CHECKS = list("vigilance attention attention_check catch catch_trial trap honeypot sanity_check");
const isCheck = (level: string): boolean => CHECKS.has(splitWords(level).join("_"));

function without(table: Table, marked: readonly boolean[], mark: string): WithoutChecks {
  const count = marked.filter((own) => own).length;
  const told = `${count} of the ${table.rows} rows are marked by ${mark}, so they check the raters`;
  return { table: selectRows(table, (row) => !marked[row]), told, mark };
}

/** Which rows are marked; undefined where some cell says neither yes nor no. */
function readMarks(cells: Column): boolean[] | undefined {
  const { codes, levels } = asFactor(cells);
  const texts = Array.from(codes, (code) => levels[code]?.trim().toLowerCase() ?? "");
  return texts.every((text) => YES.has(text) || NO.has(text)) ? texts.map((text) => YES.has(text)) : undefined;
}

/** No marked row has an item of a row that is not. */
function haveOwn(cells: Column, marked: readonly boolean[]): boolean {
  const { codes } = asFactor(cells);
  const others = new Set([...codes].filter((_, row) => !marked[row]));
  return [...codes].every((code, row) => !marked[row] || !others.has(code));
}
