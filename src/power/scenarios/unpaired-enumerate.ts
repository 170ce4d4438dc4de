/** Exact power of tests of two proportions on separate samples: X₁ ~ Binomial(n₁, p₁), X₂ ~ Binomial(n₂, p₂), all tables.
 *    z = (x₂/n₂ - x₁/n₁ ∓ c)/√(p̄(1 - p̄)(1/n₁ + 1/n₂)),   p̄ pooled,   c = ½(1/n₁ + 1/n₂) with Yates' correction, else 0
 *    boschloo, as `compare` tests (../../significance/tests/boschloo.ts); fisher, two-sided by the tables that are no more probable; z, pooled
 *  For each x₁ the test rejects from some x₂ on and, two-sided, up to some x₂; both bounds rise with x₁. O(√n) terms.
 *  Reference: Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, ch. 3-4.
 *  Oracle:    enumeration of all tables; power.prop.test (R) in large samples. */
import { binomialCdf, binomialPmf, binomialSf } from "../../numeric/dist/binomial.ts";
import { hypergeometricLogPmf } from "../../numeric/dist/hypergeometric.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { findFirst } from "../../numeric/optim/brent.ts";
import { boschlooSteps, LARGEST_EXACT } from "../../significance/tests/boschloo.ts";
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
  readonly test: "boschloo" | "fisher" | "z" | "z-cc";
}

/** Beyond this many standard deviations a binomial has less than 1e-18 of its mass. */
const REACH = 9;
/** Statistics that equal the critical value in exact arithmetic count as significant. */
const Z_ROUNDING = 1e-12;

type IsMore = (x1: number, x2: number) => boolean;

/** Whether x₂ of n₂ is significantly more than x₁ of n₁. */
export function isMore({ n1, n2 }: TwoProportions, { alpha, twoSided, test }: ProportionTest): IsMore {
  if (test === "fisher") return isMoreByFisher(n1, n2, { alpha, twoSided });
  if (test === "boschloo" && n1 + n2 <= LARGEST_EXACT) {
    const { first } = boschlooSteps(n1, n2, twoSided ? alpha : 2 * alpha);
    return (x1, x2) => x2 >= first[x1]!;
  }
  const limit = normalQuantileUpper(twoSided ? alpha / 2 : alpha) * (1 - Z_ROUNDING);
  const weight = 1 / n1 + 1 / n2;
  return (x1, x2) => {
    const difference = x2 / n2 - x1 / n1;
    const pooled = (x1 + x2) / (n1 + n2);
    const distance = difference - (test === "z-cc" ? Math.min(weight / 2, Math.abs(difference)) : 0);
    return difference > 0 && distance >= limit * Math.sqrt(pooled * (1 - pooled) * weight);
  };
}

/** Fisher's two-sided p sums the tables of the same margins that are no more probable; its first significant table is found once for each margin. */
function isMoreByFisher(n1: number, n2: number, { alpha, twoSided }: Omit<ProportionTest, "test">): IsMore {
  const known = new Map<number, number>();
  const firstOf = (m: number): number => {
    const [least, most] = [Math.max(0, m - n1), Math.min(n2, m)];
    const log = Array.from({ length: most - least + 1 }, (_, k) => hypergeometricLogPmf(least + k, n2, n1, m));
    const chances = log.map(Math.exp);
    let tail = 0;
    let first = most + 1;
    // from the far end inwards, with the tables below that are no more probable
    let [below, other] = [0, 0];
    for (let x2 = most; x2 >= least && x2 / n2 > (m - x2) / n1; x2--) {
      tail += chances[x2 - least]!;
      while (twoSided && below < x2 - least && log[below]! <= log[x2 - least]! + EQUAL) other += chances[below++]!;
      if (tail + other > alpha) break;
      first = x2;
    }
    return first;
  };
  return (x1, x2) => {
    const m = x1 + x2;
    const first = known.get(m) ?? firstOf(m);
    known.set(m, first);
    return x2 >= first;
  };
}
/** Probabilities that should be equal differ by rounding, as in `fisherTest`. */
const EQUAL = 1e-7;

export function enumerateProportions(law: TwoProportions, test: ProportionTest): PowerFigures {
  // with both shares mirrored the right sign is always "more"
  const mirrored = law.p2 < law.p1;
  const p1 = mirrored ? 1 - law.p1 : law.p1;
  const p2 = mirrored ? 1 - law.p2 : law.p2;
  const { n1, n2 } = law;
  const more = isMore(law, test);
  const less = n1 === n2 ? more : isMore({ ...law, n1: n2, n2: n1 }, test);
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
