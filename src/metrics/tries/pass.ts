/** How often k tries of an item all pass, or at least one does, from n tries of which c passed.
 *      pass^k = mean over items of C(c, k) / C(n, k)             all of k tries (τ-bench)
 *      pass@k = mean over items of 1 - C(n - c, k) / C(n, k)     at least one of k tries (HumanEval)
 *  Both are unbiased, and both are pass^1 = pass@1, the share of tries that pass, at k = 1.
 *  Reference: Chen et al. (2021), arXiv:2107.03374, eq. 1; Yao et al. (2024), arXiv:2406.12045, section 4.
 *  Oracle:    enumeration of all choices of k tries.
 *  Limits:    NaN where an item has fewer than k tries. */
import { hypergeometricPmf } from "../../numeric/dist/hypergeometric.ts";

export interface PassChoice {
  /** "^": all of k tries; "@": at least one. */
  readonly kind: "^" | "@";
  readonly k: number;
}

/** C(c, k) / C(n, k), or its complement; NaN where n < k. */
export function passOf(n: number, c: number, { kind, k }: PassChoice): number {
  if (n < k) return Number.NaN;
  const of = kind === "^" ? c : n - c;
  let share = 1;
  for (let i = 0; i < k; i++) share *= (of - i) / (n - i);
  return kind === "^" ? Math.max(0, share) : 1 - Math.max(0, share);
}

/** Variance of the estimate from `drawn` of the n tries, drawn without replacement: what fewer tries would have added to the spread of an item. */
export function passVariance(
  n: number,
  c: number,
  { drawn, ...choice }: PassChoice & { readonly drawn: number },
): number {
  if (drawn > n || drawn < choice.k) return Number.NaN;
  const mean = passOf(n, c, choice);
  let sum = 0;
  for (let right = Math.max(0, drawn - (n - c)); right <= Math.min(c, drawn); right++)
    sum += hypergeometricPmf(right, c, n - c, drawn) * (passOf(drawn, right, choice) - mean) ** 2;
  return sum;
}
