/** Exact binomial test of one proportion.
 *  Two-sided p: the probability of all counts that are no more probable than the observed one.
 *  Reference: Clopper & Pearson (1934), Biometrika 26.
 *  Oracle:    binom.test (R), oracle/reference/classical.json — 1e-10.
 *  Limits:    none; cost O(log n) tails. */
import { binomialCdf, binomialLogPmf, binomialSf } from "../../numeric/dist/binomial.ts";
import { findFirst } from "../../numeric/optim/brent.ts";
import type { Alternative } from "../../resample/permutation.ts";
import { StatError } from "../../result/error.ts";
import {
  BINOMIAL_INTERVALS,
  type BinomialIntervalMethod,
  binomialInterval,
  checkProportion,
} from "../intervals/binomial.ts";
import { makeTest, sidedInterval, type TestOptions, type TestResult } from "../test-result.ts";

export interface BinomialTestOptions extends TestOptions {
  /** The proportion under the null hypothesis. */
  readonly proportion?: number | undefined;
  readonly interval?: BinomialIntervalMethod | undefined;
}

export function binomialTest(successes: number, trials: number, options: BinomialTestOptions = {}): TestResult {
  const { proportion = 0.5, alternative = "two-sided", confidence = 0.95, interval = "wilson" } = options;
  checkProportion(successes, trials);
  if (trials === 0) throw new StatError("NoTrials", "0 trials say nothing about a proportion.", "give at least one.");
  if (!(proportion >= 0 && proportion <= 1)) {
    throw new StatError("BadProbability", `${proportion} is not a proportion.`, "give a number from 0 to 1.");
  }
  const sided = (method: BinomialIntervalMethod) =>
    sidedInterval((level) => binomialInterval(successes, trials, { method, confidence: level }), {
      alternative,
      confidence,
      range: [0, 1],
    });
  const rows = BINOMIAL_INTERVALS.map((method) => {
    const { lower, upper } = sided(method);
    return [method, lower, upper];
  });
  return makeTest({
    test: "binomial",
    method: "Exact binomial test",
    hypothesis: `the proportion is ${proportion}`,
    alternative,
    confidence,
    statistic: successes,
    statisticName: "successes",
    p: binomialP(successes, trials, proportion, alternative),
    effect: {
      name: "proportion",
      value: successes / trials,
      ...sided(interval),
      interval,
    },
    n: trials,
    tables: [{ caption: "Intervals of the proportion", head: ["method", "from", "to"], rows }],
    options: { proportion, interval },
    data: [Float64Array.of(successes, trials)],
  });
}

/** Probabilities that should be equal differ by rounding. */
const EQUAL = 1e-7;

export function binomialP(k: number, n: number, p: number, alternative: Alternative): number {
  if (alternative === "less") return binomialCdf(k, n, p);
  const upper = k === 0 ? 1 : binomialSf(k - 1, n, p);
  if (alternative === "greater") return upper;
  const mean = n * p;
  if (k === mean) return 1;
  const bound = binomialLogPmf(k, n, p) + Math.log1p(EQUAL);
  const rare = (i: number): boolean => binomialLogPmf(i, n, p) <= bound;
  if (k < mean) {
    // above the mean the probabilities fall
    const from = findFirst(Math.ceil(mean), n, rare);
    return Math.min(1, binomialCdf(k, n, p) + (Number.isNaN(from) ? 0 : binomialSf(from - 1, n, p)));
  }
  const last = findFirst(0, Math.floor(mean) + 1, (i) => i > Math.floor(mean) || !rare(i)) - 1;
  return Math.min(1, upper + (last >= 0 ? binomialCdf(last, n, p) : 0));
}
