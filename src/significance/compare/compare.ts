/** Is the difference between systems real? What the data hold decides how they are compared:
 *    texts with references          the metric of the whole text, sentences swapped (texts.ts)
 *    labels (`gold`, `pred`)        F1, MCC, accuracy, … from the labels of each item (labels.ts)
 *    votes between two systems      wins and losses; strengths of more than two (preferences.ts)
 *    scores, `unpaired`             independent samples (unpaired.ts)
 *    scores of raters, or `by`      a mixed model of all scores (by-model.ts)
 *    other scores                   paired items, or clusters of them (by-items.ts)
 *  Reference: Dror et al. (2018), ACL; Card et al. (2020), EMNLP; Riezler & Hagmann (2021), chapter 4.
 *  Oracle:    the tests' own; this file only chooses. */

import type { Imported, Roles } from "../../data/imported.ts";
import { mergeImported, type NamedImport } from "../../data/merge.ts";
import { pivotLonger } from "../../data/reshape.ts";
import { understandTable } from "../../data/roles/understand.ts";
import { factorColumn, selectColumns, type Table, withColumn } from "../../data/table.ts";
import { prepareTable } from "../../formula/evaluate/evaluate.ts";
import { findMetric, unknownMetric } from "../../metrics/catalogue.ts";
import type { References } from "../../metrics/text-scorer.ts";
import { makeRng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import { addToResult, type Diagnostic } from "../../result/result.ts";
import { compareTableByModel, type ModelTableOptions } from "./by-model.ts";
import {
  chooseColumns,
  chooseSystems,
  chooseUnits,
  direction,
  leaveUnscoredOut,
  type Merged,
  requireColumn,
  setFewClustersAside,
  withNamedColumns,
  withRowItems,
} from "./columns.ts";
import type { CompareOptions, Comparison, PairwiseOptions } from "./comparison.ts";

import { compareLabels } from "./labels.ts";
import type { ComparisonColumns } from "./matching/matching.ts";
import { comparePreferences } from "./preferences.ts";
import { compareTable } from "./table.ts";
import { compareTexts } from "./texts.ts";
import { compareUnpaired } from "./unpaired.ts";

/** Outputs of systems, the baseline first, and what they should have said: one text a segment everywhere. */
export interface Texts {
  readonly hypotheses: Readonly<Record<string, readonly string[]>>;
  readonly references: References;
  /** The document of each segment: segments of one document hang together. */
  readonly documents?: readonly string[] | undefined;
}

/** What an importer found, one or several of them (a file each, by the path that names it), a table, or texts. */
export type CompareInput = Imported | NamedImport | readonly (Imported | NamedImport)[] | Table | Texts;

export function compare(data: CompareInput, options: CompareOptions = {}): Comparison {
  checkOptions(options);
  if ("hypotheses" in data) return compareHypotheses(data, options);
  const merged = withRowItems(gather(data, options), options);
  const table = prepareTable(merged.table, options);
  const { result, notes } = compareRows(merged, table, options);
  // an option said what the importer did not see
  const reading = [...merged.diagnostics, ...notes].filter(({ code }) => code !== "NoScoreFound");
  return addToResult(result, { reading, assumed: merged.parts.flatMap(({ imported }) => imported.assumptions) });
}

/** Options that would be ignored, or that contradict each other. */
function checkOptions({ by, cut, test, slice = [], unpaired }: CompareOptions): void {
  const wrong = (message: string, fix: string): never => {
    throw new StatError("BadOption", message, fix);
  };
  const model = by !== undefined || test === "model";
  if (cut !== undefined && by === undefined)
    wrong("option `cut` without option `by`: nothing to cut.", "Name a numeric column with option `by`.");
  if (by !== undefined && test !== undefined && test !== "model")
    wrong(
      `option \`by\` compares with a mixed model, not with option \`test: ${test}\`.`,
      "Leave option `test` out, or use option `slice`.",
    );
  if (unpaired && model) wrong("option `unpaired` and a mixed model exclude each other.", "Leave one of them out.");
  if (slice.length > 0 && (model || unpaired))
    wrong(
      `option \`slice\` does not go with ${unpaired ? "option `unpaired`" : "a mixed model"}.`,
      "Use option `by`, or option `where` for one part at a time.",
    );
}

/** Tukey's adjustment rests on the joint distribution of a model's means. */
function refuseTukey({ adjust }: CompareOptions): void {
  if (adjust !== "tukey") return;
  const fix = "Use option `adjust: holm`, or option `test: model`.";
  throw new StatError("BadOption", "option `adjust: tukey` is for mixed models.", fix);
}

const isTable = (data: Imported | Table): data is Table => !("roles" in data);

function gather(data: Exclude<CompareInput, Texts>, options: CompareOptions): Merged {
  const several: readonly (Imported | NamedImport | Table)[] = Array.isArray(data) ? data : [data];
  const named = several.map((part): NamedImport => {
    if ("imported" in part) return part;
    if (!isTable(part)) return { path: part.files[0] ?? "system", imported: part };
    return { path: "table", imported: { ...understandTable(part), format: "csv", files: [], summary: "" } };
  });
  const parts = named.length === 1 ? [withNamedColumns(named[0]!, options)] : named;
  return { ...mergeImported(parts), parts };
}

interface Compared {
  readonly result: Comparison;
  readonly notes: readonly Diagnostic[];
}

/** What the rows are decides how they are compared: labels, votes, or scores. */
function compareRows(merged: Merged, table: Table, options: CompareOptions): Compared {
  const { roles } = merged;
  const choices = pairwise(options);
  if (options.gold !== undefined || options.pred !== undefined) {
    refuseTukey(options);
    return { result: compareLabelRows(merged, table, options), notes: [] };
  }
  const found = chooseColumns(merged, table, options);
  const wanted = chooseSystems(table, { system: found.system, options });
  const { systems, notes: lost } = leaveUnscoredOut(wanted, table, { columns: found, options });
  if (roles.opponent !== undefined && roles.cluster !== undefined) {
    refuseTukey(options);
    const own = { system: found.system, opponent: roles.opponent, battle: roles.cluster, score: found.score };
    return { result: comparePreferences(table, own, { ...choices, systems }), notes: [] };
  }
  const { columns, notes: groups } = setFewClustersAside(found, table, options);
  const notes = [...lost, ...groups];
  const shared = { systems, higherIsBetter: direction(merged, columns.score, options) };
  if (options.unpaired) {
    refuseTukey(options);
    return { result: compareUnpaired(table, columns, { ...choices, ...shared }), notes };
  }
  if (!usesModel(columns, table, options)) {
    refuseTukey(options);
    return { result: compareTable(table, columns, { ...choices, ...shared }), notes };
  }
  if (options.slice !== undefined && options.slice.length > 0) {
    const message = "option `slice` does not go with a mixed model, which several raters need.";
    const fix = "Use option `by`, or option `where` for one part at a time, or option `test: permutation`.";
    throw new StatError("BadOption", message, fix);
  }
  const whole = { ...columns, slices: [] };
  return { result: compareTableByModel(table, whole, { ...shared, ...modelChoices(options) }), notes };
}

/** A property to cross with, or raters who each scored several items: both need a model. */
function usesModel({ rater }: ComparisonColumns, table: Table, { test, by }: CompareOptions): boolean {
  if (test !== undefined) return test === "model";
  if (by !== undefined) return true;
  const cells = rater === undefined ? undefined : table.columns.get(rater);
  return cells !== undefined && (cells.kind === "numeric" || cells.levels.length > 1);
}

/** Swaps and draws: enough that p at .05 is known to ± .004. */
const REPLICATES = 10_000;

function pairwise(options: CompareOptions): PairwiseOptions {
  const { test, adjust, baseline, margin, onProgress } = options;
  const { alpha = 0.05, confidence = 0.95, replicates = REPLICATES, rng = makeRng("1") } = options;
  return {
    alpha,
    confidence,
    replicates,
    ...(adjust === undefined || adjust === "tukey" ? {} : { adjust }),
    ...(test === undefined || test === "model" ? {} : { test }),
    ...(baseline === undefined ? {} : { pairs: "baseline" as const }),
    ...(margin === undefined ? {} : { margin }),
    rng,
    ...(onProgress === undefined ? {} : { onProgress }),
  };
}

function modelChoices(options: CompareOptions): Omit<ModelTableOptions, "systems"> {
  const { alpha = 0.05, confidence = 0.95, by, cut, ddf, adjust, margin, baseline, rng = makeRng("1") } = options;
  return {
    alpha,
    confidence,
    ...(by === undefined ? {} : { by }),
    ...(cut === undefined ? {} : { cuts: cut }),
    ...(ddf === undefined ? {} : { ddf }),
    ...(adjust === undefined ? {} : { adjust }),
    ...(baseline === undefined ? {} : { pairs: "baseline" as const }),
    ...(margin === undefined ? {} : { margin }),
    rng,
  };
}

function compareHypotheses({ hypotheses, references, documents }: Texts, options: CompareOptions): Comparison {
  refuseTukey(options);
  const metric = options.metric === undefined ? ({ kind: "text", name: "bleu" } as const) : findMetric(options.metric);
  if (metric === undefined) throw unknownMetric(options.metric!);
  if (metric.kind !== "text") {
    throw new StatError(
      "BadOption",
      `option \`metric\` ${options.metric} with option \`references\`: texts are compared by bleu, chrf, chrf++ or ter.`,
      "For labels give a table with option `gold` and option `pred`.",
    );
  }
  const own = documents === undefined ? {} : { documents };
  return compareTexts(hypotheses, references, { ...pairwise(options), text: { metric: metric.name }, ...own });
}

function compareLabelRows(merged: Merged, table: Table, options: CompareOptions): Comparison {
  const { gold, pred, positive } = options;
  const metric = options.metric ?? (positive === undefined ? "accuracy" : "f1");
  if (gold === undefined || pred === undefined) {
    const missing = gold === undefined ? "gold" : "pred";
    const fix = "Give both option `gold` and option `pred`.";
    throw new StatError("BadOption", `option \`${missing}\` is missing.`, fix);
  }
  requireColumn(table, "gold", gold);
  // one name may have a comma in it
  const whole = pred.join(",");
  const predicted = table.columns.has(whole) ? [whole] : pred;
  for (const name of predicted) requireColumn(table, "pred", name);
  const choice = findMetric(metric);
  if (choice?.kind !== "labels") throw unknownMetric(metric);
  const { long, roles } = stackPredictions(merged, table, predicted);
  const { system, item, cluster } = chooseUnits({ ...merged, roles }, long, options);
  return compareLabels(
    long,
    {
      system,
      item,
      gold,
      predicted: predicted.length === 1 ? predicted[0]! : PREDICTION,
      ...(cluster === undefined ? {} : { cluster }),
    },
    {
      ...pairwise(options),
      systems: chooseSystems(long, { system, options }),
      metric: choice,
      labels: positive === undefined ? {} : { positive },
    },
  );
}

const PREDICTION = "prediction";

/** One column of predictions for each system: the columns' names are the systems', and without an item column each row is an item. */
function stackPredictions(
  { roles, parts }: Merged,
  table: Table,
  predicted: readonly string[],
): { readonly long: Table; readonly roles: Roles } {
  if (predicted.length === 1) return { long: table, roles };
  const named = parts.find(({ imported }) => imported.roles.system !== undefined)?.imported.roles.system;
  if (named !== undefined) {
    const message = `option \`pred\` ${predicted.join(",")}: a column for each system, but ${named} names systems too.`;
    const fix = "Name one column with option `pred`, or take one system with option `where`.";
    throw new StatError("BadOption", message, fix);
  }
  const item = roles.item ?? "row";
  const kept = [...table.columns.keys()].filter((name) => !["system", PREDICTION].includes(name));
  const rows = factorColumn(Array.from({ length: table.rows }, (_, i) => String(i + 1)));
  const own = selectColumns(table, kept);
  const wide = roles.item === undefined ? withColumn(own, item, rows) : own;
  const long = pivotLonger(wide, { columns: predicted, namesTo: "system", valuesTo: PREDICTION });
  return { long, roles: { ...roles, item, system: "system" } };
}
