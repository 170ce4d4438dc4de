/** Seeded random streams: Philox4x32-10 read as a sequence of 32-bit words, and draws made of them.
 *
 *  A stream is a function of its seed text alone. `stream(i)` is a function of (seed, i) alone, however much was drawn
 *  before, so replicate i gives the same bits on one worker, on many, and after a resume. The layout of key and counter,
 *  and why streams do not overlap, is in rng/stream-id.ts; the generator in rng/philox.ts.
 *  Draws use + - * / sqrt and integer operations only, so that every engine gives the same bits.
 *  Reference: Salmon et al. (2011), SC'11 (Philox); Lemire (2019), ACM Trans. Model. Comput. Simul. 29(1) (int);
 *             see also rng/ziggurat.ts (normal) and rng/binomial.ts.
 *  Limits:    the first 2^53 words of a stream, about 10^16, can be reached; wrong arguments of a draw give NaN, -1 or
 *             false, a wrong stream number throws a RangeError. */
import { drawBinomial } from "./rng/binomial.ts";
import type { StreamId } from "./rng/philox.ts";
import { GROUP_WORDS, mulHigh, philoxGroupInto } from "./rng/philox.ts";
import { philoxRunInto, RUN_WORDS } from "./rng/philox-run.ts";
import { portableLog } from "./rng/portable-math.ts";
import { childId, hashSeed, splitSeed } from "./rng/stream-id.ts";
import { ACCEPT, isUnderCurve, LAYERS, tryTail, WIDTH } from "./rng/ziggurat.ts";

/** Where a stream stands: plain data, to be stored and given to `resumeRng`. */
export interface RngState {
  readonly seed: string;
  /** 32-bit words consumed. */
  readonly position: number;
}

export interface Rng {
  /** Text from which `makeRng` makes this very stream again, from its start: "42", "42/3" for its stream 3. */
  readonly seed: string;
  /** 32 random bits, 0 … 2^32 - 1. */
  bits(): number;
  /** k 2^-53, k = 0 … 2^53 - 1, but 2^-54 instead of 0: always inside (0, 1). */
  uniform(): number;
  normal(): number;
  /** Mean 1. */
  exponential(): number;
  /** Location mu, scale b: density exp(-|x - mu| / b) / 2b. */
  laplace(mu: number, b: number): number;
  /** Without bias from 0 … n - 1, n an integer up to 2^53; NaN for any other n. */
  int(n: number): number;
  binomial(n: number, p: number): number;
  /** Counts of n draws from categories with weights p, which need not sum to 1; false if the weights are unusable. */
  multinomialInto(target: Int32Array | Float64Array, n: number, p: ArrayLike<number>): boolean;
  /** Index drawn from running totals of non-negative weights (the last one is their sum); -1 if that is not positive. */
  categorical(cumulative: ArrayLike<number>): number;
  /** 32 fair signs, one a bit. */
  signBits(): number;
  fillBits(target: Int32Array | Uint32Array): void;
  fillUniform(target: Float64Array): void;
  fillNormal(target: Float64Array): void;
  /** Puts the elements of target into random order, all orders equally likely. */
  shuffleInto(target: Int32Array | Float64Array): void;
  /** Fills target with draws from 0 … n - 1; false if n is not a positive integer. */
  sampleWithReplacementInto(target: Int32Array, n: number): boolean;
  /** Fills target with different numbers from 0 … n - 1, ascending, all subsets equally likely; false if too few. */
  sampleWithoutReplacementInto(target: Int32Array, n: number): boolean;
  /** Stream i, i = 0 … 2^53 - 1, at its start. */
  stream(i: number): Rng;
  state(): RngState;
}

/** The stream of a seed, or the stream of a stream: makeRng(42, 3, 5) is makeRng(42).stream(3).stream(5), and so is
 *  makeRng("42/3/5"). Numbers count as their decimal text. */
export function makeRng(seed: string | number, ...path: readonly number[]): Rng {
  const parts = splitSeed(String(seed));
  let rng: Rng = new PhiloxRng(parts.root, hashSeed(parts.root));
  for (const i of parts.path) rng = rng.stream(i);
  for (const i of path) rng = rng.stream(i);
  return rng;
}

export function resumeRng(state: RngState): Rng {
  const parts = splitSeed(state.seed);
  let id = hashSeed(parts.root);
  for (const i of parts.path) id = childId(id, i);
  const rng = new PhiloxRng(state.seed, id);
  rng.seek(state.position);
  return rng;
}

const TWO_21 = 2097152;
const TWO_32 = 4294967296;
const TWO_34 = 17179869184;
const TWO_53 = 9007199254740992;
const TWO_M53 = 1 / TWO_53;

class PhiloxRng implements Rng {
  readonly seed: string;
  private readonly id: StreamId;
  private words = new Int32Array(GROUP_WORDS);
  /** Words of the stream before `words`, of which `end` hold; the next word is words[cursor]. */
  private before = -GROUP_WORDS;
  private end = GROUP_WORDS;
  private cursor = GROUP_WORDS;

  constructor(seed: string, id: StreamId) {
    this.seed = seed;
    this.id = id;
  }

  stream(i: number): Rng {
    if (!(i >= 0) || !Number.isSafeInteger(i)) {
      throw new RangeError(`a stream number is an integer from 0 to 2^53 - 1, not ${i}`);
    }
    return new PhiloxRng(`${this.seed}/${i}`, childId(this.id, i));
  }

  state(): RngState {
    return { seed: this.seed, position: this.before + this.cursor };
  }

  seek(position: number): void {
    if (!(position >= 0) || !Number.isSafeInteger(position)) {
      throw new RangeError(`a position is an integer from 0 to 2^53 - 1, not ${position}`);
    }
    this.end = GROUP_WORDS;
    this.before = (Math.ceil(position / GROUP_WORDS) - 1) * GROUP_WORDS;
    this.cursor = position - this.before;
    if (this.cursor < GROUP_WORDS) this.fillGroup();
  }

  private fillGroup(): void {
    philoxGroupInto(this.words, this.id, lowCounter(this.before), highCounter(this.before));
  }

  /** Short streams are made a group at a time, longer ones in runs. */
  private refill(): void {
    this.before += this.end;
    this.cursor = 0;
    this.end = GROUP_WORDS;
    if (this.before >= RUN_WORDS && this.before % RUN_WORDS === 0) {
      if (this.words.length < RUN_WORDS) this.words = new Int32Array(RUN_WORDS);
      if (philoxRunInto(this.words, this.id, lowCounter(this.before), highCounter(this.before))) {
        this.end = RUN_WORDS;
        return;
      }
    }
    this.fillGroup();
  }

  private next(): number {
    if (this.cursor === this.end) this.refill();
    return this.words[this.cursor++]!;
  }

  bits(): number {
    return this.next() >>> 0;
  }

  signBits(): number {
    return this.next() >>> 0;
  }

  uniform(): number {
    const high = this.next();
    return toUnit(high, this.next());
  }

  normal(): number {
    for (;;) {
      const high = this.next();
      const low = this.next();
      // Bits 0-7 choose the layer, bit 8 the sign, bits 11-31 go with the high word into the mantissa.
      const u = ((high >>> 0) * TWO_21 + (low >>> 11)) * TWO_M53;
      const j = low & (2 * LAYERS - 1);
      const x = u * WIDTH[j]!;
      if (u < ACCEPT[j]!) return x;
      const layer = j & (LAYERS - 1);
      if (layer === 0) return j === 0 ? this.normalTail() : -this.normalTail();
      if (isUnderCurve(layer, x, this.uniform())) return x;
    }
  }

  private normalTail(): number {
    for (;;) {
      const first = this.uniform();
      const x = tryTail(first, this.uniform());
      if (!Number.isNaN(x)) return x;
    }
  }

  exponential(): number {
    return -portableLog(this.uniform());
  }

  laplace(mu: number, b: number): number {
    if (!(b >= 0)) return Number.NaN;
    const high = this.next();
    const low = this.next();
    const distance = -b * portableLog(toUnit(high, low));
    return low & 1 ? mu - distance : mu + distance;
  }

  int(n: number): number {
    if (!(n >= 1 && n <= TWO_53) || Math.floor(n) !== n) return Number.NaN;
    return n <= TWO_32 ? this.smallInt(n) : this.largeInt(n);
  }

  /** Lemire: the high half of word * n, redrawn where the low half falls into the incomplete first cycle. */
  private smallInt(n: number): number {
    const factor = n | 0;
    let word = this.next();
    let low = Math.imul(word, factor) >>> 0;
    if (low < n) {
      const incomplete = (TWO_32 - n) % n;
      while (low < incomplete) {
        word = this.next();
        low = Math.imul(word, factor) >>> 0;
      }
    }
    // Up to 2^21 the product is below 2^53 and exact; 2^32 itself has the word as its high half.
    if (n <= TWO_21) return Math.floor(((word >>> 0) * n) / TWO_32);
    return n === TWO_32 ? word >>> 0 : mulHigh(word, factor) >>> 0;
  }

  private largeInt(n: number): number {
    const limit = TWO_53 - (TWO_53 % n);
    for (;;) {
      const high = this.next();
      const k = (high >>> 0) * TWO_21 + (this.next() >>> 11);
      if (k < limit) return k % n;
    }
  }

  binomial(n: number, p: number): number {
    return drawBinomial(this, n, p);
  }

  multinomialInto(target: Int32Array | Float64Array, n: number, p: ArrayLike<number>): boolean {
    const categories = p.length;
    let rest = 0;
    for (let j = 0; j < categories; j++) {
      if (!(p[j]! >= 0)) return false;
      rest += p[j]!;
    }
    if (target.length !== categories || !(rest > 0 && rest < Number.POSITIVE_INFINITY)) return false;
    if (!(n >= 0) || !Number.isSafeInteger(n)) return false;
    // The last category with weight takes what is left, whatever rounding did to `rest`.
    let last = categories - 1;
    while (p[last] === 0) last -= 1;
    let left = n;
    for (let j = 0; j < categories; j++) {
      const count = j === last ? left : j > last ? 0 : drawBinomial(this, left, Math.min(1, p[j]! / rest));
      target[j] = count;
      left -= count;
      rest = Math.max(rest - p[j]!, p[last]!);
    }
    return true;
  }

  categorical(cumulative: ArrayLike<number>): number {
    let high = cumulative.length - 1;
    if (high < 0 || !(cumulative[high]! > 0)) return -1;
    const u = this.uniform() * cumulative[high]!;
    let low = 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (cumulative[middle]! > u) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  fillBits(target: Int32Array | Uint32Array): void {
    for (let i = 0; i < target.length; i++) target[i] = this.next();
  }

  fillUniform(target: Float64Array): void {
    for (let i = 0; i < target.length; i++) target[i] = this.uniform();
  }

  fillNormal(target: Float64Array): void {
    for (let i = 0; i < target.length; i++) {
      i = this.acceptNormals(target, i);
      if (i < target.length) target[i] = this.normal();
    }
  }

  /** Normals from i on as long as the words at hold are accepted at once; returns where it stopped. */
  private acceptNormals(target: Float64Array, i: number): number {
    const words = this.words;
    const last = Math.min(this.cursor + 2 * (target.length - i), this.end - 1);
    let cursor = this.cursor;
    for (; cursor < last; cursor += 2) {
      const low = words[cursor + 1]!;
      const u = ((words[cursor]! >>> 0) * TWO_21 + (low >>> 11)) * TWO_M53;
      const j = low & (2 * LAYERS - 1);
      if (!(u < ACCEPT[j]!)) break;
      target[i++] = u * WIDTH[j]!;
    }
    this.cursor = cursor;
    return i;
  }

  shuffleInto(target: Int32Array | Float64Array): void {
    for (let i = target.length - 1; i > 0; i--) {
      const j = this.smallInt(i + 1);
      const held = target[i]!;
      target[i] = target[j]!;
      target[j] = held;
    }
  }

  sampleWithReplacementInto(target: Int32Array, n: number): boolean {
    if (!(n >= 1 && n <= TWO_32) || Math.floor(n) !== n) return false;
    for (let i = 0; i < target.length; i++) target[i] = this.smallInt(n);
    return true;
  }

  /** Selection sampling: i is taken with probability (still wanted) / (still available), decided in integers. */
  sampleWithoutReplacementInto(target: Int32Array, n: number): boolean {
    if (!(n >= target.length && n <= TWO_32) || Math.floor(n) !== n) return false;
    let taken = 0;
    for (let i = 0; taken < target.length; i++) {
      if (this.smallInt(n - i) < target.length - taken) target[taken++] = i;
    }
    return true;
  }
}

/** Counter of the block that the word at this position begins, in halves. */
function lowCounter(position: number): number {
  return (position / 4) | 0;
}

function highCounter(position: number): number {
  return Math.floor(position / TWO_34) | 0;
}

function toUnit(high: number, low: number): number {
  const k = (high >>> 0) * TWO_21 + (low >>> 11);
  return k === 0 ? 0.5 * TWO_M53 : k * TWO_M53;
}
