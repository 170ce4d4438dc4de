/** Groups of items that are no sample of others: few that were guessed, and those that are compared one by one; and documents that
 *  hold the prompts of votes, which are correlated as votes on one prompt do. */

import { groupKeys } from "../../../data/keys.ts";
import { asFactor, factorColumn, isMissing, type Table, withColumn } from "../../../data/table.ts";
import { note } from "../../../result/diagnostic.ts";
import { StatError } from "../../../result/error.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { isClusterName } from "../../../study/lexicon/names.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

/** A guessed cluster with fewer groups is more likely a kind of item than a sample of sources, and its 3 df or fewer could show nothing. */
const FEWEST_GUESSED_CLUSTERS = 5;

/** A guessed grouping of few groups becomes slices instead of clusters, with a word about it. */
export function setFewClustersAside(
  columns: ComparisonColumns,
  table: Table,
  { cluster: given, by }: { readonly cluster?: string | undefined; readonly by?: string | undefined },
): { readonly columns: ComparisonColumns; readonly notes: readonly Diagnostic[] } {
  const { cluster, ...rest } = columns;
  if (cluster !== undefined && by !== undefined && isWithin(table, by, cluster))
    return { columns: rest, notes: [byItself(by, { cluster, table, given })] };
  if (cluster === undefined || given !== undefined) return { columns, notes: [] };
  const groups = countLevels(table, cluster);
  if (groups >= FEWEST_GUESSED_CLUSTERS) return { columns, notes: [] };
  const slices = [...new Set([...(columns.slices ?? []), cluster])];
  if (groups < 2) return { columns: rest, notes: [] };
  const message = `the ${groups} levels of ${cluster} are too few to be clusters: the result is about these ${groups}, not about others.`;
  const fix = `Option \`cluster: ${cluster}\` takes them for a sample of many; option \`cluster: none\` says that they do not matter.`;
  return { columns: { ...rest, slices }, notes: [{ code: "FewGroups", severity: "warning", message, fix }] };
}

/** Each level of the one lies in one level of the other, as where files call the same column by another name. */
function isWithin(table: Table, inner: string, outer: string): boolean {
  if (inner === outer) return true;
  const [own, cells] = [table.columns.get(inner)!, table.columns.get(outer)!];
  // numbers are put into classes, which clusters lie in
  return own.kind === "factor" && groupKeys([own, cells], table.rows).count === groupKeys([own], table.rows).count;
}

interface SameGroups {
  readonly cluster: string;
  readonly table: Table;
  readonly given: string | undefined;
}

/** Levels that are compared one by one, or hold such, cannot be a sample of others in the same model. */
function byItself(by: string, { cluster, table, given }: SameGroups): Diagnostic {
  if (given !== undefined) {
    const message = `option \`by: ${by}\` compares within each ${by}, option \`cluster: ${cluster}\` treats them as a sample of others.`;
    throw new StatError("BadOption", message, "Leave one of them out.");
  }
  const message = `Differences are computed within each ${by}: the result is about these ${countLevels(table, by)}, not about others.`;
  return note("GroupsCompared", message, "Without option `by` they count as a sample of others.");
}

const countLevels = (table: Table, name: string): number =>
  new Set(asFactor(table.columns.get(name)!).codes.filter((code) => code >= 0)).size;

interface VoteUnits {
  readonly battle: string;
  readonly prompt: string | undefined;
  readonly rater: string | undefined;
  readonly system: string;
  readonly score: string;
}

interface Documents {
  readonly table: Table;
  readonly cluster?: string;
  readonly notes: readonly Diagnostic[];
}

/** The column that an option names, or that is called after what holds prompts; prompts counted again in each of them are distinguished. */
export function findDocuments(
  table: Table,
  units: VoteUnits,
  { cluster: given }: { readonly cluster?: string | undefined },
): Documents {
  if (given === "none") return { table, notes: [] };
  const names = given === undefined ? [...table.columns.keys()].filter(isClusterName) : [given];
  const taken: readonly (string | undefined)[] = [units.battle, units.prompt, units.rater];
  const cluster = names.find((name) => !taken.includes(name) && holdsPrompts(table, name, units));
  if (cluster !== undefined) {
    const apart = tellApart(table, cluster, units.prompt);
    const { system, score, prompt: item = units.battle } = units;
    const many = setFewClustersAside({ system, item, score, cluster }, table, { cluster: given });
    const kept = many.columns.cluster;
    return { ...apart, ...(kept && { cluster: kept }), notes: [...apart.notes, ...many.notes] };
  }
  if (given === undefined) return { table, notes: [] };
  const of = units.prompt ?? "vote";
  throw new StatError(
    "NoClusters",
    `${given} is missing, has one value only or does not hold several values of ${of} each, so it cannot be a cluster of votes.`,
    "Name a column that groups prompts, or use option `cluster: none`.",
  );
}

function holdsPrompts(table: Table, name: string, { battle, prompt }: VoteUnits): boolean {
  const cells = table.columns.get(name)!;
  if (Array.from({ length: table.rows }, (_, row) => row).some((row) => isMissing(cells, row))) return false;
  const held = table.columns.get(prompt ?? battle)!;
  const [groups, both] = [groupKeys([cells], table.rows).count, groupKeys([cells, held], table.rows).count];
  if (groups < 2 || groups >= both) return false;
  // one prompt under several values: counted again in a document, asked again under anything else
  return isClusterName(name) || both === groupKeys([held], table.rows).count;
}

function tellApart(table: Table, cluster: string, prompt: string | undefined): Omit<Documents, "cluster"> {
  const held = prompt === undefined ? undefined : table.columns.get(prompt)!;
  if (prompt === undefined || held === undefined) return { table, notes: [] };
  const cells = table.columns.get(cluster)!;
  if (groupKeys([cells, held], table.rows).count === groupKeys([held], table.rows).count) return { table, notes: [] };
  const [outer, inner] = [asFactor(cells), asFactor(held)];
  const pasted = Array.from({ length: table.rows }, (_, row) =>
    inner.codes[row]! < 0 ? null : `${outer.levels[outer.codes[row]!]} ${inner.levels[inner.codes[row]!]}`,
  );
  const message = `The same ${prompt} occurs under several values of ${cluster}, so each ${prompt} within each ${cluster} counts as a separate prompt.`;
  const fix = "Give each prompt an id of its own.";
  return { table: withColumn(table, prompt, factorColumn(pasted)), notes: [note("PromptsWithin", message, fix)] };
}
