/** The standard error of a mean and its degrees of freedom: s/√n on n - 1, clustered values by CR2 with its Satterthwaite df.
 *  Reference: Bell & McCaffrey (2002), Surv. Methodol. 28(2).
 *  Oracle:    `fitLm` of a constant with clusters (clubSandwich in R). */

export interface Spread {
  readonly se: number;
  readonly df: number;
}

export function spreadOfMean(values: Float64Array, clusters?: Int32Array): Spread {
  const n = values.length;
  if (n < 2) return { se: Number.NaN, df: Number.NaN };
  // the mean of equal values is rounded, and they would differ from it
  if (clusters === undefined && values.every((v) => v === values[0])) return { se: 0, df: n - 1 };
  if (clusters === undefined) return { se: Math.sqrt(variance(values) / n), df: n - 1 };
  return clusteredSpread(values, clusters);
}

/** Of the sum of all values. */
const ROUNDING = 1e-14;

/** CR2 of a constant in closed form: within a cluster of n_g of N items the adjustment only stretches the sum of its residuals.
 *      se² = Σ s_g² / (N² h_g),   h_g = 1 - n_g/N,   df = 1 / (Σ_g (n_g/N)² + (Σ_g u_g)² - Σ_g u_g²),   u_g = n_g²/(N² h_g)
 *  It equals what `fitLm` gives with clusters. */
function clusteredSpread(values: Float64Array, clusters: Int32Array): Spread {
  const N = values.length;
  const mean = values.reduce((sum, v) => sum + v, 0) / N;
  const sizes = new Map<number, number>();
  const sums = new Map<number, number>();
  for (let i = 0; i < N; i++) {
    const code = clusters[i]!;
    sizes.set(code, (sizes.get(code) ?? 0) + 1);
    sums.set(code, (sums.get(code) ?? 0) + values[i]! - mean);
  }
  if (sizes.size < 2) return { se: Number.NaN, df: Number.NaN };
  // clusters of one mean leave sums of rounding errors
  const rounding = ROUNDING * values.reduce((sum, v) => sum + Math.abs(v), 0);
  const flat = [...sums.values()].every((sum) => Math.abs(sum) <= rounding);
  let [variance, shares, total, squares] = [0, 0, 0, 0];
  for (const [code, size] of sizes) {
    const left = 1 - size / N;
    const u = size ** 2 / (N ** 2 * left);
    variance += sums.get(code)! ** 2 / left;
    shares += (size / N) ** 2;
    total += u;
    squares += u * u;
  }
  return { se: flat ? 0 : Math.sqrt(variance) / N, df: 1 / (shares + total * total - squares) };
}

function variance(values: Float64Array): number {
  const n = values.length;
  const mean = values.reduce((sum, v) => sum + v, 0) / n;
  return values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1);
}
