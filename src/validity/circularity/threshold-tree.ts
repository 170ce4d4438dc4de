/** Thresholds by a regression tree, grown best-first: where the label changes most, then where it changes most on either side, and so on.
 *  Each threshold lies between two neighbouring values of the data and is written as the shortest number in that gap, which for rules
 *  made by people is usually the one they wrote down.
 *  Reference: Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, ch. 8, for the splits.
 *  Limits:    squared error, also for a label of 0 and 1; a rule that no single threshold helps (either both or none) is missed. */
import { halves, pick, spreadRows } from "./found-rule.ts";

const MOST_LEAVES = 24;
/** Rows a leaf must keep. */
const SMALLEST_LEAF = 5;
/** A split must explain this share of the label's variance. */
const LEAST_GAIN = 1e-4;
/** From here on a tree reproduces the label, and all its splits are kept. */
const EXACT = 0.999;
/** Share of the label's variance that a pruned tree may lose. */
const PRUNE = 0.002;
const MOST_PRUNE_ROWS = 5000;

export interface Threshold {
  readonly value: number;
  /** The neighbouring values in the data. */
  readonly below: number;
  readonly above: number;
  /** The step is at `x >= value` rather than `x > value`. */
  readonly inclusive: boolean;
}

export interface Split {
  readonly feature: number;
  readonly below: number;
  readonly above: number;
  readonly gain: number;
}

interface Leaf {
  /** Rows by rising value of each feature. */
  readonly orders: readonly Int32Array[];
  readonly best: Split | undefined;
}

export function growTree(y: Float64Array, x: readonly Float64Array[], rows: Int32Array): Split[] {
  const least = LEAST_GAIN * squaresAround(y, rows);
  const orders = x.map((values) => rows.slice().sort((a, b) => values[a]! - values[b]! || a - b));
  const leaves: Leaf[] = [{ orders, best: bestSplit(y, x, orders) }];
  const splits: Split[] = [];
  while (leaves.length < MOST_LEAVES) {
    let at = 0;
    for (let l = 1; l < leaves.length; l++) if ((leaves[l]!.best?.gain ?? 0) > (leaves[at]!.best?.gain ?? 0)) at = l;
    const { best, orders: own } = leaves[at]!;
    if (best === undefined || best.gain <= least) break;
    splits.push(best);
    const values = x[best.feature]!;
    const parts = [
      own.map((order) => order.filter((i) => values[i]! <= best.below)),
      own.map((order) => order.filter((i) => values[i]! > best.below)),
    ].map((part): Leaf => ({ orders: part, best: bestSplit(y, x, part) }));
    leaves.splice(at, 1, ...parts);
  }
  return splits;
}

function bestSplit(y: Float64Array, x: readonly Float64Array[], orders: readonly Int32Array[]): Split | undefined {
  const n = orders[0]!.length;
  let total = 0;
  for (const i of orders[0]!) total += y[i]!;
  let found: Split | undefined;
  orders.forEach((order, feature) => {
    const values = x[feature]!;
    let sum = 0;
    for (let k = 1; k <= n - SMALLEST_LEAF; k++) {
      sum += y[order[k - 1]!]!;
      const [below, above] = [values[order[k - 1]!]!, values[order[k]!]!];
      if (k < SMALLEST_LEAF || below === above) continue;
      const gain = sum ** 2 / k + (total - sum) ** 2 / (n - k) - total ** 2 / n;
      if (gain > (found?.gain ?? 0)) found = { feature, below, above, gain };
    }
  });
  return found;
}

export function squaresAround(y: Float64Array, rows: Int32Array): number {
  let sum = 0;
  for (const i of rows) sum += y[i]!;
  const mean = sum / rows.length;
  let squares = 0;
  for (const i of rows) squares += (y[i]! - mean) ** 2;
  return squares;
}

/** All splits where these reproduce the label; else the first ones, as many as serve rows best that they were not found on. */
export function pruneTree(y: Float64Array, x: readonly Float64Array[], splits: readonly Split[]): readonly Split[] {
  const total = squaresAround(y, Int32Array.from(y.keys()));
  const full = splits.reduce((sum, { gain }) => sum + gain, 0) / total;
  if (full >= EXACT) return splits;
  const rows = spreadRows(y.length, MOST_PRUNE_ROWS);
  const own = pick(y, rows);
  const columns = x.map((values) => pick(values, rows));
  const [first, second] = halves(rows.length);
  const losses = new Float64Array(MOST_LEAVES + 1);
  for (const [from, to] of [
    [first, second],
    [second, first],
  ] as const) {
    const grown = growTree(own, columns, from);
    for (let size = 0; size < losses.length; size++) {
      const cells = layCells(own, columns, { splits: grown.slice(0, size), rows: from });
      for (const i of to) losses[size]! += (own[i]! - cells.tell(i)) ** 2;
    }
  }
  const least = losses.reduce((a, b) => Math.min(a, b));
  const size = losses.findIndex((loss) => loss <= least + PRUNE * losses[0]!);
  return splits.slice(0, Math.max(1, size));
}

export interface Cells {
  readonly grids: readonly Threshold[][];
  /** The mean of the cell that a row lies in; of all rows where the cell is empty. */
  tell(row: number): number;
}

/** The thresholds of all branches laid over the whole table, with the mean of the given rows in each cell. */
export function layCells(
  y: Float64Array,
  x: readonly Float64Array[],
  { splits, rows }: { readonly splits: readonly Split[]; readonly rows: Int32Array },
): Cells {
  const grids = x.map((_, f) => mergeThresholds(splits.filter(({ feature }) => feature === f)));
  const keyOf = (i: number): number =>
    grids.reduce((key, grid, f) => key * (grid.length + 1) + (grid.length === 0 ? 0 : placeOf(x[f]![i]!, grid)), 0);
  const sums = new Map<number, { n: number; sum: number }>();
  let mean = 0;
  for (const i of rows) {
    const key = keyOf(i);
    const own = sums.get(key) ?? { n: 0, sum: 0 };
    own.n += 1;
    own.sum += y[i]!;
    sums.set(key, own);
    mean += y[i]! / rows.length;
  }
  return {
    grids,
    tell: (row) => {
      const cell = sums.get(keyOf(row));
      return cell === undefined ? mean : cell.sum / cell.n;
    },
  };
}

/** Gaps that overlap are one threshold, in what they share. */
export function mergeThresholds(splits: readonly Split[]): Threshold[] {
  const gaps = splits.map(({ below, above }) => ({ below, above })).sort((a, b) => a.below - b.below);
  const merged: { below: number; above: number }[] = [];
  for (const gap of gaps) {
    const last = merged.at(-1);
    if (last !== undefined && gap.below < last.above) {
      last.below = Math.max(last.below, gap.below);
      last.above = Math.min(last.above, gap.above);
    } else merged.push({ ...gap });
  }
  return merged.map(({ below, above }) => {
    const value = shortestBetween(below, above);
    return { value, below, above, inclusive: value === above };
  });
}

/** The number with the fewest digits in [below, above]; the lower end among equals. */
export function shortestBetween(below: number, above: number): number {
  const size = Math.max(Math.abs(below), Math.abs(above));
  const top = Math.ceil(Math.log10(size || 1));
  for (let digits = 0; digits <= 17; digits++) {
    const step = 10 ** (top - digits);
    const candidate = Number((Math.ceil(below / step - 1e-9) * step).toPrecision(15));
    if (candidate >= below && candidate <= above) return candidate;
  }
  return below;
}

export function placeOf(value: number, grid: readonly Threshold[]): number {
  let place = 0;
  while (place < grid.length && value > grid[place]!.below) place += 1;
  return place;
}
