/** Many random words at little cost: xoshiro128++, started from four words of a seeded stream (replicates need millions of words, and
 *  Philox, made for independent streams, takes ten times as long for each). The words depend on the stream alone.
 *    out = rotl(s0 + s3, 7) + s0;  t = s1 << 9;  s2 ^= s0;  s3 ^= s1;  s1 ^= s2;  s0 ^= s3;  s2 ^= t;  s3 = rotl(s3, 11)
 *  Reference: Blackman & Vigna (2021), Scrambled linear pseudorandom number generators, ACM Trans. Math. Softw. 47(4).
 *  Limits:    period 2^128 - 1; not for cryptography. */
import type { Rng } from "../numeric/rng.ts";

/** Four words, not all zero; drawing moves them on. */
export type BitState = Int32Array;

export function startBits(rng: Rng): BitState {
  const state = new Int32Array(4);
  rng.fillBits(state);
  if (state.every((word) => word === 0)) state[0] = 1;
  return state;
}

export function fastWord(state: BitState): number {
  const s0 = state[0]!;
  const s1 = state[1]!;
  const s2 = state[2]! ^ s0;
  const s3 = state[3]!;
  const sum = (s0 + s3) | 0;
  const turned = s3 ^ s1;
  state[0] = s0 ^ turned;
  state[1] = s1 ^ s2;
  state[2] = s2 ^ (s1 << 9);
  state[3] = (turned << 11) | (turned >>> 21);
  return (((sum << 7) | (sum >>> 25)) + s0) | 0;
}

/** Words into target from `start` on; the state stays in registers, so that a word takes half the time of a single one. */
export function fillWords(target: Int32Array, start: number, state: BitState): void {
  let s0 = state[0]!;
  let s1 = state[1]!;
  let s2 = state[2]!;
  let s3 = state[3]!;
  for (let k = start; k < target.length; k++) {
    const sum = (s0 + s3) | 0;
    target[k] = ((sum << 7) | (sum >>> 25)) + s0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
  }
  state[0] = s0;
  state[1] = s1;
  state[2] = s2;
  state[3] = s3;
}
