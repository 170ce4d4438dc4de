/** What is printed under a least-squares table to judge its residuals: shape, order, and the scaling of the design.
 *      skew √b₁ = m₃/m₂^{3/2},  kurtosis b₂ = m₄/m₂²        (moments with divisor n; 3 for a normal law)
 *      Jarque-Bera   n (b₁/6 + (b₂ - 3)²/24)  ~  χ²(2)
 *      omnibus K²    z(√b₁)² + z(b₂)²         ~  χ²(2),   z: D'Agostino's of the skew, Anscombe & Glynn's of the kurtosis
 *      Durbin-Watson Σ (e_t - e_{t-1})² / Σ e²,   2 without correlation of neighbouring rows
 *      condition     largest / smallest singular value of √w X, columns as they are
 *  Reference: D'Agostino (1970), Biometrika 57; Anscombe & Glynn (1983), Biometrika 70; D'Agostino & Pearson (1973), Biometrika 60;
 *             Jarque & Bera (1987), Int. Stat. Rev. 55; Durbin & Watson (1951), Biometrika 38; Belsley, Kuh & Welsch (1980), ch. 3.
 *  Oracle:    statsmodels' summary, oracle/reference/lm-diagnostics.json, to 1e-9 (1e-8 for badly scaled columns).
 *  Limits:    the omnibus test needs 8 rows; both normality tests are for many rows, and Durbin-Watson looks at the order of the rows only. A
 *             skew of exactly 0 has z = 0, where scipy 1.10 puts that of another skew. */
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { svd } from "../../numeric/linalg/svd.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";

export interface ResidualChecks {
  readonly omnibus: { readonly statistic: number; readonly p: number };
  readonly jarqueBera: { readonly statistic: number; readonly p: number };
  readonly skew: number;
  /** Of a normal distribution 3. */
  readonly kurtosis: number;
  /** The two parts of the omnibus test. */
  readonly skewZ: number;
  readonly kurtosisZ: number;
  readonly durbinWatson: number;
  /** Of the columns that have a coefficient. */
  readonly conditionNumber: number;
  /** Of X'WX. */
  readonly smallestEigenvalue: number;
}

/** Below this the law of the kurtosis has no usable approximation. */
const LEAST_ROWS = 8;

/** `residuals`: √w e, in the order of the rows; `triangle`: R of √w X, which has its singular values. */
export function checkResiduals(residuals: Float64Array, triangle: Matrix): ResidualChecks {
  const n = residuals.length;
  const { skew, kurtosis } = shapeOf(residuals);
  const jarqueBera = n * (skew ** 2 / 6 + (kurtosis - 3) ** 2 / 24);
  const enough = n >= LEAST_ROWS;
  const skewZ = enough ? dAgostinoZ(skew, n) : Number.NaN;
  const kurtosisZ = enough ? anscombeGlynnZ(kurtosis, n) : Number.NaN;
  const omnibus = skewZ ** 2 + kurtosisZ ** 2;
  const { d } = svd(triangle);
  return {
    omnibus: { statistic: omnibus, p: chiSquareSf(omnibus, 2) },
    jarqueBera: { statistic: jarqueBera, p: chiSquareSf(jarqueBera, 2) },
    skew,
    kurtosis,
    skewZ,
    kurtosisZ,
    durbinWatson: durbinWatson(residuals),
    conditionNumber: d.length === 0 ? Number.NaN : d[0]! / d[d.length - 1]!,
    smallestEigenvalue: d.length === 0 ? Number.NaN : d[d.length - 1]! ** 2,
  };
}

function shapeOf(values: Float64Array): { skew: number; kurtosis: number } {
  const n = values.length;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += values[i]!;
  const mean = sum / n;
  let [m2, m3, m4] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const d = values[i]! - mean;
    m2 += (d * d) / n;
    m3 += (d * d * d) / n;
    m4 += (d * d * d * d) / n;
  }
  return { skew: m3 / m2 ** 1.5, kurtosis: m4 / m2 ** 2 };
}

/** D'Agostino (1970): Johnson's S_U fitted to the law of √b₁. */
function dAgostinoZ(skew: number, n: number): number {
  const y = skew * Math.sqrt(((n + 1) * (n + 3)) / (6 * (n - 2)));
  const beta2 = (3 * (n ** 2 + 27 * n - 70) * (n + 1) * (n + 3)) / ((n - 2) * (n + 5) * (n + 7) * (n + 9));
  const W2 = Math.sqrt(2 * (beta2 - 1)) - 1;
  return Math.asinh(y / Math.sqrt(2 / (W2 - 1))) / Math.sqrt(0.5 * Math.log(W2));
}

/** Anscombe & Glynn (1983): Wilson and Hilferty's cube root for b₂. */
function anscombeGlynnZ(kurtosis: number, n: number): number {
  const mean = (3 * (n - 1)) / (n + 1);
  const variance = (24 * n * (n - 2) * (n - 3)) / ((n + 1) ** 2 * (n + 3) * (n + 5));
  const x = (kurtosis - mean) / Math.sqrt(variance);
  const rootBeta1 =
    ((6 * (n ** 2 - 5 * n + 2)) / ((n + 7) * (n + 9))) * Math.sqrt((6 * (n + 3) * (n + 5)) / (n * (n - 2) * (n - 3)));
  const A = 6 + (8 / rootBeta1) * (2 / rootBeta1 + Math.sqrt(1 + 4 / rootBeta1 ** 2));
  const root = Math.cbrt((1 - 2 / A) / (1 + x * Math.sqrt(2 / (A - 4))));
  return (1 - 2 / (9 * A) - root) / Math.sqrt(2 / (9 * A));
}

function durbinWatson(e: Float64Array): number {
  let [steps, squares] = [0, 0];
  for (let t = 0; t < e.length; t++) {
    squares += e[t]! * e[t]!;
    if (t > 0) steps += (e[t]! - e[t - 1]!) ** 2;
  }
  return steps / squares;
}

/** Two sentences under the table. */
export function residualSentences(checks: ResidualChecks): string[] {
  const { omnibus, jarqueBera, skew, kurtosis } = checks;
  if (Number.isNaN(skew)) return [];
  const test = (name: string, { statistic, p }: ResidualChecks["omnibus"]): string =>
    Number.isNaN(statistic) ? "" : `; ${name} ${formatNumber(statistic, "statistic")} (${formatP(p)})`;
  return [
    `Residuals: skew ${formatNumber(skew, "statistic")}, kurtosis ${formatNumber(kurtosis, "statistic")} (normal: 0 and 3)${test("omnibus", omnibus)}${test("Jarque-Bera", jarqueBera)}.`,
    `Durbin-Watson ${formatNumber(checks.durbinWatson, "statistic")} (2: neighbouring rows are unrelated), condition number ${formatNumber(checks.conditionNumber)}.`,
  ];
}
