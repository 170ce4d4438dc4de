/** What the pictures of a comparison draw beside its figures: single values, without names or texts. Above the limit they stay out or are
 *  binned, so that a stored result stays small. */

import { countValues } from "../../data/counts.ts";
import { mean, quantile, standardDeviation } from "../../data/moments.ts";
import { itemScores } from "../../metrics/metric.ts";
import { type Bin, histogram } from "../../numeric/histogram.ts";
import { signOf } from "../../result/verdict.ts";
import type { ComparedItems, ComparedPair, ComparisonData } from "./comparison.ts";
import type { Groups } from "./matching/matching.ts";
import type { PairItems } from "./pair/differing.ts";
import { gainsOf, isBinary, scoresOf } from "./pair/items.ts";
import type { Direction } from "./pair/verdict.ts";
import type { SystemScore } from "./system-scores.ts";

export interface ItemSeries {
  /** Of the main pair, B - A item by item, in bins; items without a difference have none where there are many values. */
  readonly differences?: readonly Bin[];
  /** Of each system, item by item; absent for right and wrong answers and above the limit. */
  readonly scores?: readonly { readonly system: string; readonly values: readonly number[] }[];
  /** Of each system, all items and class by class: how its scores spread; absent for right and wrong answers. */
  readonly spread?: readonly ScoreSpread[];
  /** Of three systems or more, all pairs of which were tested. */
  readonly ranks?: readonly RankRange[];
}

/** Scores of one system's items, or of those in one class. */
export interface ScoreSpread {
  readonly system: string;
  /** The property of the items and its value; absent for all items. */
  readonly column?: string;
  readonly value?: string;
  readonly n: number;
  readonly mean: number;
  readonly sd: number;
  readonly min: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly max: number;
}

/** Ranks that the tests leave open: one more than the systems shown to be better, to one less for each shown to be worse. */
export interface RankRange {
  readonly system: string;
  /** By the scores, 1 the best; the highest where no direction is known. */
  readonly rank: number;
  readonly from: number;
  readonly to: number;
}

/** More values than this are not stored one by one. */
const MOST_VALUES = 5000;
const FEW = 25;
const MOST_CLASSES = 12;

/** What two systems scored on each item; a metric of the whole set is that of the item by itself. */
export function itemsOf(input: ComparisonData, [a, b]: readonly [number, number]): PairItems {
  const { systems, data, clusters, slices = new Map<string, Groups>(), perItem } = input;
  const n = data.items.length;
  const values = perItem ?? (data.kind === "scores" ? data.means : undefined);
  const own = (s: number): Float64Array =>
    values === undefined
      ? itemScores((data as Extract<ComparedItems, { kind: "statistics" }>).statistics[s]!)
      : values.subarray(s * n, (s + 1) * n);
  return {
    a: systems[a]!,
    b: systems[b]!,
    items: data.items,
    scoresA: own(a),
    scoresB: own(b),
    groups: new Map([...slices, ...(clusters === undefined ? [] : [["cluster", clusters] as const])]),
  };
}

export interface SeriesContext {
  readonly systems: readonly string[];
  readonly main: { readonly a: string; readonly b: string };
  readonly pairs: readonly ComparedPair[];
  readonly scores: readonly SystemScore[];
  readonly higherIsBetter: Direction;
  /** Classes of the items by the name of the property. */
  readonly groups: ReadonlyMap<string, Groups>;
}

export function itemSeries(data: ComparedItems, context: SeriesContext): ItemSeries {
  const { systems, main } = context;
  const ranks = rankRanges(context);
  if (data.kind === "statistics") return ranks;
  const n = data.items.length;
  const of = (name: string): Float64Array => {
    const s = systems.indexOf(name);
    return scoresOf(data.means, n, s);
  };
  const gains = gainsOf(of(main.a), of(main.b));
  // with a bar for each value the ties have theirs
  const drawn = countValues(gains).of.size > FEW ? gains.filter((own) => own !== 0) : gains;
  const binary = systems.every((name) => isBinary(of(name)));
  const single = systems.length * n <= MOST_VALUES && !binary;
  return {
    differences: histogram(drawn),
    ...(single ? { scores: systems.map((system) => ({ system, values: Array.from(of(system)) })) } : {}),
    ...(binary ? {} : { spread: systems.flatMap((system) => spreadsOf(system, of(system), context.groups)) }),
    ...ranks,
  };
}

function spreadsOf(system: string, scores: Float64Array, groups: SeriesContext["groups"]): ScoreSpread[] {
  const within = [...groups]
    .filter(([, { names }]) => names.length > 1 && names.length <= MOST_CLASSES)
    .flatMap(([column, { names, codes }]) =>
      names.flatMap((value, code): ScoreSpread[] => {
        const own = scores.filter((_, i) => codes[i] === code);
        return own.length === 0 ? [] : [{ ...spreadOf(system, own), column, value }];
      }),
    );
  return [spreadOf(system, scores), ...within];
}

function spreadOf(system: string, scores: Float64Array): ScoreSpread {
  const sorted = scores.slice().sort();
  return {
    system,
    n: scores.length,
    mean: mean(scores),
    sd: standardDeviation(scores),
    min: sorted[0]!,
    lowerQuartile: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    upperQuartile: quantile(sorted, 0.75),
    max: sorted[sorted.length - 1]!,
  };
}

function rankRanges({ systems, pairs, scores, higherIsBetter }: SeriesContext): Pick<ItemSeries, "ranks"> {
  const k = systems.length;
  if (k < 3 || pairs.length !== (k * (k - 1)) / 2) return {};
  const better = new Map(systems.map((name) => [name, 0]));
  const worse = new Map(systems.map((name) => [name, 0]));
  const add = (counts: Map<string, number>, name: string): void => void counts.set(name, counts.get(name)! + 1);
  for (const { a, b, verdict } of pairs) {
    const sign = signOf(verdict);
    if (sign === 0) continue;
    const [winner, loser] = sign > 0 ? [b, a] : [a, b];
    add(better, loser);
    add(worse, winner);
  }
  const value = ({ score }: SystemScore): number => (higherIsBetter === false ? -score : score);
  const sorted = [...scores].sort((a, b) => value(b) - value(a));
  return {
    ranks: sorted.map((own) => ({
      system: own.name,
      rank: 1 + sorted.filter((other) => value(other) > value(own)).length,
      from: 1 + better.get(own.name)!,
      to: k - worse.get(own.name)!,
    })),
  };
}
