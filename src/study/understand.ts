/** A table as an importer would hand it over: its roles, the size of its design, its scores with their direction, what must be asked. */

import { isNumberedByReader } from "../data/header.ts";
import {
  type Decision,
  type Imported,
  type ImportedMetric,
  NO_ROLES,
  type RoleName,
  type Roles,
  type StudyKind,
  type Told,
} from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import { keyColumns, withKeyColumn } from "../data/reshape.ts";
import { type Column, column, numericColumn, requireColumns, type Table, withColumn } from "../data/table.ts";
import { present } from "../result/present.ts";
import type { Diagnostic } from "../result/result.ts";
import { findAsks } from "./asks.ts";
import { declaredDirections } from "./declared.ts";
import { measureDesign } from "./layout.ts";
import { CLASS_AVERAGES, EXPORTS } from "./lexicon/exports.ts";
import { metricDirection } from "./lexicon/metrics.ts";
import { positiveOf } from "./lexicon/opposites.ts";
import { matchMetric, metricsInRows, takeMetric } from "./metric-column.ts";
import { reshapeTold } from "./reshape/reshape.ts";
import { freshName } from "./reshape/reshaped.ts";
import { keyOf, type ReadOptions, readRoles } from "./roles.ts";
import { tellDone } from "./tell.ts";

export type Understood = Omit<Imported, "format" | "files" | "summary">;

/** `known`: what the format, the shape of the file or the user said; `directions` that the shape gave away. */
export function understandTable(
  table: Table,
  known: readonly Decision[] = [],
  { directions = new Map(), ...options }: ReadOptions & { readonly directions?: ReadonlyMap<string, boolean> } = {},
): Understood {
  const unfit = UNFIT.find(({ isOne }) => isOne(table))?.told;
  if (unfit !== undefined) {
    const bare = describeRoles(table, NO_ROLES, { decisions: [], directions });
    return { ...bare, asks: [], unfit, diagnostics: [unfit] };
  }
  const { roles, decisions } = readRoles(table, [...known, ...exported(table)], options);
  return describeRoles(table, roles, { decisions, directions });
}

const isClassReport = ({ columns }: Table): boolean =>
  [...columns.values()].some(
    (cells) => cells.kind === "factor" && cells.levels.filter((level) => CLASS_AVERAGES.has(level)).length > 1,
  );

/** "run - metric", "run - metric__MIN", "run - metric__MAX", as W&B writes a chart. */
const isChart = ({ columns }: Table): boolean =>
  [...columns.keys()].filter((name) => columns.has(`${name}__MIN`) && columns.has(`${name}__MAX`)).length > 0;

/** What the tool that exported the table says of its columns. */
function exported({ columns }: Table): Decision[] {
  const found = EXPORTS.find((own) => own.columns.every((name) => columns.has(name)));
  return Object.entries(found?.roles ?? {}).map(([role, column]) => ({ role: role as RoleName, column, by: "format" }));
}

function describeRoles(
  table: Table,
  read: Roles,
  {
    decisions,
    directions,
  }: { readonly decisions: readonly Decision[]; readonly directions: ReadonlyMap<string, boolean> },
): Understood {
  const kind = kindOf(table, read);
  const roles = kind === "totals" ? ofTotals(read) : read;
  const { systems, items, repeats } = measureDesign(table, roles);
  const asks = kind === "totals" || kind === "labels" ? [] : findAsks(table, roles, decisions);
  const headerless = isNumberedByReader(table) && decisions.every(({ by }) => by === "name");
  return {
    table,
    roles,
    systems,
    items,
    repeats,
    ...present({ kind }),
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
  if (roles.metrics.length > 0) return "scores";
  if (roles.label !== undefined && (roles.prediction !== undefined || roles.rater !== undefined)) return "labels";
  return undefined;
}

/** One row a system, or one a system and task (for each metric), with scores and nothing that repeats: one judge of all does not. */
function isTotals(table: Table, { system, task, metric, item, rater, repeat, metrics, parameters }: Roles): boolean {
  const varies = (name: string | undefined): boolean => name !== undefined && hasSeveral(table.columns.get(name)!);
  if (system === undefined || item !== undefined || varies(rater) || varies(repeat)) return false;
  if (metrics.length === 0 || parameters.length > 0 || table.rows < 2) return false;
  const columns = [system, task, metric].flatMap((name) => (name === undefined ? [] : [table.columns.get(name)!]));
  return groupKeys(columns, table.rows).count === table.rows;
}

/** The one judge of all totals is a property of them. */
function ofTotals({ rater, repeat, ...roles }: Roles): Roles {
  const covariates = [...roles.covariates, ...[rater, repeat].filter((name) => name !== undefined)];
  return { ...roles, covariates };
}

const hasSeveral = (cells: Column): boolean =>
  cells.kind === "numeric"
    ? cells.values.some((value) => value !== cells.values[0])
    : cells.codes.some((code) => code !== cells.codes[0]);

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
  return { name, label: name, ...present({ higherIsBetter: direction }) };
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

/** The same file, read with what the user says of its rows and their shape. */
export function withTold(given: Imported, told: Told): Imported {
  const named = withMetric(withColumns(withShape(given, told), told), told);
  const { higherIsBetter } = told;
  const { score } = named.roles;
  if (higherIsBetter === undefined || score === undefined) return named;
  return { ...named, metrics: named.metrics.map((own) => (own.name === score ? { ...own, higherIsBetter } : own)) };
}

function withMetric(imported: Imported, { metric, score }: Told): Imported {
  if (metric === undefined) return imported;
  const [level, other] = matchMetric(metric, metricsInRows(imported));
  if (level !== undefined && other === undefined) return takeMetric(imported, level);
  if (score !== undefined) requireColumns(imported.table, "metric", [metric]);
  const [own = metric] = imported.table.columns.has(metric) ? [metric] : matchMetric(metric, imported.metrics);
  requireColumns(imported.table, "metric", [own]);
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
  for (const { option, column } of kept) requireColumns(imported.table, option, [column]);
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

/** The table read again, with what the user said instead of what names said. */
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
    // what was known of a score before stays known
    metrics: own.metrics.map((metric) => imported.metrics.find(({ name }) => name === metric.name) ?? metric),
    assumptions,
    diagnostics: [
      ...diagnostics.filter(({ code }) => code !== NO_HEADER.code && code !== TOTALS.code),
      ...own.diagnostics,
    ],
  };
}

/** Long rows of the shape that the user names. Systems are also named to choose some of those that a column names. */
function withShape(given: Imported, told: Told): Imported {
  const { systems = [], ...others } = told;
  const isWide =
    given.roles.system === undefined && systems.length > 1 && systems.every((name) => isScore(given.table, name));
  // some are columns of scores: the others are meant to be, too
  if (
    !isWide &&
    told.system === undefined &&
    given.roles.system === undefined &&
    systems.some((name) => isScore(given.table, name))
  )
    for (const name of systems) column(given.table, name);
  const reshaped = reshapeTold(given.table, isWide ? told : others);
  if (reshaped === undefined) return given;
  const { table, hints, done, higherIsBetter: directions = new Map<string, boolean>() } = reshaped;
  const taken = new Set(hints.map(({ role }) => role));
  const kept = (given.decisions ?? []).filter(
    ({ role, column, by }) => by !== "name" && table.columns.has(column) && !taken.has(role),
  );
  const own = understandTable(table, [...hints, ...kept], { directions });
  const { unnamedRaters = false } = reshaped;
  return {
    ...given,
    ...own,
    unrolled: true,
    ...(unnamedRaters ? { unnamedRaters } : {}),
    assumptions: [...given.assumptions, ...done.map(tellDone)],
  };
}

const isScore = ({ columns }: Table, name: string): boolean => {
  const cells = columns.get(name);
  return cells !== undefined && (cells.kind === "numeric" || positiveOf(cells.levels) !== undefined);
};

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

/** The same import with other rows: what is said of the rows is said of these. */
export function withRows<I extends Imported>(imported: I, table: Table): I {
  if (table.rows === imported.table.rows || imported.decisions === undefined) return { ...imported, table };
  const roles = { ...imported.roles, metrics: imported.roles.metrics.filter((name) => table.columns.has(name)) };
  const kind = kindOf(table, roles);
  const asks = kind === "totals" ? [] : findAsks(table, roles, imported.decisions);
  const others = imported.diagnostics.filter(({ code }) => code !== TOTALS.code);
  return { ...imported, table, kind, asks, diagnostics: kind === "totals" ? [...others, TOTALS] : others };
}

const CHART: Diagnostic = {
  code: "Chart",
  severity: "warning",
  message:
    "the columns are curves of a W&B chart (name, name__MIN, name__MAX): steps of one run follow from each other and are no sample.",
  fix: "Export the table of runs instead: one row a run, with its final scores.",
};

const NO_HEADER: Diagnostic = {
  code: "NoHeader",
  severity: "warning",
  message: "the file does not name its columns.",
  fix: "Name those that matter (options `system`, `item`, `score`, `rater`, `label`), or add a first line with their names.",
};

const CLASS_REPORT: Diagnostic = {
  code: "ClassReport",
  severity: "warning",
  message:
    "the rows are classes and averages over them, as a classification report has them: there are no items to test with.",
  fix: "Give the gold and the predicted label of each item.",
};

const TOTALS: Diagnostic = {
  code: "TotalsOnly",
  severity: "note",
  message: "each system has one row, or one for each task: totals, not the results of single items.",
  fix: "Systems can be compared by their standard errors, intervals or counts if the file has them; items would allow a paired test.",
};

/** Tables whose rows are no scores or labels of single things. */
const UNFIT: readonly { readonly isOne: (table: Table) => boolean; readonly told: Diagnostic }[] = [
  { isOne: isClassReport, told: CLASS_REPORT },
  { isOne: isChart, told: CHART },
];

/** Of rows that no column tells apart, which the user calls repeated runs: the import with a column that numbers them within their system, item,
 *  rater and task, and its name. */
function withRunNumbers(imported: Imported): { readonly imported: Imported; readonly name: string } {
  const { table, roles } = imported;
  const key = keyOf(roles).map((name) => table.columns.get(name)!);
  const { group, count } = groupKeys(key, table.rows);
  const seen = new Int32Array(count);
  const numbers = Array.from(group, (own) => {
    seen[own]! += 1;
    return seen[own]!;
  });
  const name = freshName(table, "run");
  return { name, imported: { ...imported, table: withColumn(table, name, numericColumn(numbers)) } };
}
