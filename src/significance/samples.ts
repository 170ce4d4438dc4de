/** Numbers as tests want them: checked, without missing values, with a note on what was left out. */
import { checkSize } from "../data/size.ts";
import { lessCenter } from "../numeric/center.ts";
import { differencesOf, roundingOf } from "../numeric/ties.ts";
import { note } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import { leastOf, mostOf } from "../result/extremes.ts";
import type { Diagnostic } from "../result/result.ts";

export interface Sample {
  readonly values: Float64Array;
  /** Rows of the input that were kept. */
  readonly kept: Int32Array;
  readonly diagnostics: readonly Diagnostic[];
}

export function completeSample(values: ArrayLike<number>, name = "x"): Sample {
  const kept = rowsWhere(values.length, (i) => !Number.isNaN(values[i]!));
  checkFinite(values, kept, name);
  const own = pick(values, kept);
  checkSize(own, name);
  return {
    values: own,
    kept,
    diagnostics: dropped(values.length - kept.length, "value"),
  };
}

export interface PairedSample extends Sample {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** x - y is `values`; their rounding error, which is that of the scores. */
  readonly rounding: number;
}

/** x - y, pair by pair, 0 where they tie; a pair with a missing half is left out. */
export function pairedSample(x: ArrayLike<number>, y: ArrayLike<number>): PairedSample {
  if (x.length !== y.length) {
    throw new StatError(
      "UnpairedLengths",
      `${x.length} values against ${y.length}: pairs need as many of each.`,
      "give both systems' scores on the same items in the same order.",
    );
  }
  const kept = rowsWhere(x.length, (i) => !Number.isNaN(x[i]!) && !Number.isNaN(y[i]!));
  checkFinite(x, kept, "x");
  checkFinite(y, kept, "y");
  const own = pick(x, kept);
  const other = pick(y, kept);
  checkSize(own, "x");
  checkSize(other, "y");
  const values = differencesOf(own, other);
  checkSize(values, "x - y");
  return {
    x: own,
    y: other,
    values,
    rounding: roundingOf(own, other),
    kept,
    diagnostics: dropped(x.length - kept.length, "pair"),
  };
}

function rowsWhere(n: number, keep: (i: number) => boolean): Int32Array {
  const kept = new Int32Array(n);
  let count = 0;
  for (let i = 0; i < n; i++) if (keep(i)) kept[count++] = i;
  return kept.slice(0, count);
}

function pick(values: ArrayLike<number>, rows: Int32Array): Float64Array {
  const picked = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) picked[k] = values[rows[k]!]!;
  return picked;
}

function checkFinite(values: ArrayLike<number>, rows: Int32Array, name: string): void {
  const wrong = rows.find((i) => !Number.isFinite(values[i]!));
  if (wrong === undefined) return;
  throw new StatError(
    "NotFinite",
    `value ${wrong + 1} of ${name} is ${values[wrong]!}.`,
    "give finite numbers, NaN for missing ones.",
  );
}

function dropped(count: number, what: string): Diagnostic[] {
  if (count === 0) return [];
  const message = `${count} ${what}${count === 1 ? " lacks a value and was" : "s lack a value and were"} left out.`;
  return [note("MissingDropped", message, "fill in the missing values to keep them.")];
}

export function meanOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  const first = sum / values.length;
  // a second pass takes out the rounding of the first
  let rest = 0;
  for (let i = 0; i < values.length; i++) rest += values[i]! - first;
  return first + rest / values.length;
}

/** Mean of x less mean of y; of values far from 0 it has digits that their means have lost. */
export function differenceOfMeans(x: Float64Array, y: Float64Array): number {
  const [own, other] = lessCenter(x, y);
  return meanOf(own!) - meanOf(other!);
}

/** Unbiased; NaN for fewer than two values. */
export function varianceOf(values: Float64Array): number {
  if (values.length < 2) return Number.NaN;
  const own = lessCenter(values)[0]!;
  const mean = meanOf(own);
  let squares = 0;
  for (let i = 0; i < own.length; i++) squares += (own[i]! - mean) ** 2;
  return squares / (own.length - 1);
}

/** Constant up to rounding: no spread to compare with. Differences have the rounding error of their scores, which is larger. */
export const isConstant = (values: Float64Array, rounding = roundingOf(values)): boolean =>
  values.length > 0 && mostOf(values) - leastOf(values) <= rounding;

/** Whole-number counts that are not negative. */
export function checkCounts(counts: readonly number[], names: readonly string[]): void {
  counts.forEach((count, i) => {
    if (Number.isInteger(count) && count >= 0) return;
    throw new StatError("BadCount", `${names[i]} = ${count} is not a count.`, "give whole numbers from 0 on.");
  });
}

/** Codes of the clusters of the rows kept. */
export function clustersOf(clusters: Int32Array | undefined, n: number, kept: Int32Array): Int32Array | undefined {
  if (clusters === undefined) return undefined;
  if (clusters.length !== n) {
    throw new StatError("ClusterLength", `${clusters.length} cluster codes for ${n} rows.`, "give one code per row.");
  }
  return kept.map((i) => clusters[i]!);
}
