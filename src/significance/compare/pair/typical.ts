/** Tests of ranks and signs are about the typical item, not about the mean: their difference, interval and direction are their own.
 *    wilcoxon   Hodges and Lehmann's median of Walsh averages; direction: by the sum of the ranks
 *    sign       the median of the differences that are not 0, with the interval of order statistics, which excludes 0 where p < α
 *  Where the means point the other way neither is the answer to "which is better?": the verdict is left open, with both.
 *  Oracle:    wilcox.test, binom.test (R), those of tests/wilcoxon.ts and tests/sign-test.ts.
 *  Limits:    with many equal sizes Hodges and Lehmann's difference may be 0 where the test rejects. */

import { signTest } from "../../tests/sign-test.ts";
import { wilcoxonTest } from "../../tests/wilcoxon.ts";
import { gainsOf, type PairedItems } from "./items.ts";
import type { Interval, PairComparison } from "./pair.ts";

type Typical = Pick<PairComparison, "difference" | "ci"> & Required<Pick<PairComparison, "typical">>;

/** Undefined where no item differs: then there is nothing to rank. */
export function typicalDifference(
  name: "sign" | "wilcoxon",
  { a, b }: Extract<PairedItems, { kind: "scores" }>,
  { mean, confidence }: { readonly mean: number; readonly confidence: number },
): Typical | undefined {
  const gains = gainsOf(a, b);
  const differing = (_: number, i: number): boolean => gains[i] !== 0;
  const [x, y] = [b.filter(differing), a.filter(differing)];
  if (x.length === 0) return undefined;
  const { effect, statistic } = (name === "sign" ? signTest : wilcoxonTest)(x, y, { confidence });
  const n = x.length;
  // of n signs, or of ranks that add up to n (n + 1)/2, half where nothing leans
  const middle = name === "sign" ? n / 2 : (n * (n + 1)) / 4;
  const { value, lower, upper } = effect;
  const method = name === "sign" ? "order statistics" : "Hodges-Lehmann";
  const ci: Interval = { lower, upper, level: confidence, method };
  const told =
    name === "sign"
      ? ({
          name: "median difference",
          by: `on ${Math.max(statistic, n - statistic)} of the ${n} items that differ`,
        } as const)
      : ({ name: "Hodges-Lehmann difference", by: "by signed ranks" } as const);
  return { difference: value, ci, typical: { ...told, mean, direction: Math.sign(statistic - middle) } };
}

type Found = Pick<PairComparison, "difference" | "typical">;

/** The sign of what the test is about. */
export const directionOf = ({ difference, typical }: Found): number => typical?.direction ?? Math.sign(difference);

/** B - A by the means: what t, equivalence and plans are about. */
export const meanDifference = ({ difference, typical }: Found): number => typical?.mean ?? difference;

/** Whether the means point the other way. */
export const isOpposed = ({ typical, opposed }: Found & Pick<PairComparison, "opposed">): boolean =>
  opposed !== undefined || (typical !== undefined && typical.direction * typical.mean < 0);

/** What a table calls the difference: that of the means has no other name. */
export const differenceName = ({ typical }: Found): string => typical?.name ?? "difference";
