/** What the items of a comparison are called, by the name of their column. */

import { dataSetsOf, isRunsName } from "../../../study/lexicon/circumstances.ts";
import { RATER_NAMES } from "../../../study/lexicon/names.ts";
import { splitWords } from "../../../study/lexicon/words.ts";

/** `rows` says that no column names them. Nothing where they are plain items. */
export function nameUnits(item: string, rows: boolean): { readonly units?: string; readonly dataSets?: boolean } {
  if (rows) return { units: "rows" };
  if (isRunsName(item)) return { units: "runs" };
  if (RATER_NAMES.includes(splitWords(item).join("_"))) return { units: "participants" };
  const units = dataSetsOf(item);
  return units === undefined ? {} : { units, dataSets: true };
}
