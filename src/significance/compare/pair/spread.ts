/** The standard error of a difference between two systems on the same items, and where the variance comes from.
 *    mean scores          s_d / √n;  clustered items: CR2 of a constant, with its Satterthwaite df
 *    other metrics        jackknife over items, or over clusters
 *  With k_A and k_B repeats an item's difference varies by  σ²_items + σ²_A/k_A + σ²_B/k_B:  more repeats shrink the second part
 *  only.
 *  Reference: Miller (2024), Adding Error Bars to Evals; Bell & McCaffrey (2002). */
import { jackknife, leaveOneOutScores } from "../../../resample/jackknife.ts";

export interface Spread {
  readonly se: number;
  readonly df: number;
}

/** Of the mean of `differences`. */
export function spreadOfMean(differences: Float64Array, clusters?: Int32Array): Spread {
  const n = differences.length;
  if (n < 2) return { se: Number.NaN, df: Number.NaN };
  if (clusters === undefined) return { se: Math.sqrt(variance(differences) / n), df: n - 1 };
  return clusteredSpread(differences, clusters);
}

/** CR2 of a constant in closed form: within a cluster of n_g of N items the adjustment only stretches the sum of its residuals.
 *      se² = Σ s_g² / (N² h_g),   h_g = 1 - n_g/N,   df = 1 / (Σ_g (n_g/N)² + (Σ_g u_g)² - Σ_g u_g²),   u_g = n_g²/(N² h_g)
 *  It equals what `fitLm` gives with clusters. */
function clusteredSpread(differences: Float64Array, clusters: Int32Array): Spread {
  const N = differences.length;
  const mean = differences.reduce((sum, v) => sum + v, 0) / N;
  const sizes = new Map<number, number>();
  const sums = new Map<number, number>();
  for (let i = 0; i < N; i++) {
    const code = clusters[i]!;
    sizes.set(code, (sizes.get(code) ?? 0) + 1);
    sums.set(code, (sums.get(code) ?? 0) + differences[i]! - mean);
  }
  if (sizes.size < 2) return { se: Number.NaN, df: Number.NaN };
  let [variance, shares, total, squares] = [0, 0, 0, 0];
  for (const [code, size] of sizes) {
    const left = 1 - size / N;
    const u = size ** 2 / (N ** 2 * left);
    variance += sums.get(code)! ** 2 / left;
    shares += (size / N) ** 2;
    total += u;
    squares += u * u;
  }
  return { se: Math.sqrt(variance) / N, df: 1 / (shares + total * total - squares) };
}

/** Of score(B) - score(A); `rows` hold A's statistics and B's side by side, one row an item or a cluster. */
export function spreadOfScores(
  rows: Float64Array,
  width: number,
  differenceOf: (sums: Float64Array) => number,
): Spread {
  const n = rows.length / width;
  if (n < 2) return { se: Number.NaN, df: Number.NaN };
  const { statistic, leftOut } = leaveOneOutScores(rows, width, differenceOf);
  return { se: jackknife(statistic, leftOut).se, df: n - 1 };
}

export interface VarianceParts {
  /** Of the items' true differences. */
  readonly items: number;
  /** Of one repeat of one system on one item, pooled; NaN if nothing was repeated. */
  readonly repeatA: number;
  readonly repeatB: number;
}

export interface RepeatedScores {
  readonly differences: Float64Array;
  readonly countsA: Int32Array;
  readonly countsB: Int32Array;
  readonly withinA: Float64Array;
  readonly withinB: Float64Array;
}

export function splitVariance({ differences, countsA, countsB, withinA, withinB }: RepeatedScores): VarianceParts {
  const repeatA = pooled(withinA, countsA);
  const repeatB = pooled(withinB, countsB);
  const noise = (own: number, counts: Int32Array): number =>
    Number.isNaN(own) ? 0 : own * (counts.reduce((sum, k) => sum + 1 / k, 0) / counts.length);
  const total = differences.length < 2 ? Number.NaN : variance(differences);
  return { items: Math.max(0, total - noise(repeatA, countsA) - noise(repeatB, countsB)), repeatA, repeatB };
}

function pooled(within: Float64Array, counts: Int32Array): number {
  let squares = 0;
  let df = 0;
  for (let i = 0; i < within.length; i++) {
    squares += within[i]!;
    df += counts[i]! - 1;
  }
  return df > 0 ? squares / df : Number.NaN;
}

function variance(values: Float64Array): number {
  const n = values.length;
  const mean = values.reduce((sum, v) => sum + v, 0) / n;
  return values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1);
}
