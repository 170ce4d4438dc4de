/** Correlations of many rows with what each row adds to them, so that rows that are correlated are counted together.
 *    t = t(F̂),  IF_i its influence function at row i,   se² = G/(G-1) Σ_g (Σ_{i∈g} IF_i)² / n²   over the G clusters
 *    pearson    IF = z_x z_y - r (z_x² + z_y²)/2
 *    spearman   the same of mid-distributions F̄(x), Ḡ(y), with the terms that come of estimating F and G
 *    kendall    τ_b = A/√(BC) of three means over pairs (A of sign·sign, B and C of untied), IF of a mean over pairs 2(a_i - A)
 *  Reference: Devlin, Gnanadesikan & Kettenring (1975), Biometrika 62; Croux & Dehon (2010), Stat. Methods Appl. 19;
 *             Liang & Zeger (1986), Biometrika 73 (clusters).
 *  Oracle:    cor (R) for the values; the jackknife over clusters for the errors (oracle/r/metric-validity.json).
 *  Limits:    errors need some twenty clusters. A constant column gives NaN. Kendall takes O(n log n). */
import { meanOf } from "../../significance/samples.ts";
import { midRanks } from "../../significance/tests/ranks.ts";

export const COEFFICIENTS = ["pearson", "spearman", "kendall"] as const;
export type Coefficient = (typeof COEFFICIENTS)[number];

export interface Association {
  readonly value: number;
  /** Of each row; their mean is 0. */
  readonly influence: Float64Array;
}

export function associate(kind: Coefficient, x: Float64Array, y: Float64Array): Association {
  if (kind === "pearson") return pearson(x, y);
  return kind === "spearman" ? spearman(x, y) : kendall(x, y);
}

/** Standard error of a mean of influences, rows of one cluster taken together. */
export function clusteredError(influence: Float64Array, clusters: Int32Array, count: number): number {
  const sums = new Float64Array(count);
  for (let i = 0; i < influence.length; i++) sums[clusters[i]!]! += influence[i]!;
  const squares = sums.reduce((total, sum) => total + sum * sum, 0);
  return count < 2 ? Number.NaN : Math.sqrt((count / (count - 1)) * squares) / influence.length;
}

function pearson(x: Float64Array, y: Float64Array): Association {
  const [a, b] = [standardise(x), standardise(y)];
  const value = meanOf(a.map((v, i) => v * b[i]!));
  return { value, influence: a.map((v, i) => v * b[i]! - (value * (v * v + b[i]! * b[i]!)) / 2) };
}

/** With the n-divisor, as the influences are written. */
function standardise(x: Float64Array): Float64Array {
  const mean = meanOf(x);
  const sd = Math.sqrt(meanOf(x.map((v) => (v - mean) ** 2)));
  return x.map((v) => (v - mean) / sd);
}

function spearman(x: Float64Array, y: Float64Array): Association {
  const n = x.length;
  // mid-distribution: mean 1/2 whatever the ties
  const [F, G] = [x, y].map((own) => midRanks(own).ranks.map((rank) => (rank - 0.5) / n)) as [
    Float64Array,
    Float64Array,
  ];
  const moment = (a: Float64Array, b: Float64Array): number => meanOf(a.map((v, i) => v * b[i]!));
  const [U, Vx, Vy] = [moment(F, G), moment(F, F), moment(G, G)];
  const [aboveXG, aboveYF] = [meanAbove(x, G), meanAbove(y, F)];
  const [aboveXF, aboveYG] = [meanAbove(x, F), meanAbove(y, G)];
  const scale = Math.sqrt((Vx - 0.25) * (Vy - 0.25));
  const value = (U - 0.25) / scale;
  const influence = x.map((_, i) => {
    const dU = F[i]! * G[i]! + aboveXG[i]! + aboveYF[i]! - 3 * U;
    const dVx = F[i]! ** 2 + 2 * aboveXF[i]! - 3 * Vx;
    const dVy = G[i]! ** 2 + 2 * aboveYG[i]! - 3 * Vy;
    return dU / scale - (value / 2) * (dVx / (Vx - 0.25) + dVy / (Vy - 0.25));
  });
  return { value, influence };
}

/** Of each row: the mean of `weights` over all rows, those with a larger x counted once and those with an equal one half. */
function meanAbove(x: Float64Array, weights: Float64Array): Float64Array {
  const n = x.length;
  const order = Int32Array.from({ length: n }, (_, i) => i).sort((a, b) => x[b]! - x[a]!);
  const result = new Float64Array(n);
  let above = 0;
  for (let first = 0; first < n; ) {
    let last = first;
    let own = 0;
    while (last < n && x[order[last]!] === x[order[first]!]) own += weights[order[last++]!]!;
    for (let k = first; k < last; k++) result[order[k]!] = (above + own / 2) / n;
    above += own;
    first = last;
  }
  return result;
}

function kendall(x: Float64Array, y: Float64Array): Association {
  const n = x.length;
  const signs = concordanceOf(x, y);
  const [untiedX, untiedY] = [untiedPartners(x), untiedPartners(y)];
  const mean = (own: Float64Array): number => meanOf(own) / (n - 1);
  const [A, B, C] = [mean(signs), mean(untiedX), mean(untiedY)];
  const value = A / Math.sqrt(B * C);
  const influence = signs.map((s, i) => {
    const d = (own: number, all: number): number => 2 * (own / (n - 1) - all);
    return d(s, A) / Math.sqrt(B * C) - (value / 2) * (d(untiedX[i]!, B) / B + d(untiedY[i]!, C) / C);
  });
  return { value, influence };
}

function untiedPartners(x: Float64Array): Float64Array {
  const counts = new Map<number, number>();
  for (const v of x) counts.set(v, (counts.get(v) ?? 0) + 1);
  return x.map((v) => x.length - counts.get(v)!);
}

/** Concordant less discordant partners of each row: rows with a smaller x are met in rising order and kept in a tree over the ranks of y,
 *  then those with a larger x in falling order. */
function concordanceOf(x: Float64Array, y: Float64Array): Float64Array {
  const n = x.length;
  const levels = [...new Set(y)].sort((a, b) => a - b);
  const at = new Map(levels.map((v, k) => [v, k + 1]));
  const ranks = Int32Array.from(y, (v) => at.get(v)!);
  const rising = Int32Array.from({ length: n }, (_, i) => i).sort((a, b) => x[a]! - x[b]!);
  const signs = new Float64Array(n);
  for (const order of [rising, rising.slice().reverse()]) {
    const tree = new Int32Array(levels.length + 1);
    const smallerFirst = order === rising ? 1 : -1;
    for (let first = 0; first < n; ) {
      let last = first;
      while (last < n && x[order[last]!] === x[order[first]!]) last++;
      for (let k = first; k < last; k++) {
        const rank = ranks[order[k]!]!;
        const below = countUpTo(tree, rank - 1);
        const above = first - countUpTo(tree, rank);
        signs[order[k]!]! += smallerFirst * (below - above);
      }
      for (let k = first; k < last; k++) for (let j = ranks[order[k]!]!; j < tree.length; j += j & -j) tree[j]! += 1;
      first = last;
    }
  }
  return signs;
}

function countUpTo(tree: Int32Array, rank: number): number {
  let sum = 0;
  for (let j = rank; j > 0; j -= j & -j) sum += tree[j]!;
  return sum;
}
