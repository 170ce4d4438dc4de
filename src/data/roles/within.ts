/** One id of one system in several rows: what the column that tells the rows apart makes of them.
 *    other items      suite, category: ids start anew under each value, so id 7 of one is not id 7 of another      → role task
 *    other scores     assertion, what: the same item judged by one criterion after another                        → role metric
 *    other judges     numbered alike (v1, v2) under a name that nobody knows: a sample of somebody                → role rater
 *    the same again   seeds, templates, noise: left to the roles of repeats and settings
 *  Texts or right answers that differ under one id, and ids counted up to another end, say that items are others whatever the column is
 *  called; names decide where the cells cannot. */

import { listNames } from "../../result/quote.ts";
import type { RoleGuess } from "../imported.ts";
import { groupKeys } from "../keys.ts";
import { positiveOf } from "../opposites.ts";
import { countIds, scoresTell, standsInBlocks } from "../same-items.ts";
import { isMeasure, metricDirection } from "./direction.ts";
import { isJudged, isRatingScale } from "./evidence.ts";
import { type Guess, joined, MAX_SETTINGS } from "./guess.ts";
import * as names from "./names.ts";
import { type ColumnProfile, listValues } from "./profile.ts";

/** Share of the pairs of id and value that every system has: what depends on the answer is met by few. */
const CROSSED = 0.9;
/** More values than this are items of their own. */
export const MOST_PARTS = 200;
/** Texts under one id, on average, that a slip here and there does not make. */
const SEVERAL = 1.2;

/** Kinds of items by name. */
const KIND = /^(test_)?suite$|(^|_)(sub)?(category|categories|domain|subject|topic|field|discipline|task|genre|exam)$/;
const LANGUAGE = /^(language|lang|locale)$/;
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));
/** How, when or on what a system was run: the same item again. */
const RUN = wordsOf(
  "perturbation noise version variant variation paraphrase phase round stage step order position format style persona hint hints shot shots " +
    "budget effort reasoning thinking context day date week month time device host machine gpu node server session batch temperature augmentation " +
    "attack corruption transform rotation permutation ablation",
);
/** Columns that name what an output was looked at for. */
const OF_OUTPUTS = /^(property|attribute|trait|characteristic|finding|event)(_name)?$/;
/** What may tell items or ways to run them apart, but no measures. */
const SORT = wordsOf("split type kind group set source level difficulty region country cohort file status feature");

export function claimWithin(guess: Guess, known: readonly RoleGuess[]): void {
  claimTried(guess);
  claimPart(guess);
  claimFilesOfTasks(guess);
  claimOthers(guess, known);
  claimPeople(guess, known);
}

/** Files that are called after benchmarks or languages and have all systems each: the same id in two of them is two items. */
function claimFilesOfTasks(guess: Guess): void {
  const [file, ...others] = guess.files;
  const [system, item] = [guess.single.get("system"), guess.single.get("item")];
  if (file === undefined || others.length > 0 || system === undefined || item === undefined) return;
  if (guess.single.has("task") || guess.single.has("metric")) return;
  const levels = listValues(guess.table.columns.get(file)!);
  if (!levels.every(names.isTaskLevel) || guess.groups(system, file) < guess.groups(system) * levels.length) return;
  const reason = `the files are called after tasks (${listNames(levels)})`;
  guess.claim("task", file, `${upper(reason)}, and are taken as such.`, { reason, confidence: 0.8 });
}

/** What holds items that are counted within it. */
const HOLDER = wordsOf(
  "document doc passage story article paragraph conversation dialogue dialog talk paper page chapter section thread speaker video episode scene book " +
    "lecture lesson meeting interview transcript recording patient session repository repo file_id",
);
export const isHolderName = (name: string): boolean =>
  HOLDER.has(
    names
      .splitWords(name)
      .join("_")
      .replace(/_(id|name|nr|number)$/, ""),
  );
const isHolder = ({ name }: ColumnProfile): boolean => isHolderName(name);
/** Whoever takes part, in experiments on people, has a number; elsewhere it is a school subject. */
const isSubject = (profile: ColumnProfile): boolean =>
  /^(subject|subj|ss)s?$/.test(joined(profile)) && listValues(profile.column).every((level) => /\d$/.test(level));

/** sample = 0, 1, 2, … beside problem, question or task: the problem is the item, and a sample one try at it. */
function claimTried(guess: Guess): void {
  const { single } = guess;
  const [item, system] = [single.get("item"), single.get("system")];
  const tried = guess.profiles.find(({ name }) => name === item);
  if (tried === undefined || system === undefined || single.has("repeat") || !/^samples?$/.test(joined(tried))) return;
  if (tried.values !== "integer" || tried.distinct > MAX_SETTINGS) return;
  const found = guess
    .free()
    .filter((own) => [...names.INPUT_NAMES, ...names.TASK_NAMES].includes(joined(own)) && own.missing === 0)
    .find((own) => own.distinct > tried.distinct && guess.groups(system, own.name, tried.name) === guess.table.rows);
  if (found === undefined) return;
  guess.release("item");
  const reason = `each ${found.name} of a ${system} has several values of ${tried.name}`;
  guess.claim("item", found.name, undefined, { reason, confidence: 0.75 });
  guess.claim("repeat", tried.name, `${upper(reason)}, which are taken as tries.`, { reason, confidence: 0.75 });
}

/** A score is known, or one number is left that may be one. */
const isMeasured = (guess: Guess): boolean =>
  guess.many.metrics.length > 0 || guess.free().filter(({ column }) => column.kind === "numeric").length === 1;

/** document and sentence, patient and visit, template and example: two columns that name an item together, of which the finer one is the item. */
function claimPart(guess: Guess): void {
  const { single, many } = guess;
  const system = single.get("system") ?? guess.files[0];
  if (system === undefined || ["item", "task", "opponent"].some((role) => single.has(role as "item"))) return;
  if (!isMeasured(guess) || many.wide.length > 0 || guess.groups(system) < 2) return;
  const others = [system, single.get("rater"), single.get("repeat")].filter((name) => name !== undefined);
  const cluster = single.get("cluster");
  const usable = guess.profiles.filter(
    (profile) =>
      (guess.free().includes(profile) || profile.name === cluster) &&
      ["category", "integer"].includes(profile.values) &&
      !profile.logical &&
      profile.missing === 0 &&
      profile.distinct > 1,
  );
  const outer = usable.filter(
    (profile) =>
      isHolder(profile) ||
      isSubject(profile) ||
      [...names.CROSSED_NAMES, ...names.CONDITION_NAMES].includes(joined(profile)),
  );
  for (const own of outer) {
    const inner = usable
      .filter((profile) => profile !== own && !outer.slice(0, outer.indexOf(own)).includes(profile))
      .filter((profile) => areParts(guess, [own, profile], others))
      .sort((a, b) => b.distinct - a.distinct)[0];
    if (inner === undefined) continue;
    const why = `each ${inner.name} of a ${own.name} occurs ${isSubject(own) ? "once" : `with every ${system}`}`;
    // of a holder it is said with what is within it
    const said = isHolder(own) ? undefined : `${upper(why)}, so ${inner.name} is taken as the item.`;
    guess.claim("item", inner.name, said, { reason: why, confidence: 0.65 });
    return;
  }
}

/** Together with the system they name each row, and every system has them all; who takes part meets each of them once. */
function areParts(guess: Guess, pair: readonly [ColumnProfile, ColumnProfile], others: readonly string[]): boolean {
  const [outer, inner] = [pair[0].name, pair[1].name];
  if (guess.groups(...others, outer, inner) !== guess.table.rows || guess.groups(inner) < FEWEST_PARTS) return false;
  const both = guess.groups(outer, inner);
  if (both === guess.table.rows) return isSubject(pair[0]) && guess.groups(inner) < both;
  return both * guess.groups(others[0]!) * CROSSED <= guess.groups(others[0]!, outer, inner);
}
const FEWEST_PARTS = 3;

/** Levels that are numbered alike, of a column that alone tells the rows of an item and system apart and whose name says nothing: whoever they are,
 *  they are a sample, and what one of them thinks of a system is in all of his rows. */
function claimPeople(guess: Guess, known: readonly RoleGuess[]): void {
  const { single, many } = guess;
  const item = single.get("item");
  const system = single.get("system");
  if (item === undefined || system === undefined || !isMeasured(guess)) return;
  if (["rater", "repeat", "opponent", "metric"].some((role) => single.has(role as "rater"))) return;
  const unit = [item, system, single.get("task"), ...many.parameters].filter((name) => name !== undefined);
  if (guess.groups(...unit) === guess.table.rows) return;
  const cluster = single.get("cluster");
  const guessed = cluster !== undefined && !known.some(({ column }) => column === cluster) ? cluster : undefined;
  const tells = (name: string): boolean =>
    guess.groups(...unit, name) === guess.table.rows && guess.groups(item, name) > guess.groups(item);
  const found = guess.profiles.filter(
    (profile) =>
      profile.missing === 0 &&
      profile.distinct > 1 &&
      profile.distinct <= MOST_PARTS &&
      ((guess.free().includes(profile) && areNumbered(profile)) || (profile.name === guessed && isSubject(profile))) &&
      tells(profile.name),
  );
  const [own] = found;
  if (own !== undefined && found.length === 1) {
    if (own.name === cluster) {
      guess.giveBack("cluster");
      const said = guess.assumptions.findIndex((text) => text.includes(`same ${cluster} `));
      if (said >= 0) guess.assumptions.splice(said, 1);
    }
    const reason = `rows of one ${item} and ${system} differ in ${own.name} (${listValues(own.column).slice(0, 2).join(", ")}, …)`;
    guess.claim("rater", own.name, `${upper(reason)}, which is taken as the rater.`, {
      reason,
      confidence: 0.65,
    });
    return;
  }
  if (found.length === 0) claimSheets(guess, unit);
}

/** Files with the same systems and items, full of ratings: a sheet for each rater. */
function claimSheets(guess: Guess, unit: readonly string[]): void {
  const [file] = guess.files;
  const score = guess.profiles.find(({ name }) => name === guess.many.metrics[0]);
  if (file === undefined || score === undefined || !isRatingScale(score)) return;
  // the same items in two languages come twice in every file
  const conditions = guess.free().filter((own) => names.CROSSED_NAMES.includes(joined(own)) && own.missing === 0);
  const met = [...unit, ...conditions.map(({ name }) => name)];
  if (guess.groups(...met, file) !== guess.table.rows || guess.groups(unit[0]!, file) === guess.groups(unit[0]!))
    return;
  const reason = "every file has ratings of the same items and systems";
  guess.claim("rater", file, `${upper(reason)}, so the files are taken as raters.`, { reason, confidence: 0.7 });
}

/** v0, v1; Person 3, Person 4: one word, or none, before the number. */
function areNumbered({ name, column, values }: ColumnProfile): boolean {
  const words = names.splitWords(name);
  if (values !== "category" || column.kind !== "factor" || isRun(name)) return false;
  if ([...names.INPUT_NAMES, ...names.ITEM_NAMES].includes(words.join("_"))) return false;
  if (LANGUAGE.test(words.join("_")) || names.GROUP_NAMES.includes(words.join("_"))) return false;
  if (KIND.test(words.join("_")) || words.some((word) => SORT.has(word) || HOLDER.has(word))) return false;
  const stems = new Set(listValues(column).map((level) => /^(\p{L}[\p{L}_ -]*?)[_ .-]?\d+$/u.exec(level)?.[1]));
  return stems.size === 1 && !stems.has(undefined);
}

function claimOthers(guess: Guess, known: readonly RoleGuess[]): void {
  const { single, many } = guess;
  const item = single.get("item");
  if (item === undefined || single.has("task") || single.has("metric") || single.has("opponent")) return;
  if (many.metrics.length === 0) return;
  const system = single.get("system") ?? guess.files[0];
  const others = [system, single.get("rater"), single.get("repeat"), ...many.parameters].filter((n) => n !== undefined);
  const cells = guess.groups(item, ...others);
  if (cells === guess.table.rows) return;
  const cluster = single.get("cluster");
  const isKnown = known.some(({ column }) => column === cluster);
  // whoever names a cluster says that each item lies in one of its groups
  const isTold = known.some(
    ({ role, column, confidence }) => role === "cluster" && column === cluster && confidence === 1,
  );
  const candidates = guess.profiles.filter(
    (profile) =>
      (guess.free().includes(profile) || (profile.name === cluster && (isTold || !isKnown))) &&
      tellsApart(guess, profile, { item, system }),
  );
  const whole = candidates.filter(({ name }) => guess.groups(item, ...others, name) === guess.table.rows);
  for (const profile of whole) {
    const why = areOtherItems(guess, profile, { item, system });
    if (why === undefined) continue;
    // segments of a document hang together, kinds of items do not
    if (profile.name === cluster && !isKnown && KIND.test(joined(profile))) guess.giveBack("cluster");
    // what the file stands in blocks of holds the others, whichever was taken for the item
    const turned = isUnknown(profile) && isTurned(guess, profile, item, known);
    const [inner, outer] = turned ? [profile.name, item] : [item, profile.name];
    if (turned) {
      guess.release("item");
      guess.claim("item", inner, undefined, { reason: `it counts within ${outer}`, confidence: 0.7 });
    }
    const reason = `the same ${inner} stands under several values of ${outer}${why}`;
    const said = `Each ${inner} within each ${outer} is taken as an item of its own: ${reason}.`;
    guess.claim("task", outer, said, { reason, confidence: 0.75 });
    const holder = guess.profiles.find(({ name }) => name === outer)!;
    if (cluster !== undefined || !hangsTogether(holder)) return;
    if (isHolder(holder)) guess.claim("cluster", outer, undefined, HOLDS);
    else guess.claim("cluster", outer, `Items with the same ${outer} are taken to belong together.`);
    return;
  }
  // what goes with the turn, the template or the language tells ways to ask apart
  const goesWith = ({ name, distinct }: ColumnProfile): boolean =>
    guess
      .free()
      .some(
        (own) =>
          names.CROSSED_NAMES.includes(joined(own)) &&
          own.distinct === distinct &&
          guess.groups(own.name, name) === distinct,
      );
  const scores = whole.filter((profile) => areOtherScores(guess, profile, { item, system }) && !goesWith(profile));
  // where each metric has a column, rows are not metrics
  if (scores.length !== 1 || many.metrics.length > 1 || many.wide.length > 0) return;
  const [{ name, column }] = scores as [ColumnProfile];
  // what raters judged once each is a measure by the names of measures; other names that nobody else has are what was compared
  const measured =
    column.kind !== "factor" || listValues(column).some((level) => isMeasure(level) || isJudged({ name: level }));
  if (system === undefined && single.has("rater") && !measured) {
    const why = `every ${item} was rated for each ${name}, and no other column names systems`;
    guess.claim("system", name, `${upper(why)}, so ${name} is taken as what is compared.`, {
      reason: why,
      confidence: 0.6,
    });
    return;
  }
  const share = guess.groups(item, name) === guess.groups(item) * guess.groups(name) ? "every" : "nearly every";
  const reason = `${share} ${item}${system === undefined ? "" : ` of a ${system}`} has one score for each ${name}`;
  guess.claim("metric", name, `${upper(reason)}, so ${name} is taken as what was measured.`, {
    reason,
    confidence: 0.6,
  });
}

/** nr, id: of two numberings the file stands in blocks of the one that was taken for the item. */
function isTurned(guess: Guess, { name, values }: ColumnProfile, item: string, known: readonly RoleGuess[]): boolean {
  if (values !== "integer" || known.some(({ role }) => role === "item")) return false;
  return standsInBlocks(guess.table, item) && !standsInBlocks(guess.table, name);
}

interface Unit {
  readonly item: string;
  readonly system: string | undefined;
}

/** A category that is not the system's own, under which ids come again, and which every system met with the same ids. */
function tellsApart(guess: Guess, profile: ColumnProfile, { item, system }: Unit): boolean {
  const { name, column, values, distinct, missing } = profile;
  const logical = profile.logical && !OF_OUTPUTS.test(joined(profile));
  // documents may be numbered as well as named, and so may what nobody knows
  const held =
    (values === "integer" || values === "0/1") &&
    (isHolder(profile) || guess.single.get("cluster") === name || isUnknown(profile));
  if (!(column.kind === "factor" && values === "category" && !logical) && !held) return false;
  if (missing > 0 || distinct < 2 || distinct > MOST_PARTS) return false;
  const pairs = guess.groups(item, name);
  if (pairs === guess.groups(item) || pairs === distinct) return false;
  if (system === undefined) return true;
  const systems = guess.groups(system);
  if (systems > 1 && guess.groups(system, name) === systems) return false;
  return guess.groups(item, name, system) >= CROSSED * pairs * systems;
}

/** How the cells or the name say so; undefined where they do not. */
function areOtherItems(guess: Guess, profile: ColumnProfile, unit: Unit): string | undefined {
  // r2 among r0, r1, r3 is a number
  const levels = listValues(profile.column);
  if (levels.filter(isMeasure).length * 2 > levels.length) return undefined;
  const language = LANGUAGE.test(joined(profile));
  const told = differentCell(guess, profile, { ...unit, language });
  if (told !== undefined) return `, with another ${told}`;
  if (hasSameText(guess, unit.item)) return undefined;
  // a run that was cut short has fewer of the same items
  const counted = isRun(profile.name) ? undefined : countIds(guess.table, profile.name, unit.item);
  if (counted === "anew" && onOneScale(guess, profile.name)) return ", and is counted anew in each";
  if (isSubject(profile)) return undefined;
  if (isHolder(profile)) return ", which by its name holds items of its own";
  if (KIND.test(joined(profile))) return ", which by its name is a kind of items";
  return counted === "alike" ? byScores(guess, profile, unit) : undefined;
}

/** Where every value has ids 1 to 10 and neither names nor texts say whether they are the same items, scores may; else it is asked. */
function byScores(guess: Guess, profile: ColumnProfile, { item, system }: Unit): string | undefined {
  const [score] = guess.many.metrics;
  if (score === undefined || system === undefined || !isUnknown(profile) || guess.many.metrics.length > 1) return;
  // two wordings or three styles are ways to ask
  if (profile.distinct < FEWEST_HELD) return;
  if (!onOneScale(guess, profile.name, FAR_APART)) return;
  const told = scoresTell(guess.table, { system, item, part: profile.name, score });
  if (told === "others") return `, and its scores are no more alike there than those of others`;
  const known = guess.guesses.find((own) => own.role === "item" && own.column === item);
  if (told === "same" || known === undefined || known.confidence === 1) return;
  const reason = `each ${profile.name} has the same values of it, and neither texts nor scores tell whether they are the same items`;
  guess.release("item");
  guess.claim("item", item, undefined, { reason, confidence: 0.5 });
  return undefined;
}

export const HOLDS = { reason: "it holds several items", confidence: 0.75 };

/** What items are counted within makes them alike, unless it is a kind of items, a task or a language; fewer levels are asked about one by one. */
export function hangsTogether(profile: ColumnProfile): boolean {
  if (isHolder(profile) || names.GROUP_NAMES.includes(joined(profile))) return profile.distinct > 2;
  if (KIND.test(joined(profile)) || names.TASK_NAMES.includes(joined(profile))) return false;
  return isUnknown(profile) && profile.distinct >= FEWEST_HELD;
}

/** A name that says neither how a system was run nor what was measured, beside levels that say no more. */
function isUnknown(profile: ColumnProfile): boolean {
  const name = joined(profile);
  if (isRun(profile.name) || isSubject(profile) || LANGUAGE.test(name)) return false;
  const listed = [names.REPEAT_NAMES, names.RATER_NAMES, names.METRIC_NAMES, names.SCORE_NAMES].some((list) =>
    list.includes(name),
  );
  return !listed && !listValues(profile.column).some((level) => isMeasure(level) || isJudged({ name: level }));
}

/** Fewer are kinds of items, of which each is asked about. */
const FEWEST_HELD = 5;

/** What was asked, or its right answer, the same for every system and not the same under every value. A translation is another text and
 *  perhaps the same item, but has the same label. */
function differentCell(
  guess: Guess,
  { name }: ColumnProfile,
  { item, system, language }: Unit & { readonly language: boolean },
): string | undefined {
  const several = system !== undefined && guess.groups(system) > 1;
  const pairs = guess.groups(item, name);
  return guess.profiles.find((own) => {
    if (own.name === name || own.name === item || own.missing > 0 || guess.many.metrics.includes(own.name))
      return false;
    const label = names.LABEL_NAMES.includes(joined(own)) || ANSWER.test(joined(own));
    const text = names.INPUT_NAMES.includes(joined(own)) || (several && own.values === "text");
    if (!label && (language || !text)) return false;
    if (language && (own.values === "text" || own.distinct > MAX_SETTINGS)) return false;
    // what follows from the value alone says nothing of the item
    if (guess.groups(name, own.name) === guess.groups(name)) return false;
    return guess.groups(item, name, own.name) === pairs && guess.groups(item, own.name) >= SEVERAL * guess.groups(item);
  })?.name;
}

/** What was asked follows from the id alone, whatever else differs. */
const hasSameText = (guess: Guess, item: string): boolean =>
  guess.profiles.some(
    (own) =>
      own.name !== item &&
      own.missing === 0 &&
      own.distinct > 1 &&
      names.INPUT_NAMES.includes(joined(own)) &&
      guess.groups(item, own.name) === guess.groups(item),
  );

export function isRun(name: string): boolean {
  const words = names.splitWords(name);
  const whole = words.join("_");
  if (LANGUAGE.test(whole)) return false;
  const listed = [names.CROSSED_NAMES, names.CONDITION_NAMES].some((list) => list.includes(whole));
  return listed || words.some((word) => RUN.has(word) || names.PARAMETER_WORDS.has(word));
}

const ANSWER =
  /^(correct_|right_|reference_|gold_|expected_)(answer|output|label|option|choice)$|^(answer_key|references?)$/;

/** The first score has one range under all values: where it has not, they may be measures. */
function onOneScale(guess: Guess, part: string, times = 2): boolean {
  const score = guess.table.columns.get(guess.many.metrics[0]!)!;
  if (score.kind !== "numeric") return true;
  const { group, count } = groupKeys([guess.table.columns.get(part)!], guess.table.rows);
  const tops = new Float64Array(count);
  score.values.forEach((value, row) => {
    if (!Number.isNaN(value)) tops[group[row]!] = Math.max(tops[group[row]!]!, Math.abs(value));
  });
  return tops.every((top) => top * times >= tops.reduce((x, y) => Math.max(x, y), 0));
}

/** The largest number under one value is so many times that under another: seconds and points. */
const FAR_APART = 20;

/** Few values in words, each of which nearly every item has, under a name that is not of a way to run. */
function areOtherScores(guess: Guess, profile: ColumnProfile, { item }: Unit): boolean {
  const { name, distinct, column } = profile;
  if (distinct > MAX_SETTINGS || guess.groups(item, name) < CROSSED * guess.groups(item) * distinct) return false;
  // whatever the column is called: criteria, or numbers that no mean could be of
  const levels = listValues(column);
  if (levels.every((level) => isMeasure(level) || isJudged({ name: level }))) return true;
  // what is good and what is bad have no mean; "good" and "bad" alone may be two ways to ask
  const directions = new Set(levels.map(metricDirection));
  if (directions.size === 2 && !directions.has(undefined))
    if (positiveOf(levels) === undefined || OF_OUTPUTS.test(joined(profile))) return true;
  if (!onOneScale(guess, name, FAR_APART)) return true;
  const words = names.splitWords(name);
  const whole = words.join("_");
  if (isRun(name) || LANGUAGE.test(whole) || names.GROUP_NAMES.includes(whole) || words.some((word) => SORT.has(word)))
    return false;
  // v1, v2 and A, B number what came again
  return (
    listValues(column).every((level) => /\p{L}{2}/u.test(level)) &&
    !listValues(column).every((level) => /\d$/.test(level))
  );
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
