/** Intervals of the difference of two paired proportions, (b - c)/n.   z = upper normal quantile of (1 - confidence)/2
 *    exact, mid-p agree with McNemar's exact and mid-p test (paired-melded.ts)
 *    tango        score interval, agrees with McNemar's asymptotic test: the Δ with |b - c - nΔ| = z √(n (2q + Δ(1-Δ))), q the restricted estimate of P(only second) at Δ
 *    newcombe     Wilson intervals of both shares joined with their correlation (method 10)
 *    agresti-min  Wald after ½ is added to each cell          bonett-price  Wald after 1 is added to b and to c
 *    wald         (b - c)/n ± z √(b + c - (b-c)²/n)/n
 *  Reference: Tango (1998), Stat. Med. 17, 891; Newcombe (1998), Stat. Med. 17, 2635; Agresti & Min (2005), Stat. Med. 24, 729;
 *             Bonett & Price (2012), J. Educ. Behav. Stat. 37, 479; Fagerland, Lydersen & Laake (2014), Stat. Med. 33, 2850.
 *  Oracle:    the worked example of Fagerland et al. (2014), four decimals; defining equations.
 *  Limits:    Wald fails for few discordant pairs and is here for comparison. */

import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import type { PairedTable } from "../paired-table.ts";

import { binomialInterval, type ProportionInterval } from "./binomial.ts";
import { meldedInterval } from "./paired-melded.ts";

export const PAIRED_INTERVALS = ["exact", "mid-p", "tango", "newcombe", "agresti-min", "bonett-price", "wald"] as const;
export type PairedIntervalMethod = (typeof PAIRED_INTERVALS)[number];

export function pairedProportionInterval(
  table: PairedTable,
  {
    method = "tango",
    confidence = 0.95,
  }: { readonly method?: PairedIntervalMethod; readonly confidence?: number } = {},
): ProportionInterval {
  const z = normalQuantileUpper((1 - confidence) / 2);
  const [, b, c] = table;
  const n = table[0] + b + c + table[3];
  if (n === 0) return { lower: Number.NaN, upper: Number.NaN };
  switch (method) {
    case "exact":
    case "mid-p":
      return meldedInterval([b, c, n], confidence, method === "mid-p");
    case "tango":
      return tango(b, c, n, z);
    case "newcombe":
      return newcombe(table, confidence);
    case "agresti-min":
      return wald(b + 0.5, c + 0.5, n + 2, z);
    case "bonett-price":
      return wald(b + 1, c + 1, n + 2, z);
    case "wald":
      return wald(b, c, n, z);
  }
}

function wald(b: number, c: number, n: number, z: number): ProportionInterval {
  const difference = (b - c) / n;
  const half = (z * Math.sqrt(Math.max(0, b + c - (b - c) ** 2 / n))) / n;
  return { lower: Math.max(-1, difference - half), upper: Math.min(1, difference + half) };
}

/** Tango's score statistic of b and c discordant among n pairs against a difference of delta. */
export function tangoScore(b: number, c: number, n: number, delta: number): number {
  const B = -b - c + (2 * n - b + c) * delta;
  const C = -c * delta * (1 - delta);
  const q = (Math.sqrt(Math.max(0, B * B - 8 * n * C)) - B) / (4 * n);
  const variance = n * (2 * q + delta * (1 - delta));
  const gap = b - c - n * delta;
  return variance > 0 ? gap / Math.sqrt(variance) : gap === 0 ? 0 : gap * Number.POSITIVE_INFINITY;
}

function tango(b: number, c: number, n: number, z: number): ProportionInterval {
  const estimate = (b - c) / n;
  // the score falls from +∞ at -1 to -∞ at 1
  const clipped = (delta: number): number => Math.max(-2 * z, Math.min(2 * z, tangoScore(b, c, n, delta)));
  return {
    lower: estimate === -1 ? -1 : findRoot((delta) => clipped(delta) - z, -1, estimate).root,
    upper: estimate === 1 ? 1 : findRoot((delta) => clipped(delta) + z, estimate, 1).root,
  };
}

function newcombe([a, b, c, d]: PairedTable, confidence: number): ProportionInterval {
  const n = a + b + c + d;
  const [p1, p2] = [(a + b) / n, (a + c) / n];
  const first = binomialInterval(a + b, n, { confidence });
  const second = binomialInterval(a + c, n, { confidence });
  const phi = correctedPhi([a, b, c, d]);
  const join = (x: number, y: number): number => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
  return {
    lower: p1 - p2 - join(p1 - first.lower, second.upper - p2),
    upper: p1 - p2 + join(first.upper - p1, p2 - second.lower),
  };
}

/** φ with Newcombe's continuity correction; 0 where a margin is empty. */
function correctedPhi([a, b, c, d]: PairedTable): number {
  const n = a + b + c + d;
  const margins = (a + b) * (c + d) * (a + c) * (b + d);
  if (margins === 0) return 0;
  const cross = a * d - b * c;
  const corrected = cross > 0 ? Math.max(0, cross - n / 2) : cross;
  return corrected / Math.sqrt(margins);
}
