/** The right answer beside what was predicted, by their usual names. */
import { type Guess, joined } from "./guess.ts";
import { type ColumnProfile, listValues } from "./profile.ts";

const GOLD = /(^|_)(true|gold|actual|truth|label|labels|target|expected|answer_key)$/;
const PREDICTED = /(^|_)(pred|preds|prediction|predictions|predicted|yhat|hat)$/;
const PROBABILITY = /(^|_)(prob|proba|probability|probabilities|confidence|conf)$/;

/** The right answer beside what was predicted, perhaps with a probability: by their usual names, and with labels in common. */
export function claimPredictions(guess: Guess): void {
  const usable = guess.free().filter(({ values }) => values !== "text" && values !== "real");
  const gold = usable.find((profile) => GOLD.test(joined(profile)));
  const predicted = usable.find((profile) => profile !== gold && PREDICTED.test(joined(profile)));
  if (gold === undefined || predicted === undefined || !shareLabels(gold, predicted)) return;
  const reason = `${gold.name} and ${predicted.name} hold the same labels`;
  guess.claim("label", gold.name, undefined, { reason, confidence: 0.9 });
  guess.claim("prediction", predicted.name, undefined, { reason, confidence: 0.9 });
  const probability = guess
    .free()
    .find((profile) => PROBABILITY.test(joined(profile)) && profile.min >= 0 && profile.max <= 1);
  if (probability !== undefined)
    guess.claim("probability", probability.name, undefined, {
      reason: "a number between 0 and 1, by its name",
      confidence: 0.85,
    });
}

function shareLabels(a: ColumnProfile, b: ColumnProfile): boolean {
  const [own, other] = [a, b].map(({ column }) => new Set(listValues(column))) as [Set<string>, Set<string>];
  return own.size >= 2 && [...other].filter((label) => own.has(label)).length >= other.size / 2;
}
