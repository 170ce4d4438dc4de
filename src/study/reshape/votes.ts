/** Which of two was preferred, one row a vote → two rows a vote, one from each side: 1 for the winner, 0 for the loser, ½ for a tie.
 *  The two sides' columns are told by their names (model_a, model_b; left, right; generator_1, generator_2; Input.system1 …), the vote by
 *  its content: every value names a side, one of the two systems, or a tie. A number between 1 and 2 is the share of the second side.
 *  Two votes of one judge in both orders (g1_winner, g2_winner) follow the rule of MT-Bench: a win counts if both orders name it. */
import type { Decision } from "../../data/imported.ts";
import {
  type Column,
  factorColumn,
  makeTable,
  numericColumn,
  selectRows,
  type Table,
  takeCells,
  withColumn,
} from "../../data/table.ts";
import { INPUT_NAMES, ITEM_NAMES, RATER_NAMES } from "../lexicon/names.ts";
import { splitWords } from "../lexicon/words.ts";
import { findGrids, lastWord, SYSTEM_STEM } from "./name-grid.ts";
import { cellText, freshName, type Reshaped, stackFamilies, usedLevels } from "./reshaped.ts";

export interface VoteColumns {
  readonly a: string;
  readonly b: string;
  /** One column, or two with the same judge's vote in either order; none where side a is the winner of every row. */
  readonly winner: readonly string[];
}

const SIDES = [
  ["a", "b"],
  ["1", "2"],
  ["0", "1"],
  ["left", "right"],
  ["first", "second"],
  ["x", "y"],
  ["links", "rechts"],
  ["gauche", "droite"],
  ["izquierda", "derecha"],
  ["sinistra", "destra"],
  ["esquerda", "direita"],
  ["左", "右"],
] as const;

/** Sides that are called by how the vote went. */
const OUTCOMES = [
  ["winner", "loser"],
  ["winning", "losing"],
  ["won", "lost"],
  ["chosen", "rejected"],
  ["preferred", "rejected"],
  ["preferred", "dispreferred"],
] as const;

const TIE =
  /^(tie|ties|tied|draw|equal|same|both|neither|none|no preference|no_preference|no diff(erence)?|tie ?\(both ?bad\)|both( are)? ?_?(bad|good)|c|0|1\.5|=+|(about|roughly|nearly) (the )?(same|equal)|equally (good|bad)|(both |about )?equal|similar|t|unentschieden|gleich|beide|égalité|egalite|empate|parità|平|平局|平手|相同|一样|同じ|引き分け)$/i;
const VOTE_NAME =
  /(winner|winning|preferred|preference|prefer|(^|[_. -])pref($|[_. -])|choice|chosen|vote|verdict|better|best|selected|judge?ment|decision|outcome|result|(^|[_. -])(answer|label|response|pick|picked)$|wahl|choix|elecci[oó]n|scelta|escolha|pr[äé]f[eé]ren|选择|偏好|胜者|选|選択|勝者)/i;
/** What is called a rating or a label may be a vote too, where its words say so ("A is better", "tie"): labels alone do not. */
export function isCalledVote(name: string, cells: Column): boolean {
  if (VOTE_NAME.test(name)) return true;
  if (cells.kind === "numeric" || !/rating|label|annotation|feedback/i.test(name)) return false;
  const levels = usedLevels(cells).map((level) => level.trim().toLowerCase());
  const named = levels.every((level) => sideOf(level) !== undefined || TIE.test(level));
  return named && levels.some((level) => /better|wins?$|preferred|\btie\b|[ab12] ?[<>]/.test(level));
}
/** So many of the votes must be understood before the others pass for failures. */
const MOST_READ = 0.9;

export function findVotes(table: Table): Reshaped | undefined {
  const columns = findVoteColumns(table);
  if (columns === undefined) return readNamesakes(table);
  return readSeveral(table, columns) ?? readVotes(table, columns);
}

/** Systems called A and B on sides called a and b, in either order: a vote that is nowhere a name of its row means the side, one that is nowhere
 *  a side the name. Where it may be both nobody but the writer knows. */
function readNamesakes(table: Table): Reshaped | undefined {
  for (const [a, b] of sidePairs(table)) {
    const [ownA, ownB] = [a, b].map((name) => table.columns.get(name)!) as [Column, Column];
    for (const [name, cells] of table.columns) {
      const columns: VoteColumns = { a, b, winner: [name] };
      if (name === a || name === b || !isCalledVote(name, cells) || !namesBoth(table, columns)) continue;
      const texts = Array.from({ length: table.rows }, (_, row) => cellText(cells, row)?.trim());
      const isName = (text: string, row: number): boolean =>
        text === cellText(ownA, row)?.trim() || text === cellText(ownB, row)?.trim();
      const isSide = (text: string): boolean => sideOf(text.toLowerCase()) !== undefined;
      const all = (fits: (text: string, row: number) => boolean): boolean =>
        texts.every((text, row) => text === undefined || isTie(text) || fits(text, row));
      const [byName, bySide] = [all(isName), all(isSide)];
      if (byName === bySide) continue;
      const sided = texts.map((text) => {
        const side = text === undefined ? undefined : sideOf(text.toLowerCase());
        return side === undefined ? (text ?? null) : side === 1 ? a : side === 0 ? b : "tie";
      });
      const read = readVotes(byName ? table : withColumn(table, name, factorColumn(sided)), columns);
      const told = byName
        ? `${name} names the system, not the side: it says more than two.`
        : `${name} says the side, not the system of that name: in some rows no system is called so.`;
      return { ...read, reading: [...read.reading.slice(0, 1), told, ...read.reading.slice(1)] };
    }
  }
  return undefined;
}

/** winner1, winner2, winner3: one column for each of several raters; each vote becomes a row of its own first. */
function readSeveral(table: Table, columns: VoteColumns): Reshaped | undefined {
  const [first, second] = columns.winner;
  if (first === undefined || second !== undefined) return undefined;
  const others = [...table.columns.keys()].filter((name) => name !== columns.a && name !== columns.b);
  const grids = (["number", "suffix"] as const).flatMap((mode) => findGrids(others, mode));
  const found = grids.flatMap(({ keys, stems }) =>
    [...stems].flatMap(([stem, own]) => (own.includes(first) ? [{ keys, stem, own }] : [])),
  )[0];
  if (found === undefined || hasRater(table)) return undefined;
  if (found.own.some((name) => readShare(table, { ...columns, winner: [name] }) < MOST_READ)) return undefined;
  const keyName = freshName(table, "rater");
  const vote = freshName(table, found.stem);
  const long = stackFamilies(table, found.keys, { families: [{ name: vote, columns: found.own }], keyName });
  const read = readVotes(long, { ...columns, winner: [vote] });
  const reason = `${found.own.join(", ")} are the votes of several raters`;
  return {
    ...read,
    reading: [`${reason}: each became a row, and column ${keyName} says whose it is.`, ...read.reading],
    hints: [...read.hints, { role: "rater", column: keyName, by: "file" }],
  };
}

const hasRater = (table: Table): boolean =>
  [...table.columns.keys()].some((name) => RATER_NAMES.includes(splitWords(name).join("_")));

export function findVoteColumns(table: Table): VoteColumns | undefined {
  for (const [a, b] of sidePairs(table)) {
    const names = [...table.columns]
      .filter(([name, cells]) => name !== a && name !== b && isCalledVote(name, cells))
      .map(([name]) => name);
    const understood = names.filter((name) => readShare(table, { a, b, winner: [name] }) >= MOST_READ);
    const orders = bothOrders(understood);
    if (orders !== undefined) return { a, b, winner: orders };
    if (understood.length > 0) return { a, b, winner: [understood[0]!] };
  }
  // a model that scored both sides was tested with them: whether it was right is the score
  if (["score_chosen", "score_rejected"].every((name) => table.columns.has(name))) return undefined;
  const [won] = sidePairs(table, OUTCOMES).filter(([a, b]) => neverSame(table, a, b));
  return won === undefined ? undefined : { a: won[0], b: won[1], winner: [] };
}

export interface SignedVotes {
  readonly vote: string;
  readonly min: number;
  readonly max: number;
  /** The columns of the two sides, where the table has them. */
  readonly sides?: readonly [string, string] | undefined;
}

/** Whole numbers on both sides of 0, called a preference: how much one of two is better. Which of them more than 0 prefers is not in the file. */
export function findSignedVotes(table: Table): SignedVotes | undefined {
  const [sides] = sidePairs(table);
  for (const [vote, cells] of table.columns) {
    if (cells.kind !== "numeric") continue;
    // beside two systems in a row a rating of both sides of 0 weighs them too
    const weighs = sides !== undefined && /rating|score|grade|scale|slider|likert|label/i.test(vote);
    if (!VOTE_NAME.test(vote) && !weighs) continue;
    const given = cells.values.filter((value) => !Number.isNaN(value));
    const [min, max] = given.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [0, 0]);
    const whole = given.every((value) => Number.isInteger(value));
    if (whole && min! < 0 && max! > 0 && Math.max(-min!, max!) <= MOST_SIGNED)
      return { vote, min: min!, max: max!, sides };
  }
  return undefined;
}
const MOST_SIGNED = 5;

/** What two models predicted is often the same; systems that meet are seldom one. */
function mostlySame(table: Table, a: string, b: string): boolean {
  const [one, two] = [table.columns.get(a)!, table.columns.get(b)!];
  const same = Array.from({ length: table.rows }, (_, row) => cellText(one, row) === cellText(two, row)).filter(
    Boolean,
  );
  return same.length * 2 > table.rows;
}

function neverSame(table: Table, a: string, b: string): boolean {
  const [one, two] = [table.columns.get(a)!, table.columns.get(b)!];
  return Array.from({ length: table.rows }, (_, row) => row).every(
    (row) => cellText(one, row) !== cellText(two, row) && cellText(one, row) !== null && cellText(two, row) !== null,
  );
}

/** Two columns of names whose own names differ in the side only. */
export function sidePairs(table: Table, sides: readonly (readonly [string, string])[] = SIDES): [string, string][] {
  const names = [...table.columns].filter(([, cells]) => cells.kind === "factor").map(([name]) => name);
  const pairs = sides.flatMap(([one, two]) =>
    names.flatMap((name): [string, string][] => {
      const stem = sideStem(name, one);
      if (stem === undefined) return [];
      const other = names.find((candidate) => candidate !== name && sideStem(candidate, two) === stem);
      // with a third side it is a choice among several
      const third =
        /^\d$/.test(two) && names.some((candidate) => sideStem(candidate, String(Number(two) + 1)) === stem);
      if (other === undefined || third) return [];
      return isNameOfSystem(stem) || meet(table, name, other) || isNamedByVote(table, name, other)
        ? [[name, other]]
        : [];
    }),
  );
  return pairs.filter(([a, b]) => areNames(table, a, b) && !mostlySame(table, a, b));
}

/** "model_a", "LeftSystem" and "response_1_model" without their sides: "model", "system", "response model"; undefined if the side is not in it. */
function sideStem(name: string, side: string): string | undefined {
  const words = name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1_$2")
    .toLowerCase()
    .split(/[_. -]+/)
    .filter((word) => word !== "");
  const own = words.filter((word) => word === side);
  if (own.length === 1) return words.filter((word) => word !== side).join(" ");
  const last = words.at(-1) ?? "";
  const isNumber = /^\d$/.test(side) && own.length === 0 && /[^\d]\d$/.test(last) && last.endsWith(side);
  return isNumber ? [...words.slice(0, -1), last.slice(0, -1)].join(" ") : undefined;
}

/** Several systems stand on either side: nothing else than what is compared does. */
function meet(table: Table, a: string, b: string): boolean {
  const [own, other] = [a, b].map((name) => usedLevels(table.columns.get(name)!)) as [string[], string[]];
  const others = new Set(other);
  const shared = own.filter((level) => others.has(level)).length;
  return shared > 1 && shared * 2 >= Math.min(own.length, other.length) && own.length * 2 < table.rows;
}

/** Every vote that is no tie says what stands on one of the two sides in its row. */
function isNamedByVote(table: Table, a: string, b: string): boolean {
  const [one, two] = [table.columns.get(a)!, table.columns.get(b)!];
  if (usedLevels(one).length * 2 >= table.rows) return false;
  return [...table.columns].some(([name, cells]) => {
    if (name === a || name === b || cells.kind === "numeric" || !VOTE_NAME.test(name)) return false;
    const votes = Array.from({ length: table.rows }, (_, row) => ({ row, vote: cellText(cells, row)?.trim() }));
    const given = votes.filter(({ vote }) => vote !== undefined && !TIE.test(vote));
    return (
      given.length > 1 && given.every(({ row, vote }) => vote === cellText(one, row) || vote === cellText(two, row))
    );
  });
}

const isNameOfSystem = (stem: string): boolean => stem === "" || SYSTEM_STEM.test(lastWord(stem));

const MOST_SYSTEMS = 500;
const LONGEST_NAME = 100;

/** Names of systems are short and few, unlike the answers that stand beside them. */
function areNames(table: Table, a: string, b: string): boolean {
  const levels = [...new Set([a, b].flatMap((name) => usedLevels(table.columns.get(name)!)))];
  return levels.length > 1 && levels.length <= MOST_SYSTEMS && levels.every((level) => level.length <= LONGEST_NAME);
}

/** g1_winner and g2_winner, winner and winner_reverse: the same two, shown the other way round. */
function bothOrders(names: readonly string[]): [string, string] | undefined {
  for (const first of names) {
    const games = first.replace(/(g|game|order|round)_?1/i, "$12");
    const second = names.find(
      (name) =>
        name !== first &&
        (name === games ||
          (/^[_. -]?(reversed?|swapped|swap|inverted)$/i.test(name.slice(first.length)) && name.startsWith(first))),
    );
    if (second !== undefined) return [first, second];
  }
  return undefined;
}

function readShare(table: Table, columns: VoteColumns): number {
  if (namesBoth(table, columns)) return 0;
  const read = readerOf(table, columns, columns.winner[0]!);
  const cells = table.columns.get(columns.winner[0]!)!;
  let [known, present] = [0, 0];
  for (let row = 0; row < table.rows; row += 1) {
    if (cellText(cells, row) === null) continue;
    present += 1;
    if (!Number.isNaN(read(row))) known += 1;
  }
  return present === 0 ? 0 : known / present;
}

/** "A" may be the system A or the side A, and somewhere system A stands on side B: nobody but the writer knows which is meant. */
export function namesBoth(table: Table, { a, b, winner }: VoteColumns): boolean {
  const [ownA, ownB, vote] = [a, b, winner[0]!].map((name) => table.columns.get(name)!) as [Column, Column, Column];
  const keys = SIDES.find(([one, two]) => sideStem(a, one) !== undefined && sideStem(b, two) === sideStem(a, one));
  if (keys === undefined || vote.kind === "numeric") return false;
  return Array.from({ length: table.rows }, (_, row) => row).some((row) => {
    const text = cellText(vote, row)?.trim();
    const side = text === undefined ? -1 : (keys as readonly string[]).indexOf(text.toLowerCase());
    return side >= 0 && text === cellText(side === 0 ? ownB : ownA, row);
  });
}

/** The share of a vote that goes to side a; NaN where it cannot be told. */
function readerOf(table: Table, { a, b }: VoteColumns, winner: string): (row: number) => number {
  const [ownA, ownB, vote] = [a, b, winner].map((name) => table.columns.get(name)!) as [Column, Column, Column];
  if (vote.kind === "numeric") return numericReader(vote.values);
  const words = [a, b].map((name) => name.toLowerCase());
  return (row) => {
    const text = cellText(vote, row)?.trim();
    if (text === undefined) return Number.NaN;
    if (text === cellText(ownA, row)) return 1;
    if (text === cellText(ownB, row)) return 0;
    const plain = text.toLowerCase();
    if (plain === words[0]) return 1;
    if (plain === words[1]) return 0;
    const side = sideOf(plain);
    return side ?? (TIE.test(plain) ? 0.5 : Number.NaN);
  };
}

/** Of words that single blanks part. */
const FIRST =
  /^(model|system|answer|response|output|option|assistant|candidate|text|summary|side|the)? ?(a|1|left|l|first|x|links|gauche|izquierda|sinistra|esquerda|左)( ?(is|was)? ?(much|far|slightly|clearly|somewhat|significantly|strongly|a bit|a little)? ?(better|wins|won|win|preferred))?$/;
const SECOND =
  /^(model|system|answer|response|output|option|assistant|candidate|text|summary|side|the)? ?(b|2|right|r|second|y|rechts|droite|derecha|destra|direita|右)( ?(is|was)? ?(much|far|slightly|clearly|somewhat|significantly|strongly|a bit|a little)? ?(better|wins|won|win|preferred))?$/;

/** A vote for neither, and one for a place instead of a name; judges are told to write "[[A]]". */
export const isTie = (text: string): boolean => TIE.test(withoutBrackets(text.trim().toLowerCase()));
const withoutBrackets = (text: string): string => /^\[\[([^[\]]+)\]\]$/.exec(text)?.[1]?.trim() ?? text;
export const isPlace = (text: string): boolean => sideOf(text.trim().toLowerCase()) !== undefined;
/** 1 for the first of two, 0 for the second, ½ for neither. */
export const readSide = (text: string): number | undefined =>
  sideOf(text.trim().toLowerCase()) ?? (isTie(text) ? 0.5 : undefined);
/** "Much better" and "slightly better" are both votes. */
export const tellGrades = (name: string, levels: readonly string[]): string[] =>
  levels.some((level) => GRADED.test(level)) ? [`By how much one is better in ${name} is not counted.`] : [];
const GRADED = /\b(much|far|slightly|clearly|somewhat|significantly|strongly|a bit|a little)\b|>>|<</i;

function sideOf(plain: string): number | undefined {
  const arrow = /^\[*(a|1)(>+|<+|=+)(b|2)\]*$/.exec(plain.replaceAll(" ", ""))?.[2];
  if (arrow !== undefined) return arrow[0] === ">" ? 1 : arrow[0] === "<" ? 0 : 0.5;
  const turned = /^\[*(b|2)(>+|<+|=+)(a|1)\]*$/.exec(plain.replaceAll(" ", ""))?.[2];
  if (turned !== undefined) return turned[0] === ">" ? 0 : turned[0] === "<" ? 1 : 0.5;
  const words = withoutBrackets(plain).replace(/[_. -]+/g, " ");
  if (FIRST.test(words)) return 1;
  return SECOND.test(words) ? 0 : undefined;
}

/** 1 for the first side, 2 for the second, and shares between (AlpacaEval), or 0 for a tie. */
function numericReader(values: Float64Array): (row: number) => number {
  const known = values.filter((value) => !Number.isNaN(value));
  const between =
    known.length > 0 && known.every((value) => value >= 1 && value <= 2) && known.some((value) => value > 1);
  if (between) return (row) => 2 - values[row]!;
  const numbered = hasTieOfZero(known);
  return (row) => (numbered ? (values[row] === 0 ? 0.5 : 2 - values[row]!) : Number.NaN);
}

/** 1 and 2 for the sides, and 0 for neither. */
const hasTieOfZero = (values: Float64Array): boolean =>
  [0, 1, 2].every((side) => values.includes(side)) && values.every((value) => [0, 1, 2].includes(value));

/** Votes by columns that are named, or were found. */
export function readVotes(all: Table, columns: VoteColumns): Reshaped {
  const { a, b, winner } = columns;
  const table = withoutSelf(all, a, b);
  const readers = winner.map((name) => readerOf(table, columns, name));
  const shares = Array.from({ length: table.rows }, (_, row) => combine(readers.map((read) => read(row))));
  const lost = shares.filter(Number.isNaN).length;
  const source = Int32Array.from({ length: 2 * table.rows }, (_, i) => i >> 1);
  const own = [...table.columns].filter(([name]) => name !== a && name !== b);
  const names = { battle: "battle", system: "system", opponent: "opponent", position: "position", score: "score" };
  for (const key of Object.keys(names) as (keyof typeof names)[])
    names[key] = freshName(makeTable(own, table.rows), names[key]);
  const sideText = (row: number, first: boolean): string | null => cellText(table.columns.get(first ? a : b)!, row);
  const long: [string, Column][] = [
    ...own.map(([name, cells]): [string, Column] => [name, takeCells(cells, source)]),
    [names.battle, factorColumn(Array.from(source, (row) => String(row + 1)))],
    [names.system, factorColumn(Array.from(source, (row, i) => sideText(row, i % 2 === 0)))],
    [names.opponent, factorColumn(Array.from(source, (row, i) => sideText(row, i % 2 === 1)))],
    // the same vote in both orders has no place, nor is one told where the winner stands first
    ...(winner.length !== 1
      ? []
      : [
          [names.position, factorColumn(Array.from(source, (_, i) => (i % 2 === 0 ? "a" : "b")))] satisfies [
            string,
            Column,
          ],
        ]),
    [names.score, numericColumn(Array.from(source, (row, i) => (i % 2 === 0 ? shares[row]! : 1 - shares[row]!)))],
  ];
  return {
    table: makeTable(long, source.length),
    reading: [
      winner.length === 0
        ? `Each row is a vote that the system in ${a} won and the one in ${b} lost, and gives two rows, one per side: score 1 for a win, 0 for a loss.`
        : `Each row is a vote between ${a} and ${b} (${winner.join(", ")}) and gives two rows, one per side: score 1 for a win, 0.5 for a tie, 0 for a loss.`,
      ...winner.flatMap((name) => {
        const cells = table.columns.get(name)!;
        return cells.kind === "numeric" ? [] : tellGrades(name, usedLevels(cells));
      }),
      ...winner.flatMap((name) => {
        const cells = table.columns.get(name)!;
        const zero = cells.kind === "numeric" && hasTieOfZero(cells.values.filter((value) => !Number.isNaN(value)));
        return zero ? [`1 in ${name} is taken as a vote for ${a}, 2 for ${b}, and 0 as a tie.`] : [];
      }),
      ...(winner.length === 2 ? describeOrders(readers, table.rows, winner) : []),
      ...(table.rows === all.rows
        ? []
        : [`${all.rows - table.rows} of ${all.rows} votes have the same system on both sides and are left out.`]),
      ...(lost === 0 ? [] : [`${lost} of ${table.rows} votes name no side: they have no score and are not counted.`]),
    ],
    hints: hintsOf(names, columns, table),
    higherIsBetter: new Map([[names.score, true]]),
  };
}

/** A system against itself says nothing of systems; where nothing else is there the rows stay. */
function withoutSelf(table: Table, a: string, b: string): Table {
  const [one, two] = [a, b].map((name) => table.columns.get(name)!) as [Column, Column];
  const others = selectRows(table, (row) => cellText(one, row) !== cellText(two, row));
  return others.rows === 0 ? table : others;
}

/** Both orders: a win if both name it, a tie otherwise; an order that failed spoils the vote. */
function combine(shares: readonly number[]): number {
  const [first = 1, second] = shares;
  if (second === undefined) return first;
  if (Number.isNaN(first) || Number.isNaN(second)) return Number.NaN;
  return first === second ? first : 0.5;
}

/** How often the vote turned with the order, and to which place. */
function describeOrders(
  readers: readonly ((row: number) => number)[],
  rows: number,
  winner: readonly string[],
): string[] {
  const [first, second] = readers as [(row: number) => number, (row: number) => number];
  let [shownFirst, shownSecond] = [0, 0];
  for (let row = 0; row < rows; row += 1) {
    if (first(row) === 1 && second(row) === 0) shownFirst += 1;
    if (first(row) === 0 && second(row) === 1) shownSecond += 1;
  }
  const flips = shownFirst + shownSecond;
  const rule = `${winner.join(" and ")} are the same vote in both orders: a win counts if both name it, everything else is a tie.`;
  if (flips === 0) return [rule];
  return [
    rule,
    `${flips} votes turned with the order; in ${shownFirst} of them the answer shown first won both times, in ${shownSecond} the second.`,
  ];
}

function hintsOf(names: Readonly<Record<string, string>>, { a, b, winner }: VoteColumns, table: Table): Decision[] {
  const roles = { system: "system", opponent: "opponent", cluster: "battle", score: "score" } as const;
  const prompt = promptOf(table, { a, b });
  const item: Decision = {
    role: "item",
    column: prompt ?? "",
    by: "file",
  };
  return [
    ...Object.entries(roles).map(
      ([role, key]): Decision => ({ role: role as Decision["role"], column: names[key]!, by: "file" }),
    ),
    ...(prompt === undefined ? [] : [item]),
    ...winner.map((column): Decision => ({ role: "identifier", column, by: "file" })),
  ];
}

/** What the votes are on, by its name; the title of a survey is the same in every row. */
function promptOf(table: Table, { a, b }: Pick<VoteColumns, "a" | "b">): string | undefined {
  const all = [...table.columns.keys()].filter(
    (name) => name !== a && name !== b && usedLevels(table.columns.get(name)!).length > 1,
  );
  return [...ITEM_NAMES, ...INPUT_NAMES]
    .map((alias) => all.find((name) => splitWords(name).join("_") === alias))
    .find((name) => name !== undefined);
}
