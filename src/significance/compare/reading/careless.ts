/** Raters whose grades look careless: one grade to everything, or an order against the others'. Their scores count in full, and a verdict may hang on them.
 *    r = correlation of a rater's scores with the mean of the others' on the same outputs,  t = r √((n - 2)/(1 - r²)),  n - 2 df,
 *  one-sided towards disagreement at 1 %, divided by the number of raters.
 *  Oracle:    the t test of Pearson's r (tests/correlation.ts); how often raters without agreement are named, in the test.
 *  Limits:    outputs count as independent. A rater at random is named by agreement, which has a model of chance. */

import { groupKeys } from "../../../data/keys.ts";
import { asFactor, type Table } from "../../../data/table.ts";
import { tCdf } from "../../../numeric/dist/t.ts";
import { warning } from "../../../result/diagnostic.ts";
import { formatNumber } from "../../../result/number-format.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { scoreNumbers } from "../../../study/score-facts.ts";
import { correlate } from "../../tests/correlation.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

/** Fewer outputs that others rated too tell nothing of a rater. */
const FEWEST = 10;
/** Chance of naming anyone where all rate alike. */
const NAMED = 0.01;

export function tellCareless(table: Table, { item, system, rater, score, task }: ComparisonColumns): Diagnostic[] {
  if (rater === undefined) return [];
  const { codes, levels } = asFactor(table.columns.get(rater)!);
  if (levels.length < 3) return [];
  const values = scoreNumbers(table, score);
  const keys = [item, system, task].flatMap((name) => (name === undefined ? [] : [table.columns.get(name)!]));
  const { group, count } = groupKeys(keys, table.rows);
  const [sums, sizes] = [new Float64Array(count), new Int32Array(count)];
  const usable = (row: number): boolean => codes[row]! >= 0 && !Number.isNaN(values[row]!);
  for (let row = 0; row < table.rows; row++) {
    if (!usable(row)) continue;
    sums[group[row]!]! += values[row]!;
    sizes[group[row]!]! += 1;
  }
  const pairs = levels.map(() => ({ own: [] as number[], others: [] as number[] }));
  for (let row = 0; row < table.rows; row++) {
    const unit = group[row]!;
    if (!usable(row) || sizes[unit]! < 2) continue;
    pairs[codes[row]!]!.own.push(values[row]!);
    pairs[codes[row]!]!.others.push((sums[unit]! - values[row]!) / (sizes[unit]! - 1));
  }
  return pairs.flatMap(({ own, others }, r) => tellOne(levels[r]!, { own, others, raters: levels.length }));
}

interface Rated {
  readonly own: readonly number[];
  readonly others: readonly number[];
  readonly raters: number;
}

function tellOne(name: string, { own, others, raters }: Rated): Diagnostic[] {
  const n = own.length;
  if (n < FEWEST || new Set(others).size < 2) return [];
  const fix = `Look at the ratings of ${name}; option \`where\` leaves them out.`;
  if (new Set(own).size === 1) {
    const message = `rater ${name} gave ${formatNumber(own[0]!)} to all ${n} outputs that others rated too.`;
    return [warning("CarelessRater", message, fix)];
  }
  const r = correlate(Float64Array.from(own), Float64Array.from(others));
  const p = tCdf(r * Math.sqrt((n - 2) / Math.max(1 - r * r, Number.EPSILON)), n - 2);
  if (!(p < NAMED / raters)) return [];
  const message = `rater ${name} rates against the others (r = ${r.toFixed(2)} over ${n} outputs): the scale may be reversed.`;
  return [warning("CarelessRater", message, fix)];
}
