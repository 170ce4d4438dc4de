/** Exact power of the two-proportion z test on separate samples: X₁ ~ Binomial(n₁, p₁), X₂ ~ Binomial(n₂, p₂), all tables.
 *    z = (x₂/n₂ - x₁/n₁ ∓ c)/√(p̄(1 - p̄)(1/n₁ + 1/n₂)),   p̄ pooled,   c = ½(1/n₁ + 1/n₂) with Yates' correction, else 0
 *  For each x₁ the test rejects from some x₂ on and, two-sided, up to some x₂; both bounds rise with x₁. O(√n) terms.
 *  Reference: Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, ch. 3-4.
 *  Oracle:    enumeration of all tables; power.prop.test (R) in large samples. */
import { binomialCdf, binomialPmf, binomialSf } from "../../numeric/dist/binomial.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { findFirst } from "../../numeric/optim/brent.ts";
import type { PowerFigures } from "../scenario.ts";

export interface TwoProportions {
  readonly n1: number;
  readonly n2: number;
  readonly p1: number;
  readonly p2: number;
}

export interface ProportionTest {
  readonly alpha: number;
  readonly twoSided: boolean;
  readonly corrected: boolean;
}

/** Beyond this many standard deviations a binomial has less than 1e-18 of its mass. */
const REACH = 9;
/** Statistics that equal the critical value in exact arithmetic count as significant. */
const Z_ROUNDING = 1e-12;

/** Whether x₂ of n₂ is significantly more than x₁ of n₁. */
export function isMore({ n1, n2 }: TwoProportions, { alpha, twoSided, corrected }: ProportionTest) {
  const limit = normalQuantileUpper(twoSided ? alpha / 2 : alpha) * (1 - Z_ROUNDING);
  const weight = 1 / n1 + 1 / n2;
  return (x1: number, x2: number): boolean => {
    const difference = x2 / n2 - x1 / n1;
    const pooled = (x1 + x2) / (n1 + n2);
    const distance = difference - (corrected ? Math.min(weight / 2, Math.abs(difference)) : 0);
    return difference > 0 && distance >= limit * Math.sqrt(pooled * (1 - pooled) * weight);
  };
}

export function enumerateProportions(law: TwoProportions, test: ProportionTest): PowerFigures {
  // with both shares mirrored the right sign is always "more"
  const mirrored = law.p2 < law.p1;
  const p1 = mirrored ? 1 - law.p1 : law.p1;
  const p2 = mirrored ? 1 - law.p2 : law.p2;
  const { n1, n2 } = law;
  const more = isMore(law, test);
  const less = isMore({ ...law, n1: n2, n2: n1 }, test);
  let right = 0;
  let wrong = 0;
  let size = 0;
  const sd = Math.sqrt(n1 * p1 * (1 - p1));
  const from = Math.max(0, Math.floor(n1 * p1 - REACH * sd - 4 * REACH));
  const to = Math.min(n1, Math.ceil(n1 * p1 + REACH * sd + 4 * REACH));
  let upper = Number.NaN;
  let lower = Number.NaN;
  for (let x1 = from; x1 <= to; x1++) {
    if (x1 === from) {
      upper = findFirst(0, n2 + 1, (x2) => x2 > n2 || more(x1, x2));
      lower = findFirst(0, n2 + 1, (x2) => x2 > n2 || !less(x2, x1)) - 1;
    }
    while (upper <= n2 && !more(x1, upper)) upper++;
    while (lower < n2 && less(lower + 1, x1)) lower++;
    const mass = binomialPmf(x1, n1, p1);
    const above = upper > n2 ? 0 : upper === 0 ? 1 : binomialSf(upper - 1, n2, p2);
    const aboveMean = upper > n2 ? 0 : n2 * p2 * (upper <= 1 ? 1 : binomialSf(upper - 2, n2 - 1, p2));
    right += mass * above;
    size += mass * (aboveMean / n2 - (above * x1) / n1);
    if (!test.twoSided || lower < 0) continue;
    const below = binomialCdf(lower, n2, p2);
    const belowMean = lower < 1 ? 0 : n2 * p2 * (lower >= n2 ? 1 : binomialCdf(lower - 1, n2 - 1, p2));
    wrong += mass * below;
    size += mass * ((below * x1) / n1 - belowMean / n2);
  }
  const rejection = right + wrong;
  return { power: right, rejection, typeM: size / (p2 - p1) / rejection, typeS: wrong / rejection };
}
