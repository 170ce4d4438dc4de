/** Mid-ranks: tied values share the mean of their places. What ties up to rounding is made equal before (numeric/ties.ts). */
export interface Ranks {
  readonly ranks: Float64Array;
  /** Sizes of the groups of equal values, in order. */
  readonly ties: readonly number[];
  /** Σ (t³ - t) over those groups. */
  readonly tieSum: number;
}

export function midRanks(values: Float64Array): Ranks {
  const n = values.length;
  const order = Int32Array.from({ length: n }, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(n);
  const ties: number[] = [];
  for (let first = 0; first < n; ) {
    let last = first;
    while (last + 1 < n && values[order[last + 1]!] === values[order[first]!]) last++;
    for (let k = first; k <= last; k++) ranks[order[k]!] = (first + last) / 2 + 1;
    ties.push(last - first + 1);
    first = last + 1;
  }
  return { ranks, ties, tieSum: ties.reduce((sum, t) => sum + (t ** 3 - t), 0) };
}

export const hasTies = ({ tieSum }: Ranks): boolean => tieSum > 0;
