/** Is the difference between systems real? What the data hold decides how they are compared:
 *    texts with references          the metric of the whole text, sentences swapped (texts.ts)
 *    labels (`gold`, `pred`)        F1, MCC, accuracy, … from the labels of each item (labels.ts)
 *    votes between two systems      wins and losses; strengths of more than two (preferences.ts)
 *    scores, `unpaired`             independent samples (unpaired.ts)
 *    scores of raters, or `by`      a mixed model of all scores (by-model.ts)
 *    other scores                   paired items, or clusters of them (by-items.ts)
 *  Reference: Dror et al. (2018), ACL; Card et al. (2020), EMNLP; Riezler & Hagmann (2021), chapter 4.
 *  Oracle:    the tests' own; this file only chooses. */

import { asFactor, type Table } from "../../data/table.ts";
import { prepareTable } from "../../formula/evaluate/evaluate.ts";
import { findMetric, unknownMetric } from "../../metrics/catalogue.ts";
import type { References } from "../../metrics/text-scorer.ts";
import type { TriesChoice } from "../../metrics/tries/tries.ts";
import { COMPARE } from "../../question/compare.ts";
import { doesNothing, refuseAlone, refuseUnknown, refuseUnused } from "../../question/refuse.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { addToResult, assumedLine } from "../../result/result.ts";
import { farValues } from "../../study/checks/odd-scores.ts";
import { isExpense } from "../../study/lexicon/metrics.ts";
import { matchMetric } from "../../study/metric-column.ts";
import { scoreNumbers } from "../../study/score-facts.ts";
import { acrossMetrics } from "./across-metrics.ts";
import { changeComparison, refuseVerdict } from "./assemble.ts";
import { compareTableByModel } from "./by-model.ts";
import {
  type ComparedFiles,
  chooseColumns,
  chooseSystems,
  chooseUnits,
  direction,
  gather,
  gatherTries,
  leaveFreshRatersOut,
  leaveIdleRatersOut,
  leaveUnscoredOut,
  type Merged,
} from "./columns.ts";
import type { CompareOptions, Comparison } from "./comparison.ts";
import { modelChoices, pairwise } from "./comparison.ts";
import { refusePairs } from "./conclude.ts";
import { type Compared, tellBeyondSteps, withIdleOptions, withLookAlikes } from "./diagnose.ts";
import { choosePredictions, compareLabels, scoreRuns } from "./labels.ts";
import type { ComparisonColumns } from "./matching/matching.ts";
import { textsOf } from "./pair/differing.ts";
import type { Direction } from "./pair/verdict.ts";
import { comparePreferences } from "./preferences.ts";
import {
  areRowsItems,
  directionSource,
  findDiffering,
  tellAssumed,
  tellOneRater,
  unknownDirection,
} from "./reading/assumed.ts";
import { tellCareless } from "./reading/careless.ts";
import { findFault, warnOfRatersApart } from "./reading/checks.ts";
import { findConditions } from "./reading/conditions.ts";
import { leaveCopiedRunsOut, leaveCopiedTextsOut } from "./reading/copies.ts";
import { findDocuments, setFewClustersAside } from "./reading/groups.ts";
import { checkOrder, type OrderCheck, tellOrder } from "./reading/order.ts";
import { findFixedPositions } from "./reading/positions.ts";
import { leaveOtherTasksOut, tellOnlyScore, tellOtherScores, tellPeoplesLabels } from "./reading/reading.ts";
import { withoutItem, withRowItems } from "./reading/row-items.ts";
import { compareSettings } from "./reading/settings.ts";
import { groupRuns } from "./reading/text-runs.ts";
import { flakinessOf, readTries, tellFlaky } from "./reading/tries.ts";
import { nameUnits } from "./reading/units.ts";
import { tellWeights } from "./reading/weights.ts";
import { compareTable, refuseLostGroups } from "./table.ts";
import { gridCells, gridTable } from "./tables.ts";
import { compareTextColumns, compareTexts, orderTexts } from "./texts.ts";
import { compareUnpaired } from "./unpaired.ts";
import { compareMissing } from "./unscored.ts";

/** Outputs of systems, the baseline first, and what they should have said: one text a segment everywhere. */
export interface Texts {
  readonly hypotheses: Readonly<Record<string, readonly string[]>>;
  readonly references: References;
  /** The document of each segment: segments of one document are correlated. */
  readonly documents?: readonly string[] | undefined;
}

/** Files as an importer found them, a table, or texts. */
export type CompareInput = ComparedFiles | Texts;

export function compare(data: CompareInput, options: CompareOptions = {}): Comparison {
  refuseUnknown(COMPARE, options);
  refuseAlone(COMPARE.options, options);
  const result = compareAny(data, options);
  return withIdleOptions(withLookAlikes(result), options);
}

function compareAny(data: CompareInput, options: CompareOptions): Comparison {
  if ("hypotheses" in data) return compareHypotheses(data, options);
  const metrics = options.gold === undefined ? listMetrics(data, options) : [];
  if (metrics.length > 1) return compareMetrics(data, metrics, options);
  const [only = options.metric] = metrics;
  const result = compareScores(data, only === undefined ? options : { ...options, metric: only });
  return only !== undefined && options.metric === "all" && metrics.length === 1
    ? addToResult(result, { reading: [tellOnlyScore(only)] })
    : result;
}

/** Option `metric: all`, or a list of names that is no name itself. */
function listMetrics(data: Exclude<CompareInput, Texts>, options: CompareOptions): string[] {
  const { metric } = options;
  if (metric === undefined || (metric !== "all" && !metric.includes(","))) return [];
  const { table, metrics, otherMetrics = [] } = gather(data, { ...options, metric: undefined });
  const all = [...metrics, ...otherMetrics];
  if (table.columns.has(metric) || matchMetric(metric, all).length > 0) return [];
  if (metric !== "all") return metric.split(",").map((name) => name.trim());
  const expenses = [...table.columns].flatMap(([name, { kind }]) =>
    kind === "numeric" && isExpense(name) ? [name] : [],
  );
  return [...new Set([...all.map(({ name }) => name), ...expenses])];
}

/** The first metric's comparison, with what the others say beside it: all at a level that keeps α over the metrics. */
function compareMetrics(
  data: Exclude<CompareInput, Texts>,
  metrics: readonly string[],
  options: CompareOptions,
): Comparison {
  const alone: string[] = [];
  const own = metrics.flatMap((metric) => {
    try {
      return [{ metric, comparison: compareScores(data, { ...options, metric }, new Set(["OtherScores"])) }];
    } catch (error) {
      // of all metrics the one that a single system has is named, not compared
      if (options.metric !== "all" || !(error instanceof StatError) || error.code !== "OneSystem") throw error;
      alone.push(error.message);
      return [];
    }
  });
  if (own.length === 0) throw new StatError("OneSystem", alone[0]!, "Compare by a metric that two systems have.");
  const { alpha = 0.05, confidence = 0.95, adjust } = options;
  const joint = adjust === "none" || own.length === 1 ? undefined : acrossMetrics(own.map((one) => one.comparison));
  const level = joint?.levelFor(alpha);
  const compared = own.map(({ metric, comparison: plain }) => {
    const comparison =
      joint === undefined
        ? plain
        : compareScores(
            data,
            { ...options, metric, alpha: level, confidence: 1 - joint.levelFor(1 - confidence) },
            new Set(["OtherScores"]),
          );
    return { comparison, cells: gridCells(comparison, comparison.signature.options.columns?.task) };
  });
  const [first] = compared;
  const adjusted =
    level === undefined
      ? "p, verdicts and intervals are not adjusted for the number of metrics."
      : `Verdicts and intervals hold for all ${compared.length} metrics at once: each metric has α = ${formatNumber(level)} (max-T over the metrics), and p is adjusted within its metric only.`;
  return addToResult(first!.comparison, {
    tables: [gridTable(compared, level)],
    screenTables: [gridTable(compared, level)],
    notes: [adjusted],
    reading: alone.map((message) => note("MetricOfOne", message, "Run it for the others to compare by it.")),
    published: { grid: compared.flatMap(({ cells }) => cells) },
  });
}

/** `unsaid`: codes of what is known already. */
function compareScores(
  data: Exclude<CompareInput, Texts>,
  given: CompareOptions,
  unsaid: ReadonlySet<string> = new Set(),
): Comparison {
  const { read, tries, rest } = gatherTries(data, given);
  const { merged: gathered, options: own } = withoutItem(read, rest);
  const options = tries === undefined ? withPredictions(gathered, own) : own;
  const merged = withRowItems(gathered, options, rest.item === "none");
  const table = prepareTable(merged.table, options);
  const { result, notes: found } = compareRows(merged, table, { options, tries });
  refuseIdleScore(table, result.signature.options.columns?.score, options);
  const settings = compareSettings(merged, result, table);
  const order = orderOf(table, result, options);
  const told = [...settings.notes, ...(order === undefined ? [] : tellOrder(order))];
  const notes = [...(merged.notes ?? []), ...found, ...unknownDirection(result), ...told];
  // an option said what the importer did not see
  const reading = [...merged.diagnostics, ...notes].filter(({ code }) => code !== "NoScoreFound" && !unsaid.has(code));
  const assumed = [
    ...merged.parts.flatMap(({ imported }) => imported.assumptions),
    ...(options === own ? [] : [`${options.gold} has the gold labels and ${options.pred} the predicted ones`]),
    ...assumedOf({ ...merged, table }, result, options),
  ];
  return addToResult(result, {
    reading,
    assumed,
    notes: assumedLine(assumed),
    published: { ...settings.published, order },
    ...textsIn(table, result, options),
  });
}

/** A column that is named as the score, where the metric that is named stands in another one. */
export function refuseIdleScore(table: Table, used: string | undefined, { score, metric }: CompareOptions): void {
  if (score === undefined || metric === undefined || used === undefined || used === score) return;
  if (table.columns.has(score) && table.columns.has(used))
    throw doesNothing("score", score, `next to option \`metric: ${metric}\`, whose scores stand in column ${used}`);
}

/** Of paired scores whose rows carry times. */
function orderOf(
  table: Table,
  { paired, main, signature }: Comparison,
  { time }: CompareOptions,
): OrderCheck | undefined {
  const { columns } = signature.options;
  const { system, item, score, opponent } = columns ?? {};
  const isScored =
    system !== undefined &&
    item !== undefined &&
    score !== undefined &&
    opponent === undefined &&
    table.columns.has(score);
  const order =
    isScored && paired
      ? checkOrder(table, { ...columns, system, item, score }, { systems: [main.a, main.b], time })
      : undefined;
  if (order === undefined && time !== undefined && !(isScored && paired && time === "none"))
    throw doesNothing(
      "time",
      time,
      "here: an order is checked where systems without raters have scores of the same items",
    );
  return order;
}

/** Labels beside what was predicted, and no score, are compared as such unless another column is asked for. */
function withPredictions({ roles, metrics }: Merged, options: CompareOptions): CompareOptions {
  const { label, prediction } = roles;
  const { gold, pred, metric } = options;
  if (gold !== undefined || pred !== undefined || label === undefined || prediction === undefined) return options;
  const asked = metric === undefined ? metrics.length === 0 : findMetric(metric)?.kind === "labels";
  return asked && !metrics.some(({ name }) => name === metric)
    ? { ...options, gold: label, pred: [prediction] }
    : options;
}

/** What the systems were given and said, where it was asked for and the columns are there. */
function textsIn(table: Table, result: Comparison, { texts }: CompareOptions): { fields?: object } {
  if (!texts || result.texts !== undefined) return {};
  const { columns = {} } = result.signature.options;
  const { system, score, item = columns.prompt ?? columns.battle, task } = columns;
  if (system === undefined || item === undefined || score === undefined || !table.columns.has(score)) return {};
  const own = { system, item, score, task };
  const names = result.systems.map(({ name }) => name);
  return { fields: { texts: textsOf(table, own, names) } };
}

/** What nobody said and the comparison took for granted. */
function assumedOf(merged: Merged, result: Comparison, options: CompareOptions): string[] {
  const { columns } = result.signature.options;
  const oneRater = tellOneRater(merged.table, columns?.rater);
  if (columns?.battle !== undefined && columns.cluster !== undefined && options.cluster === undefined)
    return [...oneRater, `Votes are clustered by ${columns.cluster}.`];
  if (columns?.item === undefined || columns.score === undefined || columns.system === undefined) return oneRater;
  const own = merged.metrics.find(({ name }) => name === columns.score);
  const named = [options.item, options.cluster].filter((name) => name !== undefined);
  const averaged = result.diagnostics.some(({ code }) => code === "RepeatsAveraged");
  const units = { ...columns, system: columns.system, item: columns.item, score: columns.score };
  const taken = {
    columns: units,
    higherIsBetter: result.higherIsBetter,
    told: options.higherIsBetter !== undefined,
    knownBy: directionSource(merged.format, own),
    named: new Set(named),
    n: result.n,
    lost: result.itemsLost,
    units: result.units,
    paired: result.paired,
    averaged,
    differing: averaged && merged.table.columns.has(units.score) ? findDiffering(merged.table, units) : undefined,
    clusters: result.clusters,
    byRow: options.byRow === true,
  };
  return [...tellAssumed({ ...taken, ofRows: areRowsItems(merged.parts) }), ...oneRater];
}

/** What the rows are decides how they are compared: labels, votes, or scores. */
function compareRows(
  merged: Merged,
  whole: Table,
  { options, tries }: { readonly options: CompareOptions; readonly tries: TriesChoice | undefined },
): Compared {
  const { roles } = merged;
  const choices = pairwise(options);
  if (tries === undefined && (options.gold !== undefined || options.pred !== undefined)) {
    refuseUnused(COMPARE, options, "labels");
    const runs = scoreRuns(merged, whole, options);
    if (runs !== undefined) return compareRows(runs.merged, runs.table, { options: runs.options, tries });
    return { result: compareLabelRows(merged, whole, options), notes: [] };
  }
  const found = chooseColumns(merged, whole, options);
  const { table: own, notes: tasks } = leaveOtherTasksOut(whole, found);
  const spelling = { table: own };
  const wanted = chooseSystems(spelling.table, { system: found.system, options });
  const { systems, notes: lost } = leaveUnscoredOut(wanted, spelling.table, { columns: found, options });
  if (roles.opponent !== undefined && roles.cluster !== undefined) {
    refuseUnused(COMPARE, options, "votes");
    const { system, score, item: prompt, rater } = found;
    const units = { battle: roles.cluster, prompt, rater };
    const { cluster, table: votes, notes } = findDocuments(spelling.table, { ...units, system, score }, options);
    const own = { system, opponent: roles.opponent, ...units, score, cluster };
    const result = comparePreferences(votes, own, { ...choices, systems });
    if (options.test !== undefined && result.main.p !== result.main.test.p && result.pairs.length === 1)
      throw doesNothing(
        "test",
        options.test,
        "where votes repeat raters, prompts or clusters, which decide (option `scope` leaves them out)",
      );
    const fixed = findFixedPositions(votes, own, systems);
    return { result: fixed === undefined ? result : refuseVerdict(result, fixed.fault, fixed.isFixed), notes };
  }
  refusePairs(systems.length, options.baseline === undefined ? "all" : "baseline");
  const { columns: kept, notes: groups } = setFewClustersAside(found, spelling.table, options);
  const rated = leaveIdleRatersOut(merged, { columns: kept, table: spelling.table }, options);
  const { columns: named, table, notes: copied } = leaveCopiedRunsOut(rated.table, rated.columns);
  const others = tellOtherScores(named.score, [...merged.metrics, ...(merged.otherMetrics ?? [])], options.metric);
  const people = tellPeoplesLabels(table, named.score);
  const far = farValues(named.score, scoreNumbers(table, named.score));
  const apart = warnOfRatersApart({ table, columns: named, systems });
  const fault = findFault({ table, columns: named, systems, where: options.where });
  const { columns: judged, notes: fresh } = leaveFreshRatersOut(table, named);
  const { columns, conditions, averaged } = findConditions(table, judged, options);
  const chosen: CompareOptions = averaged ? { ...options, runKind: "draws" } : options;
  const careless = fault === undefined ? tellCareless(table, columns) : [];
  const weights = tellWeights(table, Object.values(columns), options);
  const notes = [
    ...weights,
    ...careless,
    ...tasks,
    ...lost,
    ...groups,
    ...rated.notes,
    ...copied,
    ...others,
    ...people,
    ...far,
    ...apart,
    ...fresh,
  ];
  const rows = isRowItem(merged, columns.item, options);
  const shared = {
    systems,
    ...nameUnits(columns.item, rows),
    higherIsBetter: direction(merged, columns.score, options),
  };
  if (tries !== undefined) {
    const { higherIsBetter } = shared;
    const own = readTries(
      { table, columns, systems },
      { tries, options, higherIsBetter, prediction: roles.prediction },
    );
    const plain = { ...shared, higherIsBetter: own.higherIsBetter };
    const result = compareScoreRows(own.table, own.columns, { options, shared: plain });
    return { result, notes: [...notes, ...own.notes] };
  }
  notes.push(...tellFlaky(flakinessOf({ table, columns, systems })));
  const comparing =
    (units: ComparisonColumns) =>
    (rows: Table, own = systems): Comparison =>
      compareScoreRows(rows, units, { options: chosen, shared: { ...shared, systems: own } });
  const compareIn = comparing(columns);
  if (fault !== undefined) return { result: refuseVerdict(compareIn(table), fault), notes };
  const compareBy = (units: ComparisonColumns): Compared =>
    compareMissing(comparing(units), { table, columns: units, systems, options: chosen });
  const { result, notes: told } = compareBy(columns);
  return {
    result: conditions.length === 0 ? result : changeComparison(result, { conditions }),
    notes: [...notes, ...told, ...tellBeyondSteps(result, scoreNumbers(table, columns.score))],
  };
}

interface ScoreComparison {
  readonly options: CompareOptions;
  readonly shared: { readonly systems: readonly string[]; readonly higherIsBetter: Direction };
}

/** The way of comparing that the columns and the options ask for. */
function compareScoreRows(table: Table, columns: ComparisonColumns, { options, shared }: ScoreComparison): Comparison {
  const choices = pairwise(options);
  const kind = options.unpaired ? "unpaired" : usesModel(columns, table, options) ? "model" : "items";
  refuseUnused(COMPARE, options, kind);
  if (kind === "unpaired")
    return compareUnpaired(table, columns, {
      ...choices,
      ...shared,
      by: options.by,
      cuts: options.cut,
      interval: options.interval,
    });
  const result =
    kind === "items"
      ? compareTable(table, columns, { ...choices, ...shared })
      : compareTableByModel(table, { ...columns, slices: [] }, { ...shared, ...modelChoices(options) });
  refuseLostGroups(result, options);
  return result;
}

/** Independent samples whose items no column names: each row counts as one. */
const isRowItem = ({ parts }: Merged, item: string, { unpaired }: CompareOptions): boolean =>
  unpaired === true && /^row(_number)?$/.test(item) && parts.every(({ imported }) => !imported.table.columns.has(item));

/** A property to cross with, or raters who each scored several items: both need a model. */
function usesModel({ rater }: ComparisonColumns, table: Table, { test, by }: CompareOptions): boolean {
  if (test !== undefined) return test === "model";
  if (by !== undefined) return true;
  const cells = rater === undefined ? undefined : table.columns.get(rater);
  return cells !== undefined && asFactor(cells).levels.length > 1;
}

function compareHypotheses({ hypotheses: given, references, documents }: Texts, options: CompareOptions): Comparison {
  const found = groupRuns(Object.keys(given));
  const apart = found !== undefined && options.run === "none";
  refuseUnused(COMPARE, apart ? { ...options, run: undefined } : options, "texts");
  const names = orderTexts([...((apart ? undefined : found)?.keys() ?? Object.keys(given))], options);
  const runs = apart || found === undefined ? undefined : new Map(names.map((name) => [name, found.get(name)!]));
  const hypotheses = Object.fromEntries([...(runs?.values() ?? [names])].flat().map((name) => [name, given[name]!]));
  const metric = options.metric === undefined ? ({ kind: "text", name: "bleu" } as const) : findMetric(options.metric);
  if (metric === undefined) throw unknownMetric(options.metric!);
  if (metric.kind !== "text") {
    throw new StatError(
      "BadOption",
      `option \`metric\` ${options.metric} with option \`references\`: texts are compared by bleu, chrf, chrf++, ter, wer or cer.`,
      "For labels give a table with option `gold` and option `pred`.",
    );
  }
  if (metric.name !== "bleu" && options.tokenise !== undefined)
    throw doesNothing("tokenise", options.tokenise, `with ${metric.name}: only BLEU counts tokens of a kind`);
  const own = documents === undefined ? {} : { documents };
  const { tokenise, texts = false } = options;
  const text = { metric: metric.name, tokenise };
  const { runs: counted, notes } = leaveCopiedTextsOut(runs, hypotheses);
  const compared = compareTexts(hypotheses, references, { ...pairwise(options), text, texts, runs: counted, ...own });
  const result = addToResult(compared, { reading: notes });
  const assumed = [...(runs ?? [])].map(
    ([name, files]) => `${files.join(", ")} ${files.length === 1 ? "is a run" : "are runs"} of ${name}.`,
  );
  return assumed.length === 0 ? result : addToResult(result, { assumed, notes: assumedLine(assumed) });
}

function compareLabelRows(merged: Merged, table: Table, options: CompareOptions): Comparison {
  const { positive } = options;
  const metric = options.metric ?? (positive === undefined ? "accuracy" : "f1");
  const { long, roles, gold, predicted } = choosePredictions(merged, table, options);
  const choice = findMetric(metric);
  if (choice?.kind !== "labels" && choice?.kind !== "text") throw unknownMetric(metric);
  const { system, item, cluster } = chooseUnits({ ...merged, roles }, long, options);
  if (choice.kind === "text") {
    const systems = chooseSystems(long, { system, options });
    const columns = { system, item, text: predicted, reference: gold, cluster };
    return compareTextColumns(long, columns, {
      ...pairwise(options),
      systems,
      metric: choice.name,
      texts: options.texts,
    });
  }
  return compareLabels(
    long,
    { system, item, gold, predicted, ...(cluster === undefined ? {} : { cluster }) },
    {
      ...pairwise(options),
      systems: chooseSystems(long, { system, options }),
      metric: choice,
      labels: positive === undefined ? {} : { positive },
      texts: options.texts === true,
    },
  );
}
