/** rater_anna, rater_ben, rater_chloe: a column for each rater, who is named in the header → one row for each judgement.
 *  A, B, rater_A, rater_B: who rated which system → one row for each system, with its rater. */
import { listNames } from "../../result/quote.ts";
import type { RoleGuess } from "../imported.ts";
import { splitWords } from "../roles/names.ts";
import { isMissing, selectRows, type Table } from "../table.ts";
import { lastWord, RATER_STEM } from "./name-grid.ts";
import { freshName, type Reshaped, stackFamilies } from "./reshaped.ts";
import { isLabelled } from "./side-by-side.ts";

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
  const stems = new Map<string, string[]>();
  for (const name of table.columns.keys()) {
    const stem = NAMED.exec(name)?.[1];
    if (stem !== undefined && isRater(stem) && isName(restOf(name)))
      stems.set(stem, [...(stems.get(stem) ?? []), name]);
  }
  const found = [...stems.values()].filter((columns) => columns.length > 1);
  const [columns] = found;
  if (columns === undefined || found.length > 1) return undefined;
  if (columns.every((name) => isRatedBy(table, name))) return readRatersOfSystems(table, columns);
  if (!isLabelled(table, columns)) return undefined;
  const [keyName, rating] = [freshName(table, "rater"), freshName(table, "rating")];
  const long = stackFamilies(table, columns.map(restOf), { families: [{ name: rating, columns }], keyName });
  const cells = long.columns.get(rating)!;
  const reason = `the columns are called ${columns[0]}, ${columns[1]}`;
  const hint = (role: string, column: string): RoleGuess => ({ role, column, reason, confidence: 0.9 });
  return {
    table: selectRows(long, (row) => !isMissing(cells, row)),
    reading: [
      `${columns.join(" / ")}: one column for each rater; they were put under one another, and column ${keyName} says which.`,
    ],
    hints: [hint("rater", keyName), hint("score", rating)],
  };
}

/** The column holds names of people, and what is left of its own name is a column of scores. */
const isRatedBy = (table: Table, name: string): boolean =>
  table.columns.get(name)?.kind === "factor" && table.columns.get(restOf(name))?.kind === "numeric";

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

const isRater = (stem: string): boolean =>
  RATER_STEM.test(lastWord(stem)) || RATER_STEM.test(splitWords(stem).at(-1) ?? "");

const isName = (rest: string): boolean =>
  /\p{L}/u.test(rest) &&
  !rest
    .toLowerCase()
    .split(/[_. -]+/)
    .some((word) => PROPERTIES.has(word));
