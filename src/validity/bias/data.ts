/** Columns of a table as the bias test sees them: which are features, what a label is, which rows belong to which domain. */
import { asFactor, type Column, column, dropUnusedLevels, type Table } from "../../data/table.ts";
import { cellTexts } from "../../metrics/score-table.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { type ChosenClusters, chooseClusters, countGroups, FEWEST_FOUND_CLUSTERS } from "../../study/clusters.ts";
import { isSampledGroup } from "../../study/lexicon/names.ts";
import type { Variable } from "./association.ts";
import { pairFeatures } from "./features.ts";

export interface BiasColumns {
  readonly label: string;
  /** Labels or scores that a model predicted. */
  readonly predicted?: string | undefined;
  readonly domain: string;
  /** Default: the domain with most rows. */
  readonly inDomain?: string | undefined;
  /** Default: all others. */
  readonly outDomains?: readonly string[] | undefined;
  /** Default: every column without another role; texts and ids are left out. */
  readonly features?: readonly string[] | undefined;
  /** Two texts, for the features of Table 2.1. */
  readonly premise?: string | undefined;
  readonly hypothesis?: string | undefined;
  /** Text whose words and word sequences are features; default: the hypothesis. */
  readonly text?: string | undefined;
  /** Class that counts as 1, the others as 0. */
  readonly positive?: string | undefined;
  /** Rows that are correlated, or "none"; default: a column by the name of documents that hold several rows each. */
  readonly cluster?: string | undefined;
}

export interface Feature {
  readonly name: string;
  readonly variable: Variable;
  /** Level that counts as 1, of a feature with two. */
  readonly positive?: string;
}

export interface Labels {
  readonly variable: Variable;
  readonly positive?: string;
  readonly classes?: readonly string[];
}

export interface Domains {
  readonly inside: { readonly name: string; readonly rows: Int32Array };
  readonly outside: readonly { readonly name: string; readonly rows: Int32Array }[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Fewer rows give no interval of a correlation. */
const FEWEST_ROWS = 5;

/** Rows of one document are correlated; Fisher's interval takes all rows as independent. */
export function findClusters(
  table: Table,
  columns: BiasColumns & { readonly interval?: string | undefined },
): ChosenClusters {
  const { cluster: told, label, predicted, domain, premise, hypothesis, text, features = [] } = columns;
  const taken = [label, predicted, domain, premise, hypothesis, text, ...features];
  const chosen = chooseClusters(table, { told, units: [], taken });
  const { cluster, found } = chosen;
  if (!found || columns.interval !== "fisher") return chosen;
  const message = `the rows lie in levels of ${cluster}, and \`interval: fisher\` takes them as independent: intervals are too narrow where rows of one ${cluster} are alike.`;
  return { cluster: undefined, found, diagnostics: [warning("ClustersIgnored", message, "Leave `interval` out.")] };
}

export function readDomains(table: Table, { domain, inDomain, outDomains }: BiasColumns): Domains {
  const texts = cellTexts(column(table, domain));
  const rows = new Map<string, number[]>();
  texts.forEach((name, i) => {
    if (name === null) return;
    const own = rows.get(name);
    if (own === undefined) rows.set(name, [i]);
    else own.push(i);
  });
  if (rows.size < 2) {
    const found = rows.size === 0 ? "no value" : `one value, "${[...rows.keys()][0]}"`;
    const message = `the column "${domain}" has ${found}: there is nothing to compare across.`;
    throw new StatError("OneDomain", message, "give rows of two or more domains, or another `domain`.");
  }
  const largest = [...rows].sort((a, b) => b[1].length - a[1].length)[0]![0];
  const inside = inDomain ?? largest;
  const outside = outDomains ?? [...rows.keys()].filter((name) => name !== inside);
  const take = (name: string) => {
    const own = rows.get(name);
    if (own === undefined) {
      const message = `no row has "${name}" in the column "${domain}" (it has ${listShort([...rows.keys()])}).`;
      throw new StatError("UnknownDomain", message, "name a domain that occurs.");
    }
    if (own.length < FEWEST_ROWS) {
      const message = `the domain "${name}" has ${own.length} row${own.length === 1 ? "" : "s"}.`;
      throw new StatError(
        "SmallDomain",
        message,
        `give at least ${FEWEST_ROWS}, better some hundred, or leave it out.`,
      );
    }
    return { name, rows: Int32Array.from(own) };
  };
  if (outside.includes(inside)) {
    const message = `"${inside}" cannot be in-domain and out-of-domain at once.`;
    throw new StatError("SameDomain", message, "name different domains.");
  }
  const diagnostics =
    inDomain === undefined
      ? [
          note(
            "LargestInDomain",
            `"${inside}", the domain with most rows, counts as in-domain.`,
            "name another with `inDomain`.",
          ),
        ]
      : [];
  return { inside: take(inside), outside: outside.map(take), diagnostics };
}

const NAMES_SHOWN = 6;
export const listShort = (names: readonly string[]): string =>
  names.slice(0, NAMES_SHOWN).join(", ") +
  (names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "");

/** Gold and predicted labels share their classes, so that both are coded alike. */
export function readLabels(
  table: Table,
  columns: BiasColumns,
  classesWanted: boolean,
): { readonly gold: Labels; readonly predicted?: Labels } {
  const { label, predicted, positive } = columns;
  const goldCells = column(table, label);
  const predictedCells = predicted === undefined ? undefined : column(table, predicted);
  const levels = new Set<string>();
  for (const cells of [goldCells, predictedCells]) {
    if (cells?.kind === "factor") for (const level of dropUnusedLevels(cells).levels) levels.add(level);
  }
  const asClasses = goldCells.kind === "factor" || positive !== undefined || classesWanted;
  if (asClasses) for (const level of dropUnusedLevels(asFactor(goldCells)).levels) levels.add(level);
  const read = (cells: Column, name: string): Labels => {
    const numeric = cells.kind === "numeric" && (!asClasses || isScore(cells.values, levels));
    return numeric
      ? numberLabels(cells.values, name)
      : classLabels(cells, [...levels], { name, positive, classesWanted });
  };
  return {
    gold: read(goldCells, label),
    ...(predictedCells === undefined ? {} : { predicted: read(predictedCells, predicted!) }),
  };
}

/** Numbers that are none of the classes: probabilities or scores. */
const isScore = (values: Float64Array, levels: Set<string>): boolean =>
  values.some((value) => !Number.isNaN(value) && !levels.has(String(value)));

function numberLabels(values: Float64Array, name: string): Labels {
  requireVariation(new Set(values.filter((value) => !Number.isNaN(value))).size, name);
  return { variable: { kind: "numbers", values } };
}

function classLabels(
  cells: Column,
  found: readonly string[],
  options: { readonly name: string; readonly positive: string | undefined; readonly classesWanted: boolean },
): Labels {
  const { name, positive, classesWanted } = options;
  const levels = [...found].sort(byValue);
  requireVariation(dropUnusedLevels(asFactor(cells)).levels.length, name);
  const codes = asFactor(asFactor(cells), { levels: withMissingLevels(cells, levels) }).codes;
  if (positive !== undefined && !levels.includes(positive)) {
    const message = `"${positive}" is not a value of the label "${name}" (it has ${listShort(levels)}).`;
    throw new StatError("UnknownLevel", message, "name one of them with `positive`.");
  }
  if (classesWanted || (levels.length > 2 && positive === undefined)) {
    return { variable: { kind: "classes", codes, count: levels.length }, classes: levels };
  }
  const one = positive ?? levels[1]!;
  const at = levels.indexOf(one);
  const values = Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : code === at ? 1 : 0));
  return { variable: { kind: "numbers", values }, positive: one };
}

const withMissingLevels = (cells: Column, levels: readonly string[]): string[] => [
  ...new Set([...levels, ...dropUnusedLevels(asFactor(cells)).levels]),
];

function byValue(a: string, b: string): number {
  const difference = Number(a) - Number(b);
  if (Number.isFinite(difference)) return difference;
  return a < b ? -1 : 1;
}

function requireVariation(count: number, name: string): void {
  if (count > 1) return;
  const found = count === 0 ? "no value at all" : "the same value in every row";
  throw new StatError("ConstantLabel", `the label "${name}" has ${found}.`, "give a label that varies.");
}

/** More levels than this make a column a text or an id, unless it was asked for by name. */
const MOST_LEVELS = 50;

export function readFeatures(
  table: Table,
  columns: BiasColumns,
  classesWanted: boolean,
): { readonly features: readonly Feature[]; readonly diagnostics: readonly Diagnostic[] } {
  const { premise, hypothesis } = columns;
  const diagnostics: Diagnostic[] = [];
  const taken = [columns.label, columns.predicted, columns.domain, columns.cluster, premise, hypothesis, columns.text];
  const roles = new Set(taken);
  const chosen =
    columns.features ??
    (hasTexts(columns)
      ? []
      : [...table.columns.keys()].filter((name) => !roles.has(name) && !isSetOfRows(table, name)));
  const features: Feature[] = [];
  for (const name of chosen) {
    const cells = column(table, name);
    const fault = faultOf(cells, columns.features !== undefined);
    if (fault === undefined) features.push(featureOf(name, cells, classesWanted));
    else if (columns.features !== undefined) {
      throw new StatError("UselessFeature", `the feature "${name}" ${fault}.`, "leave it out of `features`.");
    } else
      diagnostics.push(
        note("FeatureSkipped", `"${name}" ${fault} and was left out.`, "no action is needed; `features` chooses."),
      );
  }
  if (premise !== undefined && hypothesis !== undefined) {
    const texts = pairFeatures(cellTexts(column(table, premise)), cellTexts(column(table, hypothesis)));
    for (const [name, values] of Object.entries(texts)) {
      const fault = faultOf({ kind: "numeric", values }, true);
      if (fault === undefined) features.push(featureOf(name, { kind: "numeric", values }, classesWanted));
      else diagnostics.push(note("FeatureSkipped", `${name} ${fault} and was left out.`, "no action is needed."));
    }
  }
  return { features, diagnostics };
}

/** A document is not a property of its rows; a few levels may be kinds of items. */
const isSetOfRows = (table: Table, name: string): boolean =>
  isSampledGroup(name) && countGroups(table, name, []) >= FEWEST_FOUND_CLUSTERS;

const hasTexts = ({ premise, hypothesis, text }: BiasColumns): boolean =>
  (premise !== undefined && hypothesis !== undefined) || text !== undefined;

function faultOf(cells: Column, named: boolean): string | undefined {
  const distinct =
    cells.kind === "numeric"
      ? new Set(cells.values.filter((value) => !Number.isNaN(value))).size
      : dropUnusedLevels(cells).levels.length;
  if (distinct === 0) return "has no value in any row";
  if (distinct === 1) return "has the same value in every row";
  if (!named && cells.kind === "factor" && distinct > MOST_LEVELS) return `has ${distinct} different texts`;
  return undefined;
}

/** Numbers with at most this many values are classes of their own for mutual information; others are cut into as many bins. */
const BINS = 10;

function featureOf(name: string, cells: Column, classesWanted: boolean): Feature {
  if (cells.kind === "numeric") {
    const variable: Variable = { kind: "numbers", values: cells.values };
    return { name, variable: classesWanted ? binned(cells.values) : variable };
  }
  const { codes, levels } = dropUnusedLevels(cells);
  if (classesWanted || levels.length > 2) return { name, variable: { kind: "classes", codes, count: levels.length } };
  const values = Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : code));
  return { name, variable: { kind: "numbers", values }, positive: levels[1]! };
}

/** Bins of about equal size over all domains; the same value never falls into two. */
export function binned(values: Float64Array): Variable {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const distinct = [...new Set(sorted)];
  const cuts =
    distinct.length <= BINS
      ? distinct
      : [...new Set(Array.from({ length: BINS }, (_, b) => sorted[Math.ceil(((b + 1) * sorted.length) / BINS) - 1]!))];
  const codes = Int32Array.from(values, (value) => (Number.isNaN(value) ? -1 : cuts.findIndex((cut) => value <= cut)));
  return { kind: "classes", codes, count: cuts.length };
}

/** Codes of the units that are independent: clusters, or else rows. */
export function readUnits(
  table: Table,
  cluster: string | undefined,
): { readonly unit: Int32Array; readonly count: number } {
  if (cluster === undefined) {
    return { unit: Int32Array.from({ length: table.rows }, (_, i) => i), count: table.rows };
  }
  const factor = asFactor(column(table, cluster));
  // a row without a cluster stands for itself
  let next = factor.levels.length;
  const unit = factor.codes.map((code) => (code < 0 ? next++ : code));
  return { unit, count: next };
}
