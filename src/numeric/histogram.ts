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
/** A bar that takes a smaller part of the range is a hairline. */
const THINNEST = 60;
/** Values closer than this share of the range are one. */
const SAME = 1e-9;

/** A bin with the part of its values that has a mark. */
export interface MarkedBin extends Bin {
  readonly marked: number;
}

/** Undefined values are left out. */
export function histogram(values: Float64Array, bins = BINS): Bin[] {
  return binning(values, bins).bins;
}

/** The same bins, each with the number of its marked values. */
export function markedHistogram(values: Float64Array, isMarked: (i: number) => boolean, bins = BINS): MarkedBin[] {
  const { bins: all, placeOf } = binning(values, bins);
  const marked = new Array<number>(all.length).fill(0);
  values.forEach((value, i) => {
    if (Number.isFinite(value) && isMarked(i)) marked[placeOf(value)]!++;
  });
  return all.map((bin, k) => ({ ...bin, marked: marked[k]! }));
}

interface Binning {
  readonly bins: Bin[];
  /** Index of the bin of a finite value among those given. */
  placeOf(value: number): number;
}

function binning(values: Float64Array, bins: number): Binning {
  const sorted = values.filter((value) => Number.isFinite(value)).sort();
  if (sorted.length === 0) return { bins: [], placeOf: () => 0 };
  const range = sorted[sorted.length - 1]! - sorted[0]!;
  const few = Math.min(bins, Math.ceil(2 * Math.sqrt(sorted.length)));
  return countDistinct(sorted, SAME * range) ?? cut(sorted, roundWidth(range / few));
}

/** A bar for each value, as wide as the smallest gap; undefined where there are too many. */
function countDistinct(sorted: Float64Array, same: number): Binning | undefined {
  const found: { value: number; count: number }[] = [];
  for (const value of sorted) {
    const last = found.at(-1);
    if (last !== undefined && value - last.value <= same) last.count++;
    else if (found.length === MOST_BARS) return undefined;
    else found.push({ value, count: 1 });
  }
  const gaps = found.slice(1).map(({ value }, k) => value - found[k]!.value);
  const width = gaps.length === 0 ? Math.abs(found[0]!.value) || 1 : Math.min(...gaps);
  // values that hardly repeat would be hairlines of height 1
  const range = found.at(-1)!.value - found[0]!.value;
  if (2 * found.length > sorted.length && width < range / THINNEST) return undefined;
  return {
    bins: found.map(({ value, count }) => ({ from: value - width / 2, to: value + width / 2, count })),
    placeOf: (value) => found.findLastIndex((own) => own.value <= value),
  };
}

/** Bins of the width given, closed towards 0: a value on an edge counts to the bin that lies further out. */
function cut(sorted: Float64Array, width: number): Binning {
  const counts = new Map<number, number>();
  const binOf = (value: number): number => (value < 0 ? Math.ceil(value / width) - 1 : Math.floor(value / width));
  for (const value of sorted) counts.set(binOf(value), (counts.get(binOf(value)) ?? 0) + 1);
  const order = [...counts.keys()];
  return {
    bins: [...counts].map(([bin, count]) => ({ from: bin * width, to: (bin + 1) * width, count })),
    placeOf: (value) => order.indexOf(binOf(value)),
  };
}

/** 1, 2 or 5 times a power of ten, at least as wide. */
function roundWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  return [1, 2, 5, 10].map((factor) => factor * power).find((own) => own >= width)!;
}

/** Points counted in a grid of equal cells. */
export interface CellCounts {
  readonly halfWidth: number;
  readonly halfHeight: number;
  /** Centre and count of each cell that holds a point. */
  readonly cells: readonly (readonly [x: number, y: number, count: number])[];
}

const CELLS_ACROSS = 40;
const CELLS_UP = 25;

export function countCells(x: Float64Array, y: Float64Array): CellCounts {
  const [a, b] = [spanOf(x), spanOf(y)];
  const [width, height] = [a.range / CELLS_ACROSS || 1, b.range / CELLS_UP || 1];
  const counts = new Map<number, number>();
  x.forEach((value, i) => {
    const column = Math.min(CELLS_ACROSS - 1, Math.floor((value - a.low) / width));
    const row = Math.min(CELLS_UP - 1, Math.floor((y[i]! - b.low) / height));
    const cell = column + CELLS_ACROSS * row;
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  });
  const cells = [...counts]
    .sort(([one], [other]) => one - other)
    .map(([cell, count]) => {
      const [column, row] = [cell % CELLS_ACROSS, Math.floor(cell / CELLS_ACROSS)];
      return [a.low + (column + 0.5) * width, b.low + (row + 0.5) * height, count] as const;
    });
  return { halfWidth: width / 2, halfHeight: height / 2, cells };
}

function spanOf(values: Float64Array): { readonly low: number; readonly range: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low, range: high - low };
}
