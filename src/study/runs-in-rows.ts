/** Rows that no column tells apart, which the user calls repeated runs: numbered within their system, item, rater and task. */
import type { Imported } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import { numericColumn, withColumn } from "../data/table.ts";
import { freshName } from "./reshape/reshaped.ts";
import { keyOf } from "./roles.ts";

/** The import with a column of run numbers, and its name. */
export function withRunNumbers(imported: Imported): { readonly imported: Imported; readonly name: string } {
  const { table, roles } = imported;
  const key = keyOf(roles).map((name) => table.columns.get(name)!);
  const { group, count } = groupKeys(key, table.rows);
  const seen = new Int32Array(count);
  const numbers = Array.from(group, (own) => {
    seen[own]! += 1;
    return seen[own]!;
  });
  const name = freshName(table, "run");
  return { name, imported: { ...imported, table: withColumn(table, name, numericColumn(numbers)) } };
}
