/** Votes of which the table does not say, or not in columns of their own, whose they are.
 *    rating = A, B or tie                                votes between A and B
 *    response1, response2, annotator1 … annotator3       0, 1 or 2: labels of several raters; a larger number is no better one
 *    pair = "ada_bob" beside them                        votes between the two systems that it names
 *  Votes for A, B or a tie in a table that does not say who A and B were → votes between A and B. If the sides were shuffled they are
 *  places and no systems, which nobody can see in such a table: that is said. Answers to questions (A, B, C) have no tie and are no votes. */
import { SYSTEM_NAMES, splitWords } from "../roles/names.ts";
import { type Column, factorColumn, makeTable, type Table, withColumn } from "../table.ts";
import { isRaterStem } from "./name-grid.ts";
import { cellText, freshName, type Reshaped, stackFamilies, usedLevels } from "./reshaped.ts";
import { findVoteColumns, isCalledVote, isTie, readVotes } from "./votes.ts";

const CALLED = /^(rating|preference|preferred|preferred[_ ]system|vote|winner|choice|better)$/i;
/** "c", "t" and "0" may be answers. */
const SHORTEST_TIE = 3;

export function findBareVotes(table: Table): Reshaped | undefined {
  const names = [...table.columns.keys()];
  if (names.some((name) => SYSTEM_NAMES.includes(splitWords(name).join("_")))) return undefined;
  const [vote, second] = [...table.columns].filter(([name, cells]) => CALLED.test(name) && isVote(cells));
  if (vote === undefined || second !== undefined) return undefined;
  const sides = usedLevels(vote[1])
    .filter((level) => !isTie(level))
    .sort();
  const columns = sides.map((side): [string, Column] => [
    freshName(table, `side_${side.trim()}`),
    factorColumn(new Array<string>(table.rows).fill(side.trim().toUpperCase())),
  ]);
  const [a, b] = columns.map(([name]) => name) as [string, string];
  // stacked columns of raters are called a rating, which a vote is not
  const called = vote[0] === "rating" ? freshName(table, "vote") : vote[0];
  const renamed = [...table.columns].map(([name, cells]): [string, Column] => [
    name === vote[0] ? called : name,
    cells,
  ]);
  const votes = readVotes(makeTable([...renamed, ...columns], table.rows), { a, b, winner: [called] });
  // who stood where is not known
  const placed = placeOf(votes.table, table);
  const shown = [...votes.table.columns].filter(([name]) => !placed.includes(name));
  return {
    ...votes,
    table: makeTable(shown, votes.table.rows),
    reading: [
      `${called} holds votes for A, B or a tie, and gives two rows a vote, one per side: score 1 for a win, 0.5 for a tie, 0 for a loss. A and B are taken as the two systems; if it was shuffled who was A, they are places, and the file does not say whose.`,
      ...votes.reading.slice(1),
    ],
    hints: votes.hints.filter(({ column }) => !placed.includes(column)),
  };
}

const placeOf = (votes: Table, before: Table): string[] =>
  [...votes.columns.keys()].filter((name) => /^position/.test(name) && !before.columns.has(name));

function isVote(cells: Column): boolean {
  if (cells.kind === "numeric") return false;
  const levels = usedLevels(cells).map((level) => level.trim().toLowerCase());
  const ties = levels.filter((level) => level.length >= SHORTEST_TIE && isTie(level));
  return ties.length > 0 && levels.length === ties.length + 2 && ["a", "b"].every((side) => levels.includes(side));
}

const ANSWER =
  /^(response|answer|output|completion|generation|summary|translation|text|reply|candidate)[_. -]?([12ab])$/i;
const KEY = { 1: "2", a: "b" } as const;
/** So many of the rows have an answer of their own: names of systems come again. */
const OWN = 0.2;

export function findPairedAnswers(table: Table): Reshaped | undefined {
  const answers = findAnswers(table);
  // columns beside the answers may say who wrote them
  if (answers === undefined || findVoteColumns(table) !== undefined) return undefined;
  const votes = [...table.columns]
    .filter(([name, cells]) => isSided(cells) && isVoter(name, cells))
    .map(([name]) => name);
  if (votes.length === 0) return undefined;
  const named = findPairColumn(table);
  return named === undefined ? nameSides(table, answers, votes) : readPairs(table, votes, named);
}

function findAnswers(table: Table): readonly [string, string] | undefined {
  const names = [...table.columns.keys()];
  for (const name of names) {
    const [, stem = "", side = ""] = ANSWER.exec(name) ?? [];
    const other = KEY[side.toLowerCase() as keyof typeof KEY];
    if (other === undefined) continue;
    const second = names.find((own) => {
      const found = ANSWER.exec(own);
      return found?.[1] === stem && found[2]!.toLowerCase() === other;
    });
    if (second !== undefined && [name, second].every((own) => isText(table, own))) return [name, second];
  }
  return undefined;
}

function isText(table: Table, name: string): boolean {
  const cells = table.columns.get(name)!;
  return cells.kind === "factor" && usedLevels(cells).length > OWN * table.rows;
}

/** Both sides occur, and nothing but them and 0. */
function isSided(cells: Column): boolean {
  if (cells.kind !== "numeric") return false;
  const known = new Set(cells.values.filter((value) => !Number.isNaN(value)));
  return known.has(1) && known.has(2) && [...known].every((value) => value === 0 || value === 1 || value === 2);
}

/** annotator1, rater_b, preference, label: whoever says it, of two answers. */
function isVoter(name: string, cells: Column): boolean {
  const stem = name.replace(/[_. -]?(\d{1,3}|[a-z])$/i, "");
  return isRaterStem(name) || isRaterStem(stem) || isCalledVote(name, cells) || /^label$/i.test(name);
}

const SIDES = (answers: readonly [string, string]): readonly string[] => ["tie", ...answers];

function nameSides(table: Table, answers: readonly [string, string], votes: readonly string[]): Reshaped {
  const words = SIDES(answers);
  const named = votes.reduce((before, name) => {
    const cells = table.columns.get(name)!;
    const values = Array.from({ length: table.rows }, (_, row) => {
      const text = cellText(cells, row);
      return text === null ? null : words[Number(text)]!;
    });
    return withColumn(before, name, factorColumn(values));
  }, table);
  return {
    table: named,
    reading: [
      `${votes.join(", ")}: 1 and 2 are taken as preferences for ${answers[0]} and ${answers[1]}, and 0 as a tie; the file does not say which systems wrote them.`,
    ],
    hints: [],
  };
}

interface PairColumn {
  readonly name: string;
  readonly mark: string;
}

const MARKS = [" vs. ", " vs ", "_vs_", "-vs-", " / ", "|", "_", "-"];
const FEWEST_NAMES = 3;

/** Levels of two names each, which come again in other levels: who met whom. */
function findPairColumn(table: Table): PairColumn | undefined {
  for (const [name, cells] of table.columns) {
    if (cells.kind !== "factor") continue;
    const levels = usedLevels(cells);
    if (levels.length < 2 || levels.length * 2 > table.rows) continue;
    const mark = MARKS.find((own) => {
      const parts = levels.map((level) => level.split(own));
      if (parts.some((part) => part.length !== 2 || part.includes("") || part[0] === part[1])) return false;
      const names = new Set(parts.flat());
      const again = [...names].filter((one) => parts.filter((part) => part.includes(one)).length > 1);
      return names.size >= FEWEST_NAMES && again.length === names.size && parts.length > names.size / 2;
    });
    if (mark !== undefined && !splitWords(name).some((word) => /lang|language|direction/.test(word)))
      return { name, mark };
  }
  return undefined;
}

function readPairs(table: Table, votes: readonly string[], { name, mark }: PairColumn): Reshaped {
  const cells = table.columns.get(name)!;
  const part = (k: number): Column =>
    factorColumn(Array.from({ length: table.rows }, (_, row) => cellText(cells, row)?.split(mark)[k] ?? null));
  const [a, b] = ["first_system", "second_system"].map((own) => freshName(table, own)) as [string, string];
  const sided = makeTable([...table.columns, [a, part(0)], [b, part(1)]], table.rows);
  const several = votes.length > 1;
  const [keyName, vote] = [freshName(sided, "rater"), freshName(sided, "vote")];
  const long = several
    ? stackFamilies(sided, votes, { families: [{ name: vote, columns: [...votes] }], keyName })
    : sided;
  const read = readVotes(long, { a, b, winner: [several ? vote : votes[0]!] });
  const reason = `${votes.join(", ")} are the votes of several raters`;
  return {
    ...read,
    reading: [
      `${name} names the two systems of each row, the first before "${mark.trim() || mark}".`,
      ...(several ? [`${reason}: each became a row, and column ${keyName} says whose it is.`] : []),
      ...read.reading,
    ],
    hints: several ? [...read.hints, { role: "rater", column: keyName, reason, confidence: 0.8 }] : read.hints,
  };
}
