/** Commands that a description offers, built from columns of the table at hand so that they run as printed. */

import type { Roles } from "../../data/imported.ts";
import { column, type Table } from "../../data/table.ts";
import { quoteFormula, quoteShell } from "../../result/quote.ts";
import type { Design } from "../../study/layout.ts";

export interface Answer {
  readonly question: string;
  readonly command: string;
  /** What to keep in mind when reading the result. */
  readonly note?: string;
}

/** `needs` is the command's name, "fit lm" or "compare". */
export interface Offer {
  readonly needs: string;
  readonly question: string;
  readonly command: string;
  readonly note?: string | undefined;
}

/** Cluster-robust errors need clusters to learn from: with fewer than this the items are used, where there are more. */
const MIN_CLUSTERS = 20;
/** Below this the errors are rough even with small-sample corrections. */
const FEW_CLUSTERS = 10;
/** Share of the items that must lie in one cluster before the clusters can stand for the items. */
const MOSTLY_NESTED = 0.5;

export interface Fit {
  readonly model: "lm" | "glm" | "lmm" | "glmm" | "clmm";
  readonly response: string;
  /** Right of the tilde, already quoted. */
  readonly terms: readonly string[];
  /** Columns among the terms that hold numbers but mean categories. */
  readonly factors?: readonly string[];
  readonly cluster?: string | undefined;
  readonly binomial?: boolean;
  /** What --mutate takes, if the response must be computed first. */
  readonly mutate?: string | undefined;
  /** What --levels takes, if an order other than the alphabet's matters. */
  readonly levels?: string | undefined;
}

/** Where the rows come from: the path as the user typed it, and a condition on rows. */
export interface Source {
  readonly target: string;
  /** Several paths, where more than one file was described: then these words stand for the target. */
  readonly paths?: readonly string[] | undefined;
  readonly where?: string | undefined;
}

export function fitCommand(fit: Fit, table: Table, source: Source): string {
  const formula = `${fit.response} ~ ${fit.terms.join(" + ")}`;
  const parts = ["gosset fit", fit.model, quoteFormula(formula), ...sourceArguments(source)];
  if (fit.mutate !== undefined) parts.push(`--mutate ${quoteFormula(fit.mutate)}`);
  if (fit.binomial === true) parts.push("--family binomial");
  if (fit.levels !== undefined) parts.push(`--levels ${quoteShell(fit.levels)}`);
  parts.push(...factorOptions(fit.factors ?? [], table));
  if (fit.cluster !== undefined) parts.push(`--cluster ${quoteShell(fit.cluster)}`);
  return parts.join(" ");
}

export function sourceArguments({ target, paths = [target], where }: Source): string[] {
  return [paths.map(quoteShell).join(" "), ...(where === undefined ? [] : [`--where ${quoteFormula(where)}`])];
}

/** --factor for those columns that the table holds as numbers. */
export function factorOptions(names: readonly string[], table: Table): string[] {
  return [...new Set(names)]
    .filter((name) => column(table, name).kind === "numeric")
    .map((name) => `--factor ${quoteShell(name)}`);
}

/** The grouping whose rows are correlated: the cluster of the items if there are enough, else the item, else nothing. */
export function chooseCluster(roles: Roles, design: Design, rows: number): { name: string; count: number } | undefined {
  const clusters = roles.cluster === undefined ? undefined : { name: roles.cluster, count: design.clusters };
  const items =
    roles.item !== undefined && design.items < rows && design.items > 1
      ? { name: roles.item, count: design.items }
      : undefined;
  // Battles lie within prompts, where these have several.
  if (clusters !== undefined && roles.opponent !== undefined)
    return items !== undefined && items.count < clusters.count && items.count >= FEW_CLUSTERS ? items : clusters;
  const covers = items === undefined || design.nested >= MOSTLY_NESTED;
  const usable = clusters !== undefined && clusters.count < rows && covers;
  if (usable && clusters.count >= MIN_CLUSTERS) return clusters;
  return items ?? (usable && clusters.count > 1 ? clusters : undefined);
}

/** A warning where the chosen clusters are too few for their standard errors. */
export function clusterNote(cluster: { name: string; count: number } | undefined): string | undefined {
  if (cluster === undefined || cluster.count >= FEW_CLUSTERS) return undefined;
  return `only ${cluster.count} clusters (${cluster.name}): standard errors are rough`;
}
