/** When are two scores equal? 0.1 + 0.2 and 0.3 differ in their last bit, and no test may take that for a difference. One rule for all:
 *      numbers tie if they agree to 12 significant digits
 *  Where values lie far from 0 for their spread (1000.1, 1000.2, …) it is 12 digits of the spread, up to 15 of the value, which rounding
 *  error does not reach. With fewer than 12 digits of the spread left (1e12 + noise) digits and rounding error cannot be told
 *  apart, and values are taken as they are, unless all of them agree to 15 digits.
 *  Oracle:    the same tests on data rounded to 12 digits, also in R (oracle/r/ties.json).
 *  Limits:    values on both sides of a rounding border stay apart, however close: one chance in thousands for values with 16
 *             random digits, none for decimals of fewer than 12. */

const DIGITS = 12;
/** Decimals of so many digits survive as doubles. */
const MOST_DIGITS = 15;
/** Closer than this, two numbers may tie. */
const NEAR = 1e-11;

/** Digits to which values of this range are compared; undefined: as they are. */
function tieDigits(least: number, largest: number): number | undefined {
  const size = Math.max(Math.abs(least), Math.abs(largest));
  const range = largest - least;
  if (!(size > 0) || range === 0) return DIGITS;
  const digits = DIGITS + Math.max(0, Math.floor(Math.log10(size / range)));
  if (digits <= MOST_DIGITS) return digits;
  return least.toPrecision(MOST_DIGITS) === largest.toPrecision(MOST_DIGITS) ? MOST_DIGITS : undefined;
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= NEAR * Math.max(Math.abs(a), Math.abs(b));

/** The samples with values that tie, also across samples, made equal; others keep all their digits. */
export function settleTies(...samples: readonly Float64Array[]): Float64Array[] {
  const all = new Float64Array(samples.reduce((sum, own) => sum + own.length, 0));
  let at = 0;
  for (const own of samples) {
    all.set(own, at);
    at += own.length;
  }
  all.sort();
  const digits = tieDigits(all[0] ?? 0, all[all.length - 1] ?? 0);
  const settled = new Map<number, number>();
  for (let k = 1; k < all.length; k++) {
    const [a, b] = [all[k - 1]!, all[k]!];
    if (a === b || digits === undefined || !isNear(a, b)) continue;
    const [roundA, roundB] = [Number(a.toPrecision(digits)), Number(b.toPrecision(digits))];
    if (roundA !== roundB) continue;
    settled.set(a, roundA);
    settled.set(b, roundB);
  }
  if (settled.size === 0) return [...samples];
  return samples.map((own) => own.map((v) => settled.get(v) ?? v));
}

/** x - y, and 0 where they tie. */
export function differencesOf(x: Float64Array, y: Float64Array): Float64Array {
  const [least, largest] = rangeOf(x, y);
  const digits = tieDigits(least, largest);
  return x.map((v, i) => {
    const w = y[i]!;
    if (v === w) return 0;
    if (digits === undefined || !isNear(v, w)) return v - w;
    return Number(v.toPrecision(digits)) === Number(w.toPrecision(digits)) ? 0 : v - w;
  });
}

function rangeOf(...samples: readonly Float64Array[]): readonly [least: number, largest: number] {
  let least = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (const own of samples) {
    for (let i = 0; i < own.length; i++) {
      least = Math.min(least, own[i]!);
      largest = Math.max(largest, own[i]!);
    }
  }
  return [least, largest];
}

/** Differences of the scores x and y rounded so that equal ones tie: to 12 digits of the largest difference, and no finer than the rounding
 *  error of the scores allows. */
export function roundDifferences(differences: Float64Array, x: Float64Array, y: Float64Array): Float64Array {
  const size = (values: Float64Array): number => values.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  const largest = size(differences);
  if (largest === 0) return differences;
  const scores = Math.max(size(x), size(y));
  const place = (of: number, digits: number): number => Math.ceil(Math.log10(of)) - digits;
  const unit = 10 ** Math.max(place(largest, DIGITS), place(scores, MOST_DIGITS));
  return differences.map((d) => Math.round(d / unit) * unit);
}
