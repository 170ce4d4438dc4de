/** Odds ratio of a paired table: items that only the first system has right over those that only the second has, b/c.
 *    interval   of p = b/(b + c), mapped by p/(1 - p): Clopper-Pearson (exact), or with half of the observed count's probability (mid-p)
 *  Reference: Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, 13.1; Berry & Armitage (1995), Statistician 44 (mid-p);
 *             Card et al. (2020), EMNLP, eq. 3.
 *  Oracle:    exact fractions and root finding at high precision, oracle/next/power-metrics.json — 1e-12, intervals 1e-10.
 *  Limits:    independent items; without discordant items the ratio is undefined (NaN). */
import { binomialCdf, binomialPmf, binomialSf } from "../../numeric/dist/binomial.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import type { PairedTable } from "../paired-table.ts";
import { checkCounts } from "../samples.ts";
import { binomialInterval, type ProportionInterval } from "./binomial.ts";

export interface PairedOddsRatio {
  readonly oddsRatio: number;
  /** Share of the items on which exactly one is right. */
  readonly discordant: number;
  readonly difference: number;
  readonly exact: ProportionInterval;
  readonly midP: ProportionInterval;
  /** Of b/(b + c). */
  readonly proportion: ProportionInterval;
}

/** (both right, only the first, only the second, neither). */
export function pairedOddsRatio(
  table: PairedTable,
  { confidence = 0.95 }: { readonly confidence?: number } = {},
): PairedOddsRatio {
  checkCounts(table, ["both right", "only the first right", "only the second right", "neither right"]);
  const [a, b, c, d] = table;
  const m = b + c;
  const n = a + m + d;
  const proportion = binomialInterval(b, m, { method: "clopper-pearson", confidence });
  const middle = m === 0 ? proportion : midInterval(b, m, (1 - confidence) / 2);
  return {
    oddsRatio: m === 0 ? Number.NaN : b / c,
    discordant: m / n,
    difference: (b - c) / n,
    exact: oddsOf(proportion),
    midP: oddsOf(middle),
    proportion,
  };
}

const oddsOf = ({ lower, upper }: ProportionInterval): ProportionInterval => ({
  lower: lower / (1 - lower),
  upper: upper === 1 ? Number.POSITIVE_INFINITY : upper / (1 - upper),
});

function midInterval(b: number, m: number, alpha: number): ProportionInterval {
  const above = (p: number): number => binomialSf(b, m, p) + binomialPmf(b, m, p) / 2 - alpha;
  const below = (p: number): number => binomialCdf(b, m, p) - binomialPmf(b, m, p) / 2 - alpha;
  return {
    lower: b === 0 ? 0 : findRoot(above, 0, 1).root,
    upper: b === m ? 1 : findRoot(below, 0, 1).root,
  };
}
