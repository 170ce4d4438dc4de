/** A wide table (one score column per system) as the long one that comparisons use: a row per row and system. */

import type { Imported, Roles } from "../data/imported.ts";
import { pivotLonger } from "../data/reshape.ts";
import { factorColumn, withColumn } from "../data/table.ts";

/** Tables that are not wide come back as they are. Rows are the items where no column names them. */
export function stackWide(imported: Imported): Imported {
  const { roles, table } = imported;
  if (roles.wide.length === 0) return imported;
  const free = (name: string): string => (table.columns.has(name) ? free(`${name}_2`) : name);
  const [system, score, row] = [free("system"), free("score"), free("item")];
  const numbered =
    roles.item === undefined
      ? withColumn(table, row, factorColumn(Array.from({ length: table.rows }, (_, i) => String(i + 1))))
      : table;
  const long = pivotLonger(numbered, { columns: roles.wide, namesTo: system, valuesTo: score });
  const companions = roles.metrics.filter((name) => !roles.wide.includes(name));
  const stacked: Roles = {
    ...roles,
    system,
    score,
    item: roles.item ?? row,
    metrics: [score, ...companions],
    wide: [],
  };
  const metrics = [
    { name: score, label: score },
    ...imported.metrics.filter((metric) => companions.includes(metric.name)),
  ];
  return { ...imported, table: long, roles: stacked, metrics };
}
