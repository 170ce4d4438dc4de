/** Hashes: SHA-256 for locks and files, and a fast fingerprint for tables.
 *  Reference: FIPS 180-4 (SHA-256).
 *  Oracle:    NIST's example vectors. */

/** First 32 bits of the fractional parts of cube roots (rounds) and square roots (start) of the first primes. */
const ROUND = makeConstants(64, Math.cbrt);
const START = makeConstants(8, Math.sqrt);
const BLOCK = 64;

function makeConstants(count: number, root: (prime: number) => number): Int32Array {
  const constants = new Int32Array(count);
  for (let n = 2, found = 0; found < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n && prime; d++) prime = n % d !== 0;
    // A root's fraction has at least 49 correct bits here, so its first 32 are exact.
    if (prime) constants[found++] = Math.floor((root(n) % 1) * 4294967296) | 0;
  }
  return constants;
}

/** Incremental SHA-256; strings count as their UTF-8 bytes. */
export class Sha256 {
  private readonly h = START.slice();
  private readonly w = new Int32Array(64);
  private readonly pending = new Uint8Array(BLOCK);
  private used = 0;
  private length = 0;

  update(data: string | Uint8Array): this {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    this.length += bytes.length;
    let from = 0;
    while (from < bytes.length) {
      const taken = Math.min(BLOCK - this.used, bytes.length - from);
      this.pending.set(bytes.subarray(from, from + taken), this.used);
      this.used += taken;
      from += taken;
      if (this.used === BLOCK) this.compress();
    }
    return this;
  }

  /** 64 hexadecimal digits; the hash can be neither updated nor asked again afterwards. */
  digest(): string {
    const bits = this.length * 8;
    this.pending.fill(0, this.used);
    this.pending[this.used] = 0x80;
    // The 64-bit length needs the last 8 bytes of a block.
    if (this.used >= BLOCK - 8) {
      this.compress();
      this.pending.fill(0);
    }
    const view = new DataView(this.pending.buffer);
    view.setUint32(BLOCK - 8, Math.floor(bits / 4294967296));
    view.setUint32(BLOCK - 4, bits >>> 0);
    this.compress();
    return Array.from(this.h, toHex).join("");
  }

  private compress(): void {
    const { h, w, pending } = this;
    for (let t = 0; t < 16; t++) {
      const i = 4 * t;
      w[t] = (pending[i]! << 24) | (pending[i + 1]! << 16) | (pending[i + 2]! << 8) | pending[i + 3]!;
    }
    for (let t = 16; t < 64; t++) {
      const x = w[t - 15]!;
      const y = w[t - 2]!;
      const sigma0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const sigma1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[t] = w[t - 16]! + sigma0 + w[t - 7]! + sigma1;
    }
    let a = h[0]!;
    let b = h[1]!;
    let c = h[2]!;
    let d = h[3]!;
    let e = h[4]!;
    let f = h[5]!;
    let g = h[6]!;
    let k = h[7]!;
    for (let t = 0; t < 64; t++) {
      const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (k + sum1 + ((e & f) ^ (~e & g)) + ROUND[t]! + w[t]!) | 0;
      const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      k = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    h[0]! += a;
    h[1]! += b;
    h[2]! += c;
    h[3]! += d;
    h[4]! += e;
    h[5]! += f;
    h[6]! += g;
    h[7]! += k;
    this.used = 0;
  }
}

export function sha256(data: string | Uint8Array): string {
  return new Sha256().update(data).digest();
}

function rotate(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by));
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
