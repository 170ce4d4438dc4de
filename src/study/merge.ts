/** Several files of one comparison as one long table: each file brings one or more systems, and columns that mean the same get one
 *  name. What a file does not say (its system) its name says; the same system in two files is two runs and gets the files' names. */

import type { Imported, ImportedMetric, Roles } from "../data/imported.ts";
import {
  concatRows,
  factorColumn,
  isMissing,
  makeTable,
  numericColumn,
  type Table,
  withColumn,
} from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { listNames } from "../result/quote.ts";
import { profileColumn } from "./facts.ts";
import { scoreNumbers } from "./score-facts.ts";
import { settingsInColumns } from "./settings.ts";
import { findTimes } from "./times.ts";

/** Roles that a merged table keeps, one column each. */
const KEPT = ["system", "item", "rater", "repeat", "cluster", "task", "metric", "perturbation", "opponent"] as const;

type KeptRole = (typeof KEPT)[number];

export interface NamedImport {
  /** The path as the user wrote it. */
  readonly path: string;
  readonly imported: Imported;
}

/** Files of one study, by rater, run, task or metric. */
interface Sheets {
  readonly role: "rater" | "repeat" | "task" | "metric";
  /** Of each file. */
  readonly names: readonly string[];
}

/** `keep`: a column that an option names, beside those whose meaning is known. */
export function mergeImported(parts: readonly NamedImport[], keep?: string | undefined): Imported {
  return mergeParts(parts, { keep });
}

/** Files that hold the same systems, and what each of them is of. */
export const mergeSheets = (parts: readonly NamedImport[], sheets: Sheets): Imported => mergeParts(parts, { sheets });

function mergeParts(
  parts: readonly NamedImport[],
  { keep, sheets }: { readonly keep?: string | undefined; readonly sheets?: Sheets },
): Imported {
  const long = parts.map(({ path, imported }) => ({
    path,
    imported: withSettings(withNumbers(parts.length === 1 ? imported : withSystem(imported, stemOf(path)))),
  }));
  if (long.length === 1) return long[0]!.imported;
  const metrics = sharedMetrics(long);
  const renamed = sheets === undefined ? renameRuns(long) : nameSheets(long, sheets);
  const kept = KEPT.filter((role) => renamed.every(({ roles }) => roles[role] !== undefined));
  const called = sharedNames(renamed, kept, new Set(metrics.map(({ name }) => name)));
  const tables = renamed.map((imported) => commonColumns(imported, called, metrics));
  const covariates = sharedCovariates(renamed, [...called.values(), ...metrics.map(({ name }) => name)]);
  const known = [...called.values(), ...metrics.map(({ name }) => name), ...covariates];
  const names = [...known, ...sharedTimes(renamed, keep).filter((name) => !known.includes(name))];
  const table = concatRows(tables.map((own, k) => selectNames(own, renamed[k]!.table, names)));
  const first = renamed[0]!;
  const roles: Roles = {
    ...Object.fromEntries(called),
    ...(metrics.length === 0 ? {} : { score: metrics[0]!.name }),
    metrics: metrics.map(({ name }) => name),
    parameters: [],
    covariates,
    identifiers: [],
  };
  return {
    ...first,
    files: renamed.flatMap(({ files }) => files),
    summary: `${renamed.length} files: ${listNames(renamed.flatMap(({ systems }) => systems))}.`,
    table,
    roles,
    systems: [...new Set(renamed.flatMap(({ systems }) => systems))],
    metrics,
    assumptions: [...new Set(renamed.flatMap(({ assumptions }) => assumptions))],
    ...(renamed.some(({ settings }) => settings !== undefined)
      ? { settings: renamed.flatMap(({ settings = [] }) => settings) }
      : {}),
    diagnostics: renamed.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** When rows were run, where every file says it in a column of one name. */
function sharedTimes(parts: readonly Imported[], keep: string | undefined): string[] {
  const columns = new Set(parts.map(({ table }) => keep ?? findTimes(table)?.column));
  return [...columns].flatMap((name) =>
    name !== undefined && parts.every(({ table }) => table.columns.has(name)) ? [name] : [],
  );
}

/** The name of a file without folders and endings. */
export const stemOf = (path: string): string =>
  path
    .replace(/(?<![\\/])[\\/]+$/, "")
    .replace(/^.*[\\/]/, "")
    .replace(/\.(gz|zst)$/, "")
    .replace(/\.[A-Za-z]+$/, "");

/** What tells files apart: their names, or the folders where two have the same (a/results.jsonl, b/results.jsonl); the same file twice is numbered. */
function labelFiles(paths: readonly string[]): string[] {
  const stems = paths.map(stemOf);
  const areApart = (labels: readonly string[]): boolean => new Set(labels).size === labels.length;
  if (areApart(stems)) return stems;
  const whole = paths.map((path, k) => [...path.split(/[\\/]+/).slice(0, -1), stems[k]!]);
  const isShared = (part: string, depth: number): boolean => whole.every((other) => other[depth] === part);
  const labels = whole.map((parts) => parts.filter((part, depth) => !isShared(part, depth)).join("/"));
  const folders = whole.map((parts) => parts.slice(0, -1).join("/"));
  const even = new Set(whole.map((parts) => parts.length)).size === 1;
  const found = [...(even ? [labels] : []), folders].find((names) => areApart(names) && !names.includes(""));
  return found ?? stems.map((stem, k) => `${stem} ${k + 1}`);
}

/** A file of one system that has no column for it. */
export function withSystem(imported: Imported, name: string): Imported {
  if (imported.roles.system !== undefined) return imported;
  const free = imported.table.columns.has("system") ? "system_2" : "system";
  const table = withColumn(imported.table, free, factorColumn(new Array<string>(imported.table.rows).fill(name)));
  return { ...imported, table, roles: { ...imported.roles, system: free }, systems: [name] };
}

/** Where no log says how the systems were run, columns may. */
function withSettings(imported: Imported): Imported {
  const { roles, table, declared } = imported;
  if (imported.settings !== undefined || roles.system === undefined) return imported;
  const taken = new Set([...KEPT.flatMap((role) => roles[role] ?? []), ...roles.metrics]);
  const found = settingsInColumns(table, roles.system, taken);
  const settings =
    declared === undefined
      ? found
      : imported.systems.map((system) => {
          const own = found.find((run) => run.system === system);
          return { system, values: { ...declared, ...own?.values } };
        });
  return settings.length === 0 ? imported : { ...imported, settings };
}

/** Verdicts (pass, fail) as 1 and 0, which can be averaged. */
function withNumbers(imported: Imported): Imported {
  let { table } = imported;
  for (const { name } of imported.metrics) {
    const cells = table.columns.get(name);
    if (cells?.kind !== "factor" || !profileColumn(name, cells).logical) continue;
    table = withColumn(table, name, numericColumn(scoreNumbers(table, name)));
  }
  return table === imported.table ? imported : { ...imported, table };
}

/** Metrics that every file has, in the order of the first; a file with one score and no name in common is compared by it. */
function sharedMetrics(parts: readonly NamedImport[]): ImportedMetric[] {
  const lists = parts.map(({ imported }) => imported.metrics);
  const shared = lists[0]!.filter(({ name }) => lists.every((list) => list.some((metric) => metric.name === name)));
  if (shared.length > 0 || lists.every((list) => list.length === 0)) return shared;
  const alike = new Set(lists.map((list) => list[0]?.higherIsBetter)).size === 1;
  if (alike && lists.every((list) => list.length === 1)) return [{ ...lists[0]![0]!, name: "score" }];
  const wanted = new Set(lists.flatMap((list) => list.map(({ name }) => name)));
  const told = parts.map(({ path, imported: { metrics, table } }) => {
    const empty = [...wanted].filter((name) => isEmpty(table, name));
    const without = empty.length === 0 ? "none" : `all ${table.rows} values of ${listNames(empty)} are missing`;
    return `${path}: ${listNames(metrics.map(({ name }) => name)) || without}`;
  });
  throw new StatError(
    "NoSharedMetric",
    `the files have no score in common (${told.join("; ")}).`,
    "Compare files of the same task and scorer; metrics and judgments of the same outputs are joined where both name the same items and systems.",
  );
}

/** A column without a single value. */
function isEmpty(table: Table, name: string): boolean {
  const cells = table.columns.get(name);
  return cells !== undefined && Array.from({ length: table.rows }, (_, i) => i).every((i) => isMissing(cells, i));
}

function renameRuns(parts: readonly NamedImport[]): Imported[] {
  const seen = new Map<string, number>();
  for (const { imported } of parts) for (const name of imported.systems) seen.set(name, (seen.get(name) ?? 0) + 1);
  const labels = labelFiles(parts.map(({ path }) => path));
  return parts.map(({ imported }, k) => {
    const label = labels[k]!;
    const rename = (name: string): string =>
      seen.get(name) === 1 ? name : imported.systems.length === 1 ? label : `${name} (${label})`;
    const cells = imported.table.columns.get(imported.roles.system!)!;
    if (cells.kind !== "factor") return imported;
    const table = withColumn(imported.table, imported.roles.system!, { ...cells, levels: cells.levels.map(rename) });
    const settings = imported.settings?.map((run) => ({ ...run, system: rename(run.system) }));
    return {
      ...imported,
      table,
      systems: imported.systems.map(rename),
      ...(settings === undefined ? {} : { settings }),
    };
  });
}

/** Each file's rows with what it is of. */
function nameSheets(parts: readonly NamedImport[], { role, names }: Sheets): Imported[] {
  return parts.map(({ imported }, k) => {
    const name = imported.table.columns.has(role) ? `${role}_2` : role;
    const cells = factorColumn(new Array<string>(imported.table.rows).fill(names[k]!));
    return { ...imported, table: withColumn(imported.table, name, cells), roles: { ...imported.roles, [role]: name } };
  });
}

/** What the column of each role is called: as in the files, where they agree and no two columns get one name; else as its role. */
function sharedNames(
  parts: readonly Imported[],
  kept: readonly KeptRole[],
  taken: ReadonlySet<string>,
): ReadonlyMap<KeptRole, string> {
  const own = kept.map((role) => {
    const names = new Set(parts.map(({ roles }) => roles[role]!));
    return names.size === 1 ? [...names][0]! : role;
  });
  const clash = new Set(own).size < own.length || own.some((name) => taken.has(name));
  return new Map(kept.map((role, k) => [role, clash ? role : own[k]!]));
}

/** The columns of the roles and the metrics, under their common names. */
function commonColumns(
  { table, roles, metrics }: Imported,
  called: ReadonlyMap<KeptRole, string>,
  shared: readonly ImportedMetric[],
): Table {
  const entries = [...called].map(([role, name]) => [name, table.columns.get(roles[role]!)!] as const);
  const scores = shared.map(
    ({ name }) => [name, table.columns.get(name) ?? table.columns.get(metrics[0]!.name)!] as const,
  );
  return makeTable([...entries, ...scores], table.rows);
}

function sharedCovariates(parts: readonly Imported[], taken: readonly string[]): string[] {
  return parts[0]!.roles.covariates.filter(
    (name) =>
      !taken.includes(name) &&
      parts.every(({ table }) => table.columns.get(name)?.kind === parts[0]!.table.columns.get(name)!.kind),
  );
}

function selectNames(own: Table, whole: Table, names: readonly string[]): Table {
  return makeTable(
    names.map((name) => [name, own.columns.get(name) ?? whole.columns.get(name)!] as const),
    own.rows,
  );
}
