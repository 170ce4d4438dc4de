/** When are two scores equal? 0.1 + 0.2 and 0.3 differ in their last bit, and no test may take that for a difference. One rule for all:
 *      exact     values that are whole multiples of a power of two, with less than 2^51 of them in the largest, carry no rounding error
 *                (whole numbers, halves, also 1e15 + 1): they tie if they are equal
 *      others    a and b tie if |a - b| <= τ max(|a|, |b|),  τ = 1e-12 range/size, at most 1e-12 and at least 2^-49
 *  size: the largest |value|; range: largest less smallest value. 2^-49, eight units of rounding, is what sums of a few dozen decimals leave.
 *  Where that is more than a millionth of the range (1e12 + noise), data and rounding error cannot be distinguished: values are taken
 *  as they are, unless all of them agree to 2^-49. Nothing hangs on the unit: multiplied by a power of two the same values tie.
 *  Oracle:    the same tests on data rounded to 12 digits, also in R (oracle/r/ties.json).
 *  Limits:    of a chain of values, each close to the next, those close to the first tie with it. */

/** Of the range, and of the value where the range is wider: the digits that a score is trusted for. */
const TIE = 1e-12;
/** Of the value: its rounding error. */
const ROUNDING = 2 ** -49;
/** Of the range: a rounding error above hides data. */
const HIDES = 1e-6;
/** Of the largest value: multiples of less than this are as fine as rounding error. */
const EXACT = 2 ** -50;

interface Extent {
  readonly least: number;
  readonly largest: number;
  /** The largest absolute value. */
  readonly size: number;
  readonly exact: boolean;
}

function extentOf(samples: readonly Float64Array[]): Extent {
  let [least, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const own of samples) {
    for (let i = 0; i < own.length; i++) {
      const v = own[i]!;
      if (v < least) least = v;
      if (v > largest) largest = v;
    }
  }
  const size = Math.max(-least, largest);
  const unit = EXACT * powerOfTwoBelow(size);
  return {
    least,
    largest,
    size,
    exact: samples.every((own) => areMultiples(own, unit)),
  };
}

function areMultiples(values: Float64Array, unit: number): boolean {
  for (let i = 0; i < values.length; i++) {
    const v = values[i]!;
    if (v !== 0 && !Number.isInteger(v / unit)) return false;
  }
  return true;
}

/** The largest power of two up to a positive number; 0 where there is none. */
function powerOfTwoBelow(size: number): number {
  if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return 0;
  let power = 2 ** Math.floor(Math.log2(size));
  if (power > size) power /= 2;
  return 2 * power <= size ? 2 * power : power;
}

/** τ of the header; 0: values tie if they are equal. */
function tieShare({ least, largest, size, exact }: Extent): number {
  if (exact || !(size > 0)) return 0;
  const range = (largest - least) / size;
  // around their middle, so that the ends tie too
  if (range <= ROUNDING) return 2 * ROUNDING;
  if (ROUNDING > HIDES * range) return 0;
  return Math.max(ROUNDING, TIE * Math.min(1, range));
}

/** Absolute rounding error of the largest values; 0 where they are exact. What varies by no more does not vary. */
export function roundingOf(...samples: readonly Float64Array[]): number {
  const { size, exact } = extentOf(samples);
  return exact || !(size > 0) ? 0 : ROUNDING * size;
}

/** The samples with values that tie, also across samples, made equal; others keep all their digits. */
export function settleTies(...samples: readonly Float64Array[]): Float64Array[] {
  const share = tieShare(extentOf(samples));
  if (share === 0) return [...samples];
  const all = new Float64Array(samples.reduce((sum, own) => sum + own.length, 0));
  let at = 0;
  for (const own of samples) {
    all.set(own, at);
    at += own.length;
  }
  all.sort();
  const settled = new Map<number, number>();
  let first = all[0]!;
  for (const v of all) {
    if (v === first) continue;
    if (v - first <= share * Math.max(Math.abs(v), Math.abs(first))) settled.set(v, first);
    else first = v;
  }
  if (settled.size === 0) return [...samples];
  return samples.map((own) => own.map((v) => settled.get(v) ?? v));
}

/** x - y, and 0 where they tie. */
export function differencesOf(x: Float64Array, y: Float64Array): Float64Array {
  const share = tieShare(extentOf([x, y]));
  const differences = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) {
    const difference = x[i]! - y[i]!;
    if (!(Math.abs(difference) <= share * Math.max(Math.abs(x[i]!), Math.abs(y[i]!)))) differences[i] = difference;
  }
  return differences;
}

/** Differences of the scores x and y with those of the same size made equal: 0.3 - 0.1, 0.2 - 0.4 and 1000.3 - 1000.1. They tie by the
 *  rounding error of their scores, which is larger than their own. 0 ties with nothing else. */
export function settleDifferences(differences: Float64Array, x: Float64Array, y: Float64Array): Float64Array {
  const { exact } = extentOf([x, y]);
  if (exact) return differences;
  const settled = differences.slice();
  const error = (i: number): number => ROUNDING * Math.max(Math.abs(x[i]!), Math.abs(y[i]!));
  const size = (i: number): number => Math.abs(differences[i]!);
  const order = Int32Array.from(differences.keys())
    .filter((i) => differences[i] !== 0)
    .sort((i, j) => size(i) - size(j));
  let first = order[0]!;
  for (const i of order) {
    if (size(i) - size(first) <= TIE * size(i) + error(first) + error(i)) {
      settled[i] = Math.sign(differences[i]!) * size(first);
    } else first = i;
  }
  return settled;
}
