/** `gosset score <files...> [--ref file]... --metric m` */

import {
  column,
  explainTextScore,
  type Imported,
  nearest,
  type Roles,
  StatError,
  scoreColumn,
  scoreLabels,
  scoreText,
  type Table,
} from "../../index.ts";
import { cellTexts, type MetricChoice, rowsBySystem, type ScoreResult, unknownMetric } from "../../metrics.ts";
import type { Context } from "../context.ts";
import { parseProbability } from "../options.ts";
import { scoreLines } from "./lines.ts";
import { direction, metricChoice, parseIgnore, type ScoreOptions, textOptions } from "./options.ts";

export async function run(context: Context<ScoreOptions>, paths: readonly string[]): Promise<void> {
  const { options } = context;
  parseProbability(options.confidence, "--confidence");
  const result =
    options.ref.length > 0 ? scoreLines(paths, options) : scoreImported(await context.import(paths), options);
  context.print(result);
}

/** What the file says, unless a flag says otherwise. */
function rolesOf({ table, roles }: Imported, options: ScoreOptions): Roles {
  const given = { system: options.system, item: options.item, score: options.score, label: options.gold };
  const named = Object.entries(given).filter(([, name]) => name !== undefined) as [string, string][];
  for (const name of [...named.map(([, name]) => name), ...(options.pred === undefined ? [] : [options.pred])]) {
    column(table, name);
  }
  return { ...roles, ...Object.fromEntries(named) };
}

const PREDICTED =
  "predicted prediction predictions pred y_pred predicted_label pred_label output answer response".split(" ");

function scoreImported(imported: Imported, options: ScoreOptions): ScoreResult {
  const roles = rolesOf(imported, options);
  const both = roles.text !== undefined && roles.reference !== undefined;
  // translations beside their reference ask for BLEU
  const choice: MetricChoice | undefined =
    options.metric === undefined && both && roles.score === undefined
      ? { kind: "text", name: "bleu" }
      : metricChoice(options);
  const columns = pickColumns(roles);
  if (choice?.kind === "text" && both) {
    return scoreTextColumns(imported.table, roles, { choice, options });
  }
  const predicted = options.pred ?? PREDICTED.find((name) => imported.table.columns.has(name));
  if (choice?.kind === "labels" && roles.label !== undefined && predicted !== undefined) {
    return scoreLabels(imported.table, { gold: roles.label, predicted, ...columns }, labelOptions(choice, options));
  }
  return scoreNumbers(imported, roles, { choice, options });
}

const pickColumns = ({ system, item }: Roles): { system?: string; item?: string } => ({
  ...(system === undefined ? {} : { system }),
  ...(item === undefined ? {} : { item }),
});

function labelOptions(choice: Extract<MetricChoice, { kind: "labels" }>, options: ScoreOptions) {
  return {
    metric: choice,
    ignore: parseIgnore(options.ignore),
    perItem: options.sentence === true,
    confidence: Number(options.confidence),
    ...(options.average === undefined ? {} : { average: options.average }),
    ...(options.positive === undefined ? {} : { positive: options.positive }),
  };
}

interface Asked {
  readonly choice: MetricChoice | undefined;
  readonly options: ScoreOptions;
}

function scoreTextColumns(table: Table, roles: Roles, { choice, options }: Asked): ScoreResult {
  const groups = rowsBySystem(table, roles.system);
  const texts = cellTexts(column(table, roles.text!));
  const references = cellTexts(column(table, roles.reference!));
  const first = [...groups.values()][0]!.map((row) => references[row]!);
  for (const [name, rows] of groups) {
    if (rows.length === first.length && rows.every((row, i) => references[row] === first[i])) continue;
    throw new StatError(
      "UnequalReferences",
      `${name} does not have the references of the other systems, line by line.`,
      "Score it apart.",
    );
  }
  const named = [...groups].map(([name, rows]): [string, string[]] => [name, rows.map((row) => texts[row] ?? "")]);
  return scoreText(Object.fromEntries(named), [first.map((text) => text ?? "")], {
    ...textOptions(options),
    metric: (choice as Extract<MetricChoice, { kind: "text" }>).name,
    perItem: options.sentence === true,
    force: options.force === true,
  });
}

/** Means of a score column: the one named, else the file's main score. */
function scoreNumbers(imported: Imported, roles: Roles, { choice, options }: Asked): ScoreResult {
  const score = scoreName(imported, roles, { choice, options });
  const own = imported.metrics.find(({ name }) => name === score)?.higherIsBetter;
  const higherIsBetter = direction(options) ?? own;
  return scoreColumn(imported.table, score, {
    ...pickColumns(roles),
    ...(higherIsBetter === undefined ? {} : { higherIsBetter }),
    perItem: options.sentence === true,
    confidence: Number(options.confidence),
  });
}

function scoreName({ table, roles: own }: Imported, roles: Roles, { choice, options }: Asked): string {
  const { metric } = options;
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
  const hint = explainTextScore(table, own);
  if (hint !== undefined) {
    const fix = hint.makes === undefined ? hint.fix : "Write 1 and 0 in the file.";
    throw new StatError("NoScoreFound", `no score: ${hint.why}.`, fix);
  }
  const names = [...table.columns.keys()];
  const near = nearest("score", names);
  throw new StatError(
    "NoScoreFound",
    "which column holds the scores?",
    `Name it with --score${near === undefined ? "" : ` ${near}`}. The columns are ${names.slice(0, 12).join(", ")}.`,
  );
}

/** An accuracy is a mean of shares between 0 and 1. */
function requireShares(table: Table, score: string, metric: string): void {
  const source = column(table, score);
  const odd = source.kind === "numeric" ? source.values.find((value) => value < 0 || value > 1) : undefined;
  if (odd === undefined) return;
  throw new StatError(
    "NotAShare",
    `--metric ${metric}: the score column "${score}" holds ${odd}, which is not between 0 and 1.`,
    "Use --metric mean, or name the column of right and wrong with --score.",
  );
}

const noReference = (metric: string): StatError =>
  new StatError("NoReference", `${metric} needs references.`, "Give them with --ref FILE, one a line.");

function noLabels(metric: string, table: Table): StatError {
  const names = [...table.columns.keys()].slice(0, 12).join(", ");
  return new StatError(
    "NoLabels",
    `${metric} needs the right and the predicted labels.`,
    `Name their columns with --gold and --pred. The columns are ${names}.`,
  );
}
