/** A rule that was found for a label, with what it takes to believe it: how many rows it gives, also of those it was not found on, and
 *  where the rows are that it does not give. */
import type { Column } from "../../data/table.ts";
import { givenRows, type LabelScale, shareOf } from "./label-scale.ts";

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
  /** Share of the misses away from where the rule turns: a rule with exceptions misses anywhere, a signal with noise near its steps.
   *  For numbers: 1 if the misses are far off, 0 if they continue the hits. NaN where it cannot be said, or nothing is missed. */
  readonly scatter: number;
}

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

export const numbersOf = (column: Column): Float64Array =>
  column.kind === "numeric" ? column.values : Float64Array.from(column.codes);
