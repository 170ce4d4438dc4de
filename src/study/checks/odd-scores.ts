/** Scores that deserve a look before anything is computed of them: values far beyond all others, kinds of rows that share no score, and
 *  scores that one system lacks more often than another. */

import { countValues, countWhere, type ValueCounts, valueAt } from "../../data/counts.ts";
import type { Table } from "../../data/table.ts";
import { warning } from "../../result/diagnostic.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { SystemMean } from "../score-facts.ts";
import { scoreNumbers } from "../score-facts.ts";

/** A value this many times as large as all but the largest 0.5 % is no score on their scale. */
const FAR = 20;
const BULK = 0.995;
const FEWEST = 50;
/** Scales that people rate on end by here: beyond, large values may be what is measured. */
const LARGEST_SCALE = 1000;

/** A few values that are far beyond all others: 8900 among ratings of 0 to 100 is a slip, and a mean of them means nothing. */
export function farValues(name: string, values: Float64Array): Diagnostic[] {
  const counts = countValues(values);
  return [...beyondBulk(name, counts), ...zerosBelowSteps(name, counts), ...atLimit(name, counts)];
}

/** So often the same value is no slip; above this share it is nothing special. */
const OFTEN = 3;
const RARE = 0.2;
/** How much further than all others a limit lies that was set for the few that never ended. */
const SET_APART = 5;

/** Scales that people rate on from 1: 0 is not among their steps. */
const FROM_ONE = new Set([5, 7]);

/** 0 below ratings of 1 to 5 or 7, or of other steps and more often than 1: the lowest step, or none. Nothing but the scale says which. */
function zerosBelowSteps(name: string, { of: counts, n: rows }: ValueCounts): Diagnostic[] {
  const zeros = counts.get(0) ?? 0;
  if (counts.size > 11) return [];
  const steps = [...counts.keys()].filter((value) => value !== 0).sort((a, b) => a - b);
  const full = steps.length >= 3 && steps.length <= 10 && steps.every((value, k) => value === k + 1);
  const ones = counts.get(1) ?? 0;
  if (!full || zeros === 0 || zeros > RARE * rows) return [];
  if (!FROM_ONE.has(steps.length) && (zeros < OFTEN || zeros < 2 * ones)) return [];
  const message = `${zeros} of ${rows} values of ${name} ${zeros === 1 ? "is" : "are"} 0 and ${ones} ${ones === 1 ? "is" : "are"} 1, among ratings up to ${steps.at(-1)}: if 0 stands for "not rated", it is averaged as the lowest rating.`;
  return [warning("ZeroRatings", message, "Option `missing: 0` leaves them out.")];
}

/** The very same largest value again and again, far beyond measurements that hardly ever repeat: where measuring stopped. */
function atLimit(name: string, { of: counts, n: rows }: ValueCounts): Diagnostic[] {
  if (rows < FEWEST || counts.size < rows / 2) return [];
  const most = mostOf(counts.keys());
  let next = Number.NEGATIVE_INFINITY;
  for (const value of counts.keys()) if (value !== most && value > next) next = value;
  if (!(next > 0) || most < SET_APART * next) return [];
  const often = counts.get(most)!;
  if (often < OFTEN || often > RARE * rows) return [];
  const message = `${often} of ${rows} values of ${name} are exactly ${most}, the next is ${next}: that reads like a limit at which measuring stopped, and means hang on it.`;
  return [warning("AtLimit", message, `Option \`missing: ${most}\` leaves them out; say how often it was met.`)];
}

function beyondBulk(name: string, counts: ValueCounts): Diagnostic[] {
  if (counts.n < FEWEST) return [];
  const sizes = sizesOf(counts);
  const bulk = valueAt(sizes, Float64Array.from(sizes.of.keys()).sort(), Math.floor(BULK * (counts.n - 1)));
  if (!(bulk > 0) || bulk > LARGEST_SCALE) return [];
  const isFar = (value: number): boolean => Math.abs(value) > FAR * bulk;
  const far = [...counts.of.keys()].filter(isFar).sort((a, b) => b - a);
  if (far.length === 0) return [];
  const rows = countWhere(counts, isFar);
  return [
    warning(
      "FarValues",
      `${rows} ${rows === 1 ? "value" : "values"} of ${name} (${listNames(far.map(String))}) ${rows === 1 ? "lies" : "lie"} far beyond the others, 99.5 % of which are at most ${bulk}: means and agreement hang on ${rows === 1 ? "it" : "them"}.`,
      `Correct them, or leave them out with option \`where\`: ${name} <= ${bulk}.`,
    ),
  ];
}

/** Of the values without their signs. */
function sizesOf(counts: ValueCounts): ValueCounts {
  if (![...counts.of.keys()].some((value) => value < 0)) return counts;
  const of = new Map<number, number>();
  for (const [value, count] of counts.of) of.set(Math.abs(value), (of.get(Math.abs(value)) ?? 0) + count);
  return { ...counts, of };
}

/** Two groups of scores that never stand in one row: turns and dialogues, sentences and documents. */
export function kindsOfRows(table: Table, metrics: readonly string[]): Diagnostic[] {
  const known = metrics.slice(0, MOST_METRICS).map((name) => ({ name, values: scoreNumbers(table, name) }));
  const partial = known.filter(({ values }) => values.some(Number.isNaN) && !values.every(Number.isNaN));
  const [first] = partial;
  if (first === undefined || partial.length < 4) return [];
  const meets = (a: Float64Array, b: Float64Array): boolean =>
    a.some((value, row) => !Number.isNaN(value) && !Number.isNaN(b[row]!));
  const own = partial.filter(({ values }) => meets(first.values, values));
  const others = partial.filter((one) => !own.includes(one));
  if (own.length < 2 || others.length < 2) return [];
  if (own.some(({ values }) => others.some((other) => meets(values, other.values)))) return [];
  const rowsOf = (group: typeof partial): number =>
    Array.from({ length: table.rows }, (_, row) => row).filter((row) =>
      group.some(({ values }) => !Number.isNaN(values[row]!)),
    ).length;
  const tell = (group: typeof partial): string => `${group[0]!.name} and ${group.length - 1} more`;
  return [
    warning(
      "KindsOfRows",
      `${rowsOf(own)} rows have ${tell(own)}, ${rowsOf(others)} other rows ${tell(others)}: two kinds of items, which no average should mix.`,
      "Take one kind at a time with option `where`.",
    ),
  ];
}

const MOST_METRICS = 60;
/** Shares of missing scores that differ by this much between systems. */
const UNEVEN = 0.1;
const FEWEST_ROWS = 20;

/** Where a score is missing more often for one system, the means are over different selections of its items. */
export function unevenMissing(means: readonly SystemMean[]): Diagnostic[] {
  const shares = means.map(({ n, missing }) => missing / (n + missing));
  const [least, most] = [shares.indexOf(leastOf(shares)), shares.indexOf(mostOf(shares))];
  if (means.length < 2 || means.some(({ n, missing }) => n + missing < FEWEST_ROWS)) return [];
  if (!(shares[most]! - shares[least]! >= UNEVEN)) return [];
  const tell = (at: number): string =>
    `${means[at]!.missing} of ${means[at]!.n + means[at]!.missing} rows of ${means[at]!.system}`;
  return [
    warning(
      "UnevenMissing",
      `${means[0]!.metric} is missing in ${tell(most)} and in ${tell(least)}: the systems' means are over different selections.`,
      "Ask why it is missing; where no score means failure, score it so.",
    ),
  ];
}
