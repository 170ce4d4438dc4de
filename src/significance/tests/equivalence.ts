/** Equivalence and non-inferiority with a margin m fixed in advance.
 *    equivalence       two one-sided tests (TOST): H0 |δ| >= m; p = max(P(t > t_lower), P(t < t_upper)), t against -m and +m
 *    non-inferiority   H0 δ <= -m (higher is better);  superiority by a margin: H0 δ <= +m
 *  Equivalent at level α exactly if the 1 - 2α interval lies within (-m, m): that interval is given.
 *    means: paired or Welch t, paired also corrected for skewness;  proportions: Tango's score (paired), unpooled z (independent)
 *  Reference: Schuirmann (1987), J. Pharmacokinet. Biopharm. 15; Tango (1998), Stat. Med. 17; Lakens (2017), Soc. Psychol. Pers. Sci. 8.
 *  Oracle:    one-sided t tests against ±m, closed forms; the Tango interval.
 *  Limits:    a margin chosen after seeing the data makes the test void. */

import { boundsOf, checkMargin, SHARE_BOUNDS } from "../../metrics/range.ts";
import { normalCdf, normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { tCdf, tSf } from "../../numeric/dist/t.ts";
import { warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { checkProportion } from "../intervals/binomial.ts";
import { pairedProportionInterval, tangoScore } from "../intervals/paired-proportions.ts";
import type { PairedTable } from "../paired-table.ts";
import { checkCounts, pairedSample } from "../samples.ts";
import { makeTest, type TestResult } from "../test-result.ts";
import { measureSkewedMean, skewedMeanTails, skewedMeanTest, withMoreCarriers } from "./skewed-mean.ts";

import { type PairedTTestOptions, pairedTTest, twoSampleTTest } from "./t-test.ts";

export interface EquivalenceOptions {
  /** Smallest difference that matters, above 0. */
  readonly margin: number;
  readonly goal?: "equivalence" | "non-inferiority" | "superiority" | undefined;
  /** Level α of the test; the interval has confidence 1 - 2α. */
  readonly alpha?: number | undefined;
}

/** A difference on a scale with known tails. */
interface Difference {
  readonly method: string;
  readonly name: string;
  readonly value: number;
  readonly se: number;
  readonly n: number;
  readonly df?: number;
  /** Statistic against δ, and its tails. */
  readonly at: (delta: number) => { readonly statistic: number; readonly lower: number; readonly upper: number };
  readonly interval: { readonly lower: number; readonly upper: number; readonly how: string };
  readonly source: TestResult["diagnostics"];
  readonly data: readonly Float64Array[];
}

export interface PairedEquivalenceOptions extends EquivalenceOptions, Pick<PairedTTestOptions, "clusters"> {
  /** Correct t for the skewness of the differences (skewed-mean.ts). */
  readonly skewed?: boolean | undefined;
}

/** Two systems' scores on the same items; clusters as in pairedTTest. */
export function pairedEquivalenceTest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  options: PairedEquivalenceOptions,
): TestResult {
  const { clusters, skewed = false } = options;
  checkAnswers(x, y, options);
  if (skewed && clusters !== undefined) {
    throw new StatError(
      "NoClusteredTest",
      "the correction for skewness takes items for independent, and these lie in clusters.",
      "leave out one of the options skewed and clusters.",
    );
  }
  const confidence = 1 - 2 * (options.alpha ?? 0.05);
  if (skewed) return finish(fromSkewedMean(x, y, confidence), options);
  return finish(
    fromT(pairedTTest(x, y, { confidence, ...(clusters ? { clusters } : {}) }), [
      Float64Array.from(x),
      Float64Array.from(y),
    ]),
    options,
  );
}

/** Scores on different items, unequal variances. */
export function twoSampleEquivalenceTest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  options: EquivalenceOptions,
): TestResult {
  checkAnswers(x, y, options);
  const confidence = 1 - 2 * (options.alpha ?? 0.05);
  return finish(fromT(twoSampleTTest(x, y, { confidence }), [Float64Array.from(x), Float64Array.from(y)]), options);
}

/** Scores without a name are bounded where they are right and wrong answers. */
function checkAnswers(x: ArrayLike<number>, y: ArrayLike<number>, { margin }: EquivalenceOptions): void {
  const bounds = boundsOf("", [...Array.from(x), ...Array.from(y)]);
  if (bounds?.share) checkMargin(margin, bounds);
}

function fromSkewedMean(x: ArrayLike<number>, y: ArrayLike<number>, confidence: number): Difference {
  const { values } = pairedSample(x, y);
  const of = withMoreCarriers(measureSkewedMean(values), values, [y, x]);
  const { method, effect, ci, diagnostics } = skewedMeanTest(x, y, { confidence });
  return {
    method,
    name: effect.name,
    value: of.mean,
    se: of.se,
    n: of.n,
    df: of.df,
    at: (delta) => ({ statistic: (of.mean - delta) / of.se, ...skewedMeanTails(of, delta) }),
    interval: { lower: ci.lower, upper: ci.upper, how: ci.method },
    source: diagnostics,
    data: [Float64Array.from(x), Float64Array.from(y)],
  };
}

function fromT({ effect, df, n, ci, diagnostics, method }: TestResult, data: readonly Float64Array[]): Difference {
  const own = df as number;
  return {
    method,
    name: effect.name,
    value: effect.value,
    se: effect.se,
    n,
    df: own,
    at: (delta) => {
      const t = (effect.value - delta) / effect.se;
      return { statistic: t, lower: tCdf(t, own), upper: tSf(t, own) };
    },
    interval: { lower: ci.lower, upper: ci.upper, how: ci.method },
    source: diagnostics,
    data,
  };
}

/** Right and wrong answers on the same items, by Tango's score. */
export function pairedProportionEquivalenceTest(table: PairedTable, options: EquivalenceOptions): TestResult {
  checkMargin(options.margin, SHARE_BOUNDS);
  checkCounts(table, ["both right", "only the first right", "only the second right", "neither right"]);
  const [a, b, c, d] = table;
  const n = a + b + c + d;
  if (n === 0) throw new StatError("NoPairs", "the table has no pairs at all.", "give the counts of a 2x2 table.");
  const difference: Difference = {
    method: "paired proportions, Tango's score",
    name: "difference in share right",
    value: (b - c) / n,
    se: Math.sqrt(Math.max(0, b + c - (b - c) ** 2 / n)) / n,
    n,
    at: (delta) => {
      const z = tangoScore(b, c, n, delta);
      return { statistic: z, lower: normalCdf(z), upper: normalSf(z) };
    },
    interval: { ...pairedProportionInterval(table, { confidence: 1 - 2 * (options.alpha ?? 0.05) }), how: "tango" },
    source: [],
    data: [Float64Array.from(table)],
  };
  return finish(difference, options);
}

/** Shares on different items. */
export function proportionEquivalenceTest(
  successes: readonly [number, number],
  trials: readonly [number, number],
  options: EquivalenceOptions,
): TestResult {
  checkMargin(options.margin, SHARE_BOUNDS);
  for (const [i, x] of successes.entries()) checkProportion(x, trials[i]!);
  const [p1, p2] = [successes[0] / trials[0], successes[1] / trials[1]];
  const se = Math.sqrt((p1 * (1 - p1)) / trials[0] + (p2 * (1 - p2)) / trials[1]);
  const half = normalQuantileUpper(options.alpha ?? 0.05) * se;
  const difference: Difference = {
    method: "two proportions, unpooled z",
    name: "difference of proportions",
    value: p1 - p2,
    se,
    n: trials[0] + trials[1],
    at: (delta) => {
      const z = (p1 - p2 - delta) / se;
      return { statistic: z, lower: normalCdf(z), upper: normalSf(z) };
    },
    interval: { lower: p1 - p2 - half, upper: p1 - p2 + half, how: "wald" },
    source:
      se > 0
        ? []
        : [
            warning(
              "NoSpread",
              "both shares are 0 or 1: the z test has no variance.",
              "use exact methods or more items.",
            ),
          ],
    data: [Float64Array.from([...successes, ...trials])],
  };
  return finish(difference, options);
}

const GOALS = {
  equivalence: {
    title: "Equivalence test (TOST)",
    hypothesis: (m: number) => `the difference is at least ${m} either way`,
  },
  "non-inferiority": { title: "Non-inferiority test", hypothesis: (m: number) => `the difference is ${-m} or worse` },
  superiority: {
    title: "Test of superiority by a margin",
    hypothesis: (m: number) => `the difference is ${m} or less`,
  },
};

function finish(own: Difference, { margin, goal = "equivalence", alpha = 0.05 }: EquivalenceOptions): TestResult {
  if (!(margin > 0))
    throw new StatError(
      "BadMargin",
      `a margin of ${margin} is not above 0.`,
      "give the smallest difference that matters.",
    );
  if (!(alpha > 0 && alpha < 0.5))
    throw new StatError("BadOption", `alpha = ${alpha} is not between 0 and 0.5.`, "give for example 0.05.");
  const low = own.at(-margin);
  const high = own.at(margin);
  const first = goal === "superiority" ? high : low;
  const p = goal === "equivalence" ? Math.max(low.upper, high.lower) : first.upper;
  const statistic = goal === "equivalence" && high.lower > low.upper ? high.statistic : first.statistic;
  return makeTest({
    test: goal === "equivalence" ? "equivalence" : goal,
    method: `${GOALS[goal].title}: ${own.method}`,
    hypothesis: GOALS[goal].hypothesis(margin),
    alternative: goal === "equivalence" ? "two-sided" : "greater",
    sided: goal !== "equivalence",
    confidence: 1 - 2 * alpha,
    statistic,
    statisticName: own.df === undefined ? "z" : "t",
    df: own.df,
    p,
    effect: {
      name: own.name,
      value: own.value,
      se: own.se,
      lower: own.interval.lower,
      upper: own.interval.upper,
      interval: own.interval.how,
    },
    n: own.n,
    figures: { margin, "p, above -margin": low.upper, "p, below +margin": high.lower },
    diagnostics: own.source,
    options: { margin, goal, alpha },
    data: own.data,
  });
}
