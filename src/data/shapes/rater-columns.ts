/** rater_anna, rater_ben, rater_chloe, gpt4_judge, claude_judge, or Anna, Ben, Chloe: a column for each rater, who is named in the header → one row for each judgement.
 *  A, B, rater_A, rater_B: who rated which system → one row for each system, with its rater. */
import { listNames } from "../../result/quote.ts";
import type { RoleGuess } from "../imported.ts";
import { groupKeys } from "../keys.ts";
import { isRatingScale, namedAsScore } from "../roles/evidence.ts";
import { INPUT_NAMES, ITEM_NAMES, RATER_NAMES, SYSTEM_NAMES, splitWords } from "../roles/names.ts";
import { isFirstName } from "../roles/people.ts";
import { profileColumn } from "../roles/profile.ts";
import { isMissing, selectRows, type Table } from "../table.ts";
import { isRaterStem } from "./name-grid.ts";
import { freshName, type Reshaped, stackFamilies, usedLevels } from "./reshaped.ts";
import { isLabelled, nameRatings, tellLeftOut } from "./side-by-side.ts";

const NAMED = /^(.+?)[_. -]+(.+)$/u;
/** What is known about a rater, or about the raters together, is no judgement of one. */
const PROPERTIES = new Set(
  (
    "id ids name names age gender sex group country type kind native language lang comment comments note notes confidence certainty time date " +
    "duration seconds email code count n number agreement kappa alpha reason rationale explanation mean avg average median majority sum total sd std " +
    "score scores rating ratings label labels vote votes experience education role"
  ).split(" "),
);

export function findRaterColumns(table: Table): Reshaped | undefined {
  const columns = findByStem(table);
  if (columns !== undefined && areRatedBy(table, columns)) return readRatersOfSystems(table, columns);
  if (columns !== undefined) return stackRaters(table, columns, columns.map(restOf));
  const tailed = findByTail(table);
  if (tailed !== undefined)
    return stackRaters(
      table,
      tailed,
      tailed.map((name) => TAILED.exec(name)![1]!),
    );
  const people = findByFirstName(table);
  return people === undefined ? undefined : stackRaters(table, people, people);
}

/** gpt4_judge, claude_judge: the name first. */
function findByTail(table: Table): string[] | undefined {
  const columns = [...table.columns.keys()].filter((name) => {
    const [, rest = "", tail = ""] = TAILED.exec(name) ?? [];
    return isRaterStem(tail) && isName(rest);
  });
  const tails = new Set(columns.map((name) => TAILED.exec(name)![2]!.toLowerCase()));
  // Borealis_Ann beside Borealis_Bob: Ann is one of several people
  const crossed = columns.some((name) =>
    [...table.columns.keys()].some((own) => own !== name && TAILED.exec(own)?.[1] === TAILED.exec(name)![1]),
  );
  return !crossed && columns.length > 1 && tails.size === 1 && isLabelled(table, columns) ? columns : undefined;
}
const TAILED = /^(.*[^_. -])[_. -]+(\p{L}+)$/u;

function findByStem(table: Table): string[] | undefined {
  const stems = new Map<string, string[]>();
  for (const name of table.columns.keys()) {
    const stem = NAMED.exec(name)?.[1];
    if (stem !== undefined && isRaterStem(stem) && isName(restOf(name)))
      stems.set(stem, [...(stems.get(stem) ?? []), name]);
  }
  const found = [...stems.values()].filter((columns) => columns.length > 1);
  const [columns] = found;
  if (columns === undefined || found.length > 1) return undefined;
  // "Ann: GPT-4o" beside "Bob: GPT-4o"
  const rests = columns.map(restOf);
  const crossed = [...table.columns.keys()].some(
    (own) => !columns.includes(own) && rests.includes(NAMED.exec(own)?.[2] ?? ""),
  );
  if (crossed) return undefined;
  return areRatedBy(table, columns) || isLabelled(table, columns) ? columns : undefined;
}

const MOST_STEPS = 11;

/** Anna, Ben, Xiomara beside columns of systems and items: most are given names, and all have steps of one scale. */
function findByFirstName(table: Table): string[] | undefined {
  const names = [...table.columns.keys()];
  // "Ann" among Bob and Cleo is a person, not annotators
  const others = names.filter((name) => !isFirstName(name));
  if (others.some((name) => RATER_NAMES.includes(splitWords(name).join("_")))) return undefined;
  // labels and votes of several people need no systems; numbers under given names may be anything else
  const labelled = names.filter((name) => isFirstName(name) && table.columns.get(name)!.kind === "factor");
  const alone = labelled.length > 1 && labelled.length === names.length - others.length && isLabelled(table, labelled);
  if (alone && (hasName(table, ITEM_NAMES) || hasName(table, INPUT_NAMES)) && !hasName(table, SYSTEM_NAMES)) {
    const labels = new Set(labelled.flatMap((name) => usedLevels(table.columns.get(name)!)));
    // names that the list does not have, with the same labels
    const alike = (name: string): boolean =>
      /^\p{Lu}\p{Ll}+$/u.test(name) && usedLevels(table.columns.get(name)!).every((level) => labels.has(level));
    return names.filter((name) => labelled.includes(name) || alike(name));
  }
  if (!hasName(table, SYSTEM_NAMES)) return undefined;
  if (!hasName(table, ITEM_NAMES) && comesWithSystems(table) === undefined) return undefined;
  const [from, to] = [names.findIndex(isFirstName), names.findLastIndex(isFirstName)];
  const known = names.filter(isFirstName);
  if (known.length < 2) return undefined;
  // names that the list does not have stand between or beside those that it has
  const isOne = (name: string, k: number): boolean => {
    const profile = profileColumn(name, table.columns.get(name)!);
    const written = k > from && k < to ? /^\p{L}\p{Ll}+$/u : /^\p{Lu}\p{Ll}+$/u;
    return written.test(name) && isRatingScale(profile) && namedAsScore(profile) === 0;
  };
  const columns = names.filter((name, k) => isFirstName(name) || (k >= from - 1 && k <= to + 1 && isOne(name, k)));
  const profiles = columns.map((name) => profileColumn(name, table.columns.get(name)!));
  const judged = profiles.every(({ values, distinct }) => values !== "real" && distinct <= MOST_STEPS);
  return judged && known.length * 2 >= columns.length && isLabelled(table, columns) ? columns : undefined;
}

const hasName = (table: Table, aliases: readonly string[]): boolean =>
  [...table.columns.keys()].some((name) => aliases.includes(splitWords(name).join("_")));

/** A column of any name that comes once with a system, and again with another. */
function comesWithSystems(table: Table): string | undefined {
  const systems = [...table.columns]
    .filter(([name]) => SYSTEM_NAMES.includes(splitWords(name).join("_")))
    .map(([, cells]) => cells);
  const found = [...table.columns].find(([name, cells]) => {
    if (systems.includes(cells) || isFirstName(name) || isRatingScale(profileColumn(name, cells))) return false;
    const own = groupKeys([cells], table.rows).count;
    return own > 1 && own * 2 <= table.rows && groupKeys([cells, ...systems], table.rows).count === table.rows;
  });
  return found?.[0];
}

function stackRaters(table: Table, columns: readonly string[], raters: readonly string[]): Reshaped {
  const [keyName, rating] = [freshName(table, "rater"), freshName(table, nameRatings(table, columns))];
  const long = stackFamilies(table, raters, { families: [{ name: rating, columns }], keyName });
  const cells = long.columns.get(rating)!;
  const reason = `the columns are called ${columns[0]}, ${columns[1]}`;
  const hint = (role: string, column: string): RoleGuess => ({ role, column, reason, confidence: 0.9 });
  return {
    table: selectRows(long, (row) => !isMissing(cells, row)),
    reading: [
      `${columns.join(" / ")}: one column for each rater; they were put under one another, and column ${keyName} says which.`,
      ...tellLeftOut(table, columns, rating),
    ],
    hints: [hint("rater", keyName), hint("score", rating), ...itemOf(table)],
  };
}

function itemOf(table: Table): RoleGuess[] {
  if (!hasName(table, SYSTEM_NAMES) || hasName(table, ITEM_NAMES)) return [];
  const column = comesWithSystems(table);
  const reason = "each comes once with a system, and again with another";
  return column === undefined ? [] : [{ role: "item", column, reason, confidence: 0.7 }];
}

/** The columns hold names of people, and what is left of their own names are columns of scores. */
const areRatedBy = (table: Table, columns: readonly string[]): boolean =>
  columns.every(
    (name) => table.columns.get(name)?.kind === "factor" && table.columns.get(restOf(name))?.kind === "numeric",
  );

function readRatersOfSystems(table: Table, columns: readonly string[]): Reshaped {
  const systems = columns.map(restOf);
  const [keyName, rater, score] = [freshName(table, "system"), freshName(table, "rater"), freshName(table, "score")];
  const families = [
    { name: score, columns: systems },
    { name: rater, columns },
  ];
  const reason = `${columns[0]} says who gave ${systems[0]}`;
  const hint = (role: string, column: string): RoleGuess => ({ role, column, reason, confidence: 0.9 });
  return {
    table: stackFamilies(table, systems, { families, keyName }),
    reading: [`${listNames(columns)} say who rated ${listNames(systems)}: each row gives one for each system.`],
    hints: [hint("system", keyName), hint("rater", rater), hint("score", score)],
  };
}

const restOf = (name: string): string => NAMED.exec(name)![2]!;

const isName = (rest: string): boolean =>
  /\p{L}/u.test(rest) &&
  !rest
    .toLowerCase()
    .split(/[_. -]+/)
    .some((word) => PROPERTIES.has(word));
