/** Sufficient statistics of agreement: which categories an item received, whoever gave them.
 *
 *  Percent agreement, Scott's π, Fleiss' κ, Krippendorff's α and Gwet's AC1/AC2 see an item only through its counts, so that
 *  items with the same counts are one pattern with a weight. A resample of items is then a vector of weights over patterns,
 *  and a replicate costs as much as there are patterns, not ratings.
 *
 *      π_c = mean over items of count_c / m         (items with at least one label)
 *      P_o = mean over items of Σ_ck w_ck count_c (count_k - [c = k]) / (m (m - 1))      (items with m ≥ 2)
 *      D_o = Σ_items Σ_{i≠j} δ²(x_i, x_j) / (m - 1) / n      D_e = Σ_ck n_c n_k δ²(c, k) / (n (n - 1))
 *
 *  Reference: Krippendorff (2004), Content Analysis, ch. 11; Gwet (2014), Handbook of Inter-Rater Reliability, ch. 2-3. */

import { lessCenter } from "../../numeric/center.ts";
import type { Ratings } from "./ratings.ts";
import { midRanksInto, type Scale, squaredDistance, type Weighting, weightMatrix } from "./weights.ts";

export interface Patterns {
  readonly count: number;
  readonly categories: number;
  readonly values: Float64Array;
  /** Labels of an item with this pattern. */
  readonly size: Float64Array;
  /** Categories and their counts of pattern p at start[p] … start[p + 1] - 1. */
  readonly start: Int32Array;
  readonly category: Int32Array;
  readonly times: Float64Array;
  /** Items with this pattern, and the pattern of each item. */
  readonly weight: Float64Array;
  readonly ofItem: Int32Array;
  /** Share of agreeing pairs, plain and weighted; 0 for single labels. */
  readonly agreeing: Float64Array;
  readonly weighted: Float64Array;
  /** Row by row; see weightMatrix. */
  readonly w: Float64Array;
}

export function makePatterns(ratings: Ratings, weighting: Weighting): Patterns {
  const { items, start, code, categories, values } = ratings;
  const q = categories.length;
  const keyOf = patternKey(ratings);
  const ids = new Map<number | string, number>();
  const ofItem = new Int32Array(items);
  const found: Int32Array[] = [];
  for (let u = 0; u < items; u++) {
    const key = keyOf(u);
    let id = ids.get(key);
    if (id === undefined) {
      id = found.length;
      ids.set(key, id);
      found.push(code.slice(start[u]!, start[u + 1]!).sort());
    }
    ofItem[u] = id;
  }
  const weight = new Float64Array(found.length);
  for (const p of ofItem) weight[p]! += 1;
  const runs = found.map(countRuns);
  const starts = new Int32Array(found.length + 1);
  runs.forEach((run, p) => {
    starts[p + 1] = starts[p]! + run.length;
  });
  const w = weightMatrix(weighting, q);
  return {
    count: found.length,
    categories: q,
    values,
    size: Float64Array.from(found, (own) => own.length),
    start: starts,
    category: Int32Array.from(runs.flat(), ([c]) => c),
    times: Float64Array.from(runs.flat(), ([, n]) => n),
    weight,
    ofItem,
    agreeing: Float64Array.from(runs, (run) => pairShare(run, (a, b) => Number(a === b))),
    weighted: Float64Array.from(runs, (run) => pairShare(run, (a, b) => w[a * q + b] ?? Number(a === b))),
    w,
  };
}

/** Equal for items with the same counts: the counts as digits of one number where it stays exact, else as a text. */
function patternKey({ items, start, code, categories }: Ratings): (item: number) => number | string {
  let most = 0;
  for (let u = 0; u < items; u++) most = Math.max(most, start[u + 1]! - start[u]!);
  if ((most + 1) ** categories.length > Number.MAX_SAFE_INTEGER) {
    return (u) =>
      code
        .slice(start[u]!, start[u + 1]!)
        .sort()
        .join();
  }
  const digit = Float64Array.from(categories, (_, c) => (most + 1) ** c);
  return (u) => {
    let key = 0;
    for (let k = start[u]!; k < start[u + 1]!; k++) key += digit[code[k]!]!;
    return key;
  };
}

type Run = readonly (readonly [category: number, times: number])[];

function countRuns(sorted: Int32Array): Run {
  const out: [number, number][] = [];
  for (const c of sorted) {
    const last = out[out.length - 1];
    if (last?.[0] === c) last[1] += 1;
    else out.push([c, 1]);
  }
  return out;
}

function pairShare(run: Run, nearness: (a: number, b: number) => number): number {
  const m = run.reduce((sum, [, n]) => sum + n, 0);
  if (m < 2) return 0;
  let sum = 0;
  for (const [a, n] of run) for (const [b, k] of run) sum += nearness(a, b) * n * (k - Number(a === b));
  return sum / (m * (m - 1));
}

/** Σ_{i≠j} δ² / (m - 1) of every pattern, for distances that do not depend on the other items. */
export function patternDistances(
  { count, start, category, times, size, values }: Patterns,
  scale: Exclude<Scale, "ordinal">,
): Float64Array {
  const out = new Float64Array(count);
  for (let p = 0; p < count; p++) {
    if (size[p]! < 2) continue;
    let sum = 0;
    for (let i = start[p]!; i < start[p + 1]!; i++) {
      for (let j = start[p]!; j < i; j++) {
        const [a, b] = [category[i]!, category[j]!];
        const d = scale === "nominal" ? 1 : squaredDistance(scale, values[a]!, values[b]!);
        sum += 2 * times[i]! * times[j]! * d;
      }
    }
    out[p] = sum / (size[p]! - 1);
  }
  return out;
}

/** What a vector of weights over the patterns comes to. */
export interface Marginals {
  /** Labels of each category in items with two or more labels, and their sum. */
  readonly counts: Float64Array;
  total: number;
  /** π, and the sums of weights of all items and of those with two or more labels. */
  readonly shares: Float64Array;
  items: number;
  pairable: number;
}

export const makeMarginals = (q: number): Marginals => ({
  counts: new Float64Array(q),
  shares: new Float64Array(q),
  total: 0,
  items: 0,
  pairable: 0,
});

export function marginalsInto(
  out: Marginals,
  { count, size, start, category, times }: Patterns,
  w: Float64Array,
): void {
  out.counts.fill(0);
  out.shares.fill(0);
  out.total = 0;
  out.items = 0;
  out.pairable = 0;
  for (let p = 0; p < count; p++) {
    const own = w[p]!;
    if (own === 0) continue;
    const m = size[p]!;
    const twice = m > 1;
    out.items += own;
    if (twice) {
      out.pairable += own;
      out.total += own * m;
    }
    for (let k = start[p]!; k < start[p + 1]!; k++) {
      const n = own * times[k]!;
      out.shares[category[k]!]! += n / m;
      if (twice) out.counts[category[k]!]! += n;
    }
  }
  for (let c = 0; c < out.shares.length; c++) out.shares[c]! /= out.items;
}

/** α = 1 - D_o / D_e; NaN where all pairable labels are the same. `distances` are those of patternDistances. */
export function alphaOf(
  patterns: Patterns,
  scale: Scale,
  at: AlphaPoint,
): { observed: number; expected: number; value: number } {
  const { marginals, w, ranks } = at;
  const { counts, total: n } = marginals;
  const observed = (scale === "ordinal" ? ordinalDistance(patterns, at) : dot(at.distances, w)) / n;
  const expected = expectedDistance(scale, counts, scale === "ordinal" ? ranks : patterns.values) / (n * (n - 1));
  return { observed, expected, value: expected > 0 ? 1 - observed / expected : Number.NaN };
}

export interface AlphaPoint {
  readonly marginals: Marginals;
  readonly w: Float64Array;
  readonly distances: Float64Array;
  /** Scratch, one per category. */
  readonly ranks: Float64Array;
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let p = 0; p < a.length; p++) sum += a[p]! * b[p]!;
  return sum;
};

/** Leaves the mid-ranks in `ranks`. Σ_{i≠j} (r_i - r_j)² = 2 (m Σ r² - (Σ r)²), with r centred to lose no digits. */
function ordinalDistance(patterns: Patterns, { marginals, w, ranks }: AlphaPoint): number {
  const { count, size, start, category, times } = patterns;
  midRanksInto(ranks, marginals.counts);
  let sum = 0;
  for (let p = 0; p < count; p++) {
    if (w[p] === 0 || size[p]! < 2) continue;
    const centre = ranks[category[start[p]!]!]!;
    let [s, ss] = [0, 0];
    for (let k = start[p]!; k < start[p + 1]!; k++) {
      const r = ranks[category[k]!]! - centre;
      s += times[k]! * r;
      ss += times[k]! * r * r;
    }
    sum += (w[p]! * 2 * (size[p]! * ss - s * s)) / (size[p]! - 1);
  }
  return sum;
}

/** Σ_ck n_c n_k δ²(c, k). */
function expectedDistance(scale: Scale, counts: Float64Array, values: Float64Array): number {
  const q = counts.length;
  let sum = 0;
  if (scale === "nominal") {
    let n = 0;
    for (let c = 0; c < q; c++) {
      sum += 2 * n * counts[c]!;
      n += counts[c]!;
    }
    return sum;
  }
  if (scale === "ratio") {
    for (let c = 0; c < q; c++) {
      if (counts[c] === 0) continue;
      for (let k = 0; k < c; k++)
        if (counts[k]! > 0) sum += 2 * counts[c]! * counts[k]! * squaredDistance(scale, values[c]!, values[k]!);
    }
    return sum;
  }
  let [n, mean] = [0, 0];
  const own = lessCenter(values)[0]!;
  for (let c = 0; c < q; c++) {
    if (counts[c] === 0) continue;
    n += counts[c]!;
    const d = own[c]! - mean;
    mean += (d * counts[c]!) / n;
    sum += counts[c]! * d * (own[c]! - mean);
  }
  return 2 * n * sum;
}
