/** Hypergeometric distribution: k successes among `draws` taken without replacement from an urn of `successes` + `failures`.
 *     P(X = k) = C(m, k) C(n, d - k) / C(m + n, d),   m successes, n failures, d draws (R's dhyper(k, m, n, d))
 *  pmf: three binomial probabilities with the common p = d / (m + n), in which p cancels exactly, each in saddle-point form.
 *  Tails: the pmf times the sum of ratios P(j ± 1) / P(j), away from the mean, so that all terms are positive and falling.
 *  Reference: Loader (2000), "Fast and accurate computation of binomial probabilities", section 3 (the binomial identity).
 *  Oracle:    exact integers, oracle/python/noncentral.json — 1e-12 relative in both tails.
 *  Limits:    the cost of a tail near the mean grows as the standard deviation (1e5 terms for an urn of 1e10). */

import { binomialLogPmf } from "./binomial.ts";
import { type DiscreteTails, discreteQuantile, discreteQuantileUpper } from "./discrete-quantile.ts";

/** Below this share of the sum a term, and all that follow it, no longer change the double. */
const NEGLIGIBLE = 1e-18;

function isValid(k: number, successes: number, failures: number, draws: number): boolean {
  const whole = Number.isInteger(successes) && Number.isInteger(failures) && Number.isInteger(draws);
  return whole && successes >= 0 && failures >= 0 && draws >= 0 && draws <= successes + failures && !Number.isNaN(k);
}

export function hypergeometricPmf(k: number, successes: number, failures: number, draws: number): number {
  return Math.exp(hypergeometricLogPmf(k, successes, failures, draws));
}

export function hypergeometricLogPmf(k: number, successes: number, failures: number, draws: number): number {
  if (!isValid(k, successes, failures, draws)) return Number.NaN;
  if (k < Math.max(0, draws - failures) || k > Math.min(draws, successes) || !Number.isInteger(k)) {
    return Number.NEGATIVE_INFINITY;
  }
  const urn = successes + failures;
  const p = urn === 0 ? 0 : draws / urn;
  return binomialLogPmf(k, successes, p) + binomialLogPmf(draws - k, failures, p) - binomialLogPmf(draws, urn, p);
}

/** Σ_{j <= k} P(j) / P(k). */
function sumBelow(k: number, m: number, n: number, d: number): number {
  let term = 1;
  let sum = 1;
  for (let j = k; term > NEGLIGIBLE * sum; j--) {
    term *= (j / (m - j + 1)) * ((n - d + j) / (d - j + 1));
    sum += term;
  }
  return sum;
}

/** Σ_{j >= k} P(j) / P(k). */
function sumAbove(k: number, m: number, n: number, d: number): number {
  let term = 1;
  let sum = 1;
  for (let j = k; term > NEGLIGIBLE * sum; j++) {
    term *= ((m - j) / (j + 1)) * ((d - j) / (n - d + j + 1));
    sum += term;
  }
  return sum;
}

/** log P(X <= k) when `lower`, else log P(X > k); the larger tail is the complement of the smaller one. */
function logTail(k: number, m: number, n: number, d: number, lower: boolean): number {
  if (!isValid(k, m, n, d)) return Number.NaN;
  k = Math.floor(k);
  if (k < Math.max(0, d - n)) return lower ? Number.NEGATIVE_INFINITY : 0;
  if (k >= Math.min(d, m)) return lower ? 0 : Number.NEGATIVE_INFINITY;
  let isBelow = k < d * (m / (m + n));
  let log = logSum(k, m, n, d, isBelow);
  // rare events: nearly all weight may lie on one side of the mean, and then the rest must be summed itself
  if (log > -Math.LN2) {
    isBelow = !isBelow;
    log = logSum(k, m, n, d, isBelow);
  }
  return isBelow === lower ? log : Math.log1p(-Math.exp(log));
}

/** log P(X <= k) or log P(X > k), by its own sum. */
function logSum(k: number, m: number, n: number, d: number, below: boolean): number {
  return below
    ? hypergeometricLogPmf(k, m, n, d) + Math.log(sumBelow(k, m, n, d))
    : hypergeometricLogPmf(k + 1, m, n, d) + Math.log(sumAbove(k + 1, m, n, d));
}

/** P(X <= k). */
export function hypergeometricCdf(k: number, successes: number, failures: number, draws: number): number {
  return Math.exp(logTail(k, successes, failures, draws, true));
}

/** P(X > k). */
export function hypergeometricSf(k: number, successes: number, failures: number, draws: number): number {
  return Math.exp(logTail(k, successes, failures, draws, false));
}

export function hypergeometricLogCdf(k: number, successes: number, failures: number, draws: number): number {
  return logTail(k, successes, failures, draws, true);
}

export function hypergeometricLogSf(k: number, successes: number, failures: number, draws: number): number {
  return logTail(k, successes, failures, draws, false);
}

function tailsOf(m: number, n: number, d: number): DiscreteTails {
  const urn = m + n;
  const mean = urn === 0 ? 0 : d * (m / urn);
  const variance = urn > 1 ? mean * (n / urn) * ((urn - d) / (urn - 1)) : 0;
  return {
    cdf: (k) => hypergeometricCdf(k, m, n, d),
    sf: (k) => hypergeometricSf(k, m, n, d),
    mean,
    sd: Math.sqrt(variance),
    min: Math.max(0, d - n),
    max: Math.min(d, m),
  };
}

/** Smallest k with P(X <= k) >= p. */
export function hypergeometricQuantile(p: number, successes: number, failures: number, draws: number): number {
  return isValid(p, successes, failures, draws) ? discreteQuantile(p, tailsOf(successes, failures, draws)) : Number.NaN;
}

/** Smallest k with P(X > k) <= q. */
export function hypergeometricQuantileUpper(q: number, successes: number, failures: number, draws: number): number {
  return isValid(q, successes, failures, draws)
    ? discreteQuantileUpper(q, tailsOf(successes, failures, draws))
    : Number.NaN;
}
