/** Rows that share an item or a rater which a model does not know: its standard errors take them for independent. */

import { note, warning } from "../../result/diagnostic.ts";
import { quoteName } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import { asFactor, column, type Table } from "../table.ts";
import { type Guess, joined } from "./guess.ts";
import {
  CLUSTER_NAMES,
  CONDITION_NAMES,
  DOCUMENT_NAMES,
  GROUP_NAMES,
  ITEM_NAMES,
  RATER_NAMES,
  SYSTEM_LEVEL,
  SYSTEM_NAMES,
  splitWords,
  TASK_NAMES,
} from "./names.ts";
import { type ColumnProfile, isUnique, listValues, profileTable } from "./profile.ts";

const WORD = /`([^`]+)`|[\p{L}.][\p{L}\p{N}._]*/gu;
/** Fewer levels are conditions, not a sample of items or raters. */
const FEWEST_LEVELS = 3;

/** `formulas` without random effects; `cluster` is what the errors are robust to, false where the model has no such option.
 *  Standard errors are too small for what differs between items or raters and too large for what varies within them: p may err either way. */
export function warnOfRepeats(table: Table, formulas: readonly string[], cluster?: string | false): Diagnostic[] {
  const used = new Set([...formulas.flatMap(namesIn), cluster]);
  const ignored = profileTable(table).filter(
    (profile) =>
      [...ITEM_NAMES, ...RATER_NAMES].includes(joined(profile)) &&
      !used.has(profile.name) &&
      profile.values !== "real" &&
      profile.distinct >= FEWEST_LEVELS &&
      !isUnique(profile) &&
      !(typeof cluster === "string" && liesWithin(table, profile.name, cluster)),
  );
  if (ignored.length === 0) return [];
  const told = ignored.map(({ name, distinct }) => `${name} (${distinct} levels)`).join(" and ");
  const random = ignored.map(({ name }) => `(1 | ${quoteName(name)})`).join(" + ");
  return [
    warning(
      "RepeatsIgnored",
      `the ${table.rows} rows repeat ${told}, which the model does not know: it takes the rows for independent, so p may be too small or too large.`,
      `Add ${random} and fit a mixed model (lmm, glmm, clmm)${ignored.length === 1 && cluster === undefined ? `, or name option \`cluster: ${ignored[0]!.name}\` where there is one` : ""}.`,
    ),
  ];
}

/** Each level lies in one cluster: errors that know the clusters know it too. */
function liesWithin(table: Table, name: string, cluster: string): boolean {
  if (!table.columns.has(cluster)) return false;
  const [own, clusters] = [asFactor(column(table, name)).codes, asFactor(column(table, cluster)).codes];
  const of = new Map<number, number>();
  return own.every((code, row) => {
    const known = of.get(code) ?? clusters[row]!;
    of.set(code, known);
    return code < 0 || known === clusters[row];
  });
}

/** Raters, crossed with a factor of the model, who may differ in it, though the model has them differ in level only: its p is about these raters. */
export function warnOfFixedRaters(table: Table, formula: string): Diagnostic[] {
  const [fixed = "", ...random] = formula.split(/(?=\([^()]*\|)/);
  const names = new Set(namesIn(fixed.slice(fixed.indexOf("~") + 1)));
  const profiles = profileTable(table);
  const rater = profiles.find(
    (profile) =>
      RATER_NAMES.includes(joined(profile)) &&
      profile.distinct > 1 &&
      profile.distinct < MANY_RATERS &&
      profile.values !== "real",
  );
  const system = profiles.find((profile) => SYSTEM_NAMES.includes(joined(profile)) && names.has(profile.name));
  if (rater === undefined || system === undefined) return [];
  const own = random.filter((term) => namesIn(term).includes(rater.name));
  // a slope, or a term of both
  if (own.length === 0 || own.some((term) => namesIn(term).includes(system.name))) return [];
  if (!meets(table, rater.name, system.name)) return [];
  const [r, s] = [quoteName(rater.name), quoteName(system.name)];
  return [
    note(
      "RatersTakenAsTheyAre",
      `the ${rater.distinct} levels of ${rater.name} met several levels of ${system.name}, and no term lets them differ in what they prefer: p of ${system.name} is about these raters, not about others.`,
      `For a claim about other raters add (1 | ${r}:${s}), as compare does.`,
    ),
  ];
}

/** From here on raters differ little as a sample. */
const MANY_RATERS = 30;

/** Whether one of the raters met two systems. */
function meets(table: Table, rater: string, system: string): boolean {
  const [who, what] = [rater, system].map((name) => asFactor(column(table, name)).codes) as [Int32Array, Int32Array];
  const first = new Map<number, number>();
  return who.some((code, row) => {
    if (code < 0 || what[row]! < 0) return false;
    const before = first.get(code) ?? what[row]!;
    first.set(code, before);
    return before !== what[row];
  });
}

const namesIn = (formula: string): string[] => [...formula.matchAll(WORD)].map(([word, quoted]) => quoted ?? word);

/** Kinds of prompts, and who voted when: groups of what was voted on, not its names. */
const GROUP_WORDS = new Set(
  (
    "category categories domain topic subject language lang type kind genre split dataset difficulty level source tag tags group batch session " +
    "date day time country region gender age turn turns style version round position order phase"
  ).split(" "),
);
const FEWEST_PROMPTS = 3;
/** Fewer tasks are kinds of prompts. */
const FEWEST_TASKS = 6;
/** Prompts are voted on about equally often. */
const EVEN = 3;

/** Whether the values of a column that no name explains come again as those of prompts do: all there, several, each about equally often. */
export function comesAgain(name: string, values: readonly (string | null)[]): boolean {
  const words = splitWords(name);
  if (words.some((word) => GROUP_WORDS.has(word)) || RATER_NAMES.includes(words.join("_"))) return false;
  const counts = new Map<string, number>();
  for (const value of values) {
    if (value === null || value === "") return false;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const sizes = [...counts.values()];
  const [least, most] = [
    sizes.reduce((x, y) => Math.min(x, y), Number.POSITIVE_INFINITY),
    sizes.reduce((x, y) => Math.max(x, y), 0),
  ];
  const fewest = words.includes("task") ? FEWEST_TASKS : FEWEST_PROMPTS;
  return counts.size >= fewest && 2 * counts.size <= values.length && least >= 2 && most <= EVEN * least;
}

/** What is asked, however seldom; a task may hold samples of its own. */
const ASKED =
  /^(question|problem|query|puzzle|challenge|instruction|prompt|scenario|stimulus)(_(id|nr|no|number|index|idx))?$/;

/** Ways to ask, by their names: items come again under each of them. */
const TEMPLATE =
  /^v(er(sion)?)?[ .-]?\d|shot\b|\b(cot|template|style|persona|chain|baseline|default|standard|plain|vanilla|direct|concise|detailed|terse|verbose|react|instruct)\b/i;
const isTemplate = (level: string): boolean =>
  level.split(/\s+/).length <= 3 && TEMPLATE.test(level.replace(/_/g, " "));

/** What was asked, in its own words or by a number, and not in which words it was. */
function isPrompts(profile: ColumnProfile): boolean {
  if (joined(profile) !== "prompt" || profile.missing > 0 || profile.distinct < FEWEST_PROMPTS) return false;
  return profile.values !== "real" && !(profile.column.kind === "factor" && profile.column.levels.some(isTemplate));
}

/** The number of a try at each problem (sample_id 0 to 4 of every problem_id) is a repeat, no item. */
export function withoutTries(guess: Guess, all: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const named = all.filter((profile) => profile.distinct > 1);
  const candidates = [...named, ...guess.free().filter((profile) => !all.includes(profile) && isPrompts(profile))];
  const isTry = (profile: ColumnProfile): boolean =>
    /^(sample|completion|generation)(_id)?$/.test(joined(profile)) &&
    (profile.values === "integer" || profile.values === "0/1") &&
    candidates.some(
      (other) =>
        (other.distinct > profile.distinct || ASKED.test(joined(other))) &&
        guess.groups(other.name, profile.name) === other.distinct * profile.distinct,
    );
  const [tried] = candidates.filter(isTry);
  if (tried === undefined) return named;
  if (!guess.single.has("repeat")) guess.claim("repeat", tried.name);
  return candidates.filter((profile) => profile !== tried);
}

/** A number that comes once a thing does not start again with it; more tries of one thing are things of their own. */
const FEWEST_TRIES = 1.5;
const MOST_TRIES = 20;
/** So many of the rows must be told apart. */
const TOLD_APART = 0.95;

/** id 0 to 3 of every caption under every system numbers the tries; what was asked for is the item. */
export function claimTried(guess: Guess, id: ColumnProfile): boolean {
  const system = guess.single.get("system");
  if (system === undefined || guess.single.has("repeat") || guess.single.has("rater") || joined(id) !== "id")
    return false;
  const { rows } = guess.table;
  if (guess.groups(system, id.name) * 2 > rows) return false;
  const groups = [...TASK_NAMES, ...CLUSTER_NAMES, ...GROUP_NAMES, ...DOCUMENT_NAMES];
  const asked = guess.free().find((own) => {
    if (own === id || own.column.kind !== "factor" || own.missing > 0 || own.distinct < 2) return false;
    if (groups.includes(joined(own)) || splitWords(own.name).some((word) => GROUP_WORDS.has(word))) return false;
    const units = guess.groups(system, own.name);
    const tries = rows / units;
    if (units < 2 * guess.groups(system) || own.distinct < 2 * tries) return false;
    if (tries < FEWEST_TRIES || tries > MOST_TRIES) return false;
    return guess.groups(system, own.name, id.name) >= TOLD_APART * rows;
  });
  if (asked === undefined) return false;
  const reason = `${id.name} starts again in every ${asked.name}`;
  guess.claim("item", asked.name, undefined, { reason, confidence: 0.75 });
  guess.claim("repeat", id.name, undefined, { reason, confidence: 0.75 });
  guess.assumptions.push(`${reason}: ${asked.name} is taken as the item, and ${id.name} numbers its tries.`);
  return true;
}

/** An id of every row, beside a question that comes again unevenly and nothing that it would come again for, names the items. */
export function idOfRows(
  guess: Guess,
  found: ColumnProfile,
  candidates: readonly ColumnProfile[],
): ColumnProfile | undefined {
  if (isUnique(found) || splitWords(found.name).includes("id")) return undefined;
  if ((["system", "rater", "repeat"] as const).some((role) => guess.single.has(role))) return undefined;
  const compared = guess
    .free()
    .some(
      (own) =>
        CONDITION_NAMES.includes(joined(own)) ||
        (own.column.kind === "factor" && own.column.levels.some((level) => SYSTEM_LEVEL.test(level))),
    );
  if (compared || guess.table.rows % found.distinct === 0) return undefined;
  return candidates.find((own) => isUnique(own) && /_id$/.test(joined(own)));
}

export function repeatsOf(guess: Guess): number {
  const found = [guess.single.get("rater"), guess.single.get("repeat"), ...guess.many.parameters].filter(
    (name) => name !== undefined,
  );
  return found.length === 0 ? 1 : guess.groups(...found);
}

/** Every system has a row for each of its values, of each metric; where tasks count anew, for those of each task. */
export function fillsRows(guess: Guess, { name, distinct }: ColumnProfile, systems: number): boolean {
  const [metric, task] = [guess.single.get("metric"), guess.single.get("task")];
  const again = Math.max(1, repeatsOf(guess)) * (metric === undefined ? 1 : guess.groups(metric));
  const items = task === undefined || distinct < FEWEST_OF_A_TASK ? distinct : guess.groups(task, name);
  return items * systems >= FILLED * (guess.table.rows / again);
}
/** Fewer values under each task are ways to run it rather than its items. */
const FEWEST_OF_A_TASK = 10;
/** Share of the cells of a full design that are enough to see it. */
const FILLED = 0.9;

/** A number of its own for each fold of each repeat of a cross-validation. */
export const numberSplits = (repeat: string, fold: string): string =>
  `split = 1000 * ${quoteName(repeat)} + ${quoteName(fold)}`;

/** bm25 and dense in a column "run" are what is compared where nothing else is; run1 and run2, dates and ids that a machine drew tell repeats apart. */
export function namesWhatRan({ profiles, files }: Guess, profile: ColumnProfile): boolean {
  if (!/^run(_(id|name|tag))?$/.test(joined(profile)) || profile.column.kind !== "factor") return false;
  const systems = [...SYSTEM_NAMES, ...CONDITION_NAMES];
  if (files.length > 0 || profiles.some((own) => own.distinct > 1 && systems.includes(joined(own)))) return false;
  const words = listValues(profile.column).map((level) => level.replace(/[\d\W_]+/g, "").toLowerCase());
  const apart = new Set(words).size === words.length && words.length > 1;
  return apart && words.every((word) => word.length > 1 && !NUMBERED.test(word)) && !isDrawn(profile);
}
const NUMBERED = /^(first|second|third|fourth|fifth|one|two|three|four|five|re(run|try|peat)|again)$/;

/** Letters and digits in turn, as in 3f9a1c: no word. */
const isDrawn = ({ column }: ColumnProfile): boolean =>
  column.kind === "factor" && column.levels.some((level) => /\d[a-z]+\d|^[0-9a-f]{6,}$/i.test(level));
