/** Rows of a sheet that sum up others: "Average" or "Total" at its end, the mean of each system wherever it stands. They are no items. */
import { type FactorColumn, isMissing, selectRows, type Table } from "../data/table.ts";
import { summaryOf } from "./lexicon/totals.ts";

/** Fewer rows above say nothing. */
const FEWEST_ROWS = 5;
/** Summaries of each of several systems, at most. */
const MOST_ROWS = 20;

interface WithoutTotals {
  readonly table: Table;
  readonly reading: readonly string[];
  readonly rows?: { readonly told: string; readonly count: number };
}

/** Rows at the end in which nothing stands, as spreadsheets write them. */
function withoutEmptyEnd(table: Table): { readonly table: Table; readonly reading: readonly string[] } {
  const columns = [...table.columns.values()];
  let rows = table.rows;
  while (rows > 0 && columns.every((cells) => isMissing(cells, rows - 1))) rows -= 1;
  const gone = table.rows - rows;
  if (gone === 0 || rows === 0) return { table, reading: [] };
  const told = gone === 1 ? "The last row is empty and left out." : `The last ${gone} rows are empty and left out.`;
  return { table: selectRows(table, (row) => row < rows), reading: [told] };
}

/** The table without them; what is left out lies within what was seen, or is its sum, so that a word of a list of words stays. */
export function leaveTotalsOut(all: Table): WithoutTotals {
  const { table, reading } = withoutEmptyEnd(all);
  for (const [name, cells] of table.columns) {
    if (cells.kind !== "factor") continue;
    const text = (row: number): string => cells.levels[cells.codes[row]!]?.trim() ?? "";
    let from = table.rows;
    while (from > 0 && summaryOf(text(from - 1)) !== undefined) from -= 1;
    const means = findMeans(table, { name, cells, from });
    if (means !== undefined) return { ...means, reading: [...reading, ...means.reading] };
    const found = Array.from({ length: table.rows - from }, (_, k) => from + k);
    const named = found.filter((row) => ["mean", "sum"].includes(summaryOf(text(row)) ?? ""));
    const counted = found.some((row) => summaryOf(text(row)) === "counted");
    if ((named.length === 0 && !counted) || found.length > MOST_ROWS || from < FEWEST_ROWS) continue;
    if (!named.every((row) => sumsUp(table, row, { from, mean: summaryOf(text(row)) === "mean" }))) continue;
    const words = [...new Set(found.map(text))].join(", ");
    const rows = `${found.length === 1 ? "The last row" : `The last ${found.length} rows`} (${name}: ${words})`;
    const told = `${rows} ${found.length === 1 ? "sums" : "sum"} up those above and ${found.length === 1 ? "is" : "are"} left out.`;
    return {
      table: selectRows(table, (row) => row < from),
      reading: [...reading, told],
      rows: { told: rows, count: found.length },
    };
  }
  return { table, reading };
}

interface Labelled {
  readonly name: string;
  readonly cells: FactorColumn;
  /** From here on all rows are called sums. */
  readonly from: number;
}

/** Rows that are called a mean and are one, to the digits given: of the rows that agree with them in every other name and whole number. */
function findMeans(table: Table, { name, cells, from }: Labelled): WithoutTotals | undefined {
  const levels = new Set(
    cells.levels.flatMap((level, code) => (level.length <= LONGEST_LABEL && summaryOf(level) === "mean" ? [code] : [])),
  );
  if (levels.size === 0) return undefined;
  const rows = Array.from(cells.codes.keys());
  const found = rows.filter((row) => levels.has(cells.codes[row]!));
  // those at the end are told as such
  if (found.every((row) => row >= from)) return undefined;
  const others = rows.filter((row) => row < from && cells.codes[row]! >= 0 && !levels.has(cells.codes[row]!));
  const keys = [...table.columns].filter(
    ([key, own]) => key !== name && (own.kind === "factor" || isCount(own.values)),
  );
  const keyOf = (row: number): string =>
    keys.map(([, own]) => (own.kind === "factor" ? own.codes[row] : own.values[row])).join("\n");
  const groups = new Map<string, number[]>();
  for (const row of others) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  const numbers = [...table.columns.values()].flatMap((own) =>
    own.kind === "numeric" && !isCount(own.values) ? [own.values] : [],
  );
  const isMean = (row: number): boolean => {
    const rows = groups.get(keyOf(row)) ?? [];
    return rows.length >= FEWEST_MEANT && numbers.every((values) => isMeanOf(values, row, rows));
  };
  if (numbers.length === 0 || !found.every(isMean)) return undefined;
  const words = [...new Set(found.map((row) => cells.levels[cells.codes[row]!]!.trim()))].join(", ");
  const one = found.length === 1;
  const told = `${one ? "The row" : `${found.length} rows`} (${name}: ${words})`;
  const out = new Set(found);
  return {
    table: selectRows(table, (row) => row < from && !out.has(row)),
    reading: [`${told} ${one ? "is the mean of others and is" : "are the means of others and are"} left out.`],
    rows: { told, count: found.length },
  };
}
/** No text of an item. */
const LONGEST_LABEL = 40;
/** A mean of fewer is no evidence. */
const FEWEST_MEANT = 3;

const isCount = (values: Float64Array): boolean => values.every((v) => Number.isNaN(v) || Number.isInteger(v));

function isMeanOf(values: Float64Array, row: number, rows: readonly number[]): boolean {
  const own = values[row]!;
  const seen = rows.map((one) => values[one]!).filter((value) => !Number.isNaN(value));
  if (Number.isNaN(own) || seen.length < FEWEST_MEANT) return false;
  const digits = [own, ...seen].reduce((most, v) => Math.max(most, String(v).split(".")[1]?.length ?? 0), 0);
  const mean = seen.reduce((sum, v) => sum + v, 0) / seen.length;
  // the mean is rounded, and so were the numbers
  return Math.abs(own - mean) <= 10 ** -Math.min(digits, MOST_DIGITS);
}
/** Numbers with more were not rounded. */
const MOST_DIGITS = 6;

function sumsUp(table: Table, row: number, { from, mean }: { readonly from: number; readonly mean: boolean }): boolean {
  const numbers = [...table.columns.values()].flatMap((cells) =>
    cells.kind === "numeric" && !isMissing(cells, row) ? [cells.values] : [],
  );
  if (numbers.length === 0) return false;
  return numbers.every((values) => {
    const own = values[row]!;
    const fits = (rows: readonly number[]): boolean => {
      const above = rows.map((at) => values[at]!).filter((value) => !Number.isNaN(value));
      if (above.length === 0) return false;
      if (mean) return own >= above.reduce((x, y) => Math.min(x, y)) && own <= above.reduce((x, y) => Math.max(x, y));
      const sum = above.reduce((x, y) => x + y, 0);
      return Math.abs(own - sum) <= ROUNDED * Math.max(1, Math.abs(sum));
    };
    const rows = Array.from({ length: from }, (_, at) => at);
    return fits(rows) || rowsAlike(table, row, rows).some(fits);
  });
}

/** A total of each system: the rows above that have a level of this one, by each column of levels. */
function rowsAlike(table: Table, row: number, rows: readonly number[]): number[][] {
  return [...table.columns.values()].flatMap((cells) =>
    cells.kind !== "factor" || isMissing(cells, row) ? [] : [rows.filter((at) => cells.codes[at] === cells.codes[row])],
  );
}
/** Sums of rounded numbers. */
const ROUNDED = 0.01;
