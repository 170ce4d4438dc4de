/** Sums of random choices of k of N values, every choice equally likely, CHUNK of them from one random stream.
 *    by bits      every value is taken with probability 1/2, 32 of them by one random word and the sums of eight by one look-up
 *                 (byte-tables.ts); then values are taken or put back at random until there are k. The first step favours no value, nor
 *                 does the second, so every set of k is equally likely. Some √N draws in all, where k is about N/2.
 *    by shuffle   the first k places of a partial Fisher-Yates shuffle, k draws, where k is small beside N.
 *  Reference: Arlazarov et al. (1970) (the tables); Durstenfeld (1964), Commun. ACM 7 (the shuffle).
 *  Oracle:    enumeration of all choices (choices.test.ts). */
import type { Rng } from "../numeric/rng.ts";
import { type ByteTables, CHUNK, makeByteTables } from "./byte-tables.ts";
import { type BitState, fastWord, fillWords, startBits } from "./fast-bits.ts";

/** Adds CHUNK sums to `target`; what it adds depends on the stream alone. */
export type AddChoices = (target: Float64Array, rng: Rng) => void;

/** Tables of more values do not fit the caches, nor a browser's memory. */
const MOST_TABLED = 100_000;

export function makeChoices(values: Float64Array, chosen: number): AddChoices {
  const few = Math.min(chosen, values.length - chosen);
  const add = isBalanced(values.length, few) ? choiceByBits(values, few) : choiceByShuffle(values, few);
  if (few === chosen) return add;
  const total = values.reduce((a, b) => a + b, 0);
  const own = new Float64Array(CHUNK);
  return (target, rng) => {
    own.fill(0);
    add(own, rng);
    for (let r = 0; r < CHUNK; r++) target[r]! += total - own[r]!;
  };
}

/** Whether the look-ups and the draws after them (half of which hit a value that is there already) are fewer than k. */
function isBalanced(n: number, few: number): boolean {
  return n <= MOST_TABLED && n / 16 + 2 * (n / 2 - few + 0.4 * Math.sqrt(n)) < few;
}

function choiceByBits(values: Float64Array, few: number): AddChoices {
  const tables = makeByteTables(values, 1);
  const masks = new Int32Array(CHUNK * tables.words);
  const counts = new Int32Array(CHUNK);
  const bits = new Int32Array(CHUNK);
  return (target, rng) => {
    const state = startBits(rng);
    counts.fill(0);
    for (let word = 0; word < tables.words; word++) {
      fillWords(bits, 0, state);
      takeWord(target, { tables, masks, counts, bits }, word, values.length);
    }
    for (let r = 0; r < CHUNK; r++) {
      target[r]! += settle(values, masks.subarray(r * tables.words, (r + 1) * tables.words), few - counts[r]!, state);
    }
  };
}

interface Taking {
  readonly tables: ByteTables;
  /** Bit i % 32 of word i / 32 of a choice tells whether it has value i. */
  readonly masks: Int32Array;
  /** Values in each choice. */
  readonly counts: Int32Array;
  /** A random word for each choice. */
  readonly bits: Int32Array;
}

/** One group of 32 values for all choices: its four tables stay in the first-level cache. */
function takeWord(
  target: Float64Array,
  { tables: { words, sums }, masks, counts, bits }: Taking,
  word: number,
  n: number,
): void {
  const base = word * 1024;
  const there = n - 32 * word >= 32 ? -1 : (1 << (n - 32 * word)) - 1;
  for (let r = 0; r < CHUNK; r++) {
    const b = bits[r]! & there;
    masks[r * words + word] = b;
    counts[r]! += countBits(b);
    target[r]! +=
      sums[base + (b & 255)]! +
      sums[base + 256 + ((b >>> 8) & 255)]! +
      (sums[base + 512 + ((b >>> 16) & 255)]! + sums[base + 768 + (b >>> 24)]!);
  }
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Takes `missing` more values, or puts as many back; what the sum gains. */
function settle(values: Float64Array, mask: Int32Array, missing: number, state: BitState): number {
  const shift = Math.clz32(values.length - 1);
  const wanted = missing > 0 ? 0 : 1;
  let gain = 0;
  for (let left = Math.abs(missing); left > 0; ) {
    const i = fastWord(state) >>> shift;
    if (i >= values.length || ((mask[i >> 5]! >>> (i & 31)) & 1) !== wanted) continue;
    mask[i >> 5]! ^= 1 << (i & 31);
    gain += values[i]!;
    left--;
  }
  return missing > 0 ? gain : -gain;
}

/** Every stream starts from the data, so that chunks do not depend on one another. */
function choiceByShuffle(values: Float64Array, few: number): AddChoices {
  const order = new Float64Array(values.length);
  return (target, rng) => {
    order.set(values);
    for (let r = 0; r < CHUNK; r++) {
      let sum = 0;
      for (let i = 0; i < few; i++) {
        const j = i + rng.int(order.length - i);
        const held = order[j]!;
        order[j] = order[i]!;
        order[i] = held;
        sum += held;
      }
      target[r]! += sum;
    }
  };
}
