/** Columns whose cells begin with a verdict → one row for each, with the verdict as a number.
 *    "[PASS] (1.00) the answer"      what promptfoo writes into CSV: a column for each prompt and provider, a row for each test
 *    "[FAIL] (0.40) the reason\n---\nthe answer"
 *  and columns of true and false, T and F, right and wrong that are named as systems → 1 and 0.
 *  [ERROR] is no verdict: the run broke down, and the score is missing. */
import { listNames } from "../../result/quote.ts";
import { isWord, positiveOf } from "../opposites.ts";
import { SYSTEM_LEVEL, SYSTEM_NAMES, splitWords, WIDE_SYSTEM_WORDS } from "../roles/names.ts";
import { type Column, factorColumn, makeTable, numericColumn, type Table, takeCells } from "../table.ts";
import { cellText, freshName, type Reshaped, usedLevels, withRowNumbers } from "./reshaped.ts";

const CELL = /^\s*\[(PASS|FAIL|ERROR)\](?:\s*\((-?\d+(?:\.\d+)?)\))?/;
/** So many of the cells must begin so. */
const MOSTLY = 0.9;
const LONGEST_NAME = 60;

export function findVerdictCells(table: Table): Reshaped | undefined {
  const found = [...table.columns].filter(([, cells]) => isVerdicts(cells, table.rows)).map(([name]) => name);
  if (found.length === 0) return undefined;
  const { table: numbered, name: item } = withRowNumbers(table);
  const k = found.length;
  const source = Int32Array.from({ length: table.rows * k }, (_, i) => Math.floor(i / k));
  const texts = Array.from(source, (row, i) => cellText(table.columns.get(found[i % k]!)!, row));
  const read = texts.map((text) => CELL.exec(text ?? ""));
  const pass = read.map((cell) => (cell?.[1] === "PASS" ? 1 : cell?.[1] === "FAIL" ? 0 : Number.NaN));
  const scores = read.map((cell) => (cell?.[2] === undefined || cell[1] === "ERROR" ? Number.NaN : Number(cell[2])));
  const graded = scores.some((score, i) => !Number.isNaN(score) && score !== pass[i]);
  const kept = [...numbered.columns].filter(([name]) => !found.includes(name));
  const labels = shortNames(found);
  const names = {
    system: freshName(table, "system"),
    pass: freshName(table, "pass"),
    score: freshName(table, "score"),
  };
  const long: [string, Column][] = [
    ...kept.map(([name, cells]): [string, Column] => [name, takeCells(cells, source)]),
    [names.system, factorColumn(Array.from(source, (_, i) => labels[i % k]!))],
    [names.pass, numericColumn(pass)],
    ...(graded ? [[names.score, numericColumn(scores)] satisfies [string, Column]] : []),
  ];
  const broken = read.filter((cell) => cell?.[1] === "ERROR").length;
  const which = k === 1 ? "a column begin" : `${k} columns begin`;
  return {
    table: makeTable(long, source.length),
    reading: [
      `The cells of ${which} with a verdict ([PASS], [FAIL]): each column is a system, each row of the file an item (column ${item}), and ${names.pass} is 1 for a pass.`,
      ...(broken === 0 ? [] : [`${broken} of ${source.length} cells are errors: they have no verdict.`]),
    ],
    hints: [
      { role: "system", column: names.system, reason: "the columns of verdicts", confidence: 0.9 },
      { role: "item", column: item, reason: "each row of the file is an item", confidence: 0.9 },
      { role: "score", column: names.pass, reason: "the verdict that begins the cell", confidence: 0.95 },
      ...(graded
        ? [{ role: "score", column: names.score, reason: "the number beside the verdict", confidence: 0.9 }]
        : []),
    ],
    higherIsBetter: new Map([names.pass, names.score].map((name) => [name, true])),
  };
}

function isVerdicts(cells: Column, rows: number): boolean {
  if (cells.kind === "numeric") return false;
  const fits = cells.levels.map((level) => CELL.test(level));
  let [known, present] = [0, 0];
  for (let row = 0; row < rows; row += 1) {
    const code = cells.codes[row]!;
    if (code < 0) continue;
    present += 1;
    if (fits[code]) known += 1;
  }
  return known > 0 && known >= MOSTLY * present;
}

/** Prompts stand in the header whole: on one line, cut, and told apart. */
function shortNames(all: readonly string[]): string[] {
  const flat = all.map((name) => name.replace(/\s+/g, " ").trim());
  const cut = flat.map((name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name));
  return cut.map((name, i) => (cut.indexOf(name) === cut.lastIndexOf(name) ? name : `${name} (${i + 1})`));
}

/** gpt-4, llama-2, mistral with T and F: one column a system, and the verdicts are numbers. */
export function findVerdictColumns(table: Table): Reshaped | undefined {
  const found = [...table.columns].flatMap(([name, cells]) => {
    const one = cells.kind === "factor" ? positiveOf(usedLevels(cells)) : undefined;
    return one === undefined || /^(is|has|was)[_A-Z]/.test(name) ? [] : [{ name, word: one.word }];
  });
  const named = found.filter(
    ({ name }) => SYSTEM_LEVEL.test(name) || splitWords(name).some((word) => WIDE_SYSTEM_WORDS.has(word)),
  );
  if (named.length < 2 || named.length * 2 < found.length || new Set(found.map(({ word }) => word)).size > 1)
    return undefined;
  if ([...table.columns.keys()].some((name) => SYSTEM_NAMES.includes(splitWords(name).join("_")))) return undefined;
  const words = new Map(found.map(({ name, word }) => [name, word]));
  const entries = [...table.columns].map(([name, cells]): [string, Column] => {
    const word = words.get(name);
    if (word === undefined || cells.kind === "numeric") return [name, cells];
    const value = (code: number): number => (code < 0 ? Number.NaN : isWord(cells.levels[code]!, word) ? 1 : 0);
    return [name, { kind: "numeric", values: Float64Array.from(cells.codes, value) }];
  });
  const shown = usedLevels(table.columns.get(found[0]!.name)!).find((level) => isWord(level, found[0]!.word));
  return {
    table: makeTable(entries, table.rows),
    reading: [`${listNames(found.map(({ name }) => name))} hold verdicts: ${shown ?? found[0]!.word} counts as 1.`],
    hints: [],
  };
}
