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

/** The scores of system s, of means in one block for each: the same array whoever asks, so that what is known of it stays known. */
export function scoresOf(means: Float64Array, n: number, s: number): Float64Array {
  const views = blocks.get(means) ?? [];
  blocks.set(means, views);
  const own = views[s] ?? means.subarray(s * n, (s + 1) * n);
  views[s] = own;
  return own;
}
const blocks = new WeakMap<Float64Array, (Float64Array | undefined)[]>();

/** B - A, 0 where they tie. Test, interval, variance and picture of a pair ask for the same. */
export function gainsOf(a: Float64Array, b: Float64Array): Float64Array {
  const last = gains.get(a);
  if (last?.b === b) return last.found;
  const found = differencesOf(b, a);
  gains.set(a, { b, found });
  return found;
}
/** Of each baseline the last pair, since all pairs of many systems would take much memory. */
const gains = new WeakMap<Float64Array, { readonly b: Float64Array; readonly found: Float64Array }>();

export function isBinary(values: Float64Array): boolean {
  const known = binary.get(values) ?? areBinary(values);
  binary.set(values, known);
  return known;
}
const binary = new WeakMap<Float64Array, boolean>();

function areBinary(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0 && values[i] !== 1) return false;
  return true;
}

/** Items won, lost and shared, where each goes whole to one side or to neither: answers right or wrong, votes whose ties count half. */
export function tableOf(a: Float64Array, b: Float64Array): PairedTable | undefined {
  const last = tables.get(a);
  if (last?.b === b) return last.found;
  const found = countPairs(a, b);
  tables.set(a, { b, found });
  return found;
}
const tables = new WeakMap<Float64Array, { readonly b: Float64Array; readonly found: PairedTable | undefined }>();

function countPairs(a: Float64Array, b: Float64Array): PairedTable | undefined {
  if (isBinary(a) && isBinary(b)) return pairedTable(b, a);
  if (!a.every((v, i) => (v === 0 || v === 0.5 || v === 1) && v + b[i]! === 1)) return undefined;
  const count = (wanted: number): number => b.reduce((sum, v) => sum + (v === wanted ? 1 : 0), 0);
  return [0, count(1), count(0), count(0.5)];
}
