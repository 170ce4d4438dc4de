/** Intraclass correlations of a complete items × raters table, and Lin's concordance.
 *
 *      mean squares: B between items, W within items, J between raters, E residual; n items, k raters
 *      ICC(1,1) = (B - W) / (B + (k-1) W)                            one-way: raters differ from item to item
 *      ICC(2,1) = (B - E) / (B + (k-1) E + k (J - E) / n)            two-way random, absolute agreement: ICC(A,1)
 *      ICC(3,1) = (B - E) / (B + (k-1) E)                            two-way, consistency: ICC(C,1)
 *      …(·,k): of the mean of k raters
 *      CCC      = 2 s_xy / (s_x² + s_y² + (x̄ - ȳ)²) with divisor n; of several raters Σ over pairs / Σ over pairs
 *
 *  F tests against 0; intervals by F quantiles, for ICC(2,·) by McGraw & Wong's Satterthwaite approximation.
 *  Reference: Shrout & Fleiss (1979), Psychol. Bull. 86; McGraw & Wong (1996), Psychol. Methods 1; Lin (1989), Biometrics 45;
 *             Barnhart, Haber & Song (2002), Biometrics 58.
 *  Oracle:    psych::ICC (R) and Shrout & Fleiss' example, to 1e-12.
 *  Limits:    items without all raters are left out; variance components (reliability) use every rating. */
import { fQuantileUpper, fSf } from "../../numeric/dist/f.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";

export interface IntraclassCorrelation {
  /** Shrout & Fleiss' name, as psych writes it, and McGraw & Wong's. */
  readonly type: "ICC1" | "ICC2" | "ICC3" | "ICC1k" | "ICC2k" | "ICC3k";
  readonly name: string;
  readonly value: number;
  readonly f: number;
  readonly df1: number;
  readonly df2: number;
  readonly p: number;
  readonly lower: number;
  readonly upper: number;
}

export interface IntraclassTable {
  readonly items: number;
  readonly raters: number;
  readonly meanSquares: {
    readonly between: number;
    readonly within: number;
    readonly raters: number;
    readonly error: number;
  };
  readonly icc: readonly IntraclassCorrelation[];
  /** Cronbach's α, which is ICC(3,k). */
  readonly cronbach: number;
}

/** `scores` item by item: element (i, r) at i * raters + r. */
export function intraclass(scores: Float64Array, raters: number, confidence = 0.95): IntraclassTable {
  const k = raters;
  const n = scores.length / k;
  const { between: B, within: W, raters: J, error: E } = meanSquares(scores, n, k);
  const tail = (1 - confidence) / 2;
  const [df1, oneWay, twoWay] = [n - 1, n * (k - 1), (n - 1) * (k - 1)];
  const test = (f: number, df2: number) => ({ f, df1, df2, p: fSf(f, df1, df2) });
  const over = (error: number): number => (error > NO_ERROR * (B + J) ? B / error : Number.NaN);
  const fromF = (f: number, df2: number) => {
    const [low, high] = [f / fQuantileUpper(tail, df1, df2), f * fQuantileUpper(tail, df2, df1)];
    const single = (x: number): number => (x - 1) / (x + k - 1);
    return { single: { lower: single(low), upper: single(high) }, mean: { lower: 1 - 1 / low, upper: 1 - 1 / high } };
  };
  const one = fromF(over(W), oneWay);
  const three = fromF(over(E), twoWay);
  const absolute = (B - E) / (B + (k - 1) * E + (k * (J - E)) / n);
  const two = absoluteInterval({ B, J, E, n, k, tail }, absolute);
  const stepUp = (x: number): number => (x * k) / (1 + x * (k - 1));
  const [t1, t2] = [test(over(W), oneWay), test(over(E), twoWay)];
  const icc: IntraclassCorrelation[] = [
    { type: "ICC1", name: "ICC(1)", value: (B - W) / (B + (k - 1) * W), ...t1, ...one.single },
    { type: "ICC2", name: "ICC(A,1)", value: absolute, ...t2, ...two },
    { type: "ICC3", name: "ICC(C,1)", value: (B - E) / (B + (k - 1) * E), ...t2, ...three.single },
    { type: "ICC1k", name: "ICC(k)", value: (B - W) / B, ...t1, ...one.mean },
    {
      type: "ICC2k",
      name: "ICC(A,k)",
      value: (B - E) / (B + (J - E) / n),
      ...t2,
      lower: stepUp(two.lower),
      upper: stepUp(two.upper),
    },
    { type: "ICC3k", name: "ICC(C,k)", value: (B - E) / B, ...t2, ...three.mean },
  ];
  const squares = { between: B, within: W, raters: J, error: E };
  return { items: n, raters: k, meanSquares: squares, icc, cronbach: (B - E) / B };
}

/** Share of the other mean squares below which one is the square of rounding errors: then raters agree, and F is undefined. */
const NO_ERROR = 1e-28;

function meanSquares(scores: Float64Array, n: number, k: number) {
  const item = new Float64Array(n);
  const rater = new Float64Array(k);
  let grand = 0;
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < k; r++) {
      item[i]! += scores[i * k + r]! / k;
      rater[r]! += scores[i * k + r]! / n;
    }
    grand += item[i]! / n;
  }
  let [b, j, w, e] = [0, 0, 0, 0];
  for (let r = 0; r < k; r++) j += n * (rater[r]! - grand) ** 2;
  for (let i = 0; i < n; i++) {
    b += k * (item[i]! - grand) ** 2;
    for (let r = 0; r < k; r++) {
      const d = scores[i * k + r]! - item[i]!;
      w += d * d;
      e += (d - rater[r]! + grand) ** 2;
    }
  }
  const [dfI, dfR] = [n - 1, k - 1];
  return { between: b / dfI, within: w / (n * dfR), raters: j / dfR, error: e / (dfI * dfR) };
}

interface AbsoluteParts {
  readonly B: number;
  readonly J: number;
  readonly E: number;
  readonly n: number;
  readonly k: number;
  readonly tail: number;
}

/** McGraw & Wong (1996), Table 7. */
function absoluteInterval({ B, J, E, n, k, tail }: AbsoluteParts, icc: number): { lower: number; upper: number } {
  const ratio = J / E;
  const rest = n * (1 + (k - 1) * icc) - k * icc;
  const top = (k - 1) * (n - 1) * (k * icc * ratio + rest) ** 2;
  const v = top / ((n - 1) * k * k * icc * icc * ratio * ratio + rest * rest);
  const f1 = fQuantileUpper(tail, n - 1, v);
  const f2 = fQuantileUpper(tail, v, n - 1);
  const others = k * J + (k * n - k - n) * E;
  return { lower: (n * (B - f1 * E)) / (f1 * others + n * B), upper: (n * (f2 * B - E)) / (others + n * f2 * B) };
}

export interface Concordance {
  readonly value: number;
  /** Only for two raters: Lin's large-sample error on Fisher's z. */
  readonly lower: number;
  readonly upper: number;
}

/** Lin's concordance of two raters, the overall coefficient of several. */
export function concordance(scores: Float64Array, raters: number, confidence = 0.95): Concordance {
  const k = raters;
  const n = scores.length / k;
  const mean = new Float64Array(k);
  for (let i = 0; i < n; i++) for (let r = 0; r < k; r++) mean[r]! += scores[i * k + r]! / n;
  let [top, bottom, rho, shift] = [0, 0, 0, 0];
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < a; b++) {
      let [xy, xx, yy] = [0, 0, 0];
      for (let i = 0; i < n; i++) {
        const [x, y] = [scores[i * k + a]! - mean[a]!, scores[i * k + b]! - mean[b]!];
        xy += (x * y) / n;
        xx += (x * x) / n;
        yy += (y * y) / n;
      }
      top += 2 * xy;
      bottom += xx + yy + (mean[a]! - mean[b]!) ** 2;
      rho = xy / Math.sqrt(xx * yy);
      shift = (mean[a]! - mean[b]!) ** 2 / Math.sqrt(xx * yy);
    }
  }
  const value = top / bottom;
  const undefinedEnds = { value, lower: Number.NaN, upper: Number.NaN };
  if (k !== 2 || n < 3 || Math.abs(value) >= 1 || rho === 0) return undefinedEnds;
  // Lin (1989) with the correction of (2000); u = shift in units of the geometric mean SD
  const [c2, r2] = [value * value, rho * rho];
  const variance =
    (((1 - r2) * c2) / ((1 - c2) * r2) +
      (2 * value ** 3 * (1 - value) * shift) / (rho * (1 - c2) ** 2) -
      (c2 * c2 * shift * shift) / (2 * r2 * (1 - c2) ** 2)) /
    (n - 2);
  const half = normalQuantileUpper((1 - confidence) / 2) * Math.sqrt(Math.max(0, variance));
  const z = Math.atanh(value);
  return { value, lower: Math.tanh(z - half), upper: Math.tanh(z + half) };
}
