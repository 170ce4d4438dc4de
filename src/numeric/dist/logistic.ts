/** Standard logistic distribution:  F(x) = 1 / (1 + e^{-x}); its quantile is the logit.
 *  Reference: closed form, arranged so that neither tail nor the median cancels. */

import { log1mexp, twiceExpMinusOne } from "../special/log.ts";

export function logisticPdf(x: number): number {
  const e = Math.exp(-Math.abs(x));
  return e / ((1 + e) * (1 + e));
}

export function logisticLogPdf(x: number): number {
  const s = Math.abs(x);
  return -s - 2 * Math.log1p(Math.exp(-s));
}

export function logisticCdf(x: number): number {
  const e = Math.exp(-Math.abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

export function logisticSf(x: number): number {
  return logisticCdf(-x);
}

export function logisticLogCdf(x: number): number {
  return x >= 0 ? -Math.log1p(Math.exp(-x)) : x - Math.log1p(Math.exp(x));
}

export function logisticLogSf(x: number): number {
  return logisticLogCdf(-x);
}

/** log(p / (1 - p)), with relative accuracy at the median. */
export function logisticQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p > 0.25 && p < 0.75) return Math.log1p((2 * (p - 0.5)) / (1 - p));
  return p < 0.5 ? Math.log(p) - Math.log1p(-p) : Math.log(p / (1 - p));
}

export function logisticQuantileUpper(q: number): number {
  return 0 - logisticQuantile(q);
}

export function logisticQuantileLog(logP: number): number {
  if (!(logP <= 0)) return Number.NaN;
  if (logP > -1.4 && logP < -0.3) {
    // p / (1 - p) - 1 = (2p - 1) / (1 - p)
    return Math.log1p(twiceExpMinusOne(logP) / -Math.expm1(logP));
  }
  return logP - log1mexp(logP);
}

export function logisticQuantileLogUpper(logQ: number): number {
  return 0 - logisticQuantileLog(logQ);
}
