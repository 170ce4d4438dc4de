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
    metrics: withoutContradictions(
      table,
      roles.metrics.map((name) => makeMetric(table, name)),
    ),
    assumptions,
    ...(guesses === undefined ? {} : { guesses }),
    diagnostics: roles.metrics.length > 0 ? [] : [explainNoScore(table, roles)],
  };
}

/** From this correlation on, scores that should go against each other and go together are not what a name says. */
const CONTRADICTS = 0.5;

/** A column "…_Errors" that rises with the main score counts what is free of errors: its name tells nothing. */
function withoutContradictions(table: Table, metrics: readonly ImportedMetric[]): ImportedMetric[] {
  const main = metrics.find(({ higherIsBetter }) => higherIsBetter !== undefined);
  const numbers = (name: string): Float64Array | undefined => {
    const cells = table.columns.get(name);
    return cells?.kind === "numeric" ? cells.values : undefined;
  };
  const first = main && numbers(main.name);
  if (main === undefined || first === undefined) return [...metrics];
  return metrics.map(({ higherIsBetter, ...metric }) => {
    const own = numbers(metric.name);
    if (higherIsBetter === undefined || metric.name === main.name || own === undefined)
      return { ...metric, ...(higherIsBetter === undefined ? {} : { higherIsBetter }) };
    const r = correlate(first, own) * (higherIsBetter === main.higherIsBetter ? 1 : -1);
    return r < -CONTRADICTS ? metric : { ...metric, higherIsBetter };
  });
}

/** Pearson's, over the rows that have both; NaN where one does not vary. */
function correlate(x: Float64Array, y: Float64Array): number {
  const rows = Array.from(x.keys()).filter((i) => !Number.isNaN(x[i]!) && !Number.isNaN(y[i]!));
  const mean = (v: Float64Array): number => rows.reduce((sum, i) => sum + v[i]!, 0) / rows.length;
  const [mx, my] = [mean(x), mean(y)];
  const cross = (a: Float64Array, ma: number, b: Float64Array, mb: number): number =>
    rows.reduce((sum, i) => sum + (a[i]! - ma) * (b[i]! - mb), 0);
  return cross(x, mx, y, my) / Math.sqrt(cross(x, mx, x, mx) * cross(y, my, y, my));
}

/** Verdicts that praise (pass, correct) tell the direction whatever the column is called; yes and true do not. */
function makeMetric(table: Table, name: string): ImportedMetric {
  const cells = table.columns.get(name);
  const praise = cells?.kind === "factor" && cells.levels.some((level) => PRAISE.test(level.trim()));
  const direction = praise ? true : metricDirection(name);
  return { name, label: name, ...(direction === undefined ? {} : { higherIsBetter: direction }) };
}
