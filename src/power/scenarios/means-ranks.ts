/** Critical values of the rank tests without ties, found once for a whole simulation.
 *    signed ranks   W = Σ sign(d_i) rank|d_i|: its law over all signs up to 200 pairs, beyond by the normal approximation with continuity
 *    rank sum       U = pairs with y > x: its law by counting up to 2,500 pairs of values, beyond by the same approximation
 *  Reference: Hollander & Wolfe (1999), Nonparametric Statistical Methods, 3.1 and 4.1.
 *  Oracle:    the tests themselves (significance/tests/wilcoxon.ts, significance/tests/rank-sum.ts). */
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { findFirst } from "../../numeric/optim/brent.ts";
import { latticeTail } from "../../resample/sign-flip-exact.ts";

const MOST_COUNTED_PAIRS = 200;
const MOST_COUNTED_PRODUCT = 2500;
const P_ROUNDING = 1e-12;

/** Least W in favour that is significant with `tail` on its side. */
export function criticalSignedRank(n: number, tail: number): number {
  const top = (n * (n + 1)) / 2;
  if (n > MOST_COUNTED_PAIRS) {
    // V = (W + top)/2 has the variance n(n+1)(2n+1)/24, and its correction of ½ is 1 for W
    const sd = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 6);
    return normalQuantileUpper(tail) * sd + 1;
  }
  const steps = Int32Array.from({ length: n }, (_, i) => i + 1);
  const limit = tail * (1 + P_ROUNDING);
  return findFirst(0, top + 1, (w) => w > top || latticeTail(steps, w) <= limit);
}

/** Least U in favour that is significant with `tail` on its side. */
export function criticalRankSum(n1: number, n2: number, tail: number): number {
  const product = n1 * n2;
  if (product > MOST_COUNTED_PRODUCT) {
    return product / 2 + normalQuantileUpper(tail) * Math.sqrt((product * (n1 + n2 + 1)) / 12) + 0.5;
  }
  const counts = countRankSums(n1, n2);
  const total = counts.reduce((a, b) => a + b, 0);
  let above = 0;
  let least = product + 1;
  while (least > 0 && (above + counts[least - 1]!) / total <= tail * (1 + P_ROUNDING)) above += counts[--least]!;
  return least;
}

/** Ways to reach each U = 0 … n1 n2: choose which n1 of the n1 + n2 ranks belong to the first sample. */
function countRankSums(n1: number, n2: number): Float64Array {
  const top = n1 * n2;
  // ways[k][u]: k of the ranks so far chosen, with u others above them passed
  let ways = Array.from({ length: n1 + 1 }, () => new Float64Array(top + 1));
  ways[0]![0] = 1;
  for (let rank = 1; rank <= n1 + n2; rank++) {
    const next = ways.map((row) => row.slice());
    for (let k = 1; k <= Math.min(n1, rank); k++) {
      // the k-th chosen stands above rank - k that were not
      const gain = rank - k;
      if (gain > n2) continue;
      const from = ways[k - 1]!;
      const into = next[k]!;
      for (let u = gain; u <= top; u++) into[u]! += from[u - gain]!;
    }
    ways = next;
  }
  return ways[n1]!;
}
