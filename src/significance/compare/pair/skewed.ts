/** Two systems on the same items by scores that are no 0 and 1: the mean difference by t, adjusted for the skewness of the differences. Test,
 *  interval and equivalence come from the same tails, and cannot contradict each other.
 *  Reference: Hall (1992), J. R. Stat. Soc. B 54, 221; see tests/skewed-mean.ts.
 *  Oracle:    that of tests/skewed-mean.ts; rates of false verdicts through `compare`: docs/methods/skewed-means.md.
 *  Limits:    independent items. Without spread test and interval are undefined; equal scores throughout have p = 1. */

import { present } from "../../../result/present.ts";
import type { Diagnostic } from "../../../result/result.ts";
import { isEquivalent, type Verdict } from "../../../result/verdict.ts";
import { pFromTails } from "../../test-result.ts";
import {
  measureSkewedMean,
  oneSideNotes,
  type SkewedMean,
  skewedMeanInterval,
  skewedMeanTails,
  skewnessNotes,
  withMoreCarriers,
} from "../../tests/skewed-mean.ts";
import { gainsOf, type PairedItems } from "./items.ts";
import type { PairComparison } from "./pair.ts";
import { detectableDifference } from "./sensitivity.ts";
import { noClusteredTest, noItemScores } from "./tests.ts";

type Measured = Pick<PairComparison, "scoreA" | "scoreB" | "difference" | "se" | "df">;

export function compareSkewed(
  items: PairedItems,
  measured: Measured,
  { alpha, confidence, clusters }: { readonly alpha: number; readonly confidence: number; clusters?: Int32Array },
): PairComparison {
  const name = "skewness-adjusted-t";
  if (items.kind === "statistics") throw noItemScores(name, items);
  if (clusters !== undefined) throw noClusteredTest(name);
  const gains = gainsOf(items.a, items.b);
  const plain = measureSkewedMean(gains);
  const { skewness } = plain;
  const { further } = withMoreCarriers(plain, gains, [items.a, items.b]);
  const { difference, se, df } = measured;
  const of = skewedMeanOf({ difference, se, df, skewness, further });
  const same = gains.every((d) => d === 0);
  return {
    ...measured,
    skewness,
    ...present({ further }),
    ci: { ...skewedMeanInterval(of, confidence), level: confidence, method: "skewness-adjusted t" },
    test: {
      name,
      label: "skewness-adjusted t test",
      statistic: same ? 0 : difference / of.se,
      p: same ? 1 : pFromTails(skewedMeanTails(of), "two-sided"),
      replicates: 0,
      monteCarloSe: 0,
    },
    mde80: detectableDifference(se, df, { alpha, skewness }),
  };
}

type Skewed = Pick<PairComparison, "difference" | "se" | "df" | "further"> & { readonly skewness: number };

/** What the tails of a mean are computed from; no spread at all is no certainty. */
export function skewedMeanOf({ difference, se, df, skewness, further }: Skewed): SkewedMean {
  return { n: df + 1, mean: difference, se: se > 0 ? se : Number.NaN, df, skewness, further };
}

/** Beside a claim: that it rests on one or two items, or on one side of a skewed mean. */
export function claimNotes({
  difference,
  se,
  df,
  skewness,
  further,
  verdict,
}: PairComparison & { readonly verdict: Verdict }): Diagnostic[] {
  if (skewness === undefined || !(se > 0)) return [];
  const of = skewedMeanOf({ difference, se, df, skewness, further });
  return [...skewnessNotes(of), ...(isEquivalent(verdict) ? oneSideNotes(of, "differences") : [])];
}
