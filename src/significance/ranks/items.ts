/** Items that tell systems apart the wrong way, or not at all.
 *      dead        every system has the same score on it
 *      inverted    r_i < 0 beyond chance,   r_i = cor_s(x_is, Σ_{h≠i} x_hs):  better systems do worse on it
 *  Permutations π of the systems, the same for all items: r*_i = cor(x_iπ(s), Σ_{h≠i} x_hs);  p_i = (1 + #{min_h r*_h <= r_i}) / (R + 1)
 *  The probability of naming one item or more that is not inverted is at most α (single step, maximum over items).
 *  Reference: Westfall & Young (1993), Resampling-Based Multiple Testing, ch. 2; Lord & Novick (1968), ch. 15 (item discrimination).
 *  Oracle:    all permutations of small boards; rate of false alarms by simulation (items.test.ts).
 *  Limits:    S systems have S! orders: with four or fewer no item can be named at 95 %. */
import type { Rng } from "../../numeric/rng.ts";
import type { Board } from "./board.ts";

export interface OddItems {
  /** Numbers of items. */
  readonly dead: readonly number[];
  readonly inverted: readonly { readonly item: number; readonly correlation: number; readonly p: number }[];
  readonly permutations: number;
}

/** Additions that take about a second. */
const MOST_WORK = 4e8;
const FEWEST = 199;

export function oddItems(
  { systems, scores, items }: Board,
  { alpha, replicates, rng }: { readonly alpha: number; readonly replicates: number; readonly rng: Rng },
): OddItems {
  const S = systems.length;
  const totals = systems.map((_, s) => {
    let sum = 0;
    for (let i = 0; i < items; i++) sum += scores[i + s * items]!;
    return sum;
  });
  const dead: number[] = [];
  const live: number[] = [];
  const own: Float64Array[] = [];
  const rest: Float64Array[] = [];
  for (let i = 0; i < items; i++) {
    const x = Float64Array.from({ length: S }, (_, s) => scores[i + s * items]!);
    if (x.every((value) => value === x[0])) {
      dead.push(i);
      continue;
    }
    const others = standardized(Float64Array.from(totals, (total, s) => total - x[s]!));
    const z = standardized(x);
    if (others === undefined || z === undefined) continue;
    live.push(i);
    own.push(z);
    rest.push(others);
  }
  const correlation = (k: number, order: Int32Array): number => {
    const [z, r] = [own[k]!, rest[k]!];
    let sum = 0;
    for (let s = 0; s < S; s++) sum += z[order[s]!]! * r[s]!;
    return sum;
  };
  const order = Int32Array.from(systems.keys());
  const observed = live.map((_, k) => correlation(k, order));
  const draws = Math.max(FEWEST, Math.min(replicates, Math.floor(MOST_WORK / Math.max(1, live.length * S))));
  const least = new Float64Array(draws);
  for (let d = 0; d < draws; d++) {
    rng.shuffleInto(order);
    let most = Number.POSITIVE_INFINITY;
    for (let k = 0; k < live.length; k++) most = Math.min(most, correlation(k, order));
    least[d] = most;
  }
  least.sort();
  const inverted = live.flatMap((item, k) => {
    const p = (1 + countUpTo(least, observed[k]! + ROUNDING)) / (draws + 1);
    return observed[k]! < 0 && p <= alpha ? [{ item, correlation: observed[k]!, p }] : [];
  });
  inverted.sort((a, b) => a.correlation - b.correlation || a.item - b.item);
  return { dead, inverted, permutations: draws };
}

/** Two correlations of the same numbers. */
const ROUNDING = 1e-12;

/** Mean 0 and length 1; undefined without spread. */
function standardized(x: Float64Array): Float64Array | undefined {
  const mean = x.reduce((sum, value) => sum + value / x.length, 0);
  const size = Math.sqrt(x.reduce((sum, value) => sum + (value - mean) ** 2, 0));
  return size > ROUNDING * Math.max(1, Math.abs(mean)) ? x.map((value) => (value - mean) / size) : undefined;
}

/** Of ascending numbers those up to a limit. */
function countUpTo(sorted: Float64Array, limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
