/** Values that are no scores: 999 among ratings of 1 to 5, -1 among 0 and 1, -999 among 40.5 to 95, 55 on a scale of "quality (1-5)": codes for
 *  "no answer" and slips, which no mean, spread or agreement may take in. Each check gives one sentence on why not, or nothing. */

import { countsWhere, finiteCounts, type ValueCounts } from "../data/counts.ts";
import { StatError } from "../result/error.ts";
import { leastOf, mostOf } from "../result/extremes.ts";
import { formatNumber } from "../result/number-format.ts";
import { listNames, quoteName } from "../result/quote.ts";
import { isDifferenceName, isTimeName } from "../study/lexicon/others.ts";
import { rangeByName, scaleInName } from "./range.ts";

export interface BadValues {
  /** A sentence that says why nothing is computed. */
  readonly reason: string;
  /** What leaves the values out. */
  readonly fix: string;
  /** What to say where they are values like any other. */
  readonly keep?: string;
  /** The value that reads like a code. */
  readonly code?: number;
  /** It would be the next step of a scale of whole numbers: -1 below 0 and 1. */
  readonly isNextStep?: boolean;
}

/** A condition that names the score was written by someone who has seen its values. */
export const isLookedAt = (score: string, where: readonly string[] = []): boolean =>
  where.some((condition) => condition.includes(score));

/** Of finite values. */
export const findBadValues = (score: string, values: ValueCounts): BadValues | undefined =>
  findCode(score, values) ?? findOffScale(score, values);

/** Where a number of these values would mean nothing; `keep`: what to do where they are values like any other. */
export function requireScores(
  score: string,
  values: Float64Array,
  { where, keep }: { readonly where?: readonly string[] | undefined; readonly keep?: string | undefined } = {},
): void {
  const bad = isLookedAt(score, where) ? undefined : findBadValues(score, finiteCounts(values));
  if (bad === undefined) return;
  throw new StatError("BadScores", bad.reason, tellFix(bad, keep ?? bad.keep));
}

/** With what to do where the values are like any other; a file is mended either way. */
export const tellFix = ({ fix }: BadValues, keep: string | undefined): string =>
  keep === undefined ? `${fix}.` : `${fix}; ${keep}.`;

const CODES = [
  ...[-9999, -999, -99, -98, -97, -88, -77, -9, -8, -1],
  ...[9, 8, 99, 98, 97, 88, 77, 999, 998, 997, 888, 777, 9999, 9998, 8888, 99999],
];
/** A scale of answers ends here. */
const HIGHEST_STEP = 10;
/** A scale of percent or points. */
const HIGHEST_SCORE = 100;
/** So often the very same value does not come about by measuring. */
const OFTEN = 3;
/** Above this share -1, 0 and 1 are a scale of their own: worse, equal, better. */
const RARE = 0.2;

/** Values that the scale in the name of the score does not have: slips, or codes. */
function findOffScale(score: string, all: ValueCounts): BadValues | undefined {
  const scale = scaleInName(score);
  if (scale === undefined) return undefined;
  const off = countsWhere(all, (value) => value < scale[0] || value > scale[1]);
  // where many do, the numbers are something else
  if (off.n === 0 || off.n > RARE * all.n) return undefined;
  const told = listNames([...off.of.keys()].sort((a, b) => a - b).map((value) => formatNumber(value)));
  const name = quoteName(score);
  return {
    reason: `${off.n} of ${all.n} values of ${score} are not on its scale (${told}).`,
    fix: `Correct them, or leave them out: option \`\`where: "${name} >= ${scale[0]} & ${name} <= ${scale[1]}"\`\``,
  };
}

function findCode(score: string, { of: counts, n }: ValueCounts): BadValues | undefined {
  const isCode = (v: number): boolean => counts.has(v) && isOutside(v, counts, n);
  const code = CODES.find(isCode) ?? ownCode(score, counts, n);
  if (code === undefined) return undefined;
  const others = [...counts.keys()].filter((v) => v !== code);
  const [from, to] = [leastOf(others), mostOf(others)];
  return {
    reason: `${counts.get(code)} of ${n} values of ${score} are ${code} among ${formatNumber(from)} to ${formatNumber(to)}, which looks like a code for "no answer".`,
    fix: `Option \`missing: ${code}\` leaves them out`,
    keep: `if ${code} is an ordinary value, use option \`where: "${score} ${code < from ? ">=" : "<="} ${code}"\``,
    code,
    isNextStep: code === from - 1 || code === to + 1,
  };
}

/** So many times all others, and the very same again, no measurement is. */
const BEYOND_ALL = 1000;

/** A code of the file's own: the one value below 0 among amounts, shares or steps from 1 on, or the one ten times beyond all steps. */
function ownCode(score: string, counts: ReadonlyMap<number, number>, rows: number): number | undefined {
  const values = [...counts.keys()].sort((a, b) => a - b);
  if (values.length < 3) return undefined;
  const [least, second] = values;
  const [before, most] = values.slice(-2);
  const isRare = (value: number): boolean => counts.get(value)! >= OFTEN && counts.get(value)! <= RARE * rows;
  const areSteps = (own: readonly number[]): boolean =>
    own.every(Number.isInteger) && own[0]! >= 1 && own.at(-1)! <= HIGHEST_STEP;
  if (least! < 0 && second! >= 0 && isRare(least!)) {
    const rest = values.slice(1);
    const isAmount = !isDifferenceName(score) && rangeByName(score, rest)?.[0] === 0;
    if (isAmount || (areSteps(rest) && second! - least! > 1)) return least;
  }
  const beyond = areSteps(values.slice(0, -1)) ? 10 : BEYOND_ALL;
  if (least! > 0 && most! >= beyond * before! && isRare(most!)) return most;
  // nothing takes no time at all, thrice
  if (least === 0 && isRare(0) && isTimeName(score)) return 0;
  const areShares = values.length > FEWEST_SHARES && least! >= 0 && before! <= 1;
  if (areShares && most! >= 2 && isRare(most!)) return most;
  return [least!, most!].find((value) => isRare(value) && isBesideSteps(value, values, { counts, rows }));
}

/** So many different values between 0 and 1 are no steps. */
const FEWEST_SHARES = 20;
/** A step that nobody chose between two that many chose is so unlikely where there is such a step. */
const UNLIKELY = 0.001;

/** A value beyond all steps of a scale, with steps between that nobody chose though many chose those on either side. */
function isBesideSteps(
  code: number,
  values: readonly number[],
  { counts, rows }: { readonly counts: ReadonlyMap<number, number>; readonly rows: number },
): boolean {
  const steps = values.filter((value) => value !== code);
  const [from, to] = [steps[0]!, steps.at(-1)!];
  const full = values.every(Number.isInteger) && steps.length >= 3 && steps.length === to - from + 1;
  if (!full || from < 0 || to > HIGHEST_STEP) return false;
  const unused = (code < from ? from - code : code - to) - 1;
  const expected = Math.min(counts.get(code)!, counts.get(code < from ? from : to)!) / rows;
  return unused >= 1 && (1 - expected) ** (rows * unused) < UNLIKELY;
}

/** So many times the width of all other scores away, a number that is written for "no answer" is no measurement. */
const FAR = 3;
/** Fewer others do not show how wide the scores lie. */
const FEWEST_OTHERS = 8;
/** From here on, a code is no score of 0 to 100 or of a scale of steps. */
const SMALLEST_FAR = 77;

interface Rest {
  readonly count: number;
  readonly others: number;
  readonly from: number;
  readonly to: number;
}

/** Codes among scores of any scale: once where no score of the kind could be there, else by coming again. */
function isFarOff(code: number, { count, others, from, to }: Rest): boolean {
  if (others < FEWEST_OTHERS || to === from) return false;
  const away = Math.max(from - code, code - to) / (to - from);
  if (code < 0 && from > 0 && count > 1 && away >= 0.5) return true;
  if (Math.abs(code) < SMALLEST_FAR || away < FAR) return false;
  const impossible = code < 0 ? from >= 0 : from >= 0 && to <= HIGHEST_SCORE && code >= 777;
  return impossible || count > 1;
}

function isOutside(code: number, counts: ReadonlyMap<number, number>, rows: number): boolean {
  const others = [...counts.keys()].filter((v) => v !== code);
  const count = counts.get(code)!;
  const share = count / rows;
  if (others.length < 2) return false;
  const [from, to] = [others.reduce((a, b) => Math.min(a, b)), others.reduce((a, b) => Math.max(a, b))];
  if (share <= RARE && isFarOff(code, { count, others: rows - count, from, to })) return true;
  if (from < 0 || share > 2 * RARE) return false;
  const unit = to <= 1;
  const steps = to <= HIGHEST_STEP && others.every(Number.isInteger);
  const measured = to <= HIGHEST_SCORE && count >= OFTEN;
  if (code < 0) return (unit || steps || measured) && share <= RARE;
  // 8 and 9 beside right and wrong, and nothing else, are neither
  if (code < HIGHEST_STEP && to === 1) return steps && others.length === 2 && count >= OFTEN;
  // 9 is a step of a scale to 10, and 8 one of a scale to 7 or 9
  if (code === 8) return false;
  return (steps && code >= 2 * to - 1 && to > 1) || (unit && code >= 77) || (measured && code >= 777);
}
