/** Which pairs of features look like more than a sum: the variance of the label between the cells of two binned features, less what the
 *  sum of two step functions explains of it. A screen before tensor products are fitted, which cost much more. */
import { pick, spreadRows } from "./found-rule.ts";
import type { ModelFrame } from "./powerset-model.ts";

const BINS = 6;
const MOST_ROWS = 4000;
const SWEEPS = 5;

export function strongestPairs(
  frame: ModelFrame,
  pairs: readonly (readonly [number, number])[],
  most: number,
): [number, number][] {
  if (pairs.length <= most) return pairs.map(([a, b]) => [a, b]);
  const rows = spreadRows(frame.y.length, MOST_ROWS);
  const y = pick(frame.y, rows);
  const bins = frame.features.map(({ column }) =>
    column.kind === "numeric" ? binOf(pick(column.values, rows)) : new Int32Array(),
  );
  return pairs
    .map(([a, b], i) => ({ pair: [a, b] as [number, number], i, gain: interactionGain(y, bins[a]!, bins[b]!) }))
    .sort((u, v) => v.gain - u.gain || u.i - v.i)
    .slice(0, most)
    .map(({ pair }) => pair);
}

/** Bins of equal counts; ties stay together. */
function binOf(x: Float64Array): Int32Array {
  const sorted = x.slice().sort();
  const edges = Array.from({ length: BINS - 1 }, (_, b) => sorted[Math.floor(((b + 1) * x.length) / BINS)]!);
  return Int32Array.from(x, (value) => edges.reduce((bin, edge) => bin + (value >= edge ? 1 : 0), 0));
}

/** Sum of squares between the cells beyond that of two step functions fitted by turns. */
export function interactionGain(y: Float64Array, a: Int32Array, b: Int32Array): number {
  const counts = new Float64Array(BINS * BINS);
  const sums = new Float64Array(BINS * BINS);
  let mean = 0;
  for (const value of y) mean += value / y.length;
  for (let i = 0; i < y.length; i++) {
    counts[a[i]! * BINS + b[i]!]! += 1;
    sums[a[i]! * BINS + b[i]!]! += y[i]! - mean;
  }
  const [f, g] = [new Float64Array(BINS), new Float64Array(BINS)];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let u = 0; u < BINS; u++) f[u] = meanAlong(counts, sums, (v) => [u * BINS + v, g[v]!]);
    for (let v = 0; v < BINS; v++) g[v] = meanAlong(counts, sums, (u) => [u * BINS + v, f[u]!]);
  }
  let gain = 0;
  for (let u = 0; u < BINS; u++) {
    for (let v = 0; v < BINS; v++) {
      const n = counts[u * BINS + v]!;
      if (n > 0) gain += n * (sums[u * BINS + v]! / n - f[u]! - g[v]!) ** 2;
    }
  }
  return gain;
}

function meanAlong(counts: Float64Array, sums: Float64Array, at: (k: number) => readonly [number, number]): number {
  let [n, sum] = [0, 0];
  for (let k = 0; k < BINS; k++) {
    const [cell, other] = at(k);
    n += counts[cell]!;
    sum += sums[cell]! - counts[cell]! * other;
  }
  return n > 0 ? sum / n : 0;
}
