/** Columns whose values say what the rows measured, by their levels, beside a value, or in codes. */

import { listNames } from "../../result/quote.ts";
import { isMeasure, saysWhatIsGood } from "./direction.ts";
import { type Guess, joined, MAX_SETTINGS } from "./guess.ts";
import * as names from "./names.ts";
import { type ColumnProfile, listValues } from "./profile.ts";
import { MOST_PARTS } from "./within.ts";

/** name and value, with few names that each item has once: one row for each score (Langfuse). */
export function claimNamedScores(guess: Guess): void {
  const find = (wanted: string): ColumnProfile | undefined =>
    guess.free().find((profile) => joined(profile) === wanted);
  const [name, value] = [find("name") ?? find("score_name"), find("value")];
  if (guess.single.has("metric") || name === undefined || value?.column.kind !== "numeric") return;
  if (name.values !== "category" || name.distinct > MAX_SETTINGS || name.distinct * 2 > guess.table.rows) return;
  const item = guess.free().find((profile) => /^(trace|observation|run|example|span)_id$/.test(joined(profile)));
  if (item === undefined || guess.groups(item.name, name.name) !== guess.table.rows) return;
  const reason = `each ${item.name} has one value for each ${name.name}`;
  guess.claim("metric", name.name, undefined, { reason, confidence: 0.85 });
  guess.claim("item", item.name, undefined, { reason, confidence: 0.85 });
}

/** A column of which every level is a measure (bleu, wer, latency_ms), whatever it is called: scores by them stand one below the other. */
export function claimMetricByLevels(guess: Guess): void {
  if (guess.single.has("metric")) return;
  // of files the systems are no metrics
  const hasSystems = guess.free().some((profile) => names.SYSTEM_NAMES.includes(joined(profile)));
  const isFile = (name: string): boolean => hasSystems && guess.files.length === 1 && name === guess.files[0];
  const files = guess.profiles.filter(({ name }) => isFile(name));
  const found = [...guess.free(), ...files].filter((profile) => {
    const { column, distinct, missing } = profile;
    if (column.kind !== "factor" || distinct < 2 || distinct > MAX_SETTINGS || missing > 0) return false;
    return (
      distinct * 2 <= guess.table.rows &&
      (column.levels.every((level) => level.length <= LONGEST_MEASURE && isMeasure(level)) ||
        (names.RATER_NAMES.includes(joined(profile)) && namesMeasures(profile)))
    );
  });
  if (found.length !== 1 || !guess.free().some(({ column }) => column.kind === "numeric")) return;
  const [{ name, column }] = found as [ColumnProfile];
  const reason = `its levels are measures (${listNames(column.kind === "factor" ? column.levels : [])})`;
  guess.claim("metric", name, undefined, { reason, confidence: 0.85 });
}

/** bleu and ter in a column called grader or evaluator, correctness and toxicity in one called judge: nobody is called so. Initials (EM, DA)
 *  and numbered tries (pass1, pass2) are left to people. */
export function namesMeasures({ column, distinct }: ColumnProfile): boolean {
  if (column.kind !== "factor" || distinct < 2 || distinct > MAX_SETTINGS) return false;
  const levels = listValues(column);
  if (levels.every((level) => level.length <= INITIALS || /\d$/.test(level))) return false;
  const known = levels.filter((level) => level.length <= LONGEST_MEASURE && saysWhatIsGood(level));
  return known.length * 2 >= levels.length && (known.length === levels.length || known.some(isMeasure));
}
const INITIALS = 3;

/** Longer names tell what a row is about, not what was measured. */
const LONGEST_MEASURE = 40;

/** Codes 1, 2, 3 of what was measured, in a column beside the numbers that were. */
export function areCodesOfRows(guess: Guess, profile: ColumnProfile): boolean {
  const { name, values, distinct, missing } = profile;
  if ((values !== "integer" && values !== "0/1") || distinct < 2 || distinct > MAX_SETTINGS || missing > 0)
    return false;
  const numbers = guess.free().filter((own) => own.name !== name && own.column.kind === "numeric" && own.distinct > 1);
  // a version of the rubric for each system is how it was judged, not what was
  const system = guess.free().find((own) => names.SYSTEM_NAMES.includes(joined(own)) && own.distinct > 1);
  if (system !== undefined && guess.groups(system.name, name) === system.distinct) return false;
  return distinct * FEWEST_PER_CODE <= guess.table.rows && numbers.length > 0;
}

/** Codes of data sets: each holds several items, whether their ids start anew or not. */
export function areCodesOfItems(guess: Guess, profile: ColumnProfile): boolean {
  const item = guess.single.get("item");
  const { name, values, distinct, missing } = profile;
  if (item === undefined || (values !== "integer" && values !== "0/1") || missing > 0) return false;
  return distinct > 1 && distinct <= MOST_PARTS && guess.groups(item, name) >= FEWEST_PER_CODE * distinct;
}

const FEWEST_PER_CODE = 4;
