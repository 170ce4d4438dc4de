/** Rows that no column tells apart, which the user calls repeated runs: numbered within their system, item, rater and task. */
import type { Imported } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import { numericColumn, withColumn } from "../data/table.ts";
import { keyOf } from "./roles.ts";

export function withRunNumbers(imported: Imported): Imported {
  const { table, roles } = imported;
  const { repeat: _, ...others } = roles;
  const key = keyOf(others).map((name) => table.columns.get(name)!);
  const { group, count } = groupKeys(key, table.rows);
  const seen = new Int32Array(count);
  const numbers = Array.from(group, (own) => {
    seen[own]! += 1;
    return seen[own]!;
  });
  return { ...imported, table: withColumn(table, "run", numericColumn(numbers)) };
}
