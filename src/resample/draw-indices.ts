/** Bootstrap draws: numbers from 0 … n-1 with replacement, two from one random word.
 *  word * n / 2^32 has the first index as its whole part; its fraction, times n again, the second. A word whose last fraction falls
 *  into the incomplete cycle of 2^32 mod n² is drawn again, so that all pairs are equally likely. Above 65,536 items an index takes two
 *  words; its bias is then below n/2^53.
 *  Reference: Lemire (2019), ACM Trans. Model. Comput. Simul. 29(1); Brackett-Rozinsky & Lemire (2024), Softw. Pract. Exp. 55. */
import { type BitState, fastWord, fillWords } from "./fast-bits.ts";

const TWO_32 = 4294967296;
const TWO_21 = 2097152;
const TWO_M32 = 1 / TWO_32;
const TWO_M53 = 1 / 9007199254740992;
/** n² must not exceed 2^32. */
export const LARGEST_PAIR = 65536;

/** Fills target with draws from 0 … n-1. */
export function drawIndicesInto(target: Int32Array, n: number, state: BitState): void {
  if (n > LARGEST_PAIR) {
    drawSingly(target, n, state);
    return;
  }
  const incomplete = TWO_32 % (n * n);
  const factor = n | 0;
  const scale = n * TWO_M32; // exact, and so is its product with a word
  const last = target.length - 1;
  for (let k = 0; k <= last; ) {
    // the words wait at the end of the target, where no index stands before they are used
    const first = target.length - ((target.length - k + 1) >> 1);
    fillWords(target, first, state);
    for (let w = first; w <= last; w++) {
      const word = target[w]!;
      const low = Math.imul(word, factor) >>> 0;
      if (Math.imul(low, factor) >>> 0 < incomplete) continue;
      target[k] = ((word >>> 0) * scale) | 0;
      if (k < last) target[k + 1] = (low * scale) | 0;
      k += 2;
    }
  }
}

function drawSingly(target: Int32Array, n: number, state: BitState): void {
  for (let k = 0; k < target.length; k++) {
    const high = fastWord(state) >>> 0;
    target[k] = Math.floor((high * TWO_21 + (fastWord(state) >>> 11)) * TWO_M53 * n);
  }
}

/** Σ values[index] over as many draws as there are values, at most LARGEST_PAIR: the same draws as `drawIndicesInto`, without storing
 *  them. The generator of fast-bits.ts is written out here, so that its steps overlap with the look-ups: half the time. */
export function sumOfDraws(values: Float64Array, state: BitState): number {
  const n = values.length;
  const incomplete = TWO_32 % (n * n);
  const factor = n | 0;
  const scale = n * TWO_M32;
  let s0 = state[0]!;
  let s1 = state[1]!;
  let s2 = state[2]!;
  let s3 = state[3]!;
  let even = 0;
  let odd = 0;
  for (let k = 0; k < n; ) {
    const sum = (s0 + s3) | 0;
    const word = (((sum << 7) | (sum >>> 25)) + s0) | 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    const low = Math.imul(word, factor) >>> 0;
    if (Math.imul(low, factor) >>> 0 < incomplete) continue;
    even += values[((word >>> 0) * scale) | 0]!;
    if (k + 1 < n) odd += values[(low * scale) | 0]!;
    k += 2;
  }
  state[0] = s0;
  state[1] = s1;
  state[2] = s2;
  state[3] = s3;
  return even + odd;
}
