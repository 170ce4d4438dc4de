/** Settings that were drawn from a range, in classes of equal size. */
import { column, type FactorColumn, type NumericColumn, type Table, withColumn } from "../data/table.ts";
import { note } from "../result/diagnostic.ts";
import type { Diagnostic } from "../result/result.ts";

/** More values than this are drawn from a range, not chosen one by one. */
const MOST_VALUES = 20;
/** Classes of equal size for a range: enough to show a bend, few enough to be filled. */
const CLASSES = 5;

/** Settings drawn from a range, cut at their quantiles: a random effect of single values would explain nothing, or everything. */
export function cutContinuous(table: Table, parameters: readonly string[]): { table: Table; names: string[] } {
  const names = parameters.filter((name) => {
    const cells = column(table, name);
    return cells.kind === "numeric" && new Set(cells.values.filter((v) => !Number.isNaN(v))).size > MOST_VALUES;
  });
  const cut = names.reduce(
    (own, name) => withColumn(own, name, cutAtQuantiles(column(own, name) as NumericColumn)),
    table,
  );
  return { table: cut, names };
}

function cutAtQuantiles({ values }: NumericColumn): FactorColumn {
  const known = values.filter((v) => !Number.isNaN(v)).sort();
  const limits = Array.from(
    { length: CLASSES - 1 },
    (_, k) => known[Math.ceil(((k + 1) * known.length) / CLASSES) - 1]!,
  );
  const ends = [...new Set(limits)];
  const show = (value: number): string => String(Number(value.toPrecision(3)));
  const levels = [
    ...ends.map((end, k) => `${show(k === 0 ? known[0]! : ends[k - 1]!)} to ${show(end)}`),
    `above ${show(ends.at(-1)!)}`,
  ];
  const codes = Int32Array.from(values, (v) => (Number.isNaN(v) ? -1 : ends.filter((end) => v > end).length));
  return {
    kind: "factor",
    levels: [...new Set(levels)].length === levels.length ? levels : levels.map((level, k) => `${k + 1}: ${level}`),
    codes,
    ordered: false,
  };
}

export const cutNote = (names: readonly string[]): Diagnostic =>
  note(
    "CutIntoClasses",
    `${names.join(", ")} ${names.length === 1 ? "has" : "have"} more than ${MOST_VALUES} values and ${names.length === 1 ? "is" : "are each"} cut into ${CLASSES} classes of equal size.`,
    "A curve instead of classes: a GAM, score ~ s(setting).",
  );
