/** Single-step max-T: m two-sided tests of differences between K systems at once. Their statistics are jointly normal,
 *      Z_k = (u_b - u_a) / sd_k,   u ~ N(0, Σ),   Σ the covariance of the systems' means,
 *  and p of a test is adjusted to the chance that any of the m tests has a p as small:
 *      p̃ = P(min_j P_j <= p) = m p g(z),   g(z) = E[1/S | one of the tests, drawn at random, has |Z| >= z],   z = Φ⁻¹(1 - p/2),
 *  S the number of tests with |Z| >= z. g is a mean of numbers between 1/m and 1, so that p̃ has a small relative error however small p is.
 *  The level p* with p̃(p*) = α makes the intervals at confidence 1 - p* simultaneous: a test is significant exactly where its own interval at that
 *  confidence leaves out 0. Tests with few degrees of freedom have p values from their own t: only their dependence is taken as normal.
 *  Of K - 1 differences from a baseline it is Dunnett's test; of all pairs of independent means of one variance Tukey's with infinite df.
 *  Reference: Hothorn, Bretz & Westfall (2008), Biom. J. 50; Dunnett (1955), J. Am. Stat. Assoc. 50; Owen, Maximov & Chertkov (2019), Electron. J.
 *             Stat. 13 (the estimate of a union of events); Šidák (1967), J. Am. Stat. Assoc. 62.
 *  Oracle:    mvtnorm (R), oracle/r/joint-tests.json; ptukey.
 *  Limits:    Σ is taken as known; g is simulated with fixed draws, its standard error below 1 % of p̃. */
import { normalLogSf, normalQuantileLogUpper, normalQuantileUpper } from "../numeric/dist/normal.ts";
import { type Matrix, zeros } from "../numeric/linalg/matrix.ts";
import { makeRng } from "../numeric/rng.ts";

export interface JointTests {
  /** p of a test as adjusted for all of them; NaN stays NaN. */
  adjust(p: number): number;
  /** The unadjusted p from which on a test is significant at α. */
  levelFor(alpha: number): number;
}

/** Šidák: for any dependence, exact for independent tests. */
export const independentTests = (m: number): JointTests => ({
  adjust: (p) => -Math.expm1(m * Math.log1p(-p)),
  levelFor: (alpha) => -Math.expm1(Math.log1p(-alpha) / m),
});

/** Covariance of the scores of systems without anything in common. */
export function independentSystems(K: number, variances: ArrayLike<number> = new Float64Array(K).fill(1)): Matrix {
  const out = zeros(K, K);
  for (let s = 0; s < K; s++) out.data[s + s * K] = variances[s]!;
  return out;
}

/** Distance of the points at which g is simulated. */
const STEP = 0.25;
/** Beyond it a p is 0. */
const FURTHEST = 38;
const FEWEST_DRAWS = 512;
const MOST_DRAWS = 8192;
/** Draws times tests at one point. */
const BUDGET = 2 ** 21;
const HALVINGS = 60;

/** `covariance` of the systems, up to a factor; pairs without any variance are no tests. */
export function jointTests(covariance: Matrix, pairs: readonly (readonly [number, number])[]): JointTests {
  const law = makeLaw(covariance, pairs);
  const m = law.sd.length;
  if (m <= 1) return independentTests(1);
  const known = new Map<number, number>();
  const at = (k: number): number => {
    // z and -z are one
    const node = Math.abs(k);
    const value = known.get(node) ?? shareAlone(law, node * STEP);
    known.set(node, value);
    return value;
  };
  const adjust = (p: number): number => {
    if (Number.isNaN(p) || p >= 1) return p;
    const z = Math.min(FURTHEST, normalQuantileUpper(p / 2));
    const k = Math.floor(z / STEP);
    const g = cubic([at(k - 1), at(k), at(k + 1), at(k + 2)], z / STEP - k);
    return Math.min(1, p * Math.min(m, Math.max(1, m * g)));
  };
  const levelFor = (alpha: number): number => {
    let [low, high] = [alpha / m, alpha];
    for (let i = 0; i < HALVINGS; i++) {
      const middle = (low + high) / 2;
      if (adjust(middle) < alpha) low = middle;
      else high = middle;
    }
    return low;
  };
  return { adjust, levelFor };
}

interface Law {
  /** Of the systems: u = root z. */
  readonly root: Float64Array;
  readonly systems: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly sd: Float64Array;
  /** Cov(u, Z_k) at [s + k · systems]. */
  readonly covariances: Float64Array;
  /** Independent normals, `systems` a draw, and a uniform for the test that is significant. */
  readonly normals: Float64Array;
  readonly uniforms: Float64Array;
}

function makeLaw({ data, rows: K }: Matrix, pairs: readonly (readonly [number, number])[]): Law {
  const variance = ([a, b]: readonly [number, number]): number =>
    data[a + a * K]! + data[b + b * K]! - 2 * data[a + b * K]!;
  const largest = pairs.reduce((most, pair) => Math.max(most, variance(pair)), 0);
  const tests = pairs.filter((pair) => variance(pair) > ROUNDING * largest);
  const sd = Float64Array.from(tests, (pair) => Math.sqrt(variance(pair)));
  const covariances = new Float64Array(K * tests.length);
  tests.forEach(([a, b], k) => {
    for (let s = 0; s < K; s++) covariances[s + k * K] = (data[s + b * K]! - data[s + a * K]!) / sd[k]!;
  });
  const draws = Math.max(FEWEST_DRAWS, Math.min(MOST_DRAWS, Math.floor(BUDGET / Math.max(1, tests.length))));
  const rng = makeRng("joint tests");
  return {
    ...{ root: squareRoot(data, K), systems: K, sd, covariances },
    a: Int32Array.from(tests, ([a]) => a),
    b: Int32Array.from(tests, ([, b]) => b),
    normals: Float64Array.from({ length: draws * K }, () => rng.normal()),
    // one in each of as many parts of (0, 1)
    uniforms: Float64Array.from({ length: draws }, (_, r) => (((r * GOLDEN) % 1) + rng.uniform() / draws) % 1),
  };
}
const ROUNDING = 1e-12;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Lower triangular, of a matrix that may be singular: directions without variance are 0. */
function squareRoot(data: Float64Array, K: number): Float64Array {
  const L = new Float64Array(K * K);
  for (let j = 0; j < K; j++) {
    let pivot = data[j + j * K]!;
    for (let k = 0; k < j; k++) pivot -= L[j + k * K]! ** 2;
    if (!(pivot > ROUNDING * data[j + j * K]!)) continue;
    const root = Math.sqrt(pivot);
    L[j + j * K] = root;
    for (let i = j + 1; i < K; i++) {
      let sum = data[i + j * K]!;
      for (let k = 0; k < j; k++) sum -= L[i + k * K]! * L[j + k * K]!;
      L[i + j * K] = sum / root;
    }
  }
  return L;
}

/** g(z): a test drawn in turn gets a |Z| of z or more from its tail; the others follow given it. */
function shareAlone({ root, systems: K, a, b, sd, covariances, normals, uniforms }: Law, z: number): number {
  const m = sd.length;
  const draws = uniforms.length;
  const tail = tailAbove(z);
  const u = new Float64Array(K);
  let sum = 0;
  for (let r = 0; r < draws; r++) {
    u.fill(0);
    for (let k = 0; k < K; k++) {
      const own = normals[k + r * K]!;
      for (let s = k; s < K; s++) u[s]! += root[s + k * K]! * own;
    }
    const j = r % m;
    const shift = tail(uniforms[r]!) - (u[b[j]!]! - u[a[j]!]!) / sd[j]!;
    for (let s = 0; s < K; s++) u[s]! += covariances[s + j * K]! * shift;
    let count = 1;
    for (let k = 0; k < m; k++) if (k !== j && Math.abs(u[b[k]!]! - u[a[k]!]!) >= z * sd[k]!) count += 1;
    sum += 1 / count;
  }
  return sum / draws;
}

/** Quantiles of a normal variable above z. */
function tailAbove(z: number): (share: number) => number {
  const logTail = normalLogSf(z);
  return (share) => normalQuantileLogUpper(logTail + Math.log1p(-share));
}

/** Through four points at -1, 0, 1, 2. */
function cubic([y0, y1, y2, y3]: readonly [number, number, number, number], x: number): number {
  return (
    (-x * (x - 1) * (x - 2) * y0) / 6 +
    ((x + 1) * (x - 1) * (x - 2) * y1) / 2 -
    ((x + 1) * x * (x - 2) * y2) / 2 +
    ((x + 1) * x * (x - 1) * y3) / 6
  );
}
