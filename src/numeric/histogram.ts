/** Counts of values in bins, for pictures. Few different values get a bar each; many are cut into bins of a round width with an edge at 0, so
 *  that no bin holds values of both signs. */

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** More different values than this are cut into bins. */
const MOST_BARS = 25;
const BINS = 30;
/** Values closer than this share of the range are one. */
const SAME = 1e-9;

/** Undefined values are left out. */
export function histogram(values: Float64Array, bins = BINS): Bin[] {
  const sorted = values.filter((value) => Number.isFinite(value)).sort();
  if (sorted.length === 0) return [];
  const range = sorted[sorted.length - 1]! - sorted[0]!;
  return countDistinct(sorted, SAME * range) ?? cut(sorted, roundWidth(range / bins));
}

/** A bar for each value, as wide as the smallest gap; undefined where there are too many. */
function countDistinct(sorted: Float64Array, same: number): Bin[] | undefined {
  const found: { value: number; count: number }[] = [];
  for (const value of sorted) {
    const last = found.at(-1);
    if (last !== undefined && value - last.value <= same) last.count++;
    else if (found.length === MOST_BARS) return undefined;
    else found.push({ value, count: 1 });
  }
  const gaps = found.slice(1).map(({ value }, k) => value - found[k]!.value);
  const width = gaps.length === 0 ? Math.abs(found[0]!.value) || 1 : Math.min(...gaps);
  return found.map(({ value, count }) => ({ from: value - width / 2, to: value + width / 2, count }));
}

/** Bins of the width given, closed towards 0: a value on an edge counts to the bin that lies further out. */
function cut(sorted: Float64Array, width: number): Bin[] {
  const counts = new Map<number, number>();
  for (const value of sorted) {
    const place = value / width;
    const bin = value < 0 ? Math.ceil(place) - 1 : Math.floor(place);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  return [...counts].map(([bin, count]) => ({ from: bin * width, to: (bin + 1) * width, count }));
}

/** 1, 2 or 5 times a power of ten, at least as wide. */
function roundWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  return [1, 2, 5, 10].map((factor) => factor * power).find((own) => own >= width)!;
}
