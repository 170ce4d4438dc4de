/** Which of two was preferred, one row a vote → two rows a vote, one from each side: 1 for the winner, 0 for the loser, ½ for a tie.
 *  Names decide: two columns of systems that differ in their side (model_a, model_b; left, right; generator_1, generator_2) and one called
 *  winner, preference, vote or the like, whose cells name a side, a system of the row, or a tie. A number from 1 to 2 is the fraction of the
 *  second side (AlpacaEval). winner1, winner2, … and annotator1, annotator2, … are raters. Two votes of one judge in both orders
 *  (g1_winner, g2_winner) follow the rule of MT-Bench: a win counts if both orders name it. */
import type { Done } from "../../data/imported.ts";
import { stackFamilies } from "../../data/reshape.ts";
import { type Column, factorColumn, makeTable, numericColumn, selectRows, type Table } from "../../data/table.ts";
import { listValues } from "../facts.ts";
import { RATER_NAMES } from "../lexicon/names.ts";
import { FILLERS, FIRST, GAMES, REVERSED, SECOND, SIDE_STEMS, SIDES, TIES, WINNERS } from "../lexicon/votes.ts";
import { plainName, splitNumbers } from "../lexicon/words.ts";
import { readRaterName } from "./rater-columns.ts";
import { cellText, freshName, hint, type Reshaped, repeatRows, rowsOf } from "./reshaped.ts";
import { findStubs } from "./stubs.ts";

export interface VoteColumns {
  readonly a: string;
  readonly b: string;
  /** One column, or two with the same judge's vote in either order. */
  readonly winner: readonly string[];
  /** Where each column of `winner` is a rater's: which. */
  readonly raters?: readonly string[];
}

/** AlpacaEval's generator_1 and generator_2. */
const DRAWN = "generator";
/** So many of the votes must be understood before the others pass for failures. */
const MOST_READ = 0.9;
const MOST_SYSTEMS = 500;
const LONGEST_NAME = 100;

export function findVotes(table: Table): Reshaped | undefined {
  const columns = findVoteColumns(table);
  if (columns === undefined) return undefined;
  return columns.raters === undefined ? readVotes(table, columns) : readSeveral(table, columns, columns.raters);
}

export function findVoteColumns(table: Table): VoteColumns | undefined {
  for (const [a, b] of sidePairs(table)) {
    const found = findWinner(table, a, b);
    if (found !== undefined) return { a, b, ...found };
  }
  return undefined;
}

/** One column of votes; several are two orders, or raters. Of others nobody knows which is meant. */
function findWinner(table: Table, a: string, b: string): Winners | undefined {
  const isRead = (name: string): boolean => name !== a && name !== b && isUnderstood(table, { a, b }, name);
  const names = [...table.columns.keys()].filter((name) => isWinnerName(name) && isRead(name));
  const orders = bothOrders(names);
  if (orders !== undefined) return { winner: orders };
  const [numbered] = findStubs(table).filter(({ columns }) => columns.every((name) => names.includes(name)));
  if (numbered !== undefined) return ofRaters(table, { winner: numbered.columns, raters: numbered.numbers });
  const plain = names.filter((name) => WINNERS.has(plainName(name)));
  if (plain.length === 1 || names.length === 1) return { winner: [plain[0] ?? names[0]!] };
  const named = [...table.columns.keys()].filter((name) => readRaterName(name) !== undefined && isRead(name));
  if (names.length > 1 || named.length < 2) return undefined;
  return ofRaters(table, { winner: named, raters: named.map((name) => readRaterName(name)!.rater) });
}

type Winners = Pick<VoteColumns, "winner" | "raters">;

/** Where another column names the raters, the numbers mean something else. */
const ofRaters = ({ columns }: Table, found: Winners): Winners | undefined =>
  [...columns.keys()].some((name) => RATER_NAMES.includes(plainName(name))) ? undefined : found;

const isWinnerName = (name: string): boolean => splitNumbers(name).some((word) => WINNERS.has(word));

/** g1_winner and g2_winner, winner and winner_reverse. */
function bothOrders(names: readonly string[]): [string, string] | undefined {
  const words = names.map((name) => splitNumbers(name));
  const isOther = (one: readonly string[], two: readonly string[]): boolean =>
    two.join() === one.map((word, k) => (word === "1" && GAMES.has(one[k - 1] ?? "") ? "2" : word)).join() ||
    (two.length === one.length + 1 && REVERSED.has(two.at(-1)!) && two.slice(0, -1).join() === one.join());
  for (const [k, one] of words.entries()) {
    const other = words.findIndex((two, j) => j !== k && isOther(one, two));
    if (other >= 0) return [names[k]!, names[other]!];
  }
  return undefined;
}

/** Two columns of names whose own names differ in the side only. */
function sidePairs(table: Table): [string, string][] {
  const names = [...table.columns].flatMap(([name, { kind }]) => (kind === "factor" ? [name] : []));
  return SIDES.flatMap(([one, two]) =>
    names.flatMap((name): [string, string][] => {
      const stem = stemOf(name, one);
      const other = stem === undefined ? undefined : names.find((own) => own !== name && stemOf(own, two) === stem);
      // with a third side it is a choice among several
      const third = two === "2" && names.some((own) => stemOf(own, "3") === stem);
      return other === undefined || third ? [] : [[name, other]];
    }),
  ).filter(([a, b]) => areSystems(table, a, b));
}

/** "model_a", "LeftSystem" and "response_1_model" without their sides, where a word for systems is left, or nothing. */
function stemOf(name: string, side: string): string | undefined {
  const words = splitNumbers(name);
  const rest = words.filter((word) => word !== side);
  if (rest.length !== words.length - 1) return undefined;
  const stem = rest.join("_");
  return stem === "" || SIDE_STEMS.has(stem) || SIDE_STEMS.has(rest.at(-1)!) ? stem : undefined;
}

/** Short names that come again, and seldom the same on both sides: not the answers, nor what two systems predicted. */
function areSystems(table: Table, a: string, b: string): boolean {
  const [one, two] = [table.columns.get(a)!, table.columns.get(b)!];
  const levels = new Set([...listValues(one), ...listValues(two)]);
  const same = rowsOf(table).filter((row) => cellText(one, row) === cellText(two, row)).length;
  return (
    levels.size > 1 &&
    levels.size <= Math.min(MOST_SYSTEMS, table.rows + 1) &&
    same * 2 <= table.rows &&
    [...levels].every((level) => level.length <= LONGEST_NAME)
  );
}

function isUnderstood(table: Table, sides: Pick<VoteColumns, "a" | "b">, winner: string): boolean {
  const shares = readShares(table, sides, winner);
  const cells = table.columns.get(winner)!;
  const given = rowsOf(table).filter((row) => cellText(cells, row) !== null);
  const read = given.filter((row) => !Number.isNaN(shares?.[row] ?? Number.NaN));
  return given.length > 0 && read.length >= MOST_READ * given.length;
}

/** The fraction of each vote that goes to side a, NaN where it cannot be told. "A" may be the side or a system of that name on the other side:
 *  if all votes are systems of their rows, or all are sides, that is meant; if both, nobody but the writer knows. */
function readShares(table: Table, { a, b }: Pick<VoteColumns, "a" | "b">, winner: string): number[] | undefined {
  const [ownA, ownB, vote] = [a, b, winner].map((name) => table.columns.get(name)!) as [Column, Column, Column];
  if (vote.kind === "numeric") return readNumbers(vote.values);
  const read = rowsOf(table).map((row) => {
    const text = cellText(vote, row)?.trim();
    if (text === undefined) return {};
    const name = text === cellText(ownA, row) ? 1 : text === cellText(ownB, row) ? 0 : undefined;
    const side = plainName(text) === plainName(a) ? 1 : plainName(text) === plainName(b) ? 0 : sideOf(text);
    const tie = TIES.has(plainName(text)) ? 0.5 : undefined;
    return { name: name ?? tie, side: side ?? tie, given: true };
  });
  if (!read.some(({ name, side }) => name !== undefined && side !== undefined && name !== side))
    return read.map(({ name, side }) => name ?? side ?? Number.NaN);
  const all = (by: "name" | "side"): boolean => read.every((own) => !own.given || own[by] !== undefined);
  if (all("name") === all("side")) return undefined;
  return read.map((own) => own[all("name") ? "name" : "side"] ?? Number.NaN);
}

/** "A", "[[B]]", "model_a", "Response 2 is better", "A>>B". */
function sideOf(text: string): number | undefined {
  const [, one = "", sign = "", two = ""] = /^([ab12])([<>=]{1,3})([ab12])$/i.exec(text.replace(/[\s[\]]/g, "")) ?? [];
  if (one !== "" && FIRST.has(one.toLowerCase()) !== FIRST.has(two.toLowerCase()))
    return sign[0] === "=" ? 0.5 : (sign[0] === ">") === FIRST.has(one.toLowerCase()) ? 1 : 0;
  const words = splitNumbers(text);
  const sides = words.length > 1 ? words.filter((word) => !FILLERS.has(word)) : words;
  const [side = "", other] = sides;
  if (other !== undefined) return undefined;
  return FIRST.has(side) ? 1 : SECOND.has(side) ? 0 : undefined;
}

/** 1 for the first side, 2 for the second, and fractions between, or 0 for a tie. */
function readNumbers(values: Float64Array): number[] | undefined {
  const known = new Set(values.filter((value) => !Number.isNaN(value)));
  const between = [...known].every((value) => value >= 1 && value <= 2) && known.size > 1;
  const tied = [0, 1, 2].every((side) => known.has(side)) && known.size === 3;
  if (!between && !tied) return undefined;
  return Array.from(values, (value) => (tied && value === 0 ? 0.5 : 2 - value));
}

/** One column of votes for each rater: each vote becomes a row of its own first. */
function readSeveral(table: Table, columns: VoteColumns, keys: readonly string[]): Reshaped {
  const [rater, vote] = [freshName(table, "rater"), freshName(table, "vote")];
  const long = stackFamilies(table, keys, { families: [{ name: vote, columns: columns.winner }], keyName: rater });
  const read = readVotes(long, { ...columns, winner: [vote] });
  return {
    ...read,
    done: [{ id: "raters", columns: columns.winner, into: [rater] }, ...read.done],
    hints: [...read.hints, hint("rater", rater)],
  };
}

/** Votes by columns that are named, or were found. */
export function readVotes(all: Table, columns: VoteColumns): Reshaped {
  const { a, b, winner } = columns;
  const [one, two] = [a, b].map((name) => all.columns.get(name)!) as [Column, Column];
  // a system against itself says nothing of systems
  const others = selectRows(all, (row) => cellText(one, row) !== cellText(two, row));
  const table = others.rows === 0 ? all : others;
  const votes = winner.map((name) => readShares(table, columns, name));
  const shares = rowsOf(table).map((row) => combine(votes.map((own) => own?.[row] ?? Number.NaN)));
  const source = Int32Array.from({ length: 2 * table.rows }, (_, i) => i >> 1);
  const isFirst = (i: number): boolean => i % 2 === 0;
  const bare = makeTable(
    [...table.columns].filter(([name]) => name !== a && name !== b),
    table.rows,
  );
  const fresh = (name: string): string => freshName(bare, name);
  const sideText = (row: number, first: boolean): string | null => cellText(table.columns.get(first ? a : b)!, row);
  const added: [string, Column][] = [
    [fresh("battle"), factorColumn(Array.from(source, (row) => String(row + 1)))],
    [fresh("system"), factorColumn(Array.from(source, (row, i) => sideText(row, isFirst(i))))],
    [fresh("opponent"), factorColumn(Array.from(source, (row, i) => sideText(row, !isFirst(i))))],
    [fresh("score"), numericColumn(Array.from(source, (row, i) => (isFirst(i) ? shares[row]! : 1 - shares[row]!)))],
  ];
  // the same vote in both orders has no place, nor has AlpacaEval's, which draws the order of each and writes the baseline first
  const place = factorColumn(Array.from(source, (_, i) => (isFirst(i) ? "a" : "b")));
  const drawn = plainName(a).startsWith(DRAWN) && table.columns.get(winner[0]!)!.kind === "numeric";
  if (winner.length === 1 && !drawn) added.push([fresh("position"), place]);
  const lost = shares.filter(Number.isNaN).length;
  return {
    table: repeatRows(bare, source, { added, drop: [] }),
    done: [
      { id: "votes", columns: [a, b, ...winner] },
      ...(winner.length === 2 ? [countTurns(votes as readonly (readonly number[])[], winner)] : []),
      ...tellCount("ownOpponent", all.rows - table.rows, all.rows),
      ...tellCount("noSide", lost, table.rows),
    ],
    hints: [
      ...(["system", "opponent", "score"] as const).map((role) => hint(role, fresh(role))),
      hint("cluster", fresh("battle")),
      ...winner.map((name) => hint("identifier", name)),
    ],
    higherIsBetter: new Map([[fresh("score"), true]]),
  };
}

const tellCount = (id: Done["id"], count: number, of: number): Done[] =>
  count === 0 ? [] : [{ id, columns: [], count, of }];

/** Both orders: a win if both name it, a tie otherwise; an order that failed spoils the vote. */
function combine(shares: readonly number[]): number {
  const [first = Number.NaN, second = first] = shares;
  if (Number.isNaN(first) || Number.isNaN(second)) return Number.NaN;
  return first === second ? first : 0.5;
}

/** How often the vote turned with the order, and in how many of these the answer shown first won both times. */
function countTurns([first = [], second = []]: readonly (readonly number[])[], columns: readonly string[]): Done {
  const turned = first.filter((share, row) => share !== 0.5 && second[row] === 1 - share);
  return { id: "orders", columns, count: turned.filter((share) => share === 1).length, of: turned.length };
}
