/** Numbers from bytes, equal to Number(text) to the last bit.
 *  Up to 15 significant digits the digits are an exact double and 10^k is exact for k ≤ 22, so that one rounded
 *  multiplication or division gives the nearest double. Up to 19 digits, which is what programs print for a double, the
 *  quotient is taken in twice the precision and used if its rounding is beyond doubt. The rest goes through Number.
 *  Reference: Clinger (1990), How to read floating point numbers accurately, PLDI '90, section 4 (the fast path);
 *             Dekker (1971), Numer. Math. 18, 224-242 (exact products and quotients in twice the precision). */

/** How the text of a number can be made again: a count of decimals 0-22, or ODD. Negative: why it is no number. */
export const ODD = 255;
export const NOT_A_NUMBER = -1;
export const LEADING_ZEROS = -2;
export const BIG_INTEGER = -3;

/** Decimal integers of this many digits are exact doubles. */
const EXACT_DIGITS = 15;
/** Four digits more keep all parts of the quotient below exact doubles. */
const LONG_DIGITS = 19;
/** 10^22 is the largest power of ten that is an exact double. */
const EXACT_POWER = 22;
/** Exponents are cut off here: far beyond any double, far below overflow of the counter. */
const MAX_EXPONENT = 100_000;

const POWERS = Float64Array.from({ length: EXACT_POWER + 1 }, (_, k) => Number(`1e${k}`));
const INFINITIES = new Set(["inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"]);
const INFINITY_BYTES = 9;

const SPACE = 32;
const TAB = 9;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** The form of the last number parsed; a second return value without an allocation. */
export const lastForm = new Int32Array(1);

/** The number in bytes[start, end), surrounding blanks allowed; NaN if there is none or if the column would be
 *  harmed by it (leading zeros and integers beyond 2^53 are names, not quantities). Sets `lastForm`. */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  let stop = end;
  while (at < stop && (bytes[at] === SPACE || bytes[at] === TAB)) at += 1;
  while (stop > at && (bytes[stop - 1] === SPACE || bytes[stop - 1] === TAB)) stop -= 1;
  const from = at;
  let odd = from !== start || stop !== end;
  const negative = bytes[at] === MINUS;
  if (at < stop && (negative || bytes[at] === PLUS)) {
    odd ||= !negative;
    at += 1;
  }

  // The first 15 significant digits, and those behind them.
  let mantissa = 0;
  let rest = 0;
  let significant = 0;
  const integerStart = at;
  for (; at < stop; at += 1) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) break;
    if (significant < EXACT_DIGITS) mantissa = mantissa * 10 + digit;
    else rest = rest * 10 + digit;
    if (mantissa > 0) significant += 1;
  }
  const integerDigits = at - integerStart;
  let decimals = 0;
  if (at < stop && bytes[at] === POINT) {
    const pointAt = at;
    for (at += 1; at < stop; at += 1) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) break;
      if (significant < EXACT_DIGITS) mantissa = mantissa * 10 + digit;
      else rest = rest * 10 + digit;
      if (mantissa > 0) significant += 1;
    }
    decimals = at - pointAt - 1;
    odd ||= decimals === 0 || integerDigits === 0;
  }
  if (integerDigits + decimals === 0) return parseInfinity(bytes, from, stop);
  let exponent = 0;
  const plain = at === stop;
  if (!plain) {
    exponent = parseExponent(bytes, at, stop);
    if (Number.isNaN(exponent)) return refuse(NOT_A_NUMBER);
    odd = true;
  }
  if (integerDigits > 1 && bytes[integerStart] === ZERO) return refuse(LEADING_ZEROS);

  const power = exponent - decimals;
  if (significant <= EXACT_DIGITS && power >= -EXACT_POWER && power <= EXACT_POWER) {
    const size = power < 0 ? mantissa / POWERS[-power]! : mantissa * POWERS[power]!;
    odd ||= negative && mantissa === 0;
    lastForm[0] = odd ? ODD : decimals;
    return negative ? -size : size;
  }
  if (!odd && decimals > 0 && decimals <= EXACT_POWER && significant <= LONG_DIGITS) {
    const size = divideLong(mantissa, rest, significant - EXACT_DIGITS, decimals);
    if (!Number.isNaN(size)) return negative ? -size : size;
  }
  const integer = plain && decimals === 0 && stop === integerStart + integerDigits;
  return parseLong(ascii(bytes, from, stop), integer, odd);
}

/** Relative error that the quotient of twice the precision surely keeps; its true error is below 2^-50. */
const DOUBT = 2 ** -45;
/** A number is the nearest to its own text if they differ by less than half a unit of the last decimal. */
const NEAREST = 0.49;

/** (first · 10^count + rest) / 10^decimals rounded to the nearest double; NaN if too close to a tie to be sure. */
function divideLong(first: number, rest: number, count: number, decimals: number): number {
  const product = first * POWERS[count]!;
  // An integer below 2^11 plus one below 10^4: exact.
  const low = productError(first, POWERS[count]!, product) + rest;
  const high = product + low;
  const divisor = POWERS[decimals]!;
  const quotient = high / divisor;
  const back = quotient * divisor;
  const remainder = high - back - productError(quotient, divisor, back) + (low - (high - product));
  const correction = remainder / divisor;
  const value = quotient + correction;
  const sure = quotient + correction * (1 + DOUBT) === value && quotient + correction * (1 - DOUBT) === value;
  if (!sure) return Number.NaN;
  const difference = quotient - value + correction;
  lastForm[0] = Math.abs(difference) * divisor < NEAREST ? decimals : ODD;
  return value;
}

/** a · b − product exactly, for product = fl(a · b): Dekker's splitting into halves of 26 bits. */
function productError(a: number, b: number, product: number): number {
  const aScaled = a * 134217729;
  const aHigh = aScaled - (aScaled - a);
  const aLow = a - aHigh;
  const bScaled = b * 134217729;
  const bHigh = bScaled - (bScaled - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

function refuse(reason: number): number {
  lastForm[0] = reason;
  return Number.NaN;
}

/** The exponent in bytes[at, stop) = e[+-]digits, or NaN. */
function parseExponent(bytes: Uint8Array, at: number, stop: number): number {
  if ((bytes[at]! | SPACE) !== 101) return Number.NaN;
  at += 1;
  const negative = bytes[at] === MINUS;
  if (at < stop && (negative || bytes[at] === PLUS)) at += 1;
  if (at === stop) return Number.NaN;
  let exponent = 0;
  for (; at < stop; at += 1) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    exponent = Math.min(exponent * 10 + digit, MAX_EXPONENT);
  }
  return negative ? -exponent : exponent;
}

function parseLong(text: string, integer: boolean, odd: boolean): number {
  const value = Number(text);
  if (!Number.isFinite(value)) return refuse(NOT_A_NUMBER);
  if (integer && Math.abs(value) > Number.MAX_SAFE_INTEGER) return refuse(BIG_INTEGER);
  lastForm[0] = odd || String(value) !== text ? ODD : 0;
  return value;
}

function parseInfinity(bytes: Uint8Array, from: number, stop: number): number {
  if (stop - from < 3 || stop - from > INFINITY_BYTES) return refuse(NOT_A_NUMBER);
  if (!INFINITIES.has(ascii(bytes, from, stop).toLowerCase())) return refuse(NOT_A_NUMBER);
  lastForm[0] = ODD;
  return bytes[from] === MINUS ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function ascii(bytes: Uint8Array, from: number, stop: number): string {
  let text = "";
  for (let i = from; i < stop; i += 1) text += String.fromCharCode(bytes[i]!);
  return text;
}
