/** Philox4x32-10 with 128-bit SIMD, eight blocks at a time; scripts/make-wasm.mjs compiles it into src/numeric/rng/wasm-bytes.ts.
 *  src/numeric/rng/philox.ts has the rounds and their reference. A lane is a block; hi and lo are the odd and even words of the
 *  64-bit products. */

const M0: i32 = 0xd2511f53;
const M1: i32 = 0xcd9e8d57;
const W0: i32 = 0x9e3779b9;
const W1: i32 = 0xbb67ae85;
const ROUNDS: i32 = 10;

@inline
function high(low2: v128, high2: v128): v128 {
  return v128.shuffle<i32>(low2, high2, 1, 3, 5, 7);
}

@inline
function low(low2: v128, high2: v128): v128 {
  return v128.shuffle<i32>(low2, high2, 0, 2, 4, 6);
}

/** Four blocks from their words by lanes: a, b, c, d of block 0, then of block 1, … */
@inline
function storeBlocks(out: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab0 = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
  const ab1 = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
  const cd0 = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
  const cd1 = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
  v128.store(out, v128.shuffle<i64>(ab0, cd0, 0, 2));
  v128.store(out, v128.shuffle<i64>(ab0, cd0, 1, 3), 16);
  v128.store(out, v128.shuffle<i64>(ab1, cd1, 0, 2), 32);
  v128.store(out, v128.shuffle<i64>(ab1, cd1, 1, 3), 48);
}

/** The blocks with counters (c0 … c0 + count - 1, c1, c2, c3), count a multiple of 8, no carry arising; four words each. */
export function fill(out: usize, count: i32, k0: i32, k1: i32, c0: i32, c1: i32, c2: i32, c3: i32): void {
  const m0 = i32x4.splat(M0);
  const m1 = i32x4.splat(M1);
  const w0 = i32x4.splat(W0);
  const w1 = i32x4.splat(W1);
  for (let block = 0; block < count; block += 8) {
    let a = i32x4.add(i32x4.splat(c0 + block), i32x4(0, 1, 2, 3));
    let b = i32x4.splat(c1);
    let c = i32x4.splat(c2);
    let d = i32x4.splat(c3);
    let e = i32x4.add(i32x4.splat(c0 + block), i32x4(4, 5, 6, 7));
    let f = b;
    let g = c;
    let h = d;
    let x = i32x4.splat(k0);
    let y = i32x4.splat(k1);
    for (let round = 0; round < ROUNDS; round++) {
      let p0 = i64x2.extmul_low_i32x4_u(a, m0);
      let p1 = i64x2.extmul_high_i32x4_u(a, m0);
      let q0 = i64x2.extmul_low_i32x4_u(c, m1);
      let q1 = i64x2.extmul_high_i32x4_u(c, m1);
      a = v128.xor(v128.xor(high(q0, q1), b), x);
      b = low(q0, q1);
      c = v128.xor(v128.xor(high(p0, p1), d), y);
      d = low(p0, p1);
      p0 = i64x2.extmul_low_i32x4_u(e, m0);
      p1 = i64x2.extmul_high_i32x4_u(e, m0);
      q0 = i64x2.extmul_low_i32x4_u(g, m1);
      q1 = i64x2.extmul_high_i32x4_u(g, m1);
      e = v128.xor(v128.xor(high(q0, q1), f), x);
      f = low(q0, q1);
      g = v128.xor(v128.xor(high(p0, p1), h), y);
      h = low(p0, p1);
      x = i32x4.add(x, w0);
      y = i32x4.add(y, w1);
    }
    storeBlocks(out, a, b, c, d);
    storeBlocks(out + 64, e, f, g, h);
    out += 128;
  }
}
