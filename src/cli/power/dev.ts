/** `gosset power from-dev`: the files are read, and their systems, items and clusters found, as `gosset compare` does. */
import {
  asFactor,
  type CompareOptions,
  type ComparisonColumns,
  chooseColumns,
  chooseSystems,
  type Diagnostic,
  estimateFromDev,
  factorColumn,
  importFiles,
  leaveUnscoredOut,
  type Matched,
  type Merged,
  matchItems,
  mergeImported,
  type NamedImport,
  numericColumn,
  pivotLonger,
  prepareTable,
  quoteShell,
  requireColumn,
  StatError,
  selectColumns,
  setFewClustersAside,
  type Table,
  withColumn,
  withNamedColumns,
} from "../../index.ts";
import type { DevRaters } from "../../power.ts";
import type { Context } from "../context.ts";
import { readWithCompanions } from "../files.ts";
import { importOptions, readFlags } from "../load.ts";
import { type GlobalOptions, parseCount, parseProbability, type ReadOptions, splitList } from "../options.ts";

interface DevCommandOptions extends GlobalOptions, ReadOptions {
  readonly n?: string;
  readonly metric?: string;
  readonly gold?: string;
  readonly pred?: string;
  readonly systems?: string;
  readonly system?: string;
  readonly item?: string;
  readonly rater?: string;
  readonly cluster?: string;
  readonly test?: string;
  readonly alpha: string;
  readonly postHoc?: boolean;
  readonly where: readonly string[];
  readonly mutate: readonly string[];
}

export async function run(context: Context<DevCommandOptions>, files: readonly string[]): Promise<void> {
  const { options } = context;
  const choices = asComparison(options);
  const parts: NamedImport[] = [];
  for (const path of files) {
    const imported = await importFiles(readWithCompanions(path), importOptions(options));
    parts.push(files.length === 1 ? withNamedColumns({ path, imported }, choices) : { path, imported });
  }
  refuseTexts(parts);
  const merged = scoreLabels({ ...mergeImported(parts), parts }, options);
  const table = prepareTable(merged.table, choices);
  refuseVotes(merged);
  const found = planning(() => chooseColumns(merged, table, choices));
  const wanted = chooseSystems(table, { system: found.system, options: choices });
  const { systems: scored, notes: lost } = leaveUnscoredOut(wanted, table, { columns: found, options: choices });
  const systems = twoSystems(scored);
  const { columns, notes: groups } = setFewClustersAside(found, table, choices);
  const first = planning(() => matchItems(table, columns, systems));
  const split = first.raters > 1 ? splitByRater(first, { table, columns, systems }) : undefined;
  const matched = split ?? first;
  const n = matched.items.length;
  const several = first.raters > 1 && split === undefined;
  const raters = several ? ratersOf(matched, { columns, systems, parts, options }) : undefined;
  const result = estimateFromDev(matched.means.slice(0, n), matched.means.slice(n), {
    systems,
    alpha: parseProbability(options.alpha, "--alpha"),
    ...(options.n === undefined ? {} : { n: parseCount(options.n, "--n") }),
    ...(options.test === undefined ? {} : { test: options.test }),
    ...(options.postHoc === undefined ? {} : { postHoc: options.postHoc }),
    ...(matched.clusters === undefined || options.cluster === "none" ? {} : { clusters: matched.clusters.codes }),
    ...(matched.repeats > 1 ? { repeats: matched.repeats } : {}),
    ...(raters === undefined ? {} : { raters }),
  });
  const byRater = split?.clusters !== undefined && split.clusters.names.length === first.raters;
  const told = several ? tellJoined(raters!) : byRater ? [raterClusters(columns)] : [];
  // a flag said what the importer did not see
  const reading = [...merged.diagnostics, ...lost, ...groups, ...told].filter(({ code }) => code !== "NoScoreFound");
  context.print(result, { reading, assumed: parts.flatMap(({ imported }) => imported.assumptions) });
}

/** What `compare` would be told, so that both choose the same columns and the same baseline. */
function asComparison({ gold, metric, systems, ...rest }: DevCommandOptions): CompareOptions {
  const { system, item, rater, cluster, where, mutate } = rest;
  const named = systems === undefined ? undefined : splitList(systems);
  return {
    system,
    item,
    rater,
    cluster,
    where,
    mutate,
    systems: named,
    metric: gold === undefined ? metric : undefined,
  };
}

/** Votes between two systems are no scores of items. */
function refuseVotes({ roles }: Merged): void {
  if (roles.opponent === undefined || roles.cluster === undefined) return;
  throw new StatError(
    "Votes",
    "the rows are votes between two systems, not scores of items.",
    "Take the share of wins from gosset compare, and plan with gosset power preference or gosset power head-to-head.",
  );
}

/** Texts have no score of their own until a reference gives them one. */
function refuseTexts(parts: readonly NamedImport[]): void {
  if (!parts.every(({ imported }) => imported.format === "text")) return;
  const paths = parts.map(({ path }) => quoteShell(path));
  throw new StatError(
    "NoReference",
    `${paths.join(" and ")} ${paths.length === 1 ? "holds" : "hold"} texts, which have no scores.`,
    `Score them by a reference: gosset power from-outputs ${paths.length === 2 ? paths.join(" ") : "base.txt new.txt"} --ref reference.txt.`,
  );
}

const CORRECT = "correct";

/** --gold and --pred: 1 where the predicted label is the right one, 0 where not, in a column of its own. */
function scoreLabels(merged: Merged, { gold, pred, metric }: DevCommandOptions): Merged {
  if (gold === undefined && pred === undefined) return merged;
  if (gold === undefined || pred === undefined) {
    const missing = gold === undefined ? "gold" : "pred";
    throw new StatError("BadOption", `--${missing} is missing.`, "Give both --gold and --pred.");
  }
  if (metric !== undefined && metric !== "accuracy") {
    const fix = "Leave --metric out; for F1 see gosset power f1.";
    throw new StatError("BadOption", `--metric ${metric}: labels are planned for by accuracy.`, fix);
  }
  const { table, roles, parts } = merged;
  requireColumn(table, "gold", gold);
  const predicted = table.columns.has(pred) ? [pred] : (splitList(pred) ?? [pred]);
  for (const name of predicted) requireColumn(table, "pred", name);
  const score = { metrics: [{ name: CORRECT, label: CORRECT, higherIsBetter: true }] };
  if (predicted.length === 1) {
    const scored = withColumn(table, CORRECT, rightAnswers(table, gold, pred));
    return { ...merged, ...score, table: scored, roles: { ...roles, score: CORRECT } };
  }
  const named = parts.find(({ imported }) => imported.roles.system !== undefined)?.imported.roles.system;
  if (named !== undefined) {
    const message = `--pred ${predicted.join(",")}: a column for each system, but ${named} names systems too.`;
    throw new StatError("BadOption", message, "Name one column with --pred.");
  }
  const item = roles.item ?? "row";
  const others = [...table.columns.keys()].filter((name) => !["system", CORRECT].includes(name));
  let wide = selectColumns(table, others);
  if (roles.item === undefined) wide = withColumn(wide, item, rowNumbers(table.rows));
  for (const name of predicted) wide = withColumn(wide, name, rightAnswers(table, gold, name));
  const long = pivotLonger(wide, { columns: predicted, namesTo: "system", valuesTo: CORRECT });
  return { ...merged, ...score, table: long, roles: { ...roles, item, system: "system", score: CORRECT } };
}

const rowNumbers = (rows: number) => factorColumn(Array.from({ length: rows }, (_, i) => String(i + 1)));

/** Missing where either label is. */
function rightAnswers(table: Table, gold: string, predicted: string) {
  const [right, own] = [gold, predicted].map((name) => asFactor(table.columns.get(name)!));
  const same = own!.levels.map((level) => right!.levels.indexOf(level));
  const score = (code: number, row: number): number =>
    code < 0 || right!.codes[row]! < 0 ? Number.NaN : same[code] === right!.codes[row] ? 1 : 0;
  return numericColumn(Float64Array.from(own!.codes, score));
}

function twoSystems(systems: readonly string[]): [string, string] {
  if (systems.length === 2) return [systems[0]!, systems[1]!];
  if (systems.length < 2) {
    throw new StatError(
      "NotTwoSystems",
      `one system only (${systems.join("")}): nothing to compare with.`,
      "Give a second file, or a file with both systems; a column for each: --systems a,b.",
    );
  }
  const names = systems.slice(0, 5).join(", ");
  throw new StatError(
    "NotTwoSystems",
    `${systems.length} systems (${names}${systems.length > 5 ? ", …" : ""}), and two are compared.`,
    `Name them, the baseline first: --systems ${systems.slice(0, 2).join(",")}.`,
  );
}

/** Advice to compare, in terms of what there is here: systems on different items are another study, with scenarios of its own. */
function planning<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StatError)) throw error;
    const fix = error.fix
      .replace(/ Option `unpaired` takes each row .*$/, "")
      .replace(
        /option `unpaired` compares them .*$/,
        "for systems on different items see gosset power unpaired and gosset power means --design two-sample.",
      );
    throw new StatError(error.code, error.message, fix);
  }
}

interface Chosen {
  readonly table: Table;
  readonly columns: ComparisonColumns;
  readonly systems: readonly string[];
}

/** Where each item was one rater's, under both systems, the items of a rater hang together: clusters. Nothing where items have several. */
function splitByRater(matched: Matched, { table, columns, systems }: Chosen): Matched | undefined {
  const { rater, ...rest } = columns;
  if (matched.counts.some((count) => count > matched.repeats)) return undefined;
  const split = matchItems(table, { ...rest, cluster: rater! }, systems);
  // a rater for each item: nothing hangs together by rater
  if (split.clustersAreTrivial) return matchItems(table, rest, systems);
  // an item of two raters makes no clusters
  return split.clusters === undefined ? undefined : split;
}

function raterClusters({ rater, cluster }: ComparisonColumns): Diagnostic {
  const message = `each item was rated by one ${rater}: the items of a ${rater} are taken for a cluster${cluster === undefined ? "" : `, and ${cluster} is not used`}.`;
  const fix = "Several ratings of each item would tell raters and items apart.";
  return { code: "RaterClusters", severity: cluster === undefined ? "note" : "warning", message, fix };
}

interface Rated {
  readonly columns: ComparisonColumns;
  readonly systems: readonly string[];
  readonly parts: readonly NamedImport[];
  readonly options: DevCommandOptions;
}

/** Stands for the long table that several files, a column for each system, or rows left out are first to be made. */
const JOINED = "ratings.csv";

/** The ratings as a pilot of `gosset power likert`, which reads one long table. */
function ratersOf(matched: Matched, { columns, systems, parts, options }: Rated): DevRaters {
  const { score, system, rater, item } = columns;
  const roles = { score, system, rater: rater!, item };
  const asRead = parts.length === 1 && options.where.length + options.mutate.length === 0;
  const own = asRead ? parts[0]! : undefined;
  const isLong = own !== undefined && Object.values(roles).every((name) => own.imported.table.columns.has(name));
  const named = Object.entries(roles).map(([role, name]) => `${role}=${name}`);
  const flags = [
    `--pilot ${isLong ? quoteShell(own.path) : JOINED}`,
    ...(isLong ? readFlags(options).map(quoteShell) : []),
    `--columns ${quoteShell(listed(named))}`,
    `--systems ${quoteShell(listed(systems))}`,
  ];
  const perCell = matched.rows.length / matched.means.length;
  // one rating of each text cannot tell raters from items
  const pilot = perCell > 1 ? { pilot: flags.join(" ") } : {};
  return { count: matched.raters, ratings: Math.max(1, Math.round(perCell)), ...pilot };
}

function tellJoined({ pilot }: DevRaters): Diagnostic[] {
  if (!pilot?.startsWith(`--pilot ${JOINED} `)) return [];
  const message = `the pilot is read from one file: ${JOINED} stands for a table with a row for each rating used here.`;
  return [{ code: "OneFile", severity: "note", message, fix: "Write it with the columns that the command names." }];
}

/** As splitList reads it. */
const listed = (names: readonly string[]): string => names.map((name) => name.replaceAll(",", "\\,")).join(",");
