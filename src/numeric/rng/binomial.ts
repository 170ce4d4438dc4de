/** Binomial(n, p) draws, exact up to rounding in the density.
 *
 *  n p < 10 (after p <- min(p, 1 - p)): inversion, walking up the cumulative probabilities from 0.
 *  n p >= 10: BTRS, transformed rejection with squeeze; the density ratio f(k)/f(m) to the mode m is
 *    log f(k)/f(m) = d log(r (n-k+1)/(k+1)) - (m+1/2) log1p(d/(m+1)) + (n-m+1/2) log1p(d/(n-k+1))
 *                    + s(m) + s(n-m) - s(k) - s(n-k),           d = k - m,  r = p/(1-p),
 *  s the Stirling remainder; so grouped, rounding errors grow with |d| and not with n.
 *  Reference: Hörmann (1993), J. Stat. Comput. Simul. 46, 101-110, algorithm BTRS.
 *  Oracle:    the exact probabilities, by chi-square tests on both sides of the border.
 *  Limits:    0 <= n < 2^53. */
import { portableExp, portableLog, portableLog1p } from "./portable-math.ts";

/** Where the methods meet: BTRS's constants are proven for n p >= 10. */
export const INVERSION_BELOW = 10;
/** A walk this far past the mean has probability below 1e-40; it only happens when rounding leaves u above the sum. */
const WALK_LIMIT = 150;

/** What the samplers need of a generator. */
export interface UniformSource {
  uniform(): number;
}

export function drawBinomial(source: UniformSource, n: number, p: number): number {
  if (!(n >= 0 && p >= 0 && p <= 1) || !Number.isSafeInteger(n)) return Number.NaN;
  if (p === 0 || n === 0) return 0;
  if (p > 0.5) return n - drawSmallP(source, n, 1 - p);
  return drawSmallP(source, n, p);
}

function drawSmallP(source: UniformSource, n: number, p: number): number {
  if (p === 0) return 0;
  return n * p < INVERSION_BELOW ? drawByInversion(source, n, p) : drawByRejection(source, n, p);
}

function drawByInversion(source: UniformSource, n: number, p: number): number {
  const atZero = portableExp(n * portableLog1p(-p));
  const odds = p / (1 - p);
  const last = Math.min(n, WALK_LIMIT);
  for (;;) {
    let u = source.uniform();
    let probability = atZero;
    for (let k = 0; k <= last; k++) {
      if (u < probability) return k;
      u -= probability;
      probability *= ((n - k) / (k + 1)) * odds;
    }
  }
}

function drawByRejection(source: UniformSource, n: number, p: number): number {
  const r = p / (1 - p);
  const spread = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const center = n * p + 0.5;
  const alpha = (2.83 + 5.1 / b) * spread;
  const squeeze = 0.92 - 4.2 / b;
  const m = Math.floor((n + 1) * p);
  const modeRemainder = stirlingRemainder(m) + stirlingRemainder(n - m);
  for (;;) {
    const v = source.uniform();
    const u = source.uniform() - 0.5;
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + center);
    if (us >= 0.07 && v <= squeeze) return k;
    if (!(k >= 0 && k <= n)) continue;
    const d = k - m;
    const logRatio =
      d * portableLog((r * (n - k + 1)) / (k + 1)) -
      (m + 0.5) * portableLog1p(d / (m + 1)) +
      (n - m + 0.5) * portableLog1p(d / (n - k + 1)) +
      modeRemainder -
      stirlingRemainder(k) -
      stirlingRemainder(n - k);
    if (portableLog((v * alpha) / (a / (us * us) + b)) <= logRatio) return k;
  }
}

/** log k! - [(k + 1/2) log(k + 1) - (k + 1) + log(2 pi)/2]: tabled where the series is short of 1e-15. */
export function stirlingRemainder(k: number): number {
  if (k < SMALL_REMAINDERS.length) return SMALL_REMAINDERS[k]!;
  const x = 1 / (k + 1);
  const z = x * x;
  return x * (1 / 12 - z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 - z * (1 / 1188)))));
}

const HALF_LOG_TWO_PI = 0.9189385332046728;
const TABLED = 16;
const SMALL_REMAINDERS = makeRemainders();

function makeRemainders(): Float64Array {
  const table = new Float64Array(TABLED);
  let factorial = 1;
  for (let k = 0; k < TABLED; k++) {
    if (k > 0) factorial *= k;
    table[k] = portableLog(factorial) - ((k + 0.5) * portableLog(k + 1) - (k + 1) + HALF_LOG_TWO_PI);
  }
  return table;
}
