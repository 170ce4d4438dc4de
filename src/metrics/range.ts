/** The scores that a metric can have, told by the name of a score column: "accuracy", "bleu_score", "val_f1". */

import { StatError } from "../result/error.ts";

/** Shares of something, written as 0 to 1 or in percent. */
const SHARES = new Set(
  (
    "accuracy acc correct exactmatch em f1 precision recall bleu chrf meteor rouge rouge1 rouge2 rougel ndcg mrr map auc " +
    "pass passed success win winrate"
  ).split(" "),
);
const CORRELATIONS = new Set(["mcc", "kappa"]);
/** Errors per word or sign: seldom above 1, and written as 0 to 1 or in percent. */
const ERROR_RATES = new Set("wer cer ter per mer".split(" "));
/** Counts, times, costs and errors, none of which is below 0. */
const AMOUNTS = new Set(
  (
    "wer cer ter per mer perplexity ppl latency runtime duration seconds secs ms tokens words characters distance mae mse rmse mape " +
    "crps cost price usd errors mistakes violations count counts"
  ).split(" "),
);
/** Weighted errors, written as a penalty (at most 0) or as an amount. */
const PENALTIES = new Set(["mqm"]);

export type ScoreRange = readonly [lowest: number, highest: number];

/** "quality (1-5)", "fluency [0 to 100]", "Rating 1–7". */
const SCALE = /(?:[([]\s?|\s)(-?\d{1,3})\s?([^\d\s]{1,3})\s?(\d{1,3})(?:\s?[)\]])?$/i;
const BETWEEN = new Set(["-", "–", "to", "bis", "..", "…"]);

/** The scale that a name has at its end. */
export function scaleInName(name: string): ScoreRange | undefined {
  const [, from, between = "", to] = SCALE.exec(name.trim()) ?? [];
  if (!BETWEEN.has(between.toLowerCase())) return undefined;
  const [low, high] = [Number(from), Number(to)];
  return from !== undefined && low < high && Math.abs(low) <= high ? [low, high] : undefined;
}

/** undefined where the name says nothing, or where values contradict it. */
export function rangeByName(name: string, values: ArrayLike<number>): ScoreRange | undefined {
  const has = namesOneOf(name);
  const scale = scaleInName(name);
  const candidates: ScoreRange[] = [
    ...(scale === undefined ? [] : [scale]),
    ...(has(CORRELATIONS) ? [[-1, 1] as const] : []),
    ...(has(SHARES) && !has(CORRELATIONS) ? [[0, 1] as const, [0, 100] as const] : []),
    ...(has(AMOUNTS) && !has(CORRELATIONS) && !has(SHARES) ? [[0, Number.POSITIVE_INFINITY] as const] : []),
    ...(has(PENALTIES) ? [[Number.NEGATIVE_INFINITY, 0] as const, [0, Number.POSITIVE_INFINITY] as const] : []),
  ];
  return candidates.find(([from, to]) => Array.prototype.every.call(values, (v: number) => !(v < from || v > to)));
}

/** What scores that are missing can be: a scale's ends bound them, the smallest and the largest score seen (`seen`) do not. */
export interface ScoreEnds {
  readonly range: ScoreRange;
  readonly seen: boolean;
}

/** 0 to 1, what the metric's name says, or the smallest and the largest score; an amount has no largest one, however small those seen are. */
export function endsOf(name: string, values: ArrayLike<number>): ScoreEnds {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < values.length; k++) {
    const value = values[k]!;
    if (value < lowest) lowest = value;
    if (value > highest) highest = value;
  }
  const named = rangeByName(name, values);
  const endless = named !== undefined && !named.every(Number.isFinite) && !namesOneOf(name)(ERROR_RATES);
  const scored = lowest <= highest;
  if (!(lowest < 0 || highest > 1) && !(endless && scored)) return { range: [0, 1], seen: false };
  if (named?.every(Number.isFinite)) return { range: named, seen: false };
  return { range: [lowest, highest], seen: true };
}

function namesOneOf(name: string): (known: ReadonlySet<string>) => boolean {
  const words = name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/exact[ _-]match/, "exactmatch")
    .split(/[^\p{L}\p{N}]+/u);
  return (known) => words.some((word) => known.has(word));
}

/** What a margin is held against: the ends of the scores, and whether they are shares. */
export interface ScoreBounds {
  readonly range: ScoreRange;
  readonly share: boolean;
}

export const SHARE_BOUNDS: ScoreBounds = { range: [0, 1], share: true };

/** Whole numbers up to this may be ratings; a scale that was not used to its ends is taken for one of 1 to 5, 7 or 10. */
const RATING_TOPS = [5, 7, 10];

/** undefined where nothing bounds the scores: the ends that were seen bound no others. Wider than `rangeByName` allows for where the name says
 *  nothing, since a margin can be refused but an interval not be cut on that ground. */
export function boundsOf(name: string, values: ArrayLike<number>): ScoreBounds | undefined {
  const within = (low: number, high: number): boolean =>
    Array.prototype.every.call(values, (v: number) => !(v < low || v > high));
  const scored = Array.prototype.some.call(values, (v: number) => !Number.isNaN(v));
  if (!scored) return undefined;
  if (Array.prototype.every.call(values, (v: number) => v === 0 || v === 1 || Number.isNaN(v))) return SHARE_BOUNDS;
  const named = rangeByName(name, values);
  if (named?.every(Number.isFinite)) return { range: named, share: named[0] === 0 && named[1] === 1 };
  const has = namesOneOf(name);
  if (has(AMOUNTS) && !has(ERROR_RATES)) return undefined;
  if (within(0, 1)) return { range: [0, 1], share: false };
  const top = RATING_TOPS.find((own) => within(0, own));
  const whole = Array.prototype.every.call(values, (v: number) => Number.isNaN(v) || Number.isInteger(v));
  if (top === undefined || !whole || has(AMOUNTS)) return undefined;
  return { range: [within(1, top) ? 1 : 0, top], share: false };
}

/** A margin as wide as the scale lets everything through. */
export function checkMargin(margin: number | undefined, bounds: ScoreBounds | undefined): void {
  if (margin === undefined || bounds === undefined) return;
  const [low, high] = bounds.range;
  if (!(margin >= high - low)) return;
  const where = bounds.share
    ? `a proportion, which lies between ${low} and ${high}`
    : `scores that lie between ${low} and ${high}`;
  throw new StatError(
    "BadMargin",
    `a margin of ${margin} is not a margin for ${where}.`,
    low === 0 && high === 1 && margin < 100
      ? `Write it in the units of the score: ${margin / 100} for ${margin} ${margin === 1 ? "point" : "points"}.`
      : "Give the largest loss that does not matter, in the units of the score.",
  );
}
