/** Multiplicity: p values and critical values for a family of m tests.   p_(1) <= … <= p_(m)
 *    bonferroni  m p                                  sidak     1 - (1 - p)^m
 *    holm        max_{j<=i} (m-j+1) p_(j)             hochberg  min_{j>=i} (m-j+1) p_(j)
 *    holm-sidak  max_{j<=i} 1 - (1 - p_(j))^(m-j+1)
 *    hommel      max over all sets with test i of the set's Simes p:  min_j |set| p_(j:set) / j
 *    BH          min_{j>=i} m p_(j) / j               BY        BH times 1 + 1/2 + … + 1/m
 *    tukey       P(Q > √2 |t|), Q the studentized range of k means on the df of the test
 *  Bonferroni, Sidak, Holm, Holm-Sidak, Hochberg, Hommel and Tukey bound the chance of any false rejection, BH and BY the expected share
 *  of false rejections.
 *  Reference: Holm (1979), Scand. J. Stat. 6; Holland & Copenhaver (1987), Biometrics 43 (Holm-Sidak); Hochberg (1988) and Hommel (1988), Biometrika 75; Wright (1992), Biometrics 48;
 *             Benjamini & Hochberg (1995), JRSS B 57; Benjamini & Yekutieli (2001), Ann. Stat. 29; Tukey (1953), Kramer (1956).
 *  Oracle:    p.adjust (R), oracle/reference/multiplicity.json; exact studentized range, same file; closed testing by enumeration.
 *  Limits:    Hochberg and Hommel need p values that are independent or positively dependent, Sidak and Holm-Sidak p values that are
 *             independent, or of two-sided tests of jointly normal estimates (t with one variance estimate, too). Tukey is exact for independent means of one variance and equal numbers,
 *             conservative for unequal numbers (Kramer's form; Hayter 1984), and approximate for estimates that correlate unequally or
 *             have variances of their own; it is for all pairs only. */
import { studentizedRangeQuantileUpper, studentizedRangeSf } from "../numeric/dist/studentized-range.ts";
import { tQuantileUpper, tSf } from "../numeric/dist/t.ts";
import { StatError } from "../result/error.ts";
import type { JointTests } from "./joint-tests.ts";

/** Adjustments that need the p values alone. */
export type PAdjustment = "none" | "bonferroni" | "sidak" | "holm" | "holm-sidak" | "hochberg" | "hommel" | "BH" | "BY";
export type Adjustment = PAdjustment | "tukey";
/** The adjustment where p values are all there is: joint ones have no meaning there. */
export const apart = (adjust: PairAdjustment): PAdjustment =>
  adjust === "tukey" || adjust === "max-t" ? "holm" : adjust;
/** "max-t": single-step, by the joint distribution of all pairs (joint-tests.ts). */
export type PairAdjustment = Adjustment | "max-t";

/** Of several pairs of systems. */
export const DEFAULT_ADJUSTMENT = "max-t";

export const ADJUSTMENTS: readonly Adjustment[] = [
  "none",
  "tukey",
  "holm",
  "bonferroni",
  "sidak",
  "holm-sidak",
  "hochberg",
  "hommel",
  "BH",
  "BY",
];

/** Chance of at least one false rejection among m tests at level α, unadjusted: where they are independent, and at most. */
export function familyWiseError(
  tests: number,
  alpha: number,
): { readonly independent: number; readonly bound: number } {
  return { independent: -Math.expm1(tests * Math.log1p(-alpha)), bound: Math.min(1, tests * alpha) };
}

/** In words, for where p values are printed as they are: what holds however the tests depend on each other, as pairs that share a system do. */
export function familyWiseSentence(tests: number, alpha: number): string {
  const { bound } = familyWiseError(tests, alpha);
  const number = (value: number): string => String(Number(value.toPrecision(3)));
  const any = bound < 1 ? `, and at least one in up to ${number(100 * bound)} % of such families` : "";
  return `where nothing differs, ${tests} tests at ${alpha} give ${number(tests * alpha)} false positives on average${any}`;
}

/** Adjusted p values in the order given. NaN stays NaN and does not count as a test. */
export function adjustP(p: ArrayLike<number>, method: PAdjustment): Float64Array {
  const wrong = Array.from(p).find((v) => v < 0 || v > 1);
  if (wrong !== undefined) {
    throw new StatError(
      "BadProbability",
      `${wrong} is not a p value.`,
      "give p values between 0 and 1, NaN for missing.",
    );
  }
  const adjusted = new Float64Array(p.length).fill(Number.NaN);
  const order = Array.from(p, (_, i) => i).filter((i) => !Number.isNaN(p[i]!));
  order.sort((a, b) => p[a]! - p[b]!);
  const sorted = Float64Array.from(order, (i) => p[i]!);
  const values = adjustSorted(sorted, method);
  order.forEach((i, rank) => {
    adjusted[i] = Math.min(1, values[rank]!);
  });
  return adjusted;
}

/** Ascending p values in, adjusted ones (not yet cut at 1) out. */
function adjustSorted(p: Float64Array, method: PAdjustment): Float64Array {
  const m = p.length;
  switch (method) {
    case "none":
      return p;
    case "bonferroni":
      return p.map((v) => m * v);
    case "sidak":
      return p.map((v) => -Math.expm1(m * Math.log1p(-v)));
    case "holm":
      return runningMax(p.map((v, i) => (m - i) * v));
    case "holm-sidak":
      return runningMax(p.map((v, i) => -Math.expm1((m - i) * Math.log1p(-v))));
    case "hochberg":
      return runningMinFromEnd(p.map((v, i) => (m - i) * v));
    case "hommel":
      return hommel(p);
    case "BH":
      return runningMinFromEnd(p.map((v, i) => (m * v) / (i + 1)));
    case "BY":
      return runningMinFromEnd(p.map((v, i) => (harmonic(m) * m * v) / (i + 1)));
  }
}

function runningMax(x: Float64Array): Float64Array {
  for (let i = 1; i < x.length; i++) x[i] = Math.max(x[i]!, x[i - 1]!);
  return x;
}

function runningMinFromEnd(x: Float64Array): Float64Array {
  for (let i = x.length - 2; i >= 0; i--) x[i] = Math.min(x[i]!, x[i + 1]!);
  return x;
}

function harmonic(m: number): number {
  let sum = 0;
  for (let i = m; i >= 1; i--) sum += 1 / i;
  return sum;
}

/** Of all sets of size s with test i, the one with the largest other p values has the largest Simes p (Wright 1992, p. 1008). */
function hommel(p: Float64Array): Float64Array {
  const m = p.length;
  const adjusted = p.slice();
  for (let size = 2; size <= m; size++) {
    const first = m - size; // the `size` largest start here
    let simes = Number.POSITIVE_INFINITY; // over their ranks from 2 on, which any set of this kind shares
    for (let rank = 2; rank <= size; rank++) simes = Math.min(simes, (size * p[first + rank - 1]!) / rank);
    for (let i = 0; i < m; i++) {
      // a test below the set takes the place of its smallest member
      const own = Math.min(simes, size * p[Math.min(i, first)]!);
      adjusted[i] = Math.max(adjusted[i]!, own);
    }
  }
  return adjusted;
}

/** p of one of all pairwise comparisons of `means` estimates, by the studentized range. */
export function tukeyP(statistic: number, means: number, df: number): number {
  return means < 2 ? Number.NaN : studentizedRangeSf(Math.SQRT2 * Math.abs(statistic), means, df);
}

/** A family of tests: Tukey needs the number of means that are compared, the others the number of tests. */
export interface Family {
  readonly method: Adjustment;
  readonly tests: number;
  readonly means: number;
  /** Their joint distribution, where that is the adjustment. */
  readonly joint?: JointTests | undefined;
}

/** Adjusted two-sided p values of t tests, each on its own df (Infinity: z tests). */
export function adjustTests(
  statistics: ArrayLike<number>,
  df: ArrayLike<number>,
  { method, means, joint }: Omit<Family, "tests">,
): Float64Array {
  if (joint !== undefined) return Float64Array.from(statistics, (t, i) => joint.adjust(2 * tSf(Math.abs(t), df[i]!)));
  if (method === "tukey") return Float64Array.from(statistics, (t, i) => tukeyP(t, means, df[i]!));
  return adjustP(
    Float64Array.from(statistics, (t, i) => Math.min(1, 2 * tSf(Math.abs(t), df[i]!))),
    method,
  );
}

/** Half-width of simultaneous intervals in standard errors. Step-wise and false-discovery methods have no simple intervals:
 *  theirs are Bonferroni's, as in emmeans. */
export function criticalValue({ method, tests, means, joint }: Family, df: number, confidence: number): number {
  const alpha = 1 - confidence;
  if (joint !== undefined) return tQuantileUpper(joint.levelFor(alpha) / 2, df);
  if (method === "none" || tests <= 1) return tQuantileUpper(alpha / 2, df);
  if (method === "tukey") return studentizedRangeQuantileUpper(alpha, means, df) / Math.SQRT2;
  if (method === "sidak") return tQuantileUpper(-Math.expm1(Math.log1p(-alpha) / tests) / 2, df);
  return tQuantileUpper(alpha / (2 * tests), df);
}
