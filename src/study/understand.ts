/** A table as an importer would hand it over: its roles, the size of its design, its scores with their direction, what must be asked. */

import { isNumberedByReader, looksHeaderless } from "../data/header.ts";
import type { Decision, Imported, ImportedMetric, RoleName, Roles, StudyKind, Told } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import { keyColumns, pivotLonger, withKeyColumn } from "../data/reshape.ts";
import type { Table } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import type { Diagnostic } from "../result/result.ts";
import { nearest } from "../result/suggest.ts";
import { findAsks } from "./asks.ts";
import { declaredDirections } from "./declared.ts";
import { measureDesign } from "./layout.ts";
import { metricDirection } from "./lexicon/metrics.ts";
import { positiveOf } from "./lexicon/opposites.ts";
import { matchMetric, metricsInRows, takeMetric } from "./metric-column.ts";
import { freshName, withRowNumbers } from "./reshape/reshaped.ts";
import { type ReadOptions, readRoles } from "./roles.ts";
import { withRunNumbers } from "./runs-in-rows.ts";

export type Understood = Omit<Imported, "format" | "files" | "summary">;

/** `known`: what the format, the shape of the file or the user said; `directions` that the shape gave away. */
export function understandTable(
  table: Table,
  known: readonly Decision[] = [],
  { directions = new Map(), ...options }: ReadOptions & { readonly directions?: ReadonlyMap<string, boolean> } = {},
): Understood {
  const { roles, decisions } = readRoles(table, known, options);
  return describeRoles(table, roles, { decisions, directions });
}

function describeRoles(
  table: Table,
  roles: Roles,
  {
    decisions,
    directions,
  }: { readonly decisions: readonly Decision[]; readonly directions: ReadonlyMap<string, boolean> },
): Understood {
  const { systems, items, repeats } = measureDesign(table, roles);
  const kind = kindOf(table, roles);
  const asks = kind === "totals" || kind === "labels" ? [] : findAsks(table, roles, decisions);
  const headerless =
    looksHeaderless(table) || (isNumberedByReader(table) && decisions.every(({ by }) => by === "name"));
  return {
    table,
    roles,
    systems,
    items,
    repeats,
    ...(kind === undefined ? {} : { kind }),
    metrics: roles.metrics.map((name) => makeMetric(table, name, directions.get(name) ?? declared(table, roles, name))),
    assumptions: [],
    decisions,
    asks,
    diagnostics: [...(headerless ? [NO_HEADER] : []), ...(kind === "totals" ? [TOTALS] : [])],
  };
}

/** What the rows are, by their roles. */
function kindOf(table: Table, roles: Roles): StudyKind | undefined {
  if (roles.opponent !== undefined) return "votes";
  if (isTotals(table, roles)) return "totals";
  if (roles.metrics.length > 0 || roles.wide.length > 0) return "scores";
  if (roles.label !== undefined && (roles.prediction !== undefined || roles.rater !== undefined)) return "labels";
  return undefined;
}

/** One row a system, or one a system and task (for each metric), with scores and nothing that repeats. */
function isTotals(table: Table, { system, task, metric, item, rater, repeat, metrics, parameters }: Roles): boolean {
  if (system === undefined || item !== undefined || rater !== undefined || repeat !== undefined) return false;
  if (metrics.length === 0 || parameters.length > 0 || table.rows < 2) return false;
  const columns = [system, task, metric].flatMap((name) => (name === undefined ? [] : [table.columns.get(name)!]));
  return groupKeys(columns, table.rows).count === table.rows;
}

/** What the table says of its only score. */
function declared(table: Table, { metrics, metric }: Roles, name: string): boolean | undefined {
  return metrics.length === 1 && metrics[0] === name && metric === undefined
    ? declaredDirections(table).get("")
    : undefined;
}

/** Verdicts that praise (pass, correct) tell the direction whatever the column is called; yes and true do not. */
function makeMetric(table: Table, name: string, told: boolean | undefined): ImportedMetric {
  const cells = table.columns.get(name);
  const one = cells?.kind === "factor" ? positiveOf(cells.levels) : undefined;
  // labels without an order have no better end, whatever they are called
  const nominal = cells?.kind === "factor" && !cells.ordered && one === undefined;
  const named = nominal ? undefined : metricDirection(name);
  const praised = one?.praises === true && !(one.mark && named === false);
  const direction = told ?? (praised ? true : named);
  return { name, label: name, ...(direction === undefined ? {} : { higherIsBetter: direction }) };
}

/** The role of each column that the user can name. */
const TOLD_ROLES = {
  system: "system",
  item: "item",
  rater: "rater",
  run: "repeat",
  cluster: "cluster",
  task: "task",
  score: "score",
  gold: "label",
  metricColumn: "metric",
} as const;
const NONE = "none";

/** The same file, read with what the user says of its rows. */
export function withTold(given: Imported, told: Told): Imported {
  const named = withMetric(withColumns(withSystems(withRaters(given, told), told), told), told);
  const { higherIsBetter } = told;
  const { score } = named.roles;
  if (higherIsBetter === undefined || score === undefined) return named;
  return { ...named, metrics: named.metrics.map((own) => (own.name === score ? { ...own, higherIsBetter } : own)) };
}

function withMetric(imported: Imported, { metric, score }: Told): Imported {
  if (metric === undefined) return imported;
  const [level, other] = matchMetric(metric, metricsInRows(imported));
  if (level !== undefined && other === undefined) return takeMetric(imported, level);
  if (score !== undefined) requireColumn(imported.table, "metric", metric);
  const [own = metric] = imported.table.columns.has(metric) ? [metric] : matchMetric(metric, imported.metrics);
  requireColumn(imported.table, "metric", own);
  return withColumns(imported, { score: own });
}

function withColumns(given: Imported, told: Told): Imported {
  if (told.run === "rows" && !given.table.columns.has("rows")) {
    // rows are numbered within what everything else that is told makes of them
    const { imported, name } = withRunNumbers(withColumns(given, { ...told, run: NONE }));
    return withColumns(imported, { ...told, run: name });
  }
  const named = (Object.keys(TOLD_ROLES) as (keyof typeof TOLD_ROLES)[]).flatMap((option) =>
    told[option] === undefined ? [] : [{ option, role: TOLD_ROLES[option], column: told[option] }],
  );
  if (named.length === 0) return given;
  const imported = { ...given, table: withKeyColumn(given.table, told.item) };
  const without = new Set<RoleName>(named.filter(({ column }) => column === NONE).map(({ role }) => role));
  const kept = named.filter(({ column }) => column !== NONE);
  for (const { option, column } of kept) requireColumn(imported.table, option, column);
  const user = kept.map(({ role, column }): Decision => ({ role, column, by: "user" }));
  if (imported.decisions === undefined) return setRoles(imported, user, without);
  return understandAgain(imported, user, { without, taken: keyColumns(given.table, told.item) ?? [] });
}

interface Said {
  /** Roles that the user takes back. */
  readonly without?: ReadonlySet<RoleName>;
  /** Columns that have a part in another. */
  readonly taken?: readonly string[];
}

/** The table read anew, with what the user said in place of what names said. */
function understandAgain(
  imported: Imported,
  user: readonly Decision[],
  { without = new Set(), taken = [] }: Said,
): Imported {
  const columns = new Set([...user.map(({ column }) => column), ...taken]);
  const roles = new Set(user.map(({ role }) => role));
  const kept = (imported.decisions ?? []).filter(
    ({ role, column, by }) =>
      by !== "name" && (role === "score" || !roles.has(role)) && !columns.has(column) && !without.has(role),
  );
  const directions = new Map(
    imported.metrics.flatMap(({ name, higherIsBetter: up }) => (up === undefined ? [] : [[name, up] as const])),
  );
  const own = understandTable(imported.table, [...user, ...kept], { without, directions });
  const { diagnostics, assumptions } = imported;
  return {
    ...imported,
    ...own,
    assumptions,
    diagnostics: [
      ...diagnostics.filter(({ code }) => code !== NO_HEADER.code && code !== TOTALS.code),
      ...own.diagnostics,
    ],
  };
}

/** Columns of numbers that are named as systems are systems of a wide table. */
function withSystems(imported: Imported, { systems = [], system }: Told): Imported {
  const { score: _, ...roles } = imported.roles;
  const isNumber = (name: string): boolean => imported.table.columns.get(name)?.kind === "numeric";
  if (systems.length < 2 || system !== undefined || roles.system !== undefined || !systems.every(isNumber))
    return imported;
  const wide = { ...roles, wide: systems, metrics: systems };
  return {
    ...imported,
    roles: wide,
    systems,
    kind: "scores",
    asks: findAsks(imported.table, wide, imported.decisions ?? []),
  };
}

/** One column for each rater becomes one row for each judgment; where nothing names the items, the rows of the file are. */
function withRaters(imported: Imported, { raters = [], item }: Told): Imported {
  if (raters.length === 0) return imported;
  for (const name of raters) requireColumn(imported.table, "raters", name);
  if (raters.length < 2)
    throw new StatError("BadOption", "option `raters` names one column.", "Name the columns of two or more raters.");
  const known = item ?? imported.roles.item;
  const numbered = known === undefined ? withRowNumbers(imported.table) : { table: imported.table, name: known };
  const rater = freshName(numbered.table, "rater");
  const rating = freshName(numbered.table, "label");
  const table = pivotLonger(numbered.table, { columns: raters, namesTo: rater, valuesTo: rating });
  const isNumber = table.columns.get(rating)!.kind === "numeric";
  const user: Decision[] = [
    { role: "rater", column: rater, by: "user" },
    { role: isNumber ? "score" : "label", column: rating, by: "user" },
    ...(item === undefined ? [{ role: "item", column: numbered.name, by: "user" } as const] : []),
  ];
  return { ...understandAgain({ ...imported, table }, user, { taken: raters }), unrolled: true };
}

/** A log says what its columns mean: only what is named changes. */
function setRoles(imported: Imported, user: readonly Decision[], without: ReadonlySet<string>): Imported {
  const columns = new Set(user.map(({ column }) => column));
  const old = Object.entries(imported.roles).filter(
    ([role, value]) => !without.has(role) && !(typeof value === "string" && columns.has(value)),
  );
  const scores = user.filter(({ role }) => role === "score").map(({ column }) => column);
  const free = (names: readonly string[]): string[] => names.filter((name) => !columns.has(name));
  const roles = {
    ...Object.fromEntries(old),
    ...Object.fromEntries(user.map(({ role, column }) => [role, column])),
    metrics: [...scores, ...free(imported.roles.metrics)],
    covariates: free(imported.roles.covariates),
    identifiers: free(imported.roles.identifiers),
    parameters: free(imported.roles.parameters),
  } as unknown as Roles;
  const { systems, items, repeats } = measureDesign(imported.table, roles);
  const metrics = roles.metrics.map(
    (name) => imported.metrics.find((own) => own.name === name) ?? makeMetric(imported.table, name, undefined),
  );
  return { ...imported, roles, systems, items, repeats, metrics };
}

function requireColumn({ columns }: Table, role: string, name: string): void {
  if (columns.has(name)) return;
  const names = [...columns.keys()];
  const near = nearest(name, names);
  throw new StatError(
    "UnknownColumn",
    `option \`${role}\` ${name}: no such column.`,
    near === undefined ? `The columns are ${names.join(", ")}.` : `Did you mean "${near}"?`,
  );
}

/** The same import with other rows: what is said of the rows is said of these. */
export function withRows<I extends Imported>(imported: I, table: Table): I {
  if (table.rows === imported.table.rows || imported.decisions === undefined) return { ...imported, table };
  const roles = { ...imported.roles, metrics: imported.roles.metrics.filter((name) => table.columns.has(name)) };
  const kind = kindOf(table, roles);
  const asks = kind === "totals" ? [] : findAsks(table, roles, imported.decisions);
  const others = imported.diagnostics.filter(({ code }) => code !== TOTALS.code);
  return { ...imported, table, kind, asks, diagnostics: kind === "totals" ? [...others, TOTALS] : others };
}

const NO_HEADER: Diagnostic = {
  code: "NoHeader",
  severity: "warning",
  message: "the first line looks like data, not like names of columns.",
  fix: "Add a first line that names the columns, such as system,item,score.",
};

const TOTALS: Diagnostic = {
  code: "TotalsOnly",
  severity: "note",
  message: "each system has one row, or one for each task: totals, not the results of single items.",
  fix: "Systems can be compared by their standard errors, intervals or counts if the file has them; items would allow a paired test.",
};
