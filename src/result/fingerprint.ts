/** Fingerprint of data: 128 bits, fast, the same on every machine; not for security.
 *
 *  The data is cut into pieces, each opened by a word for its type and one for its length, so that ["ab", "c"] and
 *  ["a", "bc"] differ; all is hashed as one sequence of 32-bit words. Every NaN counts as the same, and -0 as 0.
 *  Reference: MurmurHash3_x86_128, A. Appleby (2011), public domain algorithm.
 *  Oracle:    SMHasher's verification value 0xB3ECE62A. */

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

/** MurmurHash3 (x86, 128 bits) over 32-bit words and, to close, up to 15 loose bytes. */
export class Murmur128 {
  private readonly h: Int32Array;
  private readonly k = new Int32Array(4);
  private used = 0;
  private length = 0;

  constructor(seed = 0) {
    this.h = new Int32Array(4).fill(seed);
  }

  addWord(word: number): void {
    this.k[this.used++] = word;
    this.length += 4;
    if (this.used === 4) this.mixBlock();
  }

  /** The first `count` words, one after the other. */
  addWords(words: Int32Array, count: number = words.length): void {
    let at = 0;
    while (this.used > 0 && at < count) this.addWord(words[at++]!);
    const whole = at + ((count - at) & ~3);
    this.mixBlocks(words, at, whole);
    this.length += 4 * (whole - at);
    for (at = whole; at < count; at++) this.addWord(words[at]!);
  }

  private mixBlock(): void {
    this.mixBlocks(this.k, 0, 4);
    this.used = 0;
  }

  private mixBlocks(k: Int32Array, from: number, to: number): void {
    const { h } = this;
    let h1 = h[0]!;
    let h2 = h[1]!;
    let h3 = h[2]!;
    let h4 = h[3]!;
    for (let at = from; at < to; at += 4) {
      h1 ^= scramble(k[at]!, C1, 15, C2);
      h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0;
      h2 ^= scramble(k[at + 1]!, C2, 16, C3);
      h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0;
      h3 ^= scramble(k[at + 2]!, C3, 17, C4);
      h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0;
      h4 ^= scramble(k[at + 3]!, C4, 18, C1);
      h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0;
    }
    h[0] = h1;
    h[1] = h2;
    h[2] = h3;
    h[3] = h4;
  }

  /** The hash after `bytes`, fewer than complete the present block; nothing can be added afterwards. */
  finish(bytes: Uint8Array = new Uint8Array(0)): Int32Array {
    const { h, k } = this;
    k.fill(0, this.used);
    for (let i = 0; i < bytes.length; i++) k[this.used + (i >> 2)]! |= bytes[i]! << (8 * (i & 3));
    this.length += bytes.length;
    // An absent word is zero, which scrambles to zero and changes nothing.
    h[3]! ^= scramble(k[3]!, C4, 18, C1);
    h[2]! ^= scramble(k[2]!, C3, 17, C4);
    h[1]! ^= scramble(k[1]!, C2, 16, C3);
    h[0]! ^= scramble(k[0]!, C1, 15, C2);
    for (let i = 0; i < 4; i++) h[i]! ^= this.length;
    spread(h);
    for (let i = 0; i < 4; i++) h[i] = avalanche(h[i]!);
    spread(h);
    return h;
  }
}

function scramble(k: number, first: number, rotation: number, second: number): number {
  return Math.imul(rotate(Math.imul(k, first), rotation), second);
}

function spread(h: Int32Array): void {
  h[0]! += h[1]! + h[2]! + h[3]!;
  for (let i = 1; i < 4; i++) h[i]! += h[0]!;
}

function avalanche(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
}

const FLOATS = 1;
const INTEGERS = 2;
const TEXT = 3;
const NAN_HIGH = 0x7ff80000;

/** Numbers taken at a time, and their words: low before high, or high before low on the rare machine that stores them so. */
const doubles = new Float64Array(256);
const doubleWords = new Int32Array(doubles.buffer);
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

function swapWords(i: number): void {
  const first = doubleWords[2 * i]!;
  doubleWords[2 * i] = doubleWords[2 * i + 1]!;
  doubleWords[2 * i + 1] = first;
}

export class Fingerprint {
  private readonly hash = new Murmur128();

  update(data: Float64Array | Int32Array | string): this {
    if (typeof data === "string") this.addText(data);
    else if (data instanceof Float64Array) this.addFloats(data);
    else this.addIntegers(data);
    return this;
  }

  /** 32 hexadecimal digits; nothing can be added afterwards. */
  digest(): string {
    return Array.from(this.hash.finish(), (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  }

  private open(type: number, length: number): void {
    this.hash.addWord(type);
    this.hash.addWord(length);
  }

  private addFloats(data: Float64Array): void {
    this.open(FLOATS, data.length);
    for (let from = 0; from < data.length; from += doubles.length) {
      const count = Math.min(doubles.length, data.length - from);
      for (let i = 0; i < count; i++) {
        const value = data[from + i]!;
        doubles[i] = value + 0; // -0 + 0 is 0
        if (Number.isNaN(value)) {
          doubleWords[2 * i + 1 - HIGH] = 0;
          doubleWords[2 * i + HIGH] = NAN_HIGH;
        }
        if (HIGH === 0) swapWords(i);
      }
      this.hash.addWords(doubleWords, 2 * count);
    }
  }

  private addIntegers(data: Int32Array): void {
    this.open(INTEGERS, data.length);
    this.hash.addWords(data);
  }

  private addText(text: string): void {
    this.open(TEXT, text.length);
    for (let i = 0; i < text.length; i += 2) {
      this.hash.addWord(text.charCodeAt(i) | ((text.charCodeAt(i + 1) | 0) << 16));
    }
  }
}
