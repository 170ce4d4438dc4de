/** Clusters that a plain name says: documents, passages or conversations that several units lie in. Kinds of items (topics) are no clusters here,
 *  and neither are few groups, which are no sample of others. */
import { groupKeys } from "../data/keys.ts";
import type { Table } from "../data/table.ts";
import { note } from "../result/diagnostic.ts";
import type { Diagnostic } from "../result/result.ts";
import { isSampledGroup } from "./lexicon/names.ts";

/** Fewer levels of a column that nobody named as clusters are kinds of units rather than a sample of sources. */
export const FEWEST_FOUND_CLUSTERS = 5;

/** `units`: the columns that name a unit; none: each row is one. */
export interface ClusteredUnits {
  readonly units: readonly string[];
  /** Columns that have another part. */
  readonly taken?: readonly (string | undefined)[];
}

/** How many groups a column makes where every unit lies in one of them and some group holds several; 0 elsewhere. */
export function countGroups(table: Table, name: string, units: readonly string[]): number {
  const cells = table.columns.get(name);
  if (cells === undefined) return 0;
  const keys = units.map((own) => table.columns.get(own)!);
  const groups = groupKeys([cells], table.rows).count;
  const count = units.length === 0 ? table.rows : groupKeys(keys, table.rows).count;
  const nested = units.length === 0 || groupKeys([...keys, cells], table.rows).count === count;
  return nested && groups < count ? groups : 0;
}

/** The coarsest column by the name of a cluster that holds several units each. */
export function clusterByName(table: Table, { units, taken = [] }: ClusteredUnits): string | undefined {
  const found = [...table.columns.keys()]
    .filter((name) => isSampledGroup(name) && !taken.includes(name))
    .map((name) => ({ name, groups: countGroups(table, name, units) }))
    .filter(({ groups }) => groups >= FEWEST_FOUND_CLUSTERS);
  return found.sort((a, b) => a.groups - b.groups)[0]?.name;
}

export interface ChosenClusters {
  readonly cluster: string | undefined;
  /** By its name, and not by an option. */
  readonly found: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The column that an option names, none where it says "none", else a column by its name, which a note tells. */
export function chooseClusters(
  table: Table,
  { told, ...where }: ClusteredUnits & { readonly told: string | undefined },
): ChosenClusters {
  if (told !== undefined) return { cluster: told === "none" ? undefined : told, found: false, diagnostics: [] };
  const cluster = clusterByName(table, where);
  if (cluster === undefined) return { cluster, found: false, diagnostics: [] };
  const message = `rows of one ${cluster} are correlated: standard errors are over the ${countGroups(table, cluster, where.units)} levels of ${cluster}.`;
  const said = note("ClustersFound", message, "Option `cluster: none` takes rows as independent.");
  return { cluster, found: true, diagnostics: [said] };
}
