/** Tests of distributions rather than means.
 *    shapiroTest          normality: W = (Σ a_i x_(i))²/Σ(x_i - x̄)², a from normal scores (Royston's polynomials)
 *    brunnerMunzelTest    P(x < y) + ½P(x = y) = ½ without equal spreads; t with Satterthwaite df
 *    kolmogorovSmirnovTest  the largest distance of two empirical distributions, exact by counting lattice paths
 *  Reference: Royston (1995), Appl. Stat. 44, 547 (AS R94); Brunner & Munzel (2000), Biom. J. 42; Hodges (1958), Ark. Mat. 3.
 *  Oracle:    shapiro.test (R), scipy.stats.brunnermunzel, ks_2samp, oracle/reference/classical.json — 1e-8.
 *  Limits:    Shapiro-Wilk for 3 to 5000 values; exact Kolmogorov-Smirnov counts all paths, also with ties, O(nm). */
import { lessCenter } from "../../numeric/center.ts";
import { normalQuantile, normalSf } from "../../numeric/dist/normal.ts";
import { tCdf, tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { settleTies } from "../../numeric/ties.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { completeSample, isConstant, meanOf } from "../samples.ts";
import { makeTest, pFromTails, type TestOptions, type TestResult, waldInterval } from "../test-result.ts";
import { midRanks } from "./ranks.ts";

const NO_EFFECT = { name: "", value: Number.NaN, lower: Number.NaN, upper: Number.NaN, interval: "none" };

export function shapiroTest(x: ArrayLike<number>): TestResult {
  const { values, diagnostics } = completeSample(x);
  const n = values.length;
  if (n < 3 || n > 5000)
    throw new StatError("BadSize", `${n} values; Shapiro-Wilk takes 3 to 5000.`, "draw a subsample.");
  const flat = isConstant(values);
  const W = flat ? Number.NaN : shapiroW(lessCenter(values)[0]!.slice().sort());
  return makeTest({
    test: "shapiro",
    method: "Shapiro-Wilk normality test",
    hypothesis: "the values are normal",
    sided: false,
    confidence: 0.95,
    statistic: W,
    statisticName: "W",
    p: flat ? Number.NaN : shapiroP(W, n),
    effect: NO_EFFECT,
    n,
    diagnostics: flat
      ? [...diagnostics, warning("NoSpread", "the values do not vary.", "check the scores.")]
      : diagnostics,
    options: {},
    data: [values],
  });
}

const polynomial = (c: readonly number[], x: number): number => c.reduceRight((sum, v) => sum * x + v, 0);

function shapiroW(sorted: Float64Array): number {
  const n = sorted.length;
  const half = n >> 1;
  const m = Float64Array.from({ length: half }, (_, i) => -normalQuantile((i + 1 - 0.375) / (n + 0.25)));
  const squares = 2 * m.reduce((sum, v) => sum + v * v, 0);
  const root = Math.sqrt(squares);
  const u = 1 / Math.sqrt(n);
  const a = new Float64Array(half);
  if (n === 3) a[0] = Math.SQRT1_2;
  else {
    a[0] = polynomial([0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056], u) + m[0]! / root;
    let [used, norm] = [m[0]! ** 2, a[0]! ** 2];
    let first = 1;
    if (n > 5) {
      a[1] = polynomial([0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633], u) + m[1]! / root;
      used += m[1]! ** 2;
      norm += a[1]! ** 2;
      first = 2;
    }
    const scale = Math.sqrt((squares - 2 * used) / (1 - 2 * norm));
    for (let i = first; i < half; i++) a[i] = m[i]! / scale;
  }
  const mean = meanOf(sorted);
  let sum = 0;
  for (let i = 0; i < half; i++) sum += a[i]! * (sorted[n - 1 - i]! - sorted[i]!);
  return Math.min(1, sum ** 2 / sorted.reduce((s, v) => s + (v - mean) ** 2, 0));
}

/** Where W is too small for the polynomials: R's. */
const SHAPIRO_FLOOR = 1e-99;

function shapiroP(W: number, n: number): number {
  if (n === 3) return Math.max(0, (6 / Math.PI) * (Math.asin(Math.sqrt(W)) - Math.asin(Math.sqrt(0.75))));
  const y = Math.log1p(-W);
  if (n <= 11) {
    const gamma = 0.459 * n - 2.273;
    if (y >= gamma) return SHAPIRO_FLOOR;
    const mean = polynomial([0.544, -0.39978, 0.025054, -6.714e-4], n);
    const sd = Math.exp(polynomial([1.3822, -0.77857, 0.062767, -0.0020322], n));
    return normalSf((-Math.log(gamma - y) - mean) / sd);
  }
  const logN = Math.log(n);
  const mean = polynomial([-1.5861, -0.31082, -0.083751, 0.0038915], logN);
  const sd = Math.exp(polynomial([-0.4803, -0.082676, 0.0030302], logN));
  return normalSf((y - mean) / sd);
}

export function brunnerMunzelTest(x: ArrayLike<number>, y: ArrayLike<number>, options: TestOptions = {}): TestResult {
  const { alternative = "two-sided", confidence = 0.95 } = options;
  const a = completeSample(x);
  const b = completeSample(y, "y");
  const [n, m] = [a.values.length, b.values.length];
  const [xs, ys] = settleTies(a.values, b.values);
  const { ranks } = midRanks(Float64Array.from([...xs!, ...ys!]));
  const placements = (own: Float64Array, joint: Float64Array): { mean: number; variance: number } => {
    const inner = midRanks(own).ranks;
    const mean = meanOf(joint);
    const center = (own.length + 1) / 2;
    const spread = joint.reduce((sum, r, i) => sum + (r - inner[i]! - mean + center) ** 2, 0);
    return { mean, variance: spread / (own.length - 1) };
  };
  const first = placements(xs!, ranks.slice(0, n));
  const second = placements(ys!, ranks.slice(n));
  // P(x < y) + ½P(x = y)
  const theta = (second.mean - (m + 1) / 2) / n;
  const variance = first.variance / (n * m * m) + second.variance / (m * n * n);
  const se = variance > 0 ? Math.sqrt(variance) : Number.NaN;
  const [u, v] = [n * first.variance, m * second.variance];
  const df = (u + v) ** 2 / (u ** 2 / (n - 1) + v ** 2 / (m - 1));
  // "greater": x tends to be larger, as in the rank-sum test
  const t = (0.5 - theta) / se;
  const interval = waldInterval(1 - theta, se, { alternative, confidence, critical: (q) => tQuantileUpper(q, df) });
  const apart = warning(
    "NoOverlap",
    "the samples do not overlap or do not vary: t is undefined.",
    "use the rank-sum test.",
  );
  return makeTest({
    test: "brunner-munzel",
    method: "Brunner-Munzel test",
    hypothesis: "x is above y as often as below",
    alternative,
    confidence,
    statistic: t,
    statisticName: "t",
    df,
    p: pFromTails({ lower: tCdf(t, df), upper: tSf(t, df) }, alternative),
    effect: { name: "P(x > y)", value: 1 - theta, se, ...interval, interval: "t distribution" },
    n: n + m,
    diagnostics: [...a.diagnostics, ...b.diagnostics, ...(Number.isNaN(se) ? [apart] : [])],
    options: {},
    data: [a.values, b.values],
  });
}

export function kolmogorovSmirnovTest(x: ArrayLike<number>, y: ArrayLike<number>): TestResult {
  const a = completeSample(x);
  const b = completeSample(y, "y");
  const [n, m] = [a.values.length, b.values.length];
  if (n === 0 || m === 0) throw new StatError("EmptySample", `${n} values against ${m}.`, "give both samples values.");
  const [sx, sy] = settleTies(a.values, b.values).map((own) => own.slice().sort()) as [Float64Array, Float64Array];
  const all = Float64Array.from([...sx, ...sy]).sort();
  // in units of 1/(nm), so that comparisons are exact
  let D = 0;
  for (let k = 0, i = 0, j = 0; k < all.length; k++) {
    while (i < n && sx[i]! <= all[k]!) i++;
    while (j < m && sy[j]! <= all[k]!) j++;
    D = Math.max(D, Math.abs(i * m - j * n));
  }
  return makeTest({
    test: "ks",
    method: "Two-sample Kolmogorov-Smirnov test, exact",
    hypothesis: "both samples come from the same distribution",
    confidence: 0.95,
    statistic: D / (n * m),
    statisticName: "D",
    p: pathsP(D, n, m, all),
    effect: NO_EFFECT,
    n: n + m,
    diagnostics: [...a.diagnostics, ...b.diagnostics],
    options: {},
    data: [a.values, b.values],
  });
}

/** Share of the orders of n x's and m y's that somewhere (between different values) reach a distance of D/(nm). */
function pathsP(D: number, n: number, m: number, all: Float64Array): number {
  if (D === 0) return 1;
  // chance to have stayed below D so far with i x's drawn; x is next with probability (n-i)/(N-i-j)
  const stay = new Float64Array(n + 1);
  stay[0] = 1;
  let p = 0;
  for (let k = 1; k <= n + m; k++) {
    const between = k === n + m || all[k - 1] !== all[k];
    for (let i = Math.min(k, n); i >= Math.max(0, k - m); i--) {
      const j = k - i;
      const left = n + m - k + 1;
      const byX = i > 0 ? stay[i - 1]! * ((n - i + 1) / left) : 0;
      const byY = j > 0 ? stay[i]! * ((m - j + 1) / left) : 0;
      stay[i] = byX + byY;
      if (between && Math.abs(i * m - j * n) >= D) {
        p += stay[i]!;
        stay[i] = 0;
      }
    }
    if (k > m) stay[k - m - 1] = 0;
  }
  return Math.min(1, p);
}
