/** A table as an importer would hand it over: its roles, the size of its design, its scores with their direction. */

import type { Diagnostic } from "../../result/result.ts";
import type { Imported, ImportedMetric, Roles } from "../imported.ts";
import { groupKeys } from "../keys.ts";
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
    diagnostics: [
      ...(roles.metrics.length > 0 ? [] : [explainNoScore(table, roles)]),
      ...(isLeaderboard(table, roles) ? [TOTALS] : []),
    ],
  };
}

const TOTALS: Diagnostic = {
  code: "TotalsOnly",
  severity: "note",
  message: "each system has one row: totals, not the results of single items.",
  fix: "Systems can be compared by their standard errors, intervals or counts if the file has them; items would allow a paired test.",
};

/** A leaderboard: one row a system, or one a system and task, with scores and nothing that repeats. */
function isLeaderboard(table: Table, roles: Roles): boolean {
  const { system, task, item, rater, repeat, opponent, label } = roles;
  const repeats = [item, rater, repeat, opponent, label, roles.metric].some((name) => name !== undefined);
  if (system === undefined || repeats || roles.metrics.length === 0 || roles.parameters.length > 0 || table.rows < 2)
    return false;
  const columns = [system, ...(task === undefined ? [] : [task])].map((name) => table.columns.get(name)!);
  return groupKeys(columns, table.rows).count === table.rows;
}

/** Verdicts that praise (pass, correct) tell the direction whatever the column is called; yes and true do not. */
function makeMetric(table: Table, name: string): ImportedMetric {
  const cells = table.columns.get(name);
  const praise = cells?.kind === "factor" && cells.levels.some((level) => PRAISE.test(level.trim()));
  const direction = praise ? true : metricDirection(name);
  return { name, label: name, ...(direction === undefined ? {} : { higherIsBetter: direction }) };
}
