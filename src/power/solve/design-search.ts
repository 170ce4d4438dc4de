/** The best design for the money: how many items, raters and ratings give the most power within a budget, or the wanted power for the
 *  least money.
 *      cost = items c_i + raters c_w + ratings (c_r + c_call)
 *  Numbers of raters and of ratings per text are gone through, first in steps, then one by one about the best; the number of items
 *  follows, the largest that the budget allows or the least that has the power (power only rises with the items). Judged by the
 *  approximation, which takes a fraction of a millisecond; the best design is then simulated. The frontier is the best design for each
 *  of several budgets.
 *  Reference: Card et al. (2020), EMNLP, section 5.2; Westfall, Kenny & Judd (2014), J. Exp. Psychol. Gen. 143.
 *  Oracle:    exhaustive search over small grids. */

import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { DesignKind, RatingDesign } from "../designs/designs.ts";
import { isEstimable, planDesign } from "../designs/designs.ts";
import { approximateFigures, COARSE, type EstimateVariance } from "../scenarios/approx.ts";

export interface Prices {
  readonly item: number;
  readonly rater: number;
  readonly rating: number;
  /** Of one call of a model that judges or assists: paid with every rating. */
  readonly judgeCall: number;
}

export interface SearchRequest {
  readonly prices: Prices;
  /** What is to be found, and how a design spreads its estimate. */
  readonly effect: number;
  readonly variance: (design: RatingDesign) => EstimateVariance;
  /** Answers that one rating of an item takes: 2 where both systems' texts are rated, 1 where they are judged together. */
  readonly textsPerRating: 1 | 2;
  readonly alpha: number;
  readonly twoSided: boolean;
  /** As in scenarios/approx.ts: the planned test compares with the normal distribution. */
  readonly z: boolean;
  readonly kind: Extract<DesignKind, "k-of-m" | "lists">;
  readonly raters: readonly [least: number, most: number];
  readonly ratings: readonly [least: number, most: number];
  readonly leastItems: number;
  readonly mostItems: number;
  readonly perRater?: number | undefined;
}

export interface PricedDesign {
  readonly design: RatingDesign;
  readonly cost: number;
  /** By the approximation. */
  readonly power: number;
}

type Priced = Pick<SearchRequest, "prices" | "textsPerRating">;

/** Ratings, or judgements, that are paid for. */
export const answerCount = ({ items, ratings }: RatingDesign, { textsPerRating }: Priced): number =>
  textsPerRating * items * ratings;

export function costOf(design: RatingDesign, request: Priced): number {
  const { item, rater, rating, judgeCall } = request.prices;
  return design.items * item + design.raters * rater + answerCount(design, request) * (rating + judgeCall);
}

const PRICED: readonly string[] = ["item", "rater", "rating", "judgeCall"] satisfies (keyof Prices)[];

export function checkPrices(prices: Prices): void {
  for (const [name, price] of Object.entries(prices)) {
    if (!PRICED.includes(name))
      throw new StatError("UnknownParameter", `nothing is called ${name}.`, `prices are of ${PRICED.join(", ")}.`);
    if (price >= 0 && Number.isFinite(price)) continue;
    throw new StatError("BadParameter", `a price of ${price} per ${name}.`, "give a number of 0 or more.");
  }
  if (Object.values(prices).some((price) => price > 0)) return;
  throw new StatError(
    "BadParameter",
    "nothing costs anything.",
    "give at least one price: `prices.item`, `prices.rater`, `prices.rating` or `prices.judgeCall`.",
  );
}

function powerOf(
  design: RatingDesign,
  { effect, variance, alpha, twoSided, z }: SearchRequest,
  points?: readonly [number, number],
): number {
  return approximateFigures(effect, variance(design), {
    alpha,
    twoSided,
    z,
    ...(points === undefined ? {} : { points }),
  }).power;
}

/** The design with the most power that costs at most `budget`, or a cheaper one with as good as the same power; undefined where none can
 *  be bought. */
export function bestForBudget(request: SearchRequest, budget: number): PricedDesign | undefined {
  const first = strongestAmong(shapes(request), request, budget);
  if (first === undefined) return undefined;
  const best = strongestAmong(shapesAbout(first, request), request, budget, first)!;
  const priced = price(best, request);
  if (priced.power < FLAT) return priced;
  const thrifty = cheapestForPower(request, priced.power - TIED);
  return thrifty !== undefined && thrifty.cost < priced.cost ? thrifty : priced;
}

/** Above this power more money may buy next to nothing: a design with fewer items can be as good. */
const FLAT = 0.99;

/** Each shape with as many items as the budget allows. */
function strongestAmong(
  tried: readonly Shape[],
  request: SearchRequest,
  budget: number,
  start?: RatingDesign,
): RatingDesign | undefined {
  const found = start === undefined ? [] : [candidate(start, request)];
  for (const { make, least } of tried) {
    const items = largestItems(least, request.mostItems, (count) => {
      const design = make(count);
      return design !== undefined && costOf(design, request) <= budget;
    });
    const design = items === 0 ? undefined : make(items);
    if (design !== undefined) found.push(candidate(design, request));
  }
  const most = found.reduce((top, { power }) => Math.max(top, power), 0);
  const tied = found.filter(({ power }) => power >= most - TIED);
  return tied.sort((a, b) => a.cost - b.cost)[0]?.design;
}

/** By the coarse average. */
const candidate = (design: RatingDesign, request: SearchRequest): PricedDesign => ({
  design,
  cost: costOf(design, request),
  power: powerOf(design, request, COARSE),
});

/** Powers closer than this are equal: the cheaper design is the better one. */
const TIED = 1e-4;

/** The cheapest design with the wanted power; undefined where none within the limits has it. */
export function cheapestForPower(request: SearchRequest, target: number): PricedDesign | undefined {
  const first = cheapestAmong(shapes(request), request, target);
  return first && cheapestAmong(shapesAbout(first.design, request), request, target, first);
}

function cheapestAmong(
  tried: readonly Shape[],
  request: SearchRequest,
  target: number,
  start?: PricedDesign,
): PricedDesign | undefined {
  let best = start;
  for (const { make, least } of tried) {
    const enough = (count: number): boolean => {
      const design = make(count);
      return design !== undefined && powerOf(design, request, COARSE) >= target;
    };
    // dearer designs than the best so far need no look
    const top = largestItems(least, request.mostItems, (count) => {
      const design = make(count);
      return design !== undefined && (best === undefined || costOf(design, request) < best.cost);
    });
    if (top === 0 || !enough(top)) continue;
    let [lo, hi] = [least - 1, top];
    while (hi - lo > 1) {
      const middle = Math.floor((lo + hi) / 2);
      if (enough(middle)) hi = middle;
      else lo = middle;
    }
    // the search is coarse: more items where the finer figure falls short
    const finely = (count: number): boolean => {
      const design = make(count);
      return design !== undefined && powerOf(design, request) >= target;
    };
    const found = price(make(fewestFrom(hi, top, finely)) ?? make(hi)!, request);
    if (found.power >= target && (best === undefined || found.cost < best.cost)) best = found;
  }
  return best;
}

/** The first number from `from` up to `top` that is enough, by doubling steps and halving, since more items are never less; `top` where none is. */
function fewestFrom(from: number, top: number, enough: (count: number) => boolean): number {
  let [lo, hi, step] = [from - 1, from, 1];
  while (!enough(hi)) {
    if (hi === top) return top;
    [lo, hi, step] = [hi, Math.min(top, hi + step), 2 * step];
  }
  while (hi - lo > 1) {
    const middle = Math.floor((lo + hi) / 2);
    if (enough(middle)) hi = middle;
    else lo = middle;
  }
  return hi;
}

const price = (design: RatingDesign, request: SearchRequest): PricedDesign => ({
  design,
  cost: costOf(design, request),
  power: powerOf(design, request),
});

interface Shape {
  /** Fewest items. */
  readonly least: number;
  make(items: number): RatingDesign | undefined;
}

/** Every number of ratings with numbers of raters in steps; undefined where the design cannot be built. */
function shapes(request: SearchRequest): Shape[] {
  const found: Shape[] = [];
  for (let ratings = request.ratings[0]; ratings <= request.ratings[1]; ratings++)
    for (const raters of raterCounts(request, ratings)) found.push(...shape(request, ratings, raters));
  return found;
}

/** Every number of raters within two of the steps of a design, with its ratings and one more or less. */
function shapesAbout({ ratings: middle, raters: about }: RatingDesign, request: SearchRequest): Shape[] {
  const found: Shape[] = [];
  if (about < EVERY_UP_TO) return found;
  const reach = Math.ceil((2 * about) / STEPS);
  for (let ratings = middle - 1; ratings <= middle + 1; ratings++) {
    if (ratings < request.ratings[0] || ratings > request.ratings[1]) continue;
    const step = request.kind === "lists" ? ratings : 1;
    const first = Math.ceil(Math.max(about - reach, mostOf(fewestRaters(request, ratings))) / step) * step;
    for (let raters = first; raters <= Math.min(about + reach, request.raters[1]); raters += step)
      found.push(...shape(request, ratings, raters));
  }
  return found;
}

/** None where no number of items will do. */
function shape(request: SearchRequest, ratings: number, raters: number): Shape[] {
  const { kind, perRater } = request;
  const least = Math.max(request.leastItems, Math.floor(raters / (ratings - 1)) + 1);
  const make = (items: number): RatingDesign | undefined => {
    if (items < least) return undefined;
    try {
      const design = planDesign({ design: kind, items, ratings, raters, perRater });
      return isEstimable(design) ? design : undefined;
    } catch (error) {
      if (error instanceof StatError) return undefined;
      throw error;
    }
  };
  return least <= request.mostItems ? [{ least, make }] : [];
}

/** From this number of raters on not every one is tried at first: steps of a twentieth. */
const EVERY_UP_TO = 40;
const STEPS = 20;

/** Lower bounds of the number of raters; lists take a panel of at least two for each rating. */
const fewestRaters = ({ kind, raters: [least] }: SearchRequest, ratings: number): number[] =>
  kind === "lists" ? [2 * ratings, least] : [2, least, ratings];

function raterCounts(request: SearchRequest, ratings: number): number[] {
  const step = request.kind === "lists" ? ratings : 1;
  const first = Math.ceil(mostOf(fewestRaters(request, ratings)) / step) * step;
  const counts: number[] = [];
  for (let raters = first; raters <= request.raters[1]; ) {
    counts.push(raters);
    raters += raters < EVERY_UP_TO ? step : Math.max(step, Math.floor(raters / STEPS / step) * step);
  }
  return counts;
}

/** Items for which `fits` still holds, by doubling and halving; 0 if not even the fewest do. Fewer items always fit where more do, except
 *  that a panel may be too large for very few. */
function largestItems(least: number, mostItems: number, fits: (items: number) => boolean): number {
  let lo = least;
  while (lo <= mostItems && !fits(lo) && lo < least + FEWEST_TRIED) lo++;
  if (lo > mostItems || !fits(lo)) return 0;
  let hi = mostItems;
  if (fits(hi)) return hi;
  while (hi - lo > 1) {
    const middle = Math.floor((lo + hi) / 2);
    if (fits(middle)) lo = middle;
    else hi = middle;
  }
  return lo;
}

/** Numbers of items above the least that are tried before giving up. */
const FEWEST_TRIED = 12;

/** The best designs for rising budgets, up to `budget`; those to which another one is cheaper and no weaker are left out. `best` is the
 *  answer for the last budget, where it is known. */
export function searchFrontier(
  request: SearchRequest,
  budget: number,
  { steps = 12, best }: { readonly steps?: number; readonly best?: PricedDesign } = {},
): PricedDesign[] {
  const found: PricedDesign[] = best === undefined ? [] : [best];
  for (let k = 1; k <= steps; k++) {
    const next = bestForBudget(request, (budget * k) / steps);
    if (next !== undefined) found.push(next);
  }
  const frontier: PricedDesign[] = [];
  for (const point of found.sort((a, b) => a.cost - b.cost || b.power - a.power)) {
    const last = frontier.at(-1);
    if (last === undefined || point === best || point.power > last.power + TIED) frontier.push(point);
  }
  return frontier;
}

/** What the cheapest possible design costs. */
function leastCost(request: SearchRequest): number {
  let cheapest = Number.POSITIVE_INFINITY;
  for (const { make, least } of shapes(request)) {
    for (let items = least; items <= least + FEWEST_TRIED; items++) {
      const design = make(items);
      if (design === undefined) continue;
      cheapest = Math.min(cheapest, costOf(design, request));
      break;
    }
  }
  return cheapest;
}

export function refuseBudget(request: SearchRequest, budget: number): StatError {
  const least = leastCost(request);
  return Number.isFinite(least)
    ? new StatError(
        "BudgetTooSmall",
        `a budget of ${budget} buys no design.`,
        `the cheapest within the limits costs ${formatNumber(least)}.`,
      )
    : new StatError(
        "ImpossibleDesign",
        "no design fits these limits.",
        request.ratings[1] < 2
          ? "allow two ratings of each text (`ratings: 2,5`): one leaves nothing to estimate the spread of ratings from."
          : "allow more texts per rater (`perRater`), more raters (`raters`) or more items (`items`).",
      );
}
