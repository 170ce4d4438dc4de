/** Outcomes that are missing: rows without a score, and items that a system has no row of. What the difference can be whatever they are, and
 *  tables in which they are filled in.
 *      of an item with k scores and m missing ones   (sum + m·lowest)/(k + m)  to  (sum + m·highest)/(k + m)
 *      difference                                    low(B) - high(A)  to  high(B) - low(A), averaged over items
 *  Reference: Horowitz & Manski (2000), JASA 95; Imbens & Manski (2004), Econometrica 72 (../../missing.ts).
 *  Oracle:    oracle/next/missing-outcomes.json through boundPairs, which this equals where nothing is repeated. */

import { countGroups } from "../../../data/counts.ts";
import {
  asFactor,
  column,
  concatRows,
  factorColumn,
  isMissing,
  numericColumn,
  selectRows,
  type Table,
  withColumn,
} from "../../../data/table.ts";
import { endsOf, type ScoreRange } from "../../../metrics/range.ts";
import { spreadOfMean } from "../../../resample/mean-spread.ts";
import { boundInterval, type OutcomeBounds } from "../../missing.ts";
import { type Cells, readCells } from "../matching/cells.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

export interface Gaps {
  readonly systems: readonly string[];
  readonly cells: Cells;
  /** Of item i and system s at [i + s * items]. */
  readonly sums: Float64Array;
  readonly counts: Int32Array;
  readonly unscored: Int32Array;
  readonly clusters?: Int32Array;
  /** The ends of the scale, and whether they are only the smallest and the largest score seen. */
  readonly range: ScoreRange;
  readonly seen: boolean;
}

export function findGaps(table: Table, columns: ComparisonColumns, systems: readonly string[]): Gaps {
  const cells = readCells(table, columns, systems);
  const { itemOf, systemOf, score, itemCount: n } = cells;
  const sums = new Float64Array(n * systems.length);
  const counts = new Int32Array(n * systems.length);
  const unscored = new Int32Array(n * systems.length);
  for (let row = 0; row < table.rows; row++) {
    if (itemOf[row]! < 0 || systemOf[row]! < 0) continue;
    const at = itemOf[row]! + systemOf[row]! * n;
    if (Number.isNaN(score[row]!)) unscored[at]! += 1;
    else {
      sums[at]! += score[row]!;
      counts[at]! += 1;
    }
  }
  const clusters = clustersOf(table, columns.cluster, cells);
  return {
    systems,
    cells,
    sums,
    counts,
    unscored,
    ...(clusters ? { clusters } : {}),
    ...endsOf(columns.score, scoresOf(cells)),
  };
}

/** The different scores of items. */
function scoresOf({ itemOf, systemOf, score }: Cells): number[] {
  const counted = systemOf.map((system, row) => (system < 0 || itemOf[row]! < 0 ? -1 : 0));
  return [...countGroups(score, counted, 1)[0]!.of.keys()];
}

function clustersOf(table: Table, name: string | undefined, { first }: Cells): Int32Array | undefined {
  if (name === undefined) return undefined;
  const { codes } = asFactor(column(table, name));
  const own = Int32Array.from(first, (row) => codes[row]!);
  return own.some((code) => code < 0) || new Set(own).size < 2 ? undefined : own;
}

/** Which items a rule is about: those of rows that both systems have, or every one that either has. */
export const isIn = (
  { counts, unscored, cells }: Gaps,
  item: number,
  systems: readonly number[],
  absent: boolean,
): boolean => {
  const has = (s: number): boolean => counts[item + s * cells.itemCount]! + unscored[item + s * cells.itemCount]! > 0;
  return absent ? systems.some(has) : systems.every(has);
};

/** Outcomes missing of one system: rows without a score, and items that another has and this one not. */
export function countGaps(gaps: Gaps, s: number): { items: number; unscored: number; absent: number } {
  const { counts, unscored, cells, systems } = gaps;
  const n = cells.itemCount;
  const every = systems.map((_, k) => k);
  let [items, rows, absent] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    if (counts[i + s * n]! > 0) items += 1;
    rows += unscored[i + s * n]!;
    if (!isIn(gaps, i, [s], false) && isIn(gaps, i, every, true)) absent += 1;
  }
  return { items, unscored: rows, absent };
}

export interface BoundsOptions {
  readonly level: number;
  /** Items that one of the systems has no row of are missing outcomes too. */
  readonly absent: boolean;
  readonly paired: boolean;
}

/** B - A whatever the missing outcomes are. */
export function boundPair(gaps: Gaps, [a, b]: readonly [number, number], options: BoundsOptions): OutcomeBounds {
  const { absent, level, paired } = options;
  const n = gaps.cells.itemCount;
  const has = (s: number, i: number): boolean => gaps.counts[i + s * n]! + gaps.unscored[i + s * n]! > 0;
  const all = Array.from({ length: n }, (_, i) => i);
  const end = (s: number, i: number, filled: number): number => {
    const [k, m] = [gaps.counts[i + s * n]!, gaps.unscored[i + s * n]!];
    return k + m === 0 ? filled : (gaps.sums[i + s * n]! + m * filled) / (k + m);
  };
  const measure = (items: readonly number[], value: (i: number) => number): { mean: number; se: number } => {
    const values = Float64Array.from(items, value);
    const { clusters } = gaps;
    const own = clusters && Int32Array.from(items, (i) => clusters[i]!);
    return { mean: values.reduce((sum, v) => sum + v, 0) / values.length, se: spreadOfMean(values, own).se };
  };
  const [lowest, highest] = gaps.range;
  if (paired) {
    const items = all.filter((i) => isIn(gaps, i, [a, b], absent));
    const low = measure(items, (i) => end(b, i, lowest) - end(a, i, highest));
    const high = measure(items, (i) => end(b, i, highest) - end(a, i, lowest));
    return boundInterval({ lower: low.mean, upper: high.mean, seLower: low.se, seUpper: high.se }, level);
  }
  const [ofA, ofB] = [a, b].map((s) => all.filter((i) => has(s, i)));
  const [lowA, highA] = [lowest, highest].map((filled) => measure(ofA!, (i) => end(a, i, filled)));
  const [lowB, highB] = [lowest, highest].map((filled) => measure(ofB!, (i) => end(b, i, filled)));
  return boundInterval(
    {
      lower: lowB!.mean - highA!.mean,
      upper: highB!.mean - lowA!.mean,
      seLower: Math.hypot(lowB!.se, highA!.se),
      seUpper: Math.hypot(highB!.se, lowA!.se),
    },
    level,
  );
}

/** The table with the missing outcomes of system s at `value[s]`; with `absent` also a row for each item that one lacks. */
export function fillGaps(
  table: Table,
  columns: ComparisonColumns,
  { gaps, value, absent }: { readonly gaps: Gaps; readonly value: readonly number[]; readonly absent: boolean },
): Table {
  const { cells, systems } = gaps;
  const score = Float64Array.from(cells.score, (own, row) => {
    const s = cells.systemOf[row]!;
    return Number.isNaN(own) && s >= 0 ? value[s]! : own;
  });
  const whole = withColumn(table, columns.score, numericColumn(score));
  if (!absent) return whole;
  const every = systems.map((_, k) => k);
  const added = systems.flatMap((system, s) => {
    const lacking = Array.from({ length: cells.itemCount }, (_, i) => i).filter(
      (i) =>
        isIn(gaps, i, every, true) &&
        !isIn(gaps, i, [s], false) &&
        !isMissing(column(table, columns.item), cells.first[i]!),
    );
    if (lacking.length === 0) return [];
    const rows = selectRows(
      whole,
      Int32Array.from(lacking, (i) => cells.first[i]!),
    );
    const named = withColumn(rows, columns.system, factorColumn(lacking.map(() => system)));
    return [withColumn(named, columns.score, numericColumn(lacking.map(() => value[s]!)))];
  });
  return added.length === 0 ? whole : concatRows([whole, ...added]);
}
