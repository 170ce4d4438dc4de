/** What more repeats of each item buy against more items. With r repeats an item's difference varies by
 *      means         σ²_items + (σ²_A + σ²_B)/r                                 (within items: pooled over items)
 *      pass@k, ^k    Var(difference from all R tries) + mean over items of Var(estimate from r of its R tries), both systems;  k ≤ r ≤ R
 *  and n items give a standard error of √(variance/n).
 *  Reference: Miller (2024), Adding Error Bars to Evals, section 3; Cochran (1977), Sampling Techniques, section 10.3 (two stages).
 *  Oracle:    simulation of fewer repeats (repeats.test.ts).
 *  Limits:    items that are independent; of maj@k nothing is said. */
import { passVariance } from "../../metrics/tries/pass.ts";
import type { ReducedTries, TriesChoice } from "../../metrics/tries/tries.ts";
import type { Matched } from "../../significance/compare/matching/matching.ts";
import { splitVariance } from "../../significance/compare/pair/spread.ts";

export interface RepeatGain {
  readonly repeats: number;
  /** Of an item's difference. */
  readonly sd: number;
  /** Items that give the standard error of the items at hand with as many repeats as most of them have, and the runs of each system that they take. */
  readonly items: number;
  readonly runs: number;
}

/** Numbers of repeats that are tried beside those at hand. */
const ASKED = [1, 2, 3, 4, 5, 8, 10, 16, 32];

/** Empty where nothing was repeated. */
export function repeatGains(
  matched: Matched,
  reduced?: (ReducedTries & { readonly tries: TriesChoice }) | undefined,
): RepeatGain[] {
  const n = matched.items.length;
  const at = reduced === undefined ? varianceOfMeans(matched) : varianceOfPasses(matched, reduced);
  const own = reduced?.fewest ?? mostCommon(matched.counts);
  if (at === undefined || n < 2) return [];
  const now = at(own);
  if (!(now > 0)) return [];
  return [...new Set([...ASKED, own])]
    .sort((a, b) => a - b)
    .flatMap((repeats) => {
      const variance = at(repeats);
      if (!(variance > 0)) return [];
      const items = Math.ceil(n * (variance / now) - 1e-9);
      return [{ repeats, sd: Math.sqrt(variance), items, runs: items * repeats }];
    });
}

/** A run that failed leaves a few items with fewer repeats than were planned. */
function mostCommon(counts: ArrayLike<number>): number {
  const times = new Map<number, number>();
  for (const count of Array.from(counts)) times.set(count, (times.get(count) ?? 0) + 1);
  return [...times].reduce((best, own) =>
    own[1] > best[1] || (own[1] === best[1] && own[0] > best[0]) ? own : best,
  )[0];
}

const differencesOf = ({ means, items: { length: n } }: Matched): Float64Array =>
  Float64Array.from({ length: n }, (_, i) => means[i + n]! - means[i]!);

function varianceOfMeans(matched: Matched): ((repeats: number) => number) | undefined {
  const n = matched.items.length;
  if (matched.counts.every((count) => count < 2)) return undefined;
  const parts = splitVariance({
    differences: differencesOf(matched),
    countsA: matched.counts.slice(0, n),
    countsB: matched.counts.slice(n, 2 * n),
    withinA: matched.within.slice(0, n),
    withinB: matched.within.slice(n, 2 * n),
  });
  const noise = [parts.repeatA, parts.repeatB].reduce((sum, own) => sum + (Number.isNaN(own) ? 0 : own), 0);
  return (repeats) => parts.items + noise / repeats;
}

function varianceOfPasses(
  matched: Matched,
  { tried, fewest, tries }: ReducedTries & { readonly tries: TriesChoice },
): ((repeats: number) => number) | undefined {
  if (tries.kind === "maj@" || fewest < 2) return undefined;
  const kind = tries.kind === "pass^" ? "^" : "@";
  const n = matched.items.length;
  const differences = differencesOf(matched);
  const mean = differences.reduce((sum, own) => sum + own, 0) / n;
  const spread = differences.reduce((sum, own) => sum + (own - mean) ** 2, 0) / (n - 1);
  // the rows of the reduced table are the cells
  const cells = Array.from(matched.rows, (row) => tried[row]!);
  return (repeats) =>
    spread +
    cells.reduce((sum, own) => sum + passVariance(own.tries, own.right, { kind, k: tries.k, drawn: repeats }), 0) / n;
}
