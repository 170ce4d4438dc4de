/** Which columns hold systems, items and scores: as the study says and the options name; what neither says is asked. */

import type { Ask, Decision, Imported, ImportedMetric, Told } from "../../data/imported.ts";
import { groupKeys } from "../../data/keys.ts";
import { type Rows, tableOf } from "../../data/rows.ts";
import { SHAPE_OPTIONS, type ShapeOptions } from "../../data/shapes.ts";
import { asFactor, requireColumns, selectRows, type Table } from "../../data/table.ts";
import { askTries } from "../../metrics/catalogue.ts";
import { findTries, type TriesChoice } from "../../metrics/tries/tries.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { nearest } from "../../result/suggest.ts";
import { askPredictions, findAsks } from "../../study/asks.ts";
import { joinFiles, joinHalves, joinTotals } from "../../study/files.ts";
import { isExpense, metricDirection } from "../../study/lexicon/metrics.ts";
import { mergeImported, type NamedImport } from "../../study/merge.ts";
import { matchMetric, matchNumber } from "../../study/metric-column.ts";
import { scoreNumbers } from "../../study/score-facts.ts";
import { Question, refuseUnfit } from "../../study/tell.ts";
import { understandTable, withTold } from "../../study/understand.ts";
import type { CompareOptions } from "./comparison.ts";
import { refuseOneSystem } from "./conclude.ts";
import type { ComparisonColumns } from "./matching/matching.ts";
import type { Direction } from "./pair/verdict.ts";
import { tellCopies } from "./reading/copies.ts";
import { withErrorColumns } from "./reading/errors.ts";
import { withNamedRoles } from "./reading/named.ts";
import { keepSamePrompts } from "./reading/prompts.ts";
import { refuseOutputProperty } from "./reading/properties.ts";
import { findMetricNamed, readOneMetric } from "./reading/reading.ts";
import { joinRuns } from "./reading/text-runs.ts";
import { placeUnnamed } from "./reading/unnamed.ts";

/** The files as one table, and as they were. */
export interface Merged extends Imported {
  readonly parts: readonly NamedImport[];
  /** Metrics that stand in rows of their own, beside those that are columns. */
  readonly otherMetrics?: readonly ImportedMetric[];
  /** Rows that repeat are attempts by the metric (pass@k), or ratings of raters that were set aside. */
  readonly again?: boolean;
  /** What was noticed while the files were put together. */
  readonly notes?: readonly Diagnostic[];
}

/** What an importer found, one or several of them (a file each, by the path that names it), or a table. */
export type ComparedFiles = Imported | NamedImport | readonly (Imported | NamedImport)[] | Table;

const isTable = (data: Imported | Table): data is Table => !("roles" in data);

const holdsTable = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "columns" in data && data.columns instanceof Map;

const isRead = (part: unknown): part is Imported | NamedImport | Table => {
  if (typeof part !== "object" || part === null) return false;
  const own = "imported" in part ? part.imported : part;
  return holdsTable(own) || (typeof own === "object" && own !== null && "table" in own && holdsTable(own.table));
};

const LONGEST_SHOWN = 40;

/** What a script gives: rows as objects become a table; the library reads no files. */
export function inputOf(data: unknown): ComparedFiles {
  const several: readonly unknown[] = Array.isArray(data) ? data : [data];
  if (several.length > 0 && several.every(isRead)) return data as ComparedFiles;
  const rows = Array.isArray(data) && data.every((row) => typeof row === "object" && row !== null && !isRead(row));
  if (rows) return tableOf(data as Rows);
  const given =
    typeof data === "string" ? `the text "${data.slice(0, LONGEST_SHOWN)}"` : `a value of type ${typeof data}`;
  throw new StatError(
    "BadInput",
    `${given} is not a table. The library opens no files.`,
    'Read the file first: `compare(table(readFileSync("scores.csv")))`, or `importFiles` for logs.',
  );
}

function nameFiles(data: ComparedFiles): NamedImport[] {
  const several: readonly (Imported | NamedImport | Table)[] = Array.isArray(data) ? data : [data];
  return several.map((part): NamedImport => {
    if ("imported" in part) return part;
    if (!isTable(part)) return { path: part.files[0] ?? "system", imported: part };
    return { path: "table", imported: { ...understandTable(part), format: "csv", files: [], summary: "" } };
  });
}

/** Roles as options name them; the score is option `metric` where that is a column. */
function toldOf(options: CompareOptions): Told {
  const { system, item, rater, run, cluster, task, metricColumn, metric, score = metric } = options;
  const shape = Object.fromEntries(SHAPE_OPTIONS.map((name) => [name, options[name]]));
  return { ...shape, system, item, rater, run, cluster, task, metricColumn, score };
}

/** What is said of columns that this file has; another file, or a computation, may have the others. */
function knownTo({ table, roles }: Imported, told: Told): Told {
  const has = (name: string): boolean =>
    name === "none" ||
    name === "rows" ||
    table.columns.has(name) ||
    name.split(",").every((part) => table.columns.has(part.trim()));
  const isNumber = (name: string): boolean => table.columns.get(name)?.kind === "numeric";
  return Object.fromEntries(
    Object.entries(told).filter(
      ([role, name]) =>
        (SHAPE_OPTIONS.includes(role as keyof ShapeOptions) && name !== undefined) ||
        (typeof name === "string" &&
          has(name) &&
          (role !== "score" || isNumber(name)) &&
          // the clusters of votes are chosen among prompts (reading/groups.ts)
          (role !== "cluster" || roles.opponent === undefined)),
    ),
  );
}

/** Columns that no file has, and words on several files where there is one. */
function refuseUnknown(files: readonly NamedImport[], { raters = [], metricColumn, files: are }: CompareOptions): void {
  const tables = files.map(({ imported }) => imported.table);
  const lost = (name: string): boolean => tables.every(({ columns }) => !columns.has(name));
  for (const name of raters.filter(lost)) requireColumn(tables[0]!, "raters", name);
  if (metricColumn !== undefined && lost(metricColumn)) requireColumn(tables[0]!, "metricColumn", metricColumn);
  if (are === undefined || files.length > 1) return;
  throw new StatError("BadOption", `option \`files: ${are}\` is for several files.`, "Leave it out.");
}

export function gather(data: ComparedFiles, options: CompareOptions): Merged {
  const told = toldOf(options);
  const files = nameFiles(data);
  refuseUnknown(files, options);
  const named = files.map((part) => ({
    ...part,
    imported: withTold(part.imported, knownTo(part.imported, told)),
  }));
  const { parts: known, notes: unnamed } = placeUnnamed(named, options);
  const half = isPaired(options) ? joinHalves(known) : undefined;
  const whole = withNamedRoles(half === undefined ? known : [half], options);
  const { parts: read, others } = readOneMetric(whole, options);
  const { parts: same, notes } = keepSamePrompts(withErrorColumns(read));
  const parts = joinFiles(options.files === "systems" ? same : joinRuns(same, options), options);
  const merged = mergeImported(parts, options.time === "none" ? undefined : options.time);
  return {
    ...merged,
    parts,
    otherMetrics: others,
    again: options.rater === "none" || known.some(({ imported }) => imported.unnamedRaters === true),
    // who names what is correlated has looked
    notes: [...unnamed, ...notes, ...(options.cluster === undefined ? tellCopies(same) : [])],
  };
}

const isPaired = ({ files, byRow, unpaired }: CompareOptions): boolean =>
  files === undefined && byRow !== true && unpaired !== true;

/** The totals that the files hold, where they hold no items and nothing says that rows are items. */
export function totalsIn(data: ComparedFiles, options: CompareOptions): Imported | undefined {
  if (options.item !== undefined || !isPaired(options)) return undefined;
  const told = toldOf(options);
  const files = nameFiles(data);
  const named = new Set(Object.values(told).flat());
  if (files.some(({ imported: { roles } }) => roles.item !== undefined && !named.has(roles.item))) return undefined;
  const parts = files.map(({ path, imported }) => ({ path, imported: withTold(imported, knownTo(imported, told)) }));
  const { imported } = parts.length === 1 ? parts[0]! : { imported: joinTotals(parts)?.imported };
  return imported?.kind === "totals" ? imported : undefined;
}

/** The files, and pass@k or its like where that is asked for and no column has the name; `rest` then names the score that the tries have. */
export function gatherTries(
  files: ComparedFiles,
  asked: CompareOptions,
): { readonly read: Merged; readonly tries: TriesChoice | undefined; readonly rest: CompareOptions } {
  const [data, given] = [files, asked];
  const { metric } = given;
  const tries = metric === undefined ? undefined : findTries(metric);
  if (tries === undefined) return { read: gather(data, given), tries, rest: given };
  const { table, metrics, otherMetrics = [] } = gather(data, { ...given, metric: undefined });
  if (table.columns.has(metric!) || matchMetric(metric!, [...metrics, ...otherMetrics]).length > 0)
    return { read: gather(data, given), tries: undefined, rest: given };
  if (tries.kind === "bayes@")
    throw new StatError(
      "BadMetric",
      "Bayes@N is a score of one system: of as many tries its items rank as their means do.",
      "Compare the means (leave option `metric` out), or pass@k.",
    );
  const rest = { ...given, metric: tries.of };
  return { read: { ...gather(data, rest), again: true }, tries, rest };
}

/** A metric that the joining of two files put beside several raters' rows is the same in each: it was measured once, and the raters say nothing
 *  about it. In a file of its own equal ratings are ratings. */
export function leaveIdleRatersOut(
  { parts }: Merged,
  { columns, table }: { readonly columns: ComparisonColumns; readonly table: Table },
  { rater: given }: CompareOptions,
): { readonly columns: ComparisonColumns; readonly table: Table; readonly notes: readonly Diagnostic[] } {
  const { rater, ...rest } = columns;
  const same = { columns, table, notes: [] };
  if (rater === undefined || given !== undefined) return same;
  if (!parts.some(({ imported }) => imported.joined !== undefined)) return same;
  const names = [rest.system, rest.item, rest.task, rest.repeat].filter((name) => name !== undefined);
  const { group, first, count } = groupKeys(
    names.map((name) => table.columns.get(name)!),
    table.rows,
  );
  const values = scoreNumbers(table, rest.score);
  if (count === table.rows || !group.every((own, row) => Object.is(values[row], values[first[own]!]))) return same;
  const message = `${rest.score} is the same for every ${rater} of an output: it counts once, and the raters are left out.`;
  const fix = `Option \`rater: ${rater}\` takes each row for a judgement of its own.`;
  return { columns: rest, table: selectRows(table, first.slice().sort()), notes: [note("IdleRaters", message, fix)] };
}

/** Raters who judged one item each are one level with it: the items' own differences hold what such raters prefer, and nothing else repeats. */
export function leaveFreshRatersOut(
  table: Table,
  columns: ComparisonColumns,
): { readonly columns: ComparisonColumns; readonly notes: readonly Diagnostic[] } {
  const { rater, item, task, ...rest } = columns;
  if (rater === undefined) return { columns, notes: [] };
  const { codes, levels } = asFactor(table.columns.get(rater)!);
  const names = [item, ...(task === undefined ? [] : [task])];
  const { group, count } = groupKeys(
    names.map((name) => table.columns.get(name)!),
    table.rows,
  );
  const met = new Int32Array(levels.length).fill(-1);
  for (let row = 0; row < table.rows; row += 1) {
    const level = codes[row]!;
    if (level < 0 || (met[level]! >= 0 && met[level] !== group[row])) return { columns, notes: [] };
    met[level] = group[row]!;
  }
  const raters = met.filter((own) => own >= 0).length;
  if (raters < 2 || count < 2) return { columns, notes: [] };
  const message = `each of the ${raters} raters (${rater}) judged one item only: the differences between items hold what such raters prefer, so items are compared and the ratings of one item averaged.`;
  const own = { ...rest, item, ...(task === undefined ? {} : { task }) };
  return { columns: own, notes: [note("RaterPerItem", message, "")] };
}

export function chooseColumns(merged: Merged, table: Table, options: CompareOptions): ComparisonColumns {
  const score = chooseScore(merged, table, options);
  const { slice = [], by } = options;
  for (const name of slice) requireColumn(table, "slice", name);
  if (by !== undefined) requireColumn(table, "by", by);
  const units = chooseUnits({ ...merged, roles: { ...merged.roles, score } }, table, options);
  if (by !== undefined) refuseOutputProperty(table, units, by);
  if (slice.includes(units.item)) {
    const message = `option \`slice: ${units.item}\`: each ${units.item} is one item here, and one item is not a slice.`;
    throw new StatError("BadOption", message, "Name a column that groups items, or other items with option `item`.");
  }
  return { ...units, score, slices: slice };
}

const UNITS = ["system", "item", "rater", "repeat", "cluster", "task"] as const;
const optionOf = (role: (typeof UNITS)[number]): Exclude<typeof role, "repeat"> | "run" =>
  role === "repeat" ? "run" : role;

/** The columns that the study has, with those that options name; what is missing or doubtful is asked. */
export function chooseUnits(
  merged: Merged,
  table: Table,
  options: CompareOptions,
): Omit<ComparisonColumns, "score" | "slices"> {
  const chosen = Object.fromEntries(
    UNITS.flatMap((role) => {
      const name = pickUnit(merged, table, { role, given: options[optionOf(role)] });
      return name === undefined ? [] : [[role, name]];
    }),
  ) as Partial<Record<(typeof UNITS)[number], string>>;
  ask(merged, table, { chosen, options });
  const { system, item, ...optional } = chosen;
  if (optional.repeat !== undefined && options.run !== undefined) refuseProperty(table, optional.repeat, item!);
  return { system: system!, item: item!, ...optional };
}

interface Unit {
  readonly role: (typeof UNITS)[number];
  readonly given: string | undefined;
}

function pickUnit({ roles, parts }: Merged, table: Table, { role, given }: Unit): string | undefined {
  if (given === "none") return undefined;
  if (given === undefined || (role === "repeat" && given === "rows")) return roles[role];
  if (table.columns.has(given)) return given;
  // each file has it, under the name of its role where several were put together
  if (parts.some(({ imported }) => imported.table.columns.has(given)) && roles[role] !== undefined) return roles[role];
  requireColumn(table, optionOf(role), given);
  return given;
}

interface Asked {
  readonly chosen: Partial<Record<(typeof UNITS)[number], string>>;
  readonly options: CompareOptions;
}

/** The first question that the rows leave open and no option answers. */
function ask(merged: Merged, table: Table, { chosen, options }: Asked): void {
  const others = Object.fromEntries(
    Object.entries(merged.roles).filter(([role]) => !UNITS.some((own) => own === role)),
  );
  const roles = { ...(others as unknown as Imported["roles"]), ...chosen };
  const decisions = merged.decisions ?? [];
  // what a log repeats, it says
  const plain = merged.parts.every(({ imported }) => imported.decisions !== undefined);
  const told = new Set(UNITS.filter((role) => options[optionOf(role)] !== undefined));
  const isOpen = ({ id }: Ask): boolean => {
    if (id === "system" || id === "item" || id === "spelling") return true;
    if (id === "prompt") return !told.has("item");
    if (id === "score") return false;
    if (!plain || roles.opponent !== undefined) return false;
    return id === "cluster"
      ? !told.has("cluster") && options.by === undefined
      : options.run !== "none" && !options.unpaired && merged.again !== true;
  };
  if (chosen.system !== undefined && options.systems === undefined) refuseOneSystem(inOrder(table, chosen.system));
  if (chosen.item === undefined && merged.parts.every(({ imported }) => imported.kind === "totals")) throw TOTALS_ONLY;
  const [open] = findAsks(table, roles, decisions).filter(isOpen);
  if (open !== undefined) throw new Question(open);
}

const TOTALS_ONLY = new StatError(
  "TotalsOnly",
  "each system has one score, or one for each task: totals, and no items.",
  "Totals are compared by `answerComparison`; items have a column of their own, option `item`.",
);

/** What is the same in all rows of an item repeats nothing: it groups items, which are not to be taken for one another's repeats. */
function refuseProperty(table: Table, repeat: string, item: string): void {
  const count = (...names: string[]): number =>
    groupKeys(
      names.map((name) => table.columns.get(name)!),
      table.rows,
    ).count;
  if (count(repeat) < 2 || !table.columns.has(item) || count(item, repeat) > count(item)) return;
  throw new StatError(
    "BadOption",
    `option \`run: ${repeat}\`: every item has one ${repeat} only, so that nothing is repeated by it.`,
    `If items of one ${repeat} are correlated, use option \`cluster: ${repeat}\`; otherwise leave it out.`,
  );
}

function chooseScore({ roles, metrics, parts }: Merged, table: Table, { metric, score, gold }: CompareOptions): string {
  if (metric === undefined && score !== undefined) {
    requireColumn(table, "score", score);
    return score;
  }
  if (metric !== undefined) {
    if (table.columns.has(metric)) return metric;
    const found = findMetricNamed(metric, metrics) ?? metrics.find((own) => own.column === metric)?.name;
    if (found !== undefined) return found;
    const tries = askTries(metric);
    if (tries !== undefined) throw tries;
    const number = matchNumber(metric, table);
    if (number === undefined) requireColumn(table, "metric", metric);
    return number ?? metric;
  }
  const found = roles.score ?? metrics[0]?.name;
  if (found !== undefined) return found;
  if (parts.every(({ imported }) => imported.format === "text")) throw noReference(parts);
  const { label, rater } = roles;
  for (const { imported } of parts) refuseUnfit(imported);
  if (label !== undefined && rater !== undefined) throw labelsOfRaters(label, rater);
  const asks = findAsks(table, roles, decisionsOf(parts)).filter(({ id }) => id === "system" || id === "score");
  if (roles.system !== undefined && asks.every(({ texts }) => texts === undefined))
    refuseOneSystem(inOrder(table, roles.system));
  const predictions = label !== undefined && gold === undefined ? askPredictions(table, label) : undefined;
  const [open = NO_SCORE] = asks;
  // columns that hold nothing but gold labels are predictions, not scores
  const predicted = predictions !== undefined && (predictions.answers.length > 0 || !isWide(open));
  throw new Question(predicted ? predictions : open);
}

/** Whether a column for each system is the likeliest answer. */
const isWide = ({ answers: [first] }: Ask): boolean => first?.systems !== undefined;
const NO_SCORE: Ask = { id: "score", columns: [], answers: [] };
const decisionsOf = (parts: readonly NamedImport[]): readonly Decision[] =>
  parts.flatMap(({ imported }) => imported.decisions ?? []);

function noReference(files: readonly NamedImport[]): StatError {
  const names = files.map(({ path }) => path).join(" and ");
  const message = `${names} ${files.length === 1 ? "holds" : "hold"} texts, which can only be compared by a reference.`;
  return new StatError("NoReference", message, "Add option `references`, one sentence a line.");
}

/** What raters chose is not a score. */
function labelsOfRaters(label: string, rater: string): StatError {
  const message = `no score: ${label} holds what ${rater} chose, and no system is named.`;
  return new StatError(
    "NoScoreFound",
    message,
    "Agreement asks whether raters chose alike; `compare` needs systems and scores.",
  );
}

export const requireColumn = (table: Table, option: string, name: string): void =>
  requireColumns(table, option, [name]);

/** Systems as they first occur in the data. */
function inOrder(table: Table, system: string): string[] {
  const cells = asFactor(table.columns.get(system)!);
  return [...new Set(cells.codes)].filter((code) => code >= 0).map((code) => cells.levels[code]!);
}

export function chooseSystems(
  table: Table,
  { system, options }: { system: string; options: CompareOptions },
): readonly string[] {
  const all = options.systems ?? inOrder(table, system);
  const seen = new Set<string>();
  const twice = all.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) {
    throw new StatError("BadOption", `option \`systems\` ${all.join(",")}: ${twice} twice.`, "Name each system once.");
  }
  const { baseline } = options;
  if (baseline === undefined) return all;
  if (!all.includes(baseline)) {
    const known = inOrder(table, system).includes(baseline);
    if (known) {
      const message = `option \`baseline\` ${baseline}: it is not among option \`systems\` ${all.join(",")}.`;
      throw new StatError("BadOption", message, "Name it there too, or leave one of them out.");
    }
    const near = nearest(baseline, all);
    throw new StatError(
      "UnknownSystem",
      `option \`baseline\` ${baseline}: no such system.`,
      near === undefined ? `The systems are ${all.join(", ")}.` : `Did you mean "${near}"?`,
    );
  }
  return [baseline, ...all.filter((name) => name !== baseline)];
}

/** Systems without a single score are left out, unless they were named or fewer than two would be left. */
export function leaveUnscoredOut(
  systems: readonly string[],
  table: Table,
  { columns, options }: { columns: ComparisonColumns; options: CompareOptions },
): { readonly systems: readonly string[]; readonly notes: readonly Diagnostic[] } {
  const score = table.columns.get(columns.score)!;
  if (options.systems !== undefined || score.kind !== "numeric") return { systems, notes: [] };
  const { codes, levels } = asFactor(table.columns.get(columns.system)!);
  const scored = new Set<string>();
  codes.forEach((code, row) => {
    if (code >= 0 && !Number.isNaN(score.values[row]!)) scored.add(levels[code]!);
  });
  const kept = systems.filter((name) => scored.has(name));
  if (kept.length === systems.length || kept.length < 2) return { systems, notes: [] };
  const lost = systems.filter((name) => !scored.has(name));
  const message = `${lost.join(", ")} ${lost.length === 1 ? "has" : "have"} no ${columns.score} at all and ${lost.length === 1 ? "was" : "were"} left out.`;
  const fix = "Score the outputs, or name another score with option `metric`.";
  return { systems: kept, notes: [{ code: "NoScores", severity: "warning", message, fix }] };
}

/** By option, by what the file says, by the metric's name; otherwise nobody knows. */
export function direction(merged: Imported, score: string, { higherIsBetter }: CompareOptions): Direction {
  const own = merged.metrics.find(({ name }) => name === score);
  const told = higherIsBetter ?? (own === undefined ? metricDirection(score) : own.higherIsBetter);
  return told ?? (isExpense(score) ? false : null);
}
