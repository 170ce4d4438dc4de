/** Upper tail of a weighted sum of χ²₁ variables, alone or relative to an independent χ²_k/k:
 *      p = P(Σ w_i χ²₁ > x)   or   P(Σ w_i χ²₁ > x χ²_k / k),   w_i > 0
 *  The inversion integral ∫ exp(K(s))/s ds, K the cumulant generating function of the difference, is taken over a parabola through its
 *  saddle point and around the branch cut, where the integrand falls fast and nothing cancels: small p keep their digits.
 *  Reference: Rice (1980), SIAM J. Sci. Stat. Comput. 1, 438-448 (contours); Imhof (1961), Biometrika 48 (the distribution).
 *  Oracle:    pchisq and pf (R) for equal weights; mgcv's psum.chisq (Davies 1980), oracle/r/gam.json. */

/** Halvings of the step until two sums agree to this share. */
const AGREEMENT = 1e-12;
const MAX_REFINEMENTS = 12;
/** Terms below this share of the first end the sum. */
const NEGLIGIBLE = 1e-17;
const MAX_TERMS = 20_000;
/** log of the least positive number, with room for the factor that the integral adds: below it p is zero. */
const LOG_LEAST = -760;

export interface MixtureTailOptions {
  /** k of the denominator; Infinity for none. */
  readonly df: number;
}

export function mixtureTail(weights: ArrayLike<number>, x: number, { df }: MixtureTailOptions): number {
  const w = Array.from(weights).filter((value) => value > 0);
  if (Number.isNaN(x)) return Number.NaN;
  if (!(x > 0) || w.length === 0) return x > 0 ? 0 : 1;
  const top = w.reduce((a, b) => Math.max(a, b), 0);
  // in units of the largest weight, whose branch point is then s = 1/2; equal weights are one factor
  const counts = new Map<number, number>();
  for (const value of w) counts.set(value / top, (counts.get(value / top) ?? 0) + 1);
  const mixture: Mixture = { weights: [...counts], x: x / top, df };
  const saddle = findSaddle(mixture);
  const width = 1 / Math.sqrt(curvature(mixture, saddle));
  const [height] = logIntegrand(mixture, saddle, 0);
  if (height < LOG_LEAST) return 0;
  let last = Number.NaN;
  let h = 0.5;
  for (let i = 0; i < MAX_REFINEMENTS; i++, h /= 2) {
    const sum = trapezoid(mixture, { saddle, width, height, h });
    const settled = Math.abs(sum - last) <= AGREEMENT * Math.abs(sum);
    last = sum;
    if (settled) break;
  }
  return Math.min(1, Math.max(0, last * Math.exp(height)));
}

interface Mixture {
  /** Each with its multiplicity. */
  readonly weights: readonly (readonly [weight: number, count: number])[];
  readonly x: number;
  readonly df: number;
}

/** The minimum of K(s) - log s on (0, 1/2), where it is convex. */
function findSaddle(mixture: Mixture): number {
  let [low, high] = [0, 0.5];
  for (let i = 0; i < 200 && high - low > 1e-13 * high; i++) {
    const s = (low + high) / 2;
    if (slope(mixture, s) > 0) high = s;
    else low = s;
  }
  return (low + high) / 2;
}

function slope({ weights, x, df }: Mixture, s: number): number {
  const below = df === Number.POSITIVE_INFINITY ? x : x / (1 + (2 * s * x) / df);
  return weights.reduce((sum, [w, m]) => sum + (m * w) / (1 - 2 * s * w), 0) - below - 1 / s;
}

function curvature({ weights, x, df }: Mixture, s: number): number {
  const below = df === Number.POSITIVE_INFINITY ? 0 : (2 * x * x) / df / (1 + (2 * s * x) / df) ** 2;
  return weights.reduce((sum, [w, m]) => sum + 2 * m * (w / (1 - 2 * s * w)) ** 2, 0) + below + 1 / (s * s);
}

/** Over s = saddle + v² + iv, v = width · sinh(t), by equal steps of t; the lower half is the conjugate. */
function trapezoid(
  mixture: Mixture,
  { saddle, width, height, h }: { saddle: number; width: number; height: number; h: number },
): number {
  let sum = 0;
  for (let i = 0; i < MAX_TERMS; i++) {
    const v = width * Math.sinh(i * h);
    const speed = width * Math.cosh(i * h);
    const [logSize, angle] = logIntegrand(mixture, saddle + v * v, v);
    const size = Math.exp(logSize - height) * speed;
    // ds = (2v + i) dv; the imaginary part of exp(…) ds is what remains of both halves
    const term = size * (2 * v * Math.sin(angle) + Math.cos(angle));
    sum += i === 0 ? term / 2 : term;
    if (size * (1 + 2 * v) < NEGLIGIBLE * width) break;
  }
  return (sum * h) / Math.PI;
}

/** log and argument of exp(K(s))/s at s = a + ib. */
function logIntegrand({ weights, x, df }: Mixture, a: number, b: number): [number, number] {
  let size = -0.5 * Math.log(a * a + b * b);
  let angle = -Math.atan2(b, a);
  for (const [w, m] of weights) {
    const re = 1 - 2 * a * w;
    const im = -2 * b * w;
    size -= 0.25 * m * Math.log(re * re + im * im);
    angle -= 0.5 * m * Math.atan2(im, re);
  }
  if (df === Number.POSITIVE_INFINITY) return [size - a * x, angle - b * x];
  const more = (2 * a * x) / df;
  const im = (2 * b * x) / df;
  // the logarithm is that of a number near one, times a large df
  return [size - (df / 4) * Math.log1p(2 * more + more * more + im * im), angle - (df / 2) * Math.atan2(im, 1 + more)];
}
