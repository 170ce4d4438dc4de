/** Finds wide tables: one score column per system, paired by row. */

import { leastOf, mostOf } from "../../result/extremes.ts";
import { metricDirection } from "./direction.ts";
import { BENCHMARK_NAMES, SCORE_NAMES, SPLIT_WORDS, SYSTEM_LEVEL, splitWords, WIDE_SYSTEM_WORDS } from "./names.ts";
import { areRaters } from "./people.ts";
import type { ColumnProfile } from "./profile.ts";

export interface WideColumns {
  readonly columns: readonly string[];
  /** Further outputs of the same systems (a class beside a score), not scores to compare. */
  readonly companions: readonly string[];
  readonly assumption: string;
}

const MAX_SYSTEMS = 50;

export interface WideContext {
  /** A column names the rows. */
  readonly hasItem: boolean;
  /** A column is called a condition: what is compared stands below each other. */
  readonly hasCondition?: boolean;
  /** Each row is a data set. */
  readonly hasDataSets?: boolean;
}

interface Crossed {
  readonly firsts: readonly string[];
  readonly seconds: readonly string[];
  /** The columns in the order of both. */
  readonly columns: readonly (readonly string[])[];
}

/** Names that cross two lists, of which one does not name systems of its own.
 *    m1_gpt4, m1_claude, m2_gpt4, m2_claude      a system behind each of several others: systems by judges, or measures by systems
 *    gpt_turn1, gpt_turn2, llama_turn1 …         parts of a dialogue, seeds, or repeats, numbered from 0 or 1
 *    anna_A, anna_B, ben_A, ben_B                letters behind people or systems
 *    Lynx_Anna, Orca_Anna, Lynx_Ben, Orca_Ben    people behind, or before, what may be systems or criteria */
export function crossedNames(names: readonly string[]): Crossed | undefined {
  return (
    crossedBy(names, FIRST_WORD, ({ firsts, seconds }) => seconds.every(isLevel) && !firsts.some(isLevel)) ??
    crossedBy(names, NUMBERED, ({ seconds }) => areCounted(seconds)) ??
    crossedBy(names, LETTERED, () => true) ??
    crossedBy(names, FIRST_WORD, ({ firsts, seconds }) => areRaters(firsts) || areRaters(seconds))
  );
}

const FIRST_WORD = /^([^_. /]+)[_. /](.+)$/;
const NUMBERED = /^(.*?[^_. (-])[_. (-]+((?:turn|round|part|step|t|s|k)?[_. -]?\d{1,2})\)?$/i;
const LETTERED = /^(.*[^_. -])[_. -]+([A-Z])$/i;
const isLevel = (name: string): boolean => SYSTEM_LEVEL.test(name);

function crossedBy(names: readonly string[], split: RegExp, suits: (crossed: Crossed) => boolean): Crossed | undefined {
  const parts = names.map((name) => split.exec(name));
  if (parts.length < 4 || parts.includes(null)) return undefined;
  const [firsts, seconds] = [1, 2].map((k) => [...new Set(parts.map((own) => own![k]!))]) as [string[], string[]];
  const full = firsts.length > 1 && seconds.length > 1 && firsts.length * seconds.length === names.length;
  if (!full) return undefined;
  const at = (first: string, second: string): number =>
    parts.findIndex((own) => own![1] === first && own![2] === second);
  const columns = firsts.map((first) => seconds.map((second) => names[at(first, second)]!));
  return suits({ firsts, seconds, columns }) ? { firsts, seconds, columns } : undefined;
}

/** 1, 2, 3 or 0, 1, 2; 3 and 4 may be versions of models. */
function areCounted(names: readonly string[]): boolean {
  const numbers = names.map((name) => Number(/\d{1,2}$/.exec(name)![0])).sort((a, b) => a - b);
  return numbers[0]! <= 1 && numbers.every((number, k) => number === numbers[0]! + k);
}

/** gpt_fluency, gpt_adequacy: measures of one system; is_correct_gpt4, is_correct_llama3 are one measure of two. */
function sharesSystem(names: readonly string[]): boolean {
  const parts = names.map((name) => /^([^_. :/]+)[_. :/]+(.+)$/.exec(name));
  if (sharedMeasure(names)?.systems.some(isLevel) === true) return false;
  const measured = parts.filter((own) => own !== null && metricDirection(own[2]!) !== undefined);
  return measured.length === names.length && new Set(measured.map((own) => own![1])).size < names.length;
}

export interface SharedMeasure {
  readonly measure: string;
  /** What each name has besides, as it is written. */
  readonly systems: readonly string[];
}

/** foo_correct, bar_correct; is_correct_foo, is_correct_bar: the same measure before or behind another word in each. */
export function sharedMeasure(names: readonly string[]): SharedMeasure | undefined {
  if (names.length < 2) return undefined;
  const parts = names.map((name) => name.split(/[_. :/]+/));
  const shortest = leastOf(parts.map((own) => own.length));
  const [first] = parts as [string[]];
  for (let count = shortest - 1; count > 0; count -= 1) {
    for (const [share, rest] of [
      [(own: string[]) => own.slice(0, count), (own: string[]) => own.slice(count)],
      [(own: string[]) => own.slice(-count), (own: string[]) => own.slice(0, -count)],
    ] as const) {
      const measure = share(first).join("_");
      const systems = parts.map((own) => rest(own).join("_"));
      const same = parts.every((own) => share(own).join("_").toLowerCase() === measure.toLowerCase());
      if (same && metricDirection(measure) !== undefined && !systems.includes("") && areOthers(systems))
        return { measure, systems };
    }
  }
  return undefined;
}

/** Neither measures, nor ways to reckon one, nor parts of the data, and no name twice. */
const areOthers = (names: readonly string[]): boolean =>
  new Set(names).size === names.length &&
  names.every(
    (name) =>
      metricDirection(name) === undefined &&
      !WAYS.test(name.toLowerCase()) &&
      !splitWords(name).some((word) => SPLIT_WORDS.has(word) || BENCHMARK_NAMES.has(word)),
  );

/** In two parts, and no id. */
export const isParted = (name: string): boolean => /.[_. /]./.test(name) && !/(^|[_. /])id$/i.test(name);

export function findWide(all: readonly ColumnProfile[], context: WideContext): WideColumns | undefined {
  const found = findScores(all, context);
  if (found === undefined || crossedNames(found.columns) !== undefined || sharesSystem(found.columns)) return undefined;
  // where only some of the names that cross others read like systems
  const parted = all.map(({ name }) => name).filter(isParted);
  return found.columns.every(isParted) && crossedNames(parted) !== undefined ? undefined : found;
}

function findScores(all: readonly ColumnProfile[], context: WideContext): WideColumns | undefined {
  // what a worker answered are questions, not systems
  const numeric = all.filter(({ name }) => !name.startsWith("Answer."));
  return (
    (context.hasDataSets === true ? findAllAlike(numeric) : undefined) ??
    findByPrefix(numeric) ??
    findByWord(numeric) ??
    findAlike(numeric, context)
  );
}

/** Names of what is measured, not of who is. */
const MEASURES =
  /^(accuracy|acc|f1|precision|recall|auc|mcc|bleu|rouge.*|score|loss|time|seconds|size|rows|samples|n|count|classes|features|instances|attributes|params|parameters|year)$/i;
/** The largest of numbers on one scale is at most so many times the largest of the others. */
const ONE_SCALE = 3;

/** One row a data set and nothing but numbers on one scale beside its name: a column for each system. */
function findAllAlike(numeric: readonly ColumnProfile[]): WideColumns | undefined {
  if (numeric.length < 2 || numeric.length > MAX_SYSTEMS || numeric.some(({ name }) => MEASURES.test(name)))
    return undefined;
  const tops = numeric.map(({ max }) => max);
  const near = mostOf(tops) <= ONE_SCALE * leastOf(tops);
  if (!near || !overlap(numeric) || numeric.some(({ min }) => min < 0)) return undefined;
  return fromMembers(numeric, "each row is a data set, and the numbers share one scale");
}

/** score_neural, score_tfIdf: a score word, then the name of the system. */
function findByPrefix(numeric: readonly ColumnProfile[]): WideColumns | undefined {
  const groups = groupByPrefix(numeric);
  for (const [prefix, members] of groups) {
    if (!SCORE_NAMES.includes(prefix) || members.length < 2) continue;
    const columns = members.map((member) => member.name);
    const systems = members.map(suffixOf);
    if (systems.some((system) => SPLIT_WORDS.has(system))) continue;
    // pass@1, pass@10, recall@5: one measure at several depths
    if (columns.every((name) => /^\w+@\d+$/.test(name))) continue;
    // BLEU-1, BLEU-4, BLEU-corpus; f1_macro, f1_micro: one measure, reckoned in several ways
    if (systems.every((system) => WAYS.test(system))) continue;
    // several measures of one thing
    if (systems.filter((system) => metricDirection(system) !== undefined).length > systems.length / 2) continue;
    // one measure on several sets of tasks
    if (systems.some((system) => system.split("_").some((word) => BENCHMARK_NAMES.has(word)))) continue;
    const companions = [...groups]
      .filter(
        ([other, list]) =>
          other !== prefix && list.length > 1 && list.every((member) => systems.includes(suffixOf(member))),
      )
      .flatMap(([, list]) => list.map((member) => member.name));
    const assumption = `${columns.join(", ")} are taken as the scores of ${columns.length} systems, paired by row.`;
    return { columns, companions, assumption };
  }
  return undefined;
}

/** How a measure is reckoned: its order, its average, which of its parts. */
const WAYS =
  /^(\d+|l|lsum|ls|w|s|su\d?|n|corpus|sentence|sent|seg|system|macro|micro|weighted|avg|average|mean|median|std|max|min|overall|total|f|f1|p|r|precision|recall|fmeasure|strict|lenient|at_\d+)(_(f|f1|p|r|precision|recall|fmeasure|mean|avg|average|macro|micro|weighted|score))?$/;

function groupByPrefix(numeric: readonly ColumnProfile[]): Map<string, ColumnProfile[]> {
  const groups = new Map<string, ColumnProfile[]>();
  for (const profile of numeric) {
    const [first, second] = splitWords(profile.name);
    if (first !== undefined && second !== undefined) groups.set(first, [...(groups.get(first) ?? []), profile]);
  }
  return groups;
}

function suffixOf(profile: ColumnProfile): string {
  return splitWords(profile.name).slice(1).join("_");
}

/** baseline, new: words that name systems, on overlapping scales. */
function findByWord(numeric: readonly ColumnProfile[]): WideColumns | undefined {
  const members = numeric.filter(
    (profile) =>
      profile.distinct > 1 &&
      (splitWords(profile.name).some((word) => WIDE_SYSTEM_WORDS.has(word)) || SYSTEM_LEVEL.test(profile.name)),
  );
  if (members.length < 2 || members.length > MAX_SYSTEMS || !overlap(members)) return undefined;
  const found = withThoseBetween(members, numeric);
  if (numeric.some((own) => !found.includes(own) && isAsLikely(own, found))) return undefined;
  return fromMembers(found, "their names read like systems and their values share a scale");
}

/** A further column on the same scale, which no name of a metric explains: all such columns are systems, or the user says which. */
const isAsLikely = (own: ColumnProfile, found: readonly ColumnProfile[]): boolean =>
  own.values === "real" &&
  found.every(({ values }) => values === own.values) &&
  metricDirection(own.name) === undefined &&
  !MEASURES.test(own.name) &&
  overlap([...found, own]) &&
  own.min >= 0 &&
  mostOf([...found, own].map(({ max }) => max)) <= ONE_SCALE * leastOf([...found, own].map(({ max }) => max));

/** Verdicts between verdicts of known systems, or by the same measure, are those of a system whose name says less (gpt-4, text-bison, gpt-3.5). */
function withThoseBetween(
  members: readonly ColumnProfile[],
  numeric: readonly ColumnProfile[],
): readonly ColumnProfile[] {
  if (!members.every(({ values }) => values === "0/1")) return members;
  const names = members.map(({ name }) => name);
  const measure = sharedMeasure(names)?.measure;
  const [from, to] = [numeric.indexOf(members[0]!), numeric.indexOf(members.at(-1)!)];
  return numeric.filter(
    (own, k) =>
      members.includes(own) ||
      (own.values === "0/1" &&
        (measure === undefined
          ? k > from && k < to && metricDirection(own.name) === undefined
          : sharedMeasure([...names, own.name])?.measure === measure)),
  );
}

/** No other numbers than scores on one narrow scale, and an item to pair them on: all 0/1, or all in the same range. */
function findAlike(numeric: readonly ColumnProfile[], context: WideContext): WideColumns | undefined {
  if (!context.hasItem || context.hasCondition === true || numeric.length < 2 || numeric.length > MAX_SYSTEMS)
    return undefined;
  // questions of a sheet
  if (numeric.every(({ name }) => /^q(uestion)?[ _.]?\d/i.test(name))) return undefined;
  // several measures of one thing, not several things
  if (numeric.filter(({ name }) => metricDirection(name) !== undefined).length > numeric.length / 2) return undefined;
  const zeroOne = numeric.every((profile) => profile.values === "0/1");
  const shares = numeric.every((profile) => profile.min >= 0 && profile.max <= 1 && profile.distinct > 2);
  const ratings =
    numeric.every((profile) => profile.values === "integer" && profile.max - profile.min <= 10) && overlap(numeric);
  if (!zeroOne && !shares && !ratings) return undefined;
  return fromMembers(numeric, "they are the only numbers and share one scale");
}

function fromMembers(members: readonly ColumnProfile[], why: string): WideColumns {
  const columns = members.map((member) => member.name);
  return {
    columns,
    companions: [],
    assumption: `${columns.join(", ")} are taken as the scores of one system each, paired by row: ${why}.`,
  };
}

/** Every two ranges have values in common. */
function overlap(members: readonly ColumnProfile[]): boolean {
  const top = leastOf(members.map((member) => member.max));
  const bottom = mostOf(members.map((member) => member.min));
  return bottom <= top;
}
