/** How many items a design can have with its raters, and how many raters with its items: what `planDesign` accepts, as a range.
 *  With a residual variance in the model, ratings must outnumber items and raters: items (ratings - 1) > raters.
 *  Oracle: planDesign itself, number by number. */
import { type DesignRequest, guessKind } from "./designs.ts";

/** From `least` on in steps, up to `most`. */
export interface CountBounds {
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

/** Items for the raters of the request; without raters but with a cap for each of them there is no upper bound. */
export function itemBounds(
  request: DesignRequest,
  { fewest, residual }: { readonly fewest: number; readonly residual: boolean },
): CountBounds {
  const { raters, perRater } = request;
  const kind = request.design ?? guessKind(request);
  const ratings = request.ratings ?? (kind === "lists" ? 1 : (raters ?? 1));
  if (raters === undefined) return { least: fewest, most: Number.POSITIVE_INFINITY, step: 1 };
  const perPanel = kind === "lists" ? Math.ceil(raters / ratings / 2) : Math.ceil(raters / ratings);
  const estimable = residual && ratings > 1 ? Math.floor(raters / (ratings - 1)) + 1 : 0;
  const pairs = kind === "lists" ? raters * (perRater ?? 0) * 0.5 : raters * Math.floor((perRater ?? 0) / 2);
  return {
    least: Math.max(fewest, perPanel, estimable),
    most: perRater === undefined ? Number.POSITIVE_INFINITY : Math.floor(pairs / ratings),
    step: 1,
  };
}

/** Raters for the items of the request, as if they were given. */
export function raterBounds(request: DesignRequest, residual: boolean): CountBounds {
  const { items, perRater } = request;
  const kind = request.design ?? guessKind({ ...request, raters: 0 });
  const estimable = (ratings: number): number => (residual ? items * (ratings - 1) - 1 : Number.POSITIVE_INFINITY);
  if (kind === "crossed") return { least: 2, most: Number.POSITIVE_INFINITY, step: 1 };
  const ratings = request.ratings ?? 1;
  if (kind === "k-of-m") {
    const load = perRater === undefined ? 0 : Math.ceil((items * ratings) / Math.floor(perRater / 2));
    return { least: Math.max(2, ratings, load), most: Math.min(items * ratings, estimable(ratings)), step: 1 };
  }
  const panel = perRater === undefined ? 2 : Math.max(2, Math.ceil((2 * items) / perRater));
  const most = Math.min(2 * items * ratings, estimable(ratings));
  return { least: ratings * panel, most: Math.floor(most / ratings) * ratings, step: ratings };
}
