/** Ratings of one system given in one batch, session or week and those of the other in another: what people found strict or mild that day
 *  is indistinguishable from the system, as with raters who saw one system each. What a program measured does not hang on the day: there a warning does
 *  (settings.ts). */

import type { ValueCounts } from "../../../data/counts.ts";
import { asFactor, column, selectRows, type Table } from "../../../data/table.ts";
import { listNames } from "../../../result/quote.ts";
import { isMeasurer, isOccasionName } from "../../../study/lexicon/circumstances.ts";
import { RATER_NAMES } from "../../../study/lexicon/names.ts";
import { splitWords } from "../../../study/lexicon/words.ts";
import { type DifferingSetting, goingWithSystem } from "../../../study/settings.ts";
import type { Checked, Fault } from "./checks.ts";
import { isRatingScale } from "./scales.ts";

/** Something of the raters: their language, their group. */
const isOfRaters = (words: readonly string[]): boolean => words.length > 1 && RATER_NAMES.includes(words[0]!);

const isCircumstance = (name: string): boolean =>
  isOccasionName(name) || isMeasurer(name) || isOfRaters(splitWords(name));

export const isOccasion = ({ name }: DifferingSetting): boolean => isCircumstance(name);

/** Columns that go with the system, also those by name that nearly do. */
export const findGoingWith = (table: Table, system: string, taken: ReadonlySet<string>): DifferingSetting[] =>
  goingWithSystem(table, system, { taken, circumstance: isCircumstance });

export function findOccasion({ table, columns, systems }: Checked, scores: ValueCounts): Fault | undefined {
  const byPeople = columns.rater !== undefined || isRatingScale(scores);
  const cells = asFactor(column(table, columns.system));
  const named = new Set(systems);
  const kept = cells.levels.map((level) => named.has(level));
  const compared = selectRows(table, (row) => kept[cells.codes[row]!] === true);
  const { system, item, score, rater = system, cluster = system, task = system } = columns;
  const taken = new Set([system, item, score, rater, cluster, task]);
  const found = findGoingWith(compared, system, taken).find((own) =>
    byPeople ? isOccasion(own) : isMeasurer(own.name),
  );
  if (found === undefined) return undefined;
  const told = listNames(Object.entries(found.values).map(([name, value]) => `${name} ${value}`));
  return {
    reason: `${found.name} is confounded with system (${told}): a stricter ${found.name} would look like a worse system.`,
    fix: `Have every ${found.name} rate all systems. If ${found.name} cannot matter, leave the column out of the file.`,
    meansStand: true,
  };
}
