/** Votes of which the table does not say, or not in columns of their own, whose they are.
 *    rating = A, B or tie                                votes between A and B
 *    response1, response2, annotator1 … annotator3       0, 1 or 2: labels of several raters; a larger number is no better one
 *    pair = "ada_bob" beside them                        votes between the two systems that it names
 *  Votes for A, B or a tie in a table that does not say who A and B were → votes between A and B. If the sides were shuffled they are
 *  places and no systems, which nobody can see in such a table: that is said. Answers to questions (A, B, C) have no tie and are no votes. */
import { isWord, positiveOf } from "../opposites.ts";
import { SCORE_NAMES, SYSTEM_NAMES, splitWords } from "../roles/names.ts";
import { type Column, factorColumn, makeTable, type Table, withColumn } from "../table.ts";
import { isRaterStem } from "./name-grid.ts";
import { cellText, freshName, type Reshaped, stackFamilies, usedLevels } from "./reshaped.ts";
import { findVoteColumns, isCalledVote, namesBoth, readSide, readVotes, sidePairs, tellGrades } from "./votes.ts";

const CALLED =
  /^(rating|preference|preferred|preferred[_ ]system|vote|winner|choice|better|verdict|judge?ment|label|comparison|evaluation|decision)$/i;
/** "c", "t" and "0" may be answers. */
const SHORTEST_TIE = 3;

export function findBareVotes(table: Table): Reshaped | undefined {
  const names = [...table.columns.keys()];
  if (names.some((name) => SYSTEM_NAMES.includes(splitWords(name).join("_")))) return undefined;
  // a verdict beside a score is what the score was made of, or another measure
  if (names.some((name) => SCORE_NAMES.includes(splitWords(name).join("_")) && !CALLED.test(name))) return undefined;
  // answers that stand in columns of their own are those of systems that are not named
  const areColumns = (cells: Column): boolean => usedLevels(cells).some((level) => table.columns.has(level));
  const [vote, second] = [...table.columns].filter(
    ([name, cells]) => CALLED.test(name) && (isVote(cells) || namesOf(cells) !== undefined) && !areColumns(cells),
  );
  if (vote === undefined || second !== undefined) return undefined;
  // the table names the systems, and A may be one of them or a side
  if (sidePairs(table).some(([a, b]) => namesBoth(table, { a, b, winner: [vote[0]] }))) return undefined;
  const named = isVote(vote[1]) ? undefined : namesOf(vote[1]);
  const sides = named ?? sidesOf(vote[1])!;
  const columns = sides.map((side): [string, Column] => [
    freshName(table, `side_${side}`),
    factorColumn(new Array<string>(table.rows).fill(side)),
  ]);
  const [a, b] = columns.map(([name]) => name) as [string, string];
  // a name is the system's wherever it stood
  const swapped = named === undefined ? findSwapped(table) : undefined;
  // stacked columns of raters are called a rating, which a vote is not
  const called = vote[0] === "rating" ? freshName(table, "vote") : vote[0];
  const renamed = [...table.columns].map(([name, cells]): [string, Column] => [
    name === vote[0] ? called : name,
    name === vote[0] ? nameVotes(cells, sides, { swapped: swapped?.at, named: named !== undefined }) : cells,
  ]);
  const votes = readVotes(makeTable([...renamed, ...columns], table.rows), { a, b, winner: [called] });
  // who stood where is not known
  const placed = placeOf(votes.table, table);
  const shown = [...votes.table.columns].filter(([name]) => !placed.includes(name));
  return {
    ...votes,
    table: makeTable(shown, votes.table.rows),
    reading: [
      `${called} holds votes for ${sides[0]}, ${sides[1]} or a tie, and gives two rows a vote, one per side: score 1 for a win, 0.5 for a tie, 0 for a loss. ${
        named !== undefined
          ? `They are taken as the two systems.`
          : swapped === undefined
            ? `${sides[0]} and ${sides[1]} are taken as the two systems; if it was shuffled who was ${sides[0]}, they are places, and the file does not say whose.`
            : `Where ${swapped.name} says that they were swapped, the vote is taken for the other one: ${sides[0]} is the system that is ${sides[0]} in the rows without a swap.`
      }`,
      ...tellGrades(called, usedLevels(vote[1])),
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
  const ties = levels.filter((level) => readSide(level) === 0.5);
  if (levels.some((level) => readSide(level) === undefined) || sidesOf(cells) === undefined) return false;
  if (levels.some((level) => /better|prefer|>/.test(level))) return true;
  return ties.length > 0 && ties.every((level) => level.length >= SHORTEST_TIE) && levels.length === ties.length + 2;
}

/** "Ours", "Baseline" and "Tie": whatever two are called, between which there are ties. */
function namesOf(cells: Column): readonly [string, string] | undefined {
  if (cells.kind === "numeric") return undefined;
  const levels = new Map(usedLevels(cells).map((level) => [level.trim().toLowerCase(), level.trim()]));
  const names = [...levels].filter(([key]) => !DRAWN.test(key));
  if (levels.size - names.length !== 1 || names.length !== 2) return undefined;
  return names.some(([key]) => OUTCOME.test(key)) ? undefined : [names[0]![1], names[1]![1]];
}
/** Nothing else than a vote has these; "same", "neutral" and "both" are answers to other questions too. */
const DRAWN = /^(tie|tied|ties|draw|no[ _]preference|equally good|unentschieden|égalité|empate|平局|引き分け)$/;
/** Of whom it is one, nobody says. */
const OUTCOME =
  /^(win|wins|won|winner|loss|lose|loses|lost|loser|better|worse|best|worst|yes|no|good|bad|left|right|first|second|\d+)$/;

const SIDE =
  /^(?:the )?((?:model|system|answer|response|output|option|assistant|candidate|text|summary|side)?[ _]?)([ab12])(?![\p{L}\p{N}])/iu;

/** "A" and "B", "Model 1" and "Model 2", as the votes call them; left and right are places. */
function sidesOf(cells: Column): readonly [string, string] | undefined {
  const named = usedLevels(cells).filter(
    (level) => readSide(level) !== 0.5 && !level.includes(">") && !level.includes("<"),
  );
  const arrows = usedLevels(cells).some((level) => /[<>]/.test(level));
  const parts = named.map((level) => SIDE.exec(level.trim()));
  if (parts.some((part) => part === null)) return undefined;
  if (named.length === 0) return arrows ? ["A", "B"] : undefined;
  const nouns = new Set(parts.map((part) => part![1]!.trim().toLowerCase()));
  const sides = new Set(parts.map((part) => part![2]!.toUpperCase()));
  const pair = (["A", "B"] as const).every((side) => sides.has(side)) ? ["A", "B"] : ["1", "2"];
  if (nouns.size > 1 || sides.size !== 2 || pair.some((side) => !sides.has(side))) return undefined;
  const noun = parts[0]![1]!.trim();
  // 1 and 2 by themselves may be steps of a scale
  if (noun === "" && pair[0] === "1") return undefined;
  return pair.map((side) => (noun === "" ? side : `${noun} ${side}`)) as [string, string];
}

const SWAPPED = /(^|[_. -])(swap|swapped|flip|flipped|reversed|inverted)($|[_. -])/i;

/** A column that says in which rows the two stood the other way round. */
function findSwapped(
  table: Table,
): { readonly name: string; readonly at: (row: number) => boolean | undefined } | undefined {
  for (const [name, cells] of table.columns) {
    if (!SWAPPED.test(name)) continue;
    if (cells.kind === "numeric") {
      if (!cells.values.every((value) => value === 0 || value === 1)) continue;
      return { name, at: (row) => cells.values[row] === 1 };
    }
    const one = positiveOf(usedLevels(cells));
    if (one === undefined) continue;
    return {
      name,
      at: (row) => {
        const text = cellText(cells, row);
        return text === null ? undefined : isWord(text, one.word);
      },
    };
  }
  return undefined;
}

/** The votes by the names of the sides, turned where these were swapped; a row of which that is not known has none. */
function nameVotes(
  cells: Column,
  sides: readonly [string, string],
  {
    swapped,
    named,
  }: { readonly swapped?: ((row: number) => boolean | undefined) | undefined; readonly named: boolean },
): Column {
  const rows = cells.kind === "numeric" ? cells.values.length : cells.codes.length;
  return factorColumn(
    Array.from({ length: rows }, (_, row) => {
      const text = cellText(cells, row);
      const side = text === null ? undefined : named ? readName(text, sides) : readSide(text);
      const turn = swapped === undefined ? false : swapped(row);
      if (side === undefined || turn === undefined) return null;
      return side === 0.5 ? "tie" : sides[(side === 1) === turn ? 1 : 0];
    }),
  );
}

function readName(text: string, sides: readonly [string, string]): number {
  const at = sides.findIndex((side) => side.toLowerCase() === text.trim().toLowerCase());
  return at < 0 ? 0.5 : 1 - at;
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
