/** The subset of 0 … n - 1 that R draws with `set.seed(seed); sample(n, size)`: mgcv takes the centers of a thin plate spline
 *  so when there are more than 2000 distinct points, and the same digits need the same centers.
 *  Reference: Matsumoto & Nishimura (1998), ACM TOMACS 8(1), for the generator; R's ?RNG ("Mersenne-Twister", seeds scrambled
 *             by a linear congruential generator, sampling by rejection from whole bits).
 *  Oracle:    sample() in R 4.2, oracle/r/basis.json. */

const N = 624;
const M = 397;
/** Seeds pass this many steps of x ← 69069x + 1 before the first state word is taken. */
const WARM_UP = 50;
const MULTIPLIER = 69069;
/** Random bits are drawn sixteen at a time. */
const CHUNK = 65536;

export function sampleAsR(n: number, size: number, seed: number): Int32Array {
  const twister = makeTwister(seed);
  const left = Int32Array.from({ length: n }, (_, i) => i);
  const drawn = new Int32Array(size);
  let remaining = n;
  for (let i = 0; i < size; i++) {
    const j = drawIndex(twister, remaining);
    drawn[i] = left[j]!;
    remaining -= 1;
    left[j] = left[remaining]!;
  }
  return drawn;
}

interface Twister {
  readonly state: Uint32Array;
  next: number;
}

function makeTwister(seed: number): Twister {
  let word = seed >>> 0;
  const step = (): number => {
    word = (Math.imul(MULTIPLIER, word) + 1) >>> 0;
    return word;
  };
  for (let i = 0; i < WARM_UP; i++) step();
  step(); // R's first seed word is the position in the state, which is then set to its end
  return { state: Uint32Array.from({ length: N }, step), next: N };
}

function refill(state: Uint32Array): void {
  for (let i = 0; i < N; i++) {
    const y = (state[i]! & 0x80000000) | (state[(i + 1) % N]! & 0x7fffffff);
    state[i] = state[(i + M) % N]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
  }
}

function drawWord(twister: Twister): number {
  if (twister.next === N) {
    refill(twister.state);
    twister.next = 0;
  }
  let y = twister.state[twister.next]!;
  twister.next += 1;
  y ^= y >>> 11;
  y ^= (y << 7) & 0x9d2c5680;
  y ^= (y << 15) & 0xefc60000;
  return (y ^ (y >>> 18)) >>> 0;
}

/** Uniform on 0 … n - 1: enough bits for n - 1, again until they fall below n. */
function drawIndex(twister: Twister, n: number): number {
  const bits = Math.ceil(Math.log2(n));
  const range = 2 ** bits;
  for (;;) {
    let value = 0;
    for (let taken = 0; taken <= bits; taken += 16) value = CHUNK * value + Math.floor(drawWord(twister) / CHUNK);
    value %= range;
    if (value < n) return value;
  }
}
