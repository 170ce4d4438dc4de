/** The mean of skewed values: Student's t joined with Hall's skewness-corrected t, whichever doubts more on either side.
 *      u = (x̄ - μ)/s,   γ = g₁(1 + 6/n),   g₁ = m₃/m₂^1.5
 *      t = √n u,        h = √n (u + γu²/3 + γ²u³/27 + γ/(6n)) = √n (((1 + γu/3)³ - 1)/γ + γ/(6n))
 *      lower tail = max(F(t), F(h)),  upper tail = max(1 - F(t), 1 - F(h)),  F of t with n - 1 df
 *  Skewness to the right pulls t to the left, by γ/√n: the mean looks too small, and s with it. h takes that back to order 1/n. It rises with u
 *  and has a closed inverse, so that the interval is the union of both intervals, and agrees with p. In small samples g₁
 *  is too near 0 (exponential values, n = 20: 1.32 for 2); 6/n was chosen by simulation. Nothing is drawn.
 *  Where few values carry the spread, both tails allow for a sample with one more of them (two more of a system's rare scores) as well:
 *  a sample that drew too few of them is too sure, and nothing in it says so.
 *  Flips of signs cannot help: Σd² stays as it is, so that their studentised statistic orders them as the plain sum does.
 *  Reference: Hall (1992), J. R. Stat. Soc. B 54, 221 (the cubic transformation); Johnson (1978), J. Am. Stat. Assoc. 73.
 *  Oracle:    the formulae in R with a numerical inverse, oracle/r/skewed-mean.json; t.test where values are symmetric.
 *             Type-I errors of this and of eight others: docs/methods/skewed-means.md.
 *  Limits:    independent values. A tail that the sample has not seen is unknown to every method. */
import { checkSize } from "../../data/size.ts";
import { lessCenter } from "../../numeric/center.ts";
import { tCdf, tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Diagnostic } from "../../result/result.ts";
import { isConstant, meanOf, pairedSample, varianceOf } from "../samples.ts";
import { makeTest, pFromTails, type TestResult } from "../test-result.ts";
import type { TTestOptions } from "./t-test.ts";

export interface SkewedMean {
  readonly n: number;
  readonly mean: number;
  /** NaN where the values do not vary. */
  readonly se: number;
  readonly df: number;
  /** g₁, as it is in the sample. */
  readonly skewness: number;
  /** The same with more of the values that only a few items have: the tails are the widest of all. */
  readonly further?: readonly SkewedMean[] | undefined;
}

/** |g₁| reaches √n where a single value differs from all others. From this share of it on, that value is nearly all there is. */
const FEW_CARRY_ALL = 0.8;
/** A few values carry nearly all of the spread: p and interval rest on them. */
export const restsOnFew = ({ skewness, n }: SkewedMean): boolean => Math.abs(skewness) > FEW_CARRY_ALL * Math.sqrt(n);
/** Cochran's rule: of fewer values than 25 g₁² the mean is not normal enough for one side of it. */
const VALUES_A_SKEWNESS = 25;
const isSkewedForOneSide = ({ skewness, n }: Pick<SkewedMean, "skewness" | "n">): boolean =>
  n < VALUES_A_SKEWNESS * skewness ** 2;
/** Of γ; see the header. */
const SKEWNESS_LOST = 6;

/** `rounding`: of differences, the rounding error of their scores. */
export function measureSkewedMean(values: Float64Array, rounding?: number): SkewedMean {
  checkSize(values, "values");
  const n = values.length;
  const mean = meanOf(values);
  const flat = n < 2 || isConstant(values, rounding);
  let squares = 0;
  let cubes = 0;
  const own = lessCenter(values)[0]!;
  const middle = meanOf(own);
  for (const v of own) {
    squares += (v - middle) ** 2;
    cubes += (v - middle) ** 3;
  }
  return {
    n,
    mean,
    se: flat ? Number.NaN : Math.sqrt(varianceOf(values) / n),
    df: n - 1,
    skewness: flat ? Number.NaN : cubes / n / (squares / n) ** 1.5,
  };
}

/** Fewer items than this that differ from the rest say little of how often and how far others do. */
const FEW_CARRIERS = 8;
/** From this share of equal scores on, the others are carriers. */
const MOSTLY = 0.8;
/** … and so are differences where Σd² is that of fewer than this many, n²/(n κ). */
const FEW_EFFECTIVE = 4;

/** The mean with one more of its largest deviation, where few differences carry the spread, and with two more of a system's largest score,
 *  where 1 to 8 of its scores differ from the usual one. `systems`: the scores whose differences, second minus first, `values` are. */
export function withMoreCarriers(
  of: SkewedMean,
  values: Float64Array,
  systems?: readonly [ArrayLike<number>, ArrayLike<number>],
): SkewedMean {
  if (!(of.se > 0)) return of;
  const more = [
    ...(effectiveCount(values, of.mean) < FEW_EFFECTIVE ? [[farthest(values, of.mean, Math.sign(of.skewness))]] : []),
    ...(systems?.flatMap((own, s) => {
      const rare = rarest(own);
      if (rare === undefined) return [];
      const other = meanOf(Float64Array.from(systems[1 - s]!));
      const one = s === 0 ? other - rare : rare - other;
      return [[one, one]];
    }) ?? []),
  ];
  if (more.length === 0) return of;
  const { df } = of;
  const further = more.map((added) => ({ ...measureSkewedMean(Float64Array.from([...values, ...added])), df }));
  return { ...of, further };
}

/** How many equal deviations would have this fourth moment. */
function effectiveCount(values: Float64Array, mean: number): number {
  let [squares, fourths] = [0, 0];
  for (const v of values) {
    squares += (v - mean) ** 2;
    fourths += (v - mean) ** 4;
  }
  return squares ** 2 / fourths;
}

const farthest = (values: Float64Array, mean: number, side: number): number =>
  values.reduce((far, v) => (side * (v - mean) > side * (far - mean) ? v : far), mean);

/** The score farthest from the usual one, where nearly all scores are that one and a few are not. */
function rarest(scores: ArrayLike<number>): number | undefined {
  const counts = new Map<number, number>();
  for (let i = 0; i < scores.length; i++) counts.set(scores[i]!, (counts.get(scores[i]!) ?? 0) + 1);
  const [usual, count] = [...counts].reduce((most, own) => (own[1] > most[1] ? own : most));
  const others = scores.length - count;
  if (others === 0 || others > FEW_CARRIERS || count < MOSTLY * scores.length) return undefined;
  return [...counts.keys()].reduce((far, v) => (Math.abs(v - usual) > Math.abs(far - usual) ? v : far), usual);
}

/** Tails of "the mean is μ": a small upper one speaks for a larger mean. Each alone is a one-sided p, as equivalence tests need it. */
export function skewedMeanTails(of: SkewedMean, mu = 0): { readonly lower: number; readonly upper: number } {
  const { n, mean, se, df, further = [] } = of;
  const t = (mean - mu) / se;
  const h = hallOf(t, inflatedSkewness(of), n);
  const others = further.map((own) => skewedMeanTails(own, mu));
  return {
    lower: Math.max(tCdf(t, df), tCdf(h, df), ...others.map(({ lower }) => lower)),
    upper: Math.max(tSf(t, df), tSf(h, df), ...others.map(({ upper }) => upper)),
  };
}

/** All μ that neither tail rejects at (1 - confidence)/2. */
export function skewedMeanInterval(
  of: SkewedMean,
  confidence = 0.95,
): { readonly lower: number; readonly upper: number } {
  return skewedMeanRange(of, tQuantileUpper((1 - confidence) / 2, of.df));
}

/** All μ whose statistic is no larger than `critical`. */
export function skewedMeanRange(of: SkewedMean, critical: number): { readonly lower: number; readonly upper: number } {
  const { n, mean, se, further = [] } = of;
  const gamma = inflatedSkewness(of);
  const others = further.map((own) => skewedMeanRange(own, critical));
  return {
    lower: Math.min(
      mean - se * Math.max(critical, inverseHall(critical, gamma, n)),
      ...others.map(({ lower }) => lower),
    ),
    upper: Math.max(
      mean - se * Math.min(-critical, inverseHall(-critical, gamma, n)),
      ...others.map(({ upper }) => upper),
    ),
  };
}

const inflatedSkewness = ({ skewness, n }: SkewedMean): number => skewness * (1 + SKEWNESS_LOST / n);

function hallOf(t: number, gamma: number, n: number): number {
  const root = Math.sqrt(n);
  const bend = (gamma * t) / (3 * root);
  return t * (1 + bend + (bend * bend) / 3) + gamma / (6 * root);
}

/** Below this γ the cubic is a straight line to all digits that its inverse would keep. */
const STRAIGHT = 1e-6;

function inverseHall(h: number, gamma: number, n: number): number {
  const root = Math.sqrt(n);
  const y = h / root - gamma / (6 * n);
  if (Math.abs(gamma) < STRAIGHT) return root * (y - (gamma * y * y) / 3);
  return (root * 3 * (Math.cbrt(1 + gamma * y) - 1)) / gamma;
}

/** x - y on the same items. */
export function skewedMeanTest(x: ArrayLike<number>, y: ArrayLike<number>, options: TTestOptions = {}): TestResult {
  const { alternative = "two-sided", confidence = 0.95, mu = 0 } = options;
  const pairs = pairedSample(x, y);
  const of = withMoreCarriers(measureSkewedMean(pairs.values, pairs.rounding), pairs.values, [pairs.y, pairs.x]);
  const level = alternative === "two-sided" ? confidence : 2 * confidence - 1;
  const { lower, upper } = skewedMeanInterval(of, level);
  return makeTest({
    test: "skewed-mean",
    method: "Paired t test with Hall's correction for skewness",
    hypothesis: `the mean difference is ${mu}`,
    alternative,
    confidence,
    statistic: (of.mean - mu) / of.se,
    statisticName: "t",
    df: of.df,
    p: pFromTails(skewedMeanTails(of, mu), alternative),
    effect: {
      name: "mean difference",
      value: of.mean,
      se: of.se,
      lower: alternative === "less" ? Number.NEGATIVE_INFINITY : lower,
      upper: alternative === "greater" ? Number.POSITIVE_INFINITY : upper,
      interval: "t, corrected for skewness",
    },
    n: of.n,
    figures: { skewness: of.skewness },
    diagnostics: [...pairs.diagnostics, ...skewnessNotes(of)],
    options: { mu },
    data: [pairs.x, pairs.y],
  });
}

/** Beside a claim of one side, such as equivalence. The rates are of docs/calibration.md and docs/methods/gate.md, lognormal differences. */
export function oneSideNotes(of: Pick<SkewedMean, "skewness" | "n">, what: string): Diagnostic[] {
  if (!isSkewedForOneSide(of)) return [];
  return [
    warning(
      "SkewedDifferences",
      `${what} are skewed (${of.skewness.toFixed(1)}) for ${of.n} items: a one-sided error rate of 5 % is then 6 to 9 %.`,
      "Collect more items, or judge by a score with shorter tails (its logarithm, a proportion of items above a limit).",
    ),
  ];
}

const FEW_CARRY = warning(
  "FewCarriers",
  "few items carry the difference. p and interval allow for one or two more of them, but so few say little of how often they come.",
  "Collect more items; below 50 of them, false verdicts of rare large scores exceed 5 %.",
);

/** Where the interval cannot be trusted. */
export function skewnessNotes(of: SkewedMean): Diagnostic[] {
  const { n, skewness, se } = of;
  if (Number.isNaN(se)) return [warning("NoSpread", "the values do not vary: t is undefined.", "check the scores.")];
  if (!restsOnFew(of)) return of.further === undefined ? [] : [FEW_CARRY];
  return [
    warning(
      "FewCarryAll",
      `one or two of ${n} differences carry nearly all of the spread (skewness ${skewness.toFixed(1)}): the interval rests on them.`,
      "look at the largest differences; collect more items if such values may come back.",
    ),
  ];
}
