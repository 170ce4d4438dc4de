/** log, log1p and exp from + - * / alone, which every engine rounds alike. Engines' own Math.log and Math.exp differ by
 *  an ulp, enough for a rejection sampler to accept in one place and reject in another, after which streams diverge.
 *
 *  log:  x = 2^k m with m in [sqrt(1/2), sqrt(2)), log m = 2 artanh(s) = 2 (s + s^3/3 + …), s = (m - 1)/(m + 1).
 *  exp:  x = k log 2 + r with |r| <= log(2)/2, exp r by its Taylor polynomial.
 *  Oracle: mpmath, relative error below 4e-16 over the whole range.
 *  Limits: normal numbers; subnormal arguments of log and results of exp lose their last bits. */

// log 2 in two parts: the first has 21 trailing zero bits, so that k * LN2_HIGH is exact for |k| < 2^21.
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const SQRT2_HIGH_WORD = 0x3ff6a09e;

/** (log(2)/2)^15 / 15! is below 2^-60. */
const TAYLOR_DEGREE = 14;
const INVERSE_FACTORIAL = makeInverseFactorials();

function makeInverseFactorials(): Float64Array {
  const table = new Float64Array(TAYLOR_DEGREE + 1);
  let factorial = 1;
  for (let j = 0; j <= TAYLOR_DEGREE; j++) {
    if (j > 0) factorial *= j;
    table[j] = 1 / factorial;
  }
  return table;
}

const scratch = new Float64Array(1);
const words = new Int32Array(scratch.buffer);
/** Index of the word with sign and exponent. */
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

/** Natural logarithm of a positive normal number; -Infinity at 0, NaN below. */
export function portableLog(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  let k = 0;
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984; // 2^54
    k = -54;
  }
  scratch[0] = x;
  const high = words[HIGH]!;
  k += (high >>> 20) - 1023;
  words[HIGH] = (high & 0xfffff) | 0x3ff00000;
  if (words[HIGH] >= SQRT2_HIGH_WORD) {
    words[HIGH] -= 0x100000;
    k += 1;
  }
  return k * LN2_HIGH + (k * LN2_LOW + logNearOne(scratch[0]! - 1));
}

/** log(1 + f) for |f| < 0.42. With s = f/(2 + f): f - s (f - tail), where 2 artanh(s) = 2s + s * tail and 2s = f - s f. */
function logNearOne(f: number): number {
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  // Even and odd terms apart: two short dependency chains instead of a long one.
  const even = 2 / 3 + w * (2 / 7 + w * (2 / 11 + w * (2 / 15 + w * (2 / 19))));
  const odd = 2 / 5 + w * (2 / 9 + w * (2 / 13 + w * (2 / 17 + w * (2 / 21))));
  const tail = z * (even + z * odd);
  return f - s * (f - tail);
}

/** log(1 + x) without loss near 0. */
export function portableLog1p(x: number): number {
  if (x > -0.25 && x < 0.4) return logNearOne(x);
  return portableLog(1 + x);
}

/** exp(x) for x in [-700, 700]; 0 and Infinity beyond. */
export function portableExp(x: number): number {
  if (!(x >= -700)) return x < -700 ? 0 : Number.NaN;
  if (x > 700) return Number.POSITIVE_INFINITY;
  const k = Math.floor(x * Math.LOG2E + 0.5);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = INVERSE_FACTORIAL[TAYLOR_DEGREE]!;
  for (let j = TAYLOR_DEGREE - 1; j >= 0; j--) sum = INVERSE_FACTORIAL[j]! + r * sum;
  words[HIGH] = (k + 1023) << 20;
  words[1 - HIGH] = 0;
  return sum * scratch[0]!;
}
