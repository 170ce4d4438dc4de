/** Columns of labels: the right answer beside what was predicted, and labels that raters gave or not. */
import { listNames } from "../../result/quote.ts";
import { metricDirection } from "./direction.ts";
import { type Guess, joined } from "./guess.ts";
import { type ColumnProfile, listValues } from "./profile.ts";

const FEWEST = 4;
/** So many of the labels are set in a row at most, on average. */
const MOST_SET = 0.5;

/** joy, anger, neutral: neighbouring columns of 0 and 1, of which raters set few in a row. Each is a judgement on which they may agree, and none
 *  is better than another, even where it is called approval. */
export function claimLabels(guess: Guess): void {
  if (!guess.single.has("rater") || guess.single.has("system") || guess.many.metrics.length > 0) return;
  const free = new Set(guess.free());
  const runs: ColumnProfile[][] = [[]];
  for (const profile of guess.profiles) {
    if (free.has(profile) && profile.values === "0/1" && !/^(is|has|was)_/.test(joined(profile)))
      runs.at(-1)!.push(profile);
    else if (runs.at(-1)!.length > 0) runs.push([]);
  }
  const [found] = runs.sort((a, b) => b.length - a.length);
  if (found === undefined || found.length < FEWEST || !isChoice(found, guess.table.rows)) return;
  const names = found.map(({ name }) => name);
  const reason = `${names.length} neighbouring columns of 0 and 1, of which few are 1 in a row`;
  guess.claimMany("metrics", names, { reason, confidence: 0.75 });
  guess.undirected.push(...names);
  guess.assumptions.push(`${listNames(names)} are labels that were given (1) or not (0): none is better than another.`);
}

/** At least half a label a row, at most half of them, and no list of measures. */
function isChoice(found: readonly ColumnProfile[], rows: number): boolean {
  const measures = found.filter(({ name }) => metricDirection(name) !== undefined).length;
  if (measures * 2 > found.length) return false;
  const set = found.reduce((sum, { column }) => {
    if (column.kind !== "numeric") return sum;
    return sum + column.values.reduce((own, value) => own + (value === 1 ? 1 : 0), 0);
  }, 0);
  return set >= rows / 2 && set <= MOST_SET * found.length * rows;
}

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
