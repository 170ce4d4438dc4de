/** What the rows must be before a verdict can rest on them. Each check gives one sentence on why they are not, or nothing.
 *    raters      no rater met two systems, and a system has one rater only: rater and system are one thing
 *    occasions   ratings of each system in a batch or session of its own (occasions.ts)
 *    scales      one system in shares, another in percent, or other scales that are not one
 *    tries       repeats that ended with the first success: what is left of them is no sample of tries
 *    codes       999 among ratings of 1 to 5, -1 among 0 and 1, -999 among 40.5 to 95: "no answer", which would be averaged (metrics/codes.ts) */

import { countGroups, finite, sumCounts, type ValueCounts } from "../../../data/counts.ts";
import { groupKeys } from "../../../data/keys.ts";
import { asFactor, column, type Table } from "../../../data/table.ts";
import { findBadValues, isLookedAt, tellFix } from "../../../metrics/codes.ts";
import { warning } from "../../../result/diagnostic.ts";
import { leastOf } from "../../../result/extremes.ts";
import { listNames } from "../../../result/quote.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { isClusterName } from "../../../study/lexicon/names.ts";
import type { ComparisonColumns } from "../matching/matching.ts";
import { findOccasion } from "./occasions.ts";
import { unlikeScales } from "./scales.ts";

export interface Fault {
  /** A sentence that says why there is no verdict. */
  readonly reason: string;
  /** What to do about it. */
  readonly fix: string;
  /** Whether the systems' own means still mean something. */
  readonly meansStand: boolean;
  /** The value that reads like a code. */
  readonly code?: number;
}

export interface Checked {
  readonly table: Table;
  readonly columns: ComparisonColumns;
  readonly systems: readonly string[];
  /** Conditions on rows that the user has given: who names the score there has looked at its values. */
  readonly where?: readonly string[] | undefined;
  /** Nobody looks at what a check says: conditions settle nothing, and what looks wrong is mended in the file. */
  readonly strict?: boolean;
}

/** Values that are no scores of one scale. */
export const findBadScores = (checked: Checked): Fault | undefined =>
  findNoScores(checked) ?? findUnlikeScales(checked) ?? findStopped(checked);

function findNoScores(checked: Checked): Fault | undefined {
  const { score } = checked.columns;
  if (checked.strict !== true && isLookedAt(score, checked.where)) return undefined;
  const bad = findBadValues(score, sumCounts(scoresBySystem(checked)));
  if (bad === undefined) return undefined;
  const { reason, code, keep } = bad;
  return {
    reason,
    fix: tellFix(bad, checked.strict === true ? undefined : keep),
    meansStand: false,
    ...(code === undefined ? {} : { code }),
  };
}

/** Each check says why rows allow no verdict, or nothing; the first that does is told. */
const CHECKS: readonly ((checked: Checked) => Fault | undefined)[] = [
  findBadScores,
  findConfoundedRaters,
  (checked) => findOccasion(checked, sumCounts(scoresBySystem(checked))),
];

export function findFault(checked: Checked): Fault | undefined {
  for (const check of CHECKS) {
    const fault = check(checked);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Items with several tries from which on it is no accident that all of them end with the same outcome. */
const FEWEST_RETRIED = 6;

/** Tries that go on until one succeeds: each but the last has one outcome, and only the longest end with it. */
function findStopped({ table, columns, systems }: Checked): Fault | undefined {
  const { item, system, repeat, task } = columns;
  const score = column(table, columns.score);
  if (repeat === undefined || score.kind !== "numeric") return undefined;
  const order = column(table, repeat);
  const names = asFactor(column(table, system));
  const place = placesOf(names.levels, systems);
  const { group, count } = groupKeys(
    [item, system, ...(task === undefined ? [] : [task])].map((name) => column(table, name)),
    table.rows,
  );
  const cells: number[][] = Array.from({ length: count }, () => []);
  for (let row = 0; row < table.rows; row += 1) {
    const counts = place.has(names.codes[row]!) && Number.isFinite(score.values[row]!);
    if (counts) cells[group[row]!]!.push(row);
  }
  if (order.kind === "numeric") for (const rows of cells) rows.sort((x, y) => order.values[x]! - order.values[y]!);
  const tries = cells.filter((rows) => rows.length > 0).map((rows) => rows.map((row) => score.values[row]!));
  const most = tries.reduce((longest, { length }) => Math.max(longest, length), 0);
  const ended = [1, 0].find((last) =>
    tries.every(
      (own) => own.slice(0, -1).every((value) => value === 1 - last) && (own.length === most || own.at(-1) === last),
    ),
  );
  const retried = tries.filter((own) => own.length > 1 && own.at(-1) === ended).length;
  if (ended === undefined || retried < FEWEST_RETRIED || tries.every(({ length }) => length === most)) return undefined;
  return {
    reason: `tries (${repeat}) stop at the first ${columns.score} of ${ended}: their mean is neither that of first attempts nor the proportion of items solved.`,
    fix: `Compare first tries with option \`where\` on ${repeat}, or keep the last try of each item alone.`,
    meansStand: false,
  };
}

/** Raters who each saw one system only, with what they saw and how many each system has; undefined where one met two systems. */
function ratersApart({ table, columns, systems }: Checked): { who: string[]; sizes: number[] } | undefined {
  if (columns.rater === undefined) return undefined;
  const rater = asFactor(column(table, columns.rater));
  const system = asFactor(column(table, columns.system));
  const place = placesOf(system.levels, systems);
  const met = new Map<number, Set<number>>();
  rater.codes.forEach((code, row) => {
    const s = place.get(system.codes[row]!);
    if (code >= 0 && s !== undefined) met.set(code, (met.get(code) ?? new Set()).add(s));
  });
  const sizes = systems.map(() => 0);
  for (const own of met.values()) for (const s of own) sizes[s]! += 1;
  const apart = met.size > 1 && [...met.values()].every((own) => own.size === 1);
  if (!apart) return undefined;
  const who = [...met].slice(0, MOST_SHOWN).map(([code, own]) => `${rater.levels[code]} ${systems[[...own][0]!]}`);
  return { who, sizes };
}

/** The number of each system that is compared, by its code. */
function placesOf(levels: readonly string[], systems: readonly string[]): Map<number, number> {
  const numbers = new Map(systems.map((name, s) => [name, s]));
  return new Map(levels.flatMap((level, code) => (numbers.has(level) ? [[code, numbers.get(level)!] as const] : [])));
}

export function findConfoundedRaters(checked: Checked): Fault | undefined {
  const apart = ratersApart(checked);
  if (!apart?.sizes.includes(1)) return undefined;
  return {
    reason: `every rater saw one system only (${listNames(apart.who)}), so a strict rater would look like a bad system.`,
    fix: "Let raters see both systems, or several raters each.",
    meansStand: true,
  };
}

/** Both, where no verdict is asked for but the systems are distinguished. */
export function tellRatersApart(checked: Checked): Diagnostic[] {
  const fault = findConfoundedRaters(checked);
  return fault === undefined ? warnOfRatersApart(checked) : [warning("RatersApart", fault.reason, fault.fix)];
}

/** Several raters a system carry a verdict, but it is one between raters too. */
export function warnOfRatersApart(checked: Checked): Diagnostic[] {
  const apart = ratersApart(checked);
  if (apart === undefined || apart.sizes.includes(1)) return [];
  const told = checked.systems.map((name, s) => `${name} ${apart.sizes[s]}`);
  return [
    warning(
      "RatersApart",
      `each rater saw one system only (${listNames(told)}), so a difference between the systems is also one between their raters; it is the systems' only if chance decided who rated which.`,
      "Let every rater see all systems.",
    ),
  ];
}

const MOST_SHOWN = 2;

/** Several checks ask for the same. */
const counted = new WeakMap<Checked, readonly ValueCounts[]>();

/** Scores of each system that are not missing. */
function scoresBySystem(checked: Checked): readonly ValueCounts[] {
  const found = counted.get(checked) ?? countBySystem(checked);
  counted.set(checked, found);
  return found;
}

function countBySystem({ table, columns, systems }: Checked): readonly ValueCounts[] {
  const score = column(table, columns.score);
  if (score.kind !== "numeric") return [];
  return countGroups(score.values, systemsOf(table, columns.system, systems), systems.length).map(finite);
}

/** The number of each row's system among those that are compared, -1 for others. */
function systemsOf(table: Table, name: string, systems: readonly string[]): Int32Array {
  const { codes, levels } = asFactor(column(table, name));
  const place = placesOf(levels, systems);
  const places = levels.map((_, code) => place.get(code) ?? -1);
  return codes.map((code) => (code < 0 ? -1 : places[code]!));
}

function findUnlikeScales(checked: Checked): Fault | undefined {
  const { score } = checked.columns;
  if (checked.strict !== true && isLookedAt(score, checked.where)) return undefined;
  const { rater, task } = checked.columns;
  const tasks = unlikeParts(checked, isDocument(checked) ? undefined : task, { lengths: true, tasks: true });
  const systems = tasks ?? unlikeScales(scoresBySystem(checked), checked.systems, score);
  const told = systems ?? unlikeParts(checked, rater, { lengths: false });
  if (told === undefined) return undefined;
  const write =
    tasks !== undefined
      ? `Compare one ${task} at a time with option \`where\`, or write the scores of all on one scale`
      : systems !== undefined
        ? "Write both in the same units"
        : "Write the scores of all raters on one scale";
  const keep = `; if they are on one scale, say option \`where: "${score} >= ${lowest(checked)}"\``;
  return {
    reason: `the scores do not share a scale: ${told}.`,
    fix: `${write}${checked.strict === true ? "" : keep}.`,
    meansStand: false,
  };
}

/** A document of few sentences may well get low scores only: it is a sample of items, and has no scale of its own. */
function isDocument({ table, columns: { task, cluster } }: Checked): boolean {
  if (task === undefined || isClusterName(task)) return true;
  if (cluster === undefined) return false;
  const [own, groups] = [column(table, task), column(table, cluster)];
  const both = groupKeys([own, groups], table.rows).count;
  return both === groupKeys([own], table.rows).count && both === groupKeys([groups], table.rows).count;
}

/** Raters or tasks on scales of their own; a strict rater may never use the upper steps of the same scale. */
function unlikeParts(
  { table, columns, systems }: Checked,
  of: string | undefined,
  { lengths, tasks = false }: { readonly lengths: boolean; readonly tasks?: boolean },
): string | undefined {
  const score = column(table, columns.score);
  if (of === undefined || score.kind !== "numeric") return undefined;
  const { codes, levels } = asFactor(column(table, of));
  const system = systemsOf(table, columns.system, systems);
  const group = codes.map((code, row) => (system[row]! < 0 ? -1 : code));
  const found = countGroups(score.values, group, levels.length).map(finite);
  const kept = levels.map((_, k) => k).filter((k) => found[k]!.n > 0);
  return unlikeScales(
    kept.map((k) => found[k]!),
    kept.map((k) => levels[k]!),
    columns.score,
    { lengths, tasks },
  );
}

const lowest = (checked: Checked): number => leastOf(sumCounts(scoresBySystem(checked)).of.keys());
