/** The counts of a piece as a journal keeps them, and what such counts can be: numbers from a file are believed only where experiments
 *  could have given them.
 *    right + wrong + failed <= count;   with k = right + wrong ratios:   sum² <= k squares  and  squares <= sum²;   0 where k = 0 */
import type { Keeping } from "../run/task.ts";
import { MOST_DRAWN } from "./series.ts";
import type { Piece, PieceTally, Tally } from "./simulate.ts";

/** Infinity and NaN, which a user's own scenario may have, are words in JSON. */
type WrittenNumber = number | "NaN" | "Infinity" | "-Infinity";

/** Sums of up to 50 rounded terms. */
const ROUNDING = 1e-12;

export function keepTallies(analysesOf: (piece: Piece) => number): Keeping<Piece, PieceTally> {
  return {
    about: ({ scenario, params, seed }) => ({ scenario, params, seed }),
    place: ({ from, count }) => ({ from, count }),
    write: (tallies) => tallies.map(writeTally),
    read(value, piece) {
      if (!Array.isArray(value) || value.length !== analysesOf(piece)) return undefined;
      const tallies = value.map((own, k) => readTally(own, piece, k === 0));
      return tallies.every((tally) => tally !== undefined) ? (tallies as Tally[]) : undefined;
    },
    blank: (piece) => Array.from({ length: analysesOf(piece) }, () => BLANK),
  };
}

const BLANK: Tally = { right: 0, wrong: 0, failed: 0, sum: 0, squares: 0 };

const writeNumber = (value: number): WrittenNumber =>
  Number.isFinite(value) ? value : (String(value) as WrittenNumber);

function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return value === "NaN" || value === "Infinity" || value === "-Infinity" ? Number(value) : undefined;
}

/** One analysis: right, wrong, failed, sum, squares, and the effects of the first experiments, significant ones first. */
function writeTally({
  right,
  wrong,
  failed,
  sum,
  squares,
  drawn,
}: Tally): readonly (WrittenNumber | readonly WrittenNumber[])[] {
  const counts = [right, wrong, failed, writeNumber(sum), writeNumber(squares)];
  if (drawn === undefined) return counts;
  return [...counts, drawn.significant.map(writeNumber), drawn.others.map(writeNumber)];
}

/** `first`: of the first analysis, which also keeps the effects that were drawn. */
function readTally(value: unknown, { from, count }: Piece, first: boolean): Tally | undefined {
  const draws = first && from < MOST_DRAWN;
  if (!Array.isArray(value) || value.length !== (draws ? 7 : 5)) return undefined;
  const [right, wrong, failed] = value as number[];
  const [sum, squares] = [readNumber(value[3]), readNumber(value[4])];
  if (![right, wrong, failed].every((own) => Number.isInteger(own) && own! >= 0)) return undefined;
  const k = right! + wrong!;
  if (k + failed! > count || sum === undefined || squares === undefined || !possible(k, sum, squares)) return undefined;
  const tally = { right: right!, wrong: wrong!, failed: failed!, sum, squares };
  if (!draws) return tally;
  const [significant, others] = [readNumbers(value[5]), readNumbers(value[6])];
  if (significant === undefined || others === undefined) return undefined;
  // only the first experiments are drawn, which may end within a piece
  const drawn = Math.min(count, MOST_DRAWN - from);
  const all = drawn === count;
  const inRange = all
    ? significant.length === k && others.length === count - k - failed!
    : significant.length <= k && significant.length + others.length <= drawn;
  return inRange ? { ...tally, drawn: { significant, others } } : undefined;
}

/** Sum and sum of squares of k numbers from 0 on. */
function possible(k: number, sum: number, squares: number): boolean {
  if (k === 0) return sum === 0 && squares === 0;
  // an effect of 0 or an estimate beyond all bounds
  if (!Number.isFinite(sum) || !Number.isFinite(squares)) return !(sum < 0 || squares < 0);
  const slack = 1 + ROUNDING;
  return sum >= 0 && squares >= 0 && sum * sum <= k * squares * slack && squares <= sum * sum * slack;
}

function readNumbers(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const numbers = value.map(readNumber);
  return numbers.every((own) => own !== undefined) ? (numbers as number[]) : undefined;
}
