/** Philox4x32-10: ten keyed rounds turn a 128-bit counter into 128 random bits; for a fixed key the map is a bijection.
 *
 *  One round, on words (a, b, c, d) with round key (k0, k1); hi and lo are the halves of the 64-bit product:
 *    a' = hi(M1 c) ^ b ^ k0,   b' = lo(M1 c),   c' = hi(M0 a) ^ d ^ k1,   d' = lo(M0 a)
 *  Reference: Salmon, Moraes, Dror & Shaw (2011), "Parallel random numbers: as easy as 1, 2, 3", SC'11, section 4.
 *  Oracle:    the known-answer vectors published with Random123.
 *  Limits:    not for cryptography. */

const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
// Weyl increments of the round keys: the golden ratio and sqrt(3) - 1, as 32-bit fractions.
const W0 = 0x9e3779b9 | 0;
const W1 = 0xbb67ae85 | 0;
const ROUNDS = 10;

/** 2^-32, exact. */
const TWO_M32 = 1 / 4294967296;
const M0_SCALED = M0 * TWO_M32;
const M1_SCALED = M1 * TWO_M32;
const SIGN_BIT = 0x80000000;

/** Words that one call of `philoxGroupInto` writes: four blocks of four. */
export const GROUP_WORDS = 16;

/** High 32 bits (as int32) of the unsigned product a * b, in 16-bit halves: every partial sum stays below 2^32. */
export function mulHigh(a: number, b: number): number {
  const ah = a >>> 16;
  const al = a & 0xffff;
  const bh = b >>> 16;
  const bl = b & 0xffff;
  const middle = (Math.imul(ah, bl) + (Math.imul(al, bl) >>> 16)) | 0;
  const cross = (Math.imul(al, bh) + (middle & 0xffff)) | 0;
  return (Math.imul(ah, bh) + (middle >>> 16) + (cross >>> 16)) | 0;
}

/** One block: `block` holds the counter (four words) and is overwritten with the output. */
export function philoxInto(block: Int32Array, k0: number, k1: number): void {
  let a = block[0]!;
  let b = block[1]!;
  let c = block[2]!;
  let d = block[3]!;
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = mulHigh(a, M0);
    const low0 = Math.imul(a, M0);
    const high1 = mulHigh(c, M1);
    const low1 = Math.imul(c, M1);
    a = high1 ^ b ^ k0;
    b = low1;
    c = high0 ^ d ^ k1;
    d = low0;
    k0 = (k0 + W0) | 0;
    k1 = (k1 + W1) | 0;
  }
  block[0] = a;
  block[1] = b;
  block[2] = c;
  block[3] = d;
}

/** Key and upper counter half of a stream: 128 bits that no other stream has. */
export interface StreamId {
  readonly k0: number;
  readonly k1: number;
  readonly c2: number;
  readonly c3: number;
}

/** The blocks with counters (c0 … c0 + 3, c1, c2, c3), c0 a multiple of 4, so that no carry arises. Four blocks are
 *  interleaved because one alone waits on its own multiplications.
 *
 *  The high half of M * a comes from floating point: the product, rounded to 53 bits, is off by at most 2^10; less the
 *  exact low half it is a multiple of 2^32 up to that error, so (M a - low) / 2^32 + 1/2 truncates to the exact high
 *  half. The 1/2 is folded into the low half by flipping its sign bit: low - 2^31 = (low ^ 2^31) read as int32. */
export function philoxGroupInto(out: Int32Array, id: StreamId, c0: number, c1: number): void {
  // Local copies: a bundler may turn module constants into variables, which engines then cannot fold into the code.
  const m0 = M0;
  const m1 = M1;
  const scaled0 = M0_SCALED;
  const scaled1 = M1_SCALED;
  const twoM32 = TWO_M32;
  const { c2, c3 } = id;
  let { k0, k1 } = id;
  let a0 = c0 | 0;
  let a1 = (c0 + 1) | 0;
  let a2 = (c0 + 2) | 0;
  let a3 = (c0 + 3) | 0;
  let b0 = c1;
  let b1 = c1;
  let b2 = c1;
  let b3 = c1;
  let e0 = c2;
  let e1 = c2;
  let e2 = c2;
  let e3 = c2;
  let d0 = c3;
  let d1 = c3;
  let d2 = c3;
  let d3 = c3;
  for (let round = 0; round < ROUNDS; round++) {
    let low0 = Math.imul(a0, m0);
    let low1 = Math.imul(e0, m1);
    let high0 = ((a0 >>> 0) * scaled0 - (low0 ^ SIGN_BIT) * twoM32) | 0;
    a0 = (((e0 >>> 0) * scaled1 - (low1 ^ SIGN_BIT) * twoM32) | 0) ^ b0 ^ k0;
    e0 = high0 ^ d0 ^ k1;
    b0 = low1;
    d0 = low0;
    low0 = Math.imul(a1, m0);
    low1 = Math.imul(e1, m1);
    high0 = ((a1 >>> 0) * scaled0 - (low0 ^ SIGN_BIT) * twoM32) | 0;
    a1 = (((e1 >>> 0) * scaled1 - (low1 ^ SIGN_BIT) * twoM32) | 0) ^ b1 ^ k0;
    e1 = high0 ^ d1 ^ k1;
    b1 = low1;
    d1 = low0;
    low0 = Math.imul(a2, m0);
    low1 = Math.imul(e2, m1);
    high0 = ((a2 >>> 0) * scaled0 - (low0 ^ SIGN_BIT) * twoM32) | 0;
    a2 = (((e2 >>> 0) * scaled1 - (low1 ^ SIGN_BIT) * twoM32) | 0) ^ b2 ^ k0;
    e2 = high0 ^ d2 ^ k1;
    b2 = low1;
    d2 = low0;
    low0 = Math.imul(a3, m0);
    low1 = Math.imul(e3, m1);
    high0 = ((a3 >>> 0) * scaled0 - (low0 ^ SIGN_BIT) * twoM32) | 0;
    a3 = (((e3 >>> 0) * scaled1 - (low1 ^ SIGN_BIT) * twoM32) | 0) ^ b3 ^ k0;
    e3 = high0 ^ d3 ^ k1;
    b3 = low1;
    d3 = low0;
    k0 = (k0 + W0) | 0;
    k1 = (k1 + W1) | 0;
  }
  out[0] = a0;
  out[1] = b0;
  out[2] = e0;
  out[3] = d0;
  out[4] = a1;
  out[5] = b1;
  out[6] = e1;
  out[7] = d1;
  out[8] = a2;
  out[9] = b2;
  out[10] = e2;
  out[11] = d2;
  out[12] = a3;
  out[13] = b3;
  out[14] = e3;
  out[15] = d3;
}
