/** Votes for A, B or a tie in a table that does not say who A and B were → votes between A and B. If the sides were shuffled they are
 *  places and no systems, which nobody can see in such a table: that is said. Answers to questions (A, B, C) have no tie and are no votes. */
import { SYSTEM_NAMES, splitWords } from "../roles/names.ts";
import { type Column, factorColumn, makeTable, type Table } from "../table.ts";
import { freshName, type Reshaped, usedLevels } from "./reshaped.ts";
import { isTie, readVotes } from "./votes.ts";

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
