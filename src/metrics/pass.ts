/** How often k tries of an item all pass, or at least one does, from n tries of which c passed.
 *      pass^k = mean over items of C(c, k) / C(n, k)             all of k tries (τ-bench)
 *      pass@k = mean over items of 1 - C(n - c, k) / C(n, k)     at least one of k tries (HumanEval)
 *  Both are unbiased, and both are pass^1 = pass@1, the share of tries that pass, at k = 1.
 *  Reference: Chen et al. (2021), arXiv:2107.03374, eq. 1; Yao et al. (2024), arXiv:2406.12045, section 4.
 *  Oracle:    enumeration of all choices of k tries.
 *  Limits:    items with fewer than k tries have no value and are counted as missing. */
import { StatError } from "../result/error.ts";

export interface PassChoice {
  /** "^": all of k tries; "@": at least one. */
  readonly kind: "^" | "@";
  readonly k: number;
}

/** "pass^3", "pass@10". */
export function findPass(text: string): PassChoice | undefined {
  const [, kind, k] = /^pass\s*([\^@])\s*(\d+)$/i.exec(text.trim()) ?? [];
  if (kind === undefined || k === undefined) return undefined;
  if (Number(k) < 1) throw new StatError("BadOption", `${text}: k is at least 1.`, "Ask for pass^1 or more.");
  return { kind: kind as "^" | "@", k: Number(k) };
}

/** C(c, k) / C(n, k), or its complement; NaN where n < k. */
export function passOf(n: number, c: number, { kind, k }: PassChoice): number {
  if (n < k) return Number.NaN;
  const of = kind === "^" ? c : n - c;
  let share = 1;
  for (let i = 0; i < k; i++) share *= (of - i) / (n - i);
  return kind === "^" ? Math.max(0, share) : 1 - Math.max(0, share);
}
