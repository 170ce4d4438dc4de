/** log ∫ g(s) f(s) ds, where f is the density of S = √(χ²(df)/df): the step from a normal to a studentized statistic, shared by
 *  the noncentral t and the studentized range.
 *  In u = log s the density is  C e^{df (u - (s² - 1)/2)},  C its value at s = 1; it is formed from v = s - 1, so that df = 1e9 is
 *  as exact as df = 9. Its left tail e^{df u} is long when df is small; there u = centre + x + 1 - e^{-x} makes it short in x.
 *  Reference: Takahasi & Mori (1974), Publ. RIMS 9, 721-741 (the double exponential substitution). */

import { logGammaKernel } from "../special/incomplete-gamma.ts";
import { log1pmx } from "../special/log.ts";
import { logIntegrateUnimodal } from "./unimodal-integral.ts";

/** From here the left tail ends within 5 units of u by itself. */
const STRETCH_BELOW = 8;
/** Within this distance of u = 0 differences from s = 1 must be formed without cancellation. */
export const NEAR_ONE = 0.4;

/** `logInner(u, v)` is log g at s = e^u = 1 + v, `centre` a rough guess of the mode in u; `rough` as in unimodal-integral.ts. */
export function logAverageOverScale(
  logInner: (u: number, v: number) => number,
  df: number,
  centre: number,
  rough = false,
): number {
  const isStretched = df < STRETCH_BELOW;
  const h = (x: number) => {
    const stretch = isStretched ? Math.exp(-x) : 0;
    const u = isStretched ? centre + x + 1 - stretch : centre + x;
    const v = Math.expm1(u);
    const logDensity = df * ((Math.abs(u) < NEAR_ONE ? log1pmx(v) : u - v) - 0.5 * v * v);
    // the ends of the line, where logInner need not be defined
    if (logDensity === Number.NEGATIVE_INFINITY) return logDensity;
    return logDensity + Math.log1p(stretch) + logInner(u, v);
  };
  // at s = 1 the density of log s is twice that of log χ²
  const logPeak = Math.LN2 + logGammaKernel(0.5 * df, 0.5 * df);
  return logPeak + logIntegrateUnimodal(h, 0, Math.SQRT1_2 / Math.sqrt(df), rough);
}
