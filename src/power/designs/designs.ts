/** Designs of a human evaluation of two systems: who rates which item under which system.
 *    crossed   every worker rates every item under both systems
 *    k-of-m    every item goes to k of the m workers, who rate it under both systems; loads are equal
 *    lists     every text (item under one system) is rated by k workers, and no worker meets an item twice: a Latin square, in
 *              which half of the items come from one system and half from the other. Each of the k ratings has a panel of its own.
 *  Reference: Card et al. (2020), EMNLP, App. H.3 (crossed); Howcroft & Rieser (2021), EMNLP, section 4.2 (lists);
 *             Kirk (2013), Experimental Design, ch. 14 (Latin squares).
 *  Oracle:    counting: every text k times, no worker an item twice, loads that differ by at most a list. */
import { makeRng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";

export const DESIGN_KINDS = ["crossed", "k-of-m", "lists"] as const;
export type DesignKind = (typeof DESIGN_KINDS)[number];

/** What a user says; the rest is worked out by `planDesign`. */
export interface DesignRequest {
  readonly design?: DesignKind | undefined;
  readonly items: number;
  readonly workers?: number | undefined;
  /** Ratings per item and system. */
  readonly ratings?: number | undefined;
  /** Most texts that a worker rates. */
  readonly perWorker?: number | undefined;
  /** Lists only: texts per list, dealt out to the panel in turn; default: one list per worker. */
  readonly listLength?: number | undefined;
}

export interface RatingDesign {
  readonly kind: DesignKind;
  readonly items: number;
  readonly workers: number;
  /** Per item and system. */
  readonly ratings: number;
  readonly listLength?: number;
}

/** One entry per rating. */
export interface RatingRows {
  readonly item: Int32Array;
  readonly worker: Int32Array;
  /** 0: baseline, 1: new system. */
  readonly system: Int32Array;
}

/** More ratings than this no human evaluation collects, and no simulation should try to fit. */
const MOST_RATINGS = 5_000_000;

/** Parameters by the flag that gives them. */
const NAMES: Readonly<Record<string, string>> = {
  workers: "raters",
  perWorker: "per-worker",
  listLength: "list-length",
};

/** Fills in what was left open, and refuses what cannot be built. */
export function planDesign(request: DesignRequest): RatingDesign {
  const { items, ratings, workers, perWorker } = request;
  for (const [name, value, least] of [
    ["items", items, 2],
    ["workers", workers, 2],
    ["ratings", ratings, 1],
    ["perWorker", perWorker, 1],
    ["listLength", request.listLength, 1],
  ] as const) {
    if (value === undefined || (Number.isInteger(value) && value >= least)) continue;
    throw impossible(`${NAMES[name] ?? name} = ${value}.`, `it must be a whole number of at least ${least}.`);
  }
  const kind = request.design ?? guessKind(request);
  return kind === "lists" ? planLists(request) : planPaired(request, kind);
}

export const ratingCount = ({ items, ratings }: RatingDesign): number => 2 * items * ratings;

const impossible = (found: string, fix: string): StatError => new StatError("ImpossibleDesign", found, fix);

/** What the request means by what it gives. */
export function guessKind({ ratings, workers, perWorker, listLength }: DesignRequest): DesignKind {
  if (listLength !== undefined || (perWorker !== undefined && ratings !== undefined && workers === undefined))
    return "lists";
  return ratings === undefined || ratings === workers ? "crossed" : "k-of-m";
}

function planPaired(request: DesignRequest, kind: "crossed" | "k-of-m"): RatingDesign {
  const { items, perWorker, listLength } = request;
  if (listLength !== undefined)
    throw impossible(`list-length with the design ${kind}.`, "only the design lists has lists.");
  if (
    kind === "crossed" &&
    request.ratings !== undefined &&
    request.workers !== undefined &&
    request.ratings !== request.workers
  ) {
    throw impossible(
      `${request.ratings} ratings an item with ${request.workers} raters who all rate everything.`,
      `in a crossed design there are as many ratings as raters; use the design k-of-m with 1 to ${request.workers} ratings.`,
    );
  }
  if (perWorker === 1) {
    throw impossible(
      "raters who rate 1 text, and rate an item under both systems.",
      "per-worker must be at least 2; or use the design lists.",
    );
  }
  const ratings = request.ratings ?? request.workers;
  if (ratings === undefined) throw impossible("how many raters?", "give their number: --raters 3.");
  const fewest =
    perWorker === undefined ? 2 : Math.max(2, Math.ceil((2 * items * ratings) / (2 * Math.floor(perWorker / 2))));
  const workers = request.workers ?? (kind === "crossed" ? ratings : Math.max(ratings, fewest));
  if (workers < 2) throw impossible(`${workers} rater.`, "give at least 2: the spread between raters must show.");
  if (ratings > workers) {
    throw impossible(
      `${ratings} ratings an item from ${workers} raters, each of whom rates an item once.`,
      `ratings can be 1 to ${workers}; or take at least ${ratings} raters.`,
    );
  }
  if (workers > items * ratings) {
    throw impossible(
      `${workers} raters for ${ratings} ${ratings === 1 ? "rating" : "ratings"} of each of ${items} items.`,
      `at most ${items * ratings} raters have an item to rate.`,
    );
  }
  const load = 2 * Math.ceil((items * ratings) / workers);
  if (perWorker !== undefined && load > perWorker) {
    throw impossible(
      `${items} items with ${ratings} ratings are ${load} texts a rater, who rates at most ${perWorker}.`,
      kind === "crossed"
        ? `a crossed design takes at most ${Math.floor(perWorker / 2)} items; use k-of-m or lists.`
        : `take at least ${fewest} raters, or at most ${Math.floor((workers * Math.floor(perWorker / 2)) / ratings)} items.`,
    );
  }
  return { kind, items, workers, ratings };
}

function planLists(request: DesignRequest): RatingDesign {
  const { items, perWorker, listLength } = request;
  const ratings = request.ratings ?? 1;
  const fewest = ratings * Math.max(2, perWorker === undefined ? 2 : Math.ceil((2 * items) / perWorker));
  const workers = request.workers ?? (perWorker === undefined ? undefined : fewest);
  if (workers === undefined) {
    throw impossible(
      "how many raters rate the lists?",
      "give their number, --raters, or the most texts that one rates, --per-worker.",
    );
  }
  const panel = workers / ratings;
  if (!Number.isInteger(panel) || panel < 2) {
    throw impossible(
      `${workers} raters for ${ratings} ratings of each text.`,
      `each rating needs a panel of its own of at least 2: take a multiple of ${ratings}, at least ${2 * ratings}.`,
    );
  }
  if (panel > 2 * items) {
    throw impossible(
      `${workers} raters for ${2 * items * ratings} ratings.`,
      `at most ${2 * items * ratings} raters have a text to rate.`,
    );
  }
  if (perWorker !== undefined && workers < fewest) {
    throw impossible(
      `${workers} raters rate ${Math.ceil((2 * items) / panel)} texts each, more than ${perWorker}.`,
      `take at least ${fewest} raters, or at most ${Math.floor((panel * perWorker) / 2)} items.`,
    );
  }
  if (listLength === undefined) return { kind: "lists", items, workers, ratings };
  const blocks = Math.ceil(items / listLength);
  if (blocks % panel === 0) {
    throw impossible(
      `lists of ${listLength} dealt out to a panel of ${panel} bring ${items} items to the same rater under both systems.`,
      `the ${blocks} lists of a system must not be a multiple of the panel: change --list-length or --raters.`,
    );
  }
  return { kind: "lists", items, workers, ratings, listLength };
}

/** The ratings that the design consists of. */
export function layOutDesign(design: RatingDesign): RatingRows {
  const n = ratingCount(design);
  if (n > MOST_RATINGS)
    throw impossible(
      `${n} ratings are more than can be simulated.`,
      `at most ${MOST_RATINGS} are; use --method approx.`,
    );
  const rows = { item: new Int32Array(n), worker: new Int32Array(n), system: new Int32Array(n) };
  let at = 0;
  const add = (item: number, worker: number, system: number): void => {
    rows.item[at] = item;
    rows.worker[at] = worker;
    rows.system[at] = system;
    at += 1;
  };
  if (design.kind !== "lists") {
    const chosen = dealItems(design);
    for (let i = 0; i < design.items; i++) {
      for (const worker of chosen[i]!) for (const system of [0, 1]) add(i, worker, system);
    }
  } else if (design.listLength === undefined) layOutRanges(design, add);
  else layOutLists(design, design.listLength, add);
  return rows;
}

type Add = (item: number, worker: number, system: number) => void;

/** The k workers of each item: those with the fewest items so far, ties by lot, so that workers meet in ever new groups. */
function dealItems({ items, workers, ratings }: RatingDesign): readonly (readonly number[])[] {
  const all = Array.from({ length: workers }, (_, w) => w);
  if (ratings === workers) return Array.from({ length: items }, () => all);
  const rng = makeRng("rating design");
  const load = new Int32Array(workers);
  const lot = new Float64Array(workers);
  return Array.from({ length: items }, () => {
    for (const w of all) lot[w] = rng.uniform();
    const chosen = [...all].sort((a, b) => load[a]! - load[b]! || lot[a]! - lot[b]!).slice(0, ratings);
    for (const w of chosen) load[w]! += 1;
    return chosen;
  });
}

/** All texts in a circle, first one half of the square, then the other; each worker of a panel takes an arc of at most half of it. */
function layOutRanges({ items, workers, ratings }: RatingDesign, add: Add): void {
  const panel = workers / ratings;
  const circle = 2 * items;
  for (let r = 0; r < ratings; r++) {
    // turned a little for each panel, so that the same items do not always share a worker
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
function layOutLists({ items, workers, ratings }: RatingDesign, length: number, add: Add): void {
  const panel = workers / ratings;
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
  const { items, workers, ratings, kind } = design;
  return `${items} items, ${workers} raters, ${ratings} ${ratings === 1 ? "rating" : "ratings"} of each text (${kind}), ${ratingCount(design)} ratings in all`;
}

/** Whether levels and differences of all items and workers leave anything for the residual: more ratings than random effects. */
export const isEstimable = ({ items, workers, ratings }: RatingDesign): boolean => items * ratings > items + workers;

/** For models that estimate the residual variance beside those of items' and workers' levels and differences. */
export function requireEstimable(design: RatingDesign): void {
  if (isEstimable(design)) return;
  const { items, workers } = design;
  throw impossible(
    `${ratingCount(design)} ratings for the levels and differences of ${items} items and ${workers} raters: nothing is left for the residual.`,
    `take at least ${Math.floor((items + workers) / items) + 1} ratings of each text by as many raters, or fewer raters who rate more texts each.`,
  );
}
