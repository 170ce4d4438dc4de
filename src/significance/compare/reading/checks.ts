/** What the rows must be before a verdict can rest on them. Each check gives one sentence on why they are not, or nothing.
 *    raters      no rater met two systems, and a system has one rater only: rater and system are one thing
 *    occasions   ratings of each system in a batch or session of its own (occasions.ts)
 *    scales      one system in shares, another in percent, or other scales that are not one
 *    sentinels   999 among ratings of 1 to 5, -1 among 0 and 1, -999 among 40.5 to 95: codes for "no answer" that would be averaged */

import { asFactor, column, type Table } from "../../../data/table.ts";
import { rangeByName, scaleInName } from "../../../metrics/range.ts";
import { warning } from "../../../result/diagnostic.ts";
import { formatNumber } from "../../../result/number-format.ts";
import { listNames, quoteName } from "../../../result/quote.ts";
import type { Diagnostic } from "../../../result/result.ts";
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
}

/** Values that are no scores of one scale. */
export const findBadScores = (checked: Checked): Fault | undefined =>
  findSentinel(checked) ?? findOffScale(checked) ?? findUnlikeScales(checked);

export function findFault(checked: Checked): Fault | undefined {
  return (
    findBadScores(checked) ?? findConfoundedRaters(checked) ?? findOccasion(checked, scoresBySystem(checked).flat())
  );
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

function findConfoundedRaters(checked: Checked): Fault | undefined {
  const apart = ratersApart(checked);
  if (!apart?.sizes.includes(1)) return undefined;
  return {
    reason: `every rater saw one system only (${listNames(apart.who)}), so a strict rater cannot be told from a bad system.`,
    fix: "Let raters see both systems, or several raters each.",
    meansStand: true,
  };
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

/** Scores of each system that are not missing. */
function scoresBySystem({ table, columns, systems }: Checked): number[][] {
  const score = column(table, columns.score);
  if (score.kind !== "numeric") return [];
  const system = asFactor(column(table, columns.system));
  const place = placesOf(system.levels, systems);
  const found: number[][] = systems.map(() => []);
  system.codes.forEach((code, row) => {
    const s = place.get(code);
    if (s !== undefined && Number.isFinite(score.values[row]!)) found[s]!.push(score.values[row]!);
  });
  return found;
}

function findUnlikeScales(checked: Checked): Fault | undefined {
  const { score } = checked.columns;
  if (isLookedAt(checked)) return undefined;
  const systems = unlikeScales(scoresBySystem(checked), checked.systems, score);
  const told = systems ?? unlikeRaters(checked);
  if (told === undefined) return undefined;
  const write = systems === undefined ? "Write the scores of all raters on one scale" : "Write both in the same units";
  return {
    reason: `the scores do not share a scale: ${told}.`,
    fix: `${write}; if they are on one scale, say option \`where: "${score} >= ${lowest(checked)}"\`.`,
    meansStand: false,
  };
}

/** Raters on scales of their own; a strict one may never use the upper steps of the same scale. */
function unlikeRaters({ table, columns, systems }: Checked): string | undefined {
  const score = column(table, columns.score);
  if (columns.rater === undefined || score.kind !== "numeric") return undefined;
  const { codes, levels } = asFactor(column(table, columns.rater));
  const system = asFactor(column(table, columns.system));
  const place = placesOf(system.levels, systems);
  const found: number[][] = levels.map(() => []);
  codes.forEach((code, row) => {
    const counts = code >= 0 && place.has(system.codes[row]!) && Number.isFinite(score.values[row]!);
    if (counts) found[code]!.push(score.values[row]!);
  });
  const kept = levels.map((_, k) => k).filter((k) => found[k]!.length > 0);
  return unlikeScales(
    kept.map((k) => found[k]!),
    kept.map((k) => levels[k]!),
    columns.score,
    { lengths: false },
  );
}

const lowest = (checked: Checked): number =>
  scoresBySystem(checked)
    .flat()
    .reduce((low, v) => Math.min(low, v), Number.POSITIVE_INFINITY);

/** A condition that names the score was written by someone who has seen its values. */
const isLookedAt = ({ where = [], columns }: Checked): boolean =>
  where.some((condition) => condition.includes(columns.score));

const CODES = [
  ...[-9999, -999, -99, -98, -97, -88, -77, -9, -8, -1],
  ...[9, 8, 99, 98, 97, 88, 77, 999, 998, 997, 888, 777, 9999, 9998, 8888, 99999],
];
/** A scale of answers ends here. */
const HIGHEST_STEP = 10;
/** A scale of percent or points. */
const HIGHEST_SCORE = 100;
/** So often the very same value does not come about by measuring. */
const OFTEN = 3;
/** Above this share -1, 0 and 1 are a scale of their own: worse, equal, better. */
const RARE = 0.2;

/** Values that the scale in the name of the score does not have: slips, or codes. */
function findOffScale(checked: Checked): Fault | undefined {
  const { score } = checked.columns;
  const scale = scaleInName(score);
  if (scale === undefined || isLookedAt(checked)) return undefined;
  const all = scoresBySystem(checked).flat();
  const off = all.filter((value) => value < scale[0] || value > scale[1]);
  // where many do, the numbers are something else
  if (off.length === 0 || off.length > RARE * all.length) return undefined;
  const told = listNames([...new Set(off)].sort((a, b) => a - b).map((value) => formatNumber(value)));
  const name = quoteName(score);
  return {
    reason: `${off.length} of ${all.length} values of ${score} are not on its scale (${told}).`,
    fix: `Mend them, or leave them out: option \`\`where: "${name} >= ${scale[0]} & ${name} <= ${scale[1]}"\`\`.`,
    meansStand: false,
  };
}

function findSentinel(checked: Checked): Fault | undefined {
  const { score } = checked.columns;
  if (isLookedAt(checked)) return undefined;
  const all = scoresBySystem(checked).flat();
  const counts = new Map<number, number>();
  for (const v of all) counts.set(v, (counts.get(v) ?? 0) + 1);
  const isCode = (v: number): boolean => counts.has(v) && isOutside(v, counts, all.length);
  const code = CODES.find(isCode) ?? ownCode(score, counts, all.length);
  if (code === undefined) return undefined;
  const others = all.filter((v) => v !== code);
  const [from, to] = [others.reduce((a, b) => Math.min(a, b)), others.reduce((a, b) => Math.max(a, b))];
  return {
    reason: `${counts.get(code)} of ${all.length} values of ${score} are ${code} among ${formatNumber(from)} to ${formatNumber(to)}, which reads like a code for "no answer".`,
    fix: `Option \`missing: ${code}\` leaves them out; if ${code} is a value like any other, say option \`where: "${score} ${code < 0 ? ">=" : "<="} ${code}"\`.`,
    meansStand: false,
    code,
  };
}

/** What may be below 0 whatever was counted. */
const DIFFERENCE = /diff|delta|change|gain|drop|improvement|reduction|increase|saved|vs/i;
/** So many times all others, and the very same again, no measurement is. */
const BEYOND_ALL = 1000;

/** A code of the file's own: the one value below 0 among amounts, shares or steps from 1 on, or the one ten times beyond all steps. */
function ownCode(score: string, counts: ReadonlyMap<number, number>, rows: number): number | undefined {
  const values = [...counts.keys()].sort((a, b) => a - b);
  if (values.length < 3) return undefined;
  const [least, second] = values;
  const [before, most] = values.slice(-2);
  const isRare = (value: number): boolean => counts.get(value)! >= OFTEN && counts.get(value)! <= RARE * rows;
  const areSteps = (own: readonly number[]): boolean =>
    own.every(Number.isInteger) && own[0]! >= 1 && own.at(-1)! <= HIGHEST_STEP;
  if (least! < 0 && second! >= 0 && isRare(least!)) {
    const rest = values.slice(1);
    const isAmount = !DIFFERENCE.test(score) && rangeByName(score, rest)?.[0] === 0;
    if (isAmount || (areSteps(rest) && second! - least! > 1)) return least;
  }
  const beyond = areSteps(values.slice(0, -1)) ? 10 : BEYOND_ALL;
  return least! > 0 && most! >= beyond * before! && isRare(most!) ? most : undefined;
}

/** So many times the width of all other scores away, a number that is written for "no answer" is no measurement. */
const FAR = 3;
/** Fewer others do not show how wide the scores lie. */
const FEWEST_OTHERS = 8;
/** From here on, a code is no score of 0 to 100 or of a scale of steps. */
const SMALLEST_FAR = 77;

interface Rest {
  readonly count: number;
  readonly others: number;
  readonly from: number;
  readonly to: number;
}

/** Codes among scores of any scale: once where no score of the kind could be there, else by coming again. */
function isFarOff(code: number, { count, others, from, to }: Rest): boolean {
  if (others < FEWEST_OTHERS || to === from) return false;
  const away = Math.max(from - code, code - to) / (to - from);
  if (code < 0 && from > 0 && count > 1 && away >= 0.5) return true;
  if (Math.abs(code) < SMALLEST_FAR || away < FAR) return false;
  const impossible = code < 0 ? from >= 0 : from >= 0 && to <= HIGHEST_SCORE && code >= 777;
  return impossible || count > 1;
}

function isOutside(code: number, counts: ReadonlyMap<number, number>, rows: number): boolean {
  const others = [...counts.keys()].filter((v) => v !== code);
  const count = counts.get(code)!;
  const share = count / rows;
  if (others.length < 2) return false;
  const [from, to] = [others.reduce((a, b) => Math.min(a, b)), others.reduce((a, b) => Math.max(a, b))];
  if (share <= RARE && isFarOff(code, { count, others: rows - count, from, to })) return true;
  if (from < 0 || share > 2 * RARE) return false;
  const unit = to <= 1;
  const steps = to <= HIGHEST_STEP && others.every(Number.isInteger);
  const measured = to <= HIGHEST_SCORE && count >= OFTEN;
  if (code < 0) return (unit || steps || measured) && share <= RARE;
  // 8 and 9 beside right and wrong, and nothing else, are neither
  if (code < HIGHEST_STEP && to === 1) return steps && others.length === 2 && count >= OFTEN;
  // 9 is a step of a scale to 10, and 8 one of a scale to 7 or 9
  if (code === 8) return false;
  return (steps && code >= 2 * to - 1 && to > 1) || (unit && code >= 77) || (measured && code >= 777);
}
