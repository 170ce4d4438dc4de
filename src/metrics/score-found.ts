/** Scores of the systems in what an importer found: of texts beside their references, of labels, or of a score column, whichever the
 *  metric needs and the columns allow. Without a metric the main score is averaged, and translations beside their reference get BLEU. */

import type { Imported, ImportedMetric, Roles } from "../data/imported.ts";
import { groupKeys } from "../data/keys.ts";
import { withKeyColumn } from "../data/reshape.ts";
import { column, type Table } from "../data/table.ts";
import { prepareTable } from "../formula/evaluate/evaluate.ts";
import { refuseUnknownNames } from "../question/refuse.ts";
import { note, warning } from "../result/diagnostic.ts";
import { StatError } from "../result/error.ts";
import { present } from "../result/present.ts";
import { listNames } from "../result/quote.ts";
import { addToResult, type Diagnostic } from "../result/result.ts";
import { nearest, suggest } from "../result/suggest.ts";
import { countGroups, FEWEST_FOUND_CLUSTERS } from "../study/clusters.ts";
import { matchMetric, metricsInRows, takeMetric } from "../study/metric-column.ts";
import { understandTable } from "../study/understand.ts";
import { findMetric, type MetricChoice, unknownMetric } from "./catalogue.ts";
import { requireScores } from "./codes.ts";
import type { ScoreResult } from "./score.ts";
import { type LabelOptions, numbersOf, scoreColumn, scoreLabels, textsOfColumns } from "./score-table.ts";
import { type ScoreTextOptions, scoreText } from "./score-text.ts";
import { scoreTries } from "./score-tries.ts";
import { findTries, type TriesChoice } from "./tries/tries.ts";

export interface ScoreOptions extends LabelOptions, Omit<ScoreTextOptions, "metric" | "items" | "perItem"> {
  /** bleu, f1, accuracy, …, the name of a score column, or of repeated tries pass@5, pass^3, maj@5, bayes@8. */
  readonly metric?: string | undefined;
  /** Columns by their role; default: as found. */
  readonly score?: string | undefined;
  readonly system?: string | undefined;
  readonly item?: string | undefined;
  /** Documents or passages that items lie in, or "none". */
  readonly cluster?: string | undefined;
  readonly gold?: string | undefined;
  readonly pred?: string | undefined;
  /** Of a score column; default: what the file or the name says. */
  readonly higherIsBetter?: boolean | undefined;
  /** Conditions on rows; who names the score in one has looked at its values. */
  readonly where?: readonly string[] | undefined;
  /** Also every item that flips between the tries of one system. */
  readonly details?: boolean | undefined;
}

type Found = Pick<Imported, "table" | "roles" | "metrics">;

const PREDICTED =
  "predicted prediction predictions pred y_pred predicted_label pred_label output answer response".split(" ");
const MOST_NAMED = 12;

const SCORE_OPTIONS = {
  metric: true,
  score: true,
  system: true,
  item: true,
  cluster: true,
  gold: true,
  pred: true,
  higherIsBetter: true,
  where: true,
  details: true,
  average: true,
  positive: true,
  ignore: true,
  perItem: true,
  confidence: true,
  force: true,
  stem: true,
  tokenise: true,
  smoothing: true,
  smoothingValue: true,
  lowercase: true,
  effectiveOrder: true,
  order: true,
  charOrder: true,
  wordOrder: true,
  beta: true,
  whitespace: true,
  epsSmoothing: true,
  normalized: true,
  noPunctuation: true,
  asianSupport: true,
  caseSensitive: true,
} as const satisfies Record<keyof ScoreOptions, true>;

export function score(data: Table | Found, options: ScoreOptions = {}): ScoreResult {
  refuseUnknownNames("score", options, SCORE_OPTIONS);
  const understood: Found = "roles" in data ? data : understandTable(data);
  const found = { ...understood, table: withKeyColumn(understood.table, options.item) };
  const { where = [] } = options;
  const whole = where.length === 0 ? found : { ...found, table: prepareTable(found.table, { where }) };
  const cluster = chooseCluster(whole, options);
  const result = scoreAny(whole, { ...options, cluster });
  if (result.clusters !== undefined || !result.systems.some(({ ci }) => ci !== undefined)) return result;
  const grouped = warnClusters(whole, options);
  return grouped.length === 0 ? result : addToResult(result, { reading: grouped });
}

/** What items lie in: every item in one level. */
function chooseCluster(
  { table, roles }: Found,
  { cluster: told, item = roles.item }: ScoreOptions,
): string | undefined {
  const name = told ?? roles.cluster;
  if (name === undefined || name === "none" || name === item || roles.opponent !== undefined) return undefined;
  column(table, name);
  const units = item === undefined ? [] : [item];
  const fewest = told === undefined || item === undefined ? FEWEST_FOUND_CLUSTERS : 2;
  return countGroups(table, name, units) >= fewest ? name : undefined;
}

/** Intervals over items that lie in documents or topics are too narrow where those of one are alike. */
function warnClusters({ table, roles }: Found, { cluster: told, item: named }: ScoreOptions): Diagnostic[] {
  const { cluster = told, item = named } = roles;
  if (told === "none" || cluster === undefined || item === undefined || cluster === named) return [];
  const [groups, items] = [[cluster], [item]].map(
    (names) =>
      groupKeys(
        names.map((name) => column(table, name)),
        table.rows,
      ).count,
  );
  if (groups! < 2 || groups! >= items!) return [];
  const message = `the ${items} items lie in ${groups} levels of ${cluster}, and the intervals take items as independent: they are too narrow where items of one ${cluster} are alike.`;
  return [warning("ClustersIgnored", message, "Name clusters that every item lies in one of: option `cluster`.")];
}

function scoreAny(whole: Found, options: ScoreOptions): ScoreResult {
  const inRows = metricsInRows(whole);
  if (inRows.length < 2) return scoreFound(whole, options);
  const tries = triesOf(whole.table, options);
  const name = metricInRows(whole, inRows, tries === undefined ? options.metric : tries.of);
  if (name === undefined) return scoreFound(whole, options);
  const { metric: _, score: __, ...plain } = options;
  const others = tries === undefined ? plain : { ...plain, metric: options.metric!.split(/\sof\s/i)[0]!.trimEnd() };
  const rest = listNames(inRows.filter((own) => own.name !== name).map((own) => own.name));
  const told = note("OtherScores", `scored by ${name}; there is also ${rest}.`, "Option `metric` names another.");
  return addToResult(scoreFound(takeMetric(whole, name), others), { reading: [told] });
}

/** Of metrics one below the other the one that is wanted, or the first; undefined where another column is. */
function metricInRows(
  { table, roles }: Found,
  inRows: readonly ImportedMetric[],
  wanted: string | undefined,
): string | undefined {
  if (wanted === undefined) return inRows[0]!.name;
  const [found, other] = matchMetric(wanted, inRows);
  if (found !== undefined && other === undefined) return found;
  if (found === undefined && wanted !== roles.score && (table.columns.has(wanted) || findMetric(wanted) !== undefined))
    return undefined;
  const names = inRows.map(({ name }) => name);
  throw new StatError(
    "UnknownMetric",
    `option \`metric\` ${wanted}: the rows are scores by ${listNames(names)}.`,
    suggest(wanted, names, "Name one of these."),
  );
}

function scoreFound(found: Found, options: ScoreOptions): ScoreResult {
  const { table } = found;
  const roles = rolesOf(found, options);
  const both = roles.text !== undefined && roles.reference !== undefined;
  const { metric } = options;
  const choice: MetricChoice | undefined =
    metric !== undefined
      ? findMetric(metric)
      : both && roles.score === undefined
        ? { kind: "text", name: "bleu" }
        : roles.score === undefined && roles.label !== undefined && roles.prediction !== undefined
          ? { kind: "labels", name: "accuracy" }
          : undefined;
  const texts = textColumns(roles, options);
  // a column of that name holds the scores already
  if (choice?.kind === "text" && texts !== undefined && table.columns.get(metric ?? "")?.kind !== "numeric")
    return scoreTextColumns(table, { roles, columns: texts }, { ...options, metric: choice.name });
  const predicted = options.pred ?? roles.prediction ?? PREDICTED.find((name) => table.columns.has(name));
  if (choice?.kind === "labels" && roles.label !== undefined && predicted !== undefined) {
    const columns = { gold: roles.label, predicted, ...pickColumns(roles), cluster: options.cluster };
    return scoreLabels(table, columns, { ...labelOptions(options), metric: choice });
  }
  return scoreNumbers(found, roles, { choice, options });
}

/** Outputs and references, as texts or as the answers that options `pred` and `gold` name. */
function textColumns(
  { text, reference, prediction, label }: Roles,
  { gold, pred }: ScoreOptions,
): { readonly text: string; readonly reference: string } | undefined {
  const [own, other] = [pred ?? text ?? prediction, gold ?? reference ?? label];
  return own === undefined || other === undefined ? undefined : { text: own, reference: other };
}

/** What was found, unless an option says otherwise. */
function rolesOf({ table, roles }: Found, { system, item, score: own, gold, pred }: ScoreOptions): Roles {
  const given = { system, item, score: own, label: gold };
  const named = Object.entries(given).filter(([, name]) => name !== undefined) as [string, string][];
  for (const name of [...named.map(([, name]) => name), ...(pred === undefined ? [] : [pred])]) column(table, name);
  return { ...roles, ...Object.fromEntries(named) };
}

const pickColumns = ({ system, item }: Roles): { system?: string; item?: string } => ({
  ...present({ system, item }),
});

const labelOptions = ({ average, positive, ignore = [], perItem = false, confidence = 0.95 }: ScoreOptions) => ({
  ignore,
  perItem,
  confidence,
  average,
  positive,
});

function scoreTextColumns(
  table: Table,
  {
    roles,
    columns,
  }: { readonly roles: Roles; readonly columns: { readonly text: string; readonly reference: string } },
  options: ScoreOptions & Pick<ScoreTextOptions, "metric">,
): ScoreResult {
  // without an option the rows stand in order
  const texts = textsOfColumns(table, { ...columns, system: roles.system, item: options.item });
  const {
    score: _,
    system,
    item,
    gold,
    pred,
    higherIsBetter,
    average,
    positive,
    ignore,
    confidence,
    where,
    cluster: _c,
    ...own
  } = options;
  return scoreText(texts.hypotheses, [texts.references], own);
}

interface Asked {
  readonly choice: MetricChoice | undefined;
  readonly options: ScoreOptions;
}

/** Means of a score column: the one named, else the file's main score. */
function scoreNumbers(found: Found, roles: Roles, { choice, options }: Asked): ScoreResult {
  const name = scoreName(found, roles, { choice, options });
  const higherIsBetter = options.higherIsBetter ?? found.metrics.find((own) => own.name === name)?.higherIsBetter;
  const { perItem = false, confidence = 0.95 } = options;
  const { details = false } = options;
  const tries = triesOf(found.table, options);
  if (tries !== undefined) {
    const columns = { system: roles.system, item: roles.item, task: roles.task, score: name };
    const answer = options.pred ?? roles.prediction;
    return scoreTries(found.table, { ...columns, answer }, { tries, higherIsBetter, perItem, details, confidence });
  }
  requireScores(name, numbersOf(found.table, name), options);
  return scoreColumn(found.table, name, {
    ...pickColumns(roles),
    cluster: options.cluster,
    details,
    ...(roles.item === undefined && roles.repeat !== undefined ? { units: "runs" } : {}),
    // totals of a system on each task, or of each class, are no items
    ...(roles.item === undefined && roles.repeat === undefined && hasTotalsOfTasks(found.table, roles)
      ? { units: "tasks" }
      : {}),
    higherIsBetter,
    perItem,
    confidence,
  });
}

/** One row for each task of each system. */
function hasTotalsOfTasks(table: Table, { system, task }: Roles): boolean {
  const columns = [system, task].flatMap((name) => table.columns.get(name ?? "") ?? []);
  return task !== undefined && columns.length > 0 && groupKeys(columns, table.rows).count === table.rows;
}

/** pass@k and its like, unless a column has that very name. */
const triesOf = (table: Table, { metric }: ScoreOptions): TriesChoice | undefined =>
  metric === undefined || table.columns.has(metric) ? undefined : findTries(metric);

function scoreName({ table, roles: own }: Found, roles: Roles, { choice, options }: Asked): string {
  const tries = triesOf(table, options);
  const metric = tries === undefined ? options.metric : tries.of;
  if (options.score !== undefined) return options.score;
  if (metric !== undefined) {
    const joined = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, "");
    const named = [...table.columns.keys()].find((name) => name === metric || joined(name) === joined(metric));
    if (named !== undefined) return named;
    if (choice === undefined) throw unknownMetric(metric, own.metrics);
    if (choice.kind === "text") throw noReference(metric);
    const isShare = choice.kind === "mean" || choice.name === "accuracy" || choice.name === "exact-match";
    if (!isShare) throw noLabels(metric, table);
    if (choice.kind === "labels" && roles.score !== undefined) requireShares(table, roles.score, metric);
  }
  if (roles.score !== undefined) return roles.score;
  if (roles.text !== undefined && roles.metrics.length === 0) throw noReference(metric ?? "bleu");
  const names = [...table.columns.keys()];
  const near = nearest("score", names);
  const named = near === undefined ? "`score`" : `\`score: ${JSON.stringify(near)}\``;
  throw new StatError(
    "NoScoreFound",
    "which column holds the scores?",
    `Name it with option ${named}. The columns are ${names.slice(0, MOST_NAMED).join(", ")}.`,
  );
}

/** An accuracy is a mean of shares between 0 and 1. */
function requireShares(table: Table, name: string, metric: string): void {
  const source = column(table, name);
  const odd = source.kind === "numeric" ? source.values.find((value) => value < 0 || value > 1) : undefined;
  if (odd === undefined) return;
  throw new StatError(
    "NotAShare",
    `option \`metric\` ${metric}: the score column "${name}" holds ${odd}, which is not between 0 and 1.`,
    "Use option `metric: mean`, or name the column of right and wrong with option `score`.",
  );
}

const noReference = (metric: string): StatError =>
  new StatError("NoReference", `${metric} needs references.`, "Give them with option `references`, one a line.");

function noLabels(metric: string, table: Table): StatError {
  const names = [...table.columns.keys()].slice(0, MOST_NAMED).join(", ");
  return new StatError(
    "NoLabels",
    `${metric} needs the gold and the predicted labels.`,
    `Name their columns with option \`gold\` and option \`pred\`. The columns are ${names}.`,
  );
}
