/** `gosset compare <files...>`: what the files hold decides how the systems are compared. */
import {
  type Adjustment,
  type Comparison,
  type ComparisonColumns,
  type ComparisonOptions,
  compareLabels,
  comparePreferences,
  compareTable,
  compareTableByModel,
  compareUnpaired,
  type Ddf,
  type Diagnostic,
  factorColumn,
  filterRows,
  findMetric,
  importFiles,
  type ModelOptions,
  makeRng,
  mergeImported,
  mutateTable,
  type NamedImport,
  type PairTestName,
  pivotLonger,
  type Roles,
  StatError,
  selectColumns,
  type Table,
  unknownMetric,
  withColumn,
} from "../../index.ts";
import { comparisonAnswer } from "../contract-compare.ts";
import { readWithCompanions } from "../files.ts";
import { importOptions } from "../load.ts";
import { type GlobalOptions, parseCount, parseProbability, type ReadOptions, splitList } from "../options.ts";
import { printAnswer, withExtras } from "../output.ts";
import { makeProgress } from "../progress.ts";
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
import { comparisonTable } from "./csv.ts";
import { compareTextFiles } from "./texts.ts";

export interface CompareCommandOptions extends GlobalOptions, ReadOptions {
  readonly metric?: string;
  readonly ref: readonly string[];
  readonly docs?: string;
  readonly gold?: string;
  readonly pred?: string;
  readonly positive?: string;
  readonly systems?: string;
  readonly baseline?: string;
  readonly test?: PairTestName | "model";
  readonly by?: string;
  readonly cut?: string;
  readonly slice: readonly string[];
  readonly margin?: string;
  readonly alpha: string;
  readonly confidence: string;
  readonly adjust?: Adjustment;
  readonly ddf?: Ddf;
  readonly replicates: string;
  readonly system?: string;
  readonly item?: string;
  readonly rater?: string;
  readonly repeat?: string;
  readonly cluster?: string;
  readonly task?: string;
  readonly unpaired?: boolean;
  readonly lowerIsBetter?: boolean;
  readonly higherIsBetter?: boolean;
  readonly where: readonly string[];
  readonly mutate: readonly string[];
  readonly table?: string;
}

export async function compareCommand(files: readonly string[], options: CompareCommandOptions): Promise<void> {
  checkFlags(options);
  const progress = makeProgress(options.quiet === true);
  const choices = parseChoices(options);
  const random = {
    rng: makeRng(options.seed),
    onProgress: (done: number, of: number) => progress.update("Swapping", done, of),
  };
  if (options.ref.length > 0) {
    refuseTukey(options);
    const result = compareTextFiles(files, options, { ...choices, ...random });
    progress.end();
    printComparison(result, [], options);
    return;
  }
  const parts: NamedImport[] = [];
  for (const path of files) {
    const imported = await importFiles(readWithCompanions(path), importOptions(options));
    parts.push(files.length === 1 ? withNamedColumns({ path, imported }, options) : { path, imported });
  }
  const merged = withRowItems({ ...mergeImported(parts), parts }, options);
  const table = prepareTable(merged.table, options);
  const { result, notes } = compareRows(merged, table, { options, choices: { ...choices, ...random } });
  progress.end();
  printComparison(result, [...merged.diagnostics, ...notes], options);
}

/** Flags that would be ignored, or that contradict each other. */
function checkFlags(options: CompareCommandOptions): void {
  const { by, cut, test, slice, unpaired, higherIsBetter, lowerIsBetter } = options;
  const wrong = (message: string, fix: string): never => {
    throw new StatError("BadOption", message, fix);
  };
  const model = by !== undefined || test === "model";
  if (options.table !== undefined && (options.format !== "csv" || options.json))
    wrong(`--table ${options.table} without --format csv.`, "Add --format csv; other formats show every table.");
  if (cut !== undefined && by === undefined)
    wrong("--cut without --by: nothing to cut.", "Name a numeric column with --by.");
  if (by !== undefined && test !== undefined && test !== "model")
    wrong(`--by compares with a mixed model, not with --test ${test}.`, "Leave --test out, or use --slice.");
  if (unpaired && model) wrong("--unpaired and a mixed model exclude each other.", "Leave one of them out.");
  if (slice.length > 0 && (model || unpaired))
    wrong(
      `--slice does not go with ${unpaired ? "--unpaired" : "a mixed model"}.`,
      "Use --by, or --where for one part at a time.",
    );
  if (higherIsBetter && lowerIsBetter)
    wrong("--higher-is-better and --lower-is-better exclude each other.", "Give one.");
}

/** Tukey's adjustment rests on the joint distribution of a model's means. */
function refuseTukey({ adjust }: CompareCommandOptions): void {
  if (adjust !== "tukey") return;
  throw new StatError("BadOption", "--adjust tukey is for mixed models.", "Use --adjust holm, or --test model.");
}

interface Request {
  readonly options: CompareCommandOptions;
  readonly choices: ComparisonOptions;
}

interface Compared {
  readonly result: Comparison;
  readonly notes: readonly Diagnostic[];
}

/** What the rows are decides how they are compared: labels, votes, or scores. */
function compareRows(merged: Merged, table: Table, { options, choices }: Request): Compared {
  const { roles } = merged;
  if (options.gold !== undefined || options.pred !== undefined) {
    refuseTukey(options);
    return { result: compareLabelRows(merged, table, { options, choices }), notes: [] };
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
  if (options.slice.length > 0) {
    const message = "--slice does not go with a mixed model, which several raters need.";
    throw new StatError("BadOption", message, "Use --by, or --where for one part at a time, or --test permutation.");
  }
  const whole = { ...columns, slices: [] };
  return {
    result: compareTableByModel(table, whole, { ...shared, ...modelChoices(options), rng: makeRng(options.seed) }),
    notes,
  };
}

function compareLabelRows(merged: Merged, table: Table, { options, choices }: Request): Comparison {
  const { gold, pred, positive } = options;
  const metric = options.metric ?? (positive === undefined ? "accuracy" : "f1");
  if (gold === undefined || pred === undefined) {
    throw new StatError(
      "BadOption",
      `--${gold === undefined ? "gold" : "pred"} is missing.`,
      "Give both --gold and --pred.",
    );
  }
  requireColumn(table, "--gold", gold);
  const predicted = table.columns.has(pred) ? [pred] : (splitList(pred) ?? [pred]);
  for (const name of predicted) requireColumn(table, "--pred", name);
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
      predicted: predicted.length === 1 ? pred : PREDICTION,
      ...(cluster === undefined ? {} : { cluster }),
    },
    {
      ...choices,
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
    const message = `--pred ${predicted.join(",")}: a column for each system, but ${named} names systems too.`;
    throw new StatError("BadOption", message, "Name one column with --pred, or take one system with --where.");
  }
  const item = roles.item ?? "row";
  const kept = [...table.columns.keys()].filter((name) => !["system", PREDICTION].includes(name));
  const rows = factorColumn(Array.from({ length: table.rows }, (_, i) => String(i + 1)));
  const own = selectColumns(table, kept);
  const wide = roles.item === undefined ? withColumn(own, item, rows) : own;
  const long = pivotLonger(wide, { columns: predicted, namesTo: "system", valuesTo: PREDICTION });
  return { long, roles: { ...roles, item, system: "system" } };
}

function printComparison(result: Comparison, found: readonly Diagnostic[], options: CompareCommandOptions): void {
  // a flag said what the importer did not see
  const reading = found.filter(({ code }) => code !== "NoScoreFound");
  const diagnostics = [...reading, ...result.diagnostics];
  const display = withExtras(result.display(), [], reading);
  printAnswer(
    {
      display: options.format === "csv" ? { ...display, tables: [comparisonTable(result, options.table)] } : display,
      contract: comparisonAnswer(result, diagnostics),
      diagnostics,
    },
    options,
  );
}

/** A property to cross with, or raters who each scored several items: both need a model. */
function usesModel({ rater }: ComparisonColumns, table: Table, { test, by }: CompareCommandOptions): boolean {
  if (test !== undefined) return test === "model";
  if (by !== undefined) return true;
  const cells = rater === undefined ? undefined : table.columns.get(rater);
  return cells !== undefined && (cells.kind === "numeric" || cells.levels.length > 1);
}

function modelChoices(
  options: CompareCommandOptions,
): ModelOptions & { readonly alpha: number; readonly margin?: number } {
  const { by, cut, ddf, adjust, margin, baseline } = options;
  return {
    alpha: parseProbability(options.alpha, "--alpha"),
    confidence: parseProbability(options.confidence, "--confidence"),
    ...(by === undefined ? {} : { by }),
    ...(cut === undefined ? {} : { cuts: parseCuts(cut) }),
    ...(ddf === undefined ? {} : { ddf }),
    ...(adjust === undefined ? {} : { adjust }),
    ...(baseline === undefined ? {} : { pairs: "baseline" as const }),
    ...(margin === undefined ? {} : { margin: parsePositive(margin, "--margin") }),
  };
}

function parseCuts(text: string): number[] {
  const cuts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (cuts.every(Number.isFinite)) return cuts;
  throw new StatError("BadOption", `--cut ${text}: not a list of numbers.`, "Write for example --cut 15,55.");
}

function parseChoices(options: CompareCommandOptions) {
  const { test, adjust, baseline, margin } = options;
  return {
    alpha: parseProbability(options.alpha, "--alpha"),
    confidence: parseProbability(options.confidence, "--confidence"),
    replicates: parseCount(options.replicates, "--replicates"),
    ...(adjust === undefined || adjust === "tukey" ? {} : { adjust }),
    ...(test === undefined || test === "model" ? {} : { test }),
    ...(baseline === undefined ? {} : { pairs: "baseline" as const }),
    ...(margin === undefined ? {} : { margin: parsePositive(margin, "--margin") }),
  };
}

function parsePositive(text: string, flag: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && Number.isFinite(value)) return value;
  throw new StatError("BadOption", `${flag} ${text}: not a number above 0.`, `Write for example ${flag} 0.01.`);
}

function prepareTable(table: Table, { mutate, where }: CompareCommandOptions): Table {
  let prepared = table;
  for (const text of mutate) prepared = mutateTable(prepared, text);
  for (const text of where) prepared = filterRows(prepared, text);
  if (prepared.rows > 0) return prepared;
  throw new StatError("NoRows", `no row satisfies --where ${where.join(" and ")}.`, "Check the condition.");
}
