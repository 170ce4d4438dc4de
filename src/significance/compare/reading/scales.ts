/** Whether the systems' scores are on one scale. A mean over two scales means nothing, and a difference between them less.
 *    shares and percent        0.6 in one system and 60 in another, or both within one
 *    ratings and percent       steps of 1 to 5 in one, points out of 100 in another
 *    ratings of two lengths    every step of 1 to 5 in one, every step of 1 to 10 in another
 *    two codings               0 and 1 in one, 1 and 2 in another
 *    units                     seconds in one, milliseconds in another */
import { metricDirection } from "../../../data/roles/direction.ts";
import { rangeByName } from "../../../metrics/range.ts";
import { formatNumber } from "../../../result/number-format.ts";

interface Scale {
  readonly n: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Different values, or undefined where there are more than a scale of answers has. */
  readonly steps: readonly number[] | undefined;
  /** Share of the rows at the largest value. */
  readonly top: number;
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
/** Systems of which every pair is looked at. */
const MOST_PAIRED = 200;
/** Both kinds must be more than a slip before one column mixes them. */
const MIXED = 0.1;

/** What speaks against one scale, as the end of "the scores do not share a scale: …"; undefined where nothing does. */
export function unlikeScales(
  scores: readonly (readonly number[])[],
  systems: readonly string[],
  metric: string,
  { lengths = true }: { readonly lengths?: boolean } = {},
): string | undefined {
  const scales = scores.map(measure);
  const praised = metricDirection(metric) === true;
  const tell = (s: number): string =>
    `${systems[s]} from ${formatNumber(scales[s]!.min)} to ${formatNumber(scales[s]!.max)}`;
  for (const [low, high] of pairs(scales)) {
    const as = whatDiffers(scales[low]!, scales[high]!, { metric, praised, lengths });
    if (as !== undefined) return `${tell(low)}, ${tell(high)}, as ${as} do`;
  }
  const mixed = scores.findIndex(mixesShares);
  if (mixed < 0) return undefined;
  const [small, large] = [scores[mixed]!.filter((v) => v <= 1), scores[mixed]!.filter((v) => v > 1)].map(measure);
  const range = ({ min, max }: Scale): string => `${formatNumber(min)} to ${formatNumber(max)}`;
  return `${systems[mixed]} has ${small!.n} scores from ${range(small!)} and ${large!.n} from ${range(large!)}, as shares and percent do`;
}

function measure(scores: readonly number[]): Scale {
  const values = new Set(scores);
  const max = scores.reduce((high, v) => Math.max(high, v), Number.NEGATIVE_INFINITY);
  return {
    n: scores.length,
    min: scores.reduce((low, v) => Math.min(low, v), Number.POSITIVE_INFINITY),
    max,
    mean: scores.reduce((sum, v) => sum + v, 0) / scores.length,
    steps: values.size <= MOST_STEPS && scores.every(Number.isInteger) ? [...values].sort((a, b) => a - b) : undefined,
    top: scores.filter((v) => v === max).length / scores.length,
  };
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
  { metric, praised, lengths }: { readonly metric: string; readonly praised: boolean; readonly lengths: boolean },
): string | undefined {
  if (areShareAndPercent(low, high, metric)) return "shares and percent";
  const few = low.n < FEWEST || high.n < FEWEST;
  if (few) return undefined;
  // how often something happens may differ as much as it likes
  if (praised) {
    if (isRating(low) && low.max < high.min && high.max <= 100 && high.max >= PERCENT_REACHES)
      return "ratings and points out of 100";
    if (lengths && areTwoLengths(low, high)) return `ratings up to ${low.max} and up to ${high.max}`;
    if (areTwoCodings(low, high)) return "two codings of right and wrong";
  }
  const ratio = high.mean / low.mean;
  const apart = low.min > 0 && low.max < high.min && ratio > THOUSAND[0] && ratio < THOUSAND[1];
  return apart ? "seconds and milliseconds" : undefined;
}

function areShareAndPercent(low: Scale, high: Scale, metric: string): boolean {
  if (!(low.min >= 0 && low.max <= 1 && high.min >= 0 && high.max >= PERCENT_REACHES && high.max <= 100)) return false;
  const ratio = high.mean / low.mean;
  if (!(ratio > FACTOR[0] && ratio < FACTOR[1])) return false;
  const binary = low.steps?.every((v) => v === 0 || v === 1) === true;
  const hundreds = high.steps?.every((v) => v === 0 || v === 100) === true;
  // counts may well differ so much; shares may not
  return !binary || hundreds || Number.isFinite(rangeByName(metric, [])?.[1]);
}

const isRating = ({ steps, min, max }: Scale): boolean =>
  steps !== undefined && steps.length > 2 && min >= 0 && max <= 10;

/** Steps of a scale that somebody chose from; 0 and 1 may be a program's. */
export const isRatingScale = (scores: readonly number[]): boolean => scores.length > 0 && isRating(measure(scores));

/** Every step from the lowest to the highest, and as many again in the other. */
function areTwoLengths(low: Scale, high: Scale): boolean {
  const isFull = ({ steps, min, max }: Scale): boolean => steps !== undefined && steps.length === max - min + 1;
  if (!isRating(low) || !isRating(high) || !isFull(low) || !isFull(high) || Math.abs(low.min - high.min) > 1)
    return false;
  return low.max >= 3 && high.max >= 2 * low.max - 1 && low.top >= AT_THE_TOP && high.top >= AT_THE_TOP / 2;
}

/** 0 and 1 against two other whole numbers. */
function areTwoCodings(low: Scale, high: Scale): boolean {
  const isBinary = ({ steps }: Scale): boolean => steps?.length === 2 && steps[0] === 0 && steps[1] === 1;
  const isOther = ({ steps }: Scale): boolean =>
    steps?.length === 2 && Math.abs(steps[1]! - steps[0]!) <= 2 && steps.some((v) => v !== 0 && v !== 1);
  return (isBinary(low) && isOther(high)) || (isBinary(high) && isOther(low));
}

/** Part between 0 and 1, part far above, and nothing between. */
function mixesShares(scores: readonly number[]): boolean {
  if (scores.length < FEWEST || scores.some((v) => v < 0 || v > 100 || (v > 1 && v < PERCENT_REACHES / 2)))
    return false;
  const shares = scores.filter((v) => v > 0 && v < 1).length;
  const percent = scores.filter((v) => v > 1).length;
  return shares >= MIXED * scores.length && percent >= MIXED * scores.length;
}
