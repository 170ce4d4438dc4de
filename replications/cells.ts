/** Columns of the papers' files as plain lists. */
import { asFactor, column, type Table } from "../src/index.ts";
import type { ReplicatedBoxes } from "../src/plot.ts";

/** Missing cells are "". */
export function textsOf(table: Table, name: string): string[] {
  const { codes, levels } = asFactor(column(table, name));
  return Array.from(codes, (code) => (code < 0 ? "" : levels[code]!));
}

/** Missing cells are NaN. */
export function numbersOf(table: Table, name: string): Float64Array {
  const found = column(table, name);
  if (found.kind === "numeric") return found.values;
  return Float64Array.from(textsOf(table, name), (text) => (text.trim() === "" ? Number.NaN : Number(text)));
}

export function momentsOf(values: ArrayLike<number>): { mean: number; sd: number } {
  const list = Array.from(values);
  const mean = list.reduce((sum, v) => sum + v, 0) / list.length;
  const squares = list.reduce((sum, v) => sum + (v - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / (list.length - 1)) };
}

/** Linear between order statistics, R's type 7. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = Math.floor(at);
  const next = sorted[Math.min(low + 1, sorted.length - 1)]!;
  return sorted[low]! + (at - low) * (next - sorted[low]!);
}

/** What a box of these values shows. */
export function spreadOf(system: string, values: readonly number[], value?: string): ReplicatedBoxes["spread"][number] {
  return {
    system,
    ...(value === undefined ? {} : { value }),
    n: values.length,
    ...momentsOf(values),
    min: quantileOf(values, 0),
    lowerQuartile: quantileOf(values, 0.25),
    median: quantileOf(values, 0.5),
    upperQuartile: quantileOf(values, 0.75),
    max: quantileOf(values, 1),
  };
}
