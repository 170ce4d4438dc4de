/** Which columns of the files hold systems, items and scores: as flags say, as the importer found. */
import {
  asFactor,
  type ComparisonColumns,
  type Diagnostic,
  factorColumn,
  type Imported,
  nearest,
  StatError,
  type Table,
  withColumn,
} from "../../index.ts";
import { splitList } from "../options.ts";
import type { CompareCommandOptions } from "./compare.ts";

/** A guessed cluster with fewer groups is more likely a kind of item than a sample of sources; a test on it could show nothing. */
const FEWEST_GUESSED_CLUSTERS = 10;

/** A guessed grouping of few groups becomes slices instead of clusters, with a word about it. */
export function setFewClustersAside(
  columns: ComparisonColumns,
  table: Table,
  { cluster: given }: CompareCommandOptions,
): { readonly columns: ComparisonColumns; readonly notes: readonly Diagnostic[] } {
  const { cluster, ...rest } = columns;
  if (cluster === undefined || given !== undefined) return { columns, notes: [] };
  const groups = inOrder(table, cluster).length;
  if (groups >= FEWEST_GUESSED_CLUSTERS) return { columns, notes: [] };
  const slices = [...new Set([...(columns.slices ?? []), cluster])];
  if (groups < 2) return { columns: rest, notes: [] };
  const message = `the ${groups} levels of ${cluster} are too few to be clusters: the result is about these ${groups}, not about others.`;
  const fix = `--cluster ${cluster} takes them for a sample of many; --cluster none says that they do not matter.`;
  return { columns: { ...rest, slices }, notes: [{ code: "FewGroups", severity: "warning", message, fix }] };
}

export function chooseColumns(merged: Imported, table: Table, options: CompareCommandOptions): ComparisonColumns {
  const { roles, metrics } = merged;
  const score = chooseScore(
    table,
    metrics.map(({ name }) => name),
    { roles, metric: options.metric },
  );
  for (const name of options.slice) requireColumn(table, "--slice", name);
  if (options.by !== undefined) requireColumn(table, "--by", options.by);
  return { ...chooseUnits(merged, table, options), score, slices: options.slice };
}

/** Independent samples need no names: without an item column each row is an item. */
export function withRowItems(merged: Imported, { unpaired, item }: CompareCommandOptions): Imported {
  if (!unpaired || item !== undefined || merged.roles.item !== undefined) return merged;
  const name = merged.table.columns.has("row") ? "row_number" : "row";
  const rows = factorColumn(Array.from({ length: merged.table.rows }, (_, i) => String(i + 1)));
  return { ...merged, table: withColumn(merged.table, name, rows), roles: { ...merged.roles, item: name } };
}

/** The columns that the importer found, unless a flag names another; "none" takes a guess back. */
export function chooseUnits(
  { roles }: Imported,
  table: Table,
  options: CompareCommandOptions,
): Omit<ComparisonColumns, "score" | "slices"> {
  const pick = (flag: "system" | "item" | "rater" | "repeat" | "cluster" | "task"): string | undefined => {
    const given = options[flag];
    if (given === "none") return undefined;
    if (given !== undefined) requireColumn(table, `--${flag}`, given);
    return given ?? roles[flag];
  };
  const [system, item] = [pick("system"), pick("item")];
  if (system === undefined || item === undefined) {
    const what = system === undefined ? "system" : "item";
    throw new StatError(
      `No${what === "system" ? "System" : "Item"}Column`,
      `no column could be recognised as the ${what}.`,
      `Name it with --${what}; the columns are ${[...table.columns.keys()].join(", ")}.${what === "item" ? " --unpaired takes each row for an item of its own." : ""}`,
    );
  }
  const optional = Object.fromEntries(
    (["rater", "repeat", "cluster", "task"] as const).flatMap((flag) => {
      const name = pick(flag);
      return name === undefined ? [] : [[flag, name]];
    }),
  );
  return { system, item, ...optional };
}

function chooseScore(
  table: Table,
  metrics: readonly string[],
  { roles, metric }: { roles: Imported["roles"]; metric: string | undefined },
): string {
  if (metric !== undefined) {
    requireColumn(table, "--metric", metric);
    return metric;
  }
  const found = roles.score ?? metrics[0];
  if (found !== undefined) return found;
  throw new StatError(
    "NoScoreFound",
    "no column could be recognised as a score.",
    `Name it with --metric; the columns are ${[...table.columns.keys()].join(", ")}.`,
  );
}

export function requireColumn(table: Table, flag: string, name: string): void {
  if (table.columns.has(name)) return;
  const names = [...table.columns.keys()];
  const near = nearest(name, names);
  throw new StatError(
    "UnknownColumn",
    `${flag} ${name}: no such column.`,
    near === undefined ? `The columns are ${names.join(", ")}.` : `Did you mean "${near}"?`,
  );
}

/** Systems as they first occur in the data. */
function inOrder(table: Table, system: string): string[] {
  const cells = asFactor(table.columns.get(system)!);
  return [...new Set(cells.codes)].filter((code) => code >= 0).map((code) => cells.levels[code]!);
}

export function chooseSystems(
  table: Table,
  { system, options }: { system: string; options: CompareCommandOptions },
): readonly string[] {
  const named = options.systems === undefined ? undefined : splitList(options.systems);
  const all = named ?? inOrder(table, system);
  const { baseline } = options;
  if (baseline === undefined) return all;
  if (!all.includes(baseline)) {
    const near = nearest(baseline, all);
    throw new StatError(
      "UnknownSystem",
      `--baseline ${baseline}: no such system.`,
      near === undefined ? `The systems are ${all.join(", ")}.` : `Did you mean "${near}"?`,
    );
  }
  return [baseline, ...all.filter((name) => name !== baseline)];
}

/** Systems without a single score are left out, unless they were named or fewer than two would be left. */
export function leaveUnscoredOut(
  systems: readonly string[],
  table: Table,
  { columns, options }: { columns: ComparisonColumns; options: CompareCommandOptions },
): { readonly systems: readonly string[]; readonly notes: readonly Diagnostic[] } {
  const score = table.columns.get(columns.score)!;
  if (options.systems !== undefined || score.kind !== "numeric") return { systems, notes: [] };
  const { codes, levels } = asFactor(table.columns.get(columns.system)!);
  const scored = new Set<string>();
  codes.forEach((code, row) => {
    if (code >= 0 && !Number.isNaN(score.values[row]!)) scored.add(levels[code]!);
  });
  const kept = systems.filter((name) => scored.has(name));
  if (kept.length === systems.length || kept.length < 2) return { systems, notes: [] };
  const lost = systems.filter((name) => !scored.has(name));
  const message = `${lost.join(", ")} ${lost.length === 1 ? "has" : "have"} no ${columns.score} at all and ${lost.length === 1 ? "was" : "were"} left out.`;
  const fix = "Score the outputs, or name another score with --metric.";
  return { systems: kept, notes: [{ code: "NoScores", severity: "warning", message, fix }] };
}

/** By flag, by what the file says, by the metric's name; otherwise higher is better. */
export function direction(merged: Imported, score: string, options: CompareCommandOptions): boolean {
  if (options.lowerIsBetter) return false;
  if (options.higherIsBetter) return true;
  return merged.metrics.find(({ name }) => name === score)?.higherIsBetter ?? true;
}
