/** The number of times that each value of a numeric column occurs, from one pass over the rows. Scales, codes, steps and limits are read from it. */

export interface ValueCounts {
  /** By value, in order of first appearance; missing values are not among them. */
  readonly of: ReadonlyMap<number, number>;
  /** Values that are not missing. */
  readonly n: number;
  readonly missing: number;
}

/** Columns do not change, and every check asks the same again. */
const known = new WeakMap<Float64Array, ValueCounts>();

export function countValues(values: Float64Array): ValueCounts {
  const found = known.get(values) ?? countGroups(values, undefined, 1)[0]!;
  known.set(values, found);
  return found;
}

/** Whole numbers from 0 up to here are counted without a Map. */
const SMALL = 256;

/** The same of each group; a row of no group has -1. */
export function countGroups(values: Float64Array, group: Int32Array | undefined, groups: number): ValueCounts[] {
  const maps = Array.from({ length: groups }, () => new Map<number, number>());
  const small = new Int32Array(groups * SMALL);
  const missing = new Int32Array(groups);
  const sizes = new Int32Array(groups);
  for (let row = 0; row < values.length; row += 1) {
    const own = group === undefined ? 0 : group[row]!;
    if (own < 0) continue;
    const value = values[row]!;
    if (value >= 0 && value < SMALL && value === Math.floor(value)) {
      sizes[own]! += 1;
      const at = own * SMALL + value;
      // the Map keeps the order of appearance
      if (small[at] === 0) maps[own]!.set(value, 0);
      small[at]! += 1;
    } else if (Number.isNaN(value)) missing[own]! += 1;
    else {
      sizes[own]! += 1;
      maps[own]!.set(value, (maps[own]!.get(value) ?? 0) + 1);
    }
  }
  return maps.map((of, own) => {
    for (const [value, count] of of) if (count === 0) of.set(value, small[own * SMALL + value]!);
    return { of, n: sizes[own]!, missing: missing[own]! };
  });
}

/** Counts of several groups as those of one. */
export function sumCounts(parts: readonly ValueCounts[]): ValueCounts {
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return first;
  const of = new Map<number, number>();
  for (const part of parts) for (const [value, count] of part.of) of.set(value, (of.get(value) ?? 0) + count);
  return {
    of,
    n: parts.reduce((sum, { n }) => sum + n, 0),
    missing: parts.reduce((sum, own) => sum + own.missing, 0),
  };
}

/** Counts of those values that a rule keeps. */
export function countsWhere({ of, missing }: ValueCounts, keep: (value: number) => boolean): ValueCounts {
  const kept = new Map([...of].filter(([value]) => keep(value)));
  let n = 0;
  for (const count of kept.values()) n += count;
  return { of: kept, n, missing };
}

/** The finite ones, as counts. */
export const finiteCounts = (values: Float64Array): ValueCounts => finite(countValues(values));

export function finite(counts: ValueCounts): ValueCounts {
  const ends = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return ends.some((end) => counts.of.has(end)) ? countsWhere(counts, Number.isFinite) : counts;
}

/** How many of the counted values a rule holds for. */
export function countWhere({ of }: ValueCounts, holds: (value: number) => boolean): number {
  let n = 0;
  for (const [value, count] of of) if (holds(value)) n += count;
  return n;
}

/** The value at this place of the sorted values, from 0 on; `sorted`: the different values in order. */
export function valueAt({ of }: ValueCounts, sorted: ArrayLike<number>, place: number): number {
  let before = 0;
  for (let k = 0; k < sorted.length; k += 1) {
    before += of.get(sorted[k]!)!;
    if (place < before) return sorted[k]!;
  }
  return Number.NaN;
}

/** `quantile` of moments.ts: by linear interpolation between order statistics. */
export function quantileOf(counts: ValueCounts, sorted: ArrayLike<number>, p: number): number {
  const h = (counts.n - 1) * p;
  const below = Math.floor(h);
  const low = valueAt(counts, sorted, below);
  const high = valueAt(counts, sorted, Math.min(below + 1, counts.n - 1));
  return low === high ? low : low + (h - below) * (high - low);
}
