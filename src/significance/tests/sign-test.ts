/** Sign test: is x above y as often as below? Pairs with x = y are left out.   positives ~ Binomial(n₊ + n₋, ½)
 *  The effect is the median difference of all pairs, with the distribution-free interval of order statistics
 *  [d_(k), d_(n+1-k)],  k the largest with 2 P(Binomial(n, ½) < k) <= 1 - confidence.
 *  Reference: Conover (1999), Practical Nonparametric Statistics, 3.4 and 3.2.
 *  Oracle:    binom.test (R), oracle/reference/classical.json — 1e-10.
 *  Limits:    the size of differences is not used; with all pairs tied p = 1. */
import { binomialCdf } from "../../numeric/dist/binomial.ts";
import { findFirst } from "../../numeric/optim/brent.ts";
import { note } from "../../result/diagnostic.ts";
import { pairedSample } from "../samples.ts";
import { makeTest, type TestOptions, type TestResult } from "../test-result.ts";
import { binomialP } from "./binomial-test.ts";

export function signTest(x: ArrayLike<number>, y: ArrayLike<number>, options: TestOptions = {}): TestResult {
  const { alternative = "two-sided", confidence = 0.95 } = options;
  const { values, diagnostics, x: own, y: other } = pairedSample(x, y);
  const positive = values.filter((d) => d > 0).length;
  const negative = values.filter((d) => d < 0).length;
  const used = positive + negative;
  const ties = note("AllTied", "all pairs are tied: p = 1.", "these items show no difference between the systems.");
  return makeTest({
    test: "sign",
    method: "Sign test",
    hypothesis: "x is above y as often as below",
    alternative,
    confidence,
    statistic: positive,
    statisticName: "positive",
    p: used === 0 ? (values.length === 0 ? Number.NaN : 1) : binomialP(positive, used, 0.5, alternative),
    effect: {
      name: "median difference",
      value: medianOf(values),
      ...medianInterval(values, confidence),
      interval: "order statistics",
    },
    n: used,
    figures: { positive, negative, tied: values.length - used },
    diagnostics: used === 0 && values.length > 0 ? [...diagnostics, ties] : diagnostics,
    options: {},
    data: [own, other],
  });
}

export function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  const n = sorted.length;
  return n === 0 ? Number.NaN : (sorted[(n - 1) >> 1]! + sorted[n >> 1]!) / 2;
}

function medianInterval(values: Float64Array, confidence: number): { lower: number; upper: number } {
  const sorted = values.slice().sort();
  const n = sorted.length;
  const tail = (1 - confidence) / 2;
  // the first k that leaves too much outside, less one
  const k = findFirst(1, n + 1, (i) => i > n || binomialCdf(i - 1, n, 0.5) > tail) - 1;
  if (!(k >= 1)) return { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  return { lower: sorted[k - 1]!, upper: sorted[n - k]! };
}
