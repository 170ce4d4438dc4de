/** Exact distribution of S = Σ ± a_i, signs fair and independent: the null distribution of a paired difference.
 *
 *  Whole numbers a_i.   S = 2U - A with A = Σ a_i and U = Σ a_i B_i, B_i ~ Bernoulli(1/2). Equal a_i are added at once as a
 *  binomial. So that far tails keep their digits, U is counted under the tilted law π_i = 1/(1 + e^(-2θ a_i)), whose mean of S is the
 *  observed s (saddlepoint), and weighted back:   P(S >= s) = Σ_{2k - A >= s} P_θ(U = k) exp(Σ log cosh θ a_i - θ (2k - A)).
 *  Any numbers, at most 40 of them: the sums of the first and of the second half are sorted and matched (meet in the middle).
 *  Reference: Pagano & Tritchler (1983), J. Am. Stat. Assoc. 78; Green (1977), J. Am. Stat. Assoc. 72; Horowitz & Sahni (1974), J. ACM 21.
 *  Oracle:    full enumeration for n <= 20; binomial tails.
 *  Limits:    cost is bounded beforehand by `signFlipCost`. */
import { binomialPmf } from "../numeric/dist/binomial.ts";
import { convolveProbabilities } from "../numeric/fft.ts";
import { findRoot } from "../numeric/optim/brent.ts";

/** Halves of 20 give 2^20 sums each: a tenth of a second. */
export const MOST_ENUMERATED = 40;
/** One transform of length N costs about as many additions as this times N log2 N. */
const TRANSFORM_COST = 40;

interface Group {
  readonly value: number;
  readonly count: number;
}

/** Rough number of additions for the exact tail of these absolute steps. */
export function signFlipCost(steps: Int32Array): number {
  let length = 1;
  let cost = 0;
  for (const { value, count } of groupValues(steps)) {
    length += value * count;
    cost += Math.min(count * length, transformCost(length));
  }
  return cost;
}

function transformCost(length: number): number {
  const padded = 2 ** Math.ceil(Math.log2(length + 1));
  return TRANSFORM_COST * padded * Math.log2(padded + 1);
}

function groupValues(steps: Int32Array): Group[] {
  const counts = new Map<number, number>();
  for (let i = 0; i < steps.length; i++) {
    const value = Math.abs(steps[i]!);
    if (value > 0) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => a.value - b.value);
}

/** P(S >= observed) for whole numbers; signs of `steps` do not matter. */
export function latticeTail(steps: Int32Array, observed: number): number {
  const groups = groupValues(steps);
  const total = groups.reduce((sum, { value, count }) => sum + value * count, 0);
  if (observed > total) return 0;
  if (observed <= -total) return 1;
  // the lower half from the upper one, where the tail is the small number
  if (observed < 0) return 1 - latticeTail(steps, 1 - observed);
  const items = groups.reduce((sum, { count }) => sum + count, 0);
  if (observed === total) return 0.5 ** items;
  const theta = tilt(groups, observed);
  const law = tiltedLaw(groups, theta, total);
  let logCosh = 0;
  for (const { value, count } of groups) logCosh += count * (Math.log1p(Math.exp(-2 * theta * value)) + theta * value);
  logCosh -= items * Math.LN2;
  let tail = 0;
  for (let k = total; 2 * k - total >= observed; k--) {
    if (law[k]! > 0) tail += law[k]! * Math.exp(logCosh - theta * (2 * k - total));
  }
  return Math.min(1, tail);
}

/** θ with E_θ S = Σ a tanh(θ a) = s. */
function tilt(groups: readonly Group[], observed: number): number {
  if (observed === 0) return 0;
  const gap = (theta: number): number =>
    groups.reduce((sum, { value, count }) => sum + count * value * Math.tanh(theta * value), -observed);
  let high = 1 / groups[groups.length - 1]!.value;
  while (gap(high) < 0 && high < 700) high *= 2;
  return findRoot(gap, 0, high, { tolerance: 1e-6 * high }).root;
}

function tiltedLaw(groups: readonly Group[], theta: number, total: number): Float64Array {
  let law = new Float64Array(total + 1);
  law[0] = 1;
  let top = 0;
  for (const { value, count } of groups) {
    const p = 1 / (1 + Math.exp(-2 * theta * value));
    const next = top + value * count;
    if (count * next <= transformCost(next)) {
      for (let i = 0; i < count; i++) {
        top += value;
        addFlip(law, top, value, p);
      }
    } else {
      const spread = new Float64Array(value * count + 1);
      for (let j = 0; j <= count; j++) spread[j * value] = binomialPmf(j, count, p);
      const sum = convolveProbabilities(law.subarray(0, top + 1), spread).values;
      law = new Float64Array(total + 1);
      law.set(sum.subarray(0, next + 1));
      top = next;
    }
  }
  return law;
}

/** U + aB in place: law[k] = (1-p) law[k] + p law[k-a], from the top down. */
function addFlip(law: Float64Array, top: number, value: number, p: number): void {
  const q = 1 - p;
  for (let k = top; k >= value; k--) law[k] = q * law[k]! + p * law[k - value]!;
  for (let k = Math.min(value - 1, top); k >= 0; k--) law[k] = q * law[k]!;
}

/** P(S >= observed - tolerance) over all sign vectors, by two sorted halves. */
export function enumeratedTail(values: Float64Array, observed: number, tolerance: number): number {
  const half = values.length >> 1;
  const low = signedSums(values.subarray(0, half)).sort();
  const high = signedSums(values.subarray(half)).sort();
  const bound = observed - tolerance;
  let count = 0;
  let j = high.length;
  for (let i = 0; i < low.length; i++) {
    while (j > 0 && low[i]! + high[j - 1]! >= bound) j--;
    count += high.length - j;
  }
  return count / 2 ** values.length;
}

function signedSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(2 ** values.length);
  let filled = 1;
  for (let i = 0; i < values.length; i++) {
    for (let k = 0; k < filled; k++) {
      sums[filled + k] = sums[k]! + values[i]!;
      sums[k]! -= values[i]!;
    }
    filled *= 2;
  }
  return sums;
}
