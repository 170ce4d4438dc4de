/** The labelling rule as steps: thresholds on the circular features, and the label between them.
 *
 *  A regression tree, grown best-first, finds the thresholds; each lies between two neighbouring values of the data and is written as
 *  the shortest number in that gap, which for rules made by people is usually the one they wrote down. The thresholds of all branches
 *  are then laid over the whole table, and the label in each cell is its mean. With one feature that is a step function; with several
 *  it is tried as the largest, the smallest or the sum of one step function per feature.
 *  Reference: Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, ch. 8, for the splits.
 *  Limits:    squared error, also for a label of 0 and 1; a rule on sums or ratios of features has no steps. */

import type { Column } from "../../data/table.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { beyondNext, d2Of, halves, pick, type RuleFeature } from "./found-rule.ts";
import { givenRows, type LabelScale, scaleOfLabel, shareOf } from "./label-scale.ts";
import { describeRule } from "./step-rule-words.ts";
import {
  growTree,
  layCells,
  mergeThresholds,
  placeOf,
  pruneTree,
  squaresAround,
  type Threshold,
} from "./threshold-tree.ts";

/** What a rule in words may lose against the table of cells. */
const WORDS = 0.01;
const MOST_CELLS = 400;

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
  /** The same for rows that the thresholds were not found on. */
  readonly heldOutAgreement: number;
  /** Share of the rows not given that lie among the three quarters farthest from any threshold; where features have too few values for
   *  that, that are off by more than the next value. NaN where neither can be said. */
  readonly scatter: number;
  readonly scatterBy: "steps" | "values";
  readonly words: readonly string[];
}

/** undefined where no threshold explains anything. */
export function findStepRule(label: string, y: Float64Array, features: readonly RuleFeature[]): StepRule | undefined {
  const x = features.map(({ column }) => numbersOf(column, y));
  const all = Int32Array.from(y.keys());
  const splits = growTree(y, x, all);
  if (splits.length === 0) return undefined;
  const kept = pruneTree(y, x, splits);
  const grids = features.map((_, f) => mergeThresholds(kept.filter(({ feature }) => feature === f)));
  const cells = grids.reduce((product, grid) => product * (grid.length + 1), 1);
  if (cells > MOST_CELLS) return undefined;
  const used = Array.from(features.keys()).filter((f) => grids[f]!.length > 0);
  const table = tabulate(y, x, { grids, used });
  const { form, values, d2 } = chooseForm(table);
  const steps = used.map((f, u) => stepFunction(features[f]!, { grid: grids[f]!, values: values[u]!, y }));
  const scale = scaleOfLabel(y);
  const heldOut = heldOutTold(y, x);
  const numeric = used.filter((f) => features[f]!.column.kind === "numeric");
  const near = numeric.map((f) => ({ x: x[f]!, grid: grids[f]! }));
  const rule = {
    form,
    steps,
    d2,
    heldOut: d2Of(y, heldOut),
    ...rowsOf(y, { table, form, values, scale, heldOut, near }),
  };
  return { ...rule, words: describeRule(label, rule, scale.grades) };
}

interface RowsInput {
  readonly table: CellTable;
  readonly form: StepRule["form"];
  readonly values: Form["values"];
  readonly scale: LabelScale;
  readonly heldOut: Float64Array;
  readonly near: readonly { readonly x: Float64Array; readonly grid: readonly Threshold[] }[];
}

/** Which rows the steps give, for a label of few values. */
function rowsOf(
  y: Float64Array,
  { table, form, values, scale, heldOut, near }: RowsInput,
): Pick<StepRule, "agreement" | "heldOutAgreement" | "scatter" | "scatterBy"> {
  if (scale.grades.length === 0) {
    return { agreement: Number.NaN, heldOutAgreement: Number.NaN, scatter: Number.NaN, scatterBy: "steps" };
  }
  const told = toldBySteps(table, { values, form });
  const given = givenRows(y, told, scale);
  const away = scatterOf(given, near);
  const scatterBy = Number.isNaN(away) ? "values" : "steps";
  const scatter = scatterBy === "steps" ? away : beyondNext(y, told, scale);
  return { agreement: shareOf(given), heldOutAgreement: shareOf(givenRows(y, heldOut, scale)), scatter, scatterBy };
}

/** Share of the rows that count as near a threshold. */
const NEAR = 0.25;
/** A feature of few values has no near and far. */
const MOST_NEAR = 0.5;

/** Rows by how many others lie between them and the next threshold: the misses of a signal with noise lie near, exceptions anywhere. */
function scatterOf(
  given: Uint8Array,
  used: readonly { readonly x: Float64Array; readonly grid: readonly Threshold[] }[],
): number {
  const n = given.length;
  const distance = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  for (const { x, grid } of used) {
    const sorted = x.slice().sort();
    const edges = grid.map(({ below }) => rankOf(sorted, below));
    for (let i = 0; i < n; i++) {
      const rank = rankOf(sorted, x[i]!);
      for (const edge of edges) distance[i] = Math.min(distance[i]!, rank > edge ? rank - edge - 1 : edge - rank);
    }
  }
  const bound = distance.slice().sort()[Math.floor(NEAR * n)]!;
  let [near, missed, far] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    if (distance[i]! <= bound) near += 1;
    if (given[i] === 1) continue;
    missed += 1;
    if (distance[i]! > bound) far += 1;
  }
  return missed === 0 || near > MOST_NEAR * n ? Number.NaN : far / missed;
}

/** Place of the last value that is not above. */
function rankOf(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
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
  return form === "smallest" ? leastOf(own) : mostOf(own);
}

function formD2(table: CellTable, values: readonly (readonly number[])[], form: StepRule["form"]): number {
  const { places, counts, means, within, total } = table;
  const lack = means.reduce((sum, mean, c) => sum + counts[c]! * (mean - combine(places[c]!, values, form)) ** 2, 0);
  return 1 - (within + lack) / total;
}

function toldBySteps(
  { places, means, cellOf }: CellTable,
  { values, form }: Pick<Form, "values" | "form">,
): Float64Array {
  const cells = places.map((place, c) =>
    form === "cells" || form === "steps" ? means[c]! : combine(place, values, form),
  );
  return Float64Array.from(cellOf, (cell) => cells[cell]!);
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

/** Thresholds and cell means of one half of the rows, judged on the other, both ways. */
function heldOutTold(y: Float64Array, x: readonly Float64Array[]): Float64Array {
  const told = new Float64Array(y.length);
  const [a, b] = halves(y.length);
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    const some = { y: pick(y, from), x: x.map((values) => pick(values, from)) };
    const splits = pruneTree(some.y, some.x, growTree(some.y, some.x, Int32Array.from(from.keys())));
    const cells = layCells(y, x, { splits, rows: from });
    for (const i of to) told[i] = cells.tell(i);
  }
  return told;
}
