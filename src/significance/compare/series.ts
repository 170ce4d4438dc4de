/** What the pictures of a comparison draw beside its figures: single values, without names or texts. Above the limit they stay out or are
 *  binned, so that a stored result stays small. */

import { itemScores } from "../../metrics/metric.ts";
import { type Bin, histogram } from "../../numeric/histogram.ts";
import type { ComparedItems, ComparisonData } from "./comparison.ts";
import type { Groups } from "./matching/matching.ts";
import type { PairItems } from "./pair/differing.ts";
import { gainsOf, isBinary } from "./pair/items.ts";

export interface ItemSeries {
  /** Of the main pair, B - A item by item, in bins; items without a difference have none where there are many values. */
  readonly differences?: readonly Bin[];
  /** Of each system, item by item; absent for right and wrong answers and above the limit. */
  readonly scores?: readonly { readonly system: string; readonly values: readonly number[] }[];
}

/** More values than this are not stored one by one. */
const MOST_VALUES = 5000;
const FEW = 25;

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

export function itemSeries(
  data: ComparedItems,
  systems: readonly string[],
  main: { readonly a: string; readonly b: string },
): ItemSeries {
  if (data.kind === "statistics") return {};
  const n = data.items.length;
  const of = (name: string): Float64Array => {
    const s = systems.indexOf(name);
    return data.means.subarray(s * n, (s + 1) * n);
  };
  const gains = gainsOf(of(main.a), of(main.b));
  // with a bar for each value the ties have theirs
  const drawn = new Set(gains).size > FEW ? gains.filter((own) => own !== 0) : gains;
  const single = systems.length * n <= MOST_VALUES && !isBinary(data.means);
  return {
    differences: histogram(drawn),
    ...(single ? { scores: systems.map((system) => ({ system, values: Array.from(of(system)) })) } : {}),
  };
}
