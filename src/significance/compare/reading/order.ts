/** Is the order of running mixed up with the systems? Where rows carry times: was one system run before the other, and do scores drift?
 *    earlier   share of pairs of rows, one of each system, in which A's ran first (ties count half): 1/2 is interleaved, 0 or 1 is apart
 *    drift     repeats: within each item and system, scores against the ranks of their times;
 *              otherwise, where the items ran in different orders, B - A of each item against the rank of (place in B's run - place in A's).
 *              z = Σxy / √(Σ Sxx Syy / (m - 1)): its variance under all orders within each group, one group where pairs are used
 *  Times that hardly differ within a group are left out: what ends later took longer, and what takes longer fails more often.
 *  Oracle:    all permutations of small groups; scores without drift (test).
 *  Limits:    one order of items for both systems and no repeats say nothing about drift. */

import type { Table } from "../../../data/table.ts";
import { normalSf } from "../../../numeric/dist/normal.ts";
import { note, warning } from "../../../result/diagnostic.ts";
import { formatNumber, formatP } from "../../../result/number-format.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { isShifted } from "../../../study/lexicon/circumstances.ts";
import { findTimes } from "../../../study/times.ts";
import { midRanks } from "../../tests/ranks.ts";
import { type Cells, readCells } from "../matching/cells.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

export interface OrderCheck {
  /** The column of times. */
  readonly column: string;
  readonly a: string;
  readonly b: string;
  /** Share of pairs of rows in which A's was run first. */
  readonly earlier: number;
  /** One system was run before the other, but for a few rows. */
  readonly apart: boolean;
  /** Absent where the data cannot tell. */
  readonly drift?: DriftTest;
  /** Apart, and scores drift: the difference may be the time's. */
  readonly confounded: boolean;
  /** Of each system its mean score over consecutive rows. */
  readonly series: readonly { readonly system: string; readonly points: readonly OrderPoint[] }[];
}

export interface DriftTest {
  readonly by: "repeats" | "pairs";
  /** Items, or items of a system, that tell. */
  readonly n: number;
  /** Below 0 where later runs score lower. */
  readonly z: number;
  readonly p: number;
}

export interface OrderPoint {
  /** Since the first row of either system. */
  readonly hours: number;
  readonly mean: number;
  readonly n: number;
}

const APART = 0.95;
/** Up to here neither has the better hours. */
const MIXED = 0.6;
const DRIFT_ALPHA = 0.01;
/** Fewer groups have no normal z. */
const FEWEST = 20;
/** Of a system's span of time, or of its places. */
const LEAST_SPREAD = 0.1;
const MOST_POINTS = 12;
const FEWEST_OF_POINT = 5;

/** The two systems' rows; `time` names a column, "none" looks at none. */
export function checkOrder(
  table: Table,
  columns: ComparisonColumns,
  { systems, time }: { readonly systems: readonly [string, string]; readonly time?: string | undefined },
): OrderCheck | undefined {
  const times = findTimes(table, time);
  // ratings have an order for each rater
  if (times === undefined || columns.rater !== undefined) return undefined;
  const cells = readCells(table, columns, systems);
  const rows = timedRows(cells, times.hours);
  const sides = [0, 1].map((s) => rows.filter((row) => cells.systemOf[row] === s));
  // one moment for all rows of a system may be that of its release, or of the file
  if (sides.some((own) => own.every((row) => times.hours[row] === times.hours[own[0]!]))) return undefined;
  const timed: Timed = { cells, hours: times.hours, sides };
  const earlier = shareEarlier(timed);
  const apart = Math.max(earlier, 1 - earlier) >= APART;
  const drift = (isShifted(columns.repeat ?? "") ? undefined : driftOfRepeats(timed)) ?? driftOfPairs(timed);
  const [a, b] = systems;
  return {
    column: times.column,
    a,
    b,
    earlier,
    apart,
    ...(drift === undefined ? {} : { drift }),
    confounded: apart && drift !== undefined && drift.p < DRIFT_ALPHA,
    series: systems.map((system, s) => ({ system, points: pointsOf(timed, s) })),
  };
}

interface Timed {
  readonly cells: Cells;
  readonly hours: Float64Array;
  /** Rows of each system, in the order of the table. */
  readonly sides: readonly (readonly number[])[];
}

const timedRows = ({ itemOf, systemOf, score }: Cells, hours: Float64Array): number[] =>
  Array.from(hours, (_, row) => row).filter(
    (row) => itemOf[row]! >= 0 && systemOf[row]! >= 0 && !Number.isNaN(score[row]!) && !Number.isNaN(hours[row]!),
  );

function shareEarlier({ sides, hours }: Timed): number {
  const [a, b] = sides as [readonly number[], readonly number[]];
  const { ranks } = midRanks(Float64Array.from([...a, ...b], (row) => hours[row]!));
  const sum = ranks.subarray(0, a.length).reduce((total, rank) => total + rank, 0);
  return 1 - (sum - (a.length * (a.length + 1)) / 2) / (a.length * b.length);
}

/** Rows of a system by item, those of one item together. */
function groupsOf({ cells }: Timed, rows: readonly number[]): number[][] {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const item = cells.itemOf[row]!;
    const own = groups.get(item);
    if (own === undefined) groups.set(item, [row]);
    else own.push(row);
  }
  return [...groups.values()];
}

function driftOfRepeats(timed: Timed): DriftTest | undefined {
  const { hours, cells } = timed;
  const groups = timed.sides.flatMap((rows) => {
    const [first, last] = rangeOf(rows.map((row) => hours[row]!));
    return groupsOf(timed, rows).filter((own) => {
      const [from, to] = rangeOf(own.map((row) => hours[row]!));
      return own.length > 1 && to - from >= LEAST_SPREAD * (last - first) && to > from;
    });
  });
  const parts = groups.map((own) => ({
    x: midRanks(Float64Array.from(own, (row) => hours[row]!)).ranks,
    y: Float64Array.from(own, (row) => cells.score[row]!),
  }));
  return testDrift(parts, "repeats");
}

function driftOfPairs(timed: Timed): DriftTest | undefined {
  const { hours, cells } = timed;
  const [a, b] = timed.sides.map((rows) => {
    const groups = groupsOf(timed, rows);
    return new Map(
      groups.map((own) => {
        const mean = (values: Float64Array): number => own.reduce((sum, row) => sum + values[row]!, 0) / own.length;
        return [cells.itemOf[own[0]!]!, { at: mean(hours), score: mean(cells.score) }];
      }),
    );
  }) as [Map<number, { at: number; score: number }>, Map<number, { at: number; score: number }>];
  const items = [...a.keys()].filter((item) => b.has(item));
  if (items.length < FEWEST) return undefined;
  const places = [a, b].map((own) => midRanks(Float64Array.from(items, (item) => own.get(item)!.at)).ranks);
  const gap = places[1]!.map((place, i) => place - places[0]![i]!);
  const spread = Math.sqrt(gap.reduce((sum, own) => sum + own * own, 0) / items.length);
  if (spread < LEAST_SPREAD * items.length) return undefined;
  const y = Float64Array.from(items, (item) => b.get(item)!.score - a.get(item)!.score);
  return testDrift([{ x: midRanks(gap).ranks, y }], "pairs");
}

interface Group {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Each group's scores could have come in any order. */
export function testDrift(groups: readonly Group[], by: DriftTest["by"]): DriftTest | undefined {
  let [sum, variance, n] = [0, 0, 0];
  for (const { x, y } of groups) {
    const m = x.length;
    const [meanX, meanY] = [x, y].map((own) => own.reduce((total, v) => total + v, 0) / m) as [number, number];
    let [sxy, sxx, syy] = [0, 0, 0];
    for (let i = 0; i < m; i++) {
      const [dx, dy] = [x[i]! - meanX, y[i]! - meanY];
      sxy += dx * dy;
      sxx += dx * dx;
      syy += dy * dy;
    }
    if (!(sxx > 0 && syy > 0)) continue;
    sum += sxy;
    variance += (sxx * syy) / (m - 1);
    n += by === "pairs" ? m : 1;
  }
  if (n < FEWEST || !(variance > 0)) return undefined;
  const z = sum / Math.sqrt(variance);
  return { by, n, z, p: Math.min(1, 2 * normalSf(Math.abs(z))) };
}

function pointsOf({ sides, hours, cells }: Timed, s: number): OrderPoint[] {
  const sorted = [...sides[s]!].sort((i, j) => hours[i]! - hours[j]! || i - j);
  const count = Math.max(1, Math.min(MOST_POINTS, Math.floor(sorted.length / FEWEST_OF_POINT)));
  return Array.from({ length: count }, (_, k) => {
    const own = sorted.slice(Math.round((k * sorted.length) / count), Math.round(((k + 1) * sorted.length) / count));
    const mean = (values: Float64Array): number => own.reduce((total, row) => total + values[row]!, 0) / own.length;
    return { hours: mean(hours), mean: mean(cells.score), n: own.length };
  });
}

function rangeOf(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

/** What the order means for the difference between the systems. */
export function tellOrder({ a, b, earlier, apart, drift, confounded, column }: OrderCheck): Diagnostic[] {
  const [first, second] = earlier >= 0.5 ? [a, b] : [b, a];
  const share = Math.max(earlier, 1 - earlier);
  const told =
    share === 1
      ? `every row of ${first} was run before any of ${second} (${column})`
      : `${first} was run before ${second} in ${formatNumber(Math.floor(1000 * share) / 10)} % of pairs of rows (${column})`;
  const drifts = drift !== undefined && drift.p < DRIFT_ALPHA;
  const falls =
    drift === undefined
      ? ""
      : `scores ${drift.z < 0 ? "fall" : "rise"} with time (${formatP(drift.p)}, ${tellBasis(drift)})`;
  const fix = "Run the systems interleaved, in an order drawn by chance: the schedule of a plan is one.";
  if (confounded)
    return [
      warning("OrderConfounded", `${told}, and ${falls}: the difference may be the time's, not the systems'.`, fix),
    ];
  if (apart)
    return [
      note(
        "RunApart",
        `${told}: a change in between, such as one of the provider's model, would look like a difference between systems; ${drift === undefined ? "whether scores drift with time cannot be seen here" : `no drift of the scores is shown (${formatP(drift.p)}, ${tellBasis(drift)})`}.`,
        fix,
      ),
    ];
  if (!drifts) return [];
  return share <= MIXED
    ? [
        note(
          "ScoresDrift",
          `${falls}; the systems ran in turns, so that it blurs their difference and hardly tilts it.`,
          "",
        ),
      ]
    : [warning("ScoresDrift", `${falls}, and ${told}: part of the difference may be the time's.`, fix)];
}

const tellBasis = ({ by, n }: DriftTest): string =>
  by === "repeats" ? `${n} repeated items, counted by system` : `${n} items in different orders`;
