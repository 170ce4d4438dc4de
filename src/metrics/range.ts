/** The scores that a metric can have, told by the name of a score column: "accuracy", "bleu_score", "val_f1". */

/** Shares of something, written as 0 to 1 or in percent. */
const SHARES = new Set(
  (
    "accuracy acc correct exactmatch em f1 precision recall bleu chrf meteor rouge rouge1 rouge2 rougel ndcg mrr map auc " +
    "pass passed success win winrate"
  ).split(" "),
);
const CORRELATIONS = new Set(["mcc", "kappa"]);
/** Counts, times, costs and errors, none of which is below 0. */
const AMOUNTS = new Set(
  (
    "wer cer ter per mer perplexity ppl latency runtime duration seconds secs ms tokens words characters distance mae mse rmse mape " +
    "crps cost price usd errors mistakes violations count counts"
  ).split(" "),
);
/** Weighted errors, written as a penalty (at most 0) or as an amount. */
const PENALTIES = new Set(["mqm"]);

export type ScoreRange = readonly [lowest: number, highest: number];

/** undefined where the name says nothing, or where values contradict it. */
export function rangeByName(name: string, values: ArrayLike<number>): ScoreRange | undefined {
  const words = name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/exact[ _-]match/, "exactmatch")
    .split(/[^\p{L}\p{N}]+/u);
  const has = (known: ReadonlySet<string>): boolean => words.some((word) => known.has(word));
  const candidates: ScoreRange[] = [
    ...(has(CORRELATIONS) ? [[-1, 1] as const] : []),
    ...(has(SHARES) && !has(CORRELATIONS) ? [[0, 1] as const, [0, 100] as const] : []),
    ...(has(AMOUNTS) && !has(CORRELATIONS) && !has(SHARES) ? [[0, Number.POSITIVE_INFINITY] as const] : []),
    ...(has(PENALTIES) ? [[Number.NEGATIVE_INFINITY, 0] as const, [0, Number.POSITIVE_INFINITY] as const] : []),
  ];
  return candidates.find(([from, to]) => Array.prototype.every.call(values, (v: number) => !(v < from || v > to)));
}
