/** A table as an importer would hand it over: its roles, the size of its design, its scores with their direction. */

import type { Imported, ImportedMetric } from "../imported.ts";
import type { Table } from "../table.ts";
import { metricDirection } from "./direction.ts";
import { explainNoScore } from "./hints.ts";
import { measureDesign } from "./layout.ts";
import { type GuessedRoles, guessRoles } from "./roles.ts";

const PRAISE = /^(pass(ed)?|correct|right|accept(ed)?|success)$/i;

export type Understood = Omit<Imported, "format" | "files" | "summary">;

export function understandTable(
  table: Table,
  { roles, assumptions, guesses }: GuessedRoles = guessRoles(table),
): Understood {
  const { systems, items, repeats } = measureDesign(table, roles);
  return {
    table,
    roles,
    systems,
    items,
    repeats,
    metrics: roles.metrics.map((name) => makeMetric(table, name)),
    assumptions,
    ...(guesses === undefined ? {} : { guesses }),
    diagnostics: roles.metrics.length > 0 ? [] : [explainNoScore(table, roles)],
  };
}

/** Verdicts that praise (pass, correct) tell the direction whatever the column is called; yes and true do not. */
function makeMetric(table: Table, name: string): ImportedMetric {
  const cells = table.columns.get(name);
  const praise = cells?.kind === "factor" && cells.levels.some((level) => PRAISE.test(level.trim()));
  const direction = praise ? true : metricDirection(name);
  return { name, label: name, ...(direction === undefined ? {} : { higherIsBetter: direction }) };
}
