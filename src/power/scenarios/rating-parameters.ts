/** What the scenarios with raters have in common: the parameters that describe who rates what and how raters and items differ, and how
 *  many items and raters a design can have. */
import { itemBounds, raterBounds } from "../designs/bounds.ts";
import {
  type DesignKind,
  type DesignRequest,
  guessKind,
  planDesign,
  type RatingDesign,
  ratingCount,
} from "../designs/designs.ts";
import { type RandomSds, settledSd } from "../published-settings.ts";
import { requireNumber, type ScenarioParameters, type SizeBounds, type StatedParameter } from "../scenario.ts";

/** Standard deviations by hand, else by the setting. */
export function spreadOf(params: ScenarioParameters, setting: RandomSds | undefined): RandomSds {
  const own = (name: keyof RandomSds): number => settledSd(params[name] as number | undefined, setting?.[name], name);
  return {
    raterIntercept: own("raterIntercept"),
    raterSlope: own("raterSlope"),
    itemIntercept: own("itemIntercept"),
    itemSlope: own("itemSlope"),
  };
}

const requestOf = (params: ScenarioParameters, items: number): DesignRequest => {
  const count = (name: string): number | undefined => params[name] as number | undefined;
  return {
    items,
    raters: count("raters"),
    ratings: count("ratings"),
    perRater: count("perRater"),
    listLength: count("listLength"),
    design: params["design"] as DesignKind | undefined,
  };
};

export const designOf = (params: ScenarioParameters, family: string): RatingDesign =>
  planDesign(requestOf(params, requireNumber(params, "items", family)));

export function statedDesign(design: RatingDesign): StatedParameter[] {
  return [
    { name: "design", value: design.kind, meaning: DESIGN_WORDS[design.kind] },
    { name: "items", value: design.items, meaning: "items, each answered by both systems" },
    { name: "raters", value: design.raters, meaning: "raters" },
    {
      name: "ratings",
      value: design.ratings,
      meaning: `ratings of each item under each system, ${ratingCount(design)} in all`,
    },
  ];
}

const DESIGN_WORDS: Readonly<Record<DesignKind, string>> = {
  crossed: "every rater rates every item under both systems",
  "k-of-m": "every item goes to some of the raters, who rate it under both systems",
  lists: "Latin square: no rater meets an item twice",
};

/** Numbers of items, or of raters, between which `size` looks, the other being given.
 *  `residual`: the model estimates a residual variance, for which ratings must be left. */
export function ratingBounds(
  params: ScenarioParameters,
  size: string,
  {
    family,
    fewestItems,
    residual,
  }: { readonly family: string; readonly fewestItems: number; readonly residual: boolean },
): SizeBounds {
  if (size === "raters") {
    const items = requireNumber(params, "items", family);
    const bounds = raterBounds({ ...requestOf(params, items), raters: undefined }, residual);
    const why = "items differ in which system they favour";
    return { ...bounds, held: { parameter: "items", value: items, step: 1, noun: "items", why } };
  }
  const request = requestOf(params, fewestItems);
  const bounds = itemBounds(request, { fewest: fewestItems, residual });
  // without a number of raters, but a cap for each of them, they grow with the items
  const raters = request.raters ?? (request.perRater === undefined ? request.ratings : undefined);
  if (raters === undefined) return bounds;
  const why = "raters differ in which system they prefer";
  const step = (request.design ?? guessKind(request)) === "lists" ? (request.ratings ?? 1) : 1;
  return { ...bounds, held: { parameter: "raters", value: Math.max(2, raters), step, noun: "raters", why } };
}
