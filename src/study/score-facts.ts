/** What is known about the main score: its kind of values, its size by system, and the design of the rows that have it. */

import type { Imported, Roles } from "../data/imported.ts";
import { column, selectRows, type Table } from "../data/table.ts";
import { type ColumnProfile, listValues, profileColumn } from "./facts.ts";
import { type Design, measureDesign } from "./layout.ts";
import { isWord, positiveOf } from "./lexicon/opposites.ts";

export interface SystemMean {
  /** "" where there are no systems. */
  readonly system: string;
  readonly metric: string;
  /** Rows with a score. */
  readonly n: number;
  readonly missing: number;
  readonly mean: number;
}

export interface ScoreFacts {
  readonly name: string;
  readonly profile: ColumnProfile;
  /** Rows that have the score. */
  readonly table: Table;
  readonly design: Design;
  readonly kind: "binary" | "rating" | "real";
  readonly constant: boolean;
  /** A factor (true, false): only a binomial model can take it as it is. */
  readonly isFactor: boolean;
  readonly means: readonly SystemMean[];
  /** A binary score that some system has always or never: a logit is infinite there. */
  readonly separated: boolean;
}

/** A scale with more steps is treated as continuous. */
const MAX_RATING_STEPS = 11;
const MIN_RATING_STEPS = 3;

/** The score as numbers; a factor of opposites counts its positive level as 1. */
export function scoreNumbers(table: Table, name: string): Float64Array {
  const cells = column(table, name);
  if (cells.kind === "numeric") return cells.values;
  const one = positiveOf(cells.levels)?.word;
  return Float64Array.from(cells.codes, (code) =>
    code < 0 ? Number.NaN : one !== undefined && isWord(cells.levels[code]!, one) ? 1 : 0,
  );
}

export function measureScore(imported: Imported, name: string): ScoreFacts {
  const { roles } = imported;
  const all = scoreNumbers(imported.table, name);
  const complete = !all.some(Number.isNaN);
  const table = complete ? imported.table : selectRows(imported.table, (row) => !Number.isNaN(all[row]!));
  const design = measureDesign(table, roles);
  const profile = profileColumn(name, column(table, name));
  const binary = profile.values === "0/1" || profile.logical;
  const rating =
    profile.values === "integer" && profile.distinct >= MIN_RATING_STEPS && profile.distinct <= MAX_RATING_STEPS;
  const means = meansBySystem(imported.table, roles, name);
  return {
    name,
    profile,
    table,
    design,
    kind: binary ? "binary" : rating ? "rating" : "real",
    constant: profile.distinct < 2,
    isFactor: profile.column.kind === "factor",
    means,
    separated: binary && means.some((entry) => entry.n > 0 && (entry.mean === 0 || entry.mean === 1)),
  };
}

/** Plain means over rows; missing scores are counted, never averaged in. */
export function meansBySystem(table: Table, roles: Roles, name: string): SystemMean[] {
  const values = scoreNumbers(table, name);
  const systemColumn = roles.system === undefined ? undefined : column(table, roles.system);
  const names = systemColumn === undefined ? [""] : listValues(systemColumn);
  const index = new Map(names.map((system, i) => [system, i]));
  const n = new Int32Array(names.length);
  const missing = new Int32Array(names.length);
  const sum = new Float64Array(names.length);
  for (let row = 0; row < table.rows; row += 1) {
    const at = systemColumn === undefined ? 0 : index.get(levelOf(systemColumn, row));
    if (at === undefined) continue;
    if (Number.isNaN(values[row]!)) missing[at]! += 1;
    else {
      n[at]! += 1;
      sum[at]! += values[row]!;
    }
  }
  return names.map((system, i) => ({ system, metric: name, n: n[i]!, missing: missing[i]!, mean: sum[i]! / n[i]! }));
}

/** The cell as text; "" where it is missing. */
export function levelOf(cells: ReturnType<typeof column>, row: number): string {
  if (cells.kind === "numeric") return String(cells.values[row]!);
  const code = cells.codes[row]!;
  return code < 0 ? "" : cells.levels[code]!;
}
