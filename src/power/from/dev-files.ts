/** Development results as they are found in files or a table: which columns, systems, items and clusters count is decided as `compare`
 *  decides it, then the estimates are made (dev.ts). Labels are planned for by accuracy, ratings of several raters by a pilot. */

import { asFactor, numericColumn, type Table, withColumn } from "../../data/table.ts";
import { prepareTable } from "../../formula/evaluate/evaluate.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import { addToResult, type Diagnostic } from "../../result/result.ts";
import {
  type ComparedFiles,
  chooseColumns,
  chooseSystems,
  direction,
  gatherTries,
  leaveUnscoredOut,
  type Merged,
} from "../../significance/compare/columns.ts";
import type { CompareOptions } from "../../significance/compare/comparison.ts";
import { choosePredictions } from "../../significance/compare/labels.ts";
import { type ComparisonColumns, type Matched, matchItems } from "../../significance/compare/matching/matching.ts";
import { findBadScores, tellRatersApart } from "../../significance/compare/reading/checks.ts";
import { setFewClustersAside } from "../../significance/compare/reading/groups.ts";
import { leaveOtherTasksOut } from "../../significance/compare/reading/reading.ts";
import { readTries } from "../../significance/compare/reading/tries.ts";
import { type DevOptions, type DevRaters, type DevResult, estimateFromDev } from "./dev.ts";
import { repeatGains } from "./repeats.ts";

type Choices = "metric" | "system" | "item" | "rater" | "cluster" | "gold" | "pred" | "where" | "mutate" | "systems";

/** What `compare` would be told, and what is planned. */
export interface PlanFromDevOptions
  extends Pick<CompareOptions, Choices>,
    Pick<DevOptions, "n" | "alpha" | "test" | "postHoc" | "prior"> {}

const PLAN_FROM_DEV_OPTIONS = {
  metric: true,
  system: true,
  item: true,
  rater: true,
  cluster: true,
  gold: true,
  pred: true,
  where: true,
  mutate: true,
  systems: true,
  n: true,
  alpha: true,
  test: true,
  postHoc: true,
  prior: true,
} as const satisfies Record<keyof PlanFromDevOptions, true>;

export function planFromDev(data: ComparedFiles, options: PlanFromDevOptions = {}): DevResult {
  refuseUnknownNames("planFromDev", options, PLAN_FROM_DEV_OPTIONS);
  const { gold, metric, n, alpha, test, postHoc, prior } = options;
  const choices: CompareOptions = { ...options, test: undefined, metric: gold === undefined ? metric : undefined };
  const { read: gathered, tries, rest } = gatherTries(data, choices);
  refuseTexts(gathered);
  const { merged, table: whole } = scoreLabels(gathered, prepareTable(gathered.table, choices), options);
  refuseVotes(merged);
  const found = planning(() => chooseColumns(merged, whole, rest));
  const { table, notes: tasks } = leaveOtherTasksOut(whole, found);
  const wanted = chooseSystems(table, { system: found.system, options: choices });
  const { systems: scored, notes: lost } = leaveUnscoredOut(wanted, table, { columns: found, options: choices });
  const systems = twoSystems(scored);
  const { columns: plain, notes: groups } = setFewClustersAside(found, table, choices);
  const tried =
    tries === undefined
      ? undefined
      : readTries(
          { table, columns: plain, systems },
          {
            tries,
            options: choices,
            higherIsBetter: direction(merged, plain.score, choices),
            prediction: merged.roles.prediction,
          },
        );
  const { table: rows, columns } = tried ?? { table, columns: plain };
  const fault = findBadScores({ table: rows, columns, systems, where: options.where });
  if (fault !== undefined) throw new StatError("BadScores", fault.reason, fault.fix);
  const apart = tellRatersApart({ table: rows, columns, systems });
  const first = planning(() => matchItems(rows, columns, systems));
  const { matched, raters, notes: told } = splitRaters(first, { table: rows, columns, systems });
  const items = matched.items.length;
  const result = estimateFromDev(matched.means.slice(0, items), matched.means.slice(items), {
    systems,
    ...{ n, alpha, test, postHoc, raters, prior },
    clusters: options.cluster === "none" ? undefined : matched.clusters?.codes,
    repeats: matched.repeats > 1 ? matched.repeats : undefined,
    gains:
      raters === undefined ? repeatGains(matched, tries === undefined ? undefined : { ...tried!.tried, tries }) : [],
  });
  // an option said what the importer did not see
  const reading = [
    ...merged.diagnostics,
    ...tasks,
    ...lost,
    ...groups,
    ...apart,
    ...told,
    ...(tried?.notes ?? []),
  ].filter(({ code }) => code !== "NoScoreFound");
  return addToResult(result, { reading, assumed: merged.parts.flatMap(({ imported }) => imported.assumptions) });
}

/** Votes between two systems are no scores of items. */
function refuseVotes({ roles }: Merged): void {
  if (roles.opponent === undefined || roles.cluster === undefined) return;
  throw new StatError(
    "Votes",
    "the rows are votes between two systems, not scores of items.",
    "Take the proportion of wins from `compare`, and plan with `power.preference` or `power.headToHead`.",
  );
}

/** Texts have no score of their own until a reference gives them one. */
function refuseTexts({ parts }: Merged): void {
  if (!parts.every(({ imported }) => imported.format === "text")) return;
  const names = parts.map(({ path }) => path).join(" and ");
  throw new StatError(
    "NoReference",
    `${names} ${parts.length === 1 ? "holds" : "hold"} texts, which have no scores.`,
    "Score them by a reference: `planFromOutputs` with option `references`.",
  );
}

const CORRECT = "correct";

/** Labels: 1 where the predicted one is the right one, 0 where not, in a column of its own. */
function scoreLabels(
  merged: Merged,
  table: Table,
  { gold, pred, metric }: PlanFromDevOptions,
): { readonly merged: Merged; readonly table: Table } {
  if (gold === undefined && pred === undefined) return { merged, table };
  if (metric !== undefined && metric !== "accuracy") {
    const fix = "Leave option `metric` out; for F1 see `power.f1`.";
    throw new StatError("BadOption", `option \`metric\` ${metric}: labels are planned for by accuracy.`, fix);
  }
  const { long, roles, ...own } = choosePredictions(merged, table, { gold, pred });
  const metrics = [{ name: CORRECT, label: CORRECT, higherIsBetter: true }];
  return {
    merged: { ...merged, metrics, roles: { ...roles, score: CORRECT } },
    table: withColumn(long, CORRECT, rightAnswers(long, own.gold, own.predicted)),
  };
}

/** Missing where either label is. */
function rightAnswers(table: Table, gold: string, predicted: string) {
  const [right, own] = [gold, predicted].map((name) => asFactor(table.columns.get(name)!));
  const same = own!.levels.map((level) => right!.levels.indexOf(level));
  const score = (code: number, row: number): number =>
    code < 0 || right!.codes[row]! < 0 ? Number.NaN : same[code] === right!.codes[row] ? 1 : 0;
  return numericColumn(Float64Array.from(own!.codes, score));
}

const MOST_NAMED = 5;

function twoSystems(systems: readonly string[]): [string, string] {
  if (systems.length === 2) return [systems[0]!, systems[1]!];
  if (systems.length < 2) {
    throw new StatError(
      "NotTwoSystems",
      `one system only (${systems.join("")}): nothing to compare with.`,
      "Give a second file, or a file with both systems; a column for each: option `systems: a,b`.",
    );
  }
  throw new StatError(
    "NotTwoSystems",
    `${systems.length} systems (${listNames(systems, MOST_NAMED)}), and two are compared.`,
    `Name them, the baseline first: option \`systems: ${JSON.stringify(systems.slice(0, 2))}\`.`,
  );
}

/** Advice to compare, in terms of what there is here: systems on different items are another study, with scenarios of its own. */
function planning<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StatError)) throw error;
    const fix = error.fix
      .replace(/ Option `byRow` pairs .*$/, "")
      .replace(/ Option `unpaired` takes each row .*$/, "")
      .replace(
        /option `unpaired` compares them .*$/,
        "for systems on different items see `power.unpaired`, and `power.means` with option `design: two-sample`.",
      );
    throw new StatError(error.code, error.message, fix);
  }
}

interface Chosen {
  readonly table: Table;
  readonly columns: ComparisonColumns;
  readonly systems: readonly [string, string];
}

interface Split {
  readonly matched: Matched;
  /** Where several rated an item. */
  readonly raters?: DevRaters;
  readonly notes: readonly Diagnostic[];
}

/** Several raters of an item are a sample, and their ratings a pilot. Where each item was one rater's, under both systems, the items of a
 *  rater are correlated: clusters. */
function splitRaters(matched: Matched, chosen: Chosen): Split {
  if (matched.raters <= 1) return { matched, notes: [] };
  const split = matched.counts.some((count) => count > matched.repeats) ? undefined : clusterByRater(chosen);
  if (split === undefined) return { matched, raters: ratersOf(matched, chosen), notes: [] };
  const clustered = split.clusters?.names.length === matched.raters;
  return { matched: split, notes: clustered ? [raterClusters(chosen.columns)] : [] };
}

/** undefined: an item of two raters makes no clusters. */
function clusterByRater({ table, columns, systems }: Chosen): Matched | undefined {
  const { rater, ...rest } = columns;
  const split = matchItems(table, { ...rest, cluster: rater! }, systems);
  // a rater for each item: nothing is correlated by rater
  if (split.clustersAreTrivial) return matchItems(table, rest, systems);
  return split.clusters === undefined ? undefined : split;
}

function raterClusters({ rater, cluster }: ComparisonColumns): Diagnostic {
  const message = `each item was rated by one ${rater}: the items of a ${rater} are treated as a cluster${cluster === undefined ? "" : `, and ${cluster} is not used`}.`;
  const fix = "Several ratings of each item would separate raters from items.";
  return { code: "RaterClusters", severity: cluster === undefined ? "note" : "warning", message, fix };
}

function ratersOf(matched: Matched, { columns, systems }: Chosen): DevRaters {
  const { score, system, rater, item } = columns;
  const perCell = matched.rows.length / matched.means.length;
  // one rating of each text cannot tell raters from items
  const pilot = perCell > 1 ? { pilot: { score, system, rater: rater!, item, systems } } : {};
  return { count: matched.raters, ratings: Math.max(1, Math.round(perCell)), ...pilot };
}
