/** Right and predicted labels: which columns hold them, and predictions side by side as one long table. */
import type { Roles } from "../../data/imported.ts";
import { pivotLonger } from "../../data/reshape.ts";
import { factorColumn, selectColumns, type Table, withColumn } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { type Merged, requireColumn } from "./columns.ts";
import type { CompareOptions } from "./comparison.ts";

export interface Predictions {
  /** A row for each item and system. */
  readonly long: Table;
  readonly roles: Roles;
  readonly gold: string;
  readonly predicted: string;
}

const PREDICTION = "prediction";

export function choosePredictions(
  merged: Merged,
  table: Table,
  { gold, pred }: Pick<CompareOptions, "gold" | "pred">,
): Predictions {
  if (gold === undefined || pred === undefined) {
    const missing = gold === undefined ? "gold" : "pred";
    const fix = "Give both option `gold` and option `pred`.";
    throw new StatError("BadOption", `option \`${missing}\` is missing.`, fix);
  }
  requireColumn(table, "gold", gold);
  // one name may have a comma in it
  const whole = pred.join(",");
  const names = table.columns.has(whole) ? [whole] : pred;
  for (const name of names) requireColumn(table, "pred", name);
  if (names.length === 1) return { long: table, roles: merged.roles, gold, predicted: names[0]! };
  return { ...stackPredictions(merged, table, names), gold, predicted: PREDICTION };
}

/** One column of predictions for each system: the columns' names are the systems', and without an item column each row is an item. */
function stackPredictions(
  { roles, parts }: Merged,
  table: Table,
  predicted: readonly string[],
): Pick<Predictions, "long" | "roles"> {
  const named = parts.find(({ imported }) => imported.roles.system !== undefined)?.imported.roles.system;
  if (named !== undefined) {
    const message = `option \`pred\` ${predicted.join(",")}: a column for each system, but ${named} names systems too.`;
    const fix = "Name one column with option `pred`, or take one system with option `where`.";
    throw new StatError("BadOption", message, fix);
  }
  const item = roles.item ?? "row";
  const kept = [...table.columns.keys()].filter((name) => !["system", PREDICTION].includes(name));
  const rows = factorColumn(Array.from({ length: table.rows }, (_, i) => String(i + 1)));
  const own = selectColumns(table, kept);
  const wide = roles.item === undefined ? withColumn(own, item, rows) : own;
  const long = pivotLonger(wide, { columns: predicted, namesTo: "system", valuesTo: PREDICTION });
  return { long, roles: { ...roles, item, system: "system" } };
}
