/** Tables of totals, where a row is a system: which column names it, and which numbers are its results. A leaderboard names its columns after
 *  benchmarks (GSM8K, CRUX), not after measures, and an object keyed by model has no name for its keys. */
import { isBenchmark, isCost, isCountName, isSpread, namedAsScore, notAScore } from "./evidence.ts";
import { type Guess, joined } from "./guess.ts";
import { SYSTEM_LEVEL } from "./names.ts";
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
  if (isClassReport(guess)) {
    guess.claimMany("identifiers", [first.name]);
    guess.assumptions.push(`The rows are classes and averages over them, as ${first.name} names them, not systems.`);
    return;
  }
  const keyed = first.name === "key" && hasTotals(guess, first);
  if (!unnamed && !keyed && !ENTRY_NAMES.has(joined(first))) return;
  const numbers = guess.profiles.filter(({ column }) => column.kind === "numeric");
  if (numbers.length * 2 < guess.profiles.length - 1 && !keyed) return;
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

/** Precision, recall and support by class, as scikit-learn reports them. */
function isClassReport({ profiles }: Guess): boolean {
  const own = new Set(profiles.map(joined));
  return own.has("support") && own.has("precision") && own.has("recall");
}

/** Keys that read like systems, or measures beside their errors or beside the properties of a system. */
function hasTotals(guess: Guess, keys: ColumnProfile): boolean {
  const others = guess.profiles.filter((profile) => profile !== keys);
  const measures = others.filter((profile) => profile.column.kind === "numeric" && namedAsScore(profile) > 0);
  if (measures.length === 0) return false;
  const levels = listValues(keys.column);
  const telling = levels.filter((level) => SYSTEM_LEVEL.test(level)).length;
  const errors = others.some((profile) => profile.column.kind === "numeric" && isSpread(profile));
  return (
    telling * 2 >= levels.length || errors || others.filter((profile) => PROPERTY.test(joined(profile))).length > 1
  );
}

/** Without a measure by name, the shares and percentages of a table with one row a system are its results; their average comes first. */
export function claimTotals(guess: Guess): void {
  const system = guess.single.get("system");
  const known = guess.profiles.filter(({ name }) => guess.many.metrics.includes(name));
  if (system === undefined || guess.many.wide.length > 0 || !known.every(isBenchmark)) return;
  if (guess.table.rows < 2 || guess.groups(system) !== guess.table.rows) return;
  const found = guess.free().filter(isResult);
  const all = [...known, ...found];
  if (found.length === 0 || all.length < 2 || new Set(all.map(({ max }) => (max <= 1 ? 1 : 100))).size > 1) return;
  const told = found.map(({ name }) => name);
  guess.claimMany("metrics", told, { reason: "a share or percentage for each system", confidence: 0.55 });
  guess.assumptions.push(
    `${told.join(", ")} are shares or percentages, one for each ${system}, and are taken as scores.`,
  );
  const average = found.find((profile) => /^(average|avg|mean|overall|total)(_score)?$/.test(joined(profile)));
  if (average === undefined) return;
  const { metrics } = guess.many;
  metrics.splice(metrics.indexOf(average.name), 1);
  metrics.unshift(average.name);
}

function isResult(profile: ColumnProfile): boolean {
  const { values, min, max, distinct } = profile;
  if (values !== "real" || !(min >= 0 && max <= 100) || distinct < 2) return false;
  return (
    notAScore(profile) === undefined && !isCost(profile) && !isCountName(profile) && !PROPERTY.test(joined(profile))
  );
}
