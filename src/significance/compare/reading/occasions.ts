/** Ratings of one system given in one batch, session or week and those of the other in another: what people found strict or mild that day
 *  cannot be told from the system, as with raters who saw one system each. What a program measured does not hang on the day: there a warning does
 *  (settings.ts). */

import { type DifferingSetting, goingWithSystem } from "../../../data/settings.ts";
import { asFactor, column, selectRows, type Table } from "../../../data/table.ts";
import { listNames } from "../../../result/quote.ts";
import { RATER_NAMES } from "../../../study/lexicon/names.ts";
import { splitWords } from "../../../study/lexicon/words.ts";
import type { Checked, Fault } from "./checks.ts";
import { isRatingScale } from "./scales.ts";

/** When, where, in which order and by which rules people sat down to rate. */
const OCCASION =
  /(^|[_. -])(position|order|place|side|slot|screen|batch|session|sitting|wave|shift|day|week|month|quarter|period|phase|panel|cohort|round|date|slot|hit|form|site|crowd|clinic|hospital|ward|office|location|room|campus|school|campaign|survey|questionnaire|protocol|codebook)(es|s)?($|[_. -])|(rat|annotat|judg|evaluat|label|submi|start|finish|complet)\w*_(at|on|time|timestamp)$/i;
/** What gives the scores, or says how: another one of these measures something else, whoever was measured. */
const MEASURER = /^(judge|grader|scorer|rubric|guideline|codebook|annotation)s?([_. -]|$)/i;

/** Something of the raters: their language, their group. */
const isOfRaters = (words: readonly string[]): boolean => words.length > 1 && RATER_NAMES.includes(words[0]!);

const isMeasurer = (name: string): boolean => MEASURER.test(splitWords(name).join("_"));

const isCircumstance = (name: string): boolean => {
  const words = splitWords(name);
  return OCCASION.test(words.join("_")) || OCCASION.test(name) || isMeasurer(name) || isOfRaters(words);
};

export const isOccasion = ({ name }: DifferingSetting): boolean => isCircumstance(name);

/** Columns that go with the system, also those by name that nearly do. */
export const findGoingWith = (table: Table, system: string, taken: ReadonlySet<string>): DifferingSetting[] =>
  goingWithSystem(table, system, { taken, circumstance: isCircumstance });

export function findOccasion({ table, columns, systems }: Checked, scores: readonly number[]): Fault | undefined {
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
    reason: `${found.name} is confounded with the system (${told}): stricter ratings in one of them would look like a worse system.`,
    fix: `Rate all systems in every ${found.name}; if it cannot matter, leave the column out of the file.`,
    meansStand: true,
  };
}
