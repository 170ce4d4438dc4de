/** What is ranked: rows of items by system as their study means them, or totals. */
import { fingerprint } from "../../data/fingerprint.ts";
import { asFactor, column, type FactorColumn, selectColumns, type Table } from "../../data/table.ts";
import { prepareTable } from "../../formula/evaluate/evaluate.ts";
import type { OptionsOf } from "../../question/option.ts";
import type { RANK } from "../../question/rank.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { listNames } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import {
  type ComparedFiles,
  chooseColumns,
  chooseSystems,
  direction,
  gather,
  leaveIdleRatersOut,
  leaveUnscoredOut,
  type Merged,
} from "../compare/columns.ts";
import { readCells } from "../compare/matching/cells.ts";
import { type ComparisonColumns, type Matched, matchItems, type UnmatchedItems } from "../compare/matching/matching.ts";
import type { RepeatedFacet } from "../compare/pair/facets.ts";
import { findFault } from "../compare/reading/checks.ts";
import { findDocuments, setFewClustersAside } from "../compare/reading/groups.ts";
import { warnOfPositions } from "../compare/reading/positions.ts";
import { leaveOtherTasksOut, tellOtherScores } from "../compare/reading/reading.ts";
import { withoutItem, withRowItems } from "../compare/reading/row-items.ts";
import { nameUnits } from "../compare/reading/units.ts";
import type { Board } from "./board.ts";
import type { Votes } from "./votes.ts";

export type RankColumns = OptionsOf<typeof RANK.options>;

/** Scores of items. */
export interface ReadBoard extends Board {
  readonly metric: string;
  readonly higherIsBetter: boolean;
  readonly columns: ComparisonColumns;
  readonly itemNames: readonly string[];
  readonly unitNames: string;
  readonly clusterNames?: readonly string[] | undefined;
  readonly taskNames?: readonly string[] | undefined;
  readonly unmatched: readonly UnmatchedItems[];
  readonly itemsLost: number;
  /** Spread of the repeats of a score around their mean, over their number: at [s], mean over the items; NaN without repeats. */
  readonly noise: Float64Array;
  /** Repeats of a score, on the average. */
  readonly repeats: number;
  /** What was averaged, and is taken as it is. */
  readonly held: readonly RepeatedFacet[];
  readonly data: string;
  readonly assumed: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Of the items that a system has a score on, the fewest that all others must have too. */
const FEWEST_SHARED = 0.5;

export function readBoard(data: ComparedFiles, given: RankColumns): ReadBoard {
  const { merged: gathered, options } = withoutItem(gather(data, given), given);
  const merged = withRowItems(gathered, options, given.item === "none");
  const whole = prepareTable(merged.table, options);
  const found = chooseColumns(merged, whole, options);
  const higherIsBetter = knownDirection(direction(merged, found.score, options), found.score);
  const { table: rows, notes: tasks } = leaveOtherTasksOut(whole, found);
  const wanted = chooseSystems(rows, { system: found.system, options });
  const { systems, notes: lost } = leaveUnscoredOut(wanted, rows, { columns: found, options });
  requireTwo(systems.length);
  const { columns: kept, notes: groups } = setFewClustersAside(found, rows, options);
  const { columns, table, notes: rated } = leaveIdleRatersOut(merged, { columns: kept, table: rows }, options);
  const fault = findFault({ table, columns, systems, where: options.where });
  if (fault !== undefined) throw new StatError("NoRanks", fault.reason, fault.fix);
  refuseOtherPopulations(table, columns, systems);
  const matched = matchItems(table, columns, systems);
  const unitNames = nameUnits(columns.item, options.byRow === true).units ?? "items";
  const used = [...new Set(Object.values(columns).flat())].filter((name) => table.columns.has(name));
  return {
    ...{ systems, scores: matched.means, items: matched.items.length, itemNames: matched.items },
    ...{ metric: columns.score, higherIsBetter, columns, unitNames },
    ...(matched.clusters && { clusters: matched.clusters.codes, clusterNames: matched.clusters.names }),
    ...(matched.tasks && { tasks: matched.tasks.codes, taskNames: matched.tasks.names }),
    ...{ unmatched: matched.unmatched, itemsLost: matched.itemsLost, held: heldIn(matched) },
    ...repeatsIn(matched, systems.length),
    data: fingerprint(selectColumns(table, used)),
    assumed: merged.parts.flatMap(({ imported }) => imported.assumptions),
    diagnostics: [
      ...readingNotes(merged),
      ...[...tasks, ...lost, ...groups, ...rated],
      ...tellOtherScores(columns.score, [...merged.metrics, ...(merged.otherMetrics ?? [])], options.metric),
      ...tellMissing(matched, unitNames),
      ...tellLostTasks(table, columns, { systems, matched }),
    ],
  };
}

const readingNotes = (merged: Merged): Diagnostic[] =>
  [...merged.diagnostics, ...(merged.notes ?? [])].filter(({ code }) => code !== "NoScoreFound");

/** Without it the first could be the last. */
export function knownDirection(higherIsBetter: boolean | null, metric: string): boolean {
  if (higherIsBetter !== null) return higherIsBetter;
  throw new StatError(
    "DirectionUnknown",
    `ambiguous: is a higher or a lower ${metric} better? Ranks need to know.`,
    "Say it with option `higherIsBetter: true` or option `higherIsBetter: false`.",
  );
}

export function requireTwo(systems: number): void {
  if (systems >= 2) return;
  throw new StatError("OneSystem", "one system has no rank.", "Give scores of two systems or more.");
}

/** Scores of different populations are not on one board. */
function refuseOtherPopulations(table: Table, columns: ComparisonColumns, systems: readonly string[]): void {
  const { itemOf, itemCount, systemOf, score } = readCells(table, columns, systems);
  const S = systems.length;
  const has = new Uint8Array(itemCount * S);
  const holders = new Int32Array(itemCount);
  for (let row = 0; row < table.rows; row++) {
    const [item, s] = [itemOf[row]!, systemOf[row]!];
    if (item < 0 || s < 0 || Number.isNaN(score[row]!) || has[item + s * itemCount] === 1) continue;
    has[item + s * itemCount] = 1;
    holders[item]! += 1;
  }
  const shared = holders.reduce((sum, count) => sum + Number(count === S), 0);
  // no item in common is told with the ids that each system has (../compare/matching/matching.ts)
  if (shared === 0) return;
  const own = systems.map((_, s) =>
    has.subarray(s * itemCount, (s + 1) * itemCount).reduce((sum, one) => sum + one, 0),
  );
  const most = systems.findIndex((_, s) => shared < FEWEST_SHARED * own[s]!);
  if (most < 0) return;
  const fewest = own.indexOf(Math.min(...own));
  const message = `the systems were scored on different items: ${shared} items have scores of all ${S} systems, ${systems[most]} has ${own[most]} and ${systems[fewest]} ${own[fewest]}. Means of different items are not on one scale.`;
  throw new StatError("OtherPopulations", message, "Name systems of the same items with option `systems`.");
}

/** s²/m of the repeats of one item: what more of them would take away. */
function repeatsIn(
  { within, counts, items, repeats, raters }: Matched,
  S: number,
): Pick<ReadBoard, "noise" | "repeats"> {
  const n = items.length;
  if (repeats < 2 || raters > 1 || counts.some((m) => m < 2))
    return { noise: new Float64Array(S).fill(Number.NaN), repeats: 1 };
  const noise = new Float64Array(S);
  for (let at = 0; at < within.length; at++)
    noise[Math.floor(at / n)]! += within[at]! / (counts[at]! - 1) / counts[at]! / n;
  return { noise, repeats: counts.reduce((sum, m) => sum + m, 0) / counts.length };
}

/** Repeats and raters were averaged: the ranks are about these. */
function heldIn({ raters, repeats }: Matched): RepeatedFacet[] {
  return [
    ...(raters > 1 ? [{ facet: "raters" as const, levels: raters }] : []),
    ...(repeats > 1 ? [{ facet: "runs" as const, levels: repeats }] : []),
  ];
}

const MOST_NAMED = 4;

function tellMissing({ unmatched, itemsLost, items }: Matched, units: string): Diagnostic[] {
  if (itemsLost === 0) return [];
  const lacking = [...unmatched].filter(({ missing }) => missing > 0).sort((a, b) => b.missing - a.missing);
  const told = lacking.slice(0, MOST_NAMED).map(({ system, missing }) => `${system} lacks ${missing}`);
  const more = lacking.length > MOST_NAMED ? `, ${lacking.length - MOST_NAMED} more systems lack some` : "";
  const message = `${itemsLost} of ${itemsLost + items.length} ${units} are left out, as they have no score of some system: ${told.join(", ")}${more}.`;
  return [
    warning(
      "MissingItems",
      message,
      "Ranks are about the rest. Items that are missing because they are hard would change them.",
    ),
  ];
}

/** Tasks that some system lacks altogether: a mean over the others would be of another board. */
function tellLostTasks(
  table: Table,
  { task, system }: ComparisonColumns,
  { systems, matched }: { readonly systems: readonly string[]; readonly matched: Matched },
): Diagnostic[] {
  if (task === undefined) return [];
  const cells = asFactor(column(table, task));
  const kept = new Set(Array.from(matched.rows, (row) => cells.codes[row]!));
  const lost = [...new Set(cells.codes)].filter((code) => code >= 0 && !kept.has(code));
  if (lost.length === 0) return [];
  const names = asFactor(column(table, system));
  const lackers = lost.map((code) => {
    const met = new Set<string>();
    cells.codes.forEach((own, row) => {
      if (own === code) met.add(names.levels[names.codes[row]!]!);
    });
    const without = systems.filter((name) => !met.has(name));
    return `${cells.levels[code]}${without.length === 0 ? "" : ` (${listNames(without)})`}`;
  });
  const one = lost.length === 1;
  const message = `${listNames(lackers, MOST_NAMED)} ${one ? "is" : "are"} left out of the board, as ${one ? "it has" : "they have"} no item with a score of every system.`;
  return [
    warning("MissingTasks", message, "Run the missing systems on it, or rank those that have it (option `systems`)."),
  ];
}

/** Votes, and what they group. */
export interface ReadVotes extends Votes {
  readonly columns: object;
  readonly data: string;
  readonly assumed: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Graded votes are neither won nor lost. */
const OUTCOMES: ReadonlySet<number> = new Set([0, 0.5, 1]);

/** Whether the rows are votes. */
export function votesIn(data: ComparedFiles, given: RankColumns): Merged | undefined {
  const merged = gather(data, given);
  return merged.roles.opponent !== undefined && merged.roles.cluster !== undefined ? merged : undefined;
}

export function readVotes(merged: Merged, options: RankColumns): ReadVotes {
  const whole = prepareTable(merged.table, options);
  const { system, score, item: prompt, rater } = chooseColumns(merged, whole, options);
  const systems = chooseSystems(whole, { system, options });
  requireTwo(systems.length);
  const units = { battle: merged.roles.cluster!, prompt, rater, system, score };
  const { cluster, table, notes } = findDocuments(whole, units, options);
  const columns = { system, opponent: merged.roles.opponent!, battle: units.battle, prompt, rater, score, cluster };
  const votes = collectVotes(table, columns, systems);
  const used = Object.values(columns).filter((name) => name !== undefined && table.columns.has(name)) as string[];
  return {
    ...votes,
    columns,
    data: fingerprint(selectColumns(table, [...new Set(used)])),
    assumed: merged.parts.flatMap(({ imported }) => imported.assumptions),
    diagnostics: [...readingNotes(merged), ...notes, ...warnOfPositions(table, columns, systems)],
  };
}

interface VoteNames {
  readonly system: string;
  readonly opponent: string;
  readonly battle: string;
  readonly prompt: string | undefined;
  readonly rater: string | undefined;
  readonly score: string;
  readonly cluster: string | undefined;
}

/** One of a battle's two rows, that of its first side, has all of it. */
function collectVotes(table: Table, columns: VoteNames, systems: readonly string[]): Votes {
  const numbers = new Map(systems.map((name, s) => [name, s]));
  const [own, other, battle] = [columns.system, columns.opponent, columns.battle].map((name) =>
    asFactor(column(table, name)),
  ) as [FactorColumn, FactorColumn, FactorColumn];
  const place = ({ levels }: FactorColumn): number[] => levels.map((level) => numbers.get(level) ?? -1);
  const [first, second] = [place(own), place(other)];
  const scores = column(table, columns.score);
  if (scores.kind !== "numeric")
    throw new StatError("NotNumeric", `${columns.score} is not numeric.`, "Name a column of numbers.");
  const side = table.columns.get("position");
  const isSecond = (row: number): boolean => side?.kind === "factor" && side.levels[side.codes[row]!] === "b";
  const met = new Set<number>();
  const rows: number[] = [];
  for (let row = 0; row < table.rows; row++) {
    const [a, b] = [first[own.codes[row]!] ?? -1, second[other.codes[row]!] ?? -1];
    if (a < 0 || b < 0 || a === b || Number.isNaN(scores.values[row]!) || isSecond(row) || met.has(battle.codes[row]!))
      continue;
    met.add(battle.codes[row]!);
    rows.push(row);
  }
  if (rows.length < 2) throw new StatError("TooFew", "fewer than two votes between these systems.", "Give more votes.");
  const groups = [columns.rater, columns.cluster ?? columns.prompt].flatMap((name) => {
    if (name === undefined) return [];
    const cells = asFactor(column(table, name));
    const known = new Map<number, number>();
    // a vote without a name of its group stands for itself
    const codes = Int32Array.from(rows, (row, i) => {
      const key = cells.codes[row]! < 0 ? -1 - i : cells.codes[row]!;
      const code = known.get(key) ?? known.size;
      known.set(key, code);
      return code;
    });
    return known.size > 1 && known.size < rows.length
      ? [{ name, codes, count: known.size, names: [...known.keys()].map((key) => cells.levels[key] ?? `vote ${-key}`) }]
      : [];
  });
  return {
    systems,
    first: Int32Array.from(rows, (row) => first[own.codes[row]!]!),
    second: Int32Array.from(rows, (row) => second[other.codes[row]!]!),
    share: Float64Array.from(rows, (row) => scores.values[row]!),
    groups,
  };
}

/** A model of ties needs outcomes, not grades. */
export const areGraded = ({ share }: Votes): boolean => share.some((own) => !OUTCOMES.has(own));
