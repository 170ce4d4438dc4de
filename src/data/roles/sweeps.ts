/** Settings: columns that are called so, and in a table of runs whatever else was varied. */
import { isCost, isJudged, isSettingName, namedAsScore, notAScore } from "./evidence.ts";
import { type Guess, joined, MAX_SETTINGS } from "./guess.ts";
import { PARAMETER_WORDS, splitWords } from "./names.ts";
import type { ColumnProfile } from "./profile.ts";
import { isTableOfTotals } from "./totals.ts";

/** Whether a column is called a setting. */
export function claimParameters(guess: Guess): boolean {
  const found = guess
    .free()
    .filter((profile) => profile.distinct >= 2 && !RECORDED.test(profile.name))
    .filter((profile) => isSettingName(profile) || isCalledSetting(profile))
    .filter((profile) => !isOnScaleOfOthers(guess, profile));
  guess.claimMany(
    "parameters",
    found.map((profile) => profile.name),
  );
  return found.length > 0;
}

/** "Depth" from 1 to 3 where coherence and diversity run from 1 to 3 too: what raters were asked. */
function isOnScaleOfOthers(guess: Guess, profile: ColumnProfile): boolean {
  const { min, max, column } = profile;
  if (column.kind !== "numeric" || max - min < 2 || max > MOST_STEPS) return false;
  return (
    guess.profiles.filter((own) => own !== profile && isJudged(own) && own.min === min && own.max === max).length > 1
  );
}
const MOST_STEPS = 10;

const isCalledSetting = (profile: ColumnProfile): boolean =>
  profile.distinct <= MAX_SETTINGS && splitWords(profile.name).some((word) => PARAMETER_WORDS.has(word));

/** What a search wrote down beside its result. */
const RECORDED = /^(user_attrs?|system_attrs?|values?|summary)[._]/;

/** In a table of runs with settings, every other column that varies over few values was varied too. */
export function claimSweep(guess: Guess): void {
  const { single, many } = guess;
  if (many.parameters.length === 0 || many.metrics.length === 0 || many.wide.length > 0) return;
  if (single.has("item") || single.has("rater")) return;
  // a row for each system is a leaderboard: its numbers were measured
  if (isTableOfTotals(guess)) return;
  const varying = guess.free().filter(({ distinct, missing }) => distinct >= 2 && missing === 0);
  const few = varying
    .filter(({ values, logical }) => values === "category" || values === "0/1" || logical)
    .filter((profile) => profile.distinct <= MAX_SETTINGS && !isMoment(profile));
  const found = varying.filter((profile) => few.includes(profile) || isDrawn(profile));
  if (found.length === 0) return;
  const own = found.map(({ name }) => name);
  guess.claimMany("parameters", own);
  guess.assumptions.push(`${own.join(", ")} vary from run to run and are taken as settings too.`);
}

/** When a run began and how long it took: "2025-06-16 05:23:53", "0 days 00:07:32". */
const isMoment = ({ column }: ColumnProfile): boolean =>
  column.kind === "factor" &&
  column.levels.every((level) => /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d|^(\d+ days? )?\d+:\d\d:\d\d/.test(level));

/** A number that a search drew: no count, cost, error, time or number of the run, and nothing that sounds like a result. */
function isDrawn(profile: ColumnProfile): boolean {
  if (profile.values !== "integer" && profile.values !== "real") return false;
  if (isCost(profile) || notAScore(profile) !== undefined || namedAsScore(profile) > 0) return false;
  if (RECORDED.test(profile.name)) return false;
  return (
    !/^_|(^|_)(step|time|trial|run|runtime|duration|best)(_|$)/.test(joined(profile)) && !profile.name.startsWith("_")
  );
}
