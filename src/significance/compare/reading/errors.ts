/** Rows that ended in an error. Whether they count as failures or not at all is for the user to say: a score of 0 beside a time-out may be
 *  either, and so may a missing one. */

import type { NamedImport } from "../../../data/merge.ts";
import { asFactor, column, type FactorColumn, numericColumn, type Table, withColumn } from "../../../data/table.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

const ERROR_NAMES = /^(error|errors|error_message|error_msg|exception|traceback|err)$/i;
const STATUS_NAMES =
  /^((run|sample|result|response|request|outcome|exit|final)_?)?(status|state)$|^(outcome|(finish|stop)_?reason|error_?(type|kind|code|class))$/i;
const FINE =
  /^(success|succeeded|successful|ok|done|complete|completed|finished|stop|none|null|no|false|0|scored|pass|passed|fail|failed|length)$/i;
const FAILED = /error|time-?out|timed|exception|crash|abort|cancel|refus|limit|killed|oom|out.of.memory|fehler|erreur/i;

export const isErrorColumn = (name: string): boolean => ERROR_NAMES.test(name) || STATUS_NAMES.test(name);

export interface Errored {
  readonly column: string;
  readonly rows: readonly number[];
  /** Names of the systems, with how many rows each. */
  readonly systems: ReadonlyMap<string, number>;
  /** How the file scores them: as failures, not at all, or some in one way and some in the other. */
  readonly scored: "failures" | "missing" | "mixed";
}

export function findErrored(table: Table, columns: ComparisonColumns, systems: readonly string[]): Errored | undefined {
  const score = column(table, columns.score);
  if (score.kind !== "numeric") return undefined;
  for (const [name, cells] of table.columns) {
    if (cells.kind !== "factor" || Object.values(columns).includes(name)) continue;
    const failed = failedLevels(name, cells);
    if (failed.size === 0) continue;
    const system = asFactor(column(table, columns.system));
    const rows = Array.from(cells.codes.keys()).filter(
      (row) => failed.has(cells.codes[row]!) && systems.includes(system.levels[system.codes[row]!] ?? ""),
    );
    if (rows.length === 0 || rows.length === table.rows) continue;
    const values = rows.map((row) => score.values[row]!);
    // a row that has a score of its own did not end there
    if (values.some((v) => !Number.isNaN(v) && v !== 0)) continue;
    const scored = values.every(Number.isNaN) ? "missing" : values.every((v) => v === 0) ? "failures" : "mixed";
    const counts = new Map<string, number>();
    for (const row of rows) {
      const own = system.levels[system.codes[row]!]!;
      counts.set(own, (counts.get(own) ?? 0) + 1);
    }
    return { column: name, rows, systems: counts, scored };
  }
  return undefined;
}

function failedLevels(name: string, { levels }: FactorColumn): Set<number> {
  const status = STATUS_NAMES.test(name);
  if (!status && !ERROR_NAMES.test(name)) return new Set();
  const failed = (level: string): boolean =>
    status ? FAILED.test(level) : level.trim() !== "" && !FINE.test(level.trim());
  return new Set(levels.flatMap((level, code) => (failed(level) ? [code] : [])));
}

/** The same rows with their errors counted as asked. */
export function countErrors(table: Table, score: string, { rows }: Errored, how: "failures" | "missing"): Table {
  const cells = column(table, score);
  if (cells.kind !== "numeric") return table;
  const values = Float64Array.from(cells.values);
  for (const row of rows) values[row] = how === "failures" ? 0 : Number.NaN;
  return withColumn(table, score, numericColumn(values));
}

/** Columns that say which rows ended in an error, kept where every file has them. */
export function withErrorColumns(parts: readonly NamedImport[]): readonly NamedImport[] {
  if (parts.length < 2) return parts;
  const shared = [...parts[0]!.imported.table.columns.keys()].filter(
    (name) => isErrorColumn(name) && parts.every(({ imported }) => imported.table.columns.get(name)?.kind === "factor"),
  );
  return parts.map(({ imported, ...part }) => {
    const { roles } = imported;
    return {
      ...part,
      imported: { ...imported, roles: { ...roles, covariates: [...new Set([...roles.covariates, ...shared])] } },
    };
  });
}
