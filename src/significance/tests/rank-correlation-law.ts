/** Null distributions of rank correlations.
 *    Kendall    without ties, T concordant pairs of n(n-1)/2: as many orders have T as have T inversions, counted one item at a time;
 *               with ties, S = concordant less discordant pairs over all different orders of y, n <= 9
 *    Spearman   all different orders of the mid-ranks of y for n <= 9, with ties and without; beyond, without ties, the Edgeworth series
 *               of AS 89 for S = Σ(rank difference)²
 *    any        one of the n!/Π t! different orders is perfect, t the sizes of tied groups: no tail is smaller than one in so many
 *  Reference: Kendall & Gibbons (1990); Best & Roberts (1975), Appl. Stat. 24, 377 (AS 89).
 *  Oracle:    full enumeration. */
import { normalCdf, normalSf } from "../../numeric/dist/normal.ts";
import { logGamma } from "../../numeric/special/gamma.ts";

type Tail = "lower" | "upper";

/** P(T <= t) or P(T >= t). */
export function kendallTail(t: number, n: number, tail: Tail): number {
  const top = (n * (n - 1)) / 2;
  let law = Float64Array.of(1);
  for (let k = 2; k <= n; k++) {
    // item k makes 0 … k-1 inversions with what stands before it
    const next = new Float64Array(law.length + k - 1);
    let running = 0;
    for (let i = 0; i < next.length; i++) {
      if (i < law.length) running += law[i]!;
      if (i >= k) running -= law[i - k]!;
      next[i] = Math.max(0, running) / k;
    }
    law = next;
  }
  // both tails from their own end, the smaller one keeps its digits
  const at = tail === "lower" ? t : top - t;
  let sum = 0;
  for (let i = 0; i <= Math.min(top, at); i++) sum += law[i]!;
  return Math.min(1, sum);
}

/** 9! = 362,880 orders: a few milliseconds. */
export const LARGEST_ENUMERATED = 9;

interface Tails {
  readonly lower: number;
  readonly upper: number;
}

/** P(S >= s) and P(S <= s), S of Kendall, over all different orders of y against x. */
export const concordanceTails = (x: Float64Array, y: Float64Array, s: number): Tails =>
  orderTails(y, s, (value, i, placed) => {
    let own = 0;
    for (let k = 0; k < i; k++) own += Math.sign(x[i]! - x[k]!) * Math.sign(value - placed[k]!);
    return own;
  });

/** P(ρ >= r) and P(ρ <= r) over all different orders of y, for mid-ranks x and y that correlate with r. */
export function rankTails(x: Float64Array, y: Float64Array): Tails {
  // mid-ranks are halves: their products are exact
  const product = x.reduce((sum, rank, i) => sum + rank * y[i]!, 0);
  return orderTails(y, product, (value, i) => x[i]! * value);
}

/** Shares of the different orders of y whose sum is at most, and at least, s; `own` is what the value at place i adds. */
function orderTails(
  y: Float64Array,
  s: number,
  own: (value: number, i: number, placed: Float64Array) => number,
): Tails {
  const n = y.length;
  const levels = Float64Array.from(new Set(y)).sort();
  const left = Array.from(levels, (level) => y.reduce((count, v) => count + (v === level ? 1 : 0), 0));
  const placed = new Float64Array(n);
  let [all, above, below] = [0, 0, 0];
  const place = (i: number, sum: number): void => {
    if (i === n) {
      all++;
      if (sum >= s) above++;
      if (sum <= s) below++;
      return;
    }
    for (let j = 0; j < left.length; j++) {
      if (left[j] === 0) continue;
      left[j]!--;
      placed[i] = levels[j]!;
      place(i + 1, sum + own(levels[j]!, i, placed));
      left[j]!++;
    }
  };
  place(0, 0);
  return { upper: above / all, lower: below / all };
}

/** The probability of one of the different orders of values with such ties. */
export function oneOrder(ties: readonly number[]): number {
  const n = ties.reduce((sum, t) => sum + t, 0);
  return Math.exp(ties.reduce((sum, t) => sum + logGamma(t + 1), 0) - logGamma(n + 1));
}

/** P(S <= s) or P(S >= s), without ties, by the Edgeworth series. */
export function spearmanTail(s: number, n: number, tail: Tail): number {
  const top = (n ** 3 - n) / 3;
  if (tail === "lower") return s >= top ? 1 : s < 0 ? 0 : edgeworth(s + 2, n, tail);
  return s <= 0 ? 1 : s > top ? 0 : edgeworth(s, n, tail);
}

/** P(S >= s), or P(S < s), by AS 89's series in 1/n. */
function edgeworth(s: number, n: number, tail: Tail): number {
  const b = 1 / n;
  const x = ((6 * (s - 1) * b) / (n * n - 1) - 1) * Math.sqrt(1 / b - 1);
  const y = x * x;
  const u =
    x *
    b *
    (0.2274 +
      b * (0.2531 + 0.1745 * b) +
      y *
        (-0.0758 +
          b * (0.1033 + 0.3932 * b) -
          y * b * (0.0879 + 0.0151 * b - y * (0.0072 - 0.0831 * b + y * b * (0.0131 - 4.6e-4 * y)))));
  const correction = u / Math.exp(y / 2);
  const p = tail === "upper" ? normalSf(x) + correction : normalCdf(x) - correction;
  // far out the series falls below 0
  return Math.max(oneOrder(new Array(n).fill(1)), Math.min(1, p));
}
