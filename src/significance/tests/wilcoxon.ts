/** Wilcoxon's signed-rank test of pairs. The |d_i| are ranked (mid-ranks), V is the sum of the ranks of positive d_i.
 *    exact    V's law over all 2^n signs, counted on the lattice of half ranks: also right with ties
 *    normal   z = (V - Σr/2 ∓ ½)/√(Σr²/4), with or without the continuity correction ½
 *  Zero differences: "wilcoxon" drops them first; "pratt" ranks them and then drops them; "split" gives half of their ranks to each side.
 *  The effect is the Hodges-Lehmann median of Walsh averages (d_i + d_j)/2; its interval inverts the test.
 *  Reference: Wilcoxon (1945), Biometrics 1; Pratt (1959), J. Am. Stat. Assoc. 54; Hollander & Wolfe (1999), 3.1-3.3.
 *  Oracle:    wilcox.test, coin (R), scipy.stats.wilcoxon, oracle/reference/classical.json — 1e-10.
 *  Limits:    a test of the centre only if differences are symmetric. Intervals with ties are slightly conservative. */
import { normalCdf, normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { findFirst } from "../../numeric/optim/brent.ts";
import { settleDifferences } from "../../numeric/ties.ts";
import { EXACT_COST, FORCED_COST } from "../../resample/permutation.ts";
import { latticeTail, signFlipCost } from "../../resample/sign-flip-exact.ts";
import { note } from "../../result/diagnostic.ts";
import { pairedSample } from "../samples.ts";
import { makeTest, pFromTails, sidedInterval, type TestOptions, type TestResult, WHOLE_LINE } from "../test-result.ts";
import { kthOf, walshAverages } from "./pair-order.ts";
import { midRanks } from "./ranks.ts";

export interface WilcoxonOptions extends TestOptions {
  /** "auto": exact where it takes well below a second. */
  readonly method?: "auto" | "exact" | "normal" | undefined;
  /** Continuity correction of the normal approximation. */
  readonly correct?: boolean | undefined;
  readonly zeros?: "wilcoxon" | "pratt" | "split" | undefined;
}

export function wilcoxonTest(x: ArrayLike<number>, y: ArrayLike<number>, options: WilcoxonOptions = {}): TestResult {
  const { alternative = "two-sided", confidence = 0.95, correct = true, zeros = "wilcoxon" } = options;
  const { values: raw, diagnostics, x: own, y: other } = pairedSample(x, y);
  const d = settleDifferences(raw, own, other);
  const { ranks, signs, zeroRanks } = signedRanks(d, zeros);
  const V =
    ranks.reduce((sum, r, i) => sum + (signs[i]! > 0 ? r : 0), 0) + zeroRanks.reduce((sum, r) => sum + r / 2, 0);
  const steps = Int32Array.from(ranks, (r) => 2 * r);
  const canCount = zeros !== "split" && signFlipCost(steps) <= (options.method === "exact" ? FORCED_COST : EXACT_COST);
  const exact = options.method !== "normal" && canCount;
  const observed = steps.reduce((sum, step, i) => sum + step * signs[i]!, 0);
  const p = exact
    ? pFromTails({ upper: latticeTail(steps, observed), lower: latticeTail(steps, -observed) }, alternative)
    : normalP(V, [...ranks, ...zeroRanks], { alternative, correct });
  const none = ranks.length === 0;
  const used = zeros === "wilcoxon" ? raw.filter((_, i) => d[i] !== 0) : raw;
  return makeTest({
    test: "wilcoxon",
    method: `Wilcoxon signed-rank test, ${exact ? "exact" : correct ? "normal approximation with continuity correction" : "normal approximation"}`,
    hypothesis: "differences are symmetric about 0",
    alternative,
    confidence,
    statistic: V,
    statisticName: "V",
    p: none ? (d.length === 0 ? Number.NaN : 1) : p,
    effect: {
      name: "Hodges-Lehmann difference",
      ...sidedInterval((level) => hodgesLehmann(used, level), { alternative, confidence, range: WHOLE_LINE }),
      interval: "inverted signed-rank test",
    },
    n: ranks.length + zeroRanks.length,
    figures: {
      zeros: d.filter((v) => v === 0).length,
      "smaller rank sum": Math.min(V, sumOf(ranks) + sumOf(zeroRanks) - V),
    },
    diagnostics: none
      ? [...diagnostics, note("AllTied", "all differences are 0: p = 1.", "collect more items.")]
      : diagnostics,
    options: { method: options.method ?? "auto", correct, zeros },
    data: [own, other],
  });
}

const sumOf = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);

function signedRanks(d: Float64Array, zeros: "wilcoxon" | "pratt" | "split") {
  const kept = zeros === "wilcoxon" ? d.filter((v) => v !== 0) : d;
  const { ranks } = midRanks(kept.map(Math.abs));
  const nonZero = (_: number, i: number): boolean => kept[i] !== 0;
  return {
    ranks: ranks.filter(nonZero),
    signs: kept.filter((v) => v !== 0).map(Math.sign),
    zeroRanks: zeros === "split" ? ranks.filter((_, i) => kept[i] === 0) : new Float64Array(0),
  };
}

function normalP(
  V: number,
  ranks: readonly number[],
  { alternative, correct }: { alternative: "two-sided" | "greater" | "less"; correct: boolean },
): number {
  const mean = ranks.reduce((a, b) => a + b, 0) / 2;
  const sd = Math.sqrt(ranks.reduce((sum, r) => sum + r * r, 0) / 4);
  const half = correct ? 0.5 : 0;
  const shift = { "two-sided": Math.sign(V - mean) * half, greater: half, less: -half }[alternative];
  const z = (V - mean - shift) / sd;
  return pFromTails({ lower: normalCdf(z), upper: normalSf(z) }, alternative);
}

/** Up to here the law of V without ties is counted for the interval; beyond, the normal approximation is as good. */
const LARGEST_EXACT_INTERVAL = 200;

function hodgesLehmann(values: Float64Array, confidence: number): { value: number; lower: number; upper: number } {
  const n = values.length;
  if (n === 0) return { value: Number.NaN, lower: Number.NaN, upper: Number.NaN };
  const family = walshAverages(values.slice().sort());
  const all = (n * (n + 1)) / 2;
  const value = (kthOf(family, (all + 1) >> 1) + kthOf(family, (all >> 1) + 1)) / 2;
  const k = lowerRank(n, (1 - confidence) / 2);
  // even the outermost averages cover too little: 2 · 2^-n > α
  if (k < 1) return { value, lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  return { value, lower: kthOf(family, k), upper: kthOf(family, all + 1 - k) };
}

/** Largest k with P(V < k) <= tail, V without ties. */
function lowerRank(n: number, tail: number): number {
  const all = (n * (n + 1)) / 2;
  if (n > LARGEST_EXACT_INTERVAL) {
    const sd = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
    return Math.floor(all / 2 + 0.5 - normalQuantileUpper(tail) * sd);
  }
  const steps = Int32Array.from({ length: n }, (_, i) => i + 1);
  // P(V <= v) = P(S >= all - 2v), S the signed sum
  return findFirst(0, all, (v) => latticeTail(steps, all - 2 * v) > tail);
}
