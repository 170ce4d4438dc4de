/** Values of Inspect scores → numbers, one per metric.
 *  A score is a number, a letter, a boolean, a list (scorer.1, scorer.2, …) or a dictionary (scorer.key). */
import { asObject, canonicalText, isObject } from "../json/value.ts";

const LETTERS = new Map([
  ["C", 1],
  ["I", 0],
  ["P", 0.5],
  ["N", 0],
]);
const WORDS = new Map([
  ["yes", 1],
  ["true", 1],
  ["no", 0],
  ["false", 0],
]);

/** Scores that had letter grades, whose meaning can then be stated. */
export type LettersSeen = Set<string>;

export function readScores(
  value: unknown,
  onUnreadable: (value: string) => void,
  letters: LettersSeen,
): Map<string, number> {
  const scores = new Map<string, number>();
  const set = (name: string, part: unknown): void => {
    const number = readValue(part);
    if (typeof part === "string" && LETTERS.has(part)) letters.add(name);
    if (number === undefined) onUnreadable(canonicalText(part).slice(0, 40));
    scores.set(name, number ?? Number.NaN);
  };
  for (const [scorer, score] of Object.entries(asObject(value))) {
    const found = isObject(score) && Object.hasOwn(score, "value") ? score["value"] : score;
    if (Array.isArray(found))
      found.forEach((part, i) => {
        set(`${scorer}.${i + 1}`, part);
      });
    else if (isObject(found)) for (const [key, part] of Object.entries(found)) set(`${scorer}.${key}`, part);
    else set(scorer, found);
  }
  return scores;
}

/** undefined: a value that is no score. Null and NaN mean "not scored". */
function readValue(value: unknown): number | undefined {
  if (value === null || value === undefined) return Number.NaN;
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  if (typeof value !== "string") return undefined;
  const letter = LETTERS.get(value);
  if (value.toLowerCase() === "nan") return Number.NaN;
  const number = value.trim() === "" ? Number.NaN : Number(value);
  return letter ?? WORDS.get(value.toLowerCase()) ?? (Number.isFinite(number) ? number : undefined);
}
