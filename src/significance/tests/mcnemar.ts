/** McNemar's test: two systems' right and wrong answers on the same items. Only the items on which they differ count: b that only
 *  the first has right, c that only the second has.   m = b + c
 *    asymptotic     χ² = (b-c)²/m                         corrected      χ² = max(0, |b-c| - 1)²/m
 *    exact          P of Binomial(m, ½), two tails        mid-p          half of the observed count's probability taken off each tail
 *    unconditional  the largest P(|Z| >= |z|) over the discordance rate, z = (b-c)/√m (mcnemar-unconditional.ts)
 *  Without discordant pairs nothing speaks against the hypothesis: p = 1.
 *  Reference: McNemar (1947), Psychometrika 12; Edwards (1948), Psychometrika 13; Fagerland, Lydersen & Laake (2013), BMC Med. Res. Meth. 13, 91.
 *  Oracle:    mcnemar.test, binom.test (R), statsmodels, oracle/reference/classical.json — 1e-10.
 *  Limits:    items must be independent; clustered items: mcnemar-clustered.ts. */

import { binomialCdf, binomialPmf, binomialSf } from "../../numeric/dist/binomial.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { normalCdf, normalSf } from "../../numeric/dist/normal.ts";
import type { Alternative } from "../../resample/permutation.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { type PairedIntervalMethod, pairedProportionInterval } from "../intervals/paired-proportions.ts";
import type { PairedTable } from "../paired-table.ts";
import { checkCounts } from "../samples.ts";
import { makeTest, sidedInterval, type TestOptions, type TestResult } from "../test-result.ts";
import { mcnemarUnconditionalP } from "./mcnemar-unconditional.ts";

export const MCNEMAR_METHODS = ["exact", "mid-p", "asymptotic", "corrected", "unconditional"] as const;
export type McnemarMethod = (typeof MCNEMAR_METHODS)[number];

export interface McnemarOptions extends TestOptions {
  readonly method?: McnemarMethod | undefined;
  readonly interval?: PairedIntervalMethod | undefined;
}

const TITLES: Readonly<Record<McnemarMethod, string>> = {
  exact: "McNemar's test, exact",
  "mid-p": "McNemar's test, mid-p",
  asymptotic: "McNemar's test, asymptotic",
  corrected: "McNemar's test, with continuity correction",
  unconditional: "McNemar's test, exact unconditional (Suissa & Shuster)",
};

/** The interval that excludes 0 exactly if the test rejects; the others have none, and Tango's comes close. */
const OWN_INTERVAL: Readonly<Record<McnemarMethod, PairedIntervalMethod>> = {
  exact: "exact",
  "mid-p": "mid-p",
  asymptotic: "tango",
  corrected: "tango",
  unconditional: "tango",
};

export function mcnemarTest(table: PairedTable, options: McnemarOptions = {}): TestResult {
  const { method = "exact", alternative = "two-sided", confidence = 0.95 } = options;
  const interval = options.interval ?? OWN_INTERVAL[method];
  checkCounts(table, ["both right", "only the first right", "only the second right", "neither right"]);
  const [a, b, c, d] = table;
  const n = a + b + c + d;
  if (n === 0) throw new StatError("NoPairs", "the table has no pairs at all.", "give the counts of a 2x2 table.");
  const discordant = b + c;
  const { squared, title, statistic, p } = pOfTable(table, method, alternative);
  const none = note(
    "NoDiscordantPairs",
    "no item is right for one system and wrong for the other: p = 1.",
    "these items show no difference between the systems.",
  );
  return makeTest({
    test: "mcnemar",
    method: title,
    hypothesis: "both systems have the same chance of being right",
    alternative,
    confidence,
    statistic,
    statisticName: squared ? "chi-square" : "only first right",
    ...(squared ? { df: 1 } : {}),
    p,
    effect: {
      name: "difference in share right",
      value: (b - c) / n,
      se: Math.sqrt(Math.max(0, b + c - (b - c) ** 2 / n)) / n,
      ...sidedInterval((level) => pairedProportionInterval(table, { method: interval, confidence: level }), {
        alternative,
        confidence,
        range: [-1, 1],
      }),
      interval: interval === "exact" || interval === "mid-p" ? `${interval} (Fay & Lumbard)` : interval,
    },
    n,
    figures: {
      ...otherP(table, method, alternative),
      "share right, first": (a + b) / n,
      "share right, second": (a + c) / n,
      "discordant pairs": discordant,
      "odds ratio": discordant === 0 ? Number.NaN : b / c,
    },
    diagnostics: discordant === 0 ? [none] : [],
    options: { method, interval },
    data: [Float64Array.from(table)],
  });
}

/** The test without its interval, which takes most of the time. */
export function pOfTable([a, b, c, d]: PairedTable, method: McnemarMethod, alternative: Alternative = "two-sided") {
  const squared = method === "asymptotic" || method === "corrected";
  return {
    squared,
    title: TITLES[method],
    statistic: squared ? mcnemarChiSquare(b, c, method === "corrected") : b,
    p: mcnemarP(b, c, { method, alternative, n: a + b + c + d }),
  };
}

/** Of the exact test and its mid-p form, which people mix up, the one that was not asked for; of the other tests both. */
function otherP([a, b, c, d]: PairedTable, method: McnemarMethod, alternative: Alternative): Record<string, number> {
  const others = (["exact", "mid-p"] as const).filter((other) => other !== method);
  const p = (other: McnemarMethod): number => mcnemarP(b, c, { method: other, alternative, n: a + b + c + d });
  return Object.fromEntries(others.map((other) => [`p, ${other}`, p(other)]));
}

export function mcnemarChiSquare(b: number, c: number, corrected = false): number {
  if (b + c === 0) return 0;
  return Math.max(0, Math.abs(b - c) - (corrected ? 1 : 0)) ** 2 / (b + c);
}

/** p of b against c; `n`, all pairs, is needed by the unconditional test alone. */
export function mcnemarP(
  b: number,
  c: number,
  { method, alternative = "two-sided", n = b + c }: { method: McnemarMethod; alternative?: Alternative; n?: number },
): number {
  const m = b + c;
  if (m === 0) return 1;
  switch (method) {
    case "exact":
      return exactP(b, c, alternative);
    case "mid-p":
      return midP(b, c, alternative);
    case "unconditional":
      return mcnemarUnconditionalP(b, c, n, alternative);
    default: {
      const chisq = mcnemarChiSquare(b, c, method === "corrected");
      if (alternative === "two-sided") return chiSquareSf(chisq, 1);
      const z = Math.sign(b - c) * Math.sqrt(chisq);
      return alternative === "greater" ? normalSf(z) : normalCdf(z);
    }
  }
}

function exactP(b: number, c: number, alternative: Alternative): number {
  const m = b + c;
  if (alternative === "greater") return b === 0 ? 1 : binomialSf(b - 1, m, 0.5);
  if (alternative === "less") return binomialCdf(b, m, 0.5);
  return b === c ? 1 : Math.min(1, 2 * binomialCdf(Math.min(b, c), m, 0.5));
}

function midP(b: number, c: number, alternative: Alternative): number {
  const m = b + c;
  const own = binomialPmf(b, m, 0.5);
  if (alternative === "greater") return binomialSf(b, m, 0.5) + own / 2;
  if (alternative === "less") return binomialCdf(b, m, 0.5) - own / 2;
  return b === c ? 1 : Math.min(1, 2 * binomialCdf(Math.min(b, c), m, 0.5) - own);
}
