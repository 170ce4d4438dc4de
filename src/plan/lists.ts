/** The lists of a human evaluation: which texts (an item under a system) each rater rates, and in which order.
 *    crossed   every rater rates every item under all systems
 *    k-of-m    an item goes to k of the m raters, under all systems: those with the fewest items so far, among them those who have shared the
 *              fewest items with the raters that it has (a balanced incomplete design as far as the numbers allow)
 *    lists     nobody meets an item twice: k raters for each of its texts, systems dealt out so that the numbers of a rater's texts, by
 *              system, differ by at most one (equitable.ts); with as many raters as systems times ratings this is a Latin square
 *    order     blocks with a text of each system, turned from rater to rater, so that at every place of the lists the systems are as frequent as
 *              can be; of a system's texts the one whose item was seen longest ago comes next
 *  What the numbers leave uneven is counted from the lists themselves (`balanceOf`).
 *  Reference: Kirk (2013), Experimental Design, ch. 9 and 14; Williams (1949), Aust. J. Sci. Res. A 2 (order); Howcroft & Rieser (2021), section 4.
 *  Oracle:    counting (lists.test.ts). */
import type { Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";
import { leastOf, mostOf } from "../result/extremes.ts";
import { colorEquitably, type Edge } from "./equitable.ts";
import type { EvaluationPlan } from "./plan.ts";
import { shuffled } from "./schedule.ts";

export interface RatingTask {
  /** Of the text, without what it is: what raters may see. */
  readonly id: string;
  readonly rater: string;
  /** From 1, attention checks counted. */
  readonly position: number;
  /** Empty for an attention check. */
  readonly item: string;
  readonly system: string;
  /** The answer that an attention check asks for; NaN for a text. */
  readonly check: number;
}

/** The largest differences that the lists leave. */
export interface ListBalance {
  readonly texts: number;
  /** Texts of a rater, without attention checks. */
  readonly perRater: readonly [least: number, most: number];
  /** Within a rater, between the numbers of texts by system. */
  readonly systems: number;
  /** At one place of the lists, between the numbers of raters by system. */
  readonly positions: number;
  /** Items that two raters share: fewest and most. */
  readonly shared: readonly [least: number, most: number];
  /** Texts between two of one item in a list, at least; Infinity where no item returns. */
  readonly apart: number;
}

export interface RatingLists {
  readonly tasks: readonly RatingTask[];
  readonly balance: ListBalance;
}

type Listed = Pick<EvaluationPlan, "systems" | "ratings">;

/** One text: an item and a system by their places. */
interface Text {
  readonly item: number;
  readonly system: number;
}

export function listRatings({ systems, ratings }: Listed, items: readonly string[], rng: Rng): RatingLists {
  if (ratings === undefined)
    throw new StatError("BadPlan", "lists of raters need ratings in the plan.", "Give ratings: { raters: 6 }.");
  const { raters, checks, points, perRater } = ratings;
  const lists = textsOf({ systems, ratings }, items.length, rng);
  const most = mostOf(lists.map((texts) => texts.length));
  if (perRater !== undefined && most > perRater)
    throw new StatError(
      "ImpossibleDesign",
      `${items.length} items are ${most} texts a rater, who rates at most ${perRater}.`,
      "Plan more raters, fewer items, or fewer ratings of an item.",
    );
  const ordered = orderLists(lists, systems.length, rng);
  const digits = String(raters).length;
  const names = Array.from({ length: raters }, (_, w) => `rater-${String(w + 1).padStart(digits, "0")}`);
  const places = checkPlaces(most, checks, rng);
  const codes = shuffled(
    Array.from({ length: lists.reduce((sum, texts) => sum + texts.length, 0) }, (_, k) => k + 1),
    rng,
  );
  const width = String(codes.length).length;
  let next = 0;
  const tasks = ordered.flatMap((texts, w) => {
    const own: Omit<RatingTask, "position" | "rater">[] = texts.map(({ item, system }) => ({
      id: `t${String(codes[next++]!).padStart(width, "0")}`,
      item: items[item]!,
      system: systems[system]!,
      check: Number.NaN,
    }));
    places.forEach((place, c) => {
      const asked = 1 + rng.int(points!);
      own.splice(Math.min(place, own.length), 0, { id: `c${w + 1}-${c + 1}`, item: "", system: "", check: asked });
    });
    return own.map((task, k): RatingTask => ({ ...task, rater: names[w]!, position: k + 1 }));
  });
  return { tasks, balance: balanceOf(ordered, systems.length) };
}

/** Of each rater, in no order. */
function textsOf({ systems, ratings }: Listed, items: number, rng: Rng): Text[][] {
  const { raters, perItem, design } = ratings!;
  const k = systems.length;
  const lists: Text[][] = Array.from({ length: raters }, () => []);
  const each = design === "lists" ? perItem * k : perItem;
  if (each > raters)
    throw new StatError(
      "ImpossibleDesign",
      design === "lists"
        ? `${perItem} ratings of ${k} texts of an item take ${each} raters where nobody meets it twice, and there are ${raters}.`
        : `${perItem} ratings of an item from ${raters} raters, each of whom rates a text once.`,
      design === "lists" ? `Plan ${each} raters or more, or the design k-of-m.` : "Plan more raters, or fewer ratings.",
    );
  const chosen = dealRaters(items, { raters, each, rng });
  if (design !== "lists") {
    chosen.forEach((own, item) => {
      for (const w of own) for (let system = 0; system < k; system++) lists[w]!.push({ item, system });
    });
    return lists;
  }
  const edges: Edge[] = chosen.flatMap((own, item) => own.map((rater) => ({ left: item, right: rater })));
  // turned from item to item: with as many raters as texts this is a Latin square already
  const start = Int32Array.from(edges, ({ left, right }, e) => (each === raters ? (left + right) % k : e % k));
  const colors = colorEquitably(edges, k, start);
  edges.forEach(({ left, right }, e) => {
    lists[right]!.push({ item: left, system: colors[e]! });
  });
  return lists;
}

/** For each item those with the fewest items so far, then those who share the fewest with the others of it, then by lot. */
function dealRaters(
  items: number,
  { raters, each, rng }: { readonly raters: number; readonly each: number; readonly rng: Rng },
): number[][] {
  const all = Array.from({ length: raters }, (_, w) => w);
  if (each === raters) return Array.from({ length: items }, () => all);
  const load = new Int32Array(raters);
  const met = Array.from({ length: raters }, () => new Int32Array(raters));
  return Array.from({ length: items }, () => {
    const lot = Float64Array.from(all, () => rng.uniform());
    const chosen: number[] = [];
    const known = (w: number): number => chosen.reduce((sum, other) => sum + met[w]![other]!, 0);
    while (chosen.length < each) {
      const left = all.filter((w) => !chosen.includes(w));
      const [best] = left.sort((a, b) => load[a]! - load[b]! || known(a) - known(b) || lot[a]! - lot[b]!);
      chosen.push(best!);
    }
    for (const w of chosen) {
      load[w]! += 1;
      for (const other of chosen) if (other !== w) met[w]![other]! += 1;
    }
    return chosen.sort((a, b) => a - b);
  });
}

function orderLists(lists: readonly (readonly Text[])[], k: number, rng: Rng): Text[][] {
  const counts = lists.map((texts) => {
    const own = new Int32Array(k);
    for (const { system } of texts) own[system]! += 1;
    return own;
  });
  // whoever has more texts comes first, so that the raters of any block are turned one by one
  const turn = shuffled(
    lists.map((_, w) => w),
    rng,
  ).sort((a, b) => leastOf(counts[b]!) - leastOf(counts[a]!));
  const blocks = mostOf(counts.map((own) => leastOf(own)));
  const orders = Array.from({ length: blocks }, () =>
    shuffled(
      Array.from({ length: k }, (_, s) => s),
      rng,
    ),
  );
  // of the texts that no whole block is left for, at each place the system that is rarest there
  const seen = new Map<number, Int32Array>();
  const sequences: number[][] = lists.map(() => []);
  turn.forEach((w, place) => {
    const own = counts[w]!;
    const whole = leastOf(own);
    const sequence = orders.slice(0, whole).flatMap((order) => order.map((_, q) => order[(q + place) % k]!));
    const rest = Array.from(own).flatMap((n, s) => Array.from({ length: n - whole }, () => s));
    while (rest.length > 0) {
      const at = seen.get(sequence.length) ?? new Int32Array(k);
      seen.set(sequence.length, at);
      const s = rest.reduce((a, b) => (at[b]! < at[a]! ? b : a));
      rest.splice(rest.indexOf(s), 1);
      at[s]! += 1;
      sequence.push(s);
    }
    sequences[w] = sequence;
  });
  return lists.map((texts, w) => {
    const last = new Map<number, number>();
    const left = shuffled([...texts], rng);
    return sequences[w]!.map((system, p) => {
      let best = -1;
      left.forEach((text, j) => {
        if (text.system !== system) return;
        const seenAt = (one: Text): number => last.get(one.item) ?? -1;
        if (best < 0 || seenAt(text) < seenAt(left[best]!)) best = j;
      });
      const [text] = left.splice(best, 1);
      last.set(text!.item, p);
      return text!;
    });
  });
}

/** The same places in all lists, so that the checks move no text against another rater's. */
function checkPlaces(length: number, checks: number, rng: Rng): number[] {
  return Array.from({ length: checks }, (_, c) => {
    const width = length / checks;
    // not the first text, which may be looked at with more care
    return Math.min(length, 1 + Math.floor(c * width + rng.uniform() * Math.max(1, width - 1))) + c;
  });
}

export function balanceOf(lists: readonly (readonly Text[])[], k: number): ListBalance {
  const spread = (counts: Iterable<number>): number => mostOf(counts) - leastOf(counts);
  const bySystem = (texts: readonly Text[]): Int32Array => {
    const own = new Int32Array(k);
    for (const { system } of texts) own[system]! += 1;
    return own;
  };
  const lengths = lists.map((texts) => texts.length);
  const places = Array.from({ length: mostOf(lengths) }, (_, p) =>
    lists.flatMap((texts) => (texts[p] === undefined ? [] : [texts[p]])),
  );
  const items = lists.map((texts) => new Set(texts.map(({ item }) => item)));
  const shared = items.flatMap((own, w) =>
    items.slice(w + 1).map((other) => Array.from(own).filter((item) => other.has(item)).length),
  );
  const apart = lists.flatMap((texts) => {
    const last = new Map<number, number>();
    return texts.flatMap(({ item }, p) => {
      const before = last.get(item);
      last.set(item, p);
      return before === undefined ? [] : [p - before - 1];
    });
  });
  return {
    texts: lengths.reduce((a, b) => a + b, 0),
    perRater: [leastOf(lengths), mostOf(lengths)],
    systems: mostOf(lists.map((texts) => spread(bySystem(texts)))),
    positions: mostOf(places.map((texts) => spread(bySystem(texts)))),
    shared: shared.length === 0 ? [0, 0] : [leastOf(shared), mostOf(shared)],
    apart: apart.length === 0 ? Number.POSITIVE_INFINITY : leastOf(apart),
  };
}
