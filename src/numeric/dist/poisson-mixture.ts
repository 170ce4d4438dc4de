/** Tails of a Poisson mixture of gamma or beta distributions, as the noncentral chi-square and F are.
 *
 *  With N ~ Poisson(λ), W_i = P(N <= i), and central distributions whose cdf falls by t_i from shape a + i to a + i + 1,
 *     lower = Σ_j P(N = j) Σ_{i >= j} t_i = Σ_i t_i W_i,      upper = Σ_i t_i (1 - W_i) + (1 - Σ_i t_i):
 *  sums of positive terms in both tails. Each is run over the window where it matters, lower upwards and upper downwards, the
 *  directions in which the recurrences for W_i / W_{i-1} and (1 - W_{i-1}) / (1 - W_i) damp rounding errors.
 *  Reference: the rearrangement is that of Johnson, Kotz & Balakrishnan (1995), Continuous Univariate Distributions 2, ch. 29-30,
 *             summed by parts. */

import { logAddExp } from "../special/log.ts";
import { poissonLogCdf, poissonLogPmf, poissonLogSf } from "./poisson.ts";

/** A window ends where the terms are below e^-45 = 3e-20 of the largest. */
const WINDOW_DROP = 45;
/** … and starts no further out than here: e^-200 is still far from underflow. */
const WINDOW_FLOOR = 200;
const NEGLIGIBLE = 1e-19;
const LOG_NEGLIGIBLE = Math.log(NEGLIGIBLE);
/** Below this logarithm of the largest term its rounding makes single terms indistinguishable. The sum is then √(2πv) of that
 *  term, v the variance of the index, to within a factor whose logarithm is lost beside 1e12. */
const COARSE = -1e12;
/** From this multiple of λ on the series of 1 - W_i has 60 terms at most. */
const FAR_OUT = 2;
/** The sums take some √λ terms; above this they would take minutes, and beyond 2^53 the index no longer counts. */
export const LARGEST_NONCENTRALITY = 1e12;

export interface MixtureKernel {
  /** log t_i, and t_{i+1} / t_i. */
  readonly logTerm: (i: number) => number;
  readonly ratio: (i: number) => number;
  /** Where t_i is largest (a real number, may be negative). */
  readonly mode: number;
  /** log Σ_{j >= i} t_j: the central lower tail with shape a + i. */
  readonly logLower: (i: number) => number;
  /** log(1 - Σ t_j): the central upper tail with shape a. */
  readonly logUpper: () => number;
}

/** log Σ t_i W_i. */
export function logMixtureLower(lambda: number, kernel: MixtureKernel): number {
  if (lambda === 0) return kernel.logLower(0);
  const h = (i: number) => kernel.logTerm(i) + poissonLogCdf(i, lambda);
  // W_i rises and is flat beyond λ, so the largest product lies between the mode of t and the larger of both modes
  const from = Math.max(0, Math.floor(kernel.mode));
  // beyond λ, where W is 1, half of the weight of t or more counts in full: the complement is small and cheap, however far out
  // (Chernoff's bound of 1 - W, which costs nothing at any distance)
  if (from > lambda && from * Math.log(from / lambda) - from + lambda > -LOG_NEGLIGIBLE) {
    return Math.log1p(-Math.exp(logMixtureUpper(lambda, kernel)));
  }
  const step = (i: number) => kernel.ratio(i) * Math.exp(poissonLogCdf(i + 1, lambda) - poissonLogCdf(i, lambda));
  const peak = findPeak(step, from, Math.max(from, Math.ceil(lambda)) + 1);
  const top = h(peak);
  if (top < COARSE) return top + logCoarseSum(step, peak);
  let i = windowEdge(h, peak, top, -1);
  const logW = poissonLogCdf(i, lambda);
  let term = Math.exp(kernel.logTerm(i) + logW - top);
  let hazard = Math.exp(poissonLogPmf(i, lambda) - logW); // P(N = i) / W_i
  let sum = term;
  for (;;) {
    const growth = (hazard * lambda) / (i + 1);
    const ratio = kernel.ratio(i) * (1 + growth);
    hazard = growth / (1 + growth);
    term *= ratio;
    i++;
    if (i > peak && ratio < 1 && term < NEGLIGIBLE * (1 - ratio) * sum) return top + Math.log(sum + term);
    // W is 1 from here on: the rest is a central tail
    if (i > lambda && hazard < NEGLIGIBLE) return logAddExp(top + Math.log(sum), kernel.logLower(i));
    sum += term;
  }
}

/** log(Σ t_i (1 - W_i) + 1 - Σ t_i). */
export function logMixtureUpper(lambda: number, kernel: MixtureKernel): number {
  if (lambda === 0) return kernel.logUpper();
  const h = (i: number) => kernel.logTerm(i) + poissonLogSf(i, lambda);
  // 1 - W_i falls and is flat below λ
  const to = Math.max(0, Math.ceil(kernel.mode));
  const start = Math.max(0, Math.min(to, Math.floor(lambda)) - 1);
  const step = (i: number) => kernel.ratio(i) * survivalRatio(i, lambda);
  const peak = findPeak(step, start, climb(step, start, to));
  const top = h(peak);
  if (top < COARSE) return logAddExp(top + logCoarseSum(step, peak), kernel.logUpper());
  let i = windowEdge(h, peak, top, 1);
  const logSf = poissonLogSf(i, lambda);
  let term = Math.exp(kernel.logTerm(i) + logSf - top);
  let hazard = Math.exp(poissonLogPmf(i, lambda) - logSf); // P(N = i) / (1 - W_i)
  let sum = term;
  while (i > 0) {
    const ratio = (1 + hazard) / kernel.ratio(i - 1);
    hazard *= i / lambda / (1 + hazard);
    term *= ratio;
    sum += term;
    i--;
    if (i < peak && ratio < 1 && term < NEGLIGIBLE * (1 - ratio) * sum) break;
  }
  return logAddExp(top + Math.log(sum), kernel.logUpper());
}

/** log Σ_j P(N = j) f_j for a density kernel given by log f_j, f_{j+1} / f_j and the index of its largest term. */
export function logMixtureDensity(
  lambda: number,
  logDensity: (j: number) => number,
  ratio: (j: number) => number,
  peak: number,
): number {
  if (lambda === 0) return logDensity(0);
  const top = poissonLogPmf(peak, lambda) + logDensity(peak);
  if (top < COARSE) return top + logCoarseSum((j) => (lambda / (j + 1)) * ratio(j), peak);
  let sum = 1;
  let term = 1;
  for (let j = peak; term > NEGLIGIBLE * sum; j++) sum += term *= (lambda / (j + 1)) * ratio(j);
  term = 1;
  for (let j = peak; j > 0 && term > NEGLIGIBLE * sum; j--) sum += term *= j / lambda / ratio(j - 1);
  return top + Math.log(sum);
}

/** (1 - W_{i+1}) / (1 - W_i); far out as r / (1 + r) from the series 1 - W_i = P(N = i + 1) (1 + r), whatever its size. */
function survivalRatio(i: number, lambda: number): number {
  if (i <= FAR_OUT * lambda) return Math.exp(poissonLogSf(i + 1, lambda) - poissonLogSf(i, lambda));
  let term = 1;
  let rest = 0;
  for (let j = i + 2; term > NEGLIGIBLE * rest; j++) rest += term *= lambda / j;
  return rest / (1 + rest);
}

/** log of the sum over its largest term for a sequence given by its ratios, as a normal curve: v = -1 / (log h)''. */
function logCoarseSum(ratio: (i: number) => number, peak: number): number {
  const shift = Math.max(1, 1e-3 * peak);
  const variance = shift / Math.log(ratio(peak) / ratio(peak + shift));
  return Math.max(0, 0.5 * Math.log(2 * Math.PI * variance));
}

/** A bound of the peak of a unimodal sequence, by doubling from low: the terms far beyond are never looked at.
 *  The sequence is given by its ratios: differences of its logarithms would drown in their rounding where those are large. */
function climb(ratio: (i: number) => number, low: number, high: number): number {
  let step = 1;
  while (low + step < high && ratio(low + step) > 1) step *= 2;
  return Math.min(high, low + step);
}

/** Index of the largest term of a unimodal sequence on [low, high]. */
function findPeak(ratio: (i: number) => number, low: number, high: number): number {
  while (high > low) {
    const middle = low + Math.floor((high - low) / 2);
    // beyond 2^53 the index no longer counts
    if (middle + 1 === middle && (middle === low || middle === high)) return middle;
    if (ratio(middle) > 1) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An index on the given side of the peak where h has dropped by WINDOW_DROP but by no more than WINDOW_FLOOR, or the last one
 *  before it drops by more (beyond it the terms vanish, and starting there would underflow). */
function windowEdge(h: (i: number) => number, peak: number, top: number, side: number): number {
  let step = 1;
  while (peak + side * step > 0 && h(peak + side * step) > top - WINDOW_DROP) step *= 2;
  let outer = Math.max(0, peak + side * step);
  let inner = peak;
  while (Math.abs(outer - inner) > 1) {
    if (h(outer) > top - WINDOW_FLOOR) return outer;
    const middle = Math.floor(0.5 * (inner + outer));
    if (h(middle) > top - WINDOW_DROP) inner = middle;
    else outer = middle;
  }
  return h(outer) > top - WINDOW_FLOOR ? outer : inner;
}
