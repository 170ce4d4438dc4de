/** One column for each system, rater or item, as the user says → one row for each. */
import type { Roles, Told } from "../../data/imported.ts";
import { stackFamilies } from "../../data/reshape.ts";
import { requireColumns, type Table } from "../../data/table.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { type ColumnProfile, freeColumns, freeNumbers, isUnique, listValues, profileColumn } from "../facts.ts";
import { isMetricName, isScoreWord, metricDirection } from "../lexicon/metrics.ts";
import { isGoldName } from "../lexicon/names.ts";
import { isAboutItem } from "../lexicon/others.ts";
import { summaryOf } from "../lexicon/totals.ts";
import { splitNumbers } from "../lexicon/words.ts";
import { oneHot } from "./one-hot.ts";
import { stackRaters } from "./rater-columns.ts";
import { freshName, hint, type Reshape, type Reshaped } from "./reshaped.ts";

/** Wide tables of more columns than this are not proposed. */
const MOST_WIDE = 40;
const MOST_LABELS = 20;

/** Columns of numbers on one scale, all of them or none; scores and verdicts whose names differ in one word (gpt_score, llama_score). */
export const systems: Reshape = {
  id: "systems",
  find(table: Table, roles: Roles): Told | undefined {
    if (roles.system !== undefined) return undefined;
    const scores = roles.metrics.map((name) => profileColumn(name, table.columns.get(name)!));
    const isVerdict = ({ logical, name }: ColumnProfile): boolean => logical && !isAboutItem(name);
    const [numbers, verdicts] = [wideNumbers(table, roles), freeColumns(table, roles).filter(isVerdict)];
    const named = scores.length > 0 ? scores : numbers.length > 0 ? [] : verdicts;
    const found = named.length === 0 ? numbers : areNamedAlike(named.map(({ name }) => name)) ? named : [];
    // two answers to each of several questions are those of raters
    if (namesOfRaters(found).length > 1) return undefined;
    return areAlike(found) ? { systems: found.map(({ name }) => name) } : undefined;
  },
  apply: (table: Table, { systems: names = [] }: Told): Reshaped => stackScores(table, "system", names),
};

/** Each row is a system, each column an item. */
export const items: Reshape = {
  id: "items",
  find(table: Table, roles: Roles): Told | undefined {
    const system = roles.system === undefined ? undefined : profileColumn("", table.columns.get(roles.system)!);
    if (system === undefined || !isUnique(system) || roles.metrics.length > 0) return undefined;
    const found = wideNumbers(table, roles);
    return areAlike(found) ? { items: found.map(({ name }) => name) } : undefined;
  },
  apply: (table: Table, { items: names = [] }: Told): Reshaped => stackScores(table, "item", names),
};

/** Columns with the same few labels that differ in the last word of their names; else all columns of numbers, or all of the same words. */
export const raters: Reshape = {
  id: "raters",
  find(table: Table, roles: Roles): Told | undefined {
    if (roles.rater !== undefined || isOneRow(table, roles)) return undefined;
    const labels = freeColumns(table, roles).filter(
      (own) =>
        own.distinct > 1 &&
        own.distinct <= MOST_LABELS &&
        own.values !== "text" &&
        !isGoldName(own.name) &&
        oneHot.find(table, roles)?.oneHot?.includes(own.name) !== true,
    );
    const stemOf = ({ name }: ColumnProfile): string => splitNumbers(name).slice(0, -1).join();
    const alike = (one: ColumnProfile, other: ColumnProfile): boolean =>
      stemOf(one) === stemOf(other) && listValues(one.column).join() === listValues(other.column).join();
    const groups = labels.map((one) => labels.filter((other) => alike(one, other)));
    const isCriterion = ({ name }: ColumnProfile): boolean => isMetricName(splitNumbers(name).at(-1) ?? "");
    const several = groups.filter((group) => group.length > 1 && !group.every(isCriterion));
    // names of one word are those of raters if words were chosen, or if all numbers are on one scale
    const [found] = several.filter(([one]) => stemOf(one!) !== "" || one!.column.kind === "factor");
    const numbers = freeNumbers(table, roles);
    // metrics by name are no raters
    const own = found ?? (areAlike(numbers) && !numbers.some(({ name }) => isMetricName(name)) ? numbers : []);
    return own.length === 0 ? undefined : { raters: own.map(({ name }) => name) };
  },
  apply(table: Table, { raters: names = [] }: Told): Reshaped {
    requireColumns(table, "raters", names);
    return stackRaters(table, names, [{ name: "", columns: names }]);
  },
};

function stackScores(table: Table, role: "system" | "item", names: readonly string[]): Reshaped {
  requireColumns(table, `${role}s`, names);
  const [key, score] = [freshName(table, role), freshName(table, "score")];
  const directions = new Set(names.map((name) => metricDirection(name)));
  const [direction] = directions.size === 1 ? directions : [];
  return {
    table: stackFamilies(table, names, { families: [{ name: score, columns: names }], keyName: key }),
    done: [{ id: `${role}s`, columns: names, into: [key, score] }],
    hints: [hint(role, key), hint("score", score)],
    ...(direction === undefined ? {} : { higherIsBetter: new Map([[score, direction]]) }),
  };
}

/** Stems that go on in the same few ways: claim_e, claim_w, dataset_e, dataset_w. */
function namesOfRaters(found: readonly ColumnProfile[]): string[] {
  const stems = new Map<string, number>();
  for (const { name } of found) {
    const stem = splitNumbers(name).slice(0, -1).join();
    if (stem !== "") stems.set(stem, (stems.get(stem) ?? 0) + 1);
  }
  return [...stems].flatMap(([stem, count]) => (count > 1 ? [stem] : []));
}

/** Each row is a system, and no two judged it. */
function isOneRow(table: Table, { system, item }: Roles): boolean {
  return system !== undefined && item === undefined && isUnique(profileColumn("", table.columns.get(system)!));
}

/** Numbers that may each be of a system or an item: no average of the others. A setting is varied for a score: without one LR is a model, too. */
function wideNumbers(table: Table, { parameters, ...roles }: Roles): ColumnProfile[] {
  const settings = roles.score === undefined ? [] : parameters;
  const covariates = [...roles.covariates, ...parameters];
  const own = freeNumbers(table, { ...roles, covariates, parameters: settings });
  return own.filter(({ name }) => summaryOf(name) === undefined);
}

/** How many times wider a column's range may be than another's of one scale. */
const WIDEST = 4;

/** Verdicts, or numbers of ranges that overlap: columns of one scale are systems, or none is. */
function areAlike(found: readonly ColumnProfile[]): boolean {
  if (found.length < 2 || found.length > MOST_WIDE) return false;
  if (found.some(({ logical }) => logical)) return found.every(({ logical }) => logical);
  const ranges = found.map(({ min, max }) => max - min);
  const overlap = leastOf(found.map(({ max }) => max)) >= mostOf(found.map(({ min }) => min));
  return overlap && mostOf(ranges) <= WIDEST * leastOf(ranges);
}

/** gpt_score, llama_score: the same words in the same places, but for one. */
const areNamedAlike = (names: readonly string[]): boolean => {
  const [first = [], ...others] = names.map((name) => splitNumbers(name));
  const places = first.flatMap((word, k) => (others.every((words) => words[k] === word) ? [] : [k]));
  const isOne = (words: readonly string[]): boolean =>
    words.length === first.length && !isScoreWord(words[places[0]!]!);
  return places.length === 1 && first.length > 1 && [first, ...others].every(isOne);
};
