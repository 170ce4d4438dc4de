/** How few units carry a ranking: the fewest items, clusters or tasks without which a system falls behind another one.
 *      Δ_g = the sum of the differences of unit g,   dropped: the largest Δ_g > 0 one after the other, until Σ Δ_g left < 0
 *  That is exact for means: which of two means is larger depends on the sum of the differences that are left, and no other m units take more from it.
 *      top        the first is overtaken by some other system: the fewest over all others
 *      top k      one of the k best is overtaken by one of the others
 *      at random  proportion of 1000 random choices of as many units without which the same happens
 *  Reference: Broderick, Giordano & Meager (2020), arXiv 2011.14999 (dropping the most influential).
 *  Oracle:    oracle/next/rank-sets.json; all subsets of small boards.
 *  Limits:    means of items, clusters or tasks; not of votes. */
import type { Rng } from "../../numeric/rng.ts";

/** The mean that is left counts as 0 within rounding. */
const ROUNDING = 1e-12;

/** Units to drop, at least one being left, so that the sum of these differences is below 0 (`strict`), or not above; undefined where none do.
 *  The sum of all is not negative. */
export function fewestToDrop(differences: ArrayLike<number>, { strict = true } = {}): number[] | undefined {
  const n = differences.length;
  let [sum, size] = [0, 0];
  for (let i = 0; i < n; i++) {
    sum += differences[i]!;
    size += Math.abs(differences[i]!);
  }
  const tie = ROUNDING * size;
  const isDone = (): boolean => (strict ? sum < -tie : sum <= tie);
  const gains = Int32Array.from({ length: n }, (_, i) => i).filter((i) => differences[i]! > 0);
  gains.sort((a, b) => differences[b]! - differences[a]! || a - b);
  const dropped: number[] = [];
  for (const i of gains) {
    if (isDone()) break;
    if (dropped.length === n - 1) return undefined;
    sum -= differences[i]!;
    dropped.push(i);
  }
  return isDone() ? dropped : undefined;
}

/** Who would overtake whom. */
export interface Overtaking {
  readonly from: number;
  readonly to: number;
  readonly dropped: readonly number[];
}

/** Sums of the units: unit g of system s at sums[g + s · units], larger better. */
export interface UnitSums {
  readonly sums: Float64Array;
  readonly units: number;
}

export function overtakes({ sums, units }: UnitSums, from: number, to: number): number[] | undefined {
  const differences = Float64Array.from({ length: units }, (_, g) => sums[g + from * units]! - sums[g + to * units]!);
  return fewestToDrop(differences);
}

/** The fewest units without which one of `inside` falls behind one of `outside`. */
export function fewestOvertaking(
  given: UnitSums,
  inside: readonly number[],
  outside: readonly number[],
): Overtaking | undefined {
  let best: Overtaking | undefined;
  for (const from of inside)
    for (const to of outside) {
      const dropped = overtakes(given, from, to);
      if (dropped !== undefined && (best === undefined || dropped.length < best.dropped.length))
        best = { from, to, dropped };
    }
  return best;
}

const RANDOM = 1000;

/** Proportion of random choices of as many units without which one of `inside` falls behind one of `outside`. */
export function overtakingAtRandom(
  { sums, units }: UnitSums,
  { inside, outside, count, rng }: { inside: readonly number[]; outside: readonly number[]; count: number; rng: Rng },
): number {
  const all = [...inside, ...outside];
  const totals = new Map(all.map((s) => [s, sums.subarray(s * units, (s + 1) * units).reduce((a, b) => a + b, 0)]));
  const sizes = new Map(
    all.map((s) => [s, sums.subarray(s * units, (s + 1) * units).reduce((a, b) => a + Math.abs(b), 0)]),
  );
  const drawn = new Int32Array(count);
  let overtaken = 0;
  for (let r = 0; r < RANDOM; r++) {
    rng.sampleWithoutReplacementInto(drawn, units);
    const left = (s: number): number => drawn.reduce((sum, g) => sum - sums[g + s * units]!, totals.get(s)!);
    const worst = inside
      .map((s) => ({ left: left(s), size: sizes.get(s)! }))
      .reduce((a, b) => (b.left < a.left ? b : a));
    if (outside.some((s) => left(s) > worst.left + ROUNDING * (worst.size + sizes.get(s)!))) overtaken += 1;
  }
  return overtaken / RANDOM;
}
