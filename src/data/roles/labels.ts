/** What raters gave to items: neighbouring columns of 0 and 1 (joy, anger, neutral), of which they set few in a row and none is better than another, even
 *  where it is called approval; a category; numbers on a rating scale, whatever they are called. */
import { listNames } from "../../result/quote.ts";
import { positiveOf } from "../opposites.ts";
import { metricDirection } from "./direction.ts";
import { isRatingScale, isSliderScale, notAScore } from "./evidence.ts";
import { type Guess, joined, MAX_SETTINGS } from "./guess.ts";
import { isOfPeople, isOfRaters } from "./people.ts";
import type { ColumnProfile } from "./profile.ts";

const FEWEST = 4;
/** So many of the labels are set in a row at most, on average. */
const MOST_SET = 0.5;

export function claimLabels(guess: Guess): void {
  if (!guess.single.has("rater") || guess.single.has("system") || guess.many.metrics.length > 0) return;
  const free = new Set(guess.free());
  const runs: ColumnProfile[][] = [[]];
  for (const profile of guess.profiles) {
    if (free.has(profile) && profile.values === "0/1" && !/^(is|has|was)_/.test(joined(profile)))
      runs.at(-1)!.push(profile);
    else if (runs.at(-1)!.length > 0) runs.push([]);
  }
  const [found] = runs.sort((a, b) => b.length - a.length);
  if (found === undefined || found.length < FEWEST || !isChoice(found, guess.table.rows)) return;
  const names = found.map(({ name }) => name);
  const reason = `${names.length} neighbouring columns of 0 and 1, of which few are 1 in a row`;
  guess.claimMany("metrics", names, { reason, confidence: 0.75 });
  guess.undirected.push(...names);
  guess.assumptions.push(`${listNames(names)} are labels that were given (1) or not (0): none is better than another.`);
}

/** At least half a label a row, at most half of them, and no list of measures. */
function isChoice(found: readonly ColumnProfile[], rows: number): boolean {
  const measures = found.filter(({ name }) => metricDirection(name) !== undefined).length;
  if (measures * 2 > found.length) return false;
  const set = found.reduce((sum, { column }) => {
    if (column.kind !== "numeric") return sum;
    return sum + column.values.reduce((own, value) => own + (value === 1 ? 1 : 0), 0);
  }, 0);
  return set >= rows / 2 && set <= MOST_SET * found.length * rows;
}

/** The only category that raters gave to items, where nothing else was: what they may agree on. */
export function claimRatersLabel(guess: Guess): void {
  const rater = guess.single.get("rater");
  const item = guess.single.get("item") ?? (rater === undefined ? undefined : findLabelled(guess, rater));
  if (rater === undefined || item === undefined || guess.many.metrics.length > 0 || guess.single.has("label")) return;
  const items = guess.groups(item);
  const found = guess
    .free()
    .filter(
      ({ values, distinct, logical }) => (values === "category" || logical) && distinct > 1 && distinct <= MAX_SETTINGS,
    )
    .filter((profile) => !/winner|prefer|vote|better/.test(joined(profile)))
    .filter(({ name }) => guess.groups(item, name) > items && !isOfRaters(guess, name));
  const [only] = found.filter(({ name }) => name !== item);
  if (only === undefined || found.length > 1) return;
  if (!guess.single.has("item")) {
    if (guess.single.get("cluster") === item) guess.release("cluster");
    guess.many.identifiers = guess.many.identifiers.filter((name) => name !== item);
    guess.claim("item", item, undefined, { reason: `no ${rater} has one of them twice`, confidence: 0.75 });
  }
  const reason = `the only category that ${rater} gave to ${item}`;
  guess.claim("label", only.name, undefined, { reason, confidence: 0.75 });
}

/** The one column of many levels of which no rater has one twice, whatever it is called. */
function findLabelled(guess: Guess, rater: string): string | undefined {
  const roles = new Set(guess.single.values());
  const [found, ...more] = guess.profiles.filter(
    ({ name, values, distinct, missing }) =>
      (!roles.has(name) || guess.single.get("cluster") === name) &&
      ["category", "text", "integer"].includes(values) &&
      missing === 0 &&
      distinct > MAX_SETTINGS &&
      distinct * 2 <= guess.table.rows &&
      guess.groups(name, rater) === guess.table.rows,
  );
  return guess.single.has("system") || more.length > 0 ? undefined : found?.name;
}

/** safe and unsafe under "label" that one item has both of, from different systems: what came of it, not what is right. */
export function isVerdict(guess: Guess, { name, column }: ColumnProfile): boolean {
  const [system, item] = [guess.single.get("system"), guess.single.get("item")];
  if (system === undefined || item === undefined || column.kind !== "factor" || guess.single.has("prediction"))
    return false;
  if (positiveOf(column.levels)?.praises !== true || guess.single.has("rater")) return false;
  return guess.groups(item, name) > guess.groups(item);
}

/** Numbers on a rating scale, beside raters or beside systems and items, are judgements whatever they are called. */
export function claimCriteria(guess: Guess): void {
  const designed = guess.single.has("rater") || (guess.single.has("system") && guess.single.has("item"));
  if (guess.many.metrics.length > 0 || !designed) return;
  const raters = guess.single.has("rater");
  const found = guess
    .free()
    .filter((own) => isRatingScale(own) || (raters && isSliderScale(own)))
    .filter((own) => notAScore(own) === undefined && !isOfPeople(guess, own.name));
  // one is enough where raters gave it to items, which otherwise have no answer
  if (found.length === 0 || (found.length === 1 && !(raters && variesWithin(guess, found[0]!.name)))) return;
  const whole = found.every(isRatingScale);
  const reason = whole ? "whole numbers on a rating scale" : "numbers on a rating scale";
  guess.claimMany(
    "metrics",
    found.map(({ name }) => name),
    { reason, confidence: 0.6 },
  );
  const all = found.map(({ name }) => name).join(", ");
  guess.assumptions.push(
    found.length === 1
      ? `${all} holds ${reason} and is taken as the score.`
      : `${all} are ${reason} and are taken as scores.`,
  );
}

/** Ratings of one item by several raters differ, and so do those of one rater. */
function variesWithin(guess: Guess, name: string): boolean {
  const [rater, item] = [guess.single.get("rater"), guess.single.get("item")];
  if (rater === undefined || item === undefined) return false;
  return [rater, item].every((own) => guess.groups(own, name) > guess.groups(own));
}
