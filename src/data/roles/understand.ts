/** A table as an importer would hand it over: its roles, the size of its design, its scores with their direction. */

import type { Imported, ImportedMetric } from "../imported.ts";
import type { Table } from "../table.ts";
import { explainNoScore } from "./hints.ts";
import { measureDesign } from "./layout.ts";
import { metricDirection } from "./names.ts";
import { type GuessedRoles, guessRoles } from "./roles.ts";

export type Understood = Omit<Imported, "format" | "files" | "summary">;

export function understandTable(table: Table, { roles, assumptions }: GuessedRoles = guessRoles(table)): Understood {
  const { systems, items, repeats } = measureDesign(table, roles);
  return {
    table,
    roles,
    systems,
    items,
    repeats,
    metrics: roles.metrics.map(makeMetric),
    assumptions,
    diagnostics: roles.metrics.length > 0 ? [] : [explainNoScore(table, roles)],
  };
}

function makeMetric(name: string): ImportedMetric {
  const direction = metricDirection(name);
  return { name, label: name, ...(direction === undefined ? {} : { higherIsBetter: direction }) };
}
