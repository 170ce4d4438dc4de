/** Order statistics of all Walsh averages (x_i + x_j)/2, i <= j, and of all differences x_i - y_j, without making them: the number at
 *  or below v is counted in one pass over the sorted values, and v is found by bisection. O(n log n) instead of O(n²).
 *  Reference: Hodges & Lehmann (1963), Ann. Math. Stat. 34; Johnson & Mizoguchi (1978), SIAM J. Comput. 7. */

interface PairFamily {
  /** Smallest and largest value. */
  readonly range: readonly [number, number];
  /** How many are <= v, and the largest of those. */
  count(v: number): { readonly below: number; readonly largest: number };
}

/** Walsh averages of sorted values. */
export function walshAverages(sorted: Float64Array): PairFamily {
  const n = sorted.length;
  return {
    range: [sorted[0]!, sorted[n - 1]!],
    count(v) {
      let below = 0;
      let largest = Number.NEGATIVE_INFINITY;
      for (let i = 0, j = n - 1; i < n; i++) {
        while (j >= i && (sorted[i]! + sorted[j]!) / 2 > v) j--;
        if (j < i) break;
        below += j - i + 1;
        largest = Math.max(largest, (sorted[i]! + sorted[j]!) / 2);
      }
      return { below, largest };
    },
  };
}

/** x_i - y_j of sorted values. */
export function pairDifferences(x: Float64Array, y: Float64Array): PairFamily {
  return {
    range: [x[0]! - y[y.length - 1]!, x[x.length - 1]! - y[0]!],
    count(v) {
      let below = 0;
      let largest = Number.NEGATIVE_INFINITY;
      // as x rises, the smallest y with x - y <= v rises too
      for (let i = 0, j = 0; i < x.length; i++) {
        while (j < y.length && x[i]! - y[j]! > v) j++;
        if (j === y.length) break;
        below += y.length - j;
        largest = Math.max(largest, x[i]! - y[j]!);
      }
      return { below, largest };
    },
  };
}

/** Halvings after which no double lies between the ends. */
const MOST_HALVINGS = 1100;

/** The k-th smallest, k from 1. */
export function kthOf(family: PairFamily, k: number): number {
  let [lo, hi] = family.range;
  if (family.count(lo).below >= k) return lo;
  for (let i = 0; i < MOST_HALVINGS; i++) {
    const middle = lo + (hi - lo) / 2;
    if (middle <= lo || middle >= hi) break;
    const { below, largest } = family.count(middle);
    if (below >= k) hi = largest;
    else lo = middle;
  }
  return hi;
}
