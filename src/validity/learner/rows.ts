/** Training and test rows for a learner: complete, with the same columns, and the label taken out of the test rows. */
import {
  asFactor,
  type Column,
  column,
  dropMissing,
  dropUnusedLevels,
  selectColumns,
  type Table,
} from "../../data/table.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { chooseClusters } from "../../study/clusters.ts";
import type { Target } from "./learner.ts";

export interface LearningColumns {
  readonly label: string;
  /** Default: all columns of the training rows but label and cluster. */
  readonly features?: readonly string[] | undefined;
  readonly cluster?: string | undefined;
}

export interface LearningRows {
  /** Features and label. */
  readonly train: Table;
  /** Features only. */
  readonly test: Table;
  readonly target: Target;
  readonly used: readonly string[];
  readonly clusters: Int32Array | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const FEWEST_TRAIN = 10;
const FEWEST_TEST = 5;

export function prepareLearning(train: Table, test: Table, given: LearningColumns): LearningRows {
  const { label, features = [] } = given;
  const found = chooseClusters(test, { told: given.cluster, units: [], taken: [label, ...features] });
  const { cluster } = found;
  const options = { ...given, cluster };
  column(train, label);
  if (!test.columns.has(label)) {
    throw new StatError(
      "UnknownColumn",
      `the test rows have no label "${label}".`,
      "give the test file the column too.",
    );
  }
  const { used, diagnostics } = chooseFeatures(train, test, options);
  const needed = [...used, label];
  const [a, b] = [
    dropMissing(train, needed),
    dropMissing(test, [...needed, ...(cluster === undefined ? [] : [cluster])]),
  ];
  requireRows(a.table.rows, FEWEST_TRAIN, "training");
  requireRows(b.table.rows, FEWEST_TEST, "test");
  const target = readTarget(a.table, b.table, label);
  return {
    train: selectColumns(a.table, needed),
    test: selectColumns(b.table, used),
    target,
    used,
    clusters: cluster === undefined ? undefined : asFactor(column(b.table, cluster)).codes,
    diagnostics: [
      ...found.diagnostics,
      ...diagnostics,
      ...droppedRows(a.dropped, "training"),
      ...droppedRows(b.dropped, "test"),
      ...copiesOfLabel(a.table, used, target),
    ],
  };
}

function chooseFeatures(train: Table, test: Table, { label, cluster, features }: LearningColumns) {
  const diagnostics: Diagnostic[] = [];
  const chosen = features ?? [...train.columns.keys()].filter((name) => name !== label && name !== cluster);
  const used = chosen.filter((name) => {
    const fault =
      faultOfFeature(column(train, name)) ?? (test.columns.has(name) ? undefined : "is not in the test rows");
    if (name === label) throw new StatError("LabelFeature", `"${name}" is the label.`, "take it out of `features`.");
    if (fault === undefined) return true;
    diagnostics.push(note("FeatureSkipped", `"${name}" ${fault} and was left out.`, "nothing can be learned from it."));
    return false;
  });
  return { used, diagnostics };
}

function requireRows(rows: number, fewest: number, which: string): void {
  if (rows >= fewest) return;
  const message = `${rows} complete ${which} row${rows === 1 ? "" : "s"}: too few.`;
  throw new StatError(
    "TooFewRows",
    message,
    `give at least ${fewest}, and fill in or drop columns with missing values.`,
  );
}

function droppedRows(count: number, which: string): Diagnostic[] {
  if (count === 0) return [];
  const message = `${count} ${which} row${count === 1 ? " lacks a value and was" : "s lack a value and were"} left out.`;
  return [note("MissingDropped", message, "fill in the missing values to keep them.")];
}

/** Text, or a number with two values, is a class. */
function readTarget(train: Table, test: Table, label: string): Target {
  const [own, other] = [column(train, label), column(test, label)];
  const distinct = own.kind === "numeric" ? new Set(own.values).size : dropUnusedLevels(own).levels.length;
  if (distinct < 2) {
    const message = `the label "${label}" has the same value in every training row.`;
    throw new StatError("ConstantLabel", message, "give training rows with different labels.");
  }
  if (own.kind === "numeric" && other.kind === "numeric" && distinct > 2) {
    return { kind: "numbers", train: own.values, test: other.values };
  }
  const [a, b] = [dropUnusedLevels(asFactor(own)), dropUnusedLevels(asFactor(other))];
  const levels = [...a.levels, ...b.levels.filter((level) => !a.levels.includes(level))];
  return { kind: "classes", levels, train: asFactor(a, { levels }).codes, test: asFactor(b, { levels }).codes };
}

/** A feature that determines the label and is determined by it. */
function copiesOfLabel(train: Table, used: readonly string[], target: Target): Diagnostic[] {
  const copies = used.filter((name) => {
    const cells = asFactor(column(train, name)).codes;
    const to = new Map<number, number>();
    const from = new Map<number, number>();
    for (let i = 0; i < cells.length; i++) {
      const [x, y] = [cells[i]!, target.train[i]!];
      if ((to.get(x) ?? y) !== y || (from.get(y) ?? x) !== x) return false;
      to.set(x, y);
      from.set(y, x);
    }
    return true;
  });
  if (copies.length === 0) return [];
  const message = `${copies.join(", ")}: a copy of the label under other names.`;
  return [warning("FeatureIsLabel", message, "leave it out; see `testCircularity`.")];
}

/** What makes a feature useless, if anything. */
export function faultOfFeature(cells: Column): string | undefined {
  const seen = new Set<number>();
  const values = cells.kind === "numeric" ? cells.values : cells.codes;
  for (const value of values) if (cells.kind === "numeric" ? !Number.isNaN(value) : value >= 0) seen.add(value);
  if (seen.size === 0) return "has no value in any row";
  return seen.size === 1 ? "has the same value in every row" : undefined;
}
