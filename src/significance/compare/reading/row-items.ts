/** Rows that stand for items where no column names them: each row of its own, or row i of every system and run. */
import type { Roles } from "../../../data/imported.ts";
import { groupKeys, type KeyGroups } from "../../../data/keys.ts";
import { asFactor, factorColumn, type Table, withColumn } from "../../../data/table.ts";
import { StatError } from "../../../result/error.ts";
import { listNames } from "../../../result/quote.ts";
import { profileTable } from "../../../study/facts.ts";
import { Question } from "../../../study/tell.ts";

interface Rows {
  readonly table: Table;
  readonly roles: Roles;
}

interface RowOptions {
  readonly item?: string | undefined;
  readonly system?: string | undefined;
  readonly run?: string | undefined;
  readonly unpaired?: boolean | undefined;
  readonly byRow?: boolean | undefined;
}

/** Option `item: none` takes a guessed item back where rows can stand for items. */
export function withoutItem<M extends Rows, O extends RowOptions>(
  merged: M,
  options: O,
): { readonly merged: M; readonly options: O } {
  if (options.item !== "none" || (options.unpaired !== true && options.byRow !== true)) return { merged, options };
  const { item: _, ...roles } = merged.roles;
  return { merged: { ...merged, roles }, options: { ...options, item: undefined } };
}

/** Independent samples need no names: without an item column each row is an item, which is asked about unless it is said; paired by row, each
 *  row of a system. */
export function withRowItems<M extends Rows>(merged: M, options: RowOptions, isSaid: boolean): M {
  const { unpaired, item, byRow } = options;
  if (byRow === true) return pairByRow(merged, options);
  if (!unpaired || item !== undefined || merged.roles.item !== undefined) return merged;
  if (!isSaid) askUnits(merged);
  const name = merged.table.columns.has("row") ? "row_number" : "row";
  const rows = factorColumn(Array.from({ length: merged.table.rows }, (_, i) => String(i + 1)));
  return { ...merged, table: withColumn(merged.table, name, rows), roles: { ...merged.roles, item: name } };
}

/** A name of something comes again in a few rows. */
const FEW_ROWS = [2, 10] as const;

/** Rows that share a name are not independent: a column whose values come again a few times each may name the items. */
function askUnits({ table, roles }: Rows): void {
  const again = profileTable(table).filter(({ name, values, distinct }) => {
    const rows = table.rows / distinct;
    return (
      values !== "real" && !roles.metrics.includes(name) && rows >= FEW_ROWS[0] && rows <= FEW_ROWS[1] && distinct > 2
    );
  });
  if (again.length === 0) return;
  const columns = again.map(({ name }) => name);
  throw new Question({
    id: "item",
    columns,
    answers: [...columns.slice(0, 2).map((item) => ({ item })), { item: "none" }],
  });
}

/** So many numbers of rows are told. */
const MOST_TOLD = 8;

function pairByRow<M extends Rows>(merged: M, { item, unpaired, system: given, run: repeat }: RowOptions): M {
  const refuse = (message: string, fix: string): never => {
    throw new StatError("BadOption", message, fix);
  };
  const system = given ?? merged.roles.system;
  const named = item ?? merged.roles.item;
  if (unpaired) refuse("options `byRow` and `unpaired` exclude each other.", "Leave one of them out.");
  if (named !== undefined)
    refuse(
      `option \`byRow\`: ${named} names the items already.`,
      "Leave option `byRow` out, or use option `item: none`.",
    );
  if (system === undefined || !merged.table.columns.has(system)) return merged;
  const { codes, levels } = asFactor(merged.table.columns.get(system)!);
  const { group, first, count, run } = rowsOfRuns(merged, { system, repeat });
  const counts = new Int32Array(count);
  const rows = Array.from(codes, (code, row) => (code < 0 ? "" : String((counts[group[row]!]! += 1))));
  const met = Array.from(first, (row, own) => ({ row, size: counts[own]! }))
    .filter(({ row }) => codes[row]! >= 0)
    .map(({ row, size }) => ({ told: `${levels[codes[row]!]!}${run?.(row) ?? ""} ${size}`, size }));
  if (new Set(met.map(({ size }) => size)).size > 1)
    throw new StatError(
      "UnequalLength",
      `option \`byRow\`: the systems${run === undefined ? "" : " and runs"} have different numbers of rows (${listNames(
        met.map(({ told }) => told),
        MOST_TOLD,
      )}).`,
      "Give files of the same items in the same order, or a column that names them.",
    );
  askUnits(merged);
  const name = merged.table.columns.has("row") ? "row_number" : "row";
  return {
    ...merged,
    table: withColumn(merged.table, name, factorColumn(rows)),
    roles: { ...merged.roles, item: name },
  };
}

/** The rows of each system, or of each of its runs where a run has several: the seeds of one item are not items. */
function rowsOfRuns(
  { table, roles }: Rows,
  { system, repeat = roles.repeat }: { readonly system: string; readonly repeat?: string | undefined },
): KeyGroups & { readonly run?: (row: number) => string } {
  const of = (...names: string[]): KeyGroups =>
    groupKeys(
      names.map((name) => table.columns.get(name)!),
      table.rows,
    );
  const runs = repeat === undefined || !table.columns.has(repeat) ? undefined : of(system, repeat);
  if (runs === undefined || 2 * runs.count > table.rows) return of(system);
  const { codes, levels } = asFactor(table.columns.get(repeat!)!);
  return { ...runs, run: (row) => ` (${levels[codes[row]!] ?? "no run"})` };
}
