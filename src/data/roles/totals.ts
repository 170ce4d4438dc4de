/** Tables of totals, where a row is a system: which column names it, and which numbers are its results. A leaderboard names its columns after
 *  benchmarks (GSM8K, CRUX), not after measures, and an object keyed by model has no name for its keys. */
import { asFactor, column } from "../table.ts";
import { isMeasure } from "./direction.ts";
import { isBenchmark, isCost, isCountName, isJudged, isSpread, namedAsScore, notAScore } from "./evidence.ts";
import { type Guess, joined } from "./guess.ts";
import { CONDITION_NAMES, isFold, REPEAT_NAMES, SCORE_NAMES, SPLIT_WORDS, SYSTEM_LEVEL, splitWords } from "./names.ts";
import { type ColumnProfile, isUnique, listValues } from "./profile.ts";

const ENTRY_NAMES = new Set("name run_name experiment submission team entry dirname".split(" "));
/** Properties of a system, as leaderboards list them. */
const PROPERTY =
  /^(link|url|size|params|parameters|organi[sz]ation|org|license|licence|company|developer|prompted|release(_date)?|open(_data|_source)?)$/;

/** The first column of a table of totals, without a name (or called a name, or the keys of an object), names the systems. */
export function claimFirstColumn(guess: Guess): void {
  const [first] = guess.profiles;
  if (first === undefined || guess.single.has("system") || !guess.free().includes(first)) return;
  if (first.values !== "category" || !isUnique(first) || first.missing > 0) return;
  const unnamed = /^column1$/.test(first.name) || /^unnamed/i.test(first.name);
  if (claimNumbered(guess, first)) return;
  const parts = guess.profiles.filter(isOnPart);
  if (parts.length > 1 && /^(id|name|key|model|run|config)$/.test(joined(first))) {
    const why = `each ${first.name} has totals on parts of the data (${parts.map(({ name }) => name).join(", ")})`;
    guess.claim("system", first.name, `Each row is taken as one system: ${why}.`, { reason: why, confidence: 0.75 });
    return;
  }
  const keyed = first.name === "key" && hasTotals(guess, first);
  const compared =
    CONDITION_NAMES.includes(joined(first)) ||
    /^(run|scenario|setting|ablation|baseline|pipeline)$/.test(joined(first));
  const varied = compared && measuresOf(guess) > 1;
  if (!unnamed && !keyed && !varied && !ENTRY_NAMES.has(joined(first))) return;
  const numbers = guess.profiles.filter(({ column }) => column.kind === "numeric");
  const others = guess.profiles.filter((profile) => profile !== first && !isAbout(profile));
  if (numbers.length * 2 < others.length && !keyed) return;
  // columns that are named after systems have the rows for items
  if (unnamed && numbers.length > 1 && numbers.every(({ name }) => SYSTEM_LEVEL.test(name))) {
    guess.claim(
      "item",
      first.name,
      `Each ${first.name} is taken as one item, since the columns are named after systems.`,
    );
    return;
  }
  const why = unnamed
    ? "the first column has no name and another text in every row"
    : keyed
      ? "its keys have totals beside them"
      : `${first.name} is another text in every row`;
  guess.claim("system", first.name, `Each row is taken as one system: ${why}.`, { reason: why, confidence: 0.8 });
}

/** How many different things were measured: accuracy_gpt and accuracy_claude are one. */
function measuresOf(guess: Guess): number {
  const found = guess.profiles.filter(
    (own) => own.column.kind === "numeric" && namedAsScore(own) > 0 && !isCost(own) && !isSpread(own),
  );
  return new Set(
    found.map((own) =>
      splitWords(own.name)
        .filter((word) => SCORE_NAMES.includes(word) || isJudged({ name: word }))
        .join(" "),
    ),
  ).size;
}

/** train_rmse, val_auc: a measure over a part of the data, which no single item has. */
function isOnPart({ name, column }: ColumnProfile): boolean {
  const own = splitWords(name);
  return column.kind === "numeric" && own.length > 1 && own.some((word) => SPLIT_WORDS.has(word)) && isMeasure(name);
}

const FEWEST_NUMBERED = 5;
const MOST_GAPS = 1.2;

/** 0000_a, 0001_b, …: instances in their order, and nothing but numbers beside them. Systems are not numbered so. */
function claimNumbered(guess: Guess, first: ColumnProfile): boolean {
  const { column } = first;
  if (column.kind !== "factor" || guess.table.rows < FEWEST_NUMBERED) return false;
  const others = guess.profiles.filter((profile) => profile !== first);
  if (others.length < 2 || others.some((own) => own.column.kind !== "numeric")) return false;
  const read = Array.from(column.codes, (code) => /^(\D*)(\d+)\D/.exec(column.levels[code]!));
  const numbers = read.map((found) => Number(found?.[2] ?? Number.NaN));
  const rising = numbers.every((number, row) => row === 0 || number > numbers[row - 1]!);
  const [from, to] = [numbers[0]!, numbers.at(-1)!];
  // a few may be missing
  const dense = to - from + 1 <= MOST_GAPS * numbers.length;
  if (!rising || !dense || new Set(read.map((found) => found?.[1])).size !== 1) return false;
  guess.claim("item", first.name, `Each ${first.name} is taken as one item: they are numbered in their order.`);
  guess.numbered = true;
  return true;
}

/** Half of the levels, or more, are known names. */
const readLikeSystems = ({ column }: ColumnProfile): boolean => {
  const levels = listValues(column);
  return levels.filter((level) => SYSTEM_LEVEL.test(level)).length * 2 >= levels.length;
};

/** Where a system is to be found, and what is the same for all: neither speaks for a table of totals, nor against it. */
const isAbout = (profile: ColumnProfile): boolean =>
  profile.values === "empty" ||
  profile.values === "constant" ||
  PROPERTY.test(joined(profile)) ||
  (profile.column.kind === "factor" && listValues(profile.column).every((level) => /^https?:/.test(level)));

/** Keys that read like systems, or measures beside their errors or beside the properties of a system. */
function hasTotals(guess: Guess, keys: ColumnProfile): boolean {
  const others = guess.profiles.filter((profile) => profile !== keys);
  const measures = others.filter((profile) => profile.column.kind === "numeric" && namedAsScore(profile) > 0);
  if (measures.length === 0) return false;
  const errors = others.some((profile) => profile.column.kind === "numeric" && isSpread(profile));
  return readLikeSystems(keys) || errors || others.filter((profile) => PROPERTY.test(joined(profile))).length > 1;
}

/** The results of a table with one row a system; their average comes first. */
export function claimTotals(guess: Guess): void {
  claimShares(guess);
  const { metrics, wide } = guess.many;
  if (wide.length > 0 || !isTableOfTotals(guess)) return;
  const [main] = metrics;
  const average = metrics.find((name) => isAverage(name) && isOfKind(name, main!));
  if (average === undefined || isAverage(main!)) return;
  metrics.splice(metrics.indexOf(average), 1);
  metrics.unshift(average);
}

/** Every row is another system. */
export function isTableOfTotals(guess: Guess): boolean {
  const system = guess.single.get("system");
  return system !== undefined && guess.table.rows > 1 && guess.groups(system) === guess.table.rows;
}

const AVERAGE = /^(average|avg|mean|overall|total|macro)$/;
const isAverage = (name: string): boolean => splitWords(name).some((word) => AVERAGE.test(word));

/** "Average WER" of "SADA WER", "win_rate_avg" of "win_rate_scene", "Avg" of anything: nothing else is said of what was measured. */
function isOfKind(average: string, main: string): boolean {
  const own = new Set(splitWords(main));
  return splitWords(average).every((word) => AVERAGE.test(word) || word === "score" || own.has(word));
}

/** Without a measure by name, the shares and percentages are taken. */
function claimShares(guess: Guess): void {
  const system = guess.single.get("system");
  const scored = guess.profiles.filter(({ name }) => guess.many.metrics.includes(name));
  // what a run costs is the result only where there is no other
  const costs = scored.filter(isCost).map(({ name }) => name);
  const known = scored.filter(({ name }) => !costs.includes(name));
  if (system === undefined || guess.many.wide.length > 0 || !known.every(isBenchmark)) return;
  if (!isTableOfTotals(guess)) return;
  const found = guess.free().filter(isResult);
  const all = [...known, ...found];
  if (found.length === 0 || all.length < 2 || new Set(all.map(({ max }) => (max <= 1 ? 1 : 100))).size > 1) return;
  const told = found.map(({ name }) => name);
  guess.claimMany("metrics", told, { reason: "a share or percentage for each system", confidence: 0.55 });
  guess.many.metrics = [...guess.many.metrics.filter((name) => !costs.includes(name)), ...costs];
  guess.assumptions.push(
    `${told.join(", ")} are shares or percentages, one for each ${system}, and are taken as scores.`,
  );
}

function isResult(profile: ColumnProfile): boolean {
  const { values, min, max, distinct } = profile;
  if (values !== "real" || !(min >= 0 && max <= 100) || distinct < 2) return false;
  return (
    notAScore(profile) === undefined && !isCost(profile) && !isCountName(profile) && !PROPERTY.test(joined(profile))
  );
}

/* Levels of keys of a document ({run: {query: {measure: value}}}): which name systems and which name items. */

/** Share of the pairs of two keys that must occur before they pass as crossed. */
const CROSSED = 0.9;
/** So many keys, and so many times those of the other level, are items. */
const MANY_ITEMS = 20;
const MANY_TIMES = 3;

export function claimKeys(guess: Guess): void {
  const keys = guess.free().filter(({ name, column }) => /^key(_\d)?$/.test(name) && column.kind === "factor");
  if (!guess.single.has("system")) claimSystems(guess, keys);
  claimSummaries(guess, keys);
  if (claimNestedKeys(guess, keys)) return;
  const left = guess.free().filter((profile) => keys.includes(profile));
  const [one] = left;
  if (one === undefined || left.length > 1 || guess.single.has("item")) return;
  const above = [guess.single.get("system"), guess.single.get("metric")].filter((name) => /^key/.test(name ?? ""));
  // one value for each of them under each key above: what was measured
  if (above.length === 0 || guess.groups(one.name, ...(above as string[])) !== guess.table.rows) return;
  const reason = "the innermost keys of the document";
  guess.claim("item", one.name, undefined, { reason, confidence: 0.75 });
}

/** {system: {measure: {mean, std, …}}}: what has a mean of each measure is a system, and the mean is its score. */
function claimSummaries(guess: Guess, keys: readonly ColumnProfile[]): void {
  const metric = guess.single.get("metric");
  const left = guess.free().filter((profile) => keys.includes(profile));
  const mean = guess.free().find((own) => /^(mean|avg|average)$/.test(joined(own)) && own.column.kind === "numeric");
  const [one] = left;
  if (metric === undefined || !/^key/.test(metric) || one === undefined || left.length > 1 || mean === undefined)
    return;
  if (guess.single.has("system") || one.distinct >= MANY_ITEMS) return;
  if (guess.groups(one.name, metric) !== guess.table.rows) return;
  const reason = `each ${one.name} has one ${mean.name} for each ${metric}`;
  guess.claim("system", one.name, undefined, { reason, confidence: 0.75 });
  guess.claimMany("metrics", [mean.name], { reason, confidence: 0.75 });
}

/** Problems under levels: each inner key stands under one outer key and is an item, the outer is its task. */
function claimNestedKeys(guess: Guess, keys: readonly ColumnProfile[]): boolean {
  const [outer, inner] = guess.free().filter((profile) => keys.includes(profile));
  if (outer === undefined || inner === undefined || keys.length > 2 || guess.single.has("item")) return false;
  if (inner.distinct < 2 * outer.distinct || guess.groups(outer.name, inner.name) !== inner.distinct) return false;
  const reason = `each ${inner.name} stands under one ${outer.name}`;
  guess.claim("item", inner.name, undefined, { reason, confidence: 0.75 });
  if (!guess.single.has("task")) guess.claim("task", outer.name, undefined, { reason, confidence: 0.75 });
  return true;
}

function claimSystems(guess: Guess, keys: readonly ColumnProfile[]): void {
  const telling = keys.find((profile) => profile.distinct > 1 && readLikeSystems(profile));
  if (telling !== undefined) {
    guess.claim("system", telling.name, "The keys of the document read like systems and are taken as such.");
    return;
  }
  const [outer, inner] = keys;
  if (outer === undefined || inner === undefined || keys.length > 2) return;
  if (guess.groups(outer.name, inner.name) < CROSSED * outer.distinct * inner.distinct) return;
  const [few, many] = outer.distinct <= inner.distinct ? [outer, inner] : [inner, outer];
  if (few.distinct < 2) return;
  const clear = many.distinct >= MANY_ITEMS && many.distinct >= MANY_TIMES * few.distinct;
  const why = `Every ${many.name} occurs with every ${few.name}, so ${few.name} is taken as what is compared.`;
  guess.claim("system", few.name, why, { reason: why.replace(/\.$/, ""), confidence: clear ? 0.7 : 0.55 });
}

/* One number for each data set and system: data sets are the items of such tables. */

/** Fewer data sets with one number each are a leaderboard, not a sample of data sets. */
export const FEWEST_DATA_SETS = 5;

/** One number for each system and data set, or for each of their seeds, and nothing below them: each data set is an item, and its seeds are
 *  repeats. Counts or errors beside the scores make it a leaderboard instead: they say how far chance goes within a data set. */
export function claimDataSets(guess: Guess): void {
  const [system, task, repeat] = (["system", "task", "repeat"] as const).map((role) => guess.single.get(role));
  if (task !== undefined && system === undefined && hasRowPerTask(guess) && guess.many.wide.length > 0) {
    guess.release("task");
    guess.claim("item", task, `Each ${task} is taken as one item.`);
    return;
  }
  if (task !== undefined && system === undefined && hasRunPerTask(guess) && guess.many.wide.length > 0) {
    guess.release("task");
    guess.claim("item", task, `Each ${task} is taken as one item, with the values of ${repeat} as its repeats.`);
    return;
  }
  if (system === undefined || task === undefined) return;
  if (guess.single.has("item") || guess.single.has("rater") || guess.many.metrics.length === 0) return;
  const runs = repeat ?? idOfRuns(guess, system, task);
  // a data set that a system lacks is left to the comparison, which matches them
  if (sharedLevels(guess, system, task) < (runs === undefined ? FEWEST_DATA_SETS : 2)) return;
  // of several measures, one below the other, each has its own number, and so has each fold of a repeat
  const folds = guess.free().filter(({ name }) => isFold(name));
  const others = [runs, guess.single.get("metric"), ...folds.map(({ name }) => name)].filter((n) => n !== undefined);
  if (guess.groups(system, task, ...others) !== guess.table.rows) return;
  // an error or a number of items beside them makes totals of numbers, not of right and wrong; what a run cost says nothing of either
  const single = guess.profiles.some(
    ({ name, values, logical }) => guess.many.metrics.includes(name) && (values === "0/1" || logical),
  );
  const beside = guess.free().some((own) => own.column.kind === "numeric" && !isCost(own));
  if (runs === undefined && !single && beside) return;
  guess.release("task");
  if (repeat === undefined && runs !== undefined) {
    guess.many.identifiers = guess.many.identifiers.filter((name) => name !== runs);
    guess.claim("repeat", runs);
  }
  const repeats = runs === undefined ? "" : `, with the values of ${runs} as its repeats`;
  guess.claim("item", task, `Each ${task} is taken as one item${repeats}.`);
}

/** Another id for every run of every system on every data set: rte-a-1, rte-a-2, … */
function idOfRuns(guess: Guess, system: string, task: string): string | undefined {
  if (2 * guess.groups(system, task) > guess.table.rows) return undefined;
  const named = new Set(guess.many.identifiers);
  return guess.profiles.find(
    (own) => REPEAT_NAMES.includes(joined(own)) && isUnique(own) && (guess.free().includes(own) || named.has(own.name)),
  )?.name;
}

/** How many levels of a column every system has. */
function sharedLevels(guess: Guess, system: string, name: string): number {
  const { table } = guess;
  const [own, of] = [name, system].map((one) => asFactor(column(table, one)).codes) as [Int32Array, Int32Array];
  const met = new Map<number, Set<number>>();
  own.forEach((code, row) => {
    if (code >= 0 && of[row]! >= 0) met.set(code, (met.get(code) ?? new Set()).add(of[row]!));
  });
  const systems = new Set(of.filter((code) => code >= 0)).size;
  return [...met.values()].filter((seen) => seen.size === systems).length;
}

/** Every data set has one row, and no column names anything smaller. */
export function hasRowPerTask(guess: Guess): boolean {
  const task = guess.single.get("task");
  const smaller = (["item", "rater", "repeat"] as const).some((role) => guess.single.has(role));
  return task !== undefined && !smaller && guess.table.rows > 1 && guess.groups(task) === guess.table.rows;
}

/** Every data set has a row for each seed, and no column names anything smaller. */
function hasRunPerTask(guess: Guess): boolean {
  const [task, repeat] = [guess.single.get("task"), guess.single.get("repeat")];
  if (task === undefined || repeat === undefined || guess.single.has("item") || guess.single.has("rater")) return false;
  return (
    guess.groups(task) > 1 && guess.groups(task) < guess.table.rows && guess.groups(task, repeat) === guess.table.rows
  );
}
