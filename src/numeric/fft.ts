/** Discrete Fourier transform of length 2^k, and convolution of real vectors.
 *      X_j = Σ_k x_k exp(-2πi jk/n);   (a * b)_j = Σ_k a_k b_{j-k}.
 *  Reference: Cooley & Tukey (1965), Math. Comp. 19, decimation in time, two levels per pass (radix 4).
 *             Error bound: Higham (2002), Accuracy and Stability of Numerical Algorithms, th. 24.2.
 *  Oracle:    the definition; binomial probabilities as convolutions.
 *  Limits:    powers of two only. Convolutions are zero-padded to one, so that no other length is ever needed. */

export interface FftPlan {
  readonly n: number;
  /** cos and -sin of 2πk/n for k < n. */
  readonly cos: Float64Array;
  readonly sin: Float64Array;
  readonly reversed: Uint32Array;
}

/** Up to this many products, direct summation is as fast as the transform and exact to rounding of each entry. */
const DIRECT_PRODUCTS = 32768;
/** Plans kept, one per length: two to the powers up to 30. */
const plans = new Map<number, FftPlan>();

/** Tables for length n = 2^k, computed once; null for any other n. */
export function makeFftPlan(n: number): FftPlan | null {
  if (!(Number.isInteger(n) && n >= 1 && n <= 2 ** 30 && (n & (n - 1)) === 0)) return null;
  const known = plans.get(n);
  if (known !== undefined) return known;
  const cos = new Float64Array(n);
  const sin = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    cos[k] = cosineOfTurn(k, n);
    sin[k] = -cosineOfTurn((k + n - n / 4) % n, n);
  }
  if (n < 4) for (let k = 0; k < n; k++) sin[k] = 0; // sin 0 and sin π
  const reversed = new Uint32Array(n);
  const bits = Math.log2(n);
  for (let k = 1; k < n; k++) reversed[k] = (reversed[k >> 1]! >> 1) | ((k & 1) << (bits - 1));
  const plan = { n, cos, sin, reversed };
  plans.set(n, plan);
  return plan;
}

/** cos(2πk/n), reduced to the first octant where the argument's rounding does no harm. */
function cosineOfTurn(k: number, n: number): number {
  const eighth = n / 8;
  const folded = k <= n / 2 ? k : n - k; // cos is even
  const flipped = folded > n / 4; // cos(π - x) = -cos x
  const j = flipped ? n / 2 - folded : folded;
  const value = j <= eighth ? Math.cos((2 * Math.PI * j) / n) : Math.sin((2 * Math.PI * (n / 4 - j)) / n);
  return flipped ? -value : value;
}

/** Forward transform in place. False when the lengths are not equal powers of two. */
export function fftInto(re: Float64Array, im: Float64Array): boolean {
  const plan = re.length === im.length ? makeFftPlan(re.length) : null;
  if (plan === null) return false;
  permuteInto(re, im, plan.reversed);
  transformInto(re, im, plan);
  return true;
}

/** Inverse transform in place, including the factor 1/n. */
export function inverseFftInto(re: Float64Array, im: Float64Array): boolean {
  // Exchanging the parts conjugates: inverse(x) = swap(forward(swap(x)))/n.
  if (!fftInto(im, re)) return false;
  const scale = 1 / re.length;
  for (let k = 0; k < re.length; k++) {
    re[k]! *= scale;
    im[k]! *= scale;
  }
  return true;
}

function permuteInto(re: Float64Array, im: Float64Array, reversed: Uint32Array): void {
  for (let k = 0; k < re.length; k++) {
    const r = reversed[k]!;
    if (r <= k) continue;
    const a = re[k]!;
    re[k] = re[r]!;
    re[r] = a;
    const b = im[k]!;
    im[k] = im[r]!;
    im[r] = b;
  }
}

/** Combines transforms of length 1 into 4, 16, ...; a single radix-2 pass first when log2 n is odd. */
function transformInto(re: Float64Array, im: Float64Array, plan: FftPlan): void {
  const { n } = plan;
  let size = 1;
  if (Math.log2(n) % 2 === 1) {
    for (let k = 0; k < n; k += 2) {
      const a = re[k]!;
      const b = im[k]!;
      re[k] = a + re[k + 1]!;
      im[k] = b + im[k + 1]!;
      re[k + 1] = a - re[k + 1]!;
      im[k + 1] = b - im[k + 1]!;
    }
    size = 2;
  }
  for (; size < n; size *= 4) combineInto(re, im, plan, size);
}

/** Four interleaved transforms of length `size`, in bit-reversed order 0, 2, 1, 3, become one of length 4·size. */
function combineInto(re: Float64Array, im: Float64Array, plan: FftPlan, size: number): void {
  const { n, cos, sin } = plan;
  const stride = n / (4 * size);
  for (let start = 0; start < n; start += 4 * size) {
    for (let j = 0, w = 0; j < size; j++, w += stride) {
      const p = start + j;
      const q = p + size;
      const r = q + size;
      const s = r + size;
      const c1 = cos[w]!;
      const s1 = sin[w]!;
      const c2 = cos[2 * w]!;
      const s2 = sin[2 * w]!;
      const c3 = cos[3 * w]!;
      const s3 = sin[3 * w]!;
      const ar = re[p]!;
      const ai = im[p]!;
      const cr = re[q]! * c2 - im[q]! * s2;
      const ci = re[q]! * s2 + im[q]! * c2;
      const br = re[r]! * c1 - im[r]! * s1;
      const bi = re[r]! * s1 + im[r]! * c1;
      const dr = re[s]! * c3 - im[s]! * s3;
      const di = re[s]! * s3 + im[s]! * c3;
      const er = ar + cr;
      const ei = ai + ci;
      const fr = ar - cr;
      const fi = ai - ci;
      const gr = br + dr;
      const gi = bi + di;
      const hr = bi - di; // -i (b - d)
      const hi = dr - br;
      re[p] = er + gr;
      im[p] = ei + gi;
      re[q] = fr + hr;
      im[q] = fi + hi;
      re[r] = er - gr;
      im[r] = ei - gi;
      re[s] = fr - hr;
      im[s] = fi - hi;
    }
  }
}

/** a * b, of length a.length + b.length - 1 (empty when either is). Direct when that is as cheap, else by transform;
 *  see `convolveProbabilities` for the error. */
export function convolve(a: Float64Array, b: Float64Array): Float64Array {
  if (a.length === 0 || b.length === 0) return new Float64Array(0);
  return isDirect(a, b) ? convolveDirect(a, b) : convolveByTransform(a, b);
}

function isDirect(a: Float64Array, b: Float64Array): boolean {
  return a.length * b.length <= DIRECT_PRODUCTS || Math.min(a.length, b.length) <= 32;
}

/** By definition: for nonnegative input every entry has relative error at most min(a.length, b.length)·ε. */
export function convolveDirect(a: Float64Array, b: Float64Array): Float64Array {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  const out = new Float64Array(a.length === 0 || b.length === 0 ? 0 : a.length + b.length - 1);
  for (let j = 0; j < short.length; j++) {
    const factor = short[j]!;
    if (factor !== 0) for (let k = 0; k < long.length; k++) out[j + k]! += factor * long[k]!;
  }
  return out;
}

/** Both vectors in one complex transform z = a + ib: its square has 2(a * b) as imaginary part. Powers of two bring
 *  their norms together first, lest the larger drown the smaller. */
function convolveByTransform(a: Float64Array, b: Float64Array): Float64Array {
  const length = a.length + b.length - 1;
  const n = 2 ** Math.ceil(Math.log2(length));
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  const ratio = norm(a) / norm(b);
  if (ratio === 0 || !Number.isFinite(ratio)) return convolveDirect(a, b); // zero, infinite or NaN entries
  const scale = 2 ** Math.round(Math.log2(ratio));
  re.set(a);
  for (let k = 0; k < b.length; k++) im[k] = b[k]! * scale;
  fftInto(re, im);
  for (let k = 0; k < n; k++) {
    const x = re[k]!;
    const y = im[k]!;
    re[k] = (x - y) * (x + y);
    im[k] = 2 * x * y;
  }
  inverseFftInto(re, im);
  const out = im.slice(0, length);
  const back = 0.5 / scale;
  for (let k = 0; k < length; k++) out[k]! *= back;
  return out;
}

function norm(v: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < v.length; k++) sum += v[k]! * v[k]!;
  return Math.sqrt(sum);
}

export interface Convolution {
  readonly values: Float64Array;
  /** No entry is off by more than this. */
  readonly absoluteError: number;
}

/** Three transforms' worth of Higham's bound, about 3.5 ε per level each, on z with ‖z‖² <= 2.5 ‖a‖‖b‖, halved at the end.
 *  Rounding errors being of either sign, the errors seen are ten times smaller or less. */
const ERROR_CONSTANT = 16;

/** Distribution of the sum of two independent counts. Entries are never negative.
 *  Direct (`exact`, or short vectors): relative error of each entry <= min(n_a, n_b)·ε, so tails keep their digits.
 *  By transform: absolute error of each entry <= 16 ε log2(n) ‖a‖₂‖b‖₂ with n the padded length; entries below that,
 *  as far tails are, mean nothing. */
export function convolveProbabilities(
  a: Float64Array,
  b: Float64Array,
  options: { exact?: boolean } = {},
): Convolution {
  if (options.exact === true || isDirect(a, b)) {
    const values = convolveDirect(a, b);
    let largest = 0;
    for (let k = 0; k < values.length; k++) largest = Math.max(largest, values[k]!);
    return { values, absoluteError: Math.min(a.length, b.length) * Number.EPSILON * largest };
  }
  const values = convolveByTransform(a, b);
  for (let k = 0; k < values.length; k++) if (values[k]! < 0) values[k] = 0;
  const levels = Math.ceil(Math.log2(values.length));
  return { values, absoluteError: ERROR_CONSTANT * Number.EPSILON * levels * norm(a) * norm(b) };
}
