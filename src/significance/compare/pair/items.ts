/** Two systems' results on the same items: what pairs, tests and intervals are computed from. */

import type { ItemStatistics } from "../../../metrics/metric.ts";
import { differencesOf } from "../../../numeric/ties.ts";
import type { RunScores } from "../../../resample/multi-bootstrap.ts";
import { sumByCluster } from "../../../resample/permutation.ts";
import { type PairedTable, pairedTable } from "../../paired-table.ts";

/** Items of A and B in the same order. */
export type PairedItems =
  | {
      readonly kind: "scores";
      readonly a: Float64Array;
      readonly b: Float64Array;
      /** The same scores by run, before runs were averaged. */
      readonly runs?: readonly [RunScores, RunScores];
    }
  | {
      readonly kind: "statistics";
      readonly a: ItemStatistics;
      readonly b: ItemStatistics;
      /** Pseudo-values by run. */
      readonly runs?: readonly [RunScores, RunScores];
    };

export const withoutRuns = ({ runs: _, ...items }: PairedItems): PairedItems => items as PairedItems;

/** A's and B's statistics in one row an item, or one row a cluster. */
export function sideBySide(a: ItemStatistics, b: ItemStatistics, clusters?: Int32Array) {
  const width = a.width + b.width;
  const rows = new Float64Array(a.n * width);
  for (let i = 0; i < a.n; i++) {
    rows.set(a.data.subarray(i * a.width, (i + 1) * a.width), i * width);
    rows.set(b.data.subarray(i * b.width, (i + 1) * b.width), i * width + a.width);
  }
  const scoreOf = (sums: Float64Array, at: number): number => a.metric.scoreOf(sums, at);
  return {
    rows: clusters ? sumByCluster(rows, clusters, width) : rows,
    width,
    scoreOf,
    differenceOf: (sums: Float64Array): number => scoreOf(sums, a.width) - scoreOf(sums, 0),
  };
}

/** B - A, 0 where they tie. */
export const gainsOf = (a: Float64Array, b: Float64Array): Float64Array => differencesOf(b, a);

export function isBinary(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0 && values[i] !== 1) return false;
  return true;
}

/** Items won, lost and shared, where each goes whole to one side or to neither: answers right or wrong, votes whose ties count half. */
export function tableOf(a: Float64Array, b: Float64Array): PairedTable | undefined {
  if (isBinary(a) && isBinary(b)) return pairedTable(b, a);
  if (!a.every((v, i) => (v === 0 || v === 0.5 || v === 1) && v + b[i]! === 1)) return undefined;
  const count = (wanted: number): number => b.reduce((sum, v) => sum + (v === wanted ? 1 : 0), 0);
  return [0, count(1), count(0), count(0.5)];
}
