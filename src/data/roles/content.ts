/** Roles told by content, where names fail: levels that read like systems, columns that are crossed, full grids. */

import { leastOf, mostOf } from "../../result/extremes.ts";
import { groupKeys } from "../keys.ts";
import {
  isBesideAnswers,
  isIdName,
  isJudged,
  isPredicted,
  isRatingScale,
  isShown,
  isSide,
  isSizeOfMany,
  notAScore,
} from "./evidence.ts";
import { type Guess, joined, MAX_SETTINGS } from "./guess.ts";
import { isVerdict } from "./labels.ts";
import * as names from "./names.ts";
import { claimParticipants, hasRowPerPerson, isHousekeeping, isOfRaters } from "./people.ts";
import { type ColumnProfile, isUnique, listValues } from "./profile.ts";
import { fillsRows, repeatsOf } from "./repeats.ts";
import { FEWEST_DATA_SETS } from "./totals.ts";

/** A column with more levels than this is not a condition. */
const MAX_CATEGORIES = 50;
/** Share of the possible pairs of system and item that must occur before a column passes as crossed with another. */
const CROSSED = 0.9;

/** A condition by name; else levels such as "baseline" and "new"; else a category that is crossed with the items. */
export function claimSystemByContent(guess: Guess): void {
  if (guess.single.has("system") || guess.many.wide.length > 0 || guess.many.parameters.length > 1) return;
  const few = guess
    .free()
    .filter((profile) => profile.values === "category" && profile.distinct > 1 && !profile.logical)
    .filter((profile) => profile.distinct <= MAX_CATEGORIES)
    .filter(
      (profile) =>
        !/(^|_)(ref|reference|gold|answer|expected|target|output|response|src|source|mt|hyp|hypothesis)s?$/.test(
          joined(profile),
        ),
    )
    // what came of a run is no condition of it, and records within a cell are no names
    .filter((profile) => !/(^|_)(result|outcome|status|verdict|state|error|reason)s?(_type)?$/.test(joined(profile)))
    .filter((profile) => !listValues(profile.column).some((level) => /^[[{]/.test(level)))
    .filter((profile) => !areVerdicts(listValues(profile.column)));
  // a condition that no rater met beside another is still the condition
  // prompts without a result are what was asked
  const scored = guess.many.metrics.length > 0 || guess.single.has("prediction") || guess.single.has("rater");
  const condition = names.CONDITION_NAMES.filter((alias) => scored || alias !== "prompt").flatMap((alias) =>
    few.filter((own) => joined(own) === alias && (alias !== "prompt" || own.distinct <= MAX_SETTINGS)),
  )[0];
  const others = few.filter((profile) => !isOfRaters(guess, profile.name));
  const telling = others.find((profile) => namesSystems(listValues(profile.column)));
  const item = guess.single.get("item");
  const crossed =
    item === undefined || guess.many.metrics.length === 0 || guess.files.length > 0
      ? undefined
      : others.find((profile) => isCrossed(guess, profile, item));
  if (condition !== undefined) {
    guess.claim("system", condition.name, `The levels of ${condition.name} are taken as what is compared.`);
    claimWhatAllMet(guess, condition.name);
  } else if (telling !== undefined) {
    guess.claim("system", telling.name, `The levels of ${telling.name} read like systems and are taken as such.`);
  } else if (crossed !== undefined) {
    const why = `Every ${item} occurs with every ${crossed.name}, so ${crossed.name} is taken as what is compared.`;
    guess.claim("system", crossed.name, why, { reason: why.replace(/\.$/, ""), confidence: 0.55 });
  }
}

/** An id of each row is no item where every system was given the same questions. */
function claimWhatAllMet(guess: Guess, system: string): void {
  const item = guess.profiles.find(({ name }) => name === guess.single.get("item"));
  if (item === undefined || !isUnique(item) || !/(^|_)(id|uid|uuid|key)$/.test(joined(item))) return;
  const systems = guess.groups(system);
  const asked = guess.profiles.find(
    (own) =>
      names.INPUT_NAMES.includes(fieldOf(own.name) ?? joined(own)) &&
      own.missing === 0 &&
      own.distinct > 2 &&
      guess.groups(system, own.name) >= CROSSED * systems * own.distinct,
  );
  if (systems < 2 || asked === undefined) return;
  guess.release("item");
  guess.many.identifiers = [...guess.many.identifiers.filter((name) => name !== asked.name), item.name];
  guess.claim("item", asked.name, undefined, { reason: `every ${system} was given each of them`, confidence: 0.8 });
}

/** Which of two was better: "A>B", "[[B]]", "A is better", "tie". */
const VERDICT =
  /^\[*(a|b|1|2|tie|both( bad| good)?|neither|[ab12][>=<]+[ab12]|(model |answer |response )?[ab12] (is better|wins?))\]*$/i;

/** A and B alone may be systems. */
const areVerdicts = (levels: readonly string[]): boolean =>
  levels.every((level) => VERDICT.test(level)) && !levels.every((level) => /^[ab12]$/i.test(level));

/** The same for a system wherever it is: its home page, its licence. */
export function isOfSystems(guess: Guess, name: string): boolean {
  const system = guess.single.get("system");
  return system !== undefined && guess.groups(system, name) === guess.groups(system);
}

/** One id for each system on each data set, language or text: it names what was handed in or shown, no item. */
export function namesSubmissions(guess: Guess, profile: ColumnProfile): boolean {
  const system = guess.single.get("system");
  if (system === undefined || !/id$/.test(joined(profile)) || profile.distinct < guess.groups(system)) return false;
  if (guess.groups(system, profile.name) !== profile.distinct) return false;
  const taken = [system, guess.single.get("metric"), guess.single.get("rater")];
  return guess.profiles.some(
    (other) =>
      other !== profile &&
      !taken.includes(other.name) &&
      (other.values === "category" || other.values === "text") &&
      other.distinct > 1 &&
      other.distinct * 2 <= profile.distinct &&
      isNearly(guess.groups(system, other.name), profile.distinct) &&
      isNearly(guess.groups(system, other.name, profile.name), profile.distinct),
  );
}

/** The same text with another line end, here and there, is another level. */
const isNearly = (found: number, wanted: number): boolean => Math.abs(found - wanted) <= (1 - CROSSED) * 0.5 * wanted;

/** Columns with few values that every item of every system met, and that tell its rows apart: how it was run, whatever they are called. */
export function crossedConditions(
  guess: Guess,
  {
    item,
    system,
    named,
    few,
  }: { item: string; system: string; named: readonly ColumnProfile[]; few: readonly ColumnProfile[] },
): ColumnProfile[] {
  const roles = ["rater", "repeat", "task", "metric"].map((role) => guess.single.get(role as "rater"));
  const known = [...roles, ...guess.many.parameters, ...named.map(({ name }) => name)].filter((n) => n !== undefined);
  const { rows } = guess.table;
  const units = guess.groups(item, system);
  if (guess.groups(item, system, ...known) >= rows || guess.single.has("opponent")) return [];
  const isSetting = (profile: ColumnProfile): boolean =>
    !named.includes(profile) &&
    !profile.logical &&
    (profile.values === "category" || profile.column.kind === "numeric") &&
    notAScore(profile) === undefined &&
    guess.groups(item, profile.name) >= CROSSED * guess.groups(item) * profile.distinct &&
    guess.groups(item, system, profile.name) >= CROSSED * units * profile.distinct;
  const found = few.filter(isSetting);
  // all of them together leave nothing that comes again, or what comes again is something else
  const whole = guess.groups(item, system, ...known, ...found.map(({ name }) => name));
  return whole >= CROSSED * rows ? found : [];
}

/** So many keys of a document are items whatever they are called. */
const MANY_KEYS = 20;

/** A few keys of a document that are not numbered and that no other file shares: systems or items, and nothing says which. */
export function isKeyOfUnknown(guess: Guess, profile: ColumnProfile): boolean {
  if (!/^key(_\d)?$/.test(profile.name) || guess.single.has("system") || guess.files.length > 0) return false;
  return (
    profile.distinct < MANY_KEYS && isUnique(profile) && !listValues(profile.column).every((key) => /\d/.test(key))
  );
}

/** What is said of a system in every row, or of all its metrics, is no result of it. */
export function isFlagOfSystem(guess: Guess, { name, logical, values }: ColumnProfile): boolean {
  if (!logical && values !== "0/1") return false;
  // beside scores by metric, one below the other, a flag is the same for all of them
  if (guess.single.has("metric")) return true;
  const system = guess.single.get("system");
  return system !== undefined && guess.groups(system) < guess.table.rows && isOfSystems(guess, name);
}

/** "en-de", "ces-ukr": translation from one language into another. */
export const areLanguagePairs = ({ column }: ColumnProfile): boolean =>
  column.kind === "factor" && column.levels.every((level) => /^[a-z]{2,3}(-|_|->|2)[a-z]{2,3}$/.test(level));

function namesSystems(levels: readonly string[]): boolean {
  return levels.filter((level) => names.SYSTEM_LEVEL.test(level)).length >= Math.max(2, levels.length / 2);
}

function isCrossed(guess: Guess, profile: ColumnProfile, item: string): boolean {
  const items = guess.groups(item);
  return guess.groups(item, profile.name) >= CROSSED * items * profile.distinct;
}

/** Without a named item: the column with most values that meets every system. */
export function claimItemByContent(guess: Guess): void {
  // several files are systems where nothing else is
  const system = guess.single.get("system") ?? guess.files[0];
  if (system === undefined || guess.single.has("item")) return;
  // rows without a system are none
  const systems = guess.profiles.find(({ name }) => name === system)!.distinct;
  if (systems < 2) return;
  const once = hasRowPerPerson(guess, system);
  const named = new Set(guess.many.identifiers);
  const cluster = guess.single.get("cluster");
  const candidates = guess.profiles.filter(
    (profile) =>
      (guess.free().includes(profile) || named.has(profile.name)) &&
      !isHousekeeping(guess.table, profile.name) &&
      !isBesideAnswers(profile) &&
      ["category", "text", "integer"].includes(profile.values) &&
      // who took part has one row under each condition: numbers in it were measured
      !(once && profile.column.kind === "numeric" && !isIdName(profile)) &&
      profile.distinct > 2 &&
      !(profile.distinct < FEWEST_DATA_SETS && namesEveryRun(guess)) &&
      !isCondition(profile) &&
      // folds share training data, and the steps of one training follow from each other
      !names.isFold(profile.name) &&
      !names.isStep(profile.name) &&
      !isTaskAgain(guess, profile.name) &&
      profile.distinct * systems <= guess.table.rows / CROSSED &&
      guess.groups(system, profile.name) >= CROSSED * systems * profile.distinct,
  );
  // names and texts before numbers, which more often measure an item than name it
  const rank = (profile: ColumnProfile): number => (profile.column.kind === "factor" ? 1 : 0);
  const found = candidates.sort((a, b) => rank(b) - rank(a) || b.distinct - a.distinct)[0];
  if (cluster !== undefined && (found === undefined || guess.groups(cluster, found.name) === guess.groups(cluster))) {
    // nothing divides an article or a document further: it is the item itself
    if (guess.groups(system, cluster) < CROSSED * systems * guess.groups(cluster)) return;
    guess.release("cluster");
    guess.claim("item", cluster, `Each ${cluster} occurs with every ${system}, so ${cluster} is taken as the item.`);
    return;
  }
  if (found === undefined && once) claimParticipants(guess, system);
  if (found === undefined || !fillsRows(guess, found, systems)) return;
  guess.many.identifiers = guess.many.identifiers.filter((name) => name !== found.name);
  const size = guess.profiles.find(isSizeOfMany);
  // a row that counts the items behind it is a total over them
  if (size !== undefined && !guess.single.has("task")) {
    const why = `Each ${found.name} occurs with every ${system}, and ${size.name} says over how many items: rows are totals.`;
    guess.claim("task", found.name, why, { reason: why.replace(/\.$/, ""), confidence: 0.75 });
    return;
  }
  guess.claim(
    "item",
    found.name,
    `Each ${found.name} occurs with every ${system}, so ${found.name} is taken as the item.`,
  );
}

/** What holds several items, by its usual names: each item is in one of them, and all that are in one may be alike. */
export function claimGroups(guess: Guess): void {
  const item = guess.single.get("item");
  if (item === undefined || guess.single.has("cluster") || guess.single.has("opponent")) return;
  const items = guess.groups(item);
  const found = guess
    .free()
    .filter((profile) => namesGroup(profile) && profile.values !== "real")
    .find(
      ({ name, distinct, missing }) =>
        missing === 0 &&
        distinct > 2 &&
        distinct * 2 <= items &&
        guess.groups(item, name) === items &&
        !isOfSystems(guess, name) &&
        !hasTwin(guess, name),
    );
  if (found === undefined) return;
  guess.claim("cluster", found.name, `Items with the same ${found.name} are taken to belong together.`);
}

/** Another column has the same levels: both hold labels that were given, and neither says what belongs together. */
const hasTwin = (guess: Guess, name: string): boolean => {
  const own = listValues(guess.table.columns.get(name)!).join("\n");
  return guess.profiles.some((other) => other.name !== name && listValues(other.column).join("\n") === own);
};

/** Few values that are the answers in another column as well, and not as often each: the key to what was asked, which names no item. */
export function isAnswerKey(guess: Guess, { name, column, distinct }: ColumnProfile): boolean {
  if (distinct > MAX_SETTINGS || distinct * FEWEST_TO_A_KEY > guess.table.rows) return false;
  const own = listValues(column);
  const others = guess.profiles.filter((other) => other.name !== name && other.column.kind === column.kind);
  const answered = others.some((other) => {
    const levels = new Set(listValues(other.column));
    return own.length > 1 && levels.size <= own.length + 2 && own.every((level) => levels.has(level));
  });
  return answered && !isBalanced(guess, name);
}

/** Each value of an item's id comes as often; right answers do not. */
const isBalanced = (guess: Guess, name: string): boolean => {
  const { group, count } = groupKeys([guess.table.columns.get(name)!], guess.table.rows);
  const sizes = new Int32Array(count);
  for (const own of group) sizes[own]! += 1;
  return sizes.every((size) => size === sizes[0]);
};
const FEWEST_TO_A_KEY = 4;

/** "sample.document" is a field document of the sample. */
const namesGroup = (profile: ColumnProfile): boolean =>
  names.GROUP_NAMES.includes(joined(profile)) ||
  [...names.GROUP_NAMES, ...names.CLUSTER_NAMES].includes(fieldOf(profile.name) ?? "");

/** A name for every row, such as svm_tfidf: what is crossed there are settings of experiments. */
const namesEveryRun = (guess: Guess): boolean =>
  guess.profiles.some(
    (own) => /^(experiment|experiment_name|exp|exp_name|run_name|config_name)$/.test(joined(own)) && isUnique(own),
  );

/** benchmark_key beside benchmark: the data set under another name. */
const isTaskAgain = (guess: Guess, name: string): boolean => {
  const task = guess.single.get("task");
  return task !== undefined && guess.groups(task, name) === guess.groups(task);
};

/** "variant", "mode", "setup" with few levels say how a system was run. */
const isCondition = (profile: ColumnProfile): boolean =>
  names.CONDITION_NAMES.includes(joined(profile)) && joined(profile) !== "prompt" && profile.distinct <= MAX_SETTINGS;

const NOT_ITEMS =
  /session|batch|assignment|worker|hit_?type|criteria|criterion|model|run|user|job|tweet_user|parent|thread|project/;

/** An id of the user's own making (art_id, recipeID): complete, and met more than once by whoever judges or answers. */
export function claimItemById(guess: Guess): void {
  if (guess.single.has("item") || guess.many.wide.length > 0) return;
  if (!guess.single.has("rater") && !guess.single.has("system") && guess.files.length === 0) return;
  const named = new Set(guess.many.identifiers);
  const found = guess.profiles.find(
    (profile) =>
      (named.has(profile.name) || guess.free().includes(profile)) &&
      (/(^|_)ids?$/.test(joined(profile)) ||
        (guess.single.has("rater") && /^(row|nr|number)$/.test(joined(profile)))) &&
      !NOT_ITEMS.test(joined(profile)) &&
      !namesSubmissions(guess, profile) &&
      profile.missing === 0 &&
      profile.distinct > 2 &&
      profile.distinct < guess.table.rows,
  );
  if (found === undefined) return;
  guess.claim("item", found.name, undefined, { reason: "an id that comes more than once", confidence: 0.7 });
  guess.many.identifiers = guess.many.identifiers.filter((name) => name !== found.name);
}

/** What was asked or judged, where nothing else names the items: by its usual name, complete, and new in (nearly) every row. */
export function claimItemByInput(guess: Guess): void {
  if (guess.single.has("item") || guess.many.wide.length > 0) return;
  const system = guess.single.get("system");
  if (system !== undefined && guess.groups(system) === guess.table.rows) return;
  if (claimSharedInput(guess)) return;
  // several files are systems where nothing else is
  const systems = system ?? guess.files[0];
  const perSystem =
    guess.table.rows / Math.max(1, repeatsOf(guess) * (systems === undefined ? 1 : guess.groups(systems)));
  const usable = guess.profiles.filter(
    ({ name, missing, distinct, column }) =>
      (guess.free().some((profile) => profile.name === name) || guess.many.identifiers.includes(name)) &&
      missing === 0 &&
      ((column.kind === "factor" && distinct >= CROSSED * perSystem) || numbersThings(guess, name)),
  );
  const found =
    names.INPUT_NAMES.flatMap((alias) => usable.filter((profile) => joined(profile) === alias))[0] ??
    names.INPUT_NAMES.flatMap((alias) => usable.filter(({ name }) => fieldOf(name) === alias))[0];
  if (found === undefined) return;
  guess.claim("item", found.name, undefined, {
    reason: `what was asked or judged, another in (nearly) every row`,
    confidence: 0.75,
  });
  guess.many.identifiers = guess.many.identifiers.filter((name) => name !== found.name);
}

/** "metric_input.user_input" is a field user_input; undefined for a name without a point. */
const fieldOf = (name: string): string | undefined =>
  name.includes(".") ? names.splitWords(name.slice(name.lastIndexOf(".") + 1)).join("_") : undefined;

/** Prompts 0 to 59 that each rater met once: numbers in place of their texts. */
function numbersThings(guess: Guess, name: string): boolean {
  const rater = guess.single.get("rater");
  const { values, min, max, distinct } = guess.profiles.find((own) => own.name === name)!;
  if (rater === undefined || values !== "integer" || min > 1 || max - min + 1 !== distinct) return false;
  const systems = [guess.single.get("system")].filter((own) => own !== undefined);
  return guess.groups(name, rater, ...systems) === guess.table.rows && distinct < guess.table.rows;
}

/** Several outputs for the same source in a table that does not say whose they are: the source is no item that is met again and again. */
function claimSharedInput(guess: Guess): boolean {
  if (guess.single.has("system") || guess.single.has("repeat") || guess.files.length > 0) return false;
  const output = guess.profiles.find((profile) => OUTPUT.test(joined(profile)) && profile.missing === 0);
  const input = guess.profiles.find(
    (profile) => names.INPUT_NAMES.includes(joined(profile)) && profile.missing === 0 && profile.distinct > 1,
  );
  if (output === undefined || input === undefined || output === input || guess.single.has("cluster")) return false;
  if (guess.groups(input.name, output.name) < SEVERAL * input.distinct) return false;
  const why = `Rows with the same ${input.name} hold several outputs (${output.name}), and no column says whose: they are taken to belong together.`;
  guess.claim("cluster", input.name, why);
  guess.many.identifiers = guess.many.identifiers.filter((name) => name !== input.name);
  return true;
}

/** Outputs of a source, on average, that a repeated text here and there does not make. */
const SEVERAL = 1.5;
const OUTPUT = /^(mt|hyp|hypothesis|translation|output|system_output|response|completion|summary|prediction)$/;

/** A full grid: the columns with few values meet in every combination exactly once, and the rest was measured. */
export function claimGrid(guess: Guess): void {
  if (guess.single.has("system") || guess.single.has("item") || guess.many.wide.length > 0) return;
  const own = guess.profiles.filter((profile) => guess.many.parameters.includes(profile.name));
  const few = guess
    .free()
    .filter((profile) => profile.distinct > 1 && profile.distinct <= MAX_SETTINGS && profile.values !== "text");
  const all = [...own, ...few];
  if (all.length < 2) return;
  const cells = all.reduce((product, profile) => product * profile.distinct, 1);
  if (cells !== guess.table.rows || guess.groups(...all.map((profile) => profile.name)) !== cells) return;
  guess.claimMany(
    "parameters",
    few.map((profile) => profile.name),
  );
  guess.assumptions.push(
    `Every combination of ${all.map((profile) => profile.name).join(", ")} occurs once: they are taken as settings.`,
  );
}

const COUNT_WORDS = new Set("size n count num number total examples weight".split(" "));

/** What should have been said is no verdict on what was. */
const isRightAnswer = (profile: ColumnProfile): boolean =>
  /^(right_|correct_|final_)?(answer|target|gold|label|expected|truth|solution|ground_truth)$/.test(joined(profile));

/** The only measured number that is left, or without any the only column of verdicts. */
export function claimLoneScore(guess: Guess): void {
  // what was predicted is judged by whether it is right
  if (guess.many.metrics.length > 0 || guess.single.has("prediction")) return;
  const designed = guess.single.has("system") || guess.single.has("item") || guess.many.parameters.length > 0;
  if (!designed) return;
  const varying = guess.free().filter((profile) => profile.distinct > 1);
  const numbers = varying.filter((profile) => profile.column.kind === "numeric");
  const measured = numbers.filter(
    (profile) =>
      !names.splitWords(profile.name).some((word) => COUNT_WORDS.has(word)) &&
      !isIdName(profile) &&
      !isBesideAnswers(profile) &&
      !isSide(profile) &&
      !isPredicted(profile) &&
      !isRightAnswer(profile) &&
      !names.ITEM_NAMES.includes(joined(profile)),
  );
  const verdicts = varying.filter(
    (profile) => profile.logical && !isShown(profile) && (!isRightAnswer(profile) || isVerdict(guess, profile)),
  );
  const found = measured.length === 1 ? measured[0] : undefined;
  const verdict = measured.length === 0 && verdicts.length === 1 ? verdicts[0] : undefined;
  if (found !== undefined) {
    guess.claimMany("metrics", [found.name], { reason: "the only measured number", confidence: 0.7 });
    guess.assumptions.push(`${found.name} is the only measured number and is taken as the score.`);
  } else if (verdict !== undefined) {
    guess.claimMany("metrics", [verdict.name], { reason: "the only column of verdicts", confidence: 0.7 });
    guess.assumptions.push(
      `${verdict.name} is the only column of verdicts (${verdict.examples.join(", ")}) and is taken as the score.`,
    );
  }
}

/** Between two criteria on one scale, what stands beside them on the same scale is a criterion too, whatever it is called. */
export function claimSiblings(guess: Guess): void {
  const judged = guess.profiles.filter((own) => guess.many.metrics.includes(own.name) && isJudged(own));
  // the scale that most of them have: an overall score may have its own
  const likeIt = judged.map((own) => judged.filter(({ min, max }) => min === own.min && max === own.max));
  const known = likeIt.reduce((most, own) => (own.length > most.length ? own : most), []);
  const [first] = known;
  if (guess.many.wide.length > 0 || known.length < 2 || first === undefined) return;
  const { min, max, column } = first;
  if (max - min < 2 || column.kind !== "numeric" || known.length * 2 < judged.length) return;
  const places = known.map((own) => guess.profiles.indexOf(own));
  const [from, to] = [leastOf(places) - 1, mostOf(places) + 1];
  const found = guess.free().filter((own) => {
    const place = guess.profiles.indexOf(own);
    return place >= from && place <= to && own.min === min && own.max === max && notAScore(own) === undefined;
  });
  guess.claimMany(
    "metrics",
    found.map(({ name }) => name),
    { reason: `on the scale of ${known.map(({ name }) => name).join(", ")}, and beside them`, confidence: 0.7 },
  );
}

/** "relevance" beside fluency and coherence is what raters were asked, no label of documents. */
export function isCriterion(guess: Guess, profile: ColumnProfile): boolean {
  if (joined(profile) !== "relevance") return false;
  const others = guess.profiles.filter((own) => own !== profile && isJudged(own) && isRatingScale(own));
  return profile.values === "real" || (isRatingScale(profile) && others.length > 0);
}
