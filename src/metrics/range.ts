/** The scores that a metric can have, told by the name of a score column: "accuracy", "bleu_score", "val_f1". */

/** Shares of something, written as 0 to 1 or in percent. */
const SHARES = new Set(
  (
    "accuracy acc correct exactmatch em f1 precision recall bleu chrf meteor rouge rouge1 rouge2 rougel ndcg mrr map auc " +
    "pass passed success win winrate"
  ).split(" "),
);
const CORRELATIONS = new Set(["mcc", "kappa"]);

export type ScoreRange = readonly [lowest: number, highest: number];

/** undefined where the name says nothing, or where values contradict it. */
export function rangeByName(name: string, values: ArrayLike<number>): ScoreRange | undefined {
  const words = name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/exact[ _-]match/, "exactmatch")
    .split(/[^\p{L}\p{N}]+/u);
  const candidates: ScoreRange[] = words.some((word) => CORRELATIONS.has(word))
    ? [[-1, 1]]
    : words.some((word) => SHARES.has(word))
      ? [
          [0, 1],
          [0, 100],
        ]
      : [];
  return candidates.find(([from, to]) => Array.prototype.every.call(values, (v: number) => !(v < from || v > to)));
}
