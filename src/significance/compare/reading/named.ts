/** Columns that options name: kept while files are put together, and never used in a second role. */

import type { Imported, ImportedMetric, Roles } from "../../../data/imported.ts";
import { groupKeys } from "../../../data/keys.ts";
import { asFactor, withColumn } from "../../../data/table.ts";
import { StatError } from "../../../result/error.ts";
import { present } from "../../../result/present.ts";
import { metricDirection } from "../../../study/lexicon/metrics.ts";
import type { NamedImport } from "../../../study/merge.ts";
import { matchMetric } from "../../../study/metric-column.ts";

const SINGLE = ["system", "item", "rater", "run", "cluster", "task"] as const;
/** Of these one column can hold one only. */
const EXCLUSIVE = ["system", "item", "rater", "run", "metric"] as const;
const GUESSED = [
  "system",
  "item",
  "rater",
  "repeat",
  "cluster",
  "task",
  "label",
  "prediction",
  "probability",
  "opponent",
] as const;
const WORD = /`([^`]+)`|[\p{L}.][\p{L}\p{N}._]*/gu;

export type NamedRoles = Partial<
  Readonly<Record<(typeof SINGLE)[number] | "metric" | "by" | "gold", string | undefined>>
> & {
  readonly pred?: readonly string[] | undefined;
  readonly slice?: readonly string[] | undefined;
  readonly mutate?: readonly string[] | undefined;
  readonly where?: readonly string[] | undefined;
};

export function withNamedRoles(parts: readonly NamedImport[], options: NamedRoles): readonly NamedImport[] {
  refuseTwoRoles(options);
  const own = parts.map((part) => ({
    ...part,
    imported: withoutOtherRoles(part.imported, options),
  }));
  const computed = withComputed(own, options);
  return own.length < 2 ? computed : keepColumns(withMetric(computed, options), options);
}

function refuseTwoRoles(options: NamedRoles): void {
  for (const [k, role] of EXCLUSIVE.entries()) {
    const other = EXCLUSIVE.slice(k + 1).find((name) => options[name] === options[role]);
    if (options[role] === undefined || options[role] === "none" || other === undefined) continue;
    const message = `options \`${role}\` and \`${other}\` both name ${options[role]}.`;
    throw new StatError("BadOption", message, "A column is one thing: name another for one of them.");
  }
  const { cluster } = options;
  const taken = EXCLUSIVE.find((role) => cluster !== undefined && cluster !== "none" && options[role] === cluster);
  if (taken === undefined) return;
  const message = `options \`${taken}\` and \`cluster\` both name ${cluster}.`;
  throw new StatError("BadOption", message, "Clusters are groups of several items: name another column, or none.");
}

/** What the user calls the item is no score, whatever the importer took it for; and so on. */
function withoutOtherRoles(imported: Imported, options: NamedRoles): Imported {
  const { gold, pred = [] } = options;
  const told = [
    ...[...SINGLE, "metric" as const].map((role) => [options[role], role === "run" ? "repeat" : role] as const),
    [gold, "label"] as const,
    ...[...pred, pred.join(",")].map((name) => [name, "prediction"] as const),
  ];
  const named = new Map(
    told.flatMap(([name, role]) => {
      const cells = name === undefined ? undefined : imported.table.columns.get(name);
      // a text is no score, whoever calls it one
      return cells === undefined || (role === "metric" && cells.kind !== "numeric") ? [] : [[name!, role] as const];
    }),
  );
  if (named.size === 0) return imported;
  const isOther = (name: string, role: string): boolean =>
    named.has(name) && named.get(name) !== role && !(role === "task" && isHeldIn(imported, name, options));
  const lost = GUESSED.filter((role) => imported.roles[role] !== undefined && isOther(imported.roles[role]!, role));
  const keep = (name: string): boolean => !isOther(name, "metric");
  const { score, ...others } = imported.roles;
  const metrics = imported.roles.metrics.filter(keep);
  const first = score === undefined || keep(score) ? score : metrics[0];
  const roles: Roles = {
    ...(Object.fromEntries(
      Object.entries(others).filter(([role]) => !(lost as readonly string[]).includes(role)),
    ) as unknown as Roles),
    ...present({ score: first }),
    metrics,
    parameters: imported.roles.parameters.filter(keep),
  };
  return {
    ...imported,
    roles,
    metrics: imported.metrics.filter(({ name }) => keep(name)),
  };
}

/** Ids of items that start again in each document need it beside them, also where it is named as the cluster. */
function isHeldIn({ table, roles }: Imported, name: string, options: NamedRoles): boolean {
  const item = table.columns.get(options.item ?? roles.item ?? "");
  if (options.cluster !== name || options.task !== undefined || item === undefined) return false;
  const groups = table.columns.get(name)!;
  return groupKeys([item, groups], table.rows).count > groupKeys([item], table.rows).count;
}

const computes = ({ metric, mutate = [] }: NamedRoles): boolean =>
  mutate.some((text) => text.split("=")[0]!.replaceAll("`", "").trim() === metric);

/** Of a score that is yet to be computed, the columns it is computed from are as the files have them: words, not 0 and 1. */
function withComputed(parts: readonly NamedImport[], options: NamedRoles): readonly NamedImport[] {
  if (!computes(options)) return parts;
  const read = new Set((options.mutate ?? []).flatMap(wordsIn));
  const shared = (name: string): boolean =>
    !read.has(name) && parts.every(({ imported }) => imported.metrics.some((own) => own.name === name));
  return parts.map((part) => ({ ...part, imported: onlyMetrics(part.imported, shared) }));
}

/** A score that is named is shared if every file has its column. */
function withMetric(parts: readonly NamedImport[], options: NamedRoles): readonly NamedImport[] {
  const { metric } = options;
  if (metric === undefined || computes(options)) return parts;
  const known = parts.some(({ imported }) => matchMetric(metric, imported.metrics).length > 0);
  if (known || !parts.every(({ imported }) => imported.table.columns.has(metric))) return parts;
  const direction = metricDirection(metric);
  const added: ImportedMetric = {
    name: metric,
    label: metric,
    ...present({ higherIsBetter: direction }),
  };
  return parts.map((part) => {
    const { imported } = part;
    const roles = { ...imported.roles, metrics: [...imported.roles.metrics, metric] };
    return { ...part, imported: { ...imported, roles, metrics: [...imported.metrics, added] } };
  });
}

function onlyMetrics(imported: Imported, fits: (name: string) => boolean): Imported {
  const { score, ...others } = imported.roles;
  const metrics = others.metrics.filter(fits);
  const roles = { ...others, metrics, ...(metrics[0] === undefined ? {} : { score: metrics[0] }) };
  return { ...imported, roles, metrics: imported.metrics.filter(({ name }) => fits(name)) };
}

/** Named columns that every file has stay in the merged table, as texts where the files disagree. */
function keepColumns(parts: readonly NamedImport[], options: NamedRoles): readonly NamedImport[] {
  const { slice = [], mutate = [], where = [], pred = [] } = options;
  const wanted = [
    ...SINGLE.flatMap((role) => options[role] ?? []),
    ...[options.metric, options.by, options.gold].filter((name) => name !== undefined),
    ...pred,
    ...slice,
    ...[...mutate, ...where].flatMap(wordsIn),
  ];
  const shared = [...new Set(wanted)].filter((name) => parts.every(({ imported }) => imported.table.columns.has(name)));
  if (shared.length === 0) return parts;
  const mixed = shared.filter((name) => new Set(parts.map(({ imported }) => kindOf(imported, name))).size > 1);
  return parts.map((part) => {
    const { imported } = part;
    let { table } = imported;
    for (const name of mixed) table = withColumn(table, name, asFactor(table.columns.get(name)!));
    const covariates = [...new Set([...imported.roles.covariates, ...shared])];
    return { ...part, imported: { ...imported, table, roles: { ...imported.roles, covariates } } };
  });
}

const kindOf = ({ table }: Imported, name: string): string => table.columns.get(name)!.kind;

const wordsIn = (text: string): string[] => [...text.matchAll(WORD)].map(([word, quoted]) => quoted ?? word);
