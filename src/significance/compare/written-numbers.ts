/** How scores, differences, intervals and counts are written. */

import type { ScoreRange } from "../../metrics/range.ts";
import { leastOf } from "../../result/extremes.ts";
import { formatNumber } from "../../result/number-format.ts";

/** How scores of a metric are written. */
export interface ScoreStyle {
  /** A share of items, written in percent. */
  readonly percent: boolean;
  readonly decimals: number;
  /** The ends of the scale, where they are known. */
  readonly scale?: ScoreRange;
}

/** Shares as percent with one decimal, other scores with the digits that their spread warrants. */
export function styleFor(percent: boolean, spreads: readonly number[], scale?: ScoreRange): ScoreStyle {
  const known = scale === undefined ? {} : { scale };
  if (percent) return { percent, decimals: 1, ...known };
  const se = leastOf(spreads);
  const digits = Number.isFinite(se) ? 1 - Math.floor(Math.log10(se)) : 3;
  return { percent, decimals: Math.max(0, Math.min(mostDecimals(scale), digits)), ...known };
}

/** BLEU, chrF and TER, as all scores from 0 to 100, are never read further than to a hundredth. */
const mostDecimals = (scale: ScoreRange | undefined): number =>
  scale !== undefined && scale[0] === 0 && scale[1] === 100 ? 2 : MOST_DECIMALS;

/** Two systems' scores and their difference. */
interface Written {
  readonly scoreA: number;
  readonly scoreB: number;
  readonly difference: number;
}

/** With other decimals, where only those make each printed difference that of the printed scores: of all pairs, or at least of the first. */
export function refineStyle(style: ScoreStyle, pairs: readonly Written[]): ScoreStyle {
  const agrees = (decimals: number) => (pair: Written) => addsUp({ ...style, decimals }, pair);
  // one digit fewer still shows the first of the standard error; one decimal is the least
  const coarser = style.decimals > 1 ? [-1] : [];
  const choices = [0, ...coarser, 1, 2].map((more) => Math.min(mostDecimals(style.scale), style.decimals + more));
  const decimals =
    choices.find((own) => pairs.every(agrees(own))) ?? choices.find((own) => pairs.slice(0, 1).every(agrees(own)));
  return { ...style, decimals: decimals ?? style.decimals };
}

/** The printed difference is that of the printed scores. */
function addsUp(style: ScoreStyle, { scoreA, scoreB, difference }: Written): boolean {
  const { decimals } = style;
  const written = (value: number): number => Number(inUnits(value, style).toFixed(decimals));
  return Math.abs(written(scoreB) - written(scoreA) - written(difference)) < 10 ** -(decimals + 1);
}

/** Where no number of decimals does it (24 and 15 of 33: 72.7, 45.5 and 27.3), though the difference is that of the scores. */
export const isRounded = (style: ScoreStyle, pair: Written): boolean => {
  const { scoreA, scoreB, difference } = pair;
  const own = Math.abs(scoreB - scoreA - difference) <= SAME * Math.max(Math.abs(scoreA), Math.abs(scoreB));
  return own && !addsUp(style, pair);
};
/** Rounding of a difference of two scores. */
const SAME = 1e-9;

/** Smaller and larger numbers are written with an exponent. */
const MOST_DECIMALS = 8;
const LARGEST_PLAIN = 1e9;

function fixed(value: number, decimals: number): string {
  const size = Math.abs(value);
  return (decimals === MOST_DECIMALS && size < SMALLEST_PLAIN) || size >= LARGEST_PLAIN
    ? formatNumber(value)
    : value.toFixed(decimals);
}

const SMALLEST_PLAIN = 1e-4;

export const writeScore = (value: number, { percent, decimals }: ScoreStyle): string =>
  !Number.isFinite(value) ? "undefined" : percent ? `${(100 * value).toFixed(decimals)} %` : fixed(value, decimals);

/** As a table has it: shares times 100, under a head that says so. */
export const inUnits = (value: number, { percent }: ScoreStyle): number => (percent ? 100 * value : value);
export const unit = ({ percent }: ScoreStyle): string => (percent ? " (%)" : "");

export const plain = (value: number, { percent, decimals }: ScoreStyle): string =>
  Number.isFinite(value) ? withoutNegativeZero(fixed(percent ? 100 * value : value, decimals)) : "undefined";

const withoutNegativeZero = (text: string): string => (/^-0\.?0*$/.test(text) ? text.slice(1) : text);

/** "+4.0", "-0.03", in the units of a table. */
export const signed = (value: number, style: ScoreStyle): string => {
  const text = plain(value, style);
  return /^[-u]|^0\.?0*$/.test(text) ? text : `+${text}`;
};

/** A difference with its unit: "4.3 points", "1 point", "0.25". */
export const amount = (text: string, { percent }: ScoreStyle): string =>
  percent ? `${text} ${/^[+-]?1(\.0+)?$/.test(text) ? "point" : "points"}` : text;

/** "1 point", "0.05". */
export const writeMargin = (margin: number, style: ScoreStyle): string => amount(plain(margin, style), style);

export function writeInterval({ lower, upper, level }: Range & { readonly level: number }, style: ScoreStyle): string {
  return `${formatNumber(100 * level)} % CI ${writeRange({ lower, upper }, style)}`;
}

interface Range {
  readonly lower: number;
  readonly upper: number;
}

/** Any value is compatible with the data: too few raters or runs to say. */
export const isEndless = ({ lower, upper }: Range): boolean =>
  lower === Number.NEGATIVE_INFINITY && upper === Number.POSITIVE_INFINITY;

/** "-1.1 to +9.1", "unbounded", "+0.2 or more": of a difference, whose side of 0 decides. */
export const writeRange = (range: Range, style: ScoreStyle): string =>
  writeLimits(range, sharpened(style, [range]), signed);

/** "64.7 to 75.6", of a score. */
export const writeScoreRange = (range: Range, style: ScoreStyle): string => writeLimits(range, style, plain);

function writeLimits(range: Range, style: ScoreStyle, write: (value: number, style: ScoreStyle) => string): string {
  const { lower, upper } = range;
  if (Number.isNaN(lower)) return "undefined";
  if (isEndless(range)) return "unbounded";
  if (upper === Number.POSITIVE_INFINITY) return `${write(lower, style)} or more`;
  if (lower === Number.NEGATIVE_INFINITY) return `${write(upper, style)} or less`;
  return `${write(lower, style)} to ${write(upper, style)}`;
}

/** More decimals where a limit would be written as 0 and is not: its sign decides. */
export function sharpened(style: ScoreStyle, ranges: readonly Range[]): ScoreStyle {
  const limits = ranges.flatMap(({ lower, upper }) => [lower, upper]).filter((v) => Number.isFinite(v) && v !== 0);
  for (let more = 0; more <= MOST_MORE; more++) {
    const own = { ...style, decimals: Math.min(MOST_DECIMALS, style.decimals + more) };
    if (limits.every((v) => Number(plain(v, own)) !== 0)) return own;
  }
  return style;
}
const MOST_MORE = 3;

/** What the systems were run on, in words. */
export interface Sample {
  /** "on the same 300 items in 60 clusters". */
  readonly where: string;
  /** "these 300 items". */
  readonly these: string;
}

export const countOf = (n: number, plural: string): string => `${n} ${n === 1 ? plural.replace(/s$/, "") : plural}`;

export function sharedSample(n: number, units: string, clusters?: number): Sample {
  const grouped = clusters === undefined ? "" : ` in ${countOf(clusters, "clusters")}`;
  return { where: `on the same ${n} ${units}${grouped}`, these: `these ${n} ${units}` };
}
