/** The label and the features of a circularity test, read from a table: which columns can be tested, how strongly each goes with the
 *  label, and which are left out for what reason. */
import { type Column, column, isMissing, type Table } from "../../data/table.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { correlate } from "../../significance/tests/correlation.ts";
import { findLabelVersions } from "./labels.ts";

export type CircularityFamily = "gaussian" | "binomial";

/** Factors with more levels are names of things rather than features. */
const MOST_LEVELS = 30;
/** A column that is missing more often would take too many rows away from the others. */
const MOST_MISSING = 0.5;
/** Bins of equal counts for the correlation ratio: enough to see a curve, few enough for a thousand rows. */
const BINS = 20;
export const FEWEST_ROWS = 50;

export interface Label {
  readonly name: string;
  readonly values: Float64Array;
}

export interface Feature {
  readonly name: string;
  readonly column: Column;
  readonly distinct: number;
  /** With the label, over the rows that have both; NaN for a factor of more than two levels. */
  readonly correlation: number;
  /** √ of the share of the label's variance between bins of the feature, corrected for their number. */
  readonly association: number;
}

export interface LeftOut {
  readonly name: string;
  readonly reason: "constant" | "missing" | "duplicate" | "identifier" | "label-version";
  readonly because: string;
}

export interface CircularityData {
  readonly label: Label;
  /** By falling correlation with the label. */
  readonly features: readonly Feature[];
  readonly leftOut: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

interface ReadRequest {
  readonly label: string;
  readonly family: CircularityFamily | undefined;
  /** Given by name; undefined for all columns. */
  readonly features: readonly string[] | undefined;
  /** Columns that are labels or predictions, and never features. */
  readonly notFeatures: readonly string[];
}

export function readCircularityData(table: Table, request: ReadRequest): CircularityData {
  const label = readLabel(table, request.label);
  const present = label.values.reduce((count, value) => count + (Number.isNaN(value) ? 0 : 1), 0);
  if (present < FEWEST_ROWS) {
    const message = `only ${present} rows have a label in ${label.name}; curves need ${FEWEST_ROWS} or more.`;
    throw new StatError("TooFewRows", message, "collect more rows, or look at a table of label by feature.");
  }
  const versions = request.features === undefined ? findLabelVersions(table, request.notFeatures) : [];
  const names = request.features ?? [...table.columns.keys()].filter((name) => !request.notFeatures.includes(name));
  const leftOut: LeftOut[] = [];
  const kept: Feature[] = [];
  for (const name of names) {
    const cells = column(table, name);
    if (name === request.label) {
      throw new StatError("LabelAsFeature", `${name} is the label and cannot be a feature.`, "take it off `features`.");
    }
    const fault = versions.includes(name) ? versionOf(name, label.name) : faultOf(name, cells, kept);
    if (fault !== undefined) leftOut.push(fault);
    else kept.push(describeFeature(name, cells, label.values));
  }
  if (kept.length === 0) throw noFeatures(label.name, leftOut);
  const strength = ({ correlation, association }: Feature): number =>
    Number.isNaN(correlation) ? association : Math.abs(correlation);
  const features = kept
    .map((feature, i) => ({ feature, i }))
    .sort((a, b) => strength(b.feature) - strength(a.feature) || a.i - b.i)
    .map(({ feature }) => feature);
  return { label, features, leftOut, diagnostics: describeLeftOut(leftOut, request.features !== undefined) };
}

function readLabel(table: Table, name: string): Label {
  const cells = column(table, name);
  let values: Float64Array;
  if (cells.kind === "numeric") values = cells.values;
  else if (cells.ordered || cells.levels.length === 2) {
    values = Float64Array.from(cells.codes, (code) => (code < 0 ? Number.NaN : code));
  } else {
    const message = `the label ${name} is text with ${cells.levels.length} unordered classes (${cells.levels.slice(0, 4).join(", ")}${cells.levels.length > 4 ? ", …" : ""}).`;
    throw new StatError(
      "LabelNotNumeric",
      message,
      `test one class at a time, e.g. \`mutateTable: "is_first = ${name} == '${cells.levels[0] ?? ""}'"\` \`label: is_first\`, or give numbers.`,
    );
  }
  const first = values.find((value) => !Number.isNaN(value));
  if (first === undefined) {
    throw new StatError("LabelMissing", `the label ${name} is missing in every row.`, "name another column.");
  }
  if (values.every((value) => Number.isNaN(value) || value === first)) {
    throw new StatError("LabelConstant", `the label ${name} is ${first} in every row.`, "name a label that varies.");
  }
  const infinite = values.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
  if (infinite >= 0) {
    const message = `the label ${name} is infinite in row ${infinite + 1}.`;
    throw new StatError("LabelInfinite", message, "remove that row or correct it.");
  }
  return { name, values };
}

const versionOf = (name: string, label: string): LeftOut => ({
  name,
  reason: "label-version",
  because: `looks like another version or a prediction of ${label}`,
});

function faultOf(name: string, cells: Column, kept: readonly Feature[]): LeftOut | undefined {
  const rows = cells.kind === "numeric" ? cells.values.length : cells.codes.length;
  let missing = 0;
  for (let i = 0; i < rows; i++) if (isMissing(cells, i)) missing += 1;
  if (missing === rows) return { name, reason: "missing", because: "is missing in every row" };
  if (missing > MOST_MISSING * rows) {
    return { name, reason: "missing", because: `is missing in ${Math.round((100 * missing) / rows)}% of the rows` };
  }
  const distinct = countDistinct(cells);
  if (distinct === 1) return { name, reason: "constant", because: "has the same value in every row" };
  if (cells.kind === "factor" && distinct > MOST_LEVELS) {
    return { name, reason: "identifier", because: `has ${distinct} different texts, as names or identifiers do` };
  }
  const twin = kept.find(({ column: other }) => sameCells(other, cells));
  if (twin !== undefined) return { name, reason: "duplicate", because: `is identical to ${twin.name}` };
  return undefined;
}

export function countDistinct(cells: Column): number {
  const distinct = new Set<number>();
  for (const value of cells.kind === "numeric" ? cells.values : cells.codes) {
    if (cells.kind === "numeric" ? !Number.isNaN(value) : value >= 0) distinct.add(value);
  }
  return distinct.size;
}

function sameCells(a: Column, b: Column): boolean {
  if (a.kind === "numeric" && b.kind === "numeric") return a.values.every((value, i) => Object.is(value, b.values[i]));
  if (a.kind !== "factor" || b.kind !== "factor") return false;
  return a.codes.every((code, i) => (code < 0 ? b.codes[i]! < 0 : a.levels[code] === b.levels[b.codes[i]!]));
}

function describeFeature(name: string, cells: Column, label: Float64Array): Feature {
  const both = Int32Array.from(label.keys()).filter((i) => !Number.isNaN(label[i]!) && !isMissing(cells, i));
  const y = Float64Array.from(both, (i) => label[i]!);
  const x = Float64Array.from(both, (i) => (cells.kind === "numeric" ? cells.values[i]! : cells.codes[i]!));
  const distinct = countDistinct(cells);
  const numeric = cells.kind === "numeric" || distinct === 2 || cells.ordered;
  return {
    name,
    column: cells,
    distinct,
    correlation: numeric ? correlate(x, y) : Number.NaN,
    association: correlationRatio(cells.kind === "numeric" ? binOf(x) : x, y),
  };
}

/** Bins of equal counts; ties stay together. */
function binOf(x: Float64Array): Float64Array {
  const sorted = x.slice().sort();
  const edges = Float64Array.from({ length: BINS - 1 }, (_, b) => sorted[Math.floor(((b + 1) * x.length) / BINS)]!);
  return x.map((value) => edges.reduce((bin, edge) => bin + (value >= edge ? 1 : 0), 0));
}

/** √ε², ε² = 1 - (1 - η²)(n - 1)/(n - bins), and 0 where that is negative. */
function correlationRatio(bins: Float64Array, y: Float64Array): number {
  const sums = new Map<number, { n: number; sum: number }>();
  let total = 0;
  for (let i = 0; i < y.length; i++) {
    const own = sums.get(bins[i]!) ?? { n: 0, sum: 0 };
    own.n += 1;
    own.sum += y[i]!;
    total += y[i]!;
    sums.set(bins[i]!, own);
  }
  const mean = total / y.length;
  let all = 0;
  for (const value of y) all += (value - mean) ** 2;
  let between = 0;
  for (const { n, sum } of sums.values()) between += n * (sum / n - mean) ** 2;
  const left = ((1 - between / all) * (y.length - 1)) / (y.length - sums.size);
  return Math.sqrt(Math.max(0, 1 - left));
}

function noFeatures(label: string, leftOut: readonly LeftOut[]): StatError {
  const why = leftOut
    .slice(0, 3)
    .map(({ name, because }) => `${name} ${because}`)
    .join("; ");
  return new StatError(
    "NoFeatures",
    `no column is left that could define ${label}${why === "" ? "." : `: ${why}.`}`,
    "name features that vary with `features`.",
  );
}

function describeLeftOut(leftOut: readonly LeftOut[], given: boolean): Diagnostic[] {
  const told = (reasons: readonly LeftOut["reason"][]): readonly LeftOut[] =>
    leftOut.filter(({ reason }) => reasons.includes(reason));
  const list = (some: readonly LeftOut[]): string => some.map(({ name, because }) => `${name} ${because}`).join("; ");
  const made: Diagnostic[] = [];
  const broken = told(["constant", "missing", "duplicate", "identifier"]);
  if (broken.length > 0) {
    const make = given ? warning : note;
    made.push(make("FeaturesLeftOut", `left out: ${list(broken)}.`, given ? "take them off `features`." : ""));
  }
  const versions = told(["label-version"]);
  if (versions.length > 0) {
    const names = versions.map(({ name }) => name).join(", ");
    made.push(
      note(
        "LabelVersions",
        `left out: ${names}, which by name and values look like other versions or predictions of the label.`,
        "name the features with `features` to test them too.",
      ),
    );
  }
  return made;
}
