/** Which items changed between baseline and candidate, and which change between runs of one side: what a reader of the gate looks at next.
 *  No test rests on it. */
import type { TaskEvidence } from "./evidence.ts";

export interface TaskFlips {
  /** Items that score worse, and better, than with the baseline. */
  readonly lost: ItemList;
  readonly gained: ItemList;
  /** Items whose runs of one side do not agree; empty where each was run once. */
  readonly flaky: ItemList;
}

export interface ItemList {
  readonly count: number;
  /** The largest changes first, in the order of the file where they are equal. */
  readonly items: readonly string[];
}

const MOST_NAMED = 20;

export function findFlips(own: TaskEvidence, higherIsBetter: boolean): TaskFlips {
  const sign = higherIsBetter ? 1 : -1;
  const changes: Change[] = [];
  const flaky: Change[] = [];
  for (let i = 0; i < own.items; i++) {
    const [baseline, candidate] = [sideOf(own, i, 0), sideOf(own, i, 1)];
    const by = sign * (candidate.mean - baseline.mean);
    if (Math.abs(by) > 0) changes.push({ item: i, by });
    const range = Math.max(baseline.range, candidate.range);
    if (range > 0) flaky.push({ item: i, by: range });
  }
  return {
    lost: listOf(
      own,
      changes.filter(({ by }) => by < 0),
    ),
    gained: listOf(
      own,
      changes.filter(({ by }) => by > 0),
    ),
    flaky: listOf(own, flaky),
  };
}

interface Change {
  readonly item: number;
  readonly by: number;
}

function sideOf({ offsets, scores }: TaskEvidence, item: number, side: number): { mean: number; range: number } {
  let [sum, count, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = offsets[2 * item + side]!; at < offsets[2 * item + side + 1]!; at++) {
    const value = scores[at]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { mean: sum / count, range: count > 1 ? high - low : 0 };
}

function listOf({ nameOf }: TaskEvidence, changes: readonly Change[]): ItemList {
  const named = [...changes].sort((a, b) => Math.abs(b.by) - Math.abs(a.by) || a.item - b.item).slice(0, MOST_NAMED);
  return { count: changes.length, items: nameOf === undefined ? [] : named.map(({ item }) => nameOf(item)) };
}
