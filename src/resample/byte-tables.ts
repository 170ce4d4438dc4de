/** Random subset sums at one table look-up per eight items: for every group of eight rows the 256 sums of its subsets are made
 *  once, and a byte of random bits picks one. A row may hold several numbers (sufficient statistics); all are summed at once.
 *  Replicates come in chunks of CHUNK that share one random stream, so that a stream's start-up is paid once; the draws of a
 *  replicate depend on (seed, its number) alone, however the chunks are spread over workers.
 *  Reference: the "four Russians" table method, Arlazarov et al. (1970). */
import type { Rng } from "../numeric/rng.ts";
import { type BitState, fastWord, startBits } from "./fast-bits.ts";

/** Replicates that share a stream: replicate i is the (i mod CHUNK)-th of stream floor(i / CHUNK). */
export const CHUNK = 256;

export interface ByteTables {
  readonly width: number;
  /** Groups of 32 rows, one random word each. */
  readonly words: number;
  /** sums[((4 * word + byte) * 256 + bits) * width + column] */
  readonly sums: Float64Array;
}

/** `rows` holds n rows of `width` numbers, one row after the other. */
export function makeByteTables(rows: Float64Array, width: number): ByteTables {
  const n = rows.length / width;
  const words = Math.ceil(n / 32);
  const sums = new Float64Array(words * 4 * 256 * width);
  for (let first = 0, base = 0; first < n; first += 8, base += 256 * width) {
    const here = Math.min(8, n - first);
    for (let bit = 0; bit < 8; bit++) {
      const half = (1 << bit) * width;
      // rows beyond the end count as zeros
      for (let k = 0; k < half; k++) sums[base + half + k] = sums[base + k]!;
      if (bit >= here) continue;
      const row = (first + bit) * width;
      for (let k = 0; k < half; k += width) {
        for (let c = 0; c < width; c++) sums[base + half + k + c]! += rows[row + c]!;
      }
    }
  }
  return { width, words, sums };
}

export interface SubsetOptions {
  readonly replicates: number;
  readonly rng: Rng;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** Chunks that are summed side by side: a group's tables are then read from memory once for all of them. */
const SIDE_BY_SIDE = 16;

/** Sums of random subsets, every row in with probability 1/2. `visit` gets the replicate, and where its `width` sums stand. */
export function eachSubset(
  tables: ByteTables,
  { replicates, rng, onProgress }: SubsetOptions,
  visit: (replicate: number, sums: Float64Array, at: number) => void,
): void {
  const chunks = Math.ceil(replicates / CHUNK);
  const targets = Array.from({ length: Math.min(chunks, SIDE_BY_SIDE) }, () => new Float64Array(CHUNK * tables.width));
  for (let first = 0; first < chunks; first += SIDE_BY_SIDE) {
    const here = targets.slice(0, chunks - first);
    addSubsets(here, tables, (k) => startBits(rng.stream(first + k)));
    here.forEach((sums, k) => {
      const start = (first + k) * CHUNK;
      const count = Math.min(CHUNK, replicates - start);
      for (let r = 0; r < count; r++) visit(start + r, sums, r * tables.width);
    });
    onProgress?.(Math.min(replicates, (first + here.length) * CHUNK), replicates);
  }
}

function addSubsets(targets: readonly Float64Array[], tables: ByteTables, startOf: (k: number) => BitState): void {
  const states = targets.map((target, k) => {
    target.fill(0);
    return startOf(k);
  });
  for (let word = 0; word < tables.words; word++) {
    for (let k = 0; k < targets.length; k++) {
      if (tables.width === 1) addSingle(targets[k]!, tables.sums, word * 1024, states[k]!);
      else addRows(targets[k]!, tables, word * 1024 * tables.width, states[k]!);
    }
  }
}

/** One group of 32 rows for all replicates: its four tables stay in the first-level cache. The generator of fast-bits.ts is written
 *  out, so that its steps overlap with the look-ups. */
function addSingle(target: Float64Array, sums: Float64Array, base: number, state: BitState): void {
  let s0 = state[0]!;
  let s1 = state[1]!;
  let s2 = state[2]!;
  let s3 = state[3]!;
  for (let r = 0; r < target.length; r++) {
    const sum = (s0 + s3) | 0;
    const b = (((sum << 7) | (sum >>> 25)) + s0) | 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    target[r]! +=
      sums[base + (b & 255)]! +
      sums[base + 256 + ((b >>> 8) & 255)]! +
      (sums[base + 512 + ((b >>> 16) & 255)]! + sums[base + 768 + (b >>> 24)]!);
  }
  state[0] = s0;
  state[1] = s1;
  state[2] = s2;
  state[3] = s3;
}

function addRows(target: Float64Array, { width, sums }: ByteTables, base: number, state: BitState): void {
  const table = 256 * width;
  for (let at = 0; at < target.length; at += width) {
    const b = fastWord(state);
    const t0 = base + (b & 255) * width;
    const t1 = base + table + ((b >>> 8) & 255) * width;
    const t2 = base + 2 * table + ((b >>> 16) & 255) * width;
    const t3 = base + 3 * table + (b >>> 24) * width;
    for (let c = 0; c < width; c++) {
      target[at + c]! += sums[t0 + c]! + sums[t1 + c]! + (sums[t2 + c]! + sums[t3 + c]!);
    }
  }
}
