/** A rule that was found for a label, with what it takes to believe it: how many rows it gives, also of those it was not found on, and
 *  where the rows are that it does not give. */
import type { Column } from "../../data/table.ts";
import { givenRows, type LabelScale, nearestGrade, shareOf } from "./label-scale.ts";

export type RuleKind =
  | "copy"
  | "sum"
  | "products"
  | "powers"
  | "largest of features"
  | "smallest of features"
  | "steps"
  | "steps of a sum"
  | "steps of products"
  | "table"
  | "curve";

/** A feature as the rule finders see it; rows without missing values. */
export interface RuleFeature {
  readonly name: string;
  readonly column: Column;
}

export interface FoundRule {
  readonly kind: RuleKind;
  readonly features: readonly string[];
  readonly words: readonly string[];
  /** Share of the rows whose label is the rule's, to the label's own rounding. */
  readonly share: number;
  /** The same for rows that the rule was not found on: each half by the rule of the other. */
  readonly heldOutShare: number;
  /** Share of the variance of those rows. */
  readonly heldOutD2: number;
  /** Share of the misses that noise would hardly make: a rule with exceptions misses anywhere. NaN where it cannot be said. */
  readonly scatter: number;
  readonly scatterBy: ScatterBy;
}

/** What a miss that noise would hardly make is: one away from the steps; one beyond the next value of the label, where features have too
 *  few values for near and far; one of more than three times the rounding. */
export type ScatterBy = "steps" | "values" | "rounding";

/** Rows of a search: enough for any coefficient, and every row is then asked whether the rule gives it. */
const MOST_FIT_ROWS = 1000;

export function spreadRows(n: number, most = MOST_FIT_ROWS): Int32Array {
  const count = Math.min(n, most);
  return Int32Array.from({ length: count }, (_, r) => Math.floor((r * n) / count));
}

export const pick = (values: Float64Array, rows: Int32Array): Float64Array =>
  Float64Array.from(rows, (i) => values[i]!);

/** Both halves by turns; in an even file every other row may be of the same kind, so neighbours change sides in pairs. */
export function halves(n: number): readonly [Int32Array, Int32Array] {
  const all = Int32Array.from({ length: n }, (_, i) => i);
  const first = (i: number): boolean => i % 4 === 0 || i % 4 === 3;
  return [all.filter(first), all.filter((i) => !first(i))];
}

/** What a rule says of the rows `to` when it was found on the rows `from`. */
export type Teller = (from: Int32Array, to: Int32Array) => Float64Array;

export function holdOut(y: Float64Array, scale: LabelScale, tell: Teller): { heldOutShare: number; heldOutD2: number } {
  const [a, b] = halves(y.length);
  const told = new Float64Array(y.length).fill(Number.NaN);
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    const said = tell(from, to);
    to.forEach((i, r) => {
      told[i] = said[r]!;
    });
  }
  return { heldOutShare: shareOf(givenRows(y, told, scale)), heldOutD2: d2Of(y, told) };
}

/** Share of the variance; rows of which nothing is said count as said to be the mean. */
export function d2Of(y: Float64Array, told: Float64Array): number {
  const mean = y.reduce((sum, value) => sum + value / y.length, 0);
  let [left, all] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    all += (y[i]! - mean) ** 2;
    left += (y[i]! - (Number.isNaN(told[i]!) ? mean : told[i]!)) ** 2;
  }
  return 1 - left / all;
}

/** Numbers a rule misses: beyond three tolerances there is nothing between a hit and a miss; within, the misses are the hits' tail. */
export function numericScatter(y: Float64Array, told: Float64Array, { tolerance }: LabelScale): number {
  let [near, far] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    const miss = Math.abs(y[i]! - told[i]!);
    if (miss <= tolerance) continue;
    if (miss <= 3 * tolerance) near += 1;
    else far += 1;
  }
  return near + far === 0 ? Number.NaN : far / (near + far);
}

/** Fewer misses have no pattern. */
const FEWEST_MISSES = 10;

/** Share of the misses that are farther off than the next value of the label; NaN for two classes, or a few misses. */
export function beyondNext(y: Float64Array, told: Float64Array, { grades }: LabelScale): number {
  if (grades.length < 3) return Number.NaN;
  let [missed, beyond] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    const said = nearestGrade(told[i]!, grades);
    if (said === y[i]) continue;
    missed += 1;
    if (Math.abs(grades.indexOf(said) - grades.indexOf(y[i]!)) > 1) beyond += 1;
  }
  return missed < FEWEST_MISSES ? Number.NaN : beyond / missed;
}

export const numbersOf = (column: Column): Float64Array =>
  column.kind === "numeric" ? column.values : Float64Array.from(column.codes);
