/** The ends of a metric's scale, and intervals that end there. No true score lies beyond them, so cutting an interval costs no
 *  coverage; the methods that respect the ends by themselves (Wilson, Fay & Lumbard, Tango, BCa) are never cut. */
import { boundsOf, rangeByName, type ScoreBounds, type ScoreRange, SHARE_BOUNDS } from "../../metrics/range.ts";
import type { ComparisonData } from "./comparison.ts";

const CUT = ", cut at the ends of the scale";
/** A mean of 0/1 answers times their number is whole up to this. */
const WHOLE = 1e-9;

/** Whether a mean of `count` scores is one of right and wrong answers. */
export function isShareMean(mean: number, count: number): boolean {
  const hits = mean * count;
  return mean >= 0 && mean <= 1 && Math.abs(hits - Math.round(hits)) < WHOLE && (mean === 0 || hits > 0.5);
}

export function scaleOf({ data, metric }: ComparisonData, share: boolean): ScoreRange | undefined {
  if (data.kind === "statistics") return data.statistics[0]?.metric.range;
  return share ? [0, 1] : rangeByName(metric, data.means);
}

/** What a margin is held against. */
export function marginBounds({ data, metric }: ComparisonData, share: boolean): ScoreBounds | undefined {
  if (share) return SHARE_BOUNDS;
  if (data.kind === "scores") return boundsOf(metric, data.means);
  const range = data.statistics[0]?.metric.range;
  return range && { range, share: range[0] === 0 && range[1] === 1 };
}

interface Ends {
  readonly lower?: number;
  readonly upper?: number;
}

/** An interval of a score; `name` is the field that says how it was made. */
export function cutScore<I extends Ends & { readonly interval?: string }>(own: I, scale: ScoreRange | undefined): I {
  const cut = cutEnds(own, scale);
  return cut === undefined ? own : { ...own, ...cut, interval: `${own.interval ?? ""}${CUT}` };
}

/** An interval of a difference of two scores. */
export function cutDifference<I extends Ends & { readonly method: string }>(own: I, scale: ScoreRange | undefined): I {
  const width = scale && scale[1] - scale[0];
  const cut = cutEnds(own, width === undefined ? undefined : [-width, width]);
  return cut === undefined ? own : { ...own, ...cut, method: `${own.method}${CUT}` };
}

export const wasCut = (method: string | undefined): boolean => method?.endsWith(CUT) === true;

function cutEnds({ lower, upper }: Ends, scale: ScoreRange | undefined): { lower: number; upper: number } | undefined {
  if (scale === undefined || lower === undefined || upper === undefined) return undefined;
  if (!(lower < scale[0] || upper > scale[1])) return undefined;
  return { lower: Math.max(scale[0], lower), upper: Math.min(scale[1], upper) };
}
