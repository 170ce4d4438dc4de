/** Rows at the end of a sheet that sum up those above: "Average", "Total". They are no items. */
import { isMissing, selectRows, type Table } from "./table.ts";

const MEAN = /^(average|avg\.?|mean|mittelwert|durchschnitt|mittel|moyenne|promedio|média|平均|平均值|平均分)$/i;
const SUM = /^(total|totals|sum|summe|gesamt|somme|suma|soma|合计|总计|总分|合計)$/i;
const SPREAD = /^(std\.?|stdev|sd|standard deviation|median|min|max|minimum|maximum|variance|n|count)$/i;
/** Fewer rows above say nothing. */
const FEWEST_ROWS = 5;
/** Summaries of each of several systems, at most. */
const MOST_ROWS = 20;

/** The table without them; what is left out lies within what was seen, or is its sum, so that a word of a list of words stays. */
export function leaveTotalsOut(table: Table): { readonly table: Table; readonly reading: readonly string[] } {
  for (const [name, cells] of table.columns) {
    if (cells.kind !== "factor") continue;
    const text = (row: number): string => cells.levels[cells.codes[row]!]?.trim() ?? "";
    let from = table.rows;
    while (from > 0 && [MEAN, SUM, SPREAD].some((words) => words.test(text(from - 1)))) from -= 1;
    const found = Array.from({ length: table.rows - from }, (_, k) => from + k);
    const named = found.filter((row) => !SPREAD.test(text(row)));
    if (named.length === 0 || found.length > MOST_ROWS || from < FEWEST_ROWS) continue;
    if (!named.every((row) => sumsUp(table, row, { from, mean: MEAN.test(text(row)) }))) continue;
    const words = [...new Set(found.map(text))].join(", ");
    const rows = `${found.length === 1 ? "The last row" : `The last ${found.length} rows`} (${name}: ${words})`;
    const told = `${rows} ${found.length === 1 ? "sums" : "sum"} up those above and ${found.length === 1 ? "is" : "are"} left out.`;
    return { table: selectRows(table, (row) => row < from), reading: [told] };
  }
  return { table, reading: [] };
}

function sumsUp(table: Table, row: number, { from, mean }: { readonly from: number; readonly mean: boolean }): boolean {
  const numbers = [...table.columns.values()].flatMap((cells) =>
    cells.kind === "numeric" && !isMissing(cells, row) ? [cells.values] : [],
  );
  if (numbers.length === 0) return false;
  return numbers.every((values) => {
    const above = Array.from(values.subarray(0, from)).filter((value) => !Number.isNaN(value));
    if (above.length === 0) return false;
    const own = values[row]!;
    if (mean) return own >= above.reduce((x, y) => Math.min(x, y)) && own <= above.reduce((x, y) => Math.max(x, y));
    const sum = above.reduce((x, y) => x + y, 0);
    return Math.abs(own - sum) <= ROUNDED * Math.max(1, Math.abs(sum));
  });
}
/** Sums of rounded numbers. */
const ROUNDED = 0.01;
