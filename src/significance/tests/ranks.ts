/** Mid-ranks: tied values share the mean of their places. */
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

/** Differences of equal decimals differ in the last bits; ranks must not. Rounded to this many significant digits of the largest. */
const TIE_DIGITS = 12;

/** Values rounded so that those equal up to rounding error tie. */
export function roundForTies(values: Float64Array): Float64Array {
  let largest = 0;
  for (const v of values) largest = Math.max(largest, Math.abs(v));
  if (largest === 0) return values;
  const unit = 10 ** (Math.ceil(Math.log10(largest)) - TIE_DIGITS);
  return values.map((v) => Math.round(v / unit) * unit);
}
