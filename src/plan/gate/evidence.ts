/** Logs of a candidate and of its baseline as what a gate judges: of every task the scores of each item on either side. Several files of one
 *  side are runs of it, pooled. */

import { fingerprint } from "../../data/fingerprint.ts";
import {
  asFactor,
  column,
  type FactorColumn,
  numericColumn,
  selectColumns,
  selectRows,
  type Table,
  withColumn,
} from "../../data/table.ts";
import { prepareTable } from "../../formula/evaluate/evaluate.ts";
import {
  boundsOf,
  endsOf,
  type ScoreBounds,
  type ScoreEnds,
  type ScoreRange,
  SHARE_BOUNDS,
} from "../../metrics/range.ts";
import type { GATE } from "../../question/gate.ts";
import type { OptionsOf } from "../../question/option.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import { nearest } from "../../result/suggest.ts";
import { chooseColumns, direction, gather, type Merged } from "../../significance/compare/columns.ts";
import { refuseIdleScore } from "../../significance/compare/compare.ts";
import type { CompareOptions } from "../../significance/compare/comparison.ts";
import { readCells } from "../../significance/compare/matching/cells.ts";
import type { ComparisonColumns } from "../../significance/compare/matching/matching.ts";
import type { RepeatedFacet } from "../../significance/compare/pair/facets.ts";
import type { Direction } from "../../significance/compare/pair/verdict.ts";
import { findBadScores, findFault } from "../../significance/compare/reading/checks.ts";
import { countErrors, findErrored } from "../../significance/compare/reading/errors.ts";
import { setFewClustersAside } from "../../significance/compare/reading/groups.ts";
import { checkOrder, type OrderCheck } from "../../significance/compare/reading/order.ts";
import { groupRuns } from "../../significance/compare/reading/text-runs.ts";
import { farValues } from "../../study/checks/odd-scores.ts";
import { readJudged } from "../../study/judged.ts";
import { type NamedImport, stemOf, withSystem } from "../../study/merge.ts";
import { scoreNumbers } from "../../study/score-facts.ts";
import { type DifferingSetting, differingSettings, shareModel } from "../../study/settings.ts";
import { Question } from "../../study/tell.ts";
import { type PeoplesLabels, refuseSameNames, sourceOf } from "../../validity/judge/compared.ts";
import { readDraw } from "../../validity/judge/draw.ts";
import type { PairedScores } from "./judge.ts";
import type { GateUnscored } from "./policy.ts";

/** Files of the candidate, and files of the baseline or names of its systems within the candidate's files: none where a number takes its place. */
export interface GateFiles {
  readonly candidate: readonly NamedImport[];
  readonly baseline: readonly (NamedImport | string)[];
}

/** How columns are found, as `compare` takes it; `systems` says which of several systems in a file are judged. */
export type GateColumns = OptionsOf<typeof GATE.options>;

export interface TaskEvidence {
  readonly task: string;
  readonly items: number;
  /** There is no baseline. */
  readonly alone?: boolean | undefined;
  /** Scores of item i and side s (0 the baseline) from offsets[2i + s] to offsets[2i + s + 1]; NaN without a score. */
  readonly offsets: Int32Array;
  readonly scores: Float64Array;
  /** The run of each of these, by its number within its side. */
  readonly runs: Int32Array;
  /** What people said of each of these, where labels were given; NaN where nothing. Inverse probabilities of having been drawn. */
  readonly labels?: Float64Array | undefined;
  readonly weights?: Float64Array | undefined;
  readonly clusters?: Int32Array | undefined;
  /** What the files call an item. */
  readonly nameOf?: ((item: number) => string) | undefined;
}

/** `range`: 0 to 1, what the metric's name says, or the smallest and the largest score (`seen`). */
export interface Evidence extends ScoreEnds {
  readonly metric: string;
  readonly higherIsBetter: Direction;
  readonly tasks: readonly TaskEvidence[];
  /** Names of the runs of each side. */
  readonly runs: readonly [baseline: readonly string[], candidate: readonly string[]];
  /** Settings in which the runs differ, and whether they run one model. */
  readonly settings: readonly DifferingSetting[];
  readonly oneModel: boolean;
  /** Where rows carry times. */
  readonly order?: OrderCheck | undefined;
  /** What was averaged over, or taken as it is: the claim is about new items with these. */
  readonly held: readonly RepeatedFacet[];
  /** What a margin is held against. */
  readonly bounds?: ScoreBounds | undefined;
  /** Every score is right or wrong, so that means are percentages. */
  readonly percent: boolean;
  /** Whether people's labels correct the scores. */
  readonly labeled: boolean;
  readonly data: string;
  readonly assumed: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export const SIDES = ["baseline", "candidate"] as const;

const withOwnSystem = ({ path, imported }: NamedImport): NamedImport => ({
  path,
  imported: withSystem(imported, stemOf(path)),
});

const isShareTask = ({ scores }: TaskEvidence): boolean =>
  scores.every((score) => score === 0 || score === 1 || Number.isNaN(score));

export interface EvidenceOptions extends GateColumns {
  readonly by?: string | undefined;
  readonly unscored: GateUnscored;
  /** The candidate is held against numbers alone: it needs no baseline. */
  readonly floors?: boolean | undefined;
  /** People's labels of some outputs. */
  readonly people?: PeoplesLabels | undefined;
}

export function gatherEvidence(files: GateFiles, options: EvidenceOptions): Evidence {
  const named = files.baseline.filter((own): own is string => typeof own === "string");
  const parts = [...files.baseline.filter((own): own is NamedImport => typeof own !== "string"), ...files.candidate];
  const alone = files.baseline.length === 0;
  if (files.candidate.length === 0 || (alone && options.floors !== true))
    throw new StatError("NoBaseline", "a gate needs a candidate and a baseline.", "Give at least one log of each.");
  const { floors: _floors, people, ...told } = options;
  // which file is of which side is known: names of files that look like runs say nothing more
  const choices: CompareOptions = { ...told, ...(parts.length > 1 ? { files: "systems" } : {}) };
  refuseStrangers(named, files.candidate, options);
  refuseSameFile(files);
  const merged = gather(alone ? parts.map(withOwnSystem) : parts, choices);
  const prepared = prepareTable(merged.table, options);
  const { by: _, ...rest } = choices;
  // one system is all that a floor needs
  const found = inPairs(named, () =>
    chooseColumns(merged, prepared, alone ? { ...rest, systems: rest.systems ?? merged.systems } : rest),
  );
  refuseIdleScore(prepared, found.score, rest);
  const baselineParts = parts.length - files.candidate.length;
  refuseOtherScore(merged, found.score, baselineParts);
  refuseSeveralModels(merged, baselineParts);
  const table = keepSystems(prepared, found.system, { named, systems: options.systems });
  const sides = sidesOf(merged, table, { found, named, baselineParts });
  const { columns, notes } = setFewClustersAside(found, table, rest);
  const judged = withColumn(table, columns.system, sides.column);
  const errored = withErrors(judged, columns, options.unscored);
  // each task is judged by itself, on a scale of its own
  const { task: _task, ...shared } = columns;
  // nobody reads a gate's report before it acts, so a condition that names the score does not allow averages of invalid values
  const checked = { table: errored.table, columns: shared, systems: SIDES, strict: true };
  // labels of both sides correct what two judges see differently
  const fault = people === undefined ? findFault(checked) : findBadScores(checked);
  if (fault !== undefined) throw new StatError("BadScores", fault.reason, fault.fix);
  const all = [...sides.runs[0], ...sides.runs[1]];
  const labels = people === undefined ? undefined : labelsOf(table, found, people);
  const tasks = splitTasks(errored.table, columns, { by: options.by, run: sides.run, labels });
  const used = [...new Set([columns.system, columns.item, columns.score, columns.task, columns.cluster, options.by])];
  return {
    metric: columns.score,
    higherIsBetter: direction(merged, columns.score, options),
    tasks,
    runs: sides.runs,
    held: labels === undefined ? heldIn(errored.table, columns, tasks) : labels.held,
    settings: differingSettings(merged.settings ?? [], all),
    oneModel: shareModel(merged.settings ?? [], all),
    order: checkOrder(errored.table, columns, { systems: SIDES, time: options.time }),
    ...scoreEnds(columns.score, errored.table),
    bounds: scoreBounds(columns.score, errored.table),
    percent: tasks.every(isShareTask),
    labeled: labels !== undefined,
    data: fingerprint(
      selectColumns(
        judged,
        used.filter((name) => name !== undefined),
      ),
    ),
    assumed: merged.parts.flatMap(({ imported }) => imported.assumptions),
    diagnostics: [
      ...merged.diagnostics,
      ...(merged.notes ?? []),
      ...notes,
      ...errored.notes,
      ...(labels?.diagnostics ?? []),
      ...tellOthers(
        columns.score,
        [...merged.metrics, ...(merged.otherMetrics ?? [])],
        options.metric ?? options.score,
      ),
      ...farValues(columns.score, scoreNumbers(errored.table, columns.score)),
    ].filter(({ code }) => code !== "NoScoreFound"),
  };
}

interface RowLabels {
  readonly human: Float64Array;
  readonly weights: Float64Array | undefined;
  /** Several raters of labels. */
  readonly held: readonly RepeatedFacet[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Labels by row, joined on items and on the systems that the files name. */
function labelsOf(table: Table, columns: ComparisonColumns, { labels, drawn }: PeoplesLabels): RowLabels {
  const { system, item, score } = columns;
  refuseSameNames(table, columns);
  const scores = scoreNumbers(table, score);
  const rows = Int32Array.from(scores.keys()).filter((row) => !Number.isNaN(scores[row]!));
  const scored = selectRows(withColumn(table, score, numericColumn(scores)), rows);
  const { labels: apart, human: beside } = sourceOf(labels, table);
  const judged = readJudged(scored, { judge: score, human: beside, item, system, cluster: "none" }, apart);
  const draw = readDraw(judged, drawn);
  const human = new Float64Array(table.rows).fill(Number.NaN);
  const weights = draw.weights === undefined ? undefined : new Float64Array(table.rows);
  for (let u = 0; u < judged.outputs; u++) {
    const row = rows[judged.row[u]!]!;
    human[row] = judged.human[u]!;
    if (weights !== undefined) weights[row] = draw.weights![u]!;
  }
  const raters = judged.raters.length;
  return {
    ...{ human, weights },
    held: raters > 1 ? [{ facet: "raters", levels: raters }] : [],
    diagnostics: [...judged.diagnostics, ...draw.diagnostics],
  };
}

/** Other scores that nobody asked about. */
function tellOthers(score: string, metrics: Merged["metrics"], asked: string | undefined): Diagnostic[] {
  const others = [...new Set(metrics.map(({ name }) => name))].filter((name) => name !== score);
  if (asked !== undefined || others.length === 0) return [];
  const message = `judged by ${score}; there ${others.length === 1 ? "is" : "are"} also ${listNames(others, 6)}.`;
  return [note("OtherScores", message, `Option \`metric: ${others[0]}\` judges by another.`)];
}

interface Sides {
  readonly column: FactorColumn;
  readonly run: Int32Array;
  readonly runs: readonly [readonly string[], readonly string[]];
}

/** The systems that were asked for, and the baseline's that were named. */
function keepSystems(
  table: Table,
  system: string,
  { named, systems }: { readonly named: readonly string[]; readonly systems: readonly string[] | undefined },
): Table {
  if (systems === undefined) return table;
  const { codes, levels } = asFactor(column(table, system));
  const unknown = systems.find((name) => !levels.includes(name));
  if (unknown !== undefined)
    throw new StatError(
      "UnknownSystem",
      `there is no system "${unknown}".`,
      `The systems are ${listNames(levels, 8)}.`,
    );
  const wanted = levels.map((name) => systems.includes(name) || named.includes(name));
  return selectRows(
    table,
    Int32Array.from(codes.keys()).filter((row) => wanted[codes[row]!] === true),
  );
}

/** Files of one side are runs of it, but several systems in one file are several answers: which is judged is not for us to say. */
function refuseSeveral(
  { systems, parts }: Merged,
  runs: Sides["runs"],
  { named, baselineParts }: { readonly named: readonly string[]; readonly baselineParts: number },
): void {
  let from = 0;
  const groups = parts.map(({ path, imported }, k) => {
    const own = parts.length === 1 ? undefined : systems.slice(from, from + countSystems(imported));
    from += own?.length ?? 0;
    return { path, side: parts.length > 1 && k < baselineParts ? 0 : 1, own };
  });
  for (const { path, side, own } of groups) {
    const several = runs[side]!.filter((run) => !named.includes(run) && (own === undefined || own.includes(run)));
    if (several.length < 2) continue;
    const offered = several.slice(0, MOST_OFFERED).map((one) => {
      const both = side === 0 ? [one, ...runs[1]] : [...runs[0], one];
      return `option \`systems: ${both.join(",")}\``;
    });
    throw new StatError(
      "SeveralSystems",
      `${path} holds several systems, ${listNames(several)}: which one is the ${SIDES[side]}?`,
      `Say ${offered.join(" or ")}.`,
    );
  }
}

const MOST_OFFERED = 4;

/** Columns of a wide table are systems, of which a gate judges one against the baseline. */
function inPairs<T>(named: readonly string[], choose: () => T): T {
  try {
    return choose();
  } catch (error) {
    if (!(error instanceof Question) || named.length === 0) throw error;
    const answers = error.ask.answers.flatMap((told) => {
      const { systems = [] } = told;
      if (!named.every((name) => systems.includes(name))) return [told];
      const others = systems.filter((name) => !named.includes(name));
      return others.slice(0, MOST_OFFERED).map((one) => ({ ...told, systems: [...named, one] }));
    });
    throw new Question({ ...error.ask, answers });
  }
}

/** A file against itself passes whatever it holds. */
function refuseSameFile({ baseline, candidate }: GateFiles): void {
  const same = candidate.find(({ path }) => baseline.some((own) => typeof own !== "string" && own.path === path));
  if (same === undefined) return;
  throw new StatError(
    "SameFile",
    `${same.path} is the candidate and the baseline.`,
    "Give two files: a gate of a file against itself always passes.",
  );
}

/** A baseline that is not a file is a system of the candidate's files: a level or a column there. */
function refuseStrangers(
  named: readonly string[],
  candidate: readonly NamedImport[],
  { system, mutate }: GateColumns,
): void {
  // what is yet to be computed is known afterwards
  if (mutate !== undefined && mutate.length > 0) return;
  const stranger = named.find((name) => !namesSystem(name, candidate, { system }));
  if (stranger !== undefined) throw noSuchBaseline(stranger, systemsIn(candidate));
}

/** Whether a name is a system of these files, or a column that may be one where none says which row is whose. */
export function namesSystem(
  name: string,
  files: readonly NamedImport[],
  { system }: Pick<GateColumns, "system"> = {},
): boolean {
  return files.some(({ imported: { table, systems, roles } }) => {
    const own = table.columns.get(system ?? roles.system ?? "");
    return (
      systems.includes(name) || (own === undefined ? table.columns.has(name) : asFactor(own).levels.includes(name))
    );
  });
}

/** Those that the files themselves name. */
export const systemsIn = (files: readonly NamedImport[]): readonly string[] =>
  files.flatMap(({ imported: { roles, systems } }) => (roles.system === undefined ? [] : systems));

function noSuchBaseline(name: string, systems: readonly string[]): StatError {
  const near = nearest(name, systems);
  const fix =
    near !== undefined
      ? `Did you mean "${near}"?`
      : systems.length > 1
        ? `The systems are ${listNames(systems, 8)}.`
        : "Correct the path of the baseline.";
  return new StatError(
    "NoSuchBaseline",
    `the baseline "${name}" is not a file, not a name in a policy, and not a system of the candidate's files.`,
    fix,
  );
}

/** Files with one score each are put together whatever it is called; a gate judges one score. */
function refuseOtherScore({ parts, roles }: Merged, score: string, baselineParts: number): void {
  if (parts.length < 2) return;
  const names = parts.map(({ imported: { table, metrics, roles: own } }) =>
    table.columns.has(score) || metrics.some(({ name }) => name === score)
      ? score
      : (own.score ?? metrics[0]?.name ?? ""),
  );
  if (names.every((name) => name === score) || roles.score === undefined) return;
  const [before, after] = [names.slice(0, baselineParts), names.slice(baselineParts)].map((own) =>
    listNames([...new Set(own)]),
  );
  throw new StatError(
    "OtherScore",
    before === after
      ? `the files have scores of different names (${before}).`
      : `the baseline's score is ${before} and the candidate's ${after}: a gate compares one score.`,
    "Give the column one name in all files.",
  );
}

/** Several files of a side are runs of one system: where each says which it is of, they say the same. */
function refuseSeveralModels({ parts }: Merged, baselineParts: number): void {
  const declared = parts.map(({ imported: { roles, systems, settings = [] } }) => {
    const [model, other] = new Set(settings.map((run) => run.model));
    if (model !== undefined && other === undefined) return model;
    return roles.system !== undefined && systems.length === 1 ? systems[0] : undefined;
  });
  const named = declared.filter((name) => name !== undefined);
  const runs = groupRuns([...new Set(named)]);
  const systemOf = (run: string): string => [...(runs ?? [])].find(([, own]) => own.includes(run))?.[0] ?? run;
  for (const side of [0, 1] as const) {
    const own = side === 0 ? declared.slice(0, baselineParts) : declared.slice(baselineParts);
    const systems = [...new Set(own.filter((name) => name !== undefined).map(systemOf))];
    if (systems.length < 2) continue;
    throw new StatError(
      "SeveralSystems",
      `the ${SIDES[side]}'s files are of several systems, ${listNames(systems)}: several files of a side are runs of one.`,
      `Give the files of one ${SIDES[side]}; if they are runs of one system, name it alike in all of them.`,
    );
  }
}

const countSystems = ({ roles, systems }: NamedImport["imported"]): number =>
  roles.system === undefined ? 1 : Math.max(1, systems.length);

/** Which systems are the baseline's: those of its files, or those that were named. */
function sidesOf(
  merged: Merged,
  table: Table,
  {
    found,
    named,
    baselineParts,
  }: {
    readonly found: ComparisonColumns;
    readonly named: readonly string[];
    readonly baselineParts: number;
  },
): Sides {
  const { systems, parts } = merged;
  const cells = asFactor(column(table, found.system));
  const inTable = new Set(Array.from(cells.codes, (code) => cells.levels[code] ?? ""));
  const unknown = named.find((name) => !inTable.has(name));
  if (unknown !== undefined) throw noSuchBaseline(unknown, [...inTable]);
  const counted = parts.slice(0, baselineParts).reduce((sum, { imported }) => sum + countSystems(imported), 0);
  const baseline = new Set([
    ...named,
    ...(found.system === "system" || parts.length > 1 ? systems.slice(0, counted) : []),
  ]);
  const names = cells.levels.filter((name) => inTable.has(name));
  const runs = [names.filter((name) => baseline.has(name)), names.filter((name) => !baseline.has(name))] as const;
  runs.forEach((own, s) => {
    if (own.length === 0 && (s === 1 || baseline.size > 0))
      throw new StatError(
        "NoBaseline",
        `no rows of the ${SIDES[s]} were found.`,
        "Give logs of both, of different names.",
      );
  });
  refuseSeveral(merged, runs, { named, baselineParts });
  const side = cells.levels.map((name) => (baseline.has(name) ? 0 : 1));
  return {
    column: {
      kind: "factor",
      levels: [...SIDES],
      ordered: false,
      codes: cells.codes.map((code) => (code < 0 ? -1 : side[code]!)),
    },
    run: cells.codes.map((code) => (code < 0 ? -1 : runs[side[code]! as 0 | 1].indexOf(cells.levels[code]!))),
    runs,
  };
}

/** Rows that ended in an error are missing, unless the file scores them as failures or the rule does. */
function withErrors(
  table: Table,
  columns: ComparisonColumns,
  rule: GateUnscored,
): { table: Table; notes: Diagnostic[] } {
  const errored = findErrored(table, columns, SIDES);
  if (errored === undefined) return { table, notes: [] };
  const how = rule === "wrong" || errored.scored === "failures" ? "failures" : "missing";
  const told = [...errored.systems].map(([name, rows]) => `${rows} of the ${name}`).join(", ");
  const why =
    rule === "wrong"
      ? "as the policy says"
      : errored.scored === "failures"
        ? "as the file scores them"
        : rule === "complete"
          ? "which are left out"
          : "which are bounded";
  const message = `rows that ended ${errored.ended} (${errored.column}: ${told}) count as ${how}, ${why}.`;
  return { table: countErrors(table, columns.score, errored, how), notes: [note("Errored", message, "")] };
}

/** The whole where no column tells tasks apart. */
export const WHOLE = "all";

function splitTasks(
  table: Table,
  columns: ComparisonColumns,
  {
    by,
    run,
    labels,
  }: { readonly by: string | undefined; readonly run: Int32Array; readonly labels: RowLabels | undefined },
): TaskEvidence[] {
  const { itemOf, systemOf, score, itemCount, itemName, first } = readCells(table, columns, SIDES);
  const name = by ?? columns.task;
  const groups = name === undefined ? undefined : asFactor(column(table, name));
  const clusters = columns.cluster === undefined ? undefined : asFactor(column(table, columns.cluster)).codes;
  const groupOf = Int32Array.from(first, (row) => (groups === undefined ? 0 : groups.codes[row]!));
  const sizes = new Int32Array(2 * itemCount);
  const isRow = (row: number): boolean => itemOf[row]! >= 0 && systemOf[row]! >= 0;
  for (let row = 0; row < table.rows; row++) if (isRow(row)) sizes[2 * itemOf[row]! + systemOf[row]!]! += 1;
  const levels = groups?.levels ?? [WHOLE];
  const members: number[][] = levels.map(() => []);
  const place = new Int32Array(itemCount).fill(-1);
  for (let item = 0; item < itemCount; item++) {
    const own = groupOf[item]!;
    if (own < 0 || sizes[2 * item]! + sizes[2 * item + 1]! === 0) continue;
    place[item] = members[own]!.length;
    members[own]!.push(item);
  }
  const alone = systemOf.every((side) => side !== 0);
  const tasks = levels.map((task, k) =>
    emptyTask(task, members[k]!, { sizes, clusters, first, itemName, alone, labels }),
  );
  const next = tasks.map(({ offsets }) => offsets.slice(0, -1));
  for (let row = 0; row < table.rows; row++) {
    if (!isRow(row) || place[itemOf[row]!]! < 0) continue;
    const k = groupOf[itemOf[row]!]!;
    const at = next[k]![2 * place[itemOf[row]!]! + systemOf[row]!]!++;
    tasks[k]!.scores[at] = score[row]!;
    tasks[k]!.runs[at] = run[row]!;
    if (labels === undefined) continue;
    tasks[k]!.labels![at] = labels.human[row]!;
    if (labels.weights !== undefined) tasks[k]!.weights![at] = labels.weights[row]!;
  }
  return tasks.filter(({ items }) => items > 0);
}

function emptyTask(
  task: string,
  members: readonly number[],
  {
    sizes,
    clusters,
    first,
    itemName,
    alone,
    labels,
  }: {
    readonly labels: RowLabels | undefined;
    readonly alone: boolean;
    readonly sizes: Int32Array;
    readonly clusters: Int32Array | undefined;
    readonly first: Int32Array;
    readonly itemName: (item: number) => string;
  },
): TaskEvidence {
  const offsets = new Int32Array(2 * members.length + 1);
  members.forEach((item, i) => {
    offsets[2 * i + 1] = offsets[2 * i]! + sizes[2 * item]!;
    offsets[2 * i + 2] = offsets[2 * i + 1]! + sizes[2 * item + 1]!;
  });
  const rows = offsets[2 * members.length]!;
  const own = clusters && Int32Array.from(members, (item) => clusters[first[item]!]!);
  return {
    task,
    items: members.length,
    ...(alone ? { alone } : {}),
    offsets,
    scores: new Float64Array(rows),
    runs: new Int32Array(rows),
    ...(labels === undefined ? {} : { labels: new Float64Array(rows) }),
    ...(labels?.weights === undefined ? {} : { weights: new Float64Array(rows) }),
    nameOf: (i) => itemName(members[i]!),
    ...(own === undefined || new Set(own).size >= members.length ? {} : { clusters: own }),
  };
}

function scoreEnds(name: string, table: Table): ScoreEnds {
  const cells = column(table, name);
  return cells.kind === "numeric" ? endsOf(name, cells.values) : { range: [0, 1], seen: false };
}

function scoreBounds(name: string, table: Table): ScoreBounds | undefined {
  const cells = column(table, name);
  return cells.kind === "numeric" ? boundsOf(name, cells.values) : SHARE_BOUNDS;
}

/** Raters who differ in which side they prefer, and runs that are better as wholes, are no sample that the tests know of. */
function heldIn(table: Table, { rater }: ComparisonColumns, tasks: readonly TaskEvidence[]): RepeatedFacet[] {
  const cells = rater === undefined ? undefined : asFactor(column(table, rater)).codes;
  const raters = cells === undefined ? 0 : new Set(cells.filter((code) => code >= 0)).size;
  if (raters > 1) return [{ facet: "raters", levels: raters }];
  const most = mostOf(tasks.flatMap(({ offsets }) => Array.from(offsets.subarray(1), (at, k) => at - offsets[k]!)));
  return most > 1 ? [{ facet: "runs", levels: most }] : [];
}

/** 0 the baseline's, 1 the candidate's. */
const sidesIn = ({ alone }: Pick<TaskEvidence, "alone">): readonly number[] => (alone ? [1] : [0, 1]);

/** How much of a task is there. */
export interface TaskCoverage {
  /** Items of either side, and of both. */
  readonly items: number;
  readonly shared: number;
  /** Items of each side. */
  readonly own: readonly [baseline: number, candidate: number];
  /** Rows of the shared items, and those without a score, of either side. */
  readonly rows: readonly [baseline: number, candidate: number];
  readonly unscored: readonly [baseline: number, candidate: number];
  /** Share of the shared items' rows that have a score: of the side that has fewer. */
  readonly scored: number;
}

export function coverageOf(own: TaskEvidence): TaskCoverage {
  const { items, offsets, scores } = own;
  const sides = sidesIn(own);
  let shared = 0;
  const [counts, rows, unscored] = [
    [0, 0],
    [0, 0],
    [0, 0],
  ];
  for (let i = 0; i < items; i++) {
    const there = sides.filter((s) => offsets[2 * i + s + 1]! > offsets[2 * i + s]!);
    for (const s of there) counts[s]! += 1;
    if (there.length < sides.length) continue;
    shared += 1;
    for (const s of sides) {
      for (let at = offsets[2 * i + s]!; at < offsets[2 * i + s + 1]!; at++) {
        rows[s]! += 1;
        if (Number.isNaN(scores[at]!)) unscored[s]! += 1;
      }
    }
  }
  const share = (s: number): number => (rows[s] === 0 ? 0 : 1 - unscored[s]! / rows[s]!);
  return {
    items,
    shared,
    own: [counts[0]!, counts[1]!],
    rows: [rows[0]!, rows[1]!],
    unscored: [unscored[0]!, unscored[1]!],
    scored: Math.min(...sides.map(share)),
  };
}

/** Means of the items that both sides have a score on; with `fill` rows without one have that of their side. */
export function pairScores(
  { items, offsets, scores, clusters, alone }: TaskEvidence,
  range: ScoreRange,
  fill: readonly [baseline: number, candidate: number] = [Number.NaN, Number.NaN],
): PairedScores {
  const sides = [new Float64Array(items), new Float64Array(items)];
  const kept = new Int32Array(items);
  const present = sidesIn({ alone });
  let [n, binary] = [0, true];
  for (let i = 0; i < items; i++) {
    let whole = true;
    if (alone) sides[0]![n] = Number.NaN;
    for (const s of present) {
      let [sum, count] = [0, 0];
      for (let at = offsets[2 * i + s]!; at < offsets[2 * i + s + 1]!; at++) {
        const value = Number.isNaN(scores[at]!) ? fill[s]! : scores[at]!;
        if (Number.isNaN(value)) continue;
        sum += value;
        count += 1;
      }
      whole &&= count > 0;
      binary &&= count <= 1 && (sum === 0 || sum === 1);
      sides[s]![n] = sum / count;
    }
    if (whole) kept[n++] = clusters?.[i] ?? 0;
  }
  return {
    baseline: sides[0]!.slice(0, n),
    candidate: sides[1]!.slice(0, n),
    binary,
    width: range[1] - range[0],
    ...(clusters === undefined ? {} : { clusters: kept.slice(0, n) }),
  };
}
