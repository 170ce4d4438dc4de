/** What an evaluation with a given standard error can see, and by how much it exaggerates what it sees.
 *    mde          smallest true difference that the two-sided t test finds with the wanted power:
 *                 P(|T(df, δ/se)| > t_(1-α/2)) = power in the direction of δ
 *    exaggeration expected |estimate| / |δ| over significant results, if the true difference is δ (Type-M error)
 *    wrong sign   share of the significant results that have the other sign (Type-S error)
 *  Reference: Card et al. (2020), section 3; Gelman & Carlin (2014), Perspect. Psychol. Sci. 9(6); Lu, Qiu & Deng (2019),
 *             Br. J. Math. Stat. Psychol. 72 (closed form for a normal estimate).
 *  Oracle:    power.t.test (R) for the mde; simulation for the other two.
 *  Limits:    the standard error is taken as the one that a repetition would have. */
import { noncentralTSf } from "../../../numeric/dist/noncentral-t.ts";
import { normalCdf, normalPdf, normalQuantile, normalSf } from "../../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../../numeric/dist/t.ts";
import { findRoot } from "../../../numeric/optim/brent.ts";

/** Standard errors that any mde lies within: 80 % power at df = 1 needs about 60. */
const LARGEST_NONCENTRALITY = 1e4;

export interface SensitivityOptions {
  readonly alpha?: number;
  readonly power?: number;
}

export function detectableDifference(se: number, df: number, options: SensitivityOptions = {}): number {
  const { alpha = 0.05, power = 0.8 } = options;
  if (!(se > 0) || !(df > 0)) return Number.NaN;
  if (df === Number.POSITIVE_INFINITY) return se * (normalQuantile(1 - alpha / 2) + normalQuantile(power));
  const critical = tQuantileUpper(alpha / 2, df);
  const { root, converged } = findRoot((ncp) => noncentralTSf(critical, df, ncp) - power, 0, LARGEST_NONCENTRALITY);
  return converged ? se * root : Number.NaN;
}

export interface Exaggeration {
  readonly power: number;
  readonly typeM: number;
  readonly typeS: number;
}

/** For a normal estimate with this standard error and a true difference δ. */
export function exaggerationAt(delta: number, se: number, { alpha = 0.05 }: SensitivityOptions = {}): Exaggeration {
  const d = Math.abs(delta) / se;
  if (!(d > 0) || !Number.isFinite(d)) return { power: Number.NaN, typeM: Number.NaN, typeS: Number.NaN };
  const z = normalQuantile(1 - alpha / 2);
  const right = normalSf(z - d);
  const wrong = normalCdf(-z - d);
  const rejected = right + wrong;
  // E|X| over |X| > z, X ~ N(d, 1)
  const size = d * right + normalPdf(z - d) - d * wrong + normalPdf(-z - d);
  return { power: right, typeM: size / rejected / d, typeS: wrong / rejected };
}
