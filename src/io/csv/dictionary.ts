/** Distinct byte strings numbered from 0 in order of appearance: a cell costs a hash and a comparison, never a string. */
import { refuseLongText } from "../budget.ts";

const FIRST_SLOTS = 64;
const FIRST_BYTES = 1024;
/** Slots are at most this full, so that a search stays short. */
const MAX_LOAD = 0.5;
/** A text of this many bytes is decoded at once and cut up; V8 allows 2^29 characters. */
const DECODE_AT_ONCE = 1 << 28;

/** 2^32 over the golden ratio, to the next odd number. */
const MULTIPLIER = 0x9e3779b1 | 0;
/** Drawn once per process: nobody can write a file whose cells all fall into one slot. No result depends on it, since
 *  entries are numbered as they come. Without the rotation after each byte only its lowest eight bits would count. */
const SEED = crypto.getRandomValues(new Int32Array(1))[0]!;

export class ByteDictionary {
  #arena = new Uint8Array(FIRST_BYTES);
  /** Entry k is arena[ends[k - 1], ends[k]). */
  #ends = new Float64Array(FIRST_SLOTS);
  #hashes = new Int32Array(FIRST_SLOTS);
  /** Entry + 1, or 0 for a free slot. */
  #slots = new Int32Array(FIRST_SLOTS);
  #size = 0;
  #ascii = true;

  get size(): number {
    return this.#size;
  }

  /** The number of bytes[start, end); a new one if it equals the size before the call. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    let hash = SEED;
    for (let i = start; i < end; i += 1) {
      hash = Math.imul(hash ^ bytes[i]!, MULTIPLIER);
      hash = (hash << 13) | (hash >>> 19);
    }
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const entry = this.#slots[slot]! - 1;
      if (entry < 0) break;
      if (this.#hashes[entry] === hash && this.#equals(entry, bytes, start, end)) return entry;
      slot = (slot + 1) & mask;
    }
    refuseLongText(end - start);
    return this.#append(slot, hash, bytes.subarray(start, end));
  }

  bytesOf(entry: number): Uint8Array {
    return this.#arena.subarray(this.#startOf(entry), this.#ends[entry]!);
  }

  /** All entries as text; the caller has made sure that they are UTF-8. */
  texts(): string[] {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const used = this.#size === 0 ? 0 : this.#ends[this.#size - 1]!;
    if (this.#ascii && used < DECODE_AT_ONCE) {
      const all = decoder.decode(this.#arena.subarray(0, used));
      return Array.from({ length: this.#size }, (_, entry) => all.slice(this.#startOf(entry), this.#ends[entry]!));
    }
    return Array.from({ length: this.#size }, (_, entry) => decoder.decode(this.bytesOf(entry)));
  }

  #startOf(entry: number): number {
    return entry === 0 ? 0 : this.#ends[entry - 1]!;
  }

  #equals(entry: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#startOf(entry);
    if (this.#ends[entry]! - from !== end - start) return false;
    for (let i = start, j = from; i < end; i += 1, j += 1) if (bytes[i] !== this.#arena[j]) return false;
    return true;
  }

  #append(slot: number, hash: number, text: Uint8Array): number {
    const entry = this.#size;
    const start = this.#startOf(entry);
    const end = start + text.length;
    if (end > this.#arena.length) this.#arena = grownBytes(this.#arena, end);
    this.#arena.set(text, start);
    if (entry === this.#ends.length) this.#growEntries();
    this.#ends[entry] = end;
    this.#hashes[entry] = hash;
    this.#slots[slot] = entry + 1;
    this.#size += 1;
    this.#ascii &&= text.every((byte) => byte < 0x80);
    if (this.#size > MAX_LOAD * this.#slots.length) this.#rehash();
    return entry;
  }

  #growEntries(): void {
    const ends = new Float64Array(2 * this.#ends.length);
    ends.set(this.#ends);
    this.#ends = ends;
    const hashes = new Int32Array(ends.length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
  }

  #rehash(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.#size; entry += 1) {
      let slot = this.#hashes[entry]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.#slots = slots;
  }
}

/** A larger copy with room for at least `needed` bytes. */
export function grownBytes(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.max(2 * bytes.length, needed));
  grown.set(bytes);
  return grown;
}
