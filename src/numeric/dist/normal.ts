/** Standard normal distribution:  φ(x) = e^{-x²/2} / √(2π),  Φ(x) = erfc(-x/√2) / 2.
 *  For mean μ and standard deviation σ pass (x - μ) / σ; densities are then divided by σ.
 *  Reference: DLMF 7.1, 7.17; the tail as e^{-x²/2} times the scaled complementary error function.
 *  Oracle:    mpmath, oracle/reference/distributions-core.json and oracle/python/distributions.json — 1e-14 relative. */

import { erfc, erfcx, expNegativeSquare } from "../special/erf.ts";
import { normalQuantileOf, normalQuantileOfLog } from "../special/normal-quantile.ts";

const INV_SQRT_TWO_PI = 0.3989422804014327;
const LOG_SQRT_TWO_PI = 0.9189385332046728;
/** Inside, erfc is taken directly; outside the tail is scaled so that x is never rounded before it is squared. */
const SCALED_FROM = 1;

export function normalPdf(x: number): number {
  return INV_SQRT_TWO_PI * expNegativeSquare(x, 0.5);
}

export function normalLogPdf(x: number): number {
  return -0.5 * x * x - LOG_SQRT_TWO_PI;
}

/** P(X <= x). */
export function normalCdf(x: number): number {
  return normalSf(-x);
}

/** P(X > x). */
export function normalSf(x: number): number {
  if (x > SCALED_FROM) return expNegativeSquare(x, 0.5) * (0.5 * erfcx(x * Math.SQRT1_2));
  if (x < -SCALED_FROM) return 1 - expNegativeSquare(x, 0.5) * (0.5 * erfcx(-x * Math.SQRT1_2));
  return 0.5 * erfc(x * Math.SQRT1_2);
}

export function normalLogCdf(x: number): number {
  return normalLogSf(-x);
}

export function normalLogSf(x: number): number {
  if (x > SCALED_FROM) return -0.5 * x * x + Math.log(0.5 * erfcx(x * Math.SQRT1_2));
  return Math.log1p(-normalSf(-x));
}

/** The x with P(X <= x) = p. */
export function normalQuantile(p: number): number {
  return normalQuantileOf(p);
}

/** The x with P(X > x) = q. */
export function normalQuantileUpper(q: number): number {
  return 0 - normalQuantileOf(q);
}

/** The x with log P(X <= x) = logP. */
export function normalQuantileLog(logP: number): number {
  return normalQuantileOfLog(logP);
}

/** The x with log P(X > x) = logQ. */
export function normalQuantileLogUpper(logQ: number): number {
  return 0 - normalQuantileOfLog(logQ);
}
