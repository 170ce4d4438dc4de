/** Logarithms of sums and differences without cancellation.
 *  log1mexp(x) = log(1 - e^x), x <= 0;  logAddExp(x, y) = log(e^x + e^y);  log1pmx(x) = log(1 + x) - x.
 *  Reference: Mächler (2012), "Accurately computing log(1 - exp(-|a|))" (the switch at log 2);
 *             log1pmx by the atanh series, log(1 + x) = 2 atanh(x / (2 + x)).
 *  Oracle:    mpmath, oracle/python/distributions.json — 1e-15 relative. */

/** log 2 = Math.LN2 + LN2_LOW: near the median of a distribution log p + log 2 is small, and the second part counts. */
export const LN2_LOW = 2.3190468138462996e-17;

/** 2 e^x - 1 with relative accuracy about its zero x = -log 2. */
export function twiceExpMinusOne(x: number): number {
  return Math.expm1(x + Math.LN2 + LN2_LOW);
}

export function log1mexp(x: number): number {
  if (x > 0) return Number.NaN;
  return x > -Math.LN2 ? Math.log(-Math.expm1(x)) : Math.log1p(-Math.exp(x));
}

export function logAddExp(x: number, y: number): number {
  if (x === Number.NEGATIVE_INFINITY) return y;
  if (x === Number.POSITIVE_INFINITY) return Number.isNaN(y) ? y : x;
  return x > y ? x + Math.log1p(Math.exp(y - x)) : y + Math.log1p(Math.exp(x - y));
}

/** Outside this interval log1p(x) - x loses less than one digit. */
const SERIES_LOW = -0.4;
const SERIES_HIGH = 0.6;

/** With r = x / (2 + x):  log(1 + x) - x = r (-x + 2 r² (1/3 + r²/5 + r⁴/7 + …)),  since 2r - x = -x r exactly. */
export function log1pmx(x: number): number {
  if (!(x > SERIES_LOW && x < SERIES_HIGH)) return Math.log1p(x) - x;
  const r = x / (2 + x);
  const z = r * r;
  let s = 1 / 15 + z * (1 / 17);
  if (z > 0.01) s = 1 / 15 + z * (1 / 17 + z * (1 / 19 + z * (1 / 21 + z * (1 / 23 + z * (1 / 25 + z * (1 / 27))))));
  s = 1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * (1 / 11 + z * (1 / 13 + z * s)))));
  return r * (2 * z * s - x);
}
