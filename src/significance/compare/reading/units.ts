/** What the items of a comparison are called, by the name of their column. */

import { RATER_NAMES } from "../../../study/lexicon/names.ts";
import { splitWords } from "../../../study/lexicon/words.ts";

/** What each row of a table of seeds stands for. */
const RUNS = /^((random|rng)[ _-]?)?seeds?$|^runs?$/i;

/** Data sets as items are called so. */
const DATA_SETS: readonly (readonly [RegExp, string])[] = [
  [/^(data[ _-]?sets?|corpus|corpora|datens(atz|ätze)|jeux?[ _-]de[ _-]donn[ée]es)([ _-]?(name|id))?$/i, "data sets"],
  [/^benchmarks?([ _-]?name)?$/i, "benchmarks"],
  [/^(tasks?|aufgabe|tâche)$/i, "tasks"],
  [/^(lang|language|locale)s?$/i, "languages"],
];

/** `rows` says that no column names them. Nothing where they are plain items. */
export function nameUnits(item: string, rows: boolean): { readonly units?: string; readonly dataSets?: boolean } {
  if (rows) return { units: "rows" };
  if (RUNS.test(item)) return { units: "runs" };
  if (RATER_NAMES.includes(splitWords(item).join("_"))) return { units: "participants" };
  const sets = DATA_SETS.find(([name]) => name.test(item));
  return sets === undefined ? {} : { units: sets[1], dataSets: true };
}
