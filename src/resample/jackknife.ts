/** Leave-one-out values: standard errors, bias, and the acceleration of BCa intervals.
 *    l_i = (n-1)(t - t_(-i)),   se² = Σ (l_i - l̄)² / (n(n-1)),   a = Σ (l_i - l̄)³ / (6 (Σ (l_i - l̄)²)^(3/2))
 *  Reference: Efron & Tibshirani (1993), An Introduction to the Bootstrap, 11.5 and 14.3; Davison & Hinkley (1997), 2.7.
 *  Oracle:    boot::empinf(type = "jack") (R), oracle/reference/bootstrap.json. */

export interface Jackknife {
  /** l_i, the empirical influence of each item. */
  readonly influence: Float64Array;
  readonly se: number;
  readonly bias: number;
  /** NaN where no item has influence. */
  readonly acceleration: number;
}

/** From the statistic and its n leave-one-out values. */
export function jackknife(statistic: number, leftOut: Float64Array): Jackknife {
  const n = leftOut.length;
  const influence = leftOut.map((value) => (n - 1) * (statistic - value));
  let mean = 0;
  for (const l of influence) mean += l / n;
  let squares = 0;
  let cubes = 0;
  for (const l of influence) {
    squares += (l - mean) ** 2;
    cubes += (l - mean) ** 3;
  }
  return {
    influence,
    se: Math.sqrt(squares / (n * (n - 1))),
    bias: -mean,
    acceleration: cubes / (6 * squares ** 1.5),
  };
}

/** Leave-one-out values of a score of summed rows. */
export function leaveOneOutScores(
  rows: Float64Array,
  width: number,
  scoreOf: (sums: Float64Array) => number,
): { readonly statistic: number; readonly leftOut: Float64Array } {
  const n = rows.length / width;
  const total = new Float64Array(width);
  for (let i = 0; i < n; i++) for (let c = 0; c < width; c++) total[c]! += rows[i * width + c]!;
  const sums = new Float64Array(width);
  const leftOut = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < width; c++) sums[c] = total[c]! - rows[i * width + c]!;
    leftOut[i] = scoreOf(sums);
  }
  return { statistic: scoreOf(total), leftOut };
}
