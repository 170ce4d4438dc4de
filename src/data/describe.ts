/** What each column of a table holds, for a first look and for choosing a method. */
import { mean, quantile, standardDeviation } from "./moments.ts";
import type { FactorColumn, NumericColumn, Table } from "./table.ts";

export interface ColumnCounts {
  readonly name: string;
  /** Cells that are not missing. */
  readonly n: number;
  readonly missing: number;
  /** Different values that occur. */
  readonly distinct: number;
  /** At most one value occurs. */
  readonly constant: boolean;
}

export interface NumericSummary extends ColumnCounts {
  readonly kind: "numeric";
  /** Every value is an integer (and there is one). */
  readonly integer: boolean;
  readonly min: number;
  readonly q1: number;
  readonly median: number;
  readonly mean: number;
  readonly q3: number;
  readonly max: number;
  readonly sd: number;
}

export interface FactorSummary extends ColumnCounts {
  readonly kind: "factor";
  readonly ordered: boolean;
  /** Levels of the factor, used or not. */
  readonly levels: number;
  /** The most frequent levels that occur, ties in the order of levels. */
  readonly top: readonly { readonly level: string; readonly count: number }[];
}

export type ColumnSummary = NumericSummary | FactorSummary;

export interface DescribeOptions {
  /** How many levels to list. */
  readonly top?: number | undefined;
}

/** Undefined figures (no values, one value's standard deviation) are NaN. Quartiles are R's default, type 7. */
export function describeTable(table: Table, options: DescribeOptions = {}): ColumnSummary[] {
  const { top = 10 } = options;
  return [...table.columns].map(([name, column]) =>
    column.kind === "numeric" ? describeNumbers(name, column) : describeFactor(name, column, top),
  );
}

function describeNumbers(name: string, column: NumericColumn): NumericSummary {
  const sorted = column.values.filter((value) => !Number.isNaN(value)).sort();
  const n = sorted.length;
  let distinct = n > 0 ? 1 : 0;
  let integer = n > 0;
  for (let i = 0; i < n; i += 1) {
    if (i > 0 && sorted[i] !== sorted[i - 1]) distinct += 1;
    integer &&= Number.isInteger(sorted[i]!);
  }
  return {
    name,
    kind: "numeric",
    n,
    missing: column.values.length - n,
    distinct,
    constant: distinct <= 1,
    integer,
    min: quantile(sorted, 0),
    q1: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    mean: n > 0 ? mean(sorted) : Number.NaN,
    q3: quantile(sorted, 0.75),
    max: quantile(sorted, 1),
    sd: standardDeviation(sorted),
  };
}

function describeFactor(name: string, column: FactorColumn, top: number): FactorSummary {
  const counts = new Int32Array(column.levels.length);
  let n = 0;
  for (const code of column.codes) {
    if (code < 0) continue;
    counts[code]! += 1;
    n += 1;
  }
  const used = [...counts.keys()].filter((code) => counts[code]! > 0);
  const frequent = [...used].sort((a, b) => counts[b]! - counts[a]! || a - b).slice(0, top);
  return {
    name,
    kind: "factor",
    n,
    missing: column.codes.length - n,
    distinct: used.length,
    constant: used.length <= 1,
    ordered: column.ordered,
    levels: column.levels.length,
    top: frequent.map((code) => ({ level: column.levels[code]!, count: counts[code]! })),
  };
}
