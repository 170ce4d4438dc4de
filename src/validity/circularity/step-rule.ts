/** The labelling rule as steps: thresholds on the circular features, and the label between them.
 *
 *  A regression tree, grown best-first, finds the thresholds; each lies between two neighbouring values of the data and is written as
 *  the shortest number in that gap, which for rules made by people is usually the one they wrote down. The thresholds of all branches
 *  are then laid over the whole table, and the label in each cell is its mean. With one feature that is a step function; with several
 *  it is tried as the largest, the smallest or the sum of one step function per feature.
 *  Reference: Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, ch. 8, for the splits.
 *  Limits:    squared error, also for a label of 0 and 1; a rule on sums or ratios of features has no steps. */
import type { Column } from "../../data/table.ts";
import { describeRule } from "./step-rule-words.ts";

const MOST_LEAVES = 24;
/** Rows a leaf must keep. */
const SMALLEST_LEAF = 5;
/** A split must explain this share of the label's variance. */
const LEAST_GAIN = 1e-4;
/** From here on a tree reproduces the label, and all its splits are kept. */
const EXACT = 0.999;
/** What a pruned tree may lose against the full one. */
const PRUNE = 0.01;
/** What a rule in words may lose against the table of cells. */
const WORDS = 0.01;
const MOST_CELLS = 400;

interface RuleFeature {
  readonly name: string;
  readonly column: Column;
}

export interface Threshold {
  readonly value: number;
  /** The neighbouring values in the data. */
  readonly below: number;
  readonly above: number;
  /** The step is at `x >= value` rather than `x > value`. */
  readonly inclusive: boolean;
}

export interface StepFunction {
  readonly feature: string;
  /** None for a factor. */
  readonly thresholds: readonly Threshold[];
  /** The levels of a factor, in the order of `values`. */
  readonly levels?: readonly string[];
  /** The label below the first threshold, between the first and the second, and so on. */
  readonly values: readonly number[];
}

export interface StepRule {
  readonly form: "steps" | "largest" | "smallest" | "sum" | "cells";
  readonly steps: readonly StepFunction[];
  /** Share of the label's variance that the rule explains. */
  readonly d2: number;
  /** The same for rows that the thresholds were not found on. */
  readonly heldOut: number;
  /** Share of the rows whose label is the rule's, to the nearest value of the label; NaN for labels of many values. */
  readonly agreement: number;
  readonly words: readonly string[];
}

interface Split {
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

/** undefined where no threshold explains anything. */
export function findStepRule(label: string, y: Float64Array, features: readonly RuleFeature[]): StepRule | undefined {
  const x = features.map(({ column }) => numbersOf(column, y));
  const all = Int32Array.from(y.keys());
  const splits = growTree(y, x, all);
  if (splits.length === 0) return undefined;
  const kept = prune(y, splits);
  const grids = features.map((_, f) => mergeThresholds(kept.filter(({ feature }) => feature === f)));
  const cells = grids.reduce((product, grid) => product * (grid.length + 1), 1);
  if (cells > MOST_CELLS) return undefined;
  const used = Array.from(features.keys()).filter((f) => grids[f]!.length > 0);
  const table = tabulate(y, x, { grids, used });
  const { form, values, d2 } = chooseForm(table);
  const steps = used.map((f, u) => stepFunction(features[f]!, { grid: grids[f]!, values: values[u]!, y }));
  const agreement = agreementOf(y, table, values, form);
  const rule = { form, steps, d2, heldOut: heldOutD2(y, x), agreement };
  return { ...rule, words: describeRule(label, rule, labelValues(y)) };
}

/** Levels of an unordered factor by rising mean of the label, so that a threshold can part any of them. */
function numbersOf(column: Column, y: Float64Array): Float64Array {
  if (column.kind === "numeric") return column.values;
  if (column.ordered || column.levels.length === 2) return Float64Array.from(column.codes);
  const rank = levelRanks(column.codes, column.levels.length, y);
  return Float64Array.from(column.codes, (code) => rank[code]!);
}

function levelRanks(codes: Int32Array, levels: number, y: Float64Array): Int32Array {
  const sums = new Float64Array(levels);
  const counts = new Float64Array(levels);
  codes.forEach((code, i) => {
    sums[code]! += y[i]!;
    counts[code]! += 1;
  });
  const order = Array.from(sums.keys()).sort((a, b) => sums[a]! / counts[a]! - sums[b]! / counts[b]! || a - b);
  const rank = new Int32Array(levels);
  order.forEach((level, r) => {
    rank[level] = r;
  });
  return rank;
}

function growTree(y: Float64Array, x: readonly Float64Array[], rows: Int32Array): Split[] {
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

function squaresAround(y: Float64Array, rows: Int32Array): number {
  let sum = 0;
  for (const i of rows) sum += y[i]!;
  const mean = sum / rows.length;
  let squares = 0;
  for (const i of rows) squares += (y[i]! - mean) ** 2;
  return squares;
}

/** The first splits that explain nearly as much as all; all of them where these reproduce the label. */
function prune(y: Float64Array, splits: readonly Split[]): readonly Split[] {
  const total = squaresAround(y, Int32Array.from(y.keys()));
  const full = splits.reduce((sum, { gain }) => sum + gain, 0) / total;
  if (full >= EXACT) return splits;
  let sum = 0;
  for (let s = 0; s < splits.length; s++) {
    sum += splits[s]!.gain / total;
    if (sum >= full - PRUNE) return splits.slice(0, s + 1);
  }
  return splits;
}

/** Gaps that overlap are one threshold, in what they share. */
function mergeThresholds(splits: readonly Split[]): Threshold[] {
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

interface CellTable {
  /** Per cell: its place along each used feature. */
  readonly places: readonly (readonly number[])[];
  readonly counts: readonly number[];
  readonly means: readonly number[];
  readonly sizes: readonly number[];
  readonly cellOf: Int32Array;
  /** Variance within the cells, and around the mean of all. */
  readonly within: number;
  readonly total: number;
}

function tabulate(
  y: Float64Array,
  x: readonly Float64Array[],
  { grids, used }: { grids: readonly Threshold[][]; used: readonly number[] },
): CellTable {
  const index = new Map<string, number>();
  const places: number[][] = [];
  const counts: number[] = [];
  const sums: number[] = [];
  const cellOf = new Int32Array(y.length);
  for (let i = 0; i < y.length; i++) {
    const place = used.map((f) => placeOf(x[f]![i]!, grids[f]!));
    const key = place.join();
    let cell = index.get(key);
    if (cell === undefined) {
      cell = places.length;
      index.set(key, cell);
      places.push(place);
      counts.push(0);
      sums.push(0);
    }
    cellOf[i] = cell;
    counts[cell]! += 1;
    sums[cell]! += y[i]!;
  }
  const means = sums.map((sum, c) => sum / counts[c]!);
  let within = 0;
  for (let i = 0; i < y.length; i++) within += (y[i]! - means[cellOf[i]!]!) ** 2;
  const total = squaresAround(y, Int32Array.from(y.keys()));
  return { places, counts, means, sizes: used.map((f) => grids[f]!.length + 1), cellOf, within, total };
}

function placeOf(value: number, grid: readonly Threshold[]): number {
  let place = 0;
  while (place < grid.length && value > grid[place]!.below) place += 1;
  return place;
}

interface Form {
  readonly form: StepRule["form"];
  /** Per feature, the value of each step. */
  readonly values: readonly (readonly number[])[];
  readonly d2: number;
}

function chooseForm(table: CellTable): Form {
  const { sizes, within, total } = table;
  const cells = 1 - within / total;
  if (sizes.length === 1) {
    const values = Array.from({ length: sizes[0]! }, (_, s) => table.means[table.places.findIndex(([p]) => p === s)]!);
    return { form: "steps", values: [values], d2: cells };
  }
  const tried = (["largest", "smallest", "sum"] as const).map((form): Form => {
    const values = form === "sum" ? additiveValues(table) : extremeValues(table, form);
    return { form, values, d2: formD2(table, values, form) };
  });
  const best = tried.reduce((a, b) => (b.d2 > a.d2 + 1e-9 ? b : a));
  return best.d2 >= cells - WORDS ? best : { form: "cells", values: extremeValues(table, "largest"), d2: cells };
}

/** For a label that is the largest of several, the smallest label seen at a step of one feature is that feature's own. */
function extremeValues({ places, means, sizes }: CellTable, form: "largest" | "smallest"): number[][] {
  const sign = form === "largest" ? 1 : -1;
  return sizes.map((size, f) =>
    Array.from({ length: size }, (_, s) => {
      const own = means.filter((_, c) => places[c]![f] === s).map((mean) => sign * mean);
      return sign * own.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
    }),
  );
}

const SWEEPS = 200;

/** Least squares over the cells by turns; the first feature carries the level. */
function additiveValues({ places, counts, means, sizes }: CellTable): number[][] {
  const values = sizes.map((size) => new Array<number>(size).fill(0));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    sizes.forEach((size, f) => {
      const sums = new Float64Array(size);
      const weights = new Float64Array(size);
      means.forEach((mean, c) => {
        const rest = values.reduce((sum, own, g) => sum + (g === f ? 0 : own[places[c]![g]!]!), 0);
        sums[places[c]![f]!]! += counts[c]! * (mean - rest);
        weights[places[c]![f]!]! += counts[c]!;
      });
      for (let s = 0; s < size; s++) values[f]![s] = sums[s]! / weights[s]!;
    });
  }
  return values.map((own, f) => {
    const shift = f === 0 ? -values.slice(1).reduce((sum, other) => sum + other[0]!, 0) : own[0]!;
    return own.map((value) => value - shift);
  });
}

function combine(place: readonly number[], values: readonly (readonly number[])[], form: StepRule["form"]): number {
  const own = place.map((s, f) => values[f]![s]!);
  if (form === "sum") return own.reduce((a, b) => a + b, 0);
  return form === "smallest" ? Math.min(...own) : Math.max(...own);
}

function formD2(table: CellTable, values: readonly (readonly number[])[], form: StepRule["form"]): number {
  const { places, counts, means, within, total } = table;
  const lack = means.reduce((sum, mean, c) => sum + counts[c]! * (mean - combine(places[c]!, values, form)) ** 2, 0);
  return 1 - (within + lack) / total;
}

const MOST_LABELS = 50;

function labelValues(y: Float64Array): readonly number[] {
  const distinct = new Set<number>();
  for (const value of y) {
    distinct.add(value);
    if (distinct.size > MOST_LABELS) return [];
  }
  return [...distinct].sort((a, b) => a - b);
}

function agreementOf(
  y: Float64Array,
  { places, means, cellOf }: CellTable,
  values: readonly (readonly number[])[],
  form: StepRule["form"],
): number {
  const labels = labelValues(y);
  if (labels.length === 0) return Number.NaN;
  const told = places.map((place, c) => {
    const value = form === "cells" || form === "steps" ? means[c]! : combine(place, values, form);
    return labels.reduce((near, label) => (Math.abs(label - value) < Math.abs(near - value) ? label : near));
  });
  let same = 0;
  for (let i = 0; i < y.length; i++) if (told[cellOf[i]!] === y[i]) same += 1;
  return same / y.length;
}

function stepFunction(
  { name, column }: RuleFeature,
  { grid, values, y }: { grid: readonly Threshold[]; values: readonly number[]; y: Float64Array },
): StepFunction {
  if (column.kind === "numeric") return { feature: name, thresholds: grid, values };
  const place = numbersOfLevels(column, y).map((rank) => placeOf(rank, grid));
  return { feature: name, thresholds: [], levels: column.levels, values: place.map((p) => values[p]!) };
}

function numbersOfLevels(column: Extract<Column, { kind: "factor" }>, y: Float64Array): number[] {
  if (column.ordered || column.levels.length === 2) return Array.from(column.levels.keys());
  return Array.from(levelRanks(column.codes, column.levels.length, y));
}

/** Thresholds and cell means from every other row, judged on the rows between. */
function heldOutD2(y: Float64Array, x: readonly Float64Array[]): number {
  const train = Int32Array.from(y.keys()).filter((i) => i % 2 === 0);
  const test = Int32Array.from(y.keys()).filter((i) => i % 2 === 1);
  const splits = growTree(y, x, train);
  const grids = x.map((_, f) => mergeThresholds(splits.filter(({ feature }) => feature === f)));
  const sums = new Map<string, { n: number; sum: number }>();
  const keyOf = (i: number): string => grids.map((grid, f) => placeOf(x[f]![i]!, grid)).join();
  let mean = 0;
  for (const i of train) {
    const own = sums.get(keyOf(i)) ?? { n: 0, sum: 0 };
    own.n += 1;
    own.sum += y[i]!;
    sums.set(keyOf(i), own);
    mean += y[i]! / train.length;
  }
  let squares = 0;
  for (const i of test) {
    const cell = sums.get(keyOf(i));
    squares += (y[i]! - (cell === undefined ? mean : cell.sum / cell.n)) ** 2;
  }
  return 1 - squares / squaresAround(y, test);
}
