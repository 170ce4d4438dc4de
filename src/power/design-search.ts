/** The best design for the money: how many items, raters and ratings give the most power within a budget, or the wanted power for the
 *  least money.
 *      cost = items c_i + raters c_w + ratings (c_r + c_call)
 *  All numbers of raters and of ratings per text are gone through; the number of items follows, the largest that the budget allows or
 *  the least that has the power (power only rises with the items). Judged by the approximation, which takes a fraction of a
 *  millisecond; the best design is then simulated. The frontier is the best design for each of several budgets.
 *  Reference: Card et al. (2020), EMNLP, section 5.2; Westfall, Kenny & Judd (2014), J. Exp. Psychol. Gen. 143.
 *  Oracle:    exhaustive search over small grids. */
import { StatError } from "../result/error.ts";
import { formatNumber } from "../result/number-format.ts";
import { approximateFigures, COARSE, differenceVariance, type SlopeSds } from "./approx.ts";
import type { DesignKind, RatingDesign } from "./designs.ts";
import { isEstimable, planDesign, ratingCount } from "./designs.ts";

export interface Prices {
  readonly item: number;
  readonly rater: number;
  readonly rating: number;
  /** Of one call of a model that judges or assists: paid with every rating. */
  readonly judgeCall: number;
}

export interface SearchRequest {
  readonly prices: Prices;
  /** Difference between the systems, and what spreads it (systems coded -1/+1). */
  readonly effect: number;
  readonly sds: SlopeSds;
  readonly alpha: number;
  readonly twoSided: boolean;
  /** As in approx.ts: the planned test compares with the normal distribution. */
  readonly z: boolean;
  readonly kind: Extract<DesignKind, "k-of-m" | "lists">;
  readonly raters: readonly [least: number, most: number];
  readonly ratings: readonly [least: number, most: number];
  readonly leastItems: number;
  readonly mostItems: number;
  readonly perWorker?: number | undefined;
}

export interface PricedDesign {
  readonly design: RatingDesign;
  readonly cost: number;
  /** By the approximation. */
  readonly power: number;
}

export function costOf(design: RatingDesign, { item, rater, rating, judgeCall }: Prices): number {
  return design.items * item + design.workers * rater + ratingCount(design) * (rating + judgeCall);
}

export function checkPrices(prices: Prices): void {
  for (const [name, price] of Object.entries(prices)) {
    if (price >= 0 && Number.isFinite(price)) continue;
    throw new StatError("BadParameter", `a price of ${price} per ${name}.`, "give a number of 0 or more.");
  }
  if (Object.values(prices).some((price) => price > 0)) return;
  throw new StatError(
    "BadParameter",
    "nothing costs anything.",
    "give at least one price: --cost-item, --cost-rater, --cost-rating or --cost-judge-call.",
  );
}

function powerOf(
  design: RatingDesign,
  { effect, sds, alpha, twoSided, z }: SearchRequest,
  points?: readonly [number, number],
): number {
  return approximateFigures(effect, differenceVariance(design, sds), {
    alpha,
    twoSided,
    z,
    ...(points === undefined ? {} : { points }),
  }).power;
}

/** The design with the most power that costs at most `budget`; undefined where none can be bought. */
export function bestForBudget(request: SearchRequest, budget: number): PricedDesign | undefined {
  let best: { design: RatingDesign; power: number } | undefined;
  for (const { make, least } of shapes(request)) {
    const items = largestItems(least, request.mostItems, (count) => {
      const design = make(count);
      return design !== undefined && costOf(design, request.prices) <= budget;
    });
    const design = items === 0 ? undefined : make(items);
    if (design === undefined) continue;
    const power = powerOf(design, request, COARSE);
    const better =
      best === undefined ||
      power > best.power + TIED ||
      (power > best.power - TIED && costOf(design, request.prices) < costOf(best.design, request.prices));
    if (better) best = { design, power };
  }
  return best && price(best.design, request);
}

/** Powers closer than this are equal: the cheaper design is the better one. */
const TIED = 1e-4;

/** The cheapest design with the wanted power; undefined where none within the limits has it. */
export function cheapestForPower(request: SearchRequest, target: number): PricedDesign | undefined {
  let best: PricedDesign | undefined;
  for (const { make, least } of shapes(request)) {
    const enough = (count: number): boolean => {
      const design = make(count);
      return design !== undefined && powerOf(design, request, COARSE) >= target;
    };
    // dearer designs than the best so far need no look
    const top = largestItems(least, request.mostItems, (count) => {
      const design = make(count);
      return design !== undefined && (best === undefined || costOf(design, request.prices) < best.cost);
    });
    if (top === 0 || !enough(top)) continue;
    let [lo, hi] = [least - 1, top];
    while (hi - lo > 1) {
      const middle = Math.floor((lo + hi) / 2);
      if (enough(middle)) hi = middle;
      else lo = middle;
    }
    // the search is coarse: a few more items where the finer figure falls short
    let design = make(hi)!;
    for (let count = hi; powerOf(design, request) < target && count < top; count++) design = make(count + 1) ?? design;
    const found = price(design, request);
    if (found.power >= target && (best === undefined || found.cost < best.cost)) best = found;
  }
  return best;
}

const price = (design: RatingDesign, request: SearchRequest): PricedDesign => ({
  design,
  cost: costOf(design, request.prices),
  power: powerOf(design, request),
});

interface Shape {
  /** Fewest items. */
  readonly least: number;
  make(items: number): RatingDesign | undefined;
}

/** Every number of ratings with every number of raters; undefined where the design cannot be built. */
function shapes(request: SearchRequest): Shape[] {
  const found: Shape[] = [];
  const { kind, perWorker } = request;
  for (let ratings = request.ratings[0]; ratings <= request.ratings[1]; ratings++) {
    for (const workers of raterCounts(request, ratings)) {
      const least = Math.max(request.leastItems, Math.floor(workers / (ratings - 1)) + 1);
      const make = (items: number): RatingDesign | undefined => {
        if (items < least) return undefined;
        try {
          const design = planDesign({ design: kind, items, ratings, workers, perWorker });
          return isEstimable(design) ? design : undefined;
        } catch (error) {
          if (error instanceof StatError) return undefined;
          throw error;
        }
      };
      if (least <= request.mostItems) found.push({ least, make });
    }
  }
  return found;
}

/** From this number of raters on not every one is tried: steps of a twentieth. */
const EVERY_UP_TO = 40;

function raterCounts({ kind, raters: [least, most] }: SearchRequest, ratings: number): number[] {
  const step = kind === "lists" ? ratings : 1;
  const first = kind === "lists" ? Math.max(2, Math.ceil(least / ratings)) * ratings : Math.max(2, least, ratings);
  const counts: number[] = [];
  for (let workers = first; workers <= most; ) {
    counts.push(workers);
    workers += workers < EVERY_UP_TO ? step : Math.max(step, Math.floor(workers / 20 / step) * step);
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

/** The best designs for rising budgets, up to `budget`; those that add nothing are left out. */
export function searchFrontier(request: SearchRequest, budget: number, steps = 12): PricedDesign[] {
  const frontier: PricedDesign[] = [];
  for (let k = 1; k <= steps; k++) {
    const found = bestForBudget(request, (budget * k) / steps);
    const last = frontier.at(-1);
    if (found !== undefined && (last === undefined || found.power > last.power + TIED)) frontier.push(found);
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
      cheapest = Math.min(cheapest, costOf(design, request.prices));
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
        "allow more raters, fewer ratings of each text or more texts per rater.",
      );
}
