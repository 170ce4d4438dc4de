/** Numbers of raters per label (hate_speech 0, offensive 2, neither 1; their sum is the number of raters) → one row a rating.
 *  Who gave a rating is not known: raters are numbered within the item, and only coefficients that do not ask who it was make sense. */
import { mostOf } from "../../result/extremes.ts";
import { ITEM_NAMES, SCORE_NAMES, splitWords } from "../roles/names.ts";
import { type Column, factorColumn, makeTable, type Table, takeCells } from "../table.ts";
import { cellText, freshName, type Reshaped, usedLevels } from "./reshaped.ts";
import { countsVotes } from "./shares.ts";

const FEWEST_ROWS = 3;
const MOST_LABELS = 20;
const MOST_RATERS = 200;
const TOTAL = /^(count|counts|total|n|num|number|votes|raters|annotators|n_?raters|n_?annotators|number_of_.*)$/i;

export function findCounts(table: Table): Reshaped | undefined {
  // sums of one row may be sums by chance
  if (table.rows < FEWEST_ROWS) return undefined;
  const counts = [...table.columns].flatMap(([name, cells], at) =>
    isCount(cells) ? [{ name, values: (cells as { values: Float64Array }).values, at }] : [],
  );
  const total = counts.find(({ name }) => TOTAL.test(name));
  if (total === undefined) return undefined;
  const others = counts.filter((one) => one !== total);
  for (const labels of runs(others)) {
    if (
      labels.every(({ name }) => !SCORE_NAMES.includes(name)) &&
      !labels.every(({ name }) => countsVotes(name)) &&
      addUp(labels, total.values)
    )
      return unroll(
        table,
        labels.map(({ name }) => name),
        total.name,
      );
  }
  return undefined;
}

function isCount(cells: Column): boolean {
  return (
    cells.kind === "numeric" &&
    cells.values.every((value) => Number.isInteger(value) && value >= 0 && value <= MOST_RATERS)
  );
}

/** Neighbouring columns, the longest runs first. */
function runs<T extends { at: number }>(columns: readonly T[]): T[][] {
  const found: T[][] = [];
  for (let from = 0; from < columns.length; from += 1) {
    for (let to = from + 1; to < columns.length && to - from < MOST_LABELS; to += 1) {
      if (columns[to]!.at - columns[to - 1]!.at !== 1) break;
      found.push(columns.slice(from, to + 1));
    }
  }
  return found.sort((a, b) => b.length - a.length);
}

function addUp(labels: readonly { values: Float64Array }[], total: Float64Array): boolean {
  return total.every((sum, row) => sum > 1 && labels.reduce((own, { values }) => own + values[row]!, 0) === sum);
}

function unroll(table: Table, labels: readonly string[], total: string): Reshaped {
  const gone = new Set([...labels, total]);
  const majority = findMajority(table, labels);
  const kept = [...table.columns]
    .filter(([name]) => !gone.has(name))
    .map(([name, cells]): [string, Column] => [name === majority ? `${name}_majority` : name, cells]);
  const [label, rater] = [majority ?? freshName(table, "label"), freshName(table, "rater")];
  const source: number[] = [];
  const [texts, raters]: [string[], string[]] = [[], []];
  for (let row = 0; row < table.rows; row += 1) {
    let number = 0;
    for (const name of labels) {
      const cells = table.columns.get(name) as { values: Float64Array };
      for (let k = 0; k < cells.values[row]!; k += 1) {
        source.push(row);
        texts.push(name);
        raters.push(String(++number));
      }
    }
  }
  const index = Int32Array.from(source);
  // an id that each row has for itself names the items; otherwise the rows do
  const own = kept.find(
    ([name, cells]) => ITEM_NAMES.includes(splitWords(name).join("_")) && usedLevels(cells).length === table.rows,
  )?.[0];
  const item = own ?? freshName(table, "row");
  const numbers = Float64Array.from(index, (row) => row + 1);
  const long = makeTable(
    [
      ...(own === undefined ? [[item, { kind: "numeric", values: numbers }] satisfies [string, Column]] : []),
      ...kept.map(([name, cells]): [string, Column] => [name, takeCells(cells, index)]),
      [rater, factorColumn(raters)],
      [label, factorColumn(texts, { levels: [...labels] })],
    ],
    index.length,
  );
  return {
    table: long,
    unnamedRaters: true,
    reading: [
      `${labels.join(", ")} are numbers of raters, which add up to ${total} in every row; each rating became a row with its ${label}.${majority === undefined ? "" : ` The file's own ${majority} is the label with most of them and is kept as ${majority}_majority.`} Column ${rater} numbers the ratings of an item: the file does not say who gave them.`,
    ],
    hints: [
      { role: "rater", column: rater, reason: `${labels.join(", ")} add up to ${total}`, confidence: 0.9 },
      {
        role: "item",
        column: item,
        reason: own === undefined ? "each row of the file is an item" : "another in every row of the file",
        confidence: 0.9,
      },
      { role: "score", column: label, reason: "the label that was counted", confidence: 0.9 },
    ],
  };
}

/** Share of the rows in which a column must say which label has most raters. */
const MOSTLY = 0.95;

/** A column of codes, one code for each label that can have most of the raters. */
function findMajority(table: Table, labels: readonly string[]): string | undefined {
  const counts = labels.map((name) => (table.columns.get(name) as { values: Float64Array }).values);
  const best = Array.from({ length: table.rows }, (_, row) => {
    const own = counts.map((values) => values[row]!);
    return own.indexOf(mostOf(own));
  });
  for (const [name, cells] of table.columns) {
    if (labels.includes(name)) continue;
    const codes = Array.from({ length: table.rows }, (_, row) => cellText(cells, row) ?? "");
    const distinct = new Set(codes);
    if (distinct.size < 2 || distinct.size > labels.length || 2 * distinct.size > table.rows) continue;
    const meaning = new Map<string, Map<number, number>>();
    codes.forEach((code, row) => {
      const own = meaning.get(code) ?? new Map<number, number>();
      meaning.set(code, own.set(best[row]!, (own.get(best[row]!) ?? 0) + 1));
    });
    const most = [...meaning.values()].map((own) => [...own].reduce((a, b) => (b[1] > a[1] ? b : a)));
    const right = most.reduce((sum, [, count]) => sum + count, 0);
    if (new Set(most.map(([at]) => at)).size === distinct.size && right >= MOSTLY * table.rows) return name;
  }
  return undefined;
}
