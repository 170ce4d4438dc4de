/** Mutual information of two classifications, from the counts of their table (r × c, row by row).   p = n_ij / n
 *    I = Σ p_ij log(p_ij / (p_i. p_.j))       NMI = I / √(H_x H_y)       PMI_ij = log₂(p_ij / (p_i. p_.j))
 *  The plug-in I is too large by about (filled cells - rows - columns + 1)/2n; Miller and Madow's correction takes that off, and what
 *  falls below 0 is 0. Smoothed PMI adds k to every cell first; positive PMI is 0 where PMI is negative.
 *  Reference: Cover & Thomas (1991), ch. 2; Miller (1955) for the bias; Church & Hanks (1990), Comput. Linguist. 16 (PMI);
 *             Gururangan et al. (2018), NAACL (smoothed PMI of words and classes).
 *  Oracle:    closed forms; entropies in R, oracle/r/bias.json.
 *  Limits:    I is in nats, PMI in bits. */

export interface Information {
  /** Plug-in mutual information, nats. */
  readonly plugIn: number;
  /** Corrected for its bias, not below 0. */
  readonly corrected: number;
  /** `corrected` over the geometric mean of the entropies; NaN where one of the two does not vary. */
  readonly normalised: number;
  /** The same without the bounds 0 and 1. */
  readonly unbounded: number;
}

export function mutualInformation(counts: Float64Array, rows: number): Information {
  const cols = counts.length / rows;
  const rowSums = new Float64Array(rows);
  const colSums = new Float64Array(cols);
  let n = 0;
  let filled = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const count = counts[i * cols + j]!;
      rowSums[i]! += count;
      colSums[j]! += count;
      n += count;
      if (count > 0) filled++;
    }
  }
  const hx = entropy(rowSums, n);
  const hy = entropy(colSums, n);
  const plugIn = Math.max(0, hx + hy - entropy(counts, n));
  const excess = filled - occupied(rowSums) - occupied(colSums) + 1;
  const corrected = plugIn - excess / (2 * n);
  const unbounded = hx > 0 && hy > 0 ? corrected / Math.sqrt(hx * hy) : Number.NaN;
  return { plugIn, corrected: Math.max(0, corrected), normalised: Math.max(0, Math.min(1, unbounded)), unbounded };
}

function entropy(counts: Float64Array, n: number): number {
  let sum = 0;
  for (const count of counts) if (count > 0) sum -= (count / n) * Math.log(count / n);
  return sum;
}

const occupied = (sums: Float64Array): number => sums.reduce((number, sum) => number + (sum > 0 ? 1 : 0), 0);

export interface PmiCounts {
  /** Rows with both. */
  readonly both: number;
  /** Rows with the feature, rows of the class, all rows. */
  readonly feature: number;
  readonly label: number;
  readonly total: number;
  /** Number of classes: k is added to each of the 2 × classes cells. */
  readonly classes: number;
}

/** Bits; -Infinity where the two never meet and nothing is added. */
export function pointwiseInformation({ both, feature, label, total, classes }: PmiCounts, smoothing: number): number {
  const n = total + 2 * classes * smoothing;
  const rowSum = feature + classes * smoothing;
  const colSum = label + 2 * smoothing;
  return Math.log2(((both + smoothing) * n) / (rowSum * colSum));
}
