/** Wilcoxon's rank-sum (Mann-Whitney) test of two samples.   W = Σ ranks of x - n(n+1)/2 = number of pairs with x > y, ties half
 *    exact    W's law over all choices of n of the N mid-ranks: also right with ties
 *    normal   z = (W - nm/2 ∓ ½)/√(nm/12 (N + 1 - Σ(t³-t)/(N(N-1))))
 *  The effect is the Hodges-Lehmann shift, the median of all x_i - y_j; P(x > y) + ½P(x = y) is given beside it.
 *  Reference: Mann & Whitney (1947), Ann. Math. Stat. 18; Hollander & Wolfe (1999), 4.1-4.3.
 *  Oracle:    wilcox.test, coin (R), scipy.stats.mannwhitneyu, oracle/reference/classical.json — 1e-10.
 *  Limits:    two-sided exact p with ties counts |W - nm/2| at least as large (coin's), which is symmetric without ties. */
import { normalCdf, normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { settleTies } from "../../numeric/ties.ts";
import { permuteTwoSample } from "../../resample/permutation-two-sample.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { completeSample } from "../samples.ts";
import { makeTest, pFromTails, sidedInterval, type TestOptions, type TestResult, WHOLE_LINE } from "../test-result.ts";
import { kthOf, pairDifferences } from "./pair-order.ts";
import { midRanks } from "./ranks.ts";

export interface RankSumOptions extends TestOptions {
  readonly method?: "auto" | "exact" | "normal" | undefined;
  readonly correct?: boolean | undefined;
}

export function rankSumTest(x: ArrayLike<number>, y: ArrayLike<number>, options: RankSumOptions = {}): TestResult {
  const { alternative = "two-sided", confidence = 0.95, correct = true } = options;
  const a = completeSample(x);
  const b = completeSample(y, "y");
  const [n, m] = [a.values.length, b.values.length];
  if (n === 0 || m === 0) throw new StatError("EmptySample", `${n} values against ${m}.`, "give both samples values.");
  const [own, other] = settleTies(a.values, b.values);
  const { ranks, tieSum } = midRanks(Float64Array.from([...own!, ...other!]));
  const rankSum = ranks.subarray(0, n).reduce((s, r) => s + r, 0);
  const W = rankSum - (n * (n + 1)) / 2;
  const sd = Math.sqrt(((n * m) / 12) * (n + m + 1 - tieSum / ((n + m) * (n + m - 1))));
  const exact =
    options.method === "normal"
      ? undefined
      : permuteTwoSample(ranks.slice(0, n), ranks.slice(n), {
          alternative,
          method: options.method ?? "auto",
          replicates: 0,
        });
  const counted = exact?.method === "exact";
  const p = counted ? exact.p : sd > 0 ? normalP(W, n * m, { sd, alternative, correct }) : 1;
  return makeTest({
    test: "rank-sum",
    method: `Wilcoxon rank-sum test, ${counted ? "exact" : correct ? "normal approximation with continuity correction" : "normal approximation"}`,
    hypothesis: "both samples come from the same distribution",
    alternative,
    confidence,
    statistic: W,
    statisticName: "W",
    p,
    effect: {
      name: "Hodges-Lehmann shift",
      ...sidedInterval((level) => shift(own!, other!, { sd, confidence: level }), {
        alternative,
        confidence,
        range: WHOLE_LINE,
      }),
      interval: "inverted rank-sum test, normal ranks",
    },
    n: n + m,
    figures: { "P(x > y)": W / (n * m) },
    diagnostics: [
      ...a.diagnostics,
      ...b.diagnostics,
      ...(sd > 0 ? [] : [note("AllTied", "all values are equal: p = 1.", "the samples do not differ.")]),
    ],
    options: { method: options.method ?? "auto", correct },
    data: [a.values, b.values],
  });
}

function normalP(
  W: number,
  pairs: number,
  { sd, alternative, correct }: { sd: number; alternative: "two-sided" | "greater" | "less"; correct: boolean },
): number {
  const half = correct ? 0.5 : 0;
  const gap = W - pairs / 2;
  const z = (gap - { "two-sided": Math.sign(gap) * half, greater: half, less: -half }[alternative]) / sd;
  return pFromTails({ lower: normalCdf(z), upper: normalSf(z) }, alternative);
}

function shift(x: Float64Array, y: Float64Array, { sd, confidence }: { sd: number; confidence: number }) {
  const pairs = x.length * y.length;
  const family = pairDifferences(x.slice().sort(), y.slice().sort());
  const middle = Math.floor((pairs + 1) / 2);
  const value = (kthOf(family, middle) + kthOf(family, Math.floor(pairs / 2) + 1)) / 2;
  const k = Math.floor(pairs / 2 + 0.5 - normalQuantileUpper((1 - confidence) / 2) * sd);
  if (k < 1) return { value, lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  return { value, lower: kthOf(family, k), upper: kthOf(family, pairs + 1 - k) };
}
