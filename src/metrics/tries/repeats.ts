/** Several tries of one item: how often enough of k would be right, what a majority of k would say, and the posterior mean of the score.
 *      G-pass@k(τ) = P(at least ⌈τk⌉ right among k drawn without replacement);  mG-pass@k = (2/k) Σ_{i=⌈k/2⌉+1}^{k} G-pass@k(i/k)
 *      maj@k = P(the most frequent answer among k drawn without replacement is the right one), ties split evenly
 *      Bayes@N: ν = 1 + counts (+ prior outcomes), T = Σν; mean Σwν/T, variance (Σw²ν/T - mean²)/(T + 1) of an item, averaged over items
 *  Reference: Liu et al. (2024), arXiv:2412.13147 (G-pass@k); Wang et al. (2023), arXiv:2203.11171 (majority);
 *             Hariri et al. (2025), arXiv:2510.04265 (Bayes@N).
 *  Oracle:    oracle/next/pass-at-k.json (exact fractions, enumeration).
 *  Limits:    NaN where an item has fewer than k tries. */
import { hypergeometricPmf, hypergeometricSf } from "../../numeric/dist/hypergeometric.ts";
import { StatError } from "../../result/error.ts";

/** Right answers that a share τ of k asks for; τ is the decimal that was written: .28 of 25 is 7, not 8. */
export function successesNeeded(k: number, tau: number): number {
  const asked = tau * k;
  const near = Math.round(asked);
  return Math.abs(asked - near) <= 1e-9 * Math.max(1, asked) ? near : Math.ceil(asked);
}

/** P(at least `needed` of k tries are right), c right ones among n. */
export function atLeastRight(
  n: number,
  c: number,
  { k, needed }: { readonly k: number; readonly needed: number },
): number {
  if (k > n) return Number.NaN;
  return needed <= 0 ? 1 : hypergeometricSf(needed - 1, c, n - c, k);
}

export function gPassOf(n: number, c: number, { k, tau }: { readonly k: number; readonly tau: number }): number {
  if (!(tau > 0 && tau <= 1))
    throw new StatError("BadOption", `tau ${tau} is not above 0 and at most 1.`, "give a proportion of the tries.");
  return atLeastRight(n, c, { k, needed: successesNeeded(k, tau) });
}

export function mGPassOf(n: number, c: number, k: number): number {
  let sum = k > n ? Number.NaN : 0;
  for (let needed = Math.ceil(k / 2) + 1; needed <= k; needed++) sum += atLeastRight(n, c, { k, needed });
  return (2 / k) * sum;
}

/** What becomes of a tie between the right answer and others. */
export type TieRule = "split" | "loses" | "wins";

/** Tries by answer, the right one first (0 where nobody gave it). */
export function majorityOf(counts: readonly number[], k: number, ties: TieRule = "split"): number {
  const n = counts.reduce((sum, count) => sum + count, 0);
  if (k > n || k < 1) return Number.NaN;
  const [right = 0, ...others] = counts;
  let sum = 0;
  for (let drawn = 1; drawn <= Math.min(right, k); drawn++) {
    const share = hypergeometricPmf(drawn, right, n - right, k);
    sum += share * winsWith(drawn, others, { draws: k - drawn, ties });
  }
  return sum;
}

/** P(the right answer wins, drawn so often), the other draws falling on the other answers. */
function winsWith(
  drawn: number,
  others: readonly number[],
  { draws, ties }: { readonly draws: number; readonly ties: TieRule },
): number {
  // by draws left and answers that tie
  let states = new Map<number, number[]>([[draws, [1]]]);
  let rest = others.reduce((sum, count) => sum + count, 0);
  for (const count of others) {
    const next = new Map<number, number[]>();
    rest -= count;
    for (const [left, shares] of states)
      for (let own = 0; own <= Math.min(drawn, count, left); own++)
        addShares(next, left - own, { shares, by: hypergeometricPmf(own, count, rest, left), tied: own === drawn });
    states = next;
  }
  const final = states.get(0) ?? [];
  const weight = (tied: number): number => (tied === 0 || ties === "wins" ? 1 : ties === "loses" ? 0 : 1 / (tied + 1));
  return final.reduce((sum, share, tied) => sum + share * weight(tied), 0);
}

interface Part {
  readonly shares: readonly number[];
  readonly by: number;
  readonly tied: boolean;
}

function addShares(states: Map<number, number[]>, left: number, { shares, by, tied }: Part): void {
  const own = states.get(left) ?? [];
  const shift = tied ? 1 : 0;
  shares.forEach((share, k) => {
    own[k + shift] = (own[k + shift] ?? 0) + share * by;
  });
  states.set(
    left,
    Array.from(own, (share) => share ?? 0),
  );
}

export interface BayesScore {
  readonly mean: number;
  readonly sd: number;
  readonly items: readonly number[];
}

/** Outcomes of each item as categories 0 … C - 1, and what each category is worth. */
export function bayesScore(
  outcomes: readonly (readonly number[])[],
  weights: readonly number[],
  prior: readonly (readonly number[])[] = [],
): BayesScore {
  if (outcomes.length === 0) throw new StatError("NoItems", "there are no items.", "give at least one.");
  const found = outcomes.map((own, i) => bayesItem([...own, ...(prior[i] ?? [])], weights, i));
  const items = found.map(({ mean }) => mean);
  const variance = found.reduce((sum, own) => sum + own.variance, 0);
  return {
    mean: items.reduce((sum, own) => sum + own, 0) / items.length,
    sd: Math.sqrt(variance) / items.length,
    items,
  };
}

function bayesItem(
  outcomes: readonly number[],
  weights: readonly number[],
  item: number,
): { mean: number; variance: number } {
  const counts = weights.map(() => 1);
  for (const outcome of outcomes) {
    if (counts[outcome] === undefined)
      throw new StatError(
        "BadOutcome",
        `item ${item + 1}: there is no category ${outcome}.`,
        `Categories are 0 to ${weights.length - 1}.`,
      );
    counts[outcome] += 1;
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  const mean = weights.reduce((sum, w, c) => sum + (w * counts[c]!) / total, 0);
  const square = weights.reduce((sum, w, c) => sum + (w * w * counts[c]!) / total, 0);
  return { mean, variance: (square - mean * mean) / (total + 1) };
}
