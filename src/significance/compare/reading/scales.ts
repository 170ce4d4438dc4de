/** Whether the systems' scores are on one scale. A mean over two scales means nothing, and a difference between them less.
 *    shares and percent        0.6 in one system and 60 in another, or both within one
 *    ratings and percent       steps of 1 to 5 in one, points out of 100 in another
 *    shares and ratings        0.42 in one, steps of 1 to 5 in another
 *    ratings of two lengths    every step of 1 to 5 in one, every step of 1 to 10 in another
 *    ratings counted otherwise 0 to 4 in one, 1 to 5 in another
 *    a scale that stops short  every half step up to 5 in one, points up to 10 in another
 *    two codings               0 and 1 in one, 1 and 2 in another
 *    two signs                 penalties below 0 in one, amounts above 0 in another
 *    units                     seconds in one, milliseconds in another */

import { countsWhere, countWhere, type ValueCounts } from "../../../data/counts.ts";
import { rangeByName } from "../../../metrics/range.ts";
import { leastOf, mostOf } from "../../../result/extremes.ts";
import { formatNumber } from "../../../result/number-format.ts";
import { metricDirection, namedAsScore } from "../../../study/lexicon/metrics.ts";

interface Scale {
  readonly n: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Different values, or undefined where there are more than a scale of answers has. */
  readonly steps: readonly number[] | undefined;
  /** The same of whole and half steps. */
  readonly grid: readonly number[] | undefined;
  /** Share of the rows at the largest value. */
  readonly top: number;
  /** Share of the rows at 0 or 1, and at multiples of 5. */
  readonly bottom: number;
  readonly fives: number;
  /** How likely scores as many as these would end there, if the scale went on upwards or downwards. */
  readonly endsAbove: number;
  readonly endsBelow: number;
}

/** Shares against percent differ by about this factor. */
const FACTOR = [20, 500] as const;
/** A score in percent reaches at least this. */
const PERCENT_REACHES = 20;
/** Units of time differ by a thousand; so do K and M. */
const THOUSAND = [300, 3000] as const;
/** Scales of answers have at most so many steps. */
const MOST_STEPS = 11;
/** Fewer rows do not show the ends of a scale. */
const FEWEST = 30;
/** A scale that ends at its last step has answers there; the tail of a longer one thins out. */
const AT_THE_TOP = 0.1;
/** A scale that is not seen beyond its end by such a chance has no more steps. */
const UNLIKELY = 0.001;
/** Where the other scores lie far beyond as well, less is enough. */
const RATHER_UNLIKELY = 0.2;
/** Systems of which every pair is looked at. */
const MOST_PAIRED = 200;
/** Both kinds must be more than a slip before one column mixes them. */
const MIXED = 0.1;

/** What speaks against one scale, as the end of "the scores do not share a scale: …"; undefined where nothing does. */
export function unlikeScales(
  scores: readonly ValueCounts[],
  systems: readonly string[],
  metric: string,
  { lengths = true, tasks = false }: { readonly lengths?: boolean; readonly tasks?: boolean } = {},
): string | undefined {
  const scales = scores.map(measure);
  // a bare "score" may go either way, but has one scale
  const praised = metricDirection(metric) ?? namedAsScore(metric) > 0;
  const tell = (s: number): string =>
    `${systems[s]} from ${formatNumber(scales[s]!.min)} to ${formatNumber(scales[s]!.max)}`;
  for (const [low, high] of pairs(scales)) {
    const as = whatDiffers(scales[low]!, scales[high]!, { metric, praised, lengths, tasks });
    if (as !== undefined) return `${tell(low)}, ${tell(high)}, as ${as} do`;
  }
  // of tasks that mix two scales each the systems tell more
  const mixed = tasks ? -1 : scores.findIndex(mixesShares);
  if (mixed < 0) return undefined;
  const own = scores[mixed]!;
  const [small, large] = [countsWhere(own, (v) => v <= 1), countsWhere(own, (v) => v > 1)].map(measure);
  const range = ({ min, max }: Scale): string => `${formatNumber(min)} to ${formatNumber(max)}`;
  return `${systems[mixed]} has ${small!.n} scores from ${range(small!)} and ${large!.n} from ${range(large!)}, as shares and percent do`;
}

function measure(scores: ValueCounts): Scale {
  const { of: counts, n } = scores;
  const sorted = counts.size <= 2 * MOST_STEPS ? [...counts.keys()].sort((a, b) => a - b) : undefined;
  const steps = counts.size <= MOST_STEPS && sorted?.every(Number.isInteger) ? sorted : undefined;
  const grid = sorted?.every((v) => Number.isInteger(2 * v)) ? sorted : undefined;
  const ends = (own: readonly number[]): number =>
    chanceOfEnding(
      own.map((v) => counts.get(v)! / n),
      n,
    );
  const max = mostOf(counts.keys());
  let sum = 0;
  for (const [value, count] of counts) sum += count * value;
  return {
    n,
    min: leastOf(counts.keys()),
    max,
    mean: sum / n,
    steps,
    grid,
    top: (counts.get(max) ?? 0) / n,
    bottom: ((counts.get(0) ?? 0) + (counts.get(1) ?? 0)) / n,
    fives: countWhere(scores, (v) => v % 5 === 0) / n,
    endsAbove: ends(grid?.toReversed() ?? []),
    endsBelow: ends(grid ?? []),
  };
}

/** Shares of the steps from one end on. If the scale went on, the next step would have at least what the last ones let expect. */
function chanceOfEnding([last, before]: readonly number[], n: number): number {
  return last === undefined || before === undefined ? 1 : (1 - last * Math.min(1, last / before)) ** n;
}

/** Each pair, the one with the smaller scores first; of many systems each against the one with the smallest and the largest scores only. */
function* pairs(scales: readonly Scale[]): Generator<readonly [low: number, high: number]> {
  const below = (i: number, j: number): boolean =>
    scales[i]!.max < scales[j]!.max || (scales[i]!.max === scales[j]!.max && i < j);
  const all = scales.map((_, i) => i);
  const ends =
    all.length <= MOST_PAIRED
      ? all
      : [all, all].map((own, k) => own.reduce((end, i) => (below(i, end) === (k === 0) ? i : end)));
  for (const i of all)
    for (const j of ends) if (i !== j && (below(i, j) || ends !== all)) yield below(i, j) ? [i, j] : [j, i];
}

function whatDiffers(
  low: Scale,
  high: Scale,
  {
    metric,
    praised,
    lengths,
    tasks,
  }: { readonly metric: string; readonly praised: boolean; readonly lengths: boolean; readonly tasks: boolean },
): string | undefined {
  if (areShareAndPercent(low, high, { metric, anyway: tasks && praised })) return "shares and percent";
  const few = low.n < FEWEST || high.n < FEWEST;
  if (praised && isRating(low) && isOutOf100(low, high, few)) return "ratings and points out of 100";
  if (few) return undefined;
  // how often something happens may differ as much as it likes
  if (praised) {
    if (areShareAndRating(low, high)) return "shares and ratings";
    if (lengths && areTwoLengths(low, high)) return `ratings up to ${low.max} and up to ${high.max}`;
    if (lengths && areShifted(low, high)) return `ratings from ${low.min} and from ${high.min} on`;
    if (lengths ? stopsShort(low, high) : isHalf(low, high)) return `ratings up to ${low.max} and up to ${high.max}`;
    if (areSigned(low, high)) return `ratings from ${low.min} and from ${high.min} on`;
    if (areBinaryAndPoints(low, high)) return "right or wrong and points out of 100";
    if (areTwoCodings(low, high)) return "two codings of right and wrong";
  }
  if (areTwoSigns(low, high, metric)) return "penalties and amounts";
  const ratio = high.mean / low.mean;
  const apart = low.min > 0 && low.max < high.min && ratio > THOUSAND[0] && ratio < THOUSAND[1];
  return apart ? "seconds and milliseconds" : undefined;
}

/** `anyway`: right and wrong answers in one task beside points in another are two scales, whatever they are called. */
function areShareAndPercent(
  low: Scale,
  high: Scale,
  { metric, anyway }: { readonly metric: string; readonly anyway: boolean },
): boolean {
  if (!(low.min >= 0 && low.max <= 1 && high.min >= 0 && high.max >= PERCENT_REACHES && high.max <= 100)) return false;
  const ratio = high.mean / low.mean;
  if (!(ratio > FACTOR[0] && ratio < FACTOR[1])) return false;
  const binary = low.steps?.every((v) => v === 0 || v === 1) === true;
  const hundreds = high.steps?.every((v) => v === 0 || v === 100) === true;
  // counts may well differ so much; shares may not
  return !binary || hundreds || anyway || Number.isFinite(rangeByName(metric, [])?.[1]);
}

const isRating = ({ steps, min, max }: Scale): boolean =>
  steps !== undefined && steps.length > 2 && min >= 0 && max <= 10;

/** Steps of a scale that somebody chose from; 0 and 1 may be a program's. */
export const isRatingScale = (scores: ValueCounts): boolean => scores.n > 0 && isRating(measure(scores));

/** Points beyond all ratings, points in fives beside steps between them, or ratings that do not thin out beside many values far beyond. */
function isOutOf100(low: Scale, high: Scale, few: boolean): boolean {
  if (high.max > 100 || high.max < PERCENT_REACHES || Math.min(low.n, high.n) < FEWEST_APART) return false;
  if (low.max < high.min) return true;
  if (isRating(high) || high.max <= 5 * low.max || high.mean <= 4 * low.mean) return false;
  if (high.fives > ALL_FIVES && low.fives < 0.5) return true;
  if (few) return false;
  // who gets next to nothing of 100 points gets nothing now and then
  const ratio = high.mean / low.mean;
  const middling = low.bottom < AT_THE_TOP && ratio > TENFOLD[0] && ratio < TENFOLD[1];
  return middling || (isNearlyFull(low) && low.max >= 3 && low.endsAbove < RATHER_UNLIKELY);
}

/** Even so few do not lie apart by chance. */
const FEWEST_APART = 8;
/** But for a slip. */
const ALL_FIVES = 0.95;
/** Ratings up to 10 and points out of 100. */
const TENFOLD = [5, 20] as const;

/** Fractions of 1 beside whole numbers that go well beyond. */
const areShareAndRating = (low: Scale, high: Scale): boolean =>
  low.min >= 0 &&
  low.max <= 1 &&
  low.steps === undefined &&
  ((isRating(high) && isFull(high) && high.steps!.length >= 4) ||
    (high.steps !== undefined && high.min > 1 && high.max <= 10));

const isFull = ({ steps, min, max }: Scale): boolean => steps !== undefined && steps.length === max - min + 1;

/** But for a few steps that nobody chose. */
const isNearlyFull = ({ steps, min, max }: Scale): boolean =>
  steps !== undefined && steps.length >= MOST_USED * (max - min + 1);

const MOST_USED = 0.6;

/** Where scales of answers end: a bad system may well get nothing but 1 and 2. */
const ENDS: ReadonlySet<number> = new Set([1, 3, 4, 5, 7]);

/** One ends at its last step without thinning out, where the other goes on with a good part of its rows. */
const stopsShort = (low: Scale, high: Scale): boolean =>
  low.grid !== undefined &&
  high.grid !== undefined &&
  low.min >= 0 &&
  high.min >= 0 &&
  ENDS.has(low.max) &&
  high.max <= 10 &&
  high.max >= low.max + 2 &&
  high.mean > low.max - 1 &&
  low.endsAbove < UNLIKELY;

/** Two raters of the same outputs, one of whom gives half of what the other does on every step of a scale half as long. Nothing but 1 to 3 where
 *  others go to 5 is a strict rater: of ten raters on one scale that is somebody in 2 of 100 studies. */
const isHalf = (low: Scale, high: Scale): boolean =>
  isRating(low) &&
  isRating(high) &&
  isNearlyFull(low) &&
  isNearlyFull(high) &&
  low.max >= 4 &&
  high.max >= 2 * low.max - 1 &&
  high.mean > 1.5 * low.mean &&
  low.endsAbove < RATHER_UNLIKELY / 10;

/** Steps about 0 beside steps from 1 on that go further than those do. */
const areSigned = (low: Scale, high: Scale): boolean =>
  isFull(low) &&
  low.min < 0 &&
  low.max > 0 &&
  high.steps !== undefined &&
  high.min >= 1 &&
  high.max <= 10 &&
  high.max > Math.max(-low.min, low.max) + 1;

const areBinaryAndPoints = (low: Scale, high: Scale): boolean =>
  low.steps?.every((v) => v === 0 || v === 1) === true &&
  high.grid === undefined &&
  high.min >= 0 &&
  high.max >= PERCENT_REACHES &&
  high.max <= 100 &&
  high.mean >= PERCENT_REACHES / 2;

/** What a metric of this name may have is below 0 or above, and each has one of them. */
function areTwoSigns(low: Scale, high: Scale, metric: string): boolean {
  const [below, above] = [low, high].map(({ min, max }) => rangeByName(metric, [min, max]));
  return below?.[1] === 0 && above?.[0] === 0 && low.min < 0 && high.max > 0;
}

/** As many steps, from 1 on, from 0 on or about 0, and neither thins out where the other goes on. */
const areShifted = (low: Scale, high: Scale): boolean =>
  isFull(low) &&
  isFull(high) &&
  low.steps!.length >= 3 &&
  low.steps!.length === high.steps!.length &&
  (high.min === 1 || high.min === 0) &&
  low.min < high.min &&
  (low.min === 0 || low.min === -low.max) &&
  Math.max(low.endsAbove, high.endsBelow) < UNLIKELY;

/** Every step from the lowest to the highest, and as many again in the other; or two more where the first scale ends without thinning out. */
function areTwoLengths(low: Scale, high: Scale): boolean {
  if (!isRating(low) || !isRating(high) || !isFull(low) || !isFull(high) || Math.abs(low.min - high.min) > 1)
    return false;
  if (low.max < 3 || low.top < AT_THE_TOP || high.top < AT_THE_TOP / 2) return false;
  return high.max >= 2 * low.max - 1 || (high.max >= low.max + 2 && low.max >= 4 && low.endsAbove < UNLIKELY);
}

/** 0 and 1 against two other whole numbers. */
function areTwoCodings(low: Scale, high: Scale): boolean {
  const isBinary = ({ steps }: Scale): boolean => steps?.length === 2 && steps[0] === 0 && steps[1] === 1;
  const isOther = ({ steps }: Scale): boolean =>
    steps?.length === 2 && Math.abs(steps[1]! - steps[0]!) <= 2 && steps.some((v) => v !== 0 && v !== 1);
  return (isBinary(low) && isOther(high)) || (isBinary(high) && isOther(low));
}

/** Part between 0 and 1, part far above, and nothing between. */
function mixesShares(scores: ValueCounts): boolean {
  if (scores.n < FEWEST) return false;
  for (const v of scores.of.keys()) if (v < 0 || v > 100 || (v > 1 && v < PERCENT_REACHES / 2)) return false;
  const shares = countWhere(scores, (v) => v > 0 && v < 1);
  const percent = countWhere(scores, (v) => v > 1);
  return shares >= MIXED * scores.n && percent >= MIXED * scores.n;
}
