/** Designs of a human evaluation of two systems: who rates which item under which system.
 *    crossed   every rater rates every item under both systems
 *    k-of-m    every item goes to k of the m raters, who rate it under both systems; loads are equal
 *    lists     every text (item under one system) is rated by k raters, and no rater meets an item twice: a Latin square, in
 *              which half of the items come from one system and half from the other. Each of the k ratings has a panel of its own.
 *  Reference: Card et al. (2020), EMNLP, App. H.3 (crossed); Howcroft & Rieser (2021), EMNLP, section 4.2 (lists);
 *             Kirk (2013), Experimental Design, ch. 14 (Latin squares).
 *  Oracle:    counting: every text k times, no rater an item twice, loads that differ by at most a list. */
import { makeRng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";

export const DESIGN_KINDS = ["crossed", "k-of-m", "lists"] as const;
export type DesignKind = (typeof DESIGN_KINDS)[number];

/** What a user says; the rest is worked out by `planDesign`. */
export interface DesignRequest {
  readonly design?: DesignKind | undefined;
  readonly items: number;
  readonly raters?: number | undefined;
  /** Ratings per item and system. */
  readonly ratings?: number | undefined;
  /** Most texts that a rater rates. */
  readonly perRater?: number | undefined;
  /** Lists only: texts per list, dealt out to the panel in turn; default: one list per rater. */
  readonly listLength?: number | undefined;
}

export interface RatingDesign {
  readonly kind: DesignKind;
  readonly items: number;
  readonly raters: number;
  /** Per item and system. */
  readonly ratings: number;
  readonly listLength?: number;
}

/** One entry per rating. */
export interface RatingRows {
  readonly item: Int32Array;
  readonly rater: Int32Array;
  /** 0: baseline, 1: new system. */
  readonly system: Int32Array;
}

/** More ratings than this no human evaluation collects, and no simulation should try to fit. */
const MOST_RATINGS = 5_000_000;

/** Fills in what was left open, and refuses what cannot be built. */
export function planDesign(request: DesignRequest): RatingDesign {
  const { items, ratings, raters, perRater } = request;
  for (const [name, value, least] of [
    ["items", items, 2],
    ["raters", raters, 2],
    ["ratings", ratings, 1],
    ["perRater", perRater, 1],
    ["listLength", request.listLength, 1],
  ] as const) {
    if (value === undefined || (Number.isInteger(value) && value >= least)) continue;
    throw impossible(`${name} = ${value}.`, `it must be a whole number of at least ${least}.`);
  }
  const kind = request.design ?? guessKind(request);
  return kind === "lists" ? planLists(request) : planPaired(request, kind);
}

export const ratingCount = ({ items, ratings }: RatingDesign): number => 2 * items * ratings;

const impossible = (found: string, fix: string): StatError => new StatError("ImpossibleDesign", found, fix);

/** What the request means by what it gives. */
export function guessKind({ ratings, raters, perRater, listLength }: DesignRequest): DesignKind {
  if (listLength !== undefined || (perRater !== undefined && ratings !== undefined && raters === undefined))
    return "lists";
  return ratings === undefined || ratings === raters ? "crossed" : "k-of-m";
}

function planPaired(request: DesignRequest, kind: "crossed" | "k-of-m"): RatingDesign {
  const { items, perRater, listLength } = request;
  if (listLength !== undefined)
    throw impossible(`list-length with the design ${kind}.`, "only the design lists has lists.");
  if (
    kind === "crossed" &&
    request.ratings !== undefined &&
    request.raters !== undefined &&
    request.ratings !== request.raters
  ) {
    throw impossible(
      `${request.ratings} ratings an item with ${request.raters} raters who all rate everything.`,
      `in a crossed design there are as many ratings as raters; use the design k-of-m with 1 to ${request.raters} ratings.`,
    );
  }
  if (perRater === 1) {
    throw impossible(
      "raters who rate 1 text, and rate an item under both systems.",
      "per-rater must be at least 2; or use the design lists.",
    );
  }
  const ratings = request.ratings ?? request.raters;
  if (ratings === undefined) throw impossible("how many raters?", "give their number: `raters: 3`.");
  const fewest =
    perRater === undefined ? 2 : Math.max(2, Math.ceil((2 * items * ratings) / (2 * Math.floor(perRater / 2))));
  const raters = request.raters ?? (kind === "crossed" ? ratings : Math.max(ratings, fewest));
  if (raters < 2) throw impossible(`${raters} rater.`, "give at least 2: the spread between raters must show.");
  if (ratings > raters) {
    throw impossible(
      `${ratings} ratings an item from ${raters} raters, each of whom rates an item once.`,
      `ratings can be 1 to ${raters}; or take at least ${ratings} raters.`,
    );
  }
  if (raters > items * ratings) {
    throw impossible(
      `${raters} raters for ${ratings} ${ratings === 1 ? "rating" : "ratings"} of each of ${items} items.`,
      `at most ${items * ratings} raters have an item to rate.`,
    );
  }
  const load = 2 * Math.ceil((items * ratings) / raters);
  if (perRater !== undefined && load > perRater) {
    throw impossible(
      `${items} items with ${ratings} ratings are ${load} texts a rater, who rates at most ${perRater}.`,
      kind === "crossed"
        ? `a crossed design takes at most ${Math.floor(perRater / 2)} items; use k-of-m or lists.`
        : `take at least ${fewest} raters, or at most ${Math.floor((raters * Math.floor(perRater / 2)) / ratings)} items.`,
    );
  }
  return { kind, items, raters, ratings };
}

function planLists(request: DesignRequest): RatingDesign {
  const { items, perRater, listLength } = request;
  const ratings = request.ratings ?? 1;
  const fewest = ratings * Math.max(2, perRater === undefined ? 2 : Math.ceil((2 * items) / perRater));
  const raters = request.raters ?? (perRater === undefined ? undefined : fewest);
  if (raters === undefined) {
    throw impossible(
      "how many raters rate the lists?",
      "give their number, `raters`, or the most texts that one rates, `perRater`.",
    );
  }
  const panel = raters / ratings;
  if (!Number.isInteger(panel) || panel < 2) {
    throw impossible(
      `${raters} raters for ${ratings} ratings of each text.`,
      `each rating needs a panel of its own of at least 2: take a multiple of ${ratings}, at least ${2 * ratings}.`,
    );
  }
  if (panel > 2 * items) {
    throw impossible(
      `${raters} raters for ${2 * items * ratings} ratings.`,
      `at most ${2 * items * ratings} raters have a text to rate.`,
    );
  }
  if (perRater !== undefined && raters < fewest) {
    throw impossible(
      `${raters} raters rate ${Math.ceil((2 * items) / panel)} texts each, more than ${perRater}.`,
      `take at least ${fewest} raters, or at most ${Math.floor((panel * perRater) / 2)} items.`,
    );
  }
  if (listLength === undefined) return { kind: "lists", items, raters, ratings };
  const blocks = Math.ceil(items / listLength);
  if (blocks % panel === 0) {
    throw impossible(
      `lists of ${listLength} dealt out to a panel of ${panel} bring ${items} items to the same rater under both systems.`,
      `the ${blocks} lists of a system must not be a multiple of the panel: change \`listLength\` or \`raters\`.`,
    );
  }
  return { kind: "lists", items, raters, ratings, listLength };
}

/** The ratings that the design consists of. */
export function layOutDesign(design: RatingDesign): RatingRows {
  const n = ratingCount(design);
  if (n > MOST_RATINGS)
    throw impossible(
      `${n} ratings are more than can be simulated.`,
      `at most ${MOST_RATINGS} are; use \`method: approx\`.`,
    );
  const rows = { item: new Int32Array(n), rater: new Int32Array(n), system: new Int32Array(n) };
  let at = 0;
  const add = (item: number, rater: number, system: number): void => {
    rows.item[at] = item;
    rows.rater[at] = rater;
    rows.system[at] = system;
    at += 1;
  };
  if (design.kind !== "lists") {
    const chosen = dealItems(design);
    for (let i = 0; i < design.items; i++) {
      for (const rater of chosen[i]!) for (const system of [0, 1]) add(i, rater, system);
    }
  } else if (design.listLength === undefined) layOutRanges(design, add);
  else layOutLists(design, design.listLength, add);
  return rows;
}

type Add = (item: number, rater: number, system: number) => void;

/** The k raters of each item: those with the fewest items so far, ties by lot, so that raters meet in ever new groups. */
function dealItems({ items, raters, ratings }: RatingDesign): readonly (readonly number[])[] {
  const all = Array.from({ length: raters }, (_, w) => w);
  if (ratings === raters) return Array.from({ length: items }, () => all);
  const rng = makeRng("rating design");
  const load = new Int32Array(raters);
  const lot = new Float64Array(raters);
  return Array.from({ length: items }, () => {
    for (const w of all) lot[w] = rng.uniform();
    const chosen = [...all].sort((a, b) => load[a]! - load[b]! || lot[a]! - lot[b]!).slice(0, ratings);
    for (const w of chosen) load[w]! += 1;
    return chosen;
  });
}

/** All texts in a circle, first one half of the square, then the other; each rater of a panel takes an arc of at most half of it. */
function layOutRanges({ items, raters, ratings }: RatingDesign, add: Add): void {
  const panel = raters / ratings;
  const circle = 2 * items;
  for (let r = 0; r < ratings; r++) {
    // turned a little for each panel, so that the same items do not always share a rater
    const turn = Math.floor((r * circle) / panel / ratings);
    for (let position = 0; position < circle; position++) {
      const place = (position + turn) % circle;
      const item = position % items;
      const half = position < items ? 0 : 1;
      add(item, r * panel + Math.floor((place * panel) / circle), (item + half) % 2);
    }
  }
}

/** Lists of consecutive items, both halves of the square, dealt out to the panel in turn. */
function layOutLists({ items, raters, ratings }: RatingDesign, length: number, add: Add): void {
  const panel = raters / ratings;
  const blocks = Math.ceil(items / length);
  for (let r = 0; r < ratings; r++) {
    for (let list = 0; list < 2 * blocks; list++) {
      const half = list < blocks ? 0 : 1;
      const first = (list % blocks) * length;
      for (let j = 0; j < Math.min(length, items - first); j++) {
        add(first + j, r * panel + (list % panel), (j + half) % 2);
      }
    }
  }
}

/** As a phrase: "50 items, 15 raters, 3 ratings of each text (lists)". */
export function describeDesign(design: RatingDesign): string {
  const { items, raters, ratings, kind } = design;
  return `${items} items, ${raters} raters, ${ratings} ${ratings === 1 ? "rating" : "ratings"} of each text (${kind}), ${ratingCount(design)} ratings in all`;
}

/** Whether levels and differences of all items and raters leave anything for the residual: more ratings than random effects. */
export const isEstimable = ({ items, raters, ratings }: RatingDesign): boolean => items * ratings > items + raters;

/** For models that estimate the residual variance beside those of items' and raters' levels and differences. */
export function requireEstimable(design: RatingDesign): void {
  if (isEstimable(design)) return;
  const { items, raters } = design;
  throw impossible(
    `${ratingCount(design)} ratings for the levels and differences of ${items} items and ${raters} raters: nothing is left for the residual.`,
    `take at least ${Math.floor((items + raters) / items) + 1} ratings of each text by as many raters, or fewer raters who rate more texts each.`,
  );
}
