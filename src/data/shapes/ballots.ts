/** prompt, rater, gpt, llama with 1 for the one preferred and 0 for the other, both 0 or both ½ for a tie: a row is a vote between two columns.
 *  Two verdicts on two answers look alike; but somewhere both would be right, or both wrong where votes have no ties. */
import { namedAsScore } from "../roles/evidence.ts";
import {
  INPUT_NAMES,
  ITEM_NAMES,
  RATER_NAMES,
  SYSTEM_LEVEL,
  SYSTEM_NAMES,
  splitWords,
  WIDE_SYSTEM_WORDS,
} from "../roles/names.ts";
import { profileColumn } from "../roles/profile.ts";
import { factorColumn, makeTable, type Table } from "../table.ts";
import { cellText, freshName, type Reshaped, usedLevels } from "./reshaped.ts";
import { isPlace, isTie, readVotes } from "./votes.ts";

export function findBallots(table: Table): Reshaped | undefined {
  const plain = [...table.columns.keys()].map((name) => splitWords(name).join("_"));
  const has = (aliases: readonly string[]): boolean => plain.some((name) => aliases.includes(name));
  if (has(SYSTEM_NAMES) || !(has(RATER_NAMES) || has(ITEM_NAMES) || has(INPUT_NAMES))) return undefined;
  const marked = [...table.columns].flatMap(([name, cells]) =>
    cells.kind === "numeric" && cells.values.every((value) => SHARES.has(value))
      ? [{ name, shares: cells.values }]
      : [],
  );
  const [one, two, third] = marked;
  if (one === undefined) return findNamedVotes(table);
  if (two === undefined || third !== undefined) return undefined;
  const called = [one, two].every(({ name }) => isCalledSystem(name));
  const scored = [one, two].some(({ name }) => namedAsScore(profileColumn(name, table.columns.get(name)!)) > 0);
  return !scored && areVotes(one.shares, two.shares, called) ? readBallots(table, one, two) : undefined;
}

const PREFERRED = /(^|[_. -])(winner|preferred|preference|prefers?)([_. -](system|model))?$/i;

/** preference = gpt, llama or tie: two names, which is who stood against whom; order = AB, BA says who was shown first, and that A and B are names. */
function findNamedVotes(table: Table): Reshaped | undefined {
  const votes = [...table.columns].filter(([name, cells]) => cells.kind === "factor" && PREFERRED.test(name));
  const [vote] = votes;
  if (vote === undefined || votes.length > 1) return undefined;
  const levels = usedLevels(vote[1]);
  const named = levels.filter((level) => !isTie(level));
  const [first, second] = named;
  if (first === undefined || second === undefined || named.length > 2) return undefined;
  const order = [...table.columns].find(
    ([, cells]) => cells.kind === "factor" && tellsOrder(usedLevels(cells), first, second),
  );
  const known = levels.length > 2 || named.every((name) => SYSTEM_LEVEL.test(name));
  if (order === undefined && (!known || named.some(isPlace))) return undefined;
  const shown = (row: number): boolean => order === undefined || cellText(order[1], row)?.startsWith(first) === true;
  const [a, b] = ["side_a", "side_b"].map((name) => freshName(table, name)) as [string, string];
  const sides = [true, false].map((side) =>
    factorColumn(Array.from({ length: table.rows }, (_, row) => (shown(row) === side ? first : second))),
  );
  const own = makeTable([...table.columns, [a, sides[0]!], [b, sides[1]!]], table.rows);
  const found = readVotes(own, { a, b, winner: [vote[0]] });
  const position = freshName(own, "position");
  const kept = [...found.table.columns].filter(([name]) => order !== undefined || name !== position);
  const who = order === undefined ? "" : `, in the order that ${order[0]} says`;
  const told = `${vote[0]} names ${first}, ${second}${levels.length > 2 ? " or neither" : ""}: each row is a vote between them${who} and gives two rows, one per side: score 1 for a win, 0.5 for a tie, 0 for a loss.`;
  return { ...found, table: makeTable(kept, found.table.rows), reading: [told, ...found.reading.slice(1)] };
}

/** "AB" and "BA", "gpt-llama" and "llama-gpt". */
function tellsOrder(levels: readonly string[], first: string, second: string): boolean {
  if (levels.length !== 2) return false;
  const isOrder = (level: string, one: string, two: string): boolean =>
    level.startsWith(one) &&
    level.endsWith(two) &&
    /^[^\p{L}\p{N}]{0,4}$|^ (vs\.?|then|before) $/u.test(level.slice(one.length, level.length - two.length));
  return levels.some((level) => isOrder(level, first, second)) && levels.some((level) => isOrder(level, second, first));
}

const SHARES: ReadonlySet<number> = new Set([0, 0.5, 1]);
/** Rows that verdicts of two answers should have had and the file has not; e^-4 is 2 %. */
const FEWEST_UNSEEN = 4;
/** Ties beyond this share are no votes to speak of. */
const MOST_TIES = 0.5;

const isCalledSystem = (name: string): boolean =>
  SYSTEM_LEVEL.test(name) ||
  /^((system|model|sys|option|answer|response|side)[ _-]?)?([a-z]|\d)$/i.test(name.trim()) ||
  splitWords(name).some((word) => WIDE_SYSTEM_WORDS.has(word));

/** Never both, and half of a vote on one side only beside the other half. */
function areVotes(one: Float64Array, two: Float64Array, called: boolean): boolean {
  const n = one.length;
  let [first, second, halves, neither] = [0, 0, 0, 0];
  for (let row = 0; row < n; row += 1) {
    const [a, b] = [one[row]!, two[row]!];
    if (a + b > 1 || (a === 0.5) !== (b === 0.5)) return false;
    if (a === 0.5) halves += 1;
    else if (a + b === 0) neither += 1;
    first += a;
    second += b;
  }
  if (first === 0 || second === 0 || halves + neither > MOST_TIES * n) return false;
  // two labels of which one holds are never half and half
  if (halves > 0) return neither === 0;
  const [p, q] = [first / n, second / n];
  const unseen = n * p * q + (neither === 0 ? n * (1 - p) * (1 - q) : 0);
  return called && unseen >= FEWEST_UNSEEN;
}

interface Side {
  readonly name: string;
  readonly shares: Float64Array;
}

function readBallots(table: Table, one: Side, two: Side): Reshaped {
  const kept = [...table.columns].filter(([name]) => name !== one.name && name !== two.name);
  const bare = makeTable(kept, table.rows);
  const [a, b, winner] = ["side_a", "side_b", "preferred"].map((name) => freshName(bare, name)) as [
    string,
    string,
    string,
  ];
  const preferred = Array.from(one.shares, (share, row) =>
    share === two.shares[row] ? "tie" : share === 1 ? one.name : two.name,
  );
  const constant = (name: string) => factorColumn(new Array<string>(table.rows).fill(name));
  const sides = makeTable(
    [...kept, [a, constant(one.name)], [b, constant(two.name)], [winner, factorColumn(preferred)]],
    table.rows,
  );
  const found = readVotes(sides, { a, b, winner: [winner] });
  // the file does not say which of the two was shown first
  const position = freshName(bare, "position");
  const columns = [...found.table.columns].filter(([name]) => name !== position);
  const neither = one.shares.some((share, row) => share === 0 && two.shares[row] === 0);
  const told = `${one.name} and ${two.name} are never both 1: each row is a vote between them and gives two rows, one per side: score 1 for a win, 0.5 for a tie${neither ? " (both are 0)" : ""}, 0 for a loss.`;
  return { ...found, table: makeTable(columns, found.table.rows), reading: [told, ...found.reading.slice(1)] };
}
