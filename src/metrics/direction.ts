/** Whether less is better, by the words of a metric's name: "TER", "val_loss", "latencyMs", "word error rate". */
const LOWER = new Set(
  (
    "ter wer cer mer hter loss losses error errors err perplexity ppl nll rmse mse mae mape brier ece latency time " +
    "duration seconds ms cost price tokens bpb bpc edits distance violations toxicity hallucination hallucinations regret"
  ).split(" "),
);

export function isLowerBetter(name: string): boolean {
  const words = name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.some((word) => LOWER.has(word));
}
