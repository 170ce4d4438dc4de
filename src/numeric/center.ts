/** Values far from 0 for their spread (1e15 + 1, 1e15 + 2) lose the digits of their sums and squares: the mean of 1e15, 1e15 and 1e15 + 1 is
 *  off by 0.08. Less one of them, which is exact, they keep them all. Values that lie nearer to 0 are left as they are. */

import { settleTies } from "./ties.ts";

/** Sums of values up to this many times their range keep ten digits of it. */
const FAR = 2 ** 20;

/** What to take from all samples: 0, or their smallest value where they are far from 0. */
export function centerOf(...samples: readonly Float64Array[]): number {
  let [least, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const own of samples) {
    for (const v of own) {
      if (v < least) least = v;
      if (v > largest) largest = v;
    }
  }
  return Math.max(-least, largest) > FAR * (largest - least) ? least : 0;
}

/** The samples less their center, for what does not change with a constant added to all. Values that tie do so before: less their
 *  center, their rounding error would be a difference. */
export function lessCenter(...samples: readonly Float64Array[]): Float64Array[] {
  const center = centerOf(...samples);
  return center === 0 ? [...samples] : settleTies(...samples).map((own) => own.map((v) => v - center));
}
