/** When rows were run: the column that tells it, as hours since its first moment. A column counts as times where its name says so and its
 *  values are dates (ISO 8601) or seconds or milliseconds since 1970: seconds that something took are neither. A plain `date` may be that of
 *  an article or of a model: it counts only where it is named. */

import { type Column, column, type Table } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { timeRank } from "./lexicon/times.ts";

export interface RunTimes {
  readonly column: string;
  /** Since the first; NaN where a row has none. */
  readonly hours: Float64Array;
}

const LEAST_SHARE = 0.95;
const MS_PER_HOUR = 3_600_000;

/** `given`: a column by name, or "none". */
export function findTimes(table: Table, given?: string): RunTimes | undefined {
  if (given === "none") return undefined;
  if (given !== undefined) {
    const hours = hoursOf(column(table, given));
    if (hours !== undefined) return { column: given, hours };
    throw new StatError(
      "NotTimes",
      `column ${given} does not hold times.`,
      "Times are dates (2025-05-01T12:00:00Z), or seconds or milliseconds since 1970.",
    );
  }
  const named = [...table.columns.keys()]
    .map((name) => ({ name, rank: timeRank(name) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank);
  for (const { name } of named) {
    const hours = hoursOf(column(table, name));
    if (hours !== undefined) return { column: name, hours };
  }
  return undefined;
}

function hoursOf(cells: Column): Float64Array | undefined {
  const moments =
    cells.kind === "numeric" ? cells.values.map(fromNumber) : byLevel(cells.codes, cells.levels.map(fromText));
  let [told, present, first, last] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  moments.forEach((at, row) => {
    if (cells.kind === "numeric" ? !Number.isNaN(cells.values[row]!) : cells.codes[row]! >= 0) present += 1;
    if (Number.isNaN(at)) return;
    told += 1;
    first = Math.min(first, at);
    last = Math.max(last, at);
  });
  if (told < 2 || told < LEAST_SHARE * present || !(last > first)) return undefined;
  return moments.map((at) => (at - first) / MS_PER_HOUR);
}

const byLevel = (codes: Int32Array, moments: readonly number[]): Float64Array =>
  Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : moments[code]!));

/** 2001 to 2096. */
const SECONDS = [1e9, 4e9] as const;

function fromNumber(value: number): number {
  const within = (unit: number): boolean => value >= SECONDS[0] * unit && value <= SECONDS[1] * unit;
  return within(1) ? value * 1000 : within(1000) ? value : within(1e6) ? value / 1000 : Number.NaN;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;

/** Milliseconds since 1970. A time without a zone is read as UTC wherever it is read. */
function fromText(text: string): number {
  const found = DATE.exec(text.trim());
  if (found === null) return /^\d{10}(\d{3}){0,2}$/.test(text) ? fromNumber(Number(text)) : Number.NaN;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as [
    ...[number, number, number],
    ...[number, number, number],
  ];
  const inRange = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 24 && minute <= 59 && second < 61;
  if (!inRange) return Number.NaN;
  const zone = /^([+-])(\d\d):?(\d\d)$/.exec(found[7] ?? "");
  const ahead = zone === null ? 0 : (zone[1] === "-" ? -1 : 1) * (60 * Number(zone[2]) + Number(zone[3]));
  return ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute - ahead) * 60_000 + second * 1000;
}

/** Of the Gregorian calendar, with years that begin in March, so that the day which may be missing is the last. */
function daysSince1970(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const fromMarch = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + fromMarch - 719_468;
}
